// The calls that may fail. In a test program (HOPWAVE_FAULTS_WRAP) each stands for __wrap_NAME; in the preloaded library it
// takes the place of the system's function.
#include "faults/inject.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace hopwave::faults {

State own;
State* used = &own;

namespace {
bool counts(Kind kind, int fd) {
  struct stat info {};
  // The tool's own signals between threads are no output.
  return (kind != Kind::read && kind != Kind::write) || (::fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) != 0);
}
}  // namespace

State& state() { return *used; }

bool fails(Kind kind) {
  State& s = state();
  if (s.active.load(std::memory_order_relaxed) == 0) return false;
  if (kind == Kind::memory && s.in_launch.load(std::memory_order_relaxed) != 0) return false;
  const std::uint64_t call = s.calls[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed) + 1;
  const std::uint64_t at = s.fail_at.load(std::memory_order_relaxed);
  if (at == 0 || s.kind.load(std::memory_order_relaxed) != static_cast<std::uint32_t>(kind)) return false;
  const Mode mode = static_cast<Mode>(s.mode.load(std::memory_order_relaxed));
  if (call < at || (call > at && mode != Mode::onwards)) return false;
  s.hit.store(1, std::memory_order_relaxed);
  if (mode == Mode::kill) ::kill(::getpid(), SIGKILL);
  return true;
}

namespace {

Mode mode() { return static_cast<Mode>(state().mode.load(std::memory_order_relaxed)); }

template <class Result>
Result failed(int reason, Result value) {
  errno = mode() == Mode::interrupted ? EINTR : reason;
  return value;
}

/// read, pread and write: an error, or half of the bytes.
template <class Real>
ssize_t transfer(Kind kind, int fd, std::size_t count, int reason, Real&& real) {
  if (!counts(kind, fd) || !fails(kind)) return real(count);
  if (mode() == Mode::kill_half) {
    real(count / 2);
    ::kill(::getpid(), SIGKILL);
  }
  if (mode() == Mode::partial) return real(count > 1 ? count / 2 : count);
  return failed(reason, ssize_t{-1});
}

}  // namespace
}  // namespace hopwave::faults

using hopwave::faults::failed;
using hopwave::faults::fails;
using hopwave::faults::Kind;
using hopwave::faults::state;
using hopwave::faults::transfer;

// HOOK(result, name, (parameters)) { body }: `name` is given to the symbol alone, so the system's headers do not object.
#ifdef HOPWAVE_FAULTS_WRAP
#define HOOK(result, name, parameters)                               \
  extern "C" result real_##name parameters __asm__("__real_" #name); \
  extern "C" result hook_##name parameters __asm__("__wrap_" #name); \
  result hook_##name parameters
#define REAL(name) real_##name
#else
#define HOOK(result, name, parameters)                                                            \
  [[maybe_unused]] static result(*real_##name) parameters = nullptr;                              \
  extern "C" __attribute__((visibility("default"))) result hook_##name parameters __asm__(#name); \
  result hook_##name parameters
#define REAL(name) system_function(real_##name, #name)

/// The loader is asked once.
template <class Function>
static Function system_function(Function& kept, const char* name) {
  if (!kept) kept = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  return kept;
}
#endif

// Memory.
#ifdef HOPWAVE_FAULTS_WRAP
extern "C" void* __real_malloc(std::size_t bytes);
extern "C" void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
extern "C" void __real_free(void* p);

namespace {
void* counted(void* p) {
  if (p) state().live.fetch_add(1, std::memory_order_relaxed);
  return p;
}
void* take(std::size_t bytes) {
  void* p = fails(Kind::memory) ? nullptr : __real_malloc(bytes ? bytes : 1);
  if (!p) throw std::bad_alloc();
  return counted(p);
}
void* take(std::size_t bytes, std::size_t alignment) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* p = fails(Kind::memory) ? nullptr : __real_aligned_alloc(alignment, rounded ? rounded : alignment);
  if (!p) throw std::bad_alloc();
  return counted(p);
}
void give(void* p) {
  if (p) state().live.fetch_sub(1, std::memory_order_relaxed);
  __real_free(p);
}
}  // namespace

HOOK(void*, malloc, (std::size_t bytes)) { return fails(Kind::memory) ? nullptr : counted(__real_malloc(bytes)); }
HOOK(void*, calloc, (std::size_t count, std::size_t size)) {
  return fails(Kind::memory) ? nullptr : counted(REAL(calloc)(count, size));
}
HOOK(void*, realloc, (void* p, std::size_t bytes)) {
  if (fails(Kind::memory)) return nullptr;
  return p ? REAL(realloc)(p, bytes) : counted(REAL(realloc)(p, bytes));
}
HOOK(void*, aligned_alloc, (std::size_t alignment, std::size_t bytes)) {
  return fails(Kind::memory) ? nullptr : counted(__real_aligned_alloc(alignment, bytes));
}
HOOK(void, free, (void* p)) { give(p); }

void* operator new(std::size_t bytes) { return take(bytes); }
void* operator new[](std::size_t bytes) { return take(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return take(bytes, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return take(bytes, static_cast<std::size_t>(alignment)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return fails(Kind::memory) ? nullptr : counted(__real_malloc(bytes ? bytes : 1));
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return fails(Kind::memory) ? nullptr : counted(__real_malloc(bytes ? bytes : 1));
}
void operator delete(void* p) noexcept { give(p); }
void operator delete[](void* p) noexcept { give(p); }
void operator delete(void* p, std::size_t) noexcept { give(p); }
void operator delete[](void* p, std::size_t) noexcept { give(p); }
void operator delete(void* p, std::align_val_t) noexcept { give(p); }
void operator delete[](void* p, std::align_val_t) noexcept { give(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { give(p); }
#else
extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);
extern "C" void* __libc_realloc(void* p, std::size_t bytes);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t bytes);

HOOK(void*, malloc, (std::size_t bytes)) { return fails(Kind::memory) ? failed<void*>(ENOMEM, nullptr) : __libc_malloc(bytes); }
HOOK(void*, calloc, (std::size_t count, std::size_t size)) {
  return fails(Kind::memory) ? failed<void*>(ENOMEM, nullptr) : __libc_calloc(count, size);
}
HOOK(void*, realloc, (void* p, std::size_t bytes)) {
  return fails(Kind::memory) ? failed<void*>(ENOMEM, nullptr) : __libc_realloc(p, bytes);
}
HOOK(void*, aligned_alloc, (std::size_t alignment, std::size_t bytes)) {
  return fails(Kind::memory) ? failed<void*>(ENOMEM, nullptr) : __libc_memalign(alignment, bytes);
}
#endif

// Threads. In a test program the standard library's own call is the one that can be reached.
#ifdef HOPWAVE_FAULTS_WRAP
// What the thread shall do is a unique_ptr of a private type: such arguments go by their address.
#define START_THREAD "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"
void real_start_thread(std::thread* thread, void* work, void (*depend)()) __asm__("__real_" START_THREAD);
void hook_start_thread(std::thread* thread, void* work, void (*depend)()) __asm__("__wrap_" START_THREAD);
void hook_start_thread(std::thread* thread, void* work, void (*depend)()) {
  if (fails(Kind::thread)) throw std::system_error(EAGAIN, std::generic_category());
  real_start_thread(thread, work, depend);
}
#else
HOOK(int, pthread_create, (pthread_t * thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument)) {
  return fails(Kind::thread) ? EAGAIN : REAL(pthread_create)(thread, attributes, work, argument);
}
#endif

// Files.
HOOK(int, open, (const char* path, int flags, mode_t mode)) {
  return fails(Kind::open) ? failed(EMFILE, -1) : REAL(open)(path, flags, mode);
}
HOOK(int, __open_2, (const char* path, int flags)) {
  return fails(Kind::open) ? failed(EMFILE, -1) : REAL(__open_2)(path, flags);
}
HOOK(ssize_t, read, (int fd, void* to, std::size_t count)) {
  return transfer(Kind::read, fd, count, EIO, [&](std::size_t n) { return REAL(read)(fd, to, n); });
}
HOOK(ssize_t, __read_chk, (int fd, void* to, std::size_t count, std::size_t room)) {
  return transfer(Kind::read, fd, count, EIO, [&](std::size_t n) { return REAL(__read_chk)(fd, to, n, room); });
}
HOOK(ssize_t, pread, (int fd, void* to, std::size_t count, off_t at)) {
  return transfer(Kind::read, fd, count, EIO, [&](std::size_t n) { return REAL(pread)(fd, to, n, at); });
}
HOOK(ssize_t, __pread_chk, (int fd, void* to, std::size_t count, off_t at, std::size_t room)) {
  return transfer(Kind::read, fd, count, EIO, [&](std::size_t n) { return REAL(__pread_chk)(fd, to, n, at, room); });
}
HOOK(ssize_t, write, (int fd, const void* from, std::size_t count)) {
  return transfer(Kind::write, fd, count, ENOSPC, [&](std::size_t n) { return REAL(write)(fd, from, n); });
}
HOOK(int, fsync, (int fd)) { return fails(Kind::sync) ? failed(EIO, -1) : REAL(fsync)(fd); }
HOOK(int, rename, (const char* from, const char* to)) {
  return fails(Kind::rename) ? failed(EACCES, -1) : REAL(rename)(from, to);
}
HOOK(void*, mmap, (void* at, std::size_t bytes, int protection, int flags, int fd, off_t offset)) {
  return fails(Kind::map) ? failed(ENOMEM, MAP_FAILED) : REAL(mmap)(at, bytes, protection, flags, fd, offset);
}

#ifndef HOPWAVE_FAULTS_WRAP
// What the C++ library calls for its streams.
HOOK(FILE*, fopen, (const char* path, const char* how)) {
  return fails(Kind::open) ? failed<FILE*>(EMFILE, nullptr) : REAL(fopen)(path, how);
}
HOOK(FILE*, fopen64, (const char* path, const char* how)) {
  return fails(Kind::open) ? failed<FILE*>(EMFILE, nullptr) : REAL(fopen64)(path, how);
}
HOOK(int, open64, (const char* path, int flags, mode_t mode)) {
  return fails(Kind::open) ? failed(EMFILE, -1) : REAL(open64)(path, flags, mode);
}

// Faults begin with main() and end with it: what the loader does before is not the tool's.
static int (*real_main)(int, char**, char**) = nullptr;

static int main_with_faults(int argc, char** argv, char** environment) {
  if (const char* file = getenv("HOPWAVE_FAULTS")) {
    const int fd = REAL(open)(file, O_RDWR | O_CLOEXEC, 0);
    void* shared =
        fd < 0 ? MAP_FAILED : REAL(mmap)(nullptr, sizeof(hopwave::faults::State), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared == MAP_FAILED) _exit(126);
    ::close(fd);
    hopwave::faults::used = static_cast<hopwave::faults::State*>(shared);
  }
  state().active = 1;
  const int code = real_main(argc, argv, environment);
  state().active = 0;
  return code;
}

HOOK(int, __libc_start_main,
     (int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(), void (*loader)(), void* stack)) {
  real_main = main;
  return REAL(__libc_start_main)(main_with_faults, argc, argv, init, fini, loader, stack);
}
#endif
