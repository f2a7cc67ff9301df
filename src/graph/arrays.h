// Checks of CSR arrays and edge lists that come from outside.
#pragma once

#include "hopwave/graph.h"

namespace hopwave::graph {

/// Throws HW-GRAPH-ARRAYS or HW-GRAPH-SYMMETRY unless the arrays satisfy the conditions of Graph's constructor. `in`
/// may be null.
void check_arrays(VertexId n, bool directed, const Adjacency& out, const Adjacency* in, const Ids& ids);

/// Throws HW-GRAPH-LIST unless weights, ids and default source fit the list. The ends of edges are not checked.
void check_list(const EdgeList& list);

}  // namespace hopwave::graph
