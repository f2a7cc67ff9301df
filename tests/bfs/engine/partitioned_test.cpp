// One graph shared out over several simulated devices, and each search on all of them: distances and least parents against the
// oracle, all ways through a level, limits, devices that fail, and what is refused.
// HOPWAVE_PARTITIONED_GRAPHS: how many random graphs and composed shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bfs/engine/limits.h"
#include "bfs/engine/partitioned/cut.h"
#include "bfs/engine/partitioned/make_plan.h"
#include "bfs/engine/partitioned/upload_rows.h"
#include "device/kernel.h"
#include "device/peer_buffer.h"
#include "hopwave/device_result.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"
#include "support/changed_device.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/no_threads.h"
#include "support/sanitized.h"
#include "support/ticks.h"

namespace hopwave {
namespace of_partitioned_test {

using namespace testing;

std::uint64_t graphs_wanted(std::uint64_t standard) {
  const char* const wanted = std::getenv("HOPWAVE_PARTITIONED_GRAPHS");
  return wanted ? static_cast<std::uint64_t>(std::atoll(wanted)) : standard;
}

/// Which steps levels take: Beamer's rule, only top-down, only bottom-up, or one after the other.
const Parameters rules[] = {{},
                            {{"pull", std::int64_t{1} << 60}},
                            {{"pull", 0}, {"push", 0}},
                            {{"pull", 0}, {"push", std::int64_t{1} << 60}},
                            {{"pull", 20}, {"push", 12}}};

SearchOptions shared_by(int devices, Parameters parameters = {}) {
  SearchOptions options{
      .partition = Partition::always, .parameters = std::move(parameters), .run = {.device = DeviceKind::sim}};
  for (int d = 1; d < devices; ++d) options.run.replicas.push_back(d);
  return options;
}

/// The same with vertices dealt out by degree: parents may be any right ones then.
void expect_right_prepared(const Graph& graph, const Query& query, SearchOptions options, const Result& oracle,
                           const std::string& where) {
  options.prepare = true;
  const std::string what = where + ", " + std::to_string(options.run.replicas.size() + 1) + " devices, prepared, direction " +
                           std::to_string(static_cast<int>(options.direction));
  Searcher searcher(graph, options);
  const Result result = searcher.run(query);
  ASSERT_TRUE(std::ranges::equal(oracle.distance.span(), result.distance.span())) << what;
  ASSERT_EQ(oracle.reached, result.reached) << what;
  ASSERT_EQ(result.parent.size(), oracle.parent.size()) << what;
  const Verdict verdict = validate(graph, query, result, options.direction);
  ASSERT_TRUE(verdict.ok) << what << ": " << verdict.message;
}

/// The same answer as the oracle's, distances and least parents.
void expect_right(const Graph& graph, const Query& query, const SearchOptions& options, const std::string& where) {
  Query least = query;
  least.ties = Ties::min;
  const Result oracle =
      search(graph, least, {.strategy = "cpu-sequential", .direction = options.direction, .run = {.threads = 1}});
  Searcher searcher(graph, options);
  for (const bool again : {false, true}) {  // nothing is left over from the first
    const Result result = searcher.run(query);
    const std::string what = where + ", " + std::to_string(options.run.replicas.size() + 1) + " devices, direction " +
                             std::to_string(static_cast<int>(options.direction)) + (again ? ", again" : "");
    ASSERT_TRUE(std::ranges::equal(oracle.distance.span(), result.distance.span())) << what;
    if (query.parents) ASSERT_TRUE(std::ranges::equal(oracle.parent.span(), result.parent.span())) << what;
    ASSERT_EQ(oracle.reached, result.reached) << what;
    ASSERT_EQ(oracle.depth, result.depth) << what;
    ASSERT_TRUE(result.run.complete());
  }
  expect_right_prepared(graph, query, options, oracle, where);
}

constexpr Direction all_directions[] = {Direction::out, Direction::in, Direction::both};

TEST(CutVertices, SharesVerticesAndArcsOutEvenlyAtWholeWords) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph graph = build(random_graph(seed, 900));
    const auto before = [&](std::uint64_t v) { return graph.out().offsets[v]; };
    const std::uint64_t n = graph.num_vertices();
    for (const std::uint64_t devices : {1, 2, 3, 4, 9, 40}) {
      const auto first = engine::cut_vertices(devices, n, 32, before);
      ASSERT_EQ(first.size(), devices + 1);
      EXPECT_EQ(first.front(), 0u);
      EXPECT_EQ(first.back(), n);
      for (std::size_t d = 0; d < devices; ++d) {
        ASSERT_LE(first[d], first[d + 1]);
        EXPECT_TRUE(first[d] % 32 == 0 || first[d] == n);
        const std::uint64_t weight = before(first[d + 1]) - before(first[d]) + first[d + 1] - first[d];
        const std::uint64_t widest = 32 + [&] {  // no word of 32 rows is cut
          std::uint64_t most = 0;
          for (std::uint64_t v = 0; v < n; v += 32) most = std::max(most, before(std::min(v + 32, n)) - before(v));
          return most;
        }();
        EXPECT_LE(weight, (before(n) + n) / devices + widest + 1);
      }
    }
  }
}

TEST(Partitioned, NamedGraphsFromEverySource) {
  for (const TestGraph& test : named_graphs()) {
    const Graph graph = build(test);
    for (VertexId source = 0; source < test.num_vertices; source += 1 + test.num_vertices / 3) {
      const int devices = 2 + static_cast<int>(source % 3);
      SearchOptions options = shared_by(devices, rules[source % std::size(rules)]);
      options.direction = all_directions[source % 3];
      expect_right(graph, {.sources = {source}, .parents = true}, options, test.name);
    }
  }
}

TEST(Partitioned, RandomGraphsAndQueries) {
  for (std::uint64_t seed = 0; seed < graphs_wanted(90); ++seed) {
    const TestGraph test = random_graph(seed, 400);
    const Graph graph = build(test);
    std::uint64_t drawn = seed * 977;
    const auto any = [&] { return static_cast<VertexId>(splitmix64(++drawn) % test.num_vertices); };
    Query query{.sources = {any()}, .parents = seed % 2 == 0};
    if (seed % 3 == 0) query.sources.insert(query.sources.end(), {any(), any(), query.sources[0]});
    if (seed % 4 == 1) query.max_depth = static_cast<Distance>(seed % 5);
    if (seed % 4 == 2) query.target = any();
    if (seed % 5 == 0) query.ties = Ties::min;
    SearchOptions options = shared_by(2 + static_cast<int>(seed % 3), rules[seed / 3 % std::size(rules)]);
    options.direction = all_directions[seed / 2 % 3];
    options.run.simulator.seed = seed + 1;
    options.run.simulator.schedule = static_cast<ScheduleKind>(seed / 5 % 6);
    if (options.run.simulator.schedule == ScheduleKind::load_buffering) options.run.simulator.schedule = ScheduleKind::uniform;
    if (seed % 6 == 0) options.parameters["wide_offsets"] = 1;
    if (seed % 7 != 0) options.parameters.insert({{"block", 64}, {"grid", 3}});
    expect_right(graph, query, options, test.name);
  }
}

TEST(Partitioned, ComposedShapes) {
  for (std::uint64_t seed = 1; seed <= graphs_wanted(24); ++seed) {
    const std::string spec = "shapes:" + std::to_string(seed) + (seed % 4 ? ",400" : ",1200");
    const Graph graph = load_graph(spec);
    VertexId hub = 0;
    for (VertexId v = 1; v < graph.num_vertices(); ++v)
      if (graph.out_degree(v) > graph.out_degree(hub)) hub = v;
    const VertexId source = seed % 2 ? hub : static_cast<VertexId>(splitmix64(seed) % graph.num_vertices());
    SearchOptions options = shared_by(2 + static_cast<int>(seed % 3), rules[seed % std::size(rules)]);
    options.direction = all_directions[seed % 3];
    if (seed % 6 != 0) options.parameters.insert({{"block", 64}, {"grid", 1 + seed % 3}});
    expect_right(graph, {.sources = {source}, .parents = seed % 3 != 0}, options, spec);
  }
}

/// Of a first neighbour, which says with it whether there is another.
TEST(Partitioned, IdsLeaveABitFree) {
  EXPECT_EQ(id_of([] { sim::engine::check_ids(std::uint64_t{1} << 31); }), "none");
  EXPECT_EQ(id_of([] { sim::engine::check_ids((std::uint64_t{1} << 31) + 1); }), "HW-ENGINE-SIZE");
  static_assert(sim::engine::id_mask == (std::uint64_t{1} << 31) - 1);
}

/// A share's queue counts fewer rows and more arcs than that of one device's graph.
TEST(Partitioned, SharesOfFewerRowsAndMoreArcs) {
  constexpr std::uint64_t rows = (std::uint64_t{1} << 29) - 1, arcs = (std::uint64_t{1} << 35) - 1;
  const auto refused = [](std::uint64_t r, std::uint64_t a) {
    return id_of([&] { sim::engine::partitioned::check_share(r, a); });
  };
  EXPECT_EQ(refused(rows, arcs), "none");
  EXPECT_EQ(refused(rows + 1, arcs), "HW-ENGINE-SIZE");
  EXPECT_EQ(refused(rows, arcs + 1), "HW-ENGINE-SIZE");
  using sim::engine::partitioned::QueuedArcs;
  using sim::engine::partitioned::QueuedRows;
  const auto full = QueuedRows::put(rows) + QueuedArcs::put(arcs);
  EXPECT_EQ(QueuedRows::get(full), rows);
  EXPECT_EQ(QueuedArcs::get(full), arcs);
}

TEST(Partitioned, MoreDevicesThanWordsOfVertices) {
  std::uint64_t i = 0;
  for (const VertexId n : {1u, 2u, 31u, 32u, 33u, 64u, 65u, 97u})
    for (const Parameters& rule : rules)
      if (tried(i++))
        expect_right(build(chain(n, false)), {.sources = {n - 1}, .parents = true}, shared_by(4, rule), std::to_string(n));
  const Graph nothing = build({"nothing", 0, {}});
  Searcher searcher(nothing, shared_by(3));
  EXPECT_EQ(searcher.run_each({}).size(), 0u);
}

TEST(Partitioned, LongRowsAreLookedThroughByAWarp) {
  // Looking back, the last vertex has its only neighbour in the frontier at the very end of a long row.
  TestGraph test{"long row", 700, {}, true};
  for (VertexId v = 0; v + 1 < 700; ++v) test.edges.push_back({v, 699});
  test.edges.push_back({5, 698});
  for (const Parameters& rule : rules) {
    expect_right(build(test), {.sources = {5}, .parents = true}, shared_by(3, rule), "long row");
    expect_right(build(test), {.sources = {698}, .parents = true}, shared_by(2, rule), "long row");
  }
}

/// A lane looks at 16 neighbours, then the warp at 32 at a time: the one that is met stands at such borders.
TEST(Partitioned, ALongRowsFirstIsFoundWhereverItStands) {
  const VertexId borders[] = {0, 15, 16, 47, 48, 79, 80, 303, 304, 559, 560, 899};
  for (const VertexId row : {1, 16, 17, 48, 49, 304, 305, 900}) {
    TestGraph test{"a row of " + std::to_string(row), 901, {}, true};
    for (VertexId v = 0; v < row; ++v) test.edges.push_back({v, 900});
    const Graph graph = build(test);
    for (const VertexId met : borders)
      if (met < row) {
        Query query{.sources = {met}, .parents = true};
        if (met + 1 < row) query.sources.push_back(row - 1);  // and not this one
        expect_right(graph, query, shared_by(2, rules[met % 2 ? 1 : 2]), test.name + ", " + std::to_string(met));
      }
  }
}

/// Rows that dealing splits by a block and in pieces, beside short ones; sources and targets that have no arcs.
TEST(Partitioned, PreparedRowsOfAllLengthsAndVerticesWithoutArcs) {
  TestGraph test{"hubs", 20000, {}};
  for (VertexId v = 10; v < 19000; ++v) test.edges.push_back({v % 3, v});
  for (VertexId v = 10; v < 9500; ++v) test.edges.push_back({3, v});
  for (VertexId v = 10; v < 700; ++v) test.edges.push_back({4 + v % 2, v + 1});
  for (const bool directed : {false, true}) {
    test.directed = directed;
    const Graph graph = build(test);
    for (const bool pulls : {false, true}) {
      if (!tried(std::uint64_t{directed} + pulls, 2)) continue;
      SearchOptions options = shared_by(3, rules[pulls ? 2 : 0]);
      options.direction = directed ? Direction::in : Direction::out;
      options.run.simulator.seed = 5;
      const auto right = [&](const Query& query) {
        const Result oracle =
            search(graph, query, {.strategy = "cpu-sequential", .direction = options.direction, .run = {.threads = 1}});
        expect_right_prepared(graph, query, options, oracle, test.name);
      };
      right({.sources = {18999}, .parents = true});
      right({.sources = {19500}, .parents = true});                   // alone
      right({.sources = {19500, 3, 19500, 19999}, .parents = true});  // beside one that is not
      right({.sources = {19500, 3}, .target = 19500});                // nothing but the sources
      right({.sources = {3}, .target = 19501});                       // never met
      right({.sources = {3, 19500}, .max_depth = 1, .parents = true});
    }
  }
  const Graph without_arcs = build({"no arcs", 70, {}});
  Searcher searcher(without_arcs, [] {
    SearchOptions options = shared_by(3);
    options.prepare = true;
    return options;
  }());
  EXPECT_EQ(searcher.run({.sources = {4, 69, 4}, .parents = true}).reached, 2u);
}

TEST(Partitioned, PreparedParentsMayBeTheLeast) {
  const Graph graph = load_graph("rmat:9,8");
  SearchOptions options = shared_by(3);
  options.prepare = true;
  const Query query{.sources = {1}, .parents = true, .ties = Ties::min};
  EXPECT_TRUE(std::ranges::equal(Searcher(graph, options).run(query).parent.span(),
                                 search(graph, query, {.strategy = "cpu-sequential"}).parent.span()));
}

TEST(Partitioned, ManySearchesRunOneAfterTheOther) {
  const Graph graph = load_graph("rmat:7,8");
  const std::vector<VertexId> sources{3, 77, 3, 120};
  Searcher one(graph, {.strategy = "cpu-sequential"}), shared(graph, shared_by(3));
  const auto expected = one.run_each(sources), results = shared.run_each(sources);
  ASSERT_EQ(results.size(), sources.size());
  const Array<Distance> rows = shared.distances_from_each(sources);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(expected[i].distance.span(), results[i].distance.span()));
    EXPECT_TRUE(
        std::ranges::equal(expected[i].distance.span(), rows.span().subspan(i * graph.num_vertices(), graph.num_vertices())));
  }
  EXPECT_EQ(shared.count_levels({.sources = {3}}).at, one.count_levels({.sources = {3}}).at);
  EXPECT_EQ(shared.traverse_each(sources).levels, one.traverse_each(sources).levels);
  const std::vector<Pair> pairs{{3, 9}, {9, 3}, {77, 5}};
  EXPECT_EQ(shared.distances(pairs), one.distances(pairs));
  EXPECT_EQ(shared.paths(pairs), one.paths(pairs));
}

TEST(Partitioned, TellsItsLevelsDeviceByDevice) {
  const Graph graph = load_graph("rmat:9,8");
  SearchOptions options = shared_by(3);
  options.trace = true;
  Searcher searcher(graph, options);
  const Result result = searcher.run({.sources = {1}, .parents = true});
  const SearchReport& stats = result.run;
  EXPECT_EQ(stats.chosen, "partitioned over 3 devices: it was asked for");
  EXPECT_EQ(stats.levels, static_cast<std::uint32_t>(result.depth));
  EXPECT_EQ(stats.launches, 3u);
  ASSERT_GE(stats.trace.size(), static_cast<std::size_t>(result.depth));
  EXPECT_EQ(stats.devices.size(), 3 * stats.trace.size());
  std::uint64_t found = 1;
  bool pulled = false, pushed = false;
  for (const LevelTrace& level : stats.trace) {
    found += level.discovered;
    (std::string(level.direction) == "pull" ? pulled : pushed) = true;
  }
  EXPECT_EQ(found, result.reached);
  EXPECT_TRUE(pulled && pushed);
  for (const DeviceLevel& part : stats.devices) {
    EXPECT_GE(part.device, 0);
    EXPECT_LT(part.device, 3);
    EXPECT_GT(part.bytes_read, 0u);
  }
}

TEST(Partitioned, WhatItCannotDoIsRefused) {
  const Graph graph = build(chain(100));
  const auto with = [&](auto change) {
    SearchOptions options = shared_by(2);
    change(options);
    return id_of([&] { Searcher(graph, options).run({.sources = {0}}); });
  };
  EXPECT_EQ(with([](SearchOptions&) {}), "none");
  EXPECT_EQ(with([](SearchOptions& o) { o.prepare = true; }), "none");
  EXPECT_EQ(with([](SearchOptions& o) { o.run.replicas.clear(); }), "HW-PARTITION-DEVICES");
  EXPECT_EQ(with([](SearchOptions& o) { o.run.replicas = {0}; }), "HW-OPTION-REPLICAS");
  EXPECT_EQ(with([](SearchOptions& o) { o.run.replicas = {4}; }), "HW-DEVICE-NONE");
  EXPECT_EQ(with([](SearchOptions& o) { o.run.device = DeviceKind::cpu; }), "HW-PARTITION-OPTIONS");
  EXPECT_EQ(with([](SearchOptions& o) { o.strategy = "pmpp-edge"; }), "HW-PARTITION-OPTIONS");
  EXPECT_EQ(with([](SearchOptions& o) { o.counts = true; }), "HW-PARTITION-OPTIONS");
  EXPECT_EQ(with([](SearchOptions& o) { o.parameters = {{"tail", 5}}; }), "HW-PARTITION-OPTIONS");
  EXPECT_EQ(with([](SearchOptions& o) { o.run.simulator.schedule = ScheduleKind::load_buffering; }), "HW-PARTITION-OPTIONS");
  EXPECT_EQ(with([](SearchOptions& o) { o.partition = static_cast<Partition>(3); }), "HW-OPTION-VALUE");
  Searcher searcher(graph, shared_by(2));
  EXPECT_EQ(id_of([&] { searcher.run({.sources = {100}}); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { searcher.run_on_device({.sources = {0}}); }), "HW-VIEW-DEVICE");
}

// ---- limits ------------------------------------------------------------------------------------------------------------

/// What is done of a search from the middle of a chain.
void expect_middle(const Result& part) {
  const auto size = static_cast<VertexId>(part.distance.size()), middle = size / 2;
  if (!part.run.complete()) EXPECT_EQ(part.reached, 1u + 2 * static_cast<VertexId>(part.depth));
  for (VertexId v = 0; v < size; ++v) {
    const auto right = static_cast<Distance>(v < middle ? middle - v : v - middle);
    ASSERT_EQ(part.distance[v], right <= part.depth ? right : unreached);
  }
}

/// The host reports once before the launch. A stop comes from there, or at any moment after it.
TEST(Partitioned, AStopEndsAllDevicesAtTheSameLevel) {
  const Graph graph = build(chain(4000, false));
  for (const bool from_report : {true, false}) {
    std::stop_source stop;
    std::atomic<bool> begun = false;
    SearchOptions options = shared_by(3, {{"block", 32}, {"grid", 2}});
    options.run.progress = [&](const Step&) {
      if (from_report) stop.request_stop();
      begun = true;
      begun.notify_one();
      return true;
    };
    Searcher searcher(graph, options);
    searcher.set_limits({.stop = stop.get_token(), .partial = true});
    std::jthread canceller([&] {
      begun.wait(false);
      stop.request_stop();
    });
    const Result part = searcher.run({.sources = {2000}, .parents = true});
    if (from_report) EXPECT_EQ(part.depth, 0);
    if (from_report) EXPECT_FALSE(part.run.complete());
    expect_middle(part);
    searcher.set_limits({});
    EXPECT_EQ(searcher.run({.sources = {0}, .max_depth = 30}).reached, 31u);  // it can be used again
  }
}

/// The host looks twice. Then each of the two devices looks at both barriers of a level.
TEST(Partitioned, ATimeLimitEndsAllDevicesAtTheSameLevel) {
  const Graph graph = build(chain(4000, false));
  Searcher searcher(graph, shared_by(2, {{"block", 64}, {"grid", 1}}));
  const Ticks ticks;
  for (const auto& [milliseconds, depth] :
       {std::pair{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 1}, {10, 1}, {11, 2}, {50, 11}}) {
    const std::uint64_t before = ticks.looks();
    searcher.set_limits({.time = Seconds(milliseconds / 1000.0), .partial = true});
    const Result part = searcher.run({.sources = {2000}, .parents = true});
    EXPECT_FALSE(part.run.complete());
    EXPECT_EQ(part.depth, depth) << milliseconds;
    EXPECT_LE(ticks.looks() - before, milliseconds + 1u);
    expect_middle(part);
  }
  searcher.set_limits({.time = Seconds(0.05)});
  EXPECT_EQ(id_of([&] { searcher.run({.sources = {0}}); }), "HW-TIME-LIMIT");
  searcher.set_limits({});
  EXPECT_EQ(searcher.run({.sources = {0}, .max_depth = 5}).reached, 6u);
}

TEST(Partitioned, ProgressMayEndIt) {
  const Graph graph = build(chain(50));
  SearchOptions options = shared_by(2);
  int calls = 0;
  options.run.progress = [&](const Step&) { return ++calls != 1; };
  Searcher searcher(graph, options);
  EXPECT_EQ(id_of([&] { searcher.run({.sources = {0}}); }), "HW-INTERRUPTED");
  EXPECT_EQ(searcher.run({.sources = {0}}).reached, 50u);
}

// ---- devices that fail -------------------------------------------------------------------------------------------------

std::vector<std::shared_ptr<device::Device>> simulated(int count, const device::Api& api = *device::sim_api()) {
  std::vector<std::shared_ptr<device::Device>> devices;
  for (int d = 0; d < count; ++d) devices.push_back(std::make_shared<device::Device>(api, DeviceOptions{.ordinal = d}));
  return devices;
}

Parameters all_parameters() {
  Parameters all;
  for (const ParameterInfo& p : find_strategy("auto").parameters) all.emplace(p.name, p.standard);
  return all;
}

/// Each call of each device fails once: the error comes out, nobody hangs, and the plan is of use afterwards.
TEST(Partitioned, ADeviceThatFailsEndsTheSearchOfAll) {
  Graph graph = load_graph("rmat:6,8");
  graph.ensure_in();
  const strategy::View view{
      .num_vertices = graph.num_vertices(), .forward = &graph.out(), .backward = &graph.in(), .symmetric = !graph.directed()};
  const Result expected = search(graph, {.sources = {1}, .parents = true, .ties = Ties::min}, {.strategy = "cpu-sequential"});
  for (int turn = 0; turn < 6; ++turn) {
    const int failing = turn % 3;
    const bool prepare = turn >= 3;
    const auto devices = simulated(3);
    const auto plan = engine::make_partitioned_plan({view, all_parameters(), devices, "a test", prepare});
    Array<Distance> distance(graph.num_vertices());
    Array<VertexId> parent(graph.num_vertices());
    const auto run = [&] {
      SearchReport stats;
      strategy::RunControl control{.stats = &stats};
      plan->run({.sources = {1}, .parents = true}, control);
      plan->fetch(distance.span(), parent.span());
    };
    const auto right = [&] {
      run();
      return std::ranges::equal(distance.span(), expected.distance.span()) &&
             (prepare || std::ranges::equal(parent.span(), expected.parent.span()));
    };
    bool failed = true;
    int failures = 0;
    for (std::uint64_t k = 1; failed; ++k) {
      devices[static_cast<std::size_t>(failing)]->fail_call(k);
      const std::string id = id_of(run);
      failed = id != "none";
      if (failed) EXPECT_TRUE(id == "HW-DEVICE-CALL" || id == "HW-DEVICE-MEMORY") << id;
      failures += failed;
      devices[static_cast<std::size_t>(failing)]->fail_call(0);
      ASSERT_TRUE(right()) << "device " << failing << ", call " << k;
    }
    EXPECT_GE(failures, 2);  // the launch, and the wait for it
  }
}

/// Where launches do not wait, one thread makes them one after the other. Here the first of them fails.
TEST(Partitioned, ALaunchThatFailsInTurnEndsTheSearch) {
  static device::Api in_turn = *device::sim_api();
  const Graph graph = load_graph("rmat:6,8");
  const strategy::View view{
      .num_vertices = graph.num_vertices(), .forward = &graph.out(), .backward = &graph.out(), .symmetric = true};
  const Result expected = search(graph, {.sources = {1}}, {.strategy = "cpu-sequential"});
  const auto devices = simulated(3, in_turn);
  const auto plan = engine::make_partitioned_plan({view, all_parameters(), devices, "a test"});
  const auto run = [&] {
    SearchReport stats;
    strategy::RunControl control{.stats = &stats};
    plan->run({.sources = {1}}, control);
  };
  devices[2]->fail_call(1);
  in_turn.launch_waits = false;
  EXPECT_EQ(id_of(run), "HW-DEVICE-CALL");
  in_turn.launch_waits = true;  // the simulator's do
  run();
  Array<Distance> distance(graph.num_vertices());
  plan->fetch(distance.span(), {});
  EXPECT_TRUE(std::ranges::equal(distance.span(), expected.distance.span()));
}

TEST(Partitioned, ADeviceWithoutMemoryLeavesNothingBehind) {
  Graph graph = load_graph("rmat:6,8");
  graph.ensure_in();
  const strategy::View view{
      .num_vertices = graph.num_vertices(), .forward = &graph.out(), .backward = &graph.in(), .symmetric = false};
  for (const int failing : {0, 1})
    for (const bool prepare : {false, true})
      for (std::uint64_t k = 1;; ++k) {
        const auto devices = simulated(2);
        devices[static_cast<std::size_t>(failing)]->fail_call(k);
        const std::string id = id_of([&] {
          engine::make_partitioned_plan({view, all_parameters(), devices, "a test", prepare});
        });
        if (id == "none") {
          EXPECT_GT(k, 10u);
          break;
        }
        EXPECT_TRUE(id == "HW-DEVICE-CALL" || id == "HW-DEVICE-MEMORY") << id;
      }
}

/// Nothing of what a search with parents takes for the first time may be missing in the next one.
TEST(Partitioned, MemoryThatFailedInTheFirstSearchIsTakenByTheNext) {
  Graph graph = load_graph("rmat:6,8");
  graph.ensure_in();
  const strategy::View view{
      .num_vertices = graph.num_vertices(), .forward = &graph.out(), .backward = &graph.in(), .symmetric = !graph.directed()};
  const Query query{.sources = {5}, .parents = true};
  for (const bool prepare : {false, true})
    for (const std::size_t failing : {0, 2}) {
      bool failed = true;
      for (std::uint64_t k = 1; failed; ++k) {
        const auto devices = simulated(3);
        const auto plan = engine::make_partitioned_plan({view, all_parameters(), devices, "a test", prepare});
        Result result = search(graph, query, {.strategy = "cpu-sequential"});
        std::ranges::fill(result.distance.span(), -7);
        std::ranges::fill(result.parent.span(), no_vertex);
        const auto run = [&] {
          SearchReport stats;
          strategy::RunControl control{.stats = &stats};
          plan->run(query, control);
          plan->fetch(result.distance.span(), result.parent.span());
        };
        devices[failing]->fail_call(k);
        failed = id_of(run) != "none";
        devices[failing]->fail_call(0);
        run();
        const Verdict verdict = validate(graph, query, result);
        ASSERT_TRUE(verdict.ok) << "device " << failing << ", call " << k << (prepare ? ", prepared: " : ": ")
                                << verdict.message;
        if (!failed) EXPECT_GT(k, 3u);
      }
    }
}

TEST(Partitioned, DevicesThatDoNotReachEachOtherAreRefused) {
  static device::Api apart = *device::sim_api();
  apart.can_reach = [](bool* can, int, int) { return *can = false, 0; };
  Graph graph = build(chain(5));
  graph.ensure_in();
  const strategy::View view{.num_vertices = 5, .forward = &graph.out(), .backward = &graph.in(), .symmetric = false};
  EXPECT_EQ(id_of([&] {
              engine::make_partitioned_plan({view, all_parameters(), simulated(2, apart), "a test"});
            }),
            "HW-PARTITION-PEERS");
  static device::Api none = *device::sim_api();
  none.can_reach = nullptr;
  EXPECT_EQ(id_of([&] {
              engine::make_partitioned_plan({view, all_parameters(), simulated(2, none), "a test"});
            }),
            "HW-PARTITION-PEERS");
}

// ---- drawn graphs ------------------------------------------------------------------------------------------------------

/// Graph500's graph, of whose edges each device has drawn its own: distances are those of the same edges in a list, repeated
/// ones or not; the check finds the answer right, and counts what there is.
TEST(DrawnPlan, SearchesAndChecksTheGraphThatTheListGives) {
  for (const auto& [scale, edge_factor, count] : {std::array{6, 4, 2}, {7, 8, 3}, {8, 16, 4}, {3, 1, 3}, {1, 1, 2}}) {
    const auto factor = static_cast<std::uint64_t>(edge_factor);
    engine::DrawnEdges edges{
        .draw = generate_detail::Rmat(scale, 5), .count = factor << scale, .num_vertices = VertexId{1} << scale};
    if (scale != 6) edges.arcs_at_once = scale == 8 ? 1 : 100;  // in many pieces; a longer row is one of its own
    const std::string spec = "rmat:" + std::to_string(scale) + "," + std::to_string(factor) + ",5";
    const EdgeList list = generate(spec);
    const Graph graph = load_graph(spec);
    Parameters parameters = all_parameters();
    parameters["wide_offsets"] = scale % 2;
    parameters["block"] = 64;
    const auto plan = engine::make_drawn_plan(edges, parameters, simulated(count));
    for (VertexId source = 0; source < graph.num_vertices(); source += 1 + graph.num_vertices() / 7) {
      ASSERT_EQ(plan->has_neighbors(source), graph.out_degree(source) != 0) << spec;
      const Query query{.sources = {source}, .parents = true};
      SearchReport stats;
      strategy::RunControl control{.stats = &stats};
      plan->run(query, control);
      const engine::PartitionedCheck check = plan->check();
      const Result oracle = search(graph, query, {.strategy = "cpu-sequential"});
      ASSERT_EQ(check.broken, nullptr) << spec << ", rule " << check.broken << ", vertex " << check.vertex;
      if (graph.out_degree(source) != 0) ASSERT_EQ(check.reached, oracle.reached);
      ASSERT_EQ(check.depth, oracle.depth);
      Array<Distance> distance(graph.num_vertices());
      plan->fetch(distance.span(), {});
      ASSERT_TRUE(std::ranges::equal(distance.span(), oracle.distance.span())) << spec;
      std::uint64_t ends = 0;  // of edges, a loop's twice
      for (const Edge& e : list.edges) ends += (oracle.distance[e.source] >= 0) + (oracle.distance[e.target] >= 0);
      if (graph.out_degree(source) != 0) ASSERT_EQ(check.arcs, ends);
    }
  }
}

TEST(Partitioned, NoThreadForADeviceEndsTheSearch) {
  if (sanitized) GTEST_SKIP() << "sanitizers start threads in their own way";
  const Graph graph = load_graph("rmat:6,8");
  Searcher searcher(graph, shared_by(3));
  {
    const hopwave::testing::HugeStacks none;
    EXPECT_EQ(id_of([&] { searcher.traverse({.sources = {1}}); }), "HW-THREAD-START");
  }
  EXPECT_EQ(searcher.run({.sources = {1}}).reached, search(graph, {.sources = {1}}).reached);
}

TEST(Partitioned, AGraphWithoutVerticesInEveryDirection) {
  for (const Direction direction : {Direction::out, Direction::in, Direction::both})
    for (const Graph& graph : {Graph(), build_graph(EdgeList{.directed = true}, {.build_in = true})}) {
      SearchOptions options = shared_by(3);
      options.direction = direction;
      Searcher searcher(graph, options);
      EXPECT_EQ(hopwave::testing::id_of([&] { searcher.run({.sources = {0}}); }), "HW-QUERY-SOURCE");
    }
}

TEST(Partitioned, ASourceThatIsTheTarget) {
  const Graph graph = build(chain(70));
  SearchOptions options = shared_by(2, {{"pull", std::int64_t{1} << 60}});
  options.trace = true;
  Searcher searcher(graph, options);
  const Result alone = searcher.run({.sources = {40}, .target = 40});
  EXPECT_EQ(alone.reached, 1u);
  EXPECT_TRUE(alone.run.trace.empty());  // no level was searched
  const Result again = searcher.run({.sources = {40}, .max_depth = 2});
  EXPECT_EQ(again.reached, 3u);
  ASSERT_EQ(again.run.devices.size(), 4u);
  EXPECT_GT(again.run.devices[0].bytes_read, 0u);
}

TEST(Partitioned, AGraphWithoutVerticesHasAnEmptyAnswer) {
  const Graph graph = build({"nothing", 0, {}}, true, true);
  const strategy::View view{.num_vertices = 0, .forward = &graph.out(), .backward = &graph.in(), .symmetric = false};
  const auto plan = engine::make_partitioned_plan({view, all_parameters(), simulated(2), "a test"});
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  plan->run({}, control);
  plan->fetch({}, {});
  EXPECT_EQ(stats.launches, 0u);
  EXPECT_EQ(id_of([&] {
              engine::make_partitioned_plan({view, all_parameters(), simulated(1), "a test"});
            }),
            "HW-PARTITION-DEVICES");
}

TEST(Partitioned, DevicesWithoutCooperativeLaunchesAreRefused) {
  const device::Api& bare = changed_api<[](device::Properties& p) { p.cooperative = false; }>();
  Graph graph = build(chain(5));
  graph.ensure_in();
  const strategy::View view{.num_vertices = 5, .forward = &graph.out(), .backward = &graph.in(), .symmetric = false};
  EXPECT_EQ(id_of([&] {
              engine::make_partitioned_plan({view, all_parameters(), simulated(2, bare), "a test"});
            }),
            "HW-NEEDS-COOPERATIVE");
}

/// Memory that refuses large arrays from the `from`-th on.
struct Refusing final : DeviceMemory {
  std::size_t largest;
  std::atomic<int> left;
  Refusing(std::size_t most, int from) : largest(most), left(from) {}
  void* allocate(std::size_t bytes, void*) override {
    return bytes > largest && left.fetch_sub(1) <= 0 ? nullptr : std::malloc(bytes);
  }
  void deallocate(void* p, std::size_t, void*) noexcept override { std::free(p); }
};

/// Records of a trace on one device, and none on the other: the next search takes what is missing.
TEST(Partitioned, MemoryThatOneDeviceLackedIsTakenByTheNextSearch) {
  const Graph graph = load_graph("rmat:7,8");
  SearchOptions options = shared_by(2);
  options.trace = true;
  for (int i = 0; i < 8; ++i) {  // either of them may come first
    const auto memory = std::make_shared<Refusing>(std::size_t{1} << 20, 1);
    options.run.on.memory = memory;
    Searcher searcher(graph, options);
    EXPECT_EQ(id_of([&] { searcher.run({.sources = {1}}); }), "HW-DEVICE-MEMORY");
    memory->left = 2;
    EXPECT_FALSE(searcher.run({.sources = {1}}).run.trace.empty());
  }
}

/// By itself, because of what did not fit.
void expect_shared_out(const Graph& graph, const SearchOptions& options, VertexId source) {
  const Result result = Searcher(graph, options).run({.sources = {source}});
  EXPECT_NE(result.run.chosen.find("partitioned over 2 devices: it does not fit into one of them"), std::string::npos)
      << result.run.chosen;
  const Result right = search(graph, {.sources = {source}}, {.strategy = "cpu-sequential"});
  EXPECT_TRUE(std::ranges::equal(right.distance.span(), result.distance.span()));
}

// What was taken for parents is used, though the search that took it failed for want of other memory.
TEST(Partitioned, ParentsAfterASearchThatLackedMemoryForItsSources) {
  const Graph graph = load_graph("rmat:7,8");
  SearchOptions options = shared_by(2);
  for (int i = 0; i < 8; ++i) {
    const auto memory = std::make_shared<Refusing>(std::size_t{1} << 13, 1);
    options.run.on.memory = memory;
    Searcher searcher(graph, options);
    const std::vector<VertexId> many(3000, 1);
    EXPECT_EQ(id_of([&] { searcher.run({.sources = many, .parents = true}); }), "HW-DEVICE-MEMORY");
    memory->left = 2;
    const Result found = searcher.run({.sources = {1}, .parents = true});
    EXPECT_GT(found.reached, 64u);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      if (found.distance[v] > 0) {
        ASSERT_EQ(found.distance[found.parent[v]] + 1, found.distance[v]);
      }
    }
  }
}

/// Memory for one device that a small graph's search does not fit into, and the shares of it do: the neighbours of all
/// vertices are one array.
TEST(Partitioned, AutomaticTakesItWhereTheGraphDoesNotFitIntoOne) {
  const Graph graph = load_graph("rmat:8,8");
  SearchOptions options = shared_by(2);
  options.run.on.memory = std::make_shared<Refusing>(4 * graph.num_arcs() - 1, 0);
  EXPECT_EQ(id_of([&] {
              SearchOptions never = options;
              never.partition = Partition::never;
              Searcher(graph, never).run({.sources = {0}});
            }),
            "HW-DEVICE-MEMORY");
  options.partition = Partition::automatic;
  expect_shared_out(graph, options, 1);
  options.run.on.memory.reset();
  EXPECT_EQ(Searcher(graph, options).run({.sources = {1}}).run.chosen.find("partitioned"), std::string::npos);
}

TEST(Partitioned, AutomaticTakesItWhereTheGraphDoesNotFitIntoAFurtherOne) {
  const Graph graph = load_graph("rmat:8,8");
  const std::size_t most = 4 * graph.num_arcs() - 1;
  SearchOptions options = shared_by(2);
  options.run.on.memory = std::make_shared<Refusing>(most, 1);
  options.partition = Partition::never;
  EXPECT_EQ(id_of([&] { Searcher(graph, options).run({.sources = {0}}); }), "HW-DEVICE-MEMORY");
  options.run.on.memory = std::make_shared<Refusing>(most, 1);
  options.partition = Partition::automatic;
  expect_shared_out(graph, options, 1);
}

/// What cannot be shared out does not fit: nobody has asked for shares.
TEST(Partitioned, AutomaticTellsThatItDoesNotFit) {
  const Graph graph = load_graph("rmat:8,8");
  const auto id = [&](auto change) {
    SearchOptions options = shared_by(2);
    options.run.on.memory = std::make_shared<Refusing>(4 * graph.num_arcs() - 1, 0);
    options.partition = Partition::automatic;
    change(options);
    return id_of([&] { Searcher(graph, options).run({.sources = {0}}); });
  };
  EXPECT_EQ(id([](SearchOptions&) {}), "none");
  EXPECT_EQ(id([](SearchOptions& o) { o.parameters = {{"tail", 1}}; }), "HW-DEVICE-MEMORY");
  EXPECT_EQ(id([](SearchOptions& o) { o.strategy = "pmpp-frontier"; }), "HW-DEVICE-MEMORY");
  EXPECT_EQ(id([](SearchOptions& o) { o.run.on.limits_of = "no-cooperative"; }), "HW-DEVICE-MEMORY");
  EXPECT_EQ(id([](SearchOptions& o) {
              o.partition = Partition::always, o.parameters = {{"tail", 1}};
            }),
            "HW-PARTITION-OPTIONS");
}

/// A stored preparation is used without the arcs in, which shares need.
TEST(Partitioned, AutomaticTakesADirectedGraphWithItsPreparation) {
  TestGraph test{"eight arcs each", 300, {}, true};
  for (VertexId v = 0; v < 300; ++v)
    for (VertexId k = 1; k <= 8; ++k) test.edges.push_back({v, (v * 7 + k * 13) % 300});
  Graph graph = build(test);
  ASSERT_TRUE(graph.directed());
  SearchOptions alone{.run = {.device = DeviceKind::sim}};
  alone.prepare = true;
  alone.parameters = {{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}};
  graph.set_preparation(prepare(graph, alone));
  ASSERT_EQ(graph.preparation()->kind, "grid-wide");
  SearchOptions options = shared_by(2);
  options.prepare = true;
  options.partition = Partition::automatic;
  options.run.on.memory = std::make_shared<Refusing>(4 * graph.num_arcs() - 1, 0);
  expect_shared_out(graph, options, 0);
}

/// Their kernels wait for each other, so two searches must not meet on two devices in different orders.
TEST(Partitioned, SearchersOfTheSameDevicesTakeTurns) {
  const Graph graph = load_graph("rmat:7,8");
  const Result right = search(graph, {.sources = {1}}, {.strategy = "cpu-sequential"});
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        SearchOptions options{.partition = Partition::always, .run = {.device = DeviceKind::sim, .on = {.ordinal = t}}};
        options.run.replicas = {(t + 1) % 3};
        Searcher searcher(graph, options);
        for (int i = 0; i < 4; ++i)
          wrong += !std::ranges::equal(right.distance.span(), searcher.run({.sources = {1}}).distance.span());
      });
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Partitioned, TheTraceGoesOnBeyondItsRecords) {
#ifdef HW_SANITIZED
  GTEST_SKIP() << "16,000 levels take long under sanitizers, and are like the first ones";
#endif
  constexpr VertexId n = (1 << 14) + 40;
  const Graph graph = build(chain(n, false));
  SearchOptions options = shared_by(2, {{"block", 32}, {"grid", 1}});
  options.trace = true;
  const Result result = Searcher(graph, options).run({.sources = {0}});
  ASSERT_EQ(result.run.trace.size(), n - 1u);
  for (std::size_t i = 0; i < result.run.trace.size(); ++i) {
    ASSERT_EQ(result.run.trace[i].level, static_cast<Distance>(i + 1));
    ASSERT_EQ(result.run.trace[i].discovered, 1u);
    ASSERT_EQ(result.run.trace[i].frontier, 1u);
  }
}

// ---- the words ---------------------------------------------------------------------------------------------------------

namespace kernels {
using namespace sim;
void read_one(const std::uint32_t* from, std::uint32_t* to) { *to = dev::load_peer(from); }
void write_one(std::uint64_t* to) { dev::store_release_system(to, 7); }
}  // namespace kernels

TEST(PeerMemory, IsTouchedByWordsForItOnly) {
  const auto devices = simulated(2);
  device::PeerBuffer theirs = [&] {
    const device::KeepCurrent keep(*devices[0]);
    return device::PeerBuffer(*devices[0], 64);
  }();
  devices[0]->fill_bytes(theirs.data(), 1, 64);
  const device::KeepCurrent keep(*devices[1]);
  device::Buffer<std::uint32_t> own(*devices[1], 1);
  devices[1]->reach(*devices[0]);
  devices[1]->start_counts();
  device::launch(*devices[1], {{}}, kernels::read_one, reinterpret_cast<const std::uint32_t*>(theirs.data()), own.data());
  device::launch(*devices[1], {{}}, kernels::write_one, reinterpret_cast<std::uint64_t*>(theirs.data() + 8));
  EXPECT_EQ(own.value(), 0x01010101u);
  const auto counts = devices[1]->take_counts();
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].peer_read, 4u);
  EXPECT_EQ(counts[0].peer_written, 0u);
  EXPECT_EQ(counts[1].peer_written, 8u);
  // Memory that nobody shares, and the end of what is shared.
  device::Buffer<std::uint32_t> private_one(*devices[0], 1);
  const auto read = [&](const void* from) {
    return id_of(
        [&] { device::launch(*devices[1], {{}}, kernels::read_one, static_cast<const std::uint32_t*>(from), own.data()); });
  };
  EXPECT_EQ(read(private_one.data()), "HW-SIM-PEER-ACCESS");
  EXPECT_EQ(read(theirs.data() + 64), "HW-SIM-PEER-ACCESS");
  EXPECT_EQ(read(theirs.data() + 60), "none");
}

TEST(PartitionMemory, IsWhatAnEvenCutTakes) {
  const auto two = engine::partition_memory(1000, 64000, false, true, 2);
  EXPECT_EQ(two.rows, 4 * 501 + 4 * 32000u);
  EXPECT_EQ(two.firsts, 4 * 500u);
  EXPECT_EQ(two.answer, 8 * 500u + 4 * 1000u);
  EXPECT_EQ(two.queues, 32 * 500u);
  EXPECT_LT(two.bitmaps, 600 + 4 * (64 + 1000 / 128u));
  EXPECT_EQ(engine::partition_memory(1000, 64000, true, false, 2).rows, 2 * two.rows);
  // Offsets are as wide as the whole graph needs, however small a share is.
  const std::uint64_t narrow = 0xFFFF0000ull;
  EXPECT_EQ(engine::partition_memory(1000, narrow, false, false, 4).queues, 32 * 250u);
  EXPECT_EQ(engine::partition_memory(1000, narrow + 1, false, false, 4).queues, 64 * 250u);
  EXPECT_EQ(engine::partition_memory(1000, narrow + 1, false, false, 4).rows, 8 * 251 + 4 * (narrow / 4 + 1));
  EXPECT_EQ(two.total(), two.rows + two.firsts + two.answer + two.queues + two.bitmaps);
  // Prepared: the share once more, and as much that passes by; ranks and offsets of all vertices; four numbers a row.
  const auto prepared = engine::partition_memory(1000, 64000, false, true, 2, true);
  EXPECT_EQ(prepared.rows, two.rows);
  EXPECT_EQ(prepared.answer, two.answer + 16 * 500u);
  EXPECT_EQ(prepared.dealing, 8 * 1000 + 4 * 64000 + 16 * 500u);
  EXPECT_EQ(prepared.total(), prepared.rows + prepared.dealing);
  // Few arcs over many devices: the first one takes most before it has any row.
  const auto thin = engine::partition_memory(32768, 65536, false, true, 16, true);
  EXPECT_EQ(thin.ordering, 12 * 32768 + 32768 / 2u);
  EXPECT_EQ(thin.total(), thin.ordering);
}

}  // namespace of_partitioned_test
}  // namespace hopwave
