// Bench files: everything a measurement needs to be believed and repeated, as JSON (schema hopwave-bench/1, docs/json.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "draw/charts.h"
#include "hopwave/search.h"
#include "measure/measure.h"

namespace hopwave::report {

/// Where and how the measurements were made.
struct Environment {
  std::string command;  ///< as typed
  std::string version;  ///< of hopwave
  std::string commit;   ///< of the source it was built from; "unknown" for a release archive
  std::string date;     ///< UTC, ISO 8601
  std::string cpu;      ///< model name
  int threads = 0;
  DeviceInfo device;
  double copy_bytes_per_second = 0;         ///< of the GPU's memory, bytes read plus written; 0: not measured
  int clock_mhz = 0, memory_clock_mhz = 0;  ///< of the GPU when the measurement ended; 0: not known
};

struct BenchFile {
  Environment environment;
  std::string procedure = "bench";  ///< "bench", "graph500", "gap", "survey", "tune"
  std::string ended;                ///< the error that ended the run before all was measured; empty: none did
  std::vector<Measurement> measurements;
  std::vector<GraphPicture> pictures;
};

/// With a GPU this also measures its copy bandwidth (1 GiB, best of five), which the roofline needs.
Environment current_environment(std::string command, int threads);
/// "AMD EPYC …"; "unknown" where the system does not say.
std::string cpu_model();
GraphPicture draw_graph(const std::string& name, const Graph& graph, std::uint32_t bins = 64);
/// (least out-degree of a power-of-two bin, vertices), where there are vertices.
std::vector<std::pair<std::uint64_t, std::uint64_t>> degree_bins(const Graph& graph);

std::string to_json(const BenchFile& file);
/// Does the text say that it is one? It may still have faults.
bool is_bench_file(const std::string& text);
/// Throws HW-BENCH-FILE (not JSON, another schema, a key missing) with the file's name.
BenchFile bench_from_json(const std::string& text, const std::string& name);
/// One row a measurement: graph, strategy, device, parameters, statistics.
std::string to_csv(const BenchFile& file);
/// A table strategy × graph of medians in milliseconds, one more for skipped combinations.
std::string to_markdown(const BenchFile& file);

/// A name as a cell of a Markdown table, which a bar or a line break would end.
std::string markdown_cell(const std::string& text);

/// "width=16 block=256", in the order of names; empty for none.
std::string parameter_text(const Parameters& parameters);

/// A measurement that got slower than allowed.
struct Regression {
  std::string what;
  double before_ms = 0, now_ms = 0;
};
struct Comparison {
  std::size_t measured = 0;  ///< measurements that ran
  std::size_t compared = 0;  ///< of them: those that the baseline has as well (same graph hash, strategy, device, parameters)
  std::vector<Regression> slower;
};
/// Those slower than `allowed` times their baseline.
Comparison regressions(const BenchFile& now, const BenchFile& baseline, double allowed);

}  // namespace hopwave::report
