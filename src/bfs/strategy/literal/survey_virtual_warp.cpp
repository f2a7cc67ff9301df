// Springer's survey, figure 13, statement by statement: virtual warps of sixteen threads.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

constexpr int W_SZ = 16;

void virtual_warps(Lists g, Printed<unsigned char> still_running, int iteration) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  for (int v2 = 0; v2 < g.num_vertices; v2 += num_threads) {
    const int vertex2 = v2 + tid;
    const int warp_id = vertex2 / W_SZ, warp_offset = vertex2 % W_SZ;
    for (int v = 0; v < W_SZ; v++) {
      const int vertex = warp_id * W_SZ + v;
      if (vertex < g.num_vertices && g.result[vertex] == iteration) {
        for (int n = 0; n < g.v_adj_length[vertex]; n += W_SZ) {
          const int neighbor_index = n + warp_offset;
          if (neighbor_index < g.v_adj_length[vertex]) {
            const int neighbor = g.v_adj_list[g.v_adj_begin[vertex] + neighbor_index];
            if (g.result[neighbor] == far_away) {
              g.result[neighbor] = g.result[vertex] + 1;
              *still_running = 1;
            }
          }
        }
      }
    }
  }
}

class VirtualWarps final : public SurveyListing {
 public:
  using SurveyListing::SurveyListing;

 private:
  void iterate(int iteration) override { launch(device_, threads(n_), virtual_warps, lists(), more_.words(), iteration); }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_virtual_warp, VirtualWarps, "survey-virtual-warp", "figure 13 as printed: virtual warps of sixteen",
                "Springer, Breadth-first Search in CUDA, section 3.5, fig. 13",
                "idempotent writes without atomics are data races; lanes beyond a last, partial virtual warp are missing",
                false)
