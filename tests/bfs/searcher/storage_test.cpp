// What `estimate --strategy` counts is what the simulated device is asked for: every byte, every strategy.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <numeric>

#include "bfs/catalogue/catalogue.h"
#include "bfs/catalogue/residency.h"
#include "core/device_api.h"
#include "hopwave/betweenness.h"
#include "hopwave/components.h"
#include "hopwave/eccentricity.h"
#include "hopwave/error.h"
#include "hopwave/estimate.h"
#include "hopwave/generate.h"
#include "hopwave/sampled_closeness.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/strong.h"
#include "support/error_id.h"
#include "support/gpu_runner.h"

namespace hopwave {
namespace of_storage_test {

using search_detail::device_storage;
using strategy::Held;
using testing::BothWays;

/// What the counting table saw since forget(). The table is plain functions, so this is one for the process.
struct Seen {
  std::uint64_t bytes = 0;
  std::uint64_t shared = 0;   ///< greatest dynamic shared memory of a launch
  std::uint32_t threads = 0;  ///< block of that launch
} seen;

device::Api counting() {
  device::Api api = *device::sim_api();
  api.allocate = [](void** p, std::size_t bytes, device::StreamHandle stream) {
    seen.bytes += bytes;
    return device::sim_api()->allocate(p, bytes, stream);
  };
  api.launch = [](const device::LaunchShape& shape, const void* kernel, void** arguments, device::Thunk thunk,
                  device::StreamHandle stream) {
    if (shape.shared_bytes > seen.shared) {
      seen.shared = shape.shared_bytes;
      seen.threads = shape.block;
    }
    return device::sim_api()->launch(shape, kernel, arguments, thunk, stream);
  };
  return api;
}

testing::TestGraph graph(bool directed, VertexId n) {
  testing::TestGraph g = testing::random_graph(7, n);
  g.directed = directed;
  return g;
}

class StorageOf : public ::testing::TestWithParam<const strategy::Descriptor*> {};

TEST_P(StorageOf, IsWhatTheDeviceIsAskedFor) {
  const strategy::Descriptor& descriptor = *GetParam();
  if (descriptor.info.device != "gpu") GTEST_SKIP() << "auto: its traversals differ";
  const device::Api api = counting();
  for (const bool directed : {true, false})
    for (const VertexId n : {1u, 40u, 1500u}) {
      for (const bool parents : {false, true}) {
        const BothWays both(graph(directed, n));
        const Parameters parameters = testing::parameters_for(descriptor.info, {{"library_scan", 0}, {"block", 64}});
        const auto storage =
            device_storage(descriptor.info, {both.num_vertices, both.out.neighbors.size(), !directed, parents}, parameters);
        ASSERT_TRUE(storage) << "no account of its storage in its file: " << descriptor.info.name;
        seen = {};
        device::Device device(api);
        testing::Runner runner(device, descriptor, both, parameters);
        runner.run({.sources = {0}, .parents = parents});
        EXPECT_EQ(storage->bytes(), seen.bytes)
            << descriptor.info.name << (directed ? " directed " : " undirected ") << n << (parents ? " with parents" : "");
        std::uint64_t shared = 0, threads = 0;
        for (const auto& block : storage->blocks)
          if (block.dynamic_shared > shared) shared = block.dynamic_shared, threads = block.threads;
        EXPECT_EQ(shared, seen.shared) << descriptor.info.name;
        EXPECT_EQ(threads, seen.threads) << descriptor.info.name;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, StorageOf, ::testing::ValuesIn(testing::gpu_strategies()), [](const auto& info) {
  std::string name(info.param->info.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Of `auto` a bound is known.
TEST(Storage, AutoStaysBelowTheEstimate) {
  const device::Api api = counting();
  const strategy::Descriptor* engine = nullptr;
  for (const auto* d : testing::gpu_strategies())
    if (d->info.name == "auto") engine = d;
  ASSERT_TRUE(engine);
  const auto taken = [&](const BothWays& both) {
    seen = {};
    device::Device device(api);
    testing::Runner runner(device, *engine, both, testing::parameters_for(engine->info));
    runner.run({.sources = {0}, .parents = true});
    return seen.bytes;
  };
  constexpr std::uint64_t fixed = 64 << 10;  // buffers of the traversals that no graph makes larger
  for (const std::uint64_t kind : {0, 1, 2, 3, 4}) {
    testing::TestGraph g = testing::random_graph(kind, 20000);
    g.directed = false;
    const BothWays both(g);
    const auto estimate = estimate_memory(
        GraphSize{
            .vertices = both.num_vertices, .rows = (both.out.neighbors.size() + 1) / 2, .undirected = true, .exact = true},
        {.parents = true});
    EXPECT_LE(taken(both), estimate.device_bytes + fixed) << "kind " << kind;
  }
}

/// What the device held at once.
class Peak : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes, void*) override {
    void* p = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    sizes_[p] = bytes;
    now_ += bytes;
    most = std::max(most, now_);
    return p;
  }
  void deallocate(void* p, std::size_t, void*) noexcept override {
    now_ -= sizes_[p];
    sizes_.erase(p);
    std::free(p);
  }
  std::uint64_t most = 0;

 private:
  std::uint64_t now_ = 0;
  std::map<void*, std::size_t> sizes_;
};

/// Jobs beside searches: betweenness and components take what the estimate says, closeness and eccentricity no more.
TEST(Storage, JobsTakeWhatIsEstimated) {
  constexpr std::uint64_t fixed = 512 << 10;  // counters, and buffers of the traversals that no graph makes larger
  for (const char* spec : {"rmat:8,16", "grid:30x30", "uniform:8,8"}) {
    const Graph graph = build_graph(generate(spec));
    const GraphSize size{.vertices = graph.num_vertices(),
                         .rows = graph.num_arcs() / (graph.directed() ? 1 : 2),
                         .undirected = !graph.directed(),
                         .exact = true};
    const auto sources = std::vector<VertexId>{0, 1, 2};
    for (const bool arcs : {false, true}) {
      const auto peak = std::make_shared<Peak>();
      (void)betweenness(graph, {.sources = sources, .arcs = arcs, .run = {.device = DeviceKind::sim, .on = {.memory = peak}}});
      const auto e = estimate_memory(size, {.job = EstimateJob::betweenness, .samples = 3, .arcs = arcs});
      EXPECT_EQ(e.searches, 3u);
      EXPECT_LE(peak->most, e.device_bytes + (8 << 10)) << spec;
      EXPECT_GE(peak->most, e.device_bytes) << spec;
    }
    auto peak = std::make_shared<Peak>();
    (void)connected_components(graph, {.device = DeviceKind::sim, .on = {.memory = peak}});
    const auto components = estimate_memory(size, {.job = EstimateJob::components});
    EXPECT_EQ(peak->most, components.device_bytes) << spec;
    EXPECT_EQ(components.searches, 0u);
    peak = std::make_shared<Peak>();
    SampledClosenessOptions sampling{.samples = 5};
    sampling.search.run.device = DeviceKind::sim;
    sampling.search.run.on.memory = peak;
    (void)sampled_closeness(graph, sampling);
    const auto sampled = estimate_memory(size, {.job = EstimateJob::closeness, .samples = 5});
    EXPECT_LE(peak->most, sampled.device_bytes + fixed) << spec;
    const auto searches = estimate_memory(size, {.build_in = true, .searches = 5});
    EXPECT_EQ(sampled.device_bytes, searches.device_bytes + 24 * graph.num_vertices()) << spec;  // the sums
    peak = std::make_shared<Peak>();
    EccentricityOptions bounds{.goal = EccentricityGoal::diameter};
    bounds.search.run.device = DeviceKind::sim;
    bounds.search.direction = Direction::both;
    bounds.search.run.on.memory = peak;
    (void)eccentricities(graph, bounds);
    EXPECT_LE(peak->most, estimate_memory(size, {.job = EstimateJob::eccentricity}).device_bytes + fixed) << spec;
    peak = std::make_shared<Peak>();
    (void)strong_components(graph, StrongOptions{.run = {.device = DeviceKind::sim, .on = {.memory = peak}}});
    EXPECT_EQ(peak->most, estimate_memory(size, {.job = EstimateJob::strong_components}).device_bytes) << spec;
  }
  // Closeness of all: passes in flight, each with more digits and counters where the graph is deep.
  for (const char* spec : {"chain:600", "grid:30x30", "rmat:9,8", "chain:200"}) {
    const Graph graph = build_graph(generate(spec));
    const auto peak = std::make_shared<Peak>();
    SearchOptions options{.parameters = {{"ms_bfs", 1}}, .run = {.device = DeviceKind::sim}};
    options.run.on.memory = peak;
    Searcher searcher(graph, options);
    std::vector<VertexId> all(graph.num_vertices());
    std::iota(all.begin(), all.end(), VertexId{0});
    const SearchReport stats = searcher.count_levels(all, -1, [](std::size_t, LevelCounts&&) {});
    EXPECT_NE(stats.chosen.find("at the same time"), std::string::npos) << stats.chosen;
    const GraphSize size{
        .vertices = graph.num_vertices(), .rows = graph.num_arcs() / 2, .undirected = !graph.directed(), .exact = true};
    EXPECT_LE(peak->most, estimate_memory(size, {.job = EstimateJob::closeness}).device_bytes) << spec;
  }
  EdgeList list = generate("rmat:11,6");
  list.directed = true;
  const Graph one_way = build_graph(std::move(list), {.build_in = true});
  const auto peak = std::make_shared<Peak>();
  (void)strong_components(one_way, StrongOptions{.run = {.device = DeviceKind::sim, .on = {.memory = peak}}});
  const GraphSize size{.vertices = one_way.num_vertices(), .rows = one_way.num_arcs()};
  EXPECT_EQ(peak->most, estimate_memory(size, {.job = EstimateJob::strong_components}).device_bytes);
}

/// Shortest paths by weight: what the device is asked for at once is what the estimate says, to a few buffers of fixed size.
TEST(Storage, ShortestPathsTakeWhatIsEstimated) {
  for (const char* spec : {"rmat:11,16", "grid:80x80", "star:9000"}) {
    const Graph graph = build_graph(generate(spec));
    const auto peak = std::make_shared<Peak>();
    (void)shortest_paths(graph, {.sources = {0}},
                         {.strategy = "near-far", .run = {.device = DeviceKind::sim, .on = {.memory = peak}}});
    const auto estimate = estimate_memory(GraphSize{.vertices = graph.num_vertices(),
                                                    .rows = graph.num_arcs() / (graph.directed() ? 1 : 2),
                                                    .undirected = !graph.directed(),
                                                    .exact = true},
                                          {.parents = true, .weights = true});
    EXPECT_LE(peak->most, estimate.device_bytes + (64 << 10)) << spec;  // counters of fixed size
    EXPECT_GE(peak->most, estimate.device_bytes / 10 * 7) << spec;      // a graph without weights brings none along
  }
}

/// Queues up to what a block holds: filled, overfull by one, and refused on a device with less.
TEST(SharedQueues, UpToWhatTheDeviceHolds) {
  device::Device device(*device::sim_api());
  const std::int64_t survey = 48 * 1024 / 4;  // the survey's devices: 48 KiB
  int seen_strategies = 0;
  for (const auto* d : testing::gpu_strategies())
    for (const ParameterInfo& p : d->info.parameters) {
      if (p.name != "capacity" && p.name != "queue_size") continue;
      ++seen_strategies;
      const auto with = [&](std::int64_t slots) {
        return Parameters{{std::string(p.name), slots}, {"block", 64}, {"grid", 1}};
      };
      const std::int64_t queues = d->info.name == "pmpp-single-grid" ? 2 : 1;
      EXPECT_EQ(p.highest, 226 * 1024 / 4 / queues) << d->info.name;
      for (const std::int64_t slots : {survey, p.highest})
        for (const VertexId leaves : {static_cast<VertexId>(slots), static_cast<VertexId>(slots + 1)}) {
          const testing::TestGraph star = testing::star(leaves + 1);
          const BothWays both(star);
          testing::Runner runner(device, *d, both, testing::parameters_for(d->info, with(slots)));
          EXPECT_EQ(runner.run({.sources = {0}}).distance, testing::naive_bfs(star, {0})) << d->info.name << " " << slots;
        }
      device::Api small = *device::sim_api();
      small.properties = [](int index, device::Properties* properties) {
        const auto status = device::sim_api()->properties(index, properties);
        properties->shared_per_block = 48 << 10;
        return status;
      };
      device::Device less(small);
      const BothWays both(testing::star(5));
      const std::int64_t most = 47 * 1024 / 4 / queues;
      EXPECT_NO_THROW(testing::Runner(less, *d, both, testing::parameters_for(d->info, with(most))));
      EXPECT_EQ(testing::id_of([&] { testing::Runner(less, *d, both, testing::parameters_for(d->info, with(most + 1))); }),
                "HW-PARAM-SHARED");
    }
  EXPECT_EQ(seen_strategies, 5);
}

TEST(Storage, OfTheBooksGraphByHand) {
  const strategy::StorageShape shape{.vertices = 9, .arcs = 15};
  EXPECT_EQ(strategy::representation_bytes(Held::csr, shape), 4 * 10 + 4 * 15);
  EXPECT_EQ(strategy::representation_bytes(Held::csc, shape), 4 * 10 + 4 * 15);
  EXPECT_EQ(strategy::representation_bytes(Held::coo, shape), 8 * 15);
  EXPECT_EQ(strategy::representation_bytes(Held::records, shape), 8 * 9 + 4 * 15);
}

TEST(Storage, ResidencyByHand) {
  using search_detail::residency;
  EXPECT_EQ(residency({"", 256, 0, 0}).blocks(), 8);  // 2,048 threads
  EXPECT_STREQ(residency({"", 256, 0, 0}).limit(), "threads");
  EXPECT_EQ(residency({"", 32, 0, 0}).blocks(), 32);
  EXPECT_STREQ(residency({"", 32, 0, 0}).limit(), "blocks");
  EXPECT_EQ(residency({"", 33, 0, 0}).by_threads, 32);       // two warps
  EXPECT_EQ(residency({"", 256, 48 << 10, 0}).blocks(), 4);  // 228 KiB in pieces of 49
  EXPECT_STREQ(residency({"", 256, 48 << 10, 0}).limit(), "shared memory");
  EXPECT_EQ(residency({"", 256, 227 << 10, 0}).blocks(), 1);
  EXPECT_EQ(residency({"", 256, 227 << 10, 8}).blocks(), 0);
}

}  // namespace of_storage_test
}  // namespace hopwave
