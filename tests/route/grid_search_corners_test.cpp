// Corners of searches on grids: devices that lack something, changes between the cluster and the whole device, sources that
// stand twice, layers with holes, and scenarios in little shared memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "hopwave/error.h"
#include "support/changed_device.h"
#include "support/grids.h"

namespace hopwave::inline v0_1::route {
namespace of_grid_search_corners_test {

template <int kibibytes, int multiprocessors, bool cooperative, bool clusters>
void lacking(device::Properties& p) {
  p.shared_per_block = std::size_t{kibibytes} << 10;
  p.multiprocessors = multiprocessors;
  p.cooperative = cooperative;
  p.clusters = clusters;
}

/// What a device lacks, the other shape does without; large devices get larger blocks.
TEST(GridCorners, DevicesThatLackSomething) {
  using hopwave::testing::changed_api;
  const Grid grid = random_grid(150, 70, 1, 20, 3);
  std::mt19937 random(4);
  const CellIndex source = grid.index(random_free(grid, random)), goal = grid.index(random_free(grid, random));
  const Way right = find_way(grid, {&source, 1}, {&goal, 1}, {.method = Method::queue, .run = {.device = DeviceKind::cpu}});
  ASSERT_TRUE(right.found);
  struct Case {
    const device::Api* api;
    WaveTuning tuning;
    bool thin, wide;  ///< which shape is met
  };
  const Case cases[] = {{&changed_api<lacking<227, 4, false, true>>(), {}, true, false},
                        {&changed_api<lacking<227, 4, false, false>>(), {}, true, false},
                        {&changed_api<lacking<227, 4, true, false>>(), {.cluster = 2, .never_wide = true}, true, false},
                        {&changed_api<lacking<227, 16, true, true>>(), {.wide = 2}, true, false},
                        {&changed_api<lacking<227, 16, true, true>>(), {.never_wide = true}, true, false},
                        {&changed_api<lacking<1, 4, true, true>>(), {}, false, true}};
  for (const Case& c : cases) {
    device::Device device(*c.api);
    const auto search = make_grid_search_sim(device, grid, c.tuning);
    CellIndex target = 0;
    const Way way = search->find({&source, 1}, {&goal, 1}, {}, target, {});
    EXPECT_TRUE(way.found);
    EXPECT_EQ(way.cost, right.cost);
    EXPECT_EQ(target, goal);
    EXPECT_EQ(search->stats().thin_windows > 0, c.thin);
    EXPECT_EQ(search->stats().wide_windows > 0, c.wide);
  }
  device::Device neither(changed_api<lacking<1, 4, false, true>>());
  EXPECT_THROW(make_grid_search_sim(neither, grid, {}), Error);
}

TEST(GridCorners, MoreTilesThanABlockHolds) {
  device::Device device(*device::sim_api());
  for (const std::uint32_t tile_rows : {200u, 256u}) {  // too many for its shared memory, and too many for 16 bits
    const Grid grid(254 * 32, tile_rows * 32);
    EXPECT_THROW(make_grid_search_sim(device, grid, {.block = 64, .wide = 1, .never_thin = true}), Error);
    EXPECT_THROW(make_grid_search_sim(device, grid, {.block = 64, .cluster = 1, .never_wide = true}), Error);
  }
}

TEST(GridCorners, NoScenariosAtAll) {
  const Grid grid = random_grid(40, 30, 1, 20, 8);
  EXPECT_TRUE(DeviceGrid(grid, DeviceKind::sim).hops({}).empty());
}

/// The frontier of an open grid grows and shrinks: the search goes from the cluster to the whole device and back.
TEST(GridCorners, ChangesOfShape) {
  for (const std::uint32_t layers : {1u, 2u}) {
    const Grid grid = random_grid(290, 130, layers, 5, 11);
    DeviceGrid device(grid, DeviceKind::sim, &changing);
    for (const Cell& to : {Cell{289, 129, 0}, Cell{20, 120, layers - 1}}) {
      if (!grid.free(to) || !grid.free({0, 0, 0})) continue;
      check(grid, device, {0, 0, 0}, to, true, "changing");
      EXPECT_GT(device.stats().thin_windows, 0u);
      EXPECT_GT(device.stats().wide_windows, 0u);
      EXPECT_GT(device.stats().launches, 2u);
    }
  }
}

/// A source that stands twice is reached once, and without targets everything is.
TEST(GridCorners, SourcesThatStandTwiceAndNoTargets) {
  const Grid grid = random_grid(70, 50, 1, 30, 6);
  std::mt19937 random(7);
  const CellIndex a = grid.index(random_free(grid, random)), b = grid.index(random_free(grid, random));
  const std::vector<CellIndex> sources{a, b, a, a, b};
  DeviceGrid device(grid, DeviceKind::sim);
  std::vector<std::int32_t> levels;
  const Way way = device.find(sources, {}, {}, &levels);
  EXPECT_FALSE(way.found);
  const auto from_a = distances(grid, grid.cell(a)), from_b = distances(grid, grid.cell(b));
  std::uint64_t reached = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::int32_t right = from_a[i] < 0 ? from_b[i] : from_b[i] < 0 ? from_a[i] : std::min(from_a[i], from_b[i]);
    ASSERT_EQ(levels[i], right) << "cell " << i;
    reached += right >= 0;
  }
  EXPECT_EQ(way.reached, reached);
}

/// Tiles of walls alone, above and below of what is free: nothing is to be looked at there.
TEST(GridCorners, LayersWithTilesOfWalls) {
  Grid grid(130, 40, 3);
  for (std::uint32_t l = 0; l < 3; ++l)
    for (std::uint32_t y = 0; y < 40; ++y)
      for (std::uint32_t x = 0; x < 130; ++x)
        if (l == 1 || x < 30 || (l == 2 && x > 100)) grid.set_free({x, y, l});
  DeviceGrid a(grid, DeviceKind::sim, &thin), b(grid, DeviceKind::sim, &wide);
  for (DeviceGrid* device : {&a, &b}) {
    check(grid, *device, {70, 20, 1}, {2, 2, 0}, true, "from between walls");
    check(grid, *device, {2, 2, 0}, {129, 39, 2}, true, "past walls");
    check(grid, *device, {70, 20, 1}, {129, 0, 2}, true, "once more with levels");
  }
}

/// More blocks are asked for than there are tiles, or than a cluster has.
TEST(GridCorners, MoreBlocksThanTiles) {
  const Grid grid = random_grid(20, 20, 1, 10, 3);
  constexpr WaveTuning many{.block = 32, .cluster = 32, .wide = 1, .never_wide = true};
  DeviceGrid device(grid, DeviceKind::sim, &many);
  std::mt19937 random(1);
  check(grid, device, random_free(grid, random), random_free(grid, random), true, "a small grid");
}

/// Of the blocks of a cluster one may be a window ahead, and have found the target there.
TEST(GridCorners, ABlockThatIsAhead) {
  const Grid grid = random_grid(200, 40, 1, 0, 1);
  device::Device device(*device::sim_api());
  const auto search = make_grid_search_sim(device, grid, {.block = 64, .cluster = 4, .never_wide = true});
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    device.set_schedule({.seed = seed, .interrupt_every = 4, .kind = static_cast<ScheduleKind>(seed % 5)});
    const CellIndex from = grid.index({5, 5}), to = grid.index({static_cast<std::uint32_t>(60 + 10 * seed), 30});
    CellIndex target = 0;
    const Way way = search->find({&from, 1}, {&to, 1}, {}, target, {});
    ASSERT_TRUE(way.found);
    EXPECT_EQ(way.cost, 80 + 10 * seed);
    EXPECT_EQ(target, to);
  }
}

/// Scenarios whose map has no room beside it for a frontier are searched one by one.
TEST(GridCorners, ScenariosInLittleSharedMemory) {
  device::Device device(hopwave::testing::changed_api<lacking<3, 4, true, true>>());
  bool some = false, none = false;
  std::mt19937 random(5);
  for (std::uint32_t height = 20; height < 140; ++height) {
    const Grid grid = random_grid(50, height, 1, 10, height);
    const std::vector<CellIndex> from{grid.index(random_free(grid, random))}, to{grid.index(random_free(grid, random))};
    const std::int64_t hops = make_grid_search_sim(device, grid, {})->hops(from, to)[0];
    (hops == -2 ? none : some) = true;
    if (hops == -2) continue;
    ASSERT_EQ(hops, distances(grid, grid.cell(from[0]))[to[0]]) << height;
  }
  EXPECT_TRUE(some);
  EXPECT_TRUE(none);
}

}  // namespace of_grid_search_corners_test
}  // namespace hopwave::inline v0_1::route
