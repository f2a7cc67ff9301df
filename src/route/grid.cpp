// Grid: its layout, and turning bits back into cells.
#include <bit>

#include "hopwave/error.h"
#include "hopwave/route.h"

namespace hopwave::route {

Grid::Grid(std::uint64_t width, std::uint64_t height, std::uint64_t layers) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  const std::uint64_t row = width / 64 + 1;
  const bool too_large = width >= most || height >= most || layers >= most || (row * 64) * (height + 2) / most >= 1 ||
                         row * 64 * (height + 2) * layers / most >= 1;
  if (too_large)
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-ROUTE-SIZE",
                 .found = "a grid of " + std::to_string(width) + " × " + std::to_string(height) + " × " +
                          std::to_string(layers) + " cells",
                 .expected = "fewer than 2³² cells with the border"});
  width_ = static_cast<std::uint32_t>(width);
  height_ = static_cast<std::uint32_t>(height);
  layers_ = static_cast<std::uint32_t>(layers);
  row_words_ = row;
  plane_words_ = row * (height + 2);
  words_.assign(plane_words_ * layers, 0);
}

std::uint64_t Grid::num_free() const {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

Cell Grid::cell(CellIndex i) const noexcept {
  const std::size_t word = i >> 6, in_plane = word % plane_words_;
  return {.x = static_cast<std::uint32_t>(in_plane % row_words_ * 64 + (i & 63)),
          .y = static_cast<std::uint32_t>(in_plane / row_words_ - 1),
          .layer = static_cast<std::uint32_t>(word / plane_words_)};
}

void Grid::set_free(const Cell& c, bool is_free) {
  const CellIndex i = index(c);
  const std::uint64_t bit = std::uint64_t{1} << (i & 63);
  words_[i >> 6] = is_free ? words_[i >> 6] | bit : words_[i >> 6] & ~bit;
}

}  // namespace hopwave::route
