// Springer's survey, figure 11, statement by statement: a vertex is in the frontier if its distance is the iteration.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void numbers(Lists g, Printed<unsigned char> still_running, int iteration) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  for (int v = 0; v < g.num_vertices; v += num_threads) {
    const int vertex = v + tid;
    if (vertex < g.num_vertices && g.result[vertex] == iteration) {
      for (int n = 0; n < g.v_adj_length[vertex]; n++) {
        const int neighbor = g.v_adj_list[g.v_adj_begin[vertex] + n];
        if (g.result[neighbor] == far_away) {
          g.result[neighbor] = iteration + 1;
          *still_running = 1;
        }
      }
    }
  }
}

class Numbers final : public SurveyListing {
 public:
  using SurveyListing::SurveyListing;

 private:
  void iterate(int iteration) override { launch(device_, strides(n_), numbers, lists(), more_.words(), iteration); }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_frontier_numbers, Numbers, "survey-frontier-numbers",
                "figure 11 as printed: the distance is the frontier",
                "Springer, Breadth-first Search in CUDA, section 3.2, fig. 11",
                "idempotent writes without atomics are data races; the distances are right", false)
