// What a caller asked for is wrong.
#pragma once

#include <string>
#include <utility>

#include "hopwave/error.h"

namespace hopwave::core {

/// Throws an Error of Failure::usage.
[[noreturn]] inline void refuse(std::string id, std::string found, std::string expected, std::string hint = {}) {
  throw Error({.failure = Failure::usage,
               .id = std::move(id),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

}  // namespace hopwave::core
