// scc-bench: strongly or weakly connected components, timed on a CPU and on a device. The labels of both are compared;
// only then do times count. --device none times the CPU alone. strong_graphs.h describes the specs of directed graphs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/commit.h"
#include "strong_graphs.h"

namespace {

using namespace hopwave;
using nlohmann::json;

struct Options {
  std::vector<std::string> graphs;
  std::string device = "gpu", output;
  int runs = 5, threads = 0;
  bool weak = false;
};

/// The results of either kind.
struct Found {
  Array<VertexId> label;
  VertexId count = 0, largest = 0;
  double ms = 0, copy_ms = 0;
  std::uint64_t rounds = 0, spreads = 0;
};

Found find(const Graph& graph, const StrongOptions& options, bool weak) {
  if (weak) {
    Components found = connected_components(graph, {.device = options.run.device});
    Components& c = found;
    return {std::move(c.label), c.count, c.largest_size, found.run.work.count(), found.run.copy_in.count()};
  }
  StrongComponents found = strong_components(graph, options);
  StrongComponents& c = found;
  return {std::move(c.label),        c.count,      c.largest_size, found.run.work.count(),
          found.run.copy_in.count(), found.rounds, found.spreads};
}

/// Returns medians of several runs, without the first.
json measure(const Graph& graph, const StrongOptions& options, const Options& bench, Found& found) {
  std::vector<double> ms, copies;
  for (int run = 0; run <= bench.runs; ++run) {
    found = find(graph, options, bench.weak);
    if (run == 0) continue;
    ms.push_back(found.ms);
    copies.push_back(found.copy_ms);
  }
  return {{"median_ms", bench::median(ms)},
          {"min_ms", *std::min_element(ms.begin(), ms.end())},
          {"copy_ms", bench::median(copies)},
          {"rounds", found.rounds},
          {"spreads", found.spreads}};
}

bool bench_graph(const std::string& spec, const Options& options, json& report) {
  const Graph graph = options.weak ? bench::load(spec) : bench::load_directed(spec);
  Found cpu, device;
  const json of_cpu = measure(graph, {.run = {.threads = options.threads}}, options, cpu);
  if (options.device == "none") {
    fmt::print("{:<34}{:>11}{:>12}{:>11}{:>11}{:>11.3f}\n", bench::short_name(spec), graph.num_vertices(), graph.num_arcs(),
               cpu.count, cpu.largest, of_cpu["median_ms"].get<double>());
    report["results"].push_back({{"graph", bench::short_name(spec)}, {"cpu_ms", of_cpu["median_ms"]}});
    bench::write_json(options.output, report);
    return true;
  }
  const json of_device =
      measure(graph, {.run = {.device = options.device == "sim" ? DeviceKind::sim : DeviceKind::gpu}}, options, device);
  const auto &a = cpu.label, &b = device.label;
  const bool right = std::equal(a.begin(), a.end(), b.begin(), b.end());
  report["results"].push_back({{"graph", bench::short_name(spec)},
                               {"vertices", graph.num_vertices()},
                               {"arcs", graph.num_arcs()},
                               {"components", cpu.count},
                               {"largest", cpu.largest},
                               {"cpu_ms", of_cpu["median_ms"]},
                               {options.device, of_device},
                               {"same_labels", right}});
  fmt::print("{:<34}{:>11}{:>12}{:>11}{:>11}{:>11.3f}{:>11.3f}{:>10.1f}{:>8}{:>8}  {}\n", bench::short_name(spec),
             graph.num_vertices(), graph.num_arcs(), cpu.count, cpu.largest, of_cpu["median_ms"].get<double>(),
             of_device["median_ms"].get<double>(), of_device["copy_ms"].get<double>(), device.rounds, device.spreads,
             right ? "" : "WRONG");
  std::fflush(stdout);
  bench::write_json(options.output, report);
  return right;
}

int run(const Options& options) {
  const DeviceInfo device = device_info();
  json report = {{"program", options.weak ? "scc-bench --weak" : "scc-bench"},
                 {"version", version},
                 {"commit", source_commit},
                 {"device", device.gpu ? device.name : "none"},
                 {"results", json::array()}};
  fmt::print("{:<34}{:>11}{:>12}{:>11}{:>11}{:>11}{:>11}{:>10}{:>8}{:>8}\n", "graph", "vertices", "arcs", "components",
             "largest", "CPU ms", options.device + " ms", "copy ms", "rounds", "spreads");
  bool right = true;
  for (const std::string& spec : options.graphs) right = bench_graph(spec, options, report) && right;
  const bool compared = options.device != "none";
  fmt::print("{}\n", !compared ? "nothing compared" : right ? "every label the same" : "WRONG ANSWERS: see above");
  return right ? 0 : static_cast<int>(Failure::verification);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Measures strongly connected components. Example: scc-bench -g one-way:1000:rmat:20,16 --json out.json"};
  app.add_option("-g,--graph", options.graphs, "file or spec; one-way:K:SPEC and cycles:N make directed graphs");
  app.add_option("--device", options.device, "in addition to the CPU: gpu, sim or none")
      ->check(CLI::IsMember({"gpu", "sim", "none"}));
  app.add_flag("--weak", options.weak, "weakly connected components; graphs unchanged");
  app.add_option("--runs", options.runs, "measured runs")->check(CLI::Range(1, 100000));
  app.add_option("--threads", options.threads, "on the CPU; 0: all")->check(CLI::Range(0, 4096));
  app.add_option("--json", options.output, "write results to this file");
  CLI11_PARSE(app, argc, argv);
  if (options.graphs.empty() && options.weak)
    options.graphs = {"rmat:20,16",   "rmat:23,16",    "uniform:22,16", "grid:3000x3000",
                      "streets:1400", "chain:2000000", "star:1000000",  "shapes:7,3000000"};
  if (options.graphs.empty())
    options.graphs = {"one-way:1000000000:rmat:20,16",    "one-way:1000000000:rmat:22,16",
                      "one-way:1000000000:uniform:22,8",  "one-way:4:streets:1400",
                      "one-way:1:streets:1400",           "one-way:4:mesh:1000x1000",
                      "one-way:20:grid:1000x1000",        "one-way:1000000000:grid:1000x1000",
                      "one-way:1000000000:chain:2000000", "cycles:2000000",
                      "one-way:10:shapes:7,3000000"};
  try {
    return run(options);
  } catch (const Error& e) {
    fmt::print(stderr, "scc-bench: {}\n", e.what());
    return static_cast<int>(e.failure());
  }
}
