// Memcheck's view: valgrind follows for each bit of memory and registers whether anybody has given it a value. It is told of
// device memory, shared memory and stacks. Empty in builds without HOPWAVE_VALGRIND.
#pragma once

#include <cstddef>

#ifdef HOPWAVE_VALGRIND
#include <valgrind/memcheck.h>
#endif

namespace hopwave::sim::memcheck {

#ifdef HOPWAVE_VALGRIND
/// Is this process run by valgrind?
inline const bool active = [] { return RUNNING_ON_VALGRIND != 0; }();
/// Nobody has written this memory yet.
inline void forget(void* p, std::size_t bytes) { static_cast<void>(VALGRIND_MAKE_MEM_UNDEFINED(p, bytes)); }
/// Nobody may touch it.
inline void forbid(void* p, std::size_t bytes) { static_cast<void>(VALGRIND_MAKE_MEM_NOACCESS(p, bytes)); }
/// Reports bytes that nobody has written, with the place of the call.
inline void need(const void* p, std::size_t bytes) { static_cast<void>(VALGRIND_CHECK_MEM_IS_DEFINED(p, bytes)); }
/// Valgrind takes it for known from here on.
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

/// The same value, known to valgrind: for what the simulator itself decides by it, which is no fault of the kernel.
template <class T>
T trusted(T value) {
  if (active) trust(&value, sizeof(T));
  return value;
}
/// Reports a value that is not known, and gives it as known, so that it is reported once.
template <class T>
T needed(T value) {
  if (active) need(&value, sizeof(T));
  return trusted(value);
}

}  // namespace hopwave::sim::memcheck
