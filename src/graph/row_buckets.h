// The buckets of vertices in which make_rows sorts arcs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hopwave/types.h"

namespace hopwave::graph {

inline constexpr EdgeIndex bucket_arcs = EdgeIndex{1} << 16;  // two buffers of 8-byte records fit a typical second-level cache
inline constexpr std::uint64_t most_buckets = 1024;           // by number of arcs; more only to keep positions in 16 bits
inline constexpr std::uint64_t most_slices = 1 << 14;         // counters per block; buckets consist of whole slices
inline constexpr std::size_t short_positions = 1 << 16;  // a bucket with at most this many vertices stores positions in 16 bits

/// Divides the vertices into buckets of about the same number of arcs, wherever the hubs are: slices of equally many
/// vertices are counted first and then combined.
struct Buckets {
  int shift = 0;  ///< vertices of one slice: 2^shift
  std::size_t slices = 1;
  std::vector<std::uint16_t> of_slice;
  std::vector<VertexId> first = {0};  ///< first vertex of each bucket, then the number of vertices

  Buckets(VertexId n, bool short_ones) {
    while (n > 0 && ((n - std::uint64_t{1}) >> shift) >= (short_ones ? most_slices : 4 * most_buckets)) ++shift;
    slices = n == 0 ? 1 : ((n - std::uint64_t{1}) >> shift) + 1;
  }
  [[nodiscard]] std::size_t count() const { return first.size() - 1; }
  [[nodiscard]] std::size_t of(VertexId v) const { return of_slice[v >> shift]; }

  void cut(VertexId n, const std::vector<EdgeIndex>& arcs_of_slice, std::size_t most_vertices) {
    EdgeIndex all = 0, here = 0;
    for (const EdgeIndex a : arcs_of_slice) all += a;
    const EdgeIndex aim = std::max(bucket_arcs, all / most_buckets);
    of_slice.resize(slices);
    for (std::size_t i = 0; i < slices; ++i) {
      const std::uint64_t begin = std::uint64_t{i} << shift,
                          end = std::min<std::uint64_t>(n, begin + (std::uint64_t{1} << shift));
      if (here > 0 && (here + arcs_of_slice[i] > aim || end - first.back() > most_vertices)) {
        first.push_back(static_cast<VertexId>(begin));
        here = 0;
      }
      here += std::max<EdgeIndex>(arcs_of_slice[i], 1);
      of_slice[i] = static_cast<std::uint16_t>(first.size() - 1);
    }
    first.push_back(n);
  }
};

/// Returns true if 16-bit positions do not need too many buckets.
inline bool short_positions_do(VertexId n) { return n / short_positions < 4 * most_buckets; }

}  // namespace hopwave::graph
