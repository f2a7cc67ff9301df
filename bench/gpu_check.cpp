// gpu-check: every GPU strategy on every given graph, on a real device. Each distance is compared with cpu-sequential;
// only then do its times count. Prints strategy × graph in milliseconds of device time and writes all runs as JSON.
// With --scan it also searches for the best grid × block; with --repeat it counts wrong answers on a contended graph.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "common.h"
#include "core/commit.h"
#include "flow_check.h"
#include "hopwave/hopwave.h"
#include "partitioned_check.h"
#include "ranks_check.h"
#include "sssp_check.h"
#include "strong_check.h"

namespace {

using namespace hopwave;
using bench::median;
using nlohmann::json;

struct Options {
  std::string device = "gpu", output;
  std::vector<std::string> graphs, strategies, parameters;
  int sources = 4, runs = 5, repeat = 0;
  std::uint64_t sssp = 0, first_seed = 1;  ///< number of weighted graphs for shortest paths, and the first one's seed
  std::uint64_t flow = 0;                  ///< the same for maximum flow
  std::uint64_t scc = 0;                   ///< the same for strongly connected components
  std::uint64_t partitioned = 0;           ///< the same for one graph split over several devices
  std::uint64_t ranks = 0;                 ///< the same for ranks with one device each
  double seconds = 20;                     ///< after that, a cell of the table takes no new source
  bool scan = false, prepare = false;
  double scan_seconds = 1.5;         ///< after that, a strategy's scan of one graph starts no further configuration
  double hopeless = 3;               ///< a configuration this many times slower than the best gets one run only
  std::vector<std::int64_t> widths;  ///< also scanned, for strategies with that parameter
};

/// A graph with its sources and the correct distances from each.
struct Case {
  std::string name;
  Graph graph;
  std::vector<VertexId> sources;
  std::vector<Array<Distance>> expected;
};

DeviceKind kind(const Options& options) {
  return options.device == "sim" ? DeviceKind::sim : options.device == "cpu" ? DeviceKind::cpu : DeviceKind::gpu;
}

/// Layers of 1, 2000, 8, 2000, 8, 2000 vertices, with all arcs between neighbouring layers: thousands of threads claim
/// one vertex, and 8 rows hold nearly all arcs.
Graph contended_graph() {
  const VertexId layers[] = {1, 2000, 8, 2000, 8, 2000};
  std::vector<Edge> edges;
  VertexId first = 0;
  for (std::size_t i = 0; i + 1 < std::size(layers); ++i) {
    const VertexId next = first + layers[i];
    for (VertexId u = first; u < next; ++u)
      for (VertexId v = next; v < next + layers[i + 1]; ++v) edges.push_back({u, v});
    first = next;
  }
  EdgeList list;
  list.num_vertices = first + layers[std::size(layers) - 1];
  list.edges = Array<Edge>::copy_of(edges);
  list.ids = Ids::consecutive(list.num_vertices);
  return build_graph(std::move(list), {.build_in = true});
}

Case make_case(const std::string& spec, const Options& options) {
  const bool contended = spec == "contended";  // it has one source
  Case c{bench::short_name(spec), contended ? contended_graph() : bench::load(spec), {}, {}};
  c.graph.ensure_in();
  c.sources = contended ? std::vector<VertexId>{0} : bench::draw_sources(c.graph, options.sources);
  Searcher oracle(c.graph, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
  for (const VertexId s : c.sources) c.expected.push_back(oracle.run({.sources = {s}}).distance);
  return c;
}

std::vector<StrategyInfo> chosen_strategies(const Options& options) {
  std::vector<StrategyInfo> chosen;
  for (const std::string& name : options.strategies) chosen.push_back(find_strategy(name));
  if (chosen.empty())
    for (const StrategyInfo& info : strategies())
      if (info.device != "cpu") chosen.push_back(info);
  return chosen;
}

Parameters given_parameters(const Options& options, const StrategyInfo& info) {
  Parameters given;
  for (const std::string& text : options.parameters) {
    const std::size_t equals = text.find('=');
    for (const ParameterInfo& p : info.parameters)
      if (equals != std::string::npos && text.compare(0, equals, p.name) == 0)
        given.emplace(p.name, std::stoll(text.substr(equals + 1)));
  }
  return given;
}

SearchOptions search_options(const Options& options, const StrategyInfo& info, Parameters parameters) {
  return {.strategy = std::string(info.name),
          .parameters = std::move(parameters),
          .prepare = options.prepare,
          .run = {.device = kind(options)}};
}

/// One strategy on one graph: compares from every source, then measures.
json measure(const Case& c, const StrategyInfo& info, const Options& options) {
  const Parameters parameters = given_parameters(options, info);
  json cell = {{"strategy", info.name}, {"graph", c.name}, {"parameters", parameters}, {"sources", json::array()}};
  const auto begin = std::chrono::steady_clock::now();
  Searcher searcher(c.graph, search_options(options, info, parameters));
  cell["copy_ms"] = searcher.copy_in().count();
  cell["prepare_ms"] = searcher.prepare().count();
  std::uint64_t bad = 0;
  std::vector<double> medians;
  double least = 0;
  for (std::size_t i = 0; i < c.sources.size(); ++i) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (i && spent.count() > options.seconds) break;
    const Query query{.sources = {c.sources[i]}};
    const Result result = searcher.run(query);  // also warms up
    const std::uint64_t bad_here = bench::count_wrong(result.distance, c.expected[i]);
    bad += bad_here;
    std::vector<double> ms, host_ms;
    for (int r = 0; r < options.runs; ++r) {
      const SearchReport stats = searcher.traverse(query);
      ms.push_back(stats.work.count());
      host_ms.push_back(stats.host.count());
    }
    if (!ms.empty()) {
      medians.push_back(median(ms));
      const double here = *std::min_element(ms.begin(), ms.end());
      least = i ? std::min(least, here) : here;
    }
    const SearchReport& stats = result.run;
    const double levels = std::max(1u, stats.steps);
    cell["sources"].push_back({{"source", c.graph.ids().name(c.sources[i])},
                               {"reached", result.reached},
                               {"depth", result.depth},
                               {"levels", stats.levels},
                               {"launches", stats.launches},
                               {"round_trips", stats.round_trips},
                               {"round_trips_per_level", static_cast<double>(stats.round_trips) / levels},
                               {"wrong_distances", bad_here},
                               {"chosen", stats.chosen},
                               {"ms", ms},
                               {"host_ms", host_ms}});
  }
  cell["wrong_distances"] = bad;
  cell["min_ms"] = least;
  cell["median_ms"] = median(medians);
  return cell;
}

/// Returns the wanted values of a parameter that the strategy accepts; none if it has no such parameter.
std::vector<std::int64_t> values_of(const StrategyInfo& info, std::string_view name, const std::vector<std::int64_t>& wanted) {
  std::vector<std::int64_t> values;
  for (const ParameterInfo& p : info.parameters)
    for (const std::int64_t v : wanted)
      if (p.name == name && v >= p.lowest && v <= p.highest) values.push_back(v);
  return values;
}

/// Returns the configurations of a scan: block × grid, then virtual-warp widths at the defaults of both. Likely ones
/// come first, so that a scan that runs out of time has tried them.
std::vector<Parameters> configurations(const StrategyInfo& info, const Options& options, std::int64_t multiprocessors) {
  const Parameters fixed = given_parameters(options, info);
  std::vector<Parameters> all;
  std::vector<std::int64_t> wanted = {256, 1024, 128, 512};
  for (const ParameterInfo& p : info.parameters)
    if (p.name == "block" && std::find(wanted.begin(), wanted.end(), p.standard) == wanted.end())
      wanted.insert(wanted.begin(), p.standard);
  auto blocks = values_of(info, "block", wanted);
  auto grids = values_of(info, "grid", {0, 4 * multiprocessors, multiprocessors});
  if (blocks.empty()) blocks.push_back(-1);
  if (grids.empty()) grids.push_back(-1);
  for (const std::int64_t b : blocks)
    for (const std::int64_t g : grids) {
      Parameters p = fixed;
      if (b >= 0) p["block"] = b;
      if (g >= 0) p["grid"] = g;
      all.push_back(std::move(p));
    }
  for (const std::int64_t w : values_of(info, "width", options.widths)) {
    all.push_back(fixed);
    all.back()["width"] = w;
  }
  return all;
}

/// One configuration from the first source: compared, then timed, unless its first run is far slower than `best`.
json scan_one(const Case& c, const StrategyInfo& info, const Options& options, const Parameters& parameters, double best) {
  json row = {{"parameters", parameters}};
  Searcher searcher(c.graph, search_options(options, info, parameters));
  const Query query{.sources = {c.sources[0]}};
  const Result result = searcher.run(query);
  row["wrong_distances"] = bench::count_wrong(result.distance, c.expected[0]);
  std::vector<double> ms = {searcher.traverse(query).work.count()};
  if (ms.front() > options.hopeless * best) {
    row["ms"] = ms;
    row["skipped"] = fmt::format("first run {:.1f} times the best", ms.front() / best);
    return row;
  }
  for (int r = 1; r < std::max(1, options.runs); ++r) ms.push_back(searcher.traverse(query).work.count());
  row["ms"] = ms;
  row["min_ms"] = *std::min_element(ms.begin(), ms.end());
  row["median_ms"] = median(ms);
  return row;
}

/// Scans grid × block as far as time allows. The rows are sorted, best first, then the skipped ones, each with its
/// reason.
json scan(const Case& c, const StrategyInfo& info, const Options& options, int multiprocessors) {
  json rows = json::array();
  const auto begin = std::chrono::steady_clock::now();
  double best = 1e30;
  for (const Parameters& parameters : configurations(info, options, multiprocessors)) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    json row = {{"parameters", parameters}};
    if (spent.count() > options.scan_seconds) {
      row["skipped"] = fmt::format("the scan's {:g} s were over", options.scan_seconds);
    } else {
      try {
        row = scan_one(c, info, options, parameters, best);
        best = std::min(best, row.value("median_ms", 1e30));
      } catch (const Error& e) {
        if (e.failure() == Failure::device) throw;
        row["skipped"] = e.id();
      }
    }
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const json& a, const json& b) { return a.value("median_ms", 1e30) < b.value("median_ms", 1e30); });
  return rows;
}

/// Returns the number of wrong answers among `repeat` runs, with the sources in turn.
std::uint64_t count_wrong_runs(const Case& c, const StrategyInfo& info, const Options& options) {
  Searcher searcher(c.graph, search_options(options, info, given_parameters(options, info)));
  std::uint64_t bad = 0;
  for (int r = 0; r < options.repeat; ++r) {
    const std::size_t i = static_cast<std::size_t>(r) % c.sources.size();
    bad += bench::count_wrong(searcher.run({.sources = {c.sources[i]}}).distance, c.expected[i]) != 0;
  }
  return bad;
}

/// Checks one graph with all strategies. Returns false if an answer was wrong.
bool check_graph(const std::string& spec, const Options& options, int multiprocessors, json& report) {
  const Case c = make_case(spec, options);
  fmt::print("\n{}: {} vertices, {} arcs, {} sources\n", c.name, c.graph.num_vertices(), c.graph.num_arcs(), c.sources.size());
  fmt::print("{:<28}{:>11}{:>11}{:>8}{:>9}{:>9}  {}\n", "strategy", "min ms", "median ms", "levels", "launches", "trips/lvl",
             "");
  report["graphs"].push_back({{"graph", c.name}, {"vertices", c.graph.num_vertices()}, {"arcs", c.graph.num_arcs()}});
  bool right = true;
  for (const StrategyInfo& info : chosen_strategies(options)) {
    json cell = {{"strategy", info.name}, {"graph", c.name}};
    std::string note;
    try {
      cell = measure(c, info, options);
      std::uint64_t bad = cell["wrong_distances"];
      if (bad) note = fmt::format("WRONG: {} distances", bad);
      if (options.repeat) {
        const std::uint64_t bad_runs = count_wrong_runs(c, info, options);
        cell["repeat"] = {{"runs", options.repeat}, {"wrong_runs", bad_runs}};
        note += fmt::format("{}{} of {} runs wrong", note.empty() ? "" : ", ", bad_runs, options.repeat);
        bad += bad_runs;
      }
      if (options.scan) {
        cell["scan"] = scan(c, info, options, multiprocessors);
        const json& best = cell["scan"].front();
        if (best.contains("median_ms"))
          note += fmt::format("{}best {:.4f} ms with {}", note.empty() ? "" : ", ", best["median_ms"].get<double>(),
                              best["parameters"].dump());
        for (const json& row : cell["scan"]) bad += row.value("wrong_distances", 0ull);
      }
      right = right && bad == 0;
      const json& first = cell["sources"].front();
      fmt::print("{:<28}{:>11.4f}{:>11.4f}{:>8}{:>10}{:>8.2f}  {}\n", info.name, cell["min_ms"].get<double>(),
                 cell["median_ms"].get<double>(), first["levels"].get<unsigned>(), first["launches"].get<std::uint64_t>(),
                 first["round_trips_per_level"].get<double>(), note);
    } catch (const Error& e) {
      if (e.failure() == Failure::device) throw;  // the device cannot be used any more
      cell["skipped"] = e.what();
      fmt::print("{:<28}skipped: {}\n", info.name, e.what());
    }
    std::fflush(stdout);
    report["results"].push_back(std::move(cell));
  }
  return right;
}

/// --partitioned: first checks answers, then times the given graphs.
int check_partitioned(const Options& options, const DeviceInfo& device) {
  const int devices = std::min(bench::count_devices(kind(options)), 16);
  if (devices < 2) {
    fmt::print("partitioned: skipped: {} device found, two are needed\n", devices);
    return 0;
  }
  std::uint64_t wrong = bench::check_partitioned(kind(options), devices, options.first_seed, options.partitioned);
  json report = {{"program", "gpu-check --partitioned"},
                 {"version", version},
                 {"commit", source_commit},
                 {"device", kind(options) == DeviceKind::sim ? "simulator" : device.name},
                 {"devices", devices},
                 {"graphs", options.partitioned},
                 {"wrong", wrong}};
  if (wrong == 0 && !options.graphs.empty())
    report["times"] = bench::time_partitioned(kind(options), devices, options.graphs, options.sources, options.runs, wrong);
  bench::write_json(options.output, report);
  return wrong ? static_cast<int>(Failure::verification) : 0;
}

int check(const Options& options) {
  const DeviceInfo device = device_info();
  const bool sim = kind(options) == DeviceKind::sim;
  if (!sim && !device.gpu) {
    fmt::print(stderr, "gpu-check: no usable GPU ({}); --device sim runs the simulator\n", device.why_not);
    return static_cast<int>(Failure::device);
  }
  if (options.sssp) {
    const std::uint64_t wrong = bench::check_sssp(kind(options), options.first_seed, options.sssp);
    return wrong ? static_cast<int>(Failure::verification) : 0;
  }
  if (options.scc) {
    const std::uint64_t wrong = bench::check_strong(kind(options), options.first_seed, options.scc);
    return wrong ? static_cast<int>(Failure::verification) : 0;
  }
  if (options.device == "cpu" && !options.flow)
    return fmt::print(stderr, "gpu-check: --device cpu is for --flow\n"), static_cast<int>(Failure::usage);
  if (options.flow) {
    const std::uint64_t wrong = bench::check_flow(kind(options), options.first_seed, options.flow);
    return wrong ? static_cast<int>(Failure::verification) : 0;
  }
  if (options.ranks) {
    const int devices = std::min(bench::count_devices(kind(options)), 16);
    const std::uint64_t wrong = bench::check_ranks(kind(options), devices, options.first_seed, options.ranks);
    return wrong ? static_cast<int>(Failure::verification) : 0;
  }
  if (options.partitioned) return check_partitioned(options, device);
  json report = {{"program", "gpu-check"},  {"version", version},
                 {"commit", source_commit}, {"device", sim ? "simulator" : device.name},
                 {"driver", device.driver}, {"runtime", device.runtime},
                 {"runs", options.runs},    {"times", "milliseconds of device time for one traversal, initialisation included"},
                 {"graphs", json::array()}, {"results", json::array()}};
  fmt::print("{}, driver {}, {} runs per source\n", report["device"].get<std::string>(), device.driver, options.runs);
  bool right = true;
  for (const std::string& spec : options.graphs) {
    right = check_graph(spec, options, sim ? 4 : std::max(1, device.multiprocessors), report) && right;
    bench::write_json(options.output, report);  // after every graph, so that an interrupted run keeps its results
  }
  fmt::print("\n{}\n", right ? "every distance right" : "WRONG ANSWERS: see above");
  return right ? 0 : static_cast<int>(Failure::verification);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Checks and measures every GPU strategy. Example: gpu-check -g rmat:20,16 -g und:road.gr --json out.json"};
  app.add_option("-g,--graph", options.graphs, "file or generator spec; und:FILE reads rows as both directions; contended");
  app.add_option("-t,--strategy", options.strategies, "only these (default: all for the GPU)");
  app.add_option("-p,--param", options.parameters, "NAME=VALUE, for every strategy that has it");
  app.add_option("--device", options.device, "gpu or sim; with --flow also cpu")->check(CLI::IsMember({"gpu", "sim", "cpu"}));
  app.add_option("--sources", options.sources, "sources per graph, chosen at random from the largest component")
      ->check(CLI::Range(1, 1000));
  app.add_option("--runs", options.runs, "measured runs per source")->check(CLI::Range(1, 100000));
  app.add_option("--seconds", options.seconds, "after that, a strategy takes no further source of a graph");
  app.add_option("--repeat", options.repeat, "also run this many times and count wrong answers")
      ->check(CLI::Range(0, 10000000));
  app.add_option("--sssp", options.sssp, "instead: this many graphs for shortest paths with weights");
  app.add_option("--scc", options.scc, "instead: this many graphs for strongly connected components");
  app.add_option("--flow", options.flow, "instead: this many networks for maximum flow");
  app.add_option("--partitioned", options.partitioned,
                 "instead: this many graphs split over all devices, then times of the given graphs");
  app.add_option("--ranks", options.ranks, "instead: this many graphs searched by ranks with one device each, on all devices");
  app.add_option("--first", options.first_seed, "the first one's seed");
  app.add_flag("--scan", options.scan, "also try grids × blocks and report the best");
  app.add_option("--scan-seconds", options.scan_seconds, "after that, a strategy's scan of one graph tries nothing further");
  app.add_option("--hopeless", options.hopeless, "a configuration this many times slower than the best gets one run only");
  app.add_option("--width", options.widths, "also scan these widths, for strategies that have them")->delimiter(',');
  app.add_flag("--prepare", options.prepare, "let strategies prepare the graph");
  app.add_option("--json", options.output, "write every run to this file");
  CLI11_PARSE(app, argc, argv);
  if (options.graphs.empty() && !options.partitioned) options.graphs = {"contended", "rmat:16,16"};
  try {
    return check(options);
  } catch (const Error& e) {
    fmt::print(stderr, "gpu-check: {}\n", e.what());
    return static_cast<int>(e.failure());
  }
}
