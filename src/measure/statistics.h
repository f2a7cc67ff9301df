// Statistics of repeated measurements, as benchmarks quote them.
#pragma once

#include <span>

namespace hopwave::report {

struct Statistics {
  double min = 0, median = 0, mean = 0, max = 0;
  double deviation = 0;      ///< sample standard deviation; 0 for a single value
  double harmonic_mean = 0;  ///< of the values themselves; 0 if any is 0
};

/// All zero for no values.
Statistics statistics(std::span<const double> values);

}  // namespace hopwave::report
