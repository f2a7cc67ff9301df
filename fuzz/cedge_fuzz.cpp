// Fuzzes the reader of cedge against the plain one.
#include "read.h"

HOPWAVE_FUZZ("cedge", "g.cedge", hopwave::plain::read_cedge, mutate_text)
