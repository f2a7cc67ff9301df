// Springer's survey, figure 11, step by step: a vertex is in the frontier if its distance is the iteration.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit_numbered(Lists g, Printed<unsigned char> running, int iteration) {
  const int id = static_cast<int>(dev::global_thread());        // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());   // -: the threads of the grid
  for (int round = 0; round < g.vertices; round += stride) {    // -: as many rounds as the grid needs
    const int v = round + id;                                   // -: the thread's vertex of this round
    if (v >= g.vertices || g.result[v] != iteration) continue;  // -: reads its distance; it has to be the iteration
    for (int n = 0; n < g.length[v]; ++n) {                     // -: reads the list's length, each time
      const int w = g.list[g.begin[v] + n];                     // -: reads where the list begins, and the neighbour
      if (g.result[w] == far_away) {                            // -: reads the neighbour's distance
        g.result[w] = iteration + 1;                            // -: writes it; other threads may write the same
        *running = 1;                                           // -: raises the flag
      }
    }
  }
}

class Numbers final : public SurveyListing {
 public:
  using SurveyListing::SurveyListing;

 private:
  void iterate(int iteration) override {
    launch(device_, grid_for_items(n_), visit_numbered, lists(), more_.words(), iteration);
  }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_frontier_numbers, Numbers, "survey-frontier-numbers",
                "figure 11 as printed: the distance is the frontier",
                "Springer, Breadth-first Search in CUDA, section 3.2, fig. 11",
                "idempotent writes without atomics are data races; the distances are right", false, over_vertices, literal_grid)
