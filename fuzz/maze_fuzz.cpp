// Fuzzes the reader of mazes against the plain one.
#include "compare_grids.h"

HOPWAVE_FUZZ_GRID(compare_maze)
