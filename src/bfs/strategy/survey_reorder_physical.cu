// The graph itself is put in order of degree: vertices are renamed, so that threads of a warp have equally long lists.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.4, the second of its two reorderings.
// Ours differs: the lists move with their vertices, and distances are put back into the caller's order on the device.

#include "bfs/strategy/gpu/degree_order.h"
#include "bfs/strategy/gpu/survey.h"
#include "core/stopwatch.h"

namespace hopwave::HW_MACHINE {
namespace {

template <class Offset>
HW_KERNEL void survey_reorder_physical_level(AdjacencyLists<Offset> lists, Distance* level, Distance current,
                                             Distance* last_found) {
  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < lists.num_vertices; v += dev::global_threads()) {
    if (dev::peek(&level[v]) == current - 1) found |= push_from(lists, v, level, current);
  }
  raise_flag(last_found, current, found);
}

HW_KERNEL void survey_reorder_physical_restore(const VertexId* new_id, VertexId num_vertices, const Distance* level,
                                               Distance* restored) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    dev::plain_write(&restored[v], dev::plain_read(&level[dev::read_only(&new_id[v])]));
  }
}

/// The renamed graph must exist before the plan's base copies it to the device, so it is a base of its own.
struct Renamed {
  explicit Renamed(const PlanRequest& request) : renamed_request(request) {
    const core::Stopwatch watch;
    RenamedGraph graph = rename_vertices(*request.view.forward, degree_order(*request.view.forward, request.view.num_vertices));
    adjacency = std::move(graph.adjacency);
    new_id = std::move(graph.new_id);
    prepare = watch.elapsed();
    renamed_request.view = {.num_vertices = request.view.num_vertices, .forward = &adjacency};
  }
  Adjacency adjacency;
  std::vector<VertexId> new_id;
  Milliseconds prepare = {};
  PlanRequest renamed_request;
};

class SurveyReorderPhysical final : private Renamed, public SurveyPlan {
 public:
  explicit SurveyReorderPhysical(const PlanRequest& request)
      : Renamed(request),
        SurveyPlan(renamed_request),
        new_id_(device_, std::span<const VertexId>(new_id)),
        restored_(device_, graph_.num_vertices) {
    device_.wait();
    adjacency = {};  // the device has it
    renamed_request = {};
  }

  void run(const Query& query, RunControl& control) override {
    renamed_query_ = query;
    for (VertexId& s : renamed_query_.sources) s = new_id[s];
    if (query.target != no_vertex) renamed_query_.target = new_id[query.target];
    walk(
        renamed_query_, control, [&] { start_levels(device_, sources_, renamed_query_.sources, level_); },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance current) {
          launch(device_, {{.grid = grid(lists.num_vertices), .block = block_}}, survey_reorder_physical_level<Offset>, lists,
                 level_.data(), current, last_found_.data());
          return found(current);
        });
  }

  void fetch(std::span<Distance> distances, std::span<VertexId>) override {
    launch(device_, {{.grid = grid(graph_.num_vertices), .block = block_}}, survey_reorder_physical_restore, new_id_.data(),
           graph_.num_vertices, level_.data(), restored_.data());
    restored_.download(distances);
  }
  [[nodiscard]] DeviceAnswer answer() const override { return {}; }  // in the caller's order only when it is fetched

  [[nodiscard]] Milliseconds prepare_time() const override { return prepare; }

 private:
  Query renamed_query_;  // kept, so that its memory is taken once
  Buffer<VertexId> new_id_;
  Buffer<Distance> restored_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(survey_reorder_physical,
                     {.info = {.name = "survey-reorder-physical",
                               .summary = "the graph is renamed in order of degree before it goes to the device",
                               .source = "Springer, Breadth-first Search in CUDA, section 3.4 (physical reordering)",
                               .device = "gpu",
                               .differs = "lists move with their vertices; distances come back in the caller's order",
                               .needs = {.out = true},
                               .native_parents = false,
                               .parameters = {block_parameter, grid_parameter},
                               .work = {.method = "push",
                                        .over = "all vertices, renamed by degree",
                                        .frontier = "the distances of this iteration",
                                        .thread = "Threads have the vertices in ascending order of degree; those of the level "
                                                  "before label their unvisited neighbours.",
                                        .item = Item::vertex_by_degree,
                                        .whole_graph = true}},
                      .plan = plan_of<HW_MACHINE::SurveyReorderPhysical>,
                      .storage = [](StorageCount& count) {
                        count.flag();
                        count.row_lengths();
                        count.add(Held::levels, "new ids", 4 * count.shape().vertices);
                        count.add(Held::levels, "distances in the caller's order", 4 * count.shape().vertices);
                        count.block("a level");
                      }})
