// What a caller may set of the high-diameter traversal.
#pragma once

#include <cstdint>
#include <string>

namespace hopwave::HW_MACHINE::engine::high_diameter {

/// 0: the engine decides.
struct Options {
  std::uint32_t block = 0, owners = 0, grid = 0, tile_bits = 0, queue = 0, hops = 0;
  std::int64_t async = -1;  ///< levels that a warp goes on by itself; 0: never; -1: the engine decides

  /// Does the caller ask for something that only the other forms have?
  [[nodiscard]] bool other() const { return owners || tile_bits || queue || hops; }
};

/// "1 level", "2 levels".
inline std::string count_text(std::uint32_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

inline constexpr std::uint64_t k_hop_scope = 1, async_scope = 2;  ///< in stored preparations

}  // namespace hopwave::HW_MACHINE::engine::high_diameter
