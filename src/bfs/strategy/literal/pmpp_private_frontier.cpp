// PMPP 4th ed., figure 15.14, step by step: one queue per block in shared memory, whose full counter is set back.
#include "bfs/strategy/literal/plans.h"
#define own_size HW_PRINTED_ONE(own_size)
namespace hopwave::sim {
namespace {
#define piece HW_PRINTED_ONE(piece)
void push_from_queue_by_blocks(Printed<const int> offsets, Printed<const int> heads, Printed<unsigned> level,
                               Printed<int> queue, Printed<int> next, unsigned queued, Printed<unsigned> next_size,
                               unsigned current, unsigned capacity) {
  HW_PRINTED_DYNAMIC(int, own, capacity);                   // 07: the block's own queue
  HW_PRINTED_SHARED_ONE(unsigned, own_size);                // 08: the size of that queue
  if (dev::thread() == 0) own_size = 0;                     // 09-11: writes the size, one thread
  dev::sync_block();                                        // 12: a barrier of the block
  const unsigned i = dev::global_thread();                  // 15: the thread's entry
  if (i < queued) {                                         // 16: threads beyond the queue have none
    const int v = queue[i];                                 // 17: reads the entry
    for (int at = offsets[v]; at < offsets[v + 1]; ++at) {  // 18-19: reads where the row begins and ends
      const int w = heads[at];                              // 20: reads the neighbour
      if (dev::compare_exchange(&level[w], not_visited, current) != not_visited) continue;  // 21: labels it, one thread alone
      const unsigned place = dev::fetch_add(&own_size, 1u);  // 22: takes a place of its own queue
      if (place < capacity) {                                // 23: is there room?
        own[place] = w;                                      // 24: writes the neighbour there
      } else {
        own_size = capacity;                                            // 26: writes the size back, while others add to it
        const unsigned common_place = dev::fetch_add(&*next_size, 1u);  // 27: takes a place of the common queue
        next[common_place] = w;                                         // 28: writes the neighbour there
      }
    }
  }
  dev::sync_block();                                                        // 33: a barrier of the block
  HW_PRINTED_SHARED_ONE(unsigned, piece);                                   // 36: where the block's piece begins
  if (dev::thread() == 0) piece = dev::fetch_add(&*next_size, own_size);    // 37-39: reads the size, takes the piece
  dev::sync_block();                                                        // 40: a barrier of the block
  for (unsigned k = dev::thread(); k < own_size; k += dev::block_size()) {  // 43-44: reads the size each time
    const unsigned common_place = piece + k;                                // 45: reads where the piece begins
    next[common_place] = own[k];                                            // 46: copies an entry
  }
}

class PrivateFrontier final : public QueueListing {
 public:
  explicit PrivateFrontier(const PlanRequest& request)
      : QueueListing(request), capacity_(static_cast<unsigned>(parameter(request, "capacity"))) {}

 private:
  void expand(unsigned current, Printed<int> queue, unsigned queued, Printed<int> next) override {
    launch(device_, with_shared(threads(queued), capacity_), push_from_queue_by_blocks, offsets_.constant(), heads_.constant(),
           levels(), queue, next, queued, size_.words(), current, capacity_);
  }
  unsigned capacity_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_private_frontier, PrivateFrontier, "pmpp-private-frontier",
                "figure 15.14 as printed: queues in shared memory, whose full counter is set back", "PMPP 4th ed., fig. 15.14",
                "the counter is set back by a plain store while others add to it: a data race", false, over_entries_by_block,
                {"capacity", 2048, 1, most_shared_ints, "places in a block's queue; the notebook on the chapter has 4"})

#undef own_size
#undef piece
