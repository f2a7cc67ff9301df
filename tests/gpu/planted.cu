// Planted GPU bugs, one a compute-sanitizer tool: `planted memcheck|racecheck|initcheck|synccheck`.
// scripts/gpu-check runs each under its tool first: a tool that misses its bug proves nothing by silence.
#include <cstdio>
#include <cstring>

namespace {

__global__ void out_of_bounds(int* p, int size) {
  // One past the end, by the last thread only.
  p[threadIdx.x + 1 == blockDim.x ? size : threadIdx.x] = 1;
}

__global__ void missing_barrier(int* out) {
  __shared__ int value[64];
  value[threadIdx.x] = static_cast<int>(threadIdx.x);
  // No __syncthreads() here: the neighbour may be in another warp.
  out[threadIdx.x] = value[(threadIdx.x + 32) % 64];
}

__global__ void copy_ints(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void divergent_barrier(int* p) {
  if (threadIdx.x < 16) __syncthreads();
  p[threadIdx.x] = 1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "";
  int *a = nullptr, *b = nullptr;
  if (cudaMalloc(&a, 64 * sizeof(int)) != cudaSuccess || cudaMalloc(&b, 64 * sizeof(int)) != cudaSuccess) return 1;
  if (std::strcmp(kind, "memcheck") == 0) {
    out_of_bounds<<<1, 64>>>(a, 64);
  } else if (std::strcmp(kind, "racecheck") == 0) {
    missing_barrier<<<1, 64>>>(a);
  } else if (std::strcmp(kind, "initcheck") == 0) {
    copy_ints<<<1, 64>>>(a, b);  // a was never written
  } else if (std::strcmp(kind, "synccheck") == 0) {
    divergent_barrier<<<1, 32>>>(a);
  } else {
    std::fprintf(stderr, "usage: planted memcheck|racecheck|initcheck|synccheck\n");
    return 2;
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("planted %s: %s\n", kind, cudaGetErrorString(error));
  cudaFree(a);
  cudaFree(b);
  return 0;
}
