// PMPP 4th ed., figure 15.12, statement by statement: one thread per vertex of the queue, compare-and-swap, one counter.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void frontier_push(Printed<const int> srcPtrs, Printed<const int> dst, Printed<unsigned> level, Printed<int> prevFrontier,
                   unsigned numPrevFrontier, Printed<int> currFrontier, Printed<unsigned> numCurrFrontier, unsigned currLevel) {
  const unsigned i = dev::block() * dev::block_size() + dev::thread();
  if (i < numPrevFrontier) {
    const int vertex = prevFrontier[i];
    for (int edge = srcPtrs[vertex]; edge < srcPtrs[vertex + 1]; ++edge) {
      const int neighbor = dst[edge];
      if (dev::compare_exchange(&level[neighbor], not_visited, currLevel) == not_visited) {
        const unsigned currFrontierIdx = dev::fetch_add(&*numCurrFrontier, 1u);
        currFrontier[currFrontierIdx] = neighbor;
      }
    }
  }
}

class Frontier final : public QueueListing {
 public:
  using QueueListing::QueueListing;

 private:
  void expand(unsigned current, Printed<int> previous, unsigned previous_size, Printed<int> next) override {
    launch(device_, threads(previous_size), frontier_push, offsets_.constant(), targets_.constant(), levels(), previous,
           previous_size, next, size_.words(), current);
  }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_frontier, Frontier, "pmpp-frontier", "figure 15.12 as printed: a queue and compare-and-swap",
                "PMPP 4th ed., fig. 15.12", "", false)
