// Vertex-centric push: one thread per vertex; threads of the previous level label their unvisited neighbours.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.6.
// Ours differs: the idempotent level store is a relaxed atomic store; the flag holds a level number, so it is never reset.
#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

template <class Offset>
HW_KERNEL void pmpp_vertex_push_level(const Offset* offsets, const VertexId* neighbors, VertexId num_vertices, Distance* level,
                                      VertexId* parent, Distance current, Distance* last_found) {
  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (dev::peek(&level[v]) != current - 1) continue;
    visit_row_of(v, offsets, neighbors, level, [&](VertexId w, Distance seen) {
      // Several threads may find w, and `seen` may be late to show it: all store the same level, and each is a right parent.
      if (seen != unreached) return;
      dev::store(&level[w], current);
      if (parent) dev::store(&parent[w], static_cast<VertexId>(v));
      found = true;
    });
  }
  raise_flag(last_found, current, found);
}

class PmppVertexPush final : public FlagPlan {
 public:
  static constexpr Needs needs{.out = true};
  explicit PmppVertexPush(const PlanRequest& request) : FlagPlan(request, needs) {}

 private:
  const char* expand(Distance current) override {
    graph_.wide ? push<std::uint64_t>(current) : push<std::uint32_t>(current);
    return "push";
  }

  template <class Offset>
  void push(Distance current) {
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, pmpp_vertex_push_level<Offset>,
           graph_.offsets<Offset>(), graph_.neighbors.data(), graph_.num_vertices, level_.data(), parents_, current,
           last_found_.data());
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    pmpp_vertex_push,
    {.info =
         {.name = "pmpp-vertex-push",
          .summary = "one thread per vertex pushes its level to its neighbours",
          .source = "PMPP 4th ed., fig. 15.6",
          .device = "gpu",
          .differs = "relaxed atomic level stores; a flag that needs no reset; keeps a parent",
          .needs = HW_MACHINE::PmppVertexPush::needs,
          .native_parents = true,
          .parameters = {block_parameter, grid_parameter},
          .work =
              {.method = "push",
               .over = "all vertices",
               .frontier = "the level array",
               .thread =
                   "A thread has a vertex; if the vertex is of the level before, the thread labels its unvisited neighbours.",
               .item = Item::vertex,
               .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::PmppVertexPush>,
     .storage = [](StorageCount& count) {
       count.flag();
       count.block("a level");
     }})
