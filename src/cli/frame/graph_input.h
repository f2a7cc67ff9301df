// Reading a graph for a command: its options, its progress, and the notes afterwards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_facts.h"
#include "hopwave/estimate.h"
#include "hopwave/graph.h"
#include "hopwave/io.h"

namespace hopwave::cli {

struct GraphArguments {
  std::string graph;
  std::string input_format;
  bool undirected = false, directed = false, bipartite = false, no_bipartite = false, lenient = false, allow_huge = false,
       drop_zeros = false;
  bool keep_duplicates = false, keep_self_loops = false;
  bool clean = false;  ///< of commands that otherwise keep everything
  std::string columns, header, missing_weight;
  bool decimal_comma = false;
  bool no_weights = false;
  std::string cache;  ///< "on", "off", or as HOPWAVE_CACHE says
  std::int64_t threads = 0;
};

/// The positional GRAPH.
Option graph_argument(GraphArguments& arguments);
/// --threads, for reading and for the work afterwards: every command has it in its group Running.
Option threads_option(GraphArguments& arguments);
/// --undirected, --directed, --bipartite, --input-format, --lenient, --allow-huge; and what to do with duplicates
/// and self-loops: searches drop them unless --keep-… is given, commands that show or copy a graph keep them unless --clean is
/// given.
OptionGroup reading_options(GraphArguments& arguments, bool keeps_all = false);

ReadOptions read_options(const GraphArguments& arguments);
BuildOptions build_options(const GraphArguments& arguments);
/// `value` in [lowest, highest] as an int; else HW-USAGE-VALUE.
int checked_int(std::string_view option, std::int64_t value, std::int64_t lowest, std::int64_t highest);

/// What was loaded, and what its reports do not have.
struct Loaded {
  Graph graph;
  double seconds = 0;  ///< from name to graph
};

/// The spec that a misspelled one means (gird:4x4 → grid:4x4).
std::optional<std::string> meant_spec(const std::string& name);
/// Throws HW-IO-OPEN with that spec as a hint.
void check_graph_name(const std::string& name);
/// A note if GRAPH is no file and --input-format has no effect. No error, so that scripts can use files and specs alike.
void note_input_format(Context& context, const GraphArguments& arguments);
/// Loads with a progress line; refuses with exit code 4 before reading what cannot fit. Reports repairs.
/// `job` is what will be done: what it takes is estimated first.
Loaded load(Context& context, const GraphArguments& arguments, EstimateOptions job, bool build_in);

/// Says that a command does not use the graph's weights, in a warning and among the graph's notes. `instead`: what does.
void note_unused_weights(Context& context, Graph& graph, std::string_view command, std::string_view instead = {});

/// write_graph() with progress on the screen.
void write(Context& context, const Graph& graph, const std::string& path, WriteOptions options);
Loaded load(Context& context, const GraphArguments& arguments, bool build_in = false);

/// "matrix-market, pattern symmetric; undirected; ids as in the file" and the like, in lines for a summary.
struct Reading {
  std::string input;  ///< name: format, details
  std::string graph;  ///< vertices, edges, directed, ids
  std::string edges;  ///< rows, self-loops, duplicates
};
Reading describe(const GraphFacts& graph);

}  // namespace hopwave::cli
