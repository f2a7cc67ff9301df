// Virtual warps: `width` threads take `width` vertices and walk the list of each frontier vertex among them together.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.5, figure 13; Hong, Kim, Oguntebi, Olukotun, PPoPP 2011.
// Ours differs: each thread reads one vertex and a ballot passes it to the others, instead of all threads reading all of them.
#include <algorithm>
#include <bit>

#include "bfs/strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

/// `width` is a power of two that divides block and lanes, so that a virtual warp lies within one warp and is complete.
template <class Offset>
HW_KERNEL void survey_virtual_warp_level(AdjacencyLists<Offset> lists, std::uint32_t width, Distance* level, Distance current,
                                         Distance* last_found) {
  const std::uint32_t rank = dev::lane() % width;
  const std::uint32_t first = dev::lane() - rank;
  const dev::LaneMask members = (dev::all_lanes >> (dev::lanes - width)) << first;
  bool found = false;
  for (std::uint64_t base = dev::global_thread() - rank; base < lists.num_vertices; base += dev::global_threads()) {
    // Each for itself: is my vertex in the frontier, and where is its list?
    const std::uint64_t own = base + rank;
    const bool active = own < lists.num_vertices && dev::peek(&level[own]) == current - 1;
    const Offset own_begin = active ? dev::read_only(&lists.begin[own]) : 0;
    const Offset own_length = active ? dev::read_only(&lists.length[own]) : 0;
    // All together: list after list.
    for (dev::LaneMask left = dev::ballot(members, active); left; left &= left - 1) {
      const std::uint32_t owner = static_cast<std::uint32_t>(dev::find_first_set(left) - 1);
      const Offset begin = dev::shuffle(members, own_begin, owner);
      const Offset length = dev::shuffle(members, own_length, owner);
      found |= push_list<Offset>(lists, begin, length, rank, width, level, current);
    }
  }
  raise_flag(last_found, current, found);
}

/// A virtual warp is an equal part of a warp: its width is rounded down to a power of two, the block up to a multiple of it.
std::uint32_t width_of(const PlanRequest& request) {
  return std::bit_floor(static_cast<std::uint32_t>(parameter(request, "width")));
}
PlanRequest with_whole_warps(const PlanRequest& request) {
  const std::int64_t width = width_of(request);
  PlanRequest whole = request;
  whole.parameters["block"] = (parameter(request, "block") + width - 1) / width * width;
  return whole;
}

class SurveyVirtualWarp final : public SurveyPlan {
 public:
  explicit SurveyVirtualWarp(const PlanRequest& request) : SurveyPlan(with_whole_warps(request)), width_(width_of(request)) {}

  void run(const Query& query, RunControl& control) override {
    walk(
        query, control, [&] { start_levels(device_, sources_, query.sources, level_); },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance current) {
          launch(device_, {{.grid = grid(lists.num_vertices), .block = block_}}, survey_virtual_warp_level<Offset>, lists,
                 width_, level_.data(), current, last_found_.data());
          return found(current);
        });
  }

 private:
  std::uint32_t width_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    survey_virtual_warp,
    {.info = {.name = "survey-virtual-warp",
              .summary = "a virtual warp walks the lists of its frontier vertices, one after the other",
              .source = "Springer, Breadth-first Search in CUDA, section 3.5, fig. 13; Hong et al., PPoPP 2011",
              .device = "gpu",
              .differs = "a level is read by one thread and passed to the others by ballot and shuffle",
              .needs = {.out = true},
              .native_parents = false,
              .parameters = {block_parameter,
                             grid_parameter,
                             {"width", 16, 2, HW_MACHINE::dev::lanes,
                              "threads of a virtual warp; rounded down to a power of two, and the block up to it"}},
              .work = {.method = "push",
                       .over = "virtual warps of vertices",
                       .frontier = "the distances of this iteration",
                       .thread =
                           "A group of threads has a group of vertices and walks each row of the frontier among them together.",
                       .item = Item::vertices_of_a_group,
                       .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::SurveyVirtualWarp>,
     .storage = [](StorageCount& count) {
       const std::uint64_t width = std::bit_floor(std::min<std::uint64_t>(count.parameter("width"), 32));
       count.flag();
       count.row_lengths();
       count.block_of((count.parameter("block") + width - 1) / width * width, "a level");
     }})
