// The colour ramp of all pictures.
#pragma once

#include <string>

namespace hopwave::core {

/// Returns a colour from pale to dark for t in 0 … 1, as #rrggbb.
std::string ramp_color(double t);

}  // namespace hopwave::core
