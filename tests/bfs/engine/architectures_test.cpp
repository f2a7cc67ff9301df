// The limits of other GPUs upon the simulated one: what a device says, refuses and grants, the thresholds that follow, and that
// every strategy and every traversal of `auto` is right there or says what is missing.
#include <gtest/gtest.h>

#include <set>

#include "bfs/engine/device_thresholds.h"
#include "device/architecture.h"
#include "device/kernel.h"
#include "hopwave/generate.h"
#include "support/engine_searches.h"
#include "support/error_id.h"
#include "support/sanitized.h"

namespace hopwave::testing {
namespace of_architectures_test {

using device::Architecture;
using device::Device;

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Architecture& one : device::architectures()) all.emplace_back(one.name);
  return all;
}

namespace dev = sim::dev;

HW_KERNEL void nothing() {}
HW_KERNEL void static_array(int* out) {
  HW_SHARED(int, array, 1024);
  array[0] = 7;
  *out = array[0];
}

TEST(Architectures, ADeviceHasNoMoreThanTheOther) {
  for (const Architecture& one : device::architectures()) {
    Device device(*device::sim_api(), {.limits_of = std::string(one.name)});
    const device::Properties& p = device.properties();
    EXPECT_EQ(p.shared_per_block, one.shared_per_block ? one.shared_per_block : 227u << 10) << one.name;
    EXPECT_EQ(p.clusters, one.largest_cluster != 1) << one.name;
    EXPECT_EQ(p.cooperative, one.cooperative) << one.name;
    EXPECT_EQ(p.multiprocessors, 4) << one.name;  // of the simulator: fewer than of any other
    EXPECT_EQ(p.l2_bytes, one.l2_bytes) << one.name;
    EXPECT_NE(p.name, "simulator") << one.name;
    EXPECT_EQ(device.largest_cluster(reinterpret_cast<const void*>(nothing), 16, 32, 0),
              one.largest_cluster == 1 ? 0u
              : one.largest_cluster    ? static_cast<unsigned>(one.largest_cluster)
                                       : 16u)
        << one.name;
  }
  Device whole(*device::sim_api());
  EXPECT_EQ(whole.properties().name, "simulator");
  EXPECT_EQ(whole.properties().shared_per_block, 227u << 10);
}

TEST(Architectures, LaunchesBeyondTheLimitsAreRefused) {
  const auto refused = [](const std::string& limits, const device::LaunchShape& shape) {
    Device device(*device::sim_api(), {.limits_of = limits});
    return id_of([&] { launch(device, {shape}, nothing); });
  };
  const std::string no = "HW-DEVICE-CALL";
  EXPECT_EQ(refused("86", {.grid = 1, .block = 32, .shared_bytes = 99 << 10}), "none");
  EXPECT_EQ(refused("86", {.grid = 1, .block = 32, .shared_bytes = (99 << 10) + 1}), no);
  EXPECT_EQ(refused("80", {.grid = 1, .block = 32, .shared_bytes = 163 << 10}), "none");
  EXPECT_EQ(refused("120", {.grid = 8, .block = 32, .cluster = 8}), "none");
  EXPECT_EQ(refused("120", {.grid = 16, .block = 32, .cluster = 16}), no);
  EXPECT_EQ(refused("90", {.grid = 16, .block = 32, .cluster = 16}), "none");
  EXPECT_EQ(refused("no-clusters", {.grid = 2, .block = 32, .cluster = 2}), no);
  EXPECT_EQ(refused("no-clusters", {.grid = 2, .block = 32, .cluster = 1}), "none");
  EXPECT_EQ(refused("80", {.grid = 2, .block = 32, .cluster = 2}), no);
  EXPECT_EQ(refused("no-cooperative", {.grid = 2, .block = 32, .cooperative = true}), no);
  EXPECT_EQ(refused("80", {.grid = 2, .block = 32, .cooperative = true}), "none");
  // Arrays of a kernel's own count too.
  for (const bool fits : {true, false}) {
    Device device(*device::sim_api(), {.limits_of = "89"});
    device::Buffer<int> out(device, 1);
    const std::size_t bytes = (99 << 10) - 4096 + (fits ? 0 : 1);
    EXPECT_EQ(id_of([&] { launch(device, {{.grid = 1, .block = 1, .shared_bytes = bytes}}, static_array, out.data()); }),
              fits ? "none" : "HW-SIM-SHARED");
  }
}

TEST(Architectures, ResidentBlocksFitAMultiprocessor) {
  const auto grid = [](const std::string& limits, std::uint32_t block, std::size_t shared) {
    Device device(*device::sim_api(), {.limits_of = limits});
    return device.resident_grid(reinterpret_cast<const void*>(nothing), block, shared);
  };
  EXPECT_EQ(grid("90", 256, 60 << 10), 8u);  // two a multiprocessor, of four
  EXPECT_EQ(grid("86", 256, 60 << 10), 4u);  // 122 KiB are too much
  EXPECT_EQ(grid("86", 256, 49 << 10), 8u);  // with 1 KiB each, 100 KiB are just enough
  EXPECT_EQ(grid("86", 256, (49 << 10) + 1), 4u);
  EXPECT_EQ(grid("86", 256, 100 << 10), 0u);
  EXPECT_EQ(device::blocks_within(*device::find_architecture("86"), 2, 1024, 0), 1);  // 1,536 threads
  EXPECT_EQ(device::blocks_within(*device::find_architecture("80"), 2, 1024, 0), 2);
  EXPECT_EQ(device::blocks_within(*device::find_architecture("no-clusters"), 2, 1024, 200 << 10), 2);
}

TEST(Architectures, ThresholdsFollowTheRule) {
  Device simulator(*device::sim_api());
  const auto measured = engine::thresholds_of(simulator).few_threads_vertices;
  for (const std::string& name : names()) {
    Device device(*device::sim_api(), {.limits_of = name});
    EXPECT_EQ(engine::thresholds_of(device).few_threads_vertices, measured * 4 / 132) << name;
  }
  Device with_eight(*device::sim_api(), {.limits_of = "120"});
  device::Properties p = with_eight.properties();
  p.multiprocessors = 170;
  EXPECT_EQ(engine::thresholds_of(p).widest_high_diameter, 12'288u * 116 * 8 * 170 / (16 * 132 * 162));
}

TEST(Architectures, NamesThatThereAreNot) {
  EXPECT_EQ(id_of([] { Device(*device::sim_api(), {.limits_of = "75"}); }), "HW-DEVICE-LIMITS");
  const Graph g = build_graph(generate("chain:5"));
  EXPECT_EQ(id_of([&] { Searcher(g, {.run = {.device = DeviceKind::sim, .on = {.limits_of = "sm_80"}}}); }),
            "HW-DEVICE-LIMITS");
}

std::string test_name(const ::testing::TestParamInfo<std::string>& param) {
  std::string name = param.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class OnArchitecture : public ::testing::TestWithParam<std::string> {};

TEST_P(OnArchitecture, EveryStrategyIsRightOrSaysWhatIsMissing) {
  Device device(*device::sim_api(), {.limits_of = GetParam()});
  std::set<std::string> lacking;
  const Graph small = build_graph(generate("grid:5x5"));
  for (const strategy::Descriptor* one : gpu_strategies()) {
    const Needs& needs = one->info.needs;
    if ((needs.cooperative && !device.properties().cooperative) || (needs.clusters && !device.properties().clusters)) {
      const SearchOptions options{.strategy = std::string(one->info.name),
                                  .run = {.device = DeviceKind::sim, .on = {.limits_of = GetParam()}}};
      EXPECT_EQ(id_of([&] { Searcher(small, options); }).substr(0, 9), "HW-NEEDS-") << one->info.name;
      lacking.emplace(one->info.name);
      continue;
    }
    for (const TestGraph& test : {grid(23, 31), random_graph(300), chain(130), star(400)})
      for (const bool prepared : {false, true}) {
        if (prepared && !has_prepared_form(one->info)) continue;
        const BothWays graph(test);
        Runner runner(device, *one, graph, parameters_for(one->info), {.prepared = prepared});
        for (const VertexId source : {0, 17}) {
          const auto right = naive_bfs(test, {source});
          ASSERT_EQ(runner.run({.sources = {source}}).distance, right) << one->info.name << ", " << test;
        }
      }
  }
  EXPECT_EQ(lacking.size(), GetParam() == "no-cooperative" ? 1u : 0u);
}

INSTANTIATE_TEST_SUITE_P(All, OnArchitecture, ::testing::ValuesIn(names()), test_name);

/// The others have the limits of one of these, or none that the simulator has not.
class Traversals : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Limits, Traversals, ::testing::Values("80", "86", "120", "no-cooperative"), test_name);

/// Every traversal by force; where it cannot be, the search is made another way.
TEST_P(Traversals, AreRight) {
  const bool clusters = Device(*device::sim_api(), {.limits_of = GetParam()}).properties().clusters;
  const Parameters ways[] = {
      {},
      {{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}},
      {{"level_launches", 1}},
      {{"single_cluster", 1}, {"high_diameter", 0}},
      {{"high_diameter", 1}},
      {{"high_diameter", 1}, {"hops", 2}},
      {{"high_diameter", 1}, {"async", 3}},
      {{"shared_memory", 1}},
      {{"shared_memory", 2}},
      {{"ms_bfs", 1}},
  };
  std::set<std::string> told;
  std::uint64_t i = 0;
  for (const Parameters& given : ways)
    for (const TestGraph& test : {grid(12, 30), random_graph(77, 900), chain(40), complete(60)})
      for (const bool prepared : {false, true}) {
        if (!tried(i++) && test.num_vertices != 360) continue;  // the grid alone goes all ways
        // Prepared with as many threads as `auto` takes, which is slow here; else with few.
        Parameters way = given;
        if (!prepared) way["block"] = 64;
        Device device(*device::sim_api(), {.limits_of = GetParam()});
        const BothWays graph(test);
        const std::vector<VertexId> sources = {1, static_cast<VertexId>(test.num_vertices - 1)};
        const std::string where = GetParam() + text_of(way) + (prepared ? ", prepared" : "");
        const auto plan = plan_on(device, graph, way, prepared);
        for (const VertexId source : sources) {
          const Found found = run(*plan, {.sources = {source}, .parents = true}, test.num_vertices);
          told.insert(found.chosen.substr(0, found.chosen.find(',')));
          const auto expected = naive_bfs(test, {source});
          ASSERT_EQ(found.distance, expected) << where << ", " << test << ": " << found.chosen;
          ASSERT_EQ(wrong_parent(graph, found.parent, expected), "") << where << ", " << test << ": " << found.chosen;
        }
        if (given.count("ms_bfs")) check_each(*plan, test, sources, false);
      }
  const int most = !clusters ? 1 : GetParam() == "120" ? 8 : 16;
  for (const int blocks : {1, 8, 16})
    EXPECT_EQ(told.count("high-diameter: one cluster of " + std::to_string(blocks) + " blocks") > 0,
              blocks <= most && (blocks > 1 || !clusters))
        << blocks;
  const bool single = std::any_of(told.begin(), told.end(), [](const auto& one) { return one.starts_with("single-cluster"); });
  EXPECT_EQ(single, clusters);
}

}  // namespace of_architectures_test
}  // namespace hopwave::testing
