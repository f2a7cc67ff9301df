// Directed graphs for strongly connected components, made of generators' edges.
#pragma once

#include <charconv>

#include "common.h"

namespace hopwave::bench {

/// Returns the graph of a spec or file. "one-way:K:SPEC" gives each edge of SPEC a direction, chosen by a fixed seed,
/// and one edge in K both. "cycles:N": cycles of 1 to 64 vertices, N vertices in total, each joined to an earlier one.
/// Incoming arcs are built.
inline Graph load_directed(const std::string& spec) {
  std::vector<Edge> arcs;
  EdgeList list;
  if (spec.rfind("one-way:", 0) == 0) {
    std::uint64_t both = 0;
    const auto [end, fault] = std::from_chars(spec.data() + 8, spec.data() + spec.size(), both);
    if (fault != std::errc{} || both == 0 || end == spec.data() + spec.size() || *end != ':')
      throw Error({.failure = Failure::usage, .id = "HW-USAGE-OPTION", .found = spec, .expected = "one-way:K:SPEC"});
    list = generate(std::string(end + 1, spec.data() + spec.size()));
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      const Edge e = list.edges[i], turned{e.target, e.source};
      const std::uint64_t draw = splitmix64(i);
      arcs.push_back(draw % 2 ? turned : e);
      if (draw / 2 % both == 0) arcs.push_back(draw % 2 ? e : turned);
    }
  } else if (spec.rfind("cycles:", 0) == 0) {
    const std::uint64_t wanted = std::stoull(spec.substr(7));
    VertexId made = 0;
    for (std::uint64_t part = 0; made < wanted; ++part) {
      const auto n = static_cast<VertexId>(std::min<std::uint64_t>(1 + splitmix64(part) % 64, wanted - made));
      for (VertexId v = 0; v < n; ++v) arcs.push_back({made + v, made + (v + 1) % n});
      if (made) arcs.push_back({static_cast<VertexId>(made - 1 - splitmix64(~part) % std::min<VertexId>(made, 100)), made});
      made += n;
    }
    list.num_vertices = made;
    list.ids = Ids::consecutive(made);
  } else {
    Graph graph = load(spec);
    graph.ensure_in();
    return graph;
  }
  list.edges = Array<Edge>::copy_of({arcs.data(), arcs.size()});
  list.weights = {};
  list.directed = true;
  list.both_directions = false;
  return build_graph(std::move(list), {.build_in = true});
}

}  // namespace hopwave::bench
