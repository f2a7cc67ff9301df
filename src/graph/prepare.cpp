// Orders, renaming, heads and rows of four. Everything is a counting pass and a placing pass over fixed blocks of
// vertices, so that the outcome does not depend on the number of threads.
#include "graph/prepare.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "graph/rows.h"
#include "graph/sweep.h"
#include "hopwave/error.h"

namespace hopwave::graph {
namespace {

constexpr std::size_t grain = std::size_t{1} << 14;

EdgeIndex degree(const Adjacency& a, std::size_t v) { return a.offsets[v + 1] - a.offsets[v]; }

void invert(Team& team, Order& o) {
  parallel_for(team, o.order.size(), grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) o.rank[o.order[i]] = static_cast<VertexId>(i);
  });
}

/// body(block, begin, end) for `blocks` even pieces of the vertices.
template <class Body>
void each_block(Team& team, std::size_t blocks, VertexId n, Body&& body) {
  parallel_for(team, blocks, 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) body(b, std::size_t{n} * b / blocks, std::size_t{n} * (b + 1) / blocks);
  });
}

std::size_t blocks_for(const Team& team, VertexId n) { return n < 4 * grain ? 1 : static_cast<std::size_t>(team.size()) * 2; }

void need_small(VertexId n) {
  if (n < head_single) return;
  Error::Parts parts;
  parts.failure = Failure::does_not_fit;
  parts.id = "HW-PREPARE-SIZE";
  parts.found = std::to_string(n) + " vertices";
  parts.expected = "fewer than 2^31 for a prepared graph";
  parts.hint = "search without preparation";
  throw Error(std::move(parts));
}

}  // namespace

Order order_by_degree(Team& team, VertexId n, const Adjacency& forward, const Components& components) {
  // Classes by falling degree, the giant's first; the few vertices of very high degree share a class and are sorted after.
  constexpr std::size_t counted = 2048, classes = 2 * (counted + 1);
  auto class_of = [&](std::size_t v) {
    const std::size_t d = std::min<std::size_t>(degree(forward, v), counted);
    return counted - d + (components.label[v] == components.largest_label ? 0 : counted + 1);
  };
  Order o{.order = Array<VertexId>(n), .rank = Array<VertexId>(n), .giant = components.largest_size};
  const std::size_t blocks = blocks_for(team, n);
  std::vector<VertexId> places(blocks * classes, 0);
  each_block(team, blocks, n, [&](std::size_t block, std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) ++places[block * classes + class_of(v)];
  });
  VertexId at = 0;
  VertexId highest_end[2] = {0, 0}, highest_begin[2] = {0, 0};
  for (std::size_t c = 0; c < classes; ++c) {
    const VertexId begin = at;
    for (std::size_t block = 0; block < blocks; ++block) at += std::exchange(places[block * classes + c], at);
    if (c % (counted + 1) == 0) highest_begin[c / (counted + 1)] = begin, highest_end[c / (counted + 1)] = at;
  }
  each_block(team, blocks, n, [&](std::size_t block, std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) o.order[places[block * classes + class_of(v)]++] = static_cast<VertexId>(v);
  });
  for (const int part : {0, 1})
    std::sort(o.order.data() + highest_begin[part], o.order.data() + highest_end[part], [&](VertexId a, VertexId b) {
      const EdgeIndex da = degree(forward, a), db = degree(forward, b);
      return da != db ? da > db : a < b;
    });
  invert(team, o);
  return o;
}

Order order_by_locality(Team& team, VertexId n, const Adjacency& symmetric, const Components& components) {
  Order o{.order = Array<VertexId>(n), .rank = Array<VertexId>::filled(n, no_vertex), .giant = components.largest_size};
  if (n == 0) return o;
  VertexId tail = 0;
  auto take_component = [&](VertexId start) {
    VertexId head = tail;
    auto take = [&](VertexId v) { o.rank[v] = tail, o.order[tail++] = v; };
    for (take(start); head < tail; ++head) {
      const VertexId v = o.order[head];
      VertexId* first = o.order.data() + tail;
      for (EdgeIndex a = symmetric.offsets[v]; a < symmetric.offsets[v + std::size_t{1}]; ++a)
        if (o.rank[symmetric.neighbors[a]] == no_vertex) take(symmetric.neighbors[a]);
      std::sort(first, o.order.data() + tail, [&](VertexId a, VertexId b) {
        const EdgeIndex da = degree(symmetric, a), db = degree(symmetric, b);
        return da != db ? da < db : a < b;
      });
    }
  };
  Sweep sweep(team, n, symmetric, &symmetric);
  sweep.run(components.largest_label);
  take_component(sweep.farthest());
  for (VertexId v = 0; v < n; ++v)
    if (o.rank[v] == no_vertex) take_component(v);
  invert(team, o);  // ranks were given before a vertex's neighbours were sorted
  return o;
}

Heads find_heads(Team& team, VertexId n, const Adjacency& backward) {
  need_small(n);
  Heads h{.head = Array<VertexId>(n), .headcount = Array<VertexId>::filled(n, 0)};
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      const EdgeIndex d = degree(backward, v);
      h.head[v] = static_cast<VertexId>(v) | head_single;
      if (d == 0) continue;
      const VertexId u = backward.neighbors[backward.offsets[v]];
      h.head[v] = d == 1 ? u | head_single : u;
      std::atomic_ref<VertexId>(h.headcount[u]).fetch_add(1, std::memory_order_relaxed);
    }
  });
  return h;
}

RowsOfFour make_rows_of_four(Team& team, VertexId n, const Adjacency& forward) {
  need_small(n);
  constexpr EdgeIndex places = 4;
  struct Part {
    EdgeIndex rows = 0, arcs = 0;
  };
  const std::size_t blocks = blocks_for(team, n);
  std::vector<Part> start(blocks + 1);
  each_block(team, blocks, n, [&](std::size_t block, std::size_t begin, std::size_t end) {
    Part part;
    for (std::size_t v = begin; v < end; ++v)
      if (const EdgeIndex d = degree(forward, v); d > places) ++part.rows, part.arcs += d - (places - 1);
    start[block + 1] = part;
  });
  for (std::size_t b = 0; b < blocks; ++b) start[b + 1].rows += start[b].rows, start[b + 1].arcs += start[b].arcs;
  RowsOfFour out{.rows = Array<VertexId>(places * n), .more = {}};
  Rows more{.offsets = Array<EdgeIndex>(start[blocks].rows + 1), .neighbors = Array<VertexId>(start[blocks].arcs)};
  more.offsets[start[blocks].rows] = start[blocks].arcs;
  each_block(team, blocks, n, [&](std::size_t block, std::size_t begin, std::size_t end) {
    Part at = start[block];
    for (std::size_t v = begin; v < end; ++v) {
      const VertexId* row = forward.neighbors.data() + forward.offsets[v];
      const EdgeIndex d = degree(forward, v), here = d > places ? places - 1 : d;
      VertexId* four = out.rows.data() + places * v;
      std::fill(std::copy_n(row, here, four), four + places, no_vertex);
      if (d <= places) continue;
      four[places - 1] = more_rows | static_cast<VertexId>(at.rows);
      more.offsets[at.rows++] = at.arcs;
      std::copy_n(row + here, d - here, more.neighbors.data() + at.arcs);
      at.arcs += d - here;
    }
  });
  out.more = std::move(more);
  return out;
}

}  // namespace hopwave::graph
