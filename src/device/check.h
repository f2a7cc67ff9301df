// HW_CHECK(condition): what the code around it relies on, as a statement that runs. In the simulator a false condition ends the
// launch with HW-SIM-CHECK and the place; on a GPU it does so in a build with -DHOPWAVE_CHECKS=ON, where it prints the place
// and ends the launch with HW-DEVICE-LOST. In every other build it is no code: the condition is not evaluated, so it must have
// no effect of its own.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#if defined(HOPWAVE_CHECKS)
#if defined(__CUDACC__)
// As assert(), which a release build leaves out: prints the place, block and thread, and the host gets the error of a failed
// assertion.
#define HW_STOP_THREAD(condition) __assert_fail(condition, __FILE__, __LINE__, __func__)
#else
#include <cstdio>
#define HW_STOP_THREAD(condition)                                                                                       \
  do {                                                                                                                  \
    printf("check failed: %s at %s:%d, block %u, thread %u\n", condition, __FILE__, __LINE__, blockIdx.x, threadIdx.x); \
    abort();                                                                                                            \
  } while (0)
#endif
#define HW_CHECK(...)                                 \
  do {                                                \
    if (!(__VA_ARGS__)) HW_STOP_THREAD(#__VA_ARGS__); \
  } while (0)
#else
#define HW_CHECK(...) static_cast<void>(sizeof((__VA_ARGS__) ? 1 : 0))
#endif
#else
#include "simulator/words.h"
#define HW_CHECK(...)                                                                                     \
  do {                                                                                                    \
    if (!(__VA_ARGS__)) ::hopwave::sim::check_failed(#__VA_ARGS__, ::hopwave::SourceLocation::current()); \
  } while (0)
#endif
