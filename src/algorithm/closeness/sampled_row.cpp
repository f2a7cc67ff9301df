// closeness --samples: every vertex estimated from the distances to a few that are drawn.
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/closeness/rows.h"
#include "algorithm/greatest.h"
#include "core/people_text.h"
#include "core/stopwatch.h"
#include "hopwave/sampled_closeness.h"

namespace hopwave::algorithm {

Kept columns_of(const std::vector<SourceDistances>& rows) {
  std::vector<std::uint64_t> reached, sum, eccentricity;
  std::vector<double> inverse_sum;
  for (const SourceDistances& row : rows) {
    reached.push_back(row.reached), sum.push_back(row.sum), inverse_sum.push_back(row.inverse_sum);
    eccentricity.push_back(static_cast<std::uint64_t>(row.eccentricity));
  }
  return {{"reached", reached}, {"distance_sum", sum}, {"harmonic", inverse_sum}, {"eccentricity", eccentricity}};
}

std::vector<SourceDistances> rows_from(const Kept& kept) {
  const auto& reached = kept_column<std::uint64_t>(kept, "reached");
  const auto& sum = kept_column<std::uint64_t>(kept, "distance_sum");
  const auto& inverse_sum = kept_column<double>(kept, "harmonic");
  const auto& eccentricity = kept_column<std::uint64_t>(kept, "eccentricity");
  std::vector<SourceDistances> rows;
  for (std::size_t i = 0; i < reached.size(); ++i)
    rows.push_back({.reached = static_cast<VertexId>(reached[i]),
                    .sum = sum.at(i),
                    .inverse_sum = inverse_sum.at(i),
                    .eccentricity = static_cast<Distance>(eccentricity.at(i))});
  return rows;
}

namespace {

constexpr std::size_t verified_vertices = 16;

template <class To, class From>
std::vector<To> as(const Array<From>& values) {
  return {values.begin(), values.end()};
}
template <class To, class From>
Array<To> as_array(const std::vector<From>& values) {
  Array<To> array(values.size());
  std::transform(values.begin(), values.end(), array.begin(), [](From value) { return static_cast<To>(value); });
  return array;
}

Kept kept_of(const PivotSums& sums) {
  Kept kept = columns_of(sums.pivot);
  kept["met_of_vertex"] = as<std::uint64_t>(sums.met);
  kept["sum_of_vertex"] = as<std::uint64_t>(sums.sum);
  kept["harmonic_of_vertex"] = as<double>(sums.inverse_sum);
  kept["longest_of_vertex"] = as<std::uint64_t>(sums.longest);
  return kept;
}

PivotSums sums_of(const Kept& kept) {
  if (kept.empty()) return {};
  return {.pivot = rows_from(kept),
          .met = as_array<std::uint32_t>(kept_column<std::uint64_t>(kept, "met_of_vertex")),
          .sum = as_array<std::uint64_t>(kept_column<std::uint64_t>(kept, "sum_of_vertex")),
          .inverse_sum = as_array<double>(kept_column<double>(kept, "harmonic_of_vertex")),
          .longest = as_array<Distance>(kept_column<std::uint64_t>(kept, "longest_of_vertex"))};
}

/// Some vertices again, the other way: a plain search from each gives its distances to the pivots. Returns how many.
std::uint64_t verify(const Job& job, const std::vector<VertexId>& pivots, const SampledCloseness& estimates) {
  const std::size_t n = job.graph.num_vertices(), some = std::min(n, verified_vertices);
  if (some == 0) return 0;
  Searcher searcher(job.graph,
                    {.strategy = "cpu-sequential", .direction = job.search.direction, .run = {.device = DeviceKind::cpu}});
  const PivotSums& sums = estimates.sums;
  for (std::size_t k = 0; k < some; ++k) {
    const auto v = static_cast<VertexId>(k * n / some);
    const Result result = searcher.run({.sources = {v}});
    std::uint64_t met = 0, sum = 0;
    double inverse_sum = 0;
    for (std::size_t i = 0; i < estimates.pivots; ++i) {
      const Distance d = result.distance[pivots[i]];
      if (d > 0) ++met, sum += static_cast<std::uint64_t>(d), inverse_sum += 1 / static_cast<double>(d);
    }
    if (sums.met[v] != met || sums.sum[v] != sum || sums.inverse_sum[v] != inverse_sum || sums.longest[v] < result.depth)
      is_wrong(fmt::format("a distance sum of {} from {} to the pivots", sums.sum[v], job.graph.name(v)),
               fmt::format("{}, as cpu-sequential finds", sum));
  }
  return some;
}

double largest(const Array<double>& errors) { return errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end()); }

std::vector<Line> lines_of(const Job& job, const SampledCloseness& estimates, double seconds, std::size_t resumed) {
  std::vector<Line> lines;
  if (!estimates.run.strategy.empty())
    lines.push_back({"strategy", estimates.run.strategy + " on " + name_of(estimates.run.device) + gpus_text(job.search) +
                                     (estimates.run.chosen.empty() ? "" : " (" + estimates.run.chosen + ")")});
  lines.push_back({"pivots", core::plural(estimates.pivots, "vertex", "vertices") + " drawn at random, searched from in " +
                                 core::seconds_text(seconds) +
                                 (resumed ? ", " + core::grouped(resumed) + " of them in earlier runs" : "")});
  lines.push_back(
      {"distances", fmt::format("{:.4f} ± {:.2g} on average · efficiency {:.4f} ± {:.2g}", estimates.average_distance,
                                estimates.average_distance_error, estimates.efficiency, estimates.efficiency_error)});
  lines.push_back({"diameter", fmt::format("at least {}, at most {}", estimates.seen, estimates.longest)});
  lines.push_back(
      {"error",
       fmt::format("closeness at most {:.2g}, harmonic {:.3g}, each for all vertices at once with a probability of {:.0f} %",
                   largest(estimates.closeness_error), largest(estimates.harmonic_error), 100 * (1 - estimates.risk))});
  return lines;
}

}  // namespace

AlgorithmAnswer call_sampled_closeness(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  SampledClosenessOptions options{.samples = std::get<std::uint64_t>(values[0]), .risk = std::get<double>(values[1])};
  options.search.direction = direction_named(std::get<std::string>(values[2]));
  options.search.run = run;
  const std::uint64_t searches = std::min<std::uint64_t>(options.samples, graph.num_vertices());
  SampledCloseness found = sampled_closeness(graph, std::move(options));
  return {{std::move(found.closeness), std::move(found.closeness_error), std::move(found.harmonic),
           std::move(found.harmonic_error), std::move(found.average), std::move(found.average_error), std::move(found.reached),
           found.average_distance, found.average_distance_error, found.efficiency, found.efficiency_error,
           DistanceRange{found.seen, found.longest}, found.pivots, found.risk},
          std::move(found.run),
          {.what = "searches", .done = found.pivots, .total = searches}};
}

Algorithm sampled_closeness_call() {
  using Kind = AlgorithmOutput::Kind;
  return {.function = "sampled_closeness",
          .help =
              "Closeness and harmonic centrality of every vertex, estimated from `samples` random vertices.\n\n"
              "Distances are hops, also in a graph with weights. With as many samples as vertices the values are "
              "exact. `seed` chooses them. At `time_limit`, `stop` and the end by `progress`, which counts "
              "searches, the result has estimates from the pivots searched by then: see `run`.",
          .result = "SampledCloseness",
          .result_help =
              "Estimates, one value per vertex; top(10) of each array returns ids. With a probability of 1 - "
              "risk no value of an array is farther from the true one than its error.",
          .parameters = {{.name = "samples", .lowest = 1, .required = true, .keyword = false},
                         {.name = "risk", .kind = AlgorithmParameter::Kind::real, .initial = 0.05},
                         direction_parameter("in")},
          .outputs = {{"closeness", Kind::reals, "", true},
                      {"closeness_error", Kind::reals},
                      {"harmonic", Kind::reals, "The sum of 1 / distance.", true},
                      {"harmonic_error", Kind::reals},
                      {"average", Kind::reals,
                       "Average distance to the vertices that it reaches; 0 if none of them is a pivot.", true},
                      {"average_error", Kind::reals},
                      {"reached", Kind::reals, "Number of vertices reached, itself included; exact if directions are ignored."},
                      {"average_distance", Kind::real, "Of the graph, over all pairs of a vertex and another that it reaches."},
                      {"average_distance_error", Kind::real},
                      {"efficiency", Kind::real},
                      {"efficiency_error", Kind::real},
                      {"diameter", Kind::range, "A distance that was found, and one that no distance exceeds."},
                      {"pivots", Kind::count, "Searches made."},
                      {"risk", Kind::real}},
          .unit = "search",
          .automatic = "auto",
          .passes = 64,
          .partial = true,
          .call = call_sampled_closeness};
}

Found run_sampled_closeness(Job& job) {
  const Graph& graph = job.graph;
  SampledClosenessOptions sampling{.samples = static_cast<std::uint64_t>(job.values.count("samples")), .search = job.search};
  const std::vector<VertexId> pivots = drawn_vertices(graph.num_vertices(), sampling.samples, sampling.search.run.seed);
  sampling.begun = sums_of(job.keeper.begun("closeness-sums", pivots));
  const std::size_t resumed = sampling.begun.pivot.size();
  sampling.search.run.progress = [&](const Step& step) {
    return job.progress.steps(core::grouped(step.done) + " of " + core::plural(step.total, "pivot"), step.done, step.total);
  };
  const core::Stopwatch watch;
  SampledCloseness estimates = sampled_closeness(graph, std::move(sampling));
  const double seconds = watch.seconds();
  Found found;
  found.schema = "closeness-sampled";
  std::uint64_t verified = 0;
  if (job.verify && job.progress.stage("verifying")) verified = verify(job, pivots, estimates);
  if (verified)
    found.verified =
        core::plural(verified, "vertex", "vertices") + " searched from by cpu-sequential: the same distances to all pivots";
  if (!estimates.run.complete() && estimates.pivots == 0) nothing_found(estimates.run.end, "pivot");
  found.lines = lines_of(job, estimates, seconds, resumed);
  List closest;
  for (const VertexId v : greatest<VertexId>(estimates.closeness.size(), static_cast<std::size_t>(job.values.count("top")),
                                             [&](VertexId v) { return estimates.closeness[v]; })) {
    found.lines.push_back({closest.empty() ? "closest" : "",
                           fmt::format("{} closeness {:.5f} ± {:.2g} · harmonic {:.2f} ± {:.3g}",
                                       core::printable(graph.name(v)), estimates.closeness[v], estimates.closeness_error[v],
                                       estimates.harmonic[v], estimates.harmonic_error[v])});
    closest.push_back(Object{{"id", Vertex{v}},
                             {"closeness", estimates.closeness[v]},
                             {"closeness_error", estimates.closeness_error[v]},
                             {"harmonic", estimates.harmonic[v]},
                             {"harmonic_error", estimates.harmonic_error[v]},
                             {"average_distance", estimates.average[v]},
                             {"average_distance_error", estimates.average_error[v]},
                             {"reached", estimates.reached[v]}});
  }
  const std::string gpus = gpus_text(job.search);
  found.figures = {{"strategy", estimates.run.strategy},
                   {"device", name_of(estimates.run.device)},
                   {"gpus", gpus.empty() ? gpus : gpus.substr(1)},
                   {"chosen", estimates.run.chosen},
                   {"direction", name_of(job.search.direction)},
                   {"samples", std::uint64_t{pivots.size()}},
                   {"pivots", estimates.pivots},
                   {"resumed", std::uint64_t{resumed}},
                   {"risk", estimates.risk},
                   {"average_distance", estimates.average_distance},
                   {"average_distance_error", estimates.average_distance_error},
                   {"efficiency", estimates.efficiency},
                   {"efficiency_error", estimates.efficiency_error},
                   {"diameter", Object{{"seen", estimates.seen}, {"at_most", estimates.longest}}},
                   {"closeness_error", largest(estimates.closeness_error)},
                   {"harmonic_error", largest(estimates.harmonic_error)},
                   {"closest", std::move(closest)},
                   {"complete", estimates.run.complete()},
                   {"ended", core::name_of(estimates.run.end)},
                   {"verified", verified},
                   {"load_seconds", job.load_seconds},
                   {"search_seconds", seconds},
                   {"device_ms", estimates.run.work.count()}};
  found.run = estimates.run;
  found.ended_text =
      fmt::format("these are estimates from {} of {}", core::grouped(estimates.pivots), core::plural(pivots.size(), "pivot"));
  if (!estimates.run.complete()) found.kept = kept_of(estimates.sums);
  if (!job.writes) return found;
  found.columns.push_back({"closeness", std::move(estimates.closeness)});
  found.columns.push_back({"closeness_error", std::move(estimates.closeness_error)});
  found.columns.push_back({"harmonic", std::move(estimates.harmonic)});
  found.columns.push_back({"harmonic_error", std::move(estimates.harmonic_error)});
  found.columns.push_back({"average_distance", std::move(estimates.average)});
  found.columns.push_back({"average_distance_error", std::move(estimates.average_error)});
  found.columns.push_back({"reached", std::move(estimates.reached)});
  return found;
}

}  // namespace hopwave::algorithm
