// The host's side of the high-diameter traversal by rows of several hops, of prepared graphs: how many hops a row has, which
// thread scope works, one launch a search.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bfs/engine/completion.h"
#include "bfs/engine/device_thresholds.h"
#include "bfs/engine/find_parents.h"
#include "bfs/engine/high_diameter/options.h"
#include "bfs/engine/high_diameter/rows.h"
#include "bfs/engine/query.h"
#include "bfs/engine/serialize.h"
#include "bfs/engine/traversal.h"
#include "bfs/plan/thresholds.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::high_diameter {

template <class Offset>
class KHop final : public Traversal {
 public:
  KHop(device::Device& device, const Graph<Offset>& given, const Options& options, Distance* level)
      : device_(device), given_(given), options_(options) {
    graph_.num_vertices = given.num_vertices;
    if (given.num_vertices >= row_id_mask / 2 || !choose_shape() || !make_rows()) return;
    take_memory(level);
    fits_ = true;
  }

  /// From what an earlier one saved. Throws HW-PREPARATION-FIT.
  KHop(device::Device& device, const Graph<Offset>& given, const Options& options, Distance* level,
       hopwave::engine::Restorer& from)
      : device_(device), given_(given), options_(options) {
    graph_.num_vertices = given.num_vertices;
    if (given.num_vertices >= row_id_mask / 2 || !choose_shape())
      hopwave::engine::preparation_does_not_fit("rows of several hops", "a graph that this device takes");
    serialize(from);
    check();
    take_memory(level);
    fits_ = true;
  }

  /// The layout of the arrays in serialize().
  static constexpr std::uint32_t layout = 3;
  [[nodiscard]] bool can_save() const override { return fits_; }
  void save(hopwave::engine::Saver& to) override {
    if (rows_.size() > units_ * unit_words) {  // what follows the last row was never written
      device::Buffer<u32> exact(device_, units_ * unit_words);
      device_.copy(exact.data(), rows_.data(), exact.size() * sizeof(u32));
      rows_ = std::move(exact);
      graph_.rows = rows_.data();
    }
    serialize(to);
  }

  [[nodiscard]] bool fits() const override { return fits_; }
  [[nodiscard]] TraversalFacts facts() const override { return {.kind = TraversalKind::high_diameter}; }
  [[nodiscard]] std::string describe() const override {
    return std::to_string(blocks_) + " blocks in one launch, " + count_text(graph_.hops, "level") + " a barrier";
  }
  [[nodiscard]] const u32* parents() const override { return parent_.data(); }
  [[nodiscard]] const Control& control() const override { return control_; }

  void launch(const Query& query, strategy::RunControl& control) override {
    KHopState s = state_;
    set_query(s, query, control.halt, device_, sources_);
    if (dirty_) sums_.fill_bytes(0);
    dirty_ = true;
    device::launch(device_, {{.grid = blocks_, .block = block_, .cooperative = blocks_ > 1}}, high_diameter_k_hop, graph_, s);
    if (!query.parents) return;
    if (parent_.empty()) parent_ = device::Buffer<u32>(device_, given_.num_vertices).as(MemoryKind::parents);
    device::launch(device_, {shape_for(given_.num_vertices)}, find_parents<Offset>, given_.in_offsets, given_.in_neighbors,
                   given_.num_vertices, reinterpret_cast<const Distance*>(s.level), parent_.data());
  }

  void collect() override { completion_.send(control_memory_.data()); }
  void finish() override {
    const KHopControl seen = completion_.take();
    dirty_ = false;
    control_ = {};
    control_.visited = seen.visited;
    control_.progress.cancelled = seen.cancelled;
    control_.progress.level = seen.steps * graph_.hops;
    for (u32 back = 0; back < 3 && control_.levels == 0; ++back)
      for (u32 k_hop = 0; k_hop < most_hops; ++k_hop)
        if (seen.tally[back][k_hop]) control_.levels = (seen.steps - 1 - back) * graph_.hops + k_hop + 1;
  }

 private:
  template <class Archive>
  void serialize(Archive& c) {
    std::uint64_t scope = k_hop_scope;
    c.number("scope", scope);
    c.number("hops", graph_.hops);
    c.number("team_bits", graph_.team_bits);
    c.number("units", units_);
    c.array("refs", refs_, graph_.num_vertices);
    c.array("rows", rows_, std::uint64_t{units_} * unit_words);
    graph_.rows = rows_.data();
    graph_.refs = refs_.data();
  }

  void check() {
    bool wrong = graph_.hops < 1 || graph_.hops > most_hops || units_ >= most_units || graph_.team_bits < 3 ||
                 graph_.team_bits > static_cast<u32>(std::bit_width(block_)) - 1;
    if (!wrong) {
      device::Buffer<u32> bad(device_, 1);
      bad.fill_bytes(0);
      device::launch(device_, {shape_for(std::max<std::uint64_t>(rows_.size(), refs_.size()))}, check_rows<u64>, graph_,
                     rows_.size(), bad.data());
      wrong = bad.value() != 0;
    }
    if (wrong) hopwave::engine::preparation_does_not_fit("rows that lead outside", "rows of this graph");
  }

  [[nodiscard]] device::LaunchShape shape_for(std::uint64_t items) const {
    return device::strided(device_, items, 128, 1u << 16);
  }
  [[nodiscard]] std::uint32_t whole_warps(std::uint32_t standard) const {
    return ((options_.block ? options_.block : standard) + dev::lanes - 1) / dev::lanes * dev::lanes;
  }

  bool choose_shape() {
    if (!device_.properties().cooperative) return false;
    block_ = whole_warps(1024);
    const auto standard = static_cast<std::uint32_t>(std::max(device_.properties().multiprocessors, 1));
    const std::uint32_t most = device_.resident_grid(reinterpret_cast<const void*>(high_diameter_k_hop), block_, 0);
    blocks_ = std::bit_floor(std::min({options_.grid ? options_.grid : standard, most, block_}));
    return blocks_ > 0;
  }

  /// Makes rows of as many hops as pay: one more hop spares barriers, but makes rows longer.
  bool make_rows() {
    const u32 n = given_.num_vertices, stride = n / thresholds::AnyDevice::asked_neighborhoods + 1;
    std::vector<u32> sizes(most_hops * (neighborhood_limit + 1));
    {
      device::Buffer<u32> counted(device_, sizes.size());
      counted.fill_bytes(0);
      device::launch(device_, {shape_for(n / stride + 1)}, measure_neighborhoods<Offset>, given_.offsets, given_.neighbors, n,
                     stride, most_tried(), counted.data());
      counted.download(std::span<u32>(sizes));
    }
    for (graph_.hops = most_worthwhile(sizes); graph_.hops > 0; --graph_.hops) {
      if (options_.hops == 0 && graph_.hops == 1) break;  // one level a barrier needs no such rows
      const std::span<const u32> of(&sizes[(graph_.hops - 1) * (neighborhood_limit + 1)], neighborhood_limit + 1);
      double asked = 0, units = 0, longer = 0;
      for (u32 size = 1; size <= neighborhood_limit; ++size) {
        asked += of[size];
        units += of[size] * std::max((size + unit_words - 2) / unit_words, 1u);
      }
      // A team has a lane for every word of a row, but for few rows.
      u32 most = neighborhood_limit;
      while (most > 1 && (longer += of[most]) * thresholds::AnyDevice::longer_rows_part <= asked) --most;
      const auto widest = static_cast<u32>(std::bit_width(block_)) - 1;
      graph_.team_bits = std::min(std::max(static_cast<u32>(std::bit_width(most - 1)), 3u), widest);
      if (asked > 0 && fill(static_cast<std::uint64_t>(units / asked * n * 1.02) + 4096)) return true;
    }
    return false;
  }

  [[nodiscard]] u32 most_tried() const {
    return std::min(options_.hops ? options_.hops : given_.num_vertices > at_.large_k_hop_vertices ? 5u : 6u, most_hops);
  }

  [[nodiscard]] u32 most_worthwhile(const std::vector<u32>& sizes) const {
    u32 best = 1;
    for (u32 hops = 1; hops <= most_tried(); ++hops) {
      const u32* of = &sizes[(hops - 1) * (neighborhood_limit + 1)];
      if (of[0]) break;  // some neighbourhood is too large
      double sum = 0, asked = 0;
      for (u32 size = 1; size <= neighborhood_limit; ++size) {
        sum += static_cast<double>(of[size]) * size;
        asked += of[size];
      }
      if (options_.hops || sum <= asked * at_.widest_neighborhood) best = hops;
    }
    return best;
  }

  /// Writes the rows; once more if there was not room enough.
  bool fill(std::uint64_t room) {
    const u32 n = graph_.num_vertices;
    refs_ = device::Buffer<u32>(device_, n).as(MemoryKind::rows);
    refs_.fill_bytes(0);
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (room >= most_units || room * unit_words * sizeof(u32) > device_.memory_free() / 2) return false;
      rows_.reset();
      rows_ = device::Buffer<u32>(device_, room * unit_words).as(MemoryKind::neighbors);
      device::Buffer<RowCount> counted(device_, 1);
      counted.fill_bytes(0);
      const device::LaunchShape shape{.grid = std::min(device::blocks_for(n, row_block), 1u << 16), .block = row_block};
      device::launch(device_, {shape}, write_rows<Offset>, given_.offsets, given_.neighbors, graph_,
                     NewRows{rows_.data(), refs_.data(), static_cast<u32>(room)}, counted.data());
      const RowCount count = counted.value();
      if (count.failed) return false;
      graph_.rows = rows_.data();
      graph_.refs = refs_.data();
      units_ = count.units;
      if (count.units <= room) return true;
      room = count.units;
    }
    return false;
  }

  void take_memory(Distance* level) {
    // Each vertex is queued once; a block's queue never has more entries than the block has vertices.
    state_.stride = (given_.num_vertices + blocks_ - 1) / blocks_;
    queue_ = device::Buffer<u64>(device_, std::uint64_t{blocks_} * 2 * state_.stride).as(MemoryKind::queues);
    count_ = device::Buffer<u32>(device_, std::uint64_t{blocks_} * count_stride);
    sums_ = device::Buffer<u64>(device_, 2ull * sum_stride);
    control_memory_ = device::Buffer<KHopControl>(device_, 1);
    completion_ = Completion<KHopControl>(device_);
    state_.level = reinterpret_cast<u32*>(level);
    state_.queue = queue_.data();
    state_.count = count_.data();
    state_.sums = sums_.data();
    state_.control = control_memory_.data();
  }

  device::Device& device_;
  thresholds::Device at_ = hopwave::engine::thresholds_of(device_);
  Graph<Offset> given_;
  Options options_;
  bool fits_ = false;
  std::uint64_t units_ = 0;  ///< of the rows
  std::uint32_t block_ = 0, blocks_ = 0;
  bool dirty_ = true;  ///< a search that failed may have left sums that do not add up
  KHopGraph graph_{};
  KHopState state_{};
  Control control_{};
  device::Buffer<u32> rows_, refs_, count_, sources_, parent_;
  device::Buffer<u64> queue_, sums_;
  device::Buffer<KHopControl> control_memory_;
  Completion<KHopControl> completion_;
};

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
