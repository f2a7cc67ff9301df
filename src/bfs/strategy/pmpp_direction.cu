// Direction-optimized, vertex-centric: pushes while the frontier is small, pulls while many arcs leave it.
// Source: Hwu, Kirk, El Hajj, PMPP 4th ed., section 15.3 (text, no listing), after Beamer, Asanović, Patterson, SC'12.
// Ours differs: the switch point is a parameter, compared before every level with the exact number of the frontier's arcs.
#include "bfs/strategy/gpu/level_kernels.h"

namespace hopwave::HW_MACHINE {
namespace {

// Adds to totals[0] arcs and to totals[1] vertices: a warp adds up first, then the block in shared memory, so that a block
// costs two atomics on the one address. All threads of the block must call.
HW_DEVICE void add_to_totals(std::uint64_t arcs, std::uint32_t vertices, std::uint64_t* shared, std::uint64_t* totals) {
  if (dev::thread() == 0) dev::plain_write(&shared[0], 0), dev::plain_write(&shared[1], 0);
  dev::sync_block();
  bool adds = vertices != 0;
  if (dev::block_size() % dev::lanes == 0) {  // no warp lacks lanes
    vertices = dev::reduce_add(dev::all_lanes, vertices);
    arcs = dev::reduce_add(dev::all_lanes, arcs);
    adds = vertices != 0 && dev::lane() == 0;
  }
  if (adds) {
    dev::fetch_add(&shared[0], arcs);
    dev::fetch_add(&shared[1], std::uint64_t{vertices});
  }
  dev::sync_block();
  if (dev::thread() != 0) return;
  if (const std::uint64_t all = dev::plain_read(&shared[1])) {
    dev::fetch_add(&totals[0], dev::plain_read(&shared[0]));
    dev::fetch_add(&totals[1], all);
  }
}

/// The host has read these after the launch before; no thread uses them in this one.
HW_DEVICE void clear_totals(std::uint64_t* totals) {
  if (dev::global_thread() != 0) return;
  dev::plain_write(&totals[0], 0);
  dev::plain_write(&totals[1], 0);
}

// Counts a vertex once for each thread that finds it: an upper bound, without waiting for a swap or for the vertex's offsets.
template <class Offset>
HW_KERNEL void pmpp_direction_push(const Offset* offsets, const VertexId* neighbors, VertexId num_vertices, Distance* level,
                                   VertexId* parent, Distance current, std::uint64_t* totals, std::uint64_t* next_totals) {
  HW_SHARED(std::uint64_t, block_totals, 2);
  clear_totals(next_totals);
  std::uint32_t vertices = 0;
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (dev::peek(&level[v]) != current - 1) continue;
    visit_row_of(v, offsets, neighbors, level, [&](VertexId w, Distance seen) {
      // Several threads may find w, and `seen` may be late to show it: all store the same level, and each is a right parent.
      if (seen != unreached) return;
      dev::store(&level[w], current);
      if (parent) dev::store(&parent[w], static_cast<VertexId>(v));
      ++vertices;
    });
  }
  add_to_totals(0, vertices, block_totals, totals);
}

template <class Offset>
HW_KERNEL void pmpp_direction_pull(const Offset* in_offsets, const VertexId* in_neighbors, const Offset* offsets,
                                   VertexId num_vertices, Distance* level, VertexId* parent, Distance current,
                                   std::uint64_t* totals, std::uint64_t* next_totals) {
  HW_SHARED(std::uint64_t, block_totals, 2);
  clear_totals(next_totals);
  std::uint64_t arcs = 0;
  std::uint32_t vertices = 0;
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (dev::peek(&level[v]) != unreached) continue;
    const Offset end = dev::plain_read(&in_offsets[v + 1]);
    for (Offset e = dev::plain_read(&in_offsets[v]); e < end; ++e) {
      const VertexId u = dev::read_only(&in_neighbors[e]);
      // u's own thread may be storing `current` now: old or new, the value is not current − 1.
      if (dev::peek(&level[u]) != current - 1) continue;
      dev::store(&level[v], current);
      if (parent) dev::plain_write(&parent[v], u);
      arcs += dev::read_only(&offsets[v + 1]) - dev::read_only(&offsets[v]);
      ++vertices;
      break;
    }
  }
  add_to_totals(arcs, vertices, block_totals, totals);
}

/// The exact arcs and vertices of a frontier, where an upper bound does not settle the direction.
template <class Offset>
HW_KERNEL void pmpp_direction_count(const Offset* offsets, VertexId num_vertices, const Distance* level, Distance current,
                                    std::uint64_t* totals) {
  HW_SHARED(std::uint64_t, block_totals, 2);
  std::uint64_t arcs = 0;
  std::uint32_t vertices = 0;
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (dev::read_only(&level[v]) != current) continue;
    arcs += dev::plain_read(&offsets[v + 1]) - dev::plain_read(&offsets[v]);
    ++vertices;
  }
  add_to_totals(arcs, vertices, block_totals, totals);
}

class PmppDirection final : public LevelPlan {
 public:
  static constexpr Needs needs{.out = true, .in = true};

  explicit PmppDirection(const PlanRequest& request)
      : LevelPlan(request, needs),
        forward_(*request.view.forward),
        pull_permille_(static_cast<std::uint64_t>(parameter(request, "pull_permille"))),
        totals_(device_, 4),
        exact_(device_, 2),
        counter_(device_) {
    for (VertexId v = 0; v < graph_.num_vertices; ++v)
      longest_ = std::max<EdgeIndex>(longest_, forward_.offsets[v + 1ull] - forward_.offsets[v]);
  }

  void run(const Query& query, RunControl& control) override {
    std::uint64_t frontier_arcs = 0;
    for (const VertexId s : query.sources) frontier_arcs += forward_.offsets[s + 1ull] - forward_.offsets[s];
    VertexId* parent = nullptr;
    loop_.run(
        query, control, level_,
        [&] {
          start_levels(device_, sources_, query.sources, level_);
          totals_.fill_bytes(0);
          parent = start_parents(query);
        },
        [&](Distance current, std::uint32_t) {
          const bool pull = pulls(frontier_arcs);
          graph_.wide ? step<std::uint64_t>(current, pull, parent) : step<std::uint32_t>(current, pull, parent);
          std::uint64_t found[2];
          totals_.download(found, 2 * (current % 2));
          if (!pull) {
            // Pushing leaves a bound: vertices, each as often as it was found. Mostly that settles it: push on.
            found[0] = most_arcs(found[1], longest_, graph_.num_arcs);
            if (pulls(found[0])) graph_.wide ? count<std::uint64_t>(current, found) : count<std::uint32_t>(current, found);
          }
          frontier_arcs = found[0];
          return LevelStep{.more = found[1] != 0, .discovered = found[1], .direction = pull ? "pull" : "push"};
        },
        [&](LevelTrace& trace) { counter_.count(graph_, level_, trace); });
  }

 private:
  [[nodiscard]] bool pulls(std::uint64_t frontier_arcs) const {
    return frontier_arcs * 1000 >= graph_.num_arcs * pull_permille_;
  }

  template <class Offset>
  void step(Distance current, bool pull, VertexId* parent) {
    const device::LaunchShape shape{.grid = grid(graph_.num_vertices), .block = block_};
    std::uint64_t* const totals = totals_.data() + 2 * (current % 2);
    std::uint64_t* const next_totals = totals_.data() + 2 * ((current + 1) % 2);
    if (pull)
      launch(device_, {shape}, pmpp_direction_pull<Offset>, graph_.in_offsets<Offset>(), graph_.in_neighbor_data(),
             graph_.offsets<Offset>(), graph_.num_vertices, level_.data(), parent, current, totals, next_totals);
    else
      launch(device_, {shape}, pmpp_direction_push<Offset>, graph_.offsets<Offset>(), graph_.neighbors.data(),
             graph_.num_vertices, level_.data(), parent, current, totals, next_totals);
  }

  template <class Offset>
  void count(Distance current, std::uint64_t found[2]) {
    exact_.fill_bytes(0);
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, pmpp_direction_count<Offset>,
           graph_.offsets<Offset>(), graph_.num_vertices, level_.data(), current, exact_.data());
    exact_.download(std::span(found, 2));
  }

  const Adjacency& forward_;
  std::uint64_t pull_permille_;
  EdgeIndex longest_ = 0;         ///< arcs of the longest row
  Buffer<std::uint64_t> totals_;  ///< two pairs, used in turn
  Buffer<std::uint64_t> exact_;
  LevelCounter counter_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    pmpp_direction,
    {.info = {.name = "pmpp-direction",
              .summary = "pushes while few arcs leave the frontier, pulls while many do",
              .source = "PMPP 4th ed., section 15.3; Beamer et al., SC 2012",
              .device = "gpu",
              .differs = "the switch point is a parameter, compared with the arcs of each frontier",
              .needs = HW_MACHINE::PmppDirection::needs,
              .native_parents = true,
              .parameters = {block_parameter,
                             grid_parameter,
                             {"pull_permille", 50, 0, 1001,
                              "pull if so many thousandths of all arcs leave the frontier; 0: always, 1001: never"}},
              .work = {.method = "push and pull",
                       .over = "all vertices",
                       .frontier = "the level array",
                       .thread = "A thread has a vertex; it pushes in some levels and pulls in others, by the number of arcs "
                                 "that leave the frontier.",
                       .item = Item::either_vertex,
                       .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::PmppDirection>,
     .storage = [](StorageCount& count) {
       count.add(Held::counters, "totals of a level", 4 * 8 + 2 * 8);
       count.block("push, pull, count", 0, 16);
     }})
