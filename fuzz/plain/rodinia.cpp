// Rodinia's BFS text: numbers between blanks.
#include "plain/text.h"

namespace hopwave::plain {

Graph read_rodinia(std::string_view bytes, const Options& options) {
  std::vector<std::int64_t> numbers;
  for (const auto line : lines_of(bytes))
    for (auto word : words_of(line)) {
      const bool negative = word[0] == '-';
      if (negative) word.remove_prefix(1);
      const std::uint64_t value = need_integer(word);
      if (value == huge) refuse("a huge number");
      numbers.push_back(negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value));
    }
  std::size_t at = 0;
  const auto next = [&]() -> std::int64_t {
    if (at == numbers.size()) refuse("the end of the file");
    return numbers[at++];
  };
  const auto count = [&] {
    const std::int64_t value = next();
    if (value < 0 || value > std::int64_t{1} << 60) refuse("count");
    return static_cast<std::uint64_t>(value);
  };
  Graph graph;
  graph.directed = !options.undirected;
  graph.weighted = options.weights;
  graph.vertices = count();
  believe(graph.vertices, bytes);
  std::uint64_t edges = 0;
  for (std::uint64_t v = 0; v < graph.vertices; ++v) {
    const std::int64_t first = next(), degree = next();
    if (degree < 0 || (degree > 0 && first != static_cast<std::int64_t>(edges))) refuse("range");
    edges += static_cast<std::uint64_t>(degree);
    if (edges > bytes.size()) refuse("more edges than bytes");
    graph.rows.insert(graph.rows.end(), static_cast<std::size_t>(degree), Row{.source = v});
  }
  const std::uint64_t source = count();
  if (count() != edges) refuse("count of edges");
  if (graph.vertices > 0) {
    if (source >= graph.vertices) refuse("source");
    graph.source = source;
  }
  for (Row& row : graph.rows) {
    const std::int64_t target = next(), cost = next();
    if (target < 0 || static_cast<std::uint64_t>(target) >= graph.vertices || cost < 0) refuse("edge");
    row.target = static_cast<std::uint64_t>(target);
    row.weight = static_cast<long double>(cost);
  }
  if (at != numbers.size()) refuse("more numbers");
  return graph;
}

}  // namespace hopwave::plain
