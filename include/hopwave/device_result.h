// Answers that stay in device memory: for the caller's kernels, packed into fewer bytes per vertex, or as counts only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "hopwave/level_counts.h"
#include "hopwave/search.h"
#include "hopwave/types.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// The answer of one Searcher::run_on_device(). It is valid until the searcher's next search or the searcher's end;
/// after that, all functions but valid() and run() throw HW-VIEW-ENDED. A raw pointer that was taken earlier cannot
/// be checked: kernels that read through it must have ended before the next search, or must be in the searcher's stream
/// (DeviceOptions::stream). Copies are the same view. Only one thread may use the view and its searcher at a time:
/// HW-BUSY. In the simulator device pointers are host pointers.
class DeviceResult {
 public:
  /// An empty view: valid() is false.
  DeviceResult() = default;

  [[nodiscard]] bool valid() const noexcept;
  /// Returns num_vertices() distances (hops) in device memory, by internal vertex; `unreached` where there is no path.
  /// They are read-only and complete: no stream has to be waited for.
  [[nodiscard]] const Distance* distance() const;
  /// Returns parents in device memory, by internal vertex; null unless the query asked for them.
  [[nodiscard]] const VertexId* parent() const;
  [[nodiscard]] VertexId num_vertices() const;
  [[nodiscard]] VertexId reached() const;  ///< vertices with a distance, sources included
  [[nodiscard]] Distance depth() const;    ///< greatest distance
  [[nodiscard]] const SearchReport& run() const noexcept { return run_; }

  /// Returns how many vertices are at each distance, counted on the device. The sum of distances, eccentricity and
  /// closeness follow from it.
  [[nodiscard]] LevelCounts level_counts() const;
  /// Copies the distances to the host. One- and two-byte distances are packed on the device, so fewer bytes are copied.
  /// `to` has num_vertices() elements, otherwise HW-VIEW-SIZE. Throws HW-DISTANCE-NARROW.
  void copy_to(std::span<std::uint8_t> to, Deeper deeper = Deeper::error) const;
  void copy_to(std::span<std::uint16_t> to, Deeper deeper = Deeper::error) const;
  void copy_to(std::span<Distance> to) const;

 private:
  friend class Searcher;
  Searcher::Use open() const;
  void check() const;
  template <class Narrow>
  void pack(std::span<Narrow> to, Deeper deeper) const;
  std::weak_ptr<Searcher::State> state_ = {};
  std::uint64_t search_ = 0;  ///< number of the searcher's searches so far, this one included
  const Distance* distance_ = nullptr;
  const VertexId* parent_ = nullptr;
  VertexId reached_ = 0;
  Distance depth_ = 0;
  SearchReport run_ = {};
};

/// Converts distances in host memory in the same way. `to` is as long as `from`, otherwise HW-VIEW-SIZE. Throws
/// HW-DISTANCE-NARROW. Any thread may call it.
void narrow(std::span<const Distance> from, std::span<std::uint8_t> to, Deeper deeper = Deeper::error);
void narrow(std::span<const Distance> from, std::span<std::uint16_t> to, Deeper deeper = Deeper::error);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
