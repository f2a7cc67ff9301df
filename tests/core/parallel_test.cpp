// Team: work is done by as many members as the system starts.
#include "core/parallel.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/no_threads.h"

namespace hopwave {
namespace of_parallel_test {

/// Every member takes part, all meet, and every item is done once.
void expect_work(Team& team, int asked) {
  ASSERT_GE(team.size(), 1);
  EXPECT_EQ(team.size() + team.missing(), asked);
  std::vector<int> seen(static_cast<std::size_t>(team.size()), 0);
  std::atomic<int> before_barrier{0}, wrong{0};
  team.run([&](int rank) {
    seen.at(static_cast<std::size_t>(rank)) = 1;
    ++before_barrier;
    team.barrier();
    wrong += before_barrier != team.size();
  });
  EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0), team.size());
  EXPECT_EQ(wrong, 0);
  std::atomic<std::uint64_t> sum{0};
  parallel_for(team, 1000, 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) sum += i;
  });
  EXPECT_EQ(sum, 499500u);
}

TEST(TeamTest, WorksWithAllItsThreads) {
  Team team(4);
  EXPECT_EQ(team.missing_text(), "");
  expect_work(team, 4);
}

TEST(TeamTest, WorksWithoutAnyThread) {
  const hopwave::testing::HugeStacks none(std::size_t{1} << 50);
  Team team(8);
  EXPECT_EQ(team.size(), 1);
  EXPECT_TRUE(team.missing_text().starts_with("only 1 of 8 threads")) << team.missing_text();
  expect_work(team, 8);
}

TEST(TeamTest, WorksWithTheThreadsThatStart) {
  const hopwave::testing::HugeStacks few(std::size_t{1} << 45);
  Team team(8);
  EXPECT_LT(team.size(), 8);
  expect_work(team, 8);
}

}  // namespace of_parallel_test
}  // namespace hopwave
