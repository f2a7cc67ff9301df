// R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with Graph500's parameters: A = .57, B = C = .19, D = .05, permuted vertex
// ids. It is the distribution of GAP's Kronecker generator. This generator computes every edge from its number and
// permutes ids by a bijection.
#include "generate/rmat.h"

#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList make_rmat(const Spec& spec) {
  spec.expect(1, 3);
  const int scale = static_cast<int>(spec.number(0, "scale", 1, 31));
  const std::uint64_t factor = spec.number_or(1, 16, "edge factor", 0, 1u << 20);
  const std::uint64_t seed = spec.seed(2, 1);
  EdgeList list = spec.list(std::uint64_t{1} << scale, false);
  const Rmat draw(scale, seed);
  list.edges = fill_edges(spec, factor << scale, [&](std::uint64_t i) { return draw(i); });
  list.report.details = "R-MAT .57/.19/.19/.05, undirected, seed " + std::to_string(seed);
  return list;
}

}  // namespace

const Family rmat_family{
    .info = {.name = "rmat",
             .arguments = "SCALE[,EDGEFACTOR[,SEED]]",
             .summary = "R-MAT with Graph500's parameters: 2^SCALE vertices, EDGEFACTOR (16) edges per vertex, undirected",
             .example = "rmat:20,16"},
    .make = make_rmat,
    .by_parts = true};
const Family kron_family{.info = {.name = "kron",
                                  .arguments = "SCALE[,EDGEFACTOR[,SEED]]",
                                  .summary = "the same graphs as rmat, under the name that GAP and Graph500 use",
                                  .example = "kron:16"},
                         .make = make_rmat,
                         .by_parts = true};

}  // namespace hopwave::generate_detail
