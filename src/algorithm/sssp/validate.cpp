// Is this the right answer of a weighted search? Passes over vertices and arcs, and one along the tree.
// The rules: Graph500 specification, validation of the shortest-path kernel. Ours differs: distances must be exact, several
// sources and limits are allowed, arcs may be directed.
// Why they are enough: a chain of parents gives each vertex's distance as the sum of a path, so none is too small. No arc
// offers less, and rounded sums rise with what is added to, so that no path gives less: none is too large.
#include <atomic>
#include <cstdio>
#include <optional>
#include <vector>

#include "algorithm/sssp/searcher.h"
#include "bfs/plan/thresholds.h"
#include "core/first_broken.h"
#include "core/options.h"
#include "core/parallel.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

using search_detail::Broken;
using search_detail::fail;

std::string number(double d) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", d);
  return text;
}

class Validator {
 public:
  Validator(Team& team, const Graph& graph, const WeightedQuery& query, const WeightedResult& result, Direction direction)
      : team_(team),
        graph_(graph),
        n_(graph.num_vertices()),
        direction_(graph.directed() ? direction : Direction::out),
        distance_(result.distance.data()),
        bound_(sssp::bound_of(query, distance_)),
        is_source_(n_, 0),
        has_arc_(n_, 0) {
    for (const VertexId s : query.sources) is_source_[s] = 1;
  }

  /// The first vertex, in ascending order, at which a pass finds a rule broken; that of an earlier pass comes first.
  std::optional<Broken> check_distances() {
    return first([&](VertexId v, Broken* why) { return distance_fails(v, why); });
  }
  std::optional<Broken> check_tree(const VertexId* parent, bool given) {
    parent_ = parent;
    given_ = given;
    if (auto broken = first([&](VertexId v, Broken* why) { return parent_fails(v, why); })) return broken;
    if (auto broken = first([&](VertexId u, Broken* why) { return row_fails(u, why); })) return broken;
    if (auto broken = first([&](VertexId v, Broken* why) { return tree_arc_fails(v, why); })) return broken;
    return find_circle();
  }

 private:
  template <class Fails>
  std::optional<Broken> first(Fails&& fails) {
    return search_detail::first_broken(team_, n_, fails);
  }

  [[nodiscard]] std::string has(std::size_t v) const {
    return "vertex " + std::to_string(v) + " has distance " + number(distance_[v]);
  }

  bool distance_fails(VertexId v, Broken* why) const {
    const double d = distance_[v];
    if (is_source_[v] && d != 0) return fail(why, "source-distance", [&] { return has(v) + ", but it is a source"; });
    if (!(d >= 0)) return fail(why, "distance-range", [&] { return has(v); });
    if (d != no_path && d > bound_)
      return fail(why, "distance-limit", [&] { return has(v) + ", beyond the query's limit of " + number(bound_); });
    return false;
  }

  bool parent_fails(VertexId v, Broken* why) const {
    const VertexId p = parent_[v];
    const auto named = [&] { return "vertex " + std::to_string(v) + " has parent " + std::to_string(p); };
    if (is_source_[v] || distance_[v] == no_path) {
      if (p == no_vertex) return false;
      return fail(why, "no-parent", [&] { return named() + ", but it is " + (is_source_[v] ? "a source" : "unreached"); });
    }
    if (p == no_vertex && !given_)
      return fail(why, "distance-witness", [&] { return has(v) + ", but no path from a source gives it"; });
    if (p >= n_)
      return fail(why, "parent-range",
                  [&] { return p == no_vertex ? "vertex " + std::to_string(v) + " has no parent" : named(); });
    return distance_[p] == no_path && fail(why, "parent-range", [&] { return named() + ", which is unreached"; });
  }

  bool row_fails(VertexId u, Broken* why) {
    const Adjacency& out = graph_.out();
    for (EdgeIndex e = out.offsets[u]; e < out.offsets[u + 1ull]; ++e) {
      const VertexId v = out.neighbors[e];
      const double weight = out.weights.empty() ? 1.0 : out.weights[e];
      if (direction_ != Direction::in && arc_fails(u, v, weight, why)) return true;
      if (direction_ != Direction::out && arc_fails(v, u, weight, why)) return true;
    }
    return false;
  }

  /// One arc that the search may take, from u to v. Also notes that v's parent has it.
  bool arc_fails(VertexId u, VertexId v, double weight, Broken* why) {
    if (distance_[u] == no_path || weight == no_path) return false;
    const double reach = distance_[u] + weight;
    const auto arc = [&] {
      return "arc " + std::to_string(u) + " to " + std::to_string(v) + " of weight " + number(weight) + ": distances " +
             number(distance_[u]) + " and " + number(distance_[v]);
    };
    if (distance_[v] == no_path) return reach <= bound_ && fail(why, "spanning", arc);  // beyond the limit it is right
    if (reach < distance_[v]) return fail(why, "relaxed", arc);
    if (reach == distance_[v] && parent_[v] == u) mark(has_arc_[v]);
    return false;
  }

  /// All threads store the same value, and none reads it before the pass is over.
  static void mark(std::uint8_t& flag) {
    std::atomic_ref<std::uint8_t> shared(flag);
    if (!shared.load(std::memory_order_relaxed)) shared.store(1, std::memory_order_relaxed);
  }

  bool tree_arc_fails(VertexId v, Broken* why) const {
    if (parent_[v] == no_vertex || has_arc_[v]) return false;
    return fail(why, "tree-edge",
                [&] { return has(v) + ", which no arc from its parent " + std::to_string(parent_[v]) + " gives"; });
  }

  /// Follows parents from every vertex up to what was followed before; meeting one's own way is a circle.
  [[nodiscard]] std::optional<Broken> find_circle() const {
    std::vector<VertexId> seen_from(n_, no_vertex);
    for (VertexId start = 0; start < n_; ++start)
      for (VertexId v = start; v != no_vertex && seen_from[v] != start; v = parent_[v]) {
        if (seen_from[v] != no_vertex) break;
        seen_from[v] = start;
        if (parent_[v] != no_vertex && seen_from[parent_[v]] == start)
          return Broken{"tree-circle", "the parents of vertex " + std::to_string(v) + " lead back to it"};
      }
    return std::nullopt;
  }

  Team& team_;
  const Graph& graph_;
  const std::size_t n_;
  const Direction direction_;
  const double* distance_;
  const double bound_;
  std::vector<std::uint8_t> is_source_, has_arc_;
  const VertexId* parent_ = nullptr;
  bool given_ = true;
};

/// What must hold before any value may be looked at.
std::optional<Broken> check_shape(const Graph& graph, const WeightedQuery& query, const WeightedResult& result) {
  const VertexId n = graph.num_vertices();
  try {
    sssp::check_query(n, query);
  } catch (const Error& error) {
    return Broken{"query", error.parts().found};
  }
  if (result.distance.size() != n)
    return Broken{"size", std::to_string(result.distance.size()) + " distances for " + std::to_string(n) + " vertices"};
  if (result.parent.size() != n && (query.parents || !result.parent.empty()))
    return Broken{"size", std::to_string(result.parent.size()) + " parents for " + std::to_string(n) + " vertices"};
  return std::nullopt;
}

/// The summary must agree with the arrays.
std::optional<Broken> check_counts(const WeightedResult& result) {
  VertexId reached = 0;
  double farthest = 0;
  for (const double d : result.distance) {
    if (d == no_path) continue;
    ++reached;
    farthest = std::max(farthest, d);
  }
  if (reached != result.reached)
    return Broken{"counts", "reached is " + std::to_string(result.reached) + ", counted " + std::to_string(reached)};
  if (farthest != result.farthest)
    return Broken{"counts", "farthest is " + number(result.farthest) + ", found " + number(farthest)};
  return std::nullopt;
}

std::optional<Broken> check(const Graph& graph, const WeightedQuery& query, const WeightedResult& result, Direction direction) {
  if (auto broken = check_shape(graph, query, result)) return broken;
  Team team(graph.num_arcs() + graph.num_vertices() < 16 * thresholds::Cpu::check_grain ? 1 : 0);
  sssp::check_weights(team, graph);
  Validator validator(team, graph, query, result, direction);
  if (auto broken = validator.check_distances()) return broken;
  std::vector<VertexId> found;
  const bool given = !result.parent.empty() || graph.num_vertices() == 0;
  if (!given) {
    found.resize(graph.num_vertices());
    const sssp::WeightedRows rows(team, graph, direction);
    sssp::find_parents(team, rows.arcs(), query.sources, {result.distance.data(), result.distance.size()}, found);
  }
  if (auto broken = validator.check_tree(given ? result.parent.data() : found.data(), given)) return broken;
  return check_counts(result);
}

}  // namespace

Verdict validate(const Graph& graph, const WeightedQuery& query, const WeightedResult& result, Direction direction) {
  core::require_named(direction, Direction::both, "direction");
  const std::optional<Broken> broken = check(graph, query, result, direction);
  if (!broken) return {};
  return {.ok = false, .rule = broken->rule, .message = broken->message};
}

}  // namespace hopwave::inline v0_1
