#include "bfs/distributed/share.h"

#include <algorithm>
#include <iterator>

#include "bfs/distributed/deliver.h"

namespace hopwave::ranks {

Cut Cut::balanced(int ranks, VertexId num_vertices, const std::function<EdgeIndex(VertexId)>& arcs_before) {
  const auto weight_before = [&](VertexId v) { return arcs_before(v) + v; };
  const EdgeIndex all = weight_before(num_vertices);
  std::vector<VertexId> first{0};
  for (int r = 1; r < ranks; ++r) {
    const auto wanted =
        static_cast<EdgeIndex>(static_cast<unsigned __int128>(all) * static_cast<unsigned>(r) / static_cast<unsigned>(ranks));
    VertexId low = first.back(), high = num_vertices;  // the first vertex with that weight before it
    while (low < high) {
      const VertexId middle = low + (high - low) / 2;
      if (weight_before(middle) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    first.push_back(low);
  }
  first.push_back(num_vertices);
  return Cut(std::move(first));
}

namespace {

/// Rank 0 sends each rank its part of these rows, one after the other.
Rows deal_rows(Transport& transport, const Cut& cut, const Adjacency* whole) {
  const auto size = static_cast<std::size_t>(transport.size());
  Rows mine;
  for (int r = 0; r < transport.size(); ++r) {
    std::vector<std::vector<EdgeIndex>> offsets(size), got_offsets;
    std::vector<std::vector<VertexId>> neighbors(size), got_neighbors;
    if (whole) {
      const EdgeIndex* begin = whole->offsets.data() + cut.begin(r);
      auto& sent = offsets[static_cast<std::size_t>(r)];
      sent.assign(begin, begin + cut.count(r) + 1);
      for (EdgeIndex& offset : sent) offset -= *begin;
      neighbors[static_cast<std::size_t>(r)].assign(whole->neighbors.data() + *begin,
                                                    whole->neighbors.data() + begin[cut.count(r)]);
    }
    transport.exchange(offsets, got_offsets);
    transport.exchange(neighbors, got_neighbors);
    if (r != transport.rank()) continue;
    mine.offsets = Array<EdgeIndex>::copy_of(got_offsets[0]);
    mine.neighbors = Array<VertexId>::copy_of(got_neighbors[0]);
  }
  return mine;
}

}  // namespace

Share deal(Transport& transport, const Graph* graph) {
  std::vector<std::uint64_t> head;  // directed, has in, arcs, the cut
  if (graph) {
    head = {graph->directed(), graph->directed() && graph->has_in(), graph->num_arcs()};
    const Cut cut = Cut::balanced(transport.size(), graph->num_vertices(), [&](VertexId v) { return graph->out().offsets[v]; });
    head.insert(head.end(), cut.first().begin(), cut.first().end());
  }
  transport.broadcast(0, head);
  Share share{.cut = Cut({head.begin() + 3, head.end()}),
              .rank = transport.rank(),
              .directed = head[0] != 0,
              .num_arcs = head[2],
              .out = {}};
  share.out = deal_rows(transport, share.cut, graph ? &graph->out() : nullptr);
  if (head[1] != 0) share.in = deal_rows(transport, share.cut, graph ? &graph->in() : nullptr);
  return share;
}

Rows turned(Transport& transport, const Share& share, const Rows& rows) {
  struct Arc {
    VertexId head, tail;
  };
  const auto nothing = [] {};
  Rows made{Array<EdgeIndex>::filled(share.count() + std::size_t{1}, 0), {}};
  deliver_arcs<VertexId>(
      transport, share, rows, [](VertexId, VertexId v, VertexId& message) { return message = v, true; },
      [&](VertexId v) { ++made.offsets[v - share.begin() + std::size_t{1}]; }, nothing);
  for (VertexId row = 0; row < share.count(); ++row) made.offsets[row + std::size_t{1}] += made.offsets[row];
  made.neighbors = Array<VertexId>(made.offsets[share.count()]);
  std::vector<EdgeIndex> next(made.offsets.begin(), made.offsets.end());
  deliver_arcs<Arc>(
      transport, share, rows,
      [](VertexId u, VertexId v, Arc& message) {
        return message = {v, u}, true;
      },
      [&](const Arc& arc) { made.neighbors[next[arc.head - share.begin()]++] = arc.tail; }, nothing);
  // In a round, tails ascend; over several rounds and ranks they need not.
  for (VertexId row = 0; row < share.count(); ++row)
    std::sort(made.neighbors.data() + made.offsets[row], made.neighbors.data() + made.offsets[row + std::size_t{1}]);
  return made;
}

namespace {

/// Each row the distinct neighbours of both.
Rows merged(const Rows& a, const Rows& b, VertexId count) {
  // One row at a time, twice: first to know how much room all take.
  std::vector<VertexId> one;
  const auto merge = [&](VertexId row) {
    const auto x = a.row(row), y = b.row(row);
    one.clear();
    std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(one));
    one.erase(std::unique(one.begin(), one.end()), one.end());
  };
  Rows both{Array<EdgeIndex>::filled(count + std::size_t{1}, 0), {}};
  for (VertexId row = 0; row < count; ++row) {
    merge(row);
    both.offsets[row + std::size_t{1}] = both.offsets[row] + one.size();
  }
  both.neighbors = Array<VertexId>(both.offsets[count]);
  for (VertexId row = 0; row < count; ++row) {
    merge(row);
    std::copy(one.begin(), one.end(), both.neighbors.data() + both.offsets[row]);
  }
  return both;
}

}  // namespace

Steps::Steps(Transport& transport, Share& share, Direction direction, bool bottom_up) {
  const Rows* backward = &share.out;
  if (!share.directed) {
    forward_ = &share.out;
  } else if (direction == Direction::out && !bottom_up) {
    forward_ = &share.out;
  } else {
    if (!share.in) share.in = turned(transport, share, share.out);
    if (direction == Direction::both) made_ = merged(share.out, *share.in, share.count());
    forward_ = direction == Direction::out ? &share.out : direction == Direction::in ? &*share.in : &made_;
    backward = direction == Direction::out ? &*share.in : direction == Direction::in ? &share.out : &made_;
  }
  if (bottom_up) backward_ = backward;
}

}  // namespace hopwave::ranks
