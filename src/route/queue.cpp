// The plain searches: a queue of cells with one byte per cell for its predecessor, and distances for pictures.
#include <algorithm>

#include "hopwave/error.h"
#include "route/searches.h"

namespace hopwave::inline v0_1::route {
namespace {

struct Steps {
  explicit Steps(const Grid& grid)
      : all{-1,
            1,
            -static_cast<std::int64_t>(grid.row_words() * 64),
            static_cast<std::int64_t>(grid.row_words() * 64),
            -static_cast<std::int64_t>(grid.plane_words() * 64),
            static_cast<std::int64_t>(grid.plane_words() * 64)},
        count(grid.layers() > 1 ? 6 : 4) {}
  std::int64_t all[6];
  int count;
};

}  // namespace

void report_level(const RouteOptions& options, std::uint64_t level) {
  if (options.run.progress && !options.run.progress({.what = "levels", .done = level}))
    throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "the search was stopped"});
}

Way find_by_queue(const Grid& grid, std::span<const CellIndex> sources, std::span<const CellIndex> targets,
                  const RouteOptions& options) {
  constexpr std::uint8_t untouched = 0, source = 7, wanted = 8;  // 1 … 6: reached by steps.all[value − 1]
  const Steps steps(grid);
  const auto bits = static_cast<std::int64_t>(grid.num_bits());
  std::vector<std::uint8_t> from(grid.num_bits(), untouched);
  std::vector<CellIndex> queue;
  for (const CellIndex t : targets) from[t] = wanted;
  Way way;
  const auto trace = [&](CellIndex cell, std::uint64_t level) {
    way.found = true;
    way.cost = way.levels = level;
    for (; from[cell] < source; cell = static_cast<CellIndex>(cell - steps.all[from[cell] - 1])) way.cells.push_back(cell);
    way.cells.push_back(cell);
    std::reverse(way.cells.begin(), way.cells.end());
    way.reached = queue.size();
    return way;
  };
  for (const CellIndex s : sources) {
    if (from[s] == source) continue;
    const bool hit = from[s] == wanted;
    from[s] = source;
    queue.push_back(s);
    if (hit) return trace(s, 0);
  }
  std::uint64_t level = 0;
  for (std::size_t begin = 0, end = queue.size(); begin < end; begin = end, end = queue.size()) {
    ++level;
    if (level % 256 == 0) report_level(options, level);
    for (std::size_t i = begin; i < end; ++i)
      for (int k = 0; k < steps.count; ++k) {
        const std::int64_t to = queue[i] + steps.all[k];
        if (to < 0 || to >= bits || !grid.free(static_cast<CellIndex>(to))) continue;
        const std::uint8_t was = from[to];
        if (was != untouched && was != wanted) continue;
        from[to] = static_cast<std::uint8_t>(k + 1);
        queue.push_back(static_cast<CellIndex>(to));
        if (was == wanted) return trace(static_cast<CellIndex>(to), level);
      }
  }
  way.reached = queue.size();
  way.levels = level ? level - 1 : 0;
  return way;
}

std::vector<std::int32_t> distances(const Grid& grid, const Cell& start, std::uint32_t via_cost, std::int32_t limit) {
  require_free(grid, start);
  require_via_cost(via_cost);
  const Steps steps(grid);
  const auto bits = static_cast<std::int64_t>(grid.num_bits());
  std::vector<std::int32_t> distance(grid.num_bits(), -1);
  // Buckets by cost, as many as the most expensive step needs: with all steps 1 it is a plain breadth-first search.
  const std::size_t count = via_cost + std::size_t{1};
  std::vector<std::vector<CellIndex>> buckets(count);
  buckets[0].push_back(grid.index(start));
  distance[grid.index(start)] = 0;
  std::size_t waiting = 1;
  for (std::int64_t cost = 0; waiting > 0 && cost <= limit; ++cost) {
    auto& bucket = buckets[static_cast<std::size_t>(cost) % count];
    for (const CellIndex cell : bucket) {
      if (distance[cell] != cost) continue;  // a cheaper route was found meanwhile
      for (int k = 0; k < steps.count; ++k) {
        const std::int64_t to = cell + steps.all[k], then = cost + (k < 4 ? 1 : via_cost);
        if (to < 0 || to >= bits || !grid.free(static_cast<CellIndex>(to)) || then > limit) continue;
        if (distance[to] >= 0 && distance[to] <= then) continue;
        distance[to] = static_cast<std::int32_t>(then);
        buckets[static_cast<std::size_t>(then) % count].push_back(static_cast<CellIndex>(to));
        ++waiting;
      }
    }
    waiting -= bucket.size();
    bucket.clear();
  }
  return distance;
}

}  // namespace hopwave::inline v0_1::route
