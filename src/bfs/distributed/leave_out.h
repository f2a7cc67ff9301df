// A shared graph without some of its vertices.
#pragma once

#include <vector>

#include "bfs/distributed/share.h"

namespace hopwave::ranks {

/// Drops all arcs from and to `vertices`, as restricted() does (hopwave/restrict.h). The list counts on rank 0 alone; its
/// vertices are vertices of the graph, in any order, and may be in it several times. Collective.
void leave_out(Transport& transport, Share& share, std::vector<VertexId> vertices);

}  // namespace hopwave::ranks
