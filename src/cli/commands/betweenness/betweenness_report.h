// What `hopwave betweenness` was asked and has found, as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/greatest.h"
#include "cli/frame/json.h"
#include "cli/frame/search_options.h"
#include "hopwave/betweenness.h"

namespace hopwave::cli {

constexpr double betweenness_risk = 0.05;  ///< that a sampled value is farther off than its error

struct BetweennessArguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string output, device = "cpu", sources_file, targets_file;
  std::int64_t samples = 0, top = standard_top;
  bool edges = false, endpoints = false, unscaled = false, verify = false;
};

/// An edge of the graph, and the arcs that it is.
struct EdgeRow {
  VertexId source, target;
  double value;
};

/// What a run has to tell.
struct BetweennessReport {
  const Graph* graph = nullptr;
  std::vector<VertexId> sources = {};  ///< empty: every vertex
  std::vector<VertexId> targets = {};  ///< ascending, none twice; empty: every vertex
  Betweenness found = {};
  std::vector<EdgeRow> edges = {};  ///< the greatest, or all where a file wants them
  double error = 0;                 ///< of a sampled vertex's value, scaled; with a probability of 1 − risk
  std::uint64_t expected_sum = 0;   ///< what --verify found
  double load_seconds = 0, seconds = 0;
};

Json betweenness_json(const BetweennessReport& report, const BetweennessArguments& a, const BetweennessScale& scale);
void print_betweenness(const BetweennessReport& report, const BetweennessArguments& a, const BetweennessScale& scale,
                       Console& console);

}  // namespace hopwave::cli
