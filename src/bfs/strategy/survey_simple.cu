// Relaxation: every vertex that has a distance offers it plus one to its neighbours, until a pass changes nothing.
// Source: M. Springer, Breadth-first Search in CUDA, section 3, figure 9 (Bellman-Ford with weights of one).
// Ours differs: offers are an atomic minimum, where the source's plain store could put a larger distance over a smaller.
#include "bfs/strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

constexpr std::uint32_t most_looks = 4;  ///< at a vertex's own distance in a pass, beyond those that brought something

/// Distances only fall and are always lengths of real paths, so stale reads cost one more pass at most. After pass k everything
/// within k hops is exact: the last vertex before it was exact a pass ago, and a minimum cannot be taken back. The flag
/// is raised by every thread that sees a larger distance, even if another lowers it first: then that one changed something.
template <class Offset>
HW_KERNEL void survey_simple_pass(AdjacencyLists<Offset> lists, Unsigned* distance, Distance pass, Distance* last_found) {
  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < lists.num_vertices; v += dev::global_threads()) {
    // The distance is read anew as often as in the source, which does so for each neighbour: what was lowered meanwhile is
    // offered in the same pass, even by a vertex that had nothing to offer at first, and that saves passes.
    const Offset length = dev::read_only(&lists.length[v]);
    const std::uint32_t looks = length < most_looks ? static_cast<std::uint32_t>(length) : most_looks;
    Unsigned offered = infinite;
    for (std::uint32_t look = 0; look < looks; ++look) {
      const Unsigned own = look ? dev::load(&distance[v]) : dev::peek(&distance[v]);
      if (own >= offered) continue;
      offered = own;
      look = 0;
      visit_row<Offset>(lists.neighbors + dev::read_only(&lists.begin[v]), length, 0, 1, distance,
                        [&](VertexId w, Unsigned seen) {
                          if (seen <= own + 1) return;
                          dev::fetch_min(&distance[w], own + 1);
                          found = true;
                        });
    }
  }
  raise_flag(last_found, pass, found);
}

class SurveySimple final : public SurveyPlan {
 public:
  explicit SurveySimple(const PlanRequest& request) : SurveyPlan(request) {}

  void run(const Query& query, RunControl& control) override {
    walk(
        query, control, [&] { start_levels(device_, sources_, query.sources, level_); },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance pass) {
          launch(device_, {{.grid = grid(lists.num_vertices), .block = block_}}, survey_simple_pass<Offset>, lists,
                 reinterpret_cast<Unsigned*>(level_.data()), pass, last_found_.data());
          return found(pass, "relax");
        });
  }
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    survey_simple,
    {.info =
         {.name = "survey-simple",
          .summary = "every vertex relaxes its neighbours in every pass; no frontier",
          .source = "Springer, Breadth-first Search in CUDA, section 3, fig. 9",
          .device = "gpu",
          .differs = "an atomic minimum instead of a plain store, which could raise a distance again",
          .needs = {.out = true},
          .native_parents = false,
          .parameters = {block_parameter, grid_parameter},
          .work = {.method = "relax",
                   .over = "all vertices",
                   .frontier = "none",
                   .thread =
                       "Levels and tree alone: a pass that relaxes settles more or fewer levels as its threads happen to meet.",
                   .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::SurveySimple>,
     .storage = [](StorageCount& count) {
       count.flag();
       count.row_lengths();
       count.block("a level");
     }})
