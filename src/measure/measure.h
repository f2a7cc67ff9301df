// measure: benchmarks, their statistics, files and report. Nothing that a search needs.
//
// Measuring: one configuration (graph × strategy × parameters) over many sources and runs, verified before its time counts.
// The output types are what bench files hold; docs/json.md gives their keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "measure/statistics.h"

namespace hopwave::report {

/// Facts of a graph that a figure is worthless without.
struct GraphFacts {
  std::string name;  ///< file or generator spec, as given
  Profile profile;
  bool directed = false;
  bool described = true;   ///< false: of the profile the sizes and the average alone are known, and the hash is not
  std::uint64_t hash = 0;  ///< of offsets and neighbours: two files with the same graph have the same
  double read_ms = 0, parse_ms = 0, build_ms = 0;
};

GraphFacts graph_facts(const std::string& name, const Graph& graph);

struct Configuration {
  std::string strategy;
  DeviceKind device = DeviceKind::automatic;
  Parameters parameters;
  bool prepare = false;
};

struct MeasureOptions {
  int warmup = 1;  ///< runs a source that do not count
  int runs = 5;    ///< runs a source that count
  bool verify = true;
  bool trace = false;       ///< one more, untimed run from the first source with a level trace
  bool allow_huge = false;  ///< start even where memory looks short
  /// `device` is that of each configuration. `seed`: of the sources. `limits`: of each search. Progress: "runs".
  RunOptions run = {};
};

/// One source of one configuration.
struct SourceRuns {
  VertexId source = 0;
  VertexId reached = 0;
  EdgeIndex component_arcs = 0;  ///< out-arcs of the vertices reached
  Distance depth = 0;
  std::vector<double> search_ms, host_ms;  ///< one per counted run
};

struct Measurement {
  GraphFacts graph;
  Configuration configuration;
  std::string ran;      ///< strategy that ran (auto resolved), with its own note
  std::string skipped;  ///< reason, if it did not run
  bool verified = false;
  std::vector<SourceRuns> sources;
  Statistics search_ms;  ///< over sources of each source's median
  Statistics host_ms;
  double teps_harmonic = 0;  ///< arcs (undirected: edges) of the component per second, harmonic mean over sources
  double copy_ms = 0, prepare_ms = 0;
  std::uint64_t launches = 0, round_trips = 0;  ///< of one run
  std::uint32_t levels = 0;
  std::vector<std::uint64_t> estimated_bytes;  ///< of each device that shared a drawn graph; empty: there were none
  std::vector<LevelTrace> trace;
};

/// Runs one configuration. An Error that says "cannot run here" (needs not met, does not fit, parameter out of range) becomes
/// `skipped`; a wrong answer is thrown as HW-BENCH-WRONG: its time must not count.
Measurement measure(const GraphFacts& facts, const Graph& graph, const Configuration& configuration,
                    const std::vector<VertexId>& sources, const MeasureOptions& options);

/// How a configuration is searched with.
SearchOptions search_options(const Configuration& configuration, const MeasureOptions& options);

/// One untimed run with a record of every level.
std::vector<LevelTrace> level_trace(const Graph& graph, const Configuration& configuration, VertexId source,
                                    const MeasureOptions& options);

/// `count` distinct random vertices of the largest component that have an arc out (all of them if fewer), from `seed`.
std::vector<VertexId> random_sources(const Graph& graph, std::size_t count, std::uint64_t seed);

}  // namespace hopwave::report
