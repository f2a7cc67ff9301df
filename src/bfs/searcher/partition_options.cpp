#include "bfs/searcher/partition_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "bfs/catalogue/catalogue.h"
#include "hopwave/error.h"

namespace hopwave::search_detail {

void not_partitioned(const std::string& found, const std::string& expected) {
  throw Error({.failure = Failure::usage,
               .id = "HW-PARTITION-OPTIONS",
               .found = found + " for a search of a graph that several GPUs share",
               .expected = expected,
               .hint = "without partitioning, one GPU searches a graph that fits into it"});
}

Parameters partition_parameters(const Parameters& given, ScheduleKind schedule) {
  if (schedule == ScheduleKind::load_buffering)
    not_partitioned("the schedule of load buffering, which takes a launch back", "another schedule");
  Parameters all = complete_parameters(find_strategy("auto"), given);
  constexpr std::array<std::string_view, 5> used = {"pull", "push", "block", "grid", "wide_offsets"};
  for (const auto& [name, value] : given)
    if (std::find(used.begin(), used.end(), name) == used.end())
      not_partitioned("parameter " + name, "pull, push, block, grid or wide_offsets");
  return all;
}

void check_devices(std::vector<int> ordinals) {
  std::sort(ordinals.begin(), ordinals.end());
  if (const auto twice = std::adjacent_find(ordinals.begin(), ordinals.end()); twice != ordinals.end())
    throw Error({.failure = Failure::usage,
                 .id = "HW-OPTION-REPLICAS",
                 .found = "device " + std::to_string(*twice) + " twice",
                 .expected = "each device once"});
}

}  // namespace hopwave::search_detail
