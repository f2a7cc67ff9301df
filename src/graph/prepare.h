// Preparation of a graph for many searches: new names for its vertices, and rows laid out for them.
// By degree for graphs with hubs (the bits tested most lie together, the first neighbour settles nearly every pull);
// by locality, with rows of four in place, for road-like graphs. Callers keep their names through order and rank.
#pragma once

#include <cstdint>

#include "core/parallel.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

/// order[new] = old, rank[old] = new.
struct Order {
  Array<VertexId> order, rank;
  VertexId giant = 0;  ///< vertices 0 … giant − 1 (new) are the largest weakly connected component
};

/// The largest component first, then by falling degree along `forward`, then by old name: vertices without arcs come last.
Order order_by_degree(Team& team, VertexId n, const Adjacency& forward, const Components& components);

/// Cuthill–McKee (1969; reversing it matters to factorisation only): level by level from the rim of the largest
/// component, neighbours by rising degree; the other components follow. For graphs of low degree; one thread.
Order order_by_locality(Team& team, VertexId n, const Adjacency& symmetric, const Components& components);

/// The same graph under new names, rows ascending; weights are left out. `backward` null: the graph is symmetric.
struct Renamed {
  Adjacency forward, backward;  ///< backward is empty if the graph is symmetric
};
Renamed rename(Team& team, const Adjacency& forward, const Adjacency* backward, const Order& order);

/// For pulling: head[v] = the first (lowest-named, so best-connected) neighbour of v's row; bit 31 (head_single) is set where
/// the row has no second. A vertex with an empty row is its own head: whoever asks for it is not visited, so it never hits.
/// headcount[u] = how many rows begin with u: its sum over a frontier bounds what the next pull settles at its first read.
/// Needs n < 2³¹ (throws HW-PREPARE-SIZE).
inline constexpr VertexId head_single = 0x80000000u;
struct Heads {
  Array<VertexId> head;
  Array<VertexId> headcount;
};
Heads find_heads(Team& team, VertexId n, const Adjacency& backward);

/// Rows of four in place, 16 bytes a vertex: a search of a road-like graph reads no offset. Unused places hold no_vertex.
/// A row of more than four has three in place and `more_rows | k` in the fourth: the others are row k of `more`.
inline constexpr VertexId more_rows = 0x80000000u;
struct RowsOfFour {
  Array<VertexId> rows;  ///< 4 · n
  Adjacency more;        ///< offsets and neighbours of what did not fit
};
/// Needs n < 2³¹ (throws HW-PREPARE-SIZE).
RowsOfFour make_rows_of_four(Team& team, VertexId n, const Adjacency& forward);

}  // namespace hopwave::graph
