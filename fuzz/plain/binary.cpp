// GAP's .sg and .wsg, Galois .gr and Graph500's packed edges: arrays behind a few counts.
#include <algorithm>
#include <cstring>

#include "plain/words.h"

namespace hopwave::plain {
namespace {

/// rows + 1 ends of rows, the first 0.
void put_sources(const std::vector<std::uint64_t>& ends, Graph& graph) {
  if (ends.front() != 0) refuse("the first offset");
  if (ends.back() != graph.rows.size()) refuse("the last offset");
  for (std::size_t v = 1; v < ends.size(); ++v)
    if (ends[v] < ends[v - 1]) refuse("an offset that falls");
  for (std::size_t v = 1; v < ends.size(); ++v)
    for (std::uint64_t i = ends[v - 1]; i < ends[v]; ++i) graph.rows[i].source = v - 1;
}

Graph read_serialized(std::string_view bytes, const Options& options, bool weighted) {
  Words in{bytes};
  const std::uint64_t flag = in.word(1), arcs = in.word(8), vertices = in.word(8);
  if (flag > 1 || vertices > most_vertices || arcs >> 48) refuse("header");
  const std::uint64_t once = (vertices + 1) * 8 + arcs * (weighted ? 8 : 4);
  if (bytes.size() != 17 + once * (flag ? 2 : 1)) refuse("size");
  Graph graph;
  graph.vertices = vertices;
  graph.rows.resize(arcs);
  graph.directed = flag && !options.undirected;
  graph.both_directions = !flag;
  graph.weighted = weighted && options.weights;
  std::vector<std::uint64_t> ends;
  for (std::uint64_t v = 0; v <= vertices; ++v) ends.push_back(in.word(8));
  put_sources(ends, graph);
  for (Row& row : graph.rows) {
    row.target = in.word(4);
    if (row.target >= vertices) refuse("neighbour");
    if (weighted) row.weight = static_cast<std::int32_t>(in.word(4));
  }
  return graph;
}

}  // namespace

Graph read_gap(std::string_view bytes, const Options& options) { return read_serialized(bytes, options, false); }
Graph read_gap_weighted(std::string_view bytes, const Options& options) { return read_serialized(bytes, options, true); }

Graph read_galois(std::string_view bytes, const Options& options) {
  Words in{bytes};
  const std::uint64_t version = in.word(8), data = in.word(8), vertices = in.word(8), edges = in.word(8);
  if (version != 1 && version != 2) refuse("version");
  if (data != 0 && data != 4 && data != 8) refuse("edge data");
  if (vertices > most_vertices || edges >> 48) refuse("counts");
  const std::uint64_t width = version == 1 ? 4 : 8;
  const std::uint64_t targets = 32 + 8 * vertices, end = targets + width * edges;
  const std::uint64_t data_at = (end + 7) / 8 * 8;
  const bool without_padding = data == 0 && bytes.size() == end;
  if (bytes.size() != data_at + data * edges && !without_padding) refuse("size");
  Graph graph;
  graph.vertices = vertices;
  graph.rows.resize(edges);
  graph.directed = !options.undirected;
  graph.weighted = data && options.weights;
  std::vector<std::uint64_t> ends(1, 0);
  for (std::uint64_t v = 0; v < vertices; ++v) ends.push_back(in.word(8));
  put_sources(ends, graph);
  for (Row& row : graph.rows)
    if ((row.target = in.word(width)) >= vertices) refuse("target");
  in.at = data_at;
  if (data)
    for (Row& row : graph.rows) {
      const std::uint64_t weight = in.word(data);
      if (weight >> 63 && options.weights) refuse("weight");
      row.weight = weight;
    }
  return graph;
}

Graph read_graph500(std::string_view bytes, const Options& options) {
  if (bytes.empty() || bytes.size() % 12) refuse("size");
  Graph graph;
  graph.directed = !options.undirected;
  std::uint64_t largest = 0;
  for (Words in{bytes}; in.at < bytes.size();) {
    Row row;
    row.source = in.word(4);
    row.target = in.word(4);
    row.source |= in.word(2) << 32;
    row.target |= in.word(2) << 32;
    largest = std::max({largest, row.source, row.target});
    graph.rows.push_back(row);
  }
  believe(largest + 1, bytes);
  graph.vertices = largest + 1;
  return graph;
}

}  // namespace hopwave::plain
