// Words of the kernel vocabulary that few kernels want. held(x) is x, in a register: without it nvcc works addresses in shared
// memory and lane numbers out anew at every use, a third of the instructions of a loop of short dependent steps.
// poke(p, v) is a plain store to shared memory that others may make, too, of the same value.
// load_around(p) is *p; the memory around it is brought into the second-level cache, too.
#pragma once

#include <type_traits>

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
template <class T>
HW_DEVICE void poke(T* p, Value<T> v) {
  *p = v;
}
HW_DEVICE Quad load_around(const Quad* p) {
  Quad q;
  asm volatile("ld.global.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(q.x), "=r"(q.y), "=r"(q.z), "=r"(q.w)
               : "l"(__cvta_generic_to_global(p))
               : "memory");
  return q;
}
#else
template <class T>
HW_DEVICE T held(T value) {
#if !defined(__HIPCC__) && !defined(HOPWAVE_HIP_NVIDIA)
  if constexpr (std::is_pointer_v<T>) sim::need_shared(value, 1, Place::current());
#endif
  return value;
}
template <class T>
HW_DEVICE void poke(T* p, Value<T> v) {
  store(p, v);
}
HW_DEVICE Quad load_around(const Quad* p) {
#if !defined(__HIPCC__) && !defined(HOPWAVE_HIP_NVIDIA)
  sim::need_global(p, sizeof(Quad), Place::current());
#endif
  return plain_read(p);
}
#endif

}  // namespace hopwave::HW_MACHINE::dev
