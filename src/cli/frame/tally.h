// Tally: figures of a result for summaries: vertices per level, and edges of the reached part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::cli {

struct Tally {
  std::vector<std::uint64_t> level_sizes;  ///< vertices at distance 0, 1, …
  std::uint64_t edges = 0;                 ///< of reached vertices, an undirected edge once: Graph500's count for TEPS
};
Tally tally(const Graph& graph, const Result& result, Direction direction, Team& team);

/// "1 · 27 · 1,204 · …": at most `most` levels, the rest summed up.
std::string level_line(const std::vector<std::uint64_t>& sizes, std::size_t most = 12);

}  // namespace hopwave::cli
