// Nonsense for graphs, ids and what is found out about graphs: an Error of a documented id, or a defined answer; never a crash.
#include <fstream>
#include <functional>
#include <limits>

#include "support/diameter.h"
#include "support/error_id.h"
#include "support/hostile.h"
#include "support/temp_dir.h"
#include "support/xml.h"

namespace hopwave {
namespace of_hostile_graph_test {

using namespace std::string_view_literals;

using Offsets = std::vector<EdgeIndex>;
using Neighbors = std::vector<VertexId>;

Adjacency rows(const Offsets& offsets, const Neighbors& neighbors, const std::vector<float>& weights = {}) {
  return {Array<EdgeIndex>::copy_of(offsets), Array<VertexId>::copy_of(neighbors), Array<float>::copy_of(weights)};
}

std::string arrays_error(VertexId n, bool directed, Adjacency out, std::optional<Adjacency> in = std::nullopt, Ids ids = {}) {
  return testing::id_of([&] { Graph(n, directed, std::move(out), std::move(in), std::move(ids)); });
}

// Nothing of a temporary graph is left to dangle.
static_assert(!std::is_reference_v<decltype(std::declval<Graph>().out())>);
static_assert(!std::is_reference_v<decltype(std::declval<Graph>().in())>);
static_assert(!std::is_reference_v<decltype(std::declval<Graph>().ids())>);
static_assert(!std::is_reference_v<decltype(std::declval<Graph>().read_report())>);
static_assert(!std::is_reference_v<decltype(std::declval<Graph>().build_report())>);
template <class G>
concept gives_rows = requires(G&& g) {
  std::forward<G>(g).out_neighbors(0);
}
|| requires(G&& g) { std::forward<G>(g).in_neighbors(0); };
static_assert(gives_rows<Graph&> && gives_rows<const Graph&> && !gives_rows<Graph> && !gives_rows<const Graph>);

// nonsense: Graph::Graph
TEST(HostileGraph, ArraysThatAreNoGraph) {
  const std::string wrong = "HW-GRAPH-ARRAYS";
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {1, 0})), "none");
  EXPECT_EQ(arrays_error(2, true, {}), wrong);
  EXPECT_EQ(arrays_error(0, true, {}), "none");
  EXPECT_EQ(arrays_error(0, true, rows({0}, {})), "none");
  EXPECT_EQ(arrays_error(0, true, rows({}, {0})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1}, {1})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2, 2}, {1, 0})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({1, 1, 2}, {1, 0})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 3}, {1, 0})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 1}, {1, 0})), wrong);
  EXPECT_EQ(arrays_error(3, true, rows({0, 2, 1, 2}, {1, 0})), wrong);
  EXPECT_EQ(arrays_error(3, true, rows({0, ~EdgeIndex{0}, 1, 2}, {1, 0})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {1, 2})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {no_vertex, 0})), wrong);
  EXPECT_EQ(arrays_error(no_vertex, true, rows({0, 1, 2}, {1, 0})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {1, 0}, {1})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {1, 0}, {1, 2, 3})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {1, 0}, {std::numeric_limits<float>::quiet_NaN(), -1})), "none");
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {1, 0}), std::nullopt, Ids::consecutive(3)), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {1, 0}), std::nullopt, Ids::strings({"a"})), wrong);
  EXPECT_EQ(arrays_error(2, true, rows({0, 1, 2}, {1, 0}), std::nullopt, Ids::strings({})), wrong);
}

TEST(HostileGraph, RowsOutOfOrder) {
  EXPECT_EQ(arrays_error(3, true, rows({0, 2, 2, 2}, {1, 2})), "none");
  EXPECT_EQ(arrays_error(3, true, rows({0, 2, 2, 2}, {1, 1})), "none");  // parallel arcs
  EXPECT_EQ(arrays_error(3, true, rows({0, 2, 2, 2}, {2, 1})), "HW-GRAPH-ARRAYS");
  EXPECT_EQ(arrays_error(3, true, rows({0, 1, 1, 2}, {2, 0})), "none");
  // Wherever the threads' pieces begin: the last arc of a long row, and the first of one, around 2^16 and 2^17.
  constexpr VertexId n = 300'000;
  for (const std::size_t at :
       {std::size_t{1}, std::size_t{65'535}, std::size_t{65'536}, std::size_t{131'072}, n - std::size_t{1}}) {
    Offsets offsets(n + 1, n);
    offsets[0] = 0;
    Neighbors neighbors(n);
    for (VertexId v = 0; v < n; ++v) neighbors[v] = v;
    EXPECT_EQ(arrays_error(n, true, rows(offsets, neighbors)), "none");
    neighbors[at] = neighbors[at - 1] - 1;
    EXPECT_EQ(arrays_error(n, true, rows(offsets, neighbors)), "HW-GRAPH-ARRAYS") << at;
    for (VertexId v = 1; v < n; ++v) offsets[v] = at;  // a new row begins there
    neighbors[at] = 0;
    EXPECT_EQ(arrays_error(n, true, rows(offsets, neighbors)), "none") << at;
    neighbors[at] = n;
    EXPECT_EQ(arrays_error(n, true, rows(offsets, neighbors)), "HW-GRAPH-ARRAYS") << at;
  }
}

TEST(HostileGraph, UndirectedButNotSymmetric) {
  EXPECT_EQ(arrays_error(2, false, rows({0, 1, 2}, {1, 0})), "none");
  EXPECT_EQ(arrays_error(2, false, rows({0, 1, 1}, {1})), "HW-GRAPH-SYMMETRY");
  EXPECT_EQ(arrays_error(2, false, rows({0, 2, 3}, {1, 1, 0})), "HW-GRAPH-SYMMETRY");     // as often one way as the other
  EXPECT_EQ(arrays_error(2, false, rows({0, 2, 4}, {0, 1, 0, 1})), "none");               // self-loops
  EXPECT_EQ(arrays_error(3, false, rows({0, 1, 2, 3}, {1, 2, 0})), "HW-GRAPH-SYMMETRY");  // the same degrees in and out
  EXPECT_EQ(arrays_error(2, false, rows({0, 1, 2}, {1, 0}), rows({0, 1, 2}, {1, 0})), "HW-GRAPH-ARRAYS");
  // A large one, where threads share the sum: one arc of some hundred thousand turned elsewhere.
  const Graph g = build_graph(generate("uniform:15,8"));
  Neighbors neighbors(g.out().neighbors.begin(), g.out().neighbors.end());
  const Offsets offsets(g.out().offsets.begin(), g.out().offsets.end());
  EXPECT_EQ(arrays_error(g.num_vertices(), false, rows(offsets, neighbors)), g.directed() ? "HW-GRAPH-SYMMETRY" : "none");
  const Graph both = build_graph(generate("uniform:15,8"), {.make_undirected = true});
  Neighbors turned(both.out().neighbors.begin(), both.out().neighbors.end());
  const Offsets starts(both.out().offsets.begin(), both.out().offsets.end());
  EXPECT_EQ(arrays_error(both.num_vertices(), false, rows(starts, turned)), "none");
  VertexId v = 0;
  while (starts[v + 1] == starts[v] || turned[starts[v]] == 0) ++v;
  --turned[starts[v]];
  EXPECT_EQ(arrays_error(both.num_vertices(), false, rows(starts, turned)), "HW-GRAPH-SYMMETRY");
}

TEST(HostileGraph, IncomingArcsThatAreOthers) {
  const auto out = rows({0, 2, 2, 3}, {1, 2, 1});
  EXPECT_EQ(arrays_error(3, true, out, rows({0, 0, 2, 3}, {0, 2, 0})), "none");
  EXPECT_EQ(arrays_error(3, true, out, rows({0, 0, 1, 3}, {0, 0, 2})), "HW-GRAPH-ARRAYS");
  EXPECT_EQ(arrays_error(3, true, out, rows({0, 0, 2, 2}, {0, 2})), "HW-GRAPH-ARRAYS");
  EXPECT_EQ(arrays_error(3, true, out, out), "HW-GRAPH-ARRAYS");
  EXPECT_EQ(arrays_error(3, true, out, Adjacency{}), "HW-GRAPH-ARRAYS");
}

// nonsense: Graph::out_degree Graph::out_neighbors Graph::in_neighbors Graph::in Graph::has_in
// Graph::set_default_source Graph::default_source Graph::set_preparation Graph::preparation
// Graph::ensure_in Graph::set_read_report Graph::read_report Graph::set_build_report Graph::build_report Graph::trusted
TEST(HostileGraph, VerticesThatAreNot) {
  Graph g = build_graph(generate("rmat:4,2"), {});
  Graph directed(3, true, rows({0, 2, 2, 3}, {1, 2, 1}), std::nullopt, {});
  for (const VertexId v : {g.num_vertices(), far_vertex, no_vertex, max_vertices}) {
    EXPECT_EQ(testing::id_of([&] { (void)g.out_degree(v); }), "HW-GRAPH-VERTEX");
    EXPECT_EQ(testing::id_of([&] { (void)g.out_neighbors(v); }), "HW-GRAPH-VERTEX");
    EXPECT_EQ(testing::id_of([&] { (void)g.in_neighbors(v); }), "HW-GRAPH-VERTEX");
    EXPECT_EQ(testing::id_of([&] { g.set_default_source(v); }), "HW-GRAPH-VERTEX");
  }
  EXPECT_FALSE(g.default_source());
  EXPECT_FALSE(directed.has_in());
  EXPECT_EQ(testing::id_of([&] { (void)directed.in_neighbors(0); }), "HW-GRAPH-NO-IN");
  EXPECT_EQ(testing::id_of([&] { (void)directed.in(); }), "HW-GRAPH-NO-IN");
  EXPECT_EQ(testing::id_of([&] { (void)Graph(directed).in(); }), "HW-GRAPH-NO-IN");
  directed.ensure_in();
  directed.ensure_in();
  EXPECT_EQ(directed.in_neighbors(1).size(), 2u);
  g.set_preparation(nullptr);
  EXPECT_FALSE(g.preparation());
  g.set_read_report({});
  g.set_build_report({});
  EXPECT_TRUE(g.read_report().source.empty());
  EXPECT_EQ(g.build_report().arcs_in, 0u);
  // Trusted arrays are not looked at; only ids of another size are replaced.
  const Graph trusted = Graph::trusted(2, true, rows({0, 1, 2}, {1, 0}), std::nullopt, Ids::strings({"a", "b", "c"}));
  EXPECT_EQ(trusted.ids().count(), 2u);
}

// nonsense: Graph::out Graph::arc_sources Graph::num_vertices Graph::num_arcs Graph::directed Graph::has_weights Graph::ids
TEST(HostileGraph, EmptyAndMovedFrom) {
  Graph full = build_graph(generate("grid:5x5"));
  const Graph taken = std::move(full);
  EXPECT_EQ(taken.num_vertices(), 25u);
  Graph none, self = taken;
  auto& same = self;
  self = std::move(same);
  EXPECT_EQ(self.num_arcs(), taken.num_arcs());
  for (Graph* g : {&none, &full}) {
    EXPECT_EQ(g->num_vertices(), 0u);
    EXPECT_EQ(g->num_arcs(), 0u);
    EXPECT_FALSE(g->has_weights());
    EXPECT_EQ(g->ids().count(), 0u);
    EXPECT_EQ(g->out().offsets.size(), 1u);
    EXPECT_EQ(testing::id_of([&] { (void)g->out_neighbors(0); }), "HW-GRAPH-VERTEX");
    g->ensure_in();
    EXPECT_TRUE(g->in().neighbors.empty());
    EXPECT_TRUE(g->directed());
    EXPECT_TRUE(g->arc_sources().empty());
  }
}

// nonsense: build_graph
TEST(HostileGraph, ListsThatAreNone) {
  EdgeList list{.num_vertices = 3, .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {1, 2}})};
  const auto error_with = [&](auto&& spoil, const RunOptions& run = {}) {
    EdgeList bad = list;
    spoil(bad);
    return testing::id_of(
        [&] { (void)build_graph(std::move(bad), {.keep_weights = run.device == DeviceKind::automatic}, run); });
  };
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    const RunOptions on{.device = device};
    EXPECT_EQ(error_with([](EdgeList&) {}, on), "none");
    EXPECT_EQ(error_with([](EdgeList& l) { l.num_vertices = 2; }, on), "HW-GRAPH-LIST");
    EXPECT_EQ(error_with([](EdgeList& l) { l.edges[0].source = no_vertex; }, on), "HW-GRAPH-LIST");
    EXPECT_EQ(error_with([](EdgeList& l) { l.num_vertices = no_vertex; }, on), "HW-GRAPH-LIST");
    EXPECT_EQ(error_with([](EdgeList& l) { l.weights = Array<float>::filled(1, 1); }, on), "HW-GRAPH-LIST");
    EXPECT_EQ(error_with([](EdgeList& l) { l.ids = Ids::consecutive(2); }, on), "HW-GRAPH-LIST");
    EXPECT_EQ(error_with([](EdgeList& l) { l.ids = Ids::strings({"a"}); }, on), "HW-GRAPH-LIST");
    EXPECT_EQ(error_with([](EdgeList& l) { l.default_source = 3; }, on), "HW-GRAPH-LIST");
    EXPECT_EQ(error_with([](EdgeList& l) { l.directed = false, l.both_directions = true; }, on), "HW-GRAPH-SYMMETRY");
    EXPECT_EQ(error_with([](EdgeList& l) { l = {}; }, on), "none");
  }
  EXPECT_EQ(error_with([](EdgeList& l) { (void)EdgeList(std::move(l)); }), "none");  // vertices are left, without edges
  EXPECT_EQ(error_with([](EdgeList&) {}, {.threads = -1}), "HW-OPTION-THREADS");
  EXPECT_EQ(error_with([](EdgeList&) {}, {.threads = std::numeric_limits<int>::max()}), "HW-OPTION-THREADS");
  EXPECT_EQ(error_with([](EdgeList&) {}, {.device = unnamed<DeviceKind>()}), "HW-OPTION-VALUE");
  EXPECT_EQ(error_with([](EdgeList& l) { l.weights = Array<float>::filled(2, std::numeric_limits<float>::quiet_NaN()); }),
            "none");
}

// nonsense: profile connected_components fingerprint
TEST(HostileGraph, FiguresOfNothing) {
  const Graph none, one(1, true, rows({0, 0}, {}), std::nullopt, {}), chain = build_graph(generate("chain:9"));
  EXPECT_EQ(profile(none).num_arcs, 0u);
  EXPECT_EQ(profile(one).isolated, 1u);
  EXPECT_EQ(connected_components(none).count, 0u);
  EXPECT_EQ(connected_components(one).count, 1u);
  EXPECT_EQ(estimate_diameter(none, far_vertex), 0);
  EXPECT_EQ(estimate_diameter(chain, 4), 8);
  for (const int sweeps : {0, -1, std::numeric_limits<int>::min()}) EXPECT_EQ(estimate_diameter(chain, 4, sweeps), 0);
  for (const VertexId v : {VertexId{9}, far_vertex, no_vertex})
    EXPECT_EQ(testing::id_of([&] { (void)estimate_diameter(chain, v); }), "HW-GRAPH-VERTEX");
  EXPECT_EQ(exact_diameter(none, 0), 0);
  EXPECT_EQ(exact_diameter(one, 0), 0);
  EXPECT_EQ(exact_diameter(chain, 0), std::nullopt);
  EXPECT_EQ(exact_diameter(chain, ~std::uint64_t{0}), 8);
  EXPECT_EQ(exact_diameter(chain, 99, [](const Step&) { return false; }), std::nullopt);
  EXPECT_THROW((void)exact_diameter(chain, 99, [](const Step&) -> bool { throw 7; }), int);
  EXPECT_NE(fingerprint(none), fingerprint(one));
  EXPECT_EQ(fingerprint(none), fingerprint(Graph()));
}

// nonsense: spy_grid spy_labels write_spy spy_svg
TEST(HostileGraph, SpyPlots) {
  const TempDir dir;
  const Graph chain = build_graph(generate("chain:9"));
  EXPECT_EQ(spy_grid(chain, 0).side, 1u);
  EXPECT_EQ(spy_grid(chain, ~0u).side, 9u);
  EXPECT_EQ(spy_grid(Graph(), ~0u).side, 1u);
  EXPECT_EQ(testing::id_of([&] { (void)spy_svg({.side = 3}); }), "HW-SPY-GRID");
  EXPECT_EQ(test::xml_fault(spy_svg(spy_grid(chain), spy_labels(chain, "<\x01&\""))), "");
  if (!build_features().png) GTEST_SKIP() << "no libpng";
  EXPECT_EQ(testing::id_of([&] { write_spy(spy_grid(Graph()), dir.path("a.png")); }), "none");
  const auto error_with = [&](auto&& spoil) {
    SpyGrid grid = spy_grid(chain, 4);
    spoil(grid);
    return testing::id_of([&] { write_spy(grid, dir.path("b.png")); });
  };
  EXPECT_EQ(error_with([](SpyGrid&) {}), "none");
  EXPECT_EQ(error_with([](SpyGrid& g) { g = {}; }), "HW-SPY-GRID");
  EXPECT_EQ(error_with([](SpyGrid& g) { g.side = ~0u; }), "HW-SPY-GRID");
  EXPECT_EQ(error_with([](SpyGrid& g) { g.counts.clear(); }), "HW-SPY-GRID");
  EXPECT_EQ(error_with([](SpyGrid& g) { g.most = 0; }), "HW-SPY-GRID");
  EXPECT_EQ(testing::id_of([&] { write_spy(spy_grid(chain), dir.path("no/such/folder.png")); }), "HW-IO-WRITE");
  for (const char* const name : {"x", "x.gif", ".svg.", "png"})
    EXPECT_EQ(testing::id_of([&] { write_spy(spy_grid(chain), dir.path(name)); }), "HW-SPY-ENDING") << name;
  SpyLabels labels = spy_labels(chain, std::string("<\x01&\"") + std::string(10000, 'x'));
  EXPECT_EQ(labels.ids.size(), 9u);
  EXPECT_EQ(testing::id_of([&] { write_spy(spy_grid(chain, 2), dir.path("c.svg"), labels); }), "none");
  labels.ids.emplace_back(9, "one too many");
  EXPECT_EQ(testing::id_of([&] { write_spy(spy_grid(chain), dir.path("c.svg"), labels); }), "HW-SPY-GRID");
  EXPECT_EQ(testing::id_of([&] { write_spy(spy_grid(Graph()), dir.path("d.svg"), spy_labels(Graph(), "")); }), "none");
}

// nonsense: Ids::Ids Ids::consecutive Ids::integers Ids::strings Ids::name Ids::number Ids::find Ids::count Ids::names
// Ids::first Ids::kind Ids::table
TEST(HostileIds, VerticesAndNamesThatAreNot) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  const Ids plain = Ids::consecutive(34, 1), gapped = Ids::integers(Array<std::int64_t>::copy_of(std::vector{least, most})),
            named = Ids::strings({"", "b"}), none;
  for (const Ids* ids : {&plain, &gapped, &named, &none})
    for (const VertexId v : {ids->count(), VertexId{77}, far_vertex, no_vertex}) {
      EXPECT_EQ(testing::id_of([&] { (void)ids->name(v); }), "HW-IDS-RANGE");
      EXPECT_EQ(testing::id_of([&] { (void)ids->number(v); }), "HW-IDS-RANGE");
    }
  EXPECT_EQ(plain.number(33), 34);
  EXPECT_EQ(testing::id_of([&] { (void)named.number(0); }), "HW-IDS-NAMES");
  EXPECT_EQ(gapped.number(0), least);
  for (const char* name : {"", " 1", "0", "35", "-1", "1.0", "99999999999999999999", "x", "1 "})
    EXPECT_FALSE(plain.find(name)) << name;
  EXPECT_FALSE(none.find("0"));
  EXPECT_EQ(named.find(std::string_view()), VertexId{0});
  EXPECT_FALSE(named.find("c"));
  EXPECT_EQ(Ids::consecutive(1, least).number(0), least);
  EXPECT_EQ(Ids::consecutive(0, most).count(), 0u);
  EXPECT_EQ(Ids::consecutive(2, most - 1).number(1), most);
  EXPECT_EQ(testing::id_of([&] { (void)Ids::consecutive(2, most); }), "HW-IDS-RANGE");
  EXPECT_EQ(testing::id_of([&] { (void)Ids::consecutive(no_vertex); }), "HW-IDS-RANGE");
  EXPECT_EQ(testing::id_of([&] { (void)Ids::integers(Array<std::int64_t>::filled(2, 5)); }), "HW-IDS-ORDER");
  EXPECT_EQ(Ids::integers({}).count(), 0u);
  EXPECT_EQ(testing::id_of([&] { (void)Ids::strings({"a", "a"}); }), "HW-IDS-DUPLICATE");
  Ids from = named;
  const Ids taken = std::move(from);
  EXPECT_EQ(taken.name(1), "b");
  EXPECT_EQ(from.count(), 0u);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(from.names().empty() && from.table().empty());
  EXPECT_FALSE(from.find("b"));
  EXPECT_EQ(from.kind(), Ids::Kind::consecutive);
  EXPECT_EQ(from.first(), 0);
}

// nonsense: estimate_memory graph_size require_host_memory MemoryEstimate::host_peak host_memory_free host_memory_total
TEST(HostileEstimate, SizesBeyondEverything) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const EstimateOptions all{.build_in = true, .undirected = true, .parents = true, .prepare = true, .searches = most};
  std::uint64_t before = 0;
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1} << 31, std::uint64_t{1} << 50, most}) {
    const MemoryEstimate e = estimate_memory(GraphSize{.vertices = size, .rows = size, .exact = true}, all);
    EXPECT_GE(e.host_peak(), before) << size;  // never less for more
    EXPECT_GE(e.device_bytes, e.arcs * 4) << size;
    before = e.host_peak();
    for (int job = 1; job <= 5; ++job)
      for (const std::uint64_t samples : {std::uint64_t{0}, std::uint64_t{7}, most}) {
        const EstimateOptions options{.job = static_cast<EstimateJob>(job), .samples = samples, .arcs = true, .threads = 4096};
        const MemoryEstimate of_job = estimate_memory(GraphSize{.vertices = size, .rows = size, .exact = true}, options);
        EXPECT_GE(of_job.host_peak(), 4 * of_job.arcs) << size << " job " << job;
        EXPECT_LE(of_job.searches, std::uint64_t{1} << 32);
      }
  }
  // The largest specs are counted in full.
  for (const char* spec : {"rmat:31,1048576", "uniform:31,1048576"}) {
    const MemoryEstimate e = estimate_memory(std::string(spec), {}, {});
    EXPECT_EQ(e.arcs, std::uint64_t{1} << 52) << spec;
    EXPECT_GE(e.load_peak_bytes, std::uint64_t{24} << 50) << spec;  // eight bytes a row and four an arc
  }
  EXPECT_FALSE(estimate_memory(GraphSize{.known = false}, {.job = EstimateJob::closeness}).size.known);
  EXPECT_EQ(testing::id_of([] { estimate_memory(GraphSize{}, {.job = static_cast<EstimateJob>(99)}); }), "HW-OPTION-VALUE");
  for (const int threads : {-1, 4097})
    EXPECT_EQ(testing::id_of([&] { estimate_memory(GraphSize{}, {.job = EstimateJob::betweenness, .threads = threads}); }),
              "HW-OPTION-THREADS");
  EXPECT_EQ(
      testing::id_of([&] { require_host_memory(estimate_memory(GraphSize{.vertices = most, .rows = most, .exact = true})); }),
      "HW-MEMORY-HOST");
  MemoryEstimate made_up;
  EXPECT_EQ(testing::id_of([&] { require_host_memory(made_up); }), "none");
  made_up.graph_bytes = made_up.search_bytes = most;
  EXPECT_EQ(made_up.host_peak(), most);
  made_up.host_free = most - 1;
  EXPECT_EQ(testing::id_of([&] { require_host_memory(made_up); }), "HW-MEMORY-HOST");
  made_up.size.exact = true;
  EXPECT_EQ(testing::id_of([&] { require_host_memory(made_up); }), "HW-MEMORY-HOST");
  EXPECT_EQ(testing::id_of([] { (void)graph_size("/nowhere/at/all"); }), "HW-IO-OPEN");
  EXPECT_EQ(testing::id_of([] { (void)graph_size(""); }), "HW-IO-OPEN");
  const TempDir dir;
  std::ofstream(dir.path("g.txt")) << "0 1\n1 2\n";
  EXPECT_FALSE(graph_size(dir.path("g.txt"), {}, 0).known);
  EXPECT_EQ(graph_size(dir.path("g.txt"), {}, most).rows, 2u);
  EXPECT_GT(host_memory_total(), 0u);
  EXPECT_GT(host_memory_free(), 0u);
}

// nonsense: generate check_generator_spec generators is_generator_spec splitmix64
TEST(HostileGenerators, SpecsThatAreNone) {
  for (const char* spec :
       {"", ":", "rmat", "rmat:", "rmat:x", "rmat:4,", "chain:-1", "chain:1e3", "chain: 3", "nothing:3", "chain:3:3"}) {
    const std::string error = testing::id_of([&] { (void)generate(spec); });
    EXPECT_TRUE(error == "HW-GEN-SPEC" || error == "HW-GEN-RANGE") << spec << ": " << error;
    EXPECT_EQ(testing::id_of([&] { check_generator_spec(spec); }), error) << spec;
  }
  EXPECT_EQ(testing::id_of([] { (void)generate("rmat:32"); }), "HW-GEN-RANGE");
  EXPECT_EQ(testing::id_of([] { (void)generate("chain:18446744073709551616"); }), "HW-GEN-RANGE");
  EXPECT_FALSE(is_generator_spec(""));
  EXPECT_FALSE(is_generator_spec("\0:3"sv));
  for (const GeneratorInfo& info : generators()) EXPECT_TRUE(is_generator_spec(info.example)) << info.name;
  EXPECT_NE(splitmix64(0), splitmix64(~std::uint64_t{0}));
}

// nonsense: Weights::Weights Weights::copy_of Weights::smallest Weights::text Weights::type Weights::size Weights::empty
// Weights::whole Weights::data Weights::bytes Weights::span Weights::as Weights::begin Weights::end Weights::truncate
// Weights::owner Weights::Iterator::Iterator WeightSpan::WeightSpan WeightSpan::type WeightSpan::size
// WeightSpan::empty WeightSpan::data WeightSpan::as Array::owner size_of name
TEST(HostileWeights, NothingAndNowhere) {
  const auto keep = std::make_shared<int>(0);
  const double number = 1;
  EXPECT_EQ(testing::id_of([&] { Weights(nullptr, WeightType::int32, &number, 1); }), "HW-ARRAY-OWNER");
  EXPECT_EQ(testing::id_of([&] { Weights(keep, WeightType::int32, nullptr, 1); }), "HW-ARRAY-OWNER");
  EXPECT_EQ(testing::id_of([&] { (void)Weights::copy_of(WeightSpan(WeightType::float64, nullptr, 3)); }), "HW-ARRAY-OWNER");
  EXPECT_EQ(testing::id_of([&] { (void)Weights().text(0); }), "HW-ARRAY-INDEX");
  const WeightSpan nothing;
  EXPECT_TRUE(nothing.empty() && nothing.size() == 0 && !nothing.data() && nothing.as<float>().empty());
  EXPECT_EQ(nothing.type(), WeightType::float32);
  Weights none = Weights::smallest(Weights::copy_of(nothing));
  EXPECT_TRUE(none.empty() && none.size() == 0 && none.begin() == none.end() && none.bytes().empty() && !none.whole());
  none.truncate(5);
  EXPECT_TRUE(none.span().empty() && none.as<float>().empty() && !none.owner());
  EXPECT_TRUE(Weights::Iterator() == none.begin());
  Weights one = Array<std::int64_t>::filled(2, 1);
  one.truncate(7);
  EXPECT_EQ(one.size(), 2u);
  one.truncate(1);
  EXPECT_EQ(one.size(), 1u);
  EXPECT_EQ(testing::id_of([&] { (void)one.text(1); }), "HW-ARRAY-INDEX");
  EXPECT_NE(one.data(), nullptr);
  EXPECT_EQ(one.type(), WeightType::int64);
  EXPECT_FALSE(Array<const int>().owner());
  EXPECT_EQ(name(static_cast<WeightType>(77)), "float32");
  EXPECT_EQ(size_of(WeightType::int64), 8u);
}

}  // namespace of_hostile_graph_test
}  // namespace hopwave
