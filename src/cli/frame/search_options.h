// Options that commands with searches share: how the search runs (strategy, device, parameters) and its sources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithm/algorithm.h"
#include "cli/frame/command.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"
#include "hopwave/graph.h"
#include "hopwave/search.h"

namespace hopwave::cli {

struct SearchArguments {
  std::string strategy = "auto", device = "auto", direction = "out", schedule = "uniform", time_limit, gpus, exchange = "auto";
  std::vector<std::string> params;
  bool prepare = false, partition = false;
  std::uint64_t seed = 1;
};
/// --strategy, --device, --param, --prepare, --threads, --time-limit, --seed, --schedule: the options of this group keep this
/// order in every command.
OptionGroup running_options(SearchArguments& arguments, GraphArguments& graph);
/// The same of shortest paths with weights.
OptionGroup weighted_running_options(SearchArguments& arguments, GraphArguments& graph);
Option direction_option(SearchArguments& arguments);
Option time_limit_option(SearchArguments& arguments);
/// --gpus, of commands that distribute many searches.
Option gpus_option(SearchArguments& arguments);
/// --partition, of commands that search a graph which several GPUs share.
Option partition_option(SearchArguments& arguments);
/// --exchange, of commands that several processes run together.
Option exchange_option(SearchArguments& arguments);
using algorithm::gpus_text;
/// Throws HW-USAGE-VALUE.
Limits to_limits(const SearchArguments& arguments);

/// One time limit for several searches that run one after the other. It begins with the object.
class SharedLimit {
 public:
  explicit SharedLimit(const Limits& limits) : whole_(limits) {}
  /// The time left for the next search; no limit remains none.
  [[nodiscard]] Limits rest() const;
  /// Runs search number `done` of `all`. Its HW-TIME-LIMIT names the whole limit, and how many searches are done.
  template <class Search>
  auto run(std::size_t done, std::size_t all, Search&& search) const {
    try {
      return search();
    } catch (const Error& error) {
      if (error.id() == "HW-TIME-LIMIT") over(done, all);
      throw;
    }
  }

 private:
  [[noreturn]] void over(std::size_t done, std::size_t all) const;

  Limits whole_;
  core::Stopwatch watch_;
};
/// The parameters of --param, without `best`. Throws HW-USAGE-VALUE with this hint.
Parameters to_parameters(const SearchArguments& arguments, const std::string& hint);
/// One seed: of draws and of the simulator's schedule.
RunOptions run_options(const SearchArguments& arguments, int threads);
SearchOptions search_options(const SearchArguments& arguments, int threads);
/// The same for shortest paths with weights.
SearchOptions weighted_search_options(const SearchArguments& arguments, int threads);
/// With --device auto: sets cpu if the whole process ends first there (bfs/searcher/whole_process.h). `passes`
/// of 64 searches at once and `searches` one by one. Returns the reason; empty if the caller decides, or the build has no GPU
/// backend.
std::string settle_device(DeviceKind& device, const std::string& strategy, const Graph& graph, std::uint64_t passes,
                          double searches, int threads);
/// The same for searches; with parameters, several GPUs or a preparation the caller has decided.
std::string settle_device(SearchOptions& options, const Graph& graph, std::uint64_t passes, double searches);
/// --param best was given.
bool wants_tuning(const SearchArguments& arguments);
Direction to_direction(const std::string& name);
ScheduleKind to_schedule(const std::string& name);
DeviceKind to_device(const std::string& name);

struct SourceArguments {
  std::vector<std::string> source;  ///< as given to -s
  std::string sources;              ///< as given to --sources: a,b,c
};
std::vector<Option> source_options(SourceArguments& arguments);

/// Sources found in a graph, and how they were chosen.
struct Sources {
  std::vector<VertexId> vertices;
  std::string how;  ///< "maxdeg: vertex 0, degree 27", "random:64@7", "named by the file"; empty: as given
};
/// Finds ids as the caller writes them, first, maxdeg, lcc, random:N@SEED; without any: the source that the file names.
/// Throws HW-QUERY-SOURCE (input) for vertices that are not there, HW-USAGE-SOURCE.
Sources find_sources(const Graph& graph, const SourceArguments& arguments, std::uint64_t seed);
/// Each vertex once, in order of first appearance: the sources of a search from the nearest of them.
std::vector<VertexId> distinct(const std::vector<VertexId>& vertices);
/// The vertex that the caller calls `name`; HW-QUERY-SOURCE if there is none, HW-QUERY-TARGET if `what` is "target". `file`:
/// where the graph comes from.
VertexId find_vertex(const Ids& ids, const std::string& file, const std::string& name, const char* what);
VertexId find_vertex(const Graph& graph, const std::string& name, const char* what);

// The parts of the above, for graphs whose arcs are on other ranks.

/// The words of -s and --sources, in order.
std::vector<std::string> source_words(const SourceArguments& arguments);
/// random:COUNT@SEED
struct RandomSources {
  std::uint64_t count = 1, seed = 1;
  /// The vertex of draw number `draw`. The caller skips vertices without an arc out, and repeated ones.
  [[nodiscard]] VertexId vertex(std::uint64_t draw, VertexId num_vertices) const;
  [[nodiscard]] std::string how() const;
  /// Throws HW-QUERY-SOURCE if fewer than `count` vertices have an arc out.
  void check(std::uint64_t able) const;
};
/// Nothing for another word. Throws HW-USAGE-SOURCE.
std::optional<RandomSources> parse_random(const std::string& word, std::uint64_t seed);
[[noreturn]] void refuse_no_vertices(const std::string& file);
[[noreturn]] void refuse_no_source();

}  // namespace hopwave::cli
