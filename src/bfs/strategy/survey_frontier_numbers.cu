// The frontier is the vertices with this iteration's number: one array and one kernel do for distances, frontier and visited.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.2, figure 11.
// Ours differs: racing stores are relaxed atomics; the word that says "go on" is an iteration number and needs no reset.
#include "bfs/strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

template <class Offset>
HW_KERNEL void survey_frontier_numbers_level(AdjacencyLists<Offset> lists, Distance* level, Distance current,
                                             Distance* last_found) {
  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < lists.num_vertices; v += dev::global_threads()) {
    if (dev::peek(&level[v]) == current - 1) found |= push_from(lists, v, level, current);
  }
  raise_flag(last_found, current, found);
}

class SurveyFrontierNumbers final : public SurveyPlan {
 public:
  explicit SurveyFrontierNumbers(const PlanRequest& request) : SurveyPlan(request) {}

  void run(const Query& query, RunControl& control) override {
    walk(
        query, control, [&] { start_levels(device_, sources_, query.sources, level_); },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance current) {
          launch(device_, {{.grid = grid(lists.num_vertices), .block = block_}}, survey_frontier_numbers_level<Offset>, lists,
                 level_.data(), current, last_found_.data());
          return found(current);
        });
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    survey_frontier_numbers,
    {.info =
         {.name = "survey-frontier-numbers",
          .summary = "the frontier is the vertices whose distance is the iteration's number",
          .source = "Springer, Breadth-first Search in CUDA, section 3.2, fig. 11",
          .device = "gpu",
          .differs = "relaxed atomic stores; a flag that needs no reset; any grid and block",
          .needs = {.out = true},
          .native_parents = false,
          .parameters = {block_parameter, grid_parameter},
          .work =
              {.method = "push",
               .over = "all vertices",
               .frontier = "the distances of this iteration",
               .thread =
                   "A thread has a vertex; if the vertex is of the level before, the thread labels its unvisited neighbours.",
               .item = Item::vertex,
               .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::SurveyFrontierNumbers>,
     .storage = [](StorageCount& count) {
       count.flag();
       count.row_lengths();
       count.block("a level");
     }})
