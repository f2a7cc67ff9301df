// Springer's survey, figure 13, step by step: virtual warps, of sixteen threads in print.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit_by_virtual_warps(Lists g, Printed<unsigned char> running, int iteration, int width) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  for (int round = 0; round < g.vertices; round += stride) {   // -: as many rounds as the grid needs
    const int number = round + id;                             // -: the thread's number of this round
    const int group = number / width, lane = number % width;   // -: its virtual warp, and its place there
    for (int k = 0; k < width; ++k) {                          // -: the virtual warp takes its vertices one after the other
      const int v = group * width + k;
      if (v >= g.vertices || g.result[v] != iteration) continue;  // -: reads the vertex's distance; it has to be the iteration
      for (int n = 0; n < g.length[v]; n += width) {              // -: reads the list's length, each time
        const int at = n + lane;
        if (at >= g.length[v]) continue;        // -: reads the length: lanes beyond it have no neighbour
        const int w = g.list[g.begin[v] + at];  // -: reads where the list begins, and the neighbour
        if (g.result[w] == far_away) {          // -: reads the neighbour's distance
          g.result[w] = g.result[v] + 1;        // -: reads the vertex's distance, writes the neighbour's
          *running = 1;                         // -: raises the flag
        }
      }
    }
  }
}

class VirtualWarps final : public SurveyListing {
 public:
  explicit VirtualWarps(const PlanRequest& request)
      : SurveyListing(request), width_(static_cast<int>(parameter(request, "width"))) {}

 private:
  void iterate(int iteration) override {
    launch(device_, grid_for_items(n_), visit_by_virtual_warps, lists(), more_.words(), iteration, width_);
  }
  int width_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_virtual_warp, VirtualWarps, "survey-virtual-warp", "figure 13 as printed: virtual warps of sixteen",
                "Springer, Breadth-first Search in CUDA, section 3.5, fig. 13",
                "idempotent writes without atomics are data races; lanes beyond a last, partial virtual warp are missing",
                false, over_groups, literal_grid, {"width", 16, 1, 1024, "threads of a virtual warp"})
