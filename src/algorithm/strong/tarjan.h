// Strongly connected components on the CPU, for callers that want to end them.
#pragma once

#include <cstdint>
#include <functional>

#include "core/parallel.h"
#include "core/reporter.h"
#include "hopwave/strong.h"

namespace hopwave::graph {

/// `check` may be empty. It is called now and then by the calling thread, with the vertices whose component is known at least,
/// and ends the work by an exception.
StrongComponents strong_components(const Graph& graph, int threads, const std::function<void(VertexId done)>& check);

/// condensation() with a `report` that may be empty and may throw, called with units of all condensing_work().
Graph condensation(const Graph& graph, const StrongComponents& components, const Progress& report);
std::uint64_t condensing_work(const Graph& graph);

/// Fills the counts from the labels, each of which is the smallest vertex of its component.
void count_strong(StrongComponents& components, Team& team);

}  // namespace hopwave::graph
