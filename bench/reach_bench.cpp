// reach-bench: searches whose cost depends on what they reach, from many sources, on a CPU and on a graph in device
// memory. The rows of both are compared, with their distances and parents; only then do times count. --check also
// compares random graphs and queries.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "common.h"
#include "core/commit.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "hopwave/generate.h"
#include "hopwave/resident.h"

namespace {

using namespace hopwave;
using nlohmann::json;

struct Options {
  std::vector<std::string> graphs;
  std::string device = "gpu", output;
  int runs = 5, threads = 0, sources = 20'000;
  std::uint64_t check = 0;
};

/// A hash of all rows, and their number.
struct Sum {
  std::uint64_t hash = 0, vertices = 0, arcs = 0;  // examined arcs: they differ for searches that are left to a strategy
  bool operator==(const Sum& other) const { return hash == other.hash && vertices == other.vertices; }

  void add(const ReachedRows& rows) {
    for (std::size_t i = 0; i < rows.vertex.size(); ++i) {
      hash = splitmix64(hash ^ (std::uint64_t{rows.vertex[i]} << 32 | static_cast<std::uint32_t>(rows.distance[i])));
      if (!rows.parent.empty()) hash = splitmix64(hash ^ rows.parent[i]);
    }
    hash = splitmix64(hash ^ rows.vertex.size());
    vertices += rows.vertex.size();
    arcs += rows.edges_examined;
  }
};

std::vector<VertexId> draw_sources(VertexId n, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<VertexId> sources(static_cast<std::size_t>(count));
  for (VertexId& s : sources) s = static_cast<VertexId>(random() % n);
  return sources;
}

Sum all(Searcher& searcher, std::span<const VertexId> sources, const Nearby& nearby) {
  Sum sum;
  searcher.reach_each(sources, nearby, [&](std::size_t, const ReachedRows& rows) { sum.add(rows); });
  return sum;
}

/// Returns the median milliseconds of the searches alone: the rows are not read.
double time_all(Searcher& searcher, std::span<const VertexId> sources, const Nearby& nearby, int runs) {
  std::vector<double> ms;
  for (int run = 0; run <= runs; ++run) {
    const core::Stopwatch clock;
    searcher.reach_each(sources, nearby, [](std::size_t, const ReachedRows&) {});
    if (run) ms.push_back(clock.milliseconds());
  }
  return bench::median(ms);
}

/// Returns the median microseconds per query, and the arcs per second of a plain search from the same sources.
double time_one(Searcher& searcher, std::span<const VertexId> sources, const Query& query, std::uint64_t nearest) {
  std::vector<double> us;
  for (const VertexId s : sources) {
    Query one = query;
    one.sources = {s};
    const core::Stopwatch clock;
    (void)searcher.reach(one, nearest);
    us.push_back(clock.seconds() * 1e6);
  }
  return bench::median(us);
}

double plain_arcs_a_second(Searcher& searcher, const Graph& graph, std::span<const VertexId> sources) {
  std::vector<double> rates;
  for (const VertexId s : sources.first(std::min<std::size_t>(sources.size(), 16))) {
    const Result result = searcher.run({.sources = {s}});
    EdgeIndex arcs = 0;
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      if (result.distance[v] != unreached) arcs += graph.out_degree(v);
    rates.push_back(static_cast<double>(arcs) / (Seconds(result.run.work).count()));
  }
  return bench::median(rates);
}

bool bench_graph(const std::string& spec, DeviceKind kind, const Options& options, json& report) {
  const Graph graph = build_graph(generate(spec), {});
  const ResidentGraph there(ResidentEdges(generate(spec), kind), {});
  Searcher cpu(graph, {.run = {.device = DeviceKind::cpu, .threads = options.threads}}), device(there, {});
  const std::vector<VertexId> sources = draw_sources(graph.num_vertices(), options.sources, 1);
  const std::span<const VertexId> few = std::span(sources).first(std::min<std::size_t>(sources.size(), 200));
  json row = {{"graph", spec},
              {"vertices", graph.num_vertices()},
              {"arcs", graph.num_arcs()},
              {"eight_cpu_us", time_one(cpu, few, {}, 8)},
              {"eight_device_us", time_one(device, few, {}, 8)},
              {"plain_cpu_arcs_a_second", plain_arcs_a_second(cpu, graph, sources)},
              {"plain_device_arcs_a_second", plain_arcs_a_second(device, graph, sources)},
              {"batches", json::array()}};
  bool right = true;
  for (const Distance depth : {1, 2, 3})
    for (const bool parents : {false, true}) {
      const Nearby nearby{.max_depth = depth, .parents = parents};
      const std::span<const VertexId> some =
          std::span(sources).first(std::min<std::size_t>(sources.size(), depth == 3 ? 2'000 : 20'000));
      const Sum here = all(cpu, some, nearby), found = all(device, some, nearby);
      const bool same = here == found;
      right = right && same;
      const double cpu_ms = time_all(cpu, some, nearby, options.runs), device_ms = time_all(device, some, nearby, options.runs);
      row["batches"].push_back({{"sources", some.size()},
                                {"depth", depth},
                                {"parents", parents},
                                {"vertices", here.vertices},
                                {"arcs", here.arcs},
                                {"cpu_ms", cpu_ms},
                                {"device_ms", device_ms},
                                {"same", same}});
      fmt::print("{:<22}{:>8}{:>7}{:>9}{:>14}{:>14}{:>11.2f}{:>11.2f}{:>12.0f}{:>12.0f}  {}\n", spec, some.size(), depth,
                 parents ? "yes" : "no", here.vertices, here.arcs, cpu_ms, device_ms,
                 static_cast<double>(here.arcs) / cpu_ms / 1e3, static_cast<double>(here.arcs) / device_ms / 1e3,
                 same ? "" : "WRONG");
    }
  fmt::print(
      "{:<22} eight nearest: {:.1f} µs on the CPU, {:.1f} µs on the device; a plain search: {:.0f} and {:.0f} million arcs per "
      "second\n",
      spec, row["eight_cpu_us"].get<double>(), row["eight_device_us"].get<double>(),
      row["plain_cpu_arcs_a_second"].get<double>() / 1e6, row["plain_device_arcs_a_second"].get<double>() / 1e6);
  std::fflush(stdout);
  report["results"].push_back(std::move(row));
  bench::write_json(options.output, report);
  return right;
}

/// Random graphs with random queries.
std::uint64_t check_drawn(DeviceKind kind, std::uint64_t count, int threads) {
  const char* const specs[] = {"rmat:8,6",   "rmat:12,8",  "rmat:15,16",     "grid:40x30",     "star:20000", "uniform:10,3",
                               "chain:3000", "streets:60", "shapes:1,20000", "shapes:5,40000", "tree:12",    "rmat:17,4"};
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::mt19937_64 random(i);
    const std::string spec = specs[random() % std::size(specs)];
    const BuildOptions built{
        .make_undirected = random() % 3 == 0, .keep_duplicates = random() % 4 == 0, .keep_self_loops = random() % 4 == 0};
    const Graph graph = build_graph(generate(spec), built);
    const ResidentGraph there(ResidentEdges(generate(spec), kind), built);
    Searcher cpu(graph, {.run = {.device = DeviceKind::cpu, .threads = threads}}), device(there, {});
    for (int k = 0; k < 4; ++k) {
      const std::vector<VertexId> sources = draw_sources(graph.num_vertices(), 1 + static_cast<int>(random() % 300), random());
      const Nearby nearby{.max_depth = static_cast<Distance>(random() % 6) - 1,
                          .nearest = random() % 3 ? 0 : random() % 40,
                          .parents = random() % 2 == 0};
      const bool same = all(cpu, sources, nearby) == all(device, sources, nearby);
      const Query query{.sources = {sources.front(), sources.back()},
                        .max_depth = nearby.max_depth,
                        .target = random() % 2 ? sources[sources.size() / 2] : no_vertex,
                        .parents = nearby.parents};
      const Reached a = cpu.reach(query, nearby.nearest), b = device.reach(query, nearby.nearest);
      if (same && a.vertex == b.vertex && a.distance == b.distance && a.parent == b.parent) continue;
      ++wrong;
      fmt::print("WRONG: drawn {}, {}: {} searches, depth {}, nearest {}, parents {}\n", i, spec, sources.size(),
                 nearby.max_depth, nearby.nearest, nearby.parents);
    }
  }
  return wrong;
}

int run(const Options& options) {
  const DeviceInfo info = device_info();
  const DeviceKind kind = options.device == "sim" ? DeviceKind::sim : DeviceKind::gpu;
  json report = {{"program", "reach-bench"},
                 {"version", version},
                 {"commit", source_commit},
                 {"device", info.gpu ? info.name : "none"},
                 {"threads", options.threads > 0 ? options.threads : hardware_threads()},
                 {"checked", options.check},
                 {"results", json::array()}};
  const std::uint64_t wrong = check_drawn(kind, options.check, options.threads);
  if (options.check) fmt::print("{} random graphs, {} wrong\n", options.check, wrong);
  fmt::print("{:<22}{:>8}{:>7}{:>9}{:>14}{:>14}{:>11}{:>11}{:>12}{:>12}\n", "graph", "sources", "depth", "parents", "vertices",
             "arcs", "CPU ms", options.device + " ms", "CPU arcs/µs", "dev arcs/µs");
  bool right = wrong == 0;
  for (const std::string& spec : options.graphs) right = bench_graph(spec, kind, options, report) && right;
  fmt::print("{}\n", right ? "every row the same" : "WRONG ANSWERS: see above");
  return right ? 0 : static_cast<int>(Failure::verification);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Measures searches whose cost depends on what they reach. Example: reach-bench -g rmat:20,16 --json out.json"};
  app.add_option("-g,--graph", options.graphs, "spec");
  app.add_option("--device", options.device, "in addition to the CPU: gpu or sim")->check(CLI::IsMember({"gpu", "sim"}));
  app.add_option("--runs", options.runs, "measured runs")->check(CLI::Range(1, 100000));
  app.add_option("--sources", options.sources, "of a batch")->check(CLI::Range(1, 10000000));
  app.add_option("--threads", options.threads, "on the CPU; 0: all")->check(CLI::Range(0, 4096));
  app.add_option("--check", options.check, "random graphs to compare first");
  app.add_option("--json", options.output, "write results to this file");
  CLI11_PARSE(app, argc, argv);
  if (options.graphs.empty()) options.graphs = {"rmat:20,16", "uniform:20,8", "grid:1000x1000", "streets:1400"};
  try {
    return run(options);
  } catch (const Error& e) {
    fmt::print(stderr, "reach-bench: {}\n", e.what());
    return static_cast<int>(e.failure());
  }
}
