// Fuzzes the reader of graphml: any answer will do that makes sense, as there is no plain reader of it.
#include "read.h"

HOPWAVE_FUZZ("graphml", "g.graphml", nullptr, mutate_text)
