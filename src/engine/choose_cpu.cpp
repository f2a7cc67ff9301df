// The choice by figures that cost nothing to have; see docs/performance-cpu.md for the measurements behind it.
#include "engine/choose_cpu.h"

namespace hopwave::engine {

CpuChoice choose_cpu(const Graph&, Direction, int) { return {"cpu-sequential", "the only one yet"}; }

}  // namespace hopwave::engine
