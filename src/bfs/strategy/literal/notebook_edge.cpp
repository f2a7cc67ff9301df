// A notebook on PMPP's chapter, its edge kernel, step by step: `visited` is an array in one statement and the flag in the next.
// Read here as the book's flag, which is one word: what the first statement writes lies beyond it.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void notebook_arcs(Printed<const int> tails, Printed<const int> heads, unsigned arcs, Printed<unsigned> level,
                   Printed<unsigned> visited, unsigned current) {
  const unsigned arc = dev::global_thread();  // -: the thread's arc
  if (arc >= arcs) return;                    // -: threads beyond the last arc have none
  const int v = tails[arc];                   // -: reads the arc's tail
  if (level[v] != current - 1) return;        // -: reads the tail's level; it has to be of the level before
  const int w = heads[arc];                   // -: reads the arc's head
  if (level[w] != not_visited) return;        // -: reads the head's level
  level[w] = current;                         // -: writes it; other threads may write the same
  visited[w] = 1;                             // -: writes the flag as if it were an array
  *visited = 1;                               // -: raises the flag
}

class NotebookEdges final : public FlagListing {
 public:
  explicit NotebookEdges(const PlanRequest& request)
      : FlagListing(request, "visited"),
        tails_(device_, tails_of(*request.view.forward), "src", MemoryKind::tails),
        heads_(device_, as_ints(request.view.forward->neighbors.span()), "dst") {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(m_), notebook_arcs, tails_.constant(), heads_.constant(), m_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> tails_, heads_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(notebook_edge, NotebookEdges, "notebook-edge", "a notebook's edge kernel, whose flag is also an array",
                "a notebook on PMPP's chapter 15", "visited[neighbor] is written although visited is the flag, one word long",
                false, {})
