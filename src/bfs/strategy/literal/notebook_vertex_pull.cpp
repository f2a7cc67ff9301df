// A notebook on PMPP's chapter, its pull kernel: "unvisited" is written with seven Fs, so no vertex is ever unvisited.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

constexpr unsigned unvisited = 0xFFFFFFF;  // as in the notebook: one F short of UINT_MAX

void notebook_pull(Printed<const int> dstPtrs, Printed<const int> src, unsigned numVertices, Printed<unsigned> level,
                   Printed<unsigned> newVertexVisited, unsigned currLevel) {
  const unsigned vertex = dev::block() * dev::block_size() + dev::thread();
  if (vertex < numVertices) {
    if (level[vertex] == unvisited) {
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

class NotebookPull final : public FlagListing {
 public:
  explicit NotebookPull(const PlanRequest& request)
      : FlagListing(request, "newVertexVisited", "pull"),
        offsets_(device_, as_ints(request.view.backward->offsets.span()), "dstPtrs"),
        sources_(device_, as_ints(request.view.backward->neighbors.span()), "src", MemoryKind::neighbors) {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(n_), notebook_pull, offsets_.constant(), sources_.constant(), n_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> offsets_, sources_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(notebook_vertex_pull, NotebookPull, "notebook-vertex-pull",
                "a notebook's pull kernel, with 0xFFFFFFF for unvisited", "a notebook on PMPP's chapter 15",
                "0xFFFFFFF is not UINT_MAX: no vertex counts as unvisited, and nothing is found", true)
