// estimate: the memory of a job before it runs. Nothing here runs one.
//
// Jobs other than a search.
#pragma once

#include "hopwave/estimate.h"

namespace hopwave::search_detail {

/// Returns the memory of a job other than EstimateJob::search.
MemoryEstimate estimate_job(const GraphSize& size, const EstimateOptions& options);

/// Returns host_memory_free() without this process's own limits: the memory shared with others on the machine or in the
/// control group.
std::uint64_t shared_memory_free();
/// Returns this process's own limit (`ulimit -v` or `-d`); all bits set if there is none.
std::uint64_t process_memory_limit();

}  // namespace hopwave::search_detail
