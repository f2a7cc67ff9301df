// Byte counts as text for readers.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace hopwave::inline v0_1 {

/// Returns a text such as "1.4 GiB".
inline std::string bytes_text(std::uint64_t bytes) {
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  double value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  for (; value >= 1023.95 && unit < 5; ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", value, units[unit]);
  return text;
}

}  // namespace hopwave::inline v0_1
