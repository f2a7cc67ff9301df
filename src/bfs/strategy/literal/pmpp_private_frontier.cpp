// PMPP 4th ed., figure 15.14, statement by statement: one queue per block in shared memory, whose full counter is set back.
#include "bfs/strategy/literal/plans.h"
#define numCurrFrontier_s HW_PRINTED_ONE(numCurrFrontier_s)
namespace hopwave::sim {
namespace {
#define currFrontierStartIdx HW_PRINTED_ONE(currFrontierStartIdx)
constexpr unsigned LOCAL_FRONTIER_CAPACITY = 2048;

void private_frontier(Printed<const int> srcPtrs, Printed<const int> dst, Printed<unsigned> level, Printed<int> prevFrontier,
                      unsigned numPrevFrontier, Printed<int> currFrontier, Printed<unsigned> numCurrFrontier,
                      unsigned currLevel) {
  HW_PRINTED_SHARED(int, currFrontier_s, LOCAL_FRONTIER_CAPACITY);
  HW_PRINTED_SHARED_ONE(unsigned, numCurrFrontier_s);
  if (dev::thread() == 0) numCurrFrontier_s = 0;
  dev::sync_block();
  const unsigned i = dev::block() * dev::block_size() + dev::thread();
  if (i < numPrevFrontier) {
    const int vertex = prevFrontier[i];
    for (int edge = srcPtrs[vertex]; edge < srcPtrs[vertex + 1]; ++edge) {
      const int neighbor = dst[edge];
      if (dev::compare_exchange(&level[neighbor], not_visited, currLevel) == not_visited) {
        const unsigned currFrontierIdx_s = dev::fetch_add(&numCurrFrontier_s, 1u);
        if (currFrontierIdx_s < LOCAL_FRONTIER_CAPACITY) {
          currFrontier_s[currFrontierIdx_s] = neighbor;
        } else {
          numCurrFrontier_s = LOCAL_FRONTIER_CAPACITY;
          const unsigned currFrontierIdx = dev::fetch_add(&*numCurrFrontier, 1u);
          currFrontier[currFrontierIdx] = neighbor;
        }
      }
    }
  }
  dev::sync_block();
  HW_PRINTED_SHARED_ONE(unsigned, currFrontierStartIdx);
  if (dev::thread() == 0) currFrontierStartIdx = dev::fetch_add(&*numCurrFrontier, numCurrFrontier_s);
  dev::sync_block();
  for (unsigned k = dev::thread(); k < numCurrFrontier_s; k += dev::block_size())
    currFrontier[currFrontierStartIdx + k] = currFrontier_s[k];
}

class PrivateFrontier final : public QueueListing {
 public:
  using QueueListing::QueueListing;

 private:
  void expand(unsigned current, Printed<int> previous, unsigned previous_size, Printed<int> next) override {
    launch(device_, threads(previous_size), private_frontier, offsets_.constant(), targets_.constant(), levels(), previous,
           previous_size, next, size_.words(), current);
  }
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_private_frontier, PrivateFrontier, "pmpp-private-frontier",
                "figure 15.14 as printed: queues in shared memory, whose full counter is set back", "PMPP 4th ed., fig. 15.14",
                "the counter is set back by a plain store while others add to it: a data race", false)

#undef numCurrFrontier_s
#undef currFrontierStartIdx
