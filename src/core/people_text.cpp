#include "core/people_text.h"

#include <fmt/format.h>

#include <cmath>

namespace hopwave::core {

std::string name_of(DeviceKind device) {
  return device == DeviceKind::cpu ? "cpu" : device == DeviceKind::gpu ? "gpu" : device == DeviceKind::sim ? "sim" : "auto";
}

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

std::string printable(std::string_view text, bool lines) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F, which begin with C2 in UTF-8, also control terminals.
    const bool second = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if ((c >= 0x20 && c != 0x7F && !second) || (lines && c == '\n'))
      out += text[i];
    else if (c == '\n' || c == '\t' || c == '\r')
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    else
      out += fmt::format("\\x{:02x}", c) + (second ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++i])) : "");
  }
  return out;
}

namespace {

bool is_whole(double value) { return std::abs(value) < 0x1p63 && value == std::trunc(value); }

}  // namespace

std::string number_text(double value) {
  return is_whole(value) ? std::to_string(static_cast<std::int64_t>(value)) : fmt::format("{}", value);
}

std::string rounded_text(double value, int digits) {
  if (is_whole(value)) return number_text(value);
  return std::abs(value) >= std::pow(10., digits) && std::abs(value) < 0x1p63 ? fmt::format("{:.0f}", value)
                                                                              : fmt::format("{:.{}g}", value, digits);
}

std::string seconds_text(double seconds) {
  if (seconds >= 100) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} µs", seconds * 1e6);
}

std::string plural(std::uint64_t n, std::string_view one, std::string_view many) {
  if (n == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", grouped(n), one) : fmt::format("{} {}", grouped(n), many);
}

}  // namespace hopwave::core
