#include "hopwave/paths.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>

#include "algorithm/near.h"
#include "algorithm/sssp/method.h"
#include "core/bytes_text.h"
#include "core/options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "graph/check_vertex.h"
#include "hopwave/error.h"
#include "hopwave/estimate.h"

namespace hopwave::sssp {
namespace {

Direction reverse_of(Direction direction) {
  return direction == Direction::both ? direction : direction == Direction::out ? Direction::in : Direction::out;
}

/// What both questions begin with: arcs in both directions, limits and progress.
class Setting {
 public:
  Setting(const Graph& graph, VertexId from, VertexId to, const PathsOptions& options)
      : team_(options.run.threads == 0 && graph.num_vertices() + graph.num_arcs() < thresholds::Cpu::few_for_threads
                  ? 1
                  : options.run.threads),
        watch_(options.run.limits),
        report_(core::watched(watch_, options.run.progress, "not all paths are found")) {
    core::require_named(options.direction, Direction::both, "direction");
    core::require_named(options.run.device, DeviceKind::sim, "device");
    if (options.run.device == DeviceKind::gpu || options.run.device == DeviceKind::sim)
      core::refuse("HW-OPTION-VALUE", "several paths between two vertices on a GPU", "device cpu");
    search_detail::check_vertex(graph.num_vertices(), from, "source", "HW-QUERY-SOURCE");
    search_detail::check_vertex(graph.num_vertices(), to, "target", "HW-QUERY-TARGET");
    if (team_.missing() > 0) run.notes.push_back(team_.missing_text());
    run.device = DeviceKind::cpu;
    const core::Stopwatch clock;
    if (options.weights) {
      const WeightFigures figures = check_weights(team_, graph);
      exact_below = figures.rounded ? 0 : std::ldexp(1.0, 53 + figures.exponent);
    }
    for (const bool back : {false, true}) {
      auto& rows = back ? backward_ : forward_;
      rows.emplace(team_, graph, back ? reverse_of(options.direction) : options.direction);
      (back ? backward : forward) = rows->arcs();
      if (!options.weights) (back ? backward : forward).weights = {};
    }
    run.prepare = clock.elapsed();
  }

  Team& team() { return team_; }

  /// Refuses `paths` of so many `vertices` each that, with `other` bytes, would take more than half of the memory that was
  /// free: the caller keeps them beside other things. `more`: there may be more of them.
  void require_room(double paths, std::size_t vertices, double other, bool more) const {
    const double each = static_cast<double>(vertices * sizeof(VertexId) + sizeof(std::vector<VertexId>) + 64);
    if (paths * each + other <= static_cast<double>(room_)) return;
    char number[32];
    std::snprintf(number, sizeof number, "%.3g", paths);
    throw Error(
        {.failure = Failure::does_not_fit,
         .id = "HW-MEMORY",
         .found = std::string(more ? "more than " : "") + number + " paths of about " + std::to_string(vertices) + " vertices",
         .expected = "at most " + bytes_text(room_) + ", half of the memory that is free",
         .hint = "ask for fewer paths"});
  }
  /// Reports how many paths there are so far.
  void look() {
    if (report_ && !report_({.what = "paths", .done = found_}))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller"});
  }
  void found_one() {
    ++found_;
    look();
  }

  Arcs forward, backward;
  double exact_below = no_path;
  RunReport run;

 private:
  Team team_;
  core::Watch watch_;
  Progress report_;
  const std::uint64_t room_ = host_memory_free() / 2;
  std::uint64_t found_ = 0;
  std::optional<WeightedRows> forward_, backward_;
};

/// The least weight of the arcs from u to v.
double weight_of(const Arcs& arcs, VertexId u, VertexId v) {
  double least = no_path;
  arcs.each_of(u, [&](VertexId head, double weight) {
    if (head == v) least = std::min(least, weight);
  });
  return least;
}

/// A path, and where it differs from those before it.
struct Candidate {
  double length;
  std::vector<VertexId> vertices;
  std::size_t left_at = 0;           ///< the place of the vertex where it left the path that it was made from
  std::vector<VertexId> taken = {};  ///< the next vertices there of it and of those before it, ascending
  bool operator<(const Candidate& other) const { return std::tie(length, vertices) < std::tie(other.length, other.vertices); }
};

/// The paths that begin as path number `origin` up to place `at` and leave it there: none is shorter than `bound`. Of equal
/// ones those that leave latest come first: they take the shortest searches.
struct Branch {
  double bound;
  std::size_t at, origin;
  bool operator>(const Branch& other) const {
    return std::tie(bound, other.at, origin) > std::tie(other.bound, at, other.origin);
  }
};

/// A vertex to go on from. Of equally short ways the one that is nearest to its end comes first: it is followed to the end, and
/// the others are not looked at.
struct Open {
  double bound;  ///< no path by way of it is shorter
  double to_go;
  VertexId vertex;
  bool operator>(const Open& other) const {
    return std::tie(bound, to_go, vertex) > std::tie(other.bound, other.to_go, other.vertex);
  }
};

/// Searches for the shortest way on from a vertex of a path: by A*, with the distances to the last vertex.
class Spur {
 public:
  Spur(Setting& setting, const std::vector<double>& to_go)
      : setting_(setting),
        arcs_(setting.forward),
        to_go_(to_go),
        length_(Array<double>::filled(arcs_.num_vertices, no_path)),
        parent_(arcs_.num_vertices),
        closed_(Array<std::uint8_t>::filled(arcs_.num_vertices, 0)) {}

  /// The shortest path that begins as `path` does up to place `at` and goes on from there without a vertex of that beginning
  /// and without any of the `taken` next vertices; not longer than `longest`.
  std::optional<Candidate> run(const std::vector<VertexId>& path, std::size_t at, std::vector<VertexId> taken, double longest) {
    for (const VertexId v : reached_) length_[v] = no_path;
    reached_.clear();
    heap_.clear();
    double length = 0;
    for (std::size_t i = 0; i < at; ++i) length += pass(path, i);
    const VertexId begin = path[at], end = path.back();
    reach(begin, length, no_vertex);
    for (std::uint64_t looks = 1; !heap_.empty(); ++looks) {
      std::ranges::pop_heap(heap_, std::greater<>{});
      const double bound = heap_.back().bound;
      const VertexId u = heap_.back().vertex;
      heap_.pop_back();
      if (u == end || bound > longest) break;
      if (bound > length_[u] + to_go_[u]) continue;
      arcs_.each_of(u, [&](VertexId v, double weight) {
        const double sum = length_[u] + weight;
        if (sum >= length_[v] || closed_[v] || to_go_[v] == no_path) return;
        if (u == begin && std::binary_search(taken.begin(), taken.end(), v)) return;
        reach(v, sum, u);
      });
      if (looks % 1024 == 0) setting_.look();
    }
    open_up(path, at);
    if (length_[end] > longest || length_[end] == no_path) return std::nullopt;
    std::vector<VertexId> found;
    for (VertexId v = end; v != no_vertex; v = parent_[v]) found.push_back(v);
    for (std::size_t i = at; i-- > 0;) found.push_back(path[i]);
    std::reverse(found.begin(), found.end());
    taken.insert(std::lower_bound(taken.begin(), taken.end(), found[at + 1]), found[at + 1]);
    return Candidate{.length = length_[end], .vertices = std::move(found), .left_at = at, .taken = std::move(taken)};
  }

  /// Calls visit(at, bound) for each place of a path, from the one where it left its origin on, if a path may leave it there:
  /// earlier ones are known (Lawler 1972).
  template <class Visit>
  void each_branch(const Candidate& origin, Visit&& visit) {
    const std::vector<VertexId>& path = origin.vertices;
    double length = 0;
    for (std::size_t at = 0; at + 1 < path.size(); ++at) {
      double bound = no_path;
      closed_[path[at]] = 1;
      if (at >= origin.left_at)
        arcs_.each_of(path[at], [&](VertexId v, double weight) {
          if (closed_[v] || length + weight + to_go_[v] >= bound) return;
          const bool known = at > origin.left_at ? v == path[at + 1] : std::ranges::binary_search(origin.taken, v);
          if (!known) bound = length + weight + to_go_[v];
        });
      if (bound != no_path) visit(at, bound);
      length += pass(path, at);
      if (at % 1024 == 0) setting_.look();
    }
    open_up(path, path.size());
  }

 private:
  /// Closes the vertex at a place and returns the length of the arc to the next.
  double pass(const std::vector<VertexId>& path, std::size_t at) {
    closed_[path[at]] = 1;
    return weight_of(arcs_, path[at], path[at + 1]);
  }
  void open_up(const std::vector<VertexId>& path, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) closed_[path[i]] = 0;
  }
  void reach(VertexId v, double length, VertexId parent) {
    if (length_[v] == no_path) reached_.push_back(v);
    length_[v] = length;
    parent_[v] = parent;
    heap_.push_back({.bound = length + to_go_[v], .to_go = to_go_[v], .vertex = v});
    std::ranges::push_heap(heap_, std::greater<>{});
  }

  Setting& setting_;
  const Arcs& arcs_;
  const std::vector<double>& to_go_;
  Array<double> length_;
  Array<VertexId> parent_;
  Array<std::uint8_t> closed_;
  std::vector<VertexId> reached_;
  std::vector<Open> heap_;
};

/// Distances to `to`, of all vertices.
std::vector<double> distances_to(Setting& setting, VertexId to) {
  WeightedReport report;
  const Progress look = [&](const Step&) {
    setting.look();
    return true;
  };
  const std::unique_ptr<Method> method = make_dijkstra(setting.backward);
  method->run({.sources = {to}}, {.stats = &report, .progress = &look});
  std::vector<double> distance(setting.backward.num_vertices);
  method->fetch(distance);
  return distance;
}

/// Yen's algorithm. A branch is searched when nothing known is shorter than its bound.
class KShortest {
 public:
  KShortest(Setting& setting, VertexId to) : setting_(setting), to_go_(distances_to(setting, to)), spur_(setting, to_go_) {}

  std::vector<RankedPath> run(VertexId from, VertexId to, std::uint64_t k) {
    if (from == to) {
      setting_.found_one();
      return {{0, {from}}};
    }
    if (auto first = spur_.run({from, to}, 0, {}, no_path)) keep(std::move(*first));
    while (!waiting_.empty()) {
      accept();
      const std::uint64_t room = k - accepted_.size();
      if (room == 0) break;
      while (!branches_.empty() && (waiting_.empty() || branches_.top().bound < waiting_.begin()->length)) search(room);
    }
    std::vector<RankedPath> paths;
    for (Candidate& each : accepted_) paths.push_back({each.length, std::move(each.vertices)});
    // Of several equally long ones a later search may have found the one that comes first.
    std::sort(paths.begin(), paths.end(), [](const RankedPath& a, const RankedPath& b) {
      return std::tie(a.length, a.vertices) < std::tie(b.length, b.vertices);
    });
    return paths;
  }

 private:
  void accept() {
    accepted_.push_back(std::move(waiting_.extract(waiting_.begin()).value()));
    setting_.found_one();
    spur_.each_branch(accepted_.back(), [&](std::size_t at, double bound) {
      branches_.push({.bound = bound, .at = at, .origin = accepted_.size() - 1});
    });
  }

  /// Searches the first branch; of what waits, no more than `room` can be wanted.
  void search(std::uint64_t room) {
    const Branch branch = branches_.top();
    branches_.pop();
    Candidate& origin = accepted_[branch.origin];
    std::vector<VertexId> taken =
        branch.at == origin.left_at ? std::move(origin.taken) : std::vector<VertexId>{origin.vertices[branch.at + 1]};
    const double longest = waiting_.size() == room ? waiting_.rbegin()->length : std::numeric_limits<double>::max();
    if (auto found = spur_.run(origin.vertices, branch.at, std::move(taken), longest)) keep(std::move(*found));
    if (waiting_.size() > room) {
      vertices_ -= waiting_.rbegin()->vertices.size();
      waiting_.erase(std::prev(waiting_.end()));
    }
  }

  void keep(Candidate&& found) {
    vertices_ += found.vertices.size();
    const std::size_t paths = accepted_.size() + waiting_.size() + 1;
    constexpr std::size_t while_growing = 3;  // a queue that grows has its old memory, and twice as much
    setting_.require_room(static_cast<double>(paths), vertices_ / paths,
                          static_cast<double>(while_growing * branches_.size() * sizeof(Branch)), true);
    if (const std::size_t size = found.vertices.size(); !waiting_.insert(std::move(found)).second) vertices_ -= size;
  }

  Setting& setting_;
  std::vector<double> to_go_;
  Spur spur_;
  std::vector<Candidate> accepted_;
  std::set<Candidate> waiting_;
  std::size_t vertices_ = 0;  ///< of paths that are kept
  std::priority_queue<Branch, std::vector<Branch>, std::greater<>> branches_;
};

/// The arcs of shortest paths, as an acyclic graph of its own numbers.
class Tight {
 public:
  Tight(Setting& setting, const Near& distances, VertexId from, VertexId to) : from_(from), to_(to) {
    add(to);
    std::vector<VertexId> open = {to};
    for (std::uint64_t taken = 1; !open.empty(); ++taken) {
      const VertexId v = open.back();
      open.pop_back();
      const double d = distances.distance(v);
      if (v != from)  // no shortest path comes back to its beginning
        setting.backward.each_of(v, [&](VertexId u, double weight) {
          if (u == to || distances.distance(u) == no_path || distances.distance(u) + weight != d) return;
          if (add(u)) open.push_back(u);
          heads_[number_[u]].push_back(v);
        });
      if (taken % 1024 == 0) setting.look();
    }
    leave_out_what_only_the_end_reaches();
    for (auto& heads : heads_) {
      std::sort(heads.begin(), heads.end());
      heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    }
  }

  /// Throws HW-PATHS-CYCLE. By tails, then heads.
  [[nodiscard]] std::vector<Edge> arcs() const {
    std::vector<Edge> found;
    for (std::size_t i = 0; i < heads_.size(); ++i)
      for (const VertexId v : heads_[i]) found.push_back({vertices_[i], v});
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Paths from the first vertex to the last, in topological order.
  [[nodiscard]] std::uint64_t count(const Graph& graph) const {
    std::vector<std::uint64_t> ways(heads_.size(), 0), open(heads_.size(), 0);
    for (const auto& heads : heads_)
      for (const VertexId v : heads) ++open[at(v)];
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < open.size(); ++i)
      if (open[i] == 0) ready.push_back(i);
    ways[at(from_)] = 1;
    std::size_t done = 0;
    for (; done < ready.size(); ++done)
      for (const VertexId v : heads_[ready[done]]) {
        std::uint64_t& sum = ways[at(v)];
        if (__builtin_add_overflow(sum, ways[ready[done]], &sum)) sum = std::numeric_limits<std::uint64_t>::max();
        if (--open[at(v)] == 0) ready.push_back(at(v));
      }
    if (done == heads_.size()) return ways[at(to_)];
    const auto stuck =
        static_cast<std::size_t>(std::find_if(open.begin(), open.end(), [](auto n) { return n > 0; }) - open.begin());
    throw Error({.failure = Failure::input,
                 .id = "HW-PATHS-CYCLE",
                 .where = {.file = graph.read_report().source},
                 .found = "a cycle of arcs that do not lengthen a path, near " + graph.name(vertices_[stuck]),
                 .expected = "weights above 0 there",
                 .hint = "the k shortest paths can be found all the same"});
  }

  /// The first `most` paths, in lexicographic order.
  [[nodiscard]] std::vector<std::vector<VertexId>> first(std::uint64_t most, Setting& setting) const {
    std::vector<std::vector<VertexId>> found;
    std::vector<VertexId> path = {from_};
    std::vector<std::size_t> next = {0};  // of each vertex of the path
    while (!path.empty() && found.size() < most) {
      const std::vector<VertexId>& heads = heads_[at(path.back())];
      if (path.back() == to_ || next.back() == heads.size()) {
        if (path.back() == to_) {
          if (found.empty()) setting.require_room(static_cast<double>(most), path.size(), 0, false);
          found.push_back(path);
          setting.found_one();
        }
        path.pop_back();
        next.pop_back();
        continue;
      }
      path.push_back(heads[next.back()++]);
      next.push_back(0);
    }
    return found;
  }

 private:
  /// Vertices from which arcs of weight 0 lead to the last vertex and back.
  void leave_out_what_only_the_end_reaches() {
    std::vector<bool> reached(heads_.size(), false);
    std::vector<std::size_t> open = {at(from_)};
    reached[open.front()] = true;
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      for (const VertexId v : heads_[i]) {
        if (reached[at(v)]) continue;
        reached[at(v)] = true;
        open.push_back(at(v));
      }
    }
    for (std::size_t i = 0; i < heads_.size(); ++i)
      if (!reached[i]) heads_[i].clear();
  }
  bool add(VertexId v) {
    const bool fresh = number_.try_emplace(v, vertices_.size()).second;
    if (!fresh) return false;
    vertices_.push_back(v);
    heads_.emplace_back();
    return true;
  }
  [[nodiscard]] std::size_t at(VertexId v) const { return number_.at(v); }

  VertexId from_, to_;
  std::unordered_map<VertexId, std::size_t> number_;
  std::vector<VertexId> vertices_;
  std::vector<std::vector<VertexId>> heads_;
};

}  // namespace
}  // namespace hopwave::sssp

namespace hopwave::inline v0_1 {

ShortestPaths k_shortest_paths(const Graph& graph, VertexId from, VertexId to, std::uint64_t k, const PathsOptions& options) {
  if (k == 0) core::refuse("HW-OPTION-VALUE", "k is 0", "1 or more");
  sssp::Setting setting(graph, from, to, options);
  const core::Stopwatch clock;
  setting.look();
  ShortestPaths found;
  found.paths = sssp::KShortest(setting, to).run(from, to, k);
  found.exact_below = setting.exact_below;
  found.run = std::move(setting.run);
  found.run.strategy = "yen";
  found.run.work = clock.elapsed();
  return found;
}

AllShortestPaths all_shortest_paths(const Graph& graph, VertexId from, VertexId to, std::uint64_t most,
                                    const PathsOptions& options) {
  sssp::Setting setting(graph, from, to, options);
  const core::Stopwatch clock;
  setting.look();
  sssp::Near distances(setting.forward, false);
  const VertexId targets[] = {to};
  distances.run({.source = from, .targets = targets, .first = 0}, true, [&] { setting.look(); });
  AllShortestPaths found{.length = distances.distance(to), .exact_below = setting.exact_below};
  if (found.length != no_path) {
    const sssp::Tight tight(setting, distances, from, to);
    found.count = tight.count(graph);
    found.arcs = tight.arcs();
    found.paths = tight.first(std::min(most, found.count), setting);
  }
  found.run = std::move(setting.run);
  found.run.strategy = "cpu-dijkstra";
  found.run.work = clock.elapsed();
  return found;
}

}  // namespace hopwave::inline v0_1
