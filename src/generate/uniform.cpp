// Uniform random graph (Erdős–Rényi with a fixed number of edges), as GAP's "uniform": both ends of every edge are
// random.
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList make_uniform(const Spec& spec) {
  spec.expect(1, 3);
  const int scale = static_cast<int>(spec.number(0, "scale", 0, 31));
  const std::uint64_t factor = spec.number_or(1, 16, "edge factor", 0, 1u << 20);
  const std::uint64_t seed = spec.seed(2, 1);
  EdgeList list = spec.list(std::uint64_t{1} << scale, false);
  const std::uint64_t base = stream(seed), mask = (std::uint64_t{1} << scale) - 1;
  list.edges = fill_edges(spec, factor << scale, [&](std::uint64_t i) {
    const std::uint64_t random = mix(base + i);
    return Edge{static_cast<VertexId>(random & mask), static_cast<VertexId>(random >> 32 & mask)};
  });
  list.report.details = "uniform random, undirected, seed " + std::to_string(seed);
  return list;
}

}  // namespace

const Family uniform_family{
    .info = {.name = "uniform",
             .arguments = "SCALE[,EDGEFACTOR[,SEED]]",
             .summary = "uniform random: 2^SCALE vertices, EDGEFACTOR (16) edges per vertex, undirected",
             .example = "uniform:16,16"},
    .make = make_uniform,
    .by_parts = true};

}  // namespace hopwave::generate_detail
