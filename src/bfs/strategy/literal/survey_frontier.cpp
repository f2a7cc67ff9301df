// Springer's survey, figure 10, statement by statement: flags for frontier, visited and updated, two kernels per level.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit(Lists g, Printed<unsigned char> updated, Printed<unsigned char> frontier, Printed<unsigned char> visited) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  for (int v = 0; v < g.num_vertices; v += num_threads) {
    const int vertex = v + tid;
    if (vertex < g.num_vertices && frontier[vertex]) {
      frontier[vertex] = 0;
      for (int n = 0; n < g.v_adj_length[vertex]; n++) {
        const int neighbor = g.v_adj_list[g.v_adj_begin[vertex] + n];
        if (!visited[neighbor]) {
          g.result[neighbor] = g.result[vertex] + 1;
          updated[neighbor] = 1;
        }
      }
    }
  }
}

void update_flags(int num_vertices, Printed<unsigned char> still_running, Printed<unsigned char> updated,
                  Printed<unsigned char> frontier, Printed<unsigned char> visited) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  for (int v = 0; v < num_vertices; v += num_threads) {
    const int vertex = v + tid;
    if (vertex < num_vertices && updated[vertex]) {
      frontier[vertex] = 1;
      updated[vertex] = 0;
      visited[vertex] = 1;
      *still_running = 1;
    }
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
    launch(device_, strides(n_), visit, lists(), updated_.words(), frontier_.words(), visited_.words());
    launch(device_, strides(n_), update_flags, n_, more_.words(), updated_.words(), frontier_.words(), visited_.words());
  }
  NamedBuffer<unsigned char> updated_, frontier_, visited_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_frontier, FlagArrays, "survey-frontier",
                "figure 10 as printed: three arrays of flags, two kernels per level",
                "Springer, Breadth-first Search in CUDA, section 3.1, fig. 10",
                "idempotent writes without atomics are data races; the distances are right", false)
