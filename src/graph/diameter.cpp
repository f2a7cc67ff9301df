// Diameters: a lower bound by sweeps to and fro, and the exact figure by bounding eccentricities
// (Takes & Kosters, Determining the Diameter of Small World Networks, CIKM 2011; Algorithms 6, 2013).
// Ours takes every component of a graph, the largest first.
#include <algorithm>
#include <numeric>

#include "graph/build.h"
#include "graph/sweep.h"
#include "hopwave/graph.h"

namespace hopwave {
namespace {

constexpr std::size_t grain = std::size_t{1} << 14;

/// The same graph with every arc walkable both ways.
Graph symmetric(const Graph& graph) {
  EdgeList list;
  list.num_vertices = graph.num_vertices();
  list.edges = Array<Edge>(graph.num_arcs());
  const auto sources = graph.arc_sources();
  for (EdgeIndex a = 0; a < graph.num_arcs(); ++a) list.edges[a] = {sources[a], graph.out().neighbors[a]};
  return graph::build_on_cpu(std::move(list), {.make_undirected = true});
}

/// Bounds of the eccentricity of every vertex of one component after another.
class Bounds {
 public:
  using GoOn = std::function<bool(std::uint64_t, Distance)>;
  Bounds(Team& team, const Graph& graph, std::uint64_t max_searches, const GoOn& go_on)
      : graph_(graph), left_(max_searches), go_on_(go_on), sweep_(team, graph.num_vertices(), graph.out(), &graph.out()) {}

  /// Raises `diameter` to that of the component with these vertices; false when the searches ran out.
  bool component(std::vector<VertexId> open, Distance& diameter) {
    lower_.assign(open.size(), 0);
    upper_.assign(open.size(), static_cast<Distance>(std::min<std::size_t>(open.size() - 1, 0x7FFFFFFF)));
    VertexId next = *std::max_element(open.begin(), open.end(),
                                      [&](VertexId a, VertexId b) { return graph_.out_degree(a) < graph_.out_degree(b); });
    bool rim = true;  // the search after this one: from the largest upper bound, else from the smallest lower bound
    while (!open.empty()) {
      if (left_ == 0 || (go_on_ && !go_on_(done_, diameter))) return false;
      --left_;
      ++done_;
      sweep_.run(next);
      const Distance ecc = sweep_.depth();
      diameter = std::max(diameter, ecc);
      // A vertex whose eccentricity cannot exceed the diameter known so far has nothing more to say.
      std::size_t kept = 0;
      for (std::size_t i = 0; i < open.size(); ++i) {
        const Distance d = sweep_.distance()[open[i]];
        const Distance low = std::max({lower_[i], ecc - d, d}), high = std::min(upper_[i], ecc + d);
        if (high <= diameter || open[i] == next) continue;
        open[kept] = open[i], lower_[kept] = low, upper_[kept] = high;
        ++kept;
      }
      open.resize(kept), lower_.resize(kept), upper_.resize(kept);
      if (kept == 0) break;
      next = open[choose(open, rim)];
      rim = !rim;
    }
    return true;
  }

 private:
  /// Ties go to the higher degree, then to the smaller vertex.
  std::size_t choose(const std::vector<VertexId>& open, bool rim) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < open.size(); ++i) {
      const Distance better = rim ? upper_[i] - upper_[best] : lower_[best] - lower_[i];
      if (better > 0 || (better == 0 && graph_.out_degree(open[i]) > graph_.out_degree(open[best]))) best = i;
    }
    return best;
  }

  const Graph& graph_;
  std::uint64_t left_, done_ = 0;
  const GoOn& go_on_;
  graph::Sweep sweep_;
  std::vector<Distance> lower_, upper_;  ///< one an open vertex
};

}  // namespace

Distance estimate_diameter(const Graph& graph, VertexId start, int sweeps) {
  if (graph.num_vertices() == 0 || sweeps <= 0) return 0;
  if (start >= graph.num_vertices()) detail::refuse_vertex(start, graph.num_vertices());
  Team team(graph.num_vertices() + graph.num_arcs() < 4 * grain ? 1 : 0);
  const bool both = graph.has_in();
  graph::Sweep forward(team, graph.num_vertices(), graph.out(), both ? &graph.in() : nullptr);
  Distance longest = 0;
  if (!graph.directed() || !both) {
    for (int i = 0; i < sweeps; ++i) {
      forward.run(start);
      if (i > 0 && forward.depth() <= longest) break;  // no longer path from the far end
      longest = forward.depth();
      start = forward.farthest();
    }
    return longest;
  }
  // Directed: the end of a longest path is found forwards, its beginning backwards.
  graph::Sweep backward(team, graph.num_vertices(), graph.in(), &graph.out());
  for (int i = 0; i < sweeps; ++i) {
    graph::Sweep& sweep = i % 2 == 0 ? forward : backward;
    sweep.run(start);
    longest = std::max(longest, sweep.depth());
    start = sweep.farthest();
  }
  return longest;
}

std::optional<Distance> exact_diameter(const Graph& graph, std::uint64_t max_searches,
                                       const std::function<bool(std::uint64_t, Distance)>& go_on) {
  if (graph.directed()) return exact_diameter(symmetric(graph), max_searches, go_on);
  const VertexId n = graph.num_vertices();
  const Components components = connected_components(graph);
  // Vertices by component, the largest component first: its diameter usually rules out the others.
  std::vector<VertexId> size(n, 0), by_label(n);
  for (VertexId v = 0; v < n; ++v) ++size[components.label[v]];
  std::iota(by_label.begin(), by_label.end(), VertexId{0});
  std::stable_sort(by_label.begin(), by_label.end(), [&](VertexId a, VertexId b) {
    const VertexId la = components.label[a], lb = components.label[b];
    return size[la] != size[lb] ? size[la] > size[lb] : la < lb;
  });
  Team team(n + graph.num_arcs() < 4 * grain ? 1 : 0);
  Bounds bounds(team, graph, max_searches, go_on);
  Distance diameter = 0;
  for (auto at = by_label.begin(); at != by_label.end();) {
    const VertexId label = components.label[*at];
    // k vertices are at most k - 1 hops apart, and components come in falling size.
    if (size[label] <= static_cast<VertexId>(diameter) + 1) break;
    const auto end = at + size[label];
    if (!bounds.component({at, end}, diameter)) return std::nullopt;
    at = end;
  }
  return diameter;
}

}  // namespace hopwave
