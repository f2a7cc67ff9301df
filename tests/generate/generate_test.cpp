// Generators: counts that follow from each rule, the same edges at every call, and what specs are refused.
#include <gtest/gtest.h>
#include <sched.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "generate/compose.h"
#include "hopwave/hopwave.h"
#include "support/diameter.h"
#include "support/sanitized.h"

namespace hopwave {
namespace of_generate_test {

Graph made(std::string_view spec) { return build_graph(generate(spec)); }

std::uint64_t fingerprint(const EdgeList& list) {
  std::uint64_t h = list.num_vertices;
  for (const Edge e : list.edges) h = splitmix64(h ^ (std::uint64_t{e.source} << 32 | e.target));
  for (const float w : list.weights) h = splitmix64(h ^ static_cast<std::uint64_t>(w));
  return h;
}

std::string refusal(std::string_view spec) {
  std::string checked;  // says the same, and makes nothing
  try {
    check_generator_spec(spec);
  } catch (const Error& e) {
    checked = e.what();
  }
  try {
    generate(spec);
    EXPECT_EQ(checked, "") << spec;
    return "";
  } catch (const Error& e) {
    EXPECT_FALSE(e.parts().hint.empty()) << spec;
    EXPECT_EQ(checked, e.what()) << spec;
    return e.id();
  }
}

TEST(Specs, AreCheckedWithoutBeingMade) {
  for (const auto& generator : generators()) EXPECT_NO_THROW(check_generator_spec(generator.example)) << generator.example;
  EXPECT_NO_THROW(check_generator_spec("rmat:31,1000000"));  // petabytes, were it made
  EXPECT_NO_THROW(check_generator_spec("shapes:1,268435456"));
  EXPECT_THROW(check_generator_spec("no-such:1"), Error);
}

TEST(SplitMix, KnownValues) {
  EXPECT_EQ(splitmix64(0), 0xe220a8397b1dcdafull);  // first output of the published generator from state 0
}

TEST(Streets, TheRuleGivesThePublishedCounts) {
  const Graph g = made("streets:1400");
  const Profile p = profile(g);
  EXPECT_EQ(p.num_vertices, 1960000u);
  EXPECT_EQ(p.num_arcs, 5383040u);
  EXPECT_EQ(p.num_vertices - p.isolated, 1941201u);
}

TEST(Grid, Counts) {
  EXPECT_EQ(made("grid:10x7").num_arcs(), 2u * (9 * 7 + 10 * 6));
  EXPECT_EQ(made("grid:4x5x6").num_arcs(), 2u * (3 * 5 * 6 + 4 * 4 * 6 + 4 * 5 * 5));
  EXPECT_EQ(made("grid:1x1").num_arcs(), 0u);
}

TEST(Mesh, Counts) {
  const Graph g = made("mesh:20x10");
  EXPECT_EQ(g.num_arcs(), 2u * (19 * 10 + 20 * 9 + 19 * 9));
  EXPECT_LE(profile(g).max_degree, 8u);
  EXPECT_NE(fingerprint(generate("mesh:20x10,1")), fingerprint(generate("mesh:20x10,2")));
  EXPECT_EQ(made("mesh:1x9").num_arcs(), 16u);
}

TEST(Maze, IsASpanningTree) {
  for (const auto* spec : {"maze:1x1", "maze:7x1", "maze:1x5", "maze:40x31", "maze:40x31,9", "maze:300x200"}) {
    const Graph g = made(spec);
    EXPECT_EQ(g.num_arcs(), 2 * (g.num_vertices() - std::uint64_t{1})) << spec;
    EXPECT_EQ(connected_components(g).count, 1u) << spec;
    EXPECT_LE(profile(g).max_degree, 4u) << spec;
  }
  EXPECT_GT(estimate_diameter(made("maze:300x200"), 0), 800);  // a grid of this size has 498
}

TEST(Graphgen, EdgesWeightsAndSource) {
  const EdgeList list = generate("graphgen:1000,5");
  ASSERT_EQ(list.weights.size(), list.edges.size());
  EXPECT_FALSE(list.directed);
  ASSERT_TRUE(list.default_source.has_value());
  EXPECT_LT(*list.default_source, 1000u);
  std::vector<int> own(1000, 0);
  std::set<float> weights;
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    ++own[list.edges[i].source];
    weights.insert(list.weights[i]);
  }
  const std::set<int> degrees(own.begin(), own.end());
  EXPECT_EQ(degrees, (std::set<int>{2, 3, 4}));
  EXPECT_EQ(weights, (std::set<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(Simple, Counts) {
  EXPECT_EQ(made("chain:100").num_arcs(), 198u);
  EXPECT_EQ(made("chain:1").num_vertices(), 1u);
  EXPECT_EQ(made("star:100").out_degree(0), 99u);
  const Graph complete = made("complete:50");
  EXPECT_EQ(complete.num_arcs(), 50u * 49);
  EXPECT_EQ(complete.build_report().duplicates, 0u);
  EXPECT_EQ(complete.build_report().self_loops, 0u);
  const Graph tree = made("tree:5");
  EXPECT_EQ(tree.num_vertices(), 63u);
  EXPECT_EQ(tree.out_degree(0), 2u);
  EXPECT_EQ(exact_diameter(tree, 100), 10);
  const Graph hubs = made("hub-chain:3,10,4");
  EXPECT_EQ(hubs.num_vertices(), 9u + 30);
  EXPECT_EQ(hubs.out_degree(0), 11u);
  EXPECT_EQ(hubs.out_degree(4), 12u);
  EXPECT_EQ(hubs.out_degree(5), 2u);
  EXPECT_EQ(connected_components(hubs).count, 1u);
  EXPECT_EQ(exact_diameter(hubs, 100), 10);
  const Graph book = made("pmpp");
  EXPECT_TRUE(book.directed());
  EXPECT_EQ(book.num_vertices(), 9u);
  EXPECT_EQ(book.num_arcs(), 15u);
}

/// Counts as the generators' authors state them; every arc leads where it should. Values of flows: flow_test.
TEST(FlowNetworks, CountsAndArcs) {
  const auto weights = [](const EdgeList& list) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < list.edges.size(); ++i) all.push_back(std::stoll(list.weights.text(i)));
    return all;
  };
  for (const std::uint64_t a : {1u, 2u, 5u})
    for (const std::uint64_t frames : {2u, 3u, 7u}) {
      const EdgeList list = generate("genrmf:" + std::to_string(a) + "," + std::to_string(frames) + ",3,8");
      ASSERT_EQ(list.num_vertices, a * a * frames);
      ASSERT_EQ(list.edges.size(), 4 * a * (a - 1) * frames + a * a * (frames - 1));
      EXPECT_TRUE(list.directed);
      EXPECT_EQ(list.default_source, VertexId{0});
      const auto capacity = weights(list);
      std::set<VertexId> heads;
      std::set<std::pair<VertexId, VertexId>> pairs;
      for (std::size_t i = 0; i < list.edges.size(); ++i) {
        const Edge e = list.edges[i];
        pairs.emplace(e.source, e.target);
        if (e.source / (a * a) == e.target / (a * a)) {
          EXPECT_EQ(capacity[i], static_cast<std::int64_t>(8 * a * a));
          const auto far = std::abs(std::int64_t{e.source} - std::int64_t{e.target});
          EXPECT_TRUE(far == static_cast<std::int64_t>(a) || (far == 1 && e.source / a == e.target / a));
        } else {
          EXPECT_EQ(e.source / (a * a) + 1, e.target / (a * a));
          EXPECT_TRUE(capacity[i] >= 3 && capacity[i] <= 8);
          EXPECT_TRUE(heads.insert(e.target).second) << "each vertex of a frame is reached once";
        }
      }
      EXPECT_EQ(pairs.size(), list.edges.size());
    }
  const EdgeList levels = generate("rlg:7,5,40");
  EXPECT_EQ(levels.num_vertices, 37u);
  ASSERT_EQ(levels.edges.size(), 2u * 7 + 3u * 7 * 4);
  const auto capacity = weights(levels);
  std::set<std::pair<VertexId, VertexId>> pairs;
  for (std::size_t i = 0; i < levels.edges.size(); ++i) {
    const Edge e = levels.edges[i];
    EXPECT_TRUE(pairs.emplace(e.source, e.target).second) << "three different vertices";
    if (e.source == 0 || e.target == 36) {
      EXPECT_EQ(capacity[i], 120);
      EXPECT_TRUE(e.source ? e.source >= 29 : e.target <= 7);
    } else {
      EXPECT_EQ((e.source - 1) / 7 + 1, (e.target - 1) / 7);
      EXPECT_TRUE(capacity[i] >= 1 && capacity[i] <= 40);
    }
  }
  const EdgeList image = generate("gridcut:6x4,9");
  EXPECT_EQ(image.num_vertices, 26u);
  ASSERT_EQ(image.edges.size(), 24u + 2 * (5 * 4 + 6 * 3));
  const auto between = weights(image);
  std::map<std::pair<VertexId, VertexId>, std::int64_t> arcs;
  std::size_t terminals = 0;
  for (std::size_t i = 0; i < image.edges.size(); ++i) {
    const Edge e = image.edges[i];
    EXPECT_TRUE(arcs.emplace(std::pair(e.source, e.target), between[i]).second);
    const bool terminal = e.source == 0 || e.target == 25;
    terminals += terminal;
    EXPECT_TRUE(between[i] >= 1 && between[i] <= (terminal ? 300 : 100));
    if (terminal) continue;
    const int far = std::abs(static_cast<int>(e.source) - static_cast<int>(e.target));
    EXPECT_TRUE(far == 6 || (far == 1 && (e.source - 1) / 6 == (e.target - 1) / 6));
  }
  EXPECT_EQ(terminals, 24u);
  for (const auto& [arc, value] : arcs)
    if (arc.first != 0 && arc.second != 25) EXPECT_EQ(arcs.at(std::pair(arc.second, arc.first)), value) << "the same both ways";
  EXPECT_NE(fingerprint(image), fingerprint(generate("gridcut:6x4,8")));
}

/// |measured - wanted| within 5 % of wanted.
void expect_near(double measured, double wanted, const char* what) {
  EXPECT_LE(std::abs(measured - wanted), .05 * wanted) << what << " " << measured << ", wanted " << wanted;
}

TEST(StandIns, RoadnetCaLike) {
  if (!testing::whole()) GTEST_SKIP() << "millions of vertices; HOPWAVE_TEST_WHOLE=1 runs it here, too";
  const Graph g = made("roadnet-ca-like");
  const Profile p = profile(g);
  EXPECT_EQ(p.num_vertices, 1965206u);
  EXPECT_EQ(p.num_arcs, 5533214u);
  expect_near(p.average_degree, 2.816, "average degree");
  expect_near(p.degree_deviation, .995, "deviation");
  EXPECT_EQ(p.median_degree, 3);
  EXPECT_EQ(connected_components(g).count, 1u);
  expect_near(estimate_diameter(g, 0), 849, "diameter (lower bound)");
}

TEST(StandIns, WikitalkLike) {
  if (!testing::whole()) GTEST_SKIP() << "millions of vertices; HOPWAVE_TEST_WHOLE=1 runs it here, too";
  const Graph g = made("wikitalk-like");
  const Profile p = profile(g);
  EXPECT_TRUE(g.directed());
  EXPECT_EQ(p.num_vertices, 2394385u);
  EXPECT_EQ(p.num_arcs, 5021410u);  // after dropping duplicates and self-loops: there are none
  expect_near(p.average_degree, 2.097, "average degree");
  expect_near(p.degree_deviation, 99.915, "deviation");
  EXPECT_EQ(p.median_degree, 0);
  EXPECT_EQ(p.isolated, 0u);
  EXPECT_EQ(exact_diameter(g, 100), 9);
}

TEST(EveryGenerator, GivesTheSameOnOneThreadAndOnAll) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  for (const std::string_view spec :
       {"rmat:15,16", "rmat:14,8,7", "uniform:15,16", "streets:700", "grid:400x300", "grid:60x50x40", "mesh:500x300",
        "maze:200x200", "graphgen:100000", "hub-chain:9,9000,30", "chain:100000", "star:100000", "complete:500", "tree:16",
        "wikitalk-like", "shapes:3,300000", "genrmf:20,90,1,9", "rlg:300,200,50", "gridcut:200x150"}) {
    const std::uint64_t many = fingerprint(generate(spec));
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    const std::uint64_t alone = fingerprint(generate(spec));
    ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    EXPECT_EQ(many, alone) << spec;
  }
}

TEST(Rmat, LooksLikeGraph500s) {
  const EdgeList list = generate("rmat:16,16");
  EXPECT_EQ(list.edges.size(), std::size_t{16} << 16);
  EXPECT_FALSE(list.directed);
  const Profile p = profile(build_graph(list));
  EXPECT_GT(p.isolated, p.num_vertices / 5);  // R-MAT leaves many vertices without an edge
  EXPECT_GT(p.max_degree, 4000u);             // and has hubs
  EXPECT_NE(fingerprint(list), fingerprint(generate("rmat:16,16,2")));
  EXPECT_EQ(fingerprint(list), fingerprint(generate("kron:16")));
  // Ids are permuted: the first half of the vertices does not hold most of the ends, as unpermuted R-MAT's would (76 %).
  std::size_t low = 0;
  for (const Edge e : list.edges) low += e.source < 1u << 15;
  EXPECT_NEAR(static_cast<double>(low) / static_cast<double>(list.edges.size()), .5, .1);
}

TEST(Uniform, EveryVertexIsAsLikely) {
  const Profile p = profile(made("uniform:16,16"));
  EXPECT_NEAR(p.average_degree, 32, .1);
  EXPECT_NEAR(p.degree_deviation, std::sqrt(32), .2);  // Poisson
}

// These lists must stay as they are: reports of wrong answers name them by seed.
TEST(Shapes, TheSeedDecidesEverything) {
  EXPECT_EQ(fingerprint(generate("shapes:1,100")), 1803319419703170166u);
  EXPECT_EQ(fingerprint(generate("shapes:2,10000")), 3146361855433117545u);
  EXPECT_EQ(fingerprint(generate("shapes:18446744073709551615,1000000")), 395795823687912363u);
  EXPECT_NE(fingerprint(generate("shapes:1,100")), fingerprint(generate("shapes:2,100")));
  EXPECT_EQ(generate("shapes:2,10000").report.details,
            "grid 21 + clique 2 + fan 4 + tree 79 + fan 21 + cycle 9341, undirected");
}

TEST(Shapes, HaveAboutAsManyEdgesAsWanted) {
  for (const std::uint64_t edges : {1, 2, 3, 10, 100, 3000, 100000})
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const EdgeList list = generate("shapes:" + std::to_string(seed) + "," + std::to_string(edges));
      ASSERT_GE(list.edges.size(), edges - edges / 8) << seed << " " << edges;
      ASSERT_LE(list.edges.size(), edges + edges / 8 + 24) << seed << " " << edges;
      ASSERT_LE(list.num_vertices, 3 * edges + 24) << seed << " " << edges;
      for (const Edge e : list.edges) ASSERT_TRUE(e.source < list.num_vertices && e.target < list.num_vertices) << seed;
    }
}

TEST(Shapes, EveryPartAndEveryStyleOccurs) {
  std::set<generate_detail::Shape> shapes;
  std::set<std::uint64_t> widths;
  int directed = 0, one_component = 0, many_components = 0, deep = 0, hubs = 0;
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const generate_detail::Composition composed = generate_detail::compose(seed, 20000);
    for (const generate_detail::Part& part : composed.parts()) {
      shapes.insert(part.shape);
      least = std::min(least, part.count);
      most = std::max(most, part.count);
    }
    const Graph g = made("shapes:" + std::to_string(seed) + ",20000");
    const std::uint64_t components = connected_components(g).count;
    directed += g.directed();
    one_component += components == 1;
    many_components += components > 100;
    hubs += profile(g).max_degree > 2000;
    if (!g.directed()) deep += estimate_diameter(g, 0) > 4095;
  }
  EXPECT_EQ(shapes.size(), std::size_t{generate_detail::shape_count});
  EXPECT_LE(least, 2u);
  EXPECT_GE(most, 15000u);
  EXPECT_GE(directed, 40);
  EXPECT_LE(directed, 100);
  EXPECT_GE(one_component, 10);
  EXPECT_GE(many_components, 20);
  EXPECT_GE(hubs, 20);
  EXPECT_GE(deep, 10);
}

TEST(Shapes, PartsAreWhatTheirNamesSay) {
  using generate_detail::Shape;
  const auto part = [](Shape shape, std::uint64_t edges, std::uint64_t seed = 1) {
    generate_detail::Composition graph(false);
    generate_detail::Draws draws(seed);
    graph.add(shape, edges, draws);
    EdgeList list;
    list.num_vertices = static_cast<VertexId>(graph.vertices());
    list.edges = Array<Edge>::copy_of(graph.edges());
    list.directed = false;
    list.ids = Ids::consecutive(list.num_vertices);
    return build_graph(std::move(list));
  };
  EXPECT_EQ(exact_diameter(part(Shape::chain, 100), 1000), 100);
  EXPECT_EQ(exact_diameter(part(Shape::cycle, 100), 1000), 50);
  EXPECT_EQ(part(Shape::star, 100).out_degree(0), 100u);
  const Graph fan = part(Shape::fan, 100);
  EXPECT_EQ(fan.num_vertices(), 52u);
  EXPECT_EQ(fan.num_arcs(), 2u * (51 + 50));
  EXPECT_EQ(fan.out_degree(0), 51u);
  const Graph clique = part(Shape::clique, 100);  // 14 · 13 / 2 = 91
  EXPECT_EQ(clique.num_vertices(), 14u);
  EXPECT_EQ(clique.num_arcs(), 2u * 91);
  EXPECT_EQ(part(Shape::isolated, 100).num_vertices(), 100u);
  std::set<Distance> grids, combs;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Graph two = part(Shape::bipartite, 1000, seed), grid = part(Shape::grid, 1000, seed),
                comb = part(Shape::comb, 1000, seed), tree = part(Shape::tree, 1000, seed);
    EXPECT_LE(exact_diameter(two, 1000), 2) << seed;
    EXPECT_LE(profile(grid).max_degree, 4u) << seed;
    EXPECT_LE(profile(comb).max_degree, 3u) << seed;
    EXPECT_EQ(comb.num_arcs(), 2000u);
    EXPECT_EQ(tree.num_arcs(), 2000u);
    for (const Graph& g : {two, grid, comb, tree}) EXPECT_EQ(connected_components(g).count, 1u) << seed;
    grids.insert(exact_diameter(grid, 1000).value_or(-1));
    combs.insert(exact_diameter(comb, 1000).value_or(-1));
  }
  EXPECT_GE(grids.size(), 20u);  // of every width
  EXPECT_GE(combs.size(), 20u);
  EXPECT_GE(connected_components(part(Shape::pieces, 1000)).count, 150u);
}

TEST(Specs, AreRefusedWithAHint) {
  EXPECT_EQ(refusal("shapes:1"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("shapes:1,0"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("shapes:1,1000000000"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("shapes:-1,10"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("rmat:20,x"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("rmat:"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("rmat:3,2,1,0"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("rmat:40"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("rmat:99999999999999999999"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("grid:10"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("grid:100000x100000"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("grid:10x0"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("grid:10x-1"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("maze:100000x100000"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("hub-chain:4000000000,4000000000,1"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("pmpp:3"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("genrmf:4,4,1"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("genrmf:4,4,9,1"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("genrmf:1,1,1,1"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("genrmf:65535,2,1,1"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("rlg:2,4,1"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("rlg:100000,100000,1"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("rlg:4,4,0"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("gridcut:9"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("gridcut:100000x100000"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("streets:70000"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("nothing:1"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal(""), "HW-GEN-SPEC");
  EXPECT_TRUE(is_generator_spec("rmat:20,16"));
  EXPECT_FALSE(is_generator_spec("rmat"));
  EXPECT_FALSE(is_generator_spec("graph.txt"));
}

TEST(Specs, EveryExampleWorks) {
  for (const auto& g : generators()) {
    EXPECT_TRUE(is_generator_spec(g.example)) << g.example;
    EXPECT_EQ(g.example.substr(0, g.name.size()), g.name);
    if (g.name == "wikitalk-like" || g.name == "roadnet-ca-like") continue;  // tested above
    const EdgeList list = generate(g.example);
    EXPECT_GT(list.edges.size(), 0u) << g.example;
    EXPECT_EQ(list.report.format, "generator");
    EXPECT_EQ(list.report.rows, list.edges.size());
  }
}

}  // namespace of_generate_test
}  // namespace hopwave
