// JSON documents of the tool: every one names its schema, and keys are stable within a schema's version (docs/json.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/frame/graph_facts.h"
#include "hopwave/error.h"
#include "hopwave/graph.h"
#include "hopwave/run.h"
#include "hopwave/search.h"

namespace hopwave::cli {

/// Keys keep the order in which they were put in.
using Json = nlohmann::ordered_json;

/// {"schema": "hopwave-NAME/1", "hopwave": version}: how every document begins.
Json document(std::string_view name);
/// As text; bytes that are no UTF-8 (names from a file) become U+FFFD.
std::string dump(const Json& json);
Json error_json(const Error& error);
/// How a command ran: the object `run` of every document of a command that computes something.
Json run_json(const RunReport& run, const RunOptions& asked, Seconds load = {});
/// The number of edges: arcs of a directed graph; pairs of an undirected one, a self-loop once.
EdgeIndex edge_count(const GraphFacts& graph);
Json read_json(const GraphFacts& graph);
/// "int32" and the like; null of a graph without weights.
Json weight_type_json(const Graph& graph);
Json level_json(const LevelTrace& level);
/// Whole numbers below 2^63 as integers, so that none is written as 1e+16.
Json number_json(double value);
/// A caller's id: a number, or a string where ids are names.
Json id_json(const Ids& ids, VertexId v);

}  // namespace hopwave::cli
