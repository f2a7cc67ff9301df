// Tables for people, as wide as the terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/frame/console.h"

namespace hopwave::cli {

/// Rows of cells. On a terminal that is too narrow, columns that have no room follow in a table of their own, with the first
/// column again; a last column of words is broken with a hanging indent instead.
class TextTable {
 public:
  struct Column {
    std::string title;
    std::size_t least = 0;  ///< columns of the terminal, at least
    bool left = false;      ///< aligned to the left
  };
  /// `gap`: blanks between columns.
  explicit TextTable(std::vector<Column> columns, std::size_t gap = 1) : columns_(std::move(columns)), gap_(gap) {}
  /// `strong`: bold, such as the best.
  void row(std::vector<std::string> cells, bool strong = false) { rows_.push_back({std::move(cells), strong}); }
  void print(Console& console, Stream stream) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool strong;
  };
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::size_t gap_;
};

}  // namespace hopwave::cli
