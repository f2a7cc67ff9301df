// sssp-bench: shortest paths with weights, timed. Every strategy's distances are compared, bit by bit, with the first
// one's; only then do its times count. Graphs without weights get whole weights from 1 to 255, as in GAP.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "common.h"
#include "core/commit.h"
#include "hopwave/hopwave.h"
#include "weights.h"

namespace {

using namespace hopwave;
using nlohmann::json;

struct Options {
  std::vector<std::string> graphs, strategies, parameters;
  std::vector<double> deltas;
  std::string device = "gpu", output, folder;
  int sources = 4, runs = 3, threads = 0;
  bool verify = false;
};

WeightedOptions options_for(const Options& options, const std::string& strategy, double delta) {
  WeightedOptions made{.strategy = strategy};
  made.run.device = strategy != "near-far" ? DeviceKind::cpu : options.device == "sim" ? DeviceKind::sim : DeviceKind::gpu;
  made.delta = delta;
  made.run.threads = options.threads;
  if (strategy != "near-far") return made;
  for (const std::string& text : options.parameters) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) made.parameters[text.substr(0, equals)] = std::stoll(text.substr(equals + 1));
  }
  return made;
}

/// Returns the arcs that leave the reached vertices: rates count these.
EdgeIndex arcs_reached(const Graph& graph, const WeightedResult& result) {
  EdgeIndex arcs = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (result.distance[v] < no_path) arcs += graph.out_degree(v);
  return arcs;
}

/// The right answers: those of the first strategy, which --verify checks.
struct Answers {
  std::vector<Array<double>> distance;
  std::vector<EdgeIndex> arcs;
};

json measure(const Graph& graph, const std::vector<VertexId>& sources, const Options& options, const std::string& strategy,
             double delta, Answers& answers) {
  WeightedSearcher searcher(graph, options_for(options, strategy, delta));
  std::vector<double> ms, tree_ms;
  std::uint64_t wrong = 0, steps = 0;
  double looked = 0, arcs = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const WeightedQuery query{.sources = {sources[i]}};
    WeightedResult result = searcher.run(query);  // also warms up
    if (options.verify && !validate(graph, query, result)) ++wrong;
    if (answers.distance.size() == i) {
      answers.arcs.push_back(arcs_reached(graph, result));
      answers.distance.push_back(std::move(result.distance));
    } else {
      wrong += !std::equal(result.distance.begin(), result.distance.end(), answers.distance[i].begin());
    }
    tree_ms.push_back(result.run.parents.count());
    steps = std::max(steps, result.run.steps);
    looked += static_cast<double>(result.run.relaxations);
    arcs += static_cast<double>(answers.arcs[i]);
    for (int r = 0; r < options.runs; ++r) ms.push_back(searcher.traverse(query).work.count());
  }
  const double each = bench::median(ms);
  return {{"strategy", strategy},
          {"delta", delta},
          {"parameters", options.parameters},
          {"median_ms", each},
          {"min_ms", *std::min_element(ms.begin(), ms.end())},
          {"tree_ms", bench::median(tree_ms)},
          {"steps", steps},
          {"arcs_looked_at", looked / arcs},
          {"million_arcs_per_second", arcs / static_cast<double>(sources.size()) / each / 1e3},
          {"copy_ms", searcher.copy_in().count()},
          {"wrong", wrong}};
}

bool bench_graph(const std::string& spec, const Options& options, json& report) {
  Graph graph = bench::load(spec);
  if (!graph.has_weights()) graph = bench::with_weights(graph, 0, 27491095);
  const auto sources = bench::draw_sources(graph, options.sources);
  if (!options.folder.empty()) {
    const std::string file = (std::filesystem::path(options.folder) / (bench::short_name(spec) + ".wsg")).string();
    write_graph(graph, file, {});
    std::string ids;
    for (const VertexId s : sources) ids += (ids.empty() ? "" : " ") + std::to_string(s);
    fmt::print("{} written; sources {}\n", file, ids);
  }
  fmt::print("\n{}: {} vertices, {} arcs, {} sources\n", bench::short_name(spec), graph.num_vertices(), graph.num_arcs(),
             sources.size());
  fmt::print("{:<20}{:>10}{:>12}{:>12}{:>10}{:>9}{:>10}\n", "strategy", "delta", "median ms", "min ms", "steps", "looked",
             "Marcs/s");
  Answers answers;
  bool right = true;
  for (const std::string& strategy : options.strategies)
    for (const double delta : options.deltas) {
      if (strategy == "cpu-dijkstra" && delta != options.deltas.front()) continue;
      json cell = measure(graph, sources, options, strategy, delta, answers);
      cell["graph"] = bench::short_name(spec);
      fmt::print("{:<20}{:>10}{:>12.3f}{:>12.3f}{:>10}{:>9.2f}{:>10.1f}  {}\n", strategy,
                 delta == 0 ? "auto" : fmt::format("{:.4g}", delta), cell["median_ms"].get<double>(),
                 cell["min_ms"].get<double>(), cell["steps"].get<std::uint64_t>(), cell["arcs_looked_at"].get<double>(),
                 cell["million_arcs_per_second"].get<double>(), cell["wrong"] == 0 ? "" : "WRONG");
      std::fflush(stdout);
      right = right && cell["wrong"] == 0;
      report["results"].push_back(std::move(cell));
      bench::write_json(options.output, report);
    }
  return right;
}

int run(const Options& options) {
  const DeviceInfo device = device_info();
  json report = {{"program", "sssp-bench"},
                 {"version", version},
                 {"commit", source_commit},
                 {"device", device.gpu ? device.name : "none"},
                 {"results", json::array()}};
  bool right = true;
  for (const std::string& spec : options.graphs) right = bench_graph(spec, options, report) && right;
  fmt::print("\n{}\n", right ? "every distance right" : "WRONG ANSWERS: see above");
  return right ? 0 : static_cast<int>(Failure::verification);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Measures shortest paths with weights. Example: sssp-bench -t near-far --delta 0,64,256 --json out.json"};
  app.add_option("-g,--graph", options.graphs, "file or generator spec");
  app.add_option("-t,--strategy", options.strategies, "cpu-dijkstra, cpu-delta-stepping, near-far");
  app.add_option("-p,--param", options.parameters, "NAME=VALUE, for near-far");
  app.add_option("--delta", options.deltas, "widths of buckets to try; 0: chosen for the graph")->delimiter(',');
  app.add_option("--device", options.device, "of near-far: gpu or sim")->check(CLI::IsMember({"gpu", "sim"}));
  app.add_option("--sources", options.sources, "sources per graph")->check(CLI::Range(1, 1000));
  app.add_option("--runs", options.runs, "measured runs per source")->check(CLI::Range(1, 100000));
  app.add_option("--threads", options.threads, "for the CPU strategies; 0: all")->check(CLI::Range(0, 4096));
  app.add_flag("--verify", options.verify, "check each answer by the rules of Graph500");
  app.add_option("--write", options.folder, "also write each graph to this folder, as .wsg for GAP's sssp");
  app.add_option("--json", options.output, "write results to this file");
  CLI11_PARSE(app, argc, argv);
  if (options.graphs.empty()) options.graphs = {"rmat:20,16", "rmat:24,16", "streets:1400", "streets:4900"};
  if (options.strategies.empty()) options.strategies = {"near-far"};
  if (options.deltas.empty()) options.deltas = {0};
  try {
    return run(options);
  } catch (const Error& e) {
    fmt::print(stderr, "sssp-bench: {}\n", e.what());
    return static_cast<int>(e.failure());
  }
}
