// Nonsense for searches: an Error of a documented id, or a defined answer, and a searcher that goes on; never a crash.
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "support/hostile.h"

namespace hopwave {
namespace of_hostile_search_test {

using namespace std::string_literals;

constexpr Distance lowest = std::numeric_limits<Distance>::min(), highest = std::numeric_limits<Distance>::max();

// What keeps a reference takes no temporary.
static_assert(std::is_constructible_v<Searcher, const Graph&, const SearchOptions&>);
static_assert(std::is_constructible_v<Searcher, Graph&, SearchOptions>);
static_assert(!std::is_constructible_v<Searcher, Graph, const SearchOptions&>);
static_assert(!std::is_constructible_v<Searcher, const Graph, SearchOptions>);
static_assert(std::is_constructible_v<Searcher, ResidentGraph, SearchOptions>);  // shares what it needs

struct Machine {
  const char* strategy;
  DeviceKind device;
};
constexpr Machine machines[] = {{"auto", DeviceKind::cpu},
                                {"cpu-sequential", DeviceKind::cpu},
                                {"cpu-direction", DeviceKind::cpu},
                                {"auto", DeviceKind::sim},
                                {"pmpp-vertex-push", DeviceKind::sim}};

SearchOptions on(const Machine& machine) { return {.strategy = machine.strategy, .run = {.device = machine.device}}; }

// nonsense: search Searcher::run Searcher::traverse
TEST(HostileSearch, QueriesThatAreNone) {
  const Graph g = build_graph(generate("grid:6x5"));
  for (const Machine& machine : machines) {
    SCOPED_TRACE(machine.strategy);
    Searcher searcher(g, on(machine));
    const auto error_with = [&](const Query& query) {
      const std::string error = id_of([&] { (void)searcher.run(query); });
      EXPECT_EQ(id_of([&] { (void)searcher.traverse(query); }), error);
      EXPECT_EQ(id_of([&] { (void)search(g, query, on(machine)); }), error);
      return error;
    };
    EXPECT_EQ(error_with({}), "HW-QUERY-EMPTY");
    for (const VertexId v : {VertexId{30}, far_vertex, no_vertex})
      EXPECT_EQ(error_with({.sources = {0, v}}), "HW-QUERY-SOURCE");
    for (const VertexId v : {VertexId{30}, far_vertex}) EXPECT_EQ(error_with({.sources = {0}, .target = v}), "HW-QUERY-TARGET");
    for (const Distance d : {-2, lowest}) EXPECT_EQ(error_with({.sources = {0}, .max_depth = d}), "HW-QUERY-DEPTH");
    EXPECT_EQ(error_with({.sources = {0}, .parents = true, .ties = unnamed<Ties>()}), "HW-OPTION-VALUE");
    EXPECT_EQ(error_with({.sources = {0}, .parents = true, .ties = unnamed<Ties>(-1)}), "HW-OPTION-VALUE");
    EXPECT_EQ(error_with({.sources = {0}, .max_depth = highest}), "none");
    EXPECT_EQ(searcher.run({.sources = {0, 0, 7, 0}, .max_depth = 0}).reached, 2u);
    EXPECT_EQ(searcher.run({.sources = std::vector<VertexId>(1000, 3)}).depth, 7);
    EXPECT_EQ(searcher.run({.sources = {0}}).depth, 9);  // and goes on
  }
}

// nonsense: Searcher::Searcher find_strategy strategies literal_strategies device_info
TEST(HostileSearch, OptionsThatAreNone) {
  const Graph g = build_graph(generate("grid:6x5"));
  const auto error_with = [&](const SearchOptions& options) {
    return id_of([&] { Searcher(g, options).run({.sources = {0}}); });
  };
  EXPECT_EQ(error_with({.strategy = ""}), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(error_with({.strategy = std::string(5000, 'x')}), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(error_with({.strategy = "auto\0"s}), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(error_with({.run = {.device = unnamed<DeviceKind>()}}), "HW-OPTION-VALUE");
  EXPECT_EQ(error_with({.run = {.device = unnamed<DeviceKind>(-1)}}), "HW-OPTION-VALUE");
  EXPECT_EQ(error_with({.direction = unnamed<Direction>()}), "HW-OPTION-VALUE");
  EXPECT_EQ(error_with({.run = {.device = DeviceKind::sim, .simulator = {.schedule = unnamed<ScheduleKind>()}}}),
            "HW-OPTION-VALUE");
  EXPECT_EQ(error_with({.run = {.device = DeviceKind::sim, .simulator = {.schedule = unnamed<ScheduleKind>(-1)}}}),
            "HW-OPTION-VALUE");
  EXPECT_EQ(error_with({.run = {.device = DeviceKind::sim, .simulator = {.schedule = ScheduleKind::weak}}}), "none");
  EXPECT_EQ(error_with({.run = {.device = DeviceKind::cpu, .simulator = {.schedule = ScheduleKind::pct}}}),
            "HW-OPTION-SCHEDULE");
  EXPECT_EQ(error_with({.strategy = "cpu-parallel", .run = {.simulator = {.schedule = ScheduleKind::slow_warp}}}),
            "HW-OPTION-SCHEDULE");
  EXPECT_EQ(error_with({.strategy = "cpu-parallel", .run = {.threads = -1}}), "HW-OPTION-THREADS");
  EXPECT_EQ(error_with({.strategy = "cpu-parallel", .run = {.threads = std::numeric_limits<int>::max()}}), "HW-OPTION-THREADS");
  EXPECT_EQ(error_with({.strategy = "cpu-parallel", .run = {.device = DeviceKind::sim}}), "HW-STRATEGY-DEVICE");
  EXPECT_EQ(error_with({.parameters = {{"", 0}}}), "HW-PARAM-UNKNOWN");
  EXPECT_EQ(error_with({.strategy = "cpu-direction", .parameters = {{"alpha", std::numeric_limits<std::int64_t>::min()}}}),
            "HW-PARAM-RANGE");
  EXPECT_EQ(error_with({.run = {.device = DeviceKind::sim, .simulator = {.seed = ~std::uint64_t{0}}}}), "none");
  EXPECT_EQ(id_of([] { (void)find_strategy(""); }), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(id_of([] { (void)find_strategy({}); }), "HW-STRATEGY-UNKNOWN");
  for (const StrategyInfo& info : strategies()) EXPECT_EQ(find_strategy(info.name).name, info.name);
  EXPECT_EQ(id_of([] { (void)find_strategy("literal:"); }), "HW-STRATEGY-UNKNOWN");
  for (const StrategyInfo& info : literal_strategies()) EXPECT_EQ(find_strategy(info.name).name, info.name);
  EXPECT_EQ(device_info().gpu, device_info().why_not.empty());
}

TEST(HostileSearch, ParametersThatContradictEachOther) {
  const Graph g = build_graph(generate("grid:6x5"));
  const auto error_with = [&](const Parameters& parameters) {
    return id_of([&] { Searcher(g, {.parameters = parameters, .run = {.device = DeviceKind::sim}}).run({.sources = {0}}); });
  };
  for (const Parameters& p : std::vector<Parameters>{{{"cluster", 3}},
                                                     {{"cluster", 12}},
                                                     {{"single_cluster", 1}, {"cluster", 1}},
                                                     {{"high_diameter", 1}, {"single_cluster", 1}},
                                                     {{"high_diameter", 1}, {"shared_memory", 2}},
                                                     {{"single_cluster", 1}, {"shared_memory", 1}},
                                                     {{"level_launches", 1}, {"high_diameter", 1}},
                                                     {{"level_launches", 1}, {"shared_memory", 3}},
                                                     {{"high_diameter", 0}, {"hops", 2}},
                                                     {{"high_diameter", 0}, {"async", 1}},
                                                     {{"single_cluster", 0}, {"share", 2}},
                                                     {{"shared_memory", 0}, {"long_row", 0}},
                                                     {{"ms_bfs", 0}, {"rows", 1}},
                                                     {{"async", 1}, {"hops", 1}}})
    EXPECT_EQ(error_with(p), "HW-PARAM-RANGE") << p.begin()->first << "=" << p.begin()->second;
  for (const Parameters& p : std::vector<Parameters>{{{"wide_offsets", 1}},
                                                     {{"cluster", 1}, {"block", 32}, {"grid", 2}},
                                                     {{"high_diameter", 1}, {"single_cluster", 0}, {"shared_memory", 0}},
                                                     {{"high_diameter", 0}, {"async", 0}},
                                                     {{"async", 0}, {"hops", 2}},
                                                     {{"shared_memory", 0}, {"long_row", -1}}})
    EXPECT_EQ(error_with(p), "none") << p.begin()->first << "=" << p.begin()->second;
}

TEST(HostileSearch, TheGraphWithoutVertices) {
  const Graph none;
  for (const Machine& machine : machines) {
    SCOPED_TRACE(machine.strategy);
    EXPECT_EQ(id_of([&] { Searcher(none, on(machine)).run({.sources = {0}}); }), "HW-QUERY-SOURCE");
    EXPECT_EQ(id_of([&] { Searcher(none, on(machine)).run_each(std::vector<VertexId>{}); }), "none");
    EXPECT_TRUE(Searcher(none, on(machine)).distances_from_each({}).empty());
  }
}

// nonsense: Searcher::run_each Searcher::traverse_each Searcher::distances_from_each
TEST(HostileSearch, ManySearches) {
  const Graph g = build_graph(generate("grid:6x5"));
  for (const Machine& machine : machines) {
    SCOPED_TRACE(machine.strategy);
    Searcher searcher(g, on(machine));
    const std::vector<VertexId> good(70, 4), bad{0, 30};
    const auto error_with = [&](std::span<const VertexId> sources, Distance max_depth) {
      const std::string error = id_of([&] { (void)searcher.run_each(sources, max_depth); });
      EXPECT_EQ(id_of([&] { (void)searcher.traverse_each(sources, max_depth); }), error);
      EXPECT_EQ(id_of([&] { (void)searcher.distances_from_each(sources, max_depth); }), error);
      return error;
    };
    EXPECT_EQ(error_with({}, -1), "none");
    EXPECT_TRUE(searcher.run_each(std::span<const VertexId>{}).empty());
    EXPECT_EQ(error_with(bad, -1), "HW-QUERY-SOURCE");
    EXPECT_EQ(error_with(good, lowest), "HW-QUERY-DEPTH");
    EXPECT_EQ(id_of([&] { searcher.run_each(good, -1, nullptr); }), "HW-QUERY-TAKE");
    int calls = 0;
    const auto throwing = [&](std::size_t, Result&&) {
      if (++calls == 3) throw std::out_of_range("mine");
    };
    EXPECT_THROW(searcher.run_each(good, -1, throwing), std::out_of_range);
    EXPECT_EQ(calls, 3);
    std::string inner;
    searcher.run_each(good, 2, [&](std::size_t, Result&&) { inner = id_of([&] { searcher.run({.sources = {0}}); }); });
    EXPECT_EQ(inner, "HW-BUSY");
    const std::vector<Result> results = searcher.run_each(good);
    EXPECT_EQ(results.size(), 70u);
    for (const Result& r : results) EXPECT_EQ(r.reached, 30u);
  }
}

/// A callback that does `what` in its second call.
SearchOptions with_callback(const Machine& machine, std::function<void()>& what, int& calls) {
  SearchOptions options = on(machine);
  options.run.progress = [&what, &calls](const Step&) {
    if (++calls == 2 && what) what();
    return true;
  };
  return options;
}

TEST(HostileSearch, CallbacksThatThrowOrCallBackIn) {
  const Graph g = build_graph(generate("grid:12x9"));
  for (const Machine& machine : machines) {
    SCOPED_TRACE(machine.strategy);
    std::function<void()> what;
    int calls = 0;
    Searcher searcher(g, with_callback(machine, what, calls));
    const Query query{.sources = {0}};
    EXPECT_EQ(searcher.run(query).depth, 19);
    if (calls < 2) continue;  // one launch: nothing between levels
    const auto again = [&] {
      calls = 0;
      return searcher.run(query);
    };
    what = [] { throw std::out_of_range("mine"); };
    EXPECT_THROW(again(), std::out_of_range);
    what = [] { throw 7; };
    EXPECT_THROW(again(), int);
    std::string inner, each;
    what = [&] {
      inner = id_of([&] { (void)searcher.run(query); });
      each = id_of([&] { (void)searcher.traverse_each(query.sources); });
    };
    EXPECT_EQ(again().depth, 19);
    EXPECT_EQ(inner, "HW-BUSY");
    EXPECT_EQ(each, "HW-BUSY");
    Distance other = 0;
    what = [&] { other = search(g, {.sources = {5}}, on(machine)).depth; };  // another searcher may be used
    EXPECT_EQ(again().depth, 19);
    EXPECT_EQ(other, 14);
    std::optional<Searcher> taken;
    what = [&] { taken.emplace(std::move(searcher)); };  // the call under way keeps what it needs
    EXPECT_EQ(again().depth, 19);
    EXPECT_EQ(taken->run(query).depth, 19);
    what = [&] { taken.reset(); };
    calls = 0;
    EXPECT_EQ(taken->run(query).depth, 19);
  }
}

// nonsense: Searcher::strategy Searcher::device Searcher::copy_in Searcher::prepare Searcher::notes
// Searcher::preparation
TEST(HostileSearch, MovedFrom) {
  const Graph g = build_graph(generate("grid:6x5"));
  Searcher searcher(g, {.run = {.device = DeviceKind::cpu}});
  Searcher taken = std::move(searcher);
  const std::string moved = "HW-MOVED-FROM";
  // NOLINTBEGIN(bugprone-use-after-move)
  EXPECT_EQ(id_of([&] { (void)searcher.run({.sources = {0}}); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.traverse({.sources = {0}}); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.run_each(std::vector<VertexId>{0}); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.traverse_each(std::vector<VertexId>{0}); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.distances_from_each(std::vector<VertexId>{0}); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.strategy(); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.device(); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.copy_in(); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.prepare(); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.notes(); }), moved);
  EXPECT_EQ(id_of([&] { (void)searcher.preparation(); }), moved);
  // NOLINTEND(bugprone-use-after-move)
  searcher = std::move(taken);
  EXPECT_EQ(searcher.run({.sources = {0}}).depth, 9);
  EXPECT_EQ(searcher.device(), DeviceKind::cpu);
  EXPECT_FALSE(searcher.preparation());
}

// nonsense: shortest_path
TEST(HostileSearch, Paths) {
  const Graph g = build_graph(generate("grid:6x5")), none;
  EdgeList list = generate("grid:6x5");
  list.directed = true;
  const Graph directed = build_graph(std::move(list));
  for (const VertexId v : {VertexId{30}, far_vertex, no_vertex}) {
    EXPECT_EQ(id_of([&] { (void)shortest_path(g, v, 0); }), "HW-QUERY-SOURCE");
    EXPECT_EQ(id_of([&] { (void)shortest_path(g, 0, v); }), "HW-QUERY-SOURCE");
  }
  EXPECT_EQ(id_of([&] { (void)shortest_path(none, 0, 0); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { (void)shortest_path(g, 0, 1, {.direction = unnamed<Direction>()}); }), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { (void)shortest_path(g, 0, 1, {.max_depth = -2}); }), "HW-QUERY-DEPTH");
  EXPECT_EQ(shortest_path(g, 0, 29, {.max_depth = highest}).length, 9);
  EXPECT_FALSE(shortest_path(g, 0, 29, {.max_depth = 0}).found);
  EXPECT_TRUE(shortest_path(g, 3, 3, {.max_depth = 0}).found);
  EXPECT_FALSE(directed.has_in());
  for (const Direction d : {Direction::in, Direction::both})
    EXPECT_EQ(id_of([&] { (void)shortest_path(directed, 0, 1, {.direction = d}); }), "HW-GRAPH-NO-IN");
  EXPECT_THROW(
      (void)shortest_path(g, 0, 29, {.run = {.progress = [](const Step&) -> bool { throw std::out_of_range("mine"); }}}),
      std::out_of_range);
  Path inner;
  (void)shortest_path(g, 0, 29, {.run = {.progress = [&](const Step&) { return (inner = shortest_path(g, 0, 29)).found; }}});
  EXPECT_EQ(inner.length, 9);
}

// nonsense: validate
TEST(HostileSearch, ResultsThatAreNone) {
  const Graph g = build_graph(generate("grid:6x5")), none;
  const Query query{.sources = {0}, .parents = true};
  const Result right = search(g, query, {.run = {.device = DeviceKind::cpu}});
  EXPECT_TRUE(validate(g, query, right));
  EXPECT_EQ(validate(g, query, {}).rule, "size");
  EXPECT_EQ(validate(g, {}, right).rule, "query");
  EXPECT_EQ(validate(none, query, {}).rule, "query");
  EXPECT_EQ(validate(g, {.sources = {far_vertex}}, right).rule, "query");
  EXPECT_EQ(validate(g, {.sources = {0}, .target = far_vertex}, right).rule, "query");
  EXPECT_EQ(validate(g, {.sources = {0}, .max_depth = lowest}, right).rule, "query");
  EXPECT_EQ(validate(g, {.sources = {0}, .ties = unnamed<Ties>()}, right).rule, "query");
  EXPECT_EQ(id_of([&] { (void)validate(g, query, right, unnamed<Direction>()); }), "HW-OPTION-VALUE");
  for (const Distance d : {lowest, -2, 30, highest})
    for (VertexId v = 0; v < 30; ++v) {
      Result wrong = right;
      wrong.distance[v] = d;
      EXPECT_FALSE(validate(g, query, wrong)) << d << " " << v;
      EXPECT_FALSE(validate(g, {.sources = {0}, .target = v}, wrong)) << d << " " << v;
    }
  for (const VertexId p : {VertexId{30}, far_vertex})
    for (VertexId v = 0; v < 30; ++v) {
      Result wrong = right;
      wrong.parent[v] = p;
      EXPECT_FALSE(validate(g, query, wrong)) << p << " " << v;
    }
}

// nonsense: ResidentEdges::ResidentEdges ResidentEdges::rmat ResidentEdges::num_vertices ResidentEdges::size
// ResidentEdges::download ResidentGraph::ResidentGraph ResidentGraph::num_vertices ResidentGraph::num_arcs
// ResidentGraph::directed ResidentGraph::device ResidentGraph::build_report ResidentGraph::out_degree
// ResidentGraph::download ResidentGraph::check
TEST(HostileSearch, GraphsInDeviceMemory) {
  EdgeList list = generate("grid:6x5");
  for (const DeviceKind device : {DeviceKind::cpu, unnamed<DeviceKind>()})
    EXPECT_NE(id_of([&] { ResidentEdges(list, device); }), "none");
  EdgeList bad = list;
  bad.num_vertices = no_vertex;
  EXPECT_EQ(id_of([&] { ResidentEdges(bad, DeviceKind::sim); }), "HW-GRAPH-LIST");
  for (const int scale : {-1, 0, 32, std::numeric_limits<int>::max()})
    EXPECT_EQ(id_of([&] { (void)ResidentEdges::rmat(scale, 1, 1, DeviceKind::sim); }), "HW-GEN-RANGE");
  EXPECT_EQ(id_of([&] { (void)ResidentEdges::rmat(4, std::uint64_t{1} << 60, 1, DeviceKind::sim); }), "HW-GEN-RANGE");
  ResidentEdges edges(list, DeviceKind::sim);
  ResidentGraph graph(std::move(edges), {});
  const std::string moved = "HW-MOVED-FROM";
  // NOLINTBEGIN(bugprone-use-after-move)
  EXPECT_EQ(id_of([&] { (void)edges.num_vertices(); }), moved);
  EXPECT_EQ(id_of([&] { (void)edges.size(); }), moved);
  EXPECT_EQ(id_of([&] { (void)edges.download(); }), moved);
  EXPECT_EQ(id_of([&] { ResidentGraph(std::move(edges), {}); }), moved);
  for (const VertexId v : {VertexId{30}, far_vertex}) EXPECT_EQ(id_of([&] { (void)graph.out_degree(v); }), "HW-GRAPH-VERTEX");
  Searcher searcher(graph, {});
  const Query query{.sources = {0}};
  searcher.traverse(query);
  EXPECT_TRUE(graph.check(searcher, query).verdict);
  const Graph host = graph.download();
  Searcher other(host, {.run = {.device = DeviceKind::cpu}});
  EXPECT_EQ(id_of([&] { (void)graph.check(other, query); }), "HW-RESIDENT-OPTIONS");
  EXPECT_EQ(id_of([&] { (void)graph.check(searcher, {}); }), "HW-QUERY-EMPTY");
  EXPECT_EQ(id_of([&] { (void)graph.check(searcher, {.sources = {30}}); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { Searcher(graph, {.strategy = "cpu-parallel"}); }), "HW-RESIDENT-OPTIONS");
  const ResidentGraph shared = graph, taken = std::move(graph);
  EXPECT_EQ(shared.num_vertices(), 30u);
  EXPECT_EQ(id_of([&] { (void)graph.num_vertices(); }), moved);
  EXPECT_EQ(id_of([&] { (void)graph.num_arcs(); }), moved);
  EXPECT_EQ(id_of([&] { (void)graph.directed(); }), moved);
  EXPECT_EQ(id_of([&] { (void)graph.device(); }), moved);
  EXPECT_EQ(id_of([&] { (void)graph.build_report(); }), moved);
  EXPECT_EQ(id_of([&] { (void)graph.out_degree(0); }), moved);
  EXPECT_EQ(id_of([&] { (void)graph.download(); }), moved);
  EXPECT_EQ(id_of([&] { (void)graph.check(searcher, query); }), moved);
  EXPECT_EQ(id_of([&] { Searcher(graph, {}); }), moved);
  Searcher gone = std::move(searcher);
  EXPECT_EQ(id_of([&] { (void)taken.check(searcher, query); }), moved);
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_EQ(gone.run(query).depth, 9);
}

// nonsense: prepare Preparation::bytes
TEST(HostileSearch, Preparations) {
  Graph g = build_graph(generate("rmat:7,8"));
  EXPECT_EQ(id_of([&] { (void)prepare(g, {.run = {.device = DeviceKind::cpu}}); }), "HW-PREPARATION-NONE");
  EXPECT_EQ(id_of([&] { (void)prepare(g, {.strategy = "?"}); }), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(id_of([&] { (void)prepare(Graph(), {.run = {.device = DeviceKind::sim}}); }), "HW-PREPARATION-NONE");
  EXPECT_EQ(Preparation().bytes(), 0u);
  const Distance depth = search(g, {.sources = {0}}, {.run = {.device = DeviceKind::cpu}}).depth;
  Preparation empty;
  empty.strategy = "auto";
  empty.graph = fingerprint(g);
  for (const char* kind : {"", "grid-wide", "high-diameter", "?"}) {
    empty.kind = kind;
    g.set_preparation(std::make_shared<Preparation>(empty));
    EXPECT_EQ(search(g, {.sources = {0}}, {.prepare = true, .run = {.device = DeviceKind::sim}}).depth, depth) << kind;
  }
}

}  // namespace of_hostile_search_test
}  // namespace hopwave
