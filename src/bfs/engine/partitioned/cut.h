// How vertices are shared out over devices: blocks of consecutive ids, cut so that vertices and arcs together are shared
// evenly.
#pragma once

#include <cstdint>
#include <vector>

#include "hopwave/types.h"

namespace hopwave::engine {

/// The first vertex of each device's block, and the number of vertices after them. Blocks begin at multiples of `unit`, or at
/// the end. arcs_before(v): arcs of all vertices below v. A row is never cut: one device has all arcs of a vertex.
template <class ArcsBefore>
std::vector<std::uint64_t> cut_vertices(std::uint64_t devices, std::uint64_t num_vertices, std::uint64_t unit,
                                        ArcsBefore&& arcs_before) {
  const auto vertex = [&](std::uint64_t u) { return u * unit < num_vertices ? u * unit : num_vertices; };
  const auto weight_before = [&](std::uint64_t v) { return arcs_before(v) + v; };
  const std::uint64_t units = (num_vertices + unit - 1) / unit, all = weight_before(num_vertices);
  std::vector<std::uint64_t> first{0};
  for (std::uint64_t d = 1; d < devices; ++d) {
    const auto wanted = static_cast<std::uint64_t>(static_cast<unsigned __int128>(all) * d / devices);
    std::uint64_t low = first.back() / unit, high = units;  // the first border with that weight before it
    if (first.back() == num_vertices) low = units;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (weight_before(vertex(middle)) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    first.push_back(vertex(low));
  }
  first.push_back(num_vertices);
  return first;
}

}  // namespace hopwave::engine
