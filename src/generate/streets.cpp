// A street map for benchmarks: an N × N grid in which each street exists with probability 11/16, from splitmix64(seed
// XOR v). The rule is fixed, so that results of different programs are comparable: streets:1400 has 5,383,040 arcs.
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList make_streets(const Spec& spec) {
  spec.expect(1, 2);
  const std::uint64_t n = spec.number(0, "side", 1, 65535);
  const std::uint64_t seed = spec.seed(1, 42);
  EdgeList list = spec.list(n * n, false);
  list.edges = collect_edges(spec, n * n, 1, [&](std::uint64_t v, auto&& put) {
    const std::uint64_t r = mix(seed ^ v), x = v % n, y = v / n;
    const auto here = static_cast<VertexId>(v);
    if (x + 1 < n && (r & 15) < 11) put(Edge{here, here + 1});
    if (y + 1 < n && (r >> 8 & 15) < 11) put(Edge{here, static_cast<VertexId>(v + n)});
  });
  list.report.details = "street grid, undirected, seed " + std::to_string(seed);
  return list;
}

}  // namespace

const Family streets_family{
    .info = {.name = "streets",
             .arguments = "SIDE[,SEED]",
             .summary = "street map: a SIDE x SIDE grid, each street kept with probability 11/16 (seed 42)",
             .example = "streets:1400"},
    .make = make_streets,
    .by_parts = true};

}  // namespace hopwave::generate_detail
