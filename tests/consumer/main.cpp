// A program of another project: what it includes and links is what an installed hopwave gives.
#include <hopwave/hopwave.h>

#include <iostream>

int main() {
  try {
    const hopwave::Graph graph = hopwave::load_graph("grid:30x40");
    const hopwave::Result result = hopwave::search(graph, {.sources = {0}});
    std::cout << "hopwave " << hopwave::version << ": " << graph.num_vertices() << " vertices, the last is "
              << result.distance[graph.num_vertices() - 1] << " hops away\n";
    hopwave::load_graph("no-such-file.mtx");
  } catch (const hopwave::Error& error) {  // caught by type, so the library and the program share it
    std::cout << "caught " << error.id() << '\n';
    return 0;
  }
  return 1;
}
