#include "core/thread_memory.h"

#include <cstdlib>
#include <exception>

namespace hopwave::core {
namespace {

constinit thread_local volatile char of_the_library = 0;

}  // namespace

bool take_thread_memory() noexcept {
  // More than the thread-local data of both. What is freed here is there for the next allocation of this thread.
  constexpr std::size_t enough = std::size_t{16} << 10;
  void* const volatile room = std::malloc(enough);
  if (!room) return false;
  std::free(room);
  of_the_library = 1;
  (void)std::uncaught_exceptions();
  return true;
}

}  // namespace hopwave::core
