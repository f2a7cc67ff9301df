// Whether a sanitizer looks on, and which cases of a long test are tried then.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "core/sanitized.h"

namespace hopwave::testing {

/// Do tests try all that they know? Not under a sanitizer, where a case takes up to twenty times as long, and not in the gate
/// (HOPWAVE_TEST_SHORT), unless HOPWAVE_TEST_WHOLE is set: a part of the cases reaches the memory and the threads that all
/// reach, and `scripts/test nightly whole` tries all of them.
inline bool whole() {
  static const bool known = std::getenv("HOPWAVE_TEST_WHOLE") || (!sanitized && !std::getenv("HOPWAVE_TEST_SHORT"));
  return known;
}

/// Is case `i` of a test tried? If not all are, one in `parts` is: another under each sanitizer and without one. They are
/// spread as the golden ratio spreads them, so that cases in nested loops do not always meet the same value of the innermost.
inline bool tried(std::uint64_t i, std::uint64_t parts = 3) {
  const std::uint64_t place = (i * 0x9E3779B97F4A7C15u) >> 32;  // in 2^32nds
  constexpr std::uint64_t mine = address_sanitized ? 0 : thread_sanitized ? 1 : 2;
  return whole() || (place * parts) >> 32 == mine % parts;
}

}  // namespace hopwave::testing
