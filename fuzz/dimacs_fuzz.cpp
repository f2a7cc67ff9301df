// Fuzzes the reader of dimacs against the plain one.
#include "read.h"

HOPWAVE_FUZZ("dimacs", "g.gr", hopwave::plain::read_dimacs, mutate_text)
