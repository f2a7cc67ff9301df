// What jobs other than a search take.
#pragma once

#include "hopwave/estimate.h"

namespace hopwave::search_detail {

/// `options.job` is not EstimateJob::search.
MemoryEstimate estimate_job(const GraphSize& size, const EstimateOptions& options);

}  // namespace hopwave::search_detail
