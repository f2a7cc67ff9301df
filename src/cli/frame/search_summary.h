// SearchSummary: the report of a command that searched, as a summary for people and as JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/search_options.h"
#include "cli/frame/tally.h"

namespace hopwave::cli {

/// A level as one of several processes saw it.
struct RankLevel {
  double compute_ms, wait_ms, exchange_ms;
  std::uint64_t bytes_sent;
};

struct OneSearch {
  std::vector<VertexId> sources;
  VertexId reached = 0;
  Distance depth = 0;
  Tally tally;
  SearchReport run;
  std::vector<std::vector<RankLevel>> ranks = {};  ///< by process and level; of several processes, if explained
};

struct SearchSummary {
  std::optional<GraphFacts> graph = {};
  double load_seconds = 0;
  /// Of all searches: the strategy and the device that ran, and the Searcher's times. `work` and `copy_out` are each search's.
  RunReport run = {};
  RunOptions options = {};  ///< how they were asked to run
  std::string asked;        ///< the strategy that was asked for
  std::string gpus = {};    ///< their numbers, if there are several
  std::string ranks = {};   ///< of several processes: how many, and what each has
  Direction direction = Direction::out;
  double write_seconds = 0, verify_seconds = 0;
  std::string source_how;
  int num_ranks = 1;
  std::string exchange;         ///< how ranks exchange; empty: there is one process
  std::string device_why = {};  ///< times by which --device auto chose; may be empty
  std::vector<OneSearch> searches;
  bool verified = false, parents = false, wrote = false, explained = false,
       limited = false;  ///< parents: found; limited: by depth or target
  std::string output;    ///< file written
};

/// Edges of the reached part per second of search.
double teps(const OneSearch& search);

void print_summary(Console& console, Stream stream, const SearchSummary& report);
void print_levels(Console& console, Stream stream, const SearchSummary& report);
/// ROCm's and Rodinia's run statistics.
void print_run_statistics(Console& console, Stream stream, const SearchSummary& report);
/// Adds a note if the system started fewer threads than asked for, unless there is one already.
void note_missing_threads(SearchSummary& report, const Team& team);
/// A message if a source reaches next to nothing.
void warn_if_tiny(Console& console, const SearchSummary& report);
Json report_json(std::string_view name, const SearchSummary& report);

}  // namespace hopwave::cli
