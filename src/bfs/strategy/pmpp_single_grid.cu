// Frontier-based push that takes consecutive small levels inside one launch of one block, and larger ones in a launch each.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.16.
// Ours differs: it comes back to one block when the frontier shrinks again; the level where it grows too large loses nothing.
#include "bfs/strategy/gpu/private_frontier.h"
#include "bfs/strategy/gpu/shared_queue.h"

namespace hopwave::HW_MACHINE {
namespace {

/// What a launch of one block leaves: how many vertices are in the frontier that it wrote, and how many levels it took.
struct BlockResult {
  std::uint32_t size, levels;
};

// Levels `current`, current + 1, … by one block, from `frontier` in global memory to `next`, until the frontier is empty, has
// outgrown the capacity, or `most` levels are done. In between it lives in two queues in shared memory that take turns.
// Vertices beyond the capacity go directly to their place in `next`, so that a frontier that outgrows it only has to be
// completed.
template <class Offset>
HW_KERNEL void pmpp_single_grid_levels(const Offset* offsets, const VertexId* neighbors, const VertexId* frontier,
                                       std::uint32_t frontier_size, Distance* level, VertexId* parent, Distance current,
                                       std::uint32_t most, std::uint32_t capacity, VertexId* next, std::uint32_t* size_after,
                                       BlockResult* result) {
  HW_DYNAMIC_SHARED(VertexId, queues);
  // Three counters in turn: one counts, one is read, and one is set to zero a barrier before it counts again.
  HW_SHARED(std::uint32_t, found, 3);
  if (dev::thread() == 0)
    for (int k = 0; k < 3; ++k) dev::plain_write(&found[k], 0);
  for (std::uint32_t i = dev::thread(); i < frontier_size; i += dev::block_size())
    dev::plain_write(&queues[i], dev::plain_read(&frontier[i]));
  dev::sync_block();
  std::uint32_t size = frontier_size, levels = 0;
  for (;;) {
    const VertexId* const from = queues + (levels % 2) * capacity;
    VertexId* const to = queues + ((levels + 1) % 2) * capacity;
    if (dev::thread() == 0) dev::plain_write(&found[(levels + 1) % 3], 0);
    for (std::uint32_t i = dev::thread(); i < size; i += dev::block_size()) {
      const VertexId v = dev::plain_read(&from[i]);
      claim_row_of(v, offsets, neighbors, level, current, [&](const auto& w, const auto& won, std::uint32_t count) {
        std::uint32_t slot = dev::fetch_add(&found[levels % 3], count);
        HW_UNROLL for (int j = 0; j < 4; ++j) {
          if (!won[j]) continue;
          if (parent) dev::plain_write(&parent[w[j]], v);
          if (slot < capacity)
            dev::plain_write(&to[slot], w[j]);
          else
            dev::plain_write(&next[slot], w[j]);
          ++slot;
        }
      });
    }
    dev::sync_block();
    size = dev::plain_read(&found[levels % 3]);
    ++levels;
    ++current;
    if (size == 0 || size > capacity || levels == most) break;  // the same for the whole block
  }
  const std::uint32_t kept = size < capacity ? size : capacity;
  for (std::uint32_t i = dev::thread(); i < kept; i += dev::block_size())
    dev::plain_write(&next[i], dev::plain_read(&queues[(levels % 2) * capacity + i]));
  if (dev::thread() == 0) {
    dev::plain_write(result, {size, levels});
    dev::plain_write(size_after, 0);  // as a launch per level leaves it
  }
}

class PmppSingleGrid final : public QueuePlan {
 public:
  static constexpr Needs needs{.out = true};
  explicit PmppSingleGrid(const PlanRequest& request)
      : QueuePlan(request, needs),
        capacity_(queue_slots(request, "capacity", 2)),
        single_block_(static_cast<std::uint32_t>(parameter(request, "single_block"))),
        result_(device_, 1) {}

 private:
  LevelStep expand(Distance current, std::uint32_t most) override {
    if (size_ > capacity_) {
      graph_.wide ? push<std::uint64_t>(current) : push<std::uint32_t>(current);
      return found_by_launch();
    }
    graph_.wide ? push_levels<std::uint64_t>(current, most) : push_levels<std::uint32_t>(current, most);
    const BlockResult done = result_.value();
    return {.more = done.size != 0, .discovered = done.size, .levels = done.levels};
  }

  template <class Offset>
  void push_levels(Distance current, std::uint32_t most) {
    launch(device_, {{.grid = 1, .block = single_block_, .shared_bytes = 2 * capacity_ * sizeof(VertexId)}},
           pmpp_single_grid_levels<Offset>, graph_.offsets<Offset>(), graph_.neighbors.data(), queues_[turn_].data(), size_,
           level_.data(), parents_, current, most, capacity_, queues_[next_turn()].data(), sizes_.data() + turn_,
           result_.data());
  }

  template <class Offset>
  void push(Distance current) {
    launch(device_, {{.grid = grid(size_), .block = block_, .shared_bytes = capacity_ * sizeof(VertexId)}},
           pmpp_private_frontier_level<Offset>, graph_.offsets<Offset>(), graph_.neighbors.data(), queues_[turn_].data(), size_,
           level_.data(), parents_, current, capacity_, queues_[next_turn()].data(), sizes_.data() + next_turn(),
           sizes_.data() + turn_);
  }

  std::uint32_t capacity_, single_block_;
  Buffer<BlockResult> result_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    pmpp_single_grid,
    {.info = {.name = "pmpp-single-grid",
              .summary = "consecutive small levels in one launch of one block, larger ones in a launch each",
              .source = "PMPP 4th ed., fig. 15.16",
              .device = "gpu",
              .differs = "comes back to one block when the frontier shrinks; overflow is exact; keeps the parent",
              .needs = HW_MACHINE::PmppSingleGrid::needs,
              .native_parents = true,
              .parameters = {block_parameter,
                             grid_parameter,
                             {"capacity", 2048, 1, most_queue_slots / 2,
                              "vertices in a private queue; a larger frontier leaves the one block"},
                             {"single_block", 1024, 1, 1024, "threads of the one block"}},
              .work = {.method = "push",
                       .over = "frontier vertices",
                       .frontier = "the same; small levels in one launch",
                       .thread = "A thread has an entry of the queue; one block takes consecutive levels in one launch while "
                                 "they fit its queue.",
                       .item = Item::entry_in_one_launch}},
     .plan = plan_of<HW_MACHINE::PmppSingleGrid>,
     .storage = [](StorageCount& count) {
       const std::uint64_t queue = 4 * count.parameter("capacity");
       count.two_queues(2);
       count.block("a level", queue, 8);
       count.add(Held::counters, "size and levels of a launch", 8);
       count.block_of(count.parameter("single_block"), "many levels in one block", 2 * queue, 12);
     }})
