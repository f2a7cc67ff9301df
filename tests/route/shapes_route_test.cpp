// Routes on composed grids: halls, mazes, random walls, winding corridors and single lines beside and over each other, on one
// or more layers; every method on the CPU and the simulator's tiles against a search by a plain queue, which shares no code
// with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "generate/compose.h"
#include "hopwave/route.h"
#include "route/gpu/grid_search.h"

namespace hopwave::inline v0_1::route {
namespace of_shapes_route_test {

using generate_detail::Draws;

std::uint64_t amount(std::uint64_t standard) {
  const char* const text = std::getenv("HOPWAVE_TEST_GRAPHS");
  return text ? std::strtoull(text, nullptr, 10) : standard;
}

struct Region {
  std::uint32_t x, y, width, height, layer;
};

/// One part of a grid: what was there before may shine through or is built over.
void fill(Grid& grid, const Region& r, Draws& draws) {
  const std::uint64_t kind = draws.below(5), dense = draws.from(5, 60);
  const Grid maze = kind == 1 ? perfect_maze(r.width, r.height, draws.below(1000)) : Grid();
  for (std::uint32_t y = 0; y < r.height; ++y)
    for (std::uint32_t x = 0; x < r.width; ++x) {
      const bool corridor = y % 2 == 0 || x == (y / 2 % 2 ? 0 : r.width - 1);
      const bool free = kind == 0   ? true
                        : kind == 1 ? maze.free(Cell{x, y})
                        : kind == 2 ? draws.below(100) >= dense
                        : kind == 3 ? corridor
                                    : y == r.height / 2;
      grid.set_free({r.x + x, r.y + y, r.layer}, free);
    }
}

Grid compose_grid(Draws& draws) {
  Grid grid(draws.spread(1, 255), draws.spread(1, 127), draws.once_in(3) ? draws.from(2, 3) : 1);
  for (std::uint64_t parts = draws.from(1, 8); parts > 0; --parts) {
    Region r{static_cast<std::uint32_t>(draws.below(grid.width())), static_cast<std::uint32_t>(draws.below(grid.height())), 0,
             0, static_cast<std::uint32_t>(draws.below(grid.layers()))};
    r.width = static_cast<std::uint32_t>(draws.spread(1, grid.width() - r.x));
    r.height = static_cast<std::uint32_t>(draws.spread(1, grid.height() - r.y));
    fill(grid, r, draws);
  }
  return grid;
}

std::vector<Cell> free_cells(const Grid& grid) {
  std::vector<Cell> cells;
  for (std::uint32_t l = 0; l < grid.layers(); ++l)
    for (std::uint32_t y = 0; y < grid.height(); ++y)
      for (std::uint32_t x = 0; x < grid.width(); ++x)
        if (grid.free(Cell{x, y, l})) cells.push_back({x, y, l});
  return cells;
}

bool are_neighbours(const Cell& a, const Cell& b) {
  const auto distance = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
  return distance(a.x, b.x) + distance(a.y, b.y) + distance(a.layer, b.layer) == 1;
}

/// Steps from the nearest of `from`, by CellIndex; −1: no way.
std::vector<std::int32_t> plain_search(const Grid& grid, const std::vector<Cell>& from) {
  std::vector<std::int32_t> steps(grid.num_bits(), -1);
  std::vector<Cell> queue;
  const auto find = [&](const Cell& c, std::int32_t at) {
    if (!grid.free(c) || steps[grid.index(c)] >= 0) return;
    steps[grid.index(c)] = at;
    queue.push_back(c);
  };
  for (const Cell& c : from) find(c, 0);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Cell c = queue[i];
    const std::int32_t next = steps[grid.index(c)] + 1;
    find({c.x + 1, c.y, c.layer}, next), find({c.x, c.y + 1, c.layer}, next), find({c.x, c.y, c.layer + 1}, next);
    if (c.x) find({c.x - 1, c.y, c.layer}, next);
    if (c.y) find({c.x, c.y - 1, c.layer}, next);
    if (c.layer) find({c.x, c.y, c.layer - 1}, next);
  }
  return steps;
}

struct Question {
  std::vector<Cell> from, to;
  std::vector<CellIndex> sources, targets;
  std::int32_t nearest = -1;  ///< steps; −1: no way
};

Question draw_question(const Grid& grid, const std::vector<Cell>& cells, Draws& draws) {
  Question q;
  for (std::uint64_t i = draws.once_in(4) ? draws.from(2, 6) : 1; i > 0; --i)
    q.from.push_back(cells[draws.below(cells.size())]);
  for (std::uint64_t i = draws.once_in(4) ? draws.from(2, 6) : 1; i > 0; --i) q.to.push_back(cells[draws.below(cells.size())]);
  for (const Cell& c : q.from) q.sources.push_back(grid.index(c));
  for (const Cell& c : q.to) q.targets.push_back(grid.index(c));
  const std::vector<std::int32_t> steps = plain_search(grid, q.from);
  for (const CellIndex t : q.targets)
    if (steps[t] >= 0) q.nearest = q.nearest < 0 ? steps[t] : std::min(q.nearest, steps[t]);
  return q;
}

void expect_right(const Grid& grid, const Question& q, const Way& way, const std::string& what) {
  ASSERT_EQ(way.found, q.nearest >= 0) << what;
  if (!way.found) return;
  ASSERT_EQ(way.cost, static_cast<std::uint64_t>(q.nearest)) << what;
  ASSERT_EQ(way.cells.size(), way.cost + 1) << what;
  ASSERT_TRUE(std::find(q.sources.begin(), q.sources.end(), way.cells.front()) != q.sources.end()) << what;
  ASSERT_TRUE(std::find(q.targets.begin(), q.targets.end(), way.cells.back()) != q.targets.end()) << what;
  for (std::size_t i = 0; i < way.cells.size(); ++i) {
    ASSERT_TRUE(grid.free(way.cells[i])) << what;
    if (i > 0) ASSERT_TRUE(are_neighbours(grid.cell(way.cells[i - 1]), grid.cell(way.cells[i]))) << what;
  }
}

TEST(ComposedGrids, EveryMethodOnTheCpu) {
  std::uint64_t found = 0, walled_in = 0;
  for (std::uint64_t seed = 0; seed < 5 * amount(40); ++seed) {
    Draws draws(seed);
    const Grid grid = compose_grid(draws);
    const std::vector<Cell> cells = free_cells(grid);
    if (cells.empty()) continue;
    const Question q = draw_question(grid, cells, draws);
    (q.nearest >= 0 ? found : walled_in) += 1;
    for (const Method method : {Method::words, Method::queue, Method::bends})
      expect_right(grid, q, find_way(grid, q.sources, q.targets, {.method = method, .run = {.device = DeviceKind::cpu}}),
                   "seed " + std::to_string(seed) + ", " + std::string(name_of(method)));
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(found, amount(40));
  EXPECT_GE(walled_in, amount(40) / 4);
}

TEST(ComposedGrids, TilesInTheSimulator) {
  static constexpr WaveTuning thin{.block = 64, .cluster = 2, .never_wide = true};
  static constexpr WaveTuning wide{.block = 64, .wide = 4, .never_thin = true};
  static constexpr WaveTuning changing{
      .block = 64, .cluster = 2, .wide = 2, .leave_thin = 2, .leave_wide = 6, .patience = 1, .max_windows = 3};
  const WaveTuning* const tunings[] = {nullptr, &thin, &wide, &changing};
  for (std::uint64_t seed = 0; seed < amount(40) / 2; ++seed) {
    Draws draws(seed + 5000);
    const Grid grid = compose_grid(draws);
    const std::vector<Cell> cells = free_cells(grid);
    if (cells.empty()) continue;
    DeviceGrid device(grid, DeviceKind::sim, tunings[seed % 4]);
    for (int k = 0; k < 2; ++k) {
      const Question q = draw_question(grid, cells, draws);
      const std::string what = "seed " + std::to_string(seed) + ", question " + std::to_string(k);
      expect_right(grid, q, device.find(q.sources, q.targets), what);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace of_shapes_route_test
}  // namespace hopwave::inline v0_1::route
