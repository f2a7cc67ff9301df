// Searches dealt out over several devices: the same answers in the same order as on one, callbacks in the caller's thread,
// errors and limits that end all. The simulator has four devices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "bfs/searcher/deal.h"
#include "hopwave/closeness.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/resident.h"
#include "hopwave/search.h"
#include "support/hostile.h"

namespace hopwave {
namespace of_replicas_test {

using search_detail::Deal;

Graph graph_of(const std::string& spec) { return build_graph(generate(spec)); }

std::vector<VertexId> some_sources(const Graph& graph, std::size_t count) {
  std::vector<VertexId> sources(count);
  for (std::size_t i = 0; i < count; ++i) sources[i] = static_cast<VertexId>(i * 7919 % graph.num_vertices());
  return sources;
}

/// Small launches: up to four devices with several passes in flight have more stacks at the same time than ThreadSanitizer
/// can have mappings.
SearchOptions on_devices(std::vector<int> replicas, bool prepare = false) {
  return {.parameters = {{"block", 32}, {"grid", 6}},
          .prepare = prepare,
          .run = {.device = DeviceKind::sim, .replicas = std::move(replicas)}};
}

TEST(Replicas, GiveWhatOneDeviceGives) {
  for (const char* spec : {"rmat:6,8", "grid:12x9"})
    for (const bool prepare : {false, true}) {
      const Graph graph = graph_of(spec);
      Searcher one(graph, on_devices({}, prepare)), three(graph, on_devices({3, 1}, prepare));
      for (const std::size_t count : {0, 1, 65, 130}) {
        const auto sources = some_sources(graph, count);
        const auto expected = one.run_each(sources, 9);
        std::size_t next = 0;
        three.run_each(sources, 9, [&](std::size_t i, Result&& result) {
          ASSERT_EQ(i, next++);
          ASSERT_TRUE(std::ranges::equal(result.distance.span(), expected[i].distance.span()))
              << spec << " " << count << " " << i;
          ASSERT_EQ(result.reached, expected[i].reached);
        });
        EXPECT_EQ(next, count);
        const Array<Distance> rows = three.distances_from_each(sources, 9);
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_TRUE(std::ranges::equal(rows.span().subspan(i * graph.num_vertices(), graph.num_vertices()),
                                         expected[i].distance.span()));
        std::vector<LevelCounts> counted;
        const SearchReport stats = three.count_levels(sources, -1, [&](std::size_t i, LevelCounts&& counts) {
          ASSERT_EQ(i, counted.size());
          counted.push_back(std::move(counts));
        });
        EXPECT_EQ(stats.launches > 0, count > 0);
        one.count_levels(sources, -1, [&](std::size_t i, LevelCounts&& counts) { EXPECT_EQ(counts.at, counted[i].at); });
        EXPECT_EQ(three.traverse_each(sources, 9).levels, one.traverse_each(sources, 9).levels);
      }
    }
}

TEST(Replicas, PairsAndSingleSearches) {
  const Graph graph = graph_of("rmat:9,6");
  Searcher one(graph, on_devices({})), two(graph, on_devices({2}));
  std::vector<Pair> pairs;
  for (VertexId i = 0; i < 150; ++i) pairs.push_back({i % 90, i * 31 % graph.num_vertices()});
  EXPECT_EQ(two.distances(pairs), one.distances(pairs));
  EXPECT_EQ(two.paths(pairs), one.paths(pairs));
  EXPECT_TRUE(std::ranges::equal(two.run({.sources = {3}}).distance.span(), one.run({.sources = {3}}).distance.span()));
}

TEST(Replicas, NonsenseIsRefused) {
  const Graph graph = graph_of("chain:9");
  EXPECT_EQ(id_of([&] { Searcher(graph, on_devices({0})); }), "HW-OPTION-REPLICAS");
  EXPECT_EQ(id_of([&] { Searcher(graph, on_devices({2, 1, 2})); }), "HW-OPTION-REPLICAS");
  EXPECT_EQ(id_of([&] { Searcher(graph, on_devices({4})); }), "HW-DEVICE-NONE");
  EXPECT_EQ(id_of([&] { Searcher(graph, on_devices({-1})); }), "HW-DEVICE-NONE");
  EXPECT_EQ(id_of([&] { Searcher(graph, {.run = {.device = DeviceKind::cpu, .replicas = {1}}}); }), "HW-OPTION-REPLICAS");
  const ResidentGraph resident(ResidentEdges::rmat(6, 4, 1, DeviceKind::sim), {});
  EXPECT_EQ(id_of([&] { Searcher(resident, on_devices({1})); }), "HW-RESIDENT-OPTIONS");
}

TEST(Replicas, CallbacksComeFromTheCaller) {
  const Graph graph = graph_of("rmat:6,8");
  const auto sources = some_sources(graph, 300);
  const auto here = std::this_thread::get_id();
  SearchOptions options = on_devices({1, 2});
  bool on = true;
  std::atomic<int> told = 0;
  options.run.progress = [&](const Step&) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    ++told;
    return on;
  };
  Searcher searcher(graph, options);
  std::size_t taken = 0;
  const auto take = [&](std::size_t i, Result&&) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_EQ(i, taken++);
    EXPECT_EQ(id_of([&] { searcher.run({.sources = {0}}); }), "HW-BUSY");
  };
  searcher.run_each(sources, -1, take);
  EXPECT_EQ(taken, 300u);
  EXPECT_GT(told, 0);
  on = false;
  taken = 0;
  EXPECT_EQ(id_of([&] { searcher.run_each(sources, -1, take); }), "HW-INTERRUPTED");
  on = true;
  EXPECT_THROW(searcher.run_each(sources, -1,
                                 [&](std::size_t i, Result&&) {
                                   if (i == 100) throw std::runtime_error("enough");
                                 }),
               std::runtime_error);
  taken = 0;
  searcher.run_each(sources, -1, take);  // all goes on
  EXPECT_EQ(taken, 300u);
  EXPECT_EQ(searcher.run({.sources = {0}}).distance[0], 0);
}

TEST(Replicas, LimitsEndAllDevices) {
  const Graph graph = graph_of("chain:24");
  const auto sources = some_sources(graph, 64);
  SearchOptions options = on_devices({1, 2, 3});
  options.parameters["in_flight"] = 2;  // parts of 2,048 sources
  options.run.limits.time = Seconds(1e-9);
  Searcher searcher(graph, options);
  EXPECT_EQ(id_of([&] { searcher.run_each(sources, -1); }), "HW-TIME-LIMIT");
  std::stop_source stop;
  searcher.set_limits({.stop = stop.get_token()});
  const std::size_t most = 20'000;  // more parts than devices have ready before the caller takes one
  std::size_t taken = 0;
  EXPECT_EQ(id_of([&] {
              searcher.count_levels(some_sources(graph, most), -1, [&](std::size_t, LevelCounts&&) {
                if (++taken == 3) stop.request_stop();
              });
            }),
            "HW-CANCELLED");
  EXPECT_GE(taken, 3u);
  EXPECT_LT(taken, most);
  searcher.set_limits({});
  EXPECT_EQ(searcher.run_each(std::span(sources).first(2)).size(), 2u);
}

// ---- the deal itself -----------------------------------------------------------------------------------------------------

TEST(Deal, PartsComeInOrderThoughTheyEndOutOfOrder) {
  constexpr std::size_t count = 100, part = 7, parts = (count + part - 1) / part;
  for (const std::size_t room : {1, 3, 1000}) {
    Deal<std::size_t> deal(count, part, room);
    std::array<std::atomic<bool>, parts> has_given{};
    std::size_t next = 0;
    deal.run(
        3,
        [&](std::size_t, std::size_t begin, std::size_t size, const auto& give) {
          const std::size_t p = begin / part;
          if (p % 2 == 0 && p + 1 < parts) has_given[p + 1].wait(false);
          for (std::size_t i = 0; i < size; ++i) {
            give(begin + i);
            has_given[p] = true;
            has_given[p].notify_all();
          }
        },
        [&](std::size_t i, std::size_t&& item) {
          EXPECT_EQ(i, next);
          EXPECT_EQ(item, next++);
        },
        {});
    EXPECT_EQ(next, count);
  }
}

TEST(Deal, AnErrorComesBehindTheItemsBeforeIt) {
  Deal<std::size_t> deal(50, 5, 1);
  std::size_t taken = 0;
  EXPECT_THROW(deal.run(
                   4,
                   [](std::size_t, std::size_t begin, std::size_t size, const auto& give) {
                     for (std::size_t i = 0; i < size; ++i) {
                       if (begin + i == 23) throw std::invalid_argument("23");
                       give(begin + i);
                     }
                   },
                   [&](std::size_t, std::size_t&& item) { EXPECT_EQ(item, taken++); }, {}),
               std::invalid_argument);
  EXPECT_EQ(taken, 23u);
}

TEST(Deal, NoDeviceIsFarAhead) {
  constexpr std::size_t room = 2;
  Deal<int> deal(40, 10, room);
  std::atomic<int> made = 0;
  int taken = 0;
  deal.run(
      2,
      [&](std::size_t, std::size_t, std::size_t size, const auto& give) {
        for (std::size_t i = 0; i < size; ++i) {
          ++made;
          give(0);
        }
      },
      [&](std::size_t, int&&) {
        ++taken;
        EXPECT_LE(made - taken, static_cast<int>(2 * (room + 1)));
      },
      {});
  EXPECT_EQ(taken, 40);
}

/// Without room a device waits with each item until take() has returned, whatever else happens.
TEST(Deal, WithoutRoomADeviceWaitsUntilItsItemIsDoneWith) {
  for (const std::size_t last : {40u, 17u}) {
    Deal<bool*> deal(40, 3, 0);
    std::size_t taken = 0;
    const auto run = [&] {
      deal.run(
          4,
          [](std::size_t, std::size_t, std::size_t size, const auto& give) {
            for (std::size_t i = 0; i < size; ++i) {
              bool done = false;
              give(&done);
              EXPECT_TRUE(done);
            }
          },
          [&](std::size_t, bool*&& done) {
            if (taken == last) throw std::runtime_error("no more");
            std::this_thread::yield();
            *done = true;
            ++taken;
          },
          {});
    };
    if (last < 40)
      EXPECT_THROW(run(), std::runtime_error);
    else
      run();
    EXPECT_EQ(taken, last);
  }
}

TEST(Deal, WhoTakesNoMoreEndsIt) {
  Deal<int> deal(1000, 1, 1);
  std::atomic<int> begun = 0;
  EXPECT_THROW(deal.run(
                   3,
                   [&](std::size_t, std::size_t, std::size_t, const auto& give) {
                     ++begun;
                     give(1);
                   },
                   [&](std::size_t i, int&&) {
                     if (i == 5) throw std::runtime_error("no more");
                   },
                   {}),
               std::runtime_error);
  EXPECT_LT(begun, 20);
}

}  // namespace of_replicas_test
}  // namespace hopwave
