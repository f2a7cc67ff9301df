// Random numbers for mutators. A mutation needs a few numbers from a new seed: a generator with a large state would
// spend its time on initialising it.
#pragma once

#include <cstdint>
#include <limits>

#include "core/mix.h"

namespace hopwave::fuzz {

class Random {
 public:
  using result_type = std::uint32_t;
  explicit Random(std::uint32_t seed) : state_(core::mix(seed)) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return static_cast<result_type>(core::mix(state_++) >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace hopwave::fuzz
