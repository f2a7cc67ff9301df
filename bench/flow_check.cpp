// The campaign of gpu-check --flow.
#include "flow_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "device/tried_schedules.h"
#include "hopwave/flow.h"
#include "hopwave/generate.h"
#include "hopwave/search.h"

namespace hopwave::bench {
namespace {

struct Network {
  std::string spec;
  Graph graph;
  VertexId source = 0, target = 0;
};

/// Sizes are log-uniform: up to 2^8 edges in the simulator, 2^15 on a GPU.
Network draw(std::uint64_t seed, DeviceKind device) {
  std::uint64_t state = splitmix64(seed);
  const auto below = [&](std::uint64_t limit) { return splitmix64(state++) % limit; };
  const std::uint64_t bits = 3 + below(device == DeviceKind::sim ? 5 : 12),
                      edges = (std::uint64_t{1} << bits) + below(1ull << bits);
  const std::uint64_t kind = below(8), greatest[] = {2, 5, 100, std::uint64_t{1} << 45};
  Network network;
  network.spec = kind == 0   ? fmt::format("rmat:{},{},{}", std::max<std::uint64_t>(bits, 5) - 3, 1 + below(12), seed)
                 : kind == 1 ? fmt::format("streets:{},{}", 3 + bits * 2, seed)
                             : fmt::format("shapes:{},{}", seed, edges);
  EdgeList list = generate(network.spec);
  if (const std::uint64_t limit = greatest[below(4)]; below(5)) {
    Array<std::int64_t> capacity(list.edges.size());
    for (auto& c : capacity) c = static_cast<std::int64_t>(below(limit));
    list.weights = Weights(std::move(capacity));
  }
  list.directed = list.directed || below(2) == 0;
  network.graph = build_graph(std::move(list), {.keep_duplicates = below(2) == 0, .keep_self_loops = below(3) == 0});
  const VertexId n = network.graph.num_vertices();
  if (n < 2) return network;
  // A source with arcs, and in seven of eight networks a target that it reaches: most other pairs have no flow.
  for (int tries = 0; tries < 20 && network.graph.out_degree(network.source) == 0; ++tries)
    network.source = static_cast<VertexId>(below(n));
  network.target = static_cast<VertexId>((network.source + 1 + below(n - 1)) % n);
  if (below(8) == 0) return network;
  Searcher searcher(network.graph, {.run = {.device = DeviceKind::cpu, .threads = 1}});
  const Result found = searcher.run({.sources = {network.source}});
  std::vector<VertexId> reached;
  for (VertexId v = 0; v < n; ++v)
    if (found.distance[v] > 0) reached.push_back(v);
  if (!reached.empty()) network.target = reached[below(reached.size())];
  return network;
}

}  // namespace

std::uint64_t check_flow(DeviceKind device, std::uint64_t first, std::uint64_t count) {
  std::uint64_t wrong = 0, networks = 0, none = 0;
  for (std::uint64_t seed = first; seed < first + count && wrong < 10; ++seed) {
    const Network network = draw(seed, device);
    if (network.graph.num_vertices() < 2) continue;
    ++networks;
    const Flow right = max_flow(network.graph, network.source, network.target, {.strategy = "dinic"});
    none += right.value == 0;
    FlowOptions options{.run = {.device = device}};
    if (device == DeviceKind::sim)
      options.run.simulator.seed = seed,
      options.run.simulator.schedule = static_cast<ScheduleKind>(splitmix64(seed) % device::tried_schedules);
    const Flow found = max_flow(network.graph, network.source, network.target, options);
    const Verdict verdict = validate(network.graph, network.source, network.target, found);
    const bool same_side = std::equal(found.source_side.begin(), found.source_side.end(), right.source_side.begin());
    if (found.value == right.value && verdict && same_side) continue;
    ++wrong;
    fmt::print("WRONG: seed {}: {} from {} to {}: {}, not {}; {} {}\n", seed, network.spec, network.source, network.target,
               found.value, right.value, verdict.rule, verdict.message);
  }
  fmt::print("maximum flow: {} networks from seed {} on, {} without any flow, {} wrong\n", networks, first, none, wrong);
  return wrong;
}

}  // namespace hopwave::bench
