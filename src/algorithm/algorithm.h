// algorithm: a folder an algorithm, its CPU and GPU side by side. None uses another, and none reads files or prints.
//
// Row: what an algorithm is. The tool's command with its help, pages, JSON and files is made of it (cli/frame/from_table.h),
// and the tests go through all rows. row.cpp in an algorithm's folder ends in HOPWAVE_ALGORITHM; the build makes the table of
// those files.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "hopwave/estimate.h"
#include "hopwave/graph.h"
#include "hopwave/limits.h"
#include "hopwave/search.h"
#include "hopwave/validate.h"

namespace hopwave::algorithm {

/// How it runs.
struct Run {
  DeviceKind device = DeviceKind::cpu;
  int threads = 0;
  DeviceOptions on = {};
  std::uint64_t seed = 1;  ///< schedule of the simulator
  ScheduleKind schedule = ScheduleKind::uniform;
  Limits limits = {};
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// The same as an algorithm's own options.
template <class Options>
Options options_of(const Run& run) {
  Options options;
  options.device = run.device;
  options.threads = run.threads;
  options.on = run.on;
  options.seed = run.seed;
  options.schedule = run.schedule;
  options.limits = run.limits;
  options.progress = run.progress;
  return options;
}

/// A vertex, which its caller knows by its id; no_vertex: none.
struct Vertex {
  VertexId vertex = no_vertex;
};
/// How often each value occurs, under two names.
struct Counts {
  std::string_view value, count;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
};
/// A figure of the whole graph: a key of the JSON document, in this order.
struct Figure {
  std::string_view name;
  std::variant<std::uint64_t, Vertex, Counts> value;
};

/// One value a vertex, in the columns' order.
struct Column {
  std::string_view name;  ///< of the array in other languages: "label"
  bool vertices = false;  ///< the values are vertices: files have their ids
};

/// A line for people: what it is about, and what there is to say. "{time}" stands for how long it took and where.
struct Line {
  std::string label, text;
};

struct Found {
  std::vector<Figure> figures;
  std::vector<Array<std::uint32_t>> columns;
  std::vector<Line> lines;
  DeviceKind device = DeviceKind::cpu;  ///< where it was found
  double search_ms = 0, copy_seconds = 0;
  std::vector<std::string> notes;
  Verdict verdict;  ///< of the check, if there was one
};

struct Example {
  std::string_view line, what;
};

struct Row {
  std::string_view name;         ///< of the command
  std::string_view summary;      ///< one line
  std::string_view description;  ///< paragraphs, separated by blank lines
  std::string_view doing;        ///< what stands beside the progress: "finding components"
  std::string_view writes;       ///< what a row of a result file has, for --output: "id and component"
  std::string_view checks;       ///< what --verify checks, in a sentence; empty: there is no check
  std::string_view checked;      ///< what it has shown then
  EstimateJob job;
  std::vector<Column> columns;
  std::vector<Example> examples;
  /// With `check`, the answer is verified, too.
  Found (*run)(const Graph& graph, const Run& run, bool check);
};

/// All, by the names of their folders.
std::span<const Row* const> rows();

}  // namespace hopwave::algorithm

/// At the end of src/algorithm/FOLDER/row.cpp: HOPWAVE_ALGORITHM(FOLDER, row_expression)
#define HOPWAVE_ALGORITHM(folder, ...)  \
  namespace hopwave::algorithm {        \
  const Row& folder##_row() {           \
    static const Row row = __VA_ARGS__; \
    return row;                         \
  }                                     \
  }
