// A call of CUDA's runtime as a Status.
#pragma once

#include <cuda_runtime_api.h>

#include "core/device_api.h"

namespace hopwave::device {

/// The runtime keeps the last error for the next query. Here each error is reported once, by its own call.
inline Status done(cudaError_t error) {
  if (error != cudaSuccess) (void)cudaGetLastError();
  return static_cast<Status>(error);
}

}  // namespace hopwave::device
