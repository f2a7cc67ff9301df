// Task 2 of docs/own-kernel.md: all but the kernel in which one block takes several levels.
#pragma once

#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

/// What a launch of one block leaves: vertices in the frontier that it found last, and levels that it took, at least one.
struct BlockResult {
  std::uint32_t size, levels;
};

/// One level of a large frontier by the whole grid.
template <class Offset>
HW_KERNEL void one_level(const Offset* offsets, const VertexId* neighbors, const VertexId* frontier, std::uint32_t size,
                         VertexId* next, std::uint32_t* next_size, Distance* level, Distance current) {
  for (std::uint64_t i = dev::global_thread(); i < size; i += dev::global_threads()) {
    const VertexId v = dev::read_only(&frontier[i]);
    const Offset end = dev::read_only(&offsets[v + 1]);
    for (Offset e = dev::read_only(&offsets[v]); e < end; ++e) {
      const VertexId w = dev::read_only(&neighbors[e]);
      if (claim(level, w, unreached, current)) dev::plain_write(&next[dev::fetch_add(next_size, 1u)], w);
    }
  }
}

class SeveralLevels : public QueuePlan {
 public:
  static constexpr Needs needs{.out = true};

 protected:
  explicit SeveralLevels(const PlanRequest& request)
      : QueuePlan(request, needs), limit_(static_cast<std::uint32_t>(parameter(request, "limit"))), result_(device_, 1) {}

  /// Launches one block, which takes levels `current`, current + 1, …, at most `most` of them, while the frontier has 1 to
  /// limit_ vertices. frontier() holds the first one's; queues take turns from level to level. Fills result_.
  virtual void one_block(Distance current, std::uint32_t most) = 0;

  [[nodiscard]] VertexId* frontier() { return queues_[turn_].data(); }
  [[nodiscard]] VertexId* next() { return queues_[next_turn()].data(); }

  std::uint32_t limit_;
  Buffer<BlockResult> result_;

 private:
  LevelStep expand(Distance current, std::uint32_t most) override {
    if (size_ > limit_) {
      sizes_.fill_bytes(0);
      graph_.wide ? whole_grid<std::uint64_t>(current) : whole_grid<std::uint32_t>(current);
      return found_by_launch();
    }
    one_block(current, most);
    const BlockResult done = result_.value();
    if (done.levels % 2 == 0) turn_ = next_turn();  // the last frontier is where the first one was
    return {.more = done.size != 0, .discovered = done.size, .levels = done.levels};
  }

  template <class Offset>
  void whole_grid(Distance current) {
    launch(device_, {{.grid = grid(size_), .block = block_}}, one_level<Offset>, graph_.offsets<Offset>(),
           graph_.neighbors.data(), frontier(), size_, next(), sizes_.data() + next_turn(), level_.data(), current);
  }
};

/// What `hopwave strategies` knows of a class derived from it.
template <class P>
Descriptor several_levels(std::string_view name, std::string_view summary) {
  return {.info = {.name = name,
                   .summary = summary,
                   .source = "docs/own-kernel.md",
                   .device = "gpu",
                   .differs = "",
                   .needs = SeveralLevels::needs,
                   .native_parents = false,
                   .parameters = {block_parameter,
                                  grid_parameter,
                                  {"limit", 256, 1, 1 << 20, "vertices; a larger frontier takes a launch of the whole grid"}},
                   .work = {.method = "push",
                            .over = "frontier vertices",
                            .frontier = "a queue; small levels in one launch",
                            .thread = "A thread has an entry of the queue; one block takes consecutive small levels."}},
          .plan = plan_of<P>,
          .storage = [](StorageCount& count) {
            count.two_queues(2);
            count.add(Held::counters, "size and levels of a launch", 8);
            count.block("a level");
            count.block("several levels", 0, 4);
          }};
}

}  // namespace
}  // namespace hopwave::HW_MACHINE
