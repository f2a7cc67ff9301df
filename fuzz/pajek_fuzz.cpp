// Fuzzes the reader of pajek: any answer will do that makes sense, as there is no plain reader of it.
#include "read.h"

HOPWAVE_FUZZ("pajek", "g.net", nullptr, mutate_text)
