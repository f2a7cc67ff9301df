// Fiber: a stack and a position in the code, switched by a few instructions. Sanitizers are notified of each switch.
// For ThreadSanitizer each fiber is a thread, and a switch orders nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopwave::sim {

/// The context of a stack: a fiber, or the host thread that called launch.
class Fiber {
 public:
  /// The caller's own stack. It is only switched from and back to, on one CPU thread between two calls of adopt().
  Fiber() = default;
  void adopt();
  /// Notifies the sanitizer that this logical thread does what follows, without a switch of stacks (and without order).
  void pose() const;
  /// A new stack, on which entry(argument) runs at the first switch. `index` spreads stacks over cache sets.
  Fiber(void (*entry)(void*), void* argument, std::size_t index);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Leaves `from`, which must be the running fiber, and continues here.
  void switch_from(Fiber& from);

  void* stack_pointer = nullptr;  // first member: the assembly relies on its position

 private:
  void start();
  static void begin(Fiber* fiber);
  friend void fiber_begin(Fiber* fiber);

  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
  std::size_t index_ = 0;
  char* mapping_ = nullptr;
  const void* stack_ = nullptr;  // lowest usable address, for AddressSanitizer
  std::size_t stack_bytes_ = 0;
  [[maybe_unused]] void* fake_stack_ = nullptr;  // AddressSanitizer's
  Fiber* came_from_ = nullptr;
  [[maybe_unused]] void* logical_ = nullptr;  // ThreadSanitizer's thread
  unsigned memcheck_stack_ = 0;               // the stack's number in valgrind
};

// ThreadSanitizer's view, empty in other builds.
namespace tsan {
void acquire(void* token);
void release(void* token);
/// During its lifetime, accesses of this thread are not checked: those to the simulator's own tables, copied by
/// memcpy(), which the sanitizer intercepts in every object.
struct Unseen {
  Unseen();
  ~Unseen();  // NOLINT(performance-trivially-destructible): under ThreadSanitizer it does something
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
};
/// Forgets accesses to this memory without ordering anything, for new pages at the same address.
void renew(void* p, std::size_t bytes);
#ifdef HW_THREAD_SANITIZER
inline constexpr bool active = true;
#else
inline constexpr bool active = false;
#endif
}  // namespace tsan

// AddressSanitizer's view and memcheck's, empty in other builds.
namespace asan {
void poison(void* p, std::size_t bytes);
void unpoison(void* p, std::size_t bytes);
}  // namespace asan

}  // namespace hopwave::sim
