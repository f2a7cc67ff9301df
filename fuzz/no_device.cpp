// Graphs are built on the CPU and never written here: the fuzzers go without the engine and the searches, which would take
// most of their building time.
#include <cstdlib>

#include "hopwave/graph.h"
#include "hopwave/preparation.h"

namespace hopwave::inline v0_1 {
std::uint64_t fingerprint(const Graph&) { std::abort(); }
namespace resident {
Graph build_on(EdgeList, const BuildOptions&, const RunOptions&) { std::abort(); }
}  // namespace resident
}  // namespace hopwave::inline v0_1
