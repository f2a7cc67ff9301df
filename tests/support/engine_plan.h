// One plan of the engine, straight from its table: other devices, stored preparations, many searches at once.
#pragma once

#include <cstring>

#include "support/changed_device.h"
#include "support/gpu_runner.h"

namespace hopwave::testing {

inline constexpr std::int64_t never = std::int64_t{1} << 62;

inline const strategy::Descriptor& engine() {
  for (const strategy::Descriptor* d : gpu_strategies())
    if (d->info.name == "auto") return *d;
  throw std::logic_error("no auto");
}

struct Found {
  std::string chosen;
  std::vector<Distance> distance;
  std::vector<VertexId> parent;
};

inline std::unique_ptr<strategy::Plan> plan_on(device::Device& device, const BothWays& graph, Parameters parameters,
                                               bool prepare) {
  return engine().plan({.view = graph.view(engine().info.needs),
                        .parameters = parameters_for(engine().info, parameters),
                        .prepare = prepare,
                        .device = &device});
}
inline Found run(strategy::Plan& plan, const Query& query, VertexId n) {
  Found run;
  SearchReport stats;
  strategy::RunControl control{.stats = &stats};
  plan.run(query, control);
  run.chosen = stats.chosen;
  run.distance.resize(n, -77);
  if (query.parents) run.parent.resize(n, 77);
  plan.fetch(run.distance, run.parent);
  return run;
}

template <int kibibytes, bool cooperative, bool clusters>
void lacking(device::Properties& p) {
  p.shared_per_block = std::size_t{kibibytes} << 10;
  p.cooperative = cooperative;
  p.clusters = clusters;
}

/// Layers of `wide` vertices, each joined to `arcs` of the next.
inline TestGraph layered(VertexId layers, VertexId wide, VertexId arcs) {
  TestGraph g{.name = "layers", .num_vertices = layers * wide, .directed = false};
  for (VertexId v = 0; v + wide < g.num_vertices; ++v)
    for (VertexId k = 0; k < arcs; ++k) g.edges.push_back({v, (v / wide + 1) * wide + (v % wide * 11 + 37 * k) % wide});
  return g;
}

/// Puts another word into a stored array.
template <class T>
Preparation with(const Preparation& stored, const std::string& name, std::size_t at, T value) {
  Preparation changed = stored;
  for (auto& [other, bytes] : changed.arrays) {
    if (other != name) continue;
    auto copy = Array<std::byte>::copy_of(bytes.span());
    EXPECT_LE((at + 1) * sizeof(T), copy.size());
    std::memcpy(copy.data() + at * sizeof(T), &value, sizeof(T));
    bytes = std::move(copy);
  }
  return changed;
}

}  // namespace hopwave::testing
