// Builds a view. The symmetric copy of a directed graph merges each vertex's two sorted rows, twice over the arcs.
#include "bfs/searcher/view.h"

#include <algorithm>

#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"
#include "graph/rows.h"

namespace hopwave::search_detail {
namespace {

Adjacency transpose(Team& team, VertexId n, const Adjacency& rows) {
  const Adjacency plain{rows.offsets, rows.neighbors, {}};  // a search needs no weights
  return graph::reversed(team, n, plain);
}

/// Calls found(w) for the distinct values of two sorted rows, in ascending order.
template <class Found>
void merge_rows(const VertexId* a, const VertexId* a_end, const VertexId* b, const VertexId* b_end, Found&& found) {
  VertexId last = no_vertex;
  while (a < a_end || b < b_end) {
    const VertexId w = b == b_end || (a < a_end && *a <= *b) ? *a++ : *b++;
    if (w != last) found(w);
    last = w;
  }
}

Adjacency symmetrised(Team& team, VertexId n, const Adjacency& out, const Adjacency& in) {
  graph::Rows both{Array<EdgeIndex>(n + std::size_t{1}), {}};
  const auto each_row = [&](auto&& use) {
    parallel_for(team, n, thresholds::Cpu::head_grain, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t v = begin; v < end; ++v) use(v);
    });
  };
  const auto merge = [&](std::size_t v, auto&& found) {
    merge_rows(out.neighbors.data() + out.offsets[v], out.neighbors.data() + out.offsets[v + 1],
               in.neighbors.data() + in.offsets[v], in.neighbors.data() + in.offsets[v + 1], found);
  };
  both.offsets[0] = 0;
  each_row([&](std::size_t v) {
    EdgeIndex length = 0;
    merge(v, [&](VertexId) { ++length; });
    both.offsets[v + 1] = length;
  });
  for (std::size_t v = 0; v < n; ++v) both.offsets[v + 1] += both.offsets[v];
  both.neighbors = Array<VertexId>(both.offsets[n]);
  each_row([&](std::size_t v) {
    VertexId* to = both.neighbors.data() + both.offsets[v];
    merge(v, [&](VertexId w) { *to++ = w; });
  });
  return both;
}

}  // namespace

GraphView::GraphView(Team& team, const Graph& graph, Direction direction, bool backward) {
  const core::Stopwatch watch;
  const VertexId n = graph.num_vertices();
  view_.num_vertices = n;
  if (!graph.directed()) {
    view_.forward = view_.backward = &graph.out();
    view_.symmetric = true;
    return;
  }
  if (direction == Direction::both) {
    built_ = symmetrised(team, n, graph.out(), graph.has_in() ? graph.in() : transpose(team, n, graph.out()));
    view_.forward = view_.backward = &built_;
    view_.symmetric = true;
  } else {
    const bool wants_in = backward || direction == Direction::in;
    if (wants_in && !graph.has_in()) built_ = transpose(team, n, graph.out());
    const Adjacency* in = !wants_in ? nullptr : graph.has_in() ? &graph.in() : &built_;
    view_.forward = direction == Direction::in ? in : &graph.out();
    view_.backward = direction == Direction::in ? &graph.out() : in;
  }
  if (!built_.offsets.empty()) build_time_ = watch.elapsed();
}

}  // namespace hopwave::search_detail
