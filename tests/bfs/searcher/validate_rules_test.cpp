// What validate() says of wrong results: the rule that is broken, and where. That it finds all of them: validate_test.cpp.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "hopwave/validate.h"
#include "support/graphs.h"
#include "support/results.h"

namespace hopwave {
namespace of_validate_rules_test {

using namespace hopwave::testing;

TEST(ValidateRules, NamesTheRule) {
  const Graph g = build(chain(4));
  const Query query{.sources = {0}, .parents = true};
  Result r;
  r.distance = Array<Distance>::copy_of(std::vector<Distance>{0, 1, 2, 3});
  r.parent = Array<VertexId>::copy_of(std::vector<VertexId>{no_vertex, 0, 1, 2});
  count(r);
  EXPECT_TRUE(validate(g, query, r));
  const auto rule_after = [&](auto&& change) {
    Result changed = copy(r);
    change(changed);
    return validate(g, query, changed).rule;
  };
  EXPECT_EQ(rule_after([](Result& x) { x.distance[0] = 1; }), "source-distance");
  EXPECT_EQ(rule_after([](Result& x) { x.distance[2] = 0; }), "source-distance");
  EXPECT_EQ(rule_after([](Result& x) { x.distance[2] = -5; }), "distance-range");
  EXPECT_EQ(rule_after([](Result& x) { x.parent[0] = 1; }), "no-parent");
  EXPECT_EQ(rule_after([](Result& x) { x.parent[1] = no_vertex; }), "parent-range");
  EXPECT_EQ(rule_after([](Result& x) { x.parent[3] = 1; }), "tree-levels");
  EXPECT_EQ(rule_after([](Result& x) { x.distance[3] = -1, x.parent[3] = no_vertex; }), "spanning");
  EXPECT_EQ(rule_after([](Result& x) { x.depth = 2; }), "counts");
  EXPECT_EQ(rule_after([](Result& x) { x.reached = 3; }), "counts");
  EXPECT_EQ(rule_after([](Result& x) { x.distance.truncate(3); }), "size");
  EXPECT_EQ(rule_after([](Result& x) { x.parent = {}; }), "size");
  EXPECT_EQ(validate(g, {.sources = {}}, r).rule, "query");
  EXPECT_EQ(validate(g, {.sources = {4}}, r).rule, "query");
  EXPECT_EQ(validate(g, {.sources = {0}, .target = 4}, r).rule, "query");
  EXPECT_EQ(validate(g, {.sources = {0}, .max_depth = 2}, r).rule, "depth-limit");
  EXPECT_EQ(validate(g, {.sources = {0}, .target = 2}, r).rule, "depth-limit");

  const Graph diamond = build({"diamond", 4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}});
  Result tied;
  tied.distance = Array<Distance>::copy_of(std::vector<Distance>{0, 1, 1, 2});
  tied.parent = Array<VertexId>::copy_of(std::vector<VertexId>{no_vertex, 0, 0, 2});
  count(tied);
  EXPECT_TRUE(validate(diamond, query, tied));
  EXPECT_EQ(validate(diamond, {.sources = {0}, .parents = true, .ties = Ties::min}, tied).rule, "least-parent");
  tied.distance[3] = 1, tied.parent[3] = 0, tied.depth = 1;
  EXPECT_EQ(validate(diamond, query, tied).rule, "distance-witness");

  const Graph shortcut = build({"shortcut", 4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}}});
  Result long_way = copy(r);
  EXPECT_EQ(validate(shortcut, query, long_way).rule, "edge-levels");
  const Graph apart = build({"apart", 5, {{0, 1}, {0, 2}, {1, 3}, {2, 4}}});
  Result crossed;
  crossed.distance = Array<Distance>::copy_of(std::vector<Distance>{0, 1, 1, 2, 2});
  crossed.parent = Array<VertexId>::copy_of(std::vector<VertexId>{no_vertex, 0, 0, 2, 2});
  count(crossed);
  EXPECT_EQ(validate(apart, query, crossed).rule, "tree-edge");
}

/// A path from 0 to n - 1, and its right answer with parents.
std::pair<TestGraph, Result> path_of(VertexId n) {
  TestGraph test{.name = "path", .num_vertices = n, .directed = false};
  Result r;
  r.distance = Array<Distance>::filled(n, 0);
  r.parent = Array<VertexId>::filled(n, no_vertex);
  for (VertexId v = 1; v < n; ++v) {
    test.edges.push_back({v - 1, v});
    r.distance[v] = static_cast<Distance>(v);
    r.parent[v] = v - 1;
  }
  count(r);
  return {std::move(test), std::move(r)};
}

std::string broken_rule(const TestGraph& test, const Result& r) {
  return validate(build(test), {.sources = {0}, .parents = true}, r).rule;
}

TEST(ValidateRules, NamesTheRuleAtTheEdgeOfARange) {
  auto [test, right] = path_of(5);
  EXPECT_EQ(broken_rule(test, right), "");
  Result far = copy(right);
  far.distance[4] = 5;  // no path has as many hops as there are vertices
  EXPECT_EQ(broken_rule(test, far), "distance-range");
  Result beyond = copy(right);
  beyond.parent[4] = 5;
  const Verdict verdict = validate(build(test), {.sources = {0}, .parents = true}, beyond);
  EXPECT_EQ(verdict.rule, "parent-range");
  EXPECT_NE(verdict.message.find("has parent 5"), std::string::npos) << verdict.message;
  beyond.parent[4] = no_vertex - 1;
  EXPECT_NE(validate(build(test), {.sources = {0}, .parents = true}, beyond).message.find("has parent"), std::string::npos);
  beyond.parent[4] = no_vertex;
  EXPECT_NE(validate(build(test), {.sources = {0}, .parents = true}, beyond).message.find("has no parent"), std::string::npos);
}

TEST(ValidateRules, SaysWhyAVertexMayHaveNoParent) {
  auto [test, right] = path_of(5);
  test.num_vertices = 6;  // the last one is not reached
  Result r;
  r.distance = Array<Distance>::filled(6, unreached);
  r.parent = Array<VertexId>::filled(6, no_vertex);
  for (VertexId v = 0; v < 5; ++v) {
    r.distance[v] = right.distance[v];
    r.parent[v] = right.parent[v];
  }
  count(r);
  for (const VertexId v : {0u, 5u}) {
    Result wrong = copy(r);
    wrong.parent[v] = 1;
    const Verdict verdict = validate(build(test), {.sources = {0}, .parents = true}, wrong);
    EXPECT_EQ(verdict.rule, "no-parent");
    EXPECT_NE(verdict.message.find(v == 0 ? "it is a source" : "it is unreached"), std::string::npos) << verdict.message;
  }
}

/// Parts of the vertices are looked at by several threads, in any order; the lowest fault is the one named.
TEST(ValidateRules, NamesTheLowestOfManyFaults) {
  auto [test, wrong] = path_of(40'000);
  for (VertexId v = 1'000; v < 40'000; v += 500) wrong.parent[v] = v;
  const Verdict verdict = validate(build(test), {.sources = {0}, .parents = true}, wrong);
  EXPECT_EQ(verdict.rule, "tree-levels");
  EXPECT_NE(verdict.message.find("vertex 1000 "), std::string::npos) << verdict.message;
}

}  // namespace of_validate_rules_test
}  // namespace hopwave
