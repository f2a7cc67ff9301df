// What the parts of the edge list reader share: the columns that the first rows show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.h"
#include "io/sink.h"
#include "io/stated.h"

namespace hopwave::io {

struct Columns {
  char separator = 0;                      ///< ',' ';' '|' or '\t' (names only); 0: blanks
  int count = 2;                           ///< of the first row
  bool weighted = false;                   ///< the third column is a number
  bool ignored = false;                    ///< columns behind those read are passed over
  bool names = false;                      ///< ids are text
  bool header = false;                     ///< the first row names the columns
  Stated stated = {};                      ///< in comments, or in a column of types
  std::optional<std::size_t> type_column;  ///< "Directed" or "Undirected" in each row
  std::optional<std::uint64_t> promised;   ///< "# Nodes: N"
  std::vector<std::uint64_t> lone_ids;     ///< "# Isolated:<TAB>7": a vertex that no row names
  std::vector<std::string> lone_names;     ///< "# Isolated:<TAB>"Rome"", which makes all ids text
};

inline constexpr std::string_view isolated_mark = "# Isolated:\t";
inline constexpr std::size_t longest_name = 65535;  ///< bytes of an id that is text

/// Looks at the first rows; afterwards the input begins with the first of edges.
/// Errors: HW-EDGE-EMPTY, HW-EDGE-COLUMNS, HW-EDGE-HEADER, HW-FORMAT-AMBIGUOUS, HW-TEXT-UTF16.
Columns find_columns(Input& input, bool names);
std::string describe(const Columns& columns, const Input& input);
/// The cells of a row; quotes are kept.
std::vector<std::string_view> split_row(std::string_view row, char separator);
/// A comment behind a row of names begins a column of its own, the third or a later one ("C# #1" is two names).
void cut_comment(std::vector<std::string_view>& cells);
/// The text of a cell of a separated file; nothing if its quotes are wrong. "say ""x""" is: say "x"
std::optional<std::string> unquoted(std::string_view cell);
bool is_integer(std::string_view cell);
bool is_number(std::string_view cell);

/// The column of a header that is called "type".
std::optional<std::size_t> find_type_column(const std::vector<std::string_view>& header);
/// Takes what it says in the first row, if that is a direction.
void state_direction(std::size_t type_column, const std::vector<std::string_view>& first_row, Columns& columns);
/// Fails with HW-READ-DIRECTION at a row of another direction than the first, unless the caller decides for all.
void check_direction(const Block& block, const Columns& columns, const ReadOptions& options);

/// Takes what a comment before the rows tells of vertices and edges.
void read_comment(std::string_view line, Columns& columns);
/// Maps ids, of which `columns` may tell how many there are. Errors: HW-EDGE-HUGE.
void map_told_ids(Input& input, const Columns& columns, class RowStore& raw, EdgeList& list);
/// A comment line that says undirected; empty of a directed graph.
std::string direction_comment(const Graph& graph);
/// Comments that tell the vertices of a graph with numeric ids; empty if the rows name all of them.
std::string vertex_comments(const Graph& graph);

EdgeList read_names(Input& input, const Columns& columns);
/// Sorted, without duplicates. Errors: HW-EDGE-ID.
std::vector<std::uint64_t> read_vertex_list(const std::string& path, const ReadOptions& options);

}  // namespace hopwave::io
