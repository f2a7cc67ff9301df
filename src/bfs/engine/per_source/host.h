// The host's side of searches that each have a block of their own: rows, memory, and one launch for all of them.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bfs/engine/high_diameter/async_host.h"
#include "bfs/engine/per_source/search.h"
#include "bfs/plan/thresholds.h"
#include "core/bytes_text.h"
#include "device/device.h"
#include "device/device_answer.h"
#include "hopwave/error.h"

namespace hopwave::HW_MACHINE::engine::per_source {

/// 0: the engine decides.
struct Options {
  std::uint32_t block = 0, queue = 0;
  bool global_bits = false;  ///< visited bits in global memory, also where they would fit into a block's
};

template <class Offset>
class SearchPerSource {
 public:
  static constexpr u32 columns = 64;  ///< searches whose counts come together

  /// Takes no memory before the first searches. The graph, with the caller's ids, must outlive this in device memory.
  SearchPerSource(device::Device& device, const Graph<Offset>& graph, const Options& options) : device_(device), graph_(graph) {
    const u32 most = std::min(static_cast<u32>(device.properties().max_block), 1024u);
    const u32 standard = graph.num_vertices > thresholds::AnyDevice::per_source_wide_vertices ? 1024 : 512;
    block_ = std::max(std::min(options.block ? options.block : standard, most) / dev::lanes, 1u) * dev::lanes;
    count_levels_ = std::min(graph.num_vertices, fewest_count_levels);
    shape_.num_vertices = graph.num_vertices;
    shape_.spill_room = std::min(graph.num_vertices, thresholds::AnyDevice::per_source_widest_level);
    shape_.bit_words = static_cast<u32>((std::uint64_t{graph.num_vertices} + 127) / 128 * 4);
    fits_ = set_shared_memory(options, !options.global_bits) || set_shared_memory(options, false);
  }

  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] std::string describe() const {
    return "each source in a block of its own, " + std::to_string(blocks_) + " at the same time in one launch";
  }

  /// Starts searches from all sources; finish() waits for them. `rows`: distances stay in device memory until the next call.
  /// `counted`: so do vertices by distance. `halt`: not 0 there ends them; may be null. Throws HW-ENGINE-MEMORY before anything
  /// is launched.
  void launch(std::span<const VertexId> sources, Distance max_depth, bool rows, bool counted, const u32* halt) {
    shape_.max_depth = max_depth;
    blocks_ = static_cast<u32>(std::min<std::size_t>(resident_, sources.size()));
    take_memory(sources.size(), rows, counted);
    sources_.upload(sources);
    shape_.count = static_cast<u32>(sources.size());
    launch_searches(rows, counted, halt);
  }
  /// False: some level was too wide, and the answers are not to be used.
  [[nodiscard]] bool finish() {
    std::vector<PerSourceControl> controls(shape_.count);
    controls_.download(controls);
    levels_ = 0;
    largest_ = {};
    cancelled_at_.reset();
    bool too_wide = false;
    for (const PerSourceControl& c : controls) {
      levels_ = std::max(levels_, c.levels);
      if (c.visited > largest_.visited) largest_ = c;
      if (c.cancelled) cancelled_at_ = std::min(c.levels, cancelled_at_.value_or(c.levels));
      too_wide |= c.too_wide != 0;
    }
    return !too_wide;
  }

  /// Distances of the i-th source.
  void fetch(std::size_t i, std::span<Distance> distances) { rows_.download(distances, i * stride()); }
  /// Distances of the i-th source and all after it.
  [[nodiscard]] device::DeviceRows rows_at(std::size_t i) const {
    return {rows_.data() + i * stride(), stride(), shape_.count - i};
  }
  /// counts(g)[d · columns + i] vertices are at distance d from source g · columns + i.
  [[nodiscard]] std::vector<u32> counts(std::size_t group) {
    if (!has_counts()) count_again(nullptr);
    std::vector<u32> all((levels_ + std::size_t{1}) * columns);
    counts_.download(all, group * columns * count_levels_);
    return all;
  }

  /// So many searches run at the same time, if there are as many.
  [[nodiscard]] std::size_t at_once() const { return resident_; }
  /// False: they were not wanted, or searches were deeper than there was room for.
  [[nodiscard]] bool has_counts() const { return shape_.counted && levels_ < count_levels_; }
  /// Once more, for the counts alone, with room for all levels; finish() waits. Throws as launch() does.
  void count_again(const u32* halt) {
    shape_.counted = nullptr;
    count_levels_ = std::max(count_levels_, levels_ + 1);
    take_memory(shape_.count, false, true);
    launch_searches(false, true, halt);
  }

  /// Of the search that visited most.
  [[nodiscard]] const PerSourceControl& largest() const { return largest_; }
  /// The greatest distance in any search.
  [[nodiscard]] u32 levels() const { return levels_; }
  /// If a limit ended searches: all levels up to this one are complete in each.
  [[nodiscard]] std::optional<u32> cancelled_at() const { return cancelled_at_; }

 private:
  static constexpr u32 fewest_count_levels = 4096, standard_queue = 2048;

  [[nodiscard]] auto kernel() const { return bits_in_shared_memory_ ? search_per_source<false> : search_per_source<true>; }
  /// Visited bits and queues in shared memory, or only queues.
  bool set_shared_memory(const Options& options, bool with_bits) {
    const std::size_t reserve = sizeof(PerSourceStorage) + 1024, memory = device_.properties().shared_per_block;
    const std::size_t bits = with_bits ? sizeof(u32) * shape_.bit_words : 0, least = 2 * sizeof(Quad) * dev::lanes;
    if (memory < reserve + bits + least) return false;
    const auto room = static_cast<u32>((memory - reserve - bits) / (2 * sizeof(Quad)));
    shape_.queue_rows = std::min(options.queue ? options.queue : standard_queue, room);
    shared_ = bits + 2 * sizeof(Quad) * shape_.queue_rows;
    bits_in_shared_memory_ = with_bits;
    resident_ = device_.resident_grid(reinterpret_cast<const void*>(kernel()), block_, shared_);
    return resident_ > 0;
  }

  /// The stride between two searches' distances: whole lines of memory.
  [[nodiscard]] std::uint64_t stride() const { return (graph_.num_vertices + std::uint64_t{31}) / 32 * 32; }

  void take_memory(std::size_t searches, bool rows, bool counted) {
    const std::uint64_t spill = std::uint64_t{2} * shape_.spill_room * blocks_;
    const std::uint64_t bits = bits_in_shared_memory_ ? 0 : std::uint64_t{shape_.bit_words} * blocks_;
    const std::uint64_t levels = rows ? searches * stride() : 0;
    const std::uint64_t counts = counted ? (searches + columns - 1) / columns * columns * count_levels_ : 0;
    const auto more = [](std::uint64_t wanted, std::uint64_t there) { return wanted > there ? wanted : 0; };
    check_room(sizeof(u32) * (more(spill, spill_.size()) + more(bits, bits_.size()) + more(levels, rows_.size()) +
                              more(counts, counts_.size())) +
               (quads_.empty() ? sizeof(Quad) * graph_.num_vertices : 0));
    make_quads();
    grow(spill_, spill, MemoryKind::queues);
    grow(bits_, bits, MemoryKind::flags);
    if (levels > rows_.size()) {
      grow(rows_, levels, MemoryKind::levels);
      if (stride() != graph_.num_vertices) rows_.fill_bytes(-1);  // what lies between two rows is copied with them
    }
    grow(counts_, counts, MemoryKind::flags);
    if (searches > controls_.size()) controls_ = device::Buffer<PerSourceControl>(device_, searches);
    if (searches > sources_.size()) sources_ = device::Buffer<u32>(device_, searches);
  }
  void check_room(std::uint64_t bytes) const {
    const std::uint64_t free = bytes ? device_.memory_free() : 0;
    if (bytes <= free - free / thresholds::AnyDevice::spare_part) return;
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-ENGINE-MEMORY",
                 .found = "many searches at the same time need about " + bytes_text(bytes) + " of device memory, and " +
                          bytes_text(free) + " are free",
                 .expected = "a graph that fits",
                 .hint = "one search at a time needs less: --param ms_bfs=0"});
  }
  template <class T>
  void grow(device::Buffer<T>& buffer, std::uint64_t wanted, MemoryKind kind) {
    if (wanted <= buffer.size()) return;
    buffer.reset();  // first, so that there need not be room for both
    buffer = device::Buffer<T>(device_, wanted).as(kind);
  }
  void make_quads() {
    if (!quads_.empty()) return;
    const std::uint64_t n = graph_.num_vertices;
    const device::LaunchShape shape = device::strided(device_, n, 128, 1u << 16);
    device::Buffer<LinkCount> counted(device_, 1);
    counted.fill_bytes(0);
    device::launch(device_, {shape}, count_links<Offset>, graph_.offsets, graph_.num_vertices, counted.data());
    const std::uint64_t links = counted.value().links;
    if (n + links >= link_bit - 1)
      throw Error({.failure = Failure::does_not_fit,
                   .id = "HW-ENGINE-MEMORY",
                   .found = std::to_string(n + links) + " rows of four neighbours",
                   .expected = "fewer than 2^31 - 1"});
    check_room(sizeof(Quad) * (n + links));
    device::Buffer<u32> used(device_, 1);
    used.fill_bytes(0);
    auto quads = device::Buffer<Quad>(device_, n + links).as(MemoryKind::neighbors);
    device::launch(device_, {shape}, write_all_quads<Offset>,
                   QuadGraph<Offset>{graph_.offsets, graph_.neighbors, graph_.num_vertices, quads.data(), used.data()});
    device_.wait();             // before `used` goes
    quads_ = std::move(quads);  // last: what is there is whole
    shape_.quads = quads_.data();
  }

  void launch_searches(bool rows, bool counted, const u32* halt) {
    if (counted) counts_.fill_bytes(0);
    PerSource& s = shape_;
    s.sources = sources_.data();
    s.level = rows ? rows_.data() : nullptr;
    s.stride = stride();
    s.counted = counted ? counts_.data() : nullptr;
    s.columns = columns;
    s.count_levels = count_levels_;
    s.bits = bits_in_shared_memory_ ? nullptr : bits_.data();
    s.spill = spill_.data();
    s.control = controls_.data();
    s.halt = halt;
    device::launch(device_, {{.grid = blocks_, .block = block_, .shared_bytes = shared_}}, kernel(), s);
  }

  device::Device& device_;
  const Graph<Offset> graph_;
  bool fits_ = false, bits_in_shared_memory_ = false;
  u32 block_ = 0, resident_ = 0, blocks_ = 0, count_levels_ = 0, levels_ = 0;
  std::size_t shared_ = 0;
  PerSource shape_{};
  PerSourceControl largest_{};
  std::optional<u32> cancelled_at_;
  device::Buffer<Quad> quads_;
  device::Buffer<u32> spill_, bits_, sources_, counts_;
  device::Buffer<Distance> rows_;
  device::Buffer<PerSourceControl> controls_;
};

}  // namespace hopwave::HW_MACHINE::engine::per_source
