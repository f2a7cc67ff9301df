// EdgeList: the one type that every reader and generator returns, and that Graph is built from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hopwave/array.h"
#include "hopwave/ids.h"
#include "hopwave/types.h"
#include "hopwave/weights.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

/// How an input was understood; `hopwave bfs` prints it, so that nothing is misread silently.
struct ReadReport {
  std::string source = {};       ///< file name, "-" or generator spec
  std::string format = {};       ///< "matrix-market", "edge-list", "rodinia", "metis", "dimacs", "gap", "hwg", "generator" …
  std::string details = {};      ///< e.g. "pattern symmetric", "tab separated"
  std::uint64_t bytes = 0;       ///< bytes read, before decompression
  std::uint64_t text_bytes = 0;  ///< after decompression
  std::uint64_t rows = 0;        ///< data rows (edges as stored)
  double read_seconds = 0;       ///< mapping and decompression
  double parse_seconds = 0;
  std::vector<std::string> repairs = {};  ///< what --lenient mended, one line each
  std::vector<std::string> notes = {};    ///< what was assumed, and why a cache could not be kept; one line each
  bool direction_assumed = false;         ///< neither the input nor the caller says whether edges have a direction: directed
  std::uint64_t weights_rounded = 0;      ///< weights of the input that no type holds exactly: the nearest number was taken
};

struct EdgeList {
  VertexId num_vertices = 0;
  Array<Edge> edges = {};        ///< as stored: an undirected edge stands once if `directed` is false
  Weights weights = {};          ///< empty, or one an edge
  bool directed = true;          ///< false: each edge stands for both directions
  bool both_directions = false;  ///< undirected, but the file already lists u v and v u (METIS, symmetric .gr)
  Ids ids = {};
  std::optional<VertexId> default_source = {};  ///< Rodinia files name one
  ReadReport report = {};
};

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
