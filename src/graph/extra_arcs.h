// Separates parallel arcs and self-loops, which searches do not need, from the rows, and puts them back.
#pragma once

#include <optional>

#include "core/parallel.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

/// Arcs outside the rows, by source and then by target: three arrays of equal length.
struct ExtraArcs {
  Array<const VertexId> sources;
  Array<const VertexId> neighbors;
  Weights weights;  ///< empty, or one per arc
};

struct Parted {
  Adjacency rows;                            ///< without self-loops, and with only the lightest of parallel arcs
  ExtraArcs extra;                           ///< the other arcs
  EdgeIndex duplicates = 0, self_loops = 0;  ///< within `extra`; each self-loop counts as one, and not as a duplicate
};

/// Returns nothing if the rows, which are ascending, have neither. Takes two passes over them.
std::optional<Parted> part_rows(Team& team, VertexId n, const Adjacency& all);

/// Returns the rows together with the extra arcs: ascending, and the lightest of parallel arcs first. The result equals
/// the rows given to part_rows() if their parallel arcs were sorted by weight, as build_graph() does. Sources and
/// targets are below n.
Adjacency with_extra(Team& team, VertexId n, const Adjacency& rows, const ExtraArcs& extra);

}  // namespace hopwave::graph
