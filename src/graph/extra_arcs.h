// Parallel arcs and self-loops, which searches do not need, apart from the rows; and back among them.
#pragma once

#include <optional>

#include "core/parallel.h"
#include "hopwave/graph.h"

namespace hopwave::graph {

/// Arcs beside rows, by source and then by target: three arrays of one length.
struct ExtraArcs {
  Array<const VertexId> sources;
  Array<const VertexId> neighbors;
  Weights weights;  ///< empty, or one an arc
};

struct Parted {
  Adjacency rows;                            ///< no self-loop, and of parallel arcs the lightest alone
  ExtraArcs extra;                           ///< the others
  EdgeIndex duplicates = 0, self_loops = 0;  ///< of `extra`; each self-loop counts, and is no duplicate
};

/// Nothing if the rows, which are ascending, have neither. Two passes over them.
std::optional<Parted> part_rows(Team& team, VertexId n, const Adjacency& all);

/// The rows with the extra arcs among them: ascending, and of parallel arcs the lightest first. What part_rows() took apart is
/// the same again if its parallel arcs stood by weight, as build_graph() leaves them. Sources and targets are below n.
Adjacency with_extra(Team& team, VertexId n, const Adjacency& rows, const ExtraArcs& extra);

}  // namespace hopwave::graph
