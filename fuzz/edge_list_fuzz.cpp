// Fuzzes the reader of edge-list against the plain one.
#include "read.h"

HOPWAVE_FUZZ("edge-list", "g.txt", hopwave::plain::read_edge_list, mutate_text)
