// Springer's survey, figure 16, statement by statement: every edge relaxes.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void edge_simple(Printed<const int> v_adj_from, Printed<const int> v_adj_to, int num_edges, Printed<int> result,
                 Printed<unsigned char> still_running) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  for (int e = 0; e < num_edges; e += num_threads) {
    const int edge = e + tid;
    if (edge < num_edges) {
      const int to_vertex = v_adj_to[edge];
      const int new_len = result[v_adj_from[edge]] + 1;
      if (new_len < result[to_vertex]) {
        result[to_vertex] = new_len;
        *still_running = 1;
      }
    }
  }
}

class EdgeSimple final : public EdgeListing {
 public:
  using EdgeListing::EdgeListing;

 private:
  void iterate(int /*iteration*/) override {
    launch(device_, threads((m_ + 1) / 2), edge_simple, from_.constant(), to_.constant(), m_, level_.words(), more_.words());
  }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_edge_simple, EdgeSimple, "survey-edge-simple",
                "figure 16 as printed: every edge relaxes, with plain stores",
                "Springer, Breadth-first Search in CUDA, section 4.1, fig. 16",
                "a larger distance may be put over a smaller: a data race that costs passes; the distances end right", false)
