// The campaign of gpu-check --partitioned.
#include "partitioned_check.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include "common.h"
#include "core/device_api.h"
#include "device/tried_schedules.h"
#include "hopwave/validate.h"

namespace hopwave::bench {
namespace {

using nlohmann::json;

SearchOptions shared_by(DeviceKind device, int devices) {
  SearchOptions options{.run = {.device = device}};
  for (int d = 1; d < devices; ++d) options.run.replicas.push_back(d);
  options.partition = Partition::always;
  return options;
}

/// Beamer's rule, only top-down, only bottom-up, alternating.
const Parameters rules[] = {
    {}, {{"pull", std::int64_t{1} << 60}}, {{"pull", 0}, {"push", 0}}, {{"pull", 0}, {"push", std::int64_t{1} << 60}}};

}  // namespace

std::string draw_shared_graph(std::uint64_t seed, DeviceKind device) {
  std::uint64_t state = splitmix64(seed);
  const auto below = [&](std::uint64_t limit) { return splitmix64(state++) % limit; };
  const bool sim = device == DeviceKind::sim;
  const std::uint64_t bits = !sim && below(200) == 0 ? 21 : 3 + below(sim ? 7 : 15);
  const std::uint64_t edges = (std::uint64_t{1} << bits) + below(std::uint64_t{1} << bits), kind = below(10);
  if (kind == 0) return fmt::format("chain:{}", 2 + edges % (sim ? 300 : 3000));
  if (kind == 1) return fmt::format("star:{}", edges + 2);
  if (kind == 2) return fmt::format("uniform:{},{},{}", std::max<std::uint64_t>(bits, 4) - 2, 1 + below(5), seed);
  if (kind <= 5) return fmt::format("rmat:{},{},{}", std::max<std::uint64_t>(bits, 5) - 3, 1 + below(12), seed);
  return fmt::format("shapes:{},{}", seed, edges);
}

Query draw_shared_query(std::uint64_t seed, std::uint64_t turn, VertexId num_vertices) {
  std::uint64_t state = splitmix64(seed * 4 + turn);
  const auto any = [&] { return static_cast<VertexId>(splitmix64(state++) % num_vertices); };
  Query query{.sources = {any()}, .parents = turn % 2 == 0, .ties = Ties::min};
  if (turn == 1) query.sources.insert(query.sources.end(), {any(), any(), query.sources[0]});
  if (turn == 2) query.max_depth = static_cast<Distance>(splitmix64(state++) % 6);
  if (turn == 3) query.target = any();
  return query;
}

int count_devices(DeviceKind device) {
  const device::Api* const api = device == DeviceKind::sim ? device::sim_api() : device::cuda_api();
  int count = 0;
  return api && api->device_count(&count) == 0 ? count : 0;
}

std::uint64_t check_partitioned(DeviceKind device, int devices, std::uint64_t first, std::uint64_t count) {
  std::uint64_t wrong = 0, graphs = 0, searches = 0, pulled = 0;
  auto last_report = std::chrono::steady_clock::now();
  for (std::uint64_t seed = first; seed < first + count && wrong < 10; ++seed, ++graphs) {
    if (const auto now = std::chrono::steady_clock::now(); now - last_report >= std::chrono::seconds(10)) {
      last_report = now;
      fmt::print("… {} graphs, {} searches, {} wrong\n", graphs, searches, wrong);
      std::fflush(stdout);
    }
    const std::string spec = draw_shared_graph(seed, device);
    Graph graph = load(spec);
    graph.ensure_in();
    SearchOptions options = shared_by(device, 2 + static_cast<int>(seed % static_cast<std::uint64_t>(devices - 1)));
    // Bottom-up alone searches the rows of unreached hubs at every level; large graphs may have 400,000 levels.
    const bool large = graph.num_arcs() > 2'000'000;
    options.parameters = rules[large ? seed / 2 % 2 : seed / 2 % std::size(rules)];
    options.direction = static_cast<Direction>(splitmix64(seed) % 3);
    options.trace = seed % 3 != 0;  // without a trace, arcs of bottom-up levels are not counted
    options.prepare = splitmix64(seed + 1) % 2 == 0;
    if (seed % 5 == 0) options.parameters["wide_offsets"] = 1;
    if (device == DeviceKind::sim) {
      options.run.simulator.seed = seed;
      options.parameters.insert({{"block", 64}, {"grid", 2}});
    }
    Searcher oracle(graph, {.strategy = "cpu-sequential", .direction = options.direction, .run = {.threads = 1}});
    Searcher shared(graph, options);
    for (std::uint64_t turn = 0; turn < 4; ++turn, ++searches) {
      Query query = draw_shared_query(seed, turn, graph.num_vertices());
      if (options.prepare) query.ties = Ties::any;  // the search's own parents
      const Result right = oracle.run(query), found = shared.run(query);
      for (const LevelTrace& level : found.run.trace) pulled += std::string_view(level.direction) == "pull";
      const bool same = std::ranges::equal(right.distance.span(), found.distance.span()) &&
                        (options.prepare ? validate(graph, query, found, options.direction).ok
                                         : std::ranges::equal(right.parent.span(), found.parent.span()));
      if (same) continue;
      ++wrong;
      const auto at = std::ranges::mismatch(right.distance.span(), found.distance.span()).in1 - right.distance.span().begin();
      fmt::print("WRONG: seed {}, query {}: {}, {} devices{}: {} of vertex {} of {}\n", seed, turn, spec,
                 options.run.replicas.size() + 1, options.prepare ? ", prepared" : "",
                 at < graph.num_vertices() ? "distance" : "parent", at, graph.num_vertices());
    }
  }
  fmt::print("partitioned: {} graphs from seed {} on, {} searches over up to {} devices, {} bottom-up levels, {} wrong\n",
             graphs, first, searches, devices, pulled, wrong);
  return wrong;
}

namespace {

struct Times {
  std::vector<double> search_ms, host_ms;
};

json to_json(const Times& times) {
  return {{"median_ms", median(times.search_ms)},
          {"median_host_ms", median(times.host_ms)},
          {"ms", times.search_ms},
          {"host_ms", times.host_ms}};
}

Times measure(Searcher& searcher, const std::vector<VertexId>& sources, int runs, bool parents) {
  Times times;
  for (const VertexId s : sources)
    for (int r = 0; r < runs; ++r) {
      const SearchReport stats = searcher.traverse({.sources = {s}, .parents = parents});
      times.search_ms.push_back(stats.work.count());
      times.host_ms.push_back(stats.host.count());
    }
  return times;
}

/// Returns where the time of one search went, by level and device.
json levels_of(const Graph& graph, SearchOptions options, VertexId source) {
  options.trace = true;
  Searcher searcher(graph, options);
  searcher.traverse({.sources = {source}});
  const SearchReport stats = searcher.traverse({.sources = {source}});
  json levels = json::array();
  for (const LevelTrace& level : stats.trace)
    levels.push_back({{"level", level.level},
                      {"direction", level.direction},
                      {"frontier", level.frontier},
                      {"discovered", level.discovered},
                      {"ms", level.time.count()}});
  for (const DeviceLevel& part : stats.devices)
    levels[static_cast<std::size_t>(part.level) - 1]["devices"].push_back({{"device", part.device},
                                                                           {"compute_ms", part.compute.count()},
                                                                           {"exchange_ms", part.exchange.count()},
                                                                           {"wait_ms", part.wait.count()},
                                                                           {"bytes_read", part.bytes_read}});
  return levels;
}

}  // namespace

json time_partitioned(DeviceKind device, int devices, const std::vector<std::string>& graphs, int sources, int runs,
                      std::uint64_t& wrong) {
  json rows = json::array();
  fmt::print("{:<20}{:>9}{:>10}{:>14}{:>14}{:>14}{:>14}{:>14}\n", "graph", "devices", "prepared", "median ms", "host ms",
             "with parents", "copy s", "prepare s");
  for (const std::string& spec : graphs) {
    Graph graph = load(spec);
    graph.ensure_in();
    const std::vector<VertexId> from = draw_sources(graph, sources);
    std::vector<Array<Distance>> right;
    for (int turn = 0; turn < 2 * devices; ++turn) {
      const int d = turn / 2 + 1;
      if (d == 3 && devices > 3) continue;
      SearchOptions options = d == 1 ? SearchOptions{.run = {.device = device}} : shared_by(device, d);
      options.prepare = turn % 2 == 1;
      Searcher searcher(graph, options);
      for (std::size_t i = 0; i < from.size(); ++i) {
        Result result = searcher.run({.sources = {from[i]}});  // also warms up
        if (turn == 0)
          right.push_back(std::move(result.distance));
        else
          wrong += count_wrong(result.distance, right[i]) != 0;
      }
      const Times times = measure(searcher, from, runs, false), with_parents = measure(searcher, from, runs, true);
      fmt::print("{:<20}{:>9}{:>10}{:>14.4f}{:>14.4f}{:>14.4f}{:>14.2f}{:>14.3f}\n", short_name(spec), d,
                 options.prepare ? "yes" : "no", median(times.search_ms), median(times.host_ms), median(with_parents.search_ms),
                 Seconds(searcher.copy_in()).count(), Seconds(searcher.prepare()).count());
      std::fflush(stdout);
      rows.push_back({{"graph", spec},
                      {"vertices", graph.num_vertices()},
                      {"arcs", graph.num_arcs()},
                      {"devices", d},
                      {"prepared", options.prepare},
                      {"distances", to_json(times)},
                      {"parents", to_json(with_parents)},
                      {"copy_s", Seconds(searcher.copy_in()).count()},
                      {"prepare_s", Seconds(searcher.prepare()).count()},
                      {"levels", levels_of(graph, options, from[0])}});
    }
  }
  return rows;
}

}  // namespace hopwave::bench
