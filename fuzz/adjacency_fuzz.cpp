// Fuzzes the reader of adjacency against the plain one.
#include "read.h"

HOPWAVE_FUZZ("adjacency", "g.adj", hopwave::plain::read_adjacency, mutate_text)
