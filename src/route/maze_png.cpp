// Mazes from PNG: white is free, black is wall, a green area is the start, red areas are the ends. An area is
// represented by its first pixel in reading order; all of it is free.
#include "core/png_memory.h"
#include "hopwave/error.h"
#include "route/maze_formats.h"

#ifdef HOPWAVE_WITH_PNG
#include <png.h>
#endif

namespace hopwave::inline v0_1::route {

#ifdef HOPWAVE_WITH_PNG
namespace {

[[noreturn]] void failed(const Maze& maze, const char* id, std::string found, std::string expected, std::string hint = "") {
  throw Error({.id = id,
               .where = {.file = maze.name},
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

/// Decodes into RGB; frees libpng's state in all cases.
struct Image {
  png_image png{};
  ~Image() { png_image_free(&png); }
};

/// Returns the first cell in reading order of each 4-connected area of marked cells.
std::vector<Cell> areas(const Grid& marked) {
  std::vector<Cell> first;
  std::vector<bool> seen(marked.num_bits());
  std::vector<Cell> stack;
  for (std::uint32_t y = 0; y < marked.height(); ++y)
    for (std::uint32_t x = 0; x < marked.width(); ++x) {
      if (!marked.free(Cell{x, y, 0}) || seen[marked.index({x, y, 0})]) continue;
      first.push_back({x, y, 0});
      seen[marked.index({x, y, 0})] = true;
      stack.push_back({x, y, 0});
      while (!stack.empty()) {
        const Cell c = stack.back();
        stack.pop_back();
        // Beyond the left or upper border the subtraction wraps around to a cell that free() rejects.
        for (const Cell next : {Cell{c.x - 1, c.y, 0}, Cell{c.x + 1, c.y, 0}, Cell{c.x, c.y - 1, 0}, Cell{c.x, c.y + 1, 0}})
          if (marked.free(next) && !seen[marked.index(next)]) {
            seen[marked.index(next)] = true;
            stack.push_back(next);
          }
      }
    }
  return first;
}

}  // namespace

void read_png(std::string_view bytes, Maze& maze, const MazeOptions& options) {
  Image image;
  image.png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image.png, bytes.data(), bytes.size())) {
    refuse_png_memory(image.png.message);
    failed(maze, "HW-MAZE-PNG", std::string("libpng says: ") + image.png.message, "a PNG picture");
  }
  const std::uint64_t width = image.png.width, height = image.png.height;
  if (!options.allow_huge && 3 * width * height > (std::uint64_t{48} << 20) + 32 * bytes.size())
    failed(
        maze, "HW-MAZE-HUGE",
        std::to_string(width) + " × " + std::to_string(height) + " pixels stated by " + std::to_string(bytes.size()) + " bytes",
        "at most 48 MiB of pixels + 32 × the bytes of the file", "--allow-huge reads it");
  maze.grid = Grid(width, height);
  image.png.format = PNG_FORMAT_RGB;
  std::vector<unsigned char> pixels(3 * width * height);
  const png_color white{255, 255, 255};  // for transparent pixels
  if (!png_image_finish_read(&image.png, &white, pixels.data(), 0, nullptr)) {
    refuse_png_memory(image.png.message);
    failed(maze, "HW-MAZE-PNG", std::string("libpng says: ") + image.png.message, "a whole PNG picture");
  }
  Grid green(width, height), red(width, height);
  const int light = options.threshold;
  const unsigned char* p = pixels.data();
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x, p += 3) {
      const bool r = p[0] >= light, g = p[1] >= light, b = p[2] >= light;
      const bool is_green = g && !r && !b, is_red = r && !g && !b;
      if (is_green) green.set_free({x, y, 0});
      if (is_red) red.set_free({x, y, 0});
      // Other colours are judged by brightness (Rec. 601).
      if (is_green || is_red || 299 * p[0] + 587 * p[1] + 114 * p[2] >= 1000 * light) maze.grid.set_free({x, y, 0});
    }
  maze.starts = areas(green);
  maze.ends = areas(red);
  if (maze.starts.size() > 1)
    failed(maze, "HW-MAZE-STARTS",
           std::to_string(maze.starts.size()) + " green areas, the second at pixel " + std::to_string(maze.starts[1].x) + "," +
               std::to_string(maze.starts[1].y),
           "one start");
}
#else
void read_png(std::string_view, Maze& maze, const MazeOptions&) {
  throw Error({.failure = Failure::usage,
               .id = "HW-PNG-MISSING",
               .where = {.file = maze.name},
               .found = "this build cannot read PNG files",
               .expected = "a build with libpng",
               .hint = "install libpng-dev and build again"});
}
#endif

}  // namespace hopwave::inline v0_1::route
