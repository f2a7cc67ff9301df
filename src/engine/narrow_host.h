// The host's side of the narrow traversal: does a graph fit, how large a cluster, the rows if prepared, one launch a search.
#pragma once

#include "device/algorithms.h"
#include "engine/narrow_csr.h"
#include "engine/tiles.h"
#include "strategy/gpu/gpu_strategy.h"

namespace hopwave::HW_MACHINE::engine {

struct NarrowOptions {
  std::uint32_t block = 0, owners = 0, tile_bits = 0, queue = 0;  ///< 0: the engine decides
};

template <class Offset>
class Narrow {
 public:
  /// Rows of any length are right; beyond this many neighbours one lane would walk them for too long.
  static constexpr std::uint64_t longest_row = 64;

  Narrow(device::Device& device, const Graph<Offset>& given, const NarrowOptions& options, bool prepare, Distance* level)
      : device_(device), given_(given), rows_(prepare) {
    const std::uint32_t standard = given.num_vertices > 4'000'000 ? 1024 : 512;
    block_ = (std::max(options.block ? options.block : standard, 1u) + dev::lanes - 1) / dev::lanes * dev::lanes;
    tile_bits_ = options.tile_bits ? std::clamp(options.tile_bits, 5u, 12u) : prepare ? 6 : 5;
    if (!choose_cluster(options)) return;
    state_.level = level;
    state_.prefetch = given.num_vertices > 500'000;
    if (prepare) {
      state_.spill_stride = make_rows();
    } else {
      csr_ = {given.offsets, given.neighbors, given.num_vertices, slice_, owner_bits_, tile_bits_};
      state_.spill_stride = slice_;
    }
    spill_ = device::Buffer<u64>(device, (std::uint64_t{2} << owner_bits_) * state_.spill_stride);
    state_.spill = spill_.data();
    control_memory_ = device::Buffer<Control>(device, 1);
    state_.control = control_memory_.data();
    sources_ = device::Buffer<u32>(device, 1);
  }

  /// Is the graph small enough for the shared memory of a cluster of this device?
  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] std::uint32_t blocks() const { return 1u << owner_bits_; }
  [[nodiscard]] const device::Buffer<u32>& parents() const { return parent_; }
  [[nodiscard]] const Control& control() const { return control_; }

  void run(const Query& query) {
    NarrowState s = state_;
    if (query.sources.size() > sources_.size()) sources_ = device::Buffer<u32>(device_, query.sources.size());
    sources_.upload(std::span<const u32>(query.sources));
    s.sources = sources_.data();
    s.num_sources = static_cast<u32>(query.sources.size());
    s.target = query.target;
    s.max_depth = query.max_depth;
    if (query.parents) {
      if (parent_.empty()) parent_ = device::Buffer<u32>(device_, given_.num_vertices);
      s.parent = parent_.data();
    }
    const device::LaunchShape shape{.grid = blocks(), .block = block_, .shared_bytes = shared_, .cluster = blocks()};
    if (rows_)
      device::launch(device_, {shape}, narrow_traversal, graph_, s);
    else
      device::launch(device_, {shape}, narrow_csr_traversal<Offset>, csr_, s);
  }
  void finish() { control_ = control_memory_.value(); }

 private:
  [[nodiscard]] const void* kernel() const {
    return rows_ ? reinterpret_cast<const void*>(narrow_traversal)
                 : reinterpret_cast<const void*>(narrow_csr_traversal<Offset>);
  }

  /// The largest cluster there is, unless the caller says how many; then the slice, and what is left for queues.
  bool choose_cluster(const NarrowOptions& options) {
    const std::size_t reserve = 2048, memory = device_.properties().shared_per_block;
    if (memory <= reserve) return false;
    const std::size_t usable = memory - reserve;
    std::uint32_t blocks = 1;
    if (device_.properties().clusters) blocks = device_.largest_cluster(kernel(), max_owners, block_, usable);
    if (options.owners) blocks = std::min(blocks, options.owners);
    if (!blocks) return false;
    owner_bits_ = static_cast<std::uint32_t>(bits_for_power(blocks));
    const std::uint64_t chunk = std::uint64_t{1} << tile_bits_ << owner_bits_;
    const std::uint64_t slice = (given_.num_vertices + chunk - 1) / chunk << tile_bits_;
    const std::uint64_t bitmap = (slice / 32 + 3) / 4 * 16;
    if (slice >= (1u << local_bits) || bitmap + 2 * sizeof(Quad) * 64 > usable) return false;
    slice_ = static_cast<u32>(slice);
    const auto room = static_cast<u32>((usable - bitmap) / (2 * sizeof(Quad)));
    state_.queue_rows = std::min(options.queue ? options.queue : 4096u, room);
    shared_ = bitmap + 2ull * sizeof(Quad) * state_.queue_rows;
    if (owner_bits_ && device_.largest_cluster(kernel(), blocks, block_, shared_) < blocks) return false;
    if (!owner_bits_ && device_.resident_grid(kernel(), block_, shared_) == 0) return false;
    fits_ = true;
    return true;
  }
  static int bits_for_power(std::uint32_t blocks) {
    int bits = 0;
    while (2u << bits <= blocks) ++bits;
    return bits;
  }
  static device::LaunchShape shape_for(std::uint64_t items) {
    return {.grid = std::min(strategy::blocks_for(items, 256), 8192u), .block = 256};
  }

  /// Tiles, their order and the rows. Returns how many rows one owner may have to queue.
  u32 make_rows() {
    const u32 n = given_.num_vertices;
    device::Buffer<u32> label = grow_tiles(), order(device_, n), counts(device_, 3);
    counts.fill_bytes(0);
    {
      device::Buffer<u32> key(device_, n), sorted(device_, n), vertex(device_, n);
      device::launch(device_, {shape_for(n)}, tile_keys<Offset>, given_.offsets, n, label.data(), key.data(), vertex.data(),
                     counts.data());
      SortPairs(device_, n, 32).run(key.data(), vertex.data(), sorted.data(), order.data());
    }
    u32 counted[3];
    counts.download(counted);
    codes_ = device::Buffer<u32>(device_, n);
    rows_memory_ = device::Buffer<Quad>(device_, (std::uint64_t{slice_} << owner_bits_) + counted[0] + counted[1]);
    graph_ = {rows_memory_.data(), codes_.data(), slice_, n, owner_bits_, tile_bits_, counted[0]};
    device::launch(device_, {shape_for(n)}, deal_codes, order.data(), codes_.data(), graph_);
    device::launch(device_, {shape_for(n)}, fill_rows<Offset>, given_.offsets, given_.neighbors, order.data(), graph_,
                   rows_memory_.data(), counts.data() + 2);
    return slice_ + (counted[0] >> owner_bits_) + (1u << tile_bits_) + counted[1];
  }

  /// Every vertex's tile; what no seed reaches in a few hundred sweeps stays without.
  device::Buffer<u32> grow_tiles() {
    const u32 n = given_.num_vertices;
    device::Buffer<u32> label(device_, n), next(device_, n), changed(device_, 1);
    device::launch(device_, {shape_for(n)}, seed_tiles, label.data(), n, 1u << tile_bits_);
    for (int sweep = 0; sweep < 256; sweep += 8) {
      changed.fill_bytes(0);
      for (int k = 0; k < 4; ++k) {
        device::launch(device_, {shape_for(n)}, spread_tiles<Offset>, given_.offsets, given_.neighbors, n, label.data(),
                       next.data(), changed.data());
        device::launch(device_, {shape_for(n)}, spread_tiles<Offset>, given_.offsets, given_.neighbors, n, next.data(),
                       label.data(), changed.data());
      }
      if (changed.value() == 0) break;
    }
    return label;
  }

  device::Device& device_;
  Graph<Offset> given_;
  bool rows_, fits_ = false;
  std::uint32_t block_ = 0, owner_bits_ = 0, tile_bits_ = 0, slice_ = 0;
  std::size_t shared_ = 0;
  NarrowState state_{};
  RowGraph graph_{};
  CsrGraph<Offset> csr_{};
  Control control_{};
  device::Buffer<Quad> rows_memory_;
  device::Buffer<u32> codes_, sources_, parent_;
  device::Buffer<u64> spill_;
  device::Buffer<Control> control_memory_;
};

}  // namespace hopwave::HW_MACHINE::engine
