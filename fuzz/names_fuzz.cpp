// Fuzzes the reader of names against the plain one.
#include "read.h"

HOPWAVE_FUZZ("names", "g.txt", hopwave::plain::read_names, mutate_text)
