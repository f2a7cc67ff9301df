// Fuzzes reading of whatever the content looks like, packed or not: there is no plain reader of that.
#include "read.h"

HOPWAVE_FUZZ("", "g", nullptr, mutate_text)
