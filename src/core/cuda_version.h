// CUDA version numbers as text.
#pragma once

#include <string>

namespace hopwave::core {

/// Returns "13.0" for 13000.
inline std::string cuda_version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

}  // namespace hopwave::core
