// Memory behind Array: aligned for vector loads, never zeroed, large blocks on huge pages where the system gives them.
#include "hopwave/array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include "core/bytes_text.h"
#include "hopwave/error.h"

namespace hopwave::detail {

std::shared_ptr<void> allocate_bytes(std::size_t bytes) {
  constexpr std::size_t alignment = 64, huge_page = std::size_t{2} << 20;
  const bool large = bytes >= 4 * huge_page;
  const std::size_t align = large ? huge_page : alignment;
  const std::size_t rounded = (bytes + align - 1) / align * align;
  void* p = rounded < bytes ? nullptr : std::aligned_alloc(align, rounded);
  if (!p)
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-MEMORY",
                 .found = bytes_text(bytes) + " wanted in one block, and the system has not got them",
                 .hint = "close other programs, use a machine with more memory, or a smaller graph"});
  if (large) madvise(p, rounded, MADV_HUGEPAGE);
  return {p, [](void* q) { std::free(q); }};
}

}  // namespace hopwave::detail
