// Eccentricities by weights: component by component, the largest first, until the bounds say what was asked for.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>

#include "algorithm/eccentricity/component_order.h"
#include "core/options.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "graph/build.h"
#include "hopwave/eccentricity.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

/// Searches that share their bounds are this part of those done before, so that few are made too many, and at most so many.
constexpr std::uint64_t searches_per_batch = 4, most_at_once = 64;

/// A distance is the sum of at most `vertices` weights, each sum rounded by 2^-53 of it at most. Three of them are compared,
/// and the bound itself is rounded: this share of their sum is more than all that.
double rounding(std::size_t vertices) { return (static_cast<double>(vertices) + 2) * 0x1p-50; }

double greatest_weight(const Graph& graph) {
  if (graph.out().weights.empty()) return 1;
  double most = 0;
  for (const double w : graph.out().weights)
    if (w < no_path) most = std::max(most, w);
  return most;
}

/// Arcs of infinite weight join nothing.
Components components_of(Team& team, const Graph& graph) {
  const auto& weights = graph.out().weights;
  EdgeIndex usable = 0;
  for (EdgeIndex a = 0; a < weights.size(); ++a) usable += weights[a] < no_path;
  if (usable == weights.size()) return graph::find_components(team, graph);
  EdgeList list;
  list.num_vertices = graph.num_vertices();
  list.edges = Array<Edge>(usable);
  const auto sources = graph.arc_sources();
  for (EdgeIndex a = 0, at = 0; a < graph.num_arcs(); ++a)
    if (weights[a] < no_path) list.edges[at++] = {sources[a], graph.out().neighbors[a]};
  return graph::find_components(team, graph::build_on_cpu(std::move(list), {.make_undirected = true}));
}

/// What a search has found.
struct Reached {
  double farthest = -1;  ///< −1: it was not made
  VertexId end = no_vertex;
};

Reached end_of(const WeightedReach& reach) {
  Reached found{reach.distance[reach.vertices.back()], reach.vertices.back()};
  for (std::size_t i = reach.vertices.size(); i-- > 0 && reach.distance[reach.vertices[i]] == found.farthest;)
    found.end = std::min(found.end, reach.vertices[i]);
  return found;
}

class WeightedRun {
 public:
  WeightedRun(const Graph& graph, const WeightedEccentricityOptions& options)
      : graph_(graph),
        options_(options),
        watch_(options.search.run.limits),
        directed_(graph.directed() && options.search.direction != Direction::both),
        there_(graph, searching(options.search.direction)),
        exact_below_(there_.exact_below()),
        heaviest_(greatest_weight(graph)) {
    found_.run.device = there_.device();
    found_.lower = Array<double>::filled(graph.num_vertices(), -1);
    found_.upper = Array<double>::filled(graph.num_vertices(), -1);
  }

  WeightedEccentricities all();

 private:
  [[nodiscard]] WeightedOptions searching(Direction direction);
  [[nodiscard]] double longest(std::size_t vertices) const;
  [[nodiscard]] bool matters(std::size_t vertices) const;
  [[nodiscard]] bool wanted(VertexId v) const;
  bool go_on();
  bool run(WeightedSearcher& searcher, std::span<const VertexId> sources, const std::function<void(const WeightedReach&)>& use);
  WeightedSearcher& back();
  void check(const WeightedReach& reach, VertexId source, std::size_t size) const;
  void component(std::span<const VertexId> vertices, bool largest);
  bool search(std::span<const VertexId> sources, std::size_t size);
  void every_of(std::span<const VertexId> vertices);
  void settle(VertexId v, const Reached& reached);
  std::vector<VertexId> choose(std::size_t count, bool upper_first);
  void bound(VertexId v, double lower, double upper);
  void sum_up(std::span<const VertexId> order, std::span<const VertexId> largest);

  const Graph& graph_;
  const WeightedEccentricityOptions& options_;
  const core::Watch watch_;
  const bool directed_;
  std::atomic<std::uint64_t> searches_{0}, open_now_{0};  // before there_, whose progress reads them
  WeightedSearcher there_;
  std::optional<WeightedSearcher> back_;
  const double exact_below_, heaviest_;
  WeightedEccentricities found_;
  Components components_;
  std::vector<VertexId> size_, open_;
  double slack_ = 0;     ///< share by which bounds of the component are wider; below 0: not known yet
  bool largest_ = true;  ///< whether the component is
  double diameter_ = -1, radius_ = no_path;
};

WeightedOptions WeightedRun::searching(Direction direction) {
  WeightedOptions options = options_.search;
  if (options.run.device == DeviceKind::automatic) options.run.device = DeviceKind::cpu;
  options.direction = direction;
  options.run.limits = {};
  if (options.run.progress)
    options.run.progress = [this](const Step&) {
      return options_.search.run.progress({.what = "searches", .done = searches_, .amount = open_now_});
    };
  return options;
}

/// A path between `vertices` vertices is no longer.
double WeightedRun::longest(std::size_t vertices) const {
  const double sum = static_cast<double>(vertices - 1) * heaviest_;
  return sum < exact_below_ ? sum : sum * (1 + rounding(vertices));
}

/// A component of so many vertices that is not the largest.
bool WeightedRun::matters(std::size_t vertices) const {
  switch (options_.goal) {
    case EccentricityGoal::diameter:
      return longest(vertices) > diameter_;
    case EccentricityGoal::radius:
      return false;
    case EccentricityGoal::figures:
      return longest(vertices) >= diameter_;
    case EccentricityGoal::every:
      return true;
  }
  return true;
}

/// Whether the goal may still need a search from `v`.
bool WeightedRun::wanted(VertexId v) const {
  const double lower = found_.lower[v], upper = found_.upper[v];
  if (lower == upper && upper <= diameter_) return false;
  switch (options_.goal) {
    case EccentricityGoal::diameter:
      return upper > diameter_;
    case EccentricityGoal::radius:
      return lower < radius_;
    case EccentricityGoal::figures:
      return upper >= diameter_ || (largest_ && lower <= radius_);
    case EccentricityGoal::every:
      return true;
  }
  return true;
}

bool WeightedRun::go_on() {
  if (searches_ >= options_.max_searches) found_.run.end = End::max_searches;
  return found_.run.complete();
}

/// False: the limits, or a request to stop, ended it.
bool WeightedRun::run(WeightedSearcher& searcher, std::span<const VertexId> sources,
                      const std::function<void(const WeightedReach&)>& use) {
  try {
    searcher.set_limits(watch_.rest());
    const WeightedReport report = searcher.run_each(sources, use);
    found_.run.strategy = report.strategy;
    found_.run.chosen = report.chosen;
    found_.run.notes = report.notes;
    return true;
  } catch (const Error& error) {
    found_.run.end = core::end_of(error);
    return false;
  }
}

WeightedSearcher& WeightedRun::back() {
  if (!back_) back_.emplace(graph_, searching(options_.search.direction == Direction::out ? Direction::in : Direction::out));
  return *back_;
}

void WeightedRun::check(const WeightedReach& reach, VertexId source, std::size_t size) const {
  if (reach.vertices.size() == size) return;
  if (std::isinf(reach.distance[reach.vertices.back()] + heaviest_))
    throw Error({.failure = Failure::input,
                 .id = "HW-SSSP-WEIGHT",
                 .where = {.file = graph_.read_report().source},
                 .found = "a path from or to " + graph_.name(source) + " whose length is beyond 1.8e308",
                 .expected = "weights whose sums stay below it",
                 .hint = "multiply all weights by the same number"});
  search_detail::refuse_weak(graph_, source, reach.vertices.size(), size);
}

void WeightedRun::bound(VertexId v, double lower, double upper) {
  found_.lower[v] = std::max(found_.lower[v], lower);
  found_.upper[v] = std::min(found_.upper[v], upper);
}

void WeightedRun::settle(VertexId v, const Reached& reached) {
  found_.lower[v] = found_.upper[v] = reached.farthest;
  if (reached.farthest > diameter_) diameter_ = reached.farthest, found_.from = v, found_.to = reached.end;
  if (largest_ && reached.farthest < radius_) radius_ = reached.farthest, found_.central = v;
}

/// From vertices of one component, which has `size`.
bool WeightedRun::search(std::span<const VertexId> sources, std::size_t size) {
  std::vector<Reached> reached(sources.size());
  std::mutex mutex;
  const bool there = run(there_, sources, [&](const WeightedReach& reach) {
    check(reach, sources[reach.index], size);
    const Reached mine = reached[reach.index] = end_of(reach);
    ++searches_;
    const std::lock_guard lock(mutex);
    if (slack_ < 0 && !directed_) slack_ = 2 * mine.farthest < exact_below_ ? 0 : rounding(size);
    if (slack_ < 0) return;
    for (const VertexId v : reach.vertices) {
      const double d = reach.distance[v];
      const double least = (mine.farthest - d) - slack_ * (mine.farthest + d);
      if (directed_)
        bound(v, least, no_path);
      else
        bound(v, std::max(least, d * (1 - slack_)), (d + mine.farthest) * (1 + slack_));
    }
  });
  const bool both = there && (!directed_ || run(back(), sources, [&](const WeightedReach& reach) {
                      check(reach, sources[reach.index], size);
                      const double mine = reached[reach.index].farthest;
                      const std::lock_guard lock(mutex);
                      const double across = mine + reach.distance[reach.vertices.back()];
                      if (slack_ < 0) slack_ = across < exact_below_ ? 0 : rounding(size);
                      for (const VertexId v : reach.vertices) {
                        const double d = reach.distance[v];
                        bound(v, d * (1 - slack_), (d + mine) * (1 + slack_));
                      }
                    }));
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (reached[i].farthest >= 0) settle(sources[i], reached[i]);
  return both;
}

/// Turns between the greatest upper and the least lower bounds. Takes some of both.
std::vector<VertexId> WeightedRun::choose(std::size_t count, bool upper_first) {
  count = std::min(count, open_.size());
  const auto greatest = [&](VertexId a, VertexId b) {
    return found_.upper[a] != found_.upper[b] ? found_.upper[a] > found_.upper[b] : a < b;
  };
  const auto least = [&](VertexId a, VertexId b) {
    return found_.lower[a] != found_.lower[b] ? found_.lower[a] < found_.lower[b] : a < b;
  };
  const auto middle = open_.begin() + static_cast<std::ptrdiff_t>(upper_first ? (count + 1) / 2 : count / 2);
  const auto end = open_.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(open_.begin(), middle, open_.end(), greatest);
  std::nth_element(middle, end, open_.end(), least);
  std::vector<VertexId> chosen(open_.begin(), end);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void WeightedRun::component(std::span<const VertexId> vertices, bool largest) {
  largest_ = largest;
  slack_ = -1;
  for (const VertexId v : vertices) found_.lower[v] = 0, found_.upper[v] = longest(vertices.size());
  open_.assign(vertices.begin(), vertices.end());
  std::uint64_t done = 0, turns = 0;
  // The first search is made whatever the bounds say: it shows whether a directed component is strongly connected.
  do {
    if (!go_on()) return;
    const std::uint64_t batch = std::clamp<std::uint64_t>(done / searches_per_batch, 1, most_at_once);
    const std::vector<VertexId> sources =
        choose(std::min<std::uint64_t>(batch, options_.max_searches - searches_), ++turns % 2 == 0);
    if (!search(sources, vertices.size())) return;
    done += sources.size();
    open_.erase(std::remove_if(open_.begin(), open_.end(), [&](VertexId v) { return !wanted(v); }), open_.end());
    open_now_ = open_.size();
  } while (!open_.empty());
  found_.exact = found_.exact && slack_ == 0;
}

/// Of small components: searches from each vertex, which cost what they reach.
void WeightedRun::every_of(std::span<const VertexId> vertices) {
  largest_ = false;
  for (const VertexId v : vertices) found_.lower[v] = 0, found_.upper[v] = longest(size_[components_.label[v]]);
  if (vertices.empty() || !go_on()) return;
  const auto sources = vertices.first(std::min<std::uint64_t>(vertices.size(), options_.max_searches - searches_));
  open_now_ = sources.size();
  std::vector<Reached> reached(sources.size());
  const bool all = run(there_, sources, [&](const WeightedReach& reach) {
    const VertexId v = sources[reach.index];
    check(reach, v, size_[components_.label[v]]);
    reached[reach.index] = end_of(reach);
    ++searches_, --open_now_;
  });
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (reached[i].farthest < 0) continue;
    settle(sources[i], reached[i]);
    found_.exact = found_.exact && reached[i].farthest < exact_below_;
  }
  if (all && sources.size() < vertices.size()) found_.run.end = End::max_searches;
}

void WeightedRun::sum_up(std::span<const VertexId> order, std::span<const VertexId> largest) {
  found_.searches = searches_;
  found_.diameter = {std::max(diameter_, 0.0), std::max(diameter_, 0.0)};
  for (const VertexId v : order) found_.diameter.upper = std::max(found_.diameter.upper, found_.upper[v]);
  found_.radius = {found_.lower[largest.front()], found_.upper[largest.front()]};
  for (const VertexId v : largest) {
    found_.radius.lower = std::min(found_.radius.lower, found_.lower[v]);
    found_.radius.upper = std::min(found_.radius.upper, found_.upper[v]);
  }
  if (!found_.run.complete() || options_.goal < EccentricityGoal::figures) return;
  const auto have = [&](std::span<const VertexId> vertices, double eccentricity) {
    std::vector<VertexId> those;
    for (const VertexId v : vertices)
      if (found_.lower[v] == eccentricity && found_.upper[v] == eccentricity) those.push_back(v);
    std::sort(those.begin(), those.end());
    return those;
  };
  found_.center = have(largest, found_.radius.upper);
  found_.periphery = have(order, found_.diameter.upper);
}

WeightedEccentricities WeightedRun::all() {
  const core::Stopwatch clock;
  if (graph_.num_vertices() == 0) return std::move(found_);
  Team team(options_.search.run.threads);
  components_ = components_of(team, graph_);
  std::vector<VertexId> order = search_detail::by_component(components_, size_);
  found_.components = components_.count;
  found_.largest = components_.largest_label;
  found_.largest_size = components_.largest_size;
  if (options_.scope == EccentricityScope::largest) order.resize(components_.largest_size);
  std::vector<VertexId> small;
  for (std::size_t at = 0; at < order.size();) {
    const std::span<const VertexId> vertices(&order[at], size_[components_.label[order[at]]]);
    const bool largest = at == 0;
    at += vertices.size();
    if (vertices.size() == 1) {
      largest_ = largest;
      settle(vertices[0], {.farthest = 0, .end = vertices[0]});
    } else if (found_.run.complete() && (directed_ || largest || matters(vertices.size()))) {
      // A call of the searcher costs as much as the graph has vertices; searches from all of these share one call.
      if (largest || vertices.size() * vertices.size() > graph_.num_vertices())
        component(vertices, largest);
      else
        small.insert(small.end(), vertices.begin(), vertices.end());
    } else {
      for (const VertexId v : vertices) found_.lower[v] = 0, found_.upper[v] = longest(vertices.size());
    }
  }
  every_of(small);
  sum_up(order, std::span(order).first(components_.largest_size));
  found_.run.prepare = there_.prepare() + (back_ ? back_->prepare() : Milliseconds{});
  found_.run.copy_in = there_.copy_in() + (back_ ? back_->copy_in() : Milliseconds{});
  found_.run.work = clock.elapsed() - (back_ ? back_->prepare() + back_->copy_in() : Milliseconds{});
  return std::move(found_);
}

}  // namespace

WeightedEccentricities weighted_eccentricities(const Graph& graph, const WeightedEccentricityOptions& options) {
  core::require_named(options.goal, EccentricityGoal::every, "eccentricity goal");
  core::require_named(options.scope, EccentricityScope::largest, "eccentricity scope");
  return WeightedRun(graph, options).all();
}

}  // namespace hopwave::inline v0_1
