// Weakly connected components by lock-free hooking of larger roots to smaller ones, with Afforest's sampling (Sutton,
// Ben-Nun, Barak 2018): first two arcs per vertex, then only vertices outside the largest part found so far. Hooking to
// the smaller root makes the smallest vertex the root in any order, so the labels do not depend on threads.
#include "graph/components.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "hopwave/generate.h"
#include "hopwave/graph.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr std::size_t grain = std::size_t{1} << 13;
/// Number of vertices and arcs below which more threads do not pay off: one thread takes half a millisecond for them.
constexpr std::size_t small_graph = std::size_t{1} << 17;
constexpr std::size_t sampled_arcs = 2;
constexpr int samples = 1024;

/// A forest over the vertices in which a parent is never larger than its child.
class Forest {
 public:
  explicit Forest(Array<VertexId>& parent) : parent_(parent) {}

  void join(VertexId u, VertexId v) {
    for (;;) {
      u = root(u);
      v = root(v);
      if (u == v) return;
      // Only a root is hooked, and only once: a failed exchange means that another thread has hooked it in the
      // meantime.
      VertexId high = std::max(u, v);
      if (ref(high).compare_exchange_strong(high, std::min(u, v), std::memory_order_relaxed)) return;
    }
  }
  void flatten(VertexId v) {
    for (VertexId p = get(v), above = get(p); p != above; p = above, above = get(p))
      ref(v).store(above, std::memory_order_relaxed);
  }
  [[nodiscard]] VertexId get(VertexId v) const { return ref(v).load(std::memory_order_relaxed); }
  /// Returns the root of v's tree. On the way, each vertex gets its grandparent as its parent, which shortens later
  /// paths. A vertex with a parent is not a root, so no thread hooks it at the same time.
  [[nodiscard]] VertexId root(VertexId v) {
    for (VertexId above = get(v); above != v;) {
      const VertexId next = get(above);
      if (next != above) ref(v).store(next, std::memory_order_relaxed);
      v = std::exchange(above, next);
    }
    return v;
  }

 private:
  [[nodiscard]] std::atomic_ref<VertexId> ref(VertexId v) const { return std::atomic_ref<VertexId>(parent_[v]); }
  Array<VertexId>& parent_;
};

/// Returns the most frequent label of a sample, given by `label_of(vertex)`; the smallest of equally frequent ones. No thread
/// changes labels meanwhile.
template <class LabelOf>
VertexId frequent_label(VertexId n, LabelOf&& label_of) {
  std::vector<VertexId> labels(samples);
  for (int i = 0; i < samples; ++i) labels[i] = label_of(static_cast<VertexId>(splitmix64(static_cast<std::uint64_t>(i)) % n));
  std::sort(labels.begin(), labels.end());
  VertexId best = labels[0];
  std::ptrdiff_t best_count = 0;
  for (auto at = labels.begin(); at != labels.end();) {
    const auto end = std::upper_bound(at, labels.end(), *at);
    if (end - at > best_count) best = *at, best_count = end - at;
    at = end;
  }
  return best;
}

/// Fills the counts. `label_of(v)` returns a vertex's label, which is the smallest vertex of its component. `giant` is
/// the label of many vertices.
template <class LabelOf>
void count_labels(Team& team, Components& c, VertexId giant, LabelOf&& label_of) {
  const std::size_t n = c.label.size();
  std::atomic<VertexId> components{0}, of_giant{0};
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    VertexId smallest = 0, members = 0;
    for (std::size_t v = begin; v < end; ++v) {
      const VertexId label = label_of(static_cast<VertexId>(v));
      smallest += label == v;
      members += label == giant;
    }
    components.fetch_add(smallest, std::memory_order_relaxed);
    of_giant.fetch_add(members, std::memory_order_relaxed);
  });
  c.count = components;
  c.largest_label = giant;
  c.largest_size = of_giant;
  if (c.largest_size > n / 2) return;
  // All threads would share the giant's counter, which has its value already.
  auto sizes = Array<VertexId>::filled(n, 0);
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v)
      if (c.label[v] != giant) std::atomic_ref<VertexId>(sizes[c.label[v]]).fetch_add(1, std::memory_order_relaxed);
  });
  for (VertexId v = 0; v < n; ++v)
    if (sizes[v] > c.largest_size || (sizes[v] == c.largest_size && v < c.largest_label))
      c.largest_label = v, c.largest_size = sizes[v];
}

}  // namespace

}  // namespace hopwave::inline v0_1

namespace hopwave::graph {

int component_threads(const Graph& graph, int threads) {
  return threads == 0 && graph.num_vertices() + graph.num_arcs() < small_graph ? 1 : threads;
}

Components find_components(Team& team, const Graph& graph, const Progress& report) {
  const VertexId n = graph.num_vertices();
  Components c{.label = Array<VertexId>(n)};
  if (n == 0) return c;
  Forest forest(c.label);
  constexpr std::uint64_t short_passes = 2;  // over the vertices, in addition to the pass over the arcs
  core::Reporter reporter(report, short_passes * n + graph.num_arcs());
  reporter.add(0, 0);
  const auto row_end = [&](std::size_t v) {
    const auto row = graph.out_neighbors(static_cast<VertexId>(v));
    return row.data() + row.size();
  };
  auto each_vertex = [&](auto&& body, bool by_arcs = false) {
    parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int rank) {
      for (std::size_t first = begin; first < end; first += grain) {  // a team of one gets everything in one call
        const std::size_t stop = std::min(end, first + grain);
        for (std::size_t v = first; v < stop; ++v) body(static_cast<VertexId>(v), begin);
        const auto arcs = row_end(stop - 1) - graph.out_neighbors(static_cast<VertexId>(first)).data();
        reporter.add(by_arcs ? static_cast<std::uint64_t>(arcs) : stop - first, rank);
      }
    });
    reporter.add(0, 0);  // the others may have done the calling thread's part
  };
  // A first arc to a smaller vertex needs no join: that vertex is the parent, or, if it is of the same part, its parent, which
  // is known. So trees are no deeper than there are parts.
  each_vertex([&](VertexId v, std::size_t begin) {
    const auto row = graph.out_neighbors(v);
    c.label[v] = row.empty() || row[0] >= v ? v : row[0] < begin ? row[0] : c.label[row[0]];
  });
  each_vertex([&](VertexId v, std::size_t) {
    const auto row = graph.out_neighbors(v);
    if (!row.empty() && row[0] > v) forest.join(v, row[0]);
    if (row.size() > 1) forest.join(v, row[1]);
  });
  // If both ends have an arc, vertices of the largest part may leave their arcs to the other ends. Its root may get a parent
  // meanwhile.
  const VertexId frequent = frequent_label(n, [&](VertexId v) { return forest.root(v); });
  const auto join_all = [&](VertexId v, std::size_t) {
    forest.flatten(v);
    if (const VertexId label = forest.get(v); graph.has_in() && (label == frequent || label == forest.get(frequent))) return;
    const auto row = graph.out_neighbors(v);
    for (std::size_t i = std::min(row.size(), sampled_arcs); i < row.size(); ++i) forest.join(v, row[i]);
    if (graph.directed() && graph.has_in())
      for (const VertexId u : graph.in_neighbors(v)) forest.join(v, u);
  };
  each_vertex(join_all, true);
  count_labels(team, c, forest.root(frequent), [&](VertexId v) {
    forest.flatten(v);
    return forest.get(v);
  });
  reporter.add(0, 0);
  return c;
}

void count_components(Team& team, Components& components) {
  if (components.label.empty()) return;
  const auto label_of = [&](VertexId v) { return components.label[v]; };
  count_labels(team, components, frequent_label(static_cast<VertexId>(components.label.size()), label_of), label_of);
}

}  // namespace hopwave::graph
