// One parallel pass over a result.
#include "cli/frame/tally.h"

#include <fmt/format.h>

#include "cli/frame/console.h"

namespace hopwave::cli {

Tally tally(const Graph& graph, const Result& result, Direction direction, Team& team) {
  const bool forwards = direction != Direction::in;
  const bool backwards = direction != Direction::out && graph.directed() && graph.has_in();
  const auto levels = static_cast<std::size_t>(result.depth) + 1;
  std::vector<Tally> parts(static_cast<std::size_t>(team.size()));
  for (auto& part : parts) part.level_sizes.resize(levels);
  parallel_for(team, graph.num_vertices(), 1 << 16, [&](std::size_t from, std::size_t to, int rank) {
    Tally& part = parts[static_cast<std::size_t>(rank)];
    for (std::size_t v = from; v < to; ++v) {
      const Distance d = result.distance[v];
      if (d == unreached) continue;
      ++part.level_sizes[static_cast<std::size_t>(d)];
      if (forwards || !backwards) part.edges += graph.out_degree(static_cast<VertexId>(v));
      if (backwards) part.edges += graph.in().offsets[v + 1] - graph.in().offsets[v];
    }
  });
  Tally total = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    total.edges += parts[i].edges;
    for (std::size_t level = 0; level < levels; ++level) total.level_sizes[level] += parts[i].level_sizes[level];
  }
  if (!graph.directed() || (forwards && backwards)) total.edges /= 2;
  return total;
}

std::string level_line(const std::vector<std::uint64_t>& sizes, std::size_t most) {
  std::string line;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i + 1 == most && sizes.size() > most) {
      std::uint64_t rest = 0;
      for (; i < sizes.size(); ++i) rest += sizes[i];
      return line + fmt::format(" · … ({} more levels, {} vertices)", grouped(sizes.size() - most + 1), grouped(rest));
    }
    line += (i ? " · " : "") + grouped(sizes[i]);
  }
  return line;
}

}  // namespace hopwave::cli
