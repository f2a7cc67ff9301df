// The state machine of many searches in one pass (MS-BFS), row by row of the table in its header. The kernels call the same
// functions.
#include <gtest/gtest.h>

#include "bfs/engine/ms_bfs/next_step.h"

namespace hopwave::testing {
namespace of_ms_bfs_next_step_test {

using namespace engine;  // NOLINT(google-build-using-namespace): these are what is tested

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

TEST(MsBfsSteps, ALimitOfTheCallStops) {
  for (const std::uint32_t mode : {ms_bfs_begin, ms_bfs_push, ms_bfs_pull, ms_bfs_gather}) {
    MsBfsCase c(mode);
    c.f.cancelled = 1;
    EXPECT_EQ(c.next(), ms_bfs_stop) << mode;
    EXPECT_EQ(c.p.cancelled, 1u) << mode;
  }
  MsBfsCase over(ms_bfs_push);
  over.f = {};
  over.f.cancelled = 1;
  EXPECT_EQ(over.next(), ms_bfs_stop);
  EXPECT_EQ(over.p.cancelled, 0u);  // they ended by themselves
  MsBfsCase short_tail(ms_bfs_pull);
  short_tail.rule.tail_work = 100;
  short_tail.f.cancelled = 1;
  EXPECT_EQ(short_tail.next(), ms_bfs_tail) << "which ends soon";
  EXPECT_EQ(short_tail.p.cancelled, 0u);
}

/// The queues and the fresh words of a level are those of `turn`, so each level must take the next.
TEST(MsBfsSteps, EachLevelTakesTheNextTurn) {
  for (const std::uint32_t mode : {ms_bfs_begin, ms_bfs_push, ms_bfs_pull, ms_bfs_gather}) {
    MsBfsCase c(mode);
    c.next();
    EXPECT_EQ(c.p.turn, 8u) << mode;
    EXPECT_EQ(c.p.old, 30u) << mode;
    EXPECT_EQ(c.p.older, 20u) << mode;
    EXPECT_EQ(c.p.queued, mode == ms_bfs_pull ? 0u : 50u) << mode;
    EXPECT_EQ(c.p.edges, mode == ms_bfs_pull ? 280u : 300u) << mode;
    EXPECT_EQ(c.p.left, mode == ms_bfs_pull ? 5u : 0u) << mode;
    EXPECT_EQ(c.p.current, mode == ms_bfs_pull ? 1u : 0u) << mode;
  }
  MsBfsCase skips(ms_bfs_unqueued), counts(ms_bfs_unqueued);
  advance_unqueued(skips.p, skips.rule, true);
  EXPECT_EQ(skips.p.turn, 8u);
  EXPECT_EQ(skips.p.queued, 0u);
  advance_unqueued(counts.p, counts.rule, false);
  EXPECT_EQ(counts.p.turn, 7u);  // the level is not over
  EXPECT_EQ(counts.p.queued, 30u);
  EXPECT_EQ(counts.p.current, 0u);
  EXPECT_EQ(counts.p.behind, 0u);
}

TEST(MsBfsSteps, AFirstPullIsRemembered) {
  MsBfsCase pulled(ms_bfs_pull), pushed(ms_bfs_push);
  pulled.p.pulled = pushed.p.pulled = 0;
  pulled.next();
  EXPECT_EQ(pulled.p.pulled, 1u);
  pushed.next();
  EXPECT_EQ(pushed.p.pulled, 0u);
}

TEST(MsBfsSteps, TheSecondBitmapGivesWayToTheFirst) {
  MsBfsCase pulled(ms_bfs_pull), skips(ms_bfs_unqueued);
  pulled.p.current = skips.p.current = 1;
  pulled.next();
  EXPECT_EQ(pulled.p.current, 0u);
  advance_unqueued(skips.p, skips.rule, true);
  EXPECT_EQ(skips.p.current, 0u);
}

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
  many.p.mode = ms_bfs_select;
  many.p.thick = 0x0F;
  many.f.queue_edges = 999;
  advance_thin(many.p, many.f, many.rule);
  EXPECT_EQ(many.p.mode, ms_bfs_spread);
  EXPECT_EQ(many.p.thick, 0x0Fu);
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

TEST(MsBfsSteps, DigitsAndDepths) {
  MsBfsRule rule{};
  rule.num_planes = 3;
  EXPECT_FALSE(needs_planes(rule, 6));  // the next level is 7
  EXPECT_TRUE(needs_planes(rule, 7));
  MsBfsCase early(ms_bfs_unqueued);
  early.p.pulled = 0;
  early.p.level = 1;
  early.rule.num_planes = 2;
  EXPECT_TRUE(may_skip_count(early.p, early.rule));  // the level after the next is 3
  for (std::uint32_t mode = ms_bfs_begin; mode < ms_bfs_stop; ++mode) EXPECT_TRUE(running(MsBfsCase(mode).p)) << mode;
  EXPECT_FALSE(running(MsBfsCase(ms_bfs_stop).p));
  rule.max_depth = 0;
  EXPECT_TRUE(is_deepest(rule, 0));
  rule.max_depth = 4;
  EXPECT_FALSE(is_deepest(rule, 3));
  EXPECT_TRUE(is_deepest(rule, 4));
  EXPECT_TRUE(is_deepest(rule, 5));
  rule.max_depth = -1;
  EXPECT_FALSE(is_deepest(rule, ~0u));
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

TEST(MsBfsSteps, OnlyAPullChangesWhatIsLookedFor) {
  MsBfsCase pushed(ms_bfs_push), pulls(ms_bfs_push);
  pushed.p.thick = pulls.p.thick = 0x0F;
  pushed.p.mixed = pulls.p.mixed = 1;
  EXPECT_EQ(pushed.next(), ms_bfs_push);
  EXPECT_EQ(pushed.p.thick, 0x0Fu);
  EXPECT_EQ(pushed.p.mixed, 1u);
  pulls.f.queue_edges = 10'000;
  EXPECT_EQ(pulls.next(), ms_bfs_pull);
  EXPECT_EQ(pulls.p.thick, 0xFFu);
  EXPECT_EQ(pulls.p.mixed, 0u);
}

TEST(MsBfsSteps, DeepestIsTheLastLevelThatFoundAny) {
  MsBfsCase pushed(ms_bfs_push), pulled(ms_bfs_pull), gathered(ms_bfs_gather), none(ms_bfs_push);
  pushed.next();
  EXPECT_EQ(pushed.p.deepest, 6u);
  EXPECT_EQ(pushed.p.visited, 1050u);
  pulled.next();
  EXPECT_EQ(pulled.p.deepest, 6u);
  gathered.p.deepest = 4;
  gathered.next();
  EXPECT_EQ(gathered.p.deepest, 4u);  // the pull before it has said so
  none.f.queued = 0;
  none.next();
  EXPECT_EQ(none.p.deepest, 5u);
  MsBfsCase straight(ms_bfs_pull);  // no unqueued push came before: the level is the pull's own
  straight.f.found = 0;
  straight.next();
  EXPECT_EQ(straight.p.level, 6u);
  EXPECT_EQ(straight.p.behind, 0u);
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

}  // namespace of_ms_bfs_next_step_test
}  // namespace hopwave::testing
