// What a strategy holds on a device, array by array, as `hopwave estimate --strategy` prints it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bfs/catalogue/residency.h"
#include "cli/frame/console.h"
#include "cli/frame/json.h"
#include "hopwave/estimate.h"
#include "hopwave/search.h"

namespace hopwave::cli {

/// What --strategy adds.
struct Counted {
  StrategyInfo info;
  strategy::StorageShape shape;
  std::optional<strategy::Storage> storage;  ///< nothing for `auto` and on a CPU: bounds are all that is known
};

Json to_json(const Counted& counted, const MemoryEstimate& e);

/// Gets a label, which may be empty, and the text after it.
using PrintLine = std::function<void(std::string_view label, const std::string& text)>;
/// One line per kind of array, and one per kernel.
void print_storage(const Counted& counted, const MemoryEstimate& e, const PrintLine& line);
/// A table of those whose arrays are counted: one row per strategy.
void print_storages(const std::vector<Counted>& all, Console& console);

}  // namespace hopwave::cli
