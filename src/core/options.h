// core: what every folder needs: errors, arrays, threads, limits, the table of device calls. Nothing that knows a graph, a file
// format or a GPU's vendor.
//
// What every public call checks of its options: enumerations with names, counts of threads.
#pragma once

#include <string>
#include <type_traits>

#include "hopwave/error.h"

namespace hopwave::core {

/// Throws HW-OPTION-VALUE unless `value` is one of the enumeration's, which begin at 0 and end with `last`.
template <class Enum>
void require_named(Enum value, Enum last, const char* what) {
  const auto number = static_cast<std::underlying_type_t<Enum>>(value);
  if (number >= 0 && number <= static_cast<std::underlying_type_t<Enum>>(last)) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-OPTION-VALUE",
               .found = std::string(what) + " number " + std::to_string(number),
               .expected = "a named one"});
}

/// What an object stands on; throws HW-MOVED-FROM if it has lost that to another object.
template <class Pointer>
const Pointer& present(const Pointer& content, const char* what) {
  if (content) return content;
  throw Error({.failure = Failure::usage,
               .id = "HW-MOVED-FROM",
               .found = std::string("a ") + what + " whose content was moved to another",
               .expected = "the one that has it now"});
}

}  // namespace hopwave::core
