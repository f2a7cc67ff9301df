// Springer's survey, figure 14, step by step: a queue of 8,192 in shared memory, with nothing that looks for its end.
#include "bfs/strategy/literal/plans.h"
#define queued HW_PRINTED_ONE(queued)
namespace hopwave::sim {
namespace {
#define own_size HW_PRINTED_ONE(own_size)
#define piece HW_PRINTED_ONE(piece)
void visit_by_own_queues(Lists g, int iteration, Printed<int> queue, Printed<int> next, int queue_size) {
  const int id = static_cast<int>(dev::global_thread());       // -: the thread's number in the grid
  const int stride = static_cast<int>(dev::global_threads());  // -: the threads of the grid
  const int threads = static_cast<int>(dev::block_size()), thread = static_cast<int>(dev::thread());
  HW_PRINTED_SHARED_ONE(int, queued);                      // -: the entries of the queue
  if (thread == 0) queued = *queue;                        // -: reads their number, one thread
  dev::sync_block();                                       // -: a barrier of the block
  HW_PRINTED_SHARED_ONE(int, own_size);                    // -: the size of the block's own queue
  HW_PRINTED_DYNAMIC(int, next_queue, queue_size);         // -: the block's own queue
  own_size = 0;                                            // 18: writes the size, every thread
  dev::sync_block();                                       // -: a barrier of the block
  for (int round = 0; round < queued; round += stride) {   // -: reads the number, each time: as many rounds as it needs
    if (round + id < queued) {                             // -: reads the number: threads beyond it have no entry
      const int v = queue[round + id + 1];                 // -: reads the entry
      for (int n = 0; n < g.length[v]; ++n) {              // -: reads the list's length, each time
        const int w = g.list[g.begin[v] + n];              // -: reads where the list begins, and the neighbour
        if (g.result[w] == far_away) {                     // -: reads the neighbour's distance
          g.result[w] = iteration + 1;                     // -: writes it; another thread may have found it, too
          const int place = dev::fetch_add(&own_size, 1);  // -: takes a place of its own queue
          next_queue[place] = w;                           // -: writes the neighbour there; nothing asks for the end
        }
      }
    }
    dev::sync_block();                                                // -: a barrier of the block
    HW_PRINTED_SHARED_ONE(int, piece);                                // -: where the block's piece of the next queue begins
    if (thread == 0) piece = dev::fetch_add(&*next, own_size);        // -: reads the size, takes the piece, one thread
    dev::sync_block();                                                // -: a barrier of the block
    for (int first = 0; first < own_size; first += threads) {         // -: reads the size, each time
      if (first + thread >= own_size) continue;                       // -: reads the size: threads beyond it have no entry
      next[piece + first + thread + 1] = next_queue[first + thread];  // -: reads where the piece begins, copies an entry
    }
    dev::sync_block();  // -: a barrier of the block
    own_size = 0;       // -: writes the size, every thread
    dev::sync_block();  // -: a barrier of the block
  }
}

/// The first word of a queue is its size; eight places per vertex, as in the published code, which asks whether that is enough.
class HierarchicalQueue final : public SurveyListing {
 public:
  explicit HierarchicalQueue(const PlanRequest& request)
      : SurveyListing(request),
        queues_{NamedBuffer<int>(device_, level_.size() * 8, "output_queue"),
                NamedBuffer<int>(device_, level_.size() * 8, "output_queue")},
        queue_size_(static_cast<int>(parameter(request, "queue_size"))) {}

 private:
  void start(int source) override {
    SurveyListing::start(source);
    queues_[0].set(1);
    queues_[0].set(source, 1);
    entries_ = 1;
    turn_ = 0;
  }
  bool pass(int current) override {
    iterate(current - 1);
    entries_ = queues_[turn_].get();
    return entries_ > 0;
  }
  void iterate(int iteration) override {
    queues_[1 - turn_].set(0);
    launch(device_, with_shared(grid_for_items(entries_), queue_size_), visit_by_own_queues, lists(), iteration,
           queues_[turn_].words(), queues_[1 - turn_].words(), queue_size_);
    turn_ = 1 - turn_;
  }
  std::array<NamedBuffer<int>, 2> queues_;
  int queue_size_, entries_ = 1, turn_ = 0;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_hierarchical_queue, HierarchicalQueue, "survey-hierarchical-queue",
                "figure 14 as printed: a queue in shared memory, then a global one",
                "Springer, Breadth-first Search in CUDA, section 3.6, fig. 14",
                "nothing looks for the end of the 8,192 places in shared memory; a vertex may be queued several times", false,
                {}, literal_grid, {"queue_size", 8192, 1, most_shared_ints, "places in a block's queue"})

#undef queued
#undef own_size
#undef piece
