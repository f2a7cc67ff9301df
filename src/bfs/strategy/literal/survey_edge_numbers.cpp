// Springer's survey, figure 17, step by step: edges whose tail has the iteration's number.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit_numbered_arcs(Printed<const int> tails, Printed<const int> heads, int arcs, Printed<int> result,
                         Printed<unsigned char> running, int iteration) {
  const int id = static_cast<int>(dev::global_thread());        // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());   // -: the threads of the grid
  for (int round = 0; round < arcs; round += stride) {          // -: as many rounds as the grid needs
    const int arc = round + id;                                 // -: the thread's arc of this round
    if (arc >= arcs) continue;                                  // -: the last round has threads without an arc
    const int from = tails[arc];                                // -: reads the arc's tail
    const int to = heads[arc];                                  // -: reads the arc's head
    if (result[from] == iteration && result[to] == far_away) {  // -: reads the tail's distance, then the head's
      result[to] = iteration + 1;                               // -: writes it; other threads may write the same
      *running = 1;                                             // -: raises the flag
    }
  }
}

class EdgeNumbers final : public EdgeListing {
 public:
  using EdgeListing::EdgeListing;

 private:
  void iterate(int iteration) override {
    launch(device_, grid_for_items(m_), visit_numbered_arcs, tails_.constant(), heads_.constant(), m_, level_.words(),
           more_.words(), iteration);
  }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_edge_numbers, EdgeNumbers, "survey-edge-numbers", "figure 17 as printed: edges of the frontier",
                "Springer, Breadth-first Search in CUDA, section 4.2, fig. 17",
                "idempotent writes without atomics are data races; the distances are right", false, over_arcs, literal_grid)
