// Fuzzes the reader of netlists against the plain one.
#include "compare_grids.h"

HOPWAVE_FUZZ_GRID(compare_netlist)
