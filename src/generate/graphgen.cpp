// Random graph as made by Rodinia's and ROCm's graphgen: every vertex chooses 2 to 4 partners, edges go both ways and
// weigh 1 to 10, and the file names a source. This generator uses splitmix64 instead of a C++ library's engine.
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList make_graphgen(const Spec& spec) {
  spec.expect(1, 2);
  const std::uint64_t n = spec.number(0, "number of vertices", 1, max_vertices);
  const std::uint64_t seed = spec.seed(1, 1);
  EdgeList list = spec.list(n, false);
  const std::uint64_t degrees = stream(seed, 1), partners = stream(seed, 2), weights = stream(seed, 3);
  const std::uint64_t units = units_of(spec.part().end(n) - spec.part().begin(n));
  core::Reporter reporter(spec.report(), spec.whole() ? 3 * units : 2 * units);
  list.edges = collect_edges(spec, reporter, n, 1, [&](std::uint64_t v, auto&& put) {
    const std::uint64_t own = 2 + below(mix(degrees + v), 3);
    for (std::uint64_t k = 0; k < own; ++k)
      put(Edge{static_cast<VertexId>(v), static_cast<VertexId>(below(mix(partners + 4 * v + k), n))});
  });
  if (spec.whole()) {
    Array<std::int32_t> values(list.edges.size());
    Team team;
    parallel_for(team, units, 1, [&](std::size_t begin, std::size_t end, int rank) {
      for (std::size_t unit = begin; unit < end; ++unit) {
        const EdgePart part{unit, units};
        const std::uint64_t stop = part.end(values.size());
        for (std::uint64_t i = part.begin(values.size()); i < stop; ++i)
          values[i] = static_cast<std::int32_t>(1 + below(mix(weights + i), 10));
        reporter.add(1, rank);
      }
    });
    list.weights = std::move(values);
  }
  list.default_source = static_cast<VertexId>(below(stream(seed, 4), n));
  list.report.details = "graphgen, undirected, weights 1 to 10, seed " + std::to_string(seed);
  return list;
}

}  // namespace

const Family graphgen_family{
    .info = {.name = "graphgen",
             .arguments = "N[,SEED]",
             .summary = "as Rodinia and ROCm make them: 2 to 4 random edges per vertex, both ways, weights 1 to 10",
             .example = "graphgen:65536"},
    .make = make_graphgen,
    .by_parts = true};

}  // namespace hopwave::generate_detail
