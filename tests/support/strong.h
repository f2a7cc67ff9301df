// Strongly connected components written plainly (Kosaraju: a search backwards in reverse order of finishing), and directed
// graphs with components of every size, for tests.
#pragma once

#include <vector>

#include "hopwave/generate.h"
#include "support/graphs.h"

namespace hopwave::testing {

/// The smallest vertex of each vertex's component.
inline std::vector<VertexId> plain_strong_labels(const TestGraph& test) {
  const VertexId n = test.num_vertices;
  std::vector<std::vector<VertexId>> next(n), before(n);
  for (const Edge& e : arcs_of(test)) next[e.source].push_back(e.target), before[e.target].push_back(e.source);
  std::vector<VertexId> finished, label(n, no_vertex);
  std::vector<std::size_t> at(n, 0);
  std::vector<bool> seen(n, false);
  for (VertexId root = 0; root < n; ++root) {
    if (seen[root]) continue;
    std::vector<VertexId> path = {root};
    seen[root] = true;
    while (!path.empty()) {
      const VertexId v = path.back();
      if (at[v] == next[v].size()) {
        finished.push_back(v);
        path.pop_back();
      } else if (const VertexId u = next[v][at[v]++]; !seen[u]) {
        seen[u] = true;
        path.push_back(u);
      }
    }
  }
  for (std::size_t i = finished.size(); i-- > 0;) {
    if (label[finished[i]] != no_vertex) continue;
    std::vector<VertexId> members = {finished[i]};
    label[finished[i]] = finished[i];
    for (std::size_t k = 0; k < members.size(); ++k)
      for (const VertexId u : before[members[k]])
        if (label[u] == no_vertex) label[u] = finished[i], members.push_back(u);
    const VertexId least = *std::min_element(members.begin(), members.end());
    for (const VertexId v : members) label[v] = least;
  }
  return label;
}

/// A generator's graph with a direction drawn for each edge; one in `both` has both.
inline TestGraph with_directions(const std::string& spec, std::uint64_t seed, std::uint64_t both) {
  const EdgeList list = generate(spec);
  TestGraph test{spec + " with directions", list.num_vertices, {}, true};
  std::uint64_t at = splitmix64(seed);
  for (const Edge& e : list.edges.span()) {
    const std::uint64_t draw = splitmix64(at++);
    const bool turned = draw % 2;
    test.edges.push_back(turned ? Edge{e.target, e.source} : e);
    if (draw / 2 % both == 0) test.edges.push_back(turned ? e : Edge{e.target, e.source});
  }
  return test;
}

/// Cycles of drawn lengths hung on each other one way: components of every size.
inline TestGraph chain_of_cycles(std::uint64_t seed, int parts, std::uint64_t longest) {
  TestGraph test{"cycles " + std::to_string(seed), 0, {}, true};
  for (int part = 0; part < parts; ++part) {
    const auto n = static_cast<VertexId>(1 + splitmix64(seed * 31 + part) % longest);
    const VertexId first = test.num_vertices;
    for (VertexId v = 0; v < n; ++v) test.edges.push_back({first + v, first + (v + 1) % n});
    if (first > 0) test.edges.push_back({static_cast<VertexId>(splitmix64(seed + part) % first), first});
    test.num_vertices += n;
  }
  return test;
}

}  // namespace hopwave::testing
