// What the parts of the edge list reader share: the columns that the first rows show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.h"
#include "io/sink.h"

namespace hopwave::io {

struct Columns {
  char separator = 0;     ///< ',' ';' '|' or '\t' (names only); 0: blanks
  int count = 2;          ///< of the first row
  bool weighted = false;  ///< the third column is a number
  bool ignored = false;   ///< columns behind those read are passed over
  bool names = false;     ///< ids are text
  bool header = false;    ///< the first row names the columns
  bool says_undirected = false;
  std::optional<std::uint64_t> promised;  ///< "# Nodes: N"
  std::size_t start = 0;                  ///< offset of the first row in head()
};

/// Looks at the first rows. Errors: HW-EDGE-EMPTY, HW-EDGE-COLUMNS, HW-EDGE-HEADER, HW-FORMAT-AMBIGUOUS, HW-TEXT-UTF16.
Columns find_columns(Input& input, bool names);
std::string describe(const Columns& columns, const Input& input);
/// The cells of a row (without comment); quotes are kept.
std::vector<std::string_view> split_row(std::string_view row, char separator);
bool is_integer(std::string_view cell);
bool is_number(std::string_view cell);

EdgeList read_names(Input& input, const Columns& columns);
/// Sorted, without duplicates. Errors: HW-EDGE-ID.
std::vector<std::uint64_t> read_vertex_list(const std::string& path, const ReadOptions& options);

}  // namespace hopwave::io
