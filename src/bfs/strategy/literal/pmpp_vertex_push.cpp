// PMPP 4th ed., figure 15.6, step by step: one thread per vertex; those of the level before label their neighbours.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void push_from_vertices(Printed<const int> offsets, Printed<const int> heads, unsigned vertices, Printed<unsigned> level,
                        Printed<unsigned> found, unsigned current) {
  const unsigned v = dev::global_thread();                // 03: the thread's vertex
  if (v >= vertices) return;                              // 04: threads beyond the last vertex have none
  if (level[v] != current - 1) return;                    // 05: reads the vertex's level; it has to be of the level before
  for (int at = offsets[v]; at < offsets[v + 1]; ++at) {  // 06-07: reads where the row begins, and each time where it ends
    const int w = heads[at];                              // 08: reads the neighbour
    if (level[w] == not_visited) {                        // 09: reads the neighbour's level
      level[w] = current;                                 // 10: writes it; other threads may write the same
      *found = 1;                                         // 11: raises the flag
    }
  }
}

class VertexPush final : public FlagListing {
 public:
  explicit VertexPush(const PlanRequest& request)
      : FlagListing(request),
        offsets_(device_, as_ints(request.view.forward->offsets.span()), "srcPtrs"),
        heads_(device_, as_ints(request.view.forward->neighbors.span()), "dst") {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(n_), push_from_vertices, offsets_.constant(), heads_.constant(), n_, levels(), flag_.words(),
           current);
  }
  NamedBuffer<int> offsets_, heads_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_vertex_push, VertexPush, "pmpp-vertex-push", "figure 15.6 as printed: push over all vertices",
                "PMPP 4th ed., fig. 15.6", "idempotent writes without atomics are data races; the distances are right", false,
                over_vertices)
