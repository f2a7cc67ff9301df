// Two words in addition to the vocabulary of kernels, for kernels that write much: several values by one store, and loops that
// stay loops.
#pragma once

#include "device/kernel.h"

#if defined(__CUDACC__) || defined(__HIPCC__)
#define HW_ROLLED _Pragma("unroll 1")  ///< before a loop that is not to be unrolled
#else
#define HW_ROLLED
#endif

namespace hopwave::HW_MACHINE::dev {

/// 2 or 4 values of four bytes side by side in global memory, by one store; `to` is aligned to all of them. Left to itself,
/// nvcc takes a vector apart that it has put together, and makes as many stores of it.
template <u32 count, class T>
HW_DEVICE void write_side(T* to, const T (&v)[count]) {
  static_assert(sizeof(T) == 4 && (count == 2 || count == 4));
#if defined(__CUDACC__)
  const u64 p = __cvta_generic_to_global(to);
  if constexpr (count == 4)
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory");
  else
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(v[0]), "r"(v[1]) : "memory");
#else
#if !defined(__HIPCC__)
  sim::need_global(to, sizeof(v), Place::current());
#endif
  for (u32 k = 0; k < count; ++k) to[k] = v[k];
#endif
}

}  // namespace hopwave::HW_MACHINE::dev
