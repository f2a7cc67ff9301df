// Weakly connected components by lock-free hooking of larger roots to smaller ones, with Afforest's sampling
// (Sutton, Ben-Nun, Barak 2018): two arcs a vertex first, then only vertices outside the largest part found so far.
// Hooking downwards makes the smallest vertex the root whatever the order, so that the labels do not depend on threads.
#include "graph/components.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/parallel.h"
#include "hopwave/generate.h"
#include "hopwave/graph.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr std::size_t grain = std::size_t{1} << 13;
/// Vertices and arcs below which other threads do not pay: one takes half a millisecond for them.
constexpr std::size_t small_graph = std::size_t{1} << 17;
constexpr EdgeIndex sampled_arcs = 2;
constexpr int samples = 1024;

/// A forest over the vertices in which a parent is never larger than its child.
class Forest {
 public:
  explicit Forest(Array<VertexId>& parent) : parent_(parent) {}

  void join(VertexId u, VertexId v) {
    VertexId a = get(u), b = get(v);
    while (a != b) {
      const VertexId high = std::max(a, b), low = std::min(a, b);
      VertexId above = get(high);
      if (above == low) return;
      // Only a root is hooked, and only once: a failed exchange means that somebody else hooked it meanwhile.
      if (above == high && ref(high).compare_exchange_strong(above, low, std::memory_order_relaxed)) return;
      a = get(get(high));
      b = get(low);
    }
  }
  void flatten(VertexId v) {
    for (VertexId p = get(v), above = get(p); p != above; p = above, above = get(p))
      ref(v).store(above, std::memory_order_relaxed);
  }
  [[nodiscard]] VertexId get(VertexId v) const { return ref(v).load(std::memory_order_relaxed); }

 private:
  [[nodiscard]] std::atomic_ref<VertexId> ref(VertexId v) const { return std::atomic_ref<VertexId>(parent_[v]); }
  Array<VertexId>& parent_;
};

/// The label met most often in a sample; the smallest of equals.
VertexId frequent_label(const Forest& forest, VertexId n) {
  std::vector<VertexId> labels(samples);
  for (int i = 0; i < samples; ++i)
    labels[i] = forest.get(static_cast<VertexId>(splitmix64(static_cast<std::uint64_t>(i)) % n));
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

}  // namespace

}  // namespace hopwave::inline v0_1

namespace hopwave::graph {

void count_components(Team& team, Components& c) {
  const auto n = static_cast<VertexId>(c.label.size());
  auto sizes = Array<VertexId>::filled(n, 0);
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end;) {  // runs of one label are counted at once: the giant's counter is everybody's
      const VertexId label = c.label[v];
      VertexId run = 0;
      for (; v < end && c.label[v] == label; ++v) ++run;
      std::atomic_ref<VertexId>(sizes[label]).fetch_add(run, std::memory_order_relaxed);
    }
  });
  for (VertexId v = 0; v < n; ++v) {
    if (sizes[v] == 0) continue;
    ++c.count;
    if (sizes[v] > c.largest_size) c.largest_label = v, c.largest_size = sizes[v];
  }
}

}  // namespace hopwave::graph

namespace hopwave::inline v0_1 {

Components connected_components(const Graph& graph) {
  const VertexId n = graph.num_vertices();
  Components c{.label = Array<VertexId>(n)};
  if (n == 0) return c;
  Team team(n + graph.num_arcs() < small_graph ? 1 : 0);
  Forest forest(c.label);
  auto each_vertex = [&](auto&& body) {
    parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t v = begin; v < end; ++v) body(static_cast<VertexId>(v));
    });
  };
  each_vertex([&](VertexId v) { c.label[v] = v; });
  for (EdgeIndex round = 0; round < sampled_arcs; ++round) {
    each_vertex([&](VertexId v) {
      if (round < graph.out_degree(v)) forest.join(v, graph.out_neighbors(v)[round]);
    });
    each_vertex([&](VertexId v) { forest.flatten(v); });
  }
  // Where both ends see an arc, vertices of the largest part may leave their arcs to the others.
  const VertexId skipped = graph.has_in() ? frequent_label(forest, n) : no_vertex;
  each_vertex([&](VertexId v) {
    if (forest.get(v) == skipped) return;
    const auto row = graph.out_neighbors(v);
    for (std::size_t i = std::min<std::size_t>(row.size(), sampled_arcs); i < row.size(); ++i) forest.join(v, row[i]);
    if (graph.directed() && graph.has_in())
      for (const VertexId u : graph.in_neighbors(v)) forest.join(v, u);
  });
  each_vertex([&](VertexId v) { forest.flatten(v); });
  graph::count_components(team, c);
  return c;
}

}  // namespace hopwave::inline v0_1
