// Vertex-centric push: one thread a vertex; threads of the previous level label their unvisited neighbours.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.6.
// Ours differs: the idempotent level store is a relaxed atomic store; the flag holds a level number, so nobody resets it.
#include "strategy/gpu/level_kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

template <class Offset>
HW_KERNEL void pmpp_vertex_push_level(const Offset* offsets, const VertexId* neighbors, VertexId num_vertices, Distance* level,
                                      Distance current, Distance* last_found) {
  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (dev::peek(&level[v]) != current - 1) continue;
    const Offset end = offsets[v + 1];
    for (Offset e = offsets[v]; e < end; ++e) {
      const VertexId w = dev::read_only(&neighbors[e]);
      // Several threads may find w, and peek may be late to show it: all store the same value, so any order will do.
      if (dev::peek(&level[w]) != unreached) continue;
      dev::store(&level[w], current);
      found = true;
    }
  }
  if (found) dev::store(last_found, current);
}

class PmppVertexPush final : public LevelPlan {
 public:
  static constexpr Needs needs{.out = true};

  explicit PmppVertexPush(const PlanRequest& request) : LevelPlan(request, needs), last_found_(device_, 1), counter_(device_) {}

  void run(const Query& query, RunControl& control) override {
    loop_.run(
        query, control, level_,
        [&] {
          start_levels(device_, sources_, query.sources, level_);
          last_found_.fill_bytes(0);
        },
        [&](Distance current, std::uint32_t) {
          return graph_.wide ? step<std::uint64_t>(current) : step<std::uint32_t>(current);
        },
        [&](LevelTrace& trace) { counter_.count(graph_, level_, trace); });
  }

 private:
  template <class Offset>
  LevelStep step(Distance current) {
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, pmpp_vertex_push_level<Offset>,
           graph_.offsets<Offset>(), graph_.neighbors.data(), graph_.num_vertices, level_.data(), current, last_found_.data());
    return {.more = last_found_.value() == current};
  }

  Buffer<Distance> last_found_;
  LevelCounter counter_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(pmpp_vertex_push,
                     {.info = {.name = "pmpp-vertex-push",
                               .summary = "one thread a vertex pushes its level to its neighbours",
                               .source = "PMPP 4th ed., fig. 15.6",
                               .device = "gpu",
                               .differs = "relaxed atomic level stores; any grid and block; a flag that needs no reset",
                               .needs = HW_MACHINE::PmppVertexPush::needs,
                               .native_parents = false,
                               .parameters = {block_parameter, grid_parameter}},
                      .plan = [](const PlanRequest& request) -> std::unique_ptr<Plan> {
                        return std::make_unique<HW_MACHINE::PmppVertexPush>(request);
                      }})
