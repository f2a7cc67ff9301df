// Shortest-path graphs of the 9th DIMACS challenge. http://www.diag.uniroma1.it/challenge9/format.shtml
#include "plain/text.h"

namespace hopwave::plain {

Graph read_dimacs(std::string_view bytes, const Options& options) {
  Graph graph;
  graph.first = 1;
  graph.weighted = options.weights;
  graph.directed = !options.undirected;
  bool problem = false;
  std::uint64_t arcs = 0, found = 0;
  for (const auto line : lines_of(bytes)) {
    if (line.empty() || line[0] == 'c') continue;
    const auto words = words_of(line);
    if (!problem) {
      if (words.size() != 4 || words[0] != "p" || words[1] != "sp") refuse("problem line");
      graph.vertices = need_integer(words[2]);
      arcs = need_integer(words[3]);
      if (graph.vertices == huge || arcs == huge) refuse("a huge count");
      believe(graph.vertices, bytes);
      problem = true;
      continue;
    }
    if (words[0] != "a" || words.size() < 2) refuse("no arc");
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
    if (words.size() != 4) refuse("columns");
    graph.rows.push_back({ends[0] - 1, ends[1] - 1, need_weight(words[3], options.lenient, false)});
  }
  if (!problem) refuse("no problem line");
  if (found != arcs && !options.lenient) refuse("count of arcs");
  return graph;
}

}  // namespace hopwave::plain
