// The engine's table of targets, through the library: each graph without and with preparation, 64 fixed random sources
// in the largest component, the median of a few runs per source. Every source's answer is validated before its time
// counts.
//   engine-bench [--data DIR] [--runs 3] [--sources 64] [--json FILE] [--validate N] [--each] [--param NAME=N]…
//     [--trace N] [--slowest] [--answers [--as-loaded]] [GRAPH…]
// A graph is a file or a generator's spec.
// --trace N shows where the time of the first N sources goes, with --slowest of the N that took longest. --each
// compares the same searches, 64 per pass, with one after the other. --answers measures how long the caller of run()
// and run_each() waits; --as-loaded keeps vertices without arcs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "device/architecture.h"
#include "hopwave/hopwave.h"

namespace {

using namespace hopwave;

struct Options {
  int runs = 3;
  std::size_t sources = 64;
  std::size_t validated = 64;  ///< sources per graph whose answers are checked
  std::size_t traced = 0;      ///< sources whose levels are shown
  bool each = false, slowest = false, answers = false, as_loaded = false;
  std::string json, data = "../shared/data";
  Parameters parameters;
  DeviceKind device = DeviceKind::gpu;
  std::vector<std::string> graphs;
};

/// The table's graphs; real ones are looked for in the data folder.
const std::vector<std::string> table = {"survey/soc-Slashdot0902.txt.zst",
                                        "snap/ego-Twitter-und.txt.zst",
                                        "road/USA-road-d.NY.gr.zst",
                                        "mesh:128x64",
                                        "streets:1400",
                                        "kron:20,16",
                                        "uniform:22,16",
                                        "kron:22,16",
                                        "streets:4900",
                                        "kron:24,16"};

/// Returns the graph without isolated vertices, as in published measurements.
Graph without_isolated(const Graph& graph) {
  const VertexId n = graph.num_vertices();
  std::vector<VertexId> id(n);
  VertexId kept = 0;
  for (VertexId v = 0; v < n; ++v) id[v] = graph.out_degree(v) ? kept++ : no_vertex;
  Array<EdgeIndex> offsets(kept + 1ull);
  Array<VertexId> neighbors(graph.num_arcs());
  EdgeIndex at = 0;
  for (VertexId v = 0; v < n; ++v) {
    if (id[v] == no_vertex) continue;
    offsets[id[v]] = at;
    for (const VertexId w : graph.out_neighbors(v)) neighbors[at++] = id[w];
  }
  offsets[kept] = at;
  return Graph(kept, false, {std::move(offsets), std::move(neighbors), {}}, std::nullopt, Ids::consecutive(kept));
}

std::vector<VertexId> pick_sources(const Graph& graph, std::size_t count, EdgeIndex& arcs_in_component) {
  const Components components = connected_components(graph);
  arcs_in_component = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (components.label[v] == components.largest_label) arcs_in_component += graph.out_degree(v);
  std::vector<VertexId> sources;
  for (std::uint64_t k = 0; sources.size() < count; ++k) {
    const auto v = static_cast<VertexId>(splitmix64(k) % graph.num_vertices());
    if (components.label[v] == components.largest_label) sources.push_back(v);
  }
  return sources;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Returns the sources by descending time.
std::vector<VertexId> slowest_first(const std::vector<VertexId>& sources, const std::vector<double>& times) {
  std::vector<std::size_t> order(sources.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return times[a] > times[b]; });
  std::vector<VertexId> sorted;
  for (const std::size_t i : order) sorted.push_back(sources[i]);
  return sorted;
}

Parameters::value_type parse_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  return {text.substr(0, equals), equals == std::string::npos ? 1 : std::atoll(text.c_str() + equals + 1)};
}

void check(const Graph& graph, VertexId source, const Result& result) {
  if (const Verdict verdict = validate(graph, {.sources = {source}}, result); !verdict) {
    fmt::print(stderr, "wrong answer from {}: {}\n", source, verdict.message);
    std::exit(static_cast<int>(Failure::verification));
  }
}

/// Checks a search that stops at a target or a depth: it must agree with the whole one up to there.
void check_stopped(Searcher& searcher, const Result& whole, Query query, VertexId target) {
  const auto agree = [&](Distance deepest) {
    const Result part = searcher.run(query);
    for (std::size_t v = 0; v < whole.distance.size(); ++v) {
      if (part.distance[v] == (whole.distance[v] <= deepest ? whole.distance[v] : unreached)) continue;
      fmt::print(stderr, "wrong answer from {} when stopped early: vertex {}\n", query.sources[0], v);
      std::exit(static_cast<int>(Failure::verification));
    }
  };
  query.target = target;
  agree(whole.distance[target]);
  query.target = no_vertex;
  query.max_depth = whole.depth / 2;
  agree(query.max_depth);
}

void show_steps(const SearchReport& stats) {
  fmt::print("    {:6.1f} us:", stats.work.count() * 1e3);
  for (const PartTime& part : stats.parts) fmt::print(" {} {:.1f}", part.name, part.time.count() * 1e3);
  for (const LevelTrace& t : stats.trace)
    fmt::print(" | {} {} v {} e {:.1f}", t.direction, t.frontier, t.edges, t.time.count() * 1e3);
  fmt::print("\n");
}

/// Prints each level's microseconds with its vertices and edges, and the other parts; the fastest of a few runs.
void show_trace(const Graph& graph, SearchOptions options, const std::vector<VertexId>& sources, std::size_t count) {
  options.trace = true;
  Searcher searcher(graph, options);
  std::vector<SearchReport> best(std::min(count, sources.size()));
  for (int r = 0; r < 5; ++r)
    for (std::size_t i = 0; i < best.size(); ++i) {
      SearchReport stats = searcher.traverse({.sources = {sources[i]}});
      if (r == 0 || stats.work < best[i].work) best[i] = std::move(stats);
    }
  for (const SearchReport& stats : best) show_steps(stats);
}

/// Prints the same for a pass: each step's microseconds, with vertices and with edges pushed or words read.
void show_each(const Graph& graph, SearchOptions options, const std::vector<VertexId>& sources) {
  options.trace = true;
  Searcher searcher(graph, options);
  SearchReport best;
  for (int r = 0; r < 5; ++r) {
    SearchReport stats = searcher.traverse_each(sources);
    if (r == 0 || stats.work < best.work) best = std::move(stats);
  }
  show_steps(best);
}

/// Returns the time of a plan's first search: later searches use what earlier ones recorded in the plan. The median of
/// a few plans of their own.
double first_search(const Graph& graph, const SearchOptions& options, const std::vector<VertexId>& sources, int plans) {
  std::vector<double> times;
  for (int i = 0; i < plans; ++i) {
    Searcher searcher(graph, options);
    times.push_back(searcher.traverse({.sources = {sources[static_cast<std::size_t>(i) % sources.size()]}}).work.count());
  }
  return median(times);
}

nlohmann::json measure(const Graph& graph, const std::vector<VertexId>& sources, EdgeIndex arcs, bool prepare,
                       const Options& o) {
  SearchOptions options;
  options.run.device = o.device;
  options.prepare = prepare;
  options.parameters = o.parameters;
  Searcher searcher(graph, options);
  nlohmann::json all = nlohmann::json::array();
  std::vector<double> medians, hosts;
  double inverse_teps = 0;
  for (std::size_t i = 0; i < std::min(o.validated, sources.size()); ++i) {
    const Query query{.sources = {sources[i]}};
    const Result whole = searcher.run(query);
    check(graph, sources[i], whole);
    check_stopped(searcher, whole, query, sources[(i + 1) % sources.size()]);
  }
  // All sources once before any is repeated: a search may leave data that helps the next one of the same source most.
  std::vector<std::vector<double>> runs(sources.size()), host(sources.size());
  for (int r = 0; r < o.runs; ++r)
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const SearchReport stats = searcher.traverse({.sources = {sources[i]}});
      runs[i].push_back(stats.work.count());
      host[i].push_back(stats.host.count());
    }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    medians.push_back(median(runs[i]));
    hosts.push_back(median(host[i]) - medians.back());
    inverse_teps += medians.back() * 1e-3 / (static_cast<double>(arcs) / 2);
    all.push_back({{"source", sources[i]}, {"ms", runs[i]}, {"host_ms", host[i]}});
  }
  const SearchReport last = searcher.traverse({.sources = {sources[0]}});
  const double first = prepare ? 0 : first_search(graph, options, sources, std::min(o.runs, 3));
  const double gteps = static_cast<double>(sources.size()) / inverse_teps * 1e-9;
  const double worst = *std::max_element(medians.begin(), medians.end());
  fmt::print("  {:<11} median {:8.4f} ms  worst {:8.4f} ms ({:.2f}x)  {:8.2f} GTEPS  host +{:.4f} ms  prepared in {:.1f} ms\n",
             prepare ? "prepared" : "unprepared", median(medians), worst, worst / median(medians), gteps, median(hosts),
             searcher.prepare().count());
  fmt::print("              {}\n", last.chosen);
  if (!prepare) fmt::print("              a plan's first search: {:.4f} ms\n", first);
  if (o.traced) show_trace(graph, options, o.slowest ? slowest_first(sources, medians) : sources, o.traced);
  std::fflush(stdout);
  nlohmann::json row = {{"prepared", prepare},
                        {"median_ms", median(medians)},
                        {"worst_ms", worst},
                        {"harmonic_gteps", gteps},
                        {"host_extra_ms", median(hosts)},
                        {"prepare_ms", searcher.prepare().count()},
                        {"copy_ms", searcher.copy_in().count()},
                        {"chosen", last.chosen},
                        {"sources", all}};
  if (!prepare) row["first_ms"] = first;
  return row;
}

/// Runs all searches in passes of 64, and one after the other, with the same result: every distance on the device.
nlohmann::json measure_each(const Graph& graph, const std::vector<VertexId>& sources, bool prepare, const Options& o) {
  SearchOptions options;
  options.run.device = o.device;
  options.prepare = prepare;
  options.parameters = o.parameters;
  Searcher searcher(graph, options);
  using Clock = std::chrono::steady_clock;
  const auto from = Clock::now();
  searcher.run_each(sources, -1, [&](std::size_t i, Result&& result) {
    if (i < o.validated) check(graph, sources[i], result);
  });
  double taken = 0;  // with every distance copied to the host
  if (o.validated == 0) taken = std::chrono::duration<double, std::milli>(Clock::now() - from).count();
  std::vector<double> passes, hosts;
  SearchReport last;
  for (int r = 0; r < o.runs; ++r) {
    last = searcher.traverse_each(sources);
    passes.push_back(last.work.count());
    hosts.push_back(last.host.count());
  }
  double singles = 0;
  for (const VertexId s : sources) {
    std::vector<double> runs;
    for (int r = 0; r < o.runs; ++r) runs.push_back(searcher.traverse({.sources = {s}}).work.count());
    singles += median(runs);
  }
  const double pass = median(passes), bytes = 4.0 * graph.num_vertices() * static_cast<double>(sources.size());
  fmt::print("  {:<10} each {:9.4f} ms (host {:.4f})  one by one {:9.4f} ms  {:6.1f}x  distances {:.0f} MB  {} steps\n",
             prepare ? "prepared" : "unprepared", pass, median(hosts), singles, singles / pass, bytes * 1e-6, last.levels);
  if (o.traced) show_each(graph, options, sources);
  fmt::print("            {}{}\n", last.chosen, taken > 0 ? fmt::format("; first time, on the host: {:.1f} ms", taken) : "");
  std::fflush(stdout);
  return {{"prepared", prepare},       {"sources", sources.size()},      {"each_ms", passes},       {"each_host_ms", hosts},
          {"one_by_one_ms", singles},  {"times_faster", singles / pass}, {"distance_bytes", bytes}, {"levels", last.levels},
          {"launches", last.launches}, {"chosen", last.chosen}};
}

double wall_ms(const std::function<void()>& work) {
  const auto from = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
}

template <class Narrow>
bool same(const Array<Narrow>& packed, const Array<Distance>& wide) {
  return std::equal(packed.begin(), packed.end(), wide.begin(), wide.end(),
                    [](Narrow p, Distance d) { return d == unreached ? p == NarrowResult<Narrow>::unreached : p == d; });
}

/// Measures how long the caller waits: for run() until the distances, of four, two or one bytes each, or also parents, are in
/// host memory, for run_each() until every result was passed on and freed, and for distances_from_each(); and the time on the
/// device. Each source once, medians over them.
nlohmann::json measure_answers(const Graph& graph, const std::vector<VertexId>& sources, bool prepare, const Options& o) {
  const SearchOptions options{.parameters = o.parameters, .prepare = prepare, .run = {.device = o.device}};
  std::vector<double> first, first_device;
  for (int i = 0; i < std::min(o.runs, 3); ++i) {
    Searcher searcher(graph, options);
    first.push_back(wall_ms([&] { first_device.push_back(searcher.run({.sources = {sources[i]}}).run.work.count()); }));
  }
  Searcher searcher(graph, options);
  for (std::size_t i = 0; i < std::min(o.validated, sources.size()); ++i)
    check(graph, sources[i], searcher.run({.sources = {sources[i]}}));
  struct Waits {
    std::string name;
    std::vector<double> device = {}, caller = {};
  };
  std::vector<Waits> all;
  const auto measure = [&](const std::string& name, int runs, const auto& call) {
    Waits waits{name};
    try {
      for (int r = 0; r < runs; ++r) call(waits, r);
    } catch (const Error& e) {
      if (e.id() != std::string_view("HW-DISTANCE-NARROW")) throw;
      return;  // a graph that is too deep for it
    }
    all.push_back(std::move(waits));
  };
  const auto each_source = [&](const std::string& name, const auto& call) {
    measure(name, o.runs, [&](Waits& waits, int) {
      for (const VertexId s : sources)
        waits.caller.push_back(wall_ms([&] { waits.device.push_back(call(Query{.sources = {s}}).work.count()); }));
    });
  };
  each_source("run", [&](const Query& query) { return searcher.run(query).run; });
  each_source("16 bits", [&](const Query& query) { return searcher.run<std::uint16_t>(query).run; });
  each_source("8 bits", [&](const Query& query) { return searcher.run<std::uint8_t>(query).run; });
  each_source("parents", [&](Query query) {
    query.parents = true;
    return searcher.run(query).run;
  });
  each_source("on device", [&](const Query& query) { return searcher.run_on_device(query).run(); });
  // The first calls of the following are not counted: they pin memory, and the answers of the very first are checked.
  const auto together = [&](const std::string& name, int warming, const auto& call) {
    measure(name, o.runs + warming, [&](Waits& waits, int r) {
      double device = 0;
      waits.caller.push_back(wall_ms([&] { device = call(r == 0); }));
      waits.device.push_back(device);
      if (r + 1 == warming) waits.caller.clear();
    });
  };
  together("each", 1, [&](bool checks) {
    double device = 0;
    searcher.run_each(sources, -1, [&](std::size_t i, Result&& result) {
      device += result.run.work.count();
      if (checks && i < o.validated) check(graph, sources[i], result);
    });
    return device;
  });
  const double pass = all.back().device.back();  // what follows reports no time of its own
  Array<Distance> wide = searcher.distances_from_each(sources);
  const auto packed = [&]<class Narrow>(Narrow) {
    return [&](bool checks) {
      if (checks && !same(searcher.distances_from_each<Narrow>(sources), wide)) throw std::runtime_error("packed rows differ");
      if (!checks) (void)searcher.distances_from_each<Narrow>(sources);
      return pass;
    };
  };
  together("rows of 16 bits", 3, packed(std::uint16_t{}));
  together("rows of 8 bits", 3, packed(std::uint8_t{}));
  wide = {};
  together("rows", 3, [&](bool) {
    (void)searcher.distances_from_each(sources);
    return pass;
  });
  nlohmann::json row = {{"prepared", prepare}, {"first_device_ms", median(first_device)}, {"first_ms", median(first)}};
  fmt::print("  {:<10} first {:8.4f} ({:.4f})", prepare ? "prepared" : "unprepared", median(first), median(first_device));
  for (const Waits& waits : all) {
    if (waits.caller.empty()) continue;
    row[waits.name] = {{"device_ms", median(waits.device)},
                       {"ms", median(waits.caller)},
                       {"worst_device_ms", *std::max_element(waits.device.begin(), waits.device.end())}};
    fmt::print("  {} {:8.4f} ({:.4f})", waits.name, median(waits.caller), median(waits.device));
  }
  fmt::print("  ms for the caller (on the device)\n");
  std::fflush(stdout);
  return row;
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--runs")
      o.runs = std::max(1, std::atoi(value().c_str()));
    else if (word == "--sources")
      o.sources = std::max(1, std::atoi(value().c_str()));
    else if (word == "--validate")
      o.validated = static_cast<std::size_t>(std::atoi(value().c_str()));
    else if (word == "--trace")
      o.traced = static_cast<std::size_t>(std::atoi(value().c_str()));
    else if (word == "--json")
      o.json = value();
    else if (word == "--data")
      o.data = value();
    else if (word == "--each")
      o.each = true;
    else if (word == "--param")
      o.parameters.insert(parse_parameter(value()));
    else if (word == "--answers")
      o.answers = true;
    else if (word == "--as-loaded")
      o.as_loaded = true;
    else if (word == "--slowest")
      o.slowest = true;
    else if (word == "--cpu")
      o.device = DeviceKind::cpu;
    else if (word == "--sim")
      o.device = DeviceKind::sim;
    else
      o.graphs.push_back(word);
  }
  if (!o.graphs.empty()) return o;
  for (const std::string& name : table) {
    const std::string file = o.data + "/" + name;
    if (is_generator_spec(name))
      o.graphs.push_back(name);
    else if (std::ifstream(file).good())
      o.graphs.push_back(file);
    else
      fmt::print("{} is missing: left out\n", file);
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) try {
  hopwave::device::limit_process(std::getenv("HOPWAVE_LIMITS_OF"));
  const Options options = parse(argc, argv);
  const DeviceInfo device = device_info();
  nlohmann::json report = {{"schema", "hopwave-engine-bench/1"}, {"device", device.name}, {"graphs", nlohmann::json::array()}};
  for (const std::string& name : options.graphs) {
    const auto from = std::chrono::steady_clock::now();
    const Graph loaded = load_graph(name, {.weights = false}, {.make_undirected = true, .keep_weights = false});
    const Graph graph = options.as_loaded ? loaded : without_isolated(loaded);
    EdgeIndex arcs = 0;
    const std::vector<VertexId> sources = pick_sources(graph, options.sources, arcs);
    fmt::print("{}: {} vertices, {} arcs, {} in the largest component (ready in {:.1f} s)\n", name, graph.num_vertices(),
               graph.num_arcs(), arcs, std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
    nlohmann::json rows = nlohmann::json::array();
    for (const bool prepare : {false, true})
      rows.push_back(options.answers ? measure_answers(graph, sources, prepare, options)
                     : options.each  ? measure_each(graph, sources, prepare, options)
                                     : measure(graph, sources, arcs, prepare, options));
    report["graphs"].push_back({{"graph", name},
                                {"vertices", graph.num_vertices()},
                                {"arcs", graph.num_arcs()},
                                {"component_arcs", arcs},
                                {"sources", sources.size()},
                                {"rows", rows}});
    if (!options.json.empty()) std::ofstream(options.json) << report.dump(1) << '\n';
  }
  return 0;
} catch (const hopwave::Error& e) {
  fmt::print(stderr, "{}\n", e.what());
  return static_cast<int>(e.failure());
}
