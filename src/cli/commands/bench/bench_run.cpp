// Strategies × graphs × parameters × sources, measured and verified; tables, files, comparison with a baseline.
#include "cli/commands/bench/bench_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "bfs/distributed/transport.h"
#include "cli/frame/result_file.h"
#include "cli/frame/text_table.h"
#include "core/refuse.h"

namespace hopwave::cli {

namespace {

/// Options that are of no use in a procedure, and what is.
struct Unused {
  std::string_view procedure;
  std::vector<std::string_view> options;
  const char* expected;
};

const std::vector<Unused>& unused_options() {
  static const std::vector<Unused> all = {
      {"graph500", {"--sources", "--warmup", "--runs"}, "none: it runs once from each of 64 sources"},
      {"graph500", {"--parameter-scan"}, "one value of a parameter: --param NAME=VALUE"},
      {"graph500", {"--no-verify"}, "none: it validates every tree"},
      {"graph500", {"--trace", "--pictures"}, "none: it keeps neither levels nor pictures"},
      {"graph500",
       {"--undirected", "--directed", "--bipartite", "--no-bipartite", "--input-format", "--lenient", "--columns", "--header",
        "--missing-weight", "--no-weights", "--drop-zeros", "--cache", "--keep-duplicates", "--keep-self-loops"},
       "none: the graph is made, and undirected"},
      {"gap", {"--sources", "--warmup", "--runs"}, "none: it runs once from each of 64 sources"},
      {"gap", {"--parameter-scan"}, "one value of a parameter: --param NAME=VALUE"},
      {"gap", {"--pictures"}, "none: it keeps no pictures"},
      {"gap GRAPH", {"--scale", "--edgefactor"}, "none: the graphs are named"},
      {"survey", {"--scale", "--edgefactor"}, "none: its graphs are named"},
      {"GRAPH", {"--scale", "--edgefactor"}, "the size in the graph's name, such as rmat:16,16"}};
  return all;
}

/// What has no effect is a slip, never left out silently.
void check_used(const BenchArguments& arguments, const Context& context) {
  const auto refuse = [](const std::string& what, std::string_view procedure, const std::string& expected) {
    core::refuse("HW-USAGE-OPTION", fmt::format("{} with bench {}", what, procedure), expected,
                 "docs/bench.md says what each procedure takes");
  };
  const std::string& first = arguments.graphs.front();
  const bool named = arguments.graphs.size() > 1;
  const bool procedure = first == "graph500" || first == "gap" || first == "survey";
  for (const Unused& unused : unused_options())
    if (unused.procedure == (procedure ? first : "GRAPH") || (named && unused.procedure == first + " GRAPH"))
      for (const std::string_view option : unused.options)
        if (context.gave(option)) refuse(std::string(option), unused.procedure, unused.expected);
  if (first == "graph500" && named)
    refuse("the graph " + arguments.graphs[1], first, "none: the graph is made; --scale and --edgefactor say how large");
}

/// As a shell takes it for one word.
std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:,=+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::optional<Baseline> check_bench(const BenchArguments& arguments, const Context& context) {
  check_exports(context, arguments.exports());
  check_used(arguments, context);
  if (arguments.baseline.empty()) {
    if (!context.gave("--max-regression")) return std::nullopt;
    core::refuse("HW-USAGE-OPTION", "--max-regression without --baseline", "the bench file to compare with", "--baseline FILE");
  }
  Baseline baseline;
  char* end = nullptr;
  baseline.allowed = std::strtod(arguments.max_regression.c_str(), &end);
  if (*end || !(baseline.allowed > 0) || !std::isfinite(baseline.allowed))
    bad_value("--max-regression", arguments.max_regression, "a number above 0, such as 1.1");
  // One process compares.
  if (!context.ranks || context.ranks->rank() == 0) baseline.file = read_bench(arguments.baseline);
  return baseline;
}

Bench::Bench(const BenchArguments& arguments, Context& context, std::optional<Baseline> baseline)
    : arguments_(arguments),
      context_(context),
      baseline_(std::move(baseline)),
      threads_(checked_int("--threads", arguments.reading.threads, 0, 4096)) {
  options_.warmup = checked_int("--warmup", arguments.warmup, 0, 1000000);
  options_.runs = checked_int("--runs", arguments.runs, 1, 1000000);
  options_.verify = !arguments.no_verify;
  options_.trace = arguments.trace;
  options_.allow_huge = arguments.reading.allow_huge;
  SearchArguments any = arguments.search;
  any.strategy = "auto";  // the list of strategies is read by chosen_strategies()
  any.params.clear();
  search_ = search_options(any, threads_);
  if (search_.run.simulator.schedule != ScheduleKind::uniform && search_.run.device != DeviceKind::sim)
    core::refuse("HW-OPTION-SCHEDULE", "--schedule " + arguments.search.schedule + " for searches outside the simulator",
                 "the simulator as device, or the uniform schedule", "--device sim");
  options_.run = search_.run;
  if (wants_tuning(arguments.search))
    core::refuse("HW-USAGE-VALUE", "--param is 'best'", "NAME=NUMBER: what is measured is said, not looked up",
                 "hopwave tune finds the best");
  search_.parameters = to_parameters(arguments.search, "hopwave strategies show NAME lists the names");
  for (const auto& s : arguments.scans) {
    scans_.push_back(parse_scan(s));
    const std::string& name = scans_.back().first;
    if (search_.parameters.contains(name)) bad_value("--parameter-scan", s, name + " by --param or by a scan, not by both");
    if (std::count_if(scans_.begin(), scans_.end(), [&](const Scan& scan) { return scan.first == name; }) > 1)
      bad_value("--parameter-scan", s, "one scan of " + name + ", with all values in one list");
  }
  file_.environment = report::current_environment(command_line(), threads_);
}

int Bench::run() try { return measure(); } catch (const Error& error) {
  // A wrong answer leaves doubts about all the rest.
  if (error.failure() != Failure::verification) keep_measured(error.what());
  throw;
} catch (const std::bad_alloc&) {
  keep_measured("the system has no more memory");
  throw;
}

int Bench::measure() {
  auto graphs = arguments_.graphs;
  const std::string procedure = graphs.empty() ? "" : graphs.front();
  if (!arguments_.search.gpus.empty() && procedure != "graph500")
    core::refuse("HW-USAGE-OPTION", "--gpus with bench of anything but graph500", "bench graph500");
  if (procedure == "graph500") {
    return graph500();
  } else if (procedure == "gap") {
    graphs.erase(graphs.begin());
    gap(std::move(graphs));
  } else if (procedure == "survey") {
    graphs.erase(graphs.begin());
    survey(std::move(graphs));
  } else {
    plain(graphs, chosen_strategies(arguments_.search.strategy));
  }
  return finish();
}

std::string Bench::command_line() const {
  std::string line = context_.ranks ? fmt::format("mpirun -n {} hopwave", context_.ranks->size()) : "hopwave";
  for (const auto& word : context_.words) line += " " + shell_word(word);
  return line;
}

Graph Bench::load_one(const std::string& name) {
  GraphArguments reading = arguments_.reading;
  reading.graph = name;
  return load(context_, reading).graph;
}

void Bench::check_parameters(const std::vector<std::string>& names) const {
  const auto known = [&](const std::string& parameter) {
    return std::any_of(names.begin(), names.end(), [&](const auto& n) { return takes(find_strategy(n), parameter); });
  };
  for (const auto& [name, value] : search_.parameters)
    if (!known(name)) bad_value("--param", name, "a parameter of one of the strategies; see hopwave strategies show NAME");
  for (const auto& [name, values] : scans_)
    if (!known(name))
      bad_value("--parameter-scan", name, "a parameter of one of the strategies; see hopwave strategies show NAME");
}

void Bench::plain(const std::vector<std::string>& graphs, const std::vector<std::string>& names) {
  check_parameters(names);
  const int count = checked_int("--sources", arguments_.sources, 1, 1000000);
  for (const auto& name : graphs) {
    const Graph graph = load_one(name);
    measure_graph(report::graph_facts(name, graph), graph,
                  report::random_sources(graph, static_cast<std::size_t>(count), options_.run.seed), names);
  }
}

void Bench::measure_graph(const report::GraphFacts& facts, const Graph& graph, const std::vector<VertexId>& sources,
                          const std::vector<std::string>& names) {
  if (arguments_.pictures) file_.pictures.push_back(report::draw_graph(facts.name, graph));
  for (const auto& strategy : names) {
    const StrategyInfo& info = find_strategy(strategy);
    const DeviceKind device = place_of(info, search_.run.device, names.size());
    for (const auto& parameters : configurations(info, search_.parameters, scans_))
      measure_one(facts, graph, {strategy, device, parameters, search_.prepare}, sources);
  }
}

void Bench::measure_one(const report::GraphFacts& facts, const Graph& graph, const report::Configuration& configuration,
                        const std::vector<VertexId>& sources) {
  Progress progress(context_.console, configuration.strategy + " on " + facts.name);
  options_.run.progress = [&](const Step& step) {
    const std::string parameters = report::parameter_text(configuration.parameters);
    progress.steps(fmt::format("{}{}run {} of {}", parameters, parameters.empty() ? "" : ": ", step.done, step.total),
                   step.done, step.total);
    return !context_.interrupted();
  };
  file_.measurements.push_back(report::measure(facts, graph, configuration, sources, options_));
}

void Bench::publish() {
  if (!arguments_.export_json.empty()) write_result(arguments_.export_json, report::to_json(file_));
  if (!arguments_.export_csv.empty()) write_result(arguments_.export_csv, report::to_csv(file_));
  if (!arguments_.export_markdown.empty()) write_result(arguments_.export_markdown, report::to_markdown(file_));
  if (on_standard_output(arguments_.exports())) return;  // which has its document
  if (!context_.json() && text_.empty())
    print_table();
  else if (!context_.json())
    context_.console.result(text_);
  else if (file_.ended.empty())  // the document is the error otherwise
    context_.console.result(report::to_json(file_));
}

int Bench::finish() {
  published_ = true;
  publish();
  return compare();
}

void Bench::keep_measured(const char* error) {
  if (published_ || file_.measurements.empty()) return;
  file_.ended = error;
  text_.clear();  // a procedure's own words are of the whole
  try {
    publish();
    context_.console.warn(fmt::format("{} kept of what an error ended", plural(file_.measurements.size(), "measurement")));
  } catch (const Error& another) {
    context_.console.fault(another);
  }
}

namespace {

std::string row_name(const report::Measurement& m) {
  const auto& c = m.configuration;
  return c.strategy + (c.parameters.empty() ? "" : " " + report::parameter_text(c.parameters)) + (c.prepare ? " prepared" : "");
}

}  // namespace

void Bench::print_table() const {
  // By graph, in the order given, and the fastest first.
  std::vector<const report::Measurement*> rows, skipped;
  std::vector<std::string> graphs;
  for (const auto& m : file_.measurements) {
    (m.skipped.empty() ? rows : skipped).push_back(&m);
    if (std::find(graphs.begin(), graphs.end(), m.graph.name) == graphs.end()) graphs.push_back(m.graph.name);
  }
  const auto place = [&](const report::Measurement* m) { return std::find(graphs.begin(), graphs.end(), m->graph.name); };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto* a, const auto* b) {
    return place(a) != place(b) ? place(a) < place(b) : a->search_ms.median < b->search_ms.median;
  });
  TextTable table({{"strategy", 8, true},
                   {"graph", 5, true},
                   {"min ms", 9},
                   {"median ms", 9},
                   {"max ms", 9},
                   {"± ms", 8},
                   {"MTEPS", 8},
                   {"levels", 6},
                   {"", 0, true}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& m = *rows[i];
    const auto same = [&](std::size_t k) { return k < rows.size() && rows[k]->graph.name == m.graph.name; };
    const bool best = !(i > 0 && same(i - 1)) && same(i + 1);
    const auto ms = [](double value) { return fmt::format("{:.4f}", value); };
    table.row(
        {row_name(m), m.graph.name, ms(m.search_ms.min), ms(m.search_ms.median), ms(m.search_ms.max), ms(m.search_ms.deviation),
         fmt::format("{:.1f}", m.teps_harmonic / 1e6), std::to_string(m.levels), best ? "best" : ""},
        best);
  }
  Console& console = context_.console;
  if (!rows.empty()) table.print(console, Stream::out);
  for (const auto* m : skipped)
    console.result(
        console.fitted(Stream::out, fmt::format("{} on {}: skipped: {}", row_name(*m), m->graph.name, m->skipped), 2));
  const auto sources = file_.measurements.empty() ? 0 : file_.measurements.front().sources.size();
  console.result(
      console.fitted(Stream::out, fmt::format("Each line: over {} of each source's median of {}{}.", plural(sources, "source"),
                                              plural(static_cast<std::uint64_t>(options_.runs), "run"),
                                              options_.verify ? "; every answer verified" : "; answers not verified")));
}

int Bench::compare() {
  if (!baseline_) return 0;
  const report::Comparison found = report::regressions(file_, baseline_->file, baseline_->allowed);
  if (found.compared == 0) {
    // Not thrown: standard output has its document already.
    context_.console.fault(Error({.failure = Failure::input,
                                  .id = "HW-BENCH-FILE",
                                  .where = {.file = arguments_.baseline},
                                  .found = "nothing of what was measured: " + plural(found.measured, "measurement"),
                                  .expected = "the same graph, strategy, --device, parameters and --prepare",
                                  .hint = "its environment.command says how it was measured"}));
    return static_cast<int>(Failure::input);
  }
  const std::string text = fmt::format("{} of {} compared with {}", grouped(found.compared),
                                       plural(found.measured, "measurement"), arguments_.baseline);
  if (found.compared < found.measured)
    context_.console.warn(text + ", which has not got the rest");
  else
    context_.console.talk(text);
  for (const auto& r : found.slower)
    context_.console.warn(
        fmt::format("{}: {:.4f} ms, was {:.4f} ms in {}", r.what, r.now_ms, r.before_ms, arguments_.baseline));
  return found.slower.empty() ? 0 : static_cast<int>(Failure::no);
}

}  // namespace hopwave::cli
