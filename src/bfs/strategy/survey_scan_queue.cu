// Flags become a queue by a prefix sum: the sum of the flags before a frontier vertex is its place, and no atomics are needed.
// Source: M. Springer, Breadth-first Search in CUDA, section 3.7, figure 15; the scan: Harris et al., GPU Gems 3, chapter 39.
// Ours differs: one number per level goes to the host, not the whole queue; every kernel covers any number of vertices.
#include "bfs/strategy/gpu/survey.h"
#include "bfs/strategy/gpu/tree_scan.h"
#include "device/algorithms.h"

namespace hopwave::HW_MACHINE {
namespace {

/// One byte per vertex each; the queue and its length.
struct ScanQueue {
  std::uint8_t* frontier;
  std::uint8_t* visited;
  std::uint8_t* updated;
  std::uint32_t* place;
  VertexId* queue;
  std::uint32_t* size;
};
constexpr std::uint8_t raised = 1, lowered = 0;

/// The sources are "updated", so that the first queue is made like all others and holds a source given twice once.
HW_KERNEL void survey_scan_queue_start(const VertexId* sources, std::uint32_t count, Distance* level, std::uint8_t* updated) {
  for (std::uint32_t i = dev::global_thread(); i < count; i += dev::global_threads()) {
    const VertexId s = dev::plain_read(&sources[i]);
    dev::store(&level[s], Distance{0});
    dev::store(&updated[s], raised);
  }
}

/// Threads that meet at a neighbour store the same level and flag; `visited` stays as it is in this kernel.
template <class Offset>
HW_KERNEL void survey_scan_queue_expand(AdjacencyLists<Offset> lists, ScanQueue q, std::uint32_t queued, Distance* level,
                                        Distance current) {
  for (std::uint64_t i = dev::global_thread(); i < queued; i += dev::global_threads()) {
    const VertexId v = dev::read_only(&q.queue[i]);
    const Offset begin = dev::read_only(&lists.begin[v]);
    const Offset length = dev::read_only(&lists.length[v]);
    // All reads are of memory that does not change here, so the compiler itself has several under way at once.
    for (Offset k = 0; k < length; ++k) {
      const VertexId w = dev::read_only(&lists.neighbors[begin + k]);
      if (dev::read_only(&q.visited[w])) continue;
      dev::store(&level[w], current);
      dev::store(&q.updated[w], raised);
    }
  }
}

/// What was updated is the new frontier, and visited from now on.
HW_KERNEL void survey_scan_queue_flags(VertexId num_vertices, ScanQueue q) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    const std::uint8_t updated = dev::plain_read(&q.updated[v]);
    dev::plain_write(&q.frontier[v], updated);
    if (!updated) continue;
    dev::plain_write(&q.visited[v], raised);
    dev::plain_write(&q.updated[v], lowered);
  }
}

HW_KERNEL void survey_scan_queue_fill(VertexId num_vertices, ScanQueue q) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    const std::uint8_t queued = dev::plain_read(&q.frontier[v]);
    if (queued) dev::plain_write(&q.queue[dev::plain_read(&q.place[v])], static_cast<VertexId>(v));
    if (v == num_vertices - 1) dev::plain_write(q.size, dev::plain_read(&q.place[v]) + queued);
  }
}

class SurveyScanQueue final : public SurveyPlan {
 public:
  explicit SurveyScanQueue(const PlanRequest& request)
      : SurveyPlan(request),
        frontier_(new_flags()),
        visited_(new_flags()),
        updated_(new_flags()),
        place_(new_queue()),
        queue_(new_queue()),
        size_(device_, 1) {
    if (parameter(request, "library_scan"))
      library_.emplace(device_, graph_.num_vertices);
    else
      by_hand_.emplace(device_, graph_.num_vertices);
  }

  void run(const Query& query, RunControl& control) override {
    const ScanQueue q{frontier_.data(), visited_.data(), updated_.data(), place_.data(), queue_.data(), size_.data()};
    std::uint32_t queued = 0;
    walk(
        query, control, [&] { queued = start(query, q); },
        [&]<class Offset>(const AdjacencyLists<Offset>& lists, Distance current) -> LevelStep {
          launch(device_, {{.grid = grid(queued), .block = block_}}, survey_scan_queue_expand<Offset>, lists, q, queued,
                 level_.data(), current);
          queued = make_queue(q);
          return {.more = queued != 0, .discovered = queued};
        });
  }

 private:
  std::uint32_t start(const Query& query, const ScanQueue& q) {
    level_.fill_bytes(0xFF);
    size_.fill_bytes(0);
    for (Buffer<std::uint8_t>* flag : {&visited_, &updated_}) flag->fill_bytes(lowered);
    sources_.each(query.sources, [&](const VertexId* part, std::uint32_t count) {
      launch(device_, {{.grid = blocks_for(count, 256), .block = std::min(count, 256u)}}, survey_scan_queue_start, part, count,
             level_.data(), q.updated);
    });
    return make_queue(q);
  }

  /// The flags' queue, and how long it is: the only round trip of a level.
  std::uint32_t make_queue(const ScanQueue& q) {
    const device::LaunchShape shape{.grid = grid(graph_.num_vertices), .block = block_};
    launch(device_, shape, survey_scan_queue_flags, graph_.num_vertices, q);
    if (library_)
      library_->run(q.frontier, q.place);
    else
      by_hand_->run(q.frontier, q.place);
    launch(device_, shape, survey_scan_queue_fill, graph_.num_vertices, q);
    return size_.value();
  }

  Buffer<std::uint8_t> frontier_, visited_, updated_;
  Buffer<std::uint32_t> place_;
  Buffer<VertexId> queue_;
  Buffer<std::uint32_t> size_;
  std::optional<ExclusiveSum<std::uint8_t>> library_;
  std::optional<TreeScan<std::uint8_t>> by_hand_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    survey_scan_queue,
    {.info = {.name = "survey-scan-queue",
              .summary = "a prefix sum over the frontier's flags makes its queue, without atomics",
              .source = "Springer, Breadth-first Search in CUDA, section 3.7, fig. 15; GPU Gems 3, ch. 39",
              .device = "gpu",
              .differs = "a tiled scan for any size; only the queue's length goes to the host",
              .needs = {.out = true},
              .native_parents = false,
              .parameters = {block_parameter,
                             grid_parameter,
                             {"library_scan", 0, 0, 1, "1: the machine's library scans (CUB, rocPRIM)"}},
              .work = {.method = "push",
                       .over = "frontier vertices",
                       .frontier = "flags, made a queue by a prefix sum",
                       .thread = "A thread has an entry of the queue; a prefix sum over flags makes the next queue.",
                       .item = Item::entry_then_scan,
                       .whole_graph = true}},
     .plan = plan_of<HW_MACHINE::SurveyScanQueue>,
     .storage = [](StorageCount& count) {
       const std::uint64_t n = count.shape().vertices;
       count.flag();
       count.row_lengths();
       count.flags(3);
       count.add(Held::queues, "places", 4 * n);
       count.add(Held::queues, "queue", 4 * n);
       count.add(Held::counters, "size of the queue", 4);
       count.block("expand, flags, fill");
       if (count.parameter("library_scan"))
         return count.uncounted("the library's temporary storage for the scan, and its kernels");
       std::uint64_t sums = 0, tiles = n;
       do {
         tiles = HW_MACHINE::tiles_of(tiles);
         sums += tiles;
       } while (tiles > 1);
       count.add(Held::counters, "sums of the scan's tiles", 4 * sums);
       count.block_of(HW_MACHINE::scan_threads, "scan", 0, 4 * HW_MACHINE::padded(HW_MACHINE::scan_tile));
     }})
