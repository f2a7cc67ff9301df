// Springer's survey, figure 14, statement by statement: a queue of 8,192 in shared memory, with nothing that looks for its end.
#include "bfs/strategy/literal/plans.h"
#define input_queue_size HW_PRINTED_ONE(input_queue_size)
namespace hopwave::sim {
namespace {
#define queue_size HW_PRINTED_ONE(queue_size)
constexpr int BLOCK_QUEUE_SIZE = 8192;
#define global_offset HW_PRINTED_ONE(global_offset)
void hierarchical_queue(Lists g, int iteration, Printed<int> input_queue, Printed<int> output_queue) {
  const int tid = static_cast<int>(dev::global_thread());
  const int num_threads = static_cast<int>(dev::global_threads());
  const int block_size = static_cast<int>(dev::block_size()), thread = static_cast<int>(dev::thread());
  HW_PRINTED_SHARED_ONE(int, input_queue_size);
  if (thread == 0) input_queue_size = *input_queue;
  dev::sync_block();
  HW_PRINTED_SHARED_ONE(int, queue_size);
  HW_PRINTED_SHARED(int, next_queue, BLOCK_QUEUE_SIZE);
  if (thread == 0) queue_size = 0;
  dev::sync_block();
  for (int v = 0; v < input_queue_size; v += num_threads) {
    if (v + tid < input_queue_size) {
      const int vertex = input_queue[v + tid + 1];
      for (int n = 0; n < g.v_adj_length[vertex]; n++) {
        const int neighbor = g.v_adj_list[g.v_adj_begin[vertex] + n];
        if (g.result[neighbor] == far_away) {
          g.result[neighbor] = iteration + 1;
          const int position = dev::fetch_add(&queue_size, 1);
          next_queue[position] = neighbor;
        }
      }
    }
    dev::sync_block();
    HW_PRINTED_SHARED_ONE(int, global_offset);
    if (thread == 0) global_offset = dev::fetch_add(&*output_queue, queue_size);
    dev::sync_block();
    for (int i = 0; i < queue_size; i += block_size)
      if (i + thread < queue_size) output_queue[global_offset + i + thread + 1] = next_queue[i + thread];
    dev::sync_block();
    queue_size = 0;
    dev::sync_block();
  }
}

/// The first word of a queue is its size; eight places per vertex, as in the published code, which asks whether that is enough.
class HierarchicalQueue final : public SurveyListing {
 public:
  explicit HierarchicalQueue(const PlanRequest& request)
      : SurveyListing(request),
        queues_{NamedBuffer<int>(device_, level_.size() * 8, "output_queue"),
                NamedBuffer<int>(device_, level_.size() * 8, "output_queue")} {}

 private:
  void start(int source) override {
    SurveyListing::start(source);
    queues_[0].set(1);
    queues_[0].set(source, 1);
    queued_ = 1;
    turn_ = 0;
  }
  bool pass(int current) override {
    iterate(current - 1);
    queued_ = queues_[turn_].get();
    return queued_ > 0;
  }
  void iterate(int iteration) override {
    queues_[1 - turn_].set(0);
    launch(device_, strides(queued_), hierarchical_queue, lists(), iteration, queues_[turn_].words(),
           queues_[1 - turn_].words());
    turn_ = 1 - turn_;
  }
  std::array<NamedBuffer<int>, 2> queues_;
  int queued_ = 1, turn_ = 0;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(survey_hierarchical_queue, HierarchicalQueue, "survey-hierarchical-queue",
                "figure 14 as printed: a queue in shared memory, then a global one",
                "Springer, Breadth-first Search in CUDA, section 3.6, fig. 14",
                "nothing looks for the end of the 8,192 places in shared memory; a vertex may be queued several times", false)

#undef input_queue_size
#undef queue_size
#undef global_offset
