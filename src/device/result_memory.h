// Pinned host memory for answers. A copy to it goes at the bus's full speed, straight from the device and without a page fault;
// the same bytes take five times as long into memory that is new to the process. Pinning is slow, so what an answer gives back
// is kept for the next.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "device/device.h"
#include "hopwave/array.h"

namespace hopwave::device {

enum class Pin {
  if_kept,  ///< only what an earlier answer gave back
  to_keep,  ///< and new memory, if the pool may keep as much afterwards
  anew      ///< and new memory
};

/// `bytes` of pinned memory, not initialised, which goes back to the process's pool when the last owner dies, on any thread,
/// with or without the device. Null: none is kept, or answers hold as much as they may (a quarter of the machine's memory, at
/// most 8 GiB), or the system refuses: the caller takes ordinary memory. The pool keeps at most a sixteenth of the machine's
/// memory, and 1 GiB; the rest goes back to the system.
std::shared_ptr<void> take_result_memory(Device& device, std::size_t bytes, Pin pin);

/// Host memory for `size` values, pinned if there is such memory.
template <class T>
Array<T> host_array(Device& device, std::size_t size, Pin pin) {
  auto memory = size ? take_result_memory(device, size * sizeof(T), pin) : nullptr;
  T* const to = static_cast<T*>(memory.get());
  return memory ? Array<T>(std::move(memory), to, size) : Array<T>(size);
}

/// Bytes that answers hold now, and bytes that the pool keeps for others. For tests.
struct ResultMemory {
  std::size_t held = 0, kept = 0;
};
ResultMemory result_memory(const Api& api);
/// Gives what is kept back to the system. For tests that count memory.
void release_kept_results(const Api& api) noexcept;

}  // namespace hopwave::device
