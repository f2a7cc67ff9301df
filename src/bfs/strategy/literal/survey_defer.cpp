// Springer's survey, figure 12, statement by statement: long lists wait in a queue in shared memory.
#include "bfs/strategy/literal/plans.h"
#define queue_size HW_PRINTED_ONE(queue_size)
namespace hopwave::sim {
namespace {

constexpr int DEFER_MAX = 16, D_BLOCK_QUEUE_SIZE = 2048;

void visit_list(const Lists& g, Printed<unsigned char> still_running, int vertex, int iteration) {
  for (int n = 0; n < g.v_adj_length[vertex]; n++) {
    const int neighbor = g.v_adj_list[g.v_adj_begin[vertex] + n];
    if (g.result[neighbor] == far_away) {
      g.result[neighbor] = iteration + 1;
      *still_running = 1;
    }
  }
}

void defer(Lists g, Printed<unsigned char> still_running, int iteration) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  const int block_size = static_cast<int>(dev::block_size());
  HW_PRINTED_SHARED_ONE(int, queue_size);
  HW_PRINTED_SHARED(int, next_queue, D_BLOCK_QUEUE_SIZE);
  if (dev::thread() == 0) queue_size = 0;
  dev::sync_block();
  for (int v = 0; v < g.num_vertices; v += num_threads) {
    const int vertex = v + tid;
    if (vertex < g.num_vertices && g.result[vertex] == iteration) {
      if (g.v_adj_length[vertex] < DEFER_MAX || queue_size >= D_BLOCK_QUEUE_SIZE - block_size) {
        visit_list(g, still_running, vertex, iteration);
      } else {
        const int position = dev::fetch_add(&queue_size, 1);
        next_queue[position] = vertex;
      }
    }
    dev::sync_block();
  }
  for (int v = 0; v < queue_size; v += block_size)
    if (v + static_cast<int>(dev::thread()) < queue_size)
      visit_list(g, still_running, next_queue[v + static_cast<int>(dev::thread())], iteration);
}

class Defer final : public SurveyListing {
 public:
  using SurveyListing::SurveyListing;

 private:
  void iterate(int iteration) override { launch(device_, strides(n_), defer, lists(), more_.words(), iteration); }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_defer, Defer, "survey-defer", "figure 12 as printed: long lists wait in shared memory",
                "Springer, Breadth-first Search in CUDA, section 3.3, fig. 12",
                "the queue's size is read plainly while others add to it, a data race; the distances are right", false)

#undef queue_size
