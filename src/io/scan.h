// Scanning numbers eight characters at a time. Every function may look 32 bytes past the end of the text, where a
// newline stands (Block guarantees it), so there is no test for the end in the inner loops.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "fast_float/fast_float.h"

namespace hopwave::io {

static_assert(std::endian::native == std::endian::little, "the number scanner reads words as little-endian");

inline constexpr std::uint64_t too_large = ~std::uint64_t{0};  ///< scan_integer: beyond 2⁶³ − 1

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

inline const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

inline const char* skip_line(const char* p, const char* end) {
  const void* newline = std::memchr(p, '\n', static_cast<std::size_t>(end - p) + 1);
  return newline ? static_cast<const char*>(newline) : end;
}

/// How many of the eight characters are digits from the first on; `digits` gets each minus '0'.
inline int leading_digits(const char* p, std::uint64_t& digits) {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  digits = word ^ 0x3030303030303030ull;
  // A byte above 9 gets its top bit by the addition or has it; a carry can only spoil bytes behind the first such one.
  const std::uint64_t others = ((digits + 0x7676767676767676ull) | digits) & 0x8080808080808080ull;
  return others ? std::countr_zero(others) >> 3 : 8;
}

/// The value of eight digits, the first in the lowest byte.
inline std::uint64_t eight_digits(std::uint64_t d) {
  d = d * 10 + (d >> 8);
  return (((d & 0x000000FF000000FFull) * 0x000F424000000064ull) +
          (((d >> 16) & 0x000000FF000000FFull) * 0x0000271000000001ull)) >>
         32;
}

const char* scan_long_integer(const char* p, std::uint64_t& value);

/// Reads decimal digits; returns the place behind them, `p` itself if there are none.
inline const char* scan_integer(const char* p, std::uint64_t& value) {
  static constexpr std::uint64_t power[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  std::uint64_t digits;
  const int count = leading_digits(p, digits);
  if (count == 0) return p;
  if (count < 8) {
    value = eight_digits(digits << (64 - 8 * count));
    return p + count;
  }
  const std::uint64_t high = eight_digits(digits);
  const int more = leading_digits(p + 8, digits);
  if (more == 8) return scan_long_integer(p, value);
  value = high * power[more] + (more ? eight_digits(digits << (64 - 8 * more)) : 0);
  return p + 8 + more;
}

/// The same for 16 digits and more, which are rare.
inline const char* scan_long_integer(const char* p, std::uint64_t& value) {
  constexpr std::uint64_t limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t sum = 0;
  bool over = false;
  for (; is_digit(*p); ++p) {
    const auto digit = static_cast<std::uint64_t>(*p - '0');
    over = over || sum > (limit - digit) / 10;
    if (!over) sum = sum * 10 + digit;
  }
  value = over ? too_large : sum;
  return p;
}

enum class Real { ok, none, not_finite, out_of_range };

/// Reads a real number ("1", "-2.5e3"); `p` moves behind it unless there is none. "nan" and "inf" are not_finite. What is no
/// 32-bit number becomes the nearest one, nan becomes 0.
inline Real scan_real(const char*& p, const char* end, float& value) {
  std::uint64_t digits;
  const int count = leading_digits(p, digits);
  const char after = p[count];
  if (count > 0 && count < 8 && after != '.' && after != 'e' && after != 'E') {
    value = static_cast<float>(eight_digits(digits << (64 - 8 * count)));
    p += count;
    return Real::ok;
  }
  const char* first = p + (*p == '+' && p[1] != '-' && p[1] != '+' ? 1 : 0);
  double wide = 0;
  const auto result = fast_float::from_chars(first, end, wide);
  if (result.ptr == first || result.ec == std::errc::invalid_argument) return Real::none;
  p = result.ptr;
  const bool word = !is_digit(*first) && *first != '-' && *first != '.';
  const bool signed_word = *first == '-' && !is_digit(first[1]) && first[1] != '.';
  if (word || signed_word) {
    constexpr float most = std::numeric_limits<float>::max();
    value = std::isnan(wide) ? 0 : std::copysign(most, static_cast<float>(wide));
    return Real::not_finite;
  }
  if (result.ec == std::errc::result_out_of_range || !std::isfinite(wide) ||
      std::abs(wide) > std::numeric_limits<float>::max()) {
    value = std::copysign(std::numeric_limits<float>::max(), static_cast<float>(wide));
    return Real::out_of_range;
  }
  value = static_cast<float>(wide);
  return Real::ok;
}

}  // namespace hopwave::io
