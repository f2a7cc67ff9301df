// Fuzzes the reader of rodinia against the plain one.
#include "read.h"

HOPWAVE_FUZZ("rodinia", "g.txt", hopwave::plain::read_rodinia, mutate_text)
