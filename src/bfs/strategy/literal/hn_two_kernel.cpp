// Harish and Narayanan, algorithms 1 and 2, as in the examples of Rodinia and ROCm: masks, two kernels per level.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit_mask(Printed<const int> starting, Printed<const int> no_of_edges, Printed<const int> edges, int no_of_nodes,
                Printed<unsigned char> graph_mask, Printed<unsigned char> updating_graph_mask,
                Printed<unsigned char> graph_visited, Printed<int> cost) {
  const int tid = static_cast<int>(dev::global_thread());
  if (tid < no_of_nodes && graph_mask[tid]) {
    graph_mask[tid] = 0;
    for (int i = starting[tid]; i < no_of_edges[tid] + starting[tid]; i++) {
      const int id = edges[i];
      if (!graph_visited[id]) {
        cost[id] = cost[tid] + 1;
        updating_graph_mask[id] = 1;
      }
    }
  }
}

void next_mask(Printed<unsigned char> graph_mask, Printed<unsigned char> updating_graph_mask,
               Printed<unsigned char> graph_visited, Printed<unsigned char> over, int no_of_nodes) {
  const int tid = static_cast<int>(dev::global_thread());
  if (tid < no_of_nodes && updating_graph_mask[tid]) {
    graph_mask[tid] = 1;
    graph_visited[tid] = 1;
    *over = 1;
    updating_graph_mask[tid] = 0;
  }
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
    launch(device_, threads(n_), visit_mask, begin_.constant(), length_.constant(), list_.constant(), n_, mask_.words(),
           updating_.words(), visited_.words(), level_.words());
    launch(device_, threads(n_), next_mask, mask_.words(), updating_.words(), visited_.words(), more_.words(), n_);
  }
  NamedBuffer<unsigned char> mask_, updating_, visited_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(hn_two_kernel, TwoKernels, "hn-two-kernel", "two kernels per level with masks, as printed",
                "Harish & Narayanan, HiPC 2007; Rodinia and ROCm",
                "idempotent writes without atomics are data races; the distances are right", false)
