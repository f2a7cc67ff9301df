// Formats that are not read here, by their content: an error that names them helps more than a graph of their words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/input.h"

namespace hopwave::io {

struct Known {
  std::string name;  ///< "GEXF (Gephi)"
  std::string hint;  ///< how it becomes a format that is read
  bool sure = true;  ///< false: it could be an edge list, too
};

/// What to do about edges with arrows.
inline constexpr const char* cut_arrows =
    "write one edge per row, source and target with a tab between: sed -E 's/ *-+>? */\\t/' FILE > graph.tsv";

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Throws HW-FORMAT-KNOWN, or HW-FORMAT-AMBIGUOUS if it is not sure.
[[noreturn]] void refuse(Input& input, const Known& known);
/// Packed data and archives that are not unpacked here.
std::optional<Known> recognise_packing(std::string_view head);
/// Other binary files, markup, and languages that describe graphs. `head` is the begin of the file, or all of it.
std::optional<Known> recognise(std::string_view head);
/// Rows of text that are no edges, although they look like some: matrices, neighbours, triples, pairs in brackets, arrows.
std::optional<Known> recognise_rows(std::string_view head, bool whole, const Input& input);

/// The name of the first element of an XML text, which may have a prefix ("rdf:RDF"); "!html" for its document type; empty
/// if there is none.
std::string_view xml_root(std::string_view head);
/// Without blanks, line ends and a byte order mark before it.
std::string_view from_first_word(std::string_view head);

}  // namespace hopwave::io
