// The clock: real time never goes back; in ticks, time passes by looks alone, and limits and alarms fall at the look that a
// test expects.
#include "core/clock.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/stopwatch.h"
#include "core/watch.h"
#include "support/ticks.h"

namespace hopwave::testing {
namespace of_clock_test {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
static_assert(std::chrono::is_clock_v<core::Clock>);

TEST(Clock, RealTimeNeverGoesBackAndCountsNoLooks) {
  const std::uint64_t looks = core::looks();
  core::Clock::time_point last = core::Clock::now();
  for (int i = 0; i < 10'000; ++i) {
    const auto now = i % 2 ? core::Clock::now() : core::look();
    ASSERT_GE(now, last);
    last = now;
  }
  EXPECT_GE(core::Stopwatch().seconds(), 0);
  EXPECT_EQ(core::looks(), looks);
}

TEST(Clock, InTicksEachLookIsAMillisecond) {
  {
    Ticks ticks;
    const auto begin = core::Clock::now();
    const core::Stopwatch watch;
    EXPECT_EQ(core::Clock::now(), begin + nanoseconds(2));  // the watch has read it as well
    EXPECT_EQ(core::look(), begin + milliseconds(1) + nanoseconds(2));
    EXPECT_EQ(core::look(), begin + milliseconds(2) + nanoseconds(2));
    ticks.pass(3);
    EXPECT_EQ(ticks.looks(), 5U);
    EXPECT_EQ(core::Clock::now(), begin + milliseconds(5) + nanoseconds(3));
    EXPECT_NEAR(watch.milliseconds(), 5, 1e-5);
    EXPECT_GT(core::Stopwatch().seconds(), 0);
  }
  EXPECT_FALSE(core::in_ticks());
  const Ticks again;
  EXPECT_TRUE(core::in_ticks());
  EXPECT_EQ(again.looks(), 0U);
}

TEST(Clock, AWatchIsOverAtTheLookOfItsLimit) {
  const Ticks ticks;
  for (int limit = 1; limit < 100; ++limit) {
    const std::uint64_t before = ticks.looks();
    const core::Watch watch({.time = Seconds(limit / 1000.0)});
    int looks = 1;
    while (!watch.over() && looks < 1000) ++looks;
    EXPECT_EQ(looks, limit);
    EXPECT_EQ(ticks.looks() - before, static_cast<std::uint64_t>(limit));
  }
  const std::uint64_t before = ticks.looks();
  std::stop_source stop;
  const core::Watch no_time({.stop = stop.get_token()});
  EXPECT_FALSE(no_time.over());
  stop.request_stop();
  EXPECT_TRUE(no_time.over());
  EXPECT_EQ(ticks.looks(), before);
}

TEST(Clock, AnAlarmSetsItsWordAtTheLookOfItsTime) {
  const Ticks ticks;
  std::uint32_t word = 0, other = 0, free = 0;
  {
    const core::Alarm third(&word, core::Clock::now() + milliseconds(3)), fifth(&other, core::Clock::now() + milliseconds(5));
    core::look_at(&free);  // no alarm's: no look
    EXPECT_EQ(ticks.looks(), 0U);
    core::look_at(&word);
    core::look_at(&word);
    EXPECT_EQ(word, 0U);
    core::look_at(&word);
    EXPECT_EQ(word, 1U);
    core::look_at(&other);
    EXPECT_EQ(other, 0U);
    core::look_at(&other);
    EXPECT_EQ(other, 1U);
    EXPECT_EQ(ticks.looks(), 5U);
  }
  const core::Alarm again(&word, core::Clock::now());  // takes the place of one that is gone
  word = 0;
  core::look_at(&other);
  EXPECT_EQ(ticks.looks(), 5U);
  core::look_at(&word);
  EXPECT_EQ(word, 1U);
}

TEST(Clock, ThreadsLookTogether) {
  static constexpr int threads = 4, rounds = 200, looks_a_round = 5;
  const Ticks ticks;
  std::array<int, threads> early{};
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t)
    team.emplace_back([t, &early] {
      std::uint32_t word = 0;
      for (int i = 0; i < rounds; ++i) {
        word = 0;
        const core::Alarm alarm(&word, core::Clock::now() + milliseconds(looks_a_round));
        for (int k = 0; k < looks_a_round; ++k) core::look_at(&word);
        early[static_cast<std::size_t>(t)] += word == 0;  // its own looks alone are enough
      }
    });
  for (std::thread& t : team) t.join();
  EXPECT_EQ(early, (std::array<int, threads>{}));
  EXPECT_EQ(ticks.looks(), static_cast<std::uint64_t>(threads * rounds * looks_a_round));
}

}  // namespace of_clock_test
}  // namespace hopwave::testing
