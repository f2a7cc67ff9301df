// Outliers are deferred: a vertex with many neighbours waits in its block's queue until the block has done all others.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.3, figure 12.
// Ours differs: a thread claims its slot and handles the vertex itself when there is none, so that any queue size is right.
#include "bfs/strategy/gpu/shared_queue.h"
#include "bfs/strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

/// The source keeps room by comparing the queue's size with that of a block and by a barrier in every stride: a block
/// larger than the queue wraps that comparison round and overflows. Here the counter may pass `queue_size`, slots not.
template <class Offset>
HW_KERNEL void survey_defer_level(AdjacencyLists<Offset> lists, Distance* level, Distance current, Offset defer_max,
                                  std::uint32_t queue_size, bool together, Distance* last_found) {
  HW_DYNAMIC_SHARED(VertexId, deferred);
  HW_SHARED(std::uint32_t, claimed, 1);
  if (dev::thread() == 0) dev::plain_write(&claimed[0], 0);
  dev::sync_block();

  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < lists.num_vertices; v += dev::global_threads()) {
    if (dev::peek(&level[v]) != current - 1) continue;
    if (dev::read_only(&lists.length[v]) >= defer_max && dev::load(&claimed[0]) < queue_size) {
      const std::uint32_t slot = dev::fetch_add(&claimed[0], 1u);
      if (slot < queue_size) {
        dev::plain_write(&deferred[slot], static_cast<VertexId>(v));
        continue;
      }
    }
    found |= push_from(lists, v, level, current);
  }
  dev::sync_block();

  const std::uint32_t all = dev::plain_read(&claimed[0]), count = all < queue_size ? all : queue_size;
  if (together) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const VertexId v = dev::plain_read(&deferred[i]);
      found |= push_list<Offset>(lists, dev::read_only(&lists.begin[v]), dev::read_only(&lists.length[v]), dev::thread(),
                                 dev::block_size(), level, current);
    }
  } else {
    for (std::uint32_t i = dev::thread(); i < count; i += dev::block_size()) {
      found |= push_from(lists, dev::plain_read(&deferred[i]), level, current);
    }
  }
  raise_flag(last_found, current, found);
}

class SurveyDefer final : public SurveyPlan {
 public:
  explicit SurveyDefer(const PlanRequest& request)
      : SurveyPlan(request),
        defer_max_(static_cast<std::uint32_t>(parameter(request, "defer_max"))),
        queue_size_(queue_slots(request, "queue_size")),
        together_(parameter(request, "together") != 0) {}

  void run(const Query& query, RunControl& control) override {
    walk(
        query, control, [&] { start_levels(device_, sources_, query.sources, level_); },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance current) {
          launch(device_, {{.grid = grid(lists.num_vertices), .block = block_, .shared_bytes = queue_size_ * sizeof(VertexId)}},
                 survey_defer_level<Offset>, lists, level_.data(), current, static_cast<Offset>(defer_max_), queue_size_,
                 together_, last_found_.data());
          return found(current);
        });
  }

 private:
  std::uint32_t defer_max_, queue_size_;
  bool together_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    survey_defer,
    {.info = {.name = "survey-defer",
              .summary = "a block keeps its vertices with many neighbours for last",
              .source = "Springer, Breadth-first Search in CUDA, section 3.3, fig. 12",
              .device = "gpu",
              .differs = "slots are claimed one by one, so no block or queue size overflows; no barrier a stride",
              .needs = {.out = true},
              .native_parents = false,
              .parameters = {block_parameter,
                             grid_parameter,
                             {"defer_max", 16, 0, 2147483647, "neighbours from which on a vertex is deferred"},
                             {"queue_size", 2048, 1, most_queue_slots, "vertices that a block can defer"},
                             {"together", 0, 0, 1, "1: the block's threads share out each deferred list"}},
              .work = {.method = "push",
                       .over = "all vertices, long lists last",
                       .frontier = "the distances of this iteration",
                       .thread = "A thread has a vertex; long rows of the frontier wait until the block has done all others.",
                       .item = Item::vertex_deferring,
                       .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::SurveyDefer>,
     .storage = [](StorageCount& count) {
       count.flag();
       count.row_lengths();
       count.block("a level", 4 * count.parameter("queue_size"), 4);
     }})
