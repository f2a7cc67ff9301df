// Plain readers of mazes, scenarios and netlists. They are written from docs/route.md and the formats' public
// descriptions, and share no code with src/route.
#pragma once

#include <array>

#include "plain/plain.h"

namespace hopwave::plain {

using Place = std::array<std::uint64_t, 3>;  // column, row, layer

struct Maze {
  std::uint64_t width = 0, height = 0, layers = 0;
  std::vector<bool> free;  ///< by column, then row, then layer
  std::vector<Place> starts, ends;

  [[nodiscard]] bool is_free(std::uint64_t x, std::uint64_t y, std::uint64_t layer = 0) const {
    return free[(layer * height + y) * width + x];
  }
};
Maze read_ascii_maze(std::string_view bytes);
Maze read_movingai_maze(std::string_view bytes);
/// Chosen by the first bytes. A picture is Open.
Maze read_maze(std::string_view bytes);

struct Scenario {
  Place start, goal;
  double length = 0;
  std::uint64_t line = 0;
};
std::vector<Scenario> read_scenarios(std::string_view bytes, const Maze& maze);

struct Net {
  std::string name;
  std::uint64_t id = 0, width = 1;
  std::vector<Place> pins;  ///< tiles
};
struct Netlist {
  std::uint64_t width = 0, height = 0, layers = 1;
  std::vector<std::int64_t> capacity;  ///< of each tile's edges to the right and up: by column, then row, then layer
  std::vector<std::int64_t> min_width, min_spacing;
  std::int64_t left = 0, bottom = 0, tile_width = 1, tile_height = 1;
  std::vector<Net> nets;
};
Netlist read_netlist(std::string_view bytes);

}  // namespace hopwave::plain
