// Generators: counts that follow from each rule, the same edges at every call, and what specs are refused.
#include <gtest/gtest.h>

#include <string>

#include "hopwave/hopwave.h"

namespace hopwave {
namespace {

Graph made(std::string_view spec) { return build_graph(generate(spec)); }

std::string refusal(std::string_view spec) {
  try {
    generate(spec);
    return "";
  } catch (const Error& e) {
    EXPECT_FALSE(e.parts().hint.empty()) << spec;
    return e.id();
  }
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

TEST(Simple, Counts) {
  EXPECT_EQ(made("chain:100").num_arcs(), 198u);
  EXPECT_EQ(made("chain:1").num_vertices(), 1u);
  EXPECT_EQ(made("star:100").out_degree(0), 99u);
}

TEST(Rmat, LooksLikeGraph500s) {
  const EdgeList list = generate("rmat:16,16");
  EXPECT_EQ(list.edges.size(), std::size_t{16} << 16);
  EXPECT_FALSE(list.directed);
  const Profile p = profile(build_graph(list));
  EXPECT_GT(p.isolated, p.num_vertices / 5);  // R-MAT leaves many vertices without an edge
  EXPECT_GT(p.max_degree, 4000u);             // and has hubs
}

TEST(Specs, AreRefusedWithAHint) {
  EXPECT_EQ(refusal("rmat:20,x"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("rmat:"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("rmat:3,2,1,0"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("rmat:40"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("rmat:99999999999999999999"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("grid:10"), "HW-GEN-SPEC");
  EXPECT_EQ(refusal("grid:100000x100000"), "HW-GEN-RANGE");
  EXPECT_EQ(refusal("nothing:1"), "HW-GEN-SPEC");
  EXPECT_TRUE(is_generator_spec("rmat:20,16"));
  EXPECT_FALSE(is_generator_spec("rmat"));
  EXPECT_FALSE(is_generator_spec("graph.txt"));
}

TEST(Specs, EveryExampleIsASpec) {
  for (const auto& g : generators()) EXPECT_TRUE(is_generator_spec(g.example)) << g.example;
}

}  // namespace
}  // namespace hopwave
