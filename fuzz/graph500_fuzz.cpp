// Fuzzes the reader of graph500 against the plain one.
#include "read.h"

HOPWAVE_FUZZ("graph500", "g.g500", hopwave::plain::read_graph500, mutate_words)
