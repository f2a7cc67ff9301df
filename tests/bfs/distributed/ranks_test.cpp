// Ranks as threads: the transport, how a graph is shared out, and the partitioned search against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/deliver.h"
#include "bfs/distributed/mpi_ranks.h"
#include "bfs/distributed/rank_device.h"
#include "bfs/distributed/rank_memory.h"
#include "bfs/distributed/rank_search.h"
#include "bfs/distributed/share.h"
#include "bfs/distributed/thread_ranks.h"
#include "bfs/distributed/verify.h"
#include "device/device.h"
#include "device/tried_schedules.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/error_id.h"
#include "support/fake_nccl.h"
#include "support/graphs.h"
#include "support/sanitized.h"
#include "support/ticks.h"
#include "support/transport.h"

namespace hopwave {
namespace of_ranks_test {

using namespace testing;
using ranks::Answer;
using ranks::Cut;
using ranks::Rows;
using ranks::Share;
using ranks::Transport;

constexpr int all_sizes[] = {1, 2, 3, 4, 5, 7};

TEST(ThreadRanks, KeepWhatATransportPromises) {
  for (const int size : all_sizes)
    ranks::run_as_threads(size, [](Transport& transport) { EXPECT_EQ(broken_promise(transport), ""); });
}

TEST(ThreadRanks, OneThatFailsEndsAll) {
  for (const int failing : {0, 2}) {
    std::atomic<int> went_on = 0;
    EXPECT_EQ(testing::id_of([&] {
                ranks::run_as_threads(3, [&](Transport& transport) {
                  if (transport.rank() == failing) transport.abort(Error({.id = "HW-TEST", .found = "it"}));
                  transport.barrier();
                  ++went_on;
                });
              }),
              "HW-TEST");
    EXPECT_EQ(went_on, 0);
  }
}

TEST(ThreadRanks, TrafficCountsWhatGoesToOthers) {
  ranks::run_as_threads(3, [](Transport& transport) {
    std::vector<std::vector<std::uint32_t>> to(3, std::vector<std::uint32_t>(10)), from;
    transport.exchange(to, from);
    EXPECT_EQ(transport.traffic().bytes_sent, 80u);
    EXPECT_EQ(transport.traffic().calls, 1u);
  });
}

TEST(Ranks, OfOtherBuildsAndOtherWordsAreRefused) {
  const auto id = [](const char* version, const char* commit, const char* word) {
    std::atomic<int> told = 0;
    const std::string id = testing::id_of([&] {
      ranks::run_as_threads(3, [&](Transport& transport) {
        const bool odd = transport.rank() == 1;
        try {
          check_same(transport, odd ? version : "1", odd ? commit : "a", {"bfs", odd ? word : "g"});
        } catch (const ranks::AgreedError& error) {
          EXPECT_NE(std::string(error.what()).find("rank 1: "), std::string::npos);
          ++told;
          throw;
        }
      });
    });
    EXPECT_EQ(told, id == "none" ? 0 : 3);  // all know
    return id;
  };
  EXPECT_EQ(id("1", "a", "g"), "none");
  EXPECT_EQ(id("2", "a", "g"), "HW-RANKS-BUILD");
  EXPECT_EQ(id("1", "b", "g"), "HW-RANKS-BUILD");
  EXPECT_EQ(id("1", "a", "h"), "HW-RANKS-WORDS");
}

TEST(Cut, SharesVerticesAndArcsOutEvenly) {
  const Graph graph = load_graph("rmat:12,8");
  for (const int size : all_sizes) {
    const Cut cut = Cut::balanced(size, graph.num_vertices(), [&](VertexId v) { return graph.out().offsets[v]; });
    ASSERT_EQ(cut.ranks(), size);
    EXPECT_EQ(cut.begin(0), 0u);
    EXPECT_EQ(cut.end(size - 1), graph.num_vertices());
    const double even = static_cast<double>(graph.num_arcs() + graph.num_vertices()) / size;
    const double widest = static_cast<double>(profile(graph).max_degree) + 1;  // a row is never cut
    for (int r = 0; r < size; ++r) {
      ASSERT_LE(cut.begin(r), cut.end(r));
      const auto weight =
          static_cast<double>(graph.out().offsets[cut.end(r)] - graph.out().offsets[cut.begin(r)] + cut.count(r));
      EXPECT_NEAR(weight, even, widest) << size << " ranks, rank " << r;
    }
  }
}

/// The rows of all ranks, put together, must be these.
void expect_rows(const Share& share, const Rows& rows, const Adjacency& whole) {
  ASSERT_EQ(rows.offsets.size(), share.count() + std::size_t{1});
  for (VertexId row = 0; row < share.count(); ++row) {
    const VertexId v = share.begin() + row;
    const auto have = rows.row(row);
    const std::vector<VertexId> mine(have.begin(), have.end());
    const std::vector<VertexId> want(whole.neighbors.data() + whole.offsets[v],
                                     whole.neighbors.data() + whole.offsets[v + 1ull]);
    ASSERT_EQ(mine, want) << "row " << v;
  }
}

TEST(Share, HoldsTheRowsOfItsVerticesForwardsAndBackwards) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const TestGraph test = random_graph(seed);
    Graph graph = build(test);
    Graph both_ways = graph;
    both_ways.ensure_in();
    for (const int size : {1, 3, 4}) {
      ranks::run_as_threads(size, [&](Transport& transport) {
        const Share bare = deal(transport, transport.rank() == 0 ? &graph : nullptr);
        expect_rows(bare, bare.out, graph.out());
        EXPECT_EQ(bare.in.has_value(), false);
        expect_rows(bare, turned(transport, bare, bare.out), both_ways.in());
        const Share with_in = deal(transport, transport.rank() == 0 ? &both_ways : nullptr);
        ASSERT_EQ(with_in.in.has_value(), test.directed);
        if (with_in.in) expect_rows(with_in, *with_in.in, both_ways.in());
      });
    }
  }
}

TEST(Share, ArcsAreDeliveredInAnyNumberOfRounds) {
  const Graph graph = build(random_graph(7));
  for (const EdgeIndex most : {EdgeIndex{1}, EdgeIndex{10}, EdgeIndex{100000}})
    ranks::run_as_threads(3, [&](Transport& transport) {
      const Share share = deal(transport, transport.rank() == 0 ? &graph : nullptr);
      std::uint64_t taken = 0;
      ranks::deliver_arcs<VertexId>(
          transport, share, share.out, [](VertexId, VertexId v, VertexId& message) { return message = v, true; },
          [&](VertexId v) {
            EXPECT_TRUE(share.has(v));
            ++taken;
          },
          [] {}, most);
      EXPECT_EQ(transport.all_reduce(taken, ranks::Reduce::sum), graph.num_arcs());
    });
}

TEST(Share, TakesWhatIsEstimatedOfAnEvenCut) {
  for (const Graph& graph : {load_graph("rmat:12,8"), build(random_graph(5, 3000)), build(chain(500))}) {
    for (const int size : {1, 4, 7}) {
      const auto estimate = ranks::rank_memory(graph.num_vertices(), graph.num_arcs(), graph.directed(), {.parents = true},
                                               static_cast<std::uint64_t>(size));
      std::atomic<std::uint64_t> rows = 0;
      ranks::run_as_threads(size, [&](Transport& transport) {
        Share share = deal(transport, transport.rank() == 0 ? &graph : nullptr);
        const ranks::Steps steps(transport, share, Direction::out, true);  // makes incoming arcs
        rows += 8 * share.out.offsets.size() + 4 * share.out.neighbors.size();
        if (share.in) rows += 8 * share.in->offsets.size() + 4 * share.in->neighbors.size();
      });
      const auto ranks = static_cast<std::uint64_t>(size);
      EXPECT_LE(rows, estimate.rows * ranks);
      EXPECT_GE(rows + 16 * ranks * 8, estimate.rows * ranks);  // rounded up for each rank
      EXPECT_LE(estimate.answer * ranks, (8u + 8u) * (graph.num_vertices() + ranks));
    }
  }
}

struct Whole {
  std::vector<Distance> distance;
  std::vector<VertexId> parent;
  Answer figures;
  bool looked_back = false;
};

struct Way {
  int size = 1;
  Direction direction = Direction::out;
  bool bottom_up = true;
  std::uint64_t device = 0;  ///< not 0: each rank has a simulated device; this seed gives schedules, offsets, who exchanges
};

/// Ranks beyond the fourth share a device with others.
ranks::SearchSetup setup_of(const Way& way, int rank) {
  ranks::SearchSetup setup{.direction = way.direction, .bottom_up = way.bottom_up, .wide_offsets = way.device % 2 == 1};
  if (way.device == 0) return setup;
  setup.device = std::make_shared<device::Device>(*device::sim_api(), DeviceOptions{.ordinal = rank % 4});
  if (way.device / 2 % 2) setup.nccl = &fake_nccl();
  if (way.device % 3) setup.by_hosts = way.device % 3 - 1;  // else all lists are short
  setup.device->set_schedule({.seed = way.device + static_cast<std::uint64_t>(rank),
                              .interrupt_every = way.device % 3 ? 64u : 5u,
                              .kind = static_cast<ScheduleKind>(way.device % device::tried_schedules)});
  return setup;
}

/// A rank's way out is not that of a process with several GPUs.
TEST(Share, TooLargeForADeviceHasAHintForRanks) {
  Array<EdgeIndex> offsets(2);
  offsets[0] = 0;
  offsets[1] = EdgeIndex{1} << 35;  // arcs that nobody has: the share is refused before it is copied
  std::string told;
  ranks::run_as_threads(1, [&](Transport& transport) {
    Share share{.cut = ranks::Cut({0, 1}), .directed = false, .num_arcs = offsets[1], .out = {std::move(offsets), {}}};
    try {
      const ranks::PartitionedSearch search(transport, share, setup_of({.device = 1}, 0));
    } catch (const Error& error) {
      told = error.id() + ": " + error.parts().hint;
    }
  });
  EXPECT_EQ(told.find("HW-ENGINE-SIZE: start more processes"), 0u) << told;
}

/// Searches on so many ranks, has the answer verified there, and puts it together.
Whole partitioned(const Graph& graph, const Query& query, const Way& way) {
  Whole whole;
  whole.distance.resize(graph.num_vertices());
  if (query.parents) whole.parent.resize(graph.num_vertices());
  ranks::run_as_threads(way.size, [&](Transport& transport) {
    Share share = deal(transport, transport.rank() == 0 ? &graph : nullptr);
    ranks::PartitionedSearch search(transport, share, setup_of(way, transport.rank()));
    Answer answer = search.run(query);
    verify(transport, share, query, answer, way.direction, 1 + way.size % 3);
    const Answer again = search.run(query);  // nothing is left over from the first
    EXPECT_TRUE(std::equal(answer.distance.begin(), answer.distance.end(), again.distance.begin()));
    std::copy(answer.distance.begin(), answer.distance.end(), whole.distance.begin() + share.begin());  // threads: apart
    std::copy(answer.parent.begin(), answer.parent.end(), whole.parent.begin() + (query.parents ? share.begin() : 0));
    if (transport.rank() == 0) {
      for (const auto& level : answer.levels) whole.looked_back |= std::string(level.trace.direction) == "pull";
      whole.figures = std::move(answer);
    }
  });
  return whole;
}

/// Distances are the oracle's, parents the least, and the figures those of the distances.
void expect_right(const Graph& graph, Query query, const Way& way, const std::string& where) {
  const Result oracle = [&] {
    Query least = query;
    least.ties = Ties::min;
    return search(graph, least, {.strategy = "cpu-sequential", .direction = way.direction, .run = {.threads = 1}});
  }();
  const Whole whole = partitioned(graph, query, way);
  const std::string what = where + ", " + std::to_string(way.size) + " ranks, direction " +
                           std::to_string(static_cast<int>(way.direction)) + (way.bottom_up ? "" : ", top-down") +
                           (way.device ? ", devices of seed " + std::to_string(way.device) : "");
  ASSERT_TRUE(std::equal(oracle.distance.begin(), oracle.distance.end(), whole.distance.begin())) << what;
  if (query.parents) ASSERT_TRUE(std::equal(oracle.parent.begin(), oracle.parent.end(), whole.parent.begin())) << what;
  EXPECT_EQ(whole.figures.reached, oracle.reached) << what;
  EXPECT_EQ(whole.figures.depth, oracle.depth) << what;
  EXPECT_EQ(whole.figures.level_sizes, level_sizes(oracle.distance.span())) << what;
  for (std::size_t i = 0; i < whole.figures.levels.size(); ++i) {
    const LevelTrace& trace = whole.figures.levels[i].trace;
    ASSERT_EQ(trace.frontier, whole.figures.level_sizes.at(i)) << what;
    ASSERT_EQ(trace.discovered, i + 1 < whole.figures.level_sizes.size() ? whole.figures.level_sizes[i + 1] : 0) << what;
  }
}

/// Seeds from HOPWAVE_RANKS_FIRST (1) on, HOPWAVE_RANKS_GRAPHS of them: so several processes can share many.
struct Seeds {
  std::uint64_t first, end;
};
Seeds seeds(std::uint64_t standard) {
  const auto number = [](const char* name, std::uint64_t otherwise) {
    const char* const given = std::getenv(name);
    return given ? static_cast<std::uint64_t>(std::atoll(given)) : otherwise;
  };
  const std::uint64_t first = number("HOPWAVE_RANKS_FIRST", 1);
  return {first, first + number("HOPWAVE_RANKS_GRAPHS", standard)};
}

constexpr Direction all_directions[] = {Direction::out, Direction::in, Direction::both};

TEST(PartitionedSearch, AgreesWithTheOracleOnNamedGraphsFromEverySource) {
  std::uint64_t i = 0;
  for (const TestGraph& test : named_graphs()) {
    const Graph graph = build(test);
    for (VertexId source = 0; source < test.num_vertices; source += 1 + test.num_vertices / 8)
      for (const int size : all_sizes)
        for (const Direction direction : all_directions)
          if (tried(i++)) expect_right(graph, {.sources = {source}, .parents = true}, {size, direction, true}, test.name);
    const VertexId middle = test.num_vertices / 2;
    for (const Direction direction : all_directions)
      expect_right(graph, {.sources = {middle}, .parents = true}, {3, direction, true, 2 + test.num_vertices}, test.name);
  }
}

TEST(PartitionedSearch, AgreesWithTheOracleOnRandomGraphsAndQueries) {
  const Seeds all = seeds(120);
  for (std::uint64_t seed = all.first; seed < all.end; ++seed) {
    const TestGraph test = random_graph(seed, 300);
    const Graph graph = build(test);
    const auto draw = [&, at = seed * 977](std::uint64_t below) mutable { return splitmix64(++at) % below; };
    auto any = [&, drawn = draw]() mutable { return static_cast<VertexId>(drawn(test.num_vertices)); };
    Query query{.sources = {any()}, .parents = seed % 2 == 0};
    if (seed % 3 == 0) query.sources.insert(query.sources.end(), {any(), any(), query.sources[0]});
    if (seed % 4 == 1) query.max_depth = static_cast<Distance>(seed % 5);
    if (seed % 4 == 2) query.target = any();
    if (seed % 5 == 0) query.ties = Ties::min;
    for (const int size : all_sizes) expect_right(graph, query, {size, all_directions[seed % 3], seed % 7 != 0}, test.name);
    const int size = all_sizes[seed % std::size(all_sizes)];
    expect_right(graph, query, {size, all_directions[seed / 2 % 3], seed % 5 != 0, seed}, test.name);
  }
}

TEST(PartitionedSearch, AgreesWithTheOracleOnComposedShapes) {
  const Seeds all = seeds(10);
  for (std::uint64_t seed = all.first; seed < all.end; ++seed) {
    const std::string spec = "shapes:" + std::to_string(seed) + ",1500";
    const Graph graph = load_graph(spec);
    VertexId hub = 0;
    for (VertexId v = 1; v < graph.num_vertices(); ++v)
      if (graph.out_degree(v) > graph.out_degree(hub)) hub = v;
    for (const VertexId source : {hub, static_cast<VertexId>(splitmix64(seed) % graph.num_vertices())})
      for (const int size : all_sizes)
        expect_right(graph, {.sources = {source}, .parents = true}, {size, all_directions[seed % 3], true}, spec);
    expect_right(graph, {.sources = {hub}, .parents = seed % 2 == 0},
                 {all_sizes[seed % std::size(all_sizes)], all_directions[seed % 3], true, seed}, spec);
  }
}

TEST(PartitionedSearch, LooksBackOnSkewedGraphsUnlessToldNotTo) {
  const Graph graph = load_graph("rmat:10,16");
  VertexId hub = 0;
  for (VertexId v = 1; v < graph.num_vertices(); ++v)
    if (graph.out_degree(v) > graph.out_degree(hub)) hub = v;
  const Query query{.sources = {hub}};
  for (const int size : {1, 3}) {
    EXPECT_TRUE(partitioned(graph, query, {size, Direction::out, true}).looked_back);
    EXPECT_TRUE(partitioned(graph, query, {size, Direction::out, true, 6}).looked_back);
    EXPECT_FALSE(partitioned(graph, query, {size, Direction::out, false}).looked_back);
  }
}

TEST(PartitionedSearch, SendsAVertexOnceAtMost) {
  const Graph graph = load_graph("rmat:10,16");
  const int size = 3;
  std::uint64_t on_cpus = 0;
  for (const std::uint64_t device : {0, 8, 10}) {  // CPUs, devices by way of their hosts, and by NCCL
    const Whole whole = partitioned(graph, {.sources = {0}}, {size, Direction::out, false, device});
    const std::uint64_t levels = whole.figures.levels.size();
    // Beside 4 bytes a vertex there are sums: three reductions of a number, five numbers a level.
    const std::uint64_t lengths = device == 10 ? 8 * (size - 1) * levels : 0;
    EXPECT_LE(whole.figures.bytes_sent, 4ull * graph.num_vertices() + 64 + 40 * (levels + 2) + lengths);
    EXPECT_GT(whole.figures.bytes_sent, 0u);
    if (device) EXPECT_EQ(whole.figures.bytes_sent, on_cpus + lengths);
    if (!device) on_cpus = whole.figures.bytes_sent;
  }
}

TEST(PartitionedSearch, WhatFailsOnOneDeviceIsToldByAll) {
  const Graph graph = load_graph("rmat:8,8");
  std::uint64_t at = 1;
  for (bool failed = true; failed; ++at) {
    std::atomic<int> agreed = 0;
    const std::string id = testing::id_of([&] {
      ranks::run_as_threads(3, [&](Transport& transport) {
        Share share = deal(transport, transport.rank() == 0 ? &graph : nullptr);
        ranks::SearchSetup setup;
        setup.device = std::make_shared<device::Device>(*device::sim_api(), DeviceOptions{.ordinal = transport.rank()});
        if (transport.rank() == 1) setup.device->fail_call(at);
        try {
          const ranks::PartitionedSearch search(transport, share, setup);
        } catch (const ranks::AgreedError&) {
          ++agreed;
          throw;
        }
      });
    });
    failed = id != "none";
    EXPECT_EQ(id.substr(0, 10), failed ? "HW-DEVICE-" : "none") << at;
    EXPECT_EQ(agreed, failed ? 3 : 0) << at;
  }
  EXPECT_GT(at, 10u);
}

TEST(PartitionedSearch, ADeviceLostWhileSearchingEndsAll) {
  const Graph graph = load_graph("rmat:8,8");
  for (std::uint64_t at = 1; at <= 60; at += 3) {
    const std::string id = testing::id_of([&] {
      ranks::run_as_threads(3, [&](Transport& transport) {
        Share share = deal(transport, transport.rank() == 0 ? &graph : nullptr);
        ranks::SearchSetup setup;
        setup.device = std::make_shared<device::Device>(*device::sim_api(), DeviceOptions{.ordinal = transport.rank()});
        ranks::PartitionedSearch search(transport, share, setup);
        if (transport.rank() == 2) setup.device->fail_call(at);
        for (int i = 0; i < 20; ++i) search.run({.sources = {0, 100, 200}, .parents = true});
      });
    });
    EXPECT_EQ(id.substr(0, 10), "HW-DEVICE-") << at;
  }
}

TEST(RankDevice, RanksTakeSimulatedDevicesInTurn) {
  const auto taken = [](std::vector<int> ordinals) {
    std::vector<int> all(6);
    ranks::run_as_threads(6, [&](Transport& transport) {
      const auto device = ranks::device_of_rank(transport, DeviceKind::sim, ordinals);
      all[static_cast<std::size_t>(transport.rank())] = device->ordinal();
    });
    return all;
  };
  EXPECT_EQ(taken({}), (std::vector{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(taken({3, 1}), (std::vector{3, 1, 3, 1, 3, 1}));
  const auto id = [&](std::vector<int> ordinals) -> std::string { return testing::id_of([&] { taken(std::move(ordinals)); }); };
  EXPECT_EQ(id({2, 9}), "HW-DEVICE-NONE");
  EXPECT_EQ(id({1, 2, 1}), "HW-OPTION-REPLICAS");
}

TEST(RankDevice, EachRankGetsAGpuThatItSeesAndNoneIsGivenTwice) {
  using Places = std::vector<std::optional<std::size_t>>;
  const std::optional<std::size_t> none;
  EXPECT_EQ(ranks::deal_devices({{7, 8, 9}, {7, 8, 9}, {7, 8, 9}}), (Places{0, 1, 2}));    // all see all
  EXPECT_EQ(ranks::deal_devices({{7}, {8}, {9}}), (Places{0, 0, 0}));                      // a launcher shows each its own
  EXPECT_EQ(ranks::deal_devices({{7, 8}, {7}}), (Places{1, 0}));                           // the first makes room
  EXPECT_EQ(ranks::deal_devices({{7, 8}, {8, 9}, {7, 8}, {9}}), (Places{1, 1, 0, none}));  // three GPUs for four
  EXPECT_EQ(ranks::deal_devices({{1, 2}, {2, 3}, {3, 4}, {1}}), (Places{1, 1, 1, 0}));     // all of them move up
  EXPECT_EQ(ranks::deal_devices({{5}, {5}}), (Places{0, none}));
  EXPECT_EQ(ranks::deal_devices({{}, {5}}), (Places{none, 0}));
}

TEST(PartitionedSearch, TakesWhatIsEstimatedOfADevice) {
  const Graph graph = load_graph("rmat:12,16");
  const std::uint64_t n = graph.num_vertices(), m = graph.num_arcs();
  // Rows of 32-bit offsets, distances and parents, who reached each vertex, queues, bitmaps, and lists told and heard.
  const std::uint64_t half = 4 * (n / 2 + 1) + 4 * (m / 2) + 8 * (n / 2) + 4 * n + 32 * (n / 2) + 4 * (n / 8) + n / 16 + 16 * n;
  EXPECT_NEAR(static_cast<double>(ranks::rank_device_memory(n, m, false, true, 2)), static_cast<double>(half), 100);
  EXPECT_EQ(ranks::rank_device_memory(n, m, true, false, 2) - ranks::rank_device_memory(n, m, false, false, 2),
            4 * (n / 2 + 1) + 4 * (m / 2));
}

std::string id_of(int size, const Graph& graph, const Query& query, const ranks::SearchSetup& setup = {}) {
  try {
    ranks::run_as_threads(size, [&](Transport& transport) {
      Share share = deal(transport, transport.rank() == 0 ? &graph : nullptr);
      ranks::PartitionedSearch search(transport, share, setup);
      try {
        search.run(query);
      } catch (const Error&) {
        EXPECT_EQ(search.run({.sources = {0}}).level_sizes.at(0), 1u);  // it can be used again
        throw;
      }
    });
  } catch (const Error& error) {
    return error.id();
  }
  return "none";
}

TEST(PartitionedSearch, RefusesNonsense) {
  const Graph graph = build(chain(10));
  EXPECT_EQ(id_of(2, graph, {}), "HW-QUERY-EMPTY");
  EXPECT_EQ(id_of(2, graph, {.sources = {10}}), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of(2, graph, {.sources = {0}, .target = 10}), "HW-QUERY-TARGET");
  EXPECT_EQ(id_of(2, graph, {.sources = {0}, .max_depth = -2}), "HW-QUERY-DEPTH");
}

TEST(PartitionedSearch, EndsOnAllRanksWhenOneWantsToStop) {
  const Graph graph = build(chain(200));
  for (const int size : {1, 2, 5}) {
    std::atomic<int> calls = 0;
    const auto once = [&](const Step& step) { return !(step.done == 50 && calls++ == size - 1); };
    EXPECT_EQ(id_of(size, graph, {.sources = {0}}, {.progress = once}), "HW-INTERRUPTED");
  }
  // Each of three ranks looks once per level.
  const Ticks ticks;
  for (const std::uint32_t level : {0u, 1u, 3u})
    for (const std::uint32_t look : {3 * level + 1, 3 * level + 3}) {
      std::atomic<std::uint32_t> deepest = 0;
      ranks::SearchSetup limited{.progress = [&](const Step& step) {
        if (step.done > deepest) deepest = static_cast<std::uint32_t>(step.done);
        return true;
      }};
      limited.limits.time = Milliseconds(look);
      EXPECT_EQ(id_of(3, build(chain(5)), {.sources = {0}}, limited), "HW-TIME-LIMIT");
      EXPECT_EQ(deepest, level) << look;
    }
}

/// The rule that an answer breaks which was changed on its way; "" if none.
std::string rule_of(const Graph& graph, const Query& query, Direction direction,
                    const std::function<void(const Share&, Answer&)>& change, int size = 3) {
  try {
    ranks::run_as_threads(size, [&](Transport& transport) {
      Share share = deal(transport, transport.rank() == 0 ? &graph : nullptr);
      Answer answer = ranks::PartitionedSearch(transport, share, {.direction = direction}).run(query);
      change(share, answer);
      verify(transport, share, query, answer, direction, size % 2 + 1);
    });
  } catch (const ranks::AgreedError& error) {
    EXPECT_EQ(error.id(), "HW-VERIFY");
    const std::string text = error.what();
    const auto at = text.find("(rule ");
    return at == std::string::npos ? text : text.substr(at + 6, text.find(')', at) - at - 6);
  }
  return "";
}

TEST(Verify, FindsEveryKindOfWrongAnswer) {
  const Graph graph = build(grid(6, 6));
  const Query query{.sources = {0}, .parents = true, .ties = Ties::min};
  const auto at = [](VertexId v, auto&& set) {
    return [=](const Share& share, Answer& answer) {
      if (share.has(v)) set(answer, v - share.begin());
    };
  };
  // Distances go round among few ranks, messages along arcs among many.
  ASSERT_TRUE(ranks::verify_by_blocks(graph.num_vertices(), graph.num_arcs(), false, 3));
  ASSERT_FALSE(ranks::verify_by_blocks(graph.num_vertices(), graph.num_arcs(), false, 14));
  const auto rule = [&](const std::function<void(const Share&, Answer&)>& change) {
    const std::string broken = rule_of(graph, query, Direction::out, change);
    EXPECT_EQ(rule_of(graph, query, Direction::out, change, 14), broken);
    return broken;
  };
  EXPECT_EQ(rule([](const Share&, Answer&) {}), "");
  EXPECT_EQ(rule(at(0, [](Answer& a, VertexId i) { a.distance[i] = 1; })), "source-distance");
  EXPECT_EQ(rule(at(20, [](Answer& a, VertexId i) { a.distance[i] = 0; })), "source-distance");
  EXPECT_EQ(rule(at(20, [](Answer& a, VertexId i) { a.distance[i] = 99; })), "distance-range");
  EXPECT_EQ(rule(at(35, [](Answer& a, VertexId i) { a.distance[i] += 2; })), "edge-levels");
  EXPECT_EQ(rule(at(35,
                    [](Answer& a, VertexId i) {
                      a.distance[i] = unreached;
                      a.parent[i] = no_vertex;
                    })),
            "spanning");
  EXPECT_EQ(rule(at(35, [](Answer& a, VertexId i) { a.distance[i] -= 2; })), "distance-witness");
  EXPECT_EQ(rule(at(35, [](Answer& a, VertexId i) { a.parent[i] = no_vertex; })), "parent-range");
  EXPECT_EQ(rule(at(0, [](Answer& a, VertexId i) { a.parent[i] = 1; })), "no-parent");
  EXPECT_EQ(rule(at(35, [](Answer& a, VertexId i) { a.parent[i] = 0; })), "tree-edge");
  EXPECT_EQ(rule(at(35, [](Answer& a, VertexId i) { a.parent[i] = 34; })), "least-parent");
  EXPECT_EQ(rule([](const Share&, Answer& a) { a.parent = {}; }), "size");
  EXPECT_EQ(rule([](const Share& share, Answer& a) {
              if (share.rank == 1) a.parent = {};
            }),
            "size");
  EXPECT_EQ(rule([](const Share& share, Answer& a) {
              if (share.rank == 1) a.distance = Array<Distance>::filled(a.distance.size() - 1, 1);
            }),
            "size");
  EXPECT_EQ(rule([](const Share&, Answer& a) { ++a.reached; }), "counts");
  EXPECT_EQ(rule([](const Share&, Answer& a) { ++a.depth; }), "counts");
  // A search that ended early and says that it was to end there: the query knows better.
  const auto cut_off = [](const Share&, Answer& a) {
    for (std::size_t i = 0; i < a.distance.size(); ++i) {
      if (a.distance[i] <= 4) continue;
      a.distance[i] = unreached;
      a.parent[i] = no_vertex;
    }
    a.depth = a.limit = 4;
    a.reached = 15;
  };
  EXPECT_EQ(rule(cut_off), "spanning");
  Query stops = query;
  stops.target = 4;  // four hops from the source
  EXPECT_EQ(rule_of(graph, stops, Direction::out, cut_off), "");
  stops.target = 5;  // five hops
  EXPECT_EQ(rule_of(graph, stops, Direction::out, cut_off), "spanning");

  // Of two vertices with the same distance and no third between them and the source, nothing else is wrong.
  const Graph apart = build({"apart", 4, {{0, 1}, {2, 3}}, false});
  const auto invent = [](const Share& share, Answer& a) {
    for (VertexId v : {2u, 3u})
      if (share.has(v)) a.distance[v - share.begin()] = 1;
  };
  EXPECT_EQ(rule_of(apart, {.sources = {0}}, Direction::out, invent), "distance-witness");
  EXPECT_EQ(rule_of(build(chain(9)), {.sources = {0}, .max_depth = 3}, Direction::out,
                    at(4, [](Answer& a, VertexId i) { a.distance[i] = 4; })),
            "depth-limit");
}

TEST(Verify, FindsWhatOneProcessFinds) {
  int right = 0, wrong = 0, by_blocks = 0, by_messages = 0;
  for (std::uint64_t seed = 1; seed <= 75; ++seed) {
    const Graph graph = build(random_graph(seed, 60));
    std::uint64_t drawn = seed * 1000;
    const auto draw = [&](std::uint64_t below) { return splitmix64(drawn++) % below; };
    const VertexId n = graph.num_vertices();
    if (n == 0) continue;
    const Direction direction = all_directions[seed % std::size(all_directions)];
    const Query query{.sources = {static_cast<VertexId>(draw(n))}, .parents = seed % 3 != 0};
    Result told = Searcher(graph, {.strategy = "cpu-sequential", .direction = direction}).run(query);
    const auto v = static_cast<VertexId>(draw(n));
    if (draw(2) == 0 || !query.parents)
      told.distance[v] = static_cast<Distance>(draw(5)) - 1;
    else if (told.parent[v] != no_vertex)
      told.parent[v] = static_cast<VertexId>(draw(n));  // another one may be right, too
    const bool ok = static_cast<bool>(validate(graph, query, told, direction));
    (ok ? right : wrong) += 1;
    const auto tell = [&](const Share& share, Answer& a) {
      for (VertexId row = 0; row < share.count(); ++row) {
        a.distance[row] = told.distance[share.begin() + row];
        if (query.parents) a.parent[row] = told.parent[share.begin() + row];
      }
    };
    for (const int size : {2, 5, 12}) {
      (ranks::verify_by_blocks(n, graph.num_arcs(), graph.directed(), static_cast<std::uint64_t>(size)) ? by_blocks
                                                                                                        : by_messages) += 1;
      EXPECT_EQ(rule_of(graph, query, direction, tell, size).empty(), ok) << "seed " << seed << " on " << size << " ranks";
    }
  }
  EXPECT_GT(std::min({right, wrong, by_blocks, by_messages}), 20);
}

TEST(Verify, FollowsDirections) {
  const Graph graph = build(chain(20));
  for (const Direction direction : all_directions) {
    const Query query{.sources = {10}, .parents = true};
    EXPECT_EQ(rule_of(graph, query, direction, [](const Share&, Answer&) {}), "");
    const VertexId end = direction == Direction::in ? 0 : 19;
    const auto change = [&](const Share& share, Answer& a) {
      if (share.has(end)) a.parent[end - share.begin()] = 10;
    };
    EXPECT_EQ(rule_of(graph, query, direction, change), "tree-edge");
  }
}

}  // namespace of_ranks_test
}  // namespace hopwave
