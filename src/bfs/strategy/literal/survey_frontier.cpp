// Springer's survey, figure 10, step by step: flags for frontier, visited and updated, two kernels per level.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit_flagged(Lists g, Printed<unsigned char> updated, Printed<unsigned char> frontier, Printed<unsigned char> visited) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  for (int round = 0; round < g.vertices; round += stride) {   // -: as many rounds as the grid needs
    const int v = round + id;                                  // -: the thread's vertex of this round
    if (v >= g.vertices || !frontier[v]) continue;             // -: reads whether it is in the frontier
    frontier[v] = 0;                                           // -: takes it out
    for (int n = 0; n < g.length[v]; ++n) {                    // -: reads the list's length, each time
      const int w = g.list[g.begin[v] + n];                    // -: reads where the list begins, and the neighbour
      if (!visited[w]) {                                       // -: reads whether it is visited
        g.result[w] = g.result[v] + 1;                         // -: reads its own distance, writes the neighbour's
        updated[w] = 1;                                        // -: marks the neighbour for the second kernel
      }
    }
  }
}

void update_flags(int vertices, Printed<unsigned char> running, Printed<unsigned char> updated, Printed<unsigned char> frontier,
                  Printed<unsigned char> visited) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number, in the second kernel
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  for (int round = 0; round < vertices; round += stride) {     // -: as many rounds as the grid needs
    const int v = round + id;                                  // -: the thread's vertex of this round
    if (v >= vertices || !updated[v]) continue;                // -: reads whether it was marked
    frontier[v] = 1;                                           // -: puts it into the frontier
    updated[v] = 0;                                            // -: takes the mark away
    visited[v] = 1;                                            // -: marks it as visited
    *running = 1;                                              // -: raises the flag
  }
}

class FlagArrays final : public SurveyListing {
 public:
  explicit FlagArrays(const PlanRequest& request)
      : SurveyListing(request),
        updated_(device_, level_.size(), "updated"),
        frontier_(device_, level_.size(), "frontier"),
        visited_(device_, level_.size(), "visited") {}

 private:
  void start(int source) override {
    SurveyListing::start(source);
    updated_.fill(0);
    frontier_.fill(0);
    visited_.fill(0);
    frontier_.set(1, static_cast<std::size_t>(source));
    visited_.set(1, static_cast<std::size_t>(source));
  }
  void iterate(int /*iteration*/) override {
    launch(device_, grid_for_items(n_), visit_flagged, lists(), updated_.words(), frontier_.words(), visited_.words());
    launch(device_, grid_for_items(n_), update_flags, n_, more_.words(), updated_.words(), frontier_.words(), visited_.words());
  }
  NamedBuffer<unsigned char> updated_, frontier_, visited_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_frontier, FlagArrays, "survey-frontier",
                "figure 10 as printed: three arrays of flags, two kernels per level",
                "Springer, Breadth-first Search in CUDA, section 3.1, fig. 10",
                "idempotent writes without atomics are data races; the distances are right", false, over_vertices_twice,
                literal_grid)
