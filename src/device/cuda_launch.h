// Launches of CUDA's: what a kernel must be allowed first, launches between two events, what fits on a multiprocessor.
// Each is an entry of Api (api.h says what it does).
#pragma once

#include "core/device_api.h"

namespace hopwave::device::cuda {

Status launch(const LaunchShape& shape, const void* kernel, void** arguments, Thunk thunk, StreamHandle stream);
Status launch_between(void** kept, EventHandle from, EventHandle to, const LaunchShape& shape, const void* kernel,
                      void** arguments, Thunk thunk, StreamHandle stream);
void forget_launch(void* kept);
Status blocks_per_multiprocessor(int* blocks, const void* kernel, int block, std::size_t shared_bytes);
Status largest_cluster(int* blocks, const void* kernel, int wanted, int block, std::size_t shared_bytes);

}  // namespace hopwave::device::cuda
