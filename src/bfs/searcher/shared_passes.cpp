// Searches of a pass share what they look at where they meet: where they come to a vertex at the same level. On a CPU this
// decides which searches do not meet often enough.
#include <algorithm>
#include <vector>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/searcher.h"

namespace hopwave::inline v0_1 {

namespace {

using thresholds::Cpu;

/// Are their ids near each other? Then they are likely to be near in the graph as well, and meet often whatever its shape.
bool close_by(std::span<const VertexId> sources) {
  const auto [least, most] = std::ranges::minmax(sources);
  return most - least < Cpu::near_ids * sources.size();
}

/// Is no level around a vertex a large part of those before it, as in lattices and bands? Visits only a few vertices to find
/// that out.
bool grows_slowly(const Adjacency& rows, VertexId n, VertexId source) {
  const std::size_t enough = n / Cpu::shape_part;
  std::vector<bool> met(n);
  std::vector<VertexId> found{source};
  met[source] = true;
  std::size_t begin = 0, end = 1;  // the last whole level, in `found`
  std::size_t before = 0;          // vertices of the level before it
  while (begin < end && found.size() < enough) {
    for (std::size_t i = begin; i < end && found.size() < enough; ++i)
      for (EdgeIndex a = rows.offsets[found[i]]; a < rows.offsets[found[i] + std::size_t{1}]; ++a) {
        const VertexId u = rows.neighbors[a];
        if (!met[u]) met[u] = true, found.push_back(u);
      }
    before = end - begin;
    begin = end;
    end = found.size();
  }
  return 5 * std::max(before, end - begin) < Cpu::wide_level_fifths * found.size();
}

}  // namespace

/// Each call of many searches that may run on a CPU begins with this.
void Searcher::State::begin_many(Distance max_depth) {
  one_by_one = false;
  if (spread_within != max_depth) spread = 0;
  spread_within = max_depth;
}

/// Does the first of these searches have to run alone, to show how far its levels are spread? On lattices and bands a pass may
/// take 17 times as long as its searches one by one. Elsewhere no search is spent on this.
bool Searcher::State::first_alone(std::span<const VertexId> left) {
  if (placement.kind != DeviceKind::cpu || one_by_one || ms_bfs_asked() || spread > 0) return false;
  const std::size_t least = cpu_least();
  if (least == 0 || left.size() <= least || num_vertices + graph->num_arcs() < Cpu::small_for_passes) return false;
  if (close_by(left.first(std::min(left.size(), pass_width())))) return false;
  if (grows_slowly(*view->view().forward, num_vertices, left[0])) return true;
  spread = 1;
  return false;
}

/// `spread` levels of equal size would meet those of another search as often as these do. A search of a small part of the
/// graph shows nothing about the others.
void Searcher::State::learn(const LevelCounts& counts) {
  spread = 1;
  const auto all = static_cast<double>(counts.reached());
  if (Cpu::shown_part * all < num_vertices) return;
  double meet = 0;  // the probability that two such searches come to a vertex at the same level
  for (const std::uint64_t at : counts.at) meet += static_cast<double>(at) / all * (static_cast<double>(at) / all);
  spread = 1 / meet;
}

bool Searcher::State::seldom_meet(std::span<const VertexId> pass, double least) const {
  return static_cast<double>(pass.size()) < least * spread && !close_by(pass);
}

Searcher::State::Next Searcher::State::next(std::span<const VertexId> left, bool counted) {
  if (first_alone(left)) return {.shows = true};
  const std::size_t width = next_pass(left.size(), counted);
  // Counting what a pass has found takes less than counting each search alone.
  if (width > 0 && seldom_meet(left.first(width), counted ? Cpu::meet_counted : Cpu::meet_fetched)) return {};
  return {.width = width};
}

}  // namespace hopwave::inline v0_1
