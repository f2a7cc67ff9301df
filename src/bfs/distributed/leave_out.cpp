#include "bfs/distributed/leave_out.h"

#include <optional>

namespace hopwave::ranks {
namespace {

/// In place: rows only become shorter.
void filter(Rows& rows, VertexId begin, VertexId count, const std::vector<bool>& out) {
  EdgeIndex end = 0, from = 0;
  for (VertexId row = 0; row < count; ++row) {
    const EdgeIndex to = rows.offsets[row + std::size_t{1}];
    for (EdgeIndex i = from; i < to && !out[begin + row]; ++i)
      if (const VertexId v = rows.neighbors[i]; !out[v]) rows.neighbors[end++] = v;
    from = to;
    rows.offsets[row + std::size_t{1}] = end;
  }
  if (end < rows.neighbors.size()) rows.neighbors = Array<VertexId>::copy_of(std::span(rows.neighbors.data(), end));
}

}  // namespace

void leave_out(Transport& transport, Share& share, std::vector<VertexId> vertices) {
  transport.broadcast(0, vertices);
  std::vector<bool> out(share.cut.num_vertices(), false);
  for (const VertexId v : vertices) out[v] = true;
  filter(share.out, share.begin(), share.count(), out);
  if (share.in) filter(*share.in, share.begin(), share.count(), out);
  share.num_arcs = transport.all_reduce(share.out.neighbors.size(), Reduce::sum);
}

}  // namespace hopwave::ranks
