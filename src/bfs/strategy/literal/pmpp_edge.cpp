// PMPP 4th ed., figure 15.10, statement by statement: one thread per arc of the coordinate list.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void edge_centric(Printed<const int> src, Printed<const int> dst, unsigned numEdges, Printed<unsigned> level,
                  Printed<unsigned> newVertexVisited, unsigned currLevel) {
  const unsigned edge = dev::block() * dev::block_size() + dev::thread();
  if (edge < numEdges) {
    const int vertex = src[edge];
    if (level[vertex] == currLevel - 1) {
      const int neighbor = dst[edge];
      if (level[neighbor] == not_visited) {
        level[neighbor] = currLevel;
        *newVertexVisited = 1;
      }
    }
  }
}

class EdgeCentric final : public FlagListing {
 public:
  explicit EdgeCentric(const PlanRequest& request)
      : FlagListing(request),
        tails_(device_, tails_of(*request.view.forward), "src", MemoryKind::tails),
        targets_(device_, as_ints(request.view.forward->neighbors.span()), "dst") {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(m_), edge_centric, tails_.constant(), targets_.constant(), m_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> tails_, targets_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_edge, EdgeCentric, "pmpp-edge", "figure 15.10 as printed: one thread per edge", "PMPP 4th ed., fig. 15.10",
                "idempotent writes without atomics are data races; the distances are right", false)
