// Answers that stay in device memory, and a graph of arrays in device memory. This program uses the simulator, whose
// device memory is host memory; device_pointers_cuda.cu does the same on a GPU, with its own kernel.
#include <hopwave/hopwave.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <vector>

int main() try {
  // A ring of eight vertices, as rows in "device" memory. Nothing is copied.
  alignas(16) std::uint32_t offsets[9];
  alignas(16) hopwave::VertexId neighbors[16];
  for (std::uint32_t v = 0; v < 8; ++v) {
    const std::uint32_t before = (v + 7) % 8, after = (v + 1) % 8;
    offsets[v] = 2 * v;
    neighbors[2 * v] = before < after ? before : after;
    neighbors[2 * v + 1] = before < after ? after : before;
  }
  offsets[8] = 16;
  const auto graph = hopwave::ResidentGraph::from_device(
      {.num_vertices = 8, .num_arcs = 16, .directed = false, .offsets32 = offsets, .neighbors = neighbors},
      hopwave::DeviceKind::sim);

  hopwave::Searcher searcher(graph, {});
  const hopwave::DeviceResult view = searcher.run_on_device({.sources = {0}});
  std::uint64_t odd = 0;  // what a kernel would compute from the pointer
  for (hopwave::VertexId v = 0; v < view.num_vertices(); ++v) odd += view.distance()[v] % 2;
  std::cout << odd << " vertices at an odd distance\n";

  // One byte per vertex is copied to the host, or no distances at all.
  std::vector<std::uint8_t> bytes(view.num_vertices());
  view.copy_to(bytes);
  for (const std::uint8_t d : bytes) std::cout << int{d} << ' ';
  const hopwave::LevelCounts counts = view.level_counts();
  std::cout << "\nsum " << counts.distance_sum() << ", eccentricity " << counts.depth() << '\n';

  // The next search ends the view: using it is an error.
  searcher.run({.sources = {3}});
  try {
    (void)view.distance();
  } catch (const hopwave::Error& error) {
    std::cout << error.id() << '\n';
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
