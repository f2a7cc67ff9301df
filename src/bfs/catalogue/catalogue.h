// bfs/catalogue: strategies by name, and what they take. The table is generated; no strategy is named here.
//
// Looking up strategies: the generated table with `auto` as a caller sees it, and the parameters of one of them.
#pragma once

#include <string_view>

#include "bfs/plan/plan.h"

namespace hopwave::search_detail {

/// The descriptor that describes a row: every row has one for the CPU or for the simulator.
const strategy::Descriptor& describe(const strategy::TableRow& row);

/// The row of this name; null if there is none.
const strategy::TableRow* find_row(std::string_view name);

/// Fills in what the caller left out. Throws HW-PARAM-UNKNOWN, HW-PARAM-RANGE.
Parameters complete_parameters(const StrategyInfo& info, const Parameters& given);

}  // namespace hopwave::search_detail
