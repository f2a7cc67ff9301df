// Grid: its layout, and the conversion of bits to cells.
#include <bit>
#include <new>
#include <string>
#include <utility>

#include "core/swap_members.h"
#include "hopwave/error.h"
#include "route/searches.h"

namespace hopwave::inline v0_1::route {
namespace {

std::string text_of(const Grid& grid, const Cell& c) {
  return std::to_string(c.x) + "," + std::to_string(c.y) + (grid.layers() > 1 ? "," + std::to_string(c.layer) : "");
}

}  // namespace

Grid::Grid(std::uint64_t width, std::uint64_t height, std::uint64_t layers) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  const std::uint64_t row = width / 64 + 1;
  std::uint64_t bits = 0;
  const bool too_large = width >= most || height >= most || layers >= most ||
                         __builtin_mul_overflow(row * 64, height + 2, &bits) || bits >= most ||
                         __builtin_mul_overflow(bits, layers, &bits) || bits >= most;
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
  try {
    words_.assign(plane_words_ * layers, 0);
  } catch (const std::bad_alloc&) {
    throw Error(
        {.failure = Failure::does_not_fit,
         .id = "HW-MEMORY",
         .found = std::to_string(plane_words_ * layers * 8) + " bytes wanted for a grid, which the system does not have",
         .hint = "close other programs, or use a smaller grid"});
  }
}

void Grid::swap(Grid& other) noexcept {
  core::swap_members(*this, other,
                     [](Grid& g) { return std::tie(g.width_, g.height_, g.layers_, g.row_words_, g.plane_words_, g.words_); });
}

std::uint64_t Grid::num_free() const {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

Cell Grid::cell(CellIndex i) const noexcept {
  if (i >> 6 >= words_.size()) return {.x = no_cell, .y = no_cell, .layer = no_cell};
  const std::size_t word = i >> 6, in_plane = word % plane_words_;
  return {.x = static_cast<std::uint32_t>(in_plane % row_words_ * 64 + (i & 63)),
          .y = static_cast<std::uint32_t>(in_plane / row_words_ - 1),
          .layer = static_cast<std::uint32_t>(word / plane_words_)};
}

void Grid::set_free(const Cell& c, bool is_free) {
  const CellIndex i = index(c);
  if (i == no_cell) outside(*this, c);
  const std::uint64_t bit = std::uint64_t{1} << (i & 63);
  words_[i >> 6] = is_free ? words_[i >> 6] | bit : words_[i >> 6] & ~bit;
}

[[noreturn]] void outside(const Grid& grid, const Cell& c) {
  throw Error({.id = "HW-ROUTE-OUTSIDE",
               .found = "cell " + text_of(grid, c) + " lies outside",
               .expected = "x below " + std::to_string(grid.width()) + ", y below " + std::to_string(grid.height()) +
                           ", layer below " + std::to_string(grid.layers()),
               .hint = "columns, rows and layers count from 0, rows from the top"});
}

void require_free(const Grid& grid, const Cell& c) {
  if (!grid.contains(c)) outside(grid, c);
  if (!grid.free(c))
    throw Error({.id = "HW-ROUTE-WALL", .found = "cell " + text_of(grid, c) + " is in a wall", .expected = "a free cell"});
}

void require_free(const Grid& grid, std::span<const CellIndex> cells) {
  for (const CellIndex i : cells)
    if (!grid.free(i)) require_free(grid, grid.cell(i));
}

}  // namespace hopwave::inline v0_1::route
