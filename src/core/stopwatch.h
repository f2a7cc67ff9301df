// Wall-clock time since the start of the stopwatch.
#pragma once

#include <chrono>

#include "core/clock.h"
#include "hopwave/run.h"

namespace hopwave::core {

class Stopwatch {
 public:
  [[nodiscard]] Milliseconds elapsed() const { return Clock::now() - start_; }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  [[nodiscard]] double milliseconds() const { return seconds() * 1e3; }

 private:
  Clock::time_point start_ = Clock::now();
};

}  // namespace hopwave::core
