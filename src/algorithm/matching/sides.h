// The two sides of a bipartite graph, and its edges from both ends.
#pragma once

#include "core/parallel.h"
#include "core/reporter.h"
#include "hopwave/matching.h"

namespace hopwave::inline v0_1::matching {

/// The units that both_ways() reports.
std::uint64_t rows_work(const Graph& graph);

/// Rows with each edge at both of its ends, whichever way an arc leads: of an undirected graph its own.
Adjacency both_ways(Team& team, const Graph& graph, core::Reporter& reporter);

/// Fills side, left and sides. `rows` are those of both_ways(). Throws HW-MATCHING-CYCLE, HW-MATCHING-SIDE, HW-OPTION-VALUE.
void find_sides(const Graph& graph, const Adjacency& rows, const Array<const std::uint8_t>& given, core::Reporter& reporter,
                Matching& found);

}  // namespace hopwave::inline v0_1::matching
