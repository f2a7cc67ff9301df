// Two buffers of a kernel's parameters by turns. An array that is indexed by a number which the compiler does not know
// would be copied to the thread's own memory, which is slow; a choice of two pointers stays in registers.
#pragma once

#include "device/kernel.h"

namespace hopwave::HW_MACHINE::dev {

/// The buffer whose turn it is: the second if `turn` is not 0. The names are those of CUB's DoubleBuffer.
/// Who calls: any thread, alone; all that share the buffers, with the same turn. Cost: one select.
template <class T>
HW_DEVICE T* current_of(T* const (&pair)[2], u32 turn) {
  return turn ? pair[1] : pair[0];
}

/// The other one. Callers and cost as above.
template <class T>
HW_DEVICE T* alternate_of(T* const (&pair)[2], u32 turn) {
  return turn ? pair[0] : pair[1];
}

}  // namespace hopwave::HW_MACHINE::dev
