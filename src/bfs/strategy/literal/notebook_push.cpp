// A notebook on PMPP's chapter, its push kernel, step by step: it has the slip of the edge kernel. `visited` is an array in one
// statement and the flag in the next.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void notebook_push(Printed<const int> offsets, Printed<const int> heads, unsigned vertices, Printed<unsigned> level,
                   Printed<unsigned> visited, unsigned current) {
  const unsigned v = dev::global_thread();                // -: the thread's vertex
  if (v >= vertices) return;                              // -: threads beyond the last vertex have none
  if (level[v] != current - 1) return;                    // -: reads the vertex's level; it has to be of the level before
  for (int at = offsets[v]; at < offsets[v + 1]; ++at) {  // -: reads where the row begins, and each time where it ends
    const int w = heads[at];                              // -: reads the neighbour
    if (level[w] == not_visited) {                        // -: reads the neighbour's level
      level[w] = current;                                 // -: writes it; other threads may write the same
      visited[w] = 1;                                     // -: writes the flag as if it were an array
      *visited = 1;                                       // -: raises the flag
    }
  }
}

class NotebookPush final : public FlagListing {
 public:
  explicit NotebookPush(const PlanRequest& request)
      : FlagListing(request, "visited"),
        offsets_(device_, as_ints(request.view.forward->offsets.span()), "srcPtrs"),
        heads_(device_, as_ints(request.view.forward->neighbors.span()), "dst") {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(n_), notebook_push, offsets_.constant(), heads_.constant(), n_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> offsets_, heads_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(notebook_push, NotebookPush, "notebook-push", "a notebook's push kernel, whose flag is also an array",
                "a notebook on PMPP's chapter 15", "visited[neighbor] is written although visited is the flag, one word long",
                false, {})
