// Grids to search on the simulator's device, the shapes of a search, and what is expected of a search.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "hopwave/route.h"
#include "route/gpu/grid_search.h"

namespace hopwave::inline v0_1::route {

inline Grid random_grid(std::uint32_t width, std::uint32_t height, std::uint32_t layers, unsigned walls_percent,
                        unsigned seed) {
  Grid grid(width, height, layers);
  std::mt19937 random(seed);
  for (std::uint32_t l = 0; l < layers; ++l)
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x)
        if (random() % 100 >= walls_percent) grid.set_free({x, y, l});
  return grid;
}

inline Cell random_free(const Grid& grid, std::mt19937& random) {
  for (;;) {
    const Cell c{static_cast<std::uint32_t>(random() % grid.width()), static_cast<std::uint32_t>(random() % grid.height()),
                 static_cast<std::uint32_t>(random() % grid.layers())};
    if (grid.free(c)) return c;
  }
}

inline constexpr WaveTuning thin{.block = 64, .cluster = 2, .never_wide = true};
inline constexpr WaveTuning wide{.block = 64, .wide = 4, .never_thin = true};
/// Goes to and fro all the time, and out of the launch after five windows.
inline constexpr WaveTuning changing{
    .block = 64, .cluster = 2, .wide = 2, .leave_thin = 2, .leave_wide = 6, .patience = 1, .max_windows = 5};

inline bool side_by_side(const Cell& a, const Cell& b) {
  const auto distance = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
  return distance(a.x, b.x) + distance(a.y, b.y) + distance(a.layer, b.layer) == 1;
}

/// Everything that find() says, against searches on the CPU.
inline void check(const Grid& grid, DeviceGrid& device, const Cell& from, const Cell& to, bool with_levels,
                  const std::string& what) {
  const CellIndex source = grid.index(from), target = grid.index(to);
  const Way right = find_way(grid, {&source, 1}, {&target, 1}, {.method = Method::queue, .run = {.device = DeviceKind::cpu}});
  std::vector<std::int32_t> levels;
  const Way way = device.find({&source, 1}, {&target, 1}, {}, with_levels ? &levels : nullptr);
  ASSERT_EQ(way.found, right.found) << what;
  const auto all = distances(grid, from);
  std::int32_t deepest = 0;
  std::uint64_t reached = 0;
  for (const std::int32_t d : all)
    if (d >= 0 && (!way.found || d <= static_cast<std::int32_t>(right.cost))) {
      ++reached;
      deepest = std::max(deepest, d);
    }
  EXPECT_EQ(way.reached, reached) << what;
  EXPECT_EQ(way.levels, static_cast<std::uint64_t>(deepest)) << what;
  if (with_levels) {
    ASSERT_EQ(levels.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(levels[i], all[i] > deepest ? -1 : all[i]) << what << " cell " << i;
  }
  if (!way.found) return;
  ASSERT_EQ(way.cost, right.cost) << what;
  ASSERT_EQ(way.cells.size(), way.cost + 1) << what;
  EXPECT_EQ(way.cells.front(), source);
  EXPECT_EQ(way.cells.back(), target);
  for (std::size_t i = 0; i < way.cells.size(); ++i) {
    ASSERT_TRUE(grid.free(way.cells[i])) << what;
    if (i > 0) ASSERT_TRUE(side_by_side(grid.cell(way.cells[i - 1]), grid.cell(way.cells[i]))) << what;
  }
}

}  // namespace hopwave::inline v0_1::route
