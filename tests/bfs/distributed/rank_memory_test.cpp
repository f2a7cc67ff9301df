// What ranks need, as it is estimated, beside what they take; and machines that have less.
#include "bfs/distributed/rank_memory.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "bfs/distributed/rank_components.h"
#include "bfs/distributed/thread_ranks.h"
#include "hopwave/io.h"
#include "support/error_id.h"
#include "support/sanitized.h"

namespace hopwave {
namespace of_rank_memory_test {

using namespace testing;
using ranks::Share;
using ranks::Transport;

/// Bytes that this process has of its memory, from the field of that name in /proc.
std::uint64_t status_bytes(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (std::uint64_t kib = 0; word == field + ":" && file >> kib) return kib << 10;
  return 0;
}

struct Taken {
  std::uint64_t vertices = 0, arcs = 0, bytes = 0;
};

/// What finding the largest component adds to a process of so many ranks. It is a process of its own, whose heap has no room
/// left over from other work.
Taken taken_for_components(const char* spec, int ranks) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::mallopt(M_MMAP_THRESHOLD, 1 << 16);  // what is given back is the system's again
    const Graph graph = load_graph(spec);
    Taken taken{graph.num_vertices(), graph.num_arcs(), 0};
    ranks::run_as_threads(ranks, [&](Transport& transport) {
      Share share = deal(transport, transport.rank() == 0 ? &graph : nullptr);
      transport.barrier();
      std::uint64_t before = 0;
      bool from_now_on = false;  // is the most of the process that of what follows?
      if (transport.rank() == 0) {
        ::malloc_trim(0);
        from_now_on = static_cast<bool>(std::ofstream("/proc/self/clear_refs") << 5 << std::flush);
        before = status_bytes("VmRSS");
      }
      transport.barrier();
      (void)in_largest_component(transport, share);
      transport.barrier();
      if (from_now_on) taken.bytes = status_bytes("VmHWM") - before;
    });
    ::_exit(::write(ends[1], &taken, sizeof taken) == sizeof taken ? 0 : 1);
  }
  ::close(ends[1]);
  Taken taken;
  const bool told = ::read(ends[0], &taken, sizeof taken) == sizeof taken;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return told ? taken : Taken{};
}

/// Vertices that all hang on one, that stand in a line, and that lie anyhow.
TEST(RankMemory, OfComponentsIsWhatTheyTake) {
  if (sanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  constexpr std::uint64_t thread = 1 << 20;  // a rank's stack, and what its heap keeps
  constexpr std::uint64_t ranks = 4;
  for (const char* spec : {"star:1000000", "chain:1000000", "rmat:19,3"}) {
    const Taken taken = taken_for_components(spec, ranks);
    if (taken.bytes == 0) GTEST_SKIP() << "this system does not tell it";
    const auto estimate = ranks::rank_memory(taken.vertices, taken.arcs, false, {.components = true}, ranks);
    EXPECT_LE(taken.bytes, ranks * (estimate.components + thread)) << spec;
    EXPECT_GE(taken.bytes, 16 * taken.vertices) << spec;
    EXPECT_EQ(estimate.total(), std::max(estimate.components, estimate.answer + estimate.bitmaps + estimate.messages) +
                                    estimate.rows + estimate.program);
  }
}

TEST(RankMemory, RefusesWhatRanksOfOneMachineNeedTogether) {
  const auto id = [](std::uint64_t each, std::uint64_t free, std::uint64_t own, bool exact = true) {
    std::string of_0;
    ranks::run_as_threads(4, [&](Transport& transport) {
      const std::string mine = id_of([&] { require_memory(transport, {each, exact}, free, own); });
      if (transport.rank() == 0) of_0 = mine;
    });
    return of_0;
  };
  EXPECT_EQ(id(250, 1000, ~0ull), "none");
  EXPECT_EQ(id(251, 1000, ~0ull), "HW-MEMORY-HOST");
  EXPECT_EQ(id(1000, 1000, ~0ull), "HW-MEMORY-HOST");
  EXPECT_EQ(id(250, 1000, 250), "none");  // a limit of each alone
  EXPECT_EQ(id(250, 1000, 249), "HW-MEMORY-HOST");
  EXPECT_EQ(id(375, 1000, ~0ull, false), "none");
  EXPECT_EQ(id(376, 1000, ~0ull, false), "HW-MEMORY-HOST");
}

/// A .hwg is not to be converted to one.
TEST(RankMemory, TheHintFitsWhereTheSharesComeFrom) {
  for (const bool shared : {false, true}) {
    std::string hint;
    ranks::run_as_threads(2, [&](Transport& transport) {
      try {
        require_memory(transport, {.bytes = 1000, .shared = shared}, 100, ~0ull);
      } catch (const Error& error) {
        if (transport.rank() == 0) hint = error.parts().hint;
      }
    });
    EXPECT_TRUE(hint.find("use more machines") != std::string::npos) << hint;
    EXPECT_EQ(hint.find("convert") == std::string::npos, shared) << hint;
  }
}

TEST(RankMemory, OfDrawingIsAtMostTwiceTheShare) {
  for (const std::uint64_t ranks : {1, 4, 64})
    for (const int scale : {24, 30}) {
      const std::uint64_t n = std::uint64_t{1} << scale, edges = 16 * n;
      const std::uint64_t share = ranks::rank_memory(n, 2 * edges, false, {}, ranks).rows;
      EXPECT_LE(ranks::drawing_memory(n, edges, 2 * edges, ranks), 2 * share + (64u << 20));
    }
}

}  // namespace of_rank_memory_test
}  // namespace hopwave
