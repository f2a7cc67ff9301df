// Vertex-centric pull: one thread an unvisited vertex, which looks for a neighbour of the previous level and stops at the
// first. Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.8. Ours differs: level accesses are relaxed atomics; the flag
// holds a level number; the neighbour found is kept as the parent.
#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

template <class Offset>
HW_KERNEL void pmpp_vertex_pull_level(const Offset* in_offsets, const VertexId* in_neighbors, VertexId num_vertices,
                                      Distance* level, VertexId* parent, Distance current, Distance* last_found) {
  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    // Only this thread writes level[v] in this launch.
    if (dev::peek(&level[v]) != unreached) continue;
    const Offset end = dev::plain_read(&in_offsets[v + 1]);
    for (Offset e = dev::plain_read(&in_offsets[v]); e < end; ++e) {
      const VertexId u = dev::read_only(&in_neighbors[e]);
      // u's own thread may be storing `current` now: old or new, the value is not current − 1.
      if (dev::peek(&level[u]) != current - 1) continue;
      dev::store(&level[v], current);
      if (parent) dev::plain_write(&parent[v], u);
      found = true;
      break;
    }
  }
  raise_flag(last_found, current, found);
}

class PmppVertexPull final : public FlagPlan {
 public:
  static constexpr Needs needs{.out = false, .in = true};
  explicit PmppVertexPull(const PlanRequest& request) : FlagPlan(request, needs) {}

 private:
  const char* expand(Distance current) override {
    graph_.wide ? pull<std::uint64_t>(current) : pull<std::uint32_t>(current);
    return "pull";
  }

  template <class Offset>
  void pull(Distance current) {
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, pmpp_vertex_pull_level<Offset>,
           graph_.in_offsets<Offset>(), graph_.in_neighbor_data(), graph_.num_vertices, level_.data(), parents_, current,
           last_found_.data());
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(pmpp_vertex_pull,
                     {.info = {.name = "pmpp-vertex-pull",
                               .summary = "one thread an unvisited vertex looks for a parent and stops at the first",
                               .source = "PMPP 4th ed., fig. 15.8",
                               .device = "gpu",
                               .differs = "relaxed atomic level accesses; a flag that needs no reset; keeps the parent",
                               .needs = HW_MACHINE::PmppVertexPull::needs,
                               .native_parents = true,
                               .parameters = {block_parameter, grid_parameter},
                               .work = {.method = "pull",
                                        .over = "all vertices",
                                        .frontier = "the level array",
                                        .thread = "A thread has a vertex; if the vertex is unvisited, the thread looks for a "
                                                  "neighbour of the level before and stops at the first.",
                                        .item = Item::unvisited_vertex,
                                        .whole_graph = true}},
                      .plan = plan_of<HW_MACHINE::PmppVertexPull>,
                      .storage = [](StorageCount& count) {
                        count.flag();
                        count.block("a level");
                      }})
