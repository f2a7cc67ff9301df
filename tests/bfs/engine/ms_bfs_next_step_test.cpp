// The state machine of many searches in one pass (MS-BFS), row by row of the table in its header. The kernels call the same
// functions.
#include <gtest/gtest.h>

#include "bfs/engine/ms_bfs/next_step.h"

namespace hopwave::engine::ms_bfs {

inline std::ostream& operator<<(std::ostream& to, Mode mode) { return to << static_cast<std::uint32_t>(mode); }

namespace of_ms_bfs_next_step_test {

// ---- ms_bfs/next_step.h ----

struct Case {
  Progress p{};
  Found f{.queued = 50, .queue_edges = 300, .brought = 0, .found = 40, .edges = 280, .left = 5, .work = 70};
  Rule rule{.pull_edges = 10'000,
            .back_edges = 200,
            .unqueued_edges = 5'000,
            .tail_work = 60,
            .tail_rows = 10,
            .lists_tail = 1,
            .num_planes = 8,
            .max_depth = -1,
            .full = 0xFF};

  explicit Case(Mode mode) {
    p.mode = mode;
    p.level = 5;
    p.turn = 7;
    p.queues.queued = 30;
    p.queues.old = 20;
    p.visited = 1000;
    p.deepest = 5;
    p.pulled = 1;
  }
  Mode next() {
    advance_level(p, f, rule);
    return p.mode;
  }
};

TEST(MsBfsSteps, ALimitOfTheCallStops) {
  for (const Mode mode : {Mode::begin, Mode::push, Mode::pull, Mode::gather}) {
    Case c(mode);
    c.f.cancelled = 1;
    EXPECT_EQ(c.next(), Mode::stop) << mode;
    EXPECT_EQ(c.p.cancelled, 1u) << mode;
  }
  Case over(Mode::push);
  over.f = {};
  over.f.cancelled = 1;
  EXPECT_EQ(over.next(), Mode::stop);
  EXPECT_EQ(over.p.cancelled, 0u);  // they ended by themselves
  Case short_tail(Mode::pull);
  short_tail.rule.tail_work = 100;
  short_tail.f.cancelled = 1;
  EXPECT_EQ(short_tail.next(), Mode::tail) << "which ends soon";
  EXPECT_EQ(short_tail.p.cancelled, 0u);
}

/// The queues and the fresh words of a level are those of `turn`, so each level must take the next.
TEST(MsBfsSteps, EachLevelTakesTheNextTurn) {
  for (const Mode mode : {Mode::begin, Mode::push, Mode::pull, Mode::gather}) {
    Case c(mode);
    c.next();
    EXPECT_EQ(c.p.turn, 8u) << mode;
    EXPECT_EQ(c.p.queues.old, 30u) << mode;
    EXPECT_EQ(c.p.queues.older, 20u) << mode;
    EXPECT_EQ(c.p.queues.queued, mode == Mode::pull ? 0u : 50u) << mode;
    EXPECT_EQ(c.p.edges, mode == Mode::pull ? 280u : 300u) << mode;
    EXPECT_EQ(c.p.left, mode == Mode::pull ? 5u : 0u) << mode;
    EXPECT_EQ(c.p.current, mode == Mode::pull ? 1u : 0u) << mode;
  }
  Case skips(Mode::unqueued), counts(Mode::unqueued);
  advance_unqueued(skips.p, true);
  EXPECT_EQ(skips.p.turn, 8u);
  EXPECT_EQ(skips.p.queues.queued, 0u);
  advance_unqueued(counts.p, false);
  EXPECT_EQ(counts.p.turn, 7u);  // the level is not over
  EXPECT_EQ(counts.p.queues.queued, 30u);
  EXPECT_EQ(counts.p.current, 0u);
  EXPECT_EQ(counts.p.pull.behind, 0u);
}

TEST(MsBfsSteps, AFirstPullIsRemembered) {
  Case pulled(Mode::pull), pushed(Mode::push);
  pulled.p.pulled = pushed.p.pulled = 0;
  pulled.next();
  EXPECT_EQ(pulled.p.pulled, 1u);
  pushed.next();
  EXPECT_EQ(pushed.p.pulled, 0u);
}

TEST(MsBfsSteps, TheSecondBitmapGivesWayToTheFirst) {
  Case pulled(Mode::pull), skips(Mode::unqueued);
  pulled.p.current = skips.p.current = 1;
  pulled.next();
  EXPECT_EQ(pulled.p.current, 0u);
  advance_unqueued(skips.p, true);
  EXPECT_EQ(skips.p.current, 0u);
}

TEST(MsBfsSteps, Rows1And2FollowAnUnqueuedPush) {
  Case skips(Mode::unqueued);
  advance_unqueued(skips.p, true);
  EXPECT_EQ(skips.p.mode, Mode::pull);
  EXPECT_EQ(skips.p.level, 6u);
  EXPECT_EQ(skips.p.pull.behind, 1u);
  EXPECT_EQ(skips.p.pull.only_counts, 0u);
  EXPECT_EQ(skips.p.queues.old, 30u);
  EXPECT_EQ(skips.p.current, 1u);
  Case counts(Mode::unqueued);
  advance_unqueued(counts.p, false);
  EXPECT_EQ(counts.p.mode, Mode::pull);
  EXPECT_EQ(counts.p.level, 5u);
  EXPECT_EQ(counts.p.pull.only_counts, 1u);
}

TEST(MsBfsSteps, Row1WantsWholeWords) {
  Case c(Mode::unqueued);
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
  Rule rule{};
  rule.num_planes = 3;
  EXPECT_FALSE(needs_planes(rule, 6));  // the next level is 7
  EXPECT_TRUE(needs_planes(rule, 7));
  Case early(Mode::unqueued);
  early.p.pulled = 0;
  early.p.level = 1;
  early.rule.num_planes = 2;
  EXPECT_TRUE(may_skip_count(early.p, early.rule));  // the level after the next is 3
  for (const Mode mode : {Mode::begin, Mode::push, Mode::pull, Mode::gather, Mode::unqueued, Mode::tail})
    EXPECT_TRUE(running(Case(mode).p)) << mode;
  EXPECT_FALSE(running(Case(Mode::stop).p));
  rule.max_depth = 0;
  EXPECT_TRUE(is_deepest(rule, 0));
  rule.max_depth = 4;
  EXPECT_FALSE(is_deepest(rule, 3));
  EXPECT_TRUE(is_deepest(rule, 4));
  EXPECT_TRUE(is_deepest(rule, 5));
  rule.max_depth = -1;
  EXPECT_FALSE(is_deepest(rule, ~0u));
}

TEST(MsBfsSteps, Row3Stops) {
  for (const Mode mode : {Mode::begin, Mode::push, Mode::pull, Mode::gather}) {
    Case c(mode);
    c.f.queued = c.f.found = 0;
    EXPECT_EQ(c.next(), Mode::stop) << mode;
    Case deep(mode);
    deep.rule.max_depth = mode == Mode::push || mode == Mode::pull ? 6 : 5;
    EXPECT_EQ(deep.next(), Mode::stop) << mode;
  }
}

TEST(MsBfsSteps, Row4GoesToTheTail) {
  const auto after = [](auto change) {
    Case c(Mode::pull);
    c.f.work = 60;
    c.f.left = 10;
    change(c);
    return c.next();
  };
  EXPECT_EQ(after([](Case&) {}), Mode::tail);
  EXPECT_EQ(after([](Case& c) { c.f.work = 61; }), Mode::pull);
  EXPECT_EQ(after([](Case& c) { c.f.left = 11; }), Mode::pull);
  EXPECT_EQ(after([](Case& c) { c.rule.lists_tail = 0; }), Mode::pull);
  EXPECT_EQ(after([](Case& c) { c.p.pull.only_counts = 1; }), Mode::pull);  // that pull only counted
  EXPECT_EQ(after([](Case& c) { c.rule.num_planes = 2; }), Mode::pull);     // the tail has no digits to write
}

TEST(MsBfsSteps, Rows5And6FollowAPull) {
  Case few(Mode::pull);
  few.f.edges = 199;
  EXPECT_EQ(few.next(), Mode::gather);
  Case many(Mode::pull);
  many.f.edges = 200;
  EXPECT_EQ(many.next(), Mode::pull);
  EXPECT_EQ(many.p.pull.only_counts, 0u);
  EXPECT_EQ(many.p.level, 6u);
  EXPECT_EQ(many.p.visited, 1040u);
  EXPECT_EQ(many.p.queues.queued, 0u);
  EXPECT_EQ(many.p.queues.old, 30u);
  EXPECT_EQ(many.p.queues.older, 20u);
}

TEST(MsBfsSteps, Rows7To9FollowAQueue) {
  for (const Mode mode : {Mode::begin, Mode::push, Mode::gather}) {
    Case c(mode);
    c.f.queue_edges = 10'000;
    EXPECT_EQ(c.next(), mode == Mode::gather ? Mode::unqueued : Mode::pull) << mode;  // not back at once
    Case some(mode);
    some.f.queue_edges = 5'000;
    EXPECT_EQ(some.next(), Mode::unqueued) << mode;
    EXPECT_EQ(some.p.level, mode == Mode::push ? 6u : 5u);
    EXPECT_EQ(some.p.visited, mode == Mode::gather ? 1000u : 1050u);  // the pull has counted what is gathered
    Case few(mode);
    few.f.queue_edges = 4'999;
    EXPECT_EQ(few.next(), Mode::push) << mode;
  }
}

TEST(MsBfsSteps, APullCountsWhatAnUnqueuedPushBrought) {
  Case c(Mode::pull);
  c.p.pull.behind = 1;
  c.p.level = 6;
  c.f.brought = 25;
  EXPECT_EQ(c.next(), Mode::pull);
  EXPECT_EQ(c.p.visited, 1065u);
  EXPECT_EQ(c.p.deepest, 7u);
  Case last(Mode::pull);
  last.p.pull.behind = 1;
  last.p.level = 6;
  last.f.brought = 25;
  last.f.found = 0;
  EXPECT_EQ(last.next(), Mode::stop);
  EXPECT_EQ(last.p.deepest, 6u);
  Case neither(Mode::pull);
  neither.p.pull.behind = 1;
  neither.p.level = 6;
  neither.f.found = 0;
  EXPECT_EQ(neither.next(), Mode::stop);
  EXPECT_EQ(neither.p.level, 6u);
  EXPECT_EQ(neither.p.deepest, 5u);
}

TEST(MsBfsSteps, OnlyAPullChangesWhatAPullDoes) {
  Case pushed(Mode::push), pulls(Mode::push);
  pushed.p.pull.only_counts = pulls.p.pull.only_counts = 1;
  EXPECT_EQ(pushed.next(), Mode::push);
  EXPECT_EQ(pushed.p.pull.only_counts, 1u);
  pulls.f.queue_edges = 10'000;
  EXPECT_EQ(pulls.next(), Mode::pull);
  EXPECT_EQ(pulls.p.pull.only_counts, 0u);
}

TEST(MsBfsSteps, DeepestIsTheLastLevelThatFoundAny) {
  Case pushed(Mode::push), pulled(Mode::pull), gathered(Mode::gather), none(Mode::push);
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
  Case straight(Mode::pull);  // no unqueued push came before: the level is the pull's own
  straight.f.found = 0;
  straight.next();
  EXPECT_EQ(straight.p.level, 6u);
  EXPECT_EQ(straight.p.pull.behind, 0u);
}

TEST(MsBfsSteps, Pauses) {
  Case c(Mode::push);
  c.p.level = 255;
  pause_for_planes(c.p, c.rule);
  EXPECT_EQ(c.p.paused, 1u);
  EXPECT_FALSE(running(c.p));
  c.p.mode = Mode::stop;
  pause_for_planes(c.p, c.rule);
  EXPECT_EQ(c.p.paused, 0u);
  c.p.mode = Mode::pull;
  c.p.level = 254;
  pause_for_planes(c.p, c.rule);
  EXPECT_TRUE(running(c.p));
}

}  // namespace of_ms_bfs_next_step_test
}  // namespace hopwave::engine::ms_bfs
