// The state machine of the grid-wide traversal, row by row of the table in its header. The kernel calls the same functions.
#include <gtest/gtest.h>

#include "bfs/engine/grid_wide/next_step.h"

namespace hopwave::testing {
namespace of_grid_wide_next_step_test {

using namespace engine;  // NOLINT(google-build-using-namespace): these are what is tested

constexpr std::uint64_t never = ~std::uint64_t{0};

/// A search in which no row applies but the last one; each test changes what its row asks for.
struct GridWideCase {
  Progress p{.level = 4,
             .base = 0,
             .deepest = 4,
             .mode = push,
             .current = 0,
             .step = 5,
             .known = 1,
             .cancelled = 0,
             .visited = 1000,
             .frontier = 100,
             .edges = 900};
  Totals t{
      .visited_bits = 0, .found_alone = 0, .single_block_levels = 0, .found = 50, .edges = 300, .incomplete = 0, .unlisted = 0};
  StepRule rule{.pull_edges = 10'000, .unqueued_edges = 5'000, .back_edges = 400, .max_depth = -1};
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

TEST(GridWideSteps, ALimitOfTheCallStopsWhatIsCounted) {
  for (const std::uint32_t mode : {push, pull, alone}) {
    GridWideCase c;
    if (mode == pull) c.pulled(1050);
    c.p.mode = mode;
    c.t.single_block_levels = 1;
    c.t.cancelled = 1;
    EXPECT_EQ(c.next(), stop) << mode;
    EXPECT_EQ(c.p.cancelled, 1u) << mode;
    EXPECT_EQ(c.p.level, 5u) << mode;
  }
  GridWideCase goes_on;
  EXPECT_EQ(goes_on.next(), push);
  EXPECT_EQ(goes_on.p.cancelled, 0u);
  GridWideCase uncounted;
  uncounted.p.mode = unqueued;
  uncounted.t.cancelled = 1;
  EXPECT_EQ(uncounted.next(), pull);
  EXPECT_EQ(uncounted.p.cancelled, 0u);
  GridWideCase tailed;
  tailed.pulled(1050).listed = true;
  tailed.t.cancelled = 1;
  EXPECT_EQ(tailed.next(), tail);
  EXPECT_EQ(tailed.p.cancelled, 0u);
  GridWideCase over;
  over.t.found = 0;
  over.t.cancelled = 1;
  EXPECT_EQ(over.next(), stop);
  EXPECT_EQ(over.p.cancelled, 0u);  // it ended by itself
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
}

TEST(GridWideSteps, Row9PullsAtManyEdges) {
  for (const std::uint32_t mode : {push, alone}) {
    GridWideCase c;
    c.p.mode = mode;
    c.t.single_block_levels = 1;
    c.t.edges = 10'000;
    EXPECT_EQ(c.next(), pull);
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
  c.t.edges = 10;
  c.t.found = 299;
  EXPECT_EQ(c.next(), alone);
  c = {};
  c.pulled(1050).t.edges = 10;
  EXPECT_EQ(c.next(), alone);
}

/// The sources' level is queued, and no pull has made it. The kernel asks choose_step() alone, with nothing to count before.
TEST(GridWideSteps, Rows9To12AtTheBeginning) {
  const auto begins = [](std::uint64_t sources, std::uint64_t edges, auto change) {
    GridWideCase c;
    c.rule = {.pull_edges = 10'000, .unqueued_edges = 5'000, .back_edges = 1, .max_depth = -1};
    change(c.rule);
    Progress p{};
    p.frontier = sources;
    p.edges = edges;
    return choose_step(p, c.rule, c.limits.single_block_capacity, true, false);
  };
  const auto as_it_stands = [](StepRule&) {};
  const auto only_level = [](StepRule& rule) { rule.max_depth = 1; };
  EXPECT_EQ(begins(1, 10'000, as_it_stands), pull);
  EXPECT_EQ(begins(1, 10'000, only_level), pull);
  EXPECT_EQ(begins(1, 9'999, as_it_stands), unqueued);
  EXPECT_EQ(begins(1, 5'000, as_it_stands), unqueued);
  EXPECT_EQ(begins(1, 5'000, only_level), push);
  EXPECT_EQ(begins(1, 5'000, [](StepRule& rule) { rule.max_depth = 2; }), unqueued);
  EXPECT_EQ(begins(1, 4'999, as_it_stands), push);
  EXPECT_EQ(begins(299, 299, as_it_stands), alone);
  EXPECT_EQ(begins(300, 299, as_it_stands), push);
  EXPECT_EQ(begins(299, 300, as_it_stands), push);
}

TEST(GridWideSteps, ADepthOfNoneLimitsNothing) {
  StepRule rule{.pull_edges = never, .unqueued_edges = never, .back_edges = never, .max_depth = 0};
  EXPECT_TRUE(at_depth_limit(rule, 0));
  rule.max_depth = -1;
  EXPECT_FALSE(at_depth_limit(rule, 0));
  EXPECT_FALSE(at_depth_limit(rule, ~0u));
}

/// All that a step leaves, whatever it was.
TEST(GridWideSteps, CountsEveryField) {
  GridWideCase pushed;
  pushed.next();
  EXPECT_EQ(pushed.p.level, 5u);
  EXPECT_EQ(pushed.p.deepest, 5u);
  EXPECT_EQ(pushed.p.step, 6u);
  EXPECT_EQ(pushed.p.current, 0u);
  EXPECT_EQ(pushed.p.known, 1u);
  EXPECT_EQ(pushed.p.visited, 1050u);
  EXPECT_EQ(pushed.p.frontier, 50u);
  EXPECT_EQ(pushed.p.edges, 300u);
  GridWideCase unseen;
  unseen.p.mode = unqueued;
  unseen.t.found = unseen.t.edges = 0;
  unseen.next();
  EXPECT_EQ(unseen.p.level, 5u);
  EXPECT_EQ(unseen.p.deepest, 4u);
  EXPECT_EQ(unseen.p.step, 6u);
  EXPECT_EQ(unseen.p.current, 0u);
  EXPECT_EQ(unseen.p.known, 0u);
  EXPECT_EQ(unseen.p.visited, 1000u);
  EXPECT_EQ(unseen.p.frontier, 0u);
  EXPECT_EQ(unseen.p.edges, 0u);
  GridWideCase back;  // the second bitmap is the current one
  back.pulled(1050).p.current = 1;
  back.next();
  EXPECT_EQ(back.p.current, 0u);
  EXPECT_EQ(back.p.level, 5u);
  EXPECT_EQ(back.p.deepest, 5u);
  EXPECT_EQ(back.p.visited, 1050u);
  GridWideCase both;  // what an unqueued push and the pull behind it found
  both.pulled(1250).p.known = 0;
  both.next();
  EXPECT_EQ(both.p.deepest, 5u);
  GridWideCase neither;
  neither.pulled(1000).p.known = 0;
  neither.p.deepest = 3;
  neither.t.found = 0;
  neither.next();
  EXPECT_EQ(neither.p.deepest, 3u);  // nor did the unqueued push
  GridWideCase last;                 // one block alone found nothing in its last level
  last.p.mode = alone;
  last.t = {
      .visited_bits = 0, .found_alone = 80, .single_block_levels = 3, .found = 0, .edges = 0, .incomplete = 0, .unlisted = 0};
  EXPECT_EQ(last.next(), stop);
  EXPECT_EQ(last.p.level, 7u);
  EXPECT_EQ(last.p.deepest, 6u);
  EXPECT_EQ(last.p.visited, 1080u);
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

}  // namespace of_grid_wide_next_step_test
}  // namespace hopwave::testing
