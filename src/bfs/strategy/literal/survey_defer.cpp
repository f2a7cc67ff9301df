// Springer's survey, figure 12, step by step: long lists wait in a queue in shared memory.
#include "bfs/strategy/literal/plans.h"
#define waiting HW_PRINTED_ONE(waiting)
namespace hopwave::sim {
namespace {

void visit_deferring(Lists g, Printed<unsigned char> running, int iteration, int defer_max, int queue_size) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  HW_PRINTED_SHARED_ONE(int, waiting);                         // -: how many vertices of the block wait
  HW_PRINTED_DYNAMIC(int, next_queue, queue_size);             // -: the vertices that wait
  if (dev::thread() == 0) waiting = 0;                         // -: writes the number, one thread
  dev::sync_block();                                           // -: a barrier of the block
  for (int round = 0; round < g.vertices; round += stride) {   // -: as many rounds as the grid needs
    const int v = round + id;                                  // -: the thread's vertex of this round
    if (v < g.vertices && g.result[v] == iteration) {          // -: reads its distance; it has to be the iteration
      const bool few = g.length[v] < defer_max;                // -: reads the length: has it few neighbours?
      if (few || static_cast<unsigned>(waiting) >= queue_size - dev::block_size()) {  // -: or no room? reads the number
        for (int n = 0; n < g.length[v]; ++n) {                                       // -: reads the list's length, each time
          const int w = g.list[g.begin[v] + n];  // -: reads where the list begins, and the neighbour
          if (g.result[w] == far_away) {         // -: reads the neighbour's distance
            g.result[w] = iteration + 1;         // -: writes it; other threads may write the same
            *running = 1;                        // -: raises the flag
          }
        }
      } else {
        const int place = dev::fetch_add(&waiting, 1);  // -: takes a place in the queue
        next_queue[place] = v;                          // -: writes the vertex there
      }
    }
    dev::sync_block();  // -: a barrier of the block, in every round
  }
  for (int first = 0; first < waiting; first += static_cast<int>(dev::block_size())) {  // -: reads the number, each time
    const int at = first + static_cast<int>(dev::thread());
    if (at >= waiting) continue;             // -: reads the number: threads beyond it have no vertex
    const int v = next_queue[at];            // -: reads the vertex
    for (int n = 0; n < g.length[v]; ++n) {  // -: reads the list's length, each time
      const int w = g.list[g.begin[v] + n];  // -: reads where the list begins, and the neighbour
      if (g.result[w] == far_away) {         // -: reads the neighbour's distance
        g.result[w] = iteration + 1;         // -: writes it; other threads may write the same
        *running = 1;                        // -: raises the flag
      }
    }
  }
}

class Defer final : public SurveyListing {
 public:
  explicit Defer(const PlanRequest& request)
      : SurveyListing(request),
        defer_max_(static_cast<int>(parameter(request, "defer_max"))),
        queue_size_(static_cast<int>(parameter(request, "queue_size"))) {}

 private:
  void iterate(int iteration) override {
    launch(device_, with_shared(grid_for_items(n_), queue_size_), visit_deferring, lists(), more_.words(), iteration,
           defer_max_, queue_size_);
  }
  int defer_max_, queue_size_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_defer, Defer, "survey-defer", "figure 12 as printed: long lists wait in shared memory",
                "Springer, Breadth-first Search in CUDA, section 3.3, fig. 12",
                "the queue's size is read plainly while others add to it, a data race; the distances are right", false,
                over_vertices_deferring, literal_grid, {"defer_max", 16, 0, 1 << 30, "neighbours from which a vertex waits"},
                {"queue_size", 2048, 1, most_shared_ints, "places in a block's queue; below `block` its end is not found"})

#undef waiting
