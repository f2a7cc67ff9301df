// Queues in two storeys: a block gathers what it finds in shared memory and moves it to the global queue in one piece.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.6, figure 14; Luo, Wong, Hwu, DAC 2010.
// Ours differs: a vertex is claimed by compare-and-swap, so that it enters once; a full block queue is flushed and goes on.
#include "strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

/// Where one thread stands: the next of its frontier vertices, the rest of the list in work, a vertex without a slot yet.
template <class Offset>
struct Walker {
  std::uint64_t next;
  Offset at = 0, end = 0;
  VertexId in_hand = no_vertex;
};

struct BlockQueue {
  VertexId* slots;
  std::uint32_t* claimed;  ///< may pass `size`: those claims found no slot
  std::uint32_t size;
};

/// Goes on until the thread has nothing left (false) or holds a vertex for which there is no slot (true).
template <class Offset>
HW_DEVICE bool gather(const AdjacencyLists<Offset>& lists, const VertexId* frontier, std::uint32_t frontier_size,
                      Walker<Offset>& walker, const BlockQueue& queue, Distance* level, Distance current) {
  for (;;) {
    if (walker.in_hand != no_vertex) {
      const std::uint32_t slot = dev::fetch_add(queue.claimed, 1u);
      if (slot >= queue.size) return true;
      queue.slots[slot] = walker.in_hand;
      walker.in_hand = no_vertex;
    }
    if (walker.at == walker.end) {
      if (walker.next >= frontier_size) return false;
      const VertexId v = dev::read_only(&frontier[walker.next]);
      walker.next += dev::global_threads();
      walker.at = dev::read_only(&lists.begin[v]);
      walker.end = walker.at + dev::read_only(&lists.length[v]);
      continue;
    }
    const VertexId w = dev::read_only(&lists.neighbors[walker.at++]);
    // A stale look errs towards "unreached": the swap decides.
    if (dev::peek(&level[w]) == unreached && dev::compare_exchange(&level[w], unreached, current) == unreached)
      walker.in_hand = w;
  }
}

/// `next_size` is the counter of the level after this one. All threads of a block stay until none has work left, so that
/// every barrier is met by all.
template <class Offset>
HW_KERNEL void survey_hierarchical_queue_level(AdjacencyLists<Offset> lists, const VertexId* frontier,
                                               std::uint32_t frontier_size, VertexId* found, std::uint32_t* found_size,
                                               std::uint32_t* next_size, std::uint32_t queue_size, Distance* level,
                                               Distance current) {
  HW_DYNAMIC_SHARED(VertexId, slots);
  HW_SHARED(std::uint32_t, claimed, 1);
  HW_SHARED(std::uint32_t, place, 1);
  if (dev::global_thread() == 0) *next_size = 0;

  Walker<Offset> walker{dev::global_thread()};
  bool more = true;
  while (more) {
    if (dev::thread() == 0) claimed[0] = 0;
    dev::sync_block();
    const bool full = gather(lists, frontier, frontier_size, walker, {slots, claimed, queue_size}, level, current);
    more = dev::sync_block_or(full);
    const std::uint32_t count = claimed[0] < queue_size ? claimed[0] : queue_size;
    if (dev::thread() == 0 && count) place[0] = dev::fetch_add(found_size, count);
    dev::sync_block();
    for (std::uint32_t i = dev::thread(); i < count; i += dev::block_size()) found[place[0] + i] = slots[i];
  }
}

class SurveyHierarchicalQueue final : public SurveyPlan {
 public:
  explicit SurveyHierarchicalQueue(const PlanRequest& request)
      : SurveyPlan(request),
        queue_size_(static_cast<std::uint32_t>(parameter(request, "queue_size"))),
        queues_{Buffer<VertexId>(device_, graph_.num_vertices), Buffer<VertexId>(device_, graph_.num_vertices)},
        sizes_(device_, 2) {}

  void run(const Query& query, RunControl& control) override {
    std::uint32_t size = 0;
    walk(
        query, control,
        [&] {
          sizes_.fill_bytes(0);
          start_levels(device_, sources_, query.sources, level_, queues_[0].data(), sizes_.data());
          size = query.sources.size() == 1 ? 1 : sizes_.value(0);
        },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance current) -> LevelStep {
          const int in = (current + 1) % 2, out = current % 2;  // level 1 reads the queue of the sources
          launch(device_, {{.grid = grid(size), .block = block_, .shared_bytes = queue_size_ * sizeof(VertexId)}},
                 survey_hierarchical_queue_level<Offset>, lists, queues_[in].data(), size, queues_[out].data(),
                 sizes_.data() + out, sizes_.data() + in, queue_size_, level_.data(), current);
          size = sizes_.value(out);
          return {.more = size != 0, .discovered = size};
        });
  }

 private:
  std::uint32_t queue_size_;
  Buffer<VertexId> queues_[2];
  Buffer<std::uint32_t> sizes_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    survey_hierarchical_queue,
    {.info = {.name = "survey-hierarchical-queue",
              .summary = "blocks queue what they find in shared memory, then in the global queue",
              .source = "Springer, Breadth-first Search in CUDA, section 3.6, fig. 14; Luo et al., DAC 2010",
              .device = "gpu",
              .differs = "no duplicates; a full block queue is flushed, where the source writes past its end",
              .needs = {.out = true},
              .native_parents = false,
              .parameters = {block_parameter, grid_parameter, {"queue_size", 2048, 1, 8192, "vertices in a block's queue"}}},
     .plan = [](const PlanRequest& request) -> std::unique_ptr<Plan> {
       return std::make_unique<HW_MACHINE::SurveyHierarchicalQueue>(request);
     }})
