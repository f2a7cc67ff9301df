// Levels of a rank that searches on a device of its own, compiled once per machine. Messages of ranks go by way of the host.
#include <algorithm>
#include <numeric>

#include "bfs/distributed/gpu/steps.h"
#include "bfs/distributed/levels.h"
#include "bfs/engine/partitioned/upload_rows.h"

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
  Levels(const LevelsRequest& request, std::shared_ptr<Device> device, std::unique_ptr<hopwave::ranks::DeviceMessages> messages)
      : share_(request.share), wait_(request.wait), device_(std::move(device)), messages_(std::move(messages)) {
    const device::KeepCurrent keep(*device_);
    const auto upload = [&](const hopwave::ranks::Rows& rows) {
      return engine::partitioned::upload_rows<Offset>(
          *device_, rows.offsets.data(), share_.count(), rows.neighbors.data(),
          "start more processes, each with a GPU (mpirun -n), or search on their CPUs: --device cpu");
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
    claim_sources(sources);
    return counted(0);
  }

  Counts top_down(Distance level) override {
    const device::KeepCurrent keep(*device_);
    const Counts frontier = found_;
    advance();
    const std::vector<u64> listed = frontier.vertices ? expand_and_list(frontier) : std::vector<u64>(num_ranks(), 0);
    claim_own(listed, level);
    wait_();
    const u64 heard = messages_->exchange({list_.data(), by_.data()}, listed, parents_);
    claim_these(messages_->heard().vertices, parents_ ? messages_->heard().by : nullptr, heard, level);
    return counted(frontier.arcs);
  }

  Counts bottom_up(Distance level) override {
    const device::KeepCurrent keep(*device_);
    const Counts frontier = found_;
    const u32 old_turn = turn_;
    advance();
    own_words_.fill_bytes(0);
    if (frontier.vertices)
      launch(*device_, {shape(frontier.vertices)}, mark_queue<Offset>, state_, old_turn, own_words_.data(), state_.first % 64);
    wait_();
    messages_->gather(own_words_.data(), words_each_, gathered_.data());
    frontier_.fill_bytes(0);
    if (gathered_.size())
      launch(*device_, {shape(gathered_.size())}, spread<Offset>, state_, gathered_.data(), u64{gathered_.size()});
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
      frontier_ = bitmap(bytes);
      take_words_to_gather();
    }
    distance_ = Buffer<Distance>(*device_, share_.count()).as(MemoryKind::levels);
    for (auto& queue : queue_) queue = Buffer<Entry<Offset>>(*device_, share_.count()).as(MemoryKind::queues);
    tally_ = Buffer<Tally>(*device_, 2);
    first_of_ = Buffer<u32>(*device_, std::span<const u32>(share_.cut.first()).first(num_ranks()));
    cursor_ = Buffer<u64>(*device_, num_ranks());
    device_->wait();
  }

  void take_words_to_gather() {
    std::vector<u64> begins;
    u64 all = 0;
    for (int r = 0; r < share_.cut.ranks(); ++r) {
      begins.push_back(all);
      words_each_.push_back(hopwave::ranks::words_for(share_.cut.begin(r), share_.cut.end(r)));
      all += words_each_.back();
    }
    words_begin_ = Buffer<u64>(*device_, std::span<const u64>(begins));
    gathered_ = Buffer<u64>(*device_, all);
    own_words_ = Buffer<u64>(*device_, words_each_[static_cast<std::size_t>(share_.rank)]).as(MemoryKind::flags);
    state_.words_begin = words_begin_.data();
  }

  [[nodiscard]] std::size_t num_ranks() const { return static_cast<std::size_t>(share_.cut.ranks()); }

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
    found_ = {QueuedRows::get(tally.queued), QueuedArcs::get(tally.queued), examined + tally.examined, tally.at_target};
    return found_;
  }

  /// Lists the vertices that the frontier reaches for the first time, in list_ and by_, ordered by rank. Returns how
  /// many each rank has of them.
  std::vector<u64> expand_and_list(const Counts& frontier) {
    if (frontier.arcs) launch(*device_, {shape(frontier.arcs)}, expand<Offset>, state_, turn_ ^ 1);
    std::vector<u64> listed(num_ranks());
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
  void claim_own(const std::vector<u64>& listed, Distance level) {
    const u64 begin = std::accumulate(listed.begin(), listed.begin() + share_.rank, u64{0});
    claim_these(list_.data() + begin, parents_ ? by_.data() + begin : nullptr, listed[static_cast<std::size_t>(share_.rank)],
                level);
  }

  /// `by` may be null: then no parent is known.
  void claim_these(const u32* list, const u32* by, u64 count, Distance level) {
    if (count > 0) launch(*device_, {shape(count)}, claim<Offset>, state_, turn_, list, by, count, level);
  }

  void claim_sources(const std::vector<u32>& sources) {
    make_room(list_, sources.size());
    list_.upload(sources);
    claim_these(list_.data(), nullptr, sources.size(), 0);
    device_->wait();  // `sources` goes
  }

  /// What was in it is not kept.
  void make_room(Buffer<u32>& buffer, u64 size) {
    if (buffer.size() >= size) return;
    buffer.reset();
    buffer = Buffer<u32>(*device_, std::max<u64>(size, std::min<u64>(2 * size, state_.num_vertices)));
  }

  const hopwave::ranks::Share& share_;
  const std::function<void()> wait_;
  const std::shared_ptr<Device> device_;
  const std::unique_ptr<hopwave::ranks::DeviceMessages> messages_;
  engine::partitioned::DeviceRows<Offset> rows_, in_rows_;
  Buffer<Word> known_, fresh_, frontier_;
  std::vector<u64> words_each_;  ///< so many words hold each rank's vertices
  Buffer<u64> own_words_, gathered_, words_begin_;
  Buffer<u32> parent_, reached_by_, first_of_;
  Buffer<u32> list_, by_;  ///< vertices that are sent, and those that reached them
  Buffer<Distance> distance_;
  Buffer<Entry<Offset>> queue_[2];
  Buffer<Tally> tally_;
  Buffer<u64> cursor_;
  State<Offset> state_{};

  // Of one search.
  bool parents_ = false;
  u32 turn_ = 0;  ///< of the queue that is being filled
  Counts found_;
  std::vector<u64> begins_;  ///< of each rank's vertices in list_
};

}  // namespace
}  // namespace hopwave::HW_MACHINE::ranks

namespace hopwave::ranks {

std::unique_ptr<Levels> HW_ON_MACHINE(device_levels)(const LevelsRequest& request, std::shared_ptr<device::Device> device,
                                                     std::unique_ptr<DeviceMessages> messages) {
  if (request.wide_offsets || request.steps.forward().neighbors.size() > narrow_arcs ||
      (request.steps.backward() && request.steps.backward()->neighbors.size() > narrow_arcs))
    return std::make_unique<HW_MACHINE::ranks::Levels<std::uint64_t>>(request, std::move(device), std::move(messages));
  return std::make_unique<HW_MACHINE::ranks::Levels<std::uint32_t>>(request, std::move(device), std::move(messages));
}

}  // namespace hopwave::ranks
