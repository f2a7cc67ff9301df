// The k shortest paths and all shortest ones, against all paths without loops of small graphs.
#include "hopwave/paths.h"

#include <gtest/gtest.h>

#include <stop_token>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/error_id.h"
#include "support/sanitized.h"
#include "support/weighted.h"

namespace hopwave::testing {
namespace of_paths_test {

using testing::id_of;

/// All paths without loops, by length, then vertices: by going everywhere.
std::vector<RankedPath> every_path(const WeightedGraph& test, VertexId from, VertexId to, const PathsOptions& options) {
  std::map<std::pair<VertexId, VertexId>, double> arcs;
  for (const auto& [u, v, w] : arcs_along(test, options.direction)) {
    const double weight = options.weights ? w : 1;
    const auto [at, fresh] = arcs.try_emplace({u, v}, weight);
    if (!fresh) at->second = std::min(at->second, weight);
  }
  std::vector<RankedPath> found;
  std::vector<VertexId> path{from};
  const auto go = [&](auto&& self, double length) -> void {
    if (path.back() == to) {
      found.push_back({length, path});
      return;
    }
    for (VertexId v = 0; v < test.graph.num_vertices; ++v) {
      const auto arc = arcs.find({path.back(), v});
      if (arc == arcs.end() || arc->second == no_path || std::ranges::find(path, v) != path.end()) continue;
      path.push_back(v);
      self(self, length + arc->second);
      path.pop_back();
    }
  };
  go(go, 0);
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return std::tie(a.length, a.vertices) < std::tie(b.length, b.vertices); });
  return found;
}

void expect_k_right(const WeightedGraph& test, const Graph& graph, VertexId from, VertexId to, std::uint64_t k,
                    const PathsOptions& options, const std::string& about) {
  const std::vector<RankedPath> every = every_path(test, from, to, options);
  const ShortestPaths found = k_shortest_paths(graph, from, to, k, options);
  ASSERT_EQ(found.paths.size(), std::min<std::size_t>(k, every.size())) << about;
  std::set<std::vector<VertexId>> known;
  for (const RankedPath& path : every) known.insert(path.vertices);
  for (std::size_t i = 0; i < found.paths.size(); ++i) {
    ASSERT_EQ(found.paths[i].length, every[i].length) << about << ", path " << i;
    ASSERT_EQ(known.count(found.paths[i].vertices), 1u) << about << ", path " << i;
    if (i > 0) {
      ASSERT_LT(std::tie(found.paths[i - 1].length, found.paths[i - 1].vertices),
                std::tie(found.paths[i].length, found.paths[i].vertices));
    }
  }
  // Where no path is as long as the last one, it is known which ones they are.
  if (k >= every.size()) {
    for (std::size_t i = 0; i < every.size(); ++i) ASSERT_EQ(found.paths[i].vertices, every[i].vertices) << about;
  }
}

void expect_all_right(const WeightedGraph& test, const Graph& graph, VertexId from, VertexId to, const PathsOptions& options,
                      const std::string& about) {
  std::vector<RankedPath> every = every_path(test, from, to, options);
  std::erase_if(every, [&](const RankedPath& each) { return each.length != every.front().length; });
  AllShortestPaths found;
  try {
    found = all_shortest_paths(graph, from, to, 1'000'000, options);
  } catch (const Error& e) {
    ASSERT_EQ(e.id(), "HW-PATHS-CYCLE") << about;
    ASSERT_TRUE(options.weights) << about;
    return;
  }
  ASSERT_EQ(found.count, every.size()) << about;
  ASSERT_EQ(found.paths.size(), every.size()) << about;
  ASSERT_EQ(found.length, every.empty() ? no_path : every.front().length) << about;
  std::set<std::pair<VertexId, VertexId>> arcs;
  for (std::size_t i = 0; i < every.size(); ++i) {
    ASSERT_EQ(found.paths[i], every[i].vertices) << about;
    for (std::size_t j = 0; j + 1 < every[i].vertices.size(); ++j) arcs.emplace(every[i].vertices[j], every[i].vertices[j + 1]);
  }
  ASSERT_EQ(found.arcs.size(), arcs.size()) << about;
  std::size_t at = 0;
  for (const auto& [u, v] : arcs) {
    ASSERT_EQ(found.arcs[at].source, u) << about;
    ASSERT_EQ(found.arcs[at++].target, v) << about;
  }
  const AllShortestPaths some = all_shortest_paths(graph, from, to, 2, options);
  ASSERT_EQ(some.count, every.size()) << about;
  ASSERT_EQ(some.paths.size(), std::min<std::size_t>(2, every.size())) << about;
  for (std::size_t i = 0; i < some.paths.size(); ++i) ASSERT_EQ(some.paths[i], every[i].vertices) << about;
}

/// Weights whose sums are exact: 1 to 255, 0 to 2 (ties, and cycles of 0), all 0, few and infinite, above 2^24, about 2^50.
constexpr int exact_kinds[] = {0, 1, 5, 7, 8, 9};

/// A graph of at most eight vertices; its edges drawn with all densities, loops and parallel ones among them.
WeightedGraph small_graph(std::uint64_t seed, int kind) {
  std::mt19937_64 rng(seed);
  TestGraph graph{"small-" + std::to_string(seed), static_cast<VertexId>(1 + rng() % 8), {}};
  graph.directed = seed % 3 != 0;
  const std::uint64_t edges = rng() % (graph.num_vertices * 4);
  for (std::uint64_t i = 0; i < edges; ++i)
    graph.edges.push_back(
        {static_cast<VertexId>(rng() % graph.num_vertices), static_cast<VertexId>(rng() % graph.num_vertices)});
  return with_weights(std::move(graph), kind, seed);
}

TEST(Paths, AgainstEveryPathOfSmallGraphs) {
  std::uint64_t i = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    for (const int kind : exact_kinds) {
      if (!tried(i++)) continue;
      const WeightedGraph test = small_graph(seed, kind);
      const Graph graph = hopwave::testing::build(test, seed % 2 == 0);
      std::mt19937_64 rng(seed);
      const auto any = [&] { return static_cast<VertexId>(rng() % graph.num_vertices()); };
      const VertexId from = any(), to = any();
      const PathsOptions options{.weights = seed % 4 != 0,
                                 .direction = static_cast<Direction>(seed % 3),
                                 .run = {.device = DeviceKind::cpu, .threads = static_cast<int>(1 + seed % 3)}};
      const std::string about = test.graph.name + ", " + std::to_string(from) + " to " + std::to_string(to);
      for (const std::uint64_t k : {std::uint64_t{1}, 2 + rng() % 9, std::uint64_t{100000}})
        expect_k_right(test, graph, from, to, k, options, about);
      expect_all_right(test, graph, from, to, options, about);
      if (HasFatalFailure()) return;
    }
}

/// Binomial coefficients, and more than 64 bits hold.
TEST(Paths, CountsOfGrids) {
  const Graph grid = build_graph(generate("grid:10x10"));
  const AllShortestPaths found = all_shortest_paths(grid, 0, 99, 3);
  EXPECT_EQ(found.count, 48620u);
  EXPECT_EQ(found.arcs.size(), 180u);
  EXPECT_EQ(found.paths.size(), 3u);
  EXPECT_EQ(found.length, 18);
  const Graph large = build_graph(generate("grid:60x60"));
  EXPECT_EQ(all_shortest_paths(large, 0, 3599, 0).count, std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(all_shortest_paths(large, 0, 3599, 0).paths.empty());
}

/// All 252 that are as long as the shortest, one by one.
TEST(Paths, ManyEqualOnes) {
  const Graph grid = build_graph(generate("grid:6x6"));
  const ShortestPaths found = k_shortest_paths(grid, 0, 35, 252);
  ASSERT_EQ(found.paths.size(), 252u);
  EXPECT_EQ(found.paths.back().length, 10);
  EXPECT_EQ(k_shortest_paths(grid, 0, 35, 253).paths.back().length, 12);
  const AllShortestPaths all = all_shortest_paths(grid, 0, 35, 252);
  for (std::size_t i = 0; i < 252; ++i) EXPECT_EQ(found.paths[i].vertices, all.paths[i]);
}

/// Of very many equal paths few are looked for, and of each little besides. A path is reported once, and its vertices are
/// every 1,024 of them, by what looks for branches and by a search.
TEST(Paths, SearchesAreFew) {
  const Graph wide = build_graph(generate("grid:200x200")), narrow = build_graph(generate("grid:2x2000"));
  for (const Graph* graph : {&wide, &narrow}) {
    const auto reports = [&](std::uint64_t k) {
      int calls = 0;
      const PathsOptions asked{.run = {.progress = [&](const Step&) { return ++calls > 0; }}};
      EXPECT_EQ(k_shortest_paths(*graph, 0, graph->num_vertices() - 1, k, asked).paths.size(), k);
      return calls;
    };
    EXPECT_LE(reports(10) - reports(1), 9 * 4);
  }
}

TEST(Paths, CyclesOfNoLength) {
  const WeightedGraph test{{"cycle", 4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}}}, {1, 0, 0, 1}};
  const Graph graph = hopwave::testing::build(test);
  const PathsOptions options{.weights = true};
  EXPECT_EQ(id_of([&] { (void)all_shortest_paths(graph, 0, 3, 5, options); }), "HW-PATHS-CYCLE");
  const ShortestPaths found = k_shortest_paths(graph, 0, 3, 5, options);
  ASSERT_EQ(found.paths.size(), 1u);
  EXPECT_EQ(found.paths[0].vertices, (std::vector<VertexId>{0, 1, 2, 3}));
  EXPECT_EQ(all_shortest_paths(graph, 0, 3, 5).count, 1u) << "hops have no such cycles";
}

/// More shortest paths than 64 bits count, all wanted: refused before any is made.
TEST(Paths, MorePathsThanMemoryHoldsAreRefused) {
  const Graph grid = build_graph(generate("grid:45x45"));
  EXPECT_EQ(id_of([&] { (void)all_shortest_paths(grid, 0, 45 * 45 - 1, ~std::uint64_t{0}); }), "HW-MEMORY");
  EXPECT_EQ(all_shortest_paths(grid, 0, 45 * 45 - 1, 3).paths.size(), 3u);
}

// nonsense: k_shortest_paths all_shortest_paths
TEST(Paths, RefusesAndEnds) {
  const Graph graph = build_graph(generate("grid:40x40"));
  EXPECT_EQ(id_of([&] { (void)k_shortest_paths(graph, 0, 1, 0); }), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { (void)k_shortest_paths(graph, 0, 1, 1, {.run = {.device = DeviceKind::sim}}); }), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { (void)k_shortest_paths(graph, 1600, 1, 1); }), "HW-QUERY-SOURCE");
  EXPECT_EQ(id_of([&] { (void)all_shortest_paths(graph, 1, 1600, 1); }), "HW-QUERY-TARGET");
  std::stop_source stop;
  stop.request_stop();
  for (const int threads : {1, 3}) {
    const PathsOptions stopped{.run = {.threads = threads, .limits = {.stop = stop.get_token()}}};
    EXPECT_EQ(id_of([&] { (void)k_shortest_paths(graph, 0, 1599, 9, stopped); }), "HW-CANCELLED");
    EXPECT_EQ(id_of([&] { (void)all_shortest_paths(graph, 0, 1599, 9, stopped); }), "HW-CANCELLED");
    std::uint64_t last = 0;
    const PathsOptions asked{.run = {.threads = threads, .progress = [&](const Step& step) {
                                       EXPECT_EQ(step.what, "paths");
                                       last = step.done;
                                       return step.done < 5;
                                     }}};
    EXPECT_EQ(id_of([&] { (void)k_shortest_paths(graph, 0, 1599, 90, asked); }), "HW-INTERRUPTED");
    EXPECT_EQ(last, 5u);
    EXPECT_EQ(id_of([&] { (void)all_shortest_paths(graph, 0, 1599, 90, asked); }), "HW-INTERRUPTED");
  }
}

}  // namespace of_paths_test
}  // namespace hopwave::testing
