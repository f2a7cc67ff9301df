// Closeness of every vertex, or of some, as a row of the table; exactly, or estimated from pivots (sampled_row.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithm/closeness/rows.h"
#include "algorithm/greatest.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "core/stopwatch.h"

namespace hopwave::algorithm {
namespace {

constexpr std::size_t verified_sources = 16;

void check_closeness(const Values& values, bool sources_named, bool) {
  if (values.count("samples") == 0) return;
  if (sources_named) core::refuse("HW-USAGE-OPTION", "--samples together with sources", "one of them: samples are drawn");
  if (values.flag("weights"))
    core::refuse("HW-USAGE-OPTION", "--samples together with --weights", "one of them: estimates are by hops",
                 "-s random:1000@7 --weights finds those of a thousand vertices exactly");
}

Cost closeness_cost(const Values& values, const SearchOptions& search, std::uint64_t sources, VertexId vertices) {
  const auto samples = static_cast<std::uint64_t>(values.count("samples"));
  if (values.flag("weights"))
    return {.memory = {.build_in = search.direction != Direction::out,
                       .weights = true,
                       .searches = sources ? sources : std::max<std::uint64_t>(vertices, 2),
                       .threads = search.run.threads},
            .incoming = search.direction != Direction::out};
  return {.memory = {.job = EstimateJob::closeness,
                     .samples = samples   ? samples
                                : sources ? 1u
                                          : 0u},
          .incoming = search.direction != (samples ? Direction::in : Direction::out),
          .passes = ((samples   ? samples
                      : sources ? sources
                                : vertices) +
                     63) /
                    64};
}

/// What is known of the first sources, in their order.
struct Rows {
  std::vector<SourceDistances> rows = {};
  DistanceSummary summary = {};
};

Kept kept_of(const Rows& done) {
  Kept kept = columns_of(done.rows);
  kept["pairs_at"] = done.summary.pairs_at;
  kept["depth"] = std::vector<std::uint64_t>{static_cast<std::uint64_t>(done.summary.diameter),
                                             static_cast<std::uint64_t>(std::int64_t{done.summary.radius})};
  return kept;
}

Rows rows_of(const Kept& kept) {
  Rows done;
  if (kept.empty()) return done;
  done.rows = rows_from(kept);
  const auto& depth = kept_column<std::uint64_t>(kept, "depth");
  done.summary = {.sources = done.rows.size(),
                  .pairs_at = kept_column<std::uint64_t>(kept, "pairs_at"),
                  .diameter = static_cast<Distance>(depth.at(0)),
                  .radius = static_cast<Distance>(depth.at(1))};
  return done;
}

/// Some sources again, by the plain search on the CPU. Returns how many.
std::uint64_t verify(const Job& job, const Rows& done) {
  Searcher searcher(job.graph,
                    {.strategy = "cpu-sequential", .direction = job.search.direction, .run = {.device = DeviceKind::cpu}});
  const std::size_t count = done.rows.size(), some = std::min(count, verified_sources);
  for (std::size_t k = 0; k < some; ++k) {
    const std::size_t i = k * count / some;
    const VertexId v = job.sources[i];
    SourceDistances expected;
    searcher.count_levels({&v, 1}, -1, [&](std::size_t, LevelCounts&& counts) { expected = source_distances(counts); });
    const SourceDistances& found = done.rows[i];
    if (found.reached != expected.reached || found.sum != expected.sum || found.eccentricity != expected.eccentricity ||
        found.inverse_sum != expected.inverse_sum)
      is_wrong(fmt::format("a distance sum of {} for {}", found.sum, job.graph.ids().name(v)),
               fmt::format("{}, as cpu-sequential finds", expected.sum));
  }
  return some;
}

/// What a run has found of the sources.
struct Run {
  Rows done;
  std::size_t resumed = 0;
  RunReport report = {};
  double seconds = 0;
};

/// Searches from the sources that are left. When it is ended, what is found until then is the answer.
Run search_all(Job& job) {
  Run run{.done = rows_of(job.keeper.begun("closeness-part", job.sources))};
  run.resumed = run.done.rows.size();
  if (run.resumed > job.sources.size())
    job.keeper.refuse(fmt::format("{} rows", run.resumed), fmt::format("at most {}", job.sources.size()));
  job.search.run.progress = [&](const Step&) {
    return job.progress.steps(core::grouped(run.done.rows.size()) + " of " + core::grouped(job.sources.size()) + " sources",
                              run.done.rows.size(), job.sources.size());
  };
  Searcher searcher(job.graph, job.search);
  const core::Stopwatch watch;
  try {
    run.report = searcher.count_levels(std::span(job.sources).subspan(run.resumed), -1, [&](std::size_t, LevelCounts&& counts) {
      run.done.rows.push_back(source_distances(counts));
      run.done.summary.add(counts);
      if (!job.progress.part(0, 0)) throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped"});
    });
  } catch (const Error& error) {
    if ((error.id() != "HW-INTERRUPTED" && error.id() != "HW-TIME-LIMIT") || run.done.rows.empty()) throw;
    run.report.end = core::end_of(error);
  }
  run.seconds = watch.seconds();
  run.report.strategy = searcher.strategy();
  run.report.device = searcher.device();
  run.report.notes = searcher.notes();
  return run;
}

/// A row for each source that is done.
template <class Row>
void add_columns(Found& found, const std::vector<VertexId>& sources, const std::vector<Row>& rows, VertexId n) {
  const std::size_t count = rows.size();
  Array<std::uint32_t> id(count);
  Array<double> value(count), harmonic(count);
  Array<decltype(Row::eccentricity)> eccentricity(count);
  Array<std::uint64_t> reached(count);
  Array<decltype(Row::sum)> sum(count);
  for (std::size_t i = 0; i < count; ++i) {
    id[i] = sources[i], value[i] = closeness(rows[i], n), harmonic[i] = rows[i].inverse_sum;
    eccentricity[i] = rows[i].eccentricity, reached[i] = rows[i].reached, sum[i] = rows[i].sum;
  }
  found.own_rows = true;
  found.columns.push_back({"id", std::move(id), Column::Kind::vertices});
  found.columns.push_back({"closeness", std::move(value)});
  found.columns.push_back({"harmonic", std::move(harmonic)});
  found.columns.push_back({"eccentricity", std::move(eccentricity)});
  found.columns.push_back({"reached", std::move(reached)});
  found.columns.push_back({"distance_sum", std::move(sum)});
}

// By weights.

Kept kept_of(const std::vector<WeightedSourceDistances>& rows, bool exact) {
  std::vector<std::uint64_t> reached;
  std::vector<double> sum, inverse_sum, eccentricity;
  for (const WeightedSourceDistances& row : rows) {
    reached.push_back(row.reached), sum.push_back(row.sum);
    inverse_sum.push_back(row.inverse_sum), eccentricity.push_back(row.eccentricity);
  }
  return {{"reached", reached},
          {"distance_sum", sum},
          {"harmonic", inverse_sum},
          {"eccentricity", eccentricity},
          {"exact", std::vector<std::uint64_t>{exact}}};
}

WeightedCloseness weighted_rows_of(const Kept& kept) {
  WeightedCloseness done;
  if (kept.empty()) return done;
  done.exact = kept_column<std::uint64_t>(kept, "exact").at(0) == 1;
  const auto& reached = kept_column<std::uint64_t>(kept, "reached");
  for (std::size_t i = 0; i < reached.size(); ++i)
    done.rows.push_back({.reached = reached[i],
                         .sum = kept_column<double>(kept, "distance_sum").at(i),
                         .inverse_sum = kept_column<double>(kept, "harmonic").at(i),
                         .eccentricity = kept_column<double>(kept, "eccentricity").at(i)});
  return done;
}

/// Some sources again, by another method.
std::uint64_t verify(const Job& job, const std::vector<WeightedSourceDistances>& rows) {
  WeightedSearcher searcher(
      job.graph, {.strategy = "cpu-delta-stepping", .direction = job.search.direction, .run = {.device = DeviceKind::cpu}});
  const std::size_t count = rows.size(), some = std::min(count, verified_sources);
  for (std::size_t k = 0; k < some; ++k) {
    const std::size_t i = k * count / some;
    const WeightedResult right = searcher.run({.sources = {job.sources[i]}, .parents = false});
    long double sum = 0, inverse_sum = 0;
    for (const double d : right.distance)
      if (d > 0 && d != no_path) sum += static_cast<long double>(d), inverse_sum += 1 / static_cast<long double>(d);
    const auto near = [](double x, long double expected) { return std::fabs(x - expected) <= 1e-12L * expected; };
    const WeightedSourceDistances& found = rows[i];
    if (found.reached != right.reached || found.eccentricity != right.farthest || !near(found.sum, sum) ||
        !near(found.inverse_sum, inverse_sum))
      is_wrong(fmt::format("a distance sum of {} for {}", found.sum, job.graph.ids().name(job.sources[i])),
               fmt::format("{}, as cpu-delta-stepping finds", static_cast<double>(sum)));
  }
  return some;
}

/// Of all pairs of a source and another vertex that it reaches.
struct WeightedSummary {
  std::uint64_t pairs = 0;
  double sum = 0, inverse_sum = 0, diameter = 0, radius = 0;
};
WeightedSummary summary_of(const std::vector<WeightedSourceDistances>& rows) {
  WeightedSummary all;
  if (!rows.empty()) all.radius = no_path;
  for (const WeightedSourceDistances& row : rows) {
    all.pairs += row.reached - 1;
    all.sum += row.sum, all.inverse_sum += row.inverse_sum;
    all.diameter = std::max(all.diameter, row.eccentricity), all.radius = std::min(all.radius, row.eccentricity);
  }
  return all;
}

Found run_weighted(Job& job, bool all) {
  const Graph& graph = job.graph;
  const VertexId n = graph.num_vertices();
  WeightedCloseness done = weighted_rows_of(job.keeper.begun("closeness-weights-part", job.sources));
  const std::size_t resumed = done.rows.size(), count = job.sources.size();
  if (resumed > count) job.keeper.refuse(fmt::format("{} rows", resumed), fmt::format("at most {}", count));
  WeightedOptions options{.strategy = job.search.strategy,
                          .direction = job.search.direction,
                          .parameters = job.search.parameters,
                          .run = job.search.run};
  options.run.progress = [&](const Step& step) {
    return job.progress.steps(core::grouped(resumed + step.done) + " of " + core::grouped(count) + " sources",
                              resumed + step.done, count);
  };
  const core::Stopwatch watch;
  WeightedCloseness rest = weighted_closeness(graph, std::span(job.sources).subspan(resumed), options);
  const double seconds = watch.seconds();
  std::vector<WeightedSourceDistances>& rows = done.rows;
  rows.insert(rows.end(), rest.rows.begin(), rest.rows.end());
  done.exact = done.exact && rest.exact;
  if (!rest.run.complete() && rows.empty()) nothing_found(rest.run.end, "source");
  Found found;
  found.run = std::move(rest.run);
  std::uint64_t verified = 0;
  if (job.verify && job.progress.stage("verifying")) verified = verify(job, rows);
  if (verified) found.verified = core::plural(verified, "source") + " searched again by cpu-delta-stepping: the same";
  const WeightedSummary summary = summary_of(rows);
  const double average = summary.pairs ? summary.sum / static_cast<double>(summary.pairs) : 0,
               efficiency = rows.empty() || n < 2 ? 0 : summary.inverse_sum / (static_cast<double>(rows.size()) * (n - 1.0));
  found.lines = {{"strategy", found.run.strategy + " on " + name_of(found.run.device)},
                 {"sources", (!found.run.complete() ? core::grouped(rows.size()) + " of "
                              : all                 ? "every vertex, "
                                                    : "") +
                                 core::plural(count, "search", "searches") + " in " + core::seconds_text(seconds) +
                                 (resumed ? ", " + core::grouped(resumed) + " of them in earlier runs" : "")},
                 {"distances", fmt::format("{} on average over {} · efficiency {}{}", core::rounded_text(average, 5),
                                           core::plural(summary.pairs, "pair"), core::rounded_text(efficiency, 5),
                                           done.exact ? "" : "; not exact: sums were rounded")},
                 {"depth", fmt::format("{} from the most distant, {} from the most central of the sources",
                                       core::number_text(summary.diameter), core::number_text(summary.radius))}};
  List closest;
  for (const std::size_t i : greatest<std::size_t>(rows.size(), static_cast<std::size_t>(job.values.count("top")),
                                                   [&](std::size_t i) { return closeness(rows[i], n); })) {
    const WeightedSourceDistances& row = rows[i];
    const double value = closeness(row, n);
    found.lines.push_back({closest.empty() ? "closest" : "",
                           fmt::format("{} closeness {} · harmonic {} · eccentricity {}",
                                       core::printable(graph.ids().name(job.sources[i])), core::rounded_text(value, 5),
                                       core::rounded_text(row.inverse_sum, 5), core::number_text(row.eccentricity))});
    closest.push_back(Object{{"id", Vertex{job.sources[i]}},
                             {"closeness", value},
                             {"harmonic", row.inverse_sum},
                             {"eccentricity", Number{row.eccentricity}},
                             {"reached", row.reached},
                             {"distance_sum", Number{row.sum}}});
  }
  found.figures = {{"strategy", found.run.strategy},
                   {"device", name_of(found.run.device)},
                   {"device_why", job.device_why},
                   {"gpus", ""},
                   {"chosen", found.run.chosen},
                   {"direction", name_of(job.search.direction)},
                   {"weights", true},
                   {"exact", done.exact},
                   {"sources", std::uint64_t{count}},
                   {"every_vertex", all},
                   {"done", std::uint64_t{rows.size()}},
                   {"complete", found.run.complete()},
                   {"ended", core::name_of(found.run.end)},
                   {"resumed", std::uint64_t{resumed}},
                   {"pairs", summary.pairs},
                   {"distance_sum", Number{summary.sum}},
                   {"average_distance", average},
                   {"efficiency", efficiency},
                   {"diameter", Number{summary.diameter}},
                   {"radius", Number{summary.radius}},
                   {"pairs_at", Value()},
                   {"closest", std::move(closest)},
                   {"verified", verified},
                   {"load_seconds", job.load_seconds},
                   {"search_seconds", seconds},
                   {"device_ms", found.run.work.count()}};
  found.ended_text = fmt::format("{} of {} are done", core::grouped(rows.size()), core::plural(count, "source"));
  if (found.ended_early()) found.kept = kept_of(rows, done.exact);
  if (job.writes) add_columns(found, job.sources, rows, n);
  return found;
}

std::vector<Line> lines_of(const Job& job, const Run& run, bool all) {
  const DistanceSummary& summary = run.done.summary;
  std::vector<Line> lines;
  const RunReport& report = run.report;
  lines.push_back({"strategy", report.strategy + " on " + name_of(report.device) + gpus_text(job.search) +
                                   (report.chosen.empty() ? "" : " (" + report.chosen + ")")});
  lines.push_back({"sources", (!report.complete() ? core::grouped(run.done.rows.size()) + " of "
                               : all              ? "every vertex, "
                                                  : "") +
                                  core::plural(job.sources.size(), "search", "searches") + " in " +
                                  core::seconds_text(run.seconds) +
                                  (run.resumed ? ", " + core::grouped(run.resumed) + " of them in earlier runs" : "")});
  lines.push_back(
      {"distances", fmt::format("{:.4f} on average over {} · efficiency {:.4f}", summary.average_distance(),
                                core::plural(summary.pairs(), "pair"), summary.efficiency(job.graph.num_vertices()))});
  lines.push_back({"depth", fmt::format("{} from the most distant, {} from the most central of the sources", summary.diameter,
                                        summary.radius)});
  return lines;
}

Found run_closeness(Job& job) {
  if (job.values.count("samples") > 0) return run_sampled_closeness(job);
  const Graph& graph = job.graph;
  const VertexId n = graph.num_vertices();
  const bool all = job.sources.empty();
  if (all) {
    job.sources.resize(n);
    std::iota(job.sources.begin(), job.sources.end(), VertexId{0});
  }
  if (job.values.flag("weights")) return run_weighted(job, all);
  Run run = search_all(job);
  const std::vector<SourceDistances>& rows = run.done.rows;
  const DistanceSummary& summary = run.done.summary;
  Found found;
  std::uint64_t verified = 0;
  if (job.verify && job.progress.stage("verifying")) verified = verify(job, run.done);
  if (verified) found.verified = core::plural(verified, "source") + " searched again by cpu-sequential: the same";
  found.lines = lines_of(job, run, all);
  List closest;
  for (const std::size_t i : greatest<std::size_t>(rows.size(), static_cast<std::size_t>(job.values.count("top")),
                                                   [&](std::size_t i) { return closeness(rows[i], n); })) {
    const SourceDistances& row = rows[i];
    const double value = closeness(row, n);
    found.lines.push_back(
        {closest.empty() ? "closest" : "",
         fmt::format("{} closeness {:.5f} · harmonic {:.2f} · eccentricity {}",
                     core::printable(graph.ids().name(job.sources[i])), value, row.inverse_sum, row.eccentricity)});
    closest.push_back(Object{{"id", Vertex{job.sources[i]}},
                             {"closeness", value},
                             {"harmonic", row.inverse_sum},
                             {"eccentricity", row.eccentricity},
                             {"reached", row.reached},
                             {"distance_sum", row.sum}});
  }
  const std::string gpus = gpus_text(job.search);
  found.figures = {{"strategy", run.report.strategy},
                   {"device", name_of(run.report.device)},
                   {"device_why", job.device_why},
                   {"gpus", gpus.empty() ? gpus : gpus.substr(1)},
                   {"chosen", run.report.chosen},
                   {"direction", name_of(job.search.direction)},
                   {"weights", false},
                   {"exact", true},
                   {"sources", std::uint64_t{job.sources.size()}},
                   {"every_vertex", all},
                   {"done", std::uint64_t{rows.size()}},
                   {"complete", run.report.complete()},
                   {"ended", core::name_of(run.report.end)},
                   {"resumed", std::uint64_t{run.resumed}},
                   {"pairs", summary.pairs()},
                   {"distance_sum", summary.sum()},
                   {"average_distance", summary.average_distance()},
                   {"efficiency", summary.efficiency(n)},
                   {"diameter", summary.diameter},
                   {"radius", summary.radius},
                   {"pairs_at", List(summary.pairs_at.begin(), summary.pairs_at.end())},
                   {"closest", std::move(closest)},
                   {"verified", verified},
                   {"load_seconds", job.load_seconds},
                   {"search_seconds", run.seconds},
                   {"device_ms", run.report.work.count()}};
  found.run = std::move(run.report);
  found.ended_text = fmt::format("{} of {} are done", core::grouped(rows.size()), core::plural(job.sources.size(), "source"));
  if (found.ended_early()) found.kept = kept_of(run.done);
  if (!job.writes) return found;
  add_columns(found, job.sources, rows, n);
  return found;
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    closeness,
    {.name = "closeness",
     .summary = "closeness, harmonic centrality, eccentricity",
     .description =
         "Searches from every vertex, or from those that are named, and reports how close each is to the others: closeness "
         "(after Wasserman and Faust), harmonic centrality, eccentricity, how many it reaches and the sum of their distances. "
         "Of the graph it reports average distance, efficiency, diameter and radius. Up to 64 searches share a pass, 512 on a "
         "CPU, and distances are counted where they are found.\n\n"
         "With --samples it estimates the closeness of all vertices from a few searches, and reports how far off each may be. "
         "When --time-limit or Ctrl-C ends the command early, the rows of the sources done are reported and written, with "
         "--samples the estimates from them. With -o they are kept in FILE.part, too, and --resume goes on from there.\n\n"
         "Distances are hops, or with --weights the least sums of weights, which the CPU finds by a search per thread; on a "
         "GPU "
         "the searches run one after the other. They are those towards a vertex, as NetworkX counts them; with --direction out "
         "those from it.",
     .doing = "searching",
     .writes = "Write one row per source: id, closeness, harmonic, eccentricity, reached, distance sum; with --samples one row "
               "per vertex: id, closeness, harmonic and average distance, each with its error, and reached. .csv, else "
               "separated by tabs; - for standard output.",
     .checks = "Search from 16 of the sources (of all vertices, with --samples) again by cpu-sequential, and compare; with "
               "--weights by "
               "cpu-delta-stepping.",
     .examples = {{"hopwave closeness social.txt.zst -o closeness.tsv", "every vertex"},
                  {"hopwave closeness web.txt --samples 1000", "every vertex, estimated with its error"},
                  {"hopwave closeness roads.gr --weights -s random:1000@7", "by the lengths of roads"},
                  {"hopwave closeness web.txt -s random:1000@7", "a thousand, drawn at random, exactly"},
                  {"hopwave closeness social.txt.zst -o closeness.tsv --resume", "what an ended run has left"}},
     .page = "closeness.md",
     .source = "Wasserman & Faust (1994); Eppstein & Wang (2004)",
     .cpp = "sampled_closeness",
     .python = "closeness",
     .c = "hopwave_closeness",
     .networkx = "closeness_centrality harmonic_centrality",
     .options = {{.name = "samples",
                  .value = "K",
                  .help = "Search from K vertices drawn at random (--seed), and estimate every vertex. 0: exact."},
                 weights_option,
                 top_option},
     .running = Running::search,
     .device = "auto",
     .direction = "in",  // as NetworkX and Python
     .sources_help = "Search from these alone: an id, first, maxdeg, lcc, random:N@SEED; repeatable. Not given: from every "
                     "vertex.",
     .sources = Sources::all_unless_named,
     .header = Header::always,
     .weights = Weighing::by_option,
     .gpus = true,
     .resumes = true,
     .check = check_closeness,
     .job = EstimateJob::closeness,
     .cost = closeness_cost,
     .run = run_closeness,
     .calls = closeness_calls()})
