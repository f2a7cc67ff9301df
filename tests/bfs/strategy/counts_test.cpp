// Counts of threads (hopwave/counts.h): a kernel whose counts are plain to see, and every strategy on the nine-vertex example
// of PMPP against counts made by hand.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/sanitized.h"
#include "device/device.h"
#include "device/kernel.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"
#include "support/places.h"

namespace hopwave::sim {
namespace {

/// Lanes 0 to 3 of warp 0 and lanes 0 to 7 of warp 1 read as many neighbours as their number plus one.
HW_KERNEL void known_work(const std::uint32_t* neighbors, Distance* level, std::uint32_t* counter) {
  HW_SHARED(std::uint32_t, shared, 2);
  if (dev::thread() < 2) shared[dev::thread()] = 0;
  dev::sync_block();
  if (dev::lane() < 4 + 4 * dev::warp())
    for (std::uint32_t k = 0; k <= dev::lane(); ++k) dev::read_only(&neighbors[k]);
  if (dev::warp() == 0) dev::fetch_add(counter, 1u);
  if (dev::lane() < 2) dev::fetch_add(&shared[dev::warp()], 1u);
  if (dev::thread() < 5) dev::plain_write(&level[dev::thread()], 1);
  if (dev::thread() == 5) dev::plain_write(&level[5], unreached);  // no label
  if (dev::thread() == 0) dev::store(&level[0], 1);                // the same value again is no other label
}

/// No neighbours: whoever writes flags works; counters of no kind do not count.
HW_KERNEL void known_writes(std::uint8_t* flags, std::uint32_t* counter) {
  if (dev::thread() < 3) dev::plain_write(&flags[dev::thread()], std::uint8_t{1});
  if (dev::thread() == 40) dev::plain_write(counter, 7u);
}

}  // namespace
}  // namespace hopwave::sim

namespace hopwave::testing {
namespace {

class Counts : public ::testing::Test {
 protected:
  std::uint64_t of(const ByteCounts& bytes, MemoryKind kind) { return bytes[static_cast<std::size_t>(kind)]; }
  device::Device device_{*device::sim_api()};
};

TEST_F(Counts, OfAKernelAreThoseOnThePage) {
  if (sim::lanes != 32) GTEST_SKIP() << "the numbers are for warps of 32 lanes";
  auto neighbors = device::Buffer<std::uint32_t>(device_, 8).as(MemoryKind::neighbors);
  auto level = device::Buffer<Distance>(device_, 6).as(MemoryKind::levels);
  device::Buffer<std::uint32_t> counter(device_, 1);
  counter.fill_bytes(0);
  device_.start_counts();
  device_.begin_level(3);
  device::launch(device_, {{.grid = 1, .block = 64}}, sim::known_work, neighbors.data(), level.data(), counter.data());
  device_.end_level(2);
  const auto launches = device_.take_counts();
  ASSERT_EQ(launches.size(), 1u);
  const LaunchCounts& c = launches.front();
  EXPECT_TRUE(c.counted);
  EXPECT_EQ(c.level, 3);
  EXPECT_EQ(c.levels, 2u);
  EXPECT_EQ(c.threads(), 64u);
  EXPECT_EQ(c.static_shared, 8u);
  EXPECT_EQ(c.working, 12u);  // 4 + 8
  EXPECT_EQ(c.working_warps, 2u);
  EXPECT_EQ(c.average_lanes(), 6.0);
  EXPECT_EQ(c.least_lanes, 4u);
  EXPECT_EQ(c.divergent_warps, 2u);
  EXPECT_EQ(c.work, 46u);  // 1 + 2 + 3 + 4, and 1 + … + 8
  EXPECT_EQ(c.longest, 8u);
  EXPECT_EQ(c.lane_steps, 384u);  // 32 · 4 + 32 · 8
  EXPECT_DOUBLE_EQ(c.divergence(), 1 - 46.0 / 384);
  EXPECT_EQ(c.labelling, 5u);
  EXPECT_EQ(c.labelled, 5u);
  EXPECT_EQ(c.global_atomics, 32u);
  EXPECT_EQ(c.most_global, 32u);
  EXPECT_EQ(c.shared_atomics, 4u);
  EXPECT_EQ(c.most_shared, 2u);
  EXPECT_EQ(of(c.read, MemoryKind::neighbors), 184u);  // 46 · 4
  EXPECT_EQ(of(c.read, MemoryKind::other), 128u);      // the atomics
  EXPECT_EQ(of(c.written, MemoryKind::other), 128u);
  EXPECT_EQ(of(c.written, MemoryKind::levels), 28u);  // five labels, one that is none, one twice
  EXPECT_EQ(c.read.total(), 312u);
  EXPECT_EQ(c.written.total(), 156u);
}

TEST_F(Counts, WithoutNeighborsWorkIsWritingWhatHasAKind) {
  auto flags = device::Buffer<std::uint8_t>(device_, 3).as(MemoryKind::flags);
  device::Buffer<std::uint32_t> counter(device_, 1);
  device_.start_counts();
  device::launch(device_, {{.grid = 1, .block = 64}}, sim::known_writes, flags.data(), counter.data());
  {
    const device::Device::Uncounted uncounted(device_);
    device::launch(device_, {{.grid = 1, .block = 64}}, sim::known_writes, flags.data(), counter.data());
  }
  const auto launches = device_.take_counts();
  ASSERT_EQ(launches.size(), 1u) << "the second launch is not counted";
  EXPECT_EQ(launches[0].working, 3u);
  EXPECT_EQ(launches[0].level, -1);
  EXPECT_EQ(of(launches[0].written, MemoryKind::flags), 3u);
  EXPECT_EQ(of(launches[0].written, MemoryKind::other), 4u);
  device::launch(device_, {{.grid = 1, .block = 64}}, sim::known_writes, flags.data(), counter.data());
  EXPECT_TRUE(device_.take_counts().empty()) << "counting has ended";
}

// nonsense: LaunchCounts::threads LaunchCounts::average_lanes LaunchCounts::divergence ByteCounts::total
TEST(CountsOfNothing, AreZeroAndNotDividedBy) {
  const LaunchCounts none;
  EXPECT_EQ(none.threads(), 0u);
  EXPECT_EQ(none.average_lanes(), 0);
  EXPECT_EQ(none.divergence(), 0);
  EXPECT_EQ(none.read.total(), 0u);
  // A grid of the largest shape does not overflow.
  EXPECT_EQ((LaunchCounts{.grid = 0xFFFFFFFF, .block = 1024}).threads(), 0xFFFFFFFFull * 1024);
}

/// Where the order of threads decides, the least and the most that any order gives.
struct Between {
  std::uint64_t least, most;
  Between(std::uint64_t exact) : least(exact), most(exact) {}
  Between(std::uint64_t l, std::uint64_t m) : least(l), most(m) {}
};
struct ByHand {
  Between threads, working, labelling, shared_atomics, global_atomics;
};

/// The row below "## On nine vertices" on the strategy's page: a number, or "least – most".
std::optional<ByHand> by_hand(std::string_view strategy) {
  std::ifstream page(std::filesystem::path(testing::places::tests).parent_path() / "docs/strategies" /
                     (std::string(strategy) + ".md"));
  std::string line;
  while (std::getline(page, line) && line != "## On nine vertices") continue;
  for (int row = 0; row < 3 && std::getline(page, line); row += line.starts_with("|") ? 1 : 0) continue;
  std::vector<Between> cells;
  std::erase(line, ',');
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word == "|") continue;
    const auto number = [&] { return static_cast<std::uint64_t>(std::stoull(word)); };
    if (word == "–" && words >> word)
      cells.back().most = number();
    else
      cells.emplace_back(number());
  }
  if (cells.size() != 5) return {};
  return ByHand{cells[0], cells[1], cells[2], cells[3], cells[4]};
}

SearchReport counted(const Graph& graph, std::string_view strategy, std::uint64_t seed = 1, const Parameters& parameters = {}) {
  Searcher searcher(graph, {.strategy = std::string(strategy),
                            .parameters = parameters,
                            .counts = true,
                            .run = {.device = DeviceKind::sim, .simulator = {.seed = seed}}});
  Result result = searcher.run({.sources = {0}});
  EXPECT_EQ(result.reached, graph.num_vertices()) << strategy;
  EXPECT_EQ(result.depth, 3) << strategy;
  return result.run;
}

void expect(const Between& range, std::uint64_t found, const std::string& what) {
  EXPECT_GE(found, range.least) << what;
  EXPECT_LE(found, range.most) << what;
}

TEST(CountsByHand, HoldForEveryStrategyOnTheNineVertices) {
  if (sim::lanes != 32) GTEST_SKIP() << "the numbers are for warps of 32 lanes";
  const Graph graph = build_graph(generate("pmpp"));
  for (const StrategyInfo& info : strategies()) {
    if (info.device != "gpu") continue;
    const auto hand = by_hand(info.name);
    ASSERT_TRUE(hand) << "docs/strategies/" << info.name << ".md has no counts made by hand";
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const SearchReport stats = counted(graph, info.name, seed);
      std::uint64_t threads = 0, working = 0, labelling = 0, labelled = 0, shared = 0, global = 0;
      for (const LaunchCounts& one : stats.counts) {
        threads += one.threads();
        working += one.working;
        labelling += one.labelling;
        labelled += one.labelled;
        shared += one.shared_atomics;
        global += one.global_atomics;
      }
      const std::string where = std::string(info.name) + ", seed " + std::to_string(seed) + ": ";
      EXPECT_EQ(stats.counts.size(), stats.launches) << where;
      expect(hand->threads, threads, where + "threads");
      expect(hand->working, working, where + "working");
      expect(hand->labelling, labelling, where + "labelling");
      expect(hand->shared_atomics, shared, where + "shared atomics");
      expect(hand->global_atomics, global, where + "global atomics");
      expect(info.work.method == "relax" ? Between(9, 100) : Between(9), labelled, where + "labelled");
    }
  }
}

/// All requests of a search at the places for which `is_one` holds.
template <class Is>
RequestCounts requests_where(const Graph& graph, const std::string& strategy, Is&& is_one) {
  Searcher searcher(graph, {.strategy = strategy, .counts = true, .run = {.device = DeviceKind::sim}});
  RequestCounts all;
  for (const LaunchCounts& launch : searcher.run({.sources = {0}}).run.counts)
    for (const RequestCounts& one : launch.requests)
      if (is_one(one)) all.add(one);
  return all;
}

TEST(RequestsOfStrategies, TailsOfArcsAreReadNextToEachOther) {
  if (sim::lanes != 32) GTEST_SKIP() << "the numbers are for warps of 32 lanes";
  const Graph graph = build_graph(generate("rmat:9,8"));
  const auto of = [&](MemoryKind kind) {
    return requests_where(graph, "pmpp-edge", [&](const RequestCounts& r) { return r.kind == kind && !r.shared; });
  };
  const RequestCounts tails = of(MemoryKind::tails);
  EXPECT_EQ(tails.accesses % graph.num_arcs(), 0u);  // every arc in every level
  EXPECT_EQ(tails.transfers, tails.accesses / graph.num_arcs() * ((graph.num_arcs() + 7) / 8));
  EXPECT_EQ(tails.spread(), 1);
  EXPECT_GT(of(MemoryKind::levels).spread(), 1.2);  // where the heads are
}

#if !defined(HW_THREAD_SANITIZER)  // the listing races as printed
/// Figure 15 of the survey: the words of the tree are a power of two apart, so that a whole warp meets at one bank.
TEST(RequestsOfStrategies, PaddingFreesTheBanksOfTheTree) {
  if (sim::lanes != 32) GTEST_SKIP() << "the numbers are for warps of 32 lanes";
  const Graph graph = build_graph(generate("rmat:10,8"));
  ASSERT_EQ(graph.num_vertices(), 1024u);
  const auto shared = [](const RequestCounts& r) { return r.shared; };
  const RequestCounts printed = requests_where(graph, "literal:survey-scan-queue", shared),
                      padded = requests_where(graph, "survey-scan-queue", shared);
  EXPECT_EQ(printed.most_transfers, 32u);
  EXPECT_GT(printed.spread(), 4);
  EXPECT_EQ(padded.most_transfers, 1u);
}
#endif

TEST(CountsByHand, LevelByLevelOfAPush) {
  const Graph graph = build_graph(generate("pmpp"));
  const SearchReport stats = counted(graph, "pmpp-vertex-push");
  ASSERT_EQ(stats.counts.size(), 5u);
  const std::uint64_t working[] = {1, 1, 2, 5, 0}, labelled[] = {1, 2, 5, 1, 0}, arcs[] = {0, 2, 5, 8, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    const LaunchCounts& one = stats.counts[i];
    EXPECT_EQ(one.level, static_cast<Distance>(i));
    EXPECT_EQ(one.working, working[i]) << i;
    EXPECT_EQ(one.labelled, labelled[i]) << i;
    EXPECT_EQ(one.read[static_cast<std::size_t>(MemoryKind::neighbors)], 4 * arcs[i]) << i;
    // A row's begin and end; vertex 8 reads them, too.
    const std::uint64_t frontier[] = {0, 1, 2, 5, 1};
    EXPECT_EQ(one.read[static_cast<std::size_t>(MemoryKind::rows)], 8 * frontier[i]) << i;
    if (i) {
      EXPECT_EQ(one.resident_blocks, 8u);  // 2,048 threads a multiprocessor, 256 a block
    }
  }
}

TEST(CountsByHand, ASingleLaunchTakesAllLevels) {
  const SearchReport stats = counted(build_graph(generate("pmpp")), "pmpp-single-grid");
  ASSERT_EQ(stats.counts.size(), 2u);
  EXPECT_EQ(stats.counts[1].level, 1);
  EXPECT_EQ(stats.counts[1].levels, 4u);
  EXPECT_EQ(stats.counts[1].dynamic_shared, 2 * 2048 * sizeof(VertexId));
}

// auto, one launch at a time. Bytes are in order of MemoryKind: rows, neighbors, tails, levels, parents, queues, flags, other.
using Bytes = std::array<std::uint64_t, 8>;
struct LaunchByHand {
  std::uint64_t threads;
  Between working, labelling, shared_atomics;
  std::uint64_t global_atomics;
  Bytes read, written;
  /// Threads poll for one another, as often as the schedule makes them, and add sums up on the way: `other` and the shared
  /// atomics are not counted by hand.
  bool waits = false;
};
/// The record of a search, 104 bytes, goes to pinned memory by a warp: each word with its number.
const LaunchByHand completion = {32, 0, 0, 0, 0, {0, 0, 0, 0, 0, 0, 0, 104}, {0, 0, 0, 0, 0, 0, 0, 208}};

void expect_launches(const Parameters& parameters, const std::vector<LaunchByHand>& hand) {
  if (sim::lanes != 32) GTEST_SKIP() << "the numbers are for warps of 32 lanes";
  const Graph graph = build_graph(generate("pmpp"));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SearchReport stats = counted(graph, "auto", seed, parameters);
    ASSERT_EQ(stats.counts.size(), hand.size()) << seed;
    for (std::size_t i = 0; i < hand.size(); ++i) {
      const LaunchCounts& one = stats.counts[i];
      const std::string where = "seed " + std::to_string(seed) + ", launch " + std::to_string(i) + ": ";
      EXPECT_TRUE(one.counted);
      EXPECT_EQ(one.level, -1) << "a launch of auto is not bound to a level";
      EXPECT_EQ(one.threads(), hand[i].threads) << where;
      expect(hand[i].working, one.working, where + "working");
      expect(hand[i].labelling, one.labelling, where + "labelling");
      if (!hand[i].waits) expect(hand[i].shared_atomics, one.shared_atomics, where + "shared atomics");
      EXPECT_EQ(one.global_atomics, hand[i].global_atomics) << where;
      EXPECT_EQ(one.labelled, hand[i].labelling.most ? 9u : 0u) << where;
      for (std::size_t k = 0; k < hand[i].read.size(); ++k) {
        if (hand[i].waits && k == static_cast<std::size_t>(MemoryKind::other)) continue;
        EXPECT_EQ(one.read[k], hand[i].read[k]) << where << "read, kind " << k;
        EXPECT_EQ(one.written[k], hand[i].written[k]) << where << "written, kind " << k;
      }
    }
  }
}

// The arcs go 1, 2, 3, 4, 5, -1 and -7 vertices on: 7 diagonals, in a kernel with places for 8 of 32 words each.
// First launch, a thread a vertex of these words: 9 vertices look where their rows begin, and after each of 15 arcs, and once
// more, where they end. Second launch: 32 threads load their 8 words. One atomic claims the source, two add the totals up.
TEST(CountsByHand, OfAutoAlongDiagonals) {
  const std::uint64_t words = 4 * 8 * 32;
  expect_launches({}, {{1024, 9, 0, 0, 0, {4 * (9 + 15 + 9), 4 * 15}, {0, 0, 0, 0, 0, 0, 0, words}},
                       {32, 9, 9, 3, 0, {0, 0, 0, 0, 0, 0, 0, words}, {0, 0, 0, 4 * 9, 0, 0, 0, 104}},
                       completion});
}

// Four blocks of 512, top-down with queues, Word = 32 bits, bitmaps of four words, queue entries of 16 bytes.
// rows: all threads read where the source's row begins and ends. So do the ten arcs that lead to unvisited vertices: 2, 5, 3.
// queues: 1 to 8 are written. Vertex 8 has no arcs and is not read; the source comes from shared memory.
// flags: 15 arcs look. Each block marks the source; 1 and 2 share an atomic, so do 3 to 7; 3, 4 and 6 have one each for 8. The
// bitmaps of the search before, two times four words, are emptied, and one is read for what was not reached.
// All arcs of a level are one warp's: of its lanes 0 to 7, which look at the last eight, 0 to 4 label, and 5 if it is first
// at 8. Global atomics are these nine, and a place in the queue three times.
TEST(CountsByHand, OfAutoWithQueuesAndBitmaps) {
  const std::uint64_t claims = 4 + 1 + 1 + 3;
  expect_launches({{"shared_memory", 0},
                   {"single_cluster", 0},
                   {"high_diameter", 0},
                   {"single_block", 0},
                   {"fast", 0},
                   {"pull", 1'000'000},
                   {"unqueued", 1'000'000},
                   {"tail", 0}},
                  {{4 * 512,
                    8,
                    {5, 6},
                    0,
                    claims + 3,
                    {8 * (4 * 512 + 2 + 5 + 3), 4 * 15, 0, 0, 0, 16 * 7, 4 * (15 + claims + 4)},
                    {0, 0, 0, 4 * 9, 0, 16 * 8, 4 * (claims + 8)},
                    true},
                   completion});
}

TEST(CountsByHand, OfAListingAsPrinted) {
#if defined(HW_THREAD_SANITIZER)
  GTEST_SKIP() << "the listing races as printed: docs/literal.md";
#endif
  // The listing's loop as the strategy's: frontier vertices with arcs work. The host labels the source, without a launch.
  const SearchReport stats = counted(build_graph(generate("pmpp")), "literal:pmpp-vertex-push");
  std::uint64_t working = 0, labelled = 0;
  for (const LaunchCounts& one : stats.counts) {
    working += one.working;
    labelled += one.labelled;
  }
  EXPECT_EQ(working, 8u);
  EXPECT_EQ(labelled, 8u);
}

TEST(CountsByHand, AreEmptyUnlessAskedForAndOnACpu) {
  const Graph graph = build_graph(generate("pmpp"));
  EXPECT_TRUE(
      search(graph, {.sources = {0}}, {.strategy = "pmpp-edge", .run = {.device = DeviceKind::sim}}).run.counts.empty());
  EXPECT_TRUE(search(graph, {.sources = {0}}, {.strategy = "cpu-parallel", .counts = true, .run = {.device = DeviceKind::cpu}})
                  .run.counts.empty());
}

}  // namespace
}  // namespace hopwave::testing
