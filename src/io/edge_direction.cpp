// Gephi's column "Type": each row says whether its edge is directed. A graph is all of one kind here.
#include <algorithm>
#include <cctype>

#include "hopwave/error.h"
#include "io/edge_list.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

std::string kind_in(const std::vector<std::string_view>& cells, std::size_t column) {
  std::string kind = column < cells.size() ? unquoted(cells[column]).value_or("") : "";
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kind;
}

}  // namespace

std::optional<std::size_t> find_type_column(const std::vector<std::string_view>& header) {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (kind_in(header, i) == "type") return i;
  return std::nullopt;
}

void state_direction(std::size_t type_column, const std::vector<std::string_view>& first_row, Columns& columns) {
  const std::string kind = kind_in(first_row, type_column);
  if (kind != "directed" && kind != "undirected" && kind != "mutual") return;  // a type of another kind
  columns.type_column = type_column;
  (kind == "undirected" ? columns.stated.undirected : columns.stated.directed) = true;
}

void check_direction(const Block& block, const Columns& columns, const ReadOptions& options) {
  if (!columns.type_column || options.directed || options.undirected) return;
  const char* const kind = columns.stated.undirected ? "undirected" : "directed";
  for (const char* p = block.begin; p < block.end; p = skip_line(p, block.end) + 1) {
    const char* const first = skip_blanks(p);
    if (*first == '\n' || edge_list_comment({first, 2})) continue;
    const auto cells = split_row({first, static_cast<std::size_t>(skip_line(first, block.end) - first)}, columns.separator);
    if (kind_in(cells, *columns.type_column) == kind) continue;
    const bool there = *columns.type_column < cells.size();
    block.fail(there ? cells[*columns.type_column].data() : first, "HW-READ-DIRECTION",
               std::string("the type ") + kind + ", as in the first row", "--directed or --undirected decides for all rows",
               there ? "" : "a row without its type");
  }
}

}  // namespace hopwave::io
