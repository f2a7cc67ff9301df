// write_graph: which format, whether it can hold the graph, and a file that appears whole or not at all.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/refuse.h"
#include "hopwave/flow.h"
#include "hopwave/io.h"
#include "io/edge_list.h"
#include "io/format.h"

namespace hopwave::io {
namespace {

using core::refuse;

/// Formats that count from 0 take vertices counted from 1 too, and the other way round: every reader knows that.
void check_numbering(const Graph& graph, const Format& format, std::int64_t first) {
  const Ids& ids = graph.ids();
  if (graph.num_vertices() == 0 || (ids.kind() == Ids::Kind::consecutive && (ids.first() == 0 || ids.first() == 1))) return;
  const std::string name(format.info.name);
  const std::string hint = "--renumber loses the ids; edge lists and .hwg keep them";
  if (ids.kind() == Ids::Kind::strings)
    refuse("HW-WRITE-NAMES", "vertices whose ids are text",
           "numbers from " + std::to_string(first) + " on, as " + name + " counts", hint);
  refuse("HW-WRITE-IDS",
         "ids " + ids.name(0) + " to " + ids.name(graph.num_vertices() - 1) + " of " + std::to_string(graph.num_vertices()) +
             " vertices",
         "vertices that are numbered from " + std::to_string(first) + " on without gaps, as " + name + " counts", hint);
}

void check_lines(const Graph& graph) {
  if (graph.ids().kind() != Ids::Kind::strings) return;
  for (const std::string& name : graph.ids().names())
    if (name.size() > longest_name || name.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos)
      refuse("HW-WRITE-NAMES",
             name.size() > longest_name ? "a name of " + std::to_string(name.size()) + " bytes"
                                        : "a name with a line feed, a CR or a NUL byte",
             "names of one line and at most " + std::to_string(longest_name) + " bytes", "write .hwg, which holds every name");
}

void check_ids(const Graph& graph, const Format& format, const WriteOptions& options) {
  using Naming = Holds::Naming;
  const Naming ids = format.holds.ids;
  if (ids == Naming::lines) {
    check_lines(graph);
  } else if (ids == Naming::numbers) {
    need_numeric_ids(graph, std::string(format.info.name).c_str());
  } else if (ids != Naming::any && !options.renumber) {
    check_numbering(graph, format, ids == Naming::from_1);
  }
}

void check_edges(const Graph& graph, const Format& format) {
  const std::string name(format.info.name);
  if (graph.directed() && !format.holds.directed)
    refuse("HW-WRITE-DIRECTED", "a directed graph", "an undirected one, which is all that " + name + " has",
           "make it undirected (--undirected), or choose another format");
  if (!graph.directed() && !format.holds.undirected)
    refuse("HW-WRITE-DIRECTED", "an undirected graph", "a directed one: " + name + " cannot say that edges have no direction",
           "--directed writes both arcs of every edge, or choose another format");
  if (format.holds.self_loops) return;
  std::uint64_t loops = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (const VertexId u : graph.out_neighbors(v)) loops += u == v;
  if (loops)
    refuse("HW-WRITE-LOOP", std::to_string(loops) + " self-loops", "none: " + name + " has no place for them",
           "drop self-loops (--clean), or choose another format");
}

void check_weights(const Graph& graph, const Format& format, const WriteOptions& options) {
  using Weighing = Holds::Weighing;
  const std::string name(format.info.name);
  switch (format.holds.weights) {
    case Weighing::none:
      refuse("HW-WRITE-WEIGHT", "a graph with weights", "one without: " + name + " has none",
             "--no-weights leaves them out, or choose another format");
    case Weighing::whole:
      return need_integer_weights(graph, format.holds.least,
                                  options.target == no_vertex ? format.holds.most : std::numeric_limits<std::int64_t>::max(),
                                  name.c_str());
    case Weighing::finite:
      return need_finite_weights(graph, name.c_str());
    case Weighing::any:
      return;
  }
}

/// The two ends of a flow.
void check_flow(const Graph& graph, const std::string& path, VertexId source, VertexId target) {
  const std::string range = "a vertex below " + std::to_string(graph.num_vertices());
  if (source == no_vertex || target == no_vertex)
    throw Error({.failure = Failure::usage,
                 .id = "HW-WRITE-FLOW",
                 .where = {.file = path},
                 .found = std::string("a problem of maximum flow without a ") + (target == no_vertex ? "target" : "source"),
                 .expected = std::string("the vertex that the flow ") + (target == no_vertex ? "goes to" : "comes from"),
                 .hint = "the input names none: give both ends of the flow; .gr takes the graph without them"});
  if (source >= graph.num_vertices()) refuse("HW-WRITE-FLOW", "the source " + std::to_string(source), range, "");
  if (target >= graph.num_vertices()) refuse("HW-WRITE-FLOW", "the target " + std::to_string(target), range, "");
  if (source == target)
    refuse("HW-WRITE-FLOW", "the target " + graph.name(target) + ", which is the source", "another vertex", "");
}

}  // namespace

const Format& output_format(const std::string& path, const WriteOptions& options) {
  const Format* const format = options.format.empty() ? format_by_ending(path) : &find_format(options.format);
  const std::string extension = extension_of(path);
  if (!format)
    throw Error(
        {.failure = Failure::usage,
         .id = "HW-FORMAT-WRITE",
         .where = {.file = path},
         .found = path == "-"         ? "standard output, whose format no ending states"
                  : extension.empty() ? "a name without an ending"
                                      : "the ending ." + extension,
         .expected = path == "-" ? "the name of a format" : "an ending that says the format, such as .mtx, .txt or .hwg",
         .hint = std::string(path == "-" ? "" : "or ") + "name the format with --to"});
  if (!options.layout.empty() && format != &npz_format())
    throw Error({.failure = Failure::usage,
                 .id = "HW-WRITE-LAYOUT",
                 .where = {.file = path},
                 .found = "the layout " + options.layout + " for the format " + std::string(format->info.name),
                 .expected = "no layout: only npz has several"});
  if (options.target != no_vertex && format != &dimacs_format())
    throw Error({.failure = Failure::usage,
                 .id = "HW-WRITE-FLOW",
                 .where = {.file = path},
                 .found = "a target for the format " + std::string(format->info.name),
                 .expected = "none: only dimacs has problems of maximum flow"});
  check_packing(path);
  return *format;
}

void check_held(const Graph& graph, const Format& format, const WriteOptions& options) {
  if (graph.num_vertices() > format.holds.vertices)
    refuse("HW-WRITE-RANGE", std::to_string(graph.num_vertices()) + " vertices",
           "at most " + std::to_string(format.holds.vertices) + ", which is all that " + std::string(format.info.name) +
               " has room for",
           "write .hwg");
  check_ids(graph, format, options);
  check_edges(graph, format);
  if (options.weights && graph.has_weights()) check_weights(graph, format, options);
  if (format.check) format.check(graph, options);
}

}  // namespace hopwave::io

namespace hopwave::inline v0_1 {

void write_graph(const Graph& graph, const std::string& path, const WriteOptions& options) {
  const io::Format& format = io::output_format(path, options);
  WriteOptions chosen = options;
  const bool problem = &format == &io::dimacs_format() && io::extension_of(path) == "max";
  if (problem && chosen.target == no_vertex) chosen.target = default_target(graph).value_or(no_vertex);
  if (problem || chosen.target != no_vertex) {
    if (chosen.source == no_vertex) chosen.source = graph.default_source().value_or(no_vertex);
    io::check_flow(graph, path, chosen.source, chosen.target);
  }
  io::check_held(graph, format, chosen);
  if (!chosen.separator) chosen.separator = io::extension_of(path) == "csv" ? ',' : '\t';
  OutputFile file(path);
  const auto sink = io::make_sink(file, path, options.level);
  sink->report_to(&chosen.run.progress);
  format.write(graph, *sink, chosen);
  sink->finish();
  file.commit();
}

}  // namespace hopwave::inline v0_1
