// A job array names the vertices in order of their degree, so that threads of a warp have equally long lists to walk.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.4, the first of its two reorderings.
// Ours differs: the kernel reads the job array; the code published with the survey takes it as an argument and does not.

#include "bfs/strategy/gpu/degree_order.h"
#include "bfs/strategy/gpu/survey.h"
#include "core/stopwatch.h"

namespace hopwave::HW_MACHINE {
namespace {

/// The graph stays as it is: a job is one more read before the level of its vertex, and neighbouring threads then read
/// levels that are far apart.
template <class Offset>
HW_KERNEL void survey_reorder_redirect_level(AdjacencyLists<Offset> lists, const VertexId* jobs, Distance* level,
                                             Distance current, Distance* last_found) {
  bool found = false;
  for (std::uint64_t i = dev::global_thread(); i < lists.num_vertices; i += dev::global_threads()) {
    const VertexId v = dev::read_only(&jobs[i]);
    if (dev::peek(&level[v]) == current - 1) found |= push_from(lists, v, level, current);
  }
  raise_flag(last_found, current, found);
}

class SurveyReorderRedirect final : public SurveyPlan {
 public:
  explicit SurveyReorderRedirect(const PlanRequest& request) : SurveyPlan(request) {
    const core::Stopwatch watch;
    const std::vector<VertexId> order = degree_order(*request.view.forward, graph_.num_vertices);
    prepare_time_ = watch.elapsed();
    jobs_ = Buffer<VertexId>(device_, std::span<const VertexId>(order)).as(MemoryKind::queues);
    device_.wait();  // `order` goes away
  }

  void run(const Query& query, RunControl& control) override {
    walk(
        query, control, [&] { start_levels(device_, sources_, query.sources, level_); },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance current) {
          launch(device_, {{.grid = grid(lists.num_vertices), .block = block_}}, survey_reorder_redirect_level<Offset>, lists,
                 jobs_.data(), level_.data(), current, last_found_.data());
          return found(current);
        });
  }

  [[nodiscard]] Milliseconds prepare_time() const override { return prepare_time_; }

 private:
  Buffer<VertexId> jobs_;
  Milliseconds prepare_time_ = {};
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(survey_reorder_redirect,
                     {.info = {.name = "survey-reorder-redirect",
                               .summary = "threads take their vertices from a job array sorted by degree",
                               .source = "Springer, Breadth-first Search in CUDA, section 3.4 (redirection)",
                               .device = "gpu",
                               .differs = "the job array is read (the published kernel takes it and does not); a linear sort",
                               .needs = {.out = true},
                               .native_parents = false,
                               .parameters = {block_parameter, grid_parameter},
                               .work = {.method = "push",
                                        .over = "all vertices, in order of degree",
                                        .frontier = "the distances of this iteration",
                                        .thread = "Threads have the vertices in ascending order of degree; those of the level "
                                                  "before label their unvisited neighbours.",
                                        .item = Item::vertex_by_degree,
                                        .whole_graph = true}},
                      .plan = plan_of<HW_MACHINE::SurveyReorderRedirect>,
                      .storage = [](StorageCount& count) {
                        count.flag();
                        count.row_lengths();
                        count.add(Held::queues, "vertices by degree", 4 * count.shape().vertices);
                        count.block("a level");
                      }})
