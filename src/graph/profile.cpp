// Degree statistics of a graph, as in Springer's table of datasets (figure 6).
#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "hopwave/graph.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr std::size_t degree_grain = std::size_t{1} << 14;

/// Returns the number of vertices without incoming and outgoing arcs.
VertexId count_isolated(Team& team, const Graph& graph) {
  const VertexId n = graph.num_vertices();
  std::atomic<VertexId> isolated{0};
  if (graph.has_in()) {
    parallel_for(team, n, degree_grain, [&](std::size_t begin, std::size_t end, int) {
      VertexId here = 0;
      for (std::size_t v = begin; v < end; ++v)
        here += graph.out_degree(static_cast<VertexId>(v)) == 0 && graph.in_neighbors(static_cast<VertexId>(v)).empty();
      isolated.fetch_add(here, std::memory_order_relaxed);
    });
    return isolated.load();
  }
  std::vector<std::uint8_t> touched(n, 0);
  parallel_for(team, graph.num_arcs(), degree_grain * 4, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      std::atomic_ref<std::uint8_t> flag(touched[graph.out().neighbors[i]]);
      if (!flag.load(std::memory_order_relaxed)) flag.store(1, std::memory_order_relaxed);
    }
  });
  parallel_for(team, n, degree_grain, [&](std::size_t begin, std::size_t end, int) {
    VertexId here = 0;
    for (std::size_t v = begin; v < end; ++v) here += !touched[v] && graph.out_degree(static_cast<VertexId>(v)) == 0;
    isolated.fetch_add(here, std::memory_order_relaxed);
  });
  return isolated.load();
}

}  // namespace

Profile profile(const Graph& graph) {
  const VertexId n = graph.num_vertices();
  Profile p{.num_vertices = n, .num_arcs = graph.num_arcs()};
  if (n == 0) return p;
  Team team(n + graph.num_arcs() < 4 * degree_grain ? 1 : 0);

  // Each degree below `counted` has a counter: these cover the median and nearly all vertices. They are integers, so
  // that the sums do not depend on the order of the additions.
  constexpr EdgeIndex counted = 4096;
  struct alignas(64) Part {
    std::vector<std::uint64_t> histogram = std::vector<std::uint64_t>(counted, 0);
    std::vector<EdgeIndex> above;
  };
  std::vector<Part> parts(static_cast<std::size_t>(team.size()));
  parallel_for(team, n, degree_grain, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t v = begin; v < end; ++v) {
      const EdgeIndex d = graph.out_degree(static_cast<VertexId>(v));
      if (d < counted)
        ++parts[rank].histogram[d];
      else
        parts[rank].above.push_back(d);
    }
  });
  auto& histogram = parts[0].histogram;
  auto& above = parts[0].above;
  for (std::size_t r = 1; r < parts.size(); ++r) {
    for (EdgeIndex d = 0; d < counted; ++d) histogram[d] += parts[r].histogram[d];
    above.insert(above.end(), parts[r].above.begin(), parts[r].above.end());
  }
  std::sort(above.begin(), above.end());

  const double average = static_cast<double>(p.num_arcs) / n;
  double squares = 0;
  for (EdgeIndex d = 0; d < counted; ++d) {
    const double off = static_cast<double>(d) - average;
    squares += static_cast<double>(histogram[d]) * off * off;
    if (histogram[d]) p.max_degree = d;
  }
  for (const EdgeIndex d : above) squares += (static_cast<double>(d) - average) * (static_cast<double>(d) - average);
  if (!above.empty()) p.max_degree = above.back();
  auto degree_at = [&](std::uint64_t position) {
    for (EdgeIndex d = 0; d < counted; ++d) {
      if (position < histogram[d]) return d;
      position -= histogram[d];
    }
    return above[position];
  };
  p.average_degree = average;
  p.degree_deviation = std::sqrt(squares / n);
  p.median_degree = (static_cast<double>(degree_at((n - 1) / 2)) + static_cast<double>(degree_at(n / 2))) / 2;
  p.isolated = count_isolated(team, graph);
  return p;
}

}  // namespace hopwave::inline v0_1
