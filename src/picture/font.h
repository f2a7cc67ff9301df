// Letters of 5 × 7 points for pictures in PNG, which has no text of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hopwave::picture {

/// Five columns from left to right; bit 0 of a column is its top point.
using Glyph = std::array<std::uint8_t, 5>;

inline constexpr int glyph_height = 7, glyph_step = 6;

/// The letters of a UTF-8 text; what the font lacks becomes a box.
std::vector<Glyph> glyphs_of(std::string_view text);

}  // namespace hopwave::picture
