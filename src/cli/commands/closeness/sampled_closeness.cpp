// hopwave closeness --samples: the search, what is kept of an ended run, the rows, the report.
#include "cli/commands/closeness/sampled_closeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "cli/commands/closeness/closeness_rows.h"
#include "cli/frame/greatest.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/tuning_file.h"
#include "core/stopwatch.h"
#include "hopwave/sampled_closeness.h"

namespace hopwave::cli {
namespace {

constexpr const char* sums_schema = "hopwave-closeness-sums/1";
constexpr std::size_t verified_vertices = 16;

struct Report {
  const Graph* graph = nullptr;
  std::vector<VertexId> pivots = {};
  SampledCloseness found = {};
  std::size_t resumed = 0, verified = 0;
  std::string direction = {}, gpus = {};
  double load_seconds = 0, search_seconds = 0;
};

bool into_file(const std::string& output) { return !output.empty() && output != "-"; }

template <class T>
Json column(const Array<T>& values) {
  return Json(std::vector<T>(values.begin(), values.end()));
}
template <class T>
Array<T> column_of(const Json& json) {
  const auto values = json.get<std::vector<T>>();
  return Array<T>::copy_of({values.data(), values.size()});
}

void keep(const std::string& output, const ClosenessKey& key, const PivotSums& sums) {
  Json json;
  json["schema"] = sums_schema;
  json["graph"] = key.graph;
  json["sources"] = key.sources;
  json["direction"] = key.direction;
  json["pivots"] = Json::array();
  for (const SourceDistances& pivot : sums.pivot) json["pivots"].push_back(row_json(pivot));
  json["met"] = column(sums.met);
  json["sum"] = column(sums.sum);
  json["inverse_sum"] = column(sums.inverse_sum);
  json["longest"] = column(sums.longest);
  write_part(output, std::move(json));
}

PivotSums kept(const std::string& output, const ClosenessKey& key) {
  const Json json = read_part(output, sums_schema, key);
  try {
    PivotSums sums;
    for (const Json& row : json.at("pivots")) sums.pivot.push_back(row_of(row));
    sums.met = column_of<std::uint32_t>(json.at("met"));
    sums.sum = column_of<std::uint64_t>(json.at("sum"));
    sums.inverse_sum = column_of<double>(json.at("inverse_sum"));
    sums.longest = column_of<Distance>(json.at("longest"));
    return sums;
  } catch (const Json::exception&) {
    cannot_resume(part_of(output), "a file that is damaged or cut off", sums_schema);
  }
}

void find(const SampledClosenessJob& job, SearchOptions options, Report& report, Context& context) {
  Progress progress(context.console, "searching");
  SampledClosenessOptions sampling;
  sampling.samples = static_cast<std::uint64_t>(job.samples);
  sampling.seed = static_cast<std::uint64_t>(job.search.seed);
  sampling.search = std::move(options);
  report.pivots = drawn_vertices(report.graph->num_vertices(), sampling.samples, sampling.seed);
  if (job.resume) {
    sampling.begun = kept(job.output, closeness_key(*report.graph, report.pivots, report.direction));
    report.resumed = sampling.begun.pivot.size();
  }
  sampling.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.steps(grouped(done) + " of " + plural(total, "pivot"), done, total);
    return !context.interrupted();
  };
  const core::Stopwatch watch;
  report.found = sampled_closeness(*report.graph, std::move(sampling));
  report.search_seconds = watch.seconds();
}

/// Some vertices again, the other way: a plain search from each gives its distances to the pivots.
void verify(const SampledClosenessJob& job, Report& report) {
  SearchOptions plain;
  plain.strategy = "cpu-sequential";
  plain.device = DeviceKind::cpu;
  plain.direction = to_direction(job.search.direction);
  const std::size_t n = report.graph->num_vertices(), some = std::min(n, verified_vertices);
  if (some == 0) return;
  Searcher searcher(*report.graph, plain);
  const PivotSums& sums = report.found.sums;
  for (std::size_t k = 0; k < some; ++k) {
    const auto v = static_cast<VertexId>(k * n / some);
    const Result result = searcher.run({.sources = {v}});
    std::uint64_t met = 0, sum = 0;
    double inverse_sum = 0;
    for (std::size_t i = 0; i < report.found.pivots; ++i) {
      const Distance d = result.distance[report.pivots[i]];
      if (d > 0) ++met, sum += static_cast<std::uint64_t>(d), inverse_sum += 1 / static_cast<double>(d);
    }
    if (sums.met[v] != met || sums.sum[v] != sum || sums.inverse_sum[v] != inverse_sum || sums.longest[v] < result.depth)
      throw Error({.failure = Failure::verification,
                   .id = "HW-VERIFY",
                   .found = fmt::format("a distance sum of {} from {} to the pivots", sums.sum[v], report.graph->name(v)),
                   .expected = fmt::format("{}, as cpu-sequential finds", sum),
                   .hint = "please report it, with the command that led here"});
    ++report.verified;
  }
}

void write(const SampledClosenessJob& job, const Report& report, int threads, Context& context) {
  const bool csv = ending_of(job.output, {"txt", "tsv", "csv"}, "rows of closeness are text: .txt, .tsv or .csv") == "csv";
  const bool ended = context.interrupted();  // what was found until then is written all the same
  const char separator = csv ? ',' : '\t';
  const Graph& graph = *report.graph;
  const SampledCloseness& found = report.found;
  ResultFile out(job.output);
  out.write(fmt::format(
      "{1}id{0}closeness{0}closeness_error{0}harmonic{0}harmonic_error{0}average_distance{0}average_distance_error{0}reached\n",
      separator, csv ? "" : "# "));
  Team team(threads);
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    if (!ended) context.check_interrupt();
    for (std::size_t v = from; v < to; ++v) {
      if (graph.ids().kind() == Ids::Kind::strings)
        put_cell(graph.ids().names()[v], separator, text);
      else
        text.put(graph.ids().number(static_cast<VertexId>(v)));
      text.put(fmt::format("{0}{1}{0}{2}{0}{3}{0}{4}{0}{5}{0}{6}{0}{7}\n", separator, found.closeness[v],
                           found.closeness_error[v], found.harmonic[v], found.harmonic_error[v], found.average[v],
                           found.average_error[v], found.reached[v]));
    }
  });
  out.commit();
}

/// The closest by the estimates.
std::vector<VertexId> closest(const SampledClosenessJob& job, const Array<double>& value) {
  return greatest<VertexId>(value.size(), job.top, [&](VertexId v) { return value[v]; });
}

double largest(const Array<double>& errors) { return errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end()); }

Json report_json(const SampledClosenessJob& job, const Report& report) {
  const Graph& graph = *report.graph;
  const SampledCloseness& found = report.found;
  Json json = document("closeness-sampled");
  json["graph"] = read_json(graph);
  json["strategy"] = found.strategy;
  json["device"] = device_name(found.device);
  json["gpus"] = report.gpus.empty() ? Json(nullptr) : Json(report.gpus.substr(1));
  json["chosen"] = found.chosen.empty() ? Json(nullptr) : Json(found.chosen);
  json["direction"] = report.direction;
  json["samples"] = report.pivots.size();
  json["pivots"] = found.pivots;
  json["resumed"] = report.resumed;
  json["risk"] = found.risk;
  json["average_distance"] = found.average_distance;
  json["average_distance_error"] = found.average_distance_error;
  json["efficiency"] = found.efficiency;
  json["efficiency_error"] = found.efficiency_error;
  json["diameter"] = {{"seen", found.seen}, {"at_most", found.longest}};
  json["closeness_error"] = largest(found.closeness_error);
  json["harmonic_error"] = largest(found.harmonic_error);
  json["closest"] = Json::array();
  for (const VertexId v : closest(job, found.closeness))
    json["closest"].push_back({{"id", id_json(graph.ids(), v)},
                               {"closeness", found.closeness[v]},
                               {"closeness_error", found.closeness_error[v]},
                               {"harmonic", found.harmonic[v]},
                               {"harmonic_error", found.harmonic_error[v]},
                               {"average_distance", found.average[v]},
                               {"average_distance_error", found.average_error[v]},
                               {"reached", found.reached[v]}});
  json["complete"] = found.complete;
  json["ended"] = found.ended.empty() ? Json(nullptr) : Json(found.ended);
  json["verified"] = report.verified;
  json["load_seconds"] = report.load_seconds;
  json["search_seconds"] = report.search_seconds;
  json["device_ms"] = found.search_ms;
  json["output"] = job.output.empty() ? Json(nullptr) : Json(job.output);
  return json;
}

void print(const SampledClosenessJob& job, const Report& report, Console& console) {
  const Graph& graph = *report.graph;
  const SampledCloseness& found = report.found;
  const Stream stream = job.output == "-" ? Stream::err : Stream::out;
  const auto row = [&](std::string_view name, const std::string& text) {
    console.line(stream, console.bold(stream, fmt::format("{:<11}", name)) + text);
  };
  const auto reading = describe(graph);
  row("input", reading.input);
  row("graph", reading.graph);
  if (!found.strategy.empty())
    row("strategy", found.strategy + " on " + device_name(found.device) + report.gpus +
                        (found.chosen.empty() ? "" : " (" + found.chosen + ")"));
  row("pivots", plural(found.pivots, "vertex", "vertices") + " drawn at random, searched from in " +
                    seconds_text(report.search_seconds) +
                    (report.resumed ? ", " + grouped(report.resumed) + " of them in earlier runs" : ""));
  row("distances", fmt::format("{:.4f} ± {:.2g} on average · efficiency {:.4f} ± {:.2g}", found.average_distance,
                               found.average_distance_error, found.efficiency, found.efficiency_error));
  row("diameter", fmt::format("at least {}, at most {}", found.seen, found.longest));
  row("error",
      fmt::format("closeness at most {:.2g}, harmonic {:.3g}, each for all vertices at once with a probability of {:.0f} %",
                  largest(found.closeness_error), largest(found.harmonic_error), 100 * (1 - found.risk)));
  bool first = true;
  for (const VertexId v : closest(job, found.closeness)) {
    row(first ? "closest" : "",
        fmt::format("{} closeness {:.5f} ± {:.2g} · harmonic {:.2f} ± {:.3g}", printable(graph.name(v)), found.closeness[v],
                    found.closeness_error[v], found.harmonic[v], found.harmonic_error[v]));
    first = false;
  }
  if (report.verified)
    row("verified",
        plural(report.verified, "vertex", "vertices") + " searched from by cpu-sequential: the same distances to all pivots");
  if (into_file(job.output)) row("written", printable(job.output));
}

/// Says why the run ended early, and what is kept.
int end_early(const SampledClosenessJob& job, const Report& report, Context& context) {
  const bool time_over = report.found.ended == "HW-TIME-LIMIT", keeps = into_file(job.output) && report.found.pivots > 0;
  context.console.warn(fmt::format("{}: these are estimates from {} of {}{}", time_over ? "the time is over" : "ended early",
                                   grouped(report.found.pivots), plural(report.pivots.size(), "pivot"),
                                   keeps ? "; go on with --resume" : ""));
  return static_cast<int>(time_over ? Failure::time_limit : Failure::interrupted);
}

}  // namespace

int run_sampled_closeness(const SampledClosenessJob& job, Context& context) {
  checked_int("--samples", job.samples, 0, 0x7FFFFFFF);  // 0 is exact, and does not come here
  const int threads = checked_int("--threads", job.graph.threads, 0, 4096);
  SearchOptions options = search_options(job.search, threads);
  Loaded loaded = load(context, job.graph, {.job = EstimateJob::closeness, .samples = static_cast<std::uint64_t>(job.samples)},
                       options.direction != Direction::in);
  note_unused_weights(context, loaded.graph, "closeness");
  apply_tuning(context.console, loaded.graph, wants_tuning(job.search), options);
  settle_device(options, loaded.graph, (static_cast<std::uint64_t>(job.samples) + 63) / 64, 0);
  Report report{.graph = &loaded.graph, .direction = job.search.direction, .load_seconds = loaded.seconds};
  report.gpus = gpus_text(options);
  find(job, std::move(options), report, context);
  for (const auto& note : report.found.notes) context.console.warn(note);
  if (job.verify && !context.interrupted()) verify(job, report);
  if (!report.found.complete && report.found.pivots == 0) nothing_found(report.found.ended, "pivot");
  if (!job.output.empty()) write(job, report, threads, context);
  if (into_file(job.output) && !report.found.complete)
    keep(job.output, closeness_key(loaded.graph, report.pivots, report.direction), report.found.sums);
  if (report.found.complete && job.resume) forget_rows(job.output);
  if (context.json())
    context.console.result(dump(report_json(job, report)));
  else
    print(job, report, context.console);
  return report.found.complete ? 0 : end_early(job, report, context);
}

}  // namespace hopwave::cli
