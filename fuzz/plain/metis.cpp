// METIS graphs: the manual of METIS 5, section 4.1.1.
#include <algorithm>
#include <map>
#include <set>

#include "plain/text.h"

namespace hopwave::plain {

Graph read_metis(std::string_view bytes, const Options& options) {
  const auto lines = lines_of(bytes);
  Graph graph;
  graph.first = 1;
  graph.directed = false;
  graph.both_directions = true;
  std::size_t at = 0;
  while (at < lines.size() && (lines[at].empty() || lines[at][0] == '%')) ++at;
  if (at == lines.size()) refuse("no header");
  const auto head = words_of(lines[at++]);
  if (head.size() < 2 || head.size() > 4) refuse("header");
  for (const auto word : head)
    if (word.size() > 18 || !integer(word)) refuse("header");
  graph.vertices = *integer(head[0]);
  const std::uint64_t edges = *integer(head[1]);
  std::string fmt = head.size() > 2 ? std::string(head[2]) : "0";
  if (fmt.size() > 3 || fmt.find_first_not_of("01") != std::string::npos) refuse("fmt");
  fmt.insert(0, 3 - fmt.size(), '0');
  const std::uint64_t constraints = head.size() > 3 ? *integer(head[3]) : 1;
  if (constraints < 1 || constraints > 1000) refuse("ncon");
  believe(graph.vertices, bytes);
  const bool weighted = fmt[2] == '1';
  graph.weighted = weighted && options.weights;
  const std::size_t skip = (fmt[0] == '1') + (fmt[1] == '1' ? constraints : 0);
  std::uint64_t vertex = 0, filled = 0, found = 0;
  for (; at < lines.size(); ++at) {
    if (!lines[at].empty() && lines[at][0] == '%') continue;
    const auto words = words_of(lines[at]);
    if (!words.empty()) {
      filled = vertex + 1;
      if (words.size() < skip) refuse("vertex weights");
      for (std::size_t i = 0; i < skip; ++i) need_integer(words[i]);
      for (std::size_t i = skip; i < words.size(); ++i) {
        const std::uint64_t v = need_integer(words[i]);
        long double weight = 0;
        if (weighted) {
          if (++i == words.size()) refuse("a neighbour without weight");
          if (!options.weights && words[i].find('\0') != std::string_view::npos) refuse("NUL");
          if (options.weights) weight = need_weight(words[i], options.lenient, false);
        }
        ++found;
        if (v >= 1 && v <= graph.vertices)
          graph.rows.push_back({vertex, v - 1, weight});
        else if (!options.lenient)
          refuse("index");
      }
    }
    ++vertex;
  }
  if (filled > graph.vertices) refuse("too many lines");
  if (vertex < graph.vertices && !options.lenient) refuse("too few lines");
  if (weighted && options.weights) {
    // Of an edge that both its lines tell equally often, the weights are the same on both.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::multiset<long double>, std::multiset<long double>>> both;
    for (const Row& row : graph.rows) {
      auto& [there, back] = both[std::minmax(row.source, row.target)];
      (row.source < row.target ? there : back).insert(row.weight);
    }
    for (const auto& [ends, weights] : both)
      if (ends.first != ends.second && weights.first.size() == weights.second.size() && weights.first != weights.second) {
        if (options.lenient) throw Open{};
        refuse("two weights of an edge");
      }
  }
  if (found != 2 * edges && !options.lenient) refuse("count of edges");
  return graph;
}

}  // namespace hopwave::plain
