// Writing distances and parents, in the caller's ids, in every format that `bfs -o` offers.
// One row per vertex in ascending order of internal ids, which is the order of the caller's integer ids.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/graph_facts.h"
#include "cli/frame/result_file.h"
#include "core/parallel.h"
#include "hopwave/io.h"
#include "hopwave/search.h"

namespace hopwave::cli {

struct OutputShape {
  std::string format = "text";  ///< text, tsv, csv, json, npy, rodinia
  bool parents = false;
  bool roots_own_parent = false;  ///< Graph500's way; else a root's parent is −1
  bool each = false;              ///< several searches: rows begin with their source
  std::size_t searches = 1;
  std::string distance_type = "int32";  ///< npy: int32, uint16, uint8
};

/// The format that a file name asks for: .csv, .json, .npy; .txt, .tsv or no ending is text. Throws Error HW-FORMAT-WRITE.
std::string format_of(const std::string& path);
/// Throws Error (usage) for combinations that a format cannot hold.
void check_shape(const OutputShape& shape);

class ResultWriter {
 public:
  /// `check` is called now and then and may throw to stop.
  ResultWriter(const std::string& path, const OutputShape& shape, const GraphFacts& graph, int threads,
               std::function<void()> check);
  /// One search; called `searches` times.
  void add(const Result& result, const std::vector<VertexId>& sources);
  /// Makes the file appear.
  void commit();
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  void begin();
  void add_rows(const Result& result, char separator, std::string_view prefix);
  void add_rodinia(const Result& result);
  /// `distance`: of the type that the shape names.
  template <class Value>
  void add_npy(const Result& result, std::span<const Value> distance);
  void add_npy(const Result& result);
  void add_json(const Result& result, const std::vector<VertexId>& sources);
  void put_id(VertexId v, char separator, class RowText& text) const;
  void put_parent(const Result& result, VertexId v, char separator, class RowText& text) const;
  [[nodiscard]] VertexId parent_of(const Result& result, VertexId v) const;

  const OutputShape shape_;
  const GraphFacts graph_;
  const std::function<void()> check_;
  Team team_;
  ResultFile out_;
  std::size_t added_ = 0;
  double seconds_ = 0;
};

}  // namespace hopwave::cli
