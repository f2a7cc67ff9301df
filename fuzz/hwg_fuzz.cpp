// Fuzzes the reader of hwg against the plain one.
#include "read.h"

HOPWAVE_FUZZ("hwg", "g.hwg", hopwave::plain::read_hwg, mutate_hwg)
