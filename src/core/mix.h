// splitmix64 as a pure function: 64 bits in, 64 random-looking bits out. Kernels call it, too.
#pragma once

#include <cstdint>

namespace hopwave::core {

constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

}  // namespace hopwave::core
