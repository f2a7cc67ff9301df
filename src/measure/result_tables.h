// Results that are no bench files, as tables: any JSON with rows in it, such as those in bench/results.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hopwave::report {

/// A value as it is written, and whether it is a number.
struct Cell {
  std::string text;
  bool number = false;
};

struct ResultTable {
  std::string title;  ///< the keys that lead to its rows: "graphs › rows"
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  ///< each as long as `columns`
};

struct ResultFile {
  std::string name;
  std::vector<std::pair<std::string, std::string>> facts;  ///< what the file says once
  std::vector<ResultTable> tables;
};

/// An array of objects becomes a table, and so do objects of equal keys under one key; what they contain has columns of its
/// own ("run › ms"). Rows within a row have a table with the outer row's values in front. Throws HW-BENCH-FILE where the text
/// is no JSON or has no rows.
ResultFile tables_from_json(const std::string& text, const std::string& name);

}  // namespace hopwave::report
