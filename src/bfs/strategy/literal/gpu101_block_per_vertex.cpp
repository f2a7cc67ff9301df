// The GPU101 project, step by step: one launch, one block per vertex, one thread per edge, both frontiers in shared memory.
// What inserts and what swaps is not in the print, nor are the queue's places and the grid: those are read from the course's
// sequential program and from solutions of its kind.
#include "bfs/strategy/literal/plans.h"
#define now_size HW_PRINTED_ONE(now_size)
namespace hopwave::sim {
namespace {
#define next_size HW_PRINTED_ONE(next_size)
void search_in_blocks(Printed<const int> offsets, Printed<const int> heads, int source, int places, int exchanged,
                      Printed<int> distance) {
  const int threads = static_cast<int>(dev::block_size()), thread = static_cast<int>(dev::thread());
  HW_PRINTED_PART(int, now, 0, places);        // -: the block's frontier
  HW_PRINTED_SHARED_ONE(int, now_size);        // -: its size
  HW_PRINTED_PART(int, next, places, places);  // -: the frontier that the block finds
  HW_PRINTED_SHARED_ONE(int, next_size);       // -: its size
  if (thread == 0) {                           // -: one thread of every block begins
    next_size = 0;                             // -: writes the size of what is found
    now_size = 0;                              // -: writes the frontier's size
    now[now_size] = source;                    // -: reads the size, inserts the source there
    now_size = now_size + 1;                   // -: reads the size again, writes one more
    distance[source] = 0;                      // -: writes the source's distance
  }
  dev::sync_block();                                  // -: a barrier of the block
  while (now_size > 0) {                              // -: reads the size: the block goes on alone
    if (static_cast<int>(dev::block()) < now_size) {  // -: reads the size: is there an entry of the block's number?
      const int v = now[dev::block()];                // -: reads that entry, the only one that the block takes
      for (int at = offsets[v] + thread; at < offsets[v + 1]; at += threads) {  // -: reads the row's ends: a thread per arc
        if (distance[heads[at]] != -1) continue;                                // -: reads the neighbour and its distance
        next[next_size] = heads[at];            // -: reads the size, inserts the neighbour there
        next_size = next_size + 1;              // -: reads the size again, writes one more
        distance[heads[at]] = distance[v] + 1;  // -: writes the neighbour's distance, after it was inserted
      }
    }
    dev::sync_block();                                        // -: a barrier of the block
    if (thread == 0) {                                        // -: one thread ends the level
      for (int i = 0; i < next_size && i < exchanged; ++i) {  // -: reads the size: the entries to exchange
        const int kept = now[i];                              // -: reads an entry of the frontier
        now[i] = next[i];                                     // -: copies what was found over it
        next[i] = kept;                                       // -: writes the old entry there
      }
      now_size = next_size;  // -: copies the size
      next_size = 0;         // -: writes the size of what is found
    }
    dev::sync_block();  // -: a barrier of the block
  }
}

/// One launch is the whole search: as many blocks as vertices, as the mapping wants, unless `grid` says otherwise.
class BlockPerVertex final : public LiteralPlan {
 public:
  explicit BlockPerVertex(const PlanRequest& request)
      : LiteralPlan(request, "distance"),
        offsets_(device_, as_ints(request.view.forward->offsets.span()), "row_ptr"),
        heads_(device_, as_ints(request.view.forward->neighbors.span()), "col_idx"),
        places_(static_cast<int>(parameter(request, "max_frontier"))),
        exchanged_(parameter(request, "swap") == 0 ? places_ : std::min(places_, 2)) {}

 private:
  void start(int source) override {
    start_levels(source, unreached);
    source_ = source;
  }
  bool pass(int /*current*/) override {
    launch(device_, with_shared({{.grid = grid_ ? grid_ : static_cast<std::uint32_t>(n_), .block = block_}}, 2 * places_),
           search_in_blocks, offsets_.constant(), heads_.constant(), source_, places_, exchanged_, level_.words());
    return false;
  }
  NamedBuffer<int> offsets_, heads_;
  int places_, exchanged_, source_ = 0;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(gpu101_block_per_vertex, BlockPerVertex, "gpu101-block-per-vertex",
                "the whole search in one launch, frontiers in each block's shared memory", "GPU101, Politecnico di Milano",
                "every block begins with the source and sees no other's frontier; a block takes one vertex per level; look and "
                "insert are not atomic; no end of queue",
                false, {}, {"grid", 0, 0, 1 << 20, "blocks; 0: one per vertex"},
                {"max_frontier", 1024, 1, most_shared_ints / 2, "places of each frontier; not printed"},
                {"swap", 0, 0, 1,
                 "0: the arrays change their contents; 1: a swap of two pointers gets the arrays, and moves 8 bytes"})

#undef now_size
#undef next_size
