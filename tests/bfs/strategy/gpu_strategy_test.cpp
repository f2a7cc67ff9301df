// Every GPU strategy of the table, in the simulator, against a naive search: named graphs, all small graphs, random graphs
// under several schedules, extreme parameters, sizes around warps and blocks, depth, and what a Plan promises.
#include "bfs/strategy/gpu/gpu_strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "hopwave/error.h"
#include "support/gpu_runner.h"

namespace hopwave::testing {
namespace of_gpu_strategy_test {

using strategy::Descriptor;

/// How much to do: a small default for every run, more where the environment says so.
std::uint64_t amount(const char* variable, std::uint64_t standard) {
  const char* const text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : standard;
}

class GpuStrategy : public ::testing::TestWithParam<const Descriptor*> {
 protected:
  GpuStrategy() : device_(*device::sim_api()) {}

  [[nodiscard]] const Descriptor& descriptor() const { return *GetParam(); }
  [[nodiscard]] const StrategyInfo& info() const { return descriptor().info; }

  /// Small blocks and everything else at its standard.
  [[nodiscard]] Parameters small() const {
    Parameters given;
    for (const ParameterInfo& p : info().parameters)
      if (is_block(p)) given.emplace(p.name, 32);
    return parameters_for(info(), given);
  }

  void check(Runner& runner, const TestGraph& test, const BothWays& graph, const Query& query, const std::string& how) {
    const Answer answer = runner.run(query);
    const std::vector<Distance> expected = trimmed(naive_bfs(test, query.sources), query.max_depth, query.target);
    ASSERT_EQ(trimmed(answer.distance, query.max_depth, query.target), expected)
        << test << ", source " << query.sources[0] << how << ", max_depth " << query.max_depth;
    const std::size_t deepest = level_sizes(answer.distance).size() - 1;
    ASSERT_EQ(answer.run.levels, deepest) << test << ", source " << query.sources[0] << how << ", max_depth "
                                          << query.max_depth;
    if (query.max_depth < 0 && query.target == no_vertex && !answer.parent.empty()) {
      ASSERT_EQ(wrong_parent(graph, answer.parent, expected), "") << test << ", source " << query.sources[0] << how;
    }
  }

  /// As given, and prepared where there is such a form.
  [[nodiscard]] std::vector<Form> forms(bool wide = false) const {
    std::vector<Form> all = {{.wide_offsets = wide}};
    if (has_prepared_form(info())) all.push_back({.wide_offsets = wide, .prepared = true});
    return all;
  }

  /// From every source on one plan, with parents every other time, so that both ways meet on the same plan.
  void check_all_sources(const TestGraph& test, const Parameters& parameters, bool wide = false) {
    const BothWays graph(test);
    for (const Form& form : forms(wide)) {
      Runner runner(device_, descriptor(), graph, parameters, form);
      for (VertexId s = 0; s < test.num_vertices; ++s) {
        check(runner, test, graph, {.sources = {s}, .parents = s % 2 == 0},
              text_of(parameters) + (form.prepared ? ", prepared" : ""));
        if (HasFatalFailure()) return;
      }
    }
  }

  device::Device device_;
};

// The product of both is beyond 64 bits long before either is beyond what a graph may have.
TEST(MostArcs, IsNeverMoreThanAll) {
  constexpr std::uint64_t arcs = std::uint64_t{1} << 34, longest = std::uint64_t{1} << 32;
  EXPECT_EQ(strategy::most_arcs(3, longest, arcs), 3 * longest);
  EXPECT_EQ(strategy::most_arcs(4, longest, arcs), arcs);
  EXPECT_EQ(strategy::most_arcs(5, longest, arcs), arcs);
  EXPECT_EQ(strategy::most_arcs(longest, longest, arcs), arcs) << "2^64";
  EXPECT_EQ(strategy::most_arcs(7, 0, 0), 0u);
}

TEST_P(GpuStrategy, DescribesItself) {
  EXPECT_FALSE(info().name.empty());
  EXPECT_EQ(info().name.find('_'), std::string_view::npos);
  EXPECT_FALSE(info().summary.empty());
  EXPECT_FALSE(info().source.empty());
  EXPECT_TRUE(info().needs.out || info().needs.in || info().needs.arc_sources);
  for (const ParameterInfo& p : info().parameters) {
    EXPECT_LE(p.lowest, p.standard) << p.name;
    EXPECT_LE(p.standard, p.highest) << p.name;
    EXPECT_FALSE(p.help.empty()) << p.name;
  }
}

TEST_P(GpuStrategy, NamedGraphsFromEverySource) {
  for (const TestGraph& test : named_graphs()) {
    check_all_sources(test, small());
    if (HasFatalFailure()) return;
  }
}

TEST_P(GpuStrategy, StandardParameters) {
  for (const TestGraph& test : {textbook_graph(), star(65), lollipop(9, 12), contended(300)}) {
    const BothWays graph(test);
    Runner runner(device_, descriptor(), graph, parameters_for(info()));
    check(runner, test, graph, {.sources = {0}, .parents = true}, "");
    if (HasFatalFailure()) return;
  }
}

TEST_P(GpuStrategy, WideOffsets) {
  Parameters narrow_queues = small();
  for (const ParameterInfo& p : info().parameters)
    if (p.name == "capacity") narrow_queues.find(p.name)->second = std::max<std::int64_t>(p.lowest, 4);
  for (const TestGraph& test : {textbook_graph(), contended(36), grid(5, 9)})
    for (const Parameters& parameters : {small(), narrow_queues}) {
      check_all_sources(test, parameters, true);
      if (HasFatalFailure()) return;
    }
}

TEST_P(GpuStrategy, AllGraphsOnUpToThreeVertices) {
  std::mt19937_64 rng(7);
  for (VertexId n = 1; n <= 3; ++n)
    for (std::uint64_t bits = 0; bits < count_all_graphs(n); ++bits) {
      check_all_sources(graph_from_bits(n, bits), random_parameters(info(), rng));
      if (HasFatalFailure()) return;
    }
}

TEST_P(GpuStrategy, SomeGraphsOnFourVertices) {
  std::mt19937_64 rng(11);
  const std::uint64_t graphs = amount("HOPWAVE_TEST_GRAPHS", 60);
  for (std::uint64_t i = 0; i < std::min(graphs, 60 + graphs / 4); ++i) {  // each from four sources
    check_all_sources(graph_from_bits(4, rng() % count_all_graphs(4)), random_parameters(info(), rng));
    if (HasFatalFailure()) return;
  }
}

// Each graph under several schedules and with parameters of its own; the seed in the message repeats it.
TEST_P(GpuStrategy, RandomGraphsUnderRandomSchedules) {
  const std::uint64_t first = amount("HOPWAVE_TEST_FIRST", 0), graphs = amount("HOPWAVE_TEST_GRAPHS", 60);
  const std::uint64_t schedules = amount("HOPWAVE_TEST_SCHEDULES", 3);
  for (std::uint64_t seed = first; seed < first + graphs; ++seed) {
    std::mt19937_64 rng(seed);
    const TestGraph test = random_graph(seed, 64);
    const BothWays graph(test);
    const Parameters parameters = random_parameters(info(), rng);
    const Form form{.wide_offsets = seed % 4 == 0, .prepared = has_prepared_form(info()) && seed / 4 % 2 == 1};
    Runner runner(device_, descriptor(), graph, parameters, form);
    Query query{.sources = {static_cast<VertexId>(rng() % test.num_vertices)}, .parents = seed % 2 == 0};
    while (rng() % 4 == 0) query.sources.push_back(static_cast<VertexId>(rng() % test.num_vertices));
    if (rng() % 8 == 0) query.max_depth = static_cast<Distance>(rng() % 5);
    if (rng() % 8 == 0) query.target = static_cast<VertexId>(rng() % test.num_vertices);
    for (std::uint64_t s = 0; s < schedules; ++s) {
      device_.set_schedule({.seed = seed * schedules + s, .interrupt_every = s % 2 ? 64u : 3u, .weak = s % 3 == 2});
      check(runner, test, graph, query,
            text_of(parameters) + (form.prepared ? ", prepared" : "") + ", schedule " + std::to_string(seed * schedules + s));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(GpuStrategy, RelabellingMovesDistances) {
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    const TestGraph test = random_graph(seed, 100);
    const std::vector<VertexId> order = random_order(test.num_vertices, seed);
    const TestGraph moved = relabelled(test, order);
    const BothWays graph(test), moved_graph(moved);
    Runner runner(device_, descriptor(), graph, small()), moved_runner(device_, descriptor(), moved_graph, small());
    const VertexId source = static_cast<VertexId>(seed % test.num_vertices);
    const std::vector<Distance> here = runner.run({.sources = {source}}).distance;
    const std::vector<Distance> there = moved_runner.run({.sources = {order[source]}}).distance;
    for (VertexId v = 0; v < test.num_vertices; ++v) ASSERT_EQ(here[v], there[order[v]]) << test << ", vertex " << v;
  }
}

// One parameter at its lowest and its highest, the others standard: thresholds, capacities and widths must not change answers.
TEST_P(GpuStrategy, ExtremeParameters) {
  for (const ParameterInfo& p : info().parameters)
    for (const std::int64_t value : {p.lowest, p.lowest + 1, is_grid(p) ? 7 : p.highest}) {
      Parameters parameters = small();
      parameters.find(p.name)->second = std::clamp(value, p.lowest, p.highest);
      for (const TestGraph& test : {star(100), contended(90), lollipop(30, 20)}) {
        const BothWays graph(test);
        for (const Form& form : forms()) {
          Runner runner(device_, descriptor(), graph, parameters, form);
          for (const VertexId s : {VertexId{0}, test.num_vertices - 2}) {
            check(runner, test, graph, {.sources = {s}, .parents = true}, text_of(parameters));
            if (HasFatalFailure()) return;
          }
        }
      }
    }
}

TEST_P(GpuStrategy, SizesAroundWarpsBlocksAndQueues) {
  for (const VertexId n : {30, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 255, 256, 257})
    for (const TestGraph& test : {star(n), contended(n), binary_tree(n), star(n, true)}) {
      Parameters parameters = small();
      for (const ParameterInfo& p : info().parameters)
        if (p.name.find("capacity") != std::string_view::npos || p.name.find("queue") != std::string_view::npos)
          parameters.find(p.name)->second = std::clamp<std::int64_t>(64, p.lowest, p.highest);
      const BothWays graph(test);
      Runner runner(device_, descriptor(), graph, parameters);
      for (const VertexId s : {VertexId{0}, test.num_vertices - 1, test.num_vertices - 2}) {
        check(runner, test, graph, {.sources = {s}}, text_of(parameters));
        if (HasFatalFailure()) return;
      }
    }
}

TEST_P(GpuStrategy, DeeperThanAByte) {
  for (const TestGraph& test : {chain(300), chain(262, false)}) {
    const BothWays graph(test);
    Runner runner(device_, descriptor(), graph, small());
    check(runner, test, graph, {.sources = {0}, .parents = true}, "");
    check(runner, test, graph, {.sources = {test.num_vertices / 2}}, "");
    if (HasFatalFailure()) return;
  }
}

/// 65,600 levels of a strategy that looks at every vertex or arc in each take minutes here.
TEST_P(GpuStrategy, DeeperThanTwoBytes) {
  if (info().work.whole_graph) GTEST_SKIP() << "its work grows with the square of the depth";
  const TestGraph test = chain(static_cast<VertexId>(amount("HOPWAVE_TEST_DEPTH", 65'600)));
  const BothWays graph(test);
  Parameters parameters = small();
  for (const ParameterInfo& p : info().parameters)
    if (is_block(p) || is_grid(p))
      parameters.find(p.name)->second = std::clamp<std::int64_t>(is_block(p) ? 8 : 2, p.lowest, p.highest);
  Runner runner(device_, descriptor(), graph, parameters);
  ASSERT_EQ(runner.run({.sources = {0}}).distance, naive_bfs(test, {0}));
}

TEST_P(GpuStrategy, SeveralSourcesAndLimits) {
  const TestGraph test = grid(9, 11);
  const BothWays graph(test);
  Runner runner(device_, descriptor(), graph, small());
  const std::vector<VertexId> sources[] = {{0, 98}, {5, 5, 5}, {98, 0, 98, 44, 45}};
  for (const auto& some : sources) {
    check(runner, test, graph, {.sources = some, .parents = true}, "");
    for (const Distance depth : {0, 1, 3, 50}) check(runner, test, graph, {.sources = some, .max_depth = depth}, "");
    for (const VertexId target : {0u, 5u, 60u, 98u}) check(runner, test, graph, {.sources = some, .target = target}, "");
    if (HasFatalFailure()) return;
  }
  std::vector<VertexId> all(test.num_vertices);
  for (VertexId v = 0; v < test.num_vertices; ++v) all[v] = v;
  check(runner, test, graph, {.sources = all, .parents = true}, "");
}

TEST_P(GpuStrategy, TraceAddsUp) {
  const TestGraph test = random_graph(28, 200);  // a few hubs
  const BothWays graph(test);
  const std::vector<Distance> expected = naive_bfs(test, {0});
  for (const bool wide : {false, true}) {
    Runner runner(device_, descriptor(), graph, small(), {.wide_offsets = wide});
    const Answer answer = runner.run({.sources = {0}}, true);
    ASSERT_EQ(answer.distance, expected);
    ASSERT_FALSE(answer.run.trace.empty());
    for (std::size_t i = 0; i < answer.run.trace.size(); ++i) {
      const LevelTrace& t = answer.run.trace[i];
      EXPECT_EQ(t.level, static_cast<Distance>(i + 1));
      const std::string_view direction = t.direction;
      if (direction == "relax") continue;  // settles several levels in a pass
      EXPECT_TRUE(direction == "push" || direction == "pull" || direction == "edges") << direction;
      EXPECT_LE(t.edges, graph.out.neighbors.size());
      EXPECT_TRUE(t.edges == 0 || t.edges >= t.discovered) << t.edges;  // 0: not counted
    }
    expect_trace_agrees(answer.run, level_sizes(answer.distance));
  }
}

TEST_P(GpuStrategy, AsksTheHostOnceALevelAndTakesNoMemory) {
  const TestGraph test = grid(7, 30);
  const BothWays graph(test);
  Runner runner(device_, descriptor(), graph, small());
  runner.run({.sources = {0}, .parents = true});
  const std::uint64_t allocations = device_.allocations();
  const Answer answer = runner.run({.sources = {3}, .parents = true});
  EXPECT_EQ(device_.allocations(), allocations);
  EXPECT_GE(answer.run.levels, 1u);
  EXPECT_GE(answer.run.launches, 1u);
  // Where its bound, which stale looks make looser, does not settle the direction, this one counts, and asks again.
  const std::uint64_t counts = info().name == "pmpp-direction" ? answer.run.steps : 0;
  EXPECT_LE(answer.run.round_trips, answer.run.steps + counts + 2);
}

TEST_P(GpuStrategy, StopsBetweenLevelsWhenTold) {
  const TestGraph test = chain(3000);
  const BothWays graph(test);
  Runner runner(device_, descriptor(), graph, small());
  std::uint32_t calls = 0;
  try {
    runner.run({.sources = {0}}, false, [&](const Step&) { return ++calls < 2; });
    ASSERT_LT(calls, 2u) << "was told to stop and did not";
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "HW-INTERRUPTED");
  }
  check(runner, test, graph, {.sources = {2950}}, "");  // and is as good as new
}

// Whatever device call fails, the error comes out, nothing leaks, and the device serves the next.
TEST_P(GpuStrategy, SurvivesEveryFailingCall) {
  const TestGraph test = textbook_graph();
  const BothWays graph(test);
  bool reached = true;  // a failure may be answered by another way, without an error
  std::uint64_t k = 0;
  while (reached && ++k < 2000) {
    const std::uint64_t before = device_.calls();
    device_.fail_call(k);
    try {
      Runner runner(device_, descriptor(), graph, small());
      EXPECT_EQ(runner.run({.sources = {0}, .parents = true}).distance, naive_bfs(test, {0}));
    } catch (const Error& e) {
      EXPECT_TRUE(e.id() == "HW-DEVICE-MEMORY" || e.id() == "HW-DEVICE-CALL") << e.what();
    }
    reached = device_.calls() - before >= k;
  }
  EXPECT_GT(k, 5u) << "failing calls were not noticed";
  EXPECT_FALSE(reached);
  device_.fail_call(0);
  check_all_sources(test, small());
}

TEST_P(GpuStrategy, GraphWithoutVertices) {
  const BothWays graph(TestGraph{"empty", 0, {}});
  Runner runner(device_, descriptor(), graph, small());
  EXPECT_TRUE(runner.run({}).distance.empty());
}

// The public way, which also turns arcs round, transposes, and finds parents where the strategy does not.
TEST_P(GpuStrategy, ThroughSearchInEveryDirection) {
  for (const std::uint64_t seed : {5, 6, 8}) {
    const TestGraph test = random_graph(seed, 80);
    const Graph graph = build(test);
    const VertexId source = test.num_vertices / 3;
    for (const Direction direction : {Direction::out, Direction::in, Direction::both}) {
      const Result result = search(graph, {.sources = {source}, .parents = true, .ties = Ties::min},
                                   {.strategy = std::string(info().name),
                                    .direction = direction,
                                    .parameters = small(),
                                    .run = {.device = DeviceKind::sim, .simulator = {.seed = seed}}});
      const std::vector<Distance> expected = naive_bfs(test, {source}, direction);
      ASSERT_EQ(distances_of(result), expected) << test << ", direction " << static_cast<int>(direction);
      ASSERT_EQ(parents_of(result), naive_min_parents(test, expected, direction)) << test;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, GpuStrategy, ::testing::ValuesIn(gpu_strategies()), [](const auto& each) {
  std::string name(each.param->info.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace of_gpu_strategy_test
}  // namespace hopwave::testing
