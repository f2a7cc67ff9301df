// Maximum matching of a bipartite graph, and the minimum vertex cover that proves it.
#pragma once

#include <cstdint>

#include "hopwave/array.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/types.h"
#include "hopwave/validate.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct MatchingOptions {
  /// One per vertex: 0 for the left side, another number for the right one. Empty: the ids decide if all of them begin with
  /// left: or right: (ReadOptions::bipartite), else a two-colouring, with the smallest vertex of each component on the left.
  Array<const std::uint8_t> side = {};
  RunOptions run = {};
};

/// Threads may read one together.
struct Matching {
  enum class Sides : unsigned char { given, ids, colouring };

  VertexId size = 0;               ///< number of pairs, and of vertices in the cover
  Array<VertexId> mate = {};       ///< one per vertex: the other vertex of its pair; no_vertex if it has none
  Array<std::uint8_t> side = {};   ///< one per vertex: 0 left, 1 right
  VertexId left = 0;               ///< number of vertices on the left
  Sides sides = Sides::colouring;  ///< what decided on the sides
  /// One per vertex: 1 for the vertices of a minimum vertex cover (König 1931): each edge has one of them. Those are the left
  /// vertices that no alternating path from an unmatched left vertex reaches, and the right ones that such a path reaches. It
  /// is the same for every maximum matching with these sides, hence for every device.
  Array<std::uint8_t> cover = {};
  std::uint64_t searches = 0;  ///< breadth-first searches from all unmatched left vertices at once
  RunReport run = {};          ///< `prepare`: the sides, and the rows of a directed graph
};

/// Finds a matching with as many pairs as possible: a pair is joined by an edge, and a vertex is in at most one pair.
/// Directions and weights do not matter; parallel edges are one. Internal vertices.
///
/// On the CPU "hopcroft-karp" (Hopcroft & Karp 1973), by one thread: first pairs after Karp & Sipser 1981, then breadth-first
/// layers and paths along them until there is none; O(√n · m). On a device "forest": breadth-first trees of alternating paths
/// grow from all unmatched left vertices together, one layer per launch, and each tree that reaches an unmatched right vertex
/// gives one path (after Azad, Buluç & Pothen 2017). Memory on the CPU: 30 bytes per vertex; of a directed graph another 16 per
/// vertex and 12 per arc. On a device: rows of both directions and 24 bytes per vertex. `automatic` is the CPU. Threads may
/// call it for one graph at the same time.
///
/// Errors: HW-MATCHING-CYCLE (an odd cycle, which it names), HW-MATCHING-SIDE (an edge within a side), HW-OPTION-VALUE (not
/// one side per vertex), HW-OPTION-THREADS, HW-OPTION-SCHEDULE, HW-OPTION-TIME-LIMIT, HW-INTERRUPTED, HW-CANCELLED,
/// HW-TIME-LIMIT, HW-DEVICE-NONE, HW-DEVICE-…, HW-MEMORY. Progress: "pairs" found, of the vertices on the smaller side.
Matching maximum_matching(const Graph& graph, const MatchingOptions& options = {});

/// Returns whether this is a maximum matching, with a minimum vertex cover, in O(n + m). Edges lead from one side to the other.
/// The vertices of a pair have each other, and an edge. Each edge has a vertex of the cover, and the cover has as many vertices
/// as there are pairs: so no matching is larger, and no cover is smaller. Threads may call it at the same time. Rules: "size",
/// "side", "pair", "cover".
Verdict validate(const Graph& graph, const Matching& matching);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
