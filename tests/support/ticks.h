// Ticks for a part of a test: core/clock.h.
#pragma once

#include <cstdint>

#include "core/clock.h"

namespace hopwave::testing {

class Ticks {
 public:
  Ticks() noexcept { core::use_ticks(); }
  ~Ticks() { core::use_ticks(false); }
  Ticks(const Ticks&) = delete;
  Ticks& operator=(const Ticks&) = delete;

  /// Looks until now: the milliseconds that have passed.
  [[nodiscard]] std::uint64_t looks() const noexcept { return core::looks(); }
  /// Lets time pass, as a test's own progress does between steps.
  void pass(std::uint64_t milliseconds = 1) noexcept {
    while (milliseconds-- > 0) static_cast<void>(core::look());
  }
};

}  // namespace hopwave::testing
