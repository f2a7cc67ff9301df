// Letters of 5 × 7 points for pictures in PNG, which has no text of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hopwave::picture {

/// Five columns from left to right; bit 0 of a column is its top point. A letter's seven points are below `glyph_above` points
/// for what is on it, and above two for what hangs from it.
using Glyph = std::array<std::uint16_t, 5>;

inline constexpr int glyph_above = 3, glyph_height = 7, glyph_below = 2, glyph_step = 6;

/// The letters of a UTF-8 text, of Latin scripts; what the font lacks becomes a box.
std::vector<Glyph> glyphs_of(std::string_view text);

/// The side of a letter's point in a PNG of `scale` pixels per unit: whole pixels, so that letters stay sharp.
double glyph_point(double size, double scale);
/// How wide a scene's text is at most, as SVG and as PNG.
double drawn_width(std::string_view text, double size, bool bold = false);

}  // namespace hopwave::picture
