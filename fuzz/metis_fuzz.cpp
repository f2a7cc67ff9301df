// Fuzzes the reader of metis against the plain one.
#include "read.h"

HOPWAVE_FUZZ("metis", "g.graph", hopwave::plain::read_metis, mutate_text)
