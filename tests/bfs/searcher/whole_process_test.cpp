// The rule by which a process chooses between its CPU and a GPU, with rates of round figures.
#include "bfs/searcher/whole_process.h"

#include <gtest/gtest.h>

namespace hopwave {
namespace of_whole_process_test {

using search_detail::choose_whole;
using search_detail::whole_times;
using search_detail::WholeJob;
using search_detail::WholeRates;

constexpr WholeRates rates{.gpu_start = .5,
                           .gpu_copy = 8e9,
                           .gpu_dense = 1e11,
                           .gpu_thin = 1e9,
                           .cpu_dense = 1e8,
                           .cpu_thin = 5e7,
                           .thin_degree = 4,
                           .cpu_thin_threads = 4,
                           .pass_searches = 10};

TEST(WholeProcess, TimesByHand) {
  // 10^9 arcs of 10^8 vertices: 4.8 GB to copy; one search.
  const auto dense = whole_times({.vertices = 100'000'000, .arcs = 1'000'000'000, .searches = 1, .threads = 10}, rates);
  EXPECT_DOUBLE_EQ(dense.cpu, 1);
  EXPECT_DOUBLE_EQ(dense.gpu, .5 + .6 + .01);
  // Three arcs a vertex are thin, and more than four threads do not help.
  const auto thin = whole_times({.vertices = 100'000'000, .arcs = 300'000'000, .searches = 2, .threads = 16}, rates);
  EXPECT_DOUBLE_EQ(thin.cpu, 3);
  EXPECT_DOUBLE_EQ(thin.gpu, .5 + .25 + .6);
  const auto weights = whole_times({.vertices = 0, .arcs = 1'000'000'000, .searches = 0, .threads = 1, .weights = true}, rates);
  EXPECT_DOUBLE_EQ(weights.gpu, .5 + 1);
  EXPECT_DOUBLE_EQ(whole_times({.vertices = 1, .arcs = 100, .passes = 3, .threads = 1}, rates).cpu, 3e-5);
}

TEST(WholeProcess, OneSearchIsDoneWhileTheGpuStarts) {
  const WholeJob rmat22{.vertices = 4'194'304, .arcs = 130'000'000, .searches = 1, .threads = 16};
  EXPECT_EQ(choose_whole(rmat22).device, DeviceKind::cpu);
  EXPECT_EQ(choose_whole({.vertices = 9, .arcs = 15, .searches = 1, .threads = 1}).device, DeviceKind::cpu);
  EXPECT_EQ(choose_whole({.searches = 1, .threads = 1}).device, DeviceKind::cpu);  // the empty graph
}

TEST(WholeProcess, MuchWorkGoesToTheGpu) {
  const WholeJob rmat22{.vertices = 4'194'304, .arcs = 130'000'000, .searches = 1000, .threads = 16};
  EXPECT_EQ(choose_whole(rmat22).device, DeviceKind::automatic);
  const WholeJob large{.vertices = 1u << 28, .arcs = 8'000'000'000, .searches = 1, .threads = 2};
  EXPECT_EQ(choose_whole(large).device, DeviceKind::automatic);
  const WholeJob passes{.vertices = 4'194'304, .arcs = 130'000'000, .passes = 100, .threads = 16};
  EXPECT_EQ(choose_whole(passes).device, DeviceKind::automatic);
}

TEST(WholeProcess, MoreThreadsNeverMakeTheCpuWorse) {
  for (std::uint64_t arcs = 1000; arcs < 1'000'000'000'000; arcs *= 10)
    for (const double searches : {1., 64., 4096.})
      for (int threads = 1; threads < 256; threads *= 2) {
        const WholeJob few{.vertices = arcs / 16, .arcs = arcs, .searches = searches, .threads = threads};
        WholeJob more = few;
        more.threads *= 2;
        EXPECT_LE(whole_times(more).cpu, whole_times(few).cpu);
        EXPECT_EQ(whole_times(more).gpu, whole_times(few).gpu);
      }
}

TEST(WholeProcess, SaysWhy) {
  const std::string why = choose_whole({.vertices = 100, .arcs = 1000, .searches = 1, .threads = 4}).why;
  EXPECT_NE(why.find("4 threads of the CPU"), std::string::npos) << why;
  EXPECT_NE(why.find("0.35 s start it"), std::string::npos) << why;
}

}  // namespace of_whole_process_test
}  // namespace hopwave
