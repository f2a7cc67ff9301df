// Springer's survey, figure 17, statement by statement: edges whose tail has the iteration's number.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void edge_numbers(Printed<const int> v_adj_from, Printed<const int> v_adj_to, int num_edges, Printed<int> result,
                  Printed<unsigned char> still_running, int iteration) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  for (int e = 0; e < num_edges; e += num_threads) {
    const int edge = e + tid;
    if (edge < num_edges) {
      const int from_vertex = v_adj_from[edge];
      const int to_vertex = v_adj_to[edge];
      if (result[from_vertex] == iteration && result[to_vertex] == far_away) {
        result[to_vertex] = iteration + 1;
        *still_running = 1;
      }
    }
  }
}

class EdgeNumbers final : public EdgeListing {
 public:
  using EdgeListing::EdgeListing;

 private:
  void iterate(int iteration) override {
    launch(device_, threads((m_ + 1) / 2), edge_numbers, from_.constant(), to_.constant(), m_, level_.words(), more_.words(),
           iteration);
  }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_edge_numbers, EdgeNumbers, "survey-edge-numbers", "figure 17 as printed: edges of the frontier",
                "Springer, Breadth-first Search in CUDA, section 4.2, fig. 17",
                "idempotent writes without atomics are data races; the distances are right", false)
