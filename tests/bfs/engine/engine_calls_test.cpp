// What the engine asks of the device, call by call: a search after the first allocates and clears nothing, launches have the
// shape that options ask for, and no launch takes more shared memory than a block has, however little that is.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "device/device.h"
#include "hopwave/error.h"
#include "support/gpu_runner.h"

namespace hopwave::testing {
namespace of_engine_calls_test {

/// Calls since the last reset, and what the device pretends to have.
struct Recorded {
  std::size_t shared_per_block = 0;  ///< 0: as it is
  std::vector<device::LaunchShape> launches;
  std::size_t allocations = 0, fills = 0, copies_in = 0;
  bool searching = false;  ///< launches must fit; preparation needs 16 KiB, which every GPU has
  void reset() {
    launches.clear();
    allocations = fills = copies_in = 0;
  }
};
Recorded recorded;

device::Status record_launch(const device::LaunchShape& shape) {
  recorded.launches.push_back(shape);
  if (recorded.searching) EXPECT_LE(shape.shared_bytes, recorded.shared_per_block);
  return 0;
}

/// The simulator, seen from outside.
const device::Api& recording_api() {
  static const device::Api api = [] {
    device::Api all = *device::sim_api();
    all.properties = [](int index, device::Properties* p) {
      const device::Status status = device::sim_api()->properties(index, p);
      if (recorded.shared_per_block) p->shared_per_block = recorded.shared_per_block;
      return status;
    };
    all.allocate = [](void** p, std::size_t bytes, device::StreamHandle stream) {
      ++recorded.allocations;
      return device::sim_api()->allocate(p, bytes, stream);
    };
    all.allocate_pinned = [](void** p, std::size_t bytes) {
      ++recorded.allocations;
      return device::sim_api()->allocate_pinned(p, bytes);
    };
    all.fill = [](void* p, int byte, std::size_t bytes, device::StreamHandle stream) {
      ++recorded.fills;
      return device::sim_api()->fill(p, byte, bytes, stream);
    };
    all.copy_in = [](void* to, const void* from, std::size_t bytes, device::StreamHandle stream) {
      ++recorded.copies_in;
      return device::sim_api()->copy_in(to, from, bytes, stream);
    };
    all.launch = [](const device::LaunchShape& shape, const void* kernel, void** arguments, device::Thunk thunk,
                    device::StreamHandle stream) {
      record_launch(shape);
      return device::sim_api()->launch(shape, kernel, arguments, thunk, stream);
    };
    all.launch_between = nullptr;
    return all;
  }();
  return api;
}

const strategy::Descriptor& engine() {
  for (const strategy::Descriptor* d : gpu_strategies())
    if (d->info.name == "auto") return *d;
  throw std::logic_error("no auto");
}

std::unique_ptr<strategy::Plan> plan_on(device::Device& device, const BothWays& graph, const Parameters& given,
                                        bool prepare = false) {
  return engine().plan({.view = graph.view(engine().info.needs),
                        .parameters = parameters_for(engine().info, given),
                        .prepare = prepare,
                        .device = &device});
}

SearchReport run(strategy::Plan& plan, const Query& query) {
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  plan.run(query, control);
  return stats;
}

std::vector<Distance> distances_of(strategy::Plan& plan, VertexId n) {
  std::vector<Distance> distances(n, -77);
  plan.fetch(distances, {});
  return distances;
}

struct Way {
  std::string name, chosen, told;  ///< how its description begins, and what stands in it
  Parameters parameters;
  bool prepared = false;  ///< rows of several hops are made by preparation alone
};

std::vector<Way> ways() {
  return {{"grid-wide",
           "grid-wide",
           "blocks in one launch",
           {{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}, {"block", 64}, {"grid", 3}}},
          {"high-diameter", "high-diameter", " blocks", {{"high_diameter", 1}, {"cluster", 4}, {"block", 64}}},
          {"high-diameter, k-hop",
           "high-diameter",
           "2 levels a barrier",
           {{"high_diameter", 1}, {"hops", 2}, {"grid", 4}, {"block", 64}},
           true},
          {"high-diameter, asynchronous",
           "high-diameter",
           "run ahead by up to 3 levels",
           {{"high_diameter", 1}, {"async", 3}, {"grid", 3}, {"block", 64}}},
          {"shared-memory", "shared-memory", "", {{"shared_memory", 1}, {"block", 64}}},
          {"shared-memory, packed", "shared-memory", "", {{"shared_memory", 2}, {"block", 64}}},
          {"single-cluster",
           "single-cluster",
           "one cluster of",
           {{"single_cluster", 1}, {"high_diameter", 0}, {"cluster", 4}, {"block", 64}}}};
}

class EngineCalls : public ::testing::TestWithParam<bool> {
 protected:
  void TearDown() override { recorded = {}; }
};

TEST_P(EngineCalls, SearchesAfterTheFirstAskForTheLeast) {
  for (const Way& way : ways())
    for (const TestGraph& test : {grid(7, 9), chain(70), random_graph(8, 120)}) {
      if (way.prepared && !GetParam()) continue;
      recorded = {};
      device::Device device(recording_api());
      const BothWays graph(test);
      const auto plan = plan_on(device, graph, way.parameters, GetParam());
      (void)run(*plan, {.sources = {1}});
      for (VertexId s = 2; s < 6; ++s) {
        recorded.reset();
        const SearchReport stats = run(*plan, {.sources = {s}});
        const std::string where =
            way.name + (GetParam() ? ", prepared" : "") + ", source " + std::to_string(s) + ": " + stats.chosen;
        EXPECT_TRUE(stats.chosen.starts_with(way.chosen) && stats.chosen.find(way.told) != std::string::npos) << where;
        EXPECT_EQ(recorded.allocations, 0u) << where;
        EXPECT_EQ(recorded.fills, 0u) << where;
        EXPECT_EQ(recorded.copies_in, 0u) << where;
        EXPECT_EQ(stats.launches, 1u) << where;
        EXPECT_EQ(stats.round_trips, 1u) << where;
        EXPECT_GE(stats.steps, 1u) << where;
        ASSERT_EQ(distances_of(*plan, test.num_vertices), naive_bfs(test, {s})) << where;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Prepared, EngineCalls, ::testing::Values(false, true),
                         [](const auto& param) { return param.param ? "prepared" : "as_is"; });

/// The launch that searches: the others bring the answer's counts to the host.
device::LaunchShape shape_of_search(const Way& way, const TestGraph& test, std::string& chosen) {
  recorded = {};
  device::Device device(recording_api());
  const BothWays graph(test);
  const auto plan = plan_on(device, graph, way.parameters, way.prepared);
  recorded.reset();
  chosen = run(*plan, {.sources = {1}}).chosen;
  EXPECT_EQ(distances_of(*plan, test.num_vertices), naive_bfs(test, {1})) << chosen;
  return recorded.launches.empty() ? device::LaunchShape{} : recorded.launches.front();
}

TEST(EngineShapes, AreThoseThatOptionsAskFor) {
  std::string chosen;
  const TestGraph test = grid(9, 9);
  for (const std::int64_t block : {32, 33, 64, 65, 96, 128}) {
    const auto whole = static_cast<std::uint32_t>((block + 31) / 32 * 32);
    for (const std::int64_t size : {1, 2, 3, 4, 8}) {
      const auto wanted = static_cast<std::uint32_t>(size), power = std::bit_floor(wanted);
      for (Way way : ways()) {
        const bool by_grid = way.parameters.count("grid") != 0, by_cluster = way.parameters.count("cluster") != 0;
        way.parameters["block"] = block;
        if (by_grid) way.parameters["grid"] = size;
        if (by_cluster) way.parameters["cluster"] = size;
        if (by_cluster && (power != wanted || (way.name == "single-cluster" && size == 1))) continue;  // refused
        const device::LaunchShape shape = shape_of_search(way, test, chosen);
        const std::string where =
            way.name + ", " + std::to_string(size) + " blocks of " + std::to_string(block) + ": " + chosen;
        ASSERT_TRUE(chosen.starts_with(way.chosen) && chosen.find(way.told) != std::string::npos) << where;
        EXPECT_EQ(shape.block, whole) << where;
        const bool powers = way.name != "grid-wide";
        EXPECT_EQ(shape.grid, by_grid || by_cluster ? powers ? power : wanted : 1u) << where;
        if (by_cluster) EXPECT_EQ(shape.cluster, shape.grid) << where;
        if (by_grid && shape.grid > 1) EXPECT_TRUE(shape.cooperative) << where;
      }
    }
  }
  recorded = {};
}

/// Without a trace and a target, the host need not look at every level.
TEST(EngineShapes, LaunchesALevelEachAreHandedOverAhead) {
  recorded = {};
  device::Device device(recording_api());
  const TestGraph test = chain(70);
  const BothWays graph(test);
  const auto plan = plan_on(device, graph, {{"level_launches", 1}, {"grid", 2}, {"block", 32}});
  for (int search = 0; search < 2; ++search) {
    recorded.reset();
    const SearchReport stats = run(*plan, {.sources = {0}});
    EXPECT_EQ(distances_of(*plan, test.num_vertices), naive_bfs(test, {0}));
    EXPECT_GE(stats.launches, 69u);
    EXPECT_LE(stats.round_trips, 69u / 4);
    EXPECT_EQ(recorded.launches.size(), stats.launches);
  }
  recorded = {};
}

TEST(EngineShapes, AreToldInWords) {
  std::string chosen;
  for (const std::int64_t hops : {1, 2, 3}) {
    Way way = ways()[2];
    way.parameters["hops"] = hops;
    (void)shape_of_search(way, grid(9, 9), chosen);
    EXPECT_NE(chosen.find(", " + std::to_string(hops) + (hops == 1 ? " level a" : " levels a") + " barrier"), std::string::npos)
        << chosen;
  }
  recorded = {};
}

/// Rows of several hops that were stored are taken again by as many blocks, without being told how they were made.
TEST(EngineShapes, ComeBackWithStoredRows) {
  for (const Way& way : ways()) {
    if (!way.prepared) continue;
    recorded = {};
    device::Device device(recording_api());
    const TestGraph test = grid(11, 13);
    const BothWays graph(test);
    const auto made = plan_on(device, graph, way.parameters, true);
    recorded.reset();
    const SearchReport first = run(*made, {.sources = {1}});
    const device::LaunchShape shape = recorded.launches.front();
    const auto stored = made->preparation();
    ASSERT_TRUE(stored) << way.name;
    Parameters plain = way.parameters;
    plain.erase("hops");
    const auto again = engine().plan({.view = graph.view(engine().info.needs),
                                      .parameters = parameters_for(engine().info, plain),
                                      .prepare = true,
                                      .prepared = stored.get(),
                                      .device = &device});
    recorded.reset();
    const SearchReport second = run(*again, {.sources = {1}});
    EXPECT_EQ(second.chosen.substr(0, second.chosen.rfind(',')), first.chosen.substr(0, first.chosen.rfind(','))) << way.name;
    EXPECT_EQ(recorded.launches.front(), shape) << way.name;
    EXPECT_EQ(distances_of(*again, test.num_vertices), naive_bfs(test, {1})) << way.name;
  }
  recorded = {};
}

/// However little shared memory a block has, a launch asks for no more, and the answer is right.
TEST(EngineShapes, FitIntoAnySharedMemory) {
  std::map<std::string, int> taken;
  for (const TestGraph& test : {grid(18, 20), random_graph(31, 600), star(2000)})
    for (const Way& way : ways())
      for (std::size_t memory = 4096; memory <= 40'000; memory += memory / 5 + 1) {
        recorded = {.shared_per_block = memory, .launches = {}};
        device::Device device(recording_api());
        const BothWays graph(test);
        std::unique_ptr<strategy::Plan> plan;
        try {
          plan = plan_on(device, graph, way.parameters, way.prepared);
        } catch (const Error& error) {
          EXPECT_EQ(error.failure(), Failure::does_not_fit) << way.name << ", " << memory << ": " << error.what();
          continue;
        }
        recorded.searching = true;
        const SearchReport stats = run(*plan, {.sources = {1}});
        taken[way.name] += stats.chosen.starts_with(way.chosen);
        EXPECT_EQ(distances_of(*plan, test.num_vertices), naive_bfs(test, {1})) << way.name << ", " << memory;
      }
  for (const Way& way : ways()) EXPECT_GE(taken[way.name], 1) << way.name;
  recorded = {};
}

}  // namespace of_engine_calls_test
}  // namespace hopwave::testing
