// The bins of one thread of delta-stepping (delta_stepping.cpp): vertices by distance, each bin one delta wide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "hopwave/types.h"

namespace hopwave::sssp {

inline constexpr std::int64_t num_bins = 1 << 12;
inline constexpr std::int64_t no_bin = std::numeric_limits<std::int64_t>::max();  ///< beyond the bins; or: all are empty

/// One thread puts vertices in. The others may read between two barriers.
class OwnBins {
 public:
  void clear() {
    for (auto& bin : bins_) bin.clear();
    later.clear();
  }

  void put(VertexId v, std::int64_t bin) {
    if (bin == no_bin) return later.push_back(v);
    if (end() <= bin) bins_.resize(static_cast<std::size_t>(bin) + 1);
    std::vector<VertexId>& to = (*this)[bin];
    if (to.capacity() == 0 && !spare_.empty()) {
      to.swap(spare_.back());
      spare_.pop_back();
    }
    to.push_back(v);
  }
  /// A bin from which all was taken.
  void keep_memory(std::vector<VertexId>& empty) {
    empty.clear();
    if (empty.capacity() != 0) spare_.push_back(std::exchange(empty, {}));
  }

  /// A bin before end().
  std::vector<VertexId>& operator[](std::int64_t bin) { return bins_[static_cast<std::size_t>(bin)]; }

  /// One after the last bin; one after the last bin of a step that takes `together` bins.
  [[nodiscard]] std::int64_t end() const { return static_cast<std::int64_t>(bins_.size()); }
  [[nodiscard]] std::int64_t end_of_step(std::int64_t bin, std::int64_t together) const {
    return std::min(bin + together, end());
  }
  /// The first from this one on that is not empty.
  [[nodiscard]] std::int64_t first_from(std::int64_t bin) const {
    for (; bin < end(); ++bin)
      if (!bins_[static_cast<std::size_t>(bin)].empty()) return bin;
    return no_bin;
  }
  /// Vertices in the bins of a step.
  [[nodiscard]] std::size_t size_of_step(std::int64_t bin, std::int64_t together) const {
    std::size_t size = 0;
    for (std::int64_t b = bin; b < end_of_step(bin, together); ++b) size += bins_[static_cast<std::size_t>(b)].size();
    return size;
  }

  std::vector<VertexId> later;  ///< beyond the bins

 private:
  std::vector<std::vector<VertexId>> bins_;
  std::vector<std::vector<VertexId>> spare_;  ///< the memory of empty bins, for new ones
};

}  // namespace hopwave::sssp
