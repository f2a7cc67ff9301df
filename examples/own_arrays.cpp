// Graphs of a program's own arrays: pairs, two columns, or compressed sparse rows.
#include <hopwave/hopwave.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <utility>
#include <vector>

int main() try {
  // Ids are any integers: the graph keeps them, and converts to and from them.
  const std::vector<std::pair<std::int64_t, std::int64_t>> pairs{{1000, 7}, {7, -3}, {-3, 1000}, {7, 52}};
  const hopwave::Graph graph = hopwave::Graph::from_edges(pairs);
  const hopwave::Result result = hopwave::search(graph, {.sources = {graph.vertex(1000)}, .parents = true});
  std::cout << "1000 to 52: " << result.distance_of(graph, 52) << " hops, by way of";
  for (const hopwave::VertexId v : result.path_to(graph, 52)) std::cout << ' ' << graph.name(v);
  std::cout << '\n';

  // Two columns, with weights in a third, every edge in both directions.
  const std::vector<int> from{10, 20, 30}, to{20, 30, 40};
  const hopwave::Graph both = hopwave::Graph::from_edges(from, to, {.directed = false});
  std::cout << both.num_vertices() << " vertices, " << both.num_arcs() << " arcs\n";

  // Ids that are vertex numbers already; the last two vertices have no edge.
  const hopwave::Graph dense = hopwave::Graph::from_edges({{0, 1}, {1, 2}}, {.num_vertices = 5});
  std::cout << dense.num_vertices() << " vertices, " << dense.num_arcs() << " arcs\n";

  // Compressed sparse rows as in SciPy and others: they are checked, and unsorted rows are sorted.
  const std::vector<std::int32_t> offsets{0, 2, 3, 3}, neighbors{2, 1, 2};
  const hopwave::Graph rows = hopwave::Graph::from_csr(offsets, neighbors, {.sort_rows = true});
  std::cout << "first neighbour of vertex 0: " << rows.out_neighbors(0)[0] << '\n';

  // An invalid input is an Error with a stable id.
  try {
    (void)hopwave::Graph::from_csr(std::vector<int>{0, 5}, neighbors);
  } catch (const hopwave::Error& error) {
    std::cout << error.id() << '\n';
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
