// The whole traversal in one launch: a block takes a vertex of the frontier, its threads take the vertex's arcs.
// Source: the GPU101 BFS project (Politecnico di Milano).
// Ours differs: the queues are shared by all blocks, with one grid-wide barrier per level; in the source each block has its own
// and never sees what another found.
#include "bfs/strategy/gpu/level_plans.h"
#include "bfs/strategy/gpu/shared_queue.h"

namespace hopwave::HW_MACHINE {
namespace {

/// What a launch leaves: vertices in the frontier that it stopped before, and the levels it took.
struct Traversed {
  std::uint32_t size, levels;
};

// Levels `current`, current + 1, … until the frontier is empty or `most` levels are done. Level k reads queues[(k − 1) % 2],
// sizes[(k − 1) % 3] and writes queues[k % 2], sizes[k % 3]; sizes[(k + 1) % 3], last read in level k − 1, is set to zero for
// the next level. So one barrier per level is enough. What a block finds waits in shared memory until the level's end.
template <class Offset>
HW_KERNEL void gpu101_traverse(const Offset* offsets, const VertexId* neighbors, Distance* level, VertexId* parent,
                               Distance current, std::uint32_t most, std::uint32_t capacity, VertexId* even_queue,
                               VertexId* odd_queue, std::uint32_t* sizes, Traversed* result) {
  HW_DYNAMIC_SHARED(VertexId, kept);
  HW_SHARED(std::uint32_t, found, 1);
  HW_SHARED(std::uint32_t, at, 1);
  std::uint32_t levels = 0, size;
  for (;; ++levels, ++current) {
    size = dev::load(&sizes[(current - 1) % 3]);  // stable since the barrier: every block takes the same way
    if (size == 0 || levels == most) break;
    const VertexId* const frontier = current % 2 ? even_queue : odd_queue;
    VertexId* const next = current % 2 ? odd_queue : even_queue;
    std::uint32_t* const next_size = &sizes[current % 3];
    if (dev::global_thread() == 0) dev::store(&sizes[(current + 1) % 3], 0u);
    if (dev::thread() == 0) dev::plain_write(&found[0], 0);
    dev::sync_block();
    for (std::uint64_t i = dev::block(); i < size; i += dev::grid_size()) {
      const VertexId v = dev::plain_read(&frontier[i]);
      const Offset begin = dev::read_only(&offsets[v]), length = dev::read_only(&offsets[v + 1]) - begin;
      visit_row<Offset>(neighbors + begin, length, dev::thread(), dev::block_size(), level, [&](VertexId w, Distance seen) {
        if (!claim(level, w, seen, current)) return;
        if (parent) dev::plain_write(&parent[w], v);
        const std::uint32_t slot = dev::fetch_add(&found[0], 1u);
        if (slot < capacity)
          dev::plain_write(&kept[slot], w);
        else
          dev::plain_write(&next[dev::fetch_add(next_size, 1u)], w);
      });
    }
    dev::sync_block();
    const std::uint32_t all = dev::plain_read(&found[0]), count = all < capacity ? all : capacity;
    if (dev::thread() == 0 && count) dev::plain_write(&at[0], dev::fetch_add(next_size, count));
    dev::sync_block();
    for (std::uint32_t i = dev::thread(); i < count; i += dev::block_size())
      dev::plain_write(&next[dev::plain_read(&at[0]) + i], dev::plain_read(&kept[i]));
    dev::sync_grid();
  }
  if (dev::global_thread() == 0) dev::plain_write(result, {size, levels});
}

class Gpu101BlockPerVertex final : public LevelPlan {
 public:
  static constexpr Needs needs{.out = true, .cooperative = true};

  explicit Gpu101BlockPerVertex(const PlanRequest& request)
      : LevelPlan(request, needs),
        capacity_(queue_slots(request, "capacity")),
        queues_{new_queue(), new_queue()},
        sizes_(device_, 3),
        result_(device_, 1),
        counter_(device_) {
    const void* const kernel = graph_.wide ? reinterpret_cast<const void*>(&gpu101_traverse<std::uint64_t>)
                                           : reinterpret_cast<const void*>(&gpu101_traverse<std::uint32_t>);
    const std::uint32_t resident = device_.resident_grid(kernel, block_, capacity_ * sizeof(VertexId));
    grid_ = grid_ ? std::min(grid_, resident) : resident;
  }

  void run(const Query& query, RunControl& control) override {
    VertexId* parents = nullptr;
    loop_.run(
        query, control, level_,
        [&] {
          sizes_.fill_bytes(0);
          start_levels(device_, sources_, query.sources, level_, queues_[0].data(), sizes_.data());
          parents = start_parents(query);
        },
        [&](Distance current, std::uint32_t most) {
          graph_.wide ? traverse<std::uint64_t>(current, most, parents) : traverse<std::uint32_t>(current, most, parents);
          const Traversed done = result_.value();
          return LevelStep{.more = done.size != 0, .discovered = done.size, .levels = done.levels};
        },
        [&](LevelTrace& trace) { counter_.count(graph_, level_, trace); });
  }

 private:
  template <class Offset>
  void traverse(Distance current, std::uint32_t most, VertexId* parents) {
    launch(device_, {{.grid = grid_, .block = block_, .shared_bytes = capacity_ * sizeof(VertexId), .cooperative = true}},
           gpu101_traverse<Offset>, graph_.offsets<Offset>(), graph_.neighbors.data(), level_.data(), parents, current, most,
           capacity_, queues_[0].data(), queues_[1].data(), sizes_.data(), result_.data());
  }

  std::uint32_t capacity_;
  Buffer<VertexId> queues_[2];  ///< a vertex is found once in a run: n entries are enough
  Buffer<std::uint32_t> sizes_;
  Buffer<Traversed> result_;
  LevelCounter counter_;
};

}  // namespace
}  // namespace hopwave::HW_MACHINE

HOPWAVE_GPU_STRATEGY(
    gpu101_block_per_vertex,
    {.info = {.name = "gpu101-block-per-vertex",
              .summary = "the whole traversal in one launch; a block takes a vertex, its threads the arcs",
              .source = "GPU101 BFS project, Politecnico di Milano",
              .device = "gpu",
              .differs = "queues shared by all blocks and one grid-wide barrier per level; keeps the parent",
              .needs = HW_MACHINE::Gpu101BlockPerVertex::needs,
              .native_parents = true,
              .parameters = {{"block", 64, 1, 1024, "threads per block"},
                             {"grid", 0, 0, 1 << 20, "blocks; 0, or more than fit: all that are resident"},
                             {"capacity", 512, 0, most_queue_slots, "vertices in a block's queue in shared memory"}},
              .work = {.method = "push",
                       .over = "frontier vertices, a block each",
                       .frontier = "two queues, one launch",
                       .thread = "A block has an entry of the queue, and each of its threads an arc of that vertex.",
                       .item = Item::arc_of_an_entry}},
     .plan = plan_of<HW_MACHINE::Gpu101BlockPerVertex>,
     .storage = [](StorageCount& count) {
       count.two_queues(3);
       count.add(Held::counters, "size and levels of a launch", 8);
       count.block("all levels", 4 * count.parameter("capacity"), 8);
     }})
