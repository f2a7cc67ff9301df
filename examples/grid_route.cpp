// A shortest route between two cells of a grid.
#include <hopwave/hopwave.h>

#include <exception>
#include <iostream>
#include <string_view>

int main() try {
  constexpr std::string_view rows[] = {"S.#.....", ".##.###.", "....#...", ".##.#.#E"};
  hopwave::route::Grid grid(8, 4);
  hopwave::route::CellIndex start = hopwave::route::no_cell, goal = hopwave::route::no_cell;
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 8; ++x) {
      const hopwave::route::Cell cell{x, y, 0};
      grid.set_free(cell, rows[y][x] != '#');
      if (rows[y][x] == 'S') start = grid.index(cell);
      if (rows[y][x] == 'E') goal = grid.index(cell);
    }

  const hopwave::route::CellIndex from[] = {start}, to[] = {goal};
  const hopwave::route::Way way = hopwave::route::find_way(grid, from, to, {.fewest_bends = true});
  std::cout << way.cost << " steps:";
  for (const hopwave::route::CellIndex i : way.cells) std::cout << " (" << grid.cell(i).x << ',' << grid.cell(i).y << ')';
  std::cout << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
