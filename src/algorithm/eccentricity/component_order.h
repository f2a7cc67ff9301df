// What eccentricities by hops and by weights have in common: the order of components, and the one error.
#pragma once

#include <string>
#include <vector>

#include "graph/components.h"
#include "hopwave/graph.h"

namespace hopwave::search_detail {

/// Vertices by component, the largest component first, equal ones by their smallest vertex; ascending within.
/// size[label]: how many there are.
std::vector<VertexId> by_component(const Components& components, std::vector<VertexId>& size);

/// HW-ECCENTRICITY-STRONG.
[[noreturn]] void refuse_weak(const Graph& graph, VertexId v, std::size_t reached, std::size_t size);

}  // namespace hopwave::search_detail
