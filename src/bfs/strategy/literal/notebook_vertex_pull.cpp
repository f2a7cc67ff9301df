// A notebook on PMPP's chapter, its pull kernel, step by step: "unvisited" is written with seven Fs, so no vertex is unvisited.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

constexpr unsigned seven_fs = 0xFFFFFFF;  // as in the notebook: one F short of UINT_MAX

void notebook_pull(Printed<const int> offsets, Printed<const int> tails, unsigned vertices, Printed<unsigned> level,
                   Printed<unsigned> found, unsigned current) {
  const unsigned v = dev::global_thread();                // -: the thread's vertex
  if (v >= vertices) return;                              // -: threads beyond the last vertex have none
  if (level[v] != seven_fs) return;                       // -: reads the vertex's level, which never is this number
  for (int at = offsets[v]; at < offsets[v + 1]; ++at) {  // -: reads where the row begins, and each time where it ends
    const int u = tails[at];                              // -: reads the neighbour
    if (level[u] == current - 1) {                        // -: reads the neighbour's level
      level[v] = current;                                 // -: writes the vertex's own level
      *found = 1;                                         // -: raises the flag
      break;                                              // -: one neighbour is enough
    }
  }
}

class NotebookPull final : public FlagListing {
 public:
  explicit NotebookPull(const PlanRequest& request)
      : FlagListing(request, "newVertexVisited", "pull"),
        offsets_(device_, as_ints(request.view.backward->offsets.span()), "dstPtrs"),
        tails_(device_, as_ints(request.view.backward->neighbors.span()), "src", MemoryKind::neighbors) {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(n_), notebook_pull, offsets_.constant(), tails_.constant(), n_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> offsets_, tails_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(notebook_vertex_pull, NotebookPull, "notebook-vertex-pull",
                "a notebook's pull kernel, with 0xFFFFFFF for unvisited", "a notebook on PMPP's chapter 15",
                "0xFFFFFFF is not UINT_MAX: no vertex counts as unvisited, and nothing is found", true, {})
