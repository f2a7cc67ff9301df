// Fuzzes the reader of gap-weighted against the plain one.
#include "read.h"

HOPWAVE_FUZZ("gap-weighted", "g.wsg", hopwave::plain::read_gap_weighted, mutate_gap_weighted)
