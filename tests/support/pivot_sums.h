// Sums of distances to pivots that tests compare, and the ways to make them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "hopwave/generate.h"
#include "hopwave/sampled_closeness.h"
#include "support/graphs.h"

namespace hopwave::testing {

inline TestGraph generated(const std::string& spec) {
  const EdgeList list = generate(spec);
  return {spec, list.num_vertices, {list.edges.begin(), list.edges.end()}, list.directed};
}
inline TestGraph composed(std::uint64_t seed) { return generated("shapes:" + std::to_string(seed) + ",300"); }

/// All members, the doubles bit for bit.
inline void expect_same(const PivotSums& one, const PivotSums& other) {
  ASSERT_EQ(one.pivot.size(), other.pivot.size());
  for (std::size_t i = 0; i < one.pivot.size(); ++i) {
    const SourceDistances &a = one.pivot[i], &b = other.pivot[i];
    ASSERT_EQ(a.reached, b.reached) << "pivot " << i;
    ASSERT_EQ(a.sum, b.sum) << "pivot " << i;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.inverse_sum), std::bit_cast<std::uint64_t>(b.inverse_sum)) << "pivot " << i;
    ASSERT_EQ(a.eccentricity, b.eccentricity) << "pivot " << i;
  }
  ASSERT_EQ(one.met.size(), other.met.size());
  ASSERT_EQ(one.sum.size(), other.met.size());
  ASSERT_EQ(one.inverse_sum.size(), other.met.size());
  ASSERT_EQ(one.longest.size(), other.met.size());
  for (std::size_t v = 0; v < one.met.size(); ++v) {
    ASSERT_EQ(one.met[v], other.met[v]) << v;
    ASSERT_EQ(one.sum[v], other.sum[v]) << v;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(one.inverse_sum[v]), std::bit_cast<std::uint64_t>(other.inverse_sum[v])) << v;
    ASSERT_EQ(one.longest[v], other.longest[v]) << v;
  }
}

/// In the simulator, in passes wherever there are two sources.
inline SampledClosenessOptions in_simulator(std::uint64_t samples, std::uint64_t seed = 1) {
  SampledClosenessOptions options{.samples = samples};
  options.search.run.device = DeviceKind::sim;
  options.search.run.seed = options.search.run.simulator.seed = seed;
  options.search.parameters = {{"ms_bfs", 2}, {"block", 64}, {"grid", 3}};
  return options;
}
inline SampledClosenessOptions on_cpu(SampledClosenessOptions options) {
  options.search.run.device = DeviceKind::cpu;
  options.search.strategy = "cpu-sequential";
  options.search.parameters = {};
  options.search.run.replicas = {};
  options.search.partition = Partition::never;
  options.search.prepare = options.search.trace = false;
  options.search.run.on = {};
  return options;
}
inline void expect_as_on_cpu(const TestGraph& test, const SampledClosenessOptions& options) {
  const Graph graph = build(test);
  const SampledCloseness there = sampled_closeness(graph, options), here = sampled_closeness(graph, on_cpu(options));
  ASSERT_TRUE(there.run.complete());
  expect_same(there.sums, here.sums);
  ASSERT_FALSE(::testing::Test::HasFatalFailure()) << test << " " << options.samples << " pivots";
  for (VertexId v = 0; v < test.num_vertices; ++v) {
    ASSERT_EQ(there.closeness[v], here.closeness[v]) << test;
    ASSERT_EQ(there.closeness_error[v], here.closeness_error[v]) << test;
    ASSERT_EQ(there.harmonic[v], here.harmonic[v]) << test;
  }
}

/// Refuses one block of memory, or whatever would make more than `most` bytes. Of any number of devices.
struct Scarce final : DeviceMemory {
  std::map<void*, std::size_t> held;
  std::size_t bytes = 0, peak = 0, most = ~std::size_t{0}, calls = 0, refused = 0;
  std::mutex mutex;

  void* allocate(std::size_t size, void*) override {
    const std::lock_guard lock(mutex);
    if (++calls == refused || size > most - bytes) return nullptr;
    void* p = std::aligned_alloc(256, (size + 255) / 256 * 256);
    held[p] = size;
    peak = std::max(peak, bytes += size);
    return p;
  }
  void deallocate(void* p, std::size_t size, void*) noexcept override {
    const std::lock_guard lock(mutex);
    held.erase(p);
    bytes -= size;
    std::free(p);
  }
};

}  // namespace hopwave::testing
