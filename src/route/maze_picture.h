// Common parts of PNG, SVG and animations: a cell's colour, and rows of equal cells as one shape.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "draw/picture.h"
#include "hopwave/route.h"

namespace hopwave::inline v0_1::route {

/// Layers are drawn next to each other, one column apart.
struct Canvas {
  explicit Canvas(const Grid& grid)
      : width(std::uint64_t{grid.width()} * grid.layers() + grid.layers() - 1), height(grid.height()) {}
  std::uint64_t width, height;
  static std::uint64_t column(const Grid& grid, const Cell& c) { return std::uint64_t{c.layer} * (grid.width() + 1) + c.x; }
};

/// Returns runs of cells in a row that are in the same class, as SVG path data by class: shape(cell index) is a class,
/// or −1 for none.
template <class Shape>
std::map<int, std::string> runs(const Grid& grid, Shape&& shape) {
  std::map<int, std::string> paths;
  for (std::uint32_t layer = 0; layer < grid.layers(); ++layer)
    for (std::uint32_t y = 0; y < grid.height(); ++y)
      for (std::uint32_t x = 0; x < grid.width();) {
        const Cell first{x, y, layer};
        const int kind = shape(grid.index(first));
        const std::uint32_t begin = x;
        do ++x;
        while (x < grid.width() && shape(grid.index({x, y, layer})) == kind);
        if (kind >= 0)
          paths[kind] += "M" + std::to_string(Canvas::column(grid, first)) + " " + std::to_string(y) + "h" +
                         std::to_string(x - begin) + "v1h-" + std::to_string(x - begin) + "z";
      }
  return paths;
}

/// The wavefront's numbers are drawn in the cells if a drawing has at most this many cells per side.
inline constexpr std::uint64_t most_numbered = 40;

/// Returns the start of an SVG file with walls, followed by route and terminals on top. `least`: pixels per cell, at
/// least.
std::string svg_head(const Drawing& drawing, double least = 1);
std::string svg_walls(const Drawing& drawing);
std::string svg_route(const Drawing& drawing, const std::string& attributes = "");
/// Throws HW-ROUTE-DRAWING unless everything in it is on its grid.
void require_sound(const Drawing& drawing);
/// Returns the largest distance, at least 1.
std::int32_t farthest(const Drawing& drawing);
using picture::ending_of;
/// Throws HW-ROUTE-ENDING for a name with an extension that write_picture() or write_animation() cannot write.
void check_picture_name(const std::string& path);
void check_animation_name(const std::string& path);

}  // namespace hopwave::inline v0_1::route
