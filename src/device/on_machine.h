// A kernel file is compiled once per machine, and what the host calls of it is name_sim, name_cuda or name_hip (HW_ON_MACHINE
// in kernel.h). HW_FOR_EACH_MACHINE declares those that this build has, and name(api): the one for a device.
//   HW_FOR_EACH_MACHINE(void, fill_rows, device::Device& device, int rows)
//   fill_rows(device.api())(device, 3);
// A file of the library calls it, and no kernel file does: what a build has is not known there.
#pragma once

#include "core/device_api.h"

#ifdef HOPWAVE_WITH_CUDA
#define HW_WITH_CUDA(...) __VA_ARGS__
#else
#define HW_WITH_CUDA(...)
#endif
#ifdef HOPWAVE_WITH_HIP
#define HW_WITH_HIP(...) __VA_ARGS__
#else
#define HW_WITH_HIP(...)
#endif

#define HW_FOR_EACH_MACHINE(Result, name, ...)                                  \
  Result name##_sim(__VA_ARGS__);                                               \
  HW_WITH_CUDA(Result name##_cuda(__VA_ARGS__);)                                \
  HW_WITH_HIP(Result name##_hip(__VA_ARGS__);)                                  \
  [[maybe_unused]] static inline auto* name(const hopwave::device::Api& api) {  \
    HW_WITH_CUDA(if (&api == hopwave::device::cuda_api()) return &name##_cuda;) \
    HW_WITH_HIP(if (&api == hopwave::device::hip_api()) return &name##_hip;)    \
    static_cast<void>(api);                                                     \
    return &name##_sim;                                                         \
  }
