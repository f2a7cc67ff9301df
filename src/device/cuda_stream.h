// A stream of CUDA's with what belongs to it. Part of the calls in cuda_api.cpp and cuda_launch.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <unordered_map>

#include "device/cuda_staging.h"

namespace hopwave::device {

/// A stream with what belongs to it: staging memory for copies, and what kernels have been allowed.
struct Stream {
  static constexpr int most_copiers = 8;  // one host thread copies about 10 GB/s, the bus takes 55
  cudaStream_t stream = nullptr;
  cudaMemPool_t pool = nullptr;  ///< null: memory comes from cudaMalloc
  bool adopted = false;          ///< the caller's stream
  Staging staging[most_copiers];
  struct Allowed {
    std::size_t shared_bytes = 0;
    bool wide_clusters = false;
  };
  std::unordered_map<const void*, Allowed> allowed;
};

inline Stream& of(StreamHandle handle) { return *static_cast<Stream*>(handle); }
inline cudaStream_t raw(StreamHandle handle) { return of(handle).stream; }

}  // namespace hopwave::device
