// Grids on a device, here the simulator: the wavefront over tiles against the queue on the CPU, at every size around the
// borders of words and tiles, thin and wide and changing between both; and many scenarios at once.
#include <gtest/gtest.h>

#include "hopwave/error.h"
#include "support/grids.h"

namespace hopwave::inline v0_1::route {
namespace of_grid_search_test {

/// A maze of one-cell corridors on odd cells, with exactly one way between any two.
Grid perfect_maze(std::uint32_t size, unsigned seed) {
  Grid grid(size, size);
  std::mt19937 random(seed);
  std::vector<Cell> stack{{1, 1}};
  grid.set_free({1, 1});
  while (!stack.empty()) {
    const Cell c = stack.back();
    std::vector<std::pair<Cell, Cell>> open;
    for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const Cell wall{c.x + static_cast<std::uint32_t>(dx), c.y + static_cast<std::uint32_t>(dy)};
      const Cell to{wall.x + static_cast<std::uint32_t>(dx), wall.y + static_cast<std::uint32_t>(dy)};
      if (grid.contains(to) && !grid.free(to)) open.push_back({wall, to});
    }
    if (open.empty()) {
      stack.pop_back();
      continue;
    }
    const auto& [wall, to] = open[random() % open.size()];
    grid.set_free(wall);
    grid.set_free(to);
    stack.push_back(to);
  }
  return grid;
}

TEST(GridSearch, EverySizeAroundTheBordersOfWordsAndTiles) {
  std::mt19937 random(1);
  for (const std::uint32_t width : {1u, 2u, 15u, 16u, 17u, 31u, 32u, 33u, 63u, 64u, 65u, 96u, 129u})
    for (const std::uint32_t height : {1u, 16u, 31u, 33u, 64u, 65u}) {
      const Grid grid = random_grid(width, height, 1, 25, width * 100 + height);
      if (grid.num_free() < 2) continue;
      const std::string what = std::to_string(width) + "x" + std::to_string(height);
      DeviceGrid a(grid, DeviceKind::sim, &thin), b(grid, DeviceKind::sim, &wide), c(grid, DeviceKind::sim, &changing);
      for (int k = 0; k < 2; ++k) {
        const Cell from = random_free(grid, random), to = random_free(grid, random);
        check(grid, a, from, to, k == 0, what + " thin");
        check(grid, b, from, to, k == 1, what + " wide");
        check(grid, c, from, to, k == 0, what + " changing");
      }
    }
}

TEST(GridSearch, RandomWallsOfAnyDensity) {
  std::mt19937 random(2);
  for (const unsigned walls : {0u, 10u, 35u, 40u, 45u, 70u})
    for (unsigned seed = 0; seed < 4; ++seed) {
      const Grid grid = random_grid(150 + seed * 7, 110, 1, walls, seed);
      DeviceGrid device(grid, DeviceKind::sim, seed % 2 ? &changing : seed ? &wide : &thin);
      for (int k = 0; k < 2; ++k)
        check(grid, device, random_free(grid, random), random_free(grid, random), k == 0,
              std::to_string(walls) + " % walls, seed " + std::to_string(seed));
    }
}

TEST(GridSearch, MazesOfOneCellCorridors) {
  std::mt19937 random(3);
  for (const std::uint32_t size : {63u, 65u, 129u}) {
    const Grid grid = perfect_maze(size, size);
    DeviceGrid a(grid, DeviceKind::sim, &thin), b(grid, DeviceKind::sim, &changing);
    check(grid, a, {1, 1}, {size - 2, size - 2}, true, "maze");
    for (int k = 0; k < 3; ++k) {
      const Cell from = random_free(grid, random), to = random_free(grid, random);
      check(grid, a, from, to, false, "maze thin");
      check(grid, b, from, to, k == 0, "maze changing");
    }
  }
}

TEST(GridSearch, Layers) {
  std::mt19937 random(4);
  for (const std::uint32_t layers : {2u, 3u, 5u})
    for (const unsigned walls : {20u, 55u, 66u}) {
      const Grid grid = random_grid(41, 37, layers, walls, layers * walls);
      DeviceGrid a(grid, DeviceKind::sim, &thin), b(grid, DeviceKind::sim, &changing), c(grid, DeviceKind::sim, &wide);
      for (int k = 0; k < 4; ++k) {
        const Cell from = random_free(grid, random), to = random_free(grid, random);
        check(grid, a, from, to, k == 0, "layers thin");
        check(grid, b, from, to, k == 1, "layers changing");
        if (k < 2) check(grid, c, from, to, k == 0, "layers wide");
      }
    }
}

TEST(GridSearch, UnsolvableAndStartIsEnd) {
  Grid grid(100, 50);
  for (std::uint32_t y = 0; y < 50; ++y)
    for (std::uint32_t x = 0; x < 100; ++x)
      if (x != 60) grid.set_free({x, y});
  DeviceGrid device(grid, DeviceKind::sim);
  check(grid, device, {3, 4}, {99, 49}, true, "a wall between");
  check(grid, device, {3, 4}, {59, 49}, false, "this side");
  const CellIndex cell = grid.index({5, 5});
  const Way way = device.find({&cell, 1}, {&cell, 1});
  EXPECT_TRUE(way.found);
  EXPECT_EQ(way.cost, 0u);
  EXPECT_EQ(way.cells, std::vector<CellIndex>{cell});
}

TEST(GridSearch, TreesAsOnTheCpu) {
  const Grid grid = random_grid(90, 70, 1, 20, 5);
  std::mt19937 random(6);
  std::vector<Cell> terminals;
  for (int i = 0; i < 6; ++i) terminals.push_back(random_free(grid, random));
  const Route cpu = find_route(grid, terminals, {.run = {.device = DeviceKind::cpu}});
  const Route sim = find_route(grid, terminals, {.run = {.device = DeviceKind::sim}});
  EXPECT_EQ(sim.method, "tiles");
  EXPECT_EQ(sim.complete, cpu.complete);
  EXPECT_EQ(sim.missing.size(), cpu.missing.size());
  EXPECT_GT(sim.cost, 0u);
  EXPECT_EQ(sim.branches.front().size(), cpu.branches.front().size()) << "the nearest terminal comes first";
}

TEST(GridSearch, BendsStayOnTheCpu) {
  const Grid grid = random_grid(20, 20, 1, 0, 1);
  const auto id = [&](const RouteOptions& options) {
    try {
      find_route(grid, {{0, 0}, {9, 9}}, options);
    } catch (const Error& error) {
      return error.parts().id;
    }
    return std::string("none");
  };
  EXPECT_EQ(id({.fewest_bends = true, .run = {.device = DeviceKind::sim}}), "HW-ROUTE-METHOD");
  EXPECT_EQ(id({.method = Method::words, .run = {.device = DeviceKind::sim}}), "HW-ROUTE-METHOD");
  EXPECT_EQ(id({.method = Method::tiles, .run = {.device = DeviceKind::cpu}}), "HW-ROUTE-METHOD");
}

TEST(GridSearch, AnInterruptedSearch) {
  const Grid grid = random_grid(300, 40, 1, 0, 1);
  const CellIndex from = grid.index({0, 0}), to = grid.index({299, 39});
  DeviceGrid device(grid, DeviceKind::sim, &changing);
  RouteOptions options;
  options.run.progress = [](const Step&) { return false; };
  EXPECT_THROW(device.find({&from, 1}, {&to, 1}, options), Error);
  check(grid, device, {299, 0}, {0, 39}, true, "afterwards, past the target of before");
}

TEST(GridSearch, ManyScenariosAtOnce) {
  std::mt19937 random(7);
  for (const unsigned walls : {0u, 30u, 42u}) {
    const Grid grid = random_grid(97, 80, 1, walls, walls);
    std::vector<Scenario> scenarios(40);
    for (Scenario& s : scenarios) s = {.start = random_free(grid, random), .goal = random_free(grid, random)};
    scenarios[7].goal = scenarios[7].start;
    for (const WaveTuning& tuning : {WaveTuning{}, changing}) {  // changing leaves room for eight words of a frontier only
      DeviceGrid device(grid, DeviceKind::sim, &tuning);
      std::uint64_t one_by_one = 0;
      const auto hops = device.hops(scenarios, &one_by_one);
      ASSERT_EQ(hops.size(), scenarios.size());
      EXPECT_EQ(one_by_one > 0, tuning.max_windows > 0) << walls;
      for (std::size_t i = 0; i < hops.size(); ++i) {
        const CellIndex from = grid.index(scenarios[i].start), to = grid.index(scenarios[i].goal);
        const Way way = find_way(grid, {&from, 1}, {&to, 1}, {.method = Method::queue, .run = {.device = DeviceKind::cpu}});
        EXPECT_EQ(hops[i], way.found ? static_cast<std::int64_t>(way.cost) : -1) << i;
      }
    }
  }
}

TEST(GridSearch, ScenariosThatNoBlockHoldsAreSearchedOneByOne) {
  const Grid grid = random_grid(40, 30, 2, 20, 8);
  std::mt19937 random(9);
  std::vector<Scenario> scenarios(3);
  for (Scenario& s : scenarios) s = {.start = random_free(grid, random), .goal = random_free(grid, random)};
  DeviceGrid device(grid, DeviceKind::sim);
  std::uint64_t one_by_one = 0;
  const auto hops = device.hops(scenarios, &one_by_one);
  EXPECT_EQ(one_by_one, 3u);
  for (std::size_t i = 0; i < hops.size(); ++i)
    EXPECT_EQ(hops[i], static_cast<std::int64_t>(distances(grid, scenarios[i].start)[grid.index(scenarios[i].goal)]));
}

// A block's positions stand in 16 bits, of which its shared memory lets 15 be used: 32,768 tiles with the border, the last one
// as far as the first, are one block's; one row of tiles more are not.
TEST(GridSearch, AsManyTilesAsABlockHolds) {
  device::Device device(*device::sim_api());
  constexpr WaveTuning one_block{.block = 64, .cluster = 1, .never_wide = true};
  constexpr std::uint32_t width = 254 * 32;
  for (const std::uint32_t tile_rows : {125u, 126u, 127u}) {
    Grid grid(width, tile_rows * 32);
    for (std::uint32_t x = 0; x < 100; ++x) grid.set_free({width - 1 - x, tile_rows * 32 - 1});
    const std::vector<CellIndex> from{grid.index({width - 100, tile_rows * 32 - 1})},
        to{grid.index({width - 1, tile_rows * 32 - 1})};
    if (tile_rows == 127) {
      EXPECT_THROW(route::make_grid_search_sim(device, grid, one_block), Error);
      continue;
    }
    CellIndex target = 0;
    const Way way = route::make_grid_search_sim(device, grid, one_block)->find(from, to, {}, target, {});
    EXPECT_TRUE(way.found);
    EXPECT_EQ(way.cost, 99u);
    EXPECT_EQ(target, to[0]);
  }
}

/// More blocks are asked for than the device holds at once: fewer serve.
TEST(GridSearch, FewerBlocksThanAskedFor) {
  device::Device device(*device::sim_api());
  constexpr WaveTuning many{.block = 64, .wide = 4096, .never_thin = true};
  Grid grid(200, 70);
  for (std::uint32_t x = 0; x < 200; ++x)
    for (std::uint32_t y = 0; y < 70; ++y) grid.set_free({x, y});
  const std::vector<CellIndex> from{grid.index({0, 0})}, to{grid.index({199, 69})};
  CellIndex target = 0;
  const Way way = route::make_grid_search_sim(device, grid, many)->find(from, to, {}, target, {});
  EXPECT_TRUE(way.found);
  EXPECT_EQ(way.cost, 268u);
}

}  // namespace of_grid_search_test
}  // namespace hopwave::inline v0_1::route
