// A row of a table, cell by cell: which ids, which arcs, which weights.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <string_view>
#include <vector>

#include "io/edge_list.h"
#include "io/weight_columns.h"

namespace hopwave::io {

/// Weights that rows lack, counted by all threads.
struct MissingWeights {
  std::atomic<std::uint64_t> dropped{0}, replaced{0};

  void note_in(const ReadOptions& options, ReadReport& report) const;
};

class CellReader {
 public:
  CellReader(const Columns& columns, const ReadOptions& options, Mended& mended, MissingWeights& missing);

  struct Row {
    std::string_view source, target;  ///< cells, with their quotes
    bool there = true, back = false;  ///< which arcs the row gives
    Number weight, back_weight;
  };
  /// False: the row is left out, and counted.
  bool read(const Block& block, std::string_view text, Row& row);
  /// Does a comment begin at `p`, after the blanks with which a row begins? After an empty cell there is none.
  [[nodiscard]] bool comments(const char* row, const char* p) const {
    const bool cells = columns_.separator == '\t' && columns_.count > 2;
    return edge_list_comment({p, 2}) && !(cells && std::find(row, p, '\t') != p);
  }
  /// Marks in Mended that a comment states a direction.
  void look_for_direction(std::string_view comment);
  /// Does so, and fails if a comment of a table may be a row: "#tag,b".
  void pass_comment(const Block& block, std::string_view text);
  /// Fails, or counts the row as left out.
  bool bad(const Block& block, const char* at, const char* id, const std::string& expected, const std::string& hint = "",
           std::string found = "");
  /// Is the row the header once more? Then it fails, or counts the row as left out.
  bool repeats_header(const Block& block, std::string_view text);

 private:
  enum class Value { number, missing, bad };
  enum class Missing { error, drop, value };

  bool cut(const Block& block, std::string_view text);
  bool cut_attributes(const Block& block, std::string_view text);
  [[nodiscard]] bool is_header() const;
  bool refuse_header(const Block& block, std::string_view text);
  bool read_arcs(const Block& block, Row& row);
  bool read_direction(const Block& block, Row& row);
  Value read_weight(const Block& block, std::string_view cell, Number& number);
  [[nodiscard]] std::string_view cell(int i) const {
    const auto at = static_cast<std::size_t>(i);
    return at < cells_.size() ? cells_[at] : std::string_view(end_, end_);
  }

  const Columns& columns_;
  const ReadOptions& options_;
  Mended& mended_;
  MissingWeights& missing_;
  Missing when_missing_ = Missing::error;
  Number instead_;
  std::vector<std::string_view> cells_;
  std::string_view value_;     // of the attribute that is the weight
  const char* end_ = nullptr;  // of the row
};

/// The dictionary at the end of a row as NetworkX writes it; empty if there is none.
std::string_view dictionary_in(std::string_view row);
/// Calls use(key, value) for what {'weight': 3.5, 'color': 'red'} holds, both without quotes. False if it is none.
bool for_each_attribute(std::string_view text, const std::function<void(std::string_view, std::string_view)>& use);

}  // namespace hopwave::io
