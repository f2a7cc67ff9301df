// Harish and Narayanan, algorithms 1 and 2, as in the examples of Rodinia and ROCm, step by step: masks, two kernels per level.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit_masked(Printed<const int> starts, Printed<const int> lengths, Printed<const int> heads, int vertices,
                  Printed<unsigned char> mask, Printed<unsigned char> updating, Printed<unsigned char> visited,
                  Printed<int> cost) {
  const int v = static_cast<int>(dev::global_thread());          // -: the thread's vertex
  if (v >= vertices || !mask[v]) return;                         // -: reads the vertex's mask; it has to be in the frontier
  mask[v] = 0;                                                   // -: takes it out of the frontier
  for (int at = starts[v]; at < lengths[v] + starts[v]; ++at) {  // -: reads the row's start, and each time its length and start
    const int w = heads[at];                                     // -: reads the neighbour
    if (!visited[w]) {                                           // -: reads whether it is visited
      cost[w] = cost[v] + 1;                                     // -: reads the vertex's cost, writes the neighbour's
      updating[w] = 1;                                           // -: marks the neighbour for the second kernel
    }
  }
}

void make_next_mask(Printed<unsigned char> mask, Printed<unsigned char> updating, Printed<unsigned char> visited,
                    Printed<unsigned char> over, int vertices) {
  const int v = static_cast<int>(dev::global_thread());  // -: the thread's vertex, in the second kernel
  if (v >= vertices || !updating[v]) return;             // -: reads whether it was marked
  mask[v] = 1;                                           // -: puts it into the frontier
  visited[v] = 1;                                        // -: marks it as visited
  *over = 1;                                             // -: raises the flag
  updating[v] = 0;                                       // -: takes the mark away
}

class TwoKernels final : public SurveyListing {
 public:
  explicit TwoKernels(const PlanRequest& request)
      : SurveyListing(request),
        mask_(device_, level_.size(), "graph_mask"),
        updating_(device_, level_.size(), "updating_graph_mask"),
        visited_(device_, level_.size(), "graph_visited") {}

 private:
  void start(int source) override {
    start_levels(source, unreached);
    mask_.fill(0);
    updating_.fill(0);
    visited_.fill(0);
    mask_.set(1, static_cast<std::size_t>(source));
    visited_.set(1, static_cast<std::size_t>(source));
  }
  void iterate(int /*iteration*/) override {
    launch(device_, threads(n_), visit_masked, begin_.constant(), length_.constant(), list_.constant(), n_, mask_.words(),
           updating_.words(), visited_.words(), level_.words());
    launch(device_, threads(n_), make_next_mask, mask_.words(), updating_.words(), visited_.words(), more_.words(), n_);
  }
  NamedBuffer<unsigned char> mask_, updating_, visited_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(hn_two_kernel, TwoKernels, "hn-two-kernel", "two kernels per level with masks, as printed",
                "Harish & Narayanan, HiPC 2007; Rodinia and ROCm",
                "idempotent writes without atomics are data races; the distances are right", false, over_vertices_twice)
