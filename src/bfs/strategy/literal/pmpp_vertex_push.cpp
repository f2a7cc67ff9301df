// PMPP 4th ed., figure 15.6, statement by statement: one thread per vertex of the level before labels its neighbours.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void vertex_push(Printed<const int> srcPtrs, Printed<const int> dst, unsigned numVertices, Printed<unsigned> level,
                 Printed<unsigned> newVertexVisited, unsigned currLevel) {
  const unsigned vertex = dev::block() * dev::block_size() + dev::thread();
  if (vertex < numVertices) {
    if (level[vertex] == currLevel - 1) {
      for (int edge = srcPtrs[vertex]; edge < srcPtrs[vertex + 1]; ++edge) {
        const int neighbor = dst[edge];
        if (level[neighbor] == not_visited) {
          level[neighbor] = currLevel;
          *newVertexVisited = 1;
        }
      }
    }
  }
}

class VertexPush final : public FlagListing {
 public:
  explicit VertexPush(const PlanRequest& request)
      : FlagListing(request),
        offsets_(device_, as_ints(request.view.forward->offsets.span()), "srcPtrs"),
        targets_(device_, as_ints(request.view.forward->neighbors.span()), "dst") {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(n_), vertex_push, offsets_.constant(), targets_.constant(), n_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> offsets_, targets_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_vertex_push, VertexPush, "pmpp-vertex-push", "figure 15.6 as printed: push over all vertices",
                "PMPP 4th ed., fig. 15.6", "idempotent writes without atomics are data races; the distances are right", false)
