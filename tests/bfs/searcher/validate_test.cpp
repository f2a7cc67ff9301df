// validate() must accept every right result and reject every wrong one. What is wrong is decided by an oracle of this test:
// distances by a naive search, parents by looking for the arc in the edge list.
#include "hopwave/validate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "support/graphs.h"
#include "support/results.h"

namespace hopwave {
namespace of_validate_test {

using namespace hopwave::testing;

struct Case {
  TestGraph test;
  Graph graph;
  Query query;
  Direction direction = Direction::out;
  std::vector<Distance> right;                    // trimmed to the query
  std::set<std::pair<VertexId, VertexId>> steps;  // the search may go from first to second
};

Case make_case(const TestGraph& test, Query query, Direction direction) {
  Case c{test, build(test), std::move(query), direction, {}, {}};
  c.right = trimmed(naive_bfs(test, c.query.sources, direction), c.query.max_depth, c.query.target);
  for (const Edge& e : test.edges) {
    if (direction != Direction::in || !test.directed) c.steps.insert({e.source, e.target});
    if (direction != Direction::out || !test.directed) c.steps.insert({e.target, e.source});
  }
  return c;
}

/// Independent of validate(): compares with the right distances and looks every parent up.
bool is_right(const Case& c, const Result& r) {
  if (!std::ranges::equal(r.distance, c.right)) return false;  // a result that was spoilt need not agree with itself
  if (r.parent.empty()) return !c.query.parents;
  const auto least = naive_min_parents(c.test, c.right, c.direction);
  for (VertexId v = 0; v < c.test.num_vertices; ++v) {
    const VertexId p = r.parent[v];
    if (c.right[v] <= 0) {
      if (p != no_vertex) return false;
    } else if (p >= c.test.num_vertices || c.right[p] != c.right[v] - 1 || !c.steps.contains({p, v})) {
      return false;
    } else if (c.query.ties == Ties::min && p != least[v]) {
      return false;
    }
  }
  return true;
}

/// A right result with parents drawn at random from the allowed ones.
Result right_result(const Case& c, std::mt19937_64& rng) {
  Result r;
  const VertexId n = c.test.num_vertices;
  r.distance = Array<Distance>::copy_of({c.right.data(), c.right.size()});
  if (c.query.parents) {
    r.parent = Array<VertexId>::filled(n, no_vertex);
    std::vector<std::vector<VertexId>> allowed(n);
    for (const auto& [u, v] : c.steps)
      if (c.right[u] != unreached && c.right[v] == c.right[u] + 1) allowed[v].push_back(u);
    for (VertexId v = 0; v < n; ++v)
      if (!allowed[v].empty())
        r.parent[v] = c.query.ties == Ties::min ? *std::min_element(allowed[v].begin(), allowed[v].end())
                                                : allowed[v][rng() % allowed[v].size()];
  }
  count(r);
  return r;
}

using Mutation = std::function<void(Result&, VertexId v, VertexId w)>;

/// Ways to damage a result at vertex v with the help of another vertex w.
const std::vector<std::pair<const char*, Mutation>>& mutations() {
  static const std::vector<std::pair<const char*, Mutation>> all = {
      {"distance up", [](Result& r, VertexId v, VertexId) { ++r.distance[v]; }},
      {"distance down", [](Result& r, VertexId v, VertexId) { --r.distance[v]; }},
      {"two up", [](Result& r, VertexId v, VertexId) { r.distance[v] += 2; }},
      {"unreached", [](Result& r, VertexId v, VertexId) { r.distance[v] = unreached; }},
      {"unreached without parent",
       [](Result& r, VertexId v, VertexId) {
         r.distance[v] = unreached;
         if (!r.parent.empty()) r.parent[v] = no_vertex;
       }},
      {"another source", [](Result& r, VertexId v, VertexId) { r.distance[v] = 0; }},
      {"below unreached", [](Result& r, VertexId v, VertexId) { r.distance[v] = -2; }},
      {"huge", [](Result& r, VertexId v, VertexId) { r.distance[v] = 0x7FFFFFFF; }},
      {"distances swapped", [](Result& r, VertexId v, VertexId w) { std::swap(r.distance[v], r.distance[w]); }},
      {"distance of another", [](Result& r, VertexId v, VertexId w) { r.distance[v] = r.distance[w]; }},
      {"next to another",
       [](Result& r, VertexId v, VertexId w) {
         r.distance[v] = r.distance[w] + 1;
         if (!r.parent.empty()) r.parent[v] = w;
       }},
      {"all up",
       [](Result& r, VertexId, VertexId) {
         for (Distance& d : r.distance) d += d > 0;
       }},
      {"deep part up",
       [](Result& r, VertexId v, VertexId) {
         const Distance from = r.distance[v];
         for (Distance& d : r.distance) d += d >= from && d > 0;
       }},
      {"deep part unreached",
       [](Result& r, VertexId v, VertexId) {
         const Distance from = r.distance[v];
         for (VertexId u = 0; u < r.distance.size(); ++u)
           if (r.distance[u] >= from && from >= 0) {
             r.distance[u] = unreached;
             if (!r.parent.empty()) r.parent[u] = no_vertex;
           }
       }},
      {"parent is another",
       [](Result& r, VertexId v, VertexId w) {
         if (!r.parent.empty()) r.parent[v] = w;
       }},
      {"parent is itself",
       [](Result& r, VertexId v, VertexId) {
         if (!r.parent.empty()) r.parent[v] = v;
       }},
      {"no parent",
       [](Result& r, VertexId v, VertexId) {
         if (!r.parent.empty()) r.parent[v] = no_vertex;
       }},
      {"parent out of range",
       [](Result& r, VertexId v, VertexId) {
         if (!r.parent.empty()) r.parent[v] = static_cast<VertexId>(r.distance.size());
       }},
      {"parents swapped",
       [](Result& r, VertexId v, VertexId w) {
         if (!r.parent.empty()) std::swap(r.parent[v], r.parent[w]);
       }},
      {"cycle",
       [](Result& r, VertexId v, VertexId w) {
         if (r.parent.empty()) return;
         r.parent[v] = w;
         r.parent[w] = v;
       }},
      {"cycle on one level",
       [](Result& r, VertexId v, VertexId w) {
         if (r.parent.empty()) return;
         r.parent[v] = w;
         r.parent[w] = v;
         r.distance[v] = r.distance[w];
       }},
  };
  return all;
}

struct Totals {
  int wrong = 0, right = 0;
};

/// Applies each mutation at v and w, and holds validate() against the oracle.
void mutate_everywhere(const Case& c, const Result& good, std::mt19937_64& rng, std::size_t most, Totals& totals) {
  const VertexId n = c.test.num_vertices;
  const std::size_t pairs = std::size_t{n} * n;
  for (std::size_t i = 0; i < std::min(pairs, most); ++i) {
    const std::size_t pair = pairs <= most ? i : rng() % pairs;
    const auto v = static_cast<VertexId>(pair / n), w = static_cast<VertexId>(pair % n);
    for (const auto& [name, mutation] : mutations()) {
      Result r = copy(good);
      mutation(r, v, w);
      count(r);
      const bool right = is_right(c, r);
      const Verdict verdict = validate(c.graph, c.query, r, c.direction);
      ASSERT_EQ(verdict.ok, right) << name << " at " << v << " with " << w << " on " << c.test << ": " << verdict.rule << " "
                                   << verdict.message;
      ASSERT_EQ(verdict.ok, verdict.rule.empty());
      ++(right ? totals.right : totals.wrong);
    }
  }
}

/// Several queries on one graph: plain, with parents, least parents, trimmed by depth and by target, every direction.
void examine(const TestGraph& test, std::mt19937_64& rng, std::size_t most, Totals& totals) {
  const auto vertex = [&] { return static_cast<VertexId>(rng() % test.num_vertices); };
  std::vector<Query> queries = {{.sources = {vertex()}},
                                {.sources = {vertex()}, .parents = true},
                                {.sources = {vertex(), vertex()}, .parents = true, .ties = Ties::min},
                                {.sources = {vertex()}, .max_depth = static_cast<Distance>(rng() % 3), .parents = true},
                                {.sources = {vertex()}, .target = vertex(), .parents = true}};
  queries.push_back({.sources = {vertex()}, .max_depth = 2, .target = vertex(), .parents = rng() % 2 == 0});
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Direction direction = std::array{Direction::out, Direction::in, Direction::both}[(i + rng()) % 3];
    const Case c = make_case(test, queries[i], direction);
    const Result good = right_result(c, rng);
    const Verdict verdict = validate(c.graph, c.query, good, direction);
    ASSERT_TRUE(verdict.ok) << test << ": " << verdict.rule << " " << verdict.message;
    ASSERT_TRUE(is_right(c, good)) << test;
    mutate_everywhere(c, good, rng, most, totals);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Validate, MutationsOfNamedGraphs) {
  std::mt19937_64 rng(1);
  Totals totals;
  for (const TestGraph& test : named_graphs()) {
    examine(test, rng, 60, totals);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(totals.wrong, 30000);
  EXPECT_GT(totals.right, 1000);
}

TEST(Validate, MutationsOfTinyGraphsEverywhere) {
  std::mt19937_64 rng(2);
  Totals totals;
  for (std::uint64_t bits = 0; bits < count_all_graphs(3); bits += 3) {
    examine(graph_from_bits(3, bits), rng, 9, totals);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(totals.wrong, 30000);
}

TEST(Validate, MutationsOfRandomGraphs) {
  std::mt19937_64 rng(3);
  Totals totals;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    examine(random_graph(seed, 60), rng, 20, totals);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(totals.wrong, 30000);
}

/// Any assignment of distances whatever, not only neighbours of right ones.
TEST(Validate, EveryAssignmentOfDistancesOnThreeVertices) {
  int accepted = 0;
  for (std::uint64_t bits = 0; bits < count_all_graphs(3); bits += 5) {
    const Case c = make_case(graph_from_bits(3, bits), {.sources = {static_cast<VertexId>(bits % 3)}}, Direction::out);
    for (Distance a = -1; a <= 3; ++a)
      for (Distance b = -1; b <= 3; ++b)
        for (Distance d = -1; d <= 3; ++d) {
          Result r;
          r.distance = Array<Distance>::copy_of(std::vector<Distance>{a, b, d});
          count(r);
          const bool right = is_right(c, r);
          ASSERT_EQ(validate(c.graph, c.query, r).ok, right) << c.test << ": " << a << " " << b << " " << d;
          accepted += right;
        }
  }
  EXPECT_EQ(accepted, 103);  // one right assignment a graph
}

TEST(Validate, RefusesQueriesAndArraysThatFitNothing) {
  const Case c = make_case(textbook_graph(), {.sources = {0}}, Direction::out);
  Result right;
  right.distance = Array<Distance>::copy_of(c.right);
  const auto rule = [&](const Query& query, const Result& result) { return validate(c.graph, query, result).rule; };
  EXPECT_EQ(rule({.sources = {0}, .max_depth = -2}, right), "query");
  EXPECT_EQ(rule({.sources = {0}, .ties = static_cast<Ties>(7)}, right), "query");
  EXPECT_EQ(rule({.sources = {0}, .parents = true}, right), "size");
  Result short_parents = right;
  short_parents.parent = Array<VertexId>::filled(1, 0);
  EXPECT_EQ(rule({.sources = {0}}, short_parents), "size");
}

/// Large enough for several threads: one damaged vertex among very many is found.
TEST(Validate, FindsOneErrorInALargeGraph) {
  const TestGraph test = binary_tree(200000);
  std::mt19937_64 rng(4);
  const Case c = make_case(test, {.sources = {0}, .parents = true}, Direction::out);
  const Result good = right_result(c, rng);
  ASSERT_TRUE(validate(c.graph, c.query, good));
  for (const VertexId v : {1u, 1000u, 131071u, 199999u}) {
    Result r = copy(good);
    ++r.distance[v];
    count(r);
    EXPECT_FALSE(validate(c.graph, c.query, r)) << v;
    r = copy(good);
    r.parent[v] ^= 1;
    EXPECT_FALSE(validate(c.graph, c.query, r)) << v;
  }
}

}  // namespace of_validate_test
}  // namespace hopwave
