// Letters of text: in one case, and without the blanks around them.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "io/scan.h"

namespace hopwave::io {

inline std::string small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

inline std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace hopwave::io
