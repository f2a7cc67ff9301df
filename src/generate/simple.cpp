// The graphs that tests and lectures begin with: chain and star.
#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList chain(const Spec& spec) {
  spec.expect(1, 1);
  const std::uint64_t n = spec.number(0, "length", 1, max_vertices);
  EdgeList list = spec.list(n, false);
  Team team;
  list.edges = fill_edges(team, n - 1, [](std::uint64_t i) {
    return Edge{static_cast<VertexId>(i), static_cast<VertexId>(i + 1)};
  });
  list.report.details = "chain, undirected";
  return list;
}

EdgeList star(const Spec& spec) {
  spec.expect(1, 1);
  const std::uint64_t n = spec.number(0, "number of vertices", 1, max_vertices);
  EdgeList list = spec.list(n, false);
  Team team;
  list.edges = fill_edges(team, n - 1, [](std::uint64_t i) { return Edge{0, static_cast<VertexId>(i + 1)}; });
  list.report.details = "star, undirected";
  return list;
}

}  // namespace

const Family chain_family{
    {.name = "chain", .arguments = "N", .summary = "N vertices in a line, undirected", .example = "chain:1000"}, chain};
const Family star_family{
    {.name = "star", .arguments = "N", .summary = "vertex 0 joined to N - 1 others, undirected", .example = "star:1000"}, star};

}  // namespace hopwave::generate_detail
