// libpng reports a lack of memory only in the text of its messages.
#pragma once

#include <algorithm>
#include <cctype>
#include <new>
#include <string>
#include <string_view>

namespace hopwave::inline v0_1 {

/// Throws std::bad_alloc if libpng's message reports a lack of memory.
inline void refuse_png_memory(std::string_view message) {
  std::string small(message);
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (small.find("out of memory") != std::string::npos || small.find("insufficient memory") != std::string::npos)
    throw std::bad_alloc();
}

}  // namespace hopwave::inline v0_1
