// Fuzzes the reader of gml: any answer will do that makes sense, as there is no plain reader of it.
#include "read.h"

HOPWAVE_FUZZ("gml", "g.gml", nullptr, mutate_text)
