// Maximum flow and minimum cut as a row of the table.
#include <fmt/format.h>

#include "algorithm/algorithm.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "draw/flow_picture.h"
#include "draw/picture.h"
#include "hopwave/flow.h"

namespace hopwave::algorithm {
namespace {

constexpr std::size_t shown_arcs = 5, shown_paths = 20;

void check_flow(const Values& values, bool, bool writes) {
  const auto refuse = [](const char* found, const char* expected) { core::refuse("HW-USAGE-OPTION", found, expected); };
  if (values.flag("cut") && !writes) refuse("--cut without -o", "-o FILE, or -o - for standard output");
  const std::string& strategy = values.word("strategy");
  if (values.flag("explain") && strategy != "auto" && strategy != "edmonds-karp")
    refuse("--explain of another strategy", "--strategy edmonds-karp, which finds one path after the other");
}

/// Arcs of the cut, or those that carry something, as columns.
void write_arcs(const Job& job, const Flow& flow, bool cut, Found& found) {
  const Graph& graph = job.graph;
  std::vector<VertexId> sources, targets;
  std::vector<std::uint64_t> amounts;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (EdgeIndex a = graph.out().offsets[v]; a < graph.out().offsets[v + 1ull]; ++a) {
      const VertexId u = graph.out().neighbors[a];
      if (cut ? !(flow.source_side[v] && !flow.source_side[u]) : flow.arc[a] == 0) continue;
      sources.push_back(v), targets.push_back(u);
      amounts.push_back(static_cast<std::uint64_t>(flow.arc[a]));  // an arc of the cut is full
    }
  found.own_rows = true;
  if (!cut && graph.ids().kind() == Ids::Kind::consecutive) found.dimacs = "s " + std::to_string(flow.value) + "\n";
  found.columns.push_back({"source", Array<std::uint32_t>::copy_of(sources), Column::Kind::vertices});
  found.columns.push_back({"target", Array<std::uint32_t>::copy_of(targets), Column::Kind::vertices});
  found.columns.push_back({cut ? "capacity" : "flow", Array<std::uint64_t>::copy_of(amounts)});
}

Found run_flow(Job& job) {
  const Graph& graph = job.graph;
  if (job.sources.size() != 1)
    core::refuse("HW-USAGE-OPTION", core::plural(job.sources.size(), "source"),
                 "one; for several, add a vertex with arcs to all of them");
  FlowOptions options{.run = run_of(job)};
  options.strategy = job.values.word("strategy");
  const bool explained = job.values.flag("explain");
  const std::string& picture = job.values.word("picture");
  if (!picture.empty()) picture::require_flow_picture(graph, picture);
  // A page goes through the paths where they can be had.
  const bool on_cpu = options.run.device == DeviceKind::automatic || options.run.device == DeviceKind::cpu;
  const bool stepped =
      picture::ending_of(picture) == "html" && on_cpu && (options.strategy == "auto" || options.strategy == "edmonds-karp");
  options.paths = explained || stepped;
  const Flow flow = max_flow(graph, job.sources.front(), job.values.vertex("target"), options);
  const VertexId source = flow.source, target = flow.target;
  Found found;
  if (job.verify) {
    job.progress.stage("verifying");
    found.verdict = validate(graph, source, target, flow);
    found.verified = "no arc carries too much, nothing is lost on the way, and the cut's capacity is the flow";
  }
  List cut, paths;
  for (VertexId v = 0; v < graph.num_vertices() && cut.size() < shown_arcs; ++v) {
    if (!flow.source_side[v]) continue;
    for (EdgeIndex a = graph.out().offsets[v]; a < graph.out().offsets[v + 1ull] && cut.size() < shown_arcs; ++a) {
      const VertexId u = graph.out().neighbors[a];
      if (flow.source_side[u] || flow.arc[a] == 0) continue;
      cut.push_back(Object{{"source", Vertex{v}}, {"target", Vertex{u}}, {"capacity", flow.arc[a]}});
    }
  }
  found.lines = {
      {"strategy", flow.run.strategy + " on " + name_of(flow.run.device)},
      {"flow", core::grouped(static_cast<std::uint64_t>(flow.value)) + " from " + core::printable(graph.name(source)) + " to " +
                   core::printable(graph.name(target))},
      {"cut", fmt::format("{}; {} on the source's side", core::plural(flow.cut_arcs, "arc"),
                          core::plural(flow.source_side_size, "vertex", "vertices"))},
      {"time", fmt::format("{}; {}, {}", core::seconds_text(Seconds(flow.run.prepare + flow.run.work).count()),
                           core::plural(flow.searches, "search", "searches"), core::plural(flow.pushes, "push", "pushes"))}};
  for (std::size_t i = 0; explained && i < flow.paths.size(); ++i) {
    List vertices;
    std::string text = core::grouped(static_cast<std::uint64_t>(flow.paths[i].amount)) + " along";
    for (const VertexId v : flow.paths[i].vertices) {
      vertices.push_back(Vertex{v});
      text += " " + core::printable(graph.name(v));
    }
    paths.push_back(Object{{"amount", flow.paths[i].amount}, {"path", std::move(vertices)}});
    if (i < shown_paths) found.lines.push_back({i ? "" : "paths", std::move(text)});
    if (i == shown_paths) found.lines.push_back({"", fmt::format("… {} paths in all", flow.paths.size())});
  }
  found.figures = {{"source", Vertex{source}},
                   {"target", Vertex{target}},
                   {"strategy", flow.run.strategy},
                   {"device", name_of(flow.run.device)},
                   {"flow", flow.value},
                   {"cut_arcs", flow.cut_arcs},
                   {"cut", std::move(cut)},
                   {"source_side", flow.source_side_size},
                   {"searches", flow.searches},
                   {"pushes", flow.pushes},
                   {"paths", explained ? Value(std::move(paths)) : Value()},
                   {"verified", job.verify},
                   {"load_seconds", job.load_seconds},
                   {"seconds", Seconds(flow.run.prepare + flow.run.work).count()}};
  found.run = flow.run;
  if (!picture.empty()) found.picture = picture::flow_picture(graph, flow, picture);
  if (job.writes) write_arcs(job, flow, job.values.flag("cut"), found);
  return found;
}

AlgorithmAnswer call_flow(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  const auto vertex = [&](std::size_t i) {
    const auto* given = std::get_if<std::uint64_t>(&values[i]);
    return given ? static_cast<VertexId>(*given) : no_vertex;
  };
  Flow found = max_flow(graph, vertex(0), vertex(1), {.strategy = std::get<std::string>(values[2]), .run = run});
  const auto value = static_cast<std::uint64_t>(found.value);
  return {{value, std::move(found.arc), std::move(found.source_side), found.source, found.target},
          std::move(found.run),
          {.what = "flow", .done = value, .total = value}};
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    flow,
    {.name = "flow",
     .summary = "maximum flow and minimum cut between two vertices",
     .description =
         "Finds how much can flow from a source to a target if no arc carries more than its capacity, and the minimum cut: the "
         "arcs whose capacities add up to that flow, and without which nothing gets through. Capacities are the weights of the "
         "file, whole numbers of 0 or more, 1 for each arc where it has none; those of parallel arcs add up, and an undirected "
         "edge carries its capacity in either direction. The answer is exact.",
     .doing = "searching for flow",
     .writes = "Write one row per arc that carries something: source, target and flow. .csv, .flow (as DIMACS has it), else "
               "separated by tabs; - for standard output.",
     .checks = "Check that no arc carries too much, that nothing is lost on the way, and that the cut's capacity is the flow.",
     .examples = {{"hopwave flow network.max --verify", "how much, and where it is limited"},
                  {"hopwave flow network.max -s 1 --target 6 -o cut.tsv --cut",
                   "the arcs of the minimum cut between two vertices"},
                  {"hopwave flow roads.gr -s 17 --target 99 --explain", "path by path, as Edmonds and Karp"}},
     .page = "flow.md",
     .source = "Edmonds & Karp (1972); Dinic (1970); push–relabel (Goldberg & Tarjan, 1988)",
     .cpp = "max_flow",
     .python = "max_flow",
     .c = "hopwave_max_flow",
     .networkx = "maximum_flow maximum_flow_value minimum_cut minimum_cut_value",
     .options =
         {{.name = "target",
           .value = "ID",
           .help = "Where the flow goes to. Without it: the target that the file names.",
           .type = Type::vertex},
          {.name = "strategy",
           .value = "NAME",
           .help = "How to search: path by path (edmonds-karp), paths along levels (dinic), push-relabel, which alone runs "
                   "on GPUs and on all threads, or auto.",
           .type = Type::word,
           .choices = {"auto", "edmonds-karp", "dinic", "push-relabel"}},
          {.name = "cut",
           .help = "With -o: write the arcs of the minimum cut with their capacities.",
           .type = Type::flag,
           .output = true},
          {.name = "explain", .help = "Print each path and what was sent along it.", .type = Type::flag, .output = true},
          {.name = "picture",
           .value = "FILE",
           .help = "Draw a small network (40 vertices, 60 arcs): flow and capacity of each arc, and the cut. .svg, .png, or "
                   ".html, which steps through the paths of edmonds-karp.",
           .type = Type::picture_file,
           .output = true}},
     .sources_help = "Where the flow comes from: an id, first, maxdeg, lcc. Without it: the source that the file names.",
     .sources = Sources::required,
     .header = Header::always,
     .dimacs = "flow",
     .keeps_parallel = true,
     .check = check_flow,
     .job = EstimateJob::max_flow,
     .run = run_flow,
     .calls = {Algorithm{
         .help = "The greatest flow from one id to another, and a minimum cut between them. An end that is left out is the "
                 "one that the graph's input names: default_source, default_target. Weights are the "
                 "capacities of the arcs; each arc has a capacity of 1 where the graph has no weights.\n\n"
                 "Capacities are whole numbers of 0 or more, below 2**63; others are Error HW-FLOW-CAPACITY, and "
                 "sums of 2**63 or more Error HW-FLOW-SUM. An undirected edge carries up to its capacity in either "
                 "direction. Capacities of parallel edges add up if the graph has these edges: read() keeps them for a "
                 ".max, and read() and from_edges() with keep_duplicates=True, else only the lightest, and `run` has a "
                 "note.\n\n"
                 "`strategy`: \"edmonds-karp\", \"dinic\" (both on the CPU), \"push-relabel\" (CPU and GPU) or "
                 "\"auto\". The device \"auto\" is the CPU. A GPU pays for large graphs: each call copies the graph "
                 "there. `progress` counts the flow that has arrived, of the most that can.",
         .result = "Flow",
         .result_help = "A maximum flow and a minimum cut. Arrays are in the order of the graph's vertices and arcs; "
                        "methods take and give your ids.",
         .parameters = {{.name = "source", .kind = AlgorithmParameter::Kind::vertex, .keyword = false},
                        {.name = "target", .kind = AlgorithmParameter::Kind::vertex, .keyword = false},
                        {.name = "strategy", .kind = AlgorithmParameter::Kind::word, .initial = "auto"}},
         .outputs = {{"value", AlgorithmOutput::Kind::count,
                      "What leaves the source and arrives at the target. It is also the capacity of the minimum cut."},
                     {"arc", AlgorithmOutput::Kind::amounts,
                      "What goes along each arc, in the order of csr(). Of the two arcs of an undirected edge at most "
                      "one carries something."},
                     {"source_side", AlgorithmOutput::Kind::truths,
                      "One per vertex: is it on the source's side of the minimum cut? The same for every strategy and device."},
                     {"source", AlgorithmOutput::Kind::vertex, "The end that you, or the input, named."},
                     {"target", AlgorithmOutput::Kind::vertex, "The same."}},
         .unit = "unit",
         .passes = 16,
         .call = call_flow}}})
