// One run of `hopwave bench`: what was asked, what was measured, what is printed and written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/frame/bench_files.h"
#include "cli/frame/bench_scan.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/search_options.h"
#include "measure/bench_file.h"
#include "measure/measure.h"
#include "measure/procedures.h"

namespace hopwave::cli {

struct BenchArguments {
  std::vector<std::string> graphs;
  GraphArguments reading;
  SearchArguments search;
  std::vector<std::string> scans;
  std::string export_json, export_csv, export_markdown, baseline, max_regression = "1.1";
  std::int64_t warmup = 1, runs = 5, sources = 4, scale = 16, edge_factor = 16;
  bool trace = false, pictures = false, no_verify = false;

  [[nodiscard]] Exports exports() const {
    return {{"--export-json", export_json}, {"--export-csv", export_csv}, {"--export-markdown", export_markdown}};
  }
};

/// --baseline, read before anything is measured.
struct Baseline {
  report::BenchFile file;
  double allowed = 1;  ///< --max-regression
};

class Bench {
 public:
  /// `baseline`: as check_bench() returned it.
  Bench(const BenchArguments& arguments, Context& context, std::optional<Baseline> baseline);
  /// The exit code: 1 if --baseline found something slower, 3 if it has nothing of what was measured.
  int run();
  /// The same for a run of the procedure that several processes have done.
  int publish_graph500(report::Graph500Run run);

 private:
  int measure();
  /// As it was given: every option may change what is measured.
  std::string command_line() const;
  Graph load_one(const std::string& name);
  /// A parameter that none of the strategies has is a slip, not a choice.
  void check_parameters(const std::vector<std::string>& names) const;

  void plain(const std::vector<std::string>& graphs, const std::vector<std::string>& names);
  void measure_graph(const report::GraphFacts& facts, const Graph& graph, const std::vector<VertexId>& sources,
                     const std::vector<std::string>& names);
  void measure_one(const report::GraphFacts& facts, const Graph& graph, const report::Configuration& configuration,
                   const std::vector<VertexId>& sources);

  // Procedures that others have defined: bench_procedures.cpp.
  int graph500();
  /// GAP's BFS trials: 64 different sources, one timed run each.
  void gap(std::vector<std::string> graphs);
  /// The survey's section 5: every variant on every dataset over grid × block, the least of the runs.
  void survey(std::vector<std::string> graphs);
  void survey_widths(const report::GraphFacts& facts, const Graph& graph, const std::vector<VertexId>& sources,
                     std::size_t first);
  void survey_traces(const Graph& graph, const std::vector<VertexId>& sources, std::size_t first);

  int finish();
  /// Files and standard output.
  void publish();
  /// What was measured before an error, which the caller throws on.
  void keep_measured(const char* error);
  void print_table() const;
  int compare();

  const BenchArguments& arguments_;
  Context& context_;
  const std::optional<Baseline> baseline_;
  const int threads_;
  report::MeasureOptions options_;
  SearchOptions search_;
  std::vector<Scan> scans_;
  report::BenchFile file_;
  std::string text_;
  bool published_ = false;
};

/// Checks the arguments before anything is measured, and reads the file to compare with. Throws HW-USAGE-OPTION,
/// HW-USAGE-VALUE, and what read_bench() throws.
std::optional<Baseline> check_bench(const BenchArguments& arguments, const Context& context);

/// One job of all ranks (Context::ranks): Graph500's procedure, which rank 0 reports. Returns the exit code. AgreedErrors:
/// HW-RANKS-OPTION, and those of draw_slices(), of the search and of verify().
int bench_on_ranks(const BenchArguments& arguments, Context& context);

}  // namespace hopwave::cli
