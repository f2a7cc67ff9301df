// Stacks from mmap, each with a guard page below it (under ThreadSanitizer many in one mapping, without guards), and
// the switch itself: callee-saved registers, stack pointer, return.
#include "simulator/fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <new>
#include <utility>

#include "core/sanitized.h"
#include "simulator/memcheck.h"
#include "simulator/spin_lock.h"

#ifdef HW_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// The simulator is compiled without thread sanitizing, so a macro of the build states whether the runtime is present.
#ifdef HW_THREAD_SANITIZER
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

extern "C" void hopwave_switch_stack(void** save, void* to);
extern "C" void hopwave_first_step();

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl hopwave_switch_stack
.hidden hopwave_switch_stack
.type hopwave_switch_stack,@function
hopwave_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size hopwave_switch_stack,.-hopwave_switch_stack
.globl hopwave_first_step
.hidden hopwave_first_step
.type hopwave_first_step,@function
hopwave_first_step:
  movq %rbx, %rdi
  xorl %ebp, %ebp
  call hopwave_fiber_begin
  ud2
.size hopwave_first_step,.-hopwave_first_step
)");
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl hopwave_switch_stack
.hidden hopwave_switch_stack
.type hopwave_switch_stack,%function
hopwave_switch_stack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size hopwave_switch_stack,.-hopwave_switch_stack
.globl hopwave_first_step
.hidden hopwave_first_step
.type hopwave_first_step,%function
hopwave_first_step:
  mov x0, x19
  mov x29, xzr
  bl hopwave_fiber_begin
  brk #1
.size hopwave_first_step,.-hopwave_first_step
)");
#else
#error "the simulator switches fibers on x86-64 and aarch64"
#endif

namespace hopwave::sim {

namespace {
#if defined(HW_ADDRESS_SANITIZER) || defined(HW_THREAD_SANITIZER)
constexpr std::size_t usable_bytes = 128 * 1024;
#else
constexpr std::size_t usable_bytes = 64 * 1024;
#endif

#ifdef HW_THREAD_SANITIZER
constexpr std::size_t guard_bytes = 0;

// Each thread of a launch has a stack here, and a process may have 65,530 mappings. The sanitizer adds two mappings to
// each, and four devices have 16,384 threads. Therefore many stacks share a mapping, and stay mapped.
struct Stacks {
  static constexpr std::size_t at_once = 64;
  std::atomic_flag busy;
  void* free = nullptr;  // a list through the first word of each stack
};
Stacks stacks;

char* take_stack() {
  const SpinLock lock(stacks.busy);
  if (!stacks.free) {
    void* p = mmap(nullptr, Stacks::at_once * usable_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    for (std::size_t i = 0; i < Stacks::at_once; ++i) {
      void* stack = static_cast<char*>(p) + i * usable_bytes;
      *static_cast<void**>(stack) = std::exchange(stacks.free, stack);
    }
  }
  return static_cast<char*>(std::exchange(stacks.free, *static_cast<void**>(stacks.free)));
}

void give_stack_back(char* stack) {
  tsan::renew(stack, usable_bytes);
  const SpinLock lock(stacks.busy);
  *reinterpret_cast<void**>(stack) = std::exchange(stacks.free, stack);
}
#else
constexpr std::size_t guard_bytes = 4096;

char* take_stack() {
  void* p =
      mmap(nullptr, guard_bytes + usable_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  mprotect(p, guard_bytes, PROT_NONE);
  return static_cast<char*>(p);
}

void give_stack_back(char* stack) { munmap(stack, guard_bytes + usable_bytes); }
#endif
}  // namespace

extern "C" void hopwave_fiber_begin(Fiber* fiber) { fiber_begin(fiber); }
void fiber_begin(Fiber* fiber) { Fiber::begin(fiber); }

Fiber::Fiber(void (*entry)(void*), void* argument, std::size_t index) : entry_(entry), argument_(argument), index_(index) {
  mapping_ = take_stack();
  stack_ = mapping_ + guard_bytes;
  stack_bytes_ = usable_bytes;
  memcheck_stack_ = memcheck::add_stack(stack_, stack_bytes_);
  start();
}

void Fiber::adopt() {
#ifdef HW_THREAD_SANITIZER
  logical_ = __tsan_get_current_fiber();
#endif
}

void Fiber::pose() const {
#ifdef HW_THREAD_SANITIZER
  constexpr unsigned no_sync = 1;
  __tsan_switch_to_fiber(logical_, no_sync);
#endif
}

Fiber::~Fiber() {
  if (!mapping_) return;
#ifdef HW_THREAD_SANITIZER
  __tsan_destroy_fiber(logical_);
#endif
  asan::unpoison(const_cast<void*>(stack_), stack_bytes_);
  memcheck::remove_stack(memcheck_stack_);
  give_stack_back(mapping_);
}

/// Prepares the stack so that the first switch calls entry_.
void Fiber::start() {
#ifdef HW_THREAD_SANITIZER
  logical_ = __tsan_create_fiber(0);
#endif
  // Stacks start at multiples of a page, so their most used ends would share a few cache sets: each is shifted a
  // little.
  const std::size_t shift = index_ % 32 * 192;
  void** top = reinterpret_cast<void**>(mapping_ + guard_bytes + usable_bytes - 64 - shift);
#if defined(__x86_64__)
  top -= 2;  // ends the chain of return addresses for unwinders, and aligns the stack to 16
  *--top = reinterpret_cast<void*>(&hopwave_first_step);
  *--top = nullptr;                              // rbp
  *--top = this;                                 // rbx
  for (int i = 0; i < 4; ++i) *--top = nullptr;  // r12 … r15
#else
  top -= 20;
  for (int i = 0; i < 20; ++i) top[i] = nullptr;
  top[0] = this;                                           // x19
  top[11] = reinterpret_cast<void*>(&hopwave_first_step);  // x30
#endif
  stack_pointer = top;
}

void Fiber::begin(Fiber* fiber) {
#ifdef HW_ADDRESS_SANITIZER
  Fiber* from = fiber->came_from_;
  __sanitizer_finish_switch_fiber(nullptr, &from->stack_, &from->stack_bytes_);
#endif
  fiber->entry_(fiber->argument_);
}

void Fiber::switch_from(Fiber& from) {
  came_from_ = &from;
#ifdef HW_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&from.fake_stack_, stack_, stack_bytes_);
#endif
  pose();
  hopwave_switch_stack(&from.stack_pointer, stack_pointer);
#ifdef HW_ADDRESS_SANITIZER
  Fiber* back_from = from.came_from_;
  __sanitizer_finish_switch_fiber(from.fake_stack_, &back_from->stack_, &back_from->stack_bytes_);
#endif
}

namespace tsan {
#ifdef HW_THREAD_SANITIZER
void acquire(void* token) { __tsan_acquire(token); }
void release(void* token) { __tsan_release(token); }
Unseen::Unseen() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
Unseen::~Unseen() {
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
void renew(void* p, std::size_t bytes) {
  mmap(p, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}
#else
void acquire(void*) {}
void release(void*) {}
Unseen::Unseen() = default;
Unseen::~Unseen() = default;
void renew(void*, std::size_t) {}
#endif
}  // namespace tsan

namespace asan {
#ifdef HW_ADDRESS_SANITIZER
void poison(void* p, std::size_t bytes) { __asan_poison_memory_region(p, bytes); }
void unpoison(void* p, std::size_t bytes) { __asan_unpoison_memory_region(p, bytes); }
#else
void poison(void* p, std::size_t bytes) { memcheck::forbid(p, bytes); }
void unpoison(void* p, std::size_t bytes) { memcheck::forget(p, bytes); }
#endif
}  // namespace asan

}  // namespace hopwave::sim
