// Sides of conditions that searches take more rarely still: warps that run ahead of others to the target, stored preparations
// that are damaged, rows whose parts find different things, devices that refuse what they seem to have, systems that
// start no thread.
#include <gtest/gtest.h>

#include "core/sanitized.h"
#include "core/watch.h"
#include "hopwave/error.h"
#include "support/engine_searches.h"
#include "support/error_id.h"
#include "support/no_threads.h"

namespace hopwave::testing {
namespace of_engine_rare_sides_test {

// ---- many searches at once ---------------------------------------------------------------------------------------------

/// Two stars, whose centres' rows are cut into parts, and a path of three vertices between them.
TestGraph two_stars() {
  TestGraph test{.name = "two stars", .num_vertices = 2300, .directed = false};
  for (VertexId v = 1; v <= 1200; ++v) test.edges.push_back({0, v});
  for (VertexId v = 1202; v < 2297; ++v) test.edges.push_back({1201, v});
  for (const Edge e : {Edge{0, 2297}, Edge{2297, 2298}, Edge{2298, 2299}, Edge{2299, 1201}}) test.edges.push_back(e);
  return test;
}
/// Pulls that look at a centre that no search is near to: behind a queue, and behind a push that counted nothing.
TEST(EngineRareSides, CutUpRowsThatNoSearchIsNearTo) {
  for (const Parameters& way : {Parameters{{"pull", 0}, {"push", 0}}, Parameters{{"pull", never}, {"unqueued", 0}}}) {
    Parameters parameters = way;
    parameters.insert({{"level_launches", 0}, {"block", 64}, {"grid", 2}});
    check_each(two_stars(), parameters, false, {0}, false);
    check_each(two_stars(), parameters, false, {0, 7, 900, 2297}, false);
  }
}

/// Of two rows that teams of a warp look at side by side, one ends at once and the other at its last neighbour.
TEST(EngineRareSides, TeamsThatAreDoneBeforeOthers) {
  TestGraph test{.name = "two rows", .num_vertices = 600, .directed = false};
  for (VertexId u = 180; u < 300; ++u) test.edges.push_back({0, u});
  for (VertexId u = 100; u <= 200; ++u) test.edges.push_back({1, u});
  for (VertexId u = 300; u < 600; ++u) test.edges.push_back({200, u});
  check_each(test, {{"level_launches", 0}, {"block", 64}, {"grid", 1}, {"pull", 0}, {"push", 0}}, false, {200}, false);
}

/// Steps that are no level shift the pass's pause into the midst of the launches that the host makes ahead.
TEST(EngineRareSides, PausesAmongLaunchesAhead) {
  for (const std::int64_t pull : {20, 30, 40})
    check_each(lollipop(40, 300), {{"level_launches", 1}, {"block", 32}, {"grid", 1}, {"pull", pull}, {"push", never}}, false,
               {0, 3}, false);
}

/// Counts that there is no room for. Where there is room again, they are right.
TEST(EngineRareSides, NoRoomForCounts) {
  const TestGraph test = grid(20, 12);
  const BothWays graph(test);
  free_bytes = 64 << 20;
  device::Device device(short_of_memory());
  const auto plan = plan_on(device, graph, {{"ms_bfs", 1}, {"level_launches", 1}, {"block", 32}}, false);
  check_each(*plan, test, {0, 239}, false);
  free_bytes = 1 << 10;
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  const std::vector<VertexId> sources = {0, 239};
  EXPECT_EQ(id_of([&] { plan->count_each(sources, -1, control, [](std::size_t, const auto&) {}); }), "HW-ENGINE-MEMORY");
  free_bytes = 64 << 20;
  check_each(*plan, test, sources, true);
}

// ---- one block's shared memory -----------------------------------------------------------------------------------------

/// Some warps find the target before others have begun the level. `chosen`: how the description begins.
void check_targets(const device::Api& api, const TestGraph& test, const Parameters& parameters,
                   const std::vector<VertexId>& targets, const std::string& chosen) {
  device::Device device(api);
  const BothWays graph(test);
  const auto plan = plan_on(device, graph, parameters, false);
  std::uint64_t seed = 0;
  for (const ScheduleKind kind : {ScheduleKind::uniform, ScheduleKind::slow_warp, ScheduleKind::pct})
    for (const VertexId target : targets) {
      device.set_schedule({.seed = ++seed, .interrupt_every = 8, .kind = kind});
      const Found found = run(*plan, {.sources = {0}, .target = target}, test.num_vertices);
      ASSERT_EQ(found.chosen.substr(0, chosen.size()), chosen) << test;
      ASSERT_EQ(trimmed(found.distance, -1, target), trimmed(naive_bfs(test, {0}), -1, target)) << test << ", " << target;
    }
}
TEST(EngineRareSides, TargetsInOneBlocksSharedMemory) {
  check_targets(*device::sim_api(), grid(12, 12), {{"shared_memory", 2}, {"block", 128}}, {1, 12, 30, 77, 143},
                "shared-memory");
  check_targets(changed_api<lacking<20, true, true>>(), grid(40, 40), {{"shared_memory", 1}, {"block", 128}, {"queue", 32}},
                {1, 41, 130, 500, 840}, "shared-memory");
}

// ---- stored preparations -----------------------------------------------------------------------------------------------

TEST(EngineRareSides, DamagedPreparations) {
  device::Device device(*device::sim_api());
  const BothWays graph(star(20));
  const auto restore = [&](const Preparation& stored, const Parameters& parameters) {
    return id_of(
        [&] {
          (void)engine().plan({.view = graph.view(engine().info.needs),
                               .parameters = parameters_for(engine().info, parameters),
                               .prepare = true,
                               .prepared = &stored,
                               .device = &device});
        },
        "");
  };
  const Parameters packed = {{"shared_memory", 2}};
  const auto rows = plan_on(device, graph, packed, true)->preparation();
  ASSERT_EQ(restore(*rows, packed), "");
  EXPECT_EQ(restore(with(*rows, "rows", 1, std::uint16_t{0}), packed), "HW-PREPARATION-FIT") << "a row that begins too early";
  EXPECT_EQ(restore(with(*rows, "rows", 1, std::uint16_t{38}), packed), "HW-PREPARATION-FIT") << "a row longer than any";
  EXPECT_EQ(restore(with(*rows, "rows", 2, std::uint16_t{1}), packed), "HW-PREPARATION-FIT")
      << "a row that ends before it begins";
  const auto order = plan_on(device, graph, grid_wide(), true)->preparation();
  ASSERT_EQ(restore(*order, grid_wide()), "");
  EXPECT_EQ(restore(with(*order, "offsets", 0, 1u), grid_wide()), "HW-PREPARATION-FIT") << "a first row that begins late";
}

// ---- high-diameter -----------------------------------------------------------------------------------------------------

/// Rows of one hop are too long already: the graph goes elsewhere.
TEST(EngineRareSides, RowsTooLongForAnyHop) {
  TestGraph test = star(200);
  test.num_vertices = 100'100;
  check(*device::sim_api(), test, {{"high_diameter", 1}, {"shared_memory", 0}, {"async", 0}, {"block", 64}, {"grid", 2}}, true,
        {7});
}

// ---- one cluster -------------------------------------------------------------------------------------------------------

/// The most shared memory that clusters run with, and the most that was asked for.
std::size_t cluster_room = 0, asked_room = 0;
const device::Api& small_clusters() {
  static const device::Api api = [] {
    device::Api other = *device::sim_api();
    other.largest_cluster = [](int* blocks, const void* kernel, int wanted, int block, std::size_t shared) {
      asked_room = std::max(asked_room, shared);
      const device::Status status = device::sim_api()->largest_cluster(blocks, kernel, wanted, block, shared);
      if (shared > cluster_room) *blocks = 0;
      return status;
    };
    return other;
  }();
  return api;
}
/// With a byte a vertex a cluster does not run, although its blocks have the memory: pushes of many edges mark bits.
TEST(EngineRareSides, ClustersThatDoNotRunWithBytes) {
  const TestGraph test = layered(4, 600, 6);
  const Parameters parameters = {{"single_cluster", 1}, {"cluster", 2}, {"block", 64}, {"unqueued", 1}, {"pull", never}};
  cluster_room = ~std::size_t{0};
  asked_room = 0;
  check(small_clusters(), test, parameters, false, {7}, "single-cluster");
  cluster_room = asked_room - 1;
  check(small_clusters(), test, parameters, false, {7, 2000}, "single-cluster");
}

/// A level that every block takes for itself finds more than such a level may have.
TEST(EngineRareSides, MoreThanABlockTakesForItself) {
  TestGraph test = star(700);
  test.num_vertices = 1399;
  for (VertexId v = 1; v < 700; ++v) test.edges.push_back({v, v + 699});
  for (const bool prepare : {false, true})
    check(*device::sim_api(), test,
          {{"single_cluster", 1}, {"cluster", 2}, {"block", 1024}, {"single_block", never}, {"pull", never}}, prepare, {0, 5});
}

// ---- limits of a call --------------------------------------------------------------------------------------------------

/// A search with a time limit says that nobody can watch it, and the next one is right.
TEST(EngineRareSides, NoThreadThatWatchesTheTimeLimit) {
  if (sanitized) GTEST_SKIP() << "sanitizers start threads in their own way";
  const TestGraph test = grid(20, 12);
  const BothWays graph(test);
  device::Device device(*device::sim_api());
  const auto plan = plan_on(device, graph, grid_wide(), false);
  const core::Watch watch({.time = Seconds(3600)});
  SearchReport stats;
  strategy::RunControl control{.stats = &stats, .watch = &watch};
  {
    const hopwave::testing::HugeStacks none;
    EXPECT_EQ(id_of([&] { plan->run({.sources = {7}}, control); }), "HW-THREAD-START");
  }
  plan->run({.sources = {7}}, control);
  std::vector<Distance> found(test.num_vertices);
  plan->fetch(found, {});
  EXPECT_EQ(found, naive_bfs(test, {7}));
}

}  // namespace of_engine_rare_sides_test
}  // namespace hopwave::testing
