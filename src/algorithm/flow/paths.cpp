// J. Edmonds, R. M. Karp, Theoretical improvements in algorithmic efficiency for network flow problems, 1972. E. A. Dinic,
// Algorithm for solution of a problem of maximum flow in networks with power estimation, 1970; ours walks without recursion.
#include "algorithm/flow/paths.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace hopwave::inline v0_1::flow {
namespace {

constexpr std::uint32_t looks_every = 1 << 10;
constexpr EdgeIndex no_entry = ~EdgeIndex{0};

/// Takes `amount` from each entry of a path and gives it to its mate.
void send(Residual& r, const std::vector<EdgeIndex>& path, std::int64_t amount) {
  for (const EdgeIndex e : path) r.left[e] -= amount, r.left[r.mate[e]] += amount;
}

std::int64_t least_left(const Residual& r, const std::vector<EdgeIndex>& path) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const EdgeIndex e : path) least = std::min(least, r.left[e]);
  return least;
}

}  // namespace

void edmonds_karp(Residual& r, VertexId source, VertexId target, bool paths, const std::function<void(std::int64_t)>& go_on,
                  Flow& flow) {
  std::vector<EdgeIndex> by(r.num_vertices);  // the entry that each vertex was reached by
  std::vector<VertexId> queue;
  for (;;) {
    go_on(flow.value);
    ++flow.searches;
    std::fill(by.begin(), by.end(), no_entry);
    queue.assign(1, source);
    for (std::size_t at = 0; at < queue.size() && by[target] == no_entry; ++at) {
      const VertexId v = queue[at];
      for (EdgeIndex e = r.offsets[v]; e < r.offsets[v + 1ull]; ++e) {
        const VertexId u = r.neighbors[e];
        if (r.left[e] == 0 || u == source || by[u] != no_entry) continue;
        by[u] = e;
        queue.push_back(u);
      }
    }
    if (by[target] == no_entry) return;
    std::vector<EdgeIndex> path;
    for (VertexId v = target; v != source; v = r.neighbors[r.mate[by[v]]]) path.push_back(by[v]);
    const std::int64_t amount = least_left(r, path);
    send(r, path, amount);
    flow.value += amount;
    ++flow.pushes;
    if (!paths) continue;
    FlowPath taken{.vertices = {source}, .amount = amount};
    for (auto e = path.rbegin(); e != path.rend(); ++e) taken.vertices.push_back(r.neighbors[*e]);
    flow.paths.push_back(std::move(taken));
  }
}

void dinic(Residual& r, VertexId source, VertexId target, const std::function<void(std::int64_t)>& go_on, Flow& flow) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> level(r.num_vertices);
  std::vector<EdgeIndex> current(r.num_vertices);
  std::vector<VertexId> queue;
  std::vector<EdgeIndex> path;
  std::uint32_t looks = 0;
  for (;;) {
    go_on(flow.value);
    ++flow.searches;
    std::fill(level.begin(), level.end(), none);
    level[source] = 0;
    queue.assign(1, source);
    for (std::size_t at = 0; at < queue.size() && level[target] == none; ++at) {
      const VertexId v = queue[at];
      for (EdgeIndex e = r.offsets[v]; e < r.offsets[v + 1ull]; ++e)
        if (const VertexId u = r.neighbors[e]; r.left[e] > 0 && level[u] == none) level[u] = level[v] + 1, queue.push_back(u);
    }
    if (level[target] == none) return;
    std::copy(r.offsets.begin(), r.offsets.begin() + r.num_vertices, current.begin());
    // Paths along the levels, until none is left. A vertex without a way on is never tried again: its level is taken.
    path.clear();
    VertexId v = source;
    for (;;) {
      if (++looks % looks_every == 0) go_on(flow.value);
      if (v == target) {
        const std::int64_t amount = least_left(r, path);
        send(r, path, amount);
        flow.value += amount;
        ++flow.pushes;
        // Back to where the first entry is used up.
        std::size_t keep = 0;
        while (r.left[path[keep]] > 0) ++keep;
        v = r.neighbors[r.mate[path[keep]]];
        path.resize(keep);
        continue;
      }
      EdgeIndex& e = current[v];
      const EdgeIndex end = r.offsets[v + 1ull];
      while (e < end && !(r.left[e] > 0 && level[r.neighbors[e]] == level[v] + 1)) ++e;
      if (e < end) {
        path.push_back(e);
        v = r.neighbors[e];
      } else if (v == source) {
        break;
      } else {
        level[v] = none;
        v = r.neighbors[r.mate[path.back()]];
        path.pop_back();
      }
    }
  }
}

}  // namespace hopwave::inline v0_1::flow
