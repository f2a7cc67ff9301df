// Vertex-centric push: one thread a vertex; threads of the previous level label their unvisited neighbours.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., figure 15.6.
// Ours differs: the idempotent level store is a relaxed atomic store, and the flag is reset on the device.
#include "strategy/gpu/gpu_strategy.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace hopwave::strategy;

template <class Offset>
HW_KERNEL void pmpp_vertex_push_level(const Offset* offsets, const VertexId* neighbors, VertexId num_vertices, Distance* level,
                                      Distance current, std::uint32_t* found) {
  const std::uint32_t v = dev::global_thread();
  if (v >= num_vertices || dev::load(&level[v]) != current - 1) return;
  for (Offset e = offsets[v]; e < offsets[v + 1]; ++e) {
    const VertexId w = neighbors[e];
    // Several threads may find w: all of them store the same value, so any order gives the same result.
    if (dev::load(&level[w]) == unreached) {
      dev::store(&level[w], current);
      dev::store(found, 1u);
    }
  }
}

class PmppVertexPush final : public Plan {
 public:
  explicit PmppVertexPush(const PlanRequest& request)
      : device_(*request.device),
        graph_(device_, request.view, {.out = true}),
        block_(static_cast<std::uint32_t>(parameter(request, "block"))),
        level_(device_, graph_.num_vertices),
        found_(device_, 1),
        timer_(device_) {}

  void run(const Query& query, RunControl& control) override {
    timer_.start();
    level_.fill_bytes(0xFF);  // every byte 0xFF is −1: unreached
    const Distance zero = 0;
    for (VertexId s : query.sources) level_.upload({&zero, 1}, s);
    bool more = true;
    for (Distance current = 1; more && (query.max_depth < 0 || current <= query.max_depth); ++current) {
      found_.fill_bytes(0);
      graph_.wide ? step<std::uint64_t>(current) : step<std::uint32_t>(current);
      more = found_.value() != 0;
      control.stats->levels = static_cast<std::uint32_t>(current);
      control.level_done(static_cast<std::uint32_t>(current), 0);
    }
    timer_.stop();
    control.stats->search_ms = timer_.milliseconds();
  }

  void fetch(std::span<Distance> distances, std::span<VertexId>) override { level_.download(distances); }

 private:
  template <class Offset>
  void step(Distance current) {
    launch(device_, {{.grid = blocks_for(graph_.num_vertices, block_), .block = block_}}, pmpp_vertex_push_level<Offset>,
           graph_.offsets<Offset>(), graph_.neighbors.data(), graph_.num_vertices, level_.data(), current, found_.data());
  }

  Device& device_;
  DeviceGraph graph_;
  std::uint32_t block_;
  Buffer<Distance> level_;
  Buffer<std::uint32_t> found_;
  device::Timer timer_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(pmpp_vertex_push,
                     {.info = {.name = "pmpp-vertex-push",
                               .summary = "one thread a vertex pushes its level to its neighbours",
                               .source = "PMPP 4th ed., fig. 15.6",
                               .device = "gpu",
                               .differs = "relaxed atomic level stores; any grid and block",
                               .needs = {.out = true},
                               .native_parents = false,
                               .parameters = {{"block", 256, 32, 1024, "threads a block"}}},
                      .plan = [](const PlanRequest& request) -> std::unique_ptr<Plan> {
                        return std::make_unique<HW_MACHINE::PmppVertexPush>(request);
                      }})
