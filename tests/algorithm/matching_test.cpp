// Maximum matching on the CPU and in the simulator against an oracle that tries one augmenting path after the other: every
// bipartite graph of up to three vertices on each side, random, composed and named ones, directions, given sides, ids of two
// kinds, schedules that hold somebody back, weak memory. Odd cycles. The check against changed answers.
#include "hopwave/matching.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "device/tried_schedules.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "simulator/races.h"
#include "support/ended.h"
#include "support/graphs.h"
#include "support/labels.h"
#include "support/no_threads.h"

namespace hopwave::testing {
namespace of_matching_test {

/// A matrix with a row per left vertex; right vertices come after the left ones.
struct TwoSided {
  std::size_t left = 0, right = 0;
  std::vector<std::pair<VertexId, VertexId>> edges = {};  ///< row and column
};

std::ostream& operator<<(std::ostream& out, const TwoSided& test) {
  out << test.left << " left, " << test.right << " right:";
  for (const auto& [row, column] : test.edges) out << " " << row << "-" << column;
  return out;
}

/// Of the textbook: from each left vertex a path by depth, on which matched and other edges take turns.
std::size_t by_single_paths(const TwoSided& test) {
  std::vector<std::vector<VertexId>> rows(test.left);
  for (const auto& [row, column] : test.edges) rows[row].push_back(column);
  std::vector<std::size_t> taken_by(test.right, test.left);
  std::vector<bool> seen;
  const std::function<bool(std::size_t)> place = [&](std::size_t row) {
    for (const VertexId column : rows[row]) {
      if (seen[column]) continue;
      seen[column] = true;
      if (taken_by[column] == test.left || place(taken_by[column])) {
        taken_by[column] = row;
        return true;
      }
    }
    return false;
  };
  std::size_t pairs = 0;
  for (std::size_t row = 0; row < test.left; ++row) {
    seen.assign(test.right, false);
    pairs += place(row);
  }
  return pairs;
}

/// The least number of vertices that has one of each edge, by trying all sets.
std::size_t least_cover(const TwoSided& test) {
  std::size_t least = test.left + test.right;
  for (std::uint64_t set = 0; set < std::uint64_t{1} << (test.left + test.right); ++set) {
    bool covers = true;
    for (const auto& [row, column] : test.edges) covers &= (set >> row & 1) || (set >> (test.left + column) & 1);
    if (covers) least = std::min<std::size_t>(least, static_cast<std::size_t>(__builtin_popcountll(set)));
  }
  return least;
}

/// `seed` decides on directions, on the order of the vertices, and on parallel edges. Fills the sides.
Graph built(const TwoSided& test, std::uint64_t seed, Array<std::uint8_t>& side) {
  const auto n = static_cast<VertexId>(test.left + test.right);
  std::mt19937_64 random(seed);
  std::vector<VertexId> name(n);
  for (VertexId v = 0; v < n; ++v) name[v] = v;
  if (seed % 2) std::shuffle(name.begin(), name.end(), random);
  EdgeList list{.num_vertices = n, .directed = seed % 3 != 0};
  std::vector<Edge> edges;
  for (const auto& [row, column] : test.edges) {
    const VertexId v = name[row], u = name[test.left + column];
    const bool turned = seed % 3 == 2 && random() % 2;
    edges.push_back(turned ? Edge{u, v} : Edge{v, u});
    if (random() % 8 == 0) edges.push_back(random() % 2 ? Edge{u, v} : Edge{v, u});
  }
  list.edges = Array<Edge>::copy_of(edges);
  list.ids = Ids::consecutive(n);
  side = Array<std::uint8_t>::filled(n, 1);
  for (std::size_t row = 0; row < test.left; ++row) side[name[row]] = 0;
  return build_graph(std::move(list), {.keep_duplicates = seed % 4 == 0, .build_in = seed % 5 == 0});
}

RunOptions simulated(std::uint64_t seed) {
  return {.device = DeviceKind::sim,
          .simulator = {.schedule = static_cast<ScheduleKind>(seed % device::tried_schedules), .seed = seed}};
}

std::vector<std::uint8_t> vector_of(const Array<std::uint8_t>& values) { return {values.begin(), values.end()}; }

void expect_right(const Graph& graph, const Array<std::uint8_t>& side, std::size_t pairs, std::uint64_t seed) {
  std::vector<std::uint8_t> cover;
  sim::Races races;
  const sim::RaceWatch watch(races);
  for (const RunOptions& run : {RunOptions{.threads = static_cast<int>(seed % 3)}, simulated(seed)}) {
    const Matching found = maximum_matching(graph, {.side = Array<std::uint8_t>::copy_of(side.span()), .run = run});
    ASSERT_EQ(found.size, pairs) << "on " << static_cast<int>(found.run.device) << ", seed " << seed;
    if (run.device == DeviceKind::sim) ASSERT_EQ(found.run.device, DeviceKind::sim);
    const Verdict verdict = validate(graph, found);
    ASSERT_TRUE(verdict) << verdict.rule << ", " << verdict.message << ", seed " << seed;
    ASSERT_EQ(found.sides, side.empty() ? Matching::Sides::colouring : Matching::Sides::given);
    if (!side.empty()) ASSERT_EQ(vector_of(found.side), vector_of(side));
    ASSERT_EQ(found.left, std::count(found.side.begin(), found.side.end(), 0));
    if (!cover.empty()) ASSERT_EQ(vector_of(found.cover), cover) << "the cover depends on the device, seed " << seed;
    cover = vector_of(found.cover);
  }
  for (const sim::Race& race : races.all())
    ADD_FAILURE() << "race of " << race.write.at.file_name() << ":" << race.write.at.line() << " and "
                  << race.other.at.file_name() << ":" << race.other.at.line() << ", seed " << seed;
}

void expect_right(const TwoSided& test, std::uint64_t seed) {
  const std::size_t pairs = by_single_paths(test);
  Array<std::uint8_t> side;
  const Graph graph = built(test, seed, side);
  expect_right(graph, side, pairs, seed);
  if (!::testing::Test::HasFatalFailure()) expect_right(graph, {}, pairs, seed);
  if (::testing::Test::HasFatalFailure()) ADD_FAILURE() << test;
}

TEST(Matching, EveryGraphOfUpToThreeVerticesOnEachSide) {
  for (std::size_t left = 0; left <= 3; ++left)
    for (std::size_t right = 0; right <= 3; ++right)
      for (std::uint64_t bits = 0; bits < std::uint64_t{1} << (left * right); bits += left * right == 9 ? 3 : 1) {
        TwoSided test{left, right};
        for (VertexId row = 0; row < left; ++row)
          for (VertexId column = 0; column < right; ++column)
            if (bits >> (row * right + column) & 1) test.edges.emplace_back(row, column);
        ASSERT_EQ(by_single_paths(test), least_cover(test)) << test;
        expect_right(test, bits + left);
        if (HasFatalFailure()) return;
      }
}

/// Few and many edges, hubs, and edges near the diagonal, whose alternating paths are long.
TwoSided drawn(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t most = seed % 8 == 0 ? 300 : 60;
  TwoSided test{random() % most, random() % most};
  if (test.left == 0 || test.right == 0) return test;
  const std::size_t edges = random() % (4 * std::max(test.left, test.right));
  for (std::size_t i = 0; i < edges; ++i) {
    auto row = static_cast<VertexId>(random() % test.left);
    auto column = static_cast<VertexId>(random() % test.right);
    if (seed % 4 == 1) row = static_cast<VertexId>(row * random() % test.left / 8);  // hubs
    if (seed % 4 == 2) column = static_cast<VertexId>((row + random() % 3) % test.right);
    test.edges.emplace_back(row, column);
  }
  return test;
}

TEST(Matching, RandomGraphs) {
  for (std::uint64_t seed = 0; seed < graphs_to_draw(250); ++seed) {
    expect_right(drawn(seed), seed);
    if (HasFatalFailure()) return;
  }
}

/// Row i leads to the columns i and i + 1, the last one to column 0 alone: a device begins with the diagonal, and one path
/// leads along all of it.
TEST(Matching, ALongPath) {
  for (const std::size_t length : {1u, 2u, 31u, 32u, 33u, 500u}) {
    TwoSided test{length + 1, length + 1};
    for (VertexId i = 0; i < length; ++i) test.edges.insert(test.edges.end(), {{i, i}, {i, i + 1}});
    test.edges.emplace_back(static_cast<VertexId>(length), 0);
    ASSERT_EQ(by_single_paths(test), length + 1);
    for (std::uint64_t seed = 0; seed < 6; ++seed) expect_right(test, seed);
    if (HasFatalFailure()) return;
  }
}

TEST(Matching, KnownSizes) {
  const auto size = [](const std::string& spec) {
    const Graph graph = build_graph(generate(spec), {});
    const Matching here = maximum_matching(graph);
    expect_right(graph, {}, here.size, graph.num_arcs());
    return here.size;
  };
  EXPECT_EQ(size("chain:1"), 0u);
  EXPECT_EQ(size("chain:1001"), 500u);
  EXPECT_EQ(size("star:1000"), 1u);
  EXPECT_EQ(size("grid:31x41"), 31u * 41u / 2u);
  EXPECT_EQ(size("grid:40x50"), 1000u);
  EXPECT_EQ(size("tree:9"), 341u);  // every second level, from the leaves' parents: 256 + 64 + 16 + 4 + 1
  TwoSided complete{90, 70};
  for (VertexId row = 0; row < 90; ++row)
    for (VertexId column = 0; column < 70; ++column) complete.edges.emplace_back(row, column);
  expect_right(complete, 1);
  EXPECT_EQ(by_single_paths(complete), 70u);
  const TwoSided lonely{500, 3, {{7, 1}}};
  expect_right(lonely, 2);
}

/// Large enough for many blocks; both devices agree, and the check says so. The first pairs are not enough for all.
TEST(Matching, LargerGraphs) {
  for (std::uint64_t seed = 2; seed <= 3; ++seed) {
    std::mt19937_64 random(seed);
    TwoSided test{4000, 4000};
    for (std::size_t i = 0; i < 24'000; ++i)
      test.edges.emplace_back(static_cast<VertexId>(random() % test.left), static_cast<VertexId>(random() % test.right));
    expect_right(test, seed);
    if (HasFatalFailure()) return;
    Array<std::uint8_t> side;
    for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim})
      EXPECT_GT(maximum_matching(built(test, seed, side), {.run = {.device = device}}).searches, 1u) << seed;
  }
}

TEST(Matching, IdsThatStateTheSides) {
  EdgeList list{.num_vertices = 4, .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {2, 1}, {3, 2}})};
  const auto of = [&](std::vector<std::string> names) {
    EdgeList named = list;
    named.ids = Ids::strings(std::move(names));
    return maximum_matching(build_graph(std::move(named), {}));
  };
  const Matching stated = of({"right:1", "left:1", "right:2", "left:2"});
  EXPECT_EQ(stated.sides, Matching::Sides::ids);
  EXPECT_EQ(vector_of(stated.side), (std::vector<std::uint8_t>{1, 0, 1, 0}));
  EXPECT_EQ(stated.size, 2u);
  const Matching coloured = of({"right:1", "left:1", "right:2", "centre:2"});
  EXPECT_EQ(coloured.sides, Matching::Sides::colouring);
  EXPECT_EQ(vector_of(coloured.side), (std::vector<std::uint8_t>{0, 1, 0, 1}));
  EXPECT_EQ(id_of([&] { (void)of({"right:1", "right:2", "left:2", "right:3"}); }), "HW-MATCHING-SIDE");
}

std::string found_of(const TestGraph& test, const MatchingOptions& options = {}) {
  try {
    (void)maximum_matching(build_graph(edge_list(test), {.keep_self_loops = true}), options);
  } catch (const Error& error) {
    return error.id() + " " + error.parts().found;
  }
  return "";
}

TEST(Matching, OddCyclesAreShown) {
  EXPECT_EQ(found_of({"triangle", 5, {{0, 1}, {1, 2}, {3, 4}, {2, 0}}}),
            "HW-MATCHING-CYCLE a cycle of 3 vertices, an odd number: 1, 0, 2");
  EXPECT_EQ(found_of({"loop", 2, {{0, 1}, {1, 1}}}), "HW-MATCHING-CYCLE an edge from 1 to itself");
  EXPECT_EQ(found_of({"tail", 7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 2}}}),
            "HW-MATCHING-CYCLE a cycle of 5 vertices, an odd number: 4, 3, 2, 6, 5");
  TestGraph ring{"ring", 101, {}};
  for (VertexId v = 0; v < 101; ++v) ring.edges.push_back({v, (v + 1) % 101});
  EXPECT_NE(found_of(ring).find("a cycle of 101 vertices, an odd number: 50, 49, "), std::string::npos) << found_of(ring);
  EXPECT_EQ(found_of(ring).substr(found_of(ring).size() - 5), ", …");
  EXPECT_EQ(found_of({"given", 3, {{0, 1}, {1, 2}}}, {.side = Array<std::uint8_t>::filled(3, 1)}),
            "HW-MATCHING-SIDE an edge between 0 and 1, both on the right");
  // Each cycle that is shown is one: odd, closed, along edges, no vertex twice.
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const TestGraph test = random_graph(seed, 9);
    const std::string found = found_of(test);
    const std::size_t colon = found.find(": ");
    if (colon == std::string::npos) continue;
    std::vector<VertexId> cycle;
    for (std::size_t at = colon + 2; at < found.size(); at = found.find(", ", at) + 2) {
      cycle.push_back(static_cast<VertexId>(std::stoul(found.substr(at))));
      if (found.find(", ", at) == std::string::npos) break;
    }
    EXPECT_EQ(cycle.size() % 2, 1u) << found;
    EXPECT_EQ(std::set<VertexId>(cycle.begin(), cycle.end()).size(), cycle.size()) << found;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const VertexId v = cycle[i], u = cycle[(i + 1) % cycle.size()];
      EXPECT_TRUE(
          std::any_of(test.edges.begin(), test.edges.end(),
                      [&](const Edge& e) { return (e.source == v && e.target == u) || (e.source == u && e.target == v); }))
          << found << " of " << test;
    }
  }
}

TEST(Matching, ChangedAnswersAreRefused) {
  const TwoSided test{4, 3, {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {2, 2}}};  // of the left side, 3 has no edge
  Array<std::uint8_t> side;
  const Graph graph = built(test, 0, side);
  const Matching right = maximum_matching(graph);
  EXPECT_EQ(right.size, 3u);
  EXPECT_TRUE(validate(graph, right));
  const auto rule = [&](auto change) {
    Matching changed = right;
    changed.mate = Array<VertexId>::copy_of(right.mate.span());
    changed.side = Array<std::uint8_t>::copy_of(right.side.span());
    changed.cover = Array<std::uint8_t>::copy_of(right.cover.span());
    change(changed);
    return validate(graph, changed).rule;
  };
  EXPECT_EQ(rule([](Matching& m) { ++m.size; }), "size");
  EXPECT_EQ(rule([](Matching& m) { m.mate = {}; }), "size");
  EXPECT_EQ(rule([](Matching& m) { m.side = {}; }), "size");
  EXPECT_EQ(rule([](Matching& m) { m.cover = {}; }), "size");
  for (const VertexId v : {0u, 1u, 2u, 4u, 5u, 6u}) {
    EXPECT_EQ(rule([&](Matching& m) { m.side[v] ^= 1; }), "side") << v;
    EXPECT_EQ(rule([&](Matching& m) { m.mate[v] = no_vertex; }), "pair") << v;
    EXPECT_EQ(rule([&](Matching& m) { m.mate[v] = 77; }), "pair") << v;
    EXPECT_EQ(rule([&](Matching& m) { m.cover[v] ^= 1; }), "cover") << v;
  }
  EXPECT_EQ(rule([](Matching& m) { m.cover[3] = 1; }), "cover");
  EXPECT_EQ(rule([](Matching& m) { m.mate[3] = 3; }), "pair");
  // A pair without an edge, and one pair fewer with a cover that would do for it.
  EXPECT_EQ(rule([](Matching& m) { m.mate[m.mate[0]] = no_vertex, m.mate[0] = 6, m.mate[2] = no_vertex, m.mate[6] = 0; }),
            "pair");
  EXPECT_EQ(rule([](Matching& m) { m.mate[m.mate[0]] = no_vertex, m.mate[0] = no_vertex, --m.size; }), "cover");
}

/// Wherever the caller wants it to end, it ends with the error that says why.
TEST(Matching, EndsWhenTheCallerWantsIt) {
  std::mt19937_64 random(1);
  TwoSided test{2000, 2000};
  for (std::size_t i = 0; i < 5000; ++i)
    test.edges.emplace_back(static_cast<VertexId>(random() % 2000), static_cast<VertexId>(random() % 2000));
  Array<std::uint8_t> side;
  const Graph graph = built(test, 4, side);
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    const auto find = [&](RunOptions run) {
      run.device = device;
      return maximum_matching(graph, {.run = std::move(run)});
    };
    const Reported seen = expect_ends(find, {}, device == DeviceKind::cpu ? 25 : 8);
    EXPECT_EQ(seen.done, find({}).size);
    EXPECT_GT(seen.calls, 5u);
  }
}

// nonsense: maximum_matching validate
TEST(Matching, NonsenseIsRefused) {
  const Graph none = build({"none", 0, {}}), small = build(chain(9)), large = build_graph(generate("grid:300x400"), {});
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    const Matching empty = maximum_matching(none, {.run = {.device = device}});
    EXPECT_EQ(empty.size, 0u);
    EXPECT_TRUE(validate(none, empty));
    const Matching right_only =
        maximum_matching(build({"apart", 3, {}}), {.side = Array<std::uint8_t>::filled(3, 9), .run = {.device = device}});
    EXPECT_EQ(right_only.left, 0u);
    EXPECT_EQ(vector_of(right_only.side), (std::vector<std::uint8_t>{1, 1, 1}));
  }
  const auto error_of = [&](const MatchingOptions& options) { return id_of([&] { (void)maximum_matching(small, options); }); };
  for (const std::size_t size : {1u, 8u, 10u})
    EXPECT_EQ(error_of({.side = Array<std::uint8_t>::filled(size, 0)}), "HW-OPTION-VALUE");
  expect_refusals([&](const RunOptions& run) { (void)maximum_matching(small, {.run = run}); });
  EXPECT_EQ(validate(small, Matching{}).rule, "size");
  const HugeStacks fewer;
  const Matching found = maximum_matching(large, {.run = {.threads = 3}});
  ASSERT_EQ(found.run.notes.size(), 1u);
  EXPECT_NE(found.run.notes[0].find("only 1 of 3 threads"), std::string::npos) << found.run.notes[0];
  EXPECT_TRUE(validate(large, found));
}

}  // namespace of_matching_test
}  // namespace hopwave::testing
