// PMPP 4th ed., figure 15.8, statement by statement: an unvisited vertex looks for a neighbour in the level before.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void vertex_pull(Printed<const int> dstPtrs, Printed<const int> src, unsigned numVertices, Printed<unsigned> level,
                 Printed<unsigned> newVertexVisited, unsigned currLevel) {
  const unsigned vertex = dev::block() * dev::block_size() + dev::thread();
  if (vertex < numVertices) {
    if (level[vertex] == not_visited) {
      for (int edge = dstPtrs[vertex]; edge < dstPtrs[vertex + 1]; ++edge) {
        const int neighbor = src[edge];
        if (level[neighbor] == currLevel - 1) {
          level[vertex] = currLevel;
          *newVertexVisited = 1;
          break;
        }
      }
    }
  }
}

class VertexPull final : public FlagListing {
 public:
  explicit VertexPull(const PlanRequest& request)
      : FlagListing(request, "newVertexVisited", "pull"),
        offsets_(device_, as_ints(request.view.backward->offsets.span()), "dstPtrs"),
        sources_(device_, as_ints(request.view.backward->neighbors.span()), "src", MemoryKind::neighbors) {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(n_), vertex_pull, offsets_.constant(), sources_.constant(), n_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> offsets_, sources_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_vertex_pull, VertexPull, "pmpp-vertex-pull", "figure 15.8 as printed: pull over unvisited vertices",
                "PMPP 4th ed., fig. 15.8",
                "a vertex is labelled while others read its level: a data race; the distances are right", true)
