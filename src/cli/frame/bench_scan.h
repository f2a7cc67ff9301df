// What the words of `hopwave bench` mean: strategies by name or group, values of parameters, their combinations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::cli {

/// A parameter and the values to try.
using Scan = std::pair<std::string, std::vector<std::int64_t>>;

/// Throws HW-USAGE-VALUE.
[[noreturn]] void bad_value(std::string_view option, const std::string& found, const std::string& expected);
std::int64_t integer_value(std::string_view option, std::string_view text);

/// "width=4,8,16", "block=64..1024" (doubling) or "defer=0..64..8" (steps of 8).
Scan parse_scan(const std::string& text);

/// A strategy to be compared with others. Throws HW-STRATEGY-LITERAL for a printed listing, whose answer may be wrong.
const StrategyInfo& compared(std::string_view name);

/// Names, or all, cpu, gpu, or a prefix with *: survey-*.
std::vector<std::string> chosen_strategies(const std::string& text);

/// Where one of several strategies runs. CPU strategies always run on the CPU, so that a list may have both kinds.
DeviceKind place_of(const StrategyInfo& info, DeviceKind asked, std::size_t strategies);

bool takes(const StrategyInfo& info, const std::string& parameter);

/// A strategy without the parameters of a scan runs once, without them.
std::vector<Parameters> configurations(const StrategyInfo& info, const Parameters& fixed, const std::vector<Scan>& scans);

}  // namespace hopwave::cli
