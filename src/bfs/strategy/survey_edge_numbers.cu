// One thread per edge: edges whose tail has the number of this iteration give the next number to their head.
// Source: M. Springer, Breadth-first Search in CUDA, section 4.2, figure 17.
// Ours differs: racing stores are relaxed atomics; a head is read only when its tail is in the frontier.
#include "bfs/strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

/// Edges that meet at a head store the same number, and a stale "unreached" makes one more such store.
HW_KERNEL void survey_edge_numbers_level(const VertexId* tails, const VertexId* heads, EdgeIndex num_edges, Distance* level,
                                         Distance current, Distance* last_found) {
  bool found = false;
  for (EdgeIndex e = dev::global_thread(); e < num_edges; e += dev::global_threads()) {
    if (dev::peek(&level[dev::read_only(&tails[e])]) != current - 1) continue;
    const VertexId w = dev::read_only(&heads[e]);
    if (dev::peek(&level[w]) != unreached) continue;
    dev::store(&level[w], current);
    found = true;
  }
  raise_flag(last_found, current, found);
}

class SurveyEdgeNumbers final : public SurveyEdgePlan {
 public:
  explicit SurveyEdgeNumbers(const PlanRequest& request) : SurveyEdgePlan(request) {}

  void run(const Query& query, RunControl& control) override {
    walk(query, control, "edges", [&](Distance current) {
      launch(device_, {{.grid = grid(graph_.num_arcs), .block = block_}}, survey_edge_numbers_level, graph_.arc_sources.data(),
             graph_.neighbors.data(), graph_.num_arcs, level_.data(), current, last_found_.data());
    });
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    survey_edge_numbers,
    {.info = {.name = "survey-edge-numbers",
              .summary = "one thread per edge; the frontier is the tails with the iteration's number",
              .source = "Springer, Breadth-first Search in CUDA, section 4.2, fig. 17",
              .device = "gpu",
              .differs = "relaxed atomic stores; a head is read only when its tail is in the frontier",
              .needs = {.out = false, .arc_sources = true},
              .native_parents = false,
              .parameters = {block_parameter, grid_parameter},
              .work = {.method = "push",
                       .over = "all edges",
                       .frontier = "the distances of this iteration",
                       .thread = "A thread has an arc; if its tail is of the level before, the thread labels its head.",
                       .item = Item::arc,
                       .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::SurveyEdgeNumbers>,
     .storage = [](StorageCount& count) {
       count.flag();
       count.block("a level");
     }})
