// Rows of two numbers, as nearly all of large edge lists are, scanned 2 KiB at a time.
// A scanner that finds one number after the other waits for the length of each before it can begin the next. Here words of
// bits first mark the ends of all numbers of a stretch, so that a processor works on several at once. After Langdale, Lemire,
// "Parsing gigabytes of JSON per second", VLDB Journal 2019.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "io/compact_ids.h"
#include "io/scan.h"

namespace hopwave::io {

/// Bit i says whether p[i] is anything but a digit. Reads 64 bytes.
inline std::uint64_t other_than_digits(const char* p) {
  constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7Full, gather = 0x0102040810204080ull;
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t word;
    std::memcpy(&word, p + 8 * i, 8);
    const std::uint64_t digits = word ^ 0x3030303030303030ull;
    // The top bit of each byte above 9; no sum reaches the next byte.
    const std::uint64_t others = (((digits & low) + 0x7676767676767676ull) | digits) & ~low;
    bits |= (others >> 7) * gather >> 56 << (8 * i);
  }
  return bits;
}

/// The value of 1 to 16 digits. May read 8 bytes from p on.
inline std::uint64_t value_of_digits(const char* p, unsigned count) {
  std::uint64_t first, last;
  std::memcpy(&first, p, 8);
  first ^= 0x3030303030303030ull;
  if (count <= 8) return eight_digits(first << (64 - 8 * count));
  std::memcpy(&last, p + count - 8, 8);
  return eight_digits(first << (128 - 8 * count)) * 100'000'000 + eight_digits(last ^ 0x3030303030303030ull);
}

class PairScanner {
 public:
  /// A character that may be between the numbers, in addition to a blank or a tab; 0: none.
  explicit PairScanner(char separator) : separator_(separator ? separator : ' ') {}

  /// Calls use(u, v) for rows from p on that are two numbers of at most 16 digits with one character between them and a newline
  /// after them. Returns the first row of another form, or that use() refuses (by false), or one that ends where less
  /// than 64 bytes are left, or p itself where scanning ahead has been in vain too often.
  template <class Use>
  const char* scan(const char* p, const char* end, Use&& use) {
    if (in_vain_ == most_in_vain) return p;
    std::uint64_t below = 0;
    const auto leave = [&](const char* at) {
      below_ |= below;
      return at;
    };
    while (end - p >= 64) {
      const std::size_t count = find_ends(p, std::min<std::size_t>(static_cast<std::size_t>(end - p), stretch) / 64);
      unsigned start = 0;
      for (std::size_t i = 0; i + 1 < count; i += 2) {
        const unsigned middle = ends_[i], stop = ends_[i + 1];
        const unsigned first = middle - start - 1, second = stop - middle - 2;  // digits less one; none: very many
        const char between = p[middle];
        if ((first | second) >= 16 || p[stop] != '\n' || (between != '\t' && between != ' ' && between != separator_)) {
          in_vain_ += start < stretch / 4;
          return leave(p + start);
        }
        const std::uint64_t u = value_of_digits(p + start, first + 1), v = value_of_digits(p + middle + 1, second + 1);
        below |= (u - least[first]) | (v - least[second]);
        if (!use(u, v)) return leave(p + start);
        start = stop + 1;
      }
      if (start == 0) return leave(p);
      p += start;
    }
    return leave(p);
  }
  /// Did a number of several digits begin with a zero? It is less than others of as many digits.
  [[nodiscard]] bool leading_zeros() const { return below_ >> 63 != 0; }

 private:
  static constexpr std::size_t stretch = 2048;
  static constexpr std::size_t at_once =
      12;  // written without a look at how many there are: rows of ids have 6 to 10 in 64 bytes
  static constexpr int most_in_vain = 64;
  /// The least number of i + 1 digits, the first of which is no zero unless it is the only one.
  static constexpr auto least = [] {
    std::array<std::uint64_t, 16> powers{};
    std::uint64_t power = 1;
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = power *= 10;
    return powers;
  }();

  /// ends_ becomes the places of everything but digits in words · 64 bytes.
  std::size_t find_ends(const char* p, std::size_t words) {
    std::size_t count = 0;
    for (std::size_t w = 0; w < words; ++w) {
      std::uint64_t others = other_than_digits(p + 64 * w);
      const auto here = static_cast<std::size_t>(bits_in(others));
      const auto write = [&, to = &ends_[count]](std::size_t i) {
        to[i] = static_cast<std::uint16_t>(64 * w + static_cast<std::size_t>(std::countr_zero(others)));
        others &= others - 1;
      };
      for (std::size_t i = 0; i < at_once; ++i) write(i);
      for (std::size_t i = at_once; i < here; ++i) write(i);
      count += here;
    }
    return count;
  }

  const char separator_;
  int in_vain_ = 0;
  std::uint64_t below_ = 0;  // its top bit
  std::uint16_t ends_[stretch + at_once];
};

}  // namespace hopwave::io
