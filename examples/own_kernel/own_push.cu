// A kernel of one's own (docs/own-kernel.md): one thread per vertex; those of the level before label their neighbours.
#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

template <class Offset>
HW_KERNEL void own_push_level(const Offset* offsets, const VertexId* neighbors, VertexId num_vertices, Distance* level,
                              Distance current, Distance* last_found) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (dev::load(&level[v]) != current - 1) continue;
    const Offset end = dev::read_only(&offsets[v + 1]);
    for (Offset e = dev::read_only(&offsets[v]); e < end; ++e) {
      const VertexId w = dev::read_only(&neighbors[e]);
      if (dev::load(&level[w]) != unreached) continue;
      dev::store(&level[w], current);  // others may store it, too: the same value
      dev::store(last_found, current);
    }
  }
}

class OwnPush final : public FlagPlan {
 public:
  static constexpr Needs needs{.out = true};
  explicit OwnPush(const PlanRequest& request) : FlagPlan(request, needs) {}

 private:
  const char* expand(Distance current) override {
    graph_.wide ? push<std::uint64_t>(current) : push<std::uint32_t>(current);
    return "push";
  }

  template <class Offset>
  void push(Distance current) {
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, own_push_level<Offset>, graph_.offsets<Offset>(),
           graph_.neighbors.data(), graph_.num_vertices, level_.data(), current, last_found_.data());
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    own_push, {.info = {.name = "own-push",
                        .summary = "one thread per vertex pushes its level to its neighbours",
                        .source = "docs/own-kernel.md",
                        .device = "gpu",
                        .differs = "",
                        .needs = HW_MACHINE::OwnPush::needs,
                        .native_parents = false,
                        .parameters = {block_parameter, grid_parameter},
                        .work = {.method = "push",
                                 .over = "all vertices",
                                 .frontier = "the level array",
                                 .thread = "A thread has a vertex; if the vertex is of the level before, the thread labels "
                                           "its unvisited neighbours.",
                                 .item = Item::vertex,
                                 .whole_graph = true}},
               .plan = plan_of<HW_MACHINE::OwnPush>,
               .storage = [](StorageCount& count) {
                 count.flag();
                 count.block("a level");
               }})
