// Loading, building, searching, writing, preparing, routing: small inputs, every way through them.
#include "faults/library_jobs.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <memory>

#include "device/result_memory.h"
#include "hopwave/algorithms.h"
#include "hopwave/betweenness.h"
#include "hopwave/components.h"
#include "hopwave/eccentricity.h"
#include "hopwave/generate.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"
#include "hopwave/matching.h"
#include "hopwave/netlist.h"
#include "hopwave/path.h"
#include "hopwave/preparation.h"
#include "hopwave/resident.h"
#include "hopwave/route.h"
#include "hopwave/sampled_closeness.h"
#include "hopwave/search.h"
#include "hopwave/shortest_paths.h"
#include "hopwave/spy.h"
#include "hopwave/strong.h"
#include "hopwave/validate.h"
#include "support/diameter.h"
#include "support/tool.h"
#include "support/weights.h"

namespace hopwave::faults {
namespace {

class Hash {
 public:
  template <std::integral Value>
  Hash& operator<<(Value value) {
    sum_ = splitmix64(sum_ ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    return *this;
  }
  /// Without this, one hash after << would be a built-in shift by its sum.
  Hash& operator<<(const Hash& other) { return *this << other.sum_; }
  template <class Values>
  Hash& all(const Values& values) {
    for (const auto& v : values) *this << v;
    return *this;
  }
  operator std::uint64_t() const { return sum_; }

 private:
  std::uint64_t sum_ = 1;
};

/// What an algorithm found: arrays, lists and bounds. Numbers of searches, and which one of equal vertices was met first, may
/// depend on what failed.
template <class Found>
void hash_all(Hash& hash, const Found& found) {
  if constexpr (std::is_same_v<Found, double>)
    hash << std::bit_cast<std::uint64_t>(found);
  else if constexpr (std::is_same_v<Found, DistanceRange>)
    hash << found.lower << found.upper;
  else if constexpr (std::is_same_v<Found, Array<double>>)
    for (const double value : found) hash_all(hash, value);
  else if constexpr (requires { found.begin(); })
    hash.all(found);
}

std::uint64_t hash_of(const Graph& graph) {
  Hash hash;
  hash.all(graph.out().offsets).all(graph.out().neighbors) << graph.directed();
  for (const float w : graph.out().weights) hash << std::bit_cast<std::uint32_t>(w);
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (const char c : graph.ids().name(v)) hash << static_cast<unsigned char>(c);
  return hash;
}

std::uint64_t hash_of(const Result& result) {
  return Hash().all(result.distance).all(result.parent) << result.reached << static_cast<std::uint64_t>(result.depth);
}

std::uint64_t hash_of(const route::Way& way) { return Hash().all(way.cells) << way.found << way.cost; }

std::uint64_t hash_of(const route::Route& route) {
  Hash hash;
  for (const auto& branch : route.branches)
    for (const auto& cell : branch) hash << cell.x << cell.y << cell.layer;
  return hash << route.complete << route.cost;
}

struct Format {
  const char *name, *ending;
};
constexpr Format formats_tried[] = {{"matrix-market", ".mtx"}, {"edge-list", ".txt"}, {"edge-list", ".txt.gz"},
                                    {"edge-list", ".csv.zst"}, {"names", ".names"},   {"rodinia", ".rodinia"},
                                    {"metis", ".graph"},       {"dimacs", ".gr"},     {"gap", ".sg"},
                                    {"gap-weighted", ".wsg"},  {"galois", ".gr"},     {"graph500", ".g500"},
                                    {"npz", ".npz"},           {"adjacency", ".adj"}, {"cedge", ".cedge"},
                                    {"graphml", ".graphml"},   {"gml", ".gml"},       {"pajek", ".net"},
                                    {"json", ".json"},         {"hwg", ".hwg"}};

/// The same arcs, each in one direction only.
Graph directed(const std::string& spec) {
  EdgeList list = generate(spec);
  list.directed = true;
  list.both_directions = false;
  return build_graph(std::move(list), {.build_in = true});
}

/// Whole-number weights that depend on the ends alone.
Graph weighted(const std::string& spec, bool as_arcs = false) {
  EdgeList list = generate(spec);
  if (as_arcs) list.directed = true, list.both_directions = false;
  list.weights = testing::made_weights(list.edges.size(), [&](std::size_t i) {
    return static_cast<float>(1 + splitmix64(list.edges[i].source + 0ull + list.edges[i].target) % 10);
  });
  return build_graph(std::move(list));
}

void add_formats(std::vector<LibraryJob>& jobs, const std::string& folder) {
  const auto undirected = std::make_shared<Graph>(weighted("grid:12x9")),
             arcs = std::make_shared<Graph>(weighted("grid:12x9", true));
  const auto one_of = [](std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const Format& f : formats_tried) {
    // What the format can hold.
    const auto graph = one_of(f.name, {"rodinia", "galois", "graph500"}) ? arcs : undirected;
    const bool weights = !one_of(f.name, {"gap", "graph500", "adjacency"});
    const std::string file = std::string(f.name) + f.ending, in = folder + "/in-" + file, out = folder + "/out-" + file;
    const std::string format = f.name;
    write_graph(*graph, in, {.format = format, .weights = weights});
    jobs.push_back({"load " + file, [=] { return hash_of(load_graph(in, {.format = format, .run = {.threads = 2}})); }});
    jobs.push_back({"write " + file,
                    [=] {
                      write_graph(*graph, out, {.format = format, .weights = weights});
                      return std::uint64_t{0};
                    },
                    out});
  }
  const auto text = std::make_shared<std::string>(test::slurp(folder + "/in-edge-list.txt"));
  jobs.push_back({"load from memory", [=] {
                    return hash_of(build_graph(read_edges({text->data(), text->size()}, "text", {.run = {.threads = 1}})));
                  }});
}

void add_building(std::vector<LibraryJob>& jobs) {
  for (const char* spec : {"rmat:6,6,1", "grid:11x7", "maze:15x15,2", "streets:10", "shapes:3,100"}) {
    const std::string name = spec;
    jobs.push_back({"build " + name, [=] { return hash_of(build_graph(generate(name), {.build_in = true}, {.threads = 2})); }});
  }
  jobs.push_back(
      {"build on the simulator", [] { return hash_of(build_graph(generate("rmat:5,4,1"), {}, {.device = DeviceKind::sim})); }});
  const auto graph = std::make_shared<Graph>(directed("rmat:6,6,1"));
  jobs.push_back({"figures", [=] {
                    const Components parts = connected_components(*graph);
                    const SpyGrid spy = spy_grid(*graph, 16);
                    return Hash().all(parts.label).all(spy.counts)
                           << profile(*graph).max_degree << static_cast<std::uint64_t>(estimate_diameter(*graph, 0))
                           << static_cast<std::uint64_t>(exact_diameter(*graph, 1000).value_or(-1)) << fingerprint(*graph);
                  }});
  jobs.push_back({"path", [=] { return std::uint64_t{Hash().all(shortest_path(*graph, 0, 5).vertices)}; }});
}

/// At its end no pinned memory is kept for later results.
struct NothingKept {
  NothingKept() = default;
  ~NothingKept() { device::release_kept_results(*device::sim_api()); }
  NothingKept(const NothingKept&) = delete;
  NothingKept& operator=(const NothingKept&) = delete;
};

void add_searches(std::vector<LibraryJob>& jobs, const std::string& folder) {
  const auto even = std::make_shared<Graph>(build_graph(generate("rmat:6,6,1")));
  const auto one_way = std::make_shared<Graph>(directed("rmat:6,6,1"));
  const auto deep = std::make_shared<Graph>(build_graph(generate("grid:20x4")));
  const Query tree{.sources = {0}, .parents = true, .ties = Ties::min};
  for (const char* strategy : {"cpu-sequential", "cpu-parallel", "cpu-direction", "auto"}) {
    const SearchOptions options{.strategy = strategy, .run = {.device = DeviceKind::cpu, .threads = 2}};
    jobs.push_back({std::string("search cpu ") + strategy, [=] {
                      const Result result = search(*even, tree, options);
                      return hash_of(result) ^ std::uint64_t{validate(*even, tree, result).ok};
                    }});
  }
  jobs.push_back({"search cpu backwards", [=] {
                    return hash_of(search(*one_way, {.sources = {1, 2}, .max_depth = 3},
                                          {.direction = Direction::in, .run = {.device = DeviceKind::cpu, .threads = 2}}));
                  }});
  const auto simulated = [&](const std::string& name, const std::shared_ptr<Graph>& graph, const Query& query,
                             const SearchOptions& options) {
    jobs.push_back({"search sim " + name, [=] { return hash_of(search(*graph, query, options)); }});
  };
  simulated("auto", even, tree, {.run = {.device = DeviceKind::sim}});
  simulated("auto deep", deep, tree, {.run = {.device = DeviceKind::sim}});
  simulated("auto one way", one_way, {.sources = {0}, .target = 9}, {.run = {.device = DeviceKind::sim}});
  simulated("auto prepared", even, tree, {.prepare = true, .trace = true, .run = {.device = DeviceKind::sim}});
  simulated("auto deep prepared", deep, tree, {.prepare = true, .run = {.device = DeviceKind::sim}});
  for (const char* strategy : {"pmpp-edge", "pmpp-direction", "survey-scan-queue", "survey-reorder-physical", "hn-two-kernel"})
    simulated(strategy, even, {.sources = {0}}, {.strategy = strategy, .run = {.device = DeviceKind::sim}});
  // Answers that come through pinned memory: of single searches, and of a pass.
  const auto star = std::make_shared<Graph>(build_graph(generate("star:17000")));
  jobs.push_back({"large answers sim", [=] {
                    const NothingKept at_end;
                    Searcher searcher(
                        *star, {.parameters = {{"block", 64}, {"grid", 2}, {"ms_bfs", 1}}, .run = {.device = DeviceKind::sim}});
                    const Query any{.sources = {0}, .parents = true};
                    std::uint64_t sum = hash_of(searcher.run(any)) + hash_of(searcher.run(any));
                    for (const Result& result : searcher.run_each(std::vector<VertexId>{1, 0, 2})) sum += hash_of(result);
                    return sum;
                  }});
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim})
    jobs.push_back({device == DeviceKind::cpu ? "many searches cpu" : "many searches sim", [=] {
                      Searcher searcher(*even, {.run = {.device = device, .threads = 2}});
                      Hash hash;
                      for (const Result& r : searcher.run_each(std::vector<VertexId>{0, 3, 7, 7, 20})) hash.all(r.distance);
                      return std::uint64_t{hash};
                    }});
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim})
    jobs.push_back({device == DeviceKind::cpu ? "what is near cpu" : "what is near sim", [=] {
                      Searcher searcher(*even, {.run = {.device = device, .threads = 2}});
                      const std::vector<VertexId> sources = {0, 3, 7, 7, 20, 9, 1, 40, 41, 42};
                      Hash hash;
                      const auto add = [&](const auto& rows) { hash.all(rows.vertex).all(rows.distance).all(rows.parent); };
                      add(searcher.reach({.sources = {0}, .max_depth = 2, .parents = true}));
                      add(searcher.reach({.sources = {3}}));  // by the strategy, beyond a part of the graph
                      searcher.reach_each(sources, {.max_depth = 2, .parents = true},
                                          [&](std::size_t, const ReachedRows& rows) { add(rows); });
                      return std::uint64_t{hash};
                    }});
  const std::string stored = folder + "/out-prepared.hwg", kept = folder + "/in-prepared.hwg";
  const auto store = [=](const std::string& path) {
    Graph graph = *even;
    graph.set_preparation(prepare(graph, {.prepare = true, .run = {.device = DeviceKind::sim}}));
    write_graph(graph, path);
    return std::uint64_t{0};
  };
  store(kept);
  jobs.push_back({"store a preparation", [=] { return store(stored); }, stored, false});
  jobs.push_back({"search with a stored preparation", [=] {
                    return hash_of(search(load_graph(kept), tree, {.prepare = true, .run = {.device = DeviceKind::sim}}));
                  }});
  jobs.push_back({"resident", [] {
                    const ResidentGraph graph(ResidentEdges::rmat(5, 4, 1, DeviceKind::sim), {});
                    Searcher searcher(graph, {.run = {.device = DeviceKind::sim}});
                    const Query query{.sources = {1}};
                    searcher.traverse(query);
                    const ResidentCheck check = graph.check(searcher, query);
                    return hash_of(graph.download()) ^ splitmix64(check.reached + (check.verdict.ok ? 1000 : 0));
                  }});
}

/// Shortest paths with weights, bits of distances and all.
void add_weighted(std::vector<LibraryJob>& jobs) {
  EdgeList list = generate("rmat:7,6");
  Array<float> weights(list.edges.size());
  for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = static_cast<float>(splitmix64(e) % 7) * .3f;
  list.weights = std::move(weights);
  const auto graph = std::make_shared<const Graph>(build_graph(std::move(list)));
  for (const char* strategy : {"cpu-dijkstra", "cpu-delta-stepping", "near-far"})
    for (const Direction direction : {Direction::out, Direction::both})
      jobs.push_back({std::string("shortest paths ") + strategy + (direction == Direction::out ? "" : " both ways"), [=] {
                        const bool sim = std::string_view(strategy) == "near-far";
                        const WeightedOptions options{.strategy = strategy,
                                                      .direction = direction,
                                                      .run = {.device = sim ? DeviceKind::sim : DeviceKind::cpu, .threads = 2}};
                        const WeightedQuery query{.sources = {0}};
                        const WeightedResult result = shortest_paths(*graph, query, options);
                        Hash hash;
                        for (const double d : result.distance) hash << std::bit_cast<std::uint64_t>(d);
                        return std::uint64_t{hash.all(result.parent) << validate(*graph, query, result, direction).ok};
                      }});
}

/// What is counted or summed up over searches, and components, on the CPU and in the simulator.
void add_figures(std::vector<LibraryJob>& jobs) {
  const auto even = std::make_shared<const Graph>(build_graph(generate("rmat:5,4,1")));
  const auto one_way = std::make_shared<const Graph>(directed("rmat:6,3,1"));
  const auto two_sided = std::make_shared<const Graph>(directed("grid:6x7"));
  const std::vector<VertexId> some = {0, 3, 7, 7, 20};
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim}) {
    const std::string where = device == DeviceKind::cpu ? " cpu" : " sim";
    for (const Algorithm* each : algorithms()) {
      const auto graph = each->name == "matching" || each->name == "topological_generations" ? two_sided : one_way;
      jobs.push_back({std::string(each->name) + where, [=] {
                        std::map<std::string, AlgorithmValue, std::less<>> values;
                        std::uint64_t next = 5;
                        for (const AlgorithmParameter& parameter : each->parameters) {
                          if (parameter.required || parameter.kind == AlgorithmParameter::Kind::vertex)
                            values[std::string(parameter.name)] = next++;
                          if (parameter.name == "direction") values["direction"] = "both";
                        }
                        Hash hash;
                        for (const auto& output :
                             run_algorithm(*graph, each->name, values, {.device = device, .threads = 2}).outputs)
                          std::visit([&](const auto& found) { hash_all(hash, found); }, output);
                        return std::uint64_t{hash};
                      }});
    }
    jobs.push_back({"sampled closeness" + where, [=] {
                      const SampledCloseness found = sampled_closeness(
                          *even,
                          {.samples = 5, .search = {.parameters = {{"ms_bfs", 2}}, .run = {.device = device, .threads = 2}}});
                      Hash hash;
                      for (const double sum : found.sums.inverse_sum) hash << std::bit_cast<std::uint64_t>(sum);
                      return std::uint64_t{hash.all(found.sums.met).all(found.sums.sum).all(found.sums.longest)};
                    }});
    jobs.push_back({"counts of levels and pairs" + where, [=] {
                      Searcher searcher(*even, {.parameters = {{"ms_bfs", 2}}, .run = {.device = device, .threads = 2}});
                      Hash hash;
                      searcher.count_levels(some, -1, [&](std::size_t, LevelCounts&& counts) { hash.all(counts.at); });
                      const std::vector<Pair> pairs = {{0, 5}, {3, 9}, {3, 1}};
                      hash.all(searcher.distances(pairs));
                      for (const auto& path : searcher.paths(pairs)) hash.all(path);
                      return std::uint64_t{hash};
                    }});
  }
  jobs.push_back({"condensation", [=] {
                    const Graph parts = condensation(*one_way, strong_components(*one_way));
                    return std::uint64_t{Hash() << hash_of(parts) << Hash().all(topological_generations(parts))};
                  }});
  const Query tree{.sources = {0}, .parents = true};
  jobs.push_back(
      {"search shared out over three devices", [=] {
         const SearchOptions options{.partition = Partition::always, .run = {.device = DeviceKind::sim, .replicas = {1, 2}}};
         return hash_of(search(*even, tree, options));
       }});
  jobs.push_back(
      {"sampled closeness on two devices", [=] {
         // A copy that does not fit has the graph shared out instead: what that takes once and keeps is taken here.
         (void)search(*even, tree, {.partition = Partition::always, .run = {.device = DeviceKind::sim, .replicas = {1}}});
         const SampledCloseness found =
             sampled_closeness(*even, {.samples = 5, .search = {.run = {.device = DeviceKind::sim, .replicas = {1}}}});
         Hash hash;
         for (const double sum : found.sums.inverse_sum) hash << std::bit_cast<std::uint64_t>(sum);
         return std::uint64_t{hash.all(found.sums.met).all(found.sums.sum).all(found.sums.longest)};
       }});
  jobs.push_back({"many searches on two devices", [=] {
                    // A copy that does not fit has the graph shared out instead: what that takes once and keeps is taken here.
                    (void)search(*even, tree,
                                 {.partition = Partition::always, .run = {.device = DeviceKind::sim, .replicas = {1}}});
                    Searcher searcher(*even, {.run = {.device = DeviceKind::sim, .replicas = {1}}});
                    Hash hash;
                    for (const Result& r : searcher.run_each(some)) hash.all(r.distance);
                    return std::uint64_t{hash};
                  }});
}

void add_routes(std::vector<LibraryJob>& jobs, const std::string& folder) {
  const auto maze = std::make_shared<route::Maze>(route::make_maze("random:40x30,20,1"));
  const std::vector<route::Cell> ends = {maze->starts.at(0), maze->ends.at(0)};
  for (const route::Method method : {route::Method::words, route::Method::queue, route::Method::bends})
    jobs.push_back({"route " + std::string(route::name_of(method)),
                    [=] { return hash_of(route::find_route(maze->grid, ends, {.method = method})); }});
  jobs.push_back({"route sim", [=] {
                    route::DeviceGrid grid(maze->grid, DeviceKind::sim);
                    const route::CellIndex from = maze->grid.index(ends[0]), to = maze->grid.index(ends[1]);
                    return hash_of(grid.find({&from, 1}, {&to, 1}));
                  }});
  jobs.push_back({"route octile",
                  [=] { return std::bit_cast<std::uint64_t>(route::find_octile_route(maze->grid, ends[0], ends[1]).length); }});
  const std::string arena = folder + "/in-arena.map";
  test::spit(arena, "type octile\nheight 4\nwidth 4\nmap\n....\n.@@.\n....\n....\n");
  jobs.push_back({"load maze", [=] { return std::uint64_t{Hash().all(route::read_maze(arena).grid.words())}; }});
  for (const char* ending : {"svg", "png"}) {
    const std::string picture = folder + "/out-picture." + ending;
    jobs.push_back({std::string("picture ") + ending,
                    [=] {
                      route::Drawing drawing{.grid = &maze->grid, .distance = {}, .branches = {}, .terminals = ends};
                      drawing.distance = route::distances(maze->grid, ends[0]);
                      route::write_picture(drawing, picture);
                      return std::uint64_t{0};
                    },
                    picture});
  }
  const std::string nets = folder + "/in-nets.txt", solution = folder + "/out-solution.txt";
  test::spit(nets, "grid 8 8\ncapacity 1\nnum net 2\n0 0 0 7 7\n1 7 0 0 7\n");
  jobs.push_back({"route nets",
                  [=] {
                    const route::Netlist netlist = route::read_netlist(nets);
                    const route::GlobalRoute wires = route::route_nets(netlist);
                    route::write_solution(netlist, wires, solution);
                    return Hash() << wires.wirelength << wires.overflow;
                  },
                  solution});
}

}  // namespace

std::vector<LibraryJob> library_jobs(const std::string& folder) {
  std::vector<LibraryJob> jobs;
  add_formats(jobs, folder);
  add_building(jobs);
  add_searches(jobs, folder);
  add_weighted(jobs);
  add_figures(jobs);
  add_routes(jobs, folder);
  return jobs;
}

}  // namespace hopwave::faults
