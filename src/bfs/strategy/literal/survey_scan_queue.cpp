// Springer's survey, figure 15, statement by statement: flags become a queue by a prefix sum, which is the textbook's two
// sweeps.
#include <bit>

#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void visit_queue(Lists g, Printed<int> queue, Printed<unsigned char> updated, Printed<unsigned char> visited) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  const int input_queue_size = queue[0];
  for (int v = 0; v < input_queue_size; v += num_threads) {
    if (v + tid < input_queue_size) {
      const int vertex = queue[v + tid + 1];
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

void flags_of_level(int num_vertices, Printed<unsigned char> updated, Printed<unsigned char> frontier,
                    Printed<unsigned char> visited, Printed<int> prefix_sum) {
  const int vertex = static_cast<int>(dev::global_thread());
  if (vertex < num_vertices) {
    if (updated[vertex]) visited[vertex] = 1;
    frontier[vertex] = updated[vertex];
    prefix_sum[vertex] = updated[vertex];
    updated[vertex] = 0;
  }
}

void sweep_up(Printed<int> prefix_sum, int pairs, int stride) {
  const int t = static_cast<int>(dev::global_thread());
  if (t < pairs)
    prefix_sum[stride * (2 * t + 2) - 1] = prefix_sum[stride * (2 * t + 2) - 1] + prefix_sum[stride * (2 * t + 1) - 1];
}

void sweep_down(Printed<int> prefix_sum, int pairs, int stride) {
  const int t = static_cast<int>(dev::global_thread());
  if (t < pairs) {
    const int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
    const int below = prefix_sum[left];
    prefix_sum[left] = prefix_sum[right];
    prefix_sum[right] = prefix_sum[right] + below;
  }
}

void generate_queue(int num_vertices, Printed<int> prefix_sum, Printed<unsigned char> frontier, Printed<int> queue) {
  const int vertex = static_cast<int>(dev::global_thread());
  if (vertex < num_vertices && frontier[vertex]) queue[prefix_sum[vertex] + 1] = vertex;
  if (vertex == 0) queue[0] = prefix_sum[num_vertices - 1] + frontier[num_vertices - 1];
}

class ScanQueue final : public SurveyListing {
 public:
  explicit ScanQueue(const PlanRequest& request)
      : SurveyListing(request),
        padded_(2),
        updated_(device_, level_.size(), "updated"),
        frontier_(device_, level_.size(), "frontier"),
        visited_(device_, level_.size(), "visited"),
        queue_(device_, level_.size() + 1, "queue"),
        sums_(device_, std::bit_ceil(std::max<std::size_t>(level_.size(), 2)), "prefix_sum") {
    padded_ = static_cast<int>(sums_.size());
  }

 private:
  void start(int source) override {
    SurveyListing::start(source);
    updated_.fill(0);
    visited_.fill(0);
    visited_.set(1, static_cast<std::size_t>(source));
    queue_.set(1);
    queue_.set(source, 1);
    queued_ = 1;
  }
  bool pass(int current) override {
    iterate(current - 1);
    queued_ = queue_.get();
    return queued_ > 0;
  }
  void iterate(int /*iteration*/) override {
    launch(device_, strides(queued_), visit_queue, lists(), queue_.words(), updated_.words(), visited_.words());
    sums_.fill(0);
    launch(device_, threads(n_), flags_of_level, n_, updated_.words(), frontier_.words(), visited_.words(), sums_.words());
    for (int stride = 1; stride < padded_; stride *= 2)
      launch(device_, threads(padded_ / stride / 2), sweep_up, sums_.words(), padded_ / stride / 2, stride);
    sums_.set(0, sums_.size() - 1);
    for (int stride = padded_ / 2; stride > 0; stride /= 2)
      launch(device_, threads(padded_ / stride / 2), sweep_down, sums_.words(), padded_ / stride / 2, stride);
    launch(device_, threads(n_), generate_queue, n_, sums_.words(), frontier_.words(), queue_.words());
  }
  int padded_, queued_ = 1;
  NamedBuffer<unsigned char> updated_, frontier_, visited_;
  NamedBuffer<int> queue_, sums_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_scan_queue, ScanQueue, "survey-scan-queue", "figure 15 as printed: flags made a queue by a prefix sum",
                "Springer, Breadth-first Search in CUDA, section 3.7, fig. 15",
                "idempotent writes without atomics are data races; the distances are right", false)
