// Springer's survey, figure 16, step by step: every edge relaxes.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void relax_arcs(Printed<const int> tails, Printed<const int> heads, int arcs, Printed<int> result,
                Printed<unsigned char> running) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  for (int round = 0; round < arcs; round += stride) {         // -: as many rounds as the grid needs
    const int arc = round + id;                                // -: the thread's arc of this round
    if (arc >= arcs) continue;                                 // -: the last round has threads without an arc
    const int to = heads[arc];                                 // -: reads the arc's head
    const int offer = result[tails[arc]] + 1;                  // -: reads the arc's tail, and the tail's distance
    if (offer < result[to]) {                                  // -: reads the head's distance
      result[to] = offer;                                      // -: writes it
      *running = 1;                                            // -: raises the flag
    }
  }
}

class EdgeSimple final : public EdgeListing {
 public:
  using EdgeListing::EdgeListing;

 private:
  void iterate(int /*iteration*/) override {
    launch(device_, grid_for_items(m_), relax_arcs, tails_.constant(), heads_.constant(), m_, level_.words(), more_.words());
  }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_edge_simple, EdgeSimple, "survey-edge-simple",
                "figure 16 as printed: every edge relaxes, with plain stores",
                "Springer, Breadth-first Search in CUDA, section 4.1, fig. 16",
                "a larger distance may be put over a smaller: a data race that costs passes; the distances end right", false,
                {}, literal_grid)
