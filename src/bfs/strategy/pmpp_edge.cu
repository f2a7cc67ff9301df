// Edge-centric: one thread per arc of the COO; it labels the head if the tail was labelled in the previous level.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.10.
// Ours differs: level accesses are relaxed atomics; the flag holds a level number, so it is never reset; 64-bit arc numbers.
#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

HW_KERNEL void pmpp_edge_level(const VertexId* tails, const VertexId* heads, std::uint64_t num_arcs, Distance* level,
                               VertexId* parent, Distance current, Distance* last_found) {
  bool found = false;
  for (std::uint64_t e = dev::global_thread(); e < num_arcs; e += dev::global_threads()) {
    const VertexId v = dev::read_only(&tails[e]);
    // The tail's level may change under us from unreached to `current`: neither is current − 1.
    if (dev::peek(&level[v]) != current - 1) continue;
    const VertexId w = dev::read_only(&heads[e]);
    // Several arcs may end in w: all store the same level, and each tail is a right parent.
    if (dev::peek(&level[w]) != unreached) continue;
    dev::store(&level[w], current);
    if (parent) dev::store(&parent[w], v);
    found = true;
  }
  raise_flag(last_found, current, found);
}

class PmppEdge final : public FlagPlan {
 public:
  static constexpr Needs needs{.out = false, .arc_sources = true};
  explicit PmppEdge(const PlanRequest& request) : FlagPlan(request, needs) {}

 private:
  const char* expand(Distance current) override {
    launch(device_, {{.grid = grid(graph_.num_arcs), .block = block_}}, pmpp_edge_level, graph_.arc_sources.data(),
           graph_.neighbors.data(), graph_.num_arcs, level_.data(), parents_, current, last_found_.data());
    return "edges";
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    pmpp_edge,
    {.info = {.name = "pmpp-edge",
              .summary = "one thread per arc labels its head if its tail has the previous level",
              .source = "PMPP 4th ed., fig. 15.10",
              .device = "gpu",
              .differs = "relaxed atomic level accesses; a flag that needs no reset; keeps a parent; 64-bit arc numbers",
              .needs = HW_MACHINE::PmppEdge::needs,
              .native_parents = true,
              .parameters = {block_parameter, grid_parameter},
              .work = {.method = "push",
                       .over = "all edges",
                       .frontier = "the level array",
                       .thread = "A thread has an arc; if its tail is of the level before, the thread labels its head.",
                       .item = Item::arc,
                       .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::PmppEdge>,
     .storage = [](StorageCount& count) {
       count.flag();
       count.block("a level");
     }})
