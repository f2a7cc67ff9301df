// Closeness and harmonic centrality for other languages: one value per source.
#include <fmt/format.h>

#include <numeric>

#include "algorithm/closeness/rows.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "hopwave/error.h"
#include "hopwave/sampled_closeness.h"

namespace hopwave::algorithm {
namespace {

/// What is found of each source, or of each vertex.
AlgorithmAnswer exactly(const Graph& graph, std::vector<VertexId> sources, bool harmonic, const SearchOptions& how) {
  Array<double> value(sources.size());
  if (sources.empty()) return {{std::move(value)}};
  Step now{.what = "searches", .total = sources.size()};
  const auto go_on = [&] { return !how.run.progress || how.run.progress(now); };
  SearchOptions options = how;
  options.run.progress = [&](const Step&) { return go_on(); };
  Searcher searcher(graph, options);
  RunReport run = searcher.count_levels(sources, -1, [&](std::size_t i, LevelCounts&& counts) {
    const SourceDistances found = source_distances(counts);
    value[i] = harmonic ? found.inverse_sum : closeness(found, graph.num_vertices());
    now.done = i + 1;
    if (!go_on()) throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by progress"});
  });
  run.strategy = searcher.strategy();
  run.device = searcher.device();
  run.notes = searcher.notes();
  return {{std::move(value)}, std::move(run), now};
}

AlgorithmAnswer by_weight(const Graph& graph, const std::vector<VertexId>& sources, bool harmonic, const SearchOptions& how) {
  WeightedCloseness found = weighted_closeness(graph, sources, {.direction = how.direction, .run = how.run});
  const std::uint64_t done = found.rows.size(), total = sources.size();
  if (!found.run.complete()) ended_early(found.run.end, fmt::format("{} of {} searches are done", done, total));
  Array<double> value(total);
  for (std::size_t i = 0; i < total; ++i)
    value[i] = harmonic ? found.rows[i].inverse_sum : closeness(found.rows[i], graph.num_vertices());
  return {{std::move(value)}, std::move(found.run), {.what = "searches", .done = done, .total = total}};
}

AlgorithmAnswer estimated(const Graph& graph, std::uint64_t samples, bool harmonic, const SearchOptions& how) {
  SampledCloseness found = sampled_closeness(graph, {.samples = samples, .search = how});
  const std::uint64_t searches = std::min<std::uint64_t>(samples, graph.num_vertices());
  if (!found.run.complete())
    ended_early(found.run.end, fmt::format("{} of {} searches are done", found.pivots, searches),
                "sampled_closeness() returns their estimates");
  return {{std::move(harmonic ? found.harmonic : found.closeness)},
          std::move(found.run),
          {.what = "searches", .done = found.pivots, .total = searches}};
}

template <bool harmonic>
AlgorithmAnswer call_closeness(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  SearchOptions how;
  how.direction = direction_named(std::get<std::string>(values[2]));
  how.run = run;
  const bool weights = std::get<std::uint64_t>(values[3]) == 1;
  const auto* samples = std::get_if<std::uint64_t>(&values[1]);
  if (samples && weights)
    core::refuse("HW-OPTION-VALUE", "samples together with weights", "one of them: estimates are by hops");
  if (samples) return estimated(graph, *samples, harmonic, how);
  std::vector<VertexId> sources(graph.num_vertices());
  std::iota(sources.begin(), sources.end(), VertexId{0});
  if (const auto* named = std::get_if<std::vector<VertexId>>(&values[0])) sources = *named;
  return weights ? by_weight(graph, sources, harmonic, how) : exactly(graph, std::move(sources), harmonic, how);
}

Algorithm of_sources(std::string_view name, std::string_view help, AlgorithmFunction* call) {
  using Kind = AlgorithmParameter::Kind;
  return {.function = name,
          .help = help,
          .parameters = {{.name = "sources", .kind = Kind::vertices, .keyword = false, .excludes = "samples"},
                         {.name = "samples", .lowest = 1},
                         direction_parameter("in"),
                         weights_parameter},
          .outputs = {{.name = name, .kind = AlgorithmOutput::Kind::reals, .ranked = true, .of_sources = true}},
          .unit = "search",
          .automatic = "auto",
          .passes = 0,
          .call = call};
}

}  // namespace

std::vector<Algorithm> closeness_calls() {
  return {of_sources("closeness",
                     "Closeness centrality of `sources` (default: all vertices), scaled by Wasserman and Faust's formula as in "
                     "NetworkX.\n\n"
                     "One float64 per source; top(10) of the result returns the ids with the greatest values. Distances are "
                     "towards the vertex (\"in\"), as in NetworkX: hops, or the least sums of weights with `weights`, which "
                     "the CPU finds, and \"auto\" is the CPU then. `samples` random "
                     "vertices, which `seed` chooses, give an estimate for all vertices; sampled_closeness() returns its error "
                     "bounds.",
                     call_closeness<false>),
          of_sources("harmonic",
                     "Harmonic centrality of `sources`: the sum of 1 / distance towards the vertex (\"in\"), as in "
                     "NetworkX; a distance of 0 does not count. The result and `samples` and `weights` as in closeness().",
                     call_closeness<true>),
          sampled_closeness_call()};
}

}  // namespace hopwave::algorithm
