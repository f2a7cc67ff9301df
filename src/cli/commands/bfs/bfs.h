// What `hopwave bfs` is asked, and its two ways to answer: in this process, or together with others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands/bfs/result_writer.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/search_options.h"
#include "cli/frame/search_report.h"

namespace hopwave::cli {

struct BfsArguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string output, format, mode = "nearest", target, ties = "any", without, picture, layout = "auto";
  bool parents = false, graph500_parents = false, verify = false, explain = false;
  std::int64_t max_depth = -1;
};

/// Throws HW-USAGE-OPTION for an option that would do nothing.
void check_bfs_options(const BfsArguments& arguments);
/// Throws Error (usage) for what a format cannot hold.
OutputShape output_shape(const BfsArguments& arguments, std::size_t searches);
/// One query, or with --mode each one a source.
std::vector<Query> bfs_queries(const BfsArguments& arguments, const std::vector<VertexId>& sources, VertexId target);
/// Are these searches one call, which shares passes over the graph in one process, and has --time-limit together?
bool one_call(const BfsArguments& arguments, const std::vector<Query>& queries);

/// What was found, as a summary or as JSON, and warnings.
void tell_bfs(const BfsArguments& arguments, Context& context, const SearchReport& report, bool target_found);

/// One job of all ranks (Context::ranks): each searches its share of the graph, rank 0 prints and writes. Returns the exit
/// code.
int bfs_on_ranks(const BfsArguments& arguments, Context& context);

}  // namespace hopwave::cli
