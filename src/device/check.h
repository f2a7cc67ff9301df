// HW_CHECK(condition): what the code around it relies on, as a statement that runs. In the simulator a false condition ends the
// launch with HW-SIM-CHECK and the place; on a GPU it does so in a build with -DHOPWAVE_CHECKS=ON, where it prints the place
// and traps. In every other build it is no code: the condition is not evaluated, so it must have no effect of its own.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#if defined(HOPWAVE_CHECKS)
#include <cstdio>
#if defined(__CUDACC__)
#define HW_STOP_THREAD __trap()
#else
#define HW_STOP_THREAD abort()
#endif
#define HW_CHECK(...)                                                                                                        \
  do {                                                                                                                       \
    if (!(__VA_ARGS__)) {                                                                                                    \
      printf("check failed: %s at %s:%d, block %u, thread %u\n", #__VA_ARGS__, __FILE__, __LINE__, blockIdx.x, threadIdx.x); \
      HW_STOP_THREAD;                                                                                                        \
    }                                                                                                                        \
  } while (0)
#else
#define HW_CHECK(...) static_cast<void>(sizeof((__VA_ARGS__) ? 1 : 0))
#endif
#else
#include "device/sim/words.h"
#define HW_CHECK(...)                                                                                     \
  do {                                                                                                    \
    if (!(__VA_ARGS__)) ::hopwave::sim::check_failed(#__VA_ARGS__, ::hopwave::SourceLocation::current()); \
  } while (0)
#endif
