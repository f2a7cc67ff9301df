// A boolean frontier: vertices in it push their neighbours into `updated`, which a second kernel makes the next frontier.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.1, figure 10 (after Harish and Narayanan, HiPC 2007).
// Ours differs: the distance stored is the level itself, not the vertex's own plus one, so that racing stores are equal.
#include "bfs/strategy/gpu/survey.h"

namespace hopwave::HW_MACHINE {
namespace {

/// One byte per vertex each.
struct FrontierFlags {
  std::uint8_t* frontier;
  std::uint8_t* visited;
  std::uint8_t* updated;
};
constexpr std::uint8_t raised = 1, lowered = 0;

/// A source that is given twice raises the same flags twice.
HW_KERNEL void survey_frontier_start(const VertexId* sources, std::uint32_t count, Distance* level, FrontierFlags flags) {
  for (std::uint32_t i = dev::global_thread(); i < count; i += dev::global_threads()) {
    const VertexId s = dev::plain_read(&sources[i]);
    dev::store(&level[s], Distance{0});
    dev::store(&flags.frontier[s], raised);
    dev::store(&flags.visited[s], raised);
  }
}

/// `visited` does not change in this kernel, and a frontier flag is read and lowered by its own thread only. Threads that
/// meet at a neighbour store the same level and the same flag.
template <class Offset>
HW_KERNEL void survey_frontier_expand(AdjacencyLists<Offset> lists, Distance* level, FrontierFlags flags, Distance current) {
  for (std::uint64_t v = dev::global_thread(); v < lists.num_vertices; v += dev::global_threads()) {
    if (!dev::plain_read(&flags.frontier[v])) continue;
    dev::plain_write(&flags.frontier[v], lowered);
    const Offset begin = dev::read_only(&lists.begin[v]);
    const Offset length = dev::read_only(&lists.length[v]);
    // All reads are of memory that does not change here, so the compiler itself has several under way at once.
    for (Offset k = 0; k < length; ++k) {
      const VertexId w = dev::read_only(&lists.neighbors[begin + k]);
      if (dev::read_only(&flags.visited[w])) continue;
      dev::store(&level[w], current);
      dev::store(&flags.updated[w], raised);
    }
  }
}

HW_KERNEL void survey_frontier_update(VertexId num_vertices, FrontierFlags flags, Distance current, Distance* last_found) {
  bool found = false;
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (!dev::plain_read(&flags.updated[v])) continue;
    dev::plain_write(&flags.updated[v], lowered);
    dev::plain_write(&flags.frontier[v], raised);
    dev::plain_write(&flags.visited[v], raised);
    found = true;
  }
  raise_flag(last_found, current, found);
}

class SurveyFrontier final : public SurveyPlan {
 public:
  explicit SurveyFrontier(const PlanRequest& request)
      : SurveyPlan(request), frontier_(new_flags()), visited_(new_flags()), updated_(new_flags()) {}

  void run(const Query& query, RunControl& control) override {
    const FrontierFlags flags{frontier_.data(), visited_.data(), updated_.data()};
    walk(
        query, control, [&] { start(query, flags); },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance current) {
          const device::LaunchShape shape{.grid = grid(lists.num_vertices), .block = block_};
          launch(device_, shape, survey_frontier_expand<Offset>, lists, level_.data(), flags, current);
          launch(device_, shape, survey_frontier_update, lists.num_vertices, flags, current, last_found_.data());
          return found(current);
        });
  }

 private:
  /// A run that ended early (at a target, or by an error) has left flags set: all of them start lowered.
  void start(const Query& query, const FrontierFlags& flags) {
    level_.fill_bytes(0xFF);
    for (Buffer<std::uint8_t>* flag : {&frontier_, &visited_, &updated_}) flag->fill_bytes(lowered);
    sources_.each(query.sources, [&](const VertexId* part, std::uint32_t count) {
      launch(device_, {{.grid = blocks_for(count, 256), .block = std::min(count, 256u)}}, survey_frontier_start, part, count,
             level_.data(), flags);
    });
  }

  Buffer<std::uint8_t> frontier_, visited_, updated_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(survey_frontier,
                     {.info = {.name = "survey-frontier",
                               .summary = "one flag per vertex marks the frontier; two kernels per level",
                               .source = "Springer, Breadth-first Search in CUDA, section 3.1, fig. 10",
                               .device = "gpu",
                               .differs = "racing stores are relaxed atomics of equal values; flags start clean in every run",
                               .needs = {.out = true},
                               .native_parents = false,
                               .parameters = {block_parameter, grid_parameter},
                               .work = {.method = "push",
                                        .over = "all vertices",
                                        .frontier = "flags: frontier, visited, updated",
                                        .thread = "A thread has a vertex; a first launch labels neighbours of the frontier, a "
                                                  "second makes those found the next frontier.",
                                        .item = Item::vertex_then_update,
                                        .whole_graph = true}},
                      .plan = plan_of<HW_MACHINE::SurveyFrontier>,
                      .storage = [](StorageCount& count) {
                        count.flag();
                        count.row_lengths();
                        count.flags(3);
                        count.block("expand, update");
                      }})
