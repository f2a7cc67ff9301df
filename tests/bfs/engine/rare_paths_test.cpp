// Paths of the engine that only large graphs, other devices or rare schedules take by themselves: devices of few
// multiprocessors and little memory in the simulator, levels of a million edges.
#include <gtest/gtest.h>

#include <cstring>

#include "bfs/engine/device_thresholds.h"
#include "bfs/engine/limits.h"
#include "hopwave/error.h"
#include "support/changed_device.h"
#include "support/engine_plan.h"
#include "support/error_id.h"

namespace hopwave::testing {
namespace of_rare_paths_test {

/// Two searches of one plan, with parents and without; the first says which traversal it was.
void check(const device::Api& api, const TestGraph& test, const Parameters& parameters, bool prepare, const Query& query,
           const std::string& traversal) {
  device::Device device(api);
  const BothWays graph(test);
  const auto plan = plan_on(device, graph, parameters, prepare);
  for (const bool parents : {true, false}) {
    Query asked = query;
    asked.parents = parents;
    const Found found = run(*plan, asked, test.num_vertices);
    ASSERT_EQ(found.chosen.substr(0, traversal.size()), traversal) << test << ": " << found.chosen;
    // A plan may go on beyond a target; the search that calls it trims.
    ASSERT_EQ(trimmed(found.distance, query.max_depth, query.target),
              trimmed(naive_bfs(test, query.sources), query.max_depth, query.target))
        << test;
    if (parents && query.max_depth < 0 && query.target == no_vertex && query.sources.size() == 1) {
      ASSERT_EQ(wrong_parent(graph, found.parent, found.distance), "") << test;
    }
  }
}

/// One multiprocessor: thresholds in vertices are 132 times lower than where they were measured.
void one_multiprocessor(device::Properties& p) {
  p.compute_major = 8;
  p.multiprocessors = 1;
}

TestGraph sparse(VertexId n, VertexId hubs) {
  TestGraph g{.name = "sparse", .num_vertices = n, .directed = false};
  for (VertexId v = 0; v < n; ++v) {
    g.edges.push_back({v, static_cast<VertexId>((v * 7ull + 3) % n)});
    if (hubs && v % 2) g.edges.push_back({v % hubs, v});
  }
  return g;
}

TEST(RarePaths, ThreadsOfABlockBySize) {
  const Parameters grid_wide = {{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}};
  for (const bool prepare : {false, true})
    for (const VertexId hubs : {0u, 3u})
      for (const VertexId n : prepare ? std::vector{1500u, 5000u, 12'000u, 23'000u} : std::vector{1500u, 2500u})
        check(changed_api<one_multiprocessor>(), sparse(n, hubs), grid_wide, prepare, {.sources = {n / 3}}, "grid-wide");
}

/// A sum of edges is kept in two parts, and the upper one is used from 2^20 on.
TEST(RarePaths, LevelsOfAMillionEdges) {
  TestGraph test = chain(6, false);
  for (std::uint32_t i = 0; i < (1u << 20) + 5; ++i) test.edges.push_back({2, 2});
  for (const std::int64_t pull : {std::int64_t{1000}, never})
    check(*device::sim_api(), test,
          {{"high_diameter", 0},
           {"single_cluster", 0},
           {"shared_memory", 0},
           {"block", 32},
           {"grid", 2},
           {"pull", pull},
           {"fast", 0}},
          false, {.sources = {0}}, "grid-wide");
}

TEST(RarePaths, SizesBeyondTheEngine) {
  const auto refused = [](std::uint64_t vertices, std::uint64_t arcs) {
    try {
      sim::engine::check_size(vertices, arcs);
    } catch (const Error& e) {
      EXPECT_EQ(e.failure(), Failure::does_not_fit);
      return e.id();
    }
    return std::string();
  };
  const std::uint64_t vertices = sim::engine::max_engine_vertices, arcs = sim::engine::max_engine_arcs;
  EXPECT_EQ(refused(vertices, arcs), "");
  EXPECT_EQ(refused(vertices + 1, arcs), "HW-ENGINE-SIZE");
  EXPECT_EQ(refused(vertices, arcs + 1), "HW-ENGINE-SIZE");
}

/// Figures were measured on one kind of device. All others follow by rule.
template <int major, int minor, int multiprocessors, int lanes>
void other_device(device::Properties& p) {
  p.compute_major = major;
  p.compute_minor = minor;
  p.multiprocessors = multiprocessors;
  p.lanes = lanes;
}
template <int major, int minor, int multiprocessors, int lanes>
std::uint64_t few_threads_vertices() {
  const device::Device device(changed_api<other_device<major, minor, multiprocessors, lanes>>());
  return hopwave::engine::thresholds_of(device).few_threads_vertices;
}
TEST(RarePaths, ThresholdsOfOtherDevices) {
  const std::uint64_t measured = hopwave::thresholds::h200.few_threads_vertices;
  EXPECT_EQ((few_threads_vertices<0, 0, 4, 32>()), measured) << "the simulator";
  EXPECT_EQ((few_threads_vertices<9, 0, 132, 32>()), measured);
  EXPECT_EQ((few_threads_vertices<9, 0, 66, 32>()), measured / 2);
  EXPECT_EQ((few_threads_vertices<9, 1, 264, 32>()), measured * 2);
  EXPECT_EQ((few_threads_vertices<8, 0, 264, 32>()), measured * 2);
  EXPECT_EQ((few_threads_vertices<9, 4, 264, 64>()), measured * 2);
}

void half_the_cache(device::Properties& p) {
  other_device<9, 0, 66, 32>(p);
  p.l2_bytes = std::uint64_t{25} << 20;
}
TEST(RarePaths, ThresholdsByTheCache) {
  const device::Device device(changed_api<half_the_cache>());
  EXPECT_EQ(hopwave::engine::thresholds_of(device).most_in_cache, hopwave::thresholds::h200.most_in_cache / 2);
}

TEST(RarePaths, PreparedGraphsWithoutVertices) {
  const BothWays graph(TestGraph{.name = "empty"});
  for (const Parameters& parameters :
       {Parameters{}, Parameters{{"shared_memory", 0}}, Parameters{{"shared_memory", 1}}, Parameters{{"shared_memory", 3}},
        Parameters{{"shared_memory", 0}, {"single_cluster", 1}}, Parameters{{"level_launches", 1}}})
    for (const bool prepare : {false, true}) {
      device::Device device(*device::sim_api());
      EXPECT_NO_THROW((void)plan_on(device, graph, parameters, prepare)) << text_of(parameters);
    }
}

/// Many levels, each of more arcs than suit the high-diameter search; a device without clusters does without this.
TEST(RarePaths, PreparedInOneClusterByItsLevels) {
  const TestGraph test = layered(40, 360, 12);
  const BothWays graph(test);
  for (const device::Api* api : {device::sim_api(), &changed_api<lacking<227, true, false>>()}) {
    device::Device device(*api);
    const Parameters parameters = {{"shared_memory", 0}, {"block", 64}, {"cluster", 8}};
    const Found found = run(*plan_on(device, graph, parameters, true), {.sources = {7}}, test.num_vertices);
    EXPECT_EQ(found.chosen.find("levels have many arcs") != std::string::npos, api == device::sim_api()) << found.chosen;
    ASSERT_EQ(found.distance, naive_bfs(test, {7}));
  }
}

/// Rows of two hops are too long: one cluster over the rows as they are, a level a barrier.
TEST(RarePaths, RowsOfOneHopOfALargeGraph) {
  check(*device::sim_api(), layered(130, 800, 5), {{"shared_memory", 0}, {"block", 64}, {"grid", 2}}, true, {.sources = {7}},
        "high-diameter: one cluster");
}

/// Of large graphs every so manieth vertex is asked how much room its row takes. Here those are leaves.
TEST(RarePaths, RowsThatTakeMoreRoomThanAsked) {
  TestGraph test{.name = "band with leaves", .num_vertices = 30'000, .directed = false};
  std::vector<VertexId> band;
  for (VertexId v = 0; v < test.num_vertices; ++v)
    if (v % 8)
      band.push_back(v);
    else
      test.edges.push_back({v, v + 1});
  for (std::size_t i = 0; i < band.size(); ++i)
    for (std::size_t k = 1; k <= 10 && i + k < band.size(); ++k) test.edges.push_back({band[i], band[i + k]});
  check(*device::sim_api(), test, {{"high_diameter", 1}, {"hops", 1}, {"block", 32}, {"grid", 4}}, true, {.sources = {7}},
        "high-diameter");
}

/// Long arms: a look at the first levels, or a short search in lock-step, shows many small levels in short rows.
TEST(RarePaths, LearnsToRunAsynchronously) {
  constexpr VertexId arms = 20, length = 850;
  TestGraph test{.name = "arms", .num_vertices = 1 + arms * length, .directed = false};
  for (VertexId v = 1; v < test.num_vertices; ++v) test.edges.push_back({v <= arms ? 0 : v - arms, v});
  device::Device device(*device::sim_api());
  const BothWays graph(test);
  const Parameters parameters{{"shared_memory", 0}, {"single_cluster", 0}, {"block", 32}, {"grid", 2}};
  const std::string in_lock_step = "high-diameter: one cluster",
                    run_ahead = "high-diameter: 2 blocks in one launch, warps run ahead";
  const auto search = [&](strategy::Plan& plan, Distance max_depth, const std::string& how) {
    const Found found = run(plan, {.sources = {0}, .max_depth = max_depth}, test.num_vertices);
    EXPECT_EQ(found.chosen.substr(0, how.size()), how);
    std::vector<Distance> right = naive_bfs(test, {0});
    for (Distance& d : right)
      if (max_depth >= 0 && d > max_depth) d = unreached;
    ASSERT_EQ(found.distance, right);
  };
  const auto looks = plan_on(device, graph, parameters, false);
  EXPECT_EQ(looks->preparation(), nullptr);
  for (int turn = 0; turn < 2; ++turn) search(*looks, -1, run_ahead);
  const auto is_short = plan_on(device, graph, parameters, false);
  search(*is_short, 100, in_lock_step);
  search(*is_short, -1, run_ahead);
}

void blocks_alone(device::Properties& p) { p.cooperative = p.clusters = false; }
void little_shared_memory(device::Properties& p) { p.shared_per_block = 8192; }

/// A preparation that was stored for one kind of traversal, on a device or beside a graph that does not take it.
TEST(RarePaths, StoredPreparationsThatDoNotFit) {
  device::Device device(*device::sim_api());
  const TestGraph test = grid(40, 25);
  TestGraph one_way = random_graph(6, 400);
  one_way.directed = true;
  const BothWays graph(test), directed(one_way);
  const auto restore = [](device::Device& on, const strategy::View& view, const Preparation& stored, Parameters parameters) {
    return id_of(
        [&] {
          (void)engine().plan({.view = view,
                               .parameters = parameters_for(engine().info, parameters),
                               .prepare = true,
                               .prepared = &stored,
                               .device = &on});
        },
        "");
  };
  const strategy::View view = graph.view(engine().info.needs);
  const auto rows = plan_on(device, graph, {{"shared_memory", 2}}, true)->preparation();
  ASSERT_EQ(rows->kind, "shared-memory");
  EXPECT_EQ(restore(device, view, *rows, {{"shared_memory", 2}}), "");
  EXPECT_EQ(restore(device, view, *rows, {{"shared_memory", 0}}), "HW-PREPARATION-FIT");
  EXPECT_EQ(restore(device, view, *rows, {{"shared_memory", 2}, {"wide_offsets", 1}}), "HW-PREPARATION-FIT");
  device::Device small(changed_api<little_shared_memory>());
  EXPECT_EQ(restore(small, view, *rows, {{"shared_memory", 2}}), "HW-PREPARATION-FIT");
  Preparation other = *rows;
  other.kind = "single-cluster";
  other.layout = 0;
  EXPECT_EQ(restore(device, view, other, {}), "HW-PREPARATION-FIT") << "no such kind is stored";

  const auto relabelled = plan_on(device, graph, {{"shared_memory", 0}, {"high_diameter", 0}}, true)->preparation();
  ASSERT_EQ(relabelled->kind, "grid-wide");
  EXPECT_EQ(restore(device, view, *relabelled, {{"shared_memory", 0}, {"high_diameter", 0}}), "");
  EXPECT_EQ(restore(device, view, *relabelled, {{"shared_memory", 1}}), "HW-PREPARATION-FIT");
  EXPECT_EQ(restore(device, view, *relabelled, {{"shared_memory", 0}, {"high_diameter", 1}}), "HW-PREPARATION-FIT");

  device::Device plain(changed_api<blocks_alone>());
  for (const Parameters& form : {Parameters{{"async", 4}}, Parameters{}}) {
    Parameters parameters = form;
    parameters["high_diameter"] = 1;
    const auto hops = plan_on(device, graph, parameters, true)->preparation();
    ASSERT_EQ(hops->kind, "high-diameter");
    EXPECT_EQ(restore(device, view, *hops, {{"high_diameter", 1}}), "") << text_of(parameters);
    EXPECT_EQ(restore(plain, view, *hops, {{"high_diameter", 1}}), "HW-PREPARATION-FIT") << text_of(parameters);
  }

  const auto of_directed = plan_on(device, directed, {{"shared_memory", 2}}, true)->preparation();
  strategy::View alone = directed.view(engine().info.needs);
  alone.backward = nullptr;
  EXPECT_EQ(restore(device, alone, *of_directed, {{"shared_memory", 2}}), "HW-PREPARATION-FIT");
  EXPECT_EQ(restore(device, directed.view(engine().info.needs), *of_directed, {{"shared_memory", 2}}), "");
}

/// Rows of several hops, and quads for asynchronous warps, that would lead outside.
TEST(RarePaths, StoredRowsThatLeadOutside) {
  device::Device device(*device::sim_api());
  const BothWays graph(grid(40, 25));
  const auto error = [&](const Preparation& stored) {
    return id_of(
        [&] {
          (void)engine().plan({.view = graph.view(engine().info.needs),
                               .parameters = parameters_for(engine().info, {{"high_diameter", 1}}),
                               .prepare = true,
                               .prepared = &stored,
                               .device = &device});
        },
        "");
  };
  const std::string refused = "HW-PREPARATION-FIT";
  const auto hops = plan_on(device, graph, {{"high_diameter", 1}}, true)->preparation();
  EXPECT_EQ(error(*hops), "");
  for (const std::uint64_t wrong : {0, 8}) EXPECT_EQ(error(with(*hops, "hops", 0, wrong)), refused);
  for (const std::uint64_t wrong : {2, 30}) EXPECT_EQ(error(with(*hops, "team_bits", 0, wrong)), refused);
  EXPECT_EQ(error(with(*hops, "units", 0, std::uint64_t{1} << 28)), refused);
  EXPECT_EQ(error(with(*hops, "refs", 5, 0xFFFFFFFFu)), refused);
  EXPECT_EQ(error(with(*hops, "rows", 0, 0x1FFFFFFEu)), refused) << "no such vertex";
  EXPECT_EQ(error(with(*hops, "rows", 0, 0xE0000001u)), refused) << "as many hops as no row has";
  const auto quads = plan_on(device, graph, {{"high_diameter", 1}, {"async", 4}}, true)->preparation();
  EXPECT_EQ(error(*quads), "");
  for (std::size_t word = 0; word < 4; ++word) EXPECT_EQ(error(with(*quads, "rows", word, 1000u)), refused) << word;
  EXPECT_EQ(error(with(*quads, "rows", 3, 0x80000000u | 1000u)), refused) << "beyond the last quad";
  EXPECT_EQ(error(with(*quads, "rows", 3, 0x80000000u)), refused) << "a vertex's own quad";
}

/// What a device lacks, another traversal does without.
TEST(RarePaths, DevicesThatLackSomething) {
  const device::Api* const devices[] = {&changed_api<lacking<1, true, true>>(),    &changed_api<lacking<2, true, false>>(),
                                        &changed_api<lacking<6, true, true>>(),    &changed_api<lacking<227, false, false>>(),
                                        &changed_api<lacking<227, true, false>>(), &changed_api<lacking<227, false, true>>()};
  TestGraph comb = chain(1200, false);
  for (VertexId v = 0; v + 40 < comb.num_vertices; v += 50) comb.edges.push_back({v, v + 40});
  for (const device::Api* api : devices)
    for (const bool prepare : {false, true})
      for (const Parameters& asked :
           {Parameters{{"high_diameter", 1}}, Parameters{{"high_diameter", 1}, {"async", 4}},
            Parameters{{"high_diameter", 1}, {"hops", 2}}, Parameters{{"high_diameter", 1}, {"cluster", 4}},
            Parameters{{"high_diameter", 0}, {"single_cluster", 1}}, Parameters{}}) {
        Parameters parameters = asked;
        parameters.insert({{"shared_memory", 0}, {"block", 32}, {"grid", 2}});
        check(*api, comb, parameters, prepare, {.sources = {7}}, "");
        ASSERT_FALSE(HasFatalFailure()) << text_of(parameters) << (prepare ? ", prepared" : "");
      }
}

/// Wherever the target is: in a level of one block, of the tail, of one block's shared memory.
TEST(RarePaths, TargetsInEveryLevel) {
  const Parameters grid_wide = {{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}, {"block", 32}, {"grid", 2}};
  const auto wide = [&](Parameters more) {
    more.insert(grid_wide.begin(), grid_wide.end());
    return more;
  };
  TestGraph tails = star(40);  // two arms
  tails.num_vertices = 60;
  for (VertexId v = 40; v < 60; ++v) tails.edges.push_back({v < 42 ? v - 30 : v - 2, v});
  for (const TestGraph& test : {tails, chain(30, false), grid(7, 5), binary_tree(61)})  // chains and grids are diagonals
    for (const Parameters& parameters :
         {wide({{"single_block", never}}), wide({{"pull", 0}, {"push", 0}, {"single_block", 0}, {"tail", never}, {"fast", 0}}),
          Parameters{{"shared_memory", 1}, {"block", 64}}, Parameters{{"shared_memory", 2}, {"block", 64}},
          Parameters{{"shared_memory", 3}}})
      for (const bool prepare : {false, true})
        for (VertexId target = 0; target < test.num_vertices; target += 1 + test.num_vertices / 5)
          for (const std::vector<VertexId>& sources : {std::vector<VertexId>{1}, std::vector<VertexId>{1, 2, 1}})
            check(*device::sim_api(), test, parameters, prepare, {.sources = sources, .target = target}, "");
}

/// More vertices than the cluster counts.
TEST(RarePaths, TooLargeForTheCluster) {
  TestGraph test{.name = "one edge", .num_vertices = (1u << 20) + 1, .directed = false};
  test.edges.push_back({0, 1u << 20});
  check(*device::sim_api(), test,
        {{"single_cluster", 1}, {"high_diameter", 0}, {"shared_memory", 0}, {"block", 32}, {"grid", 2}}, false,
        {.sources = {0}}, "grid-wide");
}

}  // namespace of_rare_paths_test
}  // namespace hopwave::testing
