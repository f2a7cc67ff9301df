// The caller's kernel on the distances of a search, in the caller's stream. Only one number is copied to the host.
#include <cuda_runtime.h>
#include <hopwave/hopwave.h>

#include <exception>
#include <iostream>
#include <stdexcept>

namespace {

__global__ void count_odd(const hopwave::Distance* distance, hopwave::VertexId count, unsigned long long* odd) {
  for (unsigned long long v = blockIdx.x * blockDim.x + threadIdx.x; v < count; v += gridDim.x * blockDim.x)
    if (distance[v] >= 0 && distance[v] % 2) atomicAdd(odd, 1ull);
}

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

void run() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  unsigned long long* odd = nullptr;
  check(cudaMallocManaged(&odd, sizeof *odd));
  *odd = 0;
  {
    const hopwave::Graph graph = hopwave::load_graph("grid:100x100");
    hopwave::Searcher searcher(graph, {.run = {.device = hopwave::DeviceKind::gpu, .on = {.stream = stream}}});
    const hopwave::DeviceResult view = searcher.run_on_device({.sources = {0}});
    count_odd<<<64, 256, 0, stream>>>(view.distance(), view.num_vertices(), odd);
    check(cudaStreamSynchronize(stream));  // before the view ends with its searcher
  }
  std::cout << *odd << " vertices at an odd distance\n";
  check(cudaFree(odd));
  check(cudaStreamDestroy(stream));
}

}  // namespace

int main() try {
  if (!hopwave::device_info().gpu) {
    std::cout << "no GPU here: " << hopwave::device_info().why_not << '\n';
    return 77;  // the test counts it as skipped
  }
  run();
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
