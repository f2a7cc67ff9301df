// The length of a shortest cycle, by a search from each vertex.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "rows.h"

namespace hopwave::python {

namespace {

/// Searches for cycles shorter than the shortest found so far. The rows are those of an undirected graph.
class CycleSearch {
 public:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  explicit CycleSearch(const Rows& rows) : rows_(rows), depth_(rows.offsets.size() - 1, unreached) {}

  [[nodiscard]] std::uint64_t shortest() const { return shortest_; }

  /// Searches for cycles whose least vertex is `source`. Both ways around such a cycle start there; they meet in an arc
  /// within a level, or at a vertex to which two vertices of the previous level lead.
  void from(VertexId source) {
    order_.assign(1, source);
    depth_[source] = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const VertexId u = order_[i];
      const auto d = static_cast<std::uint64_t>(depth_[u]);
      if (2 * d + 1 >= shortest_) break;
      for (const VertexId w : rows_.of(u)) {
        if (w < source) continue;
        if (depth_[w] == unreached) {
          depth_[w] = depth_[u] + 1;
          order_.push_back(w);
        } else if (depth_[w] >= depth_[u]) {  // within the level, or a second arc to a vertex of the next
          shortest_ = std::min(shortest_, 2 * d + (depth_[w] == depth_[u] ? 1 : 2));
        }
      }
    }
    for (const VertexId v : order_) depth_[v] = unreached;
  }

 private:
  const Rows& rows_;
  std::vector<Distance> depth_;
  std::vector<VertexId> order_;
  std::uint64_t shortest_ = none;
};

/// Returns the girth; None: there is no cycle. A loop is a cycle of length 1.
nb::object girth_of(const HeldRows& held) {
  const OrderedGraph& graph = *held.graph;
  if (graph.directed()) throw nb::value_error("the girth is available only for undirected graphs");
  const std::uint64_t girth = interruptible(graph.out().ends.size() * 16, [&](const std::stop_token& stop) {
    CycleSearch search(graph.out());
    for (VertexId v = 0; v < graph.num_vertices() && search.shortest() > 1; ++v) {
      if (stop.stop_requested()) break;  // the caller raises
      search.from(v);
    }
    return search.shortest();
  });
  return girth == CycleSearch::none ? nb::none() : nb::object(nb::int_(girth));
}

}  // namespace

void bind_girth(nb::module_& module) {
  module.def("girth", &girth_of, nb::arg("rows"), nb::sig("def girth(rows: Rows) -> int | None"));
}

}  // namespace hopwave::python
