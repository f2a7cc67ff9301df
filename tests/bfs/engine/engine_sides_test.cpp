// Sides of conditions that searches rarely take: devices without clusters or with odd sizes of shared memory, memory that is
// nearly used up, levels beyond what words count, plans that are asked twice.
#include <gtest/gtest.h>

#include "hopwave/error.h"
#include "support/engine_searches.h"
#include "support/error_id.h"

namespace hopwave::testing {
namespace of_engine_sides_test {

// ---- which traversal ---------------------------------------------------------------------------------------------------

/// Where levels of many arcs would suit a cluster, a device without clusters stays as it is.
TEST(EngineSides, NoClustersForLevelsOfManyArcs) {
  const device::Api& alone = changed_api<lacking<227, true, false>>();
  check(alone, layered(40, 360, 12), {{"shared_memory", 0}, {"block", 64}, {"grid", 2}}, false, {7, 14'000}, "grid-wide");
  TestGraph dense{.name = "dense", .num_vertices = 420, .directed = true};
  for (std::uint32_t e = 0; e < 20'000; ++e) dense.edges.push_back({e % 420, e * 7919 % 419});
  check(alone, dense, {}, false, {3, 400, 3}, "shared-memory");
  check(alone, layered(20, 100, 12), {{"shared_memory", 0}, {"high_diameter", 1}, {"block", 64}, {"grid", 2}}, true, {7});
}

/// Shared memory that a device says it has, and has not: what does not run is not chosen.
TEST(EngineSides, MoreSharedMemoryThanRuns) {
  const TestGraph test = chain(250, false);
  for (const bool prepare : {false, true})
    for (const Parameters& way : {Parameters{{"async", 64}, {"block", 1024}}, Parameters{{"async", 0}}}) {
      Parameters parameters = way;
      parameters.insert({{"high_diameter", 1}, {"shared_memory", 0}, {"grid", 2}});
      check(changed_api<lacking<400, true, true>>(), test, parameters, prepare, {7});
    }
}

/// Large enough for warps that go on alone, but for one long row, whose quads they would follow one after the other.
TEST(EngineSides, OneLongRowKeepsLevelsTogether) {
  TestGraph test = grid(130, 130);
  for (VertexId leaf = 0; leaf < 60; ++leaf) test.edges.push_back({5, test.num_vertices++});
  check(*device::sim_api(), test, {{"high_diameter", 1}, {"shared_memory", 0}}, false, {7}, "high-diameter");
}

/// Blocks of 512 threads in shared memory that has no room for one block's queue.
TEST(EngineSides, LittleSharedMemoryForManyThreads) {
  Parameters parameters = grid_wide();
  parameters["block"] = 512;
  check(changed_api<lacking<40, true, true>>(), binary_tree(3000), parameters, false, {2999}, "grid-wide");
}

/// Marks of a byte a vertex have no room in a cluster, although pushes have many edges.
TEST(EngineSides, PushesOfManyEdgesWithoutBytes) {
  const TestGraph test = layered(4, 1500, 6);
  for (const bool prepare : {false, true})
    for (const device::Api* api : {&changed_api<lacking<24, true, true>>(), &changed_api<lacking<20, true, true>>(),
                                   &changed_api<lacking<28, true, true>>(), device::sim_api()})
      check(*api, test,
            {{"single_cluster", 1},
             {"high_diameter", 0},
             {"shared_memory", 0},
             {"cluster", 4},
             {"block", 64},
             {"unqueued", 1},
             {"pull", never}},
            prepare, {7, 5000});
}

// ---- the grid-wide traversal -------------------------------------------------------------------------------------------

TEST(EngineSides, GraphsWithoutArcsOrVertices) {
  for (const bool prepare : {false, true}) {
    check(*device::sim_api(), {.name = "no arcs", .num_vertices = 50}, grid_wide(), prepare, {7}, "grid-wide");
    device::Device device(*device::sim_api());
    const BothWays empty(TestGraph{.name = "empty"});
    EXPECT_NO_THROW((void)plan_on(device, empty, grid_wide({{"cached_parents", 1}}), prepare));
    check(*device::sim_api(), star(90), grid_wide({{"cached_parents", 1}}), prepare, {3, 80, 3}, "grid-wide");
  }
}

/// Pushes that count nothing, to the last level that is asked for.
TEST(EngineSides, LimitsBehindPushesThatCountNothing) {
  const TestGraph test = random_graph(31, 300);
  const BothWays graph(test);
  for (const bool prepare : {false, true})
    for (const std::int64_t pull : {std::int64_t{0}, std::int64_t{200}, never}) {
      device::Device device(*device::sim_api());
      const auto plan = plan_on(device, graph, grid_wide({{"unqueued", 0}, {"pull", pull}, {"single_block", 60}}), prepare);
      for (const VertexId source : {0u, test.num_vertices / 3, test.num_vertices - 1})
        for (const Distance depth : {1, 2, 3, 4, -1}) {
          const Found found = run(*plan, {.sources = {source}, .max_depth = depth}, test.num_vertices);
          ASSERT_EQ(found.distance, trimmed(naive_bfs(test, {source}), depth, no_vertex)) << source << ", " << depth;
        }
    }
}

// ---- high-diameter -----------------------------------------------------------------------------------------------------

TEST(EngineSides, NeighborhoodsThatFitAndTooLarge) {
  const Parameters hops = {{"high_diameter", 1}, {"shared_memory", 0}, {"block", 64}, {"grid", 2}};
  check(*device::sim_api(), grid(40, 25), hops, true, {7}, "high-diameter");
  TestGraph clique{.name = "clique", .num_vertices = 200, .directed = false};
  for (VertexId v = 0; v < 200; ++v)
    for (VertexId u = 0; u < v; ++u) clique.edges.push_back({u, v});
  check(*device::sim_api(), clique, hops, true, {7});
  check(*device::sim_api(), star(5000), hops, true, {7});
}

/// A row too long for warps that run ahead, in a graph that would else suit them.
TEST(EngineSides, OneRowTooLongToRunAhead) {
  TestGraph test = chain(3000, false);
  test.num_vertices += 50;
  for (VertexId k = 0; k < 50; ++k) test.edges.push_back({1500, 3000 + k});
  check(*device::sim_api(), test, {{"high_diameter", 1}, {"shared_memory", 0}, {"block", 64}, {"grid", 2}}, true, {7},
        "high-diameter");
}

/// A preparation is the same however often it is asked for.
TEST(EngineSides, PreparationsThatAreAskedForTwice) {
  device::Device device(*device::sim_api());
  const BothWays graph(grid(40, 25)), tall(star(20));
  const auto restore = [&](const BothWays& of, const Preparation& stored, Parameters parameters) {
    parameters["high_diameter"] = 1;
    return id_of(
        [&] {
          (void)engine().plan({.view = of.view(engine().info.needs),
                               .parameters = parameters_for(engine().info, parameters),
                               .prepare = true,
                               .prepared = &stored,
                               .device = &device});
        },
        "");
  };
  const auto plan = plan_on(device, graph, {{"high_diameter", 1}}, true);
  const auto first = plan->preparation(), second = plan->preparation();
  ASSERT_EQ(first->arrays.size(), second->arrays.size());
  for (std::size_t i = 0; i < first->arrays.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(first->arrays[i].second.span(), second->arrays[i].second.span()));
  EXPECT_EQ(restore(graph, *second, {}), "");
  EXPECT_EQ(restore(graph, with(*second, "rows", 0, 0x00FFFFFEu), {}), "HW-PREPARATION-FIT") << "no such vertex";
  const auto quads = plan_on(device, tall, {{"high_diameter", 1}, {"async", 4}}, true)->preparation();
  ASSERT_EQ(restore(tall, *quads, {}), "");
  EXPECT_EQ(restore(tall, with(*quads, "rows", 4 * 20 + 3, 0x80000000u | 20u), {}), "HW-PREPARATION-FIT") << "a circle";
}

// ---- many searches at once ---------------------------------------------------------------------------------------------

/// Distances that need more digits than were cleared at first, in one launch and in a launch a level; counted ones, too.
TEST(EngineSides, DeepSearchesAtOnce) {
  for (const VertexId length : {100u, 200u, 300u, 600u})
    for (const std::int64_t level_launches : {0, 1})
      for (const bool counted : {false, true})
        check_each(chain(length, false), {{"level_launches", level_launches}, {"block", 32}, {"grid", 2}, {"rows", 1}}, false,
                   {0, 5, length - 1}, counted);
  TestGraph tail = star(1200);
  tail.num_vertices += 270;
  for (VertexId v = 1200; v < tail.num_vertices; ++v) tail.edges.push_back({v == 1200 ? 1 : v - 1, v});
  for (const bool prepare : {false, true})
    check_each(tail, {{"level_launches", 0}, {"block", 64}, {"grid", 2}, {"pull", 0}, {"push", 0}, {"tail", never}}, prepare,
               {0, 9, 900}, false, true);
}

TEST(EngineSides, TracesOfSearchesAtOnce) {
  check_each(chain(4200, false), {{"level_launches", 0}, {"block", 32}, {"grid", 1}}, false, {0}, false, true);
  for (const TestGraph& test : {random_graph(9, 400), star(2500), lollipop(40, 30)})
    for (const bool prepare : {false, true})
      for (const Parameters& way : {Parameters{{"pull", 0}, {"push", 0}}, Parameters{{"unqueued", 0}, {"pull", 200}},
                                    Parameters{{"pull", 100}, {"push", never}}, Parameters{{"level_launches", 1}}}) {
        Parameters parameters = way;
        parameters.insert({{"block", 32}, {"grid", 2}});
        std::vector<VertexId> sources;
        for (VertexId k = 0; k < 40; ++k) sources.push_back(k * 7919 % test.num_vertices);
        check_each(test, parameters, prepare, sources, false, true);
      }
  check_each(star(21'000), {{"block", 64}, {"grid", 2}}, false, {3, 20'000}, false);
}

/// A launch a level: more sources than a pass has, traces whose steps go back to a queue.
TEST(EngineSides, ALaunchALevel) {
  const TestGraph test = random_graph(28, 500);
  const BothWays graph(test);
  std::vector<VertexId> sources;
  for (VertexId k = 0; k < 130; ++k) sources.push_back(k * 3 % test.num_vertices);
  for (const Parameters& way :
       {Parameters{}, Parameters{{"pull", 0}, {"push", never}}, Parameters{{"pull", 40}, {"push", 30}}}) {
    Parameters parameters = way;
    parameters.insert({{"level_launches", 1}, {"block", 32}});
    device::Device device(*device::sim_api());
    Runner runner(device, engine(), graph, parameters_for(engine().info, parameters));
    ASSERT_EQ(runner.run({.sources = {0}}, true).distance, naive_bfs(test, {0}));
    ASSERT_EQ(runner.run({.sources = sources}, true).distance, naive_bfs(test, sources));
  }
}

// ---- memory ------------------------------------------------------------------------------------------------------------

/// The less memory is free, the less is taken; where it is too little, the error says so. Answers are right all the same.
TEST(EngineSides, LessAndLessMemory) {
  const TestGraph test = grid(20, 12);
  const BothWays graph(test);
  for (const Parameters& parameters :
       {Parameters{{"high_diameter", 1}, {"block", 32}, {"grid", 2}},
        Parameters{{"level_launches", 1}, {"block", 32}, {"grid", 2}}, grid_wide({{"ms_bfs", 1}})}) {
    bool right = false, refused = false;
    for (free_bytes = 4 << 20; free_bytes > 8 << 10; free_bytes = free_bytes * 2 / 3) try {
        device::Device device(short_of_memory());
        const auto plan = plan_on(device, graph, parameters, true);
        ASSERT_EQ(run(*plan, {.sources = {7}}, test.num_vertices).distance, naive_bfs(test, {7}));
        if (plan->each_width()) check_each(*plan, test, {0, 239}, free_bytes % 2 != 0);
        right = true;
      } catch (const Error& error) {
        EXPECT_EQ(error.failure(), Failure::does_not_fit) << error.what();
        refused = true;
      }
    EXPECT_TRUE(right) << text_of(parameters);
    EXPECT_TRUE(refused) << text_of(parameters);
  }
}

}  // namespace of_engine_sides_test
}  // namespace hopwave::testing
