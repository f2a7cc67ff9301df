#include "algorithm/flow/residual.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "bfs/plan/thresholds.h"
#include "graph/rows.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1::flow {
namespace {

/// body(i) for i from 0 to n - 1. Its caller is asked on the way, also where one thread does all, and at the end.
template <class Body>
void for_each(Team& team, std::size_t n, core::Reporter& reporter, Body&& body) {
  constexpr std::size_t grain = thresholds::Cpu::vertex_grain;
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int rank) {
    for (std::size_t first = begin; first < end; first += grain) {
      for (std::size_t i = first; i < std::min(end, first + grain); ++i) body(i);
      reporter.add(std::min(end, first + grain) - first, rank);
    }
  });
  reporter.add(0, 0);  // the others may have done the calling thread's part
}

bool is_reversed(const Graph& graph) { return graph.directed() && !graph.has_in(); }

/// Walks over a vertex's neighbours, of both rows together, in ascending order: f(neighbour, capacity of the arcs to it).
template <class F>
void each_neighbor(const Adjacency& out, const Adjacency* in, const Array<std::int64_t>& capacity, VertexId v, F&& f) {
  EdgeIndex a = out.offsets[v], b = in ? in->offsets[v] : 0;
  const EdgeIndex a_end = out.offsets[v + 1ull], b_end = in ? in->offsets[v + 1ull] : 0;
  while (a < a_end || b < b_end) {
    const VertexId u = b == b_end || (a < a_end && out.neighbors[a] <= in->neighbors[b]) ? out.neighbors[a] : in->neighbors[b];
    std::int64_t sum = 0;
    for (; a < a_end && out.neighbors[a] == u; ++a) {
      const std::int64_t c = capacity.empty() ? 1 : capacity[a];
      if (__builtin_add_overflow(sum, c, &sum)) {
        sum = -1;
        break;
      }
    }
    while (a < a_end && out.neighbors[a] == u) ++a;
    while (b < b_end && in->neighbors[b] == u) ++b;
    if (u != v) f(u, sum);
  }
}

[[noreturn]] void refuse_sum() {
  throw Error({.failure = Failure::input,
               .id = "HW-FLOW-SUM",
               .found = "capacities that add up to 2^63 or more",
               .expected = "sums below that at the source, at the target and between two vertices"});
}

}  // namespace

std::uint64_t building_work(const Graph& graph) {
  return (graph.has_weights() ? graph.num_arcs() : 0) + (is_reversed(graph) ? graph::row_work(graph.num_arcs()) : 0) +
         3 * std::uint64_t{graph.num_vertices()};
}

Array<std::int64_t> capacities_of(const Graph& graph, Team& team, core::Reporter& reporter) {
  if (!graph.has_weights()) return {};
  const Weights& weights = graph.out().weights;
  Array<std::int64_t> capacity(weights.size());
  std::atomic<std::size_t> bad{weights.size()};
  weights.with([&](const auto& values) {
    for_each(team, values.size(), reporter, [&](std::size_t i) {
      const auto value = values[i];
      bool good = value >= 0;
      if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>)
        good = good && value < 0x1p63 && value == std::trunc(value);
      if (good) {
        capacity[i] = static_cast<std::int64_t>(value);
        return;
      }
      for (std::size_t first = bad.load(); i < first && !bad.compare_exchange_weak(first, i);) continue;
    });
  });
  if (bad == weights.size()) return capacity;
  const auto row = std::upper_bound(graph.out().offsets.begin(), graph.out().offsets.end(), EdgeIndex{bad});
  const auto v = static_cast<VertexId>(row - graph.out().offsets.begin() - 1);
  throw Error({.failure = Failure::input,
               .id = "HW-FLOW-CAPACITY",
               .where = {.file = graph.read_report().source},
               .found = "a capacity of " + weights.text(bad) + " from " + graph.name(v) + " to " +
                        graph.name(graph.out().neighbors[bad]),
               .expected = "whole numbers of 0 or more, below 2^63"});
}

Residual make_residual(const Graph& graph, const Array<std::int64_t>& capacity, Team& team, core::Reporter& reporter) {
  const VertexId n = graph.num_vertices();
  const Adjacency& out = graph.out();
  std::optional<Adjacency> reversed;
  if (is_reversed(graph)) reversed = graph::reversed(team, n, out, &reporter);
  const Adjacency* const in = !graph.directed() ? nullptr : reversed ? &*reversed : &graph.in();
  Residual residual{.num_vertices = n};
  residual.offsets = Array<EdgeIndex>(n + std::size_t{1});
  residual.offsets[0] = 0;
  for_each(team, n, reporter, [&](std::size_t v) {
    EdgeIndex count = 0;
    each_neighbor(out, in, capacity, static_cast<VertexId>(v), [&](VertexId, std::int64_t) { ++count; });
    residual.offsets[v + 1] = count;
  });
  for (std::size_t v = 0; v < n; ++v) residual.offsets[v + 1] += residual.offsets[v];
  const std::size_t entries = residual.offsets[n];
  residual.neighbors = Array<VertexId>(entries);
  residual.mate = Array<EdgeIndex>(entries);
  residual.capacity = Array<std::int64_t>(entries);
  residual.left = Array<std::int64_t>(entries);
  std::atomic<bool> too_much{false};
  for_each(team, n, reporter, [&](std::size_t v) {
    EdgeIndex e = residual.offsets[v];
    each_neighbor(out, in, capacity, static_cast<VertexId>(v), [&](VertexId u, std::int64_t c) {
      if (c < 0) too_much = true;
      residual.neighbors[e] = u;
      residual.capacity[e] = residual.left[e] = c;
      ++e;
    });
  });
  for_each(team, n, reporter, [&](std::size_t v) {
    for (EdgeIndex e = residual.offsets[v]; e < residual.offsets[v + 1]; ++e) {
      const VertexId u = residual.neighbors[e];
      const VertexId* const row = residual.neighbors.data() + residual.offsets[u];
      const VertexId* const end_of_row = residual.neighbors.data() + residual.offsets[u + 1ull];
      residual.mate[e] =
          static_cast<EdgeIndex>(std::lower_bound(row, end_of_row, static_cast<VertexId>(v)) - residual.neighbors.data());
      std::int64_t both = 0;
      if (__builtin_add_overflow(residual.capacity[e], residual.capacity[residual.mate[e]], &both)) too_much = true;
    }
  });
  if (too_much) refuse_sum();
  return residual;
}

Array<std::uint8_t> reached_from(const Residual& residual, VertexId from) {
  auto reached = Array<std::uint8_t>::filled(residual.num_vertices, 0);
  std::vector<VertexId> queue = {from};
  reached[from] = 1;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const VertexId v = queue[at];
    for (EdgeIndex e = residual.offsets[v]; e < residual.offsets[v + 1ull]; ++e)
      if (const VertexId u = residual.neighbors[e]; residual.left[e] > 0 && !reached[u]) reached[u] = 1, queue.push_back(u);
  }
  return reached;
}

}  // namespace hopwave::inline v0_1::flow
