// PMPP 4th ed., figure 15.8, step by step: an unvisited vertex looks for a neighbour in the level before.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void pull_into_vertices(Printed<const int> offsets, Printed<const int> tails, unsigned vertices, Printed<unsigned> level,
                        Printed<unsigned> found, unsigned current) {
  const unsigned v = dev::global_thread();                // 03: the thread's vertex
  if (v >= vertices) return;                              // 04: threads beyond the last vertex have none
  if (level[v] != not_visited) return;                    // 05: reads the vertex's level; it has to be unvisited
  for (int at = offsets[v]; at < offsets[v + 1]; ++at) {  // 06-07: reads where the row begins, and each time where it ends
    const int u = tails[at];                              // 08: reads the neighbour
    if (level[u] == current - 1) {                        // 09: reads the neighbour's level
      level[v] = current;                                 // 10: writes the vertex's own level, which others read
      *found = 1;                                         // 11: raises the flag
      break;                                              // 12: one neighbour is enough
    }
  }
}

class VertexPull final : public FlagListing {
 public:
  explicit VertexPull(const PlanRequest& request)
      : FlagListing(request, "newVertexVisited", "pull"),
        offsets_(device_, as_ints(request.view.backward->offsets.span()), "dstPtrs"),
        tails_(device_, as_ints(request.view.backward->neighbors.span()), "src", MemoryKind::neighbors) {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(n_), pull_into_vertices, offsets_.constant(), tails_.constant(), n_, levels(), flag_.words(),
           current);
  }
  NamedBuffer<int> offsets_, tails_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_vertex_pull, VertexPull, "pmpp-vertex-pull", "figure 15.8 as printed: pull over unvisited vertices",
                "PMPP 4th ed., fig. 15.8",
                "a vertex is labelled while others read its level: a data race; the distances are right", true,
                into_unvisited_vertices)
