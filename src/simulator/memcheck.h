// Calls to memcheck: valgrind tracks for each bit of memory and registers whether it has a defined value. It is
// notified of device memory, shared memory and stacks. Empty in builds without HOPWAVE_VALGRIND.
#pragma once

#include <cstddef>

#ifdef HOPWAVE_VALGRIND
#include <valgrind/memcheck.h>
#endif

namespace hopwave::sim::memcheck {

#ifdef HOPWAVE_VALGRIND
/// Whether this process runs in valgrind.
inline const bool active = [] { return RUNNING_ON_VALGRIND != 0; }();
/// Marks memory as not yet written.
inline void forget(void* p, std::size_t bytes) { static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(p, bytes)); }
/// Marks memory as inaccessible.
inline void forbid(void* p, std::size_t bytes) { static_cast<void>(VALGRIND_MAKE_MEM_NOACCESS(p, bytes)); }
/// Reports bytes that were never written, with the place of the call.
inline void need(const void* p, std::size_t bytes) { static_cast<void>(VALGRIND_CHECK_MEM_IS_DEFINED(p, bytes)); }
/// Marks memory as defined from here on.
inline void trust(void* p, std::size_t bytes) { static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(p, bytes)); }
inline unsigned add_stack(const void* lowest, std::size_t bytes) {
  return VALGRIND_STACK_REGISTER(lowest, static_cast<const char*>(lowest) + bytes - 1);
}
inline void remove_stack(unsigned number) { VALGRIND_STACK_DEREGISTER(number); }
#else
inline constexpr bool active = false;
inline void forget(void*, std::size_t) {}
inline void forbid(void*, std::size_t) {}
inline void need(const void*, std::size_t) {}
inline void trust(void*, std::size_t) {}
inline unsigned add_stack(const void*, std::size_t) { return 0; }
inline void remove_stack(unsigned) {}
#endif

/// Returns the same value, marked as defined: for the simulator's own decisions, which are not errors of the kernel.
template <class T>
T trusted(T value) {
  if (active) trust(&value, sizeof(T));
  return value;
}
/// Reports an undefined value, and returns it as defined, so that it is reported once.
template <class T>
T needed(T value) {
  if (active) need(&value, sizeof(T));
  return trusted(value);
}

}  // namespace hopwave::sim::memcheck
