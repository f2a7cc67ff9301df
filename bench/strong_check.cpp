// The campaign of gpu-check --scc.
#include "strong_check.h"

#include <fmt/format.h>

#include <cmath>

#include "device/tried_schedules.h"
#include "strong_graphs.h"

namespace hopwave::bench {
namespace {

/// Sizes are log-uniform: up to 2^11 edges in the simulator, 2^18 on a GPU, and 2^21 for one graph in fifty there.
std::string draw_spec(std::uint64_t seed, DeviceKind device) {
  std::uint64_t state = splitmix64(seed);
  const auto below = [&](std::uint64_t limit) { return splitmix64(state++) % limit; };
  const bool sim = device == DeviceKind::sim;
  const std::uint64_t bits = !sim && below(50) == 0 ? 21 : 3 + below(sim ? 9 : 16);
  const std::uint64_t edges = (std::uint64_t{1} << bits) + below(std::uint64_t{1} << bits);
  const std::uint64_t both = std::uint64_t{1} << below(12), kind = below(12);
  if (kind == 0) return fmt::format("cycles:{}", edges);
  if (kind == 1) return fmt::format("one-way:{}:chain:{}", both, edges + 2);
  const std::string what =
      kind == 2   ? fmt::format("streets:{},{}", 2 + static_cast<int>(std::sqrt(static_cast<double>(edges))), seed)
      : kind == 3 ? fmt::format("uniform:{},{},{}", std::max<std::uint64_t>(bits, 4) - 2, 1 + below(5), seed)
      : kind <= 5 ? fmt::format("rmat:{},{},{}", std::max<std::uint64_t>(bits, 5) - 3, 1 + below(12), seed)
                  : fmt::format("shapes:{},{}", seed, edges);
  return fmt::format("one-way:{}:{}", both, what);
}

}  // namespace

std::uint64_t check_strong(DeviceKind device, std::uint64_t first, std::uint64_t count) {
  std::uint64_t wrong = 0, graphs = 0, spreads = 0, max_rounds = 0;
  for (std::uint64_t seed = first; seed < first + count && wrong < 10; ++seed, ++graphs) {
    const std::string spec = draw_spec(seed, device);
    const Graph graph = load_directed(spec);
    // Without incoming arcs and with one thread, it is Tarjan's algorithm alone.
    const Graph rows =
        Graph::trusted(graph.num_vertices(), true, graph.out(), std::nullopt, Ids::consecutive(graph.num_vertices()));
    const StrongComponents right = strong_components(rows, {.run = {.threads = 1}});
    StrongOptions options{.run = {.device = device}};
    if (device == DeviceKind::sim)
      options.run.simulator.seed = seed,
      options.run.simulator.schedule = static_cast<ScheduleKind>(splitmix64(seed) % device::tried_schedules);
    const StrongComponents found = strong_components(graph, options);
    spreads += found.spreads > 0;
    max_rounds = std::max(max_rounds, found.rounds);
    const auto& label = found.label;
    const auto at = std::mismatch(label.begin(), label.end(), right.label.begin()).first - label.begin();
    if (at == static_cast<std::ptrdiff_t>(label.size()) && found.count == right.count) continue;
    ++wrong;
    fmt::print("WRONG: seed {}: {}: vertex {} of {}; {} components, not {}\n", seed, spec, at, label.size(), found.count,
               right.count);
  }
  fmt::print(
      "strongly connected components: {} graphs from seed {} on, {} left something to spread, {} rounds at most, {} wrong\n",
      graphs, first, spreads, max_rounds, wrong);
  return wrong;
}

}  // namespace hopwave::bench
