// Fuzzes the reader of galois against the plain one.
#include "read.h"

HOPWAVE_FUZZ("galois", "g.gr", hopwave::plain::read_galois, mutate_galois)
