// Sink: where writers put bytes: a file, or a compressor in front of one. And formatting rows in parallel.
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/parallel.h"
#include "graph/weight_text.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"

namespace hopwave::io {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::string_view bytes) = 0;
  /// Flushes; nothing may be written afterwards.
  virtual void finish() = 0;
  /// Reports to the caller of write_graph() that `done` of `total` units are written; throws HW-INTERRUPTED if it wants no
  /// more.
  void report_progress(std::uint64_t done, std::uint64_t total) const;
  /// `report` must live as long; null: no reports.
  void report_to(const Progress* report) { report_ = report; }

 private:
  const Progress* report_ = nullptr;
};

/// Writes to `file`; compresses for names ending in .gz or .zst.
std::unique_ptr<Sink> make_sink(OutputFile& file, std::string_view path, int level);

/// Text of one chunk of rows.
class Lines {
 public:
  template <class Integer>
  Lines& integer(Integer value) {
    char digits[24];
    const auto result = std::to_chars(digits, digits + sizeof digits, value);
    text_.append(digits, result.ptr);
    return *this;
  }
  /// The shortest text that is read back as the same number.
  Lines& weight(const Weights& weights, std::size_t i) {
    char digits[graph::longest_weight];
    text_.append(digits, graph::put_weight(digits, weights, i));
    return *this;
  }
  Lines& put(char c) {
    text_ += c;
    return *this;
  }
  Lines& put(std::string_view text) {
    text_ += text;
    return *this;
  }
  std::string& text() { return text_; }

 private:
  std::string text_;
};

/// Throws HW-FORMAT-WRITE if the name asks for a packing that this build lacks.
void check_packing(std::string_view path);

/// format(begin, end, lines) for ranges of [0, count) on all members; the texts are written in order.
void write_in_order(Sink& out, std::size_t count, const std::function<void(std::size_t, std::size_t, Lines&)>& format);

/// Are all of the graph's weights integers from `lowest` to `highest`? For formats that know no others.
void need_integer_weights(const Graph& graph, std::int64_t lowest, std::int64_t highest, const char* format);
/// Are all of the graph's weights numbers that are read again? "nan" and "inf" are not.
void need_finite_weights(const Graph& graph, const char* format);
/// For formats whose ids are numbers: Error HW-WRITE-NAMES if the graph's are text,
/// HW-WRITE-RANGE if one is negative.
void need_numeric_ids(const Graph& graph, const char* format);

void write_edge_list(const Graph& graph, Sink& out, const WriteOptions& options);
void write_names(const Graph& graph, Sink& out, const WriteOptions& options);
void write_matrix_market(const Graph& graph, Sink& out, const WriteOptions& options);

}  // namespace hopwave::io
