// What an input states in addition to its rows: whether edges have a direction, and whether their two ends are of two kinds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "io/input.h"

namespace hopwave::io {

struct Stated {
  bool undirected = false, directed = false;
  bool firmly = false;     ///< a comment begins with the word; that goes before comments that mention it
  bool both_ways = false;  ///< undirected, and each edge is in the rows in both directions
  bool two_sided = false;  ///< ids of the first column and of the second are two name spaces
  bool bipartite = false;  ///< the word is there; one name space or two, it does not say
};

/// The two comments that hopwave writes, after the format's sign of a comment.
inline constexpr std::string_view each_edge_once = "Undirected graph (each edge once)";
inline constexpr std::string_view each_edge_in_both = "Undirected graph (each edge in both directions)";

/// Takes the words of a comment: KONECT's "% sym", "% asym", "% bip"; "# Undirected graph", "# directed: false" and the like.
void read_words(std::string_view comment, Stated& stated);

/// Rows and columns of a matrix.
struct Sides {
  std::uint64_t left = 0, right = 0;
};

/// Decides on direction and sides: the caller's wish goes first, then what the input states (with a note), then directed and
/// one-sided. `shape`: of a matrix, one with as many rows as columns only if the caller wishes two sides.
/// Two-sided: ids become the texts left:ID and right:ID. Errors: HW-READ-DIRECTION, HW-READ-BIPARTITE, HW-VERTICES-MAX.
void settle(Input& input, const Stated& stated, EdgeList& list, std::optional<Sides> shape = {});

}  // namespace hopwave::io
