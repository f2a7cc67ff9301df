// Springer's survey, figure 9, statement by statement: every vertex offers its distance plus one to its neighbours.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void simple(Lists g, Printed<unsigned char> still_running) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  for (int v = 0; v < g.num_vertices; v += num_threads) {
    const int vertex = v + tid;
    if (vertex < g.num_vertices) {
      for (int n = 0; n < g.v_adj_length[vertex]; n++) {
        const int neighbor = g.v_adj_list[g.v_adj_begin[vertex] + n];
        if (g.result[neighbor] > g.result[vertex] + 1) {
          g.result[neighbor] = g.result[vertex] + 1;
          *still_running = 1;
        }
      }
    }
  }
}

class Simple final : public SurveyListing {
 public:
  using SurveyListing::SurveyListing;

 private:
  void iterate(int /*iteration*/) override { launch(device_, strides(n_), simple, lists(), more_.words()); }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_simple, Simple, "survey-simple", "figure 9 as printed: every vertex relaxes, with plain stores",
                "Springer, Breadth-first Search in CUDA, section 3, fig. 9",
                "a larger distance may be put over a smaller: a data race that costs passes; the distances end right", false)
