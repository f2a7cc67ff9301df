// Sums of distances to pivots, made where GPUs have the distances (sampled_closeness.cpp).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

#include "hopwave/sampled_closeness.h"
#include "hopwave/search.h"

namespace hopwave::search_detail {

/// The greatest possible distance in a graph with this many vertices.
inline Distance longest_of_any(VertexId num_vertices) {
  return num_vertices == 0 ? 0 : static_cast<Distance>(std::min<VertexId>(num_vertices - 1, 0x7FFFFFFF));
}

/// Searches from pivots, and their sums in device memory: no row of distances comes to the host. Holds the searcher as a call
/// of its own would, and must be gone before it.
class SumsOnDevice {
 public:
  /// Sums that go on from `sums`, whose arrays are empty or of all vertices. Null where they are to be made on the host: the
  /// searcher leaves no distances on devices, or, as a note says, one of them has no memory for the sums.
  static std::unique_ptr<SumsOnDevice> make(const Searcher& searcher, const PivotSums& sums);
  ~SumsOnDevice();
  SumsOnDevice(const SumsOnDevice&) = delete;
  SumsOnDevice& operator=(const SumsOnDevice&) = delete;

  /// Searches from each pivot and adds its distances. beyond(depth) is asked of each in its order, with how far its search
  /// went: no vertex is farther from it, the other way; −1: not known. done(searches) follows once those of a pass are in the
  /// sums. What it throws ends the run. However a run ends, each pivot in `sums.pivot` is in the sums, and no other.
  void run(std::span<const VertexId> pivots, PivotSums& sums, const std::function<Distance(Distance depth)>& beyond,
           const std::function<void(const SearchReport& searches)>& done);
  /// Copies the sums to the host.
  void bring(PivotSums& sums) const;

 private:
  struct Part;
  class Memory;
  explicit SumsOnDevice(std::unique_ptr<Memory> memory);
  std::unique_ptr<Memory> memory_;
};

}  // namespace hopwave::search_detail
