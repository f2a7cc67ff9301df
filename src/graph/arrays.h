// The checks on CSR arrays and edge lists that come from outside.
#pragma once

#include "hopwave/graph.h"

namespace hopwave::graph {

/// Throws HW-GRAPH-ARRAYS or HW-GRAPH-SYMMETRY unless the arrays are what Graph's constructor says. `in` may be null.
void check_arrays(VertexId n, bool directed, const Adjacency& out, const Adjacency* in, const Ids& ids);

/// Throws HW-GRAPH-LIST unless weights, ids and default source fit the list. Ends are not looked at.
void check_list(const EdgeList& list);

}  // namespace hopwave::graph
