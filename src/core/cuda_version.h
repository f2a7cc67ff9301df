// Versions of CUDA as people write them.
#pragma once

#include <string>

namespace hopwave::core {

/// 13000 is "13.0".
inline std::string cuda_version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

}  // namespace hopwave::core
