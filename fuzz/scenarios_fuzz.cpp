// Fuzzes the reader of scenarios against the plain one.
#include "compare_grids.h"

HOPWAVE_FUZZ_GRID(compare_scenarios)
