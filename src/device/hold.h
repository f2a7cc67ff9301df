// A word beside kernel.h, for loops that count instructions: keeps a value in its register, where the compiler would work it
// out again from constant memory each time it is needed.
#pragma once

#include "device/kernel.h"

namespace hopwave::HW_MACHINE::dev {

#if defined(__CUDA_ARCH__)
HW_DEVICE void hold(u32& v) { asm volatile("" : "+r"(v)); }
#else
HW_DEVICE void hold(u32&) {}
#endif

}  // namespace hopwave::HW_MACHINE::dev
