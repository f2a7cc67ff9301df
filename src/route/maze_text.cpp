// Mazes from text: the usual ASCII form, and MovingAI's .map (Sturtevant 2012). The format is detected by content.
#include <cstring>

#include "core/refuse.h"
#include "route/maze_formats.h"
#include "route/text.h"

namespace hopwave::inline v0_1::route {
namespace {

std::string sniff(std::string_view text) {
  if (text.starts_with("\x89PNG\r\n\x1a\n")) return "png";
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text.substr(begin).starts_with("type") ? "movingai" : "ascii";
}

Maze read(const std::string& text, const std::string& name, const MazeOptions& options) {
  Maze maze;
  maze.name = name;
  maze.format = options.format.empty() ? sniff(text) : options.format;
  if (maze.format == "png")
    read_png(text, maze, options);
  else if (maze.format == "movingai")
    read_movingai(text, maze);
  else if (maze.format == "ascii")
    read_ascii(text, maze);
  else
    core::refuse("HW-MAZE-FORMAT", "no maze format is called '" + maze.format + "'", "ascii, png or movingai");
  return maze;
}

struct Extent {
  std::uint64_t width = 0, height = 0, layers = 0;
};

/// The first pass: every line of a layer must be as long as the first, every layer as high; blank lines separate
/// layers.
Extent measure(std::string_view text, const std::string& name) {
  TextCursor cursor(text, name);
  Extent extent;
  std::uint64_t rows = 0;
  const auto end_layer = [&] {
    if (rows == 0) return;
    if (extent.layers++ == 0)
      extent.height = rows;
    else if (rows != extent.height)
      cursor.fail_at(1, "HW-MAZE-ROWS", "a layer of " + std::to_string(rows) + " rows",
                     std::to_string(extent.height) + " rows, as in the first layer", "a blank line begins a new layer");
    rows = 0;
  };
  while (cursor.next_line()) {
    const std::size_t length = cursor.line().size();
    if (length == 0) {
      end_layer();
      continue;
    }
    if (extent.width == 0) extent.width = length;
    if (length != extent.width)
      cursor.fail_at(std::min<std::uint64_t>(length, extent.width) + 1, "HW-MAZE-COLUMNS",
                     "a row of " + std::to_string(length) + " cells",
                     std::to_string(extent.width) + " cells, as in the first row");
    ++rows;
  }
  end_layer();
  if (extent.layers == 0) cursor.fail_at(1, "HW-MAZE-ROWS", "no row", "rows of '#', '.', 'S' and 'E'");
  return extent;
}

}  // namespace

void read_ascii(std::string_view text, Maze& maze) {
  const Extent extent = measure(text, maze.name);
  maze.grid = Grid(extent.width, extent.height, extent.layers);
  TextCursor cursor(text, maze.name);
  for (std::uint32_t layer = 0; layer < extent.layers; ++layer)
    for (std::uint32_t y = 0; y < extent.height; ++y) {
      do cursor.next_line();
      while (cursor.line().empty());
      for (std::uint32_t x = 0; x < extent.width; ++x) {
        const char c = cursor.line()[x];
        const Cell cell{x, y, layer};
        if (c == '#') continue;
        if (c != '.' && c != 'S' && c != 'E')
          cursor.fail_at(x + 1, "HW-MAZE-LETTER",
                         static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e
                             ? "byte " + std::to_string(static_cast<unsigned char>(c))
                             : std::string("'") + c + "'",
                         "'#' (wall), '.' (free), 'S' (start) or 'E' (end)");
        maze.grid.set_free(cell);
        if (c == 'S' && !maze.starts.empty())
          cursor.fail_at(x + 1, "HW-MAZE-STARTS", "a second 'S'", "one start", "several ends ('E') are joined as a tree");
        if (c == 'S') maze.starts.push_back(cell);
        if (c == 'E') maze.ends.push_back(cell);
      }
    }
}

void read_movingai(std::string_view text, Maze& maze) {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  TextCursor cursor(text, maze.name);
  cursor.next_full_line();
  cursor.keyword("HW-MAZE-HEADER", "type");
  cursor.keyword("HW-MAZE-HEADER", "octile");
  cursor.end_of_line("HW-MAZE-HEADER");
  cursor.next_line();
  cursor.keyword("HW-MAZE-HEADER", "height");
  const auto height = static_cast<std::uint64_t>(cursor.integer("HW-MAZE-HEADER", "the height", 1, most));
  cursor.end_of_line("HW-MAZE-HEADER");
  cursor.next_line();
  cursor.keyword("HW-MAZE-HEADER", "width");
  const auto width = static_cast<std::uint64_t>(cursor.integer("HW-MAZE-HEADER", "the width", 1, most));
  // A cell takes one byte: what the file does not contain is not allocated.
  if (width > cursor.left() || height > cursor.left() || width * height > cursor.left())
    cursor.fail("HW-MAZE-COUNT", std::to_string(height) + " rows of " + std::to_string(width) + " cells promised",
                "at most the " + std::to_string(cursor.left()) + " bytes that follow");
  cursor.end_of_line("HW-MAZE-HEADER");
  cursor.next_line();
  cursor.keyword("HW-MAZE-HEADER", "map");
  cursor.end_of_line("HW-MAZE-HEADER");
  maze.grid = Grid(width, height);
  for (std::uint32_t y = 0; y < height; ++y) {
    if (!cursor.next_line())
      cursor.fail_at(1, "HW-MAZE-ROWS", "the end of the file after " + std::to_string(y) + " rows",
                     std::to_string(height) + " rows");
    const auto line = cursor.line();
    if (line.size() != width)
      cursor.fail_at(std::min<std::uint64_t>(line.size(), width) + 1, "HW-MAZE-COLUMNS",
                     "a row of " + std::to_string(line.size()) + " cells", std::to_string(width) + " cells");
    for (std::uint32_t x = 0; x < width; ++x) {
      const char c = line[x];
      if (c == '.' || c == 'G' || c == 'S')
        maze.grid.set_free({x, y, 0});
      else if (!std::strchr("@OTW", c) || c == '\0')
        cursor.fail_at(x + 1, "HW-MAZE-LETTER", "byte " + std::to_string(static_cast<unsigned char>(c)),
                       "'.', 'G' or 'S' (free), '@', 'O', 'T' or 'W' (not)");
    }
  }
  if (cursor.next_full_line()) cursor.fail_at(1, "HW-MAZE-ROWS", "more after the last row", std::to_string(height) + " rows");
}

Maze read_maze(const std::string& path, const MazeOptions& options) {
  return read(read_text(path, options.allow_huge), path, options);
}

Maze read_maze(std::span<const char> bytes, const std::string& name, const MazeOptions& options) {
  return read(read_text(bytes, name, options.allow_huge), name, options);
}

}  // namespace hopwave::inline v0_1::route
