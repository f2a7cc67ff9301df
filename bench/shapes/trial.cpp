// Sources, queries and passes, chosen at random for a graph.
#include "shapes/trial.h"

#include <algorithm>

#include "device/tried_schedules.h"
#include "hopwave/generate.h"

namespace hopwave::shapes {
namespace {

constexpr std::uint64_t least_large = 1'300'000, most_large = 2'600'000;  ///< edges; a few are generated twice

/// Vertices from which searches often go wrong: hubs, ends of tails, isolated ones.
struct Places {
  explicit Places(const Graph& graph) : n(graph.num_vertices()) {
    for (VertexId v = 0; v < n; ++v) {
      if (graph.out_degree(v) > graph.out_degree(hub)) hub = v;
      if (graph.out_degree(v) == 0) none = v;
    }
    std::vector<std::uint8_t> seen(n, 0);
    end = farthest(graph, hub, seen);
    for (VertexId v = 0; v < n; ++v)
      if (!seen[v]) farthest(graph, v, seen);  // for the depth
    seen.assign(n, 0);
    other_end = farthest(graph, end, seen);
  }
  /// Returns the last vertex that a search along the arcs finds; `depth` becomes at least its distance.
  VertexId farthest(const Graph& graph, VertexId from, std::vector<std::uint8_t>& seen) {
    std::vector<VertexId> queue{from};
    seen[from] = 1;
    std::uint64_t levels = 0;
    for (std::size_t i = 0, level_ends = 1; i < queue.size(); ++i) {
      if (i == level_ends) ++levels, level_ends = queue.size();
      for (const VertexId v : graph.out_neighbors(queue[i]))
        if (!seen[v]) {
          seen[v] = 1;
          queue.push_back(v);
        }
    }
    depth = std::max(depth, levels);
    return queue.back();
  }
  [[nodiscard]] VertexId draw(Draws& draws) const {
    switch (draws.below(8)) {
      case 0:
        return hub;
      case 1:
        return end;
      case 2:
        return other_end;
      case 3:
        return none;
      default:
        return static_cast<VertexId>(draws.below(n));
    }
  }
  VertexId n, hub = 0, end = 0, other_end = 0, none = 0;
  std::uint64_t depth = 1;  ///< of the deepest component, about
};

Query draw_query(const Places& places, Draws& draws) {
  Query query{.sources = {places.draw(draws)}};
  if (draws.once_in(4))
    for (std::uint64_t more = draws.spread(1, 80); more > 0; --more)
      query.sources.push_back(draws.once_in(4) ? query.sources[draws.below(query.sources.size())] : places.draw(draws));
  if (draws.once_in(4)) query.max_depth = draws.once_in(6) ? 0 : static_cast<Distance>(draws.spread(1, 2ull * places.n));
  if (draws.once_in(5)) query.target = places.draw(draws);
  if (draws.once_in(3)) {
    query.parents = true;
    query.ties = draws.once_in(2) ? Ties::min : Ties::any;
  }
  return query;
}

Act draw_pass(const Places& places, std::uint64_t most, Draws& draws) {
  Act act;
  const std::uint64_t count = draws.once_in(2) ? std::min<std::uint64_t>(64, most) : draws.spread(1, most);
  for (std::uint64_t i = 0; i < count; ++i)
    act.each.push_back(i > 0 && draws.once_in(8) ? act.each[draws.below(i)] : places.draw(draws));
  if (draws.once_in(4)) act.query.max_depth = static_cast<Distance>(draws.below(40));
  return act;
}

Launches launches_for(const Graph& graph, const Config& config) {
  if (config.small_launches) return Launches::tiny;
  return graph.num_arcs() > 20'000 ? Launches::large : Launches::any;
}

SearchOptions draw_options(const Graph& graph, const std::string& way, const Config& config, Draws& draws) {
  SearchOptions options;
  options.strategy = config.strategies[draws.below(config.strategies.size())];
  options.run.device = config.device;
  options.run.threads = 1;
  options.run.simulator.seed = draws.below(std::uint64_t{1} << 32);
  if (config.device == DeviceKind::sim)
    options.run.simulator.schedule = static_cast<ScheduleKind>(options.run.simulator.seed % device::tried_schedules);
  options.trace = draws.once_in(6);
  if (graph.directed()) options.direction = static_cast<Direction>(draws.once_in(3) ? draws.below(3) : 0);
  const bool cpu = config.device == DeviceKind::cpu;
  if (options.strategy == "auto" && !cpu) {
    options.parameters = draw_parameters(way, launches_for(graph, config), draws);
    options.prepare = draws.once_in(2);
  } else if (cpu) {
    options.run.threads = draws.once_in(8) ? 3 : 1;
    options.parameters = draw_cpu_parameters(options.strategy, draws);
    if (options.strategy == "auto" && draws.once_in(2)) options.parameters["ms_bfs"] = 1;
  } else if (config.small_launches) {
    for (const ParameterInfo& p : find_strategy(options.strategy).parameters)
      if (p.name.find("block") != std::string_view::npos)
        options.parameters.emplace(p.name, std::clamp<std::int64_t>(32, p.lowest, p.highest));
  }
  return options;
}

Session draw_session(const Graph& graph, const Places& places, std::uint64_t searches, const std::string& way,
                     const Config& config, Draws& draws) {
  Session session;
  session.way = way.empty() ? (draws.once_in(3) ? "free" : ways()[draws.below(ways().size())]) : way;
  session.options = draw_options(graph, session.way, config, draws);
  const bool device = config.device != DeviceKind::cpu, is_auto = session.options.strategy == "auto";
  if (draws.once_in(8)) session.origin = Origin::stored;
  if (session.options.prepare && is_auto && device && draws.once_in(3)) session.origin = Origin::prepared;
  if (is_auto && device && draws.once_in(10)) {
    session.origin = Origin::resident;
    session.options.direction = Direction::out;
  }
  std::uint64_t singles = std::max<std::uint64_t>(1, std::min<std::uint64_t>(searches / 4, 12));
  std::uint64_t in_passes = searches - std::min(searches, singles);
  if (config.levels) {  // a level of a pass takes about as long as eight levels of a search
    singles = std::clamp<std::uint64_t>(config.levels / places.depth, 1, singles);
    in_passes = std::min(in_passes, 64 * (config.levels / (8 * places.depth)));
    if (in_passes == 0 && places.n < 5000 && draws.once_in(8)) in_passes = 64;
  }
  for (std::uint64_t i = 0; i < singles; ++i) {
    session.acts.push_back({draw_query(places, draws), {}});
    if (config.levels && places.depth > 5 * config.levels && !draws.once_in(16))
      session.acts.back().query.max_depth = static_cast<Distance>(draws.spread(1, 5 * config.levels));
  }
  while (in_passes > 0) {
    session.acts.push_back(draw_pass(places, std::min<std::uint64_t>(in_passes, 150), draws));
    in_passes -= session.acts.back().each.size();
  }
  for (std::size_t i = session.acts.size(); i > 1; --i) std::swap(session.acts[i - 1], session.acts[draws.below(i)]);
  return session;
}

}  // namespace

std::vector<Session> draw_sessions(const Graph& graph, std::uint64_t seed, const Config& config, const std::string& way) {
  Draws draws(splitmix64(seed) ^ 0x5e55);
  const Places places(graph);
  const bool large = graph.num_arcs() > 1'000'000;
  const std::uint64_t drawn = draws.from(1, 3), count = config.sessions ? config.sessions : large ? 1 : drawn;
  std::vector<Session> sessions;
  const std::uint64_t searches = large ? std::min<std::uint64_t>(config.searches, 80) : config.searches;
  for (std::uint64_t i = 0; i < count; ++i)
    sessions.push_back(draw_session(graph, places, std::max<std::uint64_t>(1, searches / count), way, config, draws));
  return sessions;
}

Trial make_trial(std::uint64_t seed, const Config& config) {
  Draws draws(splitmix64(seed) ^ 0x6a2f);
  const bool large = config.large_every && draws.once_in(config.large_every);
  const std::uint64_t edges = large ? draws.from(least_large, most_large) : draws.spread(config.least_edges, config.most_edges);
  Trial trial{.name = "shapes:" + std::to_string(seed) + "," + std::to_string(edges), .seed = seed};
  trial.build = {.keep_duplicates = draws.once_in(4), .keep_self_loops = draws.once_in(4)};
  trial.oracle = config.oracle_every && draws.once_in(config.oracle_every);
  trial.graph = build_graph(generate(trial.name), trial.build, {.threads = 1});
  trial.sessions = draw_sessions(trial.graph, seed, config);
  return trial;
}

}  // namespace hopwave::shapes
