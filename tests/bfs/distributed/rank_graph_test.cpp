// Graphs that ranks make together: drawn in parts, cut into components, without some vertices.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "bfs/distributed/draw_slices.h"
#include "bfs/distributed/leave_out.h"
#include "bfs/distributed/rank_components.h"
#include "bfs/distributed/thread_ranks.h"
#include "generate/part.h"
#include "hopwave/components.h"
#include "hopwave/estimate.h"
#include "hopwave/generate.h"
#include "hopwave/restrict.h"
#include "support/error_id.h"
#include "support/graphs.h"

namespace hopwave {
namespace of_rank_graph_test {

using namespace testing;
using generate_detail::EdgePart;
using generate_detail::generate_part;
using ranks::Rows;
using ranks::Share;
using ranks::Transport;

const char* const drawn_specs[] = {
    "rmat:9,8",   "rmat:9,8,7",       "kron:8",     "uniform:9,5,3", "grid:31x17",  "grid:7x5x3",    "mesh:20x9,4",
    "streets:30", "chain:1",          "chain:100",  "star:50",       "complete:23", "tree:0",        "tree:6",
    "rmat:1,0",   "hub-chain:3,20,4", "graphgen:1", "graphgen:200",  "rmat:17,2",   "uniform:0,100", "uniform:17,3"};

TEST(EdgePart, OneBehindTheOtherTheyAreTheWhole) {
  for (const char* spec : drawn_specs) {
    ASSERT_TRUE(generate_detail::draws_parts(spec)) << spec;
    const EdgeList whole = generate(spec);
    for (const std::uint64_t of : {1, 2, 3, 7, 64}) {
      std::vector<Edge> edges;
      for (std::uint64_t number = 0; number < of; ++number) {
        const EdgeList part = generate_part(spec, {number, of});
        EXPECT_EQ(part.num_vertices, whole.num_vertices);
        EXPECT_EQ(part.directed, whole.directed);
        EXPECT_EQ(part.default_source, whole.default_source);
        EXPECT_EQ(part.report.rows, part.edges.size());
        edges.insert(edges.end(), part.edges.begin(), part.edges.end());
      }
      EXPECT_TRUE(std::equal(edges.begin(), edges.end(), whole.edges.begin(), whole.edges.end())) << spec << " in " << of;
    }
  }
}

TEST(EdgePart, IsAShareOfTheEdges) {
  for (const char* spec : {"rmat:12,8", "streets:100", "complete:300"}) {
    const std::size_t all = generate(spec).edges.size();
    for (std::uint64_t number = 0; number < 5; ++number)
      EXPECT_LT(generate_part(spec, {number, 5}).edges.size(), all / 5 + all / 20) << spec;
  }
}

TEST(EdgePart, CutsEvenTheLargestCounts) {
  const std::uint64_t most = ~std::uint64_t{0};
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{5}, most}) {
    EXPECT_EQ(EdgePart({0, 3}).begin(count), 0u);
    EXPECT_EQ(EdgePart({2, 3}).end(count), count);
    for (std::uint64_t number : {0, 1}) EXPECT_EQ(EdgePart({number, 3}).end(count), EdgePart({number + 1, 3}).begin(count));
  }
}

std::vector<VertexId> row_of(const Rows& rows, std::size_t row) { return {rows.row(row).begin(), rows.row(row).end()}; }

/// Does the share hold the graph's rows of its vertices?
void expect_rows_of(const Graph& graph, const Share& share, const std::string& what) {
  ASSERT_EQ(share.cut.num_vertices(), graph.num_vertices()) << what;
  ASSERT_EQ(share.num_arcs, graph.num_arcs()) << what;
  ASSERT_EQ(share.directed, graph.directed()) << what;
  ASSERT_EQ(share.out.offsets[0], 0u);
  ASSERT_EQ(share.out.neighbors.size(), share.out.offsets[share.count()]);
  for (VertexId row = 0; row < share.count(); ++row) {
    const auto want = graph.out_neighbors(share.begin() + row);
    ASSERT_EQ(row_of(share.out, row), std::vector<VertexId>(want.begin(), want.end())) << what << ", row " << row;
  }
}

TEST(DrawSlices, GivesTheRowsThatOneProcessBuilds) {
  for (const char* spec : drawn_specs)
    for (const bool keep : {false, true}) {
      const BuildOptions options{.keep_duplicates = keep, .keep_self_loops = keep};
      const Graph graph = load_graph(spec, {}, options);
      for (const int size : {1, 2, 3, 5, 8})
        ranks::run_as_threads(size, [&](Transport& transport) {
          const auto drawn = draw_slices(transport, spec, options);
          ASSERT_TRUE(drawn.has_value());
          const std::string what = std::string(spec) + ", " + std::to_string(size) + " ranks" + (keep ? ", all kept" : "");
          expect_rows_of(graph, drawn->share, what);
          if (transport.rank() != 0) {
            EXPECT_EQ(drawn->about.ids.count(), 0u);
            return;
          }
          EXPECT_EQ(drawn->about.ids.count(), graph.num_vertices());
          EXPECT_EQ(drawn->about.default_source, graph.default_source());
          EXPECT_EQ(drawn->about.read.rows, graph.read_report().rows);
          EXPECT_EQ(drawn->about.read.details, graph.read_report().details);
          const BuildReport &told = drawn->about.build, &want = graph.build_report();
          EXPECT_EQ(told.arcs_in, want.arcs_in) << what;
          EXPECT_EQ(told.duplicates, want.duplicates) << what;
          EXPECT_EQ(told.self_loops, want.self_loops) << what;
          EXPECT_EQ(told.duplicates_kept, keep);
          EXPECT_EQ(told.self_loops_kept, keep);
        });
    }
}

TEST(DrawSlices, CountsTheEndsOfDrawnEdges) {
  for (const char* spec : drawn_specs) {
    const EdgeList list = generate(spec);
    std::vector<std::uint32_t> want(list.num_vertices, 0);
    for (const Edge& e : list.edges) ++want[e.source], ++want[e.target];
    ranks::run_as_threads(3, [&](Transport& transport) {
      Array<std::uint32_t> ends;
      const auto drawn = draw_slices(transport, spec, {}, {}, &ends);
      ASSERT_EQ(ends.size(), drawn->share.count());
      for (VertexId row = 0; row < ends.size(); ++row) ASSERT_EQ(ends[row], want[drawn->share.begin() + row]) << spec;
    });
  }
}

TEST(DrawSlices, CutsEvenly) {
  const int size = 4;
  std::atomic<std::uint64_t> most = 0;
  const Graph graph = load_graph("rmat:17,8");  // more vertices than blocks that are counted
  ranks::run_as_threads(size, [&](Transport& transport) {
    const auto drawn = draw_slices(transport, "rmat:17,8", {});
    const std::uint64_t mine = drawn->share.count() + drawn->share.out.neighbors.size();
    most = std::max<std::uint64_t>(most, transport.all_reduce(mine, ranks::Reduce::max));
  });
  EXPECT_LT(most, (graph.num_vertices() + graph.num_arcs()) / size * 21 / 20);
}

TEST(DrawSlices, LeavesOtherGeneratorsToRank0) {
  for (const char* spec : {"maze:9x9", "shapes:3,100", "pmpp", "roadnet-ca-like", "wikitalk-like"})
    ranks::run_as_threads(2, [&](Transport& transport) { EXPECT_FALSE(draw_slices(transport, spec, {}).has_value()) << spec; });
}

TEST(DrawSlices, SaysOnAllRanksWhatIsWrongWithASpec) {
  for (const auto& [spec, id] : {std::pair{"rmat:40", "HW-GEN-RANGE"}, {"rmat:x", "HW-GEN-SPEC"}})
    ranks::run_as_threads(3, [&, spec = spec, id = id](Transport& transport) {
      EXPECT_EQ(id_of([&] { draw_slices(transport, spec, {}); }), id);
    });
  ranks::run_as_threads(2, [&](Transport& transport) {  // one rank's caller wants no more: all end
    const bool stops = transport.rank() == 1;
    EXPECT_EQ(id_of([&] { draw_slices(transport, "rmat:10,8", {}, [&](const Step&) { return !stops; }); }), "HW-INTERRUPTED");
  });
}

Share shared(Transport& transport, const Graph& graph) { return deal(transport, transport.rank() == 0 ? &graph : nullptr); }

std::vector<Graph> many_graphs() {
  std::vector<Graph> graphs;
  for (const TestGraph& test : named_graphs()) graphs.push_back(build(test, false));
  for (std::uint64_t seed = 0; seed < 60; ++seed) graphs.push_back(build(random_graph(seed, 200), seed % 2 == 0));
  for (const char* spec : {"chain:300", "shapes:3,400", "shapes:8,400", "uniform:9,1", "maze:20x20"})
    graphs.push_back(load_graph(spec));
  return graphs;
}

TEST(RankComponents, AreThoseOfOneProcess) {
  for (const Graph& graph : many_graphs()) {
    const Components want = connected_components(graph);
    // What -s lcc says: the first of the largest component's vertices that has an arc out.
    VertexId first = want.largest_label;
    for (VertexId v = graph.num_vertices(); v-- > 0;)
      if (want.label[v] == want.largest_label && graph.out_degree(v) > 0) first = v;
    for (const int size : {1, 2, 3, 7})
      ranks::run_as_threads(size, [&](Transport& transport) {
        Share share = shared(transport, graph);
        const Array<VertexId> label = weak_components(transport, share);
        ASSERT_EQ(label.size(), share.count());
        for (VertexId row = 0; row < share.count(); ++row) ASSERT_EQ(label[row], want.label[share.begin() + row]);
        if (graph.num_vertices() > 0) EXPECT_EQ(in_largest_component(transport, share), first);
      });
  }
}

TEST(RankComponents, AreTheSameInAnyNumberOfRounds) {
  for (const char* spec : {"shapes:3,400", "uniform:7,1", "star:70", "chain:150"}) {
    const Graph graph = load_graph(spec);
    const Components want = connected_components(graph);
    VertexId largest = 0;
    ranks::run_as_threads(2, [&](Transport& transport) {
      Share share = shared(transport, graph);
      const VertexId found = in_largest_component(transport, share);
      if (transport.rank() == 0) largest = found;
    });
    for (const EdgeIndex most : {1, 2, 13})
      ranks::run_as_threads(3, [&](Transport& transport) {
        Share share = shared(transport, graph);
        const Array<VertexId> label = weak_components(transport, share, most);
        for (VertexId row = 0; row < share.count(); ++row) ASSERT_EQ(label[row], want.label[share.begin() + row]) << spec;
        EXPECT_EQ(in_largest_component(transport, share, most), largest) << spec;
      });
  }
}

TEST(LeaveOut, LeavesTheArcsThatRestrictedLeaves) {
  std::uint64_t seed = 0;
  for (const Graph& graph : many_graphs()) {
    auto keep = Array<std::uint8_t>::filled(graph.num_vertices(), 1);
    std::vector<VertexId> out;
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      if (splitmix64(++seed) % 5 == 0) out.insert(out.end(), {v, v}), keep[v] = 0;
    const Graph want = restricted(graph, {.vertices = std::move(keep)});
    for (const int size : {1, 3})
      ranks::run_as_threads(size, [&](Transport& transport) {
        Share share = shared(transport, graph);
        leave_out(transport, share, transport.rank() == 0 ? out : std::vector<VertexId>{});
        expect_rows_of(want, share, "without some");
        if (!share.in) return;
        const Rows turned = ranks::turned(transport, share, share.out);
        for (VertexId row = 0; row < share.count(); ++row) ASSERT_EQ(row_of(*share.in, row), row_of(turned, row));
      });
  }
}

}  // namespace of_rank_graph_test
}  // namespace hopwave
