// The GPU101 project: one launch, one block per vertex, one thread per edge, both frontiers in shared memory. Written from what
// is known of its method and faults, not from its text.
#include "bfs/strategy/literal/plans.h"
#define current_size HW_PRINTED_ONE(current_size)
namespace hopwave::sim {
namespace {
#define next_size HW_PRINTED_ONE(next_size)
constexpr int MAX_FRONTIER_SIZE = 1024;

void traverse(Printed<const int> row_ptr, Printed<const int> col_idx, int source, Printed<int> distance) {
  HW_PRINTED_SHARED(int, current, MAX_FRONTIER_SIZE);
  HW_PRINTED_SHARED(int, next, MAX_FRONTIER_SIZE);
  HW_PRINTED_SHARED_ONE(int, current_size);
  HW_PRINTED_SHARED_ONE(int, next_size);
  if (dev::thread() == 0) {
    current_size = 0;
    if (dev::block() == 0) {
      current[0] = source;
      current_size = 1;
    }
  }
  dev::sync_block();
  for (int level = 1; current_size > 0; ++level) {
    if (dev::thread() == 0) next_size = 0;
    dev::sync_block();
    if (static_cast<int>(dev::block()) < current_size) {
      const int vertex = current[dev::block()];
      for (int e = row_ptr[vertex] + static_cast<int>(dev::thread()); e < row_ptr[vertex + 1];
           e += static_cast<int>(dev::block_size())) {
        const int neighbor = col_idx[e];
        if (distance[neighbor] == -1) {
          distance[neighbor] = level;
          const int position = next_size;
          next[position] = neighbor;
          next_size = position + 1;
        }
      }
    }
    dev::sync_block();
    for (int i = static_cast<int>(dev::thread()); i < next_size; i += static_cast<int>(dev::block_size())) current[i] = next[i];
    if (dev::thread() == 0) current_size = next_size;
    dev::sync_block();
  }
}

/// One launch is the whole search: as many blocks as vertices, as the mapping wants.
class BlockPerVertex final : public LiteralPlan {
 public:
  explicit BlockPerVertex(const PlanRequest& request)
      : LiteralPlan(request, "distance"),
        offsets_(device_, as_ints(request.view.forward->offsets.span()), "row_ptr"),
        targets_(device_, as_ints(request.view.forward->neighbors.span()), "col_idx") {}

 private:
  void start(int source) override {
    start_levels(source, unreached);
    source_ = source;
  }
  bool pass(int /*current*/) override {
    launch(device_, {{.grid = static_cast<std::uint32_t>(n_), .block = block_}}, traverse, offsets_.constant(),
           targets_.constant(), source_, level_.words());
    return false;
  }
  NamedBuffer<int> offsets_, targets_;
  int source_ = 0;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(
    gpu101_block_per_vertex, BlockPerVertex, "gpu101-block-per-vertex",
    "the whole search in one launch, frontiers in each block's shared memory", "GPU101, Politecnico di Milano",
    "no block sees another's frontier; a block takes one vertex per level; look and insert are not atomic; no end of queue",
    false)

#undef current_size
#undef next_size
