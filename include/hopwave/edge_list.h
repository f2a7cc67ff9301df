// EdgeList: the type that every reader and every generator returns, and from which a Graph is built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/ids.h"
#include "hopwave/run.h"
#include "hopwave/types.h"
#include "hopwave/weights.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// How the input was interpreted. `hopwave bfs` prints it, so that a misread input is noticed.
struct ReadReport {
  std::string source = {};       ///< file name, "-" or a generator's spec
  std::string format = {};       ///< "matrix-market", "edge-list", "rodinia", "metis", "dimacs", "gap", "hwg", "generator" …
  std::string details = {};      ///< e.g. "pattern symmetric", "tab separated"
  std::uint64_t bytes = 0;       ///< bytes read, before decompression
  std::uint64_t text_bytes = 0;  ///< after decompression
  std::uint64_t rows = 0;        ///< data rows (edges as stored in the file)
  Milliseconds read = {};        ///< time for mapping and decompression
  Milliseconds parse = {};
  std::vector<std::string> repairs = {};  ///< what --lenient repaired, one line each
  std::vector<std::string> notes = {};    ///< what was assumed, and why no cache was written; one line each
  bool direction_assumed = false;     ///< neither the input nor the caller states whether edges are directed: assumed directed
  std::uint64_t weights_rounded = 0;  ///< weights that no type holds exactly; the nearest number was taken
};

struct EdgeList {
  VertexId num_vertices = 0;
  Array<Edge> edges = {};        ///< as stored: an undirected edge occurs once if `directed` is false
  Weights weights = {};          ///< empty, or one per edge
  bool directed = true;          ///< false: each edge counts in both directions
  bool both_directions = false;  ///< undirected, but the file lists both u v and v u (METIS, symmetric .gr)
  Ids ids = {};
  std::optional<VertexId> default_source = {};  ///< the source that a Rodinia file names
  ReadReport report = {};
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
