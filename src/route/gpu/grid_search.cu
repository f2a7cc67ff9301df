// A grid in device memory and the searches on it: their launches, and switching between one cluster and the whole
// device. Compiled by nvcc, hipcc and, for the simulator, the host compiler.
#include <algorithm>
#include <bit>

#include "device/result_memory.h"
#include "hopwave/error.h"
#include "route/gpu/grid_search.h"
#include "route/gpu/hops.h"
#include "route/gpu/tile_setup.h"
#include "route/searches.h"

namespace hopwave::HW_MACHINE {
namespace {

using device::Buffer;
using device::Device;
using namespace grids;
using route::CellIndex;

/// Returns the logarithm of x > 0, rounded down.
std::uint32_t log2_below(std::uint32_t x) { return static_cast<std::uint32_t>(std::bit_width(x)) - 1; }

/// Returns y with x · y = 1 modulo 2³²; x is odd.
std::uint32_t inverse(std::uint32_t x) {
  std::uint32_t y = x;
  for (int i = 0; i < 5; ++i) y *= 2 - x * y;
  return y;
}

class TileSearch final : public route::GridSearch {
 public:
  TileSearch(Device& device, const route::Grid& grid, const route::WaveTuning& tuning)
      : device_(device), tuning_(tuning), words_(device, grid.words().size() * 2), cells_(grid.num_bits()) {
    map_grid(grid);
    words_.upload(std::span(reinterpret_cast<const u32*>(grid.words().data()), grid.words().size() * 2));
    choose_shapes();
    take_memory();
  }

  route::Way find(std::span<const CellIndex> sources, std::span<const CellIndex> targets, const route::RouteOptions& options,
                  CellIndex& target, std::span<std::int32_t> level) override {
    device::Timer timer(device_);
    stats_ = {};
    load_list(targets, targets_list_);
    load_list(sources, sources_list_);
    if (!level.empty() && level_.empty()) level_ = Buffer<std::int32_t>(device_, cells_);
    Wave s = wave_;
    s.level = level.empty() ? nullptr : level_.data();
    timer.start();
    begin(s, sources, targets);
    WaveControl c = run(s, options);
    timer.stop();
    stats_.device = timer.elapsed();
    if (!level.empty()) level_.download(level);
    stats_.windows = c.window;
    stats_.levels_a_window = layered() ? 1 : halo;
    stats_.tiles = c.tasks;
    route::Way way;
    way.found = c.hit != no_hit;
    way.reached = c.reached;
    way.cost = way.levels = way.found ? HitLevel::get(c.hit) : c.deepest;
    if (!way.found) way.cost = 0;
    target = static_cast<CellIndex>(HitCell::get(c.hit));
    return way;
  }

  route::WaveCodes codes(bool with_state) override {
    // Pinned from the second search on, for the grid's lifetime: pinning takes longer than one copy.
    const bool pinned = ++ways_ > 1;
    if (ways_ <= 2)
      codes_here_ =
          device::host_array<u64>(device_, rows() * (layered() ? 2 : 1), pinned ? device::Pin::anew : device::Pin::if_kept);
    u64* const state = codes_here_.data() + rows();
    bring(codes_here_.data(), codes_.data(), pinned);
    if (with_state) bring(state, state_.data() + last_parity_ * rows(), pinned);
    if (pinned) device_.wait();
    return {map_.row_tiles, map_.plane_tiles, {codes_here_.data(), rows()}, {state, with_state ? rows() : 0}};
  }

  std::vector<std::int64_t> hops(std::span<const CellIndex> from, std::span<const CellIndex> to) override;

  [[nodiscard]] const route::WaveStats& stats() const override { return stats_; }

 private:
  void bring(u64* to, const u64* from, bool pinned) {
    pinned ? device_.copy_out_later(to, from, rows() * sizeof(u64)) : device_.copy_out(to, from, rows() * sizeof(u64));
  }
  [[nodiscard]] bool layered() const { return map_.layers > 1; }
  [[nodiscard]] std::size_t rows() const { return std::size_t{map_.plane_tiles} * map_.layers * core; }
  static device::LaunchShape shape_for(std::size_t items) {
    return {.grid = static_cast<std::uint32_t>(std::clamp<std::size_t>((items + 255) / 256, 1, 4096)), .block = 256};
  }

  void map_grid(const route::Grid& grid) {
    columns_ = (grid.width() + core - 1) / core;
    height_ = grid.height();
    map_.row_tiles = columns_ + 2;
    map_.plane_tiles = map_.row_tiles * ((height_ + core - 1) / core + 2);
    map_.layers = grid.layers();
    map_.row_words = static_cast<u32>(grid.row_words());
    map_.plane_words = static_cast<u32>(grid.plane_words());
  }

  [[nodiscard]] const void* kernel(bool thin) const {
    if (thin)
      return layered() ? reinterpret_cast<const void*>(wave<true, true>) : reinterpret_cast<const void*>(wave<true, false>);
    return layered() ? reinterpret_cast<const void*>(wave<false, true>) : reinterpret_cast<const void*>(wave<false, false>);
  }

  [[nodiscard]] std::size_t shared_bytes(bool thin, std::uint32_t bits) const {
    const std::size_t capacity = map_.position_bits > bits ? std::size_t{1} << (map_.position_bits - bits) : 1;
    return (thin ? 2 * ((capacity + 31) / 32) * 4 : 0) + 2 * capacity * 2 + 8;
  }
  [[nodiscard]] bool list_fits(std::uint32_t bits) const { return map_.position_bits <= bits + 16; }

  /// The blocks are powers of two: for the cluster as many as the device allows, for the wide shape as many as it holds
  /// at a time.
  void choose_shapes() {
    const device::Properties& p = device_.properties();
    const std::uint32_t lanes = dev::lanes;
    const bool small = p.multiprocessors < 16;  // the simulator's device: few threads, to save time
    block_ = std::clamp(tuning_.block ? tuning_.block : small ? 64u : 512u, lanes, 512u) / lanes * lanes;
    const std::uint32_t tiles = map_.plane_tiles * map_.layers;
    const std::uint32_t wide = tuning_.wide ? tuning_.wide : static_cast<std::uint32_t>(std::max(p.multiprocessors, 1));
    wide_bits_ = log2_below(wide);
    map_.position_bits = std::max(static_cast<u32>(std::bit_width(tiles - 1)), 5 + wide_bits_);
    const auto golden = static_cast<u32>(static_cast<double>(u64{1} << map_.position_bits) * 0.6180339887498949) | 1;
    map_.spread = golden;
    map_.unspread = inverse(golden);
    if (p.cooperative && !tuning_.never_wide) {
      while (wide_bits_ > 0 && device_.resident_grid(kernel(false), block_, shared_bytes(false, wide_bits_)) < 1u << wide_bits_)
        --wide_bits_;
      can_wide_ = list_fits(wide_bits_) &&
                  device_.resident_grid(kernel(false), block_, shared_bytes(false, wide_bits_)) >= 1u << wide_bits_;
    }
    for (thin_bits_ = log2_below(tuning_.cluster ? tuning_.cluster
                                 : !p.clusters   ? 1
                                 : small         ? 4
                                                 : 16);
         !tuning_.never_thin; --thin_bits_) {
      if (list_fits(thin_bits_) && shared_bytes(true, thin_bits_) + 4096 <= p.shared_per_block)
        can_thin_ = thin_bits_ == 0 ? device_.resident_grid(kernel(true), block_, shared_bytes(true, 0)) > 0
                                    : device_.largest_cluster(kernel(true), 1u << thin_bits_, block_,
                                                              shared_bytes(true, thin_bits_)) >= 1u << thin_bits_;
      if (can_thin_ || thin_bits_ == 0) break;
    }
    if (!can_thin_ && !can_wide_)
      throw Error({.failure = Failure::does_not_fit,
                   .id = "HW-ROUTE-DEVICE",
                   .found = "a grid of " + std::to_string(tiles) + " tiles on " + p.name,
                   .expected = "a device with cooperative launches or clusters, or a smaller grid",
                   .hint = "--device cpu"});
  }

  void take_memory() {
    state_ = Buffer<u64>(device_, 2 * rows());
    const std::size_t flags = std::size_t{1} << (map_.position_bits - 5);
    pending_ = Buffer<u32>(device_, 2 * flags);
    wave_.states = state_.data();
    wave_.state_rows = rows();
    wave_.pendings = pending_.data();
    wave_.pending_words = static_cast<u32>(flags);
    codes_ = Buffer<u64>(device_, rows());
    targets_ = Buffer<u32>(device_, rows());
    alive_ = Buffer<unsigned char>(device_, std::size_t{map_.plane_tiles} * map_.layers);
    control_ = Buffer<WaveControl>(device_, 1);
    alive_.fill_bytes(0);
    wave_.codes = codes_.data();
    wave_.targets = targets_.data();
    wave_.control = control_.data();
    wave_.wide_bits = wide_bits_;
    map_.alive = alive_.data();
  }

  void load_list(std::span<const CellIndex> cells, Buffer<u32>& list) {
    if (cells.size() > list.size()) list = Buffer<u32>(device_, cells.size());
    list.upload(cells);
  }
  void begin(const Wave& s, std::span<const CellIndex> sources, std::span<const CellIndex> targets) {
    pending_.fill_bytes(0);
    targets_.fill_bytes(0);
    if (s.level) level_.fill_bytes(0xFF);
    WaveControl c{};
    c.hit = no_hit;
    control_.upload(std::span(&c, 1));
    device::launch(device_, {shape_for(rows())}, make_tiles, map_, s, words_.data(), columns_, height_, alive_.data());
    if (!targets.empty())
      device::launch(device_, {shape_for(targets.size())}, set_targets, map_, targets_list_.data(),
                     static_cast<u32>(targets.size()), targets_.data());
    device::launch(device_, {shape_for(sources.size())}, set_sources, map_, s, sources_list_.data(),
                   static_cast<u32>(sources.size()));
  }

  /// Launches until the search is over. It starts with the cluster, which is fast for a small frontier.
  WaveControl run(Wave s, const route::RouteOptions& options) {
    bool thin = can_thin_;
    u32 before = 0;  // windows done
    s.max_windows = tuning_.max_windows ? tuning_.max_windows : 1u << 14;
    for (;;) {
      const bool may_change = can_thin_ && can_wide_;
      const std::uint32_t leave =
          thin ? (tuning_.leave_thin ? tuning_.leave_thin : 256) : (tuning_.leave_wide ? tuning_.leave_wide : 96);
      s.leave = may_change ? leave : thin ? ~0u : 0;
      s.patience = thin ? 1 : tuning_.patience ? tuning_.patience : 32;
      launch(s, thin);
      WaveControl c = control_.value();
      ++stats_.launches;
      last_parity_ = c.window & 1;
      (thin ? stats_.thin_windows : stats_.wide_windows) += c.window - before;
      const bool spent = c.window - before >= s.max_windows;
      before = c.window;
      if (c.done) return c;
      route::report_level(options, std::uint64_t{c.window} * (layered() ? 1 : halo));
      if (may_change && !spent) thin = !thin;
      std::fill(std::begin(c.totals), std::end(c.totals), 0u);
      control_.upload(std::span(&c, 1));
    }
  }

  void launch(const Wave& s, bool thin) {
    const std::uint32_t bits = thin ? thin_bits_ : wide_bits_;
    const device::LaunchShape shape{.grid = 1u << bits,
                                    .block = block_,
                                    .shared_bytes = shared_bytes(thin, bits),
                                    .cooperative = !thin,
                                    .cluster = thin ? 1u << bits : 0};
    if (thin)
      device::launch(device_, {shape}, layered() ? wave<true, true> : wave<true, false>, map_, s, bits);
    else
      device::launch(device_, {shape}, layered() ? wave<false, true> : wave<false, false>, map_, s, bits);
  }

  Device& device_;
  route::WaveTuning tuning_;
  TileMap map_{};
  Wave wave_{};
  u32 columns_ = 0, height_ = 0, block_ = 0, thin_bits_ = 0, wide_bits_ = 0, last_parity_ = 0;
  bool can_thin_ = false, can_wide_ = false;
  Array<u64> codes_here_;
  std::uint64_t ways_ = 0;  ///< routes traced back
  route::WaveStats stats_;
  Buffer<u32> words_;
  std::size_t cells_;
  Buffer<u64> state_, codes_;
  Buffer<u32> pending_, targets_, targets_list_, sources_list_;
  Buffer<unsigned char> alive_;
  Buffer<std::int32_t> level_;
  Buffer<WaveControl> control_;
};

std::vector<std::int64_t> TileSearch::hops(std::span<const CellIndex> from, std::span<const CellIndex> to) {
  const std::size_t map_bytes = (words_.size() + 1) / 2 * 8, usable = device_.properties().shared_per_block - 2048;
  const std::size_t room =
      map_bytes < usable ? std::min<std::size_t>((usable - map_bytes) / 16, tuning_.max_windows ? 8 : 1024) : 0;
  if (room < 4 || layered()) return std::vector<std::int64_t>(from.size(), -2);
  const std::size_t bytes = map_bytes + room * 16;
  std::vector<u32> steps(from.size());
  if (from.empty()) return {};
  Buffer<u32> starts(device_, from), goals(device_, to), result(device_, from.size()), next(device_, 1);
  const auto* code = reinterpret_cast<const void*>(grids::hops);
  const std::uint32_t grid = std::max(device_.resident_grid(code, dev::lanes, bytes), 1u);
  device::Timer timer(device_);
  timer.start();
  next.fill_bytes(0);
  device::launch(device_, {{.grid = grid, .block = dev::lanes, .shared_bytes = bytes}}, grids::hops,
                 HopsMap{words_.data(), static_cast<u32>(words_.size()), map_.row_words * 2, static_cast<u32>(room)},
                 starts.data(), goals.data(), static_cast<u32>(from.size()), result.data(), next.data());
  timer.stop();
  result.download(steps);
  stats_ = {};
  stats_.device = timer.elapsed();
  std::vector<std::int64_t> all(steps.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = steps[i] == no_route ? -1 : steps[i] == list_full ? -2 : static_cast<std::int64_t>(steps[i]);
  return all;
}

}  // namespace

}  // namespace hopwave::HW_MACHINE

namespace hopwave::inline v0_1::route {

std::unique_ptr<GridSearch> HW_ON_MACHINE(make_grid_search)(device::Device& device, const Grid& grid,
                                                            const WaveTuning& tuning) {
  return std::make_unique<HW_MACHINE::TileSearch>(device, grid, tuning);
}

}  // namespace hopwave::inline v0_1::route
