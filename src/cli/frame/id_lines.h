// Files of vertex ids, one row per line: the vertices that --without leaves out, the pairs of --pairs. As in graphs, a byte
// order mark is passed over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hopwave/ids.h"
#include "hopwave/search.h"

namespace hopwave::cli {

/// One id per line. Empty lines are skipped. Throws HW-IO-OPEN, and HW-QUERY-SOURCE with the line for what is no vertex.
std::vector<VertexId> read_vertices(const Ids& ids, const std::string& path);
struct PairsRead {
  std::vector<Pair> pairs;
  std::vector<std::string> notes;  ///< how many pairs were left out, and why
  std::uint64_t left_out = 0;
};
/// Two ids per line, with a tab between them, or blanks where there is no tab. Throws the same, and HW-PAIRS-ROW; `lenient`:
/// pairs of which an end is no vertex are left out.
PairsRead read_pairs(const Ids& ids, const std::string& path, bool lenient);

}  // namespace hopwave::cli
