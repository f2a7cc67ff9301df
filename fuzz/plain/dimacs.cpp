// Shortest-path graphs of the 9th DIMACS challenge, flows of the 1st, graphs of the 2nd.
// http://www.diag.uniroma1.it/challenge9/format.shtml
#include "plain/text.h"

namespace hopwave::plain {

Graph read_dimacs(std::string_view bytes, const Options& options) {
  Graph graph;
  graph.first = 1;
  graph.weighted = options.weights;
  graph.directed = !options.undirected;
  bool problem = false, edges = false;
  std::string kind;
  std::uint64_t arcs = 0, found = 0;
  std::optional<std::uint64_t> sink;
  for (const auto line : lines_of(bytes)) {
    if (!line.empty() && line[0] == 'c' && lower_case(line).find("direct") != std::string::npos)
      throw Open{};  // as in edge lists
    if (line.empty() || line[0] == 'c') continue;
    const auto words = words_of(line);
    if (!problem) {
      if (words.size() != 4 || words[0] != "p") refuse("problem line");
      kind = words[1];
      edges = kind == "edge" || kind == "edges" || kind == "col";
      if (!edges && kind != "sp" && kind != "max" && kind != "min") refuse("another problem");
      if (edges) graph.weighted = graph.directed = false;
      graph.vertices = need_integer(words[2]);
      arcs = need_integer(words[3]);
      if (graph.vertices == huge || arcs == huge) refuse("a huge count");
      believe(graph.vertices, bytes);
      problem = true;
      continue;
    }
    if (kind != "sp" && line[0] == 'n') {
      if (words[0] != "n" || words.size() < 3) refuse("no vertex");
      const std::uint64_t v = need_integer(words[1]);
      if (v < 1 || v > graph.vertices) refuse("index");
      if (kind != "max") continue;
      if (words.size() != 3 || (words[2] != "s" && words[2] != "t")) refuse("neither source nor sink");
      auto& end = words[2] == "s" ? graph.source : sink;
      if (end && *end != v - 1) refuse("two sources or two sinks");
      end = v - 1;
      if (graph.source == sink) refuse("one vertex as source and sink");
      continue;
    }
    if (edges && (words[0] == "d" || words[0] == "v" || words[0] == "x")) continue;
    if (words[0] != (edges ? "e" : "a") || words.size() < 2) refuse("no arc");
    ++found;
    std::uint64_t ends[2] = {0, 0};
    bool left_out = false;
    for (std::size_t i = 0; i < 2 && !left_out; ++i) {
      if (words.size() < 2 + i) refuse("an arc without head");
      // Where an index is left out, nothing behind its digits is looked at.
      std::string_view word = i + 1 < words.size() ? words[i + 1] : std::string_view();
      std::size_t digits = 0;
      while (digits < word.size() && digit(word[digits])) ++digits;
      if (digits == 0) refuse("no index");
      ends[i] = need_integer(word.substr(0, digits));
      if (ends[i] < 1 || ends[i] > graph.vertices) {
        if (!options.lenient) refuse("index");
        left_out = true;
      } else if (digits != word.size()) {
        refuse("no index");
      }
    }
    if (left_out) continue;
    if (!edges && !options.weights) {
      if (line.find('\0') != std::string_view::npos) refuse("NUL");
      graph.rows.push_back({ends[0] - 1, ends[1] - 1, 0});
      continue;
    }
    const std::size_t columns = edges ? 3 : kind == "min" ? 6 : 4;
    if (words.size() != columns) refuse("columns");
    long double weight = 0;
    if (kind == "min") (void)need_weight(words[3], options.lenient, true), (void)need_weight(words[5], options.lenient, true);
    if (!edges) weight = need_weight(words[kind == "min" ? 4 : 3], options.lenient, false);
    graph.rows.push_back({ends[0] - 1, ends[1] - 1, weight});
  }
  if (!problem) refuse("no problem line");
  const bool twice = edges && (found == 2 * arcs || 2 * found == arcs);
  if (found != arcs && !twice && !options.lenient) refuse("count of arcs");
  return graph;
}

}  // namespace hopwave::plain
