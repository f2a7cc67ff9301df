// The host's side of the partitioned search: each device's share, its memory, and one launch on each, from a thread of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/partitioned/cut.h"
#include "engine/partitioned/make_plan.h"
#include "engine/partitioned/part.h"
#include "engine/partitioned/search.h"
#include "engine/partitioned/trace.h"
#include "engine/partitioned/turns.h"
#include "engine/query.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

using hopwave::engine::DeviceTurns;
using hopwave::engine::PartitionedRequest;

template <class Offset>
class Plan final : public strategy::Plan {
 public:
  explicit Plan(const PartitionedRequest& request)
      : num_vertices_(request.view.num_vertices), num_arcs_(request.view.num_arcs()) {
    const std::string many = std::to_string(request.devices.size());
    chosen_ = "partitioned over " + many + (request.devices.size() == 1 ? " device: " : " devices: ") + request.why;
    first_ = request.devices.at(0);
    const device::KeepCurrent keep(*first_);
    for (const auto& device : request.devices) {
      parts_.push_back(std::make_unique<Part<Offset>>());
      parts_.back()->device = device;
    }
    turns_ = DeviceTurns(ordinals());
    const std::lock_guard turn(turns_);
    try {
      check_devices();
      give_up_ = device::HostValue<u32>(*first_);
      timer_ = std::make_unique<device::Timer>(*first_);
      set_rule(request.parameters);
      share_out(request);
      on_all([&](Part<Offset>& part) { take(part, request); });
      connect();
    } catch (...) {
      let_go();
      throw;
    }
  }
  ~Plan() override {
    const std::lock_guard turn(turns_);
    wait_for_all();
    let_go();
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  void run(const Query& query, strategy::RunControl& control) override {
    control.level_done(0, query.sources.size());
    RunStats& stats = *control.stats;
    stats.chosen = chosen_;
    if (num_vertices_ == 0) return;
    const auto [launches, trips] = calls();
    const HaltGuard guard(halt_, *first_, control);
    Rule rule = rule_;
    rule.max_depth = query.max_depth;
    ++launch_;
    {
      const std::lock_guard turn(turns_);
      if (std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) { return wants_memory(*part, query, control); }))
        on_all([&](Part<Offset>& part) { take_more(part, query, control); });
      if (query.parents) connect_reached_by();  // it may have been taken for a search that failed for want of other memory
      on_all([&](Part<Offset>& part) { search(part, query, control, rule); });
    }
    const Control end = parts_[0]->control.value();
    stats.search_ms = timer_->milliseconds();
    stats.levels = end.deepest;
    stats.steps = end.level;
    stats.launches = calls().first - launches;
    stats.round_trips = calls().second - trips;
    if (control.trace) tell_levels(stats, end, std::span<const std::unique_ptr<Part<Offset>>>(parts_), query.parents);
    if (end.stopped) control.ended_early(end.level);
    control.level_done(end.deepest, end.visited);
  }

  void fetch(std::span<Distance> distances, std::span<VertexId> parents) override {
    if (num_vertices_ == 0) return;
    on_all([&](Part<Offset>& part) {
      part.distance.download(distances.subspan(part.first, part.count));
      if (!parents.empty()) part.parent.download(parents.subspan(part.first, part.count));
    });
  }

 private:
  /// Launches and round trips of all devices.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> calls() const {
    std::pair<std::uint64_t, std::uint64_t> sum{0, 0};
    for (const auto& part : parts_) {
      sum.first += part->device->launches();
      sum.second += part->device->round_trips();
    }
    return sum;
  }

  [[nodiscard]] std::vector<int> ordinals() const {
    std::vector<int> all;
    for (const auto& part : parts_) all.push_back(part->device->ordinal());
    return all;
  }
  /// Memory is given back with its device as the current one.
  void let_go() noexcept {
    for (auto& part : parts_) {
      const device::KeepCurrent keep(*part->device);
      part.reset();
    }
  }

  void check_devices() const {
    if (parts_.size() < 2 || parts_.size() > most_devices)
      throw Error({.failure = Failure::usage,
                   .id = "HW-PARTITION-DEVICES",
                   .found = std::to_string(parts_.size()) + " devices",
                   .expected = "2 to " + std::to_string(most_devices) + " that share the graph"});
    for (const auto& a : parts_)
      for (const auto& b : parts_)
        if (a != b && !a->device->can_reach(*b->device))
          throw Error({.failure = Failure::device,
                       .id = "HW-PARTITION-PEERS",
                       .found = "device " + std::to_string(a->device->ordinal()) + " cannot touch the memory of device " +
                                std::to_string(b->device->ordinal()),
                       .expected = "GPUs with peer access to each other (NVLink, or PCIe below one switch)",
                       .hint = "`nvidia-smi topo -p2p r` shows which have it; without it each GPU takes a copy of the graph"});
    for (const auto& part : parts_)
      if (!part->device->properties().cooperative)
        throw Error({.failure = Failure::device,
                     .id = "HW-NEEDS-COOPERATIVE",
                     .found = "device " + std::to_string(part->device->ordinal()) + " has no cooperative launches",
                     .expected = "devices that have them"});
  }

  void set_rule(const Parameters& given) {
    constexpr std::uint64_t alpha = 15, beta = 18;  // GAP's numbers
    const auto value = [&](const char* name) { return given.find(name)->second; };
    const std::int64_t pull = value("pull"), push = value("push");
    rule_ = {.pull_part = pull < 0 ? alpha : 0,
             .pull_arcs = static_cast<std::uint64_t>(std::max<std::int64_t>(pull, 0)),
             .back_vertices = push < 0 ? num_vertices_ / beta : none,
             .back_arcs = static_cast<std::uint64_t>(std::max<std::int64_t>(push, 0)),
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
      parts_[d]->first = cut[d];
      parts_[d]->count = cut[d + 1] - cut[d];
    }
    for (const auto& part : parts_) {
      State<Offset>& s = part->state;
      s.devices = static_cast<u32>(parts_.size());
      s.num_vertices = num_vertices_;
      s.num_arcs = num_arcs_;
      s.first = static_cast<u32>(part->first);
      s.count = static_cast<u32>(part->count);
      for (std::size_t d = 0; d <= parts_.size(); ++d) s.first_word[d] = static_cast<u32>((cut[d] + word_bits - 1) / word_bits);
    }
    for (std::size_t d = 0; d < parts_.size(); ++d) parts_[d]->state.mine = static_cast<u32>(d);
  }

  /// By the device's own thread: its rows and memory, and the right to touch the others'.
  void take(Part<Offset>& part, const PartitionedRequest& request) {
    Device& device = *part.device;
    State<Offset>& s = part.state;
    for (const auto& other : parts_)
      if (other->device != part.device) device.reach(*other->device);
    if (num_vertices_ == 0) return;
    const auto own_rows = [&](const Adjacency& rows) {
      return upload_rows<Offset>(device, rows.offsets.data() + part.first, part.count, rows.neighbors.data());
    };
    part.rows = own_rows(*request.view.forward);
    if (!request.view.symmetric) part.in_rows = own_rows(*request.view.backward);
    const DeviceRows<Offset>& in_rows = request.view.symmetric ? part.rows : part.in_rows;
    set_shape(part);
    const std::size_t words = s.words(), own_words = s.own_words();
    part.shared = device::PeerBuffer(device, shared_layout(s).bytes);
    part.visited = Buffer<Word>(device, own_words).as(MemoryKind::flags);
    part.frontier = Buffer<Word>(device, words).as(MemoryKind::flags);
    for (auto& queue : part.queue) queue = Buffer<Entry<Offset>>(device, part.count).as(MemoryKind::queues);
    part.cursor = Buffer<u64>(device, 2);
    part.distance = Buffer<Distance>(device, part.count).as(MemoryKind::levels);
    part.slots = Buffer<Message>(device, 2ull * part.grid);
    part.go = Buffer<Message>(device, 2);
    part.control = Buffer<Control>(device, 1);
    // No barrier has the number 0.
    part.slots.fill_bytes(0);
    part.go.fill_bytes(0);
    device.fill_bytes(part.shared.data(), 0, shared_layout(s).found[0]);
    device.wait();
    s.offsets = part.rows.offsets.data();
    s.neighbors = part.rows.neighbors.data();
    s.in_offsets = in_rows.offsets.data();
    s.in_neighbors = in_rows.neighbors.data();
    s.visited = part.visited.data();
    s.frontier = part.frontier.data();
    for (int i = 0; i < 2; ++i) s.queue[i] = part.queue[i].data();
    s.cursor = part.cursor.data();
    s.distance = part.distance.data();
    s.slots = part.slots.data();
    s.go = part.go.data();
    s.control = part.control.data();
  }

  /// Where the arrays lie in the memory that all devices reach: the messages, and behind them the bitmaps.
  struct Layout {
    std::size_t found[2], reached, bytes;
  };
  [[nodiscard]] static Layout shared_layout(const State<Offset>& s) {
    constexpr std::size_t line = 256;
    const auto whole = [](std::size_t bytes) { return (bytes + line - 1) / line * line; };
    const std::size_t own = whole(s.own_words() * sizeof(Word)), inbox = whole(2 * s.devices * sizeof(Message));
    return {{inbox, inbox + own}, inbox + 2 * own, inbox + 2 * own + whole(s.words() * sizeof(Word))};
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
  [[nodiscard]] static bool wants_memory(const Part<Offset>& part, const Query& query, const strategy::RunControl& control) {
    return (query.parents && (part.count > part.parent.size() || part.reached_by.size() == 0)) ||
           (control.trace && part.records.empty()) || (query.sources.size() > 1 && query.sources.size() > part.sources.size());
  }
  void take_more(Part<Offset>& part, const Query& query, const strategy::RunControl& control) {
    Device& device = *part.device;
    if (query.parents && part.parent.empty()) part.parent = Buffer<u32>(device, part.count).as(MemoryKind::parents);
    if (query.parents && part.reached_by.size() == 0) part.reached_by = device::PeerBuffer(device, num_vertices_ * sizeof(u32));
    if (control.trace && part.records.empty()) part.records = Buffer<LevelRecord>(device, most_records);
    if (query.sources.size() > part.sources.size()) part.sources = Buffer<u32>(device, query.sources.size());
    device.wait();
  }

  /// By the device's own thread: one search, to its end.
  void search(Part<Offset>& part, const Query& query, const strategy::RunControl& control, const Rule& rule) {
    Device& device = *part.device;
    State<Offset> s = part.state;
    set_query(s, query, device, part.sources);
    if (query.parents) s.parent = parent_or_any(part);
    if (control.trace) s.records = part.records.data();
    s.launch = launch_;
    s.halt = control.halt;
    s.give_up = give_up_.data();
    const bool timed = &device == first_.get();
    if (timed) timer_->start();
    device::launch(device, {{.grid = part.grid, .block = part.block, .cooperative = true}}, partitioned_search<Offset>, s,
                   rule);
    if (timed) timer_->stop();
    device.wait();
  }
  /// A device without vertices writes no parents, but must know that they are wanted.
  [[nodiscard]] static u32* parent_or_any(const Part<Offset>& part) {
    return part.count ? part.parent.data() : reinterpret_cast<u32*>(part.cursor.data());
  }

  /// Calls work(part) in a thread for each device, and waits for all. If one fails, kernels of the others are told to leave.
  /// Throws what the first device that failed has thrown.
  template <class Work>
  void on_all(const Work& work) {
    std::vector<std::exception_ptr> errors(parts_.size());
    const auto one = [&](std::size_t d) noexcept {
      try {
        const device::KeepCurrent keep(*parts_[d]->device);
        work(*parts_[d]);
      } catch (...) {
        errors[d] = std::current_exception();
        std::atomic_ref(*give_up_.data()).store(1, std::memory_order_relaxed);
      }
    };
    std::exception_ptr not_started;
    {
      std::vector<std::jthread> threads;  // joined at the end of this block: by then all must have been told to leave
      try {
        threads.reserve(parts_.size());
        for (std::size_t d = 1; d < parts_.size(); ++d) threads.emplace_back(one, d);
      } catch (...) {
        not_started = std::current_exception();
        std::atomic_ref(*give_up_.data()).store(1, std::memory_order_relaxed);
      }
      if (!not_started) one(0);
    }
    const auto failed = std::find_if(errors.begin(), errors.end(), [](const auto& error) { return error != nullptr; });
    if (!not_started && failed == errors.end()) return;
    wait_for_all();
    std::atomic_ref(*give_up_.data()).store(0, std::memory_order_relaxed);
    if (failed != errors.end()) std::rethrow_exception(*failed);
    no_thread(not_started);
  }
  [[noreturn]] static void no_thread(const std::exception_ptr& why) try {
    std::rethrow_exception(why);
  } catch (const std::system_error& problem) {
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-THREAD-START",
                 .found = std::string("the system starts no thread: ") + problem.code().message(),
                 .expected = "one for each device",
                 .hint = "a limit on processes (ulimit -u, a container's pids) or on memory (ulimit -v) is in the way"});
  }
  /// Kernels of a search that failed may still read each other's memory.
  void wait_for_all() const noexcept {
    for (const auto& part : parts_) {
      const device::KeepCurrent keep(*part->device);
      static_cast<void>(part->device->api().stream_wait(part->device->stream()));
    }
  }

  VertexId num_vertices_;
  EdgeIndex num_arcs_;
  std::string chosen_;
  std::shared_ptr<Device> first_;
  std::vector<std::unique_ptr<Part<Offset>>> parts_;
  DeviceTurns turns_;
  Rule rule_{};
  std::uint32_t wanted_block_ = 0, wanted_grid_ = 0;
  std::uint64_t launch_ = 0;
  HaltWord halt_;
  device::HostValue<u32> give_up_;
  std::unique_ptr<device::Timer> timer_;
};

}  // namespace hopwave::HW_MACHINE::engine::partitioned
