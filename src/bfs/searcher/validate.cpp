// validate(): three parallel passes, over vertices, over arcs, and over what the arcs have proved.
// The Graph500 specification's rules, for directed graphs, several sources and trimmed searches too; and exactness.
// The arcs are read forwards only, so that checking a directed graph needs no transpose.
#include "hopwave/validate.h"

#include <atomic>
#include <limits>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/trim.h"
#include "core/first_broken.h"
#include "core/options.h"
#include "core/parallel.h"

namespace hopwave::inline v0_1 {
namespace {

using search_detail::Broken;
using search_detail::fail;

std::string vertex(std::size_t v) { return "vertex " + std::to_string(v); }

class Validator {
 public:
  Validator(const Graph& graph, const Query& query, const Result& result, Direction direction)
      : graph_(graph),
        query_(query),
        direction_(graph.directed() ? direction : Direction::out),
        n_(graph.num_vertices()),
        distance_(result.distance.data()),
        parent_(result.parent.empty() ? nullptr : result.parent.data()),
        team_(graph.num_arcs() + n_ < 16 * thresholds::Cpu::check_grain ? 1 : 0) {}

  /// The first vertex, in ascending order, at which a pass finds a rule broken; that of an earlier pass comes first.
  std::optional<Broken> check() {
    limit_ = search_detail::depth_limit(query_, distance_);
    is_source_ = Array<std::uint8_t>::filled(n_, 0);
    for (const VertexId s : query_.sources) is_source_[s] = 1;
    if (auto broken = first([&](VertexId v, Broken* why) { return vertex_fails(v, why); })) return broken;
    has_level_witness_ = Array<std::uint8_t>::filled(n_, 0);
    if (parent_) has_parent_arc_ = Array<std::uint8_t>::filled(n_, 0);
    if (auto broken = first([&](VertexId u, Broken* why) { return row_fails(u, why); })) return broken;
    return first([&](VertexId v, Broken* why) { return witness_fails(v, why); });
  }

 private:
  template <class Fails>
  std::optional<Broken> first(Fails&& fails) {
    return search_detail::first_broken(team_, n_, fails);
  }

  bool vertex_fails(VertexId v, Broken* why) const {
    const Distance d = distance_[v];
    const auto has = [&] { return vertex(v) + " has distance " + std::to_string(d); };
    if (is_source_[v] && d != 0) return fail(why, "source-distance", [&] { return has() + ", but it is a source"; });
    if (!is_source_[v] && d == 0) return fail(why, "source-distance", [&] { return has() + ", but it is no source"; });
    if (d < unreached || (d != unreached && static_cast<std::size_t>(d) >= n_)) return fail(why, "distance-range", has);
    if (d > limit_)
      return fail(why, "depth-limit", [&] { return has() + ", beyond the query's limit of " + std::to_string(limit_); });
    return parent_ && parent_fails(v, why);
  }

  bool parent_fails(VertexId v, Broken* why) const {
    const VertexId p = parent_[v];
    const auto has = [&] { return vertex(v) + " has parent " + std::to_string(p); };
    if (distance_[v] <= 0) {
      if (p == no_vertex) return false;
      return fail(why, "no-parent", [&] { return has() + ", but it is " + (is_source_[v] ? "a source" : "unreached"); });
    }
    if (p >= n_) return fail(why, "parent-range", [&] { return p == no_vertex ? vertex(v) + " has no parent" : has(); });
    if (distance_[p] == distance_[v] - 1) return false;
    return fail(why, "tree-levels", [&] {
      return has() + " at distance " + std::to_string(distance_[p]) + ", its own being " + std::to_string(distance_[v]);
    });
  }

  bool row_fails(VertexId u, Broken* why) {
    for (const VertexId v : graph_.out_neighbors(u)) {
      if (direction_ != Direction::in && arc_fails(u, v, why)) return true;
      if (direction_ != Direction::out && arc_fails(v, u, why)) return true;
    }
    return false;
  }

  /// One step that the search may take, from u to v. Also notes what it proves about v.
  bool arc_fails(VertexId u, VertexId v, Broken* why) {
    const std::int64_t from = distance_[u], to = distance_[v];
    if (from == unreached) return false;
    const auto arc = [&] {
      return "arc " + std::to_string(u) + " to " + std::to_string(v) + ": distances " + std::to_string(from) + " and " +
             std::to_string(to);
    };
    // What lies one step beyond the limit is rightly unreached.
    if (to == unreached) return from < limit_ && fail(why, "spanning", arc);
    if (to > from + 1) return fail(why, "edge-levels", arc);
    if (to != from + 1) return false;
    mark(has_level_witness_[v]);
    if (!parent_) return false;
    if (parent_[v] == u) mark(has_parent_arc_[v]);
    if (query_.ties != Ties::min || parent_[v] <= u) return false;
    return fail(why, "least-parent", [&] {
      return vertex(v) + " has parent " + std::to_string(parent_[v]) + ", but " + std::to_string(u) + " is one too and less";
    });
  }

  /// All threads store the same value, and none reads it before the pass is over.
  static void mark(std::uint8_t& flag) {
    std::atomic_ref<std::uint8_t> shared(flag);
    if (!shared.load(std::memory_order_relaxed)) shared.store(1, std::memory_order_relaxed);
  }

  bool witness_fails(VertexId v, Broken* why) const {
    if (distance_[v] <= 0) return false;
    if (!has_level_witness_[v])
      return fail(why, "distance-witness", [&] {
        return vertex(v) + " has distance " + std::to_string(distance_[v]) + ", but no neighbour is one hop nearer";
      });
    if (parent_ && !has_parent_arc_[v])
      return fail(why, "tree-edge",
                  [&] { return "no arc joins " + vertex(v) + " and its parent " + std::to_string(parent_[v]); });
    return false;
  }

  const Graph& graph_;
  const Query& query_;
  const Direction direction_;
  const std::size_t n_;
  const Distance* distance_;
  const VertexId* parent_;
  Distance limit_ = std::numeric_limits<Distance>::max();
  Array<std::uint8_t> is_source_, has_level_witness_, has_parent_arc_;
  Team team_;
};

/// What must hold before any value may be looked at.
std::optional<Broken> check_shape(const Graph& graph, const Query& query, const Result& result) {
  const VertexId n = graph.num_vertices();
  if (query.sources.empty()) return Broken{"query", "no source"};
  for (const VertexId s : query.sources)
    if (s >= n) return Broken{"query", "source " + std::to_string(s) + " is no vertex of the graph"};
  if (query.target != no_vertex && query.target >= n)
    return Broken{"query", "target " + std::to_string(query.target) + " is no vertex of the graph"};
  if (query.max_depth < -1) return Broken{"query", "a depth limit of " + std::to_string(query.max_depth)};
  if (query.ties != Ties::any && query.ties != Ties::min) return Broken{"query", "ties that have no name"};
  if (result.distance.size() != n)
    return Broken{"size", std::to_string(result.distance.size()) + " distances for " + std::to_string(n) + " vertices"};
  if (result.parent.size() != n && (query.parents || !result.parent.empty()))
    return Broken{"size", std::to_string(result.parent.size()) + " parents for " + std::to_string(n) + " vertices"};
  return std::nullopt;
}

/// The summary must agree with the arrays; sequential, because it is cheap compared with the arcs.
std::optional<Broken> check_counts(const Result& result) {
  VertexId reached = 0;
  Distance depth = 0;
  for (const Distance d : result.distance) {
    reached += d != unreached;
    depth = std::max(depth, d);
  }
  if (reached != result.reached)
    return Broken{"counts", "reached is " + std::to_string(result.reached) + ", counted " + std::to_string(reached)};
  if (depth != result.depth)
    return Broken{"counts", "depth is " + std::to_string(result.depth) + ", found " + std::to_string(depth)};
  return std::nullopt;
}

}  // namespace

Verdict validate(const Graph& graph, const Query& query, const Result& result, Direction direction) {
  core::require_named(direction, Direction::both, "direction");
  std::optional<Broken> broken = check_shape(graph, query, result);
  if (!broken) broken = Validator(graph, query, result, direction).check();
  if (!broken) broken = check_counts(result);
  if (!broken) return {};
  return {.ok = false, .rule = broken->rule, .message = std::move(broken->message)};
}

}  // namespace hopwave::inline v0_1
