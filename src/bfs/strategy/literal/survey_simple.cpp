// Springer's survey, figure 9, step by step: every vertex offers its distance plus one to its neighbours.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void relax_vertices(Lists g, Printed<unsigned char> running) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  for (int round = 0; round < g.vertices; round += stride) {   // -: as many rounds as the grid needs
    const int v = round + id;                                  // -: the thread's vertex of this round
    if (v >= g.vertices) continue;                             // -: the last round has threads without a vertex
    for (int n = 0; n < g.length[v]; ++n) {                    // -: reads the list's length, each time
      const int w = g.list[g.begin[v] + n];                    // -: reads where the list begins, and the neighbour
      if (g.result[w] > g.result[v] + 1) {                     // -: reads both distances
        g.result[w] = g.result[v] + 1;                         // -: reads its own again, writes the neighbour's
        *running = 1;                                          // -: raises the flag
      }
    }
  }
}

class Simple final : public SurveyListing {
 public:
  using SurveyListing::SurveyListing;

 private:
  void iterate(int /*iteration*/) override { launch(device_, grid_for_items(n_), relax_vertices, lists(), more_.words()); }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_simple, Simple, "survey-simple", "figure 9 as printed: every vertex relaxes, with plain stores",
                "Springer, Breadth-first Search in CUDA, section 3, fig. 9",
                "a larger distance may be put over a smaller: a data race that costs passes; the distances end right", false,
                {}, literal_grid)
