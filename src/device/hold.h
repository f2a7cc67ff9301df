// A word in addition to kernel.h, for loops in which each instruction counts: keeps a value in its register, where the compiler
// would compute it again from constant memory each time.
#pragma once

#include "device/kernel.h"

namespace hopwave::HW_MACHINE::dev {

#if defined(__CUDA_ARCH__)
HW_DEVICE void hold(u32& v) { asm volatile("" : "+r"(v)); }
#else
HW_DEVICE void hold(u32&) {}
#endif

}  // namespace hopwave::HW_MACHINE::dev
