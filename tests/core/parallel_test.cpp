// Team: work is done by as many members as the system starts.
#include "core/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include "support/no_threads.h"
#include "support/temp_dir.h"

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
    team.barrier(rank);
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

/// A tree of more than two levels, and more threads than this machine has processors; some of them sleep at times.
TEST(TeamTest, SubsetsOfItsMembersMeet) {
  constexpr int size = 80;
  Team team(size);
  ASSERT_EQ(team.size(), size);
  for (const int members : {1, 2, 8, 9, 10, 17, 64, 73, 74, 80, 3, 80}) {
    std::vector<int> runs(size, 0);
    std::atomic<int> arrived{0}, wrong{0};
    constexpr int rounds = 3;
    team.run(members, [&](int rank) {
      ++runs.at(static_cast<std::size_t>(rank));
      for (int round = 1; round <= rounds; ++round) {
        ++arrived;
        team.barrier(rank);
        wrong += arrived != round * members;
        team.barrier(rank);
      }
    });
    EXPECT_EQ(wrong, 0) << members << " members";
    EXPECT_EQ(std::accumulate(runs.begin(), runs.end(), 0), members);
    EXPECT_TRUE(std::all_of(runs.begin(), runs.begin() + members, [](int times) { return times == 1; })) << members;
  }
}

TEST(TeamTest, AnExceptionComesToTheCallerAndTheTeamWorksOn) {
  Team team(5);
  for (int thrower = 0; thrower < team.size(); ++thrower)
    EXPECT_THROW(team.run([&](int rank) {
      if (rank == thrower) throw std::runtime_error("of a member");
    }),
                 std::runtime_error);
  EXPECT_THROW(parallel_for(team, 1000, 1,
                            [](std::size_t begin, std::size_t, int) {
                              if (begin == 500) throw std::runtime_error("of a chunk");
                            }),
               std::runtime_error);
  expect_work(team, 5);
}

TEST(TeamTest, EveryItemIsInOneChunk) {
  Team team(4);
  for (const std::size_t count : {1, 2, 15, 16, 17, 63, 64, 100, 1000, 4095})
    for (const std::size_t grain : {1, 7, 64, 1024})
      for (const int members : {1, 2, 3, 4}) {
        std::vector<std::atomic<int>> times(count);
        std::atomic<int> strangers{0};
        parallel_for(team, members, count, grain, [&](std::size_t begin, std::size_t end, int rank) {
          strangers += rank >= members;
          for (std::size_t i = begin; i < end; ++i) ++times[i];
        });
        EXPECT_EQ(strangers, 0);
        EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](const auto& t) { return t == 1; })) << count << " in " << grain;
      }
}

TEST(TeamTest, ChunksArePartsOfTheGrainThatGiveEveryMemberSome) {
  EXPECT_EQ(chunk_size(2, 1 << 20, 4096), 4096u);       // 256 chunks
  EXPECT_EQ(chunk_size(2, 8 * 4096, 4096), 4096u);      // four for each
  EXPECT_EQ(chunk_size(2, 8 * 4096 - 1, 4096), 2048u);  // less
  EXPECT_EQ(chunk_size(2, 100, 4096), 256u);            // one chunk: the caller's
  EXPECT_EQ(chunk_size(2, 100, 1), 1u);
  EXPECT_EQ(chunk_size(2, 3, 8), 1u);
}

TEST(Processors, TheTightestLimitOfAControlGroupCounts) {
  const TempDir folder;
  const std::filesystem::path root = folder.path("groups");
  std::filesystem::create_directories(root / "outer" / "inner");
  const auto write = [&](const char* file, const char* text) { std::ofstream(root / file) << text << '\n'; };
  const auto processors = [&] { return processors_of_control_group((root / "cgroup").string(), root.string()); };
  EXPECT_EQ(processors(), INT_MAX);  // no file
  write("cgroup", "3:cpu:/other\n0::/outer/inner");
  EXPECT_EQ(processors(), INT_MAX);
  write("outer/inner/cpu.max", "max 100000");
  EXPECT_EQ(processors(), INT_MAX);
  write("outer/inner/cpu.max", "350000 100000");
  EXPECT_EQ(processors(), 4);
  write("outer/cpu.max", "50000 100000");
  EXPECT_EQ(processors(), 1);
  write("outer/cpu.max", "200000 100000");
  EXPECT_EQ(processors(), 2);
  write("cpu.max", "100000 100000");
  EXPECT_EQ(processors(), 1);
  write("cgroup", "0::/");
  EXPECT_EQ(processors(), 1);
  EXPECT_GE(hardware_threads(), 1);
}

}  // namespace of_parallel_test
}  // namespace hopwave
