// Betweenness in NetworkX's order of adding, equal to the last bit.
#include <hopwave/betweenness.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rows.h"

namespace hopwave::python {

namespace {

/// Edges in the order of G.edges(): an undirected edge occurs once, at the end that comes first among the nodes.
class Edges {
 public:
  explicit Edges(const OrderedGraph& graph) : of_in_arc_(graph.in().ends.size()) {
    const bool directed = graph.directed();
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    const auto key = [&](VertexId v, VertexId w) {
      return directed || v <= w ? (std::uint64_t{v} << 32) | w : (std::uint64_t{w} << 32) | v;
    };
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      for (const VertexId w : graph.out().of(v)) {
        if (!known.emplace(key(v, w), static_cast<std::uint32_t>(tails.size())).second) continue;
        tails.push_back(v);
        heads.push_back(w);
      }
    }
    EdgeIndex arc = 0;
    for (VertexId w = 0; w < graph.num_vertices(); ++w) {
      for (const VertexId v : graph.in().of(w)) of_in_arc_[arc++] = known.at(key(v, w));
    }
  }
  /// Returns the edge of an arc in the incoming rows.
  [[nodiscard]] std::uint32_t of(EdgeIndex in_arc) const { return of_in_arc_[in_arc]; }

  std::vector<VertexId> tails = {}, heads = {};

 private:
  std::vector<std::uint32_t> of_in_arc_;
};

/// One search after the other; in each, a vertex passes its share on to the vertices before it, starting with the last
/// one found. With targets and edges NetworkX has a different rule (edge_betweenness_centrality_subset), which
/// pass_on_evenly() follows.
class OrderedBrandes {
 public:
  OrderedBrandes(const OrderedGraph& graph, const std::vector<bool>& is_target, bool endpoints, const Edges* edges)
      : graph_(graph),
        is_target_(is_target),
        endpoints_(endpoints),
        evenly_(edges && !is_target.empty()),
        edges_(edges),
        distance_(graph.num_vertices(), unreached),
        paths_(graph.num_vertices()),
        delta_(graph.num_vertices()),
        vertex(graph.num_vertices(), 0),
        edge(edges ? edges->tails.size() : 0, 0) {}

  void search(VertexId source) {
    order_.assign(1, source);
    distance_[source] = 0;
    paths_[source] = 1;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const VertexId v = order_[i];
      delta_[v] = 0;
      for (const VertexId w : graph_.out().of(v)) {
        if (distance_[w] == unreached) {
          order_.push_back(w);
          distance_[w] = distance_[v] + 1;
          paths_[w] = 0;
        }
        if (distance_[w] == distance_[v] + 1) paths_[w] += paths_[v];
      }
    }
    if (endpoints_) vertex[source] += static_cast<double>(order_.size() - 1);
    // Pulled along the outgoing rows, a sum would have another order: here each vertex with a share adds it at once.
    for (std::size_t i = order_.size(); i-- > 0;) {
      const VertexId w = order_[i];
      if (evenly_) {
        pass_on_evenly(w);
        continue;
      }
      const bool ends = is_target_.empty() || (is_target_[w] && w != source);
      pass_on(w, (ends ? 1 + delta_[w] : delta_[w]) / paths_[w]);
      if (w != source) vertex[w] += endpoints_ ? delta_[w] + 1 : delta_[w];
    }
    for (const VertexId v : order_) distance_[v] = unreached;
  }

 private:
  /// Calls `visit(v, arc)` for each vertex before w on a shortest path.
  template <class Visit>
  void each_before(VertexId w, Visit&& visit) const {
    EdgeIndex arc = graph_.in().offsets[w];
    for (const VertexId v : graph_.in().of(w)) {
      const EdgeIndex at = arc++;
      if (distance_[v] != unreached && distance_[v] + 1 == distance_[w]) visit(v, at);
    }
  }
  void pass_on(VertexId w, double carried) {
    each_before(w, [&](VertexId v, EdgeIndex arc) {
      const double share = paths_[v] * carried;
      if (edges_) edge[edges_->of(arc)] += share;
      delta_[v] += share;
    });
  }
  /// A target passes on by the number of paths, any other vertex the same to all vertices before it.
  void pass_on_evenly(VertexId w) {
    std::size_t before = 0;
    if (!is_target_[w]) each_before(w, [&](VertexId, EdgeIndex) { ++before; });
    each_before(w, [&](VertexId v, EdgeIndex arc) {
      const double share = is_target_[w] ? paths_[v] / paths_[w] * (1 + delta_[w]) : delta_[w] / static_cast<double>(before);
      edge[edges_->of(arc)] += share;
      delta_[v] += share;
    });
  }

  const OrderedGraph& graph_;
  const std::vector<bool>& is_target_;
  bool endpoints_, evenly_;
  const Edges* edges_;
  std::vector<Distance> distance_;
  std::vector<double> paths_, delta_;
  std::vector<VertexId> order_;

 public:
  std::vector<double> vertex, edge;
};

/// Returns vertex, edge, tails and heads of the edges (empty unless asked for). `targets` empty: all.
nb::tuple ordered_sums(const HeldRows& rows, const std::vector<VertexId>& sources, const std::vector<VertexId>& targets,
                       bool subset, bool endpoints, bool with_edges) {
  const OrderedGraph& graph = *rows.graph;
  const VertexId n = graph.num_vertices();
  std::vector<bool> is_target(subset ? n : 0);
  for (const VertexId v : sources)
    if (v >= n) throw nb::index_error("a source is not a vertex");
  for (const VertexId v : targets) {
    if (v >= n) throw nb::index_error("a target is not a vertex");
    is_target.at(v) = true;
  }
  std::optional<Edges> edges;
  std::optional<OrderedBrandes> brandes;
  interruptible((n + graph.out().ends.size()) * sources.size(), [&](const std::stop_token& stop) {
    if (with_edges) edges.emplace(graph);
    brandes.emplace(graph, is_target, endpoints, edges ? &*edges : nullptr);
    for (const VertexId s : sources) {
      if (stop.stop_requested()) break;  // the caller raises
      brandes->search(s);
    }
    return true;
  });
  std::vector<VertexId> tails, heads;
  if (edges) tails = std::move(edges->tails), heads = std::move(edges->heads);
  return nb::make_tuple(to_numpy(std::move(brandes->vertex)), to_numpy(std::move(brandes->edge)), to_numpy(std::move(tails)),
                        to_numpy(std::move(heads)));
}

}  // namespace

void bind_betweenness(nb::module_& module) {
  module.def("betweenness_error", &betweenness_error, nb::arg("num_vertices"), nb::arg("samples"), nb::arg("risk"));
  module.def("ordered_betweenness", &ordered_sums, nb::arg("rows"), nb::arg("sources"), nb::arg("targets"), nb::arg("subset"),
             nb::arg("endpoints"), nb::arg("edges"),
             nb::sig("def ordered_betweenness(rows: Rows, sources: collections.abc.Sequence[int], "
                     "targets: collections.abc.Sequence[int], subset: bool, endpoints: bool, edges: bool) -> "
                     "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                     "numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32]]"));
}

}  // namespace hopwave::python
