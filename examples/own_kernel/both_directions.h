// Task 1 of docs/own-kernel.md: the kernels, and all of the host's side but the choice of a direction.
#pragma once

#include "bfs/strategy/gpu/level_plans.h"

namespace hopwave::HW_MACHINE {
namespace {

/// The swap decides, so each vertex is counted once.
template <class Offset>
HW_KERNEL void push_level(const Offset* offsets, const VertexId* neighbors, VertexId num_vertices, Distance* level,
                          Distance current, std::uint32_t* found) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (dev::load(&level[v]) != current - 1) continue;
    const Offset end = dev::read_only(&offsets[v + 1]);
    for (Offset e = dev::read_only(&offsets[v]); e < end; ++e)
      if (claim(level, dev::read_only(&neighbors[e]), unreached, current)) dev::fetch_add(found, 1u);
  }
}

template <class Offset>
HW_KERNEL void pull_level(const Offset* in_offsets, const VertexId* in_neighbors, VertexId num_vertices, Distance* level,
                          Distance current, std::uint32_t* found) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (dev::load(&level[v]) != unreached) continue;
    const Offset end = dev::read_only(&in_offsets[v + 1]);
    for (Offset e = dev::read_only(&in_offsets[v]); e < end; ++e) {
      if (dev::load(&level[dev::read_only(&in_neighbors[e])]) != current - 1) continue;
      dev::store(&level[v], current);
      dev::fetch_add(found, 1u);
      break;
    }
  }
}

class BothDirections : public LevelPlan {
 public:
  static constexpr Needs needs{.out = true, .in = true};

  void run(const Query& query, RunControl& control) override {
    loop_.run(
        query, control, level_,
        [&] {
          start_levels(device_, sources_, query.sources, level_);
          frontier_ = static_cast<std::uint32_t>(query.sources.size());
        },
        [&](Distance current, std::uint32_t) { return step(current); },
        [&](LevelTrace& trace) { counter_.count(graph_, level_, trace); });
  }

 protected:
  explicit BothDirections(const PlanRequest& request) : LevelPlan(request, needs), found_(device_, 1), counter_(device_) {}

  /// Finds the vertices of level `current`. Returns whether there were any (`more`), and the direction, "push" or "pull".
  virtual LevelStep step(Distance current) = 0;

  /// Each launches its kernel and returns how many vertices got level `current`.
  std::uint32_t push(Distance current) {
    return graph_.wide ? push_by<std::uint64_t>(current) : push_by<std::uint32_t>(current);
  }
  std::uint32_t pull(Distance current) {
    return graph_.wide ? pull_by<std::uint64_t>(current) : pull_by<std::uint32_t>(current);
  }

  std::uint32_t frontier_ = 0;  ///< vertices of the level before: at first the sources

 private:
  template <class Offset>
  std::uint32_t push_by(Distance current) {
    found_.fill_bytes(0);
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, push_level<Offset>, graph_.offsets<Offset>(),
           graph_.neighbors.data(), graph_.num_vertices, level_.data(), current, found_.data());
    return found_.value();
  }
  template <class Offset>
  std::uint32_t pull_by(Distance current) {
    found_.fill_bytes(0);
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, pull_level<Offset>, graph_.in_offsets<Offset>(),
           graph_.in_neighbor_data(), graph_.num_vertices, level_.data(), current, found_.data());
    return found_.value();
  }

  Buffer<std::uint32_t> found_;
  LevelCounter counter_;
};

/// What `hopwave strategies` and the pictures know of a class derived from it.
template <class P>
Descriptor both_directions(std::string_view name, std::string_view summary) {
  return {.info = {.name = name,
                   .summary = summary,
                   .source = "docs/own-kernel.md",
                   .device = "gpu",
                   .differs = "",
                   .needs = BothDirections::needs,
                   .native_parents = false,
                   .parameters = {block_parameter, grid_parameter},
                   .work = {.method = "push and pull",
                            .over = "all vertices",
                            .frontier = "the level array",
                            .thread = "A thread has a vertex; it pushes in some levels and pulls in others.",
                            .item = Item::either_vertex,
                            .whole_graph = true}},
          .plan = plan_of<P>,
          .storage = [](StorageCount& count) {
            count.add(Held::counters, "vertices found", 4);
            count.block("push, pull");
          }};
}

}  // namespace
}  // namespace hopwave::HW_MACHINE
