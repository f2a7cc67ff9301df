// Writers of the line-a-edge formats. An undirected graph's edge is written once.
#include <algorithm>
#include <vector>

#include "hopwave/error.h"
#include "io/edge_list.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

/// Of an undirected edge only the arc to the smaller end, so that each is written once (below the diagonal).
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

/// Ids of an edge list, in a form that is read as the same ids.
class IdText {
 public:
  IdText(const Graph& graph, bool as_text, char separator)
      : graph_(graph), as_text_(as_text || graph.ids().kind() == Ids::Kind::strings), separator_(separator) {}

  void put(VertexId v, Lines& lines) const {
    const Ids& ids = graph_.ids();
    if (!as_text_) {
      lines.integer(ids.number(v));
    } else if (ids.kind() == Ids::Kind::strings) {
      put_name(ids.names()[v], lines, false);
    } else {
      put_name(ids.name(v), lines, false);
    }
  }

  /// Lines for the vertices that no row names and that "# Nodes: N" does not imply: it implies 0 to N - 1, or 1 to N if N
  /// occurs.
  void put_isolated(const std::vector<bool>& isolated, Lines& lines) const {
    const Ids& ids = graph_.ids();
    const bool counted = !as_text_ && ids.kind() == Ids::Kind::consecutive && (ids.first() == 0 || ids.first() == 1);
    if (counted && ids.first() == 0) return;
    for (VertexId v = counted ? graph_.num_vertices() - 1 : 0; v < graph_.num_vertices(); ++v) {
      if (!isolated[v]) continue;
      lines.put(isolated_mark);
      as_text_ ? put_name(ids.name(v), lines, true) : put(v, lines);
      lines.put('\n');
    }
  }
  [[nodiscard]] bool as_text() const { return as_text_; }

 private:
  /// Quoted where it would be read as anything but this text: a number, a comment, several cells.
  void put_name(std::string_view name, Lines& lines, bool quoted) const {
    const bool bare = !quoted && !name.empty() && !is_number(name) && !edge_list_comment(name) && !is_blank(name.front()) &&
                      !is_blank(name.back()) && name.find('"') == std::string_view::npos &&
                      name.find(separator_) == std::string_view::npos;
    if (bare) {
      lines.put(name);
      return;
    }
    lines.put('"');
    for (const char c : name) {
      if (c == '"') lines.put('"');
      lines.put(c);
    }
    lines.put('"');
  }

  const Graph& graph_;
  const bool as_text_;
  const char separator_;
};

std::vector<bool> isolated_vertices(const Graph& graph) {
  std::vector<bool> isolated(graph.num_vertices(), true);
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (const VertexId u : graph.out_neighbors(v)) isolated[u] = isolated[v] = false;
  return isolated;
}

void write_rows(const Graph& graph, Sink& out, const WriteOptions& options, bool as_text) {
  const char separator = options.separator ? options.separator : '\t';
  const bool weights = options.weights && graph.has_weights();
  const IdText ids(graph, as_text, separator);
  const std::uint64_t rows = count_rows(graph);
  const auto isolated = isolated_vertices(graph);
  const bool lonely = std::find(isolated.begin(), isolated.end(), true) != isolated.end();
  Lines head;
  const bool plain = separator == ',';  // other programs take no comments in a CSV file: only what would be lost without
  const bool typed = plain && rows && !graph.directed();  // as Gephi has it
  if (!plain && graph.directed()) head.put("# Directed graph\n");
  if (!typed) head.put(direction_comment(graph));
  if (!plain || lonely || rows == 0)
    head.put("# Nodes: ").integer(graph.num_vertices()).put(" Edges: ").integer(rows).put("\n");
  ids.put_isolated(isolated, head);
  if (rows && (plain || ids.as_text()))  // a header row, so that two names in the first row are not taken for one
    head.put("source")
        .put(separator)
        .put("target")
        .put(weights ? std::string(1, separator) + "weight" : "")
        .put(typed ? ",type\n" : "\n");
  else if (!plain)
    head.put(weights ? "# FromNodeId\tToNodeId\tWeight\n" : "# FromNodeId\tToNodeId\n");
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for_each_row(graph, begin, end, [&](VertexId u, VertexId v, EdgeIndex i) {
      ids.put(u, lines);
      lines.put(separator);
      ids.put(v, lines);
      if (weights) lines.put(separator).weight(graph.out().weights, i);
      if (typed) lines.put(",Undirected");
      lines.put('\n');
    });
  });
}

}  // namespace

std::string direction_comment(const Graph& graph) { return graph.directed() ? "" : "# " + std::string(each_edge_once) + "\n"; }

std::string vertex_comments(const Graph& graph) {
  const auto isolated = isolated_vertices(graph);
  if (graph.num_arcs() && std::find(isolated.begin(), isolated.end(), true) == isolated.end()) return "";
  Lines lines;
  lines.put("# Nodes: ").integer(graph.num_vertices()).put(" Edges: ").integer(count_rows(graph)).put('\n');
  IdText(graph, false, '\t').put_isolated(isolated, lines);
  return lines.text();
}

void write_edge_list(const Graph& graph, Sink& out, const WriteOptions& options) { write_rows(graph, out, options, false); }
void write_names(const Graph& graph, Sink& out, const WriteOptions& options) { write_rows(graph, out, options, true); }

void write_matrix_market(const Graph& graph, Sink& out, const WriteOptions& options) {
  Lines head;
  const bool weights = options.weights && graph.has_weights();
  head.put("%%MatrixMarket matrix coordinate ");
  head.put(!weights ? "pattern" : graph.out().weights.whole() ? "integer" : "real");
  head.put(graph.directed() ? " general\n" : " symmetric\n");
  head.integer(graph.num_vertices()).put(' ').integer(graph.num_vertices()).put(' ').integer(count_rows(graph)).put('\n');
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for_each_row(graph, begin, end, [&](VertexId u, VertexId v, EdgeIndex i) {
      lines.integer(u + 1ull).put(' ').integer(v + 1ull);
      if (weights) lines.put(' ').weight(graph.out().weights, i);
      lines.put('\n');
    });
  });
}

}  // namespace hopwave::io
