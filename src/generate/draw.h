// Random numbers by position: splitmix64, and a bijection that permutes ids. They are pure functions, which kernels
// call, too, so that a device generates the same edges as a CPU.
#pragma once

#include <bit>
#include <cstdint>

#include "core/mix.h"

namespace hopwave::generate_detail {

using core::mix;

/// The stream of a seed: mix(base + i) for i = 0, 1, … are independent random numbers, and other seeds have other
/// streams.
constexpr std::uint64_t stream(std::uint64_t seed, std::uint64_t purpose = 0) { return mix(mix(seed) ^ mix(~purpose)); }

/// Returns a number below `bound` from 64 random bits (multiply-shift; the bias is below bound / 2⁶⁴).
inline std::uint64_t below(std::uint64_t random, std::uint64_t bound) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(random) * bound >> 64);
}

/// A bijection on [0, size): odd multiplications and right shifts on whole bits, each of which is invertible, repeated
/// while the value is not below `size`.
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t seed)
      : size_(size),
        bits_(static_cast<int>(std::bit_width(size > 1 ? size - 1 : 1))),
        mask_(~std::uint64_t{0} >> (64 - bits_)),
        add_(stream(seed, 101)),
        odd1_(stream(seed, 102) | 1),
        odd2_(stream(seed, 103) | 1) {}
  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t x) const {
    do x = once(x);
    while (x >= size_);
    return x;
  }

 private:
  [[nodiscard]] constexpr std::uint64_t once(std::uint64_t x) const {
    const int half = (bits_ + 1) / 2;
    x = ((x + add_) * odd1_) & mask_;
    x ^= x >> half;
    x = (x * odd2_) & mask_;
    x ^= x >> half;
    x = (x * odd1_ + add_) & mask_;
    return x ^ x >> half;
  }

  std::uint64_t size_;
  int bits_;
  std::uint64_t mask_, add_, odd1_, odd2_;
};

}  // namespace hopwave::generate_detail
