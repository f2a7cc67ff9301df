// A stand-in for SNAP's wiki-Talk where the original is not available: the same numbers of vertices and arcs, and the
// average, deviation and median of the out-degrees and the diameter within 5 %. A few users write to many by Zipf's
// law, most vertices are only written to, and a short line of writers gives the long path from end to end.
#include <cmath>
#include <string>

#include "generate/family.h"

namespace hopwave::generate_detail {
namespace {

constexpr std::uint64_t vertices = 2394385, arcs = 5021410;
constexpr std::uint64_t writers = 147602;
constexpr double greatest = 102722, exponent = .8;  // fitted to the number of arcs and the deviation
constexpr std::uint64_t line = 2;  // the last writers form a line: each writes to the one before and to its own listeners
constexpr std::uint64_t seed = 42;

/// starts[r] is the first arc of the writer of rank r: it has floor(greatest · (r + 1)^-exponent) arcs, and the first
/// ranks one more, so that the sum is exact.
std::vector<std::uint64_t> writer_starts() {
  std::vector<std::uint64_t> starts(writers + 1, 0);
  for (std::uint64_t r = 0; r < writers; ++r)
    starts[r + 1] = static_cast<std::uint64_t>(greatest * std::pow(static_cast<double>(r + 1), -exponent));
  std::uint64_t sum = 0;
  for (const std::uint64_t d : starts) sum += d;
  for (std::uint64_t r = 0; sum < arcs; r = (r + 1) % writers, ++sum) ++starts[r + 1];
  for (std::uint64_t r = 0; sum > arcs; r = (r + 1) % writers)
    if (starts[r + 1] > 1) --starts[r + 1], --sum;
  for (std::uint64_t r = 0; r < writers; ++r) starts[r + 1] += starts[r];
  return starts;
}

EdgeList make_wikitalk(const Spec& spec) {
  spec.expect(0, 0);
  EdgeList list = spec.list(vertices, true);
  list.edges = Array<Edge>(arcs);
  const std::vector<std::uint64_t> starts = writer_starts();
  constexpr std::uint64_t core = writers - line;
  const std::uint64_t core_arcs = starts[core];
  const std::uint64_t line_listeners = arcs - core_arcs - line;  // listeners of the line's writers, at the end of the ranks
  const std::uint64_t known = vertices - line_listeners;         // ranks from which the core's writers choose, without the line
  const std::uint64_t listeners = known - writers;
  const Permutation name(vertices, seed), arc_order(core_arcs, seed + 1);
  auto edge = [&](std::uint64_t from, std::uint64_t to) {
    return Edge{static_cast<VertexId>(name(from)), static_cast<VertexId>(name(to))};
  };

  Team team;
  struct Seen {
    std::vector<std::uint32_t> by;  // by[t] = the last row + 1 that contains t
  };
  std::vector<Seen> seen(static_cast<std::size_t>(team.size()));
  core::Reporter reporter(spec.report(), core_arcs);
  parallel_for(team, core, 64, [&](std::size_t begin, std::size_t end, int rank) {
    auto& by = seen[rank].by;
    by.resize(vertices, 0);
    std::uint64_t unreported = 0;
    for (std::size_t r = begin; r < end; ++r) {
      const auto mark = static_cast<std::uint32_t>(r + 1);
      by[r] = mark;  // no vertex writes to itself
      // Each listener has one arc of its own, so that none is left out. The other arcs are random, and are chosen again
      // if they exist.
      for (std::uint64_t a = starts[r]; a < starts[r + 1]; ++a)
        if (const std::uint64_t k = arc_order(a); k < listeners) by[writers + k] = mark;
      for (std::uint64_t a = starts[r]; a < starts[r + 1]; ++a) {
        const std::uint64_t k = arc_order(a);
        std::uint64_t to = writers + k;
        for (std::uint64_t attempt = 0; k >= listeners && (attempt == 0 || by[to] == mark); ++attempt) {
          const std::uint64_t random = mix(mix(stream(seed, 2) + a) + attempt), half = random >> 32;
          // Half of the random arcs go to any vertex, half to writers, with a preference for those with many arcs.
          to = random & 1 ? below(random, listeners) + writers : below(half * half, core);
        }
        by[to] = mark;
        list.edges[a] = edge(r, to);
      }
      unreported += starts[r + 1] - starts[r];
      if (unreported < edge_grain && r + 1 < end) continue;
      reporter.add(unreported, rank);
      unreported = 0;
    }
  });
  // The line: each writes to the one before, the first to the one of the others with the fewest arcs. No other vertex
  // writes to their listeners.
  std::uint64_t a = core_arcs, listener = known;
  for (std::uint64_t r = core; r < writers; ++r) {
    list.edges[a++] = edge(r, r == core ? core - 1 : r - 1);
    while (a < starts[r + 1]) list.edges[a++] = edge(r, listener++);
  }
  list.report.details = "stand-in for wiki-Talk, directed";
  return list;
}

}  // namespace

const Family wikitalk_family{
    .info = {.name = "wikitalk-like",
             .arguments = "",
             .summary = "stand-in for SNAP's wiki-Talk: 2,394,385 vertices, 5,021,410 arcs, degrees and diameter like it",
             .example = "wikitalk-like"},
    .make = make_wikitalk};

}  // namespace hopwave::generate_detail
