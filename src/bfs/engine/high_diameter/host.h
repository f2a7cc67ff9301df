// The host's side of the high-diameter traversal: which of its forms a graph takes, and the form over plain CSR in one cluster,
// with a barrier after every level. async_host.h and k_hop_host.h have the others.
#pragma once

#include "bfs/engine/completion.h"
#include "bfs/engine/device_thresholds.h"
#include "bfs/engine/high_diameter/async_host.h"
#include "bfs/engine/high_diameter/csr.h"
#include "bfs/engine/high_diameter/k_hop_host.h"
#include "bfs/engine/query.h"
#include "bfs/engine/traversal.h"
#include "device/algorithms.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

template <class Offset>
class HighDiameterCsr final : public Traversal {
 public:
  HighDiameterCsr(device::Device& device, const Graph<Offset>& given, const Options& options, Distance* level)
      : device_(device), given_(given) {
    const std::uint32_t standard = given.num_vertices > hopwave::engine::thresholds_of(device).large_vertices ? 1024 : 512;
    block_ = (std::max(options.block ? options.block : standard, 1u) + dev::lanes - 1) / dev::lanes * dev::lanes;
    tile_bits_ = options.tile_bits ? std::clamp(options.tile_bits, 5u, 12u) : 5;
    if (!choose_cluster(options)) return;
    state_.level = level;
    csr_ = {given.offsets, given.neighbors, given.num_vertices, slice_, owner_bits_, tile_bits_};
    state_.spill_stride = slice_;
    spill_ = device::Buffer<u64>(device, (std::uint64_t{2} << owner_bits_) * state_.spill_stride).as(MemoryKind::queues);
    state_.spill = spill_.data();
    control_memory_ = device::Buffer<Control>(device, 1);
    completion_ = Completion<Control>(device);
    state_.control = control_memory_.data();
  }

  /// Is the graph small enough for the shared memory of a cluster of this device?
  [[nodiscard]] bool fits() const override { return fits_; }
  [[nodiscard]] TraversalFacts facts() const override { return {.kind = TraversalKind::high_diameter, .lock_step = true}; }
  [[nodiscard]] std::string describe() const override { return "one cluster of " + std::to_string(blocks()) + " blocks"; }
  [[nodiscard]] const u32* parents() const override { return parent_.data(); }
  [[nodiscard]] const Control& control() const override { return control_; }

  void launch(const Query& query, strategy::RunControl& control) override {
    HighDiameterState s = state_;
    set_query(s, query, control.halt, device_, sources_);
    if (query.parents) {
      if (parent_.empty()) parent_ = device::Buffer<u32>(device_, given_.num_vertices).as(MemoryKind::parents);
      s.parent = parent_.data();
    }
    device::launch(device_, {{.grid = blocks(), .block = block_, .shared_bytes = shared_, .cluster = blocks()}},
                   high_diameter_csr_traversal<Offset>, csr_, s);
  }
  void collect() override { completion_.send(control_memory_.data()); }
  void finish() override { control_ = completion_.take(); }

 private:
  [[nodiscard]] std::uint32_t blocks() const { return 1u << owner_bits_; }
  [[nodiscard]] const void* kernel() const { return reinterpret_cast<const void*>(high_diameter_csr_traversal<Offset>); }

  /// Picks the largest cluster there is, unless the caller names its size; then the slice; queues get the remaining memory.
  bool choose_cluster(const Options& options) {
    const std::size_t reserve = 2048, memory = device_.properties().shared_per_block;
    if (memory <= reserve) return false;
    const std::size_t usable = memory - reserve;
    std::uint32_t blocks = 1;
    if (device_.properties().clusters) blocks = device_.largest_cluster(kernel(), max_owners, block_, usable);
    if (options.owners) blocks = std::min(blocks, options.owners);
    if (!blocks) return false;
    owner_bits_ = static_cast<std::uint32_t>(std::bit_width(blocks)) - 1;
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

  device::Device& device_;
  Graph<Offset> given_;
  bool fits_ = false;
  std::uint32_t block_ = 0, owner_bits_ = 0, tile_bits_ = 0, slice_ = 0;
  std::size_t shared_ = 0;
  HighDiameterState state_{};
  CsrGraph<Offset> csr_{};
  Control control_{};
  device::Buffer<u32> sources_, parent_;
  device::Buffer<u64> spill_;
  device::Buffer<Control> control_memory_;
  Completion<Control> completion_;
};

/// The high-diameter traversal of a graph, or null where the device does not take it. `prepare`: rows of several hops, or
/// quads, are made now. `thin`: levels are known to be small; else asynchronous warps would correct each other all the time.
template <class Offset>
std::unique_ptr<Traversal> make_high_diameter(device::Device& device, const Graph<Offset>& given, const Options& options,
                                              bool prepare, bool thin, Distance* level) {
  const thresholds::Device at = hopwave::engine::thresholds_of(device);
  const std::uint32_t least = prepare ? at.most_k_hop_vertices : at.fewest_async_vertices;
  std::unique_ptr<Traversal> made;
  if (options.async > 0 || (thin && options.async < 0 && !options.other() && given.num_vertices >= least))
    made = std::make_unique<Async<Offset>>(device, given, options, !prepare, level);
  if (made && made->fits()) return made;
  made.reset();
  if (prepare)
    made = std::make_unique<KHop<Offset>>(device, given, options, level);
  else
    made = std::make_unique<HighDiameterCsr<Offset>>(device, given, options, level);
  if (!made->fits()) made.reset();
  return made;
}

/// Prepared, from what an earlier one saved. Throws HW-PREPARATION-FIT.
template <class Offset>
std::unique_ptr<Traversal> restore_high_diameter(device::Device& device, const Graph<Offset>& given, const Options& options,
                                                 Distance* level, hopwave::engine::Restorer& from) {
  std::uint64_t scope = 0;
  from.number("scope", scope);
  if (scope == async_scope) return std::make_unique<Async<Offset>>(device, given, options, level, from);
  return std::make_unique<KHop<Offset>>(device, given, options, level, from);
}

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
