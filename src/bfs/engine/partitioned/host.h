// The host's side of the partitioned search: each device's share, its memory, and one launch on each, from a thread of its own.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bfs/engine/limits.h"
#include "bfs/engine/partitioned/cut.h"
#include "bfs/engine/partitioned/dealt.h"
#include "bfs/engine/partitioned/search.h"
#include "bfs/engine/partitioned/trace.h"
#include "bfs/engine/partitioned/turns.h"
#include "bfs/engine/query.h"
#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

using hopwave::engine::DeviceTurns;

template <class Offset>
class Plan final : public hopwave::engine::DrawnPlan {
 public:
  explicit Plan(const PartitionedRequest& request)
      : num_vertices_(request.drawn ? request.drawn->num_vertices : request.view.num_vertices),
        num_arcs_(request.drawn ? 2 * request.drawn->count : request.view.num_arcs()),
        parts_(request.devices) {
    const std::string many = std::to_string(request.devices.size());
    chosen_ = "partitioned over " + many + (request.devices.size() == 1 ? " device: " : " devices: ") + request.why;
    const device::KeepCurrent keep(first());
    turns_ = DeviceTurns(parts_.ordinals());
    const std::lock_guard turn(turns_);
    try {
      parts_.join();
      timer_ = std::make_unique<device::Timer>(first());
      const core::Stopwatch watch;
      if (request.prepare && num_vertices_ != 0)
        dealt_ = std::make_unique<Dealt<Offset>>(parts_, request, num_vertices_, num_arcs_);
      else
        share_out(request);
      check_ids(std::uint64_t{parts_[0].state.words()} * word_bits);
      set_rule(request.parameters);
      parts_.on_all([&](Part<Offset>& part) { take_rows(part, request); });
      if (dealt_) prepare_time_ = watch.elapsed();
      parts_.on_all([&](Part<Offset>& part) { take(part, request); });
      connect();
    } catch (...) {
      let_go();
      throw;
    }
  }
  ~Plan() override {
    const std::lock_guard turn(turns_);
    parts_.wait_for_all();
    let_go();
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  void run(const Query& wanted, strategy::RunControl& control) override {
    control.level_done(0, wanted.sources.size());
    SearchReport& stats = *control.stats;
    stats.chosen = chosen_;
    if (num_vertices_ == 0) return;
    const Query query = dealt_ ? dealt_->by_ids(wanted) : wanted;
    const auto [launches, trips] = parts_.calls();
    std::optional<HaltGuard> guard;  // outlives the launches
    Rule rule = rule_;
    rule.max_depth = query.max_depth;
    ++launch_;
    {
      const std::lock_guard turn(turns_);
      guard.emplace(halt_, first(), control);
      if (std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) { return wants_memory(*part, query, control); }))
        parts_.on_all([&](Part<Offset>& part) { take_more(part, query, control); });
      if (query.parents) connect_reached_by();  // it may have been taken for a search that failed for want of other memory
      parts_.launch_on_all([&](Part<Offset>& part) { search(part, query, control, rule); });
    }
    const Control end = parts_[0].control.value();
    stats.work = timer_->elapsed();
    stats.levels = end.deepest;
    stats.steps = end.level;
    stats.launches = parts_.calls().first - launches;
    stats.round_trips = parts_.calls().second - trips;
    if (control.trace) tell_levels(stats, end, parts_, query.parents);
    if (end.stopped) control.ended_early(end.level);
    control.level_done(end.deepest, end.visited);
  }

  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override {
    if (num_vertices_ == 0) return;
    const std::lock_guard turn(turns_);
    if (dealt_) return dealt_->fetch(distances, parents);
    parts_.on_all([&](Part<Offset>& part) {
      part.distance.download(distances.subspan(part.first, part.count));
      if (!parents.empty()) part.parent.download(parents.subspan(part.first, part.count));
    });
  }

  [[nodiscard]] Milliseconds prepare_time() const override { return prepare_time_; }
  [[nodiscard]] double counting_seconds() const override { return dealt_->counting_seconds(); }

  [[nodiscard]] bool has_neighbors(VertexId v) override {
    const std::lock_guard turn(turns_);
    return dealt_->has_neighbors(v);
  }
  [[nodiscard]] hopwave::engine::PartitionedCheck check() override {
    const std::lock_guard turn(turns_);
    return dealt_->check();
  }

 private:
  /// Everything that is the devices', while the caller has their turn. Pinned memory, too: giving it back may wait for kernels.
  void let_go() noexcept {
    timer_.reset();
    halt_ = HaltWord();
    parts_.let_go();
  }

  [[nodiscard]] Device& first() const { return *parts_[0].device; }

  void set_rule(const Parameters& given) {
    using thresholds::Partitioned;
    const std::uint64_t part = dealt_ ? Partitioned::dealt_pull_part : Partitioned::pull_part;
    const auto value = [&](const char* name) { return given.find(name)->second; };
    const std::int64_t pull = value("pull"), push = value("push");
    rule_ = {.pull_part = pull < 0 ? part : 0,
             .pull_arcs = static_cast<std::uint64_t>(std::max<std::int64_t>(pull, 0)),
             .back_vertices = push < 0 ? (dealt_ ? dealt_->num_dealt() : num_vertices_) / Partitioned::back_part : none,
             .back_arcs = static_cast<std::uint64_t>(std::max<std::int64_t>(push, 0)),
             .left_part = Partitioned::left_part,
             .max_depth = -1};
    wanted_block_ = static_cast<std::uint32_t>(value("block"));
    wanted_grid_ = static_cast<std::uint32_t>(value("grid"));
  }

  void share_out(const PartitionedRequest& request) {
    const strategy::View& view = request.view;
    const auto cut = hopwave::engine::cut_vertices(parts_.size(), num_vertices_, word_bits, [&](std::uint64_t v) {
      return view.forward->offsets[v] + (view.symmetric ? 0 : view.backward->offsets[v]);
    });
    for (std::size_t d = 0; d < parts_.size(); ++d) {
      parts_[d].first = cut[d];
      parts_[d].count = cut[d + 1] - cut[d];
    }
    for (const auto& part : parts_) {
      State<Offset>& s = part->state;
      s.devices = static_cast<u32>(parts_.size());
      s.num_vertices = s.num_ids = num_vertices_;
      s.num_arcs = num_arcs_;
      s.first = static_cast<u32>(part->first);
      s.count = static_cast<u32>(part->count);
      for (std::size_t d = 0; d <= parts_.size(); ++d) s.first_word[d] = static_cast<u32>((cut[d] + word_bits - 1) / word_bits);
    }
    for (std::size_t d = 0; d < parts_.size(); ++d) parts_[d].state.mine = static_cast<u32>(d);
  }

  /// By the device's own thread: its rows.
  void take_rows(Part<Offset>& part, const PartitionedRequest& request) {
    if (num_vertices_ == 0) return;
    Device& device = *part.device;
    const strategy::View& view = request.view;
    if (dealt_) return dealt_->take_rows(part, request);
    const auto own_rows = [&](const Adjacency& rows) {
      return upload_rows<Offset>(device, rows.offsets.data() + part.first, part.count, rows.neighbors.data());
    };
    part.rows = own_rows(*view.forward);
    if (!view.symmetric) part.in_rows = own_rows(*view.backward);
    part.distance = Buffer<Distance>(device, part.count).as(MemoryKind::levels);
  }

  /// By the device's own thread: its rows and memory.
  void take(Part<Offset>& part, const PartitionedRequest& request) {
    Device& device = *part.device;
    State<Offset>& s = part.state;
    if (num_vertices_ == 0) return;
    const DeviceRows<Offset>& in_rows = request.drawn || request.view.symmetric ? part.rows : part.in_rows;
    part.first_neighbor = Buffer<u32>(device, part.count).as(MemoryKind::neighbors);
    if (part.count != 0)
      device::launch(device, {device::strided(device, part.count, 256, 8192)}, find_firsts<Offset>, in_rows.offsets.data(),
                     in_rows.neighbors.data(), s.count, s.first, part.first_neighbor.data());
    set_shape(part);
    s.list_size = static_cast<u32>(hopwave::engine::list_size(s.num_ids, s.devices));
    const std::size_t words = s.words(), own_words = s.own_words();
    part.shared = device::PeerBuffer(device, shared_layout(s).bytes);
    part.visited = Buffer<Word>(device, own_words).as(MemoryKind::flags);
    part.frontier = Buffer<Word>(device, words).as(MemoryKind::flags);
    for (auto& queue : part.queue) queue = Buffer<Entry<Offset>>(device, part.count).as(MemoryKind::queues);
    part.cursor = Buffer<u64>(device, 2);
    part.slots = Buffer<Message>(device, 2ull * part.grid);
    part.go = Buffer<Message>(device, 2);
    part.found_by = Buffer<u64>(device, 2ull * s.devices);
    part.list_count = Buffer<u32>(device, 2);
    part.control = Buffer<Control>(device, 1);
    // No barrier has the number 0.
    part.slots.fill_bytes(0);
    part.go.fill_bytes(0);
    device.fill_bytes(part.shared.data(), 0, shared_layout(s).found[0]);
    device.wait();
    show(part, in_rows);
  }
  /// The part's memory in its state.
  static void show(Part<Offset>& part, const DeviceRows<Offset>& in_rows) {
    State<Offset>& s = part.state;
    s.offsets = part.rows.offsets.data();
    s.neighbors = part.rows.neighbors.data();
    s.in_offsets = in_rows.offsets.data();
    s.in_neighbors = in_rows.neighbors.data();
    s.first_neighbor = part.first_neighbor.data();
    s.visited = part.visited.data();
    s.frontier = part.frontier.data();
    for (int i = 0; i < 2; ++i) s.queue[i] = part.queue[i].data();
    s.cursor = part.cursor.data();
    s.distance = part.distance.data();
    s.slots = part.slots.data();
    s.go = part.go.data();
    s.found_by = part.found_by.data();
    s.list_count = part.list_count.data();
    s.control = part.control.data();
  }

  /// Where the arrays lie in the memory that all devices reach: the messages, and after them the bitmaps and the list.
  struct Layout {
    std::size_t found[2], reached, list, bytes;
  };
  [[nodiscard]] static Layout shared_layout(const State<Offset>& s) {
    constexpr std::size_t line = 256;
    const auto whole = [](std::size_t bytes) { return (bytes + line - 1) / line * line; };
    Layout at{};
    std::size_t bytes = 0;
    const auto take = [&](std::size_t more) { return std::exchange(bytes, bytes + whole(more)); };
    take(2 * s.devices * sizeof(Message));
    for (auto& found : at.found) found = take(s.own_words() * sizeof(Word));
    at.reached = take(s.words() * sizeof(Word));
    at.list = take(s.list_size * sizeof(u32));
    at.bytes = bytes;
    return at;
  }
  /// Each learns where the others' memory lies.
  void connect() {
    if (num_vertices_ == 0) return;
    for (const auto& part : parts_)
      for (const auto& other : parts_) {
        const u32 d = other->state.mine;
        const Layout at = shared_layout(other->state);
        char* const memory = other->shared.data();
        part->state.inbox[d] = reinterpret_cast<Message*>(memory);
        for (int i = 0; i < 2; ++i) part->state.found[i][d] = reinterpret_cast<Word*>(memory + at.found[i]);
        part->state.reached[d] = reinterpret_cast<Word*>(memory + at.reached);
        part->state.list[d] = reinterpret_cast<u32*>(memory + at.list);
      }
  }

  void connect_reached_by() {
    for (const auto& part : parts_)
      for (const auto& other : parts_)
        part->state.reached_by[other->state.mine] = reinterpret_cast<u32*>(other->reached_by.data());
  }

  /// As many blocks as are resident together; fewer where there is less to do, for then the barrier is what costs.
  void set_shape(Part<Offset>& part) {
    constexpr std::uint64_t arcs_a_thread = 4, words_a_warp = 8;
    const std::uint64_t work = part.count + part.rows.neighbors.size() / arcs_a_thread;
    const std::uint32_t most = std::min(most_threads, static_cast<std::uint32_t>(part.device->properties().max_block));
    const auto wanted = wanted_block_ ? std::uint64_t{wanted_block_} : std::min<std::uint64_t>(work, most);
    part.block = static_cast<std::uint32_t>(
        std::min<std::uint64_t>((std::max<std::uint64_t>(wanted, 1) + dev::lanes - 1) / dev::lanes * dev::lanes, most));
    const std::uint32_t resident =
        part.device->resident_grid(reinterpret_cast<const void*>(&partitioned_search<Offset>), part.block);
    const std::uint64_t useful = wanted_grid_ ? wanted_grid_ : (work + part.block - 1) / part.block;
    part.grid = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(useful, 1, std::max(resident, 1u)));
    const std::uint64_t warps = std::uint64_t{part.grid} * (part.block / dev::lanes);
    const std::uint64_t width = (part.state.own_words() + warps - 1) / warps;
    part.state.width = static_cast<u32>(
        std::clamp<std::uint64_t>((width + words_a_warp - 1) / words_a_warp * words_a_warp, words_a_warp, dev::lanes));
  }

  /// What a search wants for the first time: taken on all devices before any launch. A device that takes memory may wait for
  /// kernels of the others, and those would wait for its own.
  [[nodiscard]] bool wants_memory(const Part<Offset>& part, const Query& query, const strategy::RunControl& control) const {
    return (query.parents && (part.count > part.parent.size() || part.reached_by.size() == 0 ||
                              (dealt_ && part.block_count > part.block_parent.size()))) ||
           (control.trace && part.records.empty()) || (query.sources.size() > 1 && query.sources.size() > part.sources.size());
  }
  void take_more(Part<Offset>& part, const Query& query, const strategy::RunControl& control) {
    Device& device = *part.device;
    const std::size_t ids = part.state.num_ids;
    if (query.parents && part.reached_by.size() == 0)
      part.reached_by = device::PeerBuffer(device, std::max<std::size_t>(ids + (dealt_ ? part.count : 0), 1) * sizeof(u32));
    if (query.parents && dealt_) {  // all read them
      part.parent = Buffer<u32>::borrowed(device, reinterpret_cast<u32*>(part.reached_by.data()) + ids, part.count);
      if (part.block_parent.empty()) part.block_parent = Buffer<u32>(device, part.block_count).as(MemoryKind::parents);
    } else if (query.parents && part.parent.empty()) {
      part.parent = Buffer<u32>(device, part.count).as(MemoryKind::parents);
    }
    if (control.trace && part.records.empty()) part.records = Buffer<LevelRecord>(device, most_records);
    if (query.sources.size() > part.sources.size()) part.sources = Buffer<u32>(device, query.sources.size());
    device.wait();
  }

  /// Launches one search.
  void search(Part<Offset>& part, const Query& query, const strategy::RunControl& control, const Rule& rule) {
    Device& device = *part.device;
    State<Offset> s = part.state;
    set_query(s, query, control.halt, device, part.sources);
    if (query.parents) s.parent = parent_or_any(part);
    if (control.trace) s.records = part.records.data();
    s.launch = launch_;
    s.give_up = parts_.give_up();
    const bool timed = &device == &first();
    if (timed) timer_->start();
    device::launch(device, {{.grid = part.grid, .block = part.block, .cooperative = true}}, partitioned_search<Offset>, s,
                   rule);
    if (timed) timer_->stop();
  }
  /// A device without vertices writes no parents, but must know that they are wanted.
  [[nodiscard]] static u32* parent_or_any(const Part<Offset>& part) {
    return part.count ? part.parent.data() : reinterpret_cast<u32*>(part.cursor.data());
  }

  VertexId num_vertices_;
  EdgeIndex num_arcs_;
  std::string chosen_;
  Parts<Offset> parts_;
  std::unique_ptr<Dealt<Offset>> dealt_;  ///< null: not prepared
  Milliseconds prepare_time_ = {};
  DeviceTurns turns_;
  Rule rule_{};
  std::uint32_t wanted_block_ = 0, wanted_grid_ = 0;
  std::uint64_t launch_ = 0;
  HaltWord halt_;
  std::unique_ptr<device::Timer> timer_;
};

}  // namespace hopwave::HW_MACHINE::engine::partitioned
