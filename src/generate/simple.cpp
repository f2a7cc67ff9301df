// The graphs of first tests and lectures: chain, star, complete graph, tree, the textbook's example, and hubs on a
// chain, whose levels have one vertex and many vertices in turn.
#include <cmath>
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList chain(const Spec& spec) {
  spec.expect(1, 1);
  const std::uint64_t n = spec.number(0, "length", 1, max_vertices);
  EdgeList list = spec.list(n, false);
  list.edges = fill_edges(spec, n - 1, [](std::uint64_t i) {
    return Edge{static_cast<VertexId>(i), static_cast<VertexId>(i + 1)};
  });
  list.report.details = "chain, undirected";
  return list;
}

EdgeList star(const Spec& spec) {
  spec.expect(1, 1);
  const std::uint64_t n = spec.number(0, "number of vertices", 1, max_vertices);
  EdgeList list = spec.list(n, false);
  list.edges = fill_edges(spec, n - 1, [](std::uint64_t i) { return Edge{0, static_cast<VertexId>(i + 1)}; });
  list.report.details = "star, undirected";
  return list;
}

EdgeList complete(const Spec& spec) {
  spec.expect(1, 1);
  const std::uint64_t n = spec.number(0, "number of vertices", 1, 1u << 20);
  EdgeList list = spec.list(n, false);
  // Edge i = (u, v) with u > v: u is the triangular root of i.
  list.edges = fill_edges(spec, n * (n - 1) / 2, [](std::uint64_t i) {
    auto u = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(i))) / 2);
    while (u * (u - 1) / 2 > i) --u;
    while (u * (u + 1) / 2 <= i) ++u;
    return Edge{static_cast<VertexId>(i - u * (u - 1) / 2), static_cast<VertexId>(u)};
  });
  list.report.details = "complete, undirected";
  return list;
}

EdgeList tree(const Spec& spec) {
  spec.expect(1, 1);
  const std::uint64_t depth = spec.number(0, "depth", 0, 30);
  EdgeList list = spec.list((std::uint64_t{2} << depth) - 1, false);
  list.edges = fill_edges(spec, list.num_vertices - std::uint64_t{1}, [](std::uint64_t i) {
    return Edge{static_cast<VertexId>(i / 2), static_cast<VertexId>(i + 1)};
  });
  list.report.details = "binary tree, undirected";
  return list;
}

EdgeList hub_chain(const Spec& spec) {
  spec.expect(3, 3);
  const std::uint64_t hubs = spec.number(0, "number of hubs", 1, max_vertices),
                      leaves = spec.number(1, "leaves", 0, max_vertices),
                      gap = spec.number(2, "hops between hubs", 1, max_vertices);
  const std::uint64_t chain = (hubs - 1) * gap + 1;
  if (chain > max_vertices || (leaves && hubs > max_vertices / leaves))
    spec.too_large("a graph of more than " + std::to_string(max_vertices) + " vertices", "at most that many");
  EdgeList list = spec.list(chain + hubs * leaves, false);
  list.edges = fill_edges(spec, chain - 1 + hubs * leaves, [=](std::uint64_t i) {
    const auto next = static_cast<VertexId>(i + 1);
    if (i < chain - 1) return Edge{static_cast<VertexId>(i), next};
    return Edge{static_cast<VertexId>((i - (chain - 1)) / leaves * gap), next};
  });
  list.report.details = "hubs on a chain, undirected";
  return list;
}

EdgeList pmpp(const Spec& spec) {
  spec.expect(0, 0);
  EdgeList list = spec.list(9, true);
  constexpr Edge edges[] = {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}, {2, 6}, {2, 7}, {3, 4},
                            {3, 8}, {4, 5}, {4, 8}, {5, 6}, {6, 8}, {7, 0}, {7, 6}};
  list.edges = Array<Edge>::copy_of(edges);
  list.report.details = "directed";
  return list;
}

}  // namespace

const Family complete_family{.info = {.name = "complete",
                                      .arguments = "N",
                                      .summary = "N vertices, each joined to all others",
                                      .example = "complete:100"},
                             .make = complete,
                             .by_parts = true};
const Family tree_family{.info = {.name = "tree",
                                  .arguments = "DEPTH",
                                  .summary = "complete binary tree of DEPTH levels below its root",
                                  .example = "tree:15"},
                         .make = tree,
                         .by_parts = true};
const Family hub_chain_family{
    .info = {.name = "hub-chain",
             .arguments = "HUBS,LEAVES,GAP",
             .summary = "HUBS hubs in a row, GAP hops apart, each with LEAVES leaves: wide and narrow levels in turn",
             .example = "hub-chain:20,5000,30"},
    .make = hub_chain,
    .by_parts = true};
const Family pmpp_family{
    .info = {.name = "pmpp",
             .arguments = "",
             .summary = "the 9-vertex example of Programming Massively Parallel Processors, chapter 15 (directed)",
             .example = "pmpp"},
    .make = pmpp};
const Family chain_family{
    .info = {.name = "chain", .arguments = "N", .summary = "N vertices in a line, undirected", .example = "chain:1000"},
    .make = chain,
    .by_parts = true};
const Family star_family{.info = {.name = "star",
                                  .arguments = "N",
                                  .summary = "vertex 0 joined to N - 1 others, undirected",
                                  .example = "star:1000"},
                         .make = star,
                         .by_parts = true};

}  // namespace hopwave::generate_detail
