// estimate: bytes of a job before it runs. Nothing here runs one.
//
// What jobs other than a search take.
#pragma once

#include "hopwave/estimate.h"

namespace hopwave::search_detail {

/// `options.job` is not EstimateJob::search.
MemoryEstimate estimate_job(const GraphSize& size, const EstimateOptions& options);

/// host_memory_free() without the limits of this process alone: what it shares with others of its machine or control group.
std::uint64_t shared_memory_free();
/// The limit of this process alone (`ulimit -v` or `-d`); all bits where there is none.
std::uint64_t process_memory_limit();

}  // namespace hopwave::search_detail
