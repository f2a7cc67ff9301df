// The first rows of a table, step by step: their cells, and the kind of the first row. find_columns() uses these steps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/edge_list.h"

namespace hopwave::io {

/// Two integers in the first cells.
bool integer_ids(const std::vector<std::string_view>& cells);
/// Excel's first line: sep=; in quotes or not. 0: it is none.
char stated_separator(std::string_view line);
/// A tab separates names, which may hold spaces and commas; between integers any blanks do.
char find_separator(std::string_view row, bool names);
/// The first rows of head(), whose first row is complete. `all`: there are no others.
std::vector<SampleRow> first_rows(Input& input, std::size_t first_bytes, bool& all);
/// Finds the separator, unless it is given, and whether cells are quoted, and cuts the rows.
void cut_rows(std::vector<SampleRow>& rows, char separator, Columns& columns);

/// Does the first row name the columns? A guess is in `columns`, as are notes. Errors: HW-EDGE-COLUMNS, HW-EDGE-HEADER.
bool is_header(Input& input, const std::vector<SampleRow>& rows, Columns& columns);
/// Can these cells count vertices and rows?
bool may_count(const std::vector<std::string_view>& cells);
/// Do the rows below the first, of which all are here, fit these numbers?
bool fit_counts(const std::vector<SampleRow>& rows, const std::vector<std::uint64_t>& numbers);

}  // namespace hopwave::io
