// The host's side of the shared-memory traversal: whether the graph fits into one multiprocessor's shared memory and in which
// form; one launch a search.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <string>

#include "bfs/engine/completion.h"
#include "bfs/engine/find_parents.h"
#include "bfs/engine/query.h"
#include "bfs/engine/serialize.h"
#include "bfs/engine/shared_memory/diagonals_host.h"
#include "bfs/engine/shared_memory/rows.h"
#include "bfs/engine/traversal.h"
#include "bfs/plan/thresholds.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::shared_memory {

/// What a caller may set; negative, or a block of 0: the engine decides.
struct Options {
  std::int64_t wanted = -1;  ///< 1: rows of fixed width where they do; 2: packed rows; 3: diagonals
  std::int64_t long_row = -1;
  std::uint32_t block = 0, queue = 0;
};

class SharedMemory final : public Traversal {
 public:
  SharedMemory(device::Device& device, const Graph<u32>& given, std::uint64_t longest, const Options& options, Distance* level,
               Completion<Control>& completion)
      : device_(device), given_(given), options_(options), level_(level), completion_(completion) {
    if (given.num_vertices == 0) return;
    if (options.wanted < 0 || options.wanted == 3) {
      diagonals_ = std::make_unique<Diagonals>(device, given);
      if (!diagonals_->fits()) diagonals_.reset();
    }
    fits_ = diagonals_ || (options.wanted != 3 && given.num_vertices <= most_shared_memory_vertices && set_shape(longest));
    if (fits_) control_memory_ = device::Buffer<Control>(device, 1);
  }

  [[nodiscard]] TraversalFacts facts() const override {
    return {.kind = TraversalKind::shared_memory, .diagonals = diagonals_ != nullptr};
  }
  [[nodiscard]] bool fits() const override { return fits_; }
  [[nodiscard]] const u32* parents() const override { return parent_.data(); }
  [[nodiscard]] const Control& control() const override { return control_; }
  [[nodiscard]] bool can_save() const override { return diagonals_ ? diagonals_->prepared() : !rows_.empty(); }
  [[nodiscard]] std::string describe() const override {
    if (diagonals_)
      return "one block of " + std::to_string(diagonals_->threads()) + " threads that shifts bits along the graph's " +
             std::to_string(diagonals_->count()) + " diagonals";
    return "one block with the graph in its shared memory (" + std::to_string((shared_ + 1023) / 1024) + " KB, " +
           (shape_.width ? "rows of " + std::to_string(shape_.width) : std::string("packed rows")) + "), " +
           std::to_string(shape_.workers) + " threads search";
  }

  /// Stores the rows as they will lie in shared memory.
  void prepare() override {
    if (diagonals_) return diagonals_->prepare();
    rows_ = device::Buffer<Quad>(device_, shape_.row_quads).as(MemoryKind::neighbors);
    by_form([&](auto form, auto kernel) {
      device::launch(device_, {{.grid = 1, .block = block_}}, keep_rows<decltype(form)>, shape_, source(nullptr), rows_.data());
      (void)kernel;
    });
  }
  /// The layout of the arrays in serialize().
  static constexpr std::uint32_t layout = 2;
  void save(hopwave::engine::Saver& to) override { serialize(to); }
  /// From what an earlier one saved. Throws HW-PREPARATION-FIT.
  void restore(hopwave::engine::Restorer& from) {
    serialize(from);
    if (diagonals_) return;  // any bits lead to vertices of the graph
    device::Buffer<u32> bad(device_, 1);
    bad.fill_bytes(0);
    by_form([&](auto form, auto kernel) {
      device::launch(device_, {{.grid = 32, .block = 128}}, check_kept_rows<decltype(form)>, shape_, rows_.data(), bad.data());
      (void)kernel;
    });
    if (bad.value()) hopwave::engine::preparation_does_not_fit("rows that lead outside", "rows of this graph");
  }

  void launch(const Query& query, strategy::RunControl&) override {
    SharedMemoryState s{};
    s.level = level_;
    s.control = control_memory_.data();
    set_query(s, query, nullptr, device_, sources_);  // it is too short to look at limits
    if (diagonals_) {
      diagonals_->run(s);
    } else {
      by_form([&](auto form, auto kernel) {
        device::launch(device_, {{.grid = 1, .block = block_, .shared_bytes = shared_}}, kernel, shape_, source(rows_.data()),
                       s);
        (void)form;
      });
    }
    if (!query.parents) return;
    if (parent_.empty()) parent_ = device::Buffer<u32>(device_, given_.num_vertices).as(MemoryKind::parents);
    device::launch(device_, {{.grid = device::blocks_for(given_.num_vertices, 128), .block = 128}}, find_parents<u32>,
                   given_.in_offsets, given_.in_neighbors, given_.num_vertices, level_, parent_.data());
  }
  void collect() override { completion_.send(control_memory_.data()); }
  void finish() override { control_ = completion_.take(); }

 private:
  /// Calls work(form, kernel).
  template <class Work>
  void by_form(Work&& work) const {
    if (shape_.width == 0) return work(PackedRows{}, shared_packed);
    shape_.cell_bits ? by_width<false>(work) : by_width<true>(work);
  }
  template <bool words, class Work>
  void by_width(Work& work) const {
    if (shape_.width == 2) return work(FixedRows<2, 1, words>{}, shared_fixed<FixedRows<2, 1, words>>);
    if (shape_.width == 4) return work(FixedRows<4, 1, words>{}, shared_fixed<FixedRows<4, 1, words>>);
    work(FixedRows<8, 2, words>{}, shared_fixed<FixedRows<8, 2, words>>);
  }
  [[nodiscard]] SharedMemorySource source(const Quad* image) const { return {image, given_.offsets, given_.neighbors}; }

  template <class Archive>
  void serialize(Archive& c) {
    const u32 form = diagonals_ ? 64 + diagonals_->count() : shape_.width;
    u32 width = form;
    c.number("width", width);
    if (width != form) hopwave::engine::preparation_does_not_fit("rows of another form", "rows of this one");
    if (diagonals_) return diagonals_->serialize(c);
    c.array("rows", rows_, shape_.row_quads);
  }

  /// Fixed rows where degrees are low and they fit, else packed ones; then as many cells as there is room for.
  bool set_shape(std::uint64_t longest) {
    const u32 n = given_.num_vertices;
    if (given_.num_arcs > device_.properties().shared_per_block / sizeof(Id16)) return false;
    shape_.num_vertices = n;
    shape_.padded = (n + cells_group - 1) / cells_group * cells_group;
    shape_.arcs = static_cast<u32>(given_.num_arcs);
    shape_.longest = static_cast<u32>(longest);
    const u32 asked = options_.block ? options_.block : static_cast<u32>(device_.properties().max_block);
    block_ = (std::min(asked, 1024u) + dev::lanes - 1) / dev::lanes * dev::lanes;
    for (const u32 width : {2u, 4u, 8u})
      if (longest <= width && options_.wanted != 2 && take_form(width)) return true;
    return take_form(0);
  }
  bool take_form(u32 width) {
    shape_.width = width;
    std::size_t ids = shape_.padded;  // the most that the queue or the spilled vertices take, and what lies next to them
    if (width) {
      shape_.row_quads = shape_.padded * width / 8;
      const u32 scope = std::bit_floor(std::min(block_ / dev::lanes, dev::part_barriers ? scope_limit : dev::lanes / 2));
      shape_.workers = scope * dev::lanes;
      if (!dev::part_barriers) block_ = shape_.workers;
      shape_.part = std::clamp(options_.queue ? options_.queue : 128u, dev::lanes, 4096u);
      ids += std::size_t{2} * shape_.part * (shape_.workers / dev::lanes);
    } else {
      shape_.wide_begins = shape_.arcs > 0xFFFF;
      shape_.row_quads = PackedRows::begin_quads(shape_) + (shape_.arcs + 7) / 8;
      shape_.long_row = options_.long_row < 0 ? thresholds::AnyDevice::shared_memory_long_row
                                              : static_cast<u32>(std::min<std::int64_t>(options_.long_row, 1 << 20));
      const u32 average = shape_.arcs / shape_.num_vertices;
      shape_.team_bits = average < thresholds::AnyDevice::shared_memory_two_lanes    ? 1
                         : average < thresholds::AnyDevice::shared_memory_four_lanes ? 2
                                                                                     : 3;
      shape_.workers = block_;
      ids += long_rows_of(shape_);
    }
    const std::size_t reserve = sizeof(FixedStorage) + sizeof(PackedStorage) + 256,
                      memory = device_.properties().shared_per_block;
    for (shape_.cell_bits = 0; shape_.cell_bits <= 5; ++shape_.cell_bits) {
      shape_.cell_words = ((shape_.padded >> shape_.cell_bits) + 3) / 4 * 4;
      shared_ = std::size_t{16} * shape_.row_quads + 4ull * shape_.cell_words + sizeof(Id16) * ids;
      if (shared_ + reserve <= memory) break;
    }
    if (shape_.cell_bits > 5) return false;
    bool resident = false;
    by_form([&](auto, auto kernel) {
      resident = device_.resident_grid(reinterpret_cast<const void*>(kernel), block_, shared_) > 0;
    });
    return resident;
  }

  /// More warps have a slower barrier, fewer have more to do each.
  static constexpr u32 scope_limit = 8;

  device::Device& device_;
  Graph<u32> given_;
  Options options_;
  Distance* level_;
  Completion<Control>& completion_;
  bool fits_ = false;
  u32 block_ = 0;
  std::size_t shared_ = 0;
  SharedMemoryShape shape_{};
  std::unique_ptr<Diagonals> diagonals_;
  Control control_{};
  device::Buffer<Quad> rows_;
  device::Buffer<u32> sources_, parent_;
  device::Buffer<Control> control_memory_;
};

}  // namespace hopwave::HW_MACHINE::engine::shared_memory
