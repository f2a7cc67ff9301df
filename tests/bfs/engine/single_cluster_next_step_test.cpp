// The state machine of the single-cluster traversal, row by row of the table in its header. The kernel calls the same
// functions.
#include <gtest/gtest.h>

#include "bfs/engine/single_cluster/next_step.h"

namespace hopwave::engine::single_cluster {
namespace of_single_cluster_next_step_test {

constexpr std::uint64_t never = ~std::uint64_t{0};

struct Case {
  Progress p{.level = 3, .mode = push, .visited = 1000, .frontier = 100, .edges = 900, .open = 9'000};
  Total t{.found = 60, .edges = 1'000};
  Rule rule{.pull_edges = by_share,
            .back_edges = by_share,
            .single_block_edges = 500,
            .byte_edges = never,
            .share = 3,
            .max_depth = -1};
  Limits limits{.reachable = 5'000, .alone_vertices = 64};
  bool hit_target = false;

  std::uint32_t next() {
    advance(p, t, rule, limits, hit_target);
    return p.mode;
  }
};

TEST(SingleClusterSteps, Rows1To4Stop) {
  for (const std::uint32_t mode : {std::uint32_t{push}, std::uint32_t{pull}, std::uint32_t{alone}, start}) {
    Case c;
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
  Case c;
  c.rule.max_depth = 4;
  EXPECT_EQ(c.next(), push);
}

TEST(SingleClusterSteps, ALimitOfTheCallStops) {
  Case c;
  c.t.found |= cancelled_bit;
  EXPECT_EQ(c.next(), stop);
  EXPECT_FALSE(finished(c.p, c.p.frontier, c.rule, c.limits, false));  // so it was cancelled
  EXPECT_EQ(c.p.visited, 1060u);
  EXPECT_EQ(c.p.frontier, 60u);
  Case over;
  over.t = {cancelled_bit, 0};
  EXPECT_EQ(over.next(), stop);
  EXPECT_TRUE(finished(over.p, over.p.frontier, over.rule, over.limits, false));  // it ended by itself
}

TEST(SingleClusterSteps, BlocksMeetWhereTheCallHasLimits) {
  for (const std::uint32_t limited : {0u, 1u})
    for (const std::uint32_t level : {meet_every - 2, meet_every - 1, meet_every, 2 * meet_every - 1}) {
      Case c;
      c.t = {50, 500};
      c.p.level = level;
      c.rule.limited = limited;
      EXPECT_EQ(c.next() == alone, !limited || level % meet_every != meet_every - 1) << level;
    }
}

TEST(SingleClusterSteps, Rows5And6AreEachBlockForItself) {
  for (const std::uint32_t found : {49u, 50u}) {
    Case c;
    c.p.mode = pull;
    c.t = {found, 500};
    EXPECT_EQ(c.next(), found == 49 ? pull : alone);  // half of the frontier
    c = {};
    c.t = {found, 500};
    EXPECT_EQ(c.next(), alone);
  }
  Case c;
  c.t = {60, 501};
  EXPECT_EQ(c.next(), push);
  c = {};
  c.t = {65, 500};
  EXPECT_EQ(c.next(), push);
  c = {};
  c.t = {64, 500};
  EXPECT_EQ(c.next(), alone);
}

TEST(SingleClusterSteps, Rows7And8GoByTheShareOfOpenEdges) {
  for (const std::uint32_t mode : {push, pull, alone}) {
    Case c;
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
  Case c;
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

/// back_edges is the limit of pulls only: what each block found for itself goes by pull_edges, as a push does.
TEST(SingleClusterSteps, Rows9And10KeepTheLimitsApart) {
  for (const std::uint32_t mode : {std::uint32_t{push}, std::uint32_t{alone}, start}) {
    Case c;
    c.p.mode = mode;
    c.rule.pull_edges = 1'000;
    c.rule.back_edges = 1'001;
    EXPECT_EQ(c.next(), pull) << mode;
    c = {};
    c.p.mode = mode;
    c.rule.pull_edges = 1'001;
    c.rule.back_edges = 1'000;
    EXPECT_EQ(c.next(), push) << mode;
    c = {};
    c.p.mode = mode;
    c.rule.back_edges = 0;  // after a push the share decides
    EXPECT_EQ(c.next(), push) << mode;
  }
}

TEST(SingleClusterSteps, Counts) {
  Case c;
  c.next();
  EXPECT_EQ(c.p.level, 3u);  // the kernel counts levels
  EXPECT_EQ(c.p.visited, 1'060u);
  EXPECT_EQ(c.p.open, 8'000u);
  EXPECT_EQ(c.p.frontier, 60u);
  EXPECT_EQ(c.p.edges, 1'000u);
}

}  // namespace of_single_cluster_next_step_test
}  // namespace hopwave::engine::single_cluster
