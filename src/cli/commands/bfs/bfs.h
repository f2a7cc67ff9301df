// What `hopwave bfs` is asked, and its two ways to answer: in this process, or together with others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands/bfs/result_writer.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/search_options.h"
#include "cli/frame/search_summary.h"
#include "draw/picture.h"
#include "simulator/races.h"

namespace hopwave::cli {

struct BfsArguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string output, format, mode = "nearest", target, ties = "any", without, picture, coordinates, layout = "auto", against,
                              timeline, races = "auto", distance_type = "int32";
  bool parents = false, graph500_parents = false, verify = false, explain = false;
  std::int64_t max_depth = -1, step = 0;
};

/// What was meant by it. Words that name vertices are kept until the graph is known.
struct BfsJob {
  GraphArguments graph;
  SourceArguments sources;
  std::string target, without;  ///< empty: none
  SearchOptions options;
  Query query;        ///< of every search, but for its vertices
  bool each = false;  ///< one search per source
  bool tuned = false, verify = false, explain = false;
  std::string output;
  OutputShape shape;
  std::string picture;      ///< a file; empty: none
  std::string coordinates;  ///< a file of the places of all vertices, for a map; empty: none
  picture::Placing placing = picture::Placing::automatic;
  PictureOptions shown;     ///< by the picture
  std::string beside;       ///< a strategy whose steps a page shows as well; empty: none
  std::string timeline;     ///< a file; empty: none
  std::string strategy;     ///< as asked for
  bool races = false;       ///< look for races
  bool race_fails = false;  ///< a race ends the command with exit code 5

  [[nodiscard]] bool limited() const { return query.max_depth >= 0 || !target.empty(); }
};
[[noreturn]] void refuse(const char* found, const char* expected, const char* hint = "");
/// All complaints about arguments, before any work: of one process, or of several that search together.
BfsJob check_bfs(const BfsArguments& arguments, Context& context);

/// One query, or one for each source.
std::vector<Query> queries_of(const BfsJob& job, const std::vector<VertexId>& sources, VertexId target);

/// What was found, as a summary or as JSON, and warnings.
void report_bfs(const BfsJob& job, Context& context, const SearchSummary& report, bool target_found,
                const sim::Races& races = {});

/// One job of all ranks (Context::ranks): each searches its share of the graph, rank 0 prints and writes. Returns the exit
/// code.
int bfs_on_ranks(const BfsArguments& arguments, Context& context);

}  // namespace hopwave::cli
