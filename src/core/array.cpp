// Memory of Array: aligned for vector loads, never zeroed, and large blocks on huge pages where the system provides
// them.
#include "hopwave/array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include "core/bytes_text.h"
#include "core/refuse.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1::detail {

std::shared_ptr<void> allocate_values(std::size_t count, std::size_t size) {
  if (count == 0) return nullptr;
  constexpr std::size_t alignment = 64, huge_page = std::size_t{2} << 20;
  std::size_t bytes = 0;
  const bool too_many = __builtin_mul_overflow(count, size, &bytes);
  const bool large = bytes >= 4 * huge_page;
  const std::size_t align = large ? huge_page : alignment;
  const std::size_t rounded = (bytes + align - 1) / align * align;
  void* p = too_many || rounded < bytes ? nullptr : std::aligned_alloc(align, rounded);
  if (!p)
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-MEMORY",
                 .found = (too_many ? std::to_string(count) + " values of " + bytes_text(size) : bytes_text(bytes)) +
                          " wanted in one block, which the system does not have",
                 .hint = "close other programs, use a machine with more memory, or a smaller graph"});
  if (large) madvise(p, rounded, MADV_HUGEPAGE);
  return {p, [](void* q) { std::free(q); }};
}

void refuse_index(std::size_t index, std::size_t size) {
  core::refuse("HW-ARRAY-INDEX", "index " + std::to_string(index),
               size ? "0 to " + std::to_string(size - 1) : "none: the array is empty");
}

void refuse_owner() {
  core::refuse("HW-ARRAY-OWNER", "an array of memory that has no owner", "values, and an owner that keeps them alive");
}

}  // namespace hopwave::inline v0_1::detail
