// The places of the greatest values, for summaries of centralities.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "algorithm/algorithm.h"

namespace hopwave::algorithm {

/// --top, of rows that report the vertices with the greatest values.
inline const Option top_option{.name = "top",
                               .value = "N",
                               .help = "Show and report so many vertices, those with the greatest values.",
                               .initial = 5,
                               .lowest = 1,
                               .highest = 1 << 20,
                               .output = true};

/// Of value(0) to value(count - 1) the greatest `top`, the greatest first; equal ones in their order.
template <class Place, class Value>
std::vector<Place> greatest(std::size_t count, std::size_t top, Value&& value) {
  std::vector<Place> place(count);
  std::iota(place.begin(), place.end(), Place{0});
  const std::size_t shown = std::min(top, count);
  std::partial_sort(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(shown), place.end(), [&](Place a, Place b) {
    const auto x = value(a), y = value(b);
    return x != y ? x > y : a < b;
  });
  place.resize(shown);
  return place;
}

}  // namespace hopwave::algorithm
