// Fuzzes the reader of matrix-market against the plain one.
#include "read.h"

HOPWAVE_FUZZ("matrix-market", "g.mtx", hopwave::plain::read_matrix_market, mutate_text)
