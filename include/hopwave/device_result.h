// Answers that stay in device memory: for kernels of the caller's, in fewer bytes a vertex, or as counts alone.
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

/// What becomes of distances that a narrow type has no room for. In `n`-bit distances 2^n − 1 is "unreached" and 2^n − 2 the
/// first that has no room: 254 and 65534.
enum class Deeper {
  error,  ///< HW-DISTANCE-NARROW
  clamp   ///< they are stored as 2^n − 2, which then means "so far or farther"
};

/// The answer of one Searcher::run_on_device(), valid until that searcher's next search or its end: everything below but
/// valid() and stats() then throws HW-VIEW-ENDED. A raw pointer that was taken earlier cannot be checked: kernels that read
/// through it must have ended before the next search, or stand in the searcher's stream (DeviceOptions::stream). Copies are the
/// same view. One thread at a time, as for the searcher: HW-BUSY. In the simulator device pointers are host pointers.
class DeviceResult {
 public:
  /// Nothing: no view. valid() is false.
  DeviceResult() = default;

  [[nodiscard]] bool valid() const noexcept;
  /// num_vertices() distances (hops) in device memory, by internal vertex; `unreached` where no path leads. Read-only. They are
  /// complete: no stream needs to be waited for.
  [[nodiscard]] const Distance* distance() const;
  /// Parents in device memory, by internal vertex; null unless the query asked for them.
  [[nodiscard]] const VertexId* parent() const;
  [[nodiscard]] VertexId num_vertices() const;
  [[nodiscard]] VertexId reached() const;  ///< vertices with a distance, sources included
  [[nodiscard]] Distance depth() const;    ///< greatest distance
  [[nodiscard]] const RunStats& stats() const noexcept { return stats_; }

  /// How many vertices are at each distance, counted on the device: sum of distances, eccentricity and closeness follow.
  [[nodiscard]] LevelCounts level_counts() const;
  /// Copies the distances to the host, one or two bytes a vertex on the way too. `to` has num_vertices() places: else
  /// HW-VIEW-SIZE. HW-DISTANCE-NARROW.
  void copy_to(std::span<std::uint8_t> to, Deeper deeper = Deeper::error) const;
  void copy_to(std::span<std::uint16_t> to, Deeper deeper = Deeper::error) const;
  void copy_to(std::span<Distance> to) const;

 private:
  friend class Searcher;
  Searcher::Use open() const;
  void check() const;
  void pack(int bytes, void* to, std::size_t size, Deeper deeper) const;
  std::weak_ptr<Searcher::State> state_ = {};
  std::uint64_t search_ = 0;  ///< the searcher's searches so far, with this one
  const Distance* distance_ = nullptr;
  const VertexId* parent_ = nullptr;
  VertexId reached_ = 0;
  Distance depth_ = 0;
  RunStats stats_ = {};
};

/// The same for distances in the host's memory. `to` is as long as `from`: else HW-VIEW-SIZE. HW-DISTANCE-NARROW. Any thread.
void narrow(std::span<const Distance> from, std::span<std::uint8_t> to, Deeper deeper = Deeper::error);
void narrow(std::span<const Distance> from, std::span<std::uint16_t> to, Deeper deeper = Deeper::error);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
