// Queues in two storeys: a block gathers what it finds in shared memory and moves it to the global queue in one piece.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.6, figure 14; Luo, Wong, Hwu, DAC 2010.
// Ours differs: a vertex is claimed by compare-and-swap, so that it enters once; a full block queue is flushed and goes on.
#include "bfs/strategy/gpu/shared_queue.h"
#include "bfs/strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

constexpr std::uint32_t batch = 4;  ///< neighbours that a thread has under way at once

/// The state of one thread: the next of its frontier vertices, the rest of the list in work, and the vertices of the last
/// batch that it has claimed and found no slot for.
template <class Offset>
struct Walker {
  std::uint64_t next;
  Offset at = 0, end = 0;
  VertexId hand[batch] = {};
  std::uint32_t held = 0;  ///< bit j: hand[j] waits for a slot
};

struct BlockQueue {
  VertexId* slots;
  std::uint32_t* claimed;  ///< may pass `size`: those claims found no slot
  std::uint32_t size;
};

/// Reads the next neighbours of the list in work and claims those that have no level. A stale look errs towards
/// "unreached": the swap decides. Reads and swaps of a batch are under way together.
template <class Offset>
HW_DEVICE void claim_batch(const AdjacencyLists<Offset>& lists, Walker<Offset>& walker, Distance* level, Distance current) {
  Distance seen[batch];
  for (std::uint32_t j = 0; j < batch; ++j)
    if (walker.at + j < walker.end) walker.hand[j] = dev::read_only(&lists.neighbors[walker.at + j]);
  for (std::uint32_t j = 0; j < batch; ++j) seen[j] = walker.at + j < walker.end ? dev::peek(&level[walker.hand[j]]) : current;
  for (std::uint32_t j = 0; j < batch; ++j)
    if (seen[j] == unreached) seen[j] = dev::compare_exchange(&level[walker.hand[j]], unreached, current);
  for (std::uint32_t j = 0; j < batch; ++j) walker.held |= (seen[j] == unreached ? 1u : 0u) << j;
  walker.at = walker.end - walker.at > batch ? walker.at + batch : walker.end;
}

/// Moves what the walker holds into the block's queue, as far as there is room.
template <class Offset>
HW_DEVICE void put(Walker<Offset>& walker, const BlockQueue& queue) {
  std::uint32_t slot = dev::fetch_add(queue.claimed, static_cast<std::uint32_t>(dev::popcount(walker.held)));
  for (std::uint32_t j = 0; j < batch; ++j) {
    if (!(walker.held >> j & 1u) || slot >= queue.size) continue;
    dev::plain_write(&queue.slots[slot++], walker.hand[j]);
    walker.held &= ~(1u << j);
  }
}

/// Goes on until the thread has nothing left (false) or holds a vertex for which there is no slot (true).
template <class Offset>
HW_DEVICE bool gather(const AdjacencyLists<Offset>& lists, const VertexId* frontier, std::uint32_t frontier_size,
                      Walker<Offset>& walker, const BlockQueue& queue, Distance* level, Distance current) {
  for (;;) {
    if (walker.held) put(walker, queue);
    if (walker.held) return true;
    if (walker.at == walker.end) {
      if (walker.next >= frontier_size) return false;
      const VertexId v = dev::read_only(&frontier[walker.next]);
      walker.next += dev::global_threads();
      walker.at = dev::read_only(&lists.begin[v]);
      walker.end = walker.at + dev::read_only(&lists.length[v]);
    }
    claim_batch(lists, walker, level, current);
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
  if (dev::global_thread() == 0) dev::plain_write(next_size, 0);

  Walker<Offset> walker{dev::global_thread()};
  bool more = true;
  while (more) {
    if (dev::thread() == 0) dev::plain_write(&claimed[0], 0);
    dev::sync_block();
    const bool full = gather(lists, frontier, frontier_size, walker, {slots, claimed, queue_size}, level, current);
    more = dev::sync_block_or(full);
    const std::uint32_t all = dev::plain_read(&claimed[0]), count = all < queue_size ? all : queue_size;
    if (dev::thread() == 0 && count) dev::plain_write(&place[0], dev::fetch_add(found_size, count));
    dev::sync_block();
    for (std::uint32_t i = dev::thread(); i < count; i += dev::block_size())
      dev::plain_write(&found[dev::plain_read(&place[0]) + i], dev::plain_read(&slots[i]));
  }
}

class SurveyHierarchicalQueue final : public SurveyPlan {
 public:
  explicit SurveyHierarchicalQueue(const PlanRequest& request)
      : SurveyPlan(request),
        queue_size_(queue_slots(request, "queue_size")),
        queues_{new_queue(), new_queue()},
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

HOPWAVE_GPU_STRATEGY(survey_hierarchical_queue,
                     {.info = {.name = "survey-hierarchical-queue",
                               .summary = "blocks queue what they find in shared memory, then in the global queue",
                               .source = "Springer, Breadth-first Search in CUDA, section 3.6, fig. 14; Luo et al., DAC 2010",
                               .device = "gpu",
                               .differs = "no duplicates; a full block queue is flushed, where the source writes past its end; "
                                          "2,048 slots, not 8,192, which would "
                                          "leave fewer blocks resident",
                               .needs = {.out = true},
                               .native_parents = false,
                               .parameters = {block_parameter,
                                              grid_parameter,
                                              {"queue_size", 2048, 1, most_queue_slots, "vertices in a block's queue"}},
                               .work = {.method = "push",
                                        .over = "frontier vertices",
                                        .frontier = "block queues, then a global queue",
                                        .thread = "A thread has an entry of the queue; a block gathers what its threads find "
                                                  "in shared memory and copies it in one piece.",
                                        .item = Item::entry_flushing}},
                      .plan = plan_of<HW_MACHINE::SurveyHierarchicalQueue>,
                      .storage = [](StorageCount& count) {
                        count.flag();
                        count.row_lengths();
                        count.two_queues(2);
                        count.block("a level", 4 * count.parameter("queue_size"), 8);
                      }})
