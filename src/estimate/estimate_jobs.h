// estimate: the memory of a job before it runs. Nothing here runs one.
//
// Jobs other than a search.
#pragma once

#include "hopwave/estimate.h"

namespace hopwave::search_detail {

/// Returns the memory of a job other than EstimateJob::search.
MemoryEstimate estimate_job(const GraphSize& size, const EstimateOptions& options);

}  // namespace hopwave::search_detail
