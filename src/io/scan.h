// Scanning numbers eight characters at a time. Every function may look 32 bytes past the end of the text, where a
// newline is (Block guarantees it), so there is no test for the end in the inner loops.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

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
  // A byte above 9 gets its top bit by the addition or has it; a carry can only spoil bytes after the first such one.
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

/// Reads decimal digits; returns the place after them, `p` itself if there are none.
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

enum class Real { ok, none, not_finite, out_of_range, rounded };

/// A number as a text writes it: whole where it has neither point nor exponent and 64 bits hold it.
struct Number {
  bool whole = true;
  std::int64_t integer = 0;  ///< if whole
  double real = 0;           ///< if not

  [[nodiscard]] double value() const { return whole ? static_cast<double>(integer) : real; }
};

/// Does a decimal say another number than the double that it was read as? The nearest one is meant by up to 17 digits, of
/// whole numbers too.
bool is_rounded(const char* first, const char* end, double value);

/// The whole number below 2^63 that a decimal without sign says, point or exponent or not: 2e+06 is 2000000; 1e-400 is none,
/// although the nearest double is.
std::optional<std::uint64_t> whole_number(std::string_view decimal);

/// What is no whole number of up to 18 digits.
inline Real scan_long_number(const char*& p, const char* end, Number& number) {
  const char* first = p + (*p == '+' && p[1] != '-' && p[1] != '+' ? 1 : 0);
  const char* digits = first + (*first == '-');
  std::uint64_t integer = 0;
  const char* behind = scan_integer(digits, integer);
  if (behind != digits && integer != too_large && *behind != '.' && *behind != 'e' && *behind != 'E') {
    number = {true, *first == '-' ? -static_cast<std::int64_t>(integer) : static_cast<std::int64_t>(integer), 0};
    p = behind;
    return Real::ok;
  }
  double wide = 0;
  const auto result = fast_float::from_chars(first, end, wide);
  if (result.ptr == first || result.ec == std::errc::invalid_argument) return Real::none;
  p = result.ptr;
  number = {false, 0, wide};
  constexpr double most = std::numeric_limits<double>::max();
  if (!is_digit(*digits) && *digits != '.') {  // a word: nan, inf
    number.real = std::isnan(wide) ? 0 : std::copysign(most, wide);
    return Real::not_finite;
  }
  if (!std::isfinite(wide)) {
    number.real = std::copysign(most, wide);
    return Real::out_of_range;
  }
  return is_rounded(digits, p, wide) ? Real::rounded : Real::ok;
}

/// Reads a number ("1", "-2.5e3"); `p` moves past it unless there is none. "nan" and "inf" are not_finite. What is no 64-bit
/// number becomes the nearest one, nan becomes 0.
inline Real scan_number(const char*& p, const char* end, Number& number) {
  std::uint64_t digits;
  const int count = leading_digits(p, digits);
  const char after = p[count];
  if (count > 0 && count < 8 && after != '.' && after != 'e' && after != 'E') {
    number = {true, static_cast<std::int64_t>(eight_digits(digits << (64 - 8 * count))), 0};
    p += count;
    return Real::ok;
  }
  return scan_long_number(p, end, number);
}

}  // namespace hopwave::io
