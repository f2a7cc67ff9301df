// The campaign of gpu-check --sssp.
#include "sssp_check.h"

#include <fmt/format.h>

#include <bit>

#include "device/tried_schedules.h"
#include "hopwave/hopwave.h"
#include "weights.h"

namespace hopwave::bench {
namespace {

/// Random numbers of a seed, one after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(splitmix64(seed)) {}
  std::uint64_t below(std::uint64_t limit) { return splitmix64(state_++) % limit; }
  bool once_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

struct Trial {
  std::string spec;
  int kind = 0;
  Direction direction = Direction::out;
  WeightedOptions options;
};

/// Sizes are log-uniform: up to 2^11 arcs in the simulator, 2^18 on a GPU, and 2^21 for one graph in fifty there.
Trial draw(std::uint64_t seed, DeviceKind device) {
  Draws draws(seed);
  const bool sim = device == DeviceKind::sim;
  const std::uint64_t bits = !sim && draws.once_in(50) ? 21 : 3 + draws.below(sim ? 9 : 16);
  const std::uint64_t edges = (std::uint64_t{1} << bits) + draws.below(std::uint64_t{1} << bits);
  Trial trial;
  trial.spec = draws.once_in(6) ? fmt::format("rmat:{},{},{}", std::max<std::uint64_t>(bits, 5) - 3, 1 + draws.below(12), seed)
               : draws.once_in(6)
                   ? fmt::format("streets:{},{}", 2 + static_cast<int>(std::sqrt(static_cast<double>(edges) / 3)), seed)
                   : fmt::format("shapes:{},{}", seed, edges);
  trial.kind = static_cast<int>(draws.below(weight_kinds));
  trial.options.strategy = "near-far";
  trial.options.run.device = device;
  trial.options.direction = static_cast<Direction>(draws.below(3));
  if (sim)
    trial.options.run.simulator.seed = seed,
    trial.options.run.simulator.schedule = static_cast<ScheduleKind>(draws.below(device::tried_schedules));
  Parameters& p = trial.options.parameters;
  if (draws.once_in(4)) p["narrow"] = 1;
  if (draws.once_in(6)) p["grid"] = static_cast<std::int64_t>(1 + draws.below(5));
  if (draws.once_in(6)) p["block"] = static_cast<std::int64_t>(32 * (1 + draws.below(16)));
  if (draws.once_in(6)) p["steps"] = static_cast<std::int64_t>(1 + draws.below(20));
  if (draws.once_in(4)) p["aim"] = static_cast<std::int64_t>(1 + draws.below(100000));
  if (draws.once_in(4)) trial.options.delta = std::ldexp(1.0, static_cast<int>(draws.below(24)) - 8);
  return trial;
}

std::string text_of(const Trial& trial, VertexId source) {
  std::string parameters;
  for (const auto& [name, value] : trial.options.parameters) parameters += fmt::format(" {}={}", name, value);
  return fmt::format("{}, weights of kind {}, direction {}, source {}, delta {},{}", trial.spec, trial.kind,
                     static_cast<int>(trial.options.direction), source, trial.options.delta, parameters);
}

/// Returns the error in an answer; empty if there is none.
std::string fault(const Graph& graph, const WeightedQuery& query, const WeightedResult& got, const WeightedResult& right,
                  Direction direction) {
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (std::bit_cast<std::uint64_t>(got.distance[v]) != std::bit_cast<std::uint64_t>(right.distance[v]))
      return fmt::format("vertex {} at {}, not {}", v, got.distance[v], right.distance[v]);
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (query.parents && got.parent[v] != right.parent[v])
      return fmt::format("vertex {} has parent {}, not {}", v, got.parent[v], right.parent[v]);
  const Verdict verdict = validate(graph, query, got, direction);
  return verdict ? "" : verdict.rule + ": " + verdict.message;
}

std::uint64_t run(std::uint64_t seed, const Trial& trial) {
  const Graph graph = with_weights(load_graph(trial.spec), trial.kind, seed);
  if (graph.num_vertices() == 0) return 0;
  Draws draws(~seed);
  WeightedSearcher oracle(
      graph, {.strategy = "cpu-dijkstra", .direction = trial.options.direction, .run = {.device = DeviceKind::cpu}});
  WeightedSearcher tried(graph, trial.options);
  std::uint64_t wrong = 0;
  for (int i = 0; i < 3; ++i) {
    const auto any = [&] { return static_cast<VertexId>(draws.below(graph.num_vertices())); };
    WeightedQuery query{.sources = {any()}};
    if (draws.once_in(4)) query.sources.push_back(any());
    if (draws.once_in(4)) query.target = any();
    if (draws.once_in(6)) query.max_distance = weight_from(trial.kind, draws.below(~0ull)) * 8.0;
    const std::string problem = fault(graph, query, tried.run(query), oracle.run(query), trial.options.direction);
    if (problem.empty()) continue;
    ++wrong;
    fmt::print("WRONG: seed {}: {}: {}\n", seed, text_of(trial, query.sources[0]), problem);
  }
  return wrong;
}

}  // namespace

std::uint64_t check_sssp(DeviceKind device, std::uint64_t first, std::uint64_t count) {
  std::uint64_t wrong = 0, graphs = 0;
  for (std::uint64_t seed = first; seed < first + count && wrong < 10; ++seed, ++graphs) wrong += run(seed, draw(seed, device));
  fmt::print("shortest paths with weights: {} graphs from seed {} on, {} searches, {} wrong\n", graphs, first, 3 * graphs,
             wrong);
  return wrong;
}

}  // namespace hopwave::bench
