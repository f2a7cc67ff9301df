// R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with Graph500's figures: A = .57, B = C = .19, D = .05, permuted vertex ids.
// The same distribution as GAP's Kronecker generator. Ours draws every edge from its number and permutes ids by a bijection.
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

EdgeList make(const Spec& spec) {
  spec.expect(1, 3);
  const int scale = static_cast<int>(spec.number(0, "scale", 1, 31));
  const std::uint64_t factor = spec.number_or(1, 16, "edge factor", 0, 1u << 20);
  const std::uint64_t seed = spec.seed(2, 1);
  constexpr double a = .57, b = .19, c = .19;
  constexpr std::uint64_t full = std::uint64_t{1} << 32;
  constexpr auto until_a = static_cast<std::uint64_t>(a * full), until_b = static_cast<std::uint64_t>((a + b) * full),
                 until_c = static_cast<std::uint64_t>((a + b + c) * full);
  EdgeList list = spec.list(std::uint64_t{1} << scale, false);
  const Permutation permute(std::uint64_t{1} << scale, seed);
  const std::uint64_t base = stream(seed), draws = static_cast<std::uint64_t>(scale + 1) / 2,
                      spare = static_cast<std::uint64_t>(scale % 2);  // two bits a draw
  Team team;
  list.edges = fill_edges(team, factor << scale, [&](std::uint64_t i) {
    std::uint64_t u = 0, v = 0;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      const std::uint64_t random = mix(base + i * draws + draw);
      for (const std::uint64_t r : {random & 0xFFFFFFFFu, random >> 32}) {
        const std::uint64_t past_a = r >= until_a, past_b = r >= until_b, past_c = r >= until_c;
        u = u << 1 | past_b;
        v = v << 1 | (past_a ^ past_b ^ past_c);
      }
    }
    u >>= spare, v >>= spare;
    return Edge{static_cast<VertexId>(permute(u)), static_cast<VertexId>(permute(v))};
  });
  list.report.details = "R-MAT .57/.19/.19/.05, undirected, seed " + std::to_string(seed);
  return list;
}

}  // namespace

const Family rmat_family{
    {.name = "rmat",
     .arguments = "SCALE[,EDGEFACTOR[,SEED]]",
     .summary = "R-MAT with Graph500's figures: 2^SCALE vertices, EDGEFACTOR (16) edges a vertex, undirected",
     .example = "rmat:20,16"},
    make};
const Family kron_family{{.name = "kron",
                          .arguments = "SCALE[,EDGEFACTOR[,SEED]]",
                          .summary = "the same graphs as rmat, under the name that GAP and Graph500 use",
                          .example = "kron:16"},
                         make};

}  // namespace hopwave::generate_detail
