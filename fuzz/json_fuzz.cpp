// Fuzzes the reader of json: any answer will do that makes sense, as there is no plain reader of it.
#include "read.h"

HOPWAVE_FUZZ("json", "g.json", nullptr, mutate_text)
