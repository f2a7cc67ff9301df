// Maximum flow and minimum cut by every strategy against two oracles: the least capacity of all cuts, tried one by one, and
// paths in a matrix. Parallel arcs, loops, both ways, capacities up to what fits, schedules that hold somebody back, weak
// memory. The check against changed answers.
#include "hopwave/flow.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>

#include "device/tried_schedules.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "support/ended.h"
#include "support/graphs.h"
#include "support/labels.h"
#include "support/no_threads.h"
#include "support/temp_dir.h"

namespace hopwave::testing {
namespace of_flow_test {

using Amount = std::int64_t;
constexpr Amount greatest = std::numeric_limits<Amount>::max();

struct Network {
  TestGraph test;
  std::vector<Amount> capacity = {};  ///< one per edge; empty: 1
};

Graph built(const Network& network, bool build_in = false) {
  EdgeList list = edge_list(network.test);
  if (!network.capacity.empty()) list.weights = Weights(Array<Amount>::copy_of(network.capacity));
  return build_graph(std::move(list), {.keep_duplicates = true, .keep_self_loops = true, .build_in = build_in});
}

/// matrix[v][u]: what may go from v to u.
std::vector<std::vector<Amount>> matrix_of(const Network& network) {
  std::vector<std::vector<Amount>> matrix(network.test.num_vertices, std::vector<Amount>(network.test.num_vertices, 0));
  for (std::size_t i = 0; i < network.test.edges.size(); ++i) {
    const Edge& e = network.test.edges[i];
    const Amount c = network.capacity.empty() ? 1 : network.capacity[i];
    matrix[e.source][e.target] += c;
    if (!network.test.directed && e.source != e.target) matrix[e.target][e.source] += c;
  }
  return matrix;
}

/// The least capacity of a set with the source and without the target.
Amount least_cut(const Network& network, VertexId source, VertexId target) {
  const auto matrix = matrix_of(network);
  Amount least = greatest;
  for (std::uint64_t set = 0; set < std::uint64_t{1} << network.test.num_vertices; ++set) {
    const auto in = [&](VertexId v) { return (set >> v & 1) != 0; };
    if (!in(source) || in(target)) continue;
    Amount sum = 0;
    for (VertexId v = 0; v < network.test.num_vertices; ++v)
      for (VertexId u = 0; u < network.test.num_vertices; ++u)
        if (in(v) && !in(u)) sum += matrix[v][u];
    least = std::min(least, sum);
  }
  return least;
}

/// Paths in the matrix until there is none, each as wide as can be; then the vertices that the source still reaches.
Amount by_widest_paths(const Network& network, VertexId source, VertexId target, std::vector<bool>& side) {
  auto matrix = matrix_of(network);
  const std::size_t n = matrix.size();
  for (Amount value = 0;;) {
    std::vector<Amount> width(n, 0);
    std::vector<std::size_t> from(n, n);
    std::vector<bool> done(n, false);
    width[source] = greatest;
    for (;;) {
      std::size_t v = n;
      for (std::size_t w = 0; w < n; ++w)
        if (!done[w] && width[w] > 0 && (v == n || width[w] > width[v])) v = w;
      if (v == n) break;
      done[v] = true;
      for (std::size_t w = 0; w < n; ++w)
        if (const Amount through = std::min(width[v], matrix[v][w]); through > width[w]) width[w] = through, from[w] = v;
    }
    if (width[target] == 0) {
      side = done;
      return value;
    }
    value += width[target];
    for (std::size_t w = target; w != source; w = from[w])
      matrix[from[w]][w] -= width[target], matrix[w][from[w]] += width[target];
  }
}

std::vector<FlowOptions> all_ways(std::uint64_t seed) {
  return {{.strategy = "edmonds-karp"},
          {.strategy = "dinic"},
          {.strategy = "push-relabel", .run = {.threads = 1}},
          {.strategy = "push-relabel", .run = {.threads = static_cast<int>(seed % 3 + 2)}},
          {.strategy = "push-relabel",
           .run = {.device = DeviceKind::sim,
                   .simulator = {.schedule = static_cast<ScheduleKind>(seed % device::tried_schedules), .seed = seed}}}};
}

void expect_right(const Network& network, VertexId source, VertexId target, Amount value, const std::vector<bool>& side,
                  std::uint64_t seed) {
  const Graph graph = built(network, seed % 2 == 0);
  for (const FlowOptions& options : all_ways(seed)) {
    const Flow flow = max_flow(graph, source, target, options);
    ASSERT_EQ(flow.value, value) << network.test << " from " << source << " to " << target << " by " << options.strategy
                                 << " seed " << seed;
    if (options.run.device != DeviceKind::automatic) ASSERT_EQ(flow.run.device, options.run.device);
    ASSERT_EQ(flow.run.strategy, options.strategy);
    const Verdict verdict = validate(graph, source, target, flow);
    ASSERT_TRUE(verdict) << network.test << " by " << options.strategy << ": " << verdict.rule << ", " << verdict.message;
    if (side.empty()) continue;
    ASSERT_EQ(std::vector<bool>(flow.source_side.begin(), flow.source_side.end()), side) << network.test;
    ASSERT_EQ(flow.source_side_size, static_cast<VertexId>(std::count(side.begin(), side.end(), true)));
  }
}

Network drawn(std::uint64_t seed, VertexId most) {
  Network network{.test = random_graph(seed, most)};
  network.test.directed = seed % 3 != 0;
  std::mt19937_64 random(seed);
  const std::uint64_t limit = seed % 5 == 0 ? 2 : seed % 5 == 1 ? std::uint64_t{1} << 40 : 30;
  if (seed % 7)
    for (std::size_t i = 0; i < network.test.edges.size(); ++i)
      network.capacity.push_back(static_cast<Amount>(random() % limit));
  return network;
}

TEST(Flow, EveryGraphOfUpToFourVertices) {
  for (VertexId n = 2; n <= 4; ++n)
    for (std::uint64_t bits = 0; bits < count_all_graphs(n); bits += n == 4 ? 191 : n == 3 ? 3 : 1) {
      Network network{.test = graph_from_bits(n, bits)};
      network.test.directed = bits % 4 != 1;
      for (std::size_t i = 0; i < network.test.edges.size(); ++i)
        network.capacity.push_back(static_cast<Amount>((bits >> i % 5) % 4));
      expect_right(network, 0, n - 1, least_cut(network, 0, n - 1), {}, bits);
      if (HasFatalFailure()) return;
    }
}

TEST(Flow, RandomNetworks) {
  for (std::uint64_t seed = 0; seed < graphs_to_draw(150); ++seed) {
    const Network network = drawn(seed, 40);
    const VertexId n = network.test.num_vertices;
    if (n < 2) continue;
    const auto source = static_cast<VertexId>(seed * 7 % n), target = static_cast<VertexId>((source + 1 + seed % (n - 1)) % n);
    std::vector<bool> side;
    const Amount value = by_widest_paths(network, source, target, side);
    if (n <= 9) ASSERT_EQ(value, least_cut(network, source, target)) << network.test;
    expect_right(network, source, target, value, side, seed);
    if (HasFatalFailure()) return;
  }
}

/// Values from NetworkX, igraph, OR-tools and SciPy, which agree.
TEST(Flow, KnownValues) {
  const Network six{{"six", 6, {{0, 1}, {0, 2}, {1, 2}, {2, 1}, {1, 3}, {3, 2}, {2, 4}, {4, 3}, {4, 5}, {3, 5}}},
                    {16, 13, 10, 14, 12, 9, 14, 7, 4, 20}};
  expect_right(six, 0, 5, 23, {true, true, true, false, true, false}, 1);
  const auto value = [](const std::string& spec, VertexId source, VertexId target) {
    const Graph graph = build_graph(generate(spec), {});
    Amount found = -1;
    for (const FlowOptions& options : all_ways(3)) {
      const Flow flow = max_flow(graph, source, target, options);
      EXPECT_TRUE(validate(graph, source, target, flow)) << spec;
      if (found >= 0) EXPECT_EQ(flow.value, found) << spec << " by " << options.strategy;
      found = flow.value;
    }
    return found;
  };
  EXPECT_EQ(value("pmpp", 0, 8), 2);
  EXPECT_EQ(value("complete:20", 0, 19), 19);
  EXPECT_EQ(value("grid:40x40", 0, 1599), 2);
  EXPECT_EQ(value("chain:60", 0, 59), 1);
  EXPECT_GT(value("rmat:11,8", 0, 1), 0);  // more active vertices than one thread takes alone
}

/// The generators' networks, whose flow goes from the first vertex to the last.
TEST(Flow, GeneratedNetworks) {
  std::uint64_t seed = 1;
  for (const char* spec : {"genrmf:1,9,1,9", "genrmf:3,4,1,10", "genrmf:4,5,0,1000,7", "rlg:3,1,5", "rlg:5,6,20",
                           "rlg:12,8,3,2", "gridcut:1x1", "gridcut:7x6", "gridcut:16x12,5"}) {
    const EdgeList list = generate(spec);
    Network network{.test = {spec, list.num_vertices, {list.edges.begin(), list.edges.end()}}};
    for (std::size_t i = 0; i < list.edges.size(); ++i) network.capacity.push_back(std::stoll(list.weights.text(i)));
    std::vector<bool> side;
    const Amount value = by_widest_paths(network, 0, list.num_vertices - 1, side);
    if (spec != std::string_view("gridcut:1x1")) EXPECT_GT(value, 0) << spec;  // the one pixel has one terminal
    expect_right(network, 0, list.num_vertices - 1, value, side, ++seed);
    if (HasFatalFailure()) return;
  }
}

TEST(Flow, CapacitiesUpToWhatFits) {
  const Amount half = Amount{1} << 62;
  const Network wide{{"wide", 4, {{0, 1}, {1, 3}, {0, 2}, {2, 3}}}, {half, half, half - 1, half - 1}};
  expect_right(wide, 0, 3, greatest, {}, 1);
  const Network loops{{"loops", 3, {{0, 0}, {0, 1}, {1, 1}, {0, 1}, {1, 2}, {2, 2}, {1, 0}}},
                      {greatest, 3, greatest, 4, 9, 1, 5}};
  expect_right(loops, 0, 2, 7, {}, 2);
  const auto refused = [](std::vector<Edge> edges, std::vector<Amount> capacity, VertexId n) {
    const Graph graph = built({{"refused", n, std::move(edges)}, std::move(capacity)});
    return id_of([&] { (void)max_flow(graph, 0, n - 1); });
  };
  EXPECT_EQ(refused({{0, 1}, {0, 2}}, {greatest, 1}, 3), "HW-FLOW-SUM");             // at the source
  EXPECT_EQ(refused({{0, 2}, {1, 2}}, {greatest, 1}, 3), "HW-FLOW-SUM");             // at the target
  EXPECT_EQ(refused({{0, 2}, {1, 0}, {1, 0}}, {1, greatest, 1}, 3), "HW-FLOW-SUM");  // parallel
  EXPECT_EQ(refused({{0, 2}, {1, 0}, {0, 1}}, {1, greatest, 1}, 3), "HW-FLOW-SUM");  // there and back
  EXPECT_EQ(refused({{0, 1}, {1, 2}}, {3, -1}, 3), "HW-FLOW-CAPACITY");
  EdgeList list = edge_list({"real", 2, {{0, 1}}});
  for (const double nonsense : {0.5, 0x1p63, std::numeric_limits<double>::infinity(), -1.0}) {
    list.weights = Weights(Array<double>::copy_of(std::vector<double>{nonsense}));
    const Graph graph = build_graph(EdgeList(list), {});
    EXPECT_EQ(id_of([&] { (void)max_flow(graph, 0, 1); }), "HW-FLOW-CAPACITY") << nonsense;
  }
  list.weights = Weights(Array<double>::copy_of(std::vector<double>{0x1p53}));
  EXPECT_EQ(max_flow(build_graph(EdgeList(list), {}), 0, 1).value, Amount{1} << 53);
}

/// Each path leads from source to target, and together they are the flow.
TEST(Flow, PathsOfEdmondsAndKarp) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Network network = drawn(seed, 30);
    if (network.test.num_vertices < 2) continue;
    const Graph graph = built(network);
    const Flow flow = max_flow(graph, 0, 1, {.paths = true});
    EXPECT_EQ(flow.run.strategy, "edmonds-karp");
    EXPECT_EQ(flow.searches, flow.paths.size() + 1);
    Amount sum = 0;
    std::size_t length = 0;
    for (const FlowPath& path : flow.paths) {
      ASSERT_GE(path.vertices.size(), 2u);
      EXPECT_EQ(path.vertices.front(), 0u);
      EXPECT_EQ(path.vertices.back(), 1u);
      EXPECT_GT(path.amount, 0);
      EXPECT_GE(path.vertices.size(), length) << "shortest first";
      length = path.vertices.size();
      sum += path.amount;
    }
    EXPECT_EQ(sum, flow.value);
  }
}

TEST(Flow, ChangedAnswersAreRefused) {
  const Network network{{"two ways", 5, {{0, 1}, {1, 4}, {0, 2}, {2, 4}, {1, 2}, {3, 0}}}, {3, 2, 2, 5, 4, 1}};
  const Graph graph = built(network);
  const Flow right = max_flow(graph, 0, 4);
  EXPECT_EQ(right.value, 5);
  EXPECT_TRUE(validate(graph, 0, 4, right));
  const auto rule = [&](auto change) {
    Flow flow = right;
    flow.arc = Array<Amount>::copy_of(right.arc.span());
    flow.source_side = Array<std::uint8_t>::copy_of(right.source_side.span());
    change(flow);
    return validate(graph, 0, 4, flow).rule;
  };
  EXPECT_EQ(rule([](Flow& f) { ++f.value; }), "value");
  EXPECT_EQ(rule([](Flow& f) { f.source_side[0] = 0; }), "cut");
  EXPECT_EQ(rule([](Flow& f) { f.source_side[4] = 1; }), "cut");
  EXPECT_EQ(rule([](Flow& f) { f.source_side[1] = 1; }), "cut");
  EXPECT_EQ(rule([](Flow& f) { f.arc = {}; }), "size");
  EXPECT_EQ(rule([](Flow& f) { f.source_side = {}; }), "size");
  for (EdgeIndex a = 0; a < graph.num_arcs(); ++a) {
    EXPECT_NE(rule([&](Flow& f) { ++f.arc[a]; }), "") << a;
    EXPECT_NE(rule([&](Flow& f) { --f.arc[a]; }), "") << a;
    EXPECT_EQ(rule([&](Flow& f) { f.arc[a] = 1000; }), "capacity") << a;
    EXPECT_EQ(rule([&](Flow& f) { f.arc[a] = -1; }), "capacity") << a;
  }
}

/// Wherever the caller wants it to end, it ends with the error that says why.
TEST(Flow, EndsWhenTheCallerWantsIt) {
  const Graph graph = build_graph(generate("rmat:10,8"), {});
  for (FlowOptions options : all_ways(1)) {
    const auto find = [&](const RunOptions& run) {
      options.run = run;
      return max_flow(graph, 0, 1, options);
    };
    EXPECT_GE(expect_ends(find, options.run).calls, 2u) << options.strategy;
  }
}

/// The network is a part of the call: it is reported, and a limit ends it.
TEST(Flow, TheNetworkIsBuiltWithinTheLimits) {
  const Graph graph = build_graph(generate("rmat:16,8"), {});
  for (const int threads : {1, 3}) {
    std::uint64_t before = 0;
    FlowOptions options{.run = {.device = DeviceKind::cpu, .threads = threads}};
    options.run.progress = [&](const Step& step) { return before += step.what == "work", true; };
    const Flow found = max_flow(graph, 0, 1, options);
    EXPECT_GT(before, 3u);
    EXPECT_GT(found.run.prepare.count(), 0);
    std::uint64_t asked = 0;
    options.run.progress = [&](const Step& step) {
      EXPECT_EQ(step.what, "work");
      return ++asked < 3;
    };
    EXPECT_EQ(id_of([&] { (void)max_flow(graph, 0, 1, options); }), "HW-INTERRUPTED");
  }
}

/// Of a file with gaps in its ids, the caller's own are named.
TEST(Flow, ErrorsNameTheCallersIds) {
  EdgeList list{.num_vertices = 3, .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {1, 2}})};
  list.ids = Ids::integers(Array<std::int64_t>::copy_of(std::vector<std::int64_t>{10, 20, 30}));
  const Graph graph = build_graph(std::move(list), {});
  EXPECT_EQ(parts_of([&] { (void)max_flow(graph, 1, 1); }).found, "the target 20");
}

/// By a file of DIMACS and by generators; no_vertex takes them, and other ends may be given.
TEST(Flow, TheInputNamesItsEnds) {
  const auto read = [](const std::string& text, bool keep = true) {
    return build_graph(read_edges(std::span(text), "net"), {.keep_duplicates = keep});
  };
  const std::string arcs = "a 1 2 3\na 1 2 4\na 2 3 5\n";
  const Graph both = read("p max 3 3\nn 1 s\nn 3 t\n" + arcs), source = read("p max 3 3\nn 1 s\n" + arcs),
              target = read("p max 3 3\nn 3 t\n" + arcs), none = read("p max 3 3\n" + arcs);
  EXPECT_EQ(default_target(both), VertexId{2});
  EXPECT_EQ(default_target(target), VertexId{2});
  for (const Graph& graph : {source, none, build(chain(4)), Graph()}) EXPECT_FALSE(default_target(graph));
  EXPECT_EQ(default_target(build_graph(generate("rlg:3,4,5"))), VertexId{13});
  const Flow flow = max_flow(both, no_vertex, no_vertex);
  EXPECT_EQ(flow.value, 5);
  EXPECT_EQ(flow.source, 0u);
  EXPECT_EQ(flow.target, 2u);
  EXPECT_TRUE(validate(both, no_vertex, no_vertex, flow));
  EXPECT_EQ(max_flow(both, no_vertex, 1).value, 7);
  EXPECT_EQ(max_flow(both, 1, no_vertex).value, 5);
  EXPECT_EQ(max_flow(source, no_vertex, 2).value, 5);
  const auto error_of = [](const Graph& graph) { return id_of([&] { (void)max_flow(graph, no_vertex, no_vertex); }); };
  EXPECT_EQ(error_of(target), "HW-QUERY-SOURCE");
  EXPECT_EQ(error_of(source), "HW-QUERY-TARGET");
  EXPECT_EQ(id_of([&] { (void)max_flow(both, 2, no_vertex); }), "HW-QUERY-TARGET") << "the source";
}

/// Without parallel arcs the answer is another one, and a note states it.
TEST(Flow, LostCapacitiesAreNoted) {
  const TempDir folder;
  const std::string path = folder.path("net.max");
  std::ofstream(path) << "p max 2 2\nn 1 s\nn 2 t\na 1 2 3\na 1 2 4\n";
  const Graph lightest = load_graph(path), all = load_graph(path, {}, {.keep_duplicates = true});
  EXPECT_TRUE(lost_capacities(lightest));
  EXPECT_FALSE(lost_capacities(all));
  const Flow flow = max_flow(lightest, 0, 1);
  EXPECT_EQ(flow.value, 3);
  ASSERT_EQ(flow.run.notes.size(), 1u);
  EXPECT_TRUE(flow.run.notes[0].starts_with("1 parallel arc of the input")) << flow.run.notes[0];
  EXPECT_EQ(max_flow(all, 0, 1).value, 7);
  EXPECT_TRUE(max_flow(all, 0, 1).run.notes.empty());
  std::filesystem::remove(path);
  EXPECT_FALSE(lost_capacities(lightest)) << "it cannot be read once more";
}

TEST(Flow, AutoIsPushRelabel) {
  const Graph graph = build_graph(generate("gridcut:6x6"), {});
  EXPECT_EQ(max_flow(graph, 0, 37).run.strategy, "push-relabel");
  EXPECT_EQ(max_flow(graph, 0, 37, {.run = {.threads = 3}}).run.strategy, "push-relabel");
  EXPECT_EQ(max_flow(graph, 0, 37, {.run = {.device = DeviceKind::sim}}).run.strategy, "push-relabel");
  const Flow by_path = max_flow(graph, 0, 37, {.paths = true});
  EXPECT_EQ(by_path.run.strategy, "edmonds-karp");
  EXPECT_EQ(by_path.paths.size(), by_path.pushes);
}

// nonsense: max_flow validate default_target lost_capacities
TEST(Flow, NonsenseIsRefused) {
  const Graph none = build({"none", 0, {}}), small = build(chain(9)),
              large = build_graph(generate("uniform:12,16"), {.keep_duplicates = true});
  const auto error_of = [&](VertexId source, VertexId target, const FlowOptions& options = {}) {
    return id_of([&] { (void)max_flow(small, source, target, options); });
  };
  EXPECT_EQ(id_of([&] { (void)max_flow(none, 0, 1); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(error_of(9, 0), "HW-QUERY-SOURCE");
  EXPECT_EQ(error_of(0, 9), "HW-QUERY-TARGET");
  EXPECT_EQ(error_of(no_vertex, 0), "HW-QUERY-SOURCE");
  EXPECT_EQ(error_of(3, 3), "HW-QUERY-TARGET");
  EXPECT_EQ(error_of(0, 8, {.strategy = "ford"}), "HW-STRATEGY-UNKNOWN");
  EXPECT_EQ(error_of(0, 8, {.strategy = "dinic", .run = {.device = DeviceKind::sim}}), "HW-STRATEGY-DEVICE");
  EXPECT_EQ(error_of(0, 8, {.strategy = "dinic", .paths = true}), "HW-OPTION-VALUE");
  EXPECT_EQ(error_of(0, 8, {.paths = true, .run = {.device = DeviceKind::sim}}), "HW-OPTION-VALUE");
  expect_refusals([&](const RunOptions& run) { (void)max_flow(small, 0, 8, {.run = run}); });
  EXPECT_EQ(id_of([&] { (void)validate(small, 9, 0, Flow{}); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(validate(small, 0, 8, Flow{}).rule, "size");
  EXPECT_FALSE(default_target(none) || lost_capacities(none));
  EXPECT_EQ(max_flow(small, 8, 0).value, 0);  // against the arcs
  const HugeStacks fewer;
  const Flow flow = max_flow(large, 0, 1, {.strategy = "push-relabel", .run = {.threads = 3}});
  ASSERT_EQ(flow.run.notes.size(), 1u);
  EXPECT_NE(flow.run.notes[0].find("only 1 of 3 threads"), std::string::npos) << flow.run.notes[0];
  EXPECT_TRUE(validate(large, 0, 1, flow));
}

}  // namespace of_flow_test
}  // namespace hopwave::testing
