// Which traversal `auto` takes, before and after a search: the table of change_traversal.h row by row, the rules of
// choose_traversal.h on their edges, and the thresholds of other devices.
#include "bfs/engine/change_traversal.h"

#include <gtest/gtest.h>

#include "bfs/engine/device_thresholds.h"

namespace hopwave::testing {
namespace of_change_traversal_test {

using namespace engine;  // NOLINT(google-build-using-namespace): these are what is tested

constexpr std::uint64_t never = ~std::uint64_t{0};

// ---- change_traversal.h ----

constexpr GraphFigures mesh{.num_vertices = 150'000, .num_arcs = 450'000, .max_degree = 9};
constexpr TraversalFacts grid_wide{.kind = TraversalKind::grid_wide}, in_cluster{.kind = TraversalKind::single_cluster},
    rows{.kind = TraversalKind::shared_memory}, lock_step{.kind = TraversalKind::high_diameter, .lock_step = true},
    other_high_diameter{.kind = TraversalKind::high_diameter};
constexpr Seen many_small_levels{.visited = 150'000, .levels = 300}, few_levels{.visited = 150'000, .levels = 10},
    rich_levels{.visited = 150'000, .levels = 20}, a_corner{.visited = 100, .levels = 1};

Change next(const TraversalFacts& now, const Seen& seen, const History& history = {}, const Wishes& wishes = {},
            const GraphFigures& graph = mesh) {
  return next_traversal(Choice(wishes, graph), now, history, seen);
}

TEST(ChangeTraversal, Row1NothingToLearn) {
  EXPECT_EQ(next(grid_wide, many_small_levels, {.prepared = true}), Change::none);
  EXPECT_EQ(next(grid_wide, many_small_levels, {}, {.high_diameter = 0}), Change::none);
}

TEST(ChangeTraversal, Row2LeavesOneBlock) {
  EXPECT_EQ(next(rows, few_levels), Change::to_single_cluster);
  EXPECT_EQ(next(rows, many_small_levels), Change::none);
  EXPECT_EQ(next(rows, a_corner), Change::none);
  EXPECT_EQ(next({.kind = TraversalKind::shared_memory, .diagonals = true}, few_levels), Change::none);
  EXPECT_EQ(next(rows, few_levels, {}, {.shared_memory = 1}), Change::none);
}

TEST(ChangeTraversal, Row3TakesTheSpare) {
  EXPECT_EQ(next(in_cluster, many_small_levels, {.has_spare = true}), Change::to_spare);
  EXPECT_EQ(next(in_cluster, few_levels, {.has_spare = true}), Change::none);
  EXPECT_EQ(next(in_cluster, a_corner, {.has_spare = true}), Change::none);
}

TEST(ChangeTraversal, Row4LeavesHighDiameter) {
  EXPECT_EQ(next(lock_step, few_levels), Change::to_grid_wide);
  EXPECT_EQ(next(other_high_diameter, {.visited = 12'289 * 20, .levels = 20}), Change::to_grid_wide);
  EXPECT_EQ(next(other_high_diameter, many_small_levels), Change::none);
  EXPECT_EQ(next(other_high_diameter, a_corner), Change::none);  // few levels of a small part say little
}

/// On a device without clusters, wide levels are too much for the one block that lock-step has there, but not for asynchronous
/// warps, which take the whole device.
TEST(ChangeTraversal, WithoutClustersOnlyAsynchronousWarpsAreForWideLevels) {
  const thresholds::Device a100 = thresholds_for({.measured = false, .multiprocessors = 108, .cluster_blocks = 1});
  EXPECT_EQ(a100.widest_high_diameter, 681u);
  EXPECT_EQ(a100.widest_async, 12'288u * 108 / 132);
  const GraphFigures roads{.num_vertices = 150'000, .num_arcs = 450'000, .max_degree = 9};
  const auto after = [&](const TraversalFacts& now, const Seen& seen, const GraphFigures& graph, const History& history = {}) {
    return next_traversal(Choice({}, graph, a100), now, history, seen);
  };
  const Seen wide{.visited = 150'000, .levels = 150}, narrow{.visited = 150'000, .levels = 300};  // 1,000 and 500 a level
  EXPECT_EQ(after(grid_wide, narrow, roads), Change::to_high_diameter);
  EXPECT_EQ(after(grid_wide, wide, roads), Change::to_high_diameter);
  EXPECT_EQ(after(lock_step, wide, roads), Change::to_async);
  EXPECT_EQ(after(lock_step, wide, roads, {.knows_thin = true}), Change::none);
  EXPECT_EQ(after(other_high_diameter, {.visited = 10'053 * 101, .levels = 101}, roads), Change::none);
  EXPECT_EQ(after(other_high_diameter, {.visited = 10'054 * 101, .levels = 101}, roads), Change::to_grid_wide);
  // Asynchronous warps are not for these.
  GraphFigures long_rows = roads, by_level = roads;
  long_rows.num_arcs = 4 * 150'000 + 1;
  by_level.cooperative = false;
  EXPECT_EQ(after(grid_wide, wide, long_rows), Change::none);
  EXPECT_EQ(after(grid_wide, {.visited = 150'000, .levels = 99}, roads), Change::none);
  EXPECT_EQ(after(grid_wide, wide, by_level), Change::none);
  EXPECT_EQ(after(lock_step, wide, long_rows), Change::to_grid_wide);
}

TEST(ChangeTraversal, Row5GoesToTheClusterOrRow6Follows) {
  EXPECT_EQ(next(grid_wide, rich_levels), Change::to_single_cluster);
  EXPECT_EQ(next(grid_wide, few_levels), Change::none);
  EXPECT_EQ(next(grid_wide, rich_levels, {.cluster_refused = true}), Change::to_high_diameter);
  EXPECT_EQ(next(grid_wide, rich_levels, {}, {.single_cluster = 0}), Change::to_high_diameter);
  EXPECT_EQ(next(grid_wide, {.visited = 75'000, .levels = 16}), Change::to_high_diameter);  // half is not most
  EXPECT_EQ(next(grid_wide, many_small_levels), Change::to_high_diameter);                  // 1,500 arcs a level
}

TEST(ChangeTraversal, Row6GoesToHighDiameterOnce) {
  EXPECT_EQ(next(grid_wide, many_small_levels), Change::to_high_diameter);
  EXPECT_EQ(next(in_cluster, many_small_levels), Change::to_high_diameter);
  EXPECT_EQ(next(in_cluster, many_small_levels, {}, {.single_cluster = 1}), Change::none);
  EXPECT_EQ(next(grid_wide, many_small_levels, {.was_high_diameter = true}), Change::none);
  GraphFigures hubs = mesh;
  hubs.max_degree = 65;
  EXPECT_EQ(next(grid_wide, many_small_levels, {}, {}, hubs), Change::none);
  EXPECT_EQ(next({.kind = TraversalKind::level_launches}, many_small_levels), Change::none);
}

TEST(ChangeTraversal, ALookIsWorthItWhereALongSearchMayBeAhead) {
  const auto looks = [](const TraversalFacts& now, const History& history = {}, const Wishes& wishes = {},
                        const GraphFigures& graph = mesh) { return wants_look(Choice(wishes, graph), now, history); };
  EXPECT_TRUE(looks(lock_step));
  EXPECT_FALSE(looks(lock_step, {.prepared = true}));
  EXPECT_FALSE(looks(lock_step, {.knows_thin = true}));
  EXPECT_FALSE(looks(lock_step, {}, {.high_diameter = 1}));
  EXPECT_FALSE(looks(other_high_diameter));
  EXPECT_FALSE(looks(grid_wide));
  EXPECT_FALSE(looks({.kind = TraversalKind::shared_memory, .lock_step = true}));
  GraphFigures graph = mesh;
  graph.num_arcs = 4 * graph.num_vertices;
  EXPECT_TRUE(looks(lock_step, {}, {}, graph));
  ++graph.num_arcs;
  EXPECT_FALSE(looks(lock_step, {}, {}, graph));
  graph = {.num_vertices = 16'384, .num_arcs = 40'000, .max_degree = 9};
  EXPECT_TRUE(looks(lock_step, {}, {}, graph));
  --graph.num_vertices;
  EXPECT_FALSE(looks(lock_step, {}, {}, graph));
  // What it shows always changes the traversal.
  const Choice choice({}, mesh);
  const auto depth = static_cast<std::uint32_t>(choice.look_depth());
  EXPECT_EQ(next(lock_step, {.visited = depth, .levels = depth}), Change::to_async);
  EXPECT_EQ(next(lock_step, {.visited = 12'288 * depth, .levels = depth}), Change::to_async);
  EXPECT_EQ(next(lock_step, {.visited = 12'289 * depth, .levels = depth}), Change::to_grid_wide);
}

TEST(ChangeTraversal, Row7RunsAsynchronouslyOnce) {
  EXPECT_EQ(next(lock_step, many_small_levels), Change::to_async);
  EXPECT_EQ(next(lock_step, many_small_levels, {.knows_thin = true}), Change::none);
  EXPECT_EQ(next(other_high_diameter, many_small_levels), Change::none);
  EXPECT_EQ(next(lock_step, {.visited = 150'000, .levels = 99}), Change::none);
  GraphFigures small = mesh;
  small.num_vertices = 16'383;
  small.num_arcs = 40'000;
  EXPECT_EQ(next(lock_step, {.visited = 16'383, .levels = 300}, {}, {}, small), Change::none);
  small.num_vertices = 16'384;
  EXPECT_EQ(next(lock_step, {.visited = 16'384, .levels = 300}, {}, {}, small), Change::to_async);
}

// ---- choose_traversal.h: on the edge of each rule ----

Choice of(std::uint64_t vertices, std::uint64_t arcs, const Wishes& wishes = {}, std::uint64_t max_degree = 9) {
  return {wishes, {.num_vertices = vertices, .num_arcs = arcs, .max_degree = max_degree}};
}

TEST(ChooseTraversal, DenseFromSoManyArcsOn) {
  EXPECT_TRUE(of(1'000, 16'384).may_be_dense(false));
  EXPECT_FALSE(of(1'000, 16'383).may_be_dense(false));
  EXPECT_FALSE(of(1'000, 16'384).may_be_dense(true));
  EXPECT_FALSE(of(1'000, 16'384, {.shared_memory = 0}).may_be_dense(false));
  EXPECT_FALSE(of(1'000, 16'384, {.single_cluster = 0}).may_be_dense(false));
  EXPECT_TRUE(of(2'000, 24'000).looks_dense(false));  // twelve a vertex
  EXPECT_FALSE(of(2'000, 23'999).looks_dense(false));
  EXPECT_FALSE(of(1'000, 16'383).looks_dense(false));
  EXPECT_FALSE(of(2'000, 24'000).looks_dense(true));
}

TEST(ChooseTraversal, ThinIsNotRichInACluster) {
  const Choice choice = of(150'000, 450'000);
  const Seen rich{.visited = 150'000, .levels = 54}, poor{.visited = 150'000, .levels = 55};  // 8,333 and 8,182 arcs a level
  EXPECT_TRUE(choice.is_rich(rich));
  EXPECT_FALSE(choice.is_rich(poor));
  EXPECT_TRUE(choice.is_thin(rich, false));
  EXPECT_FALSE(choice.is_thin(rich, true));
  EXPECT_TRUE(choice.is_thin(poor, false));
  EXPECT_TRUE(choice.is_thin(poor, true));
  EXPECT_FALSE(of(8'192 * 10, 8'192 * 20).is_rich({.visited = 8'192 * 10, .levels = 20}));
  EXPECT_TRUE(of(8'192 * 10, 8'192 * 20 + 1).is_rich({.visited = 8'192 * 10, .levels = 20}));
}

TEST(ChooseTraversal, LevelsCountTwiceWhereTheClusterTakesTheGraph) {
  const Seen at_31{.visited = 100'000, .levels = 31}, at_32{.visited = 100'000, .levels = 32};
  EXPECT_FALSE(of(100'000, 200'000).is_thin(at_31, false));
  EXPECT_TRUE(of(100'000, 200'000).is_thin(at_32, false));
  EXPECT_TRUE(of(100'001, 200'000).is_thin(at_31, false));                         // too many vertices for the cluster
  EXPECT_TRUE(of(100'000, 200'000, {.single_cluster = 0}).is_thin(at_31, false));  // not wanted
  EXPECT_TRUE(of(100'001, 200'000).is_thin({.visited = 100'000, .levels = 16}, false));
  EXPECT_FALSE(of(100'001, 200'000).is_thin({.visited = 100'000, .levels = 15}, false));
}

TEST(ChooseTraversal, WideOrShortIsNotHighDiameter) {
  const Choice choice = of(1'000'000, 3'000'000);
  EXPECT_FALSE(choice.is_not_high_diameter({.visited = 12'288 * 60, .levels = 60}));
  EXPECT_TRUE(choice.is_not_high_diameter({.visited = 12'289 * 60, .levels = 60}));
  EXPECT_FALSE(of(1'000, 3'000, {.single_cluster = 0}).is_not_high_diameter({.visited = 501, .levels = 16}));
  EXPECT_TRUE(of(1'000, 3'000, {.single_cluster = 0}).is_not_high_diameter({.visited = 501, .levels = 15}));
  EXPECT_FALSE(of(1'000, 3'000, {.single_cluster = 0}).is_not_high_diameter({.visited = 500, .levels = 15}));
  EXPECT_EQ((Seen{.visited = 7, .levels = 0}.width()), 7u);
  EXPECT_EQ((Seen{.visited = 7, .levels = 1}.width()), 7u);
  EXPECT_EQ((Seen{.visited = 7, .levels = 2}.width()), 3u);
}

TEST(ChooseTraversal, HubsAreSixteenTimesTheMean) {
  EXPECT_TRUE(of(1'000, 4'000, {}, 64).has_hubs());
  EXPECT_FALSE(of(1'000, 4'000, {}, 63).has_hubs());
}

TEST(ChooseTraversal, ClustersByArcsAndByWish) {
  EXPECT_TRUE(of(100'000, 3'000'000).takes_cluster(false));
  EXPECT_FALSE(of(100'001, 3'000'000).takes_cluster(false));
  EXPECT_FALSE(of(100'000, 3'000'001).takes_cluster(false));
  EXPECT_TRUE(of(100'001, 3'000'001, {.single_cluster = 1}).takes_cluster(false));
  EXPECT_FALSE(of(100'000, 3'000'000, {.single_cluster = 0}).takes_cluster(false));
  EXPECT_FALSE(of(100'000, 3'000'000, {.single_cluster = 1, .one_launch_a_level = true}).takes_cluster(true));
  EXPECT_TRUE(of(100'000, 3'000'000).may_show_cluster());
  EXPECT_FALSE(of(100'000, 3'000'001).may_show_cluster());
  EXPECT_FALSE(of(100'000, 3'000'000, {.single_cluster = 0}).may_show_cluster());
  EXPECT_TRUE(of(10, 10).may_leave_cluster());
  EXPECT_FALSE(of(10, 10, {.single_cluster = 0}).may_leave_cluster());
  const GraphFigures most{.num_vertices = 100'000, .num_arcs = 4'000'000, .relabelled = true};
  EXPECT_TRUE(Choice({}, most).takes_cluster(false));
  GraphFigures more = most;
  ++more.num_arcs;
  EXPECT_FALSE(Choice({}, more).takes_cluster(false));
}

TEST(ChooseTraversal, WishesForSharedMemoryAndLevels) {
  EXPECT_TRUE(of(10, 10).wants_shared_memory());
  EXPECT_TRUE(of(10, 10, {.shared_memory = 1}).wants_shared_memory());
  EXPECT_FALSE(of(10, 10, {.shared_memory = 0}).wants_shared_memory());
  EXPECT_FALSE(of(10, 10, {.high_diameter = 0}).wants_shared_memory());
  EXPECT_TRUE(of(10, 10, {.single_cluster = 0}).wants_shared_memory());
  EXPECT_FALSE(of(10, 10, {.single_cluster = 1}).wants_shared_memory());
  EXPECT_FALSE(of(10, 10, {.one_launch_a_level = true}).wants_shared_memory());
  EXPECT_TRUE(of(10, 10, {.one_launch_a_level = true}).by_level());
  EXPECT_EQ(of(10, 10, {.one_launch_a_level = true}).asked()->kind, TraversalKind::level_launches);
  EXPECT_EQ(of(10, 10, {.high_diameter = 1}).asked()->parameter, "high_diameter=1");
  EXPECT_FALSE(of(10, 10).by_level());
  EXPECT_FALSE(of(10, 10).asked());
  EXPECT_FALSE(of(10, 10, {.high_diameter = 1, .one_launch_a_level = true}).may_be_high_diameter());
  EXPECT_TRUE(of(10, 10, {.high_diameter = 1}).must_be_high_diameter());
  EXPECT_FALSE(of(10, 10, {.high_diameter = 0}).must_be_high_diameter());
  EXPECT_FALSE(of(10, 10).must_be_high_diameter());
  EXPECT_TRUE(of(1'000, 8'000).looks_thin());
  EXPECT_FALSE(of(1'000, 8'001).looks_thin());
}

TEST(ChooseTraversal, AsynchronousOnShortRowsOfLargeGraphs) {
  EXPECT_TRUE(of(1'000, 4'000).has_short_rows());
  EXPECT_FALSE(of(1'000, 4'001).has_short_rows());
  EXPECT_TRUE(of(16'384, 4).is_large_for_async());
  EXPECT_FALSE(of(16'383, 4).is_large_for_async());
  EXPECT_TRUE(of(1'000, 4'000).may_run_async({.visited = 1'000, .levels = 100}));
  EXPECT_FALSE(of(1'000, 4'001).may_run_async({.visited = 1'000, .levels = 100}));
}

TEST(ChooseTraversal, PassesByWhatSingleSearchesRunIn) {
  const Choice choice = of(20'000, 100'000);
  EXPECT_EQ(choice.ms_bfs_from(rows), 12u);
  EXPECT_EQ(choice.ms_bfs_from({.kind = TraversalKind::shared_memory, .diagonals = true}), 0u);
  EXPECT_EQ(choice.ms_bfs_from(in_cluster), 3u);
  EXPECT_EQ(choice.ms_bfs_from(grid_wide), 6u);
  EXPECT_EQ(choice.ms_bfs_from({.kind = TraversalKind::level_launches}), 4u);
  EXPECT_EQ(choice.ms_bfs_from(lock_step), 7u);
  EXPECT_EQ(choice.ms_bfs_from(other_high_diameter), 20u);
  EXPECT_EQ(of(20'000, 80'000).ms_bfs_from(lock_step), 20u);  // it will run asynchronously
  EXPECT_EQ(of(16'383, 16'383).ms_bfs_from(lock_step), 7u);   // it is too small to
  EXPECT_EQ(of(1'000'000, 10).ms_bfs_from(other_high_diameter), 20u);
  EXPECT_EQ(of(1'000'001, 10).ms_bfs_from(other_high_diameter), 50u);
  EXPECT_EQ(of(4'000'000, 10).ms_bfs_from(other_high_diameter), 50u);
  EXPECT_EQ(of(4'000'001, 10).ms_bfs_from(other_high_diameter), 0u);
}

TEST(ChooseTraversal, Names) {
  EXPECT_STREQ(name_of(TraversalKind::grid_wide), "grid-wide");
  EXPECT_STREQ(name_of(TraversalKind::high_diameter), "high-diameter");
  EXPECT_STREQ(name_of(TraversalKind::single_cluster), "single-cluster");
  EXPECT_STREQ(name_of(TraversalKind::shared_memory), "shared-memory");
  EXPECT_STREQ(name_of(TraversalKind::level_launches), "one launch a level");
}

// ---- thresholds.h ----

TEST(Thresholds, AreTheMeasuredOnesWhereTheyWereMeasured) {
  const thresholds::Device t = thresholds_for({.measured = false});  // the rule at the figures of the device that was measured
  EXPECT_EQ(t.widest_high_diameter, thresholds::h200.widest_high_diameter);
  EXPECT_EQ(t.few_threads_vertices_relabelled, thresholds::h200.few_threads_vertices_relabelled);
  EXPECT_EQ(t.most_in_cache, thresholds::h200.most_in_cache);
  device::Device simulator(*device::sim_api());
  EXPECT_EQ(thresholds_of(simulator).few_threads_vertices, thresholds::h200.few_threads_vertices);
  EXPECT_EQ(thresholds_of(simulator).widest_high_diameter, thresholds::h200.widest_high_diameter);
}

/// Only a device that is in all ways like the one that was measured has its thresholds; each other has one way to differ.
TEST(Thresholds, ADeviceIsTheMeasuredOneByAllOfItsFigures) {
  const device::Properties like{.multiprocessors = 132, .compute_major = 9, .l2_bytes = 1, .clusters = true};
  EXPECT_EQ(thresholds_of(like).most_in_cache, thresholds::h200.most_in_cache);
  const auto differs = [&](auto change) {
    device::Properties p = like;
    change(p);
    return thresholds_of(p).most_in_cache == 0;  // of a second-level cache of one byte
  };
  EXPECT_TRUE(differs([](device::Properties& p) { p.lanes = 64; }));
  EXPECT_TRUE(differs([](device::Properties& p) { p.lanes = 31; }));
  EXPECT_TRUE(differs([](device::Properties& p) { p.compute_major = 10; }));
  EXPECT_TRUE(differs([](device::Properties& p) { p.compute_major = 8; }));
  EXPECT_TRUE(differs([](device::Properties& p) { p.compute_minor = 1; }));
  EXPECT_TRUE(differs([](device::Properties& p) { p.multiprocessors = 131; }));
  EXPECT_TRUE(differs([](device::Properties& p) { p.multiprocessors = 133; }));
  EXPECT_FALSE(differs([](device::Properties& p) { p.compute_major = 0; }));  // the simulator
  const device::Properties a100{.multiprocessors = 108, .compute_major = 8, .clusters = false},
      clusters{.multiprocessors = 108, .compute_major = 10, .clusters = true},
      nothing{.multiprocessors = 0, .compute_major = 8};
  EXPECT_EQ(thresholds_of(a100).widest_high_diameter, 681u);
  EXPECT_EQ(thresholds_of(clusters).widest_high_diameter, 12'288u * 116 * 108 / (132 * 92));
  EXPECT_EQ(thresholds_of(nothing).few_threads_vertices, (1u << 18) / 132u);
}

TEST(Thresholds, FollowTheDeviceElsewhere) {
  // An A100: 108 multiprocessors, 40 MB of second-level cache, no clusters.
  const thresholds::Device a100 =
      thresholds_for({.measured = false, .multiprocessors = 108, .l2_bytes = std::uint64_t{40} << 20, .cluster_blocks = 1});
  EXPECT_EQ(a100.widest_high_diameter, 681u);  // one block instead of sixteen
  EXPECT_EQ(a100.few_threads_vertices, (1u << 18) * 108ull / 132);
  EXPECT_EQ(a100.most_in_cache, 800'000u);
  EXPECT_EQ(a100.tail_vertices, thresholds::h200.tail_vertices);
  // As many multiprocessors as the cluster has blocks: the whole device is never better. An unknown cache changes nothing.
  const thresholds::Device tiny = thresholds_for({.measured = false, .multiprocessors = 16, .l2_bytes = 0});
  EXPECT_EQ(tiny.widest_high_diameter, never);
  EXPECT_EQ(tiny.most_beside_cache, thresholds::h200.most_beside_cache);
  EXPECT_EQ(thresholds_for({.measured = false, .multiprocessors = 17}).widest_high_diameter, 12'288u * 116 * 17 / 132);
  EXPECT_EQ(thresholds_for({.measured = false, .multiprocessors = 108, .cluster_blocks = 0}).widest_high_diameter, 681u);
}

}  // namespace of_change_traversal_test
}  // namespace hopwave::testing
