// uninitialised --list | uninitialised JOB GRAPHS [FIRST]: what scripts/uninitialised runs under valgrind's memcheck. A job is
// a strategy, a forced traversal of `auto`, many searches at once, graphs in device memory, graphs that several devices share
// or draw, routes, or what else a device computes (components, betweenness, paths by weights). It takes so many small graphs in
// the simulator. Everything is drawn from FIRST (default 0) and the numbers after it. Answers are checked, too. Exit code 1: a
// wrong answer; 2: no such job.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "bfs/engine/partitioned/make_plan.h"
#include "device/device.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/hopwave.h"
#include "hopwave/validate.h"
#include "route/gpu/grid_search.h"
#include "shapes/run.h"
#include "support/temp_dir.h"
#include "weights.h"

namespace {

using namespace hopwave;  // NOLINT(google-build-using-namespace)
using shapes::Config;
using shapes::Draws;
using shapes::Session;

/// A wrong answer ends the job.
[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "uninitialised: %s\n", what.c_str());
  std::exit(1);
}

Config small_searches(const TempDir& dir, const std::string& strategy) {
  Config config;
  config.device = DeviceKind::sim;
  config.strategies = {strategy};
  config.small_launches = true;
  config.searches = 3;
  config.sessions = 1;
  config.folder = dir.path(".");
  return config;
}

struct Drawn {
  std::string spec;
  Graph graph;
};

Drawn draw_graph(std::uint64_t seed) {
  Draws draws(seed);
  Drawn drawn{"shapes:" + std::to_string(seed) + "," + std::to_string(draws.spread(4, 40)), {}};
  drawn.graph = build_graph(generate(drawn.spec), {}, {.threads = 1});
  return drawn;
}

/// Searches one graph as a strategy does, unprepared and prepared where there is such a form.
void search_with(const std::string& strategy, const std::string& way, std::uint64_t seed,
                 const std::function<void(Session&)>& change = {}) {
  const TempDir dir;
  const Config config = small_searches(dir, strategy);
  const Drawn drawn = draw_graph(seed);
  for (const bool prepare : {false, true}) {
    if (prepare && strategy != "auto") break;
    Session session = shapes::draw_sessions(drawn.graph, seed, config, way).front();
    session.options.prepare = prepare;
    session.options.run.simulator.seed = 2 * seed + prepare;
    // Not load buffering: what it runs for nothing would be looked at, too.
    session.options.run.simulator.schedule = static_cast<ScheduleKind>((seed + 3 * prepare) % 6);
    if (change) change(session);
    shapes::Outcome outcome;
    if (const auto wrong = shapes::run_session(drawn.graph, session, false, config, outcome))
      fail(wrong->kind + ": " + wrong->text + "\n" + shapes::command_line(drawn.spec, session, session.acts[wrong->act], {}));
  }
}

/// All searches in passes, however few there are.
void search_many(std::uint64_t seed) {
  search_with("auto", "free", seed, [&](Session& session) {
    Draws draws(seed);
    session.origin = shapes::Origin::built;
    session.options.parameters["ms_bfs"] = 1;
    const auto& act = session.acts.front();
    std::vector<VertexId> sources = act.each.empty() ? act.query.sources : act.each;
    const std::uint64_t count = draws.spread(2, 70);
    while (sources.size() < count) sources.push_back(sources[draws.below(sources.size())]);
    session.acts = {{.each = std::move(sources)}};
    if (draws.once_in(3)) session.acts.front().query.max_depth = static_cast<Distance>(draws.below(6));
  });
}

/// Rows made on the device as on the CPU, and searched and checked there.
void search_resident(std::uint64_t seed) {
  const EdgeList list = generate("shapes:" + std::to_string(seed) + ",60");
  BuildOptions options{.make_undirected = (seed & 1) != 0,
                       .keep_duplicates = (seed & 2) != 0,
                       .keep_self_loops = (seed & 4) != 0,
                       .build_in = (seed & 8) != 0};
  const Graph here = build_graph(list, options, {.threads = 1});
  const Graph there = build_graph(list, options, {.device = DeviceKind::sim, .threads = 1});
  if (!std::ranges::equal(here.out().offsets, there.out().offsets) ||
      !std::ranges::equal(here.out().neighbors, there.out().neighbors))
    fail("other rows than the CPU's, of graph " + std::to_string(seed));
  if (seed == 0) (void)ResidentEdges::rmat(5, 4, 1, DeviceKind::sim).download();
  search_with("auto", "free", seed, [](Session& session) {
    session.origin = shapes::Origin::resident;
    session.options.direction = Direction::out;
  });
}

/// A way from one free cell to another, and the levels on the way, in each shape of launch; then many short searches at once.
void find_routes(std::uint64_t seed) {
  using namespace route;  // NOLINT(google-build-using-namespace)
  std::mt19937 random(static_cast<unsigned>(seed));
  Grid grid(33 + random() % 40, 20 + random() % 50, 1 + seed % 2);
  const auto draw = [&] {
    return Cell{static_cast<std::uint32_t>(random() % grid.width()), static_cast<std::uint32_t>(random() % grid.height()),
                static_cast<std::uint32_t>(random() % grid.layers())};
  };
  for (std::uint64_t i = 0; i < grid.num_cells(); ++i) grid.set_free(draw());
  const auto draw_free = [&] {
    Cell c = draw();
    while (!grid.free(c)) c = draw();
    return c;
  };
  static constexpr WaveTuning shapes[] = {
      {.block = 64, .cluster = 2, .never_wide = true},
      {.block = 64, .wide = 3, .never_thin = true},
      {.block = 64, .cluster = 2, .wide = 2, .leave_thin = 2, .leave_wide = 6, .patience = 1, .max_windows = 3}};
  const WaveTuning& shape = shapes[seed % 3];
  DeviceGrid device(grid, DeviceKind::sim, &shape);
  for (const bool with_levels : {false, true}) {
    const CellIndex from = grid.index(draw_free()), to = grid.index(draw_free());
    std::vector<std::int32_t> levels;
    const Way way = device.find({&from, 1}, {&to, 1}, {}, with_levels ? &levels : nullptr);
    const Way right = find_way(grid, {&from, 1}, {&to, 1}, {.method = Method::queue, .run = {.device = DeviceKind::cpu}});
    if (way.found != right.found || way.cost != right.cost) fail("another route on grid " + std::to_string(seed));
  }
  std::vector<Scenario> scenarios(5);
  for (Scenario& s : scenarios) s = {.start = draw_free(), .goal = draw_free()};
  (void)device.hops(scenarios);
}

/// Components and strong components of a directed graph, as on the CPU.
void find_components(std::uint64_t seed) {
  const EdgeList list = generate("shapes:" + std::to_string(seed) + ",60");
  const Graph graph = build_graph(list, {.keep_self_loops = (seed & 1) != 0, .build_in = (seed & 2) != 0}, {.threads = 1});
  const auto schedule = static_cast<ScheduleKind>(seed % 6);
  const auto weak = connected_components(graph, {.device = DeviceKind::sim, .simulator = {.schedule = schedule, .seed = seed}});
  if (!std::ranges::equal(weak.label, connected_components(graph).label))
    fail("other components than the CPU's, of graph " + std::to_string(seed));
  const auto strong = strong_components(
      graph, StrongOptions{.run = {.device = DeviceKind::sim, .simulator = {.schedule = schedule, .seed = seed}}});
  if (!std::ranges::equal(strong.label, strong_components(graph, StrongOptions{.run = {.device = DeviceKind::cpu}}).label))
    fail("other strong components than the CPU's, of graph " + std::to_string(seed));
}

/// Of vertices, and of arcs for every other graph, as on the CPU but for rounding.
void find_betweenness(std::uint64_t seed) {
  const Graph graph = draw_graph(seed).graph;
  BetweennessOptions options{.arcs = seed % 2 == 0, .run = {.threads = 1}};
  const Betweenness right = betweenness(graph, options);
  options.run.device = DeviceKind::sim;
  options.run.simulator.seed = seed;
  options.run.simulator.schedule = static_cast<ScheduleKind>(seed % 6);
  const Betweenness found = betweenness(graph, options);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); };
  if (!std::ranges::equal(found.vertex, right.vertex, near) || !std::ranges::equal(found.arc, right.arc, near))
    fail("another betweenness than the CPU's, of graph " + std::to_string(seed));
}

/// Shortest paths by weights, with their tree, against Dijkstra's.
void find_weighted(std::uint64_t seed) {
  const Graph graph = bench::with_weights(draw_graph(seed).graph, static_cast<int>(seed % bench::weight_kinds), seed);
  const WeightedQuery query{.sources = {static_cast<VertexId>(seed % graph.num_vertices())}, .parents = true};
  const WeightedResult right =
      shortest_paths(graph, query, {.strategy = "cpu-dijkstra", .run = {.device = DeviceKind::cpu, .threads = 1}});
  const WeightedResult found = shortest_paths(
      graph, query,
      {.strategy = "near-far",
       .run = {.device = DeviceKind::sim, .simulator = {.schedule = static_cast<ScheduleKind>(seed % 6), .seed = seed}}});
  if (!std::ranges::equal(found.distance, right.distance))
    fail("other lengths than Dijkstra's, of graph " + std::to_string(seed));
}

/// One search of a graph that simulated devices share, against the oracle's.
void search_shared(const Graph& graph, const Query& query, const SearchOptions& options, std::uint64_t seed) {
  Searcher searcher(graph, options);
  const Result right =
      search(graph, query, {.strategy = "cpu-sequential", .direction = options.direction, .run = {.threads = 1}});
  const Result found = searcher.run(query);
  if (!std::ranges::equal(found.distance, right.distance))
    fail("other distances than the CPU's, of graph " + std::to_string(seed));
  if (const Verdict verdict = validate(graph, query, found, options.direction); !verdict.ok)
    fail(verdict.message + ", of graph " + std::to_string(seed));
}

/// Rows with more arcs than the devices' lists have room for, so that levels top-down are settled by lists and by bitmaps, and
/// a composed graph, which may be directed: top-down alone, bottom-up alone, and one after the other.
void search_partitioned(std::uint64_t seed) {
  static constexpr std::int64_t never = std::int64_t{1} << 60;
  static const Parameters rules[] = {{{"pull", never}}, {{"pull", 0}, {"push", 0}}, {{"pull", 60}, {"push", 12}}};
  const Graph skewed = build_graph(generate("rmat:6,8," + std::to_string(seed)), {}, {.threads = 1}),
              composed = draw_graph(seed).graph;
  for (std::uint64_t i = 0; i < 4 * std::size(rules); ++i) {
    SearchOptions options{.partition = Partition::always, .parameters = rules[i / 4], .run = {.device = DeviceKind::sim}};
    for (int d = 1; d < 2 + static_cast<int>((seed + i) % 3); ++d) options.run.replicas.push_back(d);
    options.parameters.insert({{"block", 64}, {"grid", 2}, {"wide_offsets", static_cast<std::int64_t>((seed + i) % 2)}});
    options.prepare = i % 2 != 0;
    options.run.simulator.seed = seed + i;
    options.run.simulator.schedule = static_cast<ScheduleKind>((seed + i) % 6);
    Query query{.sources = {static_cast<VertexId>(seed % skewed.num_vertices())}, .parents = i / 2 % 2 != 0};
    search_shared(skewed, query, options, seed);
    query.sources = {static_cast<VertexId>(seed % composed.num_vertices()), 0};
    if (i % 3 == 0) query.max_depth = 3;
    options.direction = static_cast<Direction>(i % 3);
    search_shared(composed, query, options, seed);
  }
}

/// Graph500's graph, which the devices draw, search and check by themselves.
void search_drawn(std::uint64_t seed) {
  const int scale = 5 + static_cast<int>(seed % 2);
  const engine::DrawnEdges edges{.draw = generate_detail::Rmat(scale, seed),
                                 .count = std::uint64_t{8} << scale,
                                 .num_vertices = VertexId{1} << scale,
                                 .arcs_at_once = seed % 2 ? 100 : engine::DrawnEdges::most_arcs_at_once};
  std::vector<std::shared_ptr<device::Device>> devices;
  for (int d = 0; d < 2 + static_cast<int>(seed % 3); ++d)
    devices.push_back(std::make_shared<device::Device>(*device::sim_api(), DeviceOptions{.ordinal = d}));
  Parameters parameters;
  for (const ParameterInfo& p : find_strategy("auto").parameters) parameters.emplace(p.name, p.standard);
  parameters["block"] = 64;
  parameters["grid"] = 2;
  parameters["wide_offsets"] = seed % 2;
  const auto plan = engine::make_drawn_plan(edges, parameters, devices);
  VertexId source = 0;
  while (!plan->has_neighbors(source)) ++source;
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  plan->run({.sources = {source}, .parents = true}, control);
  if (const char* const broken = plan->check().broken) fail(std::string(broken) + ", of drawn graph " + std::to_string(seed));
  auto distance = Array<Distance>(edges.num_vertices);
  auto parent = Array<VertexId>(edges.num_vertices);
  plan->fetch(distance.span(), parent.span());
}

using Job = std::function<void(std::uint64_t seed)>;

std::map<std::string, Job> jobs() {
  std::map<std::string, Job> all;
  for (const StrategyInfo& info : strategies()) {
    const std::string name(info.name);
    if (info.device == "gpu") all[name] = [name](std::uint64_t seed) { search_with(name, "free", seed); };
  }
  for (const std::string& way : shapes::ways())
    all["auto:" + way] = [way](std::uint64_t seed) { search_with("auto", way, seed); };
  all["ms-bfs"] = search_many;
  all["resident"] = search_resident;
  all["route"] = find_routes;
  all["components"] = find_components;
  all["betweenness"] = find_betweenness;
  all["weighted"] = find_weighted;
  all["partitioned"] = search_partitioned;
  all["drawn"] = search_drawn;
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const auto all = jobs();
  if (argc == 2 && std::string(argv[1]) == "--list") {
    for (const auto& [name, job] : all) std::puts(name.c_str());
    return 0;
  }
  const auto job = argc >= 3 ? all.find(argv[1]) : all.end();
  if (job == all.end()) return 2;
  const std::uint64_t count = std::strtoull(argv[2], nullptr, 10), first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
  try {
    for (std::uint64_t seed = first; seed < first + count; ++seed) job->second(seed);
  } catch (const std::exception& e) {
    fail(e.what());
  }
  std::printf("%s: %llu graphs\n", argv[1], static_cast<unsigned long long>(count));
}
