// What memory is left, by its reasons. hopwave/estimate.h has both together.
#pragma once

#include <cstdint>

namespace hopwave::search_detail {

/// Returns host_memory_free() without this process's own limits: the memory shared with others on the machine or in the
/// control group.
std::uint64_t shared_memory_free();
/// Returns this process's own limit (`ulimit -v` or `-d`); all bits set if there is none.
std::uint64_t process_memory_limit();

}  // namespace hopwave::search_detail
