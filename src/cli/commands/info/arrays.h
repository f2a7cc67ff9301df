// The arrays of a small graph as text and as JSON, each layout as the literature draws it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/frame/json.h"

namespace hopwave::cli {

/// csr, csc, coo, matrix, adjacency, records.
const std::vector<std::string>& layout_names();

/// Values that a layout holds: what --arrays-limit bounds.
std::uint64_t layout_values(const Graph& graph, const std::string& layout);

/// One of layout_names(). csc needs graph.has_in().
std::string layout_text(const Graph& graph, const std::string& layout);
Json layout_json(const Graph& graph, const std::string& layout);

}  // namespace hopwave::cli
