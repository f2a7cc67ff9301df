// A preparation kept: taken out of a search, stored in a .hwg, used again with the same answers; one that is stale, of another
// layout or damaged is never used.
#include "hopwave/preparation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "hopwave/hopwave.h"
#include "io/hwg.h"
#include "io/sink.h"
#include "support/error_id.h"
#include "support/temp_dir.h"
#include "support/ticks.h"

namespace hopwave {
namespace of_preparation_test {

/// Wide: by itself a graph of this size would be searched in shared memory.
const SearchOptions simulated{.parameters = {{"shared_memory", 0}}, .prepare = true, .run = {.device = DeviceKind::sim}};
const std::string used = "used the preparation that is stored with the graph";

Graph made(bool directed) {
  EdgeList list = generate("rmat:7,5");
  list.directed = directed;
  return build_graph(std::move(list), {.build_in = true});
}

std::string first_note(const Graph& graph, const SearchOptions& options = simulated) {
  Searcher searcher(graph, options);
  const Query query{.sources = {3}, .parents = true};
  const Result result = searcher.run(query);
  EXPECT_TRUE(validate(graph, query, result, options.direction));
  return searcher.notes().empty() ? "" : searcher.notes().front();
}

std::shared_ptr<Preparation> copy_of(const Graph& graph) { return std::make_shared<Preparation>(*graph.preparation()); }

TEST(StoredPreparation, IsUsedAndGivesTheSameAnswers) {
  const testing::Ticks ticks;  // what is measured is above 0
  for (const bool directed : {false, true}) {
    const TempDir dir;
    Graph graph = made(directed);
    EXPECT_EQ(first_note(graph), "");
    graph.set_preparation(prepare(graph, simulated));
    EXPECT_EQ(graph.preparation()->kind, "grid-wide");
    EXPECT_GT(graph.preparation()->time, Milliseconds());
    EXPECT_EQ(first_note(graph), used);
    write_graph(graph, dir.path("g.hwg"));
    const Graph again = load_graph(dir.path("g.hwg"));
    ASSERT_TRUE(again.preparation());
    EXPECT_EQ(again.preparation()->arrays.size(), graph.preparation()->arrays.size());
    EXPECT_EQ(first_note(again), used);
    // Written once more, it is the same file: the preparation goes along, byte for byte.
    write_graph(again, dir.path("h.hwg"));
    const auto bytes = [&](const char* name) { return content_of(dir.path(name)); };
    EXPECT_EQ(bytes("g.hwg").size(), bytes("h.hwg").size());
    // A search that did not ask for preparation, or walks the other way, leaves it alone.
    EXPECT_EQ(first_note(again, {.run = {.device = DeviceKind::sim}}), "");
    if (directed) {
      EXPECT_EQ(first_note(again, {.direction = Direction::in, .prepare = true, .run = {.device = DeviceKind::sim}}), "");
    }
  }
}

/// Relabelled rows are the same for three traversals: what one of them has prepared, another that is forced takes.
TEST(StoredPreparation, ServesEveryTraversalOfRelabelledRows) {
  const std::pair<const char*, Parameters> forced[] = {
      {"single-cluster", {{"single_cluster", 1}, {"shared_memory", 0}}},
      {"one launch a level", {{"level_launches", 1}}},
      {"grid-wide", {{"single_cluster", 0}, {"high_diameter", 0}, {"shared_memory", 0}}}};
  for (const bool directed : {false, true}) {
    Graph graph = made(directed);
    for (const auto& [prepared_by, before] : forced) {
      graph.set_preparation(prepare(graph, {.parameters = before, .prepare = true, .run = {.device = DeviceKind::sim}}));
      ASSERT_EQ(graph.preparation()->kind, "grid-wide") << prepared_by;
      for (const auto& [name, parameters] : forced) {
        const std::string how = std::string(name) + ", prepared by " + prepared_by + (directed ? ", directed" : "");
        const TempDir dir;
        write_graph(graph, dir.path("g.hwg"));
        const Graph stored = load_graph(dir.path("g.hwg"));
        Searcher searcher(stored, {.parameters = parameters, .prepare = true, .run = {.device = DeviceKind::sim}});
        EXPECT_EQ(searcher.notes(), std::vector{used}) << how;
        for (const Query& query : {Query{.sources = {3}, .parents = true}, Query{.sources = {90, 7}},
                                   Query{.sources = {11}, .max_depth = 2, .parents = true, .ties = Ties::min}}) {
          const Result result = searcher.run(query);
          EXPECT_EQ(result.run.chosen.substr(0, std::string(name).size()), name) << how;
          EXPECT_TRUE(validate(stored, query, result)) << how << ", source " << query.sources[0];
        }
      }
    }
  }
}

/// The same graph with the ends of two arcs exchanged: every vertex keeps its degrees, in and out. `at` picks the first arc.
Graph with_a_swap(const Graph& graph, EdgeIndex at) {
  const Array<VertexId> sources = graph.arc_sources();
  auto neighbors = Array<VertexId>::copy_of(graph.out().neighbors.span());
  const auto row = [&](VertexId v) {
    return std::span(neighbors.data() + graph.out().offsets[v], neighbors.data() + graph.out().offsets[v + 1ull]);
  };
  const auto has = [&](VertexId v, VertexId w) { return std::ranges::binary_search(row(v), w); };
  EdgeIndex other = at + 1;
  while (sources[other] == sources[at] || has(sources[other], neighbors[at]) || has(sources[at], neighbors[other])) ++other;
  std::swap(neighbors[at], neighbors[other]);
  std::ranges::sort(row(sources[at]));
  std::ranges::sort(row(sources[other]));
  return Graph(graph.num_vertices(), true, {graph.out().offsets, std::move(neighbors), {}}, std::nullopt, graph.ids());
}

TEST(StoredPreparation, OfAGraphWithTheSameDegreesIsMadeAnew) {
  Graph graph = made(true);
  graph.set_preparation(prepare(graph, simulated));
  Graph other = with_a_swap(graph, 100);
  other.ensure_in();
  other.set_preparation(graph.preparation());
  EXPECT_EQ(first_note(other), "a stored preparation of another graph: made anew");
  const TempDir dir;
  write_graph(other, dir.path("g.hwg"));
  EXPECT_FALSE(load_graph(dir.path("g.hwg")).preparation());
}

TEST(Fingerprint, SeesEveryArc) {
  EdgeList list = generate("uniform:15,8");
  list.directed = true;
  const Graph graph = build_graph(std::move(list));
  for (EdgeIndex at = 17; at + 1000 < graph.num_arcs(); at += graph.num_arcs() / 20)
    EXPECT_NE(fingerprint(with_a_swap(graph, at)), fingerprint(graph)) << at;
  // Taken from the arrays, from the sections of a file, or remembered, it is the same.
  const TempDir dir;
  write_graph(graph, dir.path("g.hwg"));
  const Graph again = Graph::trusted(graph.num_vertices(), true, graph.out(), std::nullopt, {});
  EXPECT_EQ(fingerprint(again), fingerprint(graph));
  EXPECT_EQ(fingerprint(load_graph(dir.path("g.hwg"))), fingerprint(graph));
  EXPECT_EQ(fingerprint(Graph(graph)), fingerprint(graph));
  EXPECT_NE(fingerprint(Graph::trusted(graph.num_vertices(), false, graph.out(), std::nullopt, {})), fingerprint(graph));
}

TEST(StoredPreparation, ThatDoesNotFitIsMadeAnew) {
  Graph graph = made(false);
  graph.set_preparation(prepare(graph, simulated));
  const auto note_with = [&](auto&& change) {
    Graph other = graph;
    auto changed = copy_of(graph);
    change(*changed);
    other.set_preparation(std::move(changed));
    return first_note(other);
  };
  EXPECT_EQ(note_with([](Preparation&) {}), used);
  EXPECT_EQ(note_with([](Preparation& p) { p.layout += 1; }), "a stored preparation with layout grid-wide 3: made anew");
  EXPECT_EQ(note_with([](Preparation& p) { p.layout -= 1; }), "a stored preparation with layout grid-wide 1: made anew");
  EXPECT_EQ(note_with([](Preparation& p) { p.kind = "other"; }), "a stored preparation with layout other 2: made anew");
  EXPECT_EQ(note_with([](Preparation& p) { p.graph ^= 1; }), "a stored preparation of another graph: made anew");
  EXPECT_EQ(note_with([](Preparation& p) { p.arrays.clear(); }), "a stored preparation with no offset_bytes: made anew");
  EXPECT_EQ(note_with([](Preparation& p) { p.strategy = "pmpp-edge"; }), "");
}

/// Writes the graph with its preparation and loads it again: it is used as it is, and refused once its rows lead outside,
/// before a search follows them. Returns the graph as it came back.
Graph expect_kept_with_sound_rows(Graph& graph, const SearchOptions& options) {
  const TempDir dir;
  write_graph(graph, dir.path("g.hwg"));
  Graph again = load_graph(dir.path("g.hwg"));
  EXPECT_EQ(first_note(again, options), used);
  auto bad = copy_of(graph);
  for (auto& [name, bytes] : bad->arrays)
    if (name == "rows") bytes = Array<std::byte>::filled(bytes.size(), std::byte{0x0F});
  graph.set_preparation(bad);
  EXPECT_EQ(first_note(graph, options), "a stored preparation with rows that lead outside: made anew");
  return again;
}

TEST(StoredPreparation, OfAThinGraphIsRowsOfHops) {
  for (const char* spec : {"chain:70", "grid:12x9"}) {
    SCOPED_TRACE(spec);
    Graph graph = build_graph(generate(spec), {.make_undirected = true});
    SearchOptions options = simulated;
    options.parameters = {{"high_diameter", 1}, {"block", 64}, {"grid", 4}};
    graph.set_preparation(prepare(graph, options));
    EXPECT_EQ(graph.preparation()->kind, "high-diameter");
    const Graph again = expect_kept_with_sound_rows(graph, options);
    auto earlier = copy_of(again);
    earlier->layout -= 1;
    graph.set_preparation(std::move(earlier));
    EXPECT_EQ(first_note(graph, options), "a stored preparation with layout high-diameter 2: made anew");
    options.parameters = {{"high_diameter", 0}};
    EXPECT_EQ(first_note(again, options), "a stored preparation with the other traversal: made anew");
  }
}

TEST(StoredPreparation, OfAThinGraphIsRowsOfFourForWarpsThatRunAhead) {
  for (const char* spec : {"chain:70", "grid:12x9", "star:90"}) {
    SCOPED_TRACE(spec);
    Graph graph = build_graph(generate(spec), {.make_undirected = true});
    SearchOptions options = simulated;
    options.parameters = {{"high_diameter", 1}, {"async", 4}, {"block", 64}, {"grid", 4}};
    graph.set_preparation(prepare(graph, options));
    EXPECT_EQ(graph.preparation()->kind, "high-diameter");
    const Graph again = expect_kept_with_sound_rows(graph, options);
    options.parameters = {{"high_diameter", 0}};
    EXPECT_EQ(first_note(again, options), "a stored preparation with the other traversal: made anew");
  }
}

TEST(StoredPreparation, OfASmallGraphIsRowsForSharedMemory) {
  for (const std::int64_t form : {1, 2})
    for (const char* spec : {"chain:70", "mesh:12x9", "star:90"}) {
      SCOPED_TRACE(std::string(spec) + ", form " + std::to_string(form));
      Graph graph = build_graph(generate(spec), {.make_undirected = true});
      SearchOptions options{.parameters = {{"shared_memory", form}}, .prepare = true, .run = {.device = DeviceKind::sim}};
      graph.set_preparation(prepare(graph, options));
      EXPECT_EQ(graph.preparation()->kind, "shared-memory");
      const Graph again = expect_kept_with_sound_rows(graph, options);
      options.parameters["shared_memory"] = 0;
      EXPECT_EQ(first_note(again, options), "a stored preparation with the other traversal: made anew");
      const bool low = std::string(spec) != "star:90";
      options.parameters["shared_memory"] = 3 - form;
      EXPECT_EQ(first_note(again, options) == used, !low);
    }
}

TEST(StoredPreparation, OfAGridIsItsDiagonals) {
  const TempDir dir;
  Graph graph = build_graph(generate("grid:12x9"), {.make_undirected = true});
  SearchOptions options{.prepare = true, .run = {.device = DeviceKind::sim}};
  graph.set_preparation(prepare(graph, options));
  EXPECT_EQ(graph.preparation()->kind, "shared-memory");
  write_graph(graph, dir.path("g.hwg"));
  const Graph again = load_graph(dir.path("g.hwg"));
  EXPECT_EQ(first_note(again, options), used);
  options.parameters["shared_memory"] = 1;
  EXPECT_EQ(first_note(again, options), "a stored preparation with rows of another form: made anew");
}

TEST(StoredPreparation, OfOtherArcsIsLeftOut) {
  const TempDir dir;
  Graph graph = made(false);
  graph.set_preparation(prepare(graph, simulated));
  write_graph(graph, dir.path("g.hwg"));
  const io::HwgContent content = io::open_hwg(dir.path("g.hwg"), {});
  const auto write_with = [&](const Graph& arcs, const std::function<std::string(std::string)>& about) {
    std::vector<io::ExtraSection> extras;
    std::string text;
    for (const auto& [name, bytes] : content.extras) {
      if (name == "engine.about") {
        text = about({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        extras.push_back({name, std::as_bytes(std::span(text))});
      } else {
        extras.push_back({name, bytes.span()});
      }
    }
    OutputFile file(dir.path("bad.hwg"));
    const auto sink = io::make_sink(file, "bad.hwg", 1);
    Graph bare = arcs;
    bare.set_preparation(nullptr);
    io::write_hwg(bare, extras, {}, *sink);
    sink->finish();
    file.commit();
    return load_graph(dir.path("bad.hwg"));
  };
  const Graph same = write_with(graph, [](std::string text) { return text; });
  EXPECT_TRUE(same.preparation());
  EXPECT_TRUE(same.read_report().repairs.empty());
  const Graph other = write_with(build_graph(generate("rmat:7,5,2")), [](std::string text) { return text; });
  EXPECT_FALSE(other.preparation());
  EXPECT_EQ(other.read_report().repairs, std::vector<std::string>{"the stored preparation was made from other arcs: left out"});
  EXPECT_EQ(first_note(other), "");
  for (const char* key : {"strategy", "kind", "layout", "fingerprint", "arcs", "microseconds"}) {
    const Graph vague = write_with(graph, [&](std::string text) { return text.replace(text.find(key), 1, "x"); });
    EXPECT_FALSE(vague.preparation()) << key;
    EXPECT_EQ(vague.read_report().repairs.size(), 1u) << key;
  }
}

TEST(StoredPreparation, DamagedIsAnError) {
  const TempDir dir;
  Graph graph = made(false);
  graph.set_preparation(prepare(graph, simulated));
  write_graph(graph, dir.path("g.hwg"));
  std::string bytes = content_of(dir.path("g.hwg"));
  bytes[bytes.size() - 100] ^= 1;  // within the last section, engine.first_neighbor
  std::ofstream(dir.path("bad.hwg"), std::ios::binary) << bytes;
  EXPECT_EQ(testing::id_of([&] { (void)load_graph(dir.path("bad.hwg")); }), "HW-HWG-CHECKSUM");
}

TEST(Prepare, SaysWhereThereIsNothingToKeep) {
  const Graph graph = made(false);
  for (const char* strategy : {"cpu-sequential", "cpu-parallel"}) try {
      (void)prepare(graph, {.strategy = strategy});
      FAIL() << strategy;
    } catch (const Error& e) {
      EXPECT_EQ(e.id(), "HW-PREPARATION-NONE");
    }
}

}  // namespace of_preparation_test
}  // namespace hopwave
