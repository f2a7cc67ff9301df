// Graph500's, GAP's and the survey's procedures.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "cli/commands/bench/bench_run.h"
#include "core/refuse.h"
#include "graph/diameter.h"
#include "measure/procedures.h"

namespace hopwave::cli {

int Bench::publish_graph500(report::Graph500Run run) {
  file_.procedure = "graph500";
  text_ = report::graph500_text(run);
  file_.measurements.push_back(std::move(run.measurement));
  return finish();
}

int Bench::graph500() {
  std::optional<Progress> progress(std::in_place, context_.console, "graph500");
  options_.run.progress = [&](const Step& step) {
    progress->steps(fmt::format("search {} of {}", step.done, step.total), step.done, step.total);
    return !context_.interrupted();
  };
  const int scale = checked_int("--scale", arguments_.scale, 1, search_.run.replicas.empty() ? 32 : 31);
  const int edge_factor = checked_int("--edgefactor", arguments_.edge_factor, 1, 1024);
  const report::Configuration configuration{arguments_.search.strategy, search_.run.device, search_.parameters,
                                            search_.prepare};
  auto run = [&] {
    if (search_.run.replicas.empty()) return report::run_graph500(scale, edge_factor, 64, configuration, options_);
    if (configuration.strategy != "auto")
      core::refuse("HW-USAGE-OPTION", "--gpus with --strategy " + configuration.strategy, "--strategy auto");
    std::vector<int> gpus{search_.run.on.ordinal};
    gpus.insert(gpus.end(), search_.run.replicas.begin(), search_.run.replicas.end());
    return report::run_graph500_shared(scale, edge_factor, 64, configuration, gpus, options_);
  }();
  progress.reset();
  return publish_graph500(std::move(run));
}

void Bench::gap(std::vector<std::string> graphs) {
  file_.procedure = "gap";
  if (graphs.empty())
    graphs = {fmt::format("rmat:{},{}", arguments_.scale, arguments_.edge_factor),
              fmt::format("uniform:{},{}", arguments_.scale, arguments_.edge_factor)};
  options_.runs = 1;
  options_.warmup = 0;
  for (const auto& name : graphs) {
    const Graph graph = load_one(name);
    const auto facts = report::graph_facts(name, graph);
    const auto names = chosen_strategies(arguments_.search.strategy);
    for (const auto& strategy : names)
      measure_one(
          facts, graph,
          {strategy, place_of(find_strategy(strategy), search_.run.device, names.size()), search_.parameters, search_.prepare},
          report::random_sources(graph, 64, options_.run.seed));
  }
}

void Bench::survey(std::vector<std::string> graphs) {
  file_.procedure = "survey";
  options_.trace = false;  // --trace: of the best configurations only, below
  if (graphs.empty()) graphs = {"roadnet-ca-like", "wikitalk-like"};
  if (scans_.empty()) scans_ = {{"block", {32, 64, 128, 256, 512, 1024}}, {"grid", {0}}};
  const auto names = chosen_strategies(arguments_.search.strategy == "auto" ? "survey-*" : arguments_.search.strategy);
  check_parameters(names);
  const int count = checked_int("--sources", arguments_.sources, 1, 1000000);
  std::vector<std::pair<report::GraphFacts, Distance>> datasets;
  for (const auto& name : graphs) {
    const Graph graph = load_one(name);
    const auto facts = report::graph_facts(name, graph);
    const auto sources = report::random_sources(graph, static_cast<std::size_t>(count), options_.run.seed);
    datasets.emplace_back(facts, sources.empty() ? 0 : hopwave::graph::estimate_diameter(graph, sources.front()));
    const std::size_t first = file_.measurements.size();
    measure_graph(facts, graph, sources, names);
    survey_widths(facts, graph, sources, first);
    if (arguments_.trace) survey_traces(graph, sources, first);
  }
  text_ = report::dataset_table(datasets) + "\n" + report::best_configurations(file_.measurements);
}

namespace {

/// The least of all runs, by strategy, among the measurements from `first` on.
std::map<std::string, report::Measurement*> best_of(std::vector<report::Measurement>& all, std::size_t first) {
  std::map<std::string, report::Measurement*> best;
  for (std::size_t i = first; i < all.size(); ++i) {
    if (!all[i].skipped.empty()) continue;
    report::Measurement*& b = best[all[i].configuration.strategy];
    if (!b || report::least_ms(all[i]) < report::least_ms(*b)) b = &all[i];
  }
  return best;
}

}  // namespace

/// Every width of virtual warps at the best grid and block, unless the user scans widths already.
void Bench::survey_widths(const report::GraphFacts& facts, const Graph& graph, const std::vector<VertexId>& sources,
                          std::size_t first) {
  std::vector<report::Configuration> wanted;
  for (const auto& [strategy, best] : best_of(file_.measurements, first))
    for (const ParameterInfo& p : find_strategy(strategy).parameters)
      for (std::int64_t width = p.lowest; p.name == "width" && width <= p.highest; width *= 2) {
        if (best->configuration.parameters.contains("width")) continue;
        wanted.push_back(best->configuration);
        wanted.back().parameters["width"] = width;
      }
  for (const auto& configuration : wanted) measure_one(facts, graph, configuration, sources);
}

/// Levels of the best configurations only: traces of all would be most of the file.
void Bench::survey_traces(const Graph& graph, const std::vector<VertexId>& sources, std::size_t first) {
  if (sources.empty()) return;
  for (const auto& [strategy, best] : best_of(file_.measurements, first))
    best->trace = report::level_trace(graph, best->configuration, sources.front(), options_);
}

}  // namespace hopwave::cli
