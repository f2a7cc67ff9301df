// The engine where something is missing: no cooperative launches and no clusters (one launch a level), too little device
// memory, calls that fail. All in the simulator, behind a table of device calls that hides what it has.
#include <gtest/gtest.h>

#include "hopwave/error.h"
#include "hopwave/validate.h"
#include "support/gpu_runner.h"

namespace hopwave::testing {
namespace of_levels_test {

constexpr std::int64_t never = std::int64_t{1} << 62;

const strategy::Descriptor& engine() {
  for (const strategy::Descriptor* d : gpu_strategies())
    if (d->info.name == "auto") return *d;
  throw std::logic_error("no auto");
}

Parameters small(Parameters given = {}) {
  given.try_emplace("block", 32);
  given.try_emplace("grid", 3);
  return parameters_for(engine().info, given);
}

/// A device that launches blocks and nothing more.
const device::Api& plain_api() {
  static const device::Api api = [] {
    device::Api plain = *device::sim_api();
    plain.properties = [](int index, device::Properties* p) {
      const device::Status status = device::sim_api()->properties(index, p);
      p->cooperative = p->clusters = false;
      return status;
    };
    plain.launch = [](const device::LaunchShape& shape, const void* kernel, void** arguments, device::Thunk thunk,
                      device::StreamHandle stream) {
      if (shape.cooperative || shape.cluster > 1) return device::Status{3};
      return device::sim_api()->launch(shape, kernel, arguments, thunk, stream);
    };
    return plain;
  }();
  return api;
}

/// A device with room for `bytes`.
template <std::uint64_t bytes>
const device::Api& short_api() {
  static const device::Api api = [] {
    device::Api scarce = *device::sim_api();
    scarce.memory = [](std::uint64_t* free, std::uint64_t* total) {
      *free = *total = bytes;
      return device::Status{0};
    };
    return scarce;
  }();
  return api;
}

std::vector<Parameters> ways() {
  return {{{"level_launches", 1}},
          {{"level_launches", 1}, {"pull", never}},
          {{"level_launches", 1}, {"pull", 0}, {"push", 0}},
          {{"level_launches", 1}, {"pull", 0}, {"push", never}, {"wide_offsets", 1}}};
}

std::unique_ptr<strategy::Plan> plan_on(device::Device& device, const BothWays& graph, bool prepare = false,
                                        Parameters parameters = {}) {
  return engine().plan({.view = graph.view(engine().info.needs),
                        .parameters = small(std::move(parameters)),
                        .prepare = prepare,
                        .device = &device});
}

std::vector<Distance> fetch_each(strategy::Plan& plan, std::size_t i, VertexId n) {
  std::vector<Distance> distances(n, -77);
  plan.fetch_each(i, distances);
  return distances;
}

SearchReport run_each(strategy::Plan& plan, const std::vector<VertexId>& sources, Distance max_depth = -1) {
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  plan.run_each(sources, max_depth, control);
  return stats;
}

class Levels : public ::testing::TestWithParam<bool> {
 protected:
  void check(const TestGraph& test, const Parameters& way, const std::vector<Query>& queries) {
    const Graph graph = build(test, true, true);
    SearchOptions options;
    options.run.device = DeviceKind::sim;
    options.prepare = GetParam();
    options.parameters = way;
    options.parameters.try_emplace("block", 32);
    options.parameters.try_emplace("grid", 3);
    Searcher searcher(graph, options);
    for (const Query& query : queries) {
      const Result result = searcher.run(query);
      ASSERT_EQ(distances_of(result), trimmed(naive_bfs(test, query.sources), query.max_depth, query.target))
          << test << " from " << query.sources[0] << text_of(way);
      expect_traversal_agrees(searcher, query, result);
      const Verdict verdict = validate(graph, query, result);
      ASSERT_TRUE(verdict) << test << text_of(way) << ": " << verdict.message;
      EXPECT_NE(result.run.chosen.find("launch a level"), std::string::npos) << result.run.chosen;
    }
  }
};

TEST_P(Levels, NamedAndRandomGraphs) {
  std::vector<TestGraph> all = named_graphs();
  for (std::uint64_t i = 0; i < 10; ++i) all.push_back(random_graph(i, 120));
  for (const TestGraph& test : all)
    for (const Parameters& way : ways()) {
      const VertexId n = test.num_vertices;
      check(test, way,
            {{.sources = {0}, .parents = true}, {.sources = {n / 2}}, {.sources = {n - 1, 0, n / 3}, .parents = true}});
      if (HasFatalFailure()) return;
    }
}

TEST_P(Levels, LimitsTargetsAndDepth) {
  for (const Parameters& way : ways()) {
    check(grid(9, 7), way,
          {{.sources = {20}, .max_depth = 0},
           {.sources = {20}, .max_depth = 3, .parents = true},
           {.sources = {0}, .target = 62},
           {.sources = {0}, .target = 9, .parents = true},
           {.sources = {5}, .target = 5},
           {.sources = {0, 1}, .max_depth = 2, .target = 30}});
    check(chain(300, false), way, {{.sources = {0}}, {.sources = {299}, .target = 40}});
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Prepared, Levels, ::testing::Values(false, true),
                         [](const auto& param) { return param.param ? "prepared" : "as_is"; });

TEST(LevelsTrace, TellsEveryLevel) {
  const Graph graph = build(grid(6, 6));
  SearchOptions options;
  options.run.device = DeviceKind::sim;
  options.parameters = {{"level_launches", 1}, {"pull", never}, {"block", 32}, {"grid", 2}};
  options.trace = true;
  const SearchReport stats = Searcher(graph, options).run({.sources = {0}}).run;
  const std::vector<VertexId> expected = {2, 3, 4, 5, 6, 5, 4, 3, 2, 1};
  ASSERT_GE(stats.trace.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(stats.trace[i].level, static_cast<Distance>(i + 1));
    EXPECT_EQ(stats.trace[i].discovered, expected[i]) << "level " << i + 1;
  }
  EXPECT_GT(stats.launches, expected.size());
}

/// The second traced search of a plan finds the first one's records.
TEST(LevelsTrace, OfASecondSearch) {
  const Graph graph = build(random_graph(8, 150), true, true);
  for (const Parameters& way :
       {Parameters{{"level_launches", 1}, {"pull", 0}, {"push", 0}}, Parameters{{"level_launches", 1}, {"unqueued", never}},
        Parameters{{"single_cluster", 1}, {"high_diameter", 0}}, Parameters{{"single_cluster", 0}, {"high_diameter", 0}}}) {
    SearchOptions options;
    options.run.device = DeviceKind::sim;
    options.parameters = way;
    options.parameters.insert({{"block", 32}, {"grid", 2}, {"cluster", 2}, {"shared_memory", 0}});
    options.trace = true;
    Searcher searcher(graph, options);
    for (int i = 0; i < 2; ++i) {
      const Result result = searcher.run({.sources = {static_cast<VertexId>(3 + i)}});
      expect_agrees(result, true);
      ASSERT_FALSE(HasFatalFailure()) << text_of(way) << ", search " << i;
    }
  }
}

TEST(PlainDevice, SearchesByLevelsWithoutBeingAsked) {
  device::Device device(plain_api());
  for (const TestGraph& test : {textbook_graph(), grid(8, 8), random_graph(6, 120), star(65), chain(70)})
    for (const bool prepare : {false, true}) {
      const BothWays graph(test);
      const auto plan = plan_on(device, graph, prepare, {{"high_diameter", 0}});
      for (VertexId s = 0; s < test.num_vertices; s += 1 + test.num_vertices / 5) {
        SearchReport stats;
        strategy::RunControl control{.stats = &stats};
        plan->run({.sources = {s}}, control);
        std::vector<Distance> distances(test.num_vertices, -77);
        plan->fetch(distances, {});
        ASSERT_EQ(distances, naive_bfs(test, {s})) << test;
        EXPECT_NE(stats.chosen.find("no cooperative launches"), std::string::npos) << stats.chosen;
      }
      const std::vector<VertexId> sources = {0, test.num_vertices - 1, test.num_vertices / 2};
      EXPECT_GT(run_each(*plan, sources).launches, 3u);
      for (std::size_t i = 0; i < sources.size(); ++i)
        ASSERT_EQ(fetch_each(*plan, i, test.num_vertices), naive_bfs(test, {sources[i]})) << test;
    }
}

/// More levels than eight digits hold, so that the host brings more in the middle of a search.
TEST(PlainDevice, ManySearchesDeeperThanTheDigits) {
  device::Device device(plain_api());
  const TestGraph test = chain(290, false);
  const BothWays graph(test);
  const auto plan = plan_on(device, graph);
  run_each(*plan, {0, 289});
  EXPECT_EQ(fetch_each(*plan, 0, 290), naive_bfs(test, {0}));
  EXPECT_EQ(fetch_each(*plan, 1, 290), naive_bfs(test, {289}));
}

TEST(ShortMemory, RefusesBeforeAnythingIsTaken) {
  device::Device device(short_api<4000>());
  const BothWays graph(grid(20, 20));
  try {
    plan_on(device, graph);
    FAIL() << "400 vertices in 4000 bytes";
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "HW-ENGINE-MEMORY");
    EXPECT_EQ(e.failure(), Failure::does_not_fit);
    EXPECT_NE(e.parts().found.find("3.9 KiB are free"), std::string::npos) << e.what();
  }
  EXPECT_EQ(device.allocations(), 0u);
}

TEST(ShortMemory, ManySearchesKeepFewerDistancesOrRefuse) {
  const TestGraph test = grid(20, 20);
  const BothWays graph(test);
  const std::vector<VertexId> sources = {0, 399, 17, 0, 250};
  device::Device few(short_api<90000>());
  const auto plan = plan_on(few, graph, false, {{"per_source", 0}});
  run_each(*plan, sources);
  for (const std::size_t i : {4, 0, 2, 1, 3}) ASSERT_EQ(fetch_each(*plan, i, 400), naive_bfs(test, {sources[i]})) << i;

  device::Device none(short_api<40000>());
  const auto single = plan_on(none, graph, false, {{"per_source", 0}});
  EXPECT_THROW(run_each(*single, sources), Error);
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  single->run({.sources = {5}}, control);  // one at a time it still serves
  std::vector<Distance> distances(400);
  single->fetch(distances, {});
  EXPECT_EQ(distances, naive_bfs(test, {5}));

  // A block each needs less here, and where that is refused, too, nothing else fits.
  const auto in_blocks = plan_on(none, graph);
  EXPECT_NE(run_each(*in_blocks, sources).chosen.find("of its own"), std::string::npos);
  for (const std::size_t i : {4, 0, 2, 1, 3}) ASSERT_EQ(fetch_each(*in_blocks, i, 400), naive_bfs(test, {sources[i]})) << i;
  device::Device least(short_api<24000>());
  EXPECT_THROW(run_each(*plan_on(least, graph), sources), Error);
}

/// Whatever call fails, the error comes out, and the same plan or a new one does the work afterwards.
TEST(FailingCalls, ManySearchesAndLevels) {
  device::Device device(*device::sim_api());
  const TestGraph test = textbook_graph();
  const BothWays graph(test);
  for (const Parameters& way : {Parameters{}, Parameters{{"level_launches", 1}}}) {
    bool reached = true;  // a failure may be answered by another way, without an error
    std::uint64_t k = 0;
    while (reached && ++k < 2000) {
      std::unique_ptr<strategy::Plan> plan;
      const std::uint64_t before = device.calls();
      device.fail_call(k);
      const auto work = [&] {
        if (!plan) plan = plan_on(device, graph, false, way);
        run_each(*plan, {0, 3});
        ASSERT_EQ(fetch_each(*plan, 1, 9), naive_bfs(test, {3}));
        SearchReport stats;
        strategy::RunControl control{.stats = &stats};
        plan->run({.sources = {0}, .parents = true}, control);
        std::vector<Distance> distances(9);
        plan->fetch(distances, {});
        ASSERT_EQ(distances, naive_bfs(test, {0}));
      };
      try {
        work();
      } catch (const Error& e) {
        EXPECT_TRUE(e.id() == "HW-DEVICE-MEMORY" || e.id() == "HW-DEVICE-CALL") << e.what();
      }
      reached = device.calls() - before >= k;
      device.fail_call(0);
      work();
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(k, 20u);
    EXPECT_FALSE(reached);
  }
}

}  // namespace of_levels_test
}  // namespace hopwave::testing
