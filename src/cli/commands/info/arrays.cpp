// Layouts of a graph, printed. CSR, CSC, COO and the matrix: Hwu, Kirk, El Hajj, Programming Massively Parallel Processors,
// 4th edition, figures 15.2 and 15.3, with their names. Records: the text of Rodinia, a node with start and length.
#include "cli/commands/info/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "cli/frame/console.h"

namespace hopwave::cli {
namespace {

enum class Per { vertex, arc };  ///< what an array has a value for

/// A row of figure 15.3: a name and its values.
struct Column {
  std::string name;
  Per per;
  std::vector<double> values;  ///< whole numbers are exact: --arrays-limit keeps them small
};

template <class Values>
Column column(std::string name, Per per, const Values& values) {
  Column made{std::move(name), per, {}};
  for (const auto value : values) made.values.push_back(static_cast<double>(value));
  return made;
}

/// Weights, or a one for every arc.
Column data(const Adjacency& rows) {
  if (rows.weights.empty()) return {"data", Per::arc, std::vector<double>(rows.neighbors.size(), 1)};
  return column("data", Per::arc, rows.weights);
}

std::vector<Column> sparse_columns(const Graph& graph, const std::string& layout) {
  const Adjacency& rows = layout == "csc" ? graph.in() : graph.out();
  if (layout == "csr")
    return {column("srcPtrs", Per::vertex, rows.offsets), column("dst", Per::arc, rows.neighbors), data(rows)};
  if (layout == "csc")
    return {column("dstPtrs", Per::vertex, rows.offsets), column("src", Per::arc, rows.neighbors), data(rows)};
  return {column("src", Per::arc, graph.arc_sources()), column("dst", Per::arc, rows.neighbors), data(rows)};
}

std::vector<Column> record_columns(const Graph& graph) {
  const Adjacency& rows = graph.out();
  Column start{"start", Per::vertex, {}}, length{"length", Per::vertex, {}};
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    start.values.push_back(static_cast<double>(rows.offsets[v]));
    length.values.push_back(static_cast<double>(graph.out_degree(v)));
  }
  return {start, length, column("target", Per::arc, rows.neighbors), data(rows)};
}

/// What an entry of the matrix holds. As in any sparse matrix, parallel arcs add up.
struct Entry {
  bool there = false;
  double value = 0;
};

std::vector<std::vector<Entry>> matrix(const Graph& graph) {
  const std::size_t n = graph.num_vertices();
  std::vector<std::vector<Entry>> entries(n, std::vector<Entry>(n));
  const Adjacency& rows = graph.out();
  for (std::size_t v = 0; v < n; ++v)
    for (EdgeIndex e = rows.offsets[v]; e < rows.offsets[v + 1]; ++e) {
      Entry& entry = entries[v][rows.neighbors[e]];
      entry.there = true;
      entry.value += graph.has_weights() ? rows.weights[e] : 1.0;
    }
  return entries;
}

std::string number(double value) { return number_text(value); }

/// Columns of equal length: indices above, then the values, in pieces of at most 120 characters per line.
std::string aligned(std::span<const Column> columns) {
  constexpr std::size_t line = 120;
  const std::size_t count = columns.front().values.size();
  std::size_t label = 5;  // "index"
  for (const Column& c : columns) label = std::max(label, c.name.size());
  std::vector<std::size_t> width(count);
  for (std::size_t i = 0; i < count; ++i) {
    width[i] = std::to_string(i).size();
    for (const Column& c : columns) width[i] = std::max(width[i], number(c.values[i]).size());
  }
  std::string text;
  std::size_t begin = 0;
  do {
    std::size_t end = begin, length = label;
    while (end < count && (end == begin || length + 1 + width[end] <= line)) length += 1 + width[end++];
    std::string index = fmt::format("{:<{}}", "index", label);
    for (std::size_t i = begin; i < end; ++i) index += fmt::format(" {:>{}}", i, width[i]);
    text += index + "\n";
    for (const Column& c : columns) {
      text += fmt::format("{:<{}}", c.name, label);
      for (std::size_t i = begin; i < end; ++i) text += fmt::format(" {:>{}}", number(c.values[i]), width[i]);
      text += "\n";
    }
    begin = end;
    if (begin < count) text += "\n";
  } while (begin < count);
  return text;
}

/// Arrays with one value per vertex share a row of indices; those with one value per arc share another.
std::string columns_text(const std::vector<Column>& columns) {
  std::string text;
  for (std::size_t at = 0; at < columns.size();) {
    std::size_t end = at + 1;
    while (end < columns.size() && columns[end].per == columns[at].per) ++end;
    text += (at ? "\n" : "") + aligned(std::span(columns).subspan(at, end - at));
    at = end;
  }
  return text;
}

std::string matrix_text(const Graph& graph) {
  const auto entries = matrix(graph);
  const std::size_t n = entries.size();
  std::size_t width = n ? std::to_string(n - 1).size() : 1;
  for (const auto& row : entries)
    for (const Entry& e : row)
      if (e.there) width = std::max(width, number(e.value).size());
  std::string text(width, ' ');
  for (std::size_t v = 0; v < n; ++v) text += fmt::format(" {:>{}}", v, width);
  for (std::size_t v = 0; v < n; ++v) {
    text += fmt::format("\n{:>{}}", v, width);
    for (const Entry& e : entries[v]) text += fmt::format(" {:>{}}", e.there ? number(e.value) : ".", width);
  }
  return text + "\n";
}

std::string adjacency_text(const Graph& graph) {
  const std::size_t width = std::to_string(graph.num_vertices()).size();
  std::string text;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    text += fmt::format("{:>{}}:", v, width);
    for (EdgeIndex e = graph.out().offsets[v]; e < graph.out().offsets[v + 1ull]; ++e) {
      text += fmt::format(" {}", graph.out().neighbors[e]);
      if (graph.has_weights()) text += fmt::format(" ({})", number(graph.out().weights[e]));
    }
    text += "\n";
  }
  return text;
}

Json list_json(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_json(value));
  return list;
}

}  // namespace

const std::vector<std::string>& layout_names() {
  static const std::vector<std::string> names{"csr", "csc", "coo", "matrix", "adjacency", "records"};
  return names;
}

std::uint64_t layout_values(const Graph& graph, const std::string& layout) {
  const std::uint64_t n = graph.num_vertices(), m = graph.num_arcs();
  if (layout == "matrix") return n * n;
  if (layout == "coo") return 3 * m;
  if (layout == "records") return 2 * n + 2 * m;
  if (layout == "adjacency") return n + m;
  return n + 1 + 2 * m;
}

std::string layout_text(const Graph& graph, const std::string& layout) {
  std::string text = layout == "matrix"      ? matrix_text(graph)
                     : layout == "adjacency" ? adjacency_text(graph)
                     : layout == "records"   ? columns_text(record_columns(graph))
                                             : columns_text(sparse_columns(graph, layout));
  if (!text.empty()) text.pop_back();  // the caller ends the line
  return text;
}

Json layout_json(const Graph& graph, const std::string& layout) {
  Json json;
  json["layout"] = layout;
  if (layout == "matrix") {
    json["rows"] = Json::array();
    for (const auto& row : matrix(graph)) {
      Json values = Json::array();
      for (const Entry& e : row) values.push_back(e.there ? number_json(e.value) : Json(nullptr));
      json["rows"].push_back(values);
    }
  } else if (layout == "adjacency") {
    json["lists"] = Json::array();
    for (VertexId v = 0; v < graph.num_vertices(); ++v) json["lists"].push_back(graph.out_neighbors(v));
    if (graph.has_weights()) json["data"] = list_json(data(graph.out()).values);
  } else {
    for (const Column& c : layout == "records" ? record_columns(graph) : sparse_columns(graph, layout))
      json[c.name] = list_json(c.values);
  }
  return json;
}

}  // namespace hopwave::cli
