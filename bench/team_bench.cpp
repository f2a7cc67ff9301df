// What it costs to use several threads: `team-bench [threads=0] [rounds=20000]` prints, for 1, 2, 4, 8 … members,
//   run      an empty Team::run(), which is a release and an arrival of every member
//   barrier  a Team::barrier() within a run
//   wake     a Team::run() after a pause of 20 ms, in which the members have fallen asleep
// in microseconds, as medians; wake as the median of 20.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "core/clock.h"
#include "core/parallel.h"

namespace {

using namespace hopwave;

double microseconds(core::Clock::time_point from) {
  return std::chrono::duration<double, std::micro>(core::Clock::now() - from).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

template <class Work>
double timed(int rounds, Work&& work) {
  std::vector<double> times;
  constexpr int at_once = 100;
  for (int i = 0; i < rounds / at_once; ++i) {
    const auto from = core::Clock::now();
    for (int k = 0; k < at_once; ++k) work();
    times.push_back(microseconds(from) / at_once);
  }
  return median(times);
}

double of_barrier(Team& team, int members, int rounds) {
  const auto from = core::Clock::now();
  team.run(members, [&](int rank) {
    for (int i = 0; i < rounds; ++i) team.barrier(rank);
  });
  return microseconds(from) / rounds;
}

double of_waking(Team& team, int members) {
  std::vector<double> times;
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto from = core::Clock::now();
    team.run(members, [](int) {});
    times.push_back(microseconds(from));
  }
  return median(times);
}

}  // namespace

int main(int argc, char** argv) try {
  int threads = 0, rounds = 20'000;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("threads=")) threads = std::atoi(argv[i] + 8);
    if (word.starts_with("rounds=")) rounds = std::atoi(argv[i] + 7);
  }
  Team team(threads);
  std::printf("members     run  barrier    wake  (microseconds; team of %d)\n", team.size());
  for (int members = 1; members <= team.size();
       members = members == team.size() ? members + 1 : std::min(2 * members, team.size()))
    std::printf("%7d %7.2f %8.2f %7.1f\n", members, timed(rounds, [&] { team.run(members, [](int) {}); }),
                of_barrier(team, members, rounds), of_waking(team, members));
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
