// Memory that a thread needs for its first exception.
#pragma once

namespace hopwave::core {

/// Takes this thread's part of the thread-local data of the library and of the C++ runtime, which every exception uses. In a
/// library that was loaded by dlopen(), as Python loads it, this part is allocated at its first use, and the C library ends the
/// process if it does not get the memory. Returns false, and takes nothing, if there is no memory now. For the beginning of
/// threads that may throw.
bool take_thread_memory() noexcept;

}  // namespace hopwave::core
