// Loads a graph (a file's path, or a generator's spec) and searches it from its first vertex.
#include <hopwave/hopwave.h>

#include <exception>
#include <iostream>

int main(int argc, char** argv) try {
  const hopwave::Graph graph = hopwave::load_graph(argc > 1 ? argv[1] : "grid:100x100");
  std::cout << graph.num_vertices() << " vertices, " << graph.num_arcs() << " arcs\n";

  // The short form: one search, on a GPU if there is one, otherwise on the CPU.
  const hopwave::Result result = hopwave::search(graph, {.sources = {0}});
  std::cout << "from vertex 0: " << result.reached << " reached, the farthest " << result.depth << " hops away\n";

  // For more than one search the Searcher keeps the graph ready.
  hopwave::Searcher searcher(graph, {});
  for (const hopwave::VertexId source : {1u, 5000u})
    std::cout << "from vertex " << source << ": " << searcher.run({.sources = {source}}).depth << " hops\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
