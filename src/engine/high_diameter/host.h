// The host's side of the narrow traversal: rows of several hops if the graph is prepared, else plain CSR in one cluster.
#pragma once

#include "device/algorithms.h"
#include "device/device.h"
#include "engine/completion.h"
#include "engine/high_diameter/async_host.h"
#include "engine/high_diameter/csr.h"
#include "engine/high_diameter/k_hop_host.h"
#include "engine/high_diameter/query.h"

namespace hopwave::HW_MACHINE::engine {

/// Over plain CSR.
template <class Offset>
class HighDiameterCsr {
 public:
  HighDiameterCsr(device::Device& device, const Graph<Offset>& given, const HighDiameterOptions& options, Distance* level)
      : device_(device), given_(given) {
    const std::uint32_t standard = given.num_vertices > 4'000'000 ? 1024 : 512;
    block_ = (std::max(options.block ? options.block : standard, 1u) + dev::lanes - 1) / dev::lanes * dev::lanes;
    tile_bits_ = options.tile_bits ? std::clamp(options.tile_bits, 5u, 12u) : 5;
    if (!choose_cluster(options)) return;
    state_.level = level;
    csr_ = {given.offsets, given.neighbors, given.num_vertices, slice_, owner_bits_, tile_bits_};
    state_.spill_stride = slice_;
    spill_ = device::Buffer<u64>(device, (std::uint64_t{2} << owner_bits_) * state_.spill_stride);
    state_.spill = spill_.data();
    control_memory_ = device::Buffer<Control>(device, 1);
    completion_ = Completion<Control>(device);
    state_.control = control_memory_.data();
  }

  /// Is the graph small enough for the shared memory of a cluster of this device?
  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] std::uint32_t blocks() const { return 1u << owner_bits_; }
  [[nodiscard]] const device::Buffer<u32>& parents() const { return parent_; }
  [[nodiscard]] const Control& control() const { return control_; }

  void run(const Query& query) {
    HighDiameterState s = state_;
    set_query(s, query, device_, sources_);
    if (query.parents) {
      if (parent_.empty()) parent_ = device::Buffer<u32>(device_, given_.num_vertices);
      s.parent = parent_.data();
    }
    device::launch(device_, {{.grid = blocks(), .block = block_, .shared_bytes = shared_, .cluster = blocks()}},
                   high_diameter_csr_traversal<Offset>, csr_, s);
  }
  /// After the caller has stopped its clock: has what the launch counted brought, which finish() takes.
  void collect() { completion_.send(control_memory_.data()); }
  void finish() { control_ = completion_.take(); }

 private:
  [[nodiscard]] const void* kernel() const { return reinterpret_cast<const void*>(high_diameter_csr_traversal<Offset>); }

  /// The largest cluster there is, unless the caller says how many; then the slice, and what is left for queues.
  bool choose_cluster(const HighDiameterOptions& options) {
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

/// Either form behind one face.
template <class Offset>
class HighDiameter {
 public:
  /// Rows of any length are right; beyond this many neighbours one lane would walk them for too long.
  static constexpr std::uint64_t longest_row = 64;

  /// `thin`: levels are known to be small. Where they are not, warps that run ahead would correct each other all the time.
  HighDiameter(device::Device& device, const Graph<Offset>& given, const HighDiameterOptions& options, bool prepare, bool thin,
               Distance* level) {
    const std::uint32_t least = prepare ? largest_for_rows : fewest_async;
    if (options.async > 0 || (thin && options.async < 0 && !options.other() && given.num_vertices >= least))
      async_ = std::make_unique<Async<Offset>>(device, given, options, !prepare, level);
    if (async_ && !async_->fits()) async_.reset();
    if (async_) return;
    if (prepare)
      hops_ = std::make_unique<KHop<Offset>>(device, given, options, level);
    else
      csr_ = std::make_unique<HighDiameterCsr<Offset>>(device, given, options, level);
  }

  /// Prepared, from what an earlier one saved. Throws HW-PREPARATION-FIT.
  HighDiameter(device::Device& device, const Graph<Offset>& given, const HighDiameterOptions& options, Distance* level,
               hopwave::engine::Restorer& from) {
    std::uint64_t scope = 0;
    from.number("crew", scope);
    if (scope == async_scope)
      async_ = std::make_unique<Async<Offset>>(device, given, options, level, from);
    else
      hops_ = std::make_unique<KHop<Offset>>(device, given, options, level, from);
  }
  static constexpr std::uint32_t layout = KHop<Offset>::layout;
  /// Only if it was prepared.
  [[nodiscard]] bool can_save() const { return (hops_ && hops_->fits()) || (async_ && !async_->anew()); }
  /// Do blocks meet after every level?
  [[nodiscard]] bool meets_every_level() const { return csr_ != nullptr; }
  void save(hopwave::engine::Saver& to) { hops_ ? hops_->save(to) : async_->save(to); }

  [[nodiscard]] bool fits() const { return async_ || (hops_ ? hops_->fits() : csr_->fits()); }
  [[nodiscard]] const device::Buffer<u32>& parents() const {
    return async_ ? async_->parents() : hops_ ? hops_->parents() : csr_->parents();
  }
  [[nodiscard]] const Control& control() const {
    return async_ ? async_->control() : hops_ ? hops_->control() : csr_->control();
  }
  void run(const Query& query) { async_ ? async_->run(query) : hops_ ? hops_->run(query) : csr_->run(query); }
  void collect() { async_ ? async_->collect() : hops_ ? hops_->collect() : csr_->collect(); }
  void finish() { async_ ? async_->finish() : hops_ ? hops_->finish() : csr_->finish(); }

  [[nodiscard]] std::string describe() const {
    if (csr_) return "one cluster of " + std::to_string(csr_->blocks()) + " blocks";
    const auto many = [](std::uint32_t count, const char* what) {
      return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    if (async_)
      return many(async_->blocks(), "block") + " in one launch, warps run ahead by up to " + many(async_->levels(), "level");
    const std::string blocks = std::to_string(hops_->blocks()) + " blocks";
    return (hops_->scope() == ThreadScope::cluster ? "one cluster of " + blocks : blocks + " in one launch") + ", " +
           many(hops_->hops(), "level") + " a meeting";
  }

  /// Smaller graphs stay in one cluster; those that are prepared are faster by rows of several hops up to the second.
  static constexpr std::uint32_t fewest_async = 16'384, largest_for_rows = 1'000'000;

 private:
  std::unique_ptr<Async<Offset>> async_;
  std::unique_ptr<KHop<Offset>> hops_;
  std::unique_ptr<HighDiameterCsr<Offset>> csr_;
};

}  // namespace hopwave::HW_MACHINE::engine
