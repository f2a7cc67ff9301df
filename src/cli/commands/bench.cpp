// hopwave bench: strategies × graphs × parameters × sources, measured and verified; Graph500's, GAP's and the survey's
// procedures.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/graph_input.h"
#include "cli/search_options.h"
#include "hopwave/io.h"
#include "report/bench_file.h"
#include "report/measure.h"
#include "report/procedures.h"
#include "report/svg.h"

namespace hopwave::cli {
namespace {

struct Arguments {
  std::vector<std::string> graphs;
  GraphArguments reading;
  SearchArguments search;
  std::vector<std::string> scans;
  std::string export_json, export_csv, export_markdown, baseline, max_regression = "1.1";
  std::int64_t warmup = 1, runs = 5, sources = 4, scale = 16, edge_factor = 16;
  bool trace = false, pictures = false, no_verify = false;
};

[[noreturn]] void bad_value(std::string_view option, const std::string& found, const std::string& expected) {
  throw Error({.failure = Failure::usage,
               .id = "HW-USAGE-VALUE",
               .found = fmt::format("{} '{}'", option, found),
               .expected = expected});
}

std::int64_t number(std::string_view option, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) bad_value(option, std::string(text), "an integer");
  return value;
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, by);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// "width=4,8,16", "block=64..1024" (doubling) or "defer=0..64..8" (steps of 8).
std::pair<std::string, std::vector<std::int64_t>> parse_scan(const std::string& text) {
  constexpr std::string_view option = "--parameter-scan";
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    bad_value(option, text, "NAME=A,B,C or NAME=LOW..HIGH or NAME=LOW..HIGH..STEP");
  std::vector<std::int64_t> values;
  for (const auto& item : split(text.substr(equals + 1), ',')) {
    const auto dots = item.find("..");
    if (dots == std::string::npos) {
      values.push_back(number(option, item));
      continue;
    }
    const auto more = item.find("..", dots + 2);
    const std::int64_t low = number(option, item.substr(0, dots));
    const std::int64_t high =
        number(option, item.substr(dots + 2, more == std::string::npos ? std::string::npos : more - dots - 2));
    const std::int64_t step = more == std::string::npos ? 0 : number(option, item.substr(more + 2));
    if (low > high || step < 0 || (step == 0 && low < 1))
      bad_value(option, text, "LOW ≤ HIGH, and LOW ≥ 1 where values double");
    for (std::int64_t v = low; v <= high && values.size() < 1000; v = step ? v + step : v * 2) values.push_back(v);
  }
  if (values.empty()) bad_value(option, text, "at least one value");
  return {text.substr(0, equals), values};
}

/// Names, or all, cpu, gpu, or a prefix with *: survey-*.
std::vector<std::string> chosen_strategies(const std::string& text) {
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  };
  for (const auto& word : split(text, ',')) {
    const bool prefix = word.ends_with('*');
    const std::string_view stem = prefix ? std::string_view(word).substr(0, word.size() - 1) : std::string_view(word);
    bool found = false;
    for (const auto& s : strategies())
      if (word == "all" || word == s.device || (prefix && s.name.starts_with(stem))) {
        add(s.name);
        found = true;
      }
    if (!found) add(find_strategy(word).name);  // throws with the nearest names
  }
  return names;
}

bool takes(const StrategyInfo& info, const std::string& parameter) {
  return std::any_of(info.parameters.begin(), info.parameters.end(), [&](const auto& p) { return p.name == parameter; });
}

/// A scan over parameters that a strategy has not got is no scan for it: it runs once, without them.
std::vector<Parameters> configurations(const StrategyInfo& info, const Parameters& fixed,
                                       const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& scans) {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> own;
  for (const auto& s : scans)
    if (takes(info, s.first)) own.push_back(s);
  Parameters known;
  for (const auto& [name, value] : fixed)
    if (takes(info, name)) known[name] = value;
  return report::scan(known, own);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error({.failure = Failure::input,
                 .id = "HW-IO-OPEN",
                 .where = {.file = path},
                 .found = "cannot be opened",
                 .expected = "a readable file"});
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_whole(const std::string& path, const std::string& text) {
  OutputFile out(path);
  out.write(text);
  out.commit();
}

class Bench {
 public:
  Bench(const Arguments& arguments, Context& context)
      : arguments_(arguments), context_(context), threads_(checked_int("--threads", arguments.reading.threads, 0, 4096)) {
    options_.warmup = checked_int("--warmup", arguments.warmup, 0, 1000000);
    options_.runs = checked_int("--runs", arguments.runs, 1, 1000000);
    options_.verify = !arguments.no_verify;
    options_.trace = arguments.trace;
    options_.threads = threads_;
    options_.seed = static_cast<std::uint64_t>(arguments.search.seed);
    SearchArguments any = arguments.search;
    any.strategy = "auto";  // the list of strategies is read by chosen_strategies()
    any.params.clear();
    search_ = search_options(any, threads_);
    for (const auto& text : arguments.search.params) {
      const auto equals = text.find('=');
      if (equals == std::string::npos) bad_value("--param", text, "NAME=VALUE");
      search_.parameters[text.substr(0, equals)] = number("--param", std::string_view(text).substr(equals + 1));
    }
    for (const auto& s : arguments.scans) scans_.push_back(parse_scan(s));
    file_.environment = report::current_environment(command_line(), threads_);
  }

  int run() {
    auto graphs = arguments_.graphs;
    const std::string procedure = graphs.empty() ? "" : graphs.front();
    if (procedure == "graph500") {
      graph500();
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

 private:
  std::string command_line() const {
    std::string line = "hopwave bench";
    for (const auto& g : arguments_.graphs) line += " " + g;
    line += " --strategy " + arguments_.search.strategy;
    if (arguments_.search.device != "auto") line += " --device " + arguments_.search.device;
    for (const auto& p : arguments_.search.params) line += " --param " + p;
    for (const auto& s : arguments_.scans) line += " --parameter-scan " + s;
    if (arguments_.search.prepare) line += " --prepare";
    return line + fmt::format(" --sources {} --warmup {} --runs {} --seed {}", arguments_.sources, arguments_.warmup,
                              arguments_.runs, arguments_.search.seed);
  }

  Graph load_one(const std::string& name) {
    GraphArguments reading = arguments_.reading;
    reading.graph = name;
    return load(context_, reading).graph;
  }

  /// A parameter that none of the strategies has is a slip, not a choice.
  void check_parameters(const std::vector<std::string>& names) const {
    const auto known = [&](const std::string& parameter) {
      return std::any_of(names.begin(), names.end(), [&](const auto& n) { return takes(find_strategy(n), parameter); });
    };
    for (const auto& [name, value] : search_.parameters)
      if (!known(name)) bad_value("--param", name, "a parameter of one of the strategies; see hopwave strategies show NAME");
    for (const auto& [name, values] : scans_)
      if (!known(name))
        bad_value("--parameter-scan", name, "a parameter of one of the strategies; see hopwave strategies show NAME");
  }

  void plain(const std::vector<std::string>& graphs, const std::vector<std::string>& names) {
    check_parameters(names);
    const int count = checked_int("--sources", arguments_.sources, 1, 1000000);
    for (const auto& name : graphs) {
      const Graph graph = load_one(name);
      const auto facts = report::graph_facts(name, graph);
      if (arguments_.pictures) file_.pictures.push_back(report::draw_graph(name, graph));
      const auto sources = report::random_sources(graph, static_cast<std::size_t>(count), options_.seed);
      for (const auto& strategy : names)
        for (const auto& parameters : configurations(find_strategy(strategy), search_.parameters, scans_))
          measure_one(facts, graph, {strategy, search_.device, parameters, search_.prepare}, sources);
    }
  }

  void measure_one(const report::GraphFacts& facts, const Graph& graph, const report::Configuration& configuration,
                   const std::vector<VertexId>& sources) {
    Progress progress(context_.console, configuration.strategy + " on " + facts.name);
    options_.progress = [&](std::size_t done, std::size_t all) {
      progress.steps(fmt::format("{} {}: run {} of {}", configuration.strategy,
                                 report::parameter_text(configuration.parameters), done, all));
      return !context_.interrupted();
    };
    file_.measurements.push_back(report::measure(facts, graph, configuration, sources, options_));
  }

  void graph500() {
    file_.procedure = "graph500";
    Progress progress(context_.console, "graph500");
    options_.progress = [&](std::size_t done, std::size_t all) {
      progress.steps(fmt::format("search {} of {}", done, all));
      return !context_.interrupted();
    };
    const auto run = report::run_graph500(
        checked_int("--scale", arguments_.scale, 1, 32), checked_int("--edgefactor", arguments_.edge_factor, 1, 1024), 64,
        {arguments_.search.strategy, search_.device, search_.parameters, search_.prepare}, options_);
    file_.measurements.push_back(run.measurement);
    text_ = report::graph500_text(run);
  }

  /// GAP's BFS trials: 64 different sources, one timed run each.
  void gap(std::vector<std::string> graphs) {
    file_.procedure = "gap";
    if (graphs.empty())
      graphs = {fmt::format("rmat:{},{}", arguments_.scale, arguments_.edge_factor),
                fmt::format("uniform:{},{}", arguments_.scale, arguments_.edge_factor)};
    options_.runs = 1;
    options_.warmup = 0;
    for (const auto& name : graphs) {
      const Graph graph = load_one(name);
      const auto facts = report::graph_facts(name, graph);
      for (const auto& strategy : chosen_strategies(arguments_.search.strategy))
        measure_one(facts, graph, {strategy, search_.device, search_.parameters, search_.prepare},
                    report::random_sources(graph, 64, options_.seed));
    }
  }

  /// The survey's section 5: every variant on every dataset over grid × block, the least of the runs.
  void survey(std::vector<std::string> graphs) {
    file_.procedure = "survey";
    if (graphs.empty()) graphs = {"roadnet-ca-like", "wikitalk-like"};
    if (scans_.empty()) scans_ = {{"block", {32, 64, 128, 256, 512, 1024}}, {"grid", {0}}};
    const std::string names = arguments_.search.strategy == "auto" ? "survey-*" : arguments_.search.strategy;
    std::vector<std::pair<report::GraphFacts, Distance>> datasets;
    for (const auto& name : graphs) {
      const Graph graph = load_one(name);
      const auto sources = report::random_sources(graph, 1, options_.seed);
      datasets.emplace_back(report::graph_facts(name, graph), sources.empty() ? 0 : estimate_diameter(graph, sources.front()));
    }
    plain(graphs, chosen_strategies(names));
    text_ = report::dataset_table(datasets) + "\n" + report::best_configurations(file_.measurements);
  }

  int finish() {
    if (!arguments_.export_json.empty()) write_whole(arguments_.export_json, report::to_json(file_));
    if (!arguments_.export_csv.empty()) write_whole(arguments_.export_csv, report::to_csv(file_));
    if (!arguments_.export_markdown.empty()) write_whole(arguments_.export_markdown, report::to_markdown(file_));
    if (context_.json())
      context_.console.result(report::to_json(file_));
    else
      context_.console.result(text_.empty() ? table() : text_);
    return compare();
  }

  static std::string row_name(const report::Measurement& m) {
    const auto& c = m.configuration;
    return c.strategy + (c.parameters.empty() ? "" : " " + report::parameter_text(c.parameters)) +
           (c.prepare ? " prepared" : "");
  }

  std::string table() const {
    std::size_t names = 8, graphs = 5;
    for (const auto& m : file_.measurements) {
      names = std::max(names, row_name(m).size());
      graphs = std::max(graphs, m.graph.name.size());
    }
    std::string out = fmt::format("{:<{}}  {:<{}}  {:>10} {:>10} {:>10} {:>9} {:>10} {:>7}\n", "strategy", names, "graph",
                                  graphs, "min ms", "median ms", "max ms", "± ms", "MTEPS", "levels");
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

  int compare() {
    if (arguments_.baseline.empty()) return 0;
    char* end = nullptr;
    const double allowed = std::strtod(arguments_.max_regression.c_str(), &end);
    if (*end || !(allowed > 0)) bad_value("--max-regression", arguments_.max_regression, "a number above 0, such as 1.1");
    const auto baseline = report::bench_from_json(read_file(arguments_.baseline), arguments_.baseline);
    const auto slower = report::regressions(file_, baseline, allowed);
    for (const auto& r : slower)
      context_.console.warn(
          fmt::format("{}: {:.4f} ms, was {:.4f} ms in {}", r.what, r.now_ms, r.before_ms, arguments_.baseline));
    return slower.empty() ? 0 : static_cast<int>(Failure::no);
  }

  const Arguments& arguments_;
  Context& context_;
  const int threads_;
  report::MeasureOptions options_;
  SearchOptions search_;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> scans_;
  report::BenchFile file_;
  std::string text_;
};

}  // namespace

Command bench_command() {
  auto a = std::make_shared<Arguments>();
  OptionGroup what{
      "What",
      {{.names = "GRAPH",
        .value = "GRAPH",
        .help =
            "Files or generator specs; or first a procedure: graph500, gap (GRAPHs may follow) or survey (GRAPHs may follow).",
        .target = &a->graphs,
        .fill = Fill::file,
        .required = true},
       {"--parameter-scan", "NAME=VALUES",
        "Measure every value: NAME=A,B,C, NAME=LOW..HIGH (doubling) or NAME=LOW..HIGH..STEP. Several scans multiply.",
        &a->scans},
       {"--sources", "N", "Random sources in the largest component, the same for every strategy.", &a->sources},
       {"--scale", "S", "graph500 and gap: 2^S vertices.", &a->scale},
       {"--edgefactor", "N", "graph500 and gap: edges a vertex.", &a->edge_factor}}};
  OptionGroup how{"How",
                  {{"--warmup", "N", "Runs a source that do not count.", &a->warmup},
                   {"--runs", "N", "Runs a source that count.", &a->runs},
                   {"--no-verify", "", "Do not check answers before their time counts.", &a->no_verify},
                   {"--trace", "", "One more run with a record of every level, for the report.", &a->trace},
                   {"--pictures", "", "Keep a coarse picture of each graph in the bench file, for the report.", &a->pictures}}};
  OptionGroup output{"Output",
                     {{"--export-json",
                       "FILE",
                       "Everything: command, commit, graph hash, device, driver, clocks and every run.",
                       &a->export_json,
                       {},
                       Fill::file},
                      {"--export-csv", "FILE", "One row a measurement.", &a->export_csv, {}, Fill::file},
                      {"--export-markdown", "FILE", "A table strategy × graph.", &a->export_markdown, {}, Fill::file},
                      {"--baseline",
                       "FILE",
                       "A bench file to compare with; exit code 1 if something got slower.",
                       &a->baseline,
                       {},
                       Fill::file},
                      {"--max-regression", "R", "How many times slower than the baseline is still fine.", &a->max_regression}}};
  return {
      .name = "bench",
      .summary = "measure strategies on graphs",
      .description =
          "Measures any strategies on any graphs with any parameters. Each configuration's answer is verified once a source "
          "before its "
          "time counts; what cannot run here is listed with its reason. Times are device time on a GPU and wall clock on a "
          "CPU. "
          "--strategy takes names separated by commas, a prefix with * (survey-*), all, cpu or gpu.",
      .examples = {{"hopwave bench rmat:12,16 --strategy cpu-sequential,cpu-parallel --runs 3 --export-json r.json",
                    "two strategies, every run kept"},
                   {"hopwave bench rmat:18,16 --strategy survey-virtual-warp --parameter-scan width=2..32 --parameter-scan "
                    "block=64..1024",
                    "a scan"},
                   {"hopwave bench graph500 --scale 20", "the Graph500 procedure"},
                   {"hopwave bench survey --device sim --runs 5", "the survey's tables, in the simulator"},
                   {"hopwave bench roads.gr --baseline r.json --max-regression 1.05", "fail if it got slower"}},
      .groups = {std::move(what), std::move(how), std::move(output), running_options(a->search), reading_options(a->reading)},
      .run = [a](Context& context) { return Bench(*a, context).run(); }};
}

}  // namespace hopwave::cli
