// The host's side of the high-diameter traversal by asynchronous warps: what its lists may hold, its memory, one launch a
// search.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "bfs/engine/completion.h"
#include "bfs/engine/device_thresholds.h"
#include "bfs/engine/find_parents.h"
#include "bfs/engine/high_diameter/async.h"
#include "bfs/engine/high_diameter/options.h"
#include "bfs/engine/query.h"
#include "bfs/engine/serialize.h"
#include "bfs/engine/traversal.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

/// Raises `bad` if stored quads would lead out of the array.
template <class Offset>
HW_KERNEL void check_quads(QuadGraph<Offset> g, u64 num_quads, u32* bad) {
  bool wrong = false;
  for (u64 i = dev::global_thread(); i < num_quads; i += dev::global_threads()) {
    const Quad q = g.quads[i];
    for (const u32 word : {q.x, q.y, q.z}) wrong = wrong || (word != no_word && word >= g.num_vertices);
    const bool link = q.w != no_word && (q.w & link_bit);  // links lead onwards only, so that every row ends
    const u32 at = q.w & ~link_bit;
    wrong = wrong || (link ? at >= num_quads || at < g.num_vertices || at <= i : q.w != no_word && at >= g.num_vertices);
  }
  if (wrong) dev::store(bad, 1u);
}

template <class Offset>
class Async final : public Traversal {
 public:
  /// `anew`: the graph is not prepared, and every search makes its quads.
  Async(device::Device& device, const Graph<Offset>& given, const Options& options, bool anew, Distance* level)
      : device_(device), given_(given), options_(options), anew_(anew) {
    if (!count_rests() || !choose_shape()) return;
    take_memory(level);
    if (!anew_) {
      device::launch(device_, {shape_for(given.num_vertices)}, write_all_quads<Offset>, graph_);
      links_used_.reset();
    }
    fits_ = true;
  }

  /// From what an earlier one saved. Throws HW-PREPARATION-FIT.
  Async(device::Device& device, const Graph<Offset>& given, const Options& options, Distance* level,
        hopwave::engine::Restorer& from)
      : device_(device), given_(given), options_(options), anew_(false) {
    if (!count_rests() || !choose_shape())
      hopwave::engine::preparation_does_not_fit("rows for warps that run ahead", "a graph that this device takes");
    take_memory(level);
    serialize(from);
    device::Buffer<u32> bad(device_, 1);
    bad.fill_bytes(0);
    device::launch(device_, {shape_for(quads_.size())}, check_quads<Offset>, graph_, quads_.size(), bad.data());
    if (bad.value()) hopwave::engine::preparation_does_not_fit("rows that lead outside", "rows of this graph");
    fits_ = true;
  }

  [[nodiscard]] bool can_save() const override { return !anew_; }
  void save(hopwave::engine::Saver& to) override { serialize(to); }

  [[nodiscard]] bool fits() const override { return fits_; }
  [[nodiscard]] TraversalFacts facts() const override { return {.kind = TraversalKind::high_diameter}; }
  [[nodiscard]] std::string describe() const override {
    return count_text(blocks_, "block") + " in one launch, warps run ahead by up to " + count_text(state_.async, "level");
  }
  [[nodiscard]] const u32* parents() const override { return parent_.data(); }
  [[nodiscard]] const Control& control() const override { return control_; }

  void launch(const Query& query, strategy::RunControl& control) override {
    AsyncState s = state_;
    set_query(s, query, control.halt, device_, sources_);
    if (dirty_) sums_.fill_bytes(0);
    if (dirty_ && anew_) links_used_.fill_bytes(0);
    dirty_ = true;
    const device::LaunchShape shape{
        .grid = blocks_, .block = block_, .shared_bytes = shared_, .cooperative = blocks_ > 1, .cluster = 0};
    device::launch(device_, {shape}, anew_ ? high_diameter_async<Offset, true> : high_diameter_async<Offset, false>, graph_, s);
    if (!query.parents) return;
    if (parent_.empty()) parent_ = device::Buffer<u32>(device_, given_.num_vertices).as(MemoryKind::parents);
    device::launch(device_, {shape_for(given_.num_vertices)}, find_parents<Offset>, given_.in_offsets, given_.in_neighbors,
                   given_.num_vertices, reinterpret_cast<const Distance*>(s.level), parent_.data());
  }

  void collect() override { completion_.send(control_memory_.data()); }
  void finish() override {
    const AsyncControl seen = completion_.take();
    dirty_ = false;
    control_ = {};
    control_.visited = seen.visited;
    control_.levels = seen.deepest;
    control_.progress.cancelled = seen.cancelled;
    control_.progress.level = seen.complete;
  }

 private:
  template <class Archive>
  void serialize(Archive& c) {
    std::uint64_t scope = async_scope;
    c.number("scope", scope);
    c.array("rows", quads_, std::uint64_t{given_.num_vertices} + rests_.links);
    graph_.quads = quads_.data();
  }

  [[nodiscard]] const void* kernel() const {
    return anew_ ? reinterpret_cast<const void*>(high_diameter_async<Offset, true>)
                 : reinterpret_cast<const void*>(high_diameter_async<Offset, false>);
  }
  [[nodiscard]] device::LaunchShape shape_for(std::uint64_t items) const {
    return device::strided(device_, items, 128, 1u << 16);
  }

  bool count_rests() {
    device::Buffer<LinkCount> counted(device_, 1);
    counted.fill_bytes(0);
    device::launch(device_, {shape_for(given_.num_vertices)}, count_links<Offset>, given_.offsets, given_.num_vertices,
                   counted.data());
    rests_ = counted.value();
    return std::uint64_t{given_.num_vertices} + rests_.links < link_bit - 1;
  }

  bool set_lists(u32 async, u32 block, std::size_t usable) {
    // From the back: each word of the row that is taken may list one row, so the list grows by one less, at each of the rows
    // that a vertex's neighbours fill, at each level. From the front: a lane claims four words at most.
    const std::uint64_t depth = std::uint64_t{quad_words - 1} * async * (rests_.longest + 1ull) + quad_words;
    if (depth > usable) return false;
    const u32 deep = static_cast<u32>(depth), most = 4 * dev::lanes;
    block_ = block;
    state_.async = async;
    // The parameter `queue` makes lists as short as may be, so that small graphs fill them.
    state_.room = std::max(std::bit_ceil(deep + most + 2 * dev::lanes), options_.queue ? 1u : 256u);
    state_.full = state_.room - deep - most;
    shared_ = (sizeof(Quad) + sizeof(u32)) * state_.room * (block / dev::lanes);
    return shared_ <= usable;
  }

  /// Blocks of the whole device. A list must hold what going depth-first may need, and what a warp finds at once; where there
  /// is no room for that, fewer warps, then fewer levels.
  bool choose_shape() {
    if (!device_.properties().cooperative) return false;
    const thresholds::Device at = hopwave::engine::thresholds_of(device_);
    if (options_.async < 0 && rests_.longest > at.longest_async_tail) return false;
    const std::size_t reserve = sizeof(AsyncStorage) + 1024, memory = device_.properties().shared_per_block;
    const std::size_t usable = memory > reserve ? memory - reserve : 0;
    const u32 n = given_.num_vertices, wanted = options_.block ? options_.block : n > at.large_vertices ? 1024 : 512;
    const u32 widest = (wanted + dev::lanes - 1) / dev::lanes * dev::lanes;
    const u32 standard_levels = n > at.far_async_vertices ? at.far_async_levels : at.near_async_levels;
    bool fits = false;
    for (u32 async = options_.async > 0 ? static_cast<u32>(options_.async) : standard_levels; async && !fits; async /= 2)
      for (u32 block = widest; block >= (async == 1 ? dev::lanes : std::min(widest, 256u)) && !fits;
           block = block / 2 / dev::lanes * dev::lanes)
        fits = set_lists(async, block, usable);
    if (!fits) return false;
    const auto standard = static_cast<std::uint32_t>(std::max(device_.properties().multiprocessors, 1));
    const std::uint32_t most = device_.resident_grid(kernel(), block_, shared_);
    blocks_ = most ? std::bit_floor(std::min(options_.grid ? options_.grid : standard, most)) : 0;
    if (blocks_ == 0) return false;
    // Each vertex is queued once, and a source perhaps once more: a queue never has more entries than the block has vertices.
    state_.stride = (n + blocks_ - 1) / blocks_;
    const std::uint64_t quads = 2ull * blocks_ * state_.stride + n + rests_.links;
    return quads * sizeof(Quad) < device_.memory_free() / 4 * 3;
  }

  void take_memory(Distance* level) {
    const std::uint64_t n = given_.num_vertices;
    queue_ = device::Buffer<Quad>(device_, std::uint64_t{blocks_} * 2 * state_.stride).as(MemoryKind::queues);
    queue_.fill_bytes(0xFF);  // entries are read before it is known whether they are in use
    count_ = device::Buffer<u32>(device_, std::uint64_t{blocks_} * count_stride);
    sums_ = device::Buffer<u64>(device_, 2ull * sum_stride);
    links_used_ = device::Buffer<u32>(device_, 1);
    links_used_.fill_bytes(0);
    quads_ = device::Buffer<Quad>(device_, n + rests_.links).as(MemoryKind::neighbors);
    control_memory_ = device::Buffer<AsyncControl>(device_, 1);
    completion_ = Completion<AsyncControl>(device_);
    graph_ = {given_.offsets, given_.neighbors, given_.num_vertices, quads_.data(), links_used_.data()};
    state_.level = reinterpret_cast<u32*>(level);
    state_.queue = queue_.data();
    state_.count = count_.data();
    state_.sums = sums_.data();
    state_.control = control_memory_.data();
  }

  device::Device& device_;
  Graph<Offset> given_;
  Options options_;
  bool anew_;
  bool fits_ = false;
  bool dirty_ = true;  ///< a search that failed may have left sums that do not add up
  std::uint32_t block_ = 0, blocks_ = 0;
  std::size_t shared_ = 0;
  LinkCount rests_{};
  QuadGraph<Offset> graph_{};
  AsyncState state_{};
  Control control_{};
  device::Buffer<Quad> quads_, queue_;
  device::Buffer<u32> links_used_, count_, sources_, parent_;
  device::Buffer<u64> sums_;
  device::Buffer<AsyncControl> control_memory_;
  Completion<AsyncControl> completion_;
};

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
