// PMPP 4th ed., figure 15.12, step by step: one thread per vertex of the queue, compare-and-swap, one counter.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void push_from_queue(Printed<const int> offsets, Printed<const int> heads, Printed<unsigned> level, Printed<int> queue,
                     Printed<int> next, unsigned queued, Printed<unsigned> next_size, unsigned current) {
  const unsigned i = dev::global_thread();                // 05: the thread's entry
  if (i >= queued) return;                                // 06: threads beyond the queue have none
  const int v = queue[i];                                 // 07: reads the entry
  for (int at = offsets[v]; at < offsets[v + 1]; ++at) {  // 08-09: reads where the row begins and ends
    const int w = heads[at];                              // 10: reads the neighbour
    if (dev::compare_exchange(&level[w], not_visited, current) != not_visited) continue;  // 11: labels it, one thread alone
    const unsigned place = dev::fetch_add(&*next_size, 1u);                               // 12: takes a place in the next queue
    next[place] = w;                                                                      // 13: writes the neighbour there
  }
}

class Frontier final : public QueueListing {
 public:
  using QueueListing::QueueListing;

 private:
  void expand(unsigned current, Printed<int> queue, unsigned queued, Printed<int> next) override {
    launch(device_, threads(queued), push_from_queue, offsets_.constant(), heads_.constant(), levels(), queue, next, queued,
           size_.words(), current);
  }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_frontier, Frontier, "pmpp-frontier", "figure 15.12 as printed: a queue and compare-and-swap",
                "PMPP 4th ed., fig. 15.12", "", false, over_entries)
