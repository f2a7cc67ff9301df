// Vertices with names.
#include <hopwave/hopwave.h>

#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

int main() try {
  const std::vector<std::pair<std::string, std::string>> friends{
      {"alice", "bob"}, {"bob", "carol"}, {"carol", "dave"}, {"erin", "frank"}};
  const hopwave::Graph graph = hopwave::Graph::from_edges(friends, {.directed = false});
  const hopwave::Result result = hopwave::search(graph, {.sources = {graph.vertex("alice")}, .parents = true});

  for (hopwave::VertexId v = 0; v < graph.num_vertices(); ++v) {
    const std::string name = graph.name(v);
    const hopwave::Distance distance = result.distance_of(graph, name);
    std::cout << name << ": ";
    if (distance == hopwave::unreached) {
      std::cout << "not reached\n";
      continue;
    }
    std::cout << distance;
    for (const hopwave::VertexId u : result.path_to(graph, name)) std::cout << ' ' << graph.name(u);
    std::cout << '\n';
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
