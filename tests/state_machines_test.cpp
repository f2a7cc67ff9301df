// The traversals' state machines, row by row of the tables in their headers. The kernels call the same functions.
#include <gtest/gtest.h>

#include "engine/change_traversal.h"
#include "engine/device_thresholds.h"
#include "engine/grid_wide/next_step.h"
#include "engine/ms_bfs/next_step.h"
#include "engine/single_cluster/next_step.h"

namespace hopwave::testing {
namespace {

using namespace engine;  // NOLINT(google-build-using-namespace): these are what is tested

constexpr std::uint64_t never = ~std::uint64_t{0};

// ---- grid_wide/next_step.h ----

/// A search in which no row applies but the last one; each test changes what its row asks for.
struct GridWideCase {
  Progress p{.level = 4,
             .base = 0,
             .deepest = 4,
             .mode = push,
             .current = 0,
             .step = 5,
             .known = 1,
             .no_hole = 0,
             .visited = 1000,
             .frontier = 100,
             .edges = 900};
  Totals t{
      .visited_bits = 0, .found_alone = 0, .single_block_levels = 0, .found = 50, .edges = 300, .incomplete = 0, .unlisted = 0};
  StepRule rule{.pull_edges = 10'000, .unqueued_edges = 5'000, .back_edges = 400, .can_pull = 1, .max_depth = -1};
  StepLimits limits{.padding = 24, .reachable = 5'000, .single_block_capacity = 299};
  bool hit_target = false, listed = false;

  /// After a pull that leaves `visited` vertices visited.
  GridWideCase& pulled(std::uint64_t visited) {
    p.mode = pull;
    t.visited_bits = visited + limits.padding;
    return *this;
  }
  /// Counts the step, and returns what comes next.
  std::uint32_t next() {
    advance(p, t, rule, limits, hit_target, listed);
    return p.mode;
  }
};

TEST(GridWideSteps, Row1StopsWhereNothingWasFound) {
  for (const std::uint32_t mode : {push, pull, alone}) {
    GridWideCase c;
    c.p.mode = mode;
    c.t = {.visited_bits = 1000 + c.limits.padding,
           .found_alone = 0,
           .single_block_levels = 1,
           .found = 0,
           .edges = 0,
           .incomplete = 0,
           .unlisted = 0};
    EXPECT_EQ(c.next(), stop) << mode;
    EXPECT_EQ(c.p.visited, 1000u);
    EXPECT_EQ(c.p.deepest, 4u);
  }
  GridWideCase c;
  c.p.mode = unqueued;
  c.t.found = 0;  // it counts nothing
  EXPECT_EQ(c.next(), pull);
}

TEST(GridWideSteps, Rows2To4Stop) {
  GridWideCase target;
  target.hit_target = true;
  EXPECT_EQ(target.next(), stop);
  GridWideCase deep;
  deep.rule.max_depth = 5;
  EXPECT_EQ(deep.next(), stop);
  deep = {};
  deep.rule.max_depth = 6;
  EXPECT_EQ(deep.next(), push);
  GridWideCase all;
  all.limits.reachable = 1050;
  EXPECT_EQ(all.next(), stop);
  all = {};
  all.limits.reachable = 1050;
  all.p.known = 0;  // after an unqueued push: `visited` is too low
  EXPECT_EQ(all.next(), push);
}

TEST(GridWideSteps, Row5GoesToTheTail) {
  GridWideCase c;
  c.pulled(1050).listed = true;
  EXPECT_EQ(c.next(), tail);
  c = {};
  c.pulled(1050).listed = true;
  c.t.found = 0;  // row 1 comes first
  c.t.visited_bits = 1000 + c.limits.padding;
  EXPECT_EQ(c.next(), stop);
}

TEST(GridWideSteps, Rows6And7PullWithoutAQueue) {
  GridWideCase c;
  c.p.mode = unqueued;
  EXPECT_EQ(c.next(), pull);
  EXPECT_EQ(c.p.known, 0u);
  c = {};
  c.pulled(1050).t.incomplete = 1;
  c.rule.back_edges = never;
  EXPECT_EQ(c.next(), pull);
}

TEST(GridWideSteps, Row8PullsAgain) {
  GridWideCase c;
  c.pulled(1050).t.edges = 400;
  EXPECT_EQ(c.next(), pull);
  c = {};
  c.pulled(1050).t.edges = 399;
  EXPECT_EQ(c.next(), push);
  c = {};
  c.pulled(1050).rule.back_edges = 0;
  c.rule.can_pull = 0;
  EXPECT_EQ(c.next(), push);
}

TEST(GridWideSteps, Row9PullsAtManyEdges) {
  for (const std::uint32_t mode : {push, alone}) {
    GridWideCase c;
    c.p.mode = mode;
    c.t.single_block_levels = 1;
    c.t.edges = 10'000;
    EXPECT_EQ(c.next(), pull);
    c = {};
    c.t.edges = 10'000;
    c.rule.can_pull = 0;
    EXPECT_EQ(c.next(), push);
  }
}

TEST(GridWideSteps, Row10PushesWithoutAQueue) {
  GridWideCase c;
  c.t.edges = 5'000;
  EXPECT_EQ(c.next(), unqueued);
  c = {};
  c.t.edges = 5'000;
  c.rule.max_depth = 6;  // the last level that may be found must be counted
  EXPECT_EQ(c.next(), push);
  c = {};
  c.pulled(1050).t.edges = 5'000;
  c.rule.back_edges = never;
  EXPECT_EQ(c.next(), push);
  c = {};
  c.t.edges = 4'999;
  EXPECT_EQ(c.next(), push);
}

TEST(GridWideSteps, Rows11And12AreOneBlockOrAll) {
  GridWideCase c;
  c.limits.single_block_capacity = 300;
  EXPECT_EQ(c.next(), alone);
  c = {};
  EXPECT_EQ(c.next(), push);  // 300 edges, room for 299
  c = {};
  c.t.edges = 10;
  c.t.found = 300;  // vertices count, too
  EXPECT_EQ(c.next(), push);
  c = {};
  c.pulled(1050).t.edges = 10;
  EXPECT_EQ(c.next(), alone);
}

TEST(GridWideSteps, Counts) {
  GridWideCase one;
  one.p.mode = alone;
  one.t = {.visited_bits = 0,
           .found_alone = 80,
           .single_block_levels = 3,
           .found = 20,
           .edges = 500,
           .incomplete = 0,
           .unlisted = 0};
  EXPECT_EQ(one.next(), push);
  EXPECT_EQ(one.p.level, 7u);
  EXPECT_EQ(one.p.deepest, 7u);
  EXPECT_EQ(one.p.visited, 1080u);
  EXPECT_EQ(one.p.frontier, 20u);
  EXPECT_EQ(one.p.step, 6u);
  GridWideCase after;  // an unqueued push found 200, the pull behind it 50
  after.pulled(1250).p.known = 0;
  EXPECT_EQ(unqueued_before(after.p, after.t, after.limits.padding), 200u);
  after.next();
  EXPECT_EQ(after.p.visited, 1250u);
  EXPECT_EQ(after.p.known, 1u);
  EXPECT_EQ(after.p.current, 1u);
  after = {};  // that found the last ones
  after.pulled(1200).p.known = 0;
  after.t.found = 0;
  EXPECT_EQ(after.next(), stop);
  EXPECT_EQ(after.p.deepest, 4u);
}

// ---- single_cluster/next_step.h ----

struct ClusterCase {
  ClusterProgress p{.level = 3, .mode = push, .visited = 1000, .frontier = 100, .edges = 900, .open = 9'000};
  ClusterTotal t{.found = 60, .edges = 1'000};
  ClusterRule rule{.pull_edges = by_share,
                   .back_edges = by_share,
                   .single_block_edges = 500,
                   .byte_edges = never,
                   .share = 3,
                   .max_depth = -1};
  ClusterLimits limits{.reachable = 5'000, .alone_vertices = 64};
  bool hit_target = false;

  std::uint32_t next() {
    advance(p, t, rule, limits, hit_target);
    return p.mode;
  }
};

TEST(SingleClusterSteps, Rows1To4Stop) {
  for (const std::uint32_t mode : {std::uint32_t{push}, std::uint32_t{pull}, std::uint32_t{alone}, start}) {
    ClusterCase c;
    c.p.mode = mode;
    c.t = {0, 0};
    EXPECT_EQ(c.next(), stop) << mode;
    c = {};
    c.p.mode = mode;
    c.limits.reachable = 1060;
    EXPECT_EQ(c.next(), stop) << mode;
    c = {};
    c.p.mode = mode;
    c.rule.max_depth = 3;
    EXPECT_EQ(c.next(), stop) << mode;
    c = {};
    c.p.mode = mode;
    c.hit_target = true;
    EXPECT_EQ(c.next(), stop) << mode;
  }
  ClusterCase c;
  c.rule.max_depth = 4;
  EXPECT_EQ(c.next(), push);
}

TEST(SingleClusterSteps, Rows5And6AreEachBlockForItself) {
  for (const std::uint32_t found : {49u, 50u}) {
    ClusterCase c;
    c.p.mode = pull;
    c.t = {found, 500};
    EXPECT_EQ(c.next(), found == 49 ? pull : alone);  // half of the frontier
    c = {};
    c.t = {found, 500};
    EXPECT_EQ(c.next(), alone);
  }
  ClusterCase c;
  c.t = {60, 501};
  EXPECT_EQ(c.next(), push);
  c = {};
  c.t = {65, 500};
  EXPECT_EQ(c.next(), push);
}

TEST(SingleClusterSteps, Rows7And8GoByTheShareOfOpenEdges) {
  for (const std::uint32_t mode : {push, pull, alone}) {
    ClusterCase c;
    c.p.mode = mode;
    c.t = {60, 2'250};  // of 6,750 that are open then
    EXPECT_EQ(c.next(), pull) << mode;
    EXPECT_EQ(c.p.open, 6'750u);
    EXPECT_EQ(c.p.visited, 1'060u);
    EXPECT_EQ(c.p.frontier, 60u);
    EXPECT_EQ(c.p.edges, 2'250u);
    c = {};
    c.p.mode = mode;
    c.t = {60, 2'249};
    EXPECT_EQ(c.next(), push) << mode;
  }
}

TEST(SingleClusterSteps, Rows9And10GoByTheCallersLimit) {
  ClusterCase c;
  c.rule.pull_edges = 1'000;
  EXPECT_EQ(c.next(), pull);
  c = {};
  c.rule.pull_edges = 1'001;
  EXPECT_EQ(c.next(), push);
  c = {};
  c.p.mode = pull;
  c.rule.pull_edges = 0;
  c.rule.back_edges = 1'001;
  EXPECT_EQ(c.next(), push);
  c = {};
  c.p.mode = pull;
  c.rule.pull_edges = never - 1;
  c.rule.back_edges = 1'000;
  EXPECT_EQ(c.next(), pull);
}

// ---- ms_bfs/next_step.h ----

struct MsBfsCase {
  MsBfsProgress p{};
  MsBfsFound f{.queued = 50, .queue_edges = 300, .brought = 0, .found = 40, .edges = 280, .left = 5, .work = 70};
  MsBfsRule rule{.pull_edges = 10'000,
                 .back_edges = 200,
                 .unqueued_edges = 5'000,
                 .thin_edges = 1'000,
                 .tail_work = 60,
                 .tail_rows = 10,
                 .lists_tail = 1,
                 .can_pull = 1,
                 .num_planes = 8,
                 .max_depth = -1,
                 .full = 0xFF};

  explicit MsBfsCase(std::uint32_t mode) {
    p.mode = mode;
    p.level = 5;
    p.turn = 7;
    p.queued = 30;
    p.old = 20;
    p.thick = 0xFF;
    p.visited = 1000;
    p.deepest = 5;
    p.pulled = 1;
  }
  std::uint32_t next() {
    advance_level(p, f, rule);
    return p.mode;
  }
};

TEST(MsBfsSteps, Rows1To3AreThinSearches) {
  MsBfsCase c(ms_bfs_select);
  c.p.thick = 0x0F;
  advance_thin(c.p, c.f, c.rule);
  EXPECT_EQ(c.p.mode, ms_bfs_spread);
  EXPECT_EQ(c.p.thin, 50u);
  EXPECT_EQ(c.p.edges, 300u);
  EXPECT_EQ(c.p.thick, 0x0Fu);
  advance_thin(c.p, c.f, c.rule);
  EXPECT_EQ(c.p.mode, ms_bfs_pull);
  EXPECT_EQ(c.p.mixed, 1u);
  EXPECT_EQ(c.p.thick, 0x0Fu);
  MsBfsCase many(ms_bfs_select);
  many.p.thick = 0x0F;
  many.f.queue_edges = 1'000;
  advance_thin(many.p, many.f, many.rule);
  EXPECT_EQ(many.p.mode, ms_bfs_pull);
  EXPECT_EQ(many.p.thick, 0xFFu);  // the pull looks for all
  MsBfsCase none(ms_bfs_select);
  none.f.queued = none.f.queue_edges = 0;
  advance_thin(none.p, none.f, none.rule);
  EXPECT_EQ(none.p.mode, ms_bfs_pull);
  EXPECT_EQ(none.p.mixed, 0u);
}

TEST(MsBfsSteps, Rows4And5FollowAnUnqueuedPush) {
  MsBfsCase skips(ms_bfs_unqueued);
  advance_unqueued(skips.p, skips.rule, true);
  EXPECT_EQ(skips.p.mode, ms_bfs_pull);
  EXPECT_EQ(skips.p.level, 6u);
  EXPECT_EQ(skips.p.behind, 1u);
  EXPECT_EQ(skips.p.mixed, 0u);
  EXPECT_EQ(skips.p.old, 30u);
  EXPECT_EQ(skips.p.current, 1u);
  EXPECT_EQ(skips.p.thick, 0xFFu);
  MsBfsCase counts(ms_bfs_unqueued);
  advance_unqueued(counts.p, counts.rule, false);
  EXPECT_EQ(counts.p.mode, ms_bfs_pull);
  EXPECT_EQ(counts.p.level, 5u);
  EXPECT_EQ(counts.p.mixed, 1u);
  EXPECT_EQ(counts.p.thick, 0u);
}

TEST(MsBfsSteps, Row4WantsWholeWords) {
  MsBfsCase c(ms_bfs_unqueued);
  c.p.pulled = 0;
  c.p.level = 2;
  EXPECT_TRUE(may_skip_count(c.p, c.rule));
  c.p.level = 3;
  EXPECT_FALSE(may_skip_count(c.p, c.rule));
  c.p.level = 2;
  c.rule.max_depth = 3;
  EXPECT_FALSE(may_skip_count(c.p, c.rule));
  c.rule.max_depth = 4;
  EXPECT_TRUE(may_skip_count(c.p, c.rule));
  c.rule.num_planes = 2;  // levels up to 3
  EXPECT_FALSE(may_skip_count(c.p, c.rule));
  c.rule.num_planes = 3;
  c.p.pulled = 1;
  EXPECT_FALSE(may_skip_count(c.p, c.rule));
}

TEST(MsBfsSteps, Row6Stops) {
  for (const std::uint32_t mode : {ms_bfs_begin, ms_bfs_push, ms_bfs_pull, ms_bfs_gather}) {
    MsBfsCase c(mode);
    c.f.queued = c.f.found = 0;
    EXPECT_EQ(c.next(), ms_bfs_stop) << mode;
    MsBfsCase deep(mode);
    deep.rule.max_depth = mode == ms_bfs_push || mode == ms_bfs_pull ? 6 : 5;
    EXPECT_EQ(deep.next(), ms_bfs_stop) << mode;
  }
}

TEST(MsBfsSteps, Row7GoesToTheTail) {
  const auto after = [](auto change) {
    MsBfsCase c(ms_bfs_pull);
    c.f.work = 60;
    c.f.left = 10;
    change(c);
    return c.next();
  };
  EXPECT_EQ(after([](MsBfsCase&) {}), ms_bfs_tail);
  EXPECT_EQ(after([](MsBfsCase& c) { c.f.work = 61; }), ms_bfs_pull);
  EXPECT_EQ(after([](MsBfsCase& c) { c.f.left = 11; }), ms_bfs_pull);
  EXPECT_EQ(after([](MsBfsCase& c) { c.rule.lists_tail = 0; }), ms_bfs_pull);
  EXPECT_EQ(after([](MsBfsCase& c) { c.p.thick = 0; }), ms_bfs_pull);          // that pull only counted
  EXPECT_EQ(after([](MsBfsCase& c) { c.rule.num_planes = 2; }), ms_bfs_pull);  // the tail has no digits to write
}

TEST(MsBfsSteps, Rows8And9FollowAPull) {
  MsBfsCase few(ms_bfs_pull);
  few.f.edges = 199;
  EXPECT_EQ(few.next(), ms_bfs_gather);
  MsBfsCase many(ms_bfs_pull);
  many.f.edges = 200;
  EXPECT_EQ(many.next(), ms_bfs_pull);
  EXPECT_EQ(many.p.thick, 0xFFu);
  EXPECT_EQ(many.p.level, 6u);
  EXPECT_EQ(many.p.visited, 1040u);
  EXPECT_EQ(many.p.queued, 0u);
  EXPECT_EQ(many.p.old, 30u);
  EXPECT_EQ(many.p.older, 20u);
}

TEST(MsBfsSteps, Rows10To12FollowAQueue) {
  for (const std::uint32_t mode : {ms_bfs_begin, ms_bfs_push, ms_bfs_gather}) {
    MsBfsCase c(mode);
    c.f.queue_edges = 10'000;
    EXPECT_EQ(c.next(), mode == ms_bfs_gather ? ms_bfs_unqueued : ms_bfs_pull) << mode;  // not back at once
    MsBfsCase some(mode);
    some.f.queue_edges = 5'000;
    EXPECT_EQ(some.next(), ms_bfs_unqueued) << mode;
    EXPECT_EQ(some.p.level, mode == ms_bfs_push ? 6u : 5u);
    EXPECT_EQ(some.p.visited, mode == ms_bfs_gather ? 1000u : 1050u);  // the pull has counted what is gathered
    MsBfsCase few(mode);
    few.f.queue_edges = 4'999;
    EXPECT_EQ(few.next(), ms_bfs_push) << mode;
    MsBfsCase blind(mode);
    blind.f.queue_edges = 10'000;
    blind.rule.can_pull = 0;
    EXPECT_EQ(blind.next(), ms_bfs_push) << mode;
  }
}

TEST(MsBfsSteps, APullCountsWhatAnUnqueuedPushBrought) {
  MsBfsCase c(ms_bfs_pull);
  c.p.behind = 1;
  c.p.level = 6;
  c.f.brought = 25;
  EXPECT_EQ(c.next(), ms_bfs_pull);
  EXPECT_EQ(c.p.visited, 1065u);
  EXPECT_EQ(c.p.deepest, 7u);
  MsBfsCase last(ms_bfs_pull);
  last.p.behind = 1;
  last.p.level = 6;
  last.f.brought = 25;
  last.f.found = 0;
  EXPECT_EQ(last.next(), ms_bfs_stop);
  EXPECT_EQ(last.p.deepest, 6u);
  MsBfsCase neither(ms_bfs_pull);
  neither.p.behind = 1;
  neither.p.level = 6;
  neither.f.found = 0;
  EXPECT_EQ(neither.next(), ms_bfs_stop);
  EXPECT_EQ(neither.p.level, 6u);
  EXPECT_EQ(neither.p.deepest, 5u);
}

TEST(MsBfsSteps, PausesAndLateSearches) {
  MsBfsCase c(ms_bfs_push);
  c.p.level = 255;
  pause_for_planes(c.p, c.rule);
  EXPECT_EQ(c.p.paused, 1u);
  EXPECT_FALSE(running(c.p));
  c.p.mode = ms_bfs_stop;
  pause_for_planes(c.p, c.rule);
  EXPECT_EQ(c.p.paused, 0u);
  c.p.mode = ms_bfs_pull;
  c.p.level = 254;
  pause_for_planes(c.p, c.rule);
  EXPECT_TRUE(running(c.p));
  EXPECT_TRUE(few_late(3, 64));
  EXPECT_FALSE(few_late(4, 64));
  tell_apart(c.p, 0x3F);
  EXPECT_EQ(c.p.mode, ms_bfs_select);
  EXPECT_EQ(c.p.thick, 0x3Fu);
}

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

// ---- thresholds.h ----

TEST(Thresholds, AreTheMeasuredOnesWhereTheyWereMeasured) {
  const Thresholds t = thresholds_for({.measured = false});  // the rule at the figures of the device that was measured
  EXPECT_EQ(t.widest_high_diameter, h200.widest_high_diameter);
  EXPECT_EQ(t.few_threads_vertices_relabelled, h200.few_threads_vertices_relabelled);
  EXPECT_EQ(t.most_in_cache, h200.most_in_cache);
  device::Device simulator(*device::sim_api());
  EXPECT_EQ(thresholds_of(simulator).few_threads_vertices, h200.few_threads_vertices);
  EXPECT_EQ(thresholds_of(simulator).widest_high_diameter, h200.widest_high_diameter);
}

TEST(Thresholds, FollowTheDeviceElsewhere) {
  // An A100: 108 multiprocessors, 40 MB of second-level cache, no clusters.
  const Thresholds a100 =
      thresholds_for({.measured = false, .multiprocessors = 108, .l2_bytes = std::uint64_t{40} << 20, .cluster_blocks = 1});
  EXPECT_EQ(a100.widest_high_diameter, 681u);  // one block instead of sixteen
  EXPECT_EQ(a100.few_threads_vertices, (1u << 18) * 108ull / 132);
  EXPECT_EQ(a100.most_in_cache, 800'000u);
  EXPECT_EQ(a100.tail_vertices, h200.tail_vertices);
  // As many multiprocessors as the cluster has blocks: the whole device is never better. An unknown cache changes nothing.
  const Thresholds tiny = thresholds_for({.measured = false, .multiprocessors = 16, .l2_bytes = 0});
  EXPECT_EQ(tiny.widest_high_diameter, never);
  EXPECT_EQ(tiny.most_beside_cache, h200.most_beside_cache);
}

}  // namespace
}  // namespace hopwave::testing
