// What a search that several devices share may be asked for, by a searcher or by Graph500 on devices.
#pragma once

#include <string>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::search_detail {

/// Throws HW-PARTITION-OPTIONS.
[[noreturn]] void not_partitioned(const std::string& found, const std::string& expected);

/// Fills in what the caller left out. Throws HW-PARTITION-OPTIONS for what is not used or cannot be, and what
/// `complete_parameters` throws.
Parameters partition_parameters(const Parameters& given, ScheduleKind schedule);

/// Throws HW-OPTION-REPLICAS where a device is named twice.
void check_devices(std::vector<int> ordinals);

}  // namespace hopwave::search_detail
