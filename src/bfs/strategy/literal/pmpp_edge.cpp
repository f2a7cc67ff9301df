// PMPP 4th ed., figure 15.10, step by step: one thread per arc of the coordinate list.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void push_along_arcs(Printed<const int> tails, Printed<const int> heads, unsigned arcs, Printed<unsigned> level,
                     Printed<unsigned> found, unsigned current) {
  const unsigned arc = dev::global_thread();  // 03: the thread's arc
  if (arc >= arcs) return;                    // 04: threads beyond the last arc have none
  const int v = tails[arc];                   // 05: reads the arc's tail
  if (level[v] != current - 1) return;        // 06: reads the tail's level; it has to be of the level before
  const int w = heads[arc];                   // 07: reads the arc's head
  if (level[w] != not_visited) return;        // 08: reads the head's level
  level[w] = current;                         // 09: writes it; other threads may write the same
  *found = 1;                                 // 10: raises the flag
}

class EdgeCentric final : public FlagListing {
 public:
  explicit EdgeCentric(const PlanRequest& request)
      : FlagListing(request),
        tails_(device_, tails_of(*request.view.forward), "src", MemoryKind::tails),
        heads_(device_, as_ints(request.view.forward->neighbors.span()), "dst") {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(m_), push_along_arcs, tails_.constant(), heads_.constant(), m_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> tails_, heads_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(pmpp_edge, EdgeCentric, "pmpp-edge", "figure 15.10 as printed: one thread per edge", "PMPP 4th ed., fig. 15.10",
                "idempotent writes without atomics are data races; the distances are right", false, over_arcs)
