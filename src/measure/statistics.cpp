// Statistics of a handful of values: sorting is the simplest way to a median.
#include "measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hopwave::report {

Statistics statistics(std::span<const double> values) {
  Statistics s;
  if (values.empty()) return s;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  const std::size_t middle = sorted.size() / 2;
  s.min = sorted.front();
  s.max = sorted.back();
  s.median = sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  double inverse = 0;
  for (double v : sorted) {
    s.mean += v / count;
    inverse += v > 0 ? 1 / v : INFINITY;
  }
  s.harmonic_mean = std::isfinite(inverse) ? count / inverse : 0;
  for (double v : sorted) s.deviation += (v - s.mean) * (v - s.mean);
  s.deviation = sorted.size() > 1 ? std::sqrt(s.deviation / (count - 1)) : 0;
  return s;
}

}  // namespace hopwave::report
