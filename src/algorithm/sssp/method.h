// What every way to find weighted distances can do, and what a call gives it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "algorithm/arcs.h"
#include "core/parallel.h"
#include "core/watch.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::sssp {

/// A running call: its limits, and the caller's function for progress.
struct Control {
  WeightedReport* stats = nullptr;  ///< never null; filled by the method
  const core::Watch* watch = nullptr;
  const Progress* progress = nullptr;

  /// Throws HW-CANCELLED, HW-TIME-LIMIT, HW-INTERRUPTED, and what the caller's function throws.
  void step_done(std::uint64_t steps, std::uint64_t relaxations) const;
  /// The limits alone, from any thread. Throws HW-CANCELLED, HW-TIME-LIMIT.
  void check(std::uint64_t steps) const;
};

/// A method bound to the arcs of a graph, which outlive it.
class Method {
 public:
  virtual ~Method() = default;
  /// Finds the distances and keeps them. Of vertices beyond the target or the greatest distance asked for it may leave any
  /// distance that some path has, or no_path.
  virtual void run(const WeightedQuery& query, const Control& control) = 0;
  /// One distance per vertex, of the last run.
  virtual void fetch(std::span<double> distance) = 0;
  /// What find_nearer_parents() finds, of the last run's distances up to `bound`, where the method itself can; else false.
  virtual bool fetch_parents(double /*bound*/, std::span<VertexId> /*parent*/) { return false; }
};

/// Dijkstra's algorithm with a binary heap, one thread.
std::unique_ptr<Method> make_dijkstra(const Arcs& arcs);
/// Bins of delta-stepping. Where the width is not fixed, a step may take several bins at once.
struct Bins {
  double width = 1;
  bool fixed = false;
};
/// Delta-stepping on the team's threads.
std::unique_ptr<Method> make_delta_stepping(Team& team, const Arcs& arcs, const Bins& bins);

/// The farthest that a search looks: the query's limit or, if it is nearer, the target. `distance`: as far as it is known.
inline double bound_of(const WeightedQuery& query, const double* distance) {
  const double target = query.target == no_vertex ? no_path : distance[query.target];
  return target < query.max_distance ? target : query.max_distance;
}

/// Least parents from right distances: of the arcs u → v that give exactly v's distance and begin nearer to a source the one
/// with the least u. Where all such arcs begin at v's own distance (arcs of weight 0, or too light to change the sum), v is
/// so many arcs from a vertex that has a parent already, or a source; then u is one of those arcs nearer, and the least.
/// Vertices for which nothing is found keep no_vertex: of right distances there is none.
void find_parents(Team& team, const Arcs& arcs, std::span<const VertexId> sources, std::span<const double> distance,
                  std::span<VertexId> parent);
/// Its two parts: parents that are nearer to a source; and those among equals, where `parent` has none yet.
void find_nearer_parents(Team& team, const Arcs& arcs, std::span<const double> distance, std::span<VertexId> parent);
void find_equal_parents(const Arcs& arcs, std::span<const VertexId> sources, std::span<const double> distance,
                        std::span<VertexId> parent);

}  // namespace hopwave::sssp
