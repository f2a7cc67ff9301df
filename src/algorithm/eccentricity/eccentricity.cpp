// Eccentricities: component by component, the largest first, until the bounds say what was asked for.
#include "hopwave/eccentricity.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "algorithm/eccentricity/component_order.h"
#include "algorithm/eccentricity/eccentricity_bounds.h"
#include "bfs/plan/thresholds.h"
#include "bfs/searcher/placement.h"
#include "core/options.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "graph/build.h"
#include "graph/components.h"
#include "graph/rows.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

using search_detail::by_component;
using search_detail::EccentricityBounds;
using search_detail::refuse_weak;

constexpr std::size_t pass = 64;

/// The same graph with every arc walkable both ways.
Graph symmetric(const Graph& graph) {
  EdgeList list;
  list.num_vertices = graph.num_vertices();
  list.edges = Array<Edge>(graph.num_arcs());
  const auto sources = graph.arc_sources();
  for (EdgeIndex a = 0; a < graph.num_arcs(); ++a) list.edges[a] = {sources[a], graph.out().neighbors[a]};
  return graph::build_on_cpu(std::move(list), {.make_undirected = true});
}

class Run {
 public:
  /// `graph` is walked; `given` is the caller's.
  Run(const Graph& given, const Graph& graph, const EccentricityOptions& options, const core::Watch& watch)
      : given_(given),
        graph_(graph),
        options_(options),
        watch_(watch),
        directed_(graph.directed()),
        team_(graph.num_vertices() + graph.num_arcs() < thresholds::Eccentricity::few_for_threads ? 1
                                                                                                  : options.search.run.threads),
        bounds_(team_, graph, directed_, options.goal) {}

  /// `device`: where its searches run, if there are any.
  Eccentricities all(DeviceKind device);

 private:
  void sum_up(std::span<const VertexId> order, std::span<const VertexId> largest, Distance most);
  [[nodiscard]] bool report_progress() const;
  [[nodiscard]] bool matters(Distance longest) const;
  void component(std::span<const VertexId> vertices, bool largest);
  bool go_on();
  void search(VertexId v);
  void search_by_hand(VertexId v);
  [[nodiscard]] const Adjacency& arcs(bool back);
  bool search_pass();
  Searcher& searcher(bool back);
  /// Runs `work` within what the limits leave; false: they, or a request to stop, ended it.
  template <class Work>
  bool within_limits(Work&& work);

  const Graph &given_, &graph_;
  const EccentricityOptions& options_;
  const core::Watch& watch_;
  const bool directed_;
  Team team_;
  EccentricityBounds bounds_;
  Eccentricities found_;
  std::optional<Searcher> there_, back_;
  /// A plain search that touches the component alone.
  struct ByHand {
    Array<Distance> distance;
    std::vector<VertexId> queue;  ///< what was found, nearest first

    void run(const Adjacency& arcs, VertexId n, VertexId source);
    [[nodiscard]] Distance depth() const { return distance[queue.back()]; }
  };
  ByHand by_hand_, by_hand_back_;
  Adjacency reversed_;                   ///< made if the graph has none and a directed component is searched by hand
  std::span<const VertexId> component_;  ///< under way
};

Searcher& Run::searcher(bool back) {
  std::optional<Searcher>& one = back ? back_ : there_;
  if (!one) {
    SearchOptions options = options_.search;
    options.run.limits = {};
    if (options.run.progress) options.run.progress = [this](const Step&) { return report_progress(); };
    if (!directed_) options.direction = Direction::out;
    if (back) options.direction = options.direction == Direction::out ? Direction::in : Direction::out;
    one.emplace(graph_, options);
    if (!back) found_.run.strategy = one->strategy(), found_.run.device = one->device();
  }
  one->set_limits(watch_.rest());
  return *one;
}

template <class Work>
bool Run::within_limits(Work&& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    found_.run.end = core::end_of(error);
    return false;
  }
}

bool Run::report_progress() const {
  const Progress& progress = options_.search.run.progress;
  return !progress ||
         progress({.what = "searches", .done = found_.searches, .amount = bounds_.open(), .longest = bounds_.diameter()});
}

bool Run::go_on() {
  if (found_.searches >= options_.max_searches)
    found_.run.end = End::max_searches;
  else if (!report_progress())
    found_.run.end = End::interrupted;
  else
    return within_limits([&] { watch_.check(""); });
  return false;
}

void Run::ByHand::run(const Adjacency& arcs, VertexId n, VertexId source) {
  if (distance.empty()) distance = Array<Distance>::filled(n, unreached);
  for (const VertexId u : queue) distance[u] = unreached;
  queue.assign(1, source);
  distance[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const VertexId v = queue[i];
    for (EdgeIndex at = arcs.offsets[v]; at < arcs.offsets[v + std::size_t{1}]; ++at)
      if (const VertexId u = arcs.neighbors[at]; distance[u] == unreached) distance[u] = distance[v] + 1, queue.push_back(u);
  }
}

/// The arcs that distances go along, or those turned round.
const Adjacency& Run::arcs(bool back) {
  if (!directed_ || back == (options_.search.direction == Direction::in)) return graph_.out();
  if (graph_.has_in()) return graph_.in();
  if (reversed_.offsets.empty()) reversed_ = graph::reversed(team_, graph_.num_vertices(), graph_.out());
  return reversed_;
}

void Run::search_by_hand(VertexId v) {
  by_hand_.run(arcs(false), graph_.num_vertices(), v);
  if (!directed_) return bounds_.learn(v, by_hand_.distance, by_hand_.distance, by_hand_.depth(), by_hand_.depth());
  by_hand_back_.run(arcs(true), graph_.num_vertices(), v);
  for (const ByHand* way : {&by_hand_, &by_hand_back_})
    if (way->queue.size() != component_.size())
      refuse_weak(given_, v, static_cast<VertexId>(way->queue.size()), component_.size());
  bounds_.learn(v, by_hand_.distance, by_hand_back_.distance, by_hand_.depth(), by_hand_back_.depth());
}

void Run::search(VertexId v) {
  const Query query{.sources = {v}};
  const Result there = searcher(false).run(query);
  found_.run.chosen = there.run.chosen;
  if (!directed_) return bounds_.learn(v, there.distance, there.distance, there.depth, there.depth);
  const Result back = searcher(true).run(query);
  for (const Result* way : {&there, &back})
    if (way->reached != component_.size()) refuse_weak(given_, v, way->reached, component_.size());
  bounds_.learn(v, there.distance, back.distance, there.depth, back.depth);
}

/// Up to 64 of what is left; where one's eccentricity exceeds the diameter, it is searched from again for the path's end.
bool Run::search_pass() {
  const std::vector<VertexId> sources = bounds_.some(std::min<std::uint64_t>(pass, options_.max_searches - found_.searches));
  std::vector<Distance> depth;
  if (!within_limits([&] {
        searcher(false).count_levels(sources, -1, [&](std::size_t, LevelCounts&& counts) { depth.push_back(counts.depth()); });
      }))
    return false;
  found_.searches += sources.size();
  VertexId far = no_vertex;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    bounds_.settle(sources[i], depth[i]);
    if (bounds_.longest(sources[i]) > (far == no_vertex ? bounds_.diameter() : bounds_.longest(far))) far = sources[i];
  }
  bounds_.winnow();
  if (far == no_vertex) return true;
  if (!go_on() || !within_limits([&] { search(far); })) return false;
  ++found_.searches;
  bounds_.winnow();
  return true;
}

void Run::component(std::span<const VertexId> vertices, bool largest) {
  component_ = vertices;
  bounds_.begin(vertices, largest);
  // The first search is made whatever the bounds say: it shows whether a directed component is strongly connected.
  std::uint64_t done = 0, batch = thresholds::Eccentricity::first_batch, passes = 0, before = bounds_.open();
  do {
    if (!go_on()) return;
    if (passes > 0) {
      if (!search_pass()) return;
      --passes;
      done = 0, before = bounds_.open();
      continue;
    }
    const VertexId next = bounds_.choose();
    if (!largest && vertices.size() <= thresholds::Eccentricity::small_component)
      search_by_hand(next);
    else if (!within_limits([&] { search(next); }))
      return;
    ++found_.searches;
    bounds_.winnow();
    if (++done < batch) continue;
    // A pass costs as much as several single searches, but settles each of its sources for certain. After the passes a smaller
    // batch shows whether single searches still settle few vertices.
    if (vertices.size() > thresholds::Eccentricity::small_component &&
        before - std::min<std::uint64_t>(before, bounds_.open()) < done * thresholds::Eccentricity::settled_per_search)
      passes = thresholds::Eccentricity::passes_per_batch, batch = thresholds::Eccentricity::next_batch;
    done = 0, before = bounds_.open();
  } while (bounds_.open() > 0);
}

/// k vertices are at most k − 1 hops apart: a small component may not matter any more.
bool Run::matters(Distance longest) const {
  switch (options_.goal) {
    case EccentricityGoal::diameter:
      return longest > bounds_.diameter();
    case EccentricityGoal::radius:
      return false;
    case EccentricityGoal::figures:
      return longest >= bounds_.diameter();
    case EccentricityGoal::every:
      return true;
  }
  return true;
}

/// `order`: the vertices in the scope; `most`: the longest path that may be among them.
void Run::sum_up(std::span<const VertexId> order, std::span<const VertexId> largest, Distance most) {
  if (largest.size() > 1) found_.from = bounds_.from(), found_.to = bounds_.to(), found_.central = bounds_.central();
  found_.diameter = {bounds_.diameter(), std::max(bounds_.diameter(), most)};
  found_.radius.lower = bounds_.lower[largest.front()];
  for (const VertexId v : largest) found_.radius.lower = std::min(found_.radius.lower, bounds_.lower[v]);
  found_.radius.upper = bounds_.radius() >= 0 ? bounds_.radius() : static_cast<Distance>(largest.size() - 1);
  found_.lower = std::move(bounds_.lower);
  found_.upper = std::move(bounds_.upper);
  if (there_) found_.run.notes = there_->notes();
  if (!found_.run.complete() || options_.goal < EccentricityGoal::figures) return;
  const auto have = [&](std::span<const VertexId> vertices, Distance eccentricity) {
    std::vector<VertexId> those;
    for (const VertexId v : vertices)
      if (found_.lower[v] == eccentricity && found_.upper[v] == eccentricity) those.push_back(v);
    std::sort(those.begin(), those.end());
    return those;
  };
  found_.center = have(largest, found_.radius.upper);
  found_.periphery = have(order, found_.diameter.upper);
}

Eccentricities Run::all(DeviceKind device) {
  const core::Stopwatch clock;
  found_.run.device = device;
  const Components components = graph::find_components(team_, graph_);
  std::vector<VertexId> size;
  std::vector<VertexId> order = by_component(components, size);
  found_.components = components.count;
  found_.largest = components.largest_label;
  found_.largest_size = components.largest_size;
  if (options_.scope == EccentricityScope::largest) order.resize(components.largest_size);
  Distance most = 0;
  for (std::size_t at = 0; at < order.size();) {
    const std::span<const VertexId> vertices(&order[at], size[components.label[order[at]]]);
    const bool largest = at == 0;
    at += vertices.size();
    const auto longest = static_cast<Distance>(std::min<std::size_t>(vertices.size() - 1, 0x7FFFFFFF));
    if (longest == 0) {
      bounds_.lower[vertices[0]] = bounds_.upper[vertices[0]] = 0;
      if (largest) found_.from = found_.to = found_.central = vertices[0];
    } else if (found_.run.complete() && (directed_ || largest || matters(longest))) {
      component(vertices, largest);
      bounds_.end();
      most = std::max(most, bounds_.greatest());
    } else {
      for (const VertexId v : vertices) bounds_.lower[v] = 1, bounds_.upper[v] = longest;
      most = std::max(most, longest);
    }
  }
  sum_up(order, std::span(order).first(components.largest_size), most);
  for (const std::optional<Searcher>* one : {&there_, &back_})
    if (*one) found_.run.prepare += (*one)->prepare(), found_.run.copy_in += (*one)->copy_in();
  found_.run.work = clock.elapsed() - found_.run.prepare - found_.run.copy_in;
  return std::move(found_);
}

}  // namespace

Eccentricities eccentricities(const Graph& graph, const EccentricityOptions& options) {
  core::require_named(options.goal, EccentricityGoal::every, "eccentricity goal");
  core::require_named(options.scope, EccentricityScope::largest, "eccentricity scope");
  core::require_named(options.search.direction, Direction::both, "direction");
  const core::Watch watch(options.search.run.limits);
  std::vector<std::string> notes;
  const DeviceKind device = search_detail::place(options.search, notes).kind;
  if (graph.num_vertices() == 0) return {.run = {.device = device}};
  if (!graph.directed() || options.search.direction != Direction::both) return Run(graph, graph, options, watch).all(device);
  const Graph both = symmetric(graph);
  return Run(graph, both, options, watch).all(device);
}

}  // namespace hopwave::inline v0_1
