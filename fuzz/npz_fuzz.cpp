// Fuzzes the reader of npz against the plain one.
#include "read.h"

HOPWAVE_FUZZ("npz", "g.npz", hopwave::plain::read_npz, mutate_npz)
