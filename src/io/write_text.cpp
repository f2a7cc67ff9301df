// Writers of the line-a-edge formats. An undirected graph's edge is written once.
#include "io/sink.h"

namespace hopwave::io {
namespace {

/// Of an undirected edge only the arc to the smaller end, so that each stands once (below the diagonal).
template <class Put>
void for_each_row(const Graph& graph, std::size_t begin, std::size_t end, Put put) {
  const Adjacency& out = graph.out();
  for (std::size_t v = begin; v < end; ++v)
    for (EdgeIndex i = out.offsets[v]; i < out.offsets[v + 1]; ++i)
      if (graph.directed() || out.neighbors[i] <= v) put(static_cast<VertexId>(v), out.neighbors[i], i);
}

std::uint64_t count_rows(const Graph& graph) {
  if (graph.directed()) return graph.num_arcs();
  std::uint64_t rows = 0;
  for_each_row(graph, 0, graph.num_vertices(), [&](VertexId, VertexId, EdgeIndex) { ++rows; });
  return rows;
}

void put_id(const Ids& ids, VertexId v, Lines& lines) {
  if (ids.kind() == Ids::Kind::strings)
    lines.put(ids.names()[v]);
  else
    lines.integer(ids.number(v));
}

}  // namespace

void write_edge_list(const Graph& graph, Sink& out, const WriteOptions& options) {
  Lines head;
  const bool weights = options.weights && graph.has_weights();
  head.put(graph.directed() ? "# Directed graph\n" : "# Undirected graph (each edge once)\n");
  head.put("# Nodes: ").integer(graph.num_vertices()).put(" Edges: ").integer(count_rows(graph)).put("\n");
  head.put(weights ? "# FromNodeId\tToNodeId\tWeight\n" : "# FromNodeId\tToNodeId\n");
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for_each_row(graph, begin, end, [&](VertexId u, VertexId v, EdgeIndex i) {
      put_id(graph.ids(), u, lines);
      lines.put('\t');
      put_id(graph.ids(), v, lines);
      if (weights) lines.put('\t').real(graph.out().weights[i]);
      lines.put('\n');
    });
  });
}

void write_matrix_market(const Graph& graph, Sink& out, const WriteOptions& options) {
  Lines head;
  const bool weights = options.weights && graph.has_weights();
  head.put("%%MatrixMarket matrix coordinate ").put(weights ? "real" : "pattern");
  head.put(graph.directed() ? " general\n" : " symmetric\n");
  head.integer(graph.num_vertices()).put(' ').integer(graph.num_vertices()).put(' ').integer(count_rows(graph)).put('\n');
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for_each_row(graph, begin, end, [&](VertexId u, VertexId v, EdgeIndex i) {
      lines.integer(u + 1ull).put(' ').integer(v + 1ull);
      if (weights) lines.put(' ').real(graph.out().weights[i]);
      lines.put('\n');
    });
  });
}

}  // namespace hopwave::io
