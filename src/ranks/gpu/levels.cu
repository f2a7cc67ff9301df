// Levels of a rank that searches on a device of its own, compiled once a machine. What ranks tell each other goes by way of the
// host.
#include <algorithm>
#include <numeric>

#include "engine/partitioned/upload_rows.h"
#include "ranks/gpu/steps.h"
#include "ranks/levels.h"

namespace hopwave::HW_MACHINE::ranks {
namespace {

using device::Buffer;
using device::Device;
using device::launch;
using hopwave::ranks::Counts;
using hopwave::ranks::LevelsRequest;

static_assert(unreached == -1 && no_vertex == ~VertexId{0}, "bytes of ones are neither reached nor a parent");

template <class Offset>
class Levels final : public hopwave::ranks::Levels {
 public:
  Levels(const LevelsRequest& request, std::shared_ptr<Device> device)
      : transport_(request.transport),
        share_(request.share),
        wait_(request.wait),
        device_(std::move(device)),
        to_(static_cast<std::size_t>(transport_.size())) {
    const device::KeepCurrent keep(*device_);
    const auto upload = [&](const hopwave::ranks::Rows& rows) {
      return engine::partitioned::upload_rows<Offset>(*device_, rows.offsets.data(), share_.count(), rows.neighbors.data());
    };
    rows_ = upload(request.steps.forward());
    const bool both_ways = request.steps.backward() == &request.steps.forward();
    if (request.steps.backward() && !both_ways) in_rows_ = upload(*request.steps.backward());
    take_memory(request.steps.backward() != nullptr);
    state_.num_vertices = share_.cut.num_vertices();
    state_.first = share_.begin();
    state_.count = share_.count();
    state_.ranks = static_cast<u32>(share_.cut.ranks());
    state_.first_of = first_of_.data();
    state_.offsets = rows_.offsets.data();
    state_.neighbors = rows_.neighbors.data();
    if (request.steps.backward()) {
      state_.in_offsets = (both_ways ? rows_ : in_rows_).offsets.data();
      state_.in_neighbors = (both_ways ? rows_ : in_rows_).neighbors.data();
    }
    state_.known = known_.data();
    state_.fresh = fresh_.data();
    state_.frontier = frontier_.data();
    state_.distance = distance_.data();
    for (int i = 0; i < 2; ++i) state_.queue[i] = queue_[i].data();
    state_.tally = tally_.data();
  }

  Counts begin(const Query& query) override {
    const device::KeepCurrent keep(*device_);
    turn_ = 0;
    state_.target = query.target;
    if (query.parents && reached_by_.empty()) {
      parent_ = Buffer<u32>(*device_, share_.count()).as(MemoryKind::parents);
      reached_by_ = Buffer<u32>(*device_, state_.num_vertices).as(MemoryKind::parents);
    }
    parents_ = query.parents;
    state_.parent = query.parents ? parent_.data() : nullptr;
    state_.reached_by = query.parents ? reached_by_.data() : nullptr;
    known_.fill_bytes(0);
    fresh_.fill_bytes(0);
    distance_.fill_bytes(0xFF);
    parent_.fill_bytes(0xFF);
    reached_by_.fill_bytes(0xFF);
    std::vector<u32> sources;
    for (const VertexId s : query.sources)
      if (share_.has(s)) sources.push_back(s);
    clear_tally();
    claim_told(sources, {}, 0);
    return counted(0);
  }

  Counts top_down(Distance level) override {
    const device::KeepCurrent keep(*device_);
    const Counts frontier = found_;
    advance();
    const std::vector<u64> listed = frontier.vertices ? expand_and_list(frontier) : std::vector<u64>(to_.size(), 0);
    const u64 mine = listed[static_cast<std::size_t>(share_.rank)];
    claim_own(listed, mine, level);
    pack_messages(listed);
    wait_();
    transport_.exchange(to_, from_);
    hear_messages(level);
    return counted(frontier.arcs);
  }

  Counts bottom_up(Distance level) override {
    const device::KeepCurrent keep(*device_);
    const Counts frontier = found_;
    const u32 old_turn = turn_;
    advance();
    std::vector<u64> mine(gathered_->words_of(share_.rank));
    if (frontier.vertices) {
      own_words_.fill_bytes(0);
      launch(*device_, {shape(frontier.vertices)}, mark_queue<Offset>, state_, old_turn, own_words_.data(), state_.first % 64);
      device_->copy_out(mine.data(), own_words_.data(), mine.size() * sizeof(u64));
    }
    wait_();
    gathered_->gather(transport_, mine);
    device_->copy_in(frontier_.data(), gathered_->words().data(), gathered_->words().size_bytes());
    launch(*device_, {shape(state_.words())}, add_known<Offset>, state_);
    if (state_.count) launch(*device_, {shape(state_.count)}, look_back<Offset>, state_, turn_, level);
    return counted(0);
  }

  void fetch(Array<Distance>& distance, Array<VertexId>& parent) override {
    const device::KeepCurrent keep(*device_);
    distance = Array<Distance>(share_.count());
    distance_.download({distance.data(), distance.size()});
    if (!parents_) return;
    parent = Array<VertexId>(share_.count());
    parent_.download({parent.data(), parent.size()});
  }

 private:
  void take_memory(bool bottom_up) {
    // As many bytes as whole words of 64 bits, whatever a word is here.
    const std::size_t bytes = hopwave::ranks::words_for(0, share_.cut.num_vertices()) * sizeof(u64);
    const auto bitmap = [&](std::size_t size) { return Buffer<Word>(*device_, size / sizeof(Word)).as(MemoryKind::flags); };
    known_ = bitmap(bytes);
    fresh_ = bitmap(bytes);
    if (bottom_up) {
      gathered_.emplace(share_.cut);
      frontier_ = bitmap(bytes);
      own_words_ = bitmap(gathered_->words_of(share_.rank) * sizeof(u64));
    }
    distance_ = Buffer<Distance>(*device_, share_.count()).as(MemoryKind::levels);
    for (auto& queue : queue_) queue = Buffer<Entry<Offset>>(*device_, share_.count()).as(MemoryKind::queues);
    tally_ = Buffer<Tally>(*device_, 2);
    first_of_ = Buffer<u32>(*device_, std::span<const u32>(share_.cut.first()).first(to_.size()));
    cursor_ = Buffer<u64>(*device_, to_.size());
    device_->wait();
  }

  [[nodiscard]] device::LaunchShape shape(u64 items) const {
    constexpr u32 blocks_each = 8;  // of a multiprocessor: 2,048 threads
    return device::strided(*device_, items, block_threads,
                           blocks_each * static_cast<u32>(device_->properties().multiprocessors));
  }

  void clear_tally() { device_->fill_bytes(tally_.data() + turn_, 0, sizeof(Tally)); }
  /// What was found last is the frontier.
  void advance() {
    turn_ ^= 1;
    clear_tally();
  }
  Counts counted(u64 examined) {
    const Tally tally = tally_.value(turn_);
    found_ = {tally.queued >> edge_bits, tally.queued & edge_mask, examined + tally.examined, tally.at_target};
    return found_;
  }

  /// Lists whom the frontier reaches for the first time, in list_ and by_: one rank's vertices after the other's. Returns how
  /// many each rank has of them.
  std::vector<u64> expand_and_list(const Counts& frontier) {
    if (frontier.arcs) launch(*device_, {shape(frontier.arcs)}, expand<Offset>, state_, turn_ ^ 1);
    std::vector<u64> listed(to_.size());
    cursor_.fill_bytes(0);
    launch(*device_, {shape(state_.words())}, list_fresh<Offset>, state_, cursor_.data(), nullptr, nullptr);
    cursor_.download(listed);
    const u64 all = std::accumulate(listed.begin(), listed.end(), u64{0});
    if (all == 0) return listed;
    make_room(list_, all);
    if (parents_) make_room(by_, all);
    begins_.resize(listed.size());
    std::exclusive_scan(listed.begin(), listed.end(), begins_.begin(), u64{0});
    cursor_.upload(begins_);
    launch(*device_, {shape(state_.words())}, list_fresh<Offset>, state_, cursor_.data(), list_.data(),
           parents_ ? by_.data() : nullptr);
    return listed;
  }

  /// Own vertices need no message.
  void claim_own(const std::vector<u64>& listed, u64 mine, Distance level) {
    if (mine == 0) return;
    const u64 begin = std::accumulate(listed.begin(), listed.begin() + share_.rank, u64{0});
    launch(*device_, {shape(mine)}, claim<Offset>, state_, turn_, list_.data() + begin, parents_ ? by_.data() + begin : nullptr,
           mine, level);
  }

  /// For each other rank its vertices and, if parents are wanted, behind them who reached each.
  void pack_messages(const std::vector<u64>& listed) {
    const u64 all = std::accumulate(listed.begin(), listed.end(), u64{0});
    const bool others = all > listed[static_cast<std::size_t>(share_.rank)];
    if (others) {
      host_list_.resize(all);
      list_.download(host_list_);
      host_by_.resize(parents_ ? all : 0);
      if (parents_) by_.download(host_by_);
    }
    u64 at = 0;
    for (std::size_t r = 0; r < to_.size(); ++r) {
      to_[r].clear();
      const auto some = static_cast<std::ptrdiff_t>(listed[r]), from = static_cast<std::ptrdiff_t>(at);
      if (some && static_cast<int>(r) != share_.rank) {
        to_[r].assign(host_list_.begin() + from, host_list_.begin() + from + some);
        if (parents_) to_[r].insert(to_[r].end(), host_by_.begin() + from, host_by_.begin() + from + some);
      }
      at += listed[r];
    }
  }

  void hear_messages(Distance level) {
    std::vector<u32> told, by;
    for (const auto& message : from_) {
      const auto middle = message.begin() + static_cast<std::ptrdiff_t>(parents_ ? message.size() / 2 : message.size());
      told.insert(told.end(), message.begin(), middle);
      by.insert(by.end(), middle, message.end());
    }
    claim_told(told, by, level);
  }

  /// `by` may be empty: nobody has reached them.
  void claim_told(const std::vector<u32>& told, const std::vector<u32>& by, Distance level) {
    if (told.empty()) return;
    make_room(list_, told.size());
    list_.upload(told);
    if (!by.empty()) {
      make_room(by_, by.size());
      by_.upload(by);
    }
    launch(*device_, {shape(told.size())}, claim<Offset>, state_, turn_, list_.data(), by.empty() ? nullptr : by_.data(),
           told.size(), level);
    device_->wait();  // `told` goes
  }

  /// What was in it is not kept.
  void make_room(Buffer<u32>& buffer, u64 size) {
    if (buffer.size() >= size) return;
    buffer.reset();
    buffer = Buffer<u32>(*device_, std::max<u64>(size, std::min<u64>(2 * size, state_.num_vertices)));
  }

  hopwave::ranks::Transport& transport_;
  const hopwave::ranks::Share& share_;
  const std::function<void()> wait_;
  const std::shared_ptr<Device> device_;
  engine::partitioned::DeviceRows<Offset> rows_, in_rows_;
  Buffer<Word> known_, fresh_, frontier_, own_words_;
  Buffer<u32> parent_, reached_by_, first_of_;
  Buffer<u32> list_, by_;  ///< vertices that are told of, and who reached them
  Buffer<Distance> distance_;
  Buffer<Entry<Offset>> queue_[2];
  Buffer<Tally> tally_;
  Buffer<u64> cursor_;
  State<Offset> state_{};

  // Of one search.
  bool parents_ = false;
  u32 turn_ = 0;  ///< of the queue that is being filled
  Counts found_;
  std::vector<std::vector<VertexId>> to_, from_;
  std::vector<u64> begins_;  ///< of each rank's vertices in list_
  std::vector<u32> host_list_, host_by_;
  std::optional<hopwave::ranks::GatheredFrontier> gathered_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE::ranks

namespace hopwave::ranks {

std::unique_ptr<Levels> HW_ON_MACHINE(device_levels)(const LevelsRequest& request, std::shared_ptr<device::Device> device) {
  if (request.wide_offsets || request.steps.forward().neighbors.size() > narrow_arcs ||
      (request.steps.backward() && request.steps.backward()->neighbors.size() > narrow_arcs))
    return std::make_unique<HW_MACHINE::ranks::Levels<std::uint64_t>>(request, std::move(device));
  return std::make_unique<HW_MACHINE::ranks::Levels<std::uint32_t>>(request, std::move(device));
}

}  // namespace hopwave::ranks
