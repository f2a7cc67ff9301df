// Reading options, loading with progress, and the notes on how a file was understood.
#include "cli/frame/graph_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "cli/frame/json.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "hopwave/estimate.h"
#include "hopwave/generate.h"
#include "io/hwg.h"

namespace hopwave::cli {

Option graph_argument(GraphArguments& arguments) {
  return {
      "graph",
      "GRAPH",
      "A graph file of any format that hopwave reads (.gz and .zst too), a generator's spec (rmat:20,16), or - for standard "
      "input.",
      &arguments.graph,
      {},
      Fill::generator,
      true};
}

Option threads_option(GraphArguments& arguments) {
  return {"--threads", "N", "Threads of the CPU to use; 0: all.", &arguments.threads};
}

OptionGroup reading_options(GraphArguments& arguments, bool keeps_all) {
  std::vector<std::string> names;
  for (const auto& format : formats())
    if (format.reads) names.emplace_back(format.name);
  OptionGroup group{
      "Reading",
      {{"--undirected", "", "Every edge has both directions, whatever the file says.", &arguments.undirected},
       {"--directed", "", "Every row is an arc, whatever the file says; of symmetric formats both arcs of every edge.",
        &arguments.directed},
       {"--bipartite", "",
        "Ids of the two columns, or a matrix' rows and columns, are two kinds of vertices, called left:ID and right:ID. So are "
        "they without it if the file says bip (KONECT) or the matrix is not square.",
        &arguments.bipartite},
       {"--no-bipartite", "", "Equal ids in the two columns are one vertex, whatever the file says.", &arguments.no_bipartite},
       {"--input-format", "NAME", "Read as this format instead of looking at the content.", &arguments.input_format, names,
        Fill::format},
       {"--lenient", "", "Repair what can be repaired in a bad file, and report it.", &arguments.lenient},
       {"--columns", "ROLES",
        "Edge lists: which columns are read, by their names or numbers from 1 on: source=from,target=to,weight=4. Also "
        "reverse= (the weight of an arc back) and type= (Directed or Undirected); weight=none, reverse=none and type=none "
        "leave these unread.",
        &arguments.columns},
       {"--header",
        "WHETHER",
        "Edge lists: does the first row name the columns? Without it, its words decide: yes or no.",
        &arguments.header,
        {"yes", "no"}},
       {"--missing-weight", "WHAT",
        "Edge lists: what a weight means that is NA, null, nan, - or an empty cell: a number, drop (no such edge) or error.",
        &arguments.missing_weight},
       {"--decimal-comma", "", "Edge lists: weights are written with a comma, 0,5.", &arguments.decimal_comma},
       {"--no-weights", "", "Leave weights out. They need not be numbers then (but in Matrix Market files).",
        &arguments.no_weights},
       {"--drop-zeros", "", "Leave out entries of a Matrix Market file whose value is zero (kept otherwise: they are edges).",
        &arguments.drop_zeros},
       {"--allow-huge", "",
        "Believe a header that promises far more than the file can hold, and start even if memory looks short.",
        &arguments.allow_huge},
       {"--cache",
        "WHEN",
        "Keep the graph of a file that must be parsed in FILE.cache.hwg in the same folder, and open that while the file does "
        "not change: on or off. Without this option HOPWAVE_CACHE in the environment decides; off if that is not set.",
        &arguments.cache,
        {"on", "off"}}}};
  if (keeps_all) {
    arguments.keep_duplicates = arguments.keep_self_loops = true;
    group.options.push_back(
        {"--clean", "", "Drop parallel edges and self-loops, as searches do (kept otherwise).", &arguments.clean});
  } else {
    group.options.push_back({"--keep-duplicates", "", "Keep parallel edges (dropped otherwise).", &arguments.keep_duplicates});
    group.options.push_back(
        {"--keep-self-loops", "", "Keep edges from a vertex to itself (dropped otherwise).", &arguments.keep_self_loops});
  }
  return group;
}

int checked_int(std::string_view option, std::int64_t value, std::int64_t lowest, std::int64_t highest) {
  if (value >= lowest && value <= highest) return static_cast<int>(value);
  core::refuse("HW-USAGE-VALUE", fmt::format("{} is {}", option, value),
               fmt::format("a number from {} to {}", lowest, highest));
}

namespace {

bool wants_cache(const GraphArguments& arguments) {
  if (!arguments.cache.empty()) return arguments.cache == "on";
  const char* const set = std::getenv("HOPWAVE_CACHE");
  const std::string_view when = set ? set : "";
  if (when == "on") return true;
  if (when.empty() || when == "off") return false;
  core::refuse("HW-USAGE-VALUE", "the environment's HOPWAVE_CACHE is '" + printable(when) + "'", "on or off");
}

}  // namespace

ReadOptions read_options(const GraphArguments& arguments) {
  ReadOptions read;
  read.format = arguments.input_format;
  read.lenient = arguments.lenient;
  read.allow_huge = arguments.allow_huge;
  read.undirected = arguments.undirected;
  read.directed = arguments.directed;
  if (arguments.bipartite && arguments.no_bipartite)
    core::refuse("HW-USAGE-OPTION", "--bipartite with --no-bipartite", "one of them");
  if (arguments.bipartite || arguments.no_bipartite) read.bipartite = arguments.bipartite;
  read.drop_zeros = arguments.drop_zeros;
  read.columns = arguments.columns;
  if (!arguments.header.empty()) read.header = arguments.header == "yes";
  read.missing_weight = arguments.missing_weight;
  read.decimal_comma = arguments.decimal_comma;
  read.weights = !arguments.no_weights;
  read.cache = wants_cache(arguments);
  read.run.threads = checked_int("--threads", arguments.threads, 0, 4096);
  return read;
}

BuildOptions build_options(const GraphArguments& arguments) {
  BuildOptions build;
  build.make_undirected = arguments.undirected;
  build.keep_duplicates = arguments.keep_duplicates && !arguments.clean;
  build.keep_self_loops = arguments.keep_self_loops && !arguments.clean;
  return build;
}

std::optional<std::string> meant_spec(const std::string& name) {
  const auto colon = name.find(':');
  if (colon == std::string::npos || is_generator_spec(name) || ::access(name.c_str(), F_OK) == 0) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& generator : generators()) names.emplace_back(generator.name);
  const auto near = nearest(name.substr(0, colon), names);
  return near ? std::optional(*near + name.substr(colon)) : std::nullopt;
}

void check_graph_name(const std::string& name) {
  const auto meant = meant_spec(name);
  if (!meant) return;
  throw Error({.failure = Failure::input,
               .id = "HW-IO-OPEN",
               .where = {.file = name},
               .found = "neither a file nor a generator's spec",
               .expected = "one of them",
               .hint = "did you mean '" + *meant + "'?"});
}

namespace {

/// Is the graph made from a spec? A file of that name wins.
bool is_made(const std::string& name) { return is_generator_spec(name) && ::access(name.c_str(), F_OK) != 0; }

}  // namespace

void note_input_format(Context& context, const GraphArguments& arguments) {
  if (arguments.input_format.empty() || !is_made(arguments.graph)) return;
  context.console.warn("--input-format has no effect: " + arguments.graph + " is made, not read");
}

Loaded load(Context& context, const GraphArguments& arguments, bool build_in) {
  return load(context, arguments, {.build_in = build_in}, build_in);
}

Loaded load(Context& context, const GraphArguments& arguments, EstimateOptions job, bool build_in) {
  auto read = read_options(arguments);
  auto build = build_options(arguments);
  build.build_in = build_in;
  job.undirected = arguments.undirected;
  check_graph_name(arguments.graph);
  note_input_format(context, arguments);
  context.settings.mapped = io::is_hwg_file(arguments.graph);
  if (!arguments.allow_huge) require_host_memory(estimate_memory(arguments.graph, read, job));
  const core::Stopwatch watch;
  Loaded loaded;
  {
    Progress progress(context.console, is_made(arguments.graph) ? "generating " + arguments.graph : "reading");
    read.run.progress = [&](const Step& step) {
      const bool building = step.what == "arcs";
      if (building || (step.total > 0 && step.done >= step.total)) progress.stage("building the graph");
      if (step.what == "bytes")
        progress.bytes(step.done, step.total);
      else
        progress.part(step.done, step.total);
      return !context.interrupted();
    };
    loaded.graph = load_graph(arguments.graph, read, build);
  }
  loaded.seconds = watch.seconds();
  context.check_interrupt();
  for (const auto& repair : loaded.graph.read_report().repairs) context.console.warn("repaired: " + repair);
  for (const auto& note : loaded.graph.read_report().notes) context.console.warn(note);
  return loaded;
}

void note_unused_weights(Context& context, Graph& graph, std::string_view command, std::string_view instead) {
  if (!graph.has_weights()) return;
  ReadReport report = graph.read_report();
  report.notes.push_back(fmt::format("the graph has weights, and {} does not use them: distances are hops{}{}", command,
                                     instead.empty() ? "" : "; ", instead));
  context.console.warn(report.notes.back());
  graph.set_read_report(std::move(report));
}

void write(Context& context, const Graph& graph, const std::string& path, WriteOptions options) {
  if (path == "-") return write_graph(graph, path, options);  // where the edges may be on the screen themselves
  Progress progress(context.console, "writing " + printable(path));
  options.run.progress = [&](const Step& step) {
    progress.part(step.done, step.total);
    return !context.interrupted();
  };
  write_graph(graph, path, options);
}

namespace {

std::string describe_ids(const GraphFacts& graph) {
  const auto& ids = graph.ids();
  switch (ids.kind()) {
    case Ids::Kind::strings:
      return "ids are names, in order of first appearance";
    case Ids::Kind::integers:
      return "ids compacted (gapped integers; they come back as they came)";
    case Ids::Kind::consecutive:
      break;
  }
  if (ids.count() == 0) return "no ids";
  return fmt::format("ids {} to {}, not compacted", grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(ids.first(), 0))),
                     grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(ids.first() + ids.count() - 1, 0))));
}

std::string dropped_or_kept(std::uint64_t n, std::string_view one, bool kept) {
  return n == 0 ? "no " + std::string(one) + "s" : plural(n, one) + (kept ? " kept" : " dropped");
}

}  // namespace

Reading describe(const GraphFacts& graph) {
  const auto& read = graph.read_report();
  const auto& build = graph.build_report();
  Reading reading;
  reading.input = printable(read.source) + ": " + read.format + (read.details.empty() ? "" : ", " + printable(read.details));
  if (read.bytes) {
    reading.input += ", " + bytes_text(read.bytes);
    if (read.text_bytes > read.bytes) reading.input += " (" + bytes_text(read.text_bytes) + " unpacked)";
  }
  reading.graph =
      fmt::format("{}, {}, {}; {}", plural(graph.num_vertices(), "vertex", "vertices"), plural(edge_count(graph), "edge"),
                  !graph.directed()        ? "undirected"
                  : read.direction_assumed ? "directed (the file does not say; --undirected)"
                                           : "directed",
                  describe_ids(graph));
  reading.edges =
      fmt::format("{}; {}, {}", plural(read.rows, "row"), dropped_or_kept(build.self_loops, "self-loop", build.self_loops_kept),
                  dropped_or_kept(build.duplicates, "duplicate", build.duplicates_kept));
  return reading;
}

}  // namespace hopwave::cli
