// The readers of the maze formats; maze.cpp detects the format and calls them with decompressed text.
#pragma once

#include "hopwave/route.h"

namespace hopwave::inline v0_1::route {

void read_ascii(std::string_view text, Maze& maze);
void read_movingai(std::string_view text, Maze& maze);
void read_png(std::string_view bytes, Maze& maze, const MazeOptions& options);

}  // namespace hopwave::inline v0_1::route
