// R-MAT's edge number i as a pure function of i, used by the CPU's generator and the device's kernel.
#pragma once

#include "generate/draw.h"
#include "hopwave/types.h"

namespace hopwave::generate_detail {

class Rmat {
 public:
  /// Probabilities of the quadrants, for each bit of an edge's ends; the fourth has the rest.
  static constexpr double a = .57, b = .19, c = .19;

  Rmat(int scale, std::uint64_t seed)
      : permute_(std::uint64_t{1} << scale, seed),
        base_(stream(seed)),
        draws_(static_cast<std::uint64_t>(scale + 1) / 2),
        spare_(static_cast<std::uint64_t>(scale % 2)) {}

  [[nodiscard]] constexpr Edge operator()(std::uint64_t i) const {
    std::uint64_t u = 0, v = 0;
    for (std::uint64_t draw = 0; draw < draws_; ++draw) {
      std::uint64_t random = mix(base_ + i * draws_ + draw);
      for (int half = 0; half < 2; ++half, random >>= 32) {
        const std::uint64_t r = random & 0xFFFFFFFFu;
        const std::uint64_t past_a = r >= until_a, past_b = r >= until_b, past_c = r >= until_c;
        u = u << 1 | past_b;
        v = v << 1 | (past_a ^ past_b ^ past_c);
      }
    }
    return {static_cast<VertexId>(permute_(u >> spare_)), static_cast<VertexId>(permute_(v >> spare_))};
  }

 private:
  static constexpr double full = 4294967296.0;
  static constexpr auto until_a = static_cast<std::uint64_t>(a * full), until_b = static_cast<std::uint64_t>((a + b) * full),
                        until_c = static_cast<std::uint64_t>((a + b + c) * full);

  Permutation permute_;
  std::uint64_t base_;
  std::uint64_t draws_, spare_;  ///< two bits per number; one unused if the scale is odd
};

}  // namespace hopwave::generate_detail
