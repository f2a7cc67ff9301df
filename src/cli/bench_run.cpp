// Strategies × graphs × parameters × sources, measured and verified; tables, files, comparison with a baseline.
#include "cli/bench_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "cli/result_file.h"
#include "ranks/transport.h"

namespace hopwave::cli {

void check_bench(const BenchArguments& arguments, const Context& context) { check_exports(context, arguments.exports()); }

Bench::Bench(const BenchArguments& arguments, Context& context)
    : arguments_(arguments), context_(context), threads_(checked_int("--threads", arguments.reading.threads, 0, 4096)) {
  options_.warmup = checked_int("--warmup", arguments.warmup, 0, 1000000);
  options_.runs = checked_int("--runs", arguments.runs, 1, 1000000);
  options_.verify = !arguments.no_verify;
  options_.trace = arguments.trace;
  options_.allow_huge = arguments.reading.allow_huge;
  options_.threads = threads_;
  options_.seed = static_cast<std::uint64_t>(arguments.search.seed);
  SearchArguments any = arguments.search;
  any.strategy = "auto";  // the list of strategies is read by chosen_strategies()
  any.params.clear();
  search_ = search_options(any, threads_);
  if (search_.schedule != ScheduleKind::uniform && search_.device != DeviceKind::sim)
    throw Error({.failure = Failure::usage,
                 .id = "HW-OPTION-SCHEDULE",
                 .found = "--schedule " + arguments.search.schedule + " for searches outside the simulator",
                 .expected = "the simulator as device, or the uniform schedule",
                 .hint = "--device sim"});
  options_.schedule = search_.schedule;
  options_.limits = search_.limits;
  for (const auto& text : arguments.search.params) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) bad_value("--param", text, "NAME=VALUE");
    search_.parameters[text.substr(0, equals)] = integer_value("--param", std::string_view(text).substr(equals + 1));
  }
  for (const auto& s : arguments.scans) scans_.push_back(parse_scan(s));
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
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--gpus with bench of anything but graph500",
                 .expected = "bench graph500"});
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
  const std::string processes = context_.ranks ? fmt::format("mpirun -n {} ", context_.ranks->size()) : "";
  std::string line = processes + "hopwave bench";
  for (const auto& g : arguments_.graphs) line += " " + g;
  line += " --strategy " + arguments_.search.strategy;
  if (arguments_.search.device != "auto") line += " --device " + arguments_.search.device;
  for (const auto& p : arguments_.search.params) line += " --param " + p;
  for (const auto& s : arguments_.scans) line += " --parameter-scan " + s;
  if (arguments_.search.prepare) line += " --prepare";
  if (!arguments_.search.gpus.empty()) line += " --gpus " + arguments_.search.gpus;
  if (arguments_.search.schedule != "uniform") line += " --schedule " + arguments_.search.schedule;
  if (!arguments_.search.time_limit.empty()) line += " --time-limit " + arguments_.search.time_limit;
  // Two procedures say themselves how many sources and runs there are.
  const std::string procedure = arguments_.graphs.empty() ? "" : arguments_.graphs.front();
  if (procedure == "graph500" || procedure == "gap")
    return line + fmt::format(" --scale {} --edgefactor {} --seed {}", arguments_.scale, arguments_.edge_factor,
                              arguments_.search.seed);
  return line + fmt::format(" --sources {} --warmup {} --runs {} --seed {}", arguments_.sources, arguments_.warmup,
                            arguments_.runs, arguments_.search.seed);
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
                  report::random_sources(graph, static_cast<std::size_t>(count), options_.seed), names);
  }
}

void Bench::measure_graph(const report::GraphFacts& facts, const Graph& graph, const std::vector<VertexId>& sources,
                          const std::vector<std::string>& names) {
  if (arguments_.pictures) file_.pictures.push_back(report::draw_graph(facts.name, graph));
  for (const auto& strategy : names) {
    const StrategyInfo& info = find_strategy(strategy);
    const DeviceKind device = place_of(info, search_.device, names.size());
    for (const auto& parameters : configurations(info, search_.parameters, scans_))
      measure_one(facts, graph, {strategy, device, parameters, search_.prepare}, sources);
  }
}

void Bench::measure_one(const report::GraphFacts& facts, const Graph& graph, const report::Configuration& configuration,
                        const std::vector<VertexId>& sources) {
  Progress progress(context_.console, configuration.strategy + " on " + facts.name);
  options_.progress = [&](std::size_t done, std::size_t all) {
    const std::string parameters = report::parameter_text(configuration.parameters);
    progress.steps(fmt::format("{}{}run {} of {}", parameters, parameters.empty() ? "" : ": ", done, all), done, all);
    return !context_.interrupted();
  };
  file_.measurements.push_back(report::measure(facts, graph, configuration, sources, options_));
}

void Bench::tell() {
  if (!arguments_.export_json.empty()) write_result(arguments_.export_json, report::to_json(file_));
  if (!arguments_.export_csv.empty()) write_result(arguments_.export_csv, report::to_csv(file_));
  if (!arguments_.export_markdown.empty()) write_result(arguments_.export_markdown, report::to_markdown(file_));
  if (on_standard_output(arguments_.exports())) return;  // which has its document
  if (!context_.json())
    context_.console.result(text_.empty() ? table() : text_);
  else if (file_.ended.empty())  // the document is the error otherwise
    context_.console.result(report::to_json(file_));
}

int Bench::finish() {
  told_ = true;
  tell();
  return compare();
}

void Bench::keep_measured(const char* error) {
  if (told_ || file_.measurements.empty()) return;
  file_.ended = error;
  text_.clear();  // a procedure's own words are of the whole
  try {
    tell();
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

std::string Bench::table() const {
  std::size_t names = 8, graphs = 5;
  for (const auto& m : file_.measurements) {
    names = std::max(names, row_name(m).size());
    graphs = std::max(graphs, m.graph.name.size());
  }
  std::string out = fmt::format("{:<{}}  {:<{}}  {:>10} {:>10} {:>10} {:>9} {:>10} {:>7}\n", "strategy", names, "graph", graphs,
                                "min ms", "median ms", "max ms", "± ms", "MTEPS", "levels");
  for (const auto& m : file_.measurements) {
    out += fmt::format("{:<{}}  {:<{}}  ", row_name(m), names, m.graph.name, graphs);
    if (!m.skipped.empty())
      out += fmt::format("skipped: {}\n", m.skipped);
    else
      out += fmt::format("{:>10.4f} {:>10.4f} {:>10.4f} {:>9.4f} {:>10.1f} {:>7}\n", m.search_ms.min, m.search_ms.median,
                         m.search_ms.max, m.search_ms.deviation, m.teps_harmonic / 1e6, m.levels);
  }
  const auto sources = file_.measurements.empty() ? 0 : file_.measurements.front().sources.size();
  return out + fmt::format("Each line: over {} of each source's median of {}{}.", plural(sources, "source"),
                           plural(static_cast<std::uint64_t>(options_.runs), "run"),
                           options_.verify ? "; every answer verified" : "; answers not verified");
}

int Bench::compare() {
  if (arguments_.baseline.empty()) return 0;
  char* end = nullptr;
  const double allowed = std::strtod(arguments_.max_regression.c_str(), &end);
  if (*end || !(allowed > 0)) bad_value("--max-regression", arguments_.max_regression, "a number above 0, such as 1.1");
  const auto baseline = read_bench(arguments_.baseline);
  const auto slower = report::regressions(file_, baseline, allowed);
  for (const auto& r : slower)
    context_.console.warn(
        fmt::format("{}: {:.4f} ms, was {:.4f} ms in {}", r.what, r.now_ms, r.before_ms, arguments_.baseline));
  return slower.empty() ? 0 : static_cast<int>(Failure::no);
}

}  // namespace hopwave::cli
