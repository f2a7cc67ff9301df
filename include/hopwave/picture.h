// Pictures of searches of small graphs, as the tool's --picture draws them (docs/pictures.md).
#pragma once

#include <string>

#include "hopwave/graph.h"
#include "hopwave/search.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// What the picture of a search shows. Both together are an error.
struct PictureOptions {
  Distance step = 0;                 ///< this step alone; 0: the tree that is found, and all steps
  bool against_depth_first = false;  ///< the tree beside that of depth-first search, without steps
};

/// Searches, with parents and a trace, and returns the text of an SVG file: the graph with its levels, and for each level
/// which threads of the strategy work, look and label. A grid's vertices are placed as a grid, others in rows by level.
/// `name` of the graph is in the title. Any number of threads may call it at the same time.
/// Errors: HW-PICTURE-SIZE (more than 100 vertices or 400 arcs), HW-PICTURE-STEP (the search has fewer steps), and those of
/// Searcher and Searcher::run().
std::string search_svg(const Graph& graph, const Query& query, const SearchOptions& options = {},
                       const PictureOptions& shown = {}, const std::string& name = "");

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
