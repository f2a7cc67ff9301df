// core: what all folders use: errors, arrays, threads, limits, the table of device calls. Nothing here depends on a
// graph, a file format or a GPU vendor.
//
// The checks of options that every public call makes: enumerations and thread counts.
#pragma once

#include <string>
#include <type_traits>

#include "hopwave/error.h"

namespace hopwave::core {

/// Throws HW-OPTION-VALUE unless `value` is a value of the enumeration, whose values run from 0 to `last`.
template <class Enum>
void require_named(Enum value, Enum last, const char* what) {
  const auto number = static_cast<std::underlying_type_t<Enum>>(value);
  if (number >= 0 && number <= static_cast<std::underlying_type_t<Enum>>(last)) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-OPTION-VALUE",
               .found = std::string(what) + " number " + std::to_string(number),
               .expected = "a named one"});
}

/// Checks an object's internal pointer; throws HW-MOVED-FROM if the object was moved from.
template <class Pointer>
const Pointer& present(const Pointer& content, const char* what) {
  if (content) return content;
  throw Error({.failure = Failure::usage,
               .id = "HW-MOVED-FROM",
               .found = std::string("a ") + what + " whose content was moved to another",
               .expected = "the object that has it now"});
}

}  // namespace hopwave::core
