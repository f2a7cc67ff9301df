// Two kinds of rows that look like edge lists and are not, read only by name or ending:
// "adjacency" (a vertex, then its neighbours) and "cedge" (edge id, source, target, length: road networks of Li et al.).
#include <algorithm>

#include "io/edge_list.h"
#include "io/format.h"
#include "io/id_map.h"
#include "io/weight_columns.h"

namespace hopwave::io {
namespace {

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with('%'); }

/// An id and what must follow it.
const char* scan_id(const Block& block, const char* p, std::uint64_t& id, const char* error, const char* what) {
  const char* q = scan_integer(p, id);
  if (q == p || !(is_blank(*q) || *q == '\n')) block.fail(p, error, what);
  if (id >> 63) block.fail(p, error, "an id of at most 9223372036854775807");
  return skip_blanks(q);
}

/// Calls row(block, p, rank) for every row; it returns where the row's newline is.
template <class Row>
void for_each_row(Input& input, RowStore& raw, std::vector<RowBuffer>& buffers, Row row) {
  input.for_each_block([&](Block& block, int rank) {
    for (const char* p = block.begin; p < block.end; ++p) {
      p = skip_blanks(p);
      if (*p == '\n') continue;
      p = is_comment({p, 1}) ? skip_line(p, block.end) : row(block, p, rank);
    }
    raw.put(buffers[rank], block.index);
  });
}

/// What the comments before the rows state of vertices.
Columns read_comments(Input& input, bool short_rows) {
  Columns columns;
  input.set_rules({is_comment, short_rows});
  input.first_line([&](std::string_view comment) { read_comment(comment, columns); });
  return columns;
}

EdgeList finish(Input& input, const Columns& columns, RowStore& raw, const char* format, const char* details) {
  EdgeList list;
  raw.extra_ids.insert(raw.extra_ids.end(), columns.lone_ids.begin(), columns.lone_ids.end());
  if (raw.extra_ids.empty() && raw.size() == 0 && !columns.promised)
    input.fail_file("HW-EDGE-EMPTY", "no row at all", "rows of vertex ids",
                    "a file with only a '# Nodes: N' comment is a graph without edges");
  map_stated_ids(input, columns, raw, list);
  settle(input, columns.stated, list);
  list.report.format = format;
  list.report.details = details;
  return list;
}

EdgeList read_adjacency(Input& input) {
  const Columns columns = read_comments(input, false);
  RowStore raw(input, false);
  std::vector<RowBuffer> buffers(input.team().size());
  std::vector<std::vector<std::uint64_t>> vertices(input.team().size());
  for_each_row(input, raw, buffers, [&](const Block& block, const char* p, int rank) {
    std::uint64_t u = 0, v = 0;
    p = scan_id(block, p, u, "HW-ADJ-ID", "a vertex id (an integer from 0 on)");
    vertices[rank].push_back(u);
    while (*p != '\n') {
      p = scan_id(block, p, v, "HW-ADJ-ID", "a neighbour (an integer from 0 on)");
      buffers[rank].add(u, v);
    }
    return p;
  });
  for (auto& part : vertices) raw.extra_ids.insert(raw.extra_ids.end(), part.begin(), part.end());
  return finish(input, columns, raw, "adjacency", "one row per vertex with its neighbours");
}

EdgeList read_cedge(Input& input) {
  const Columns columns = read_comments(input, true);
  Mended mended;
  RowStore raw(input, input.options().weights);
  std::vector<RowBuffer> buffers(input.team().size());
  for_each_row(input, raw, buffers, [&](const Block& block, const char* p, int rank) {
    std::uint64_t ids[3];
    for (std::uint64_t& id : ids) {
      if (*p == '\n') block.fail(p, "HW-CEDGE-ROW", "edge id, source, target, length");
      p = scan_id(block, p, id, "HW-CEDGE-ROW", "an id (an integer from 0 on)");
    }
    buffers[rank].add(ids[1], ids[2]);
    if (!input.options().weights) return skip_weights(block, p, "HW-CEDGE-ROW");
    Number weight;
    p = skip_blanks(scan_weight(block, p, "HW-CEDGE-ROW", input.options().lenient, mended, weight));
    if (*p != '\n') block.fail(p, "HW-CEDGE-ROW", "the end of the line");
    buffers[rank].add_weight(weight);
    return p;
  });
  EdgeList list = finish(input, columns, raw, "cedge", "edge id, source, target, length");
  mended.note_in(list.report);
  return list;
}

void write_adjacency(const Graph& graph, Sink& out, const WriteOptions&) {
  out.write(direction_comment(graph));
  if (graph.num_vertices() == 0) out.write(vertex_comments(graph));
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v) {
      lines.integer(graph.ids().number(static_cast<VertexId>(v)));
      for (const VertexId u : graph.out_neighbors(static_cast<VertexId>(v)))
        if (graph.directed() || u <= v) lines.put(' ').integer(graph.ids().number(u));
      lines.put('\n');
    }
  });
}

void write_cedge(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  const Adjacency& adjacency = graph.out();
  out.write(direction_comment(graph) + vertex_comments(graph));
  std::uint64_t edge = 0;
  Lines lines;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (EdgeIndex i = adjacency.offsets[v]; i < adjacency.offsets[v + 1ull]; ++i) {
      if (!graph.directed() && adjacency.neighbors[i] > v) continue;
      lines.integer(edge++)
          .put(' ')
          .integer(graph.ids().number(v))
          .put(' ')
          .integer(graph.ids().number(adjacency.neighbors[i]))
          .put(' ');
      weights ? lines.weight(adjacency.weights, i) : lines.put('1');
      lines.put('\n');
      if (lines.text().size() > (1u << 16)) {
        out.write(lines.text());
        lines.text().clear();
      }
    }
  out.write(lines.text());
}

}  // namespace

const Format& adjacency_format() {
  static const Format format{
      {"adjacency", "one row per vertex: its id, then its neighbours' (named, or by ending)", "adj,adjlist"},
      sniffs_nothing,
      read_adjacency,
      write_adjacency,
      {.ids = Holds::Naming::numbers, .weights = Holds::Weighing::none}};
  return format;
}
const Format& cedge_format() {
  static const Format format{{"cedge", "one row per edge: edge id, source, target, length (named, or by ending)", "cedge"},
                             sniffs_nothing,
                             read_cedge,
                             write_cedge,
                             {.ids = Holds::Naming::numbers, .weights = Holds::Weighing::finite}};
  return format;
}

}  // namespace hopwave::io
