// Weakly connected components of a graph that is shared out over ranks.
// Source: Zhang, Azad, Buluç, FastSV: A distributed-memory connected component algorithm with fast convergence, SIAM PP'20.
// Ours differs: a vertex asks for its parent's parent by a message, where the paper multiplies vectors.
#pragma once

#include "bfs/distributed/share.h"
#include "hopwave/array.h"

namespace hopwave::ranks {

/// For each of this rank's vertices the least vertex of its component. O(log n) rounds on most graphs, in each of which a
/// message goes along every arc. Makes share.in of directed graphs, whose arcs count both ways. Takes 16 bytes per vertex of
/// this rank's, and the messages of a round, of which a rank sends `most` at once (0: the default). Collective.
Array<VertexId> weak_components(Transport& transport, Share& share, EdgeIndex most = 0);

/// The least vertex with an arc out in the component with most vertices, which is the one with the least vertex where several
/// are as large; that least vertex itself if no vertex of it has an arc out. The graph has a vertex. Collective.
VertexId in_largest_component(Transport& transport, Share& share, EdgeIndex most_messages = 0);

}  // namespace hopwave::ranks
