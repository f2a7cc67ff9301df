// A notebook on PMPP's chapter, its edge kernel: `visited` is an array in one statement and the flag in the next.
// Read here as the book's flag, which is one word: what the first statement writes lies beyond it.
#include "bfs/strategy/literal/plans.h"

namespace hopwave::sim {
namespace {

void notebook_edges(Printed<const int> src, Printed<const int> dst, unsigned numEdges, Printed<unsigned> level,
                    Printed<unsigned> visited, unsigned currLevel) {
  const unsigned edge = dev::block() * dev::block_size() + dev::thread();
  if (edge < numEdges) {
    const int vertex = src[edge];
    if (level[vertex] == currLevel - 1) {
      const int neighbor = dst[edge];
      if (level[neighbor] == not_visited) {
        level[neighbor] = currLevel;
        visited[neighbor] = 1;
        *visited = 1;
      }
    }
  }
}

class NotebookEdges final : public FlagListing {
 public:
  explicit NotebookEdges(const PlanRequest& request)
      : FlagListing(request, "visited"),
        tails_(device_, tails_of(*request.view.forward), "src", MemoryKind::tails),
        targets_(device_, as_ints(request.view.forward->neighbors.span()), "dst") {}

 private:
  void expand(unsigned current) override {
    launch(device_, threads(m_), notebook_edges, tails_.constant(), targets_.constant(), m_, levels(), flag_.words(), current);
  }
  NamedBuffer<int> tails_, targets_;
};

}  // namespace
}  // namespace hopwave::sim

HOPWAVE_LITERAL(notebook_edge, NotebookEdges, "notebook-edge", "a notebook's edge kernel, whose flag is also an array",
                "a notebook on PMPP's chapter 15", "visited[neighbor] is written although visited is the flag, one word long",
                false)
