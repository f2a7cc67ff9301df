// Searches of one plan of the engine, one by one and at once, checked against naive ones.
#pragma once

#include <gtest/gtest.h>

#include "support/engine_plan.h"

namespace hopwave::testing {

inline Parameters grid_wide(Parameters more = {}) {
  more.insert({{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}, {"block", 32}, {"grid", 2}});
  return more;
}

/// Some searches of one plan. `chosen`: how the first one's description begins.
inline void check(const device::Api& api, const TestGraph& test, const Parameters& parameters, bool prepare,
                  const std::vector<VertexId>& sources, const std::string& chosen = "") {
  device::Device device(api);
  const BothWays graph(test);
  const auto plan = plan_on(device, graph, parameters, prepare);
  bool first = true;
  for (const VertexId source : sources) {
    const Found found = run(*plan, {.sources = {source}, .parents = true}, test.num_vertices);
    if (first) {
      EXPECT_EQ(found.chosen.substr(0, chosen.size()), chosen) << test;
    }
    first = false;
    const std::vector<Distance> right = naive_bfs(test, {source});
    ASSERT_EQ(found.distance, right) << test << text_of(parameters) << found.chosen;
    ASSERT_EQ(wrong_parent(graph, found.parent, right), "") << test;
  }
}

/// Searches at once: distances or, `counted`, their number at each distance.
inline void check_each(strategy::Plan& plan, const TestGraph& test, const std::vector<VertexId>& sources, bool counted,
                       bool trace = false) {
  SearchReport stats;
  strategy::RunControl control{.trace = trace, .stats = &stats};
  if (counted) {
    std::size_t taken = 0;
    plan.count_each(sources, -1, control, [&](std::size_t first, const std::vector<std::uint32_t>& counts) {
      ASSERT_EQ(first, taken) << test;
      for (std::size_t i = 0; i < 64 && first + i < sources.size(); ++i, ++taken) {
        std::vector<std::uint32_t> right(counts.size() / 64, 0), found;
        for (const Distance d : naive_bfs(test, {sources[first + i]}))
          if (d >= 0) ++right[static_cast<std::size_t>(d)];
        for (std::size_t k = i; k < counts.size(); k += 64) found.push_back(counts[k]);
        ASSERT_EQ(found, right) << test << ", search " << first + i;
      }
    });
    ASSERT_EQ(taken, sources.size()) << test;
    return;
  }
  plan.run_each(sources, -1, control);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const std::size_t i = k % 2 ? k / 2 : sources.size() - 1 - k / 2;  // not in order
    std::vector<Distance> found(test.num_vertices, -77);
    plan.fetch_each(i, found);
    ASSERT_EQ(found, naive_bfs(test, {sources[i]})) << test << ", search " << i;
  }
}
inline void check_each(const TestGraph& test, Parameters parameters, bool prepare, const std::vector<VertexId>& sources,
                       bool counted, bool trace = false) {
  parameters.insert({"ms_bfs", 1});
  device::Device device(*device::sim_api());
  const BothWays graph(test);
  const auto plan = plan_on(device, graph, parameters, prepare);
  for (int again = 0; again < 2; ++again) check_each(*plan, test, sources, counted, trace);
}

inline std::uint64_t free_bytes = 0;
/// The simulator with as much free memory as `free_bytes` says.
inline const device::Api& short_of_memory() {
  static const device::Api api = [] {
    device::Api other = *device::sim_api();
    other.memory = [](std::uint64_t* free, std::uint64_t* total) {
      *free = free_bytes;
      *total = std::uint64_t{1} << 30;
      return device::Status{0};
    };
    return other;
  }();
  return api;
}

}  // namespace hopwave::testing
