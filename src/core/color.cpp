#include "core/color.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hopwave::core {

std::string ramp_color(double t) {
  t = std::clamp(t, 0.0, 1.0);
  // Pale yellow, teal, dark blue: straight lines in RGB between three stops.
  constexpr double stops[3][3] = {{255, 247, 188}, {65, 182, 196}, {8, 40, 100}};
  const int from = t < 0.5 ? 0 : 1;
  const double s = t < 0.5 ? 2 * t : 2 * t - 1;
  const auto mix = [&](int c) {
    return static_cast<int>(std::lround(stops[from][c] + s * (stops[from + 1][c] - stops[from][c])));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

}  // namespace hopwave::core
