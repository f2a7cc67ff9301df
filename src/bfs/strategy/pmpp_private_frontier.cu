// Frontier-based push with one private queue per block in shared memory, which is copied to the global queue in one piece.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.14.
// Ours differs: overflow neither loses nor doubles a vertex; the kernel is in gpu/private_frontier.h.
#include "bfs/strategy/gpu/private_frontier.h"
#include "bfs/strategy/gpu/shared_queue.h"

namespace hopwave::HW_MACHINE {
namespace {

class PmppPrivateFrontier final : public QueuePlan {
 public:
  static constexpr Needs needs{.out = true};
  explicit PmppPrivateFrontier(const PlanRequest& request)
      : QueuePlan(request, needs), capacity_(queue_slots(request, "capacity")) {}

 private:
  LevelStep expand(Distance current, std::uint32_t) override {
    graph_.wide ? push<std::uint64_t>(current) : push<std::uint32_t>(current);
    return found_by_launch();
  }

  template <class Offset>
  void push(Distance current) {
    launch(device_, {{.grid = grid(size_), .block = block_, .shared_bytes = capacity_ * sizeof(VertexId)}},
           pmpp_private_frontier_level<Offset>, graph_.offsets<Offset>(), graph_.neighbors.data(), queues_[turn_].data(), size_,
           level_.data(), parents_, current, capacity_, queues_[next_turn()].data(), sizes_.data() + next_turn(),
           sizes_.data() + turn_);
  }

  std::uint32_t capacity_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    pmpp_private_frontier,
    {.info = {.name = "pmpp-private-frontier",
              .summary = "one frontier queue per block in shared memory, copied out in one piece, spilling when full",
              .source = "PMPP 4th ed., fig. 15.14",
              .device = "gpu",
              .differs =
                  "overflow is exact: the shared counter is never clamped in place; reads before it swaps; keeps the parent",
              .needs = HW_MACHINE::PmppPrivateFrontier::needs,
              .native_parents = true,
              .parameters = {block_parameter,
                             grid_parameter,
                             {"capacity", 2048, 0, most_queue_slots, "vertices in the private queue of a block"}},
              .work = {.method = "push",
                       .over = "frontier vertices",
                       .frontier = "block queues, then a global queue",
                       .thread = "A thread has an entry of the queue; a block gathers what its threads find in shared memory "
                                 "and copies it in one piece.",
                       .item = Item::entry_by_block}},
     .plan = plan_of<HW_MACHINE::PmppPrivateFrontier>,
     .storage = [](StorageCount& count) {
       count.two_queues(2);
       count.block("a level", 4 * count.parameter("capacity"), 8);
     }})
