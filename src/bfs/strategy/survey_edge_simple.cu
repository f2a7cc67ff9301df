// Relaxation over edges: every edge whose tail has a distance offers it plus one to its head, until a pass changes nothing.
// Source: M. Springer, Breadth-first Search in CUDA, section 4.1, figure 16.
// Ours differs: offers are an atomic minimum; edges from unreached tails end before their head is read.
#include "bfs/strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

/// Right for the reasons given in survey_simple.cu: distances only fall, and pass k settles everything within k hops.
HW_KERNEL void survey_edge_simple_pass(const VertexId* tails, const VertexId* heads, EdgeIndex num_edges, Unsigned* distance,
                                       Distance pass, Distance* last_found) {
  bool found = false;
  for (EdgeIndex e = dev::global_thread(); e < num_edges; e += dev::global_threads()) {
    const Unsigned own = dev::peek(&distance[dev::read_only(&tails[e])]);
    if (own == infinite) continue;
    const VertexId w = dev::read_only(&heads[e]);
    if (dev::peek(&distance[w]) <= own + 1) continue;
    dev::fetch_min(&distance[w], own + 1);
    found = true;
  }
  raise_flag(last_found, pass, found);
}

class SurveyEdgeSimple final : public SurveyEdgePlan {
 public:
  explicit SurveyEdgeSimple(const PlanRequest& request) : SurveyEdgePlan(request) {}

  void run(const Query& query, RunControl& control) override {
    walk(query, control, "relax", [&](Distance pass) {
      launch(device_, {{.grid = grid(graph_.num_arcs), .block = block_}}, survey_edge_simple_pass, graph_.arc_sources.data(),
             graph_.neighbors.data(), graph_.num_arcs, reinterpret_cast<Unsigned*>(level_.data()), pass, last_found_.data());
    });
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    survey_edge_simple,
    {.info =
         {.name = "survey-edge-simple",
          .summary = "every edge relaxes its head in every pass; no frontier",
          .source = "Springer, Breadth-first Search in CUDA, section 4.1, fig. 16",
          .device = "gpu",
          .differs = "an atomic minimum instead of a plain store, which could raise a distance again",
          .needs = {.out = false, .arc_sources = true},
          .native_parents = false,
          .parameters = {block_parameter, grid_parameter},
          .work = {.method = "relax",
                   .over = "all edges",
                   .frontier = "none",
                   .thread =
                       "Levels and tree alone: a pass that relaxes settles more or fewer levels as its threads happen to meet.",
                   .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::SurveyEdgeSimple>,
     .storage = [](StorageCount& count) {
       count.flag();
       count.block("a level");
     }})
