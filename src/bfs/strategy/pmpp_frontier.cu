// Frontier-based push: one thread per vertex of the frontier; a thread that wins a neighbour appends it to the next frontier.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.12.
// Ours differs: reads and compare-and-swaps go by fours, with one place in the queue for all that were won; the counters of
// two levels take turns, so no launch is needed to reset one.
#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

template <class Offset>
HW_KERNEL void pmpp_frontier_level(const Offset* offsets, const VertexId* neighbors, const VertexId* frontier,
                                   std::uint32_t frontier_size, Distance* level, VertexId* parent, Distance current,
                                   VertexId* next, std::uint32_t* next_size, std::uint32_t* size_after) {
  // The size read by the host after the launch before this one: free now, and counted in by the launch after.
  if (dev::global_thread() == 0) dev::plain_write(size_after, 0);
  for (std::uint64_t i = dev::global_thread(); i < frontier_size; i += dev::global_threads()) {
    const VertexId v = dev::read_only(&frontier[i]);
    claim_row_of(v, offsets, neighbors, level, current, [&](const auto& w, const auto& won, std::uint32_t count) {
      std::uint32_t at = dev::fetch_add(next_size, count);
      HW_UNROLL for (int j = 0; j < 4; ++j) {
        if (!won[j]) continue;
        if (parent) dev::plain_write(&parent[w[j]], v);
        dev::plain_write(&next[at++], w[j]);
      }
    });
  }
}

class PmppFrontier final : public QueuePlan {
 public:
  static constexpr Needs needs{.out = true};
  explicit PmppFrontier(const PlanRequest& request) : QueuePlan(request, needs) {}

 private:
  LevelStep expand(Distance current, std::uint32_t) override {
    graph_.wide ? push<std::uint64_t>(current) : push<std::uint32_t>(current);
    return found_by_launch();
  }

  template <class Offset>
  void push(Distance current) {
    launch(device_, {{.grid = grid(size_), .block = block_}}, pmpp_frontier_level<Offset>, graph_.offsets<Offset>(),
           graph_.neighbors.data(), queues_[turn_].data(), size_, level_.data(), parents_, current, queues_[next_turn()].data(),
           sizes_.data() + next_turn(), sizes_.data() + turn_);
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    pmpp_frontier,
    {.info = {.name = "pmpp-frontier",
              .summary = "one thread a frontier vertex; winners of a compare-and-swap enter the next frontier",
              .source = "PMPP 4th ed., fig. 15.12",
              .device = "gpu",
              .differs = "reads before it swaps, by fours; two counters in turn; keeps the parent",
              .needs = HW_MACHINE::PmppFrontier::needs,
              .native_parents = true,
              .parameters = {block_parameter, grid_parameter},
              .work = {.method = "push",
                       .over = "frontier vertices",
                       .frontier = "a global queue",
                       .thread = "A thread has an entry of the queue; if it wins a neighbour, it appends it to the next queue.",
                       .item = Item::entry}},
     .plan = plan_of<HW_MACHINE::PmppFrontier>,
     .storage = [](StorageCount& count) {
       count.two_queues(2);
       count.block("a level");
     }})
