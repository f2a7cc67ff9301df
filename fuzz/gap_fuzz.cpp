// Fuzzes the reader of gap against the plain one.
#include "read.h"

HOPWAVE_FUZZ("gap", "g.sg", hopwave::plain::read_gap, mutate_gap)
