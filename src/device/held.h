// A word of the kernel vocabulary that few kernels want: held(x) is x, in a register. Without it nvcc works addresses in shared
// memory and lane numbers out anew at every use, which costs a loop of short dependent steps a third of its instructions.
#pragma once

#include "device/kernel.h"

namespace hopwave::HW_MACHINE::dev {

#if defined(__CUDACC__) && !defined(HOPWAVE_HIP_NVIDIA)
/// Of a pointer into shared memory, which stays known as one.
template <class T>
HW_DEVICE T* held(T* shared) {
  asm volatile("" : "+l"(shared));
#ifdef __CUDA_ARCH__
  __builtin_assume(__isShared(shared));
#endif
  return shared;
}
HW_DEVICE u32 held(u32 value) {
  asm volatile("" : "+r"(value));
  return value;
}
#else
template <class T>
HW_DEVICE T held(T value) {
  return value;
}
#endif

}  // namespace hopwave::HW_MACHINE::dev
