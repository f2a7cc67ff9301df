// hopwave info: the survey's dataset table for any graph, and its picture.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands/info/arrays.h"
#include "cli/commands/info/plot.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/search_options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "draw/picture.h"
#include "graph/diameter.h"
#include "hopwave/components.h"
#include "hopwave/eccentricity.h"
#include "hopwave/spy.h"

namespace hopwave::cli {
namespace of_info {

/// As typed.
struct Arguments {
  GraphArguments graph;
  SearchArguments search;  // its time limit
  std::string spy, plot, arrays;
  std::int64_t spy_size = 0, budget = -1, arrays_limit = 4096;
  bool exact = false;
};

/// What was meant by it.
struct Job {
  GraphArguments graph;
  std::string spy;  ///< a file; empty: none
  std::uint32_t spy_size = 0;
  std::string plot;    ///< a file; "-": standard output; empty: none
  std::string arrays;  ///< a layout; empty: none
  std::uint64_t arrays_limit = 0;
  std::optional<std::uint64_t> searches;  ///< at most, for the exact diameter; none: by default_searches() and default_seconds
  RunOptions run;
};

struct Figures {
  Profile profile;
  Components components;
  Distance estimated = 0;
  std::optional<Eccentricities> diameter;  ///< ignoring directions; none: not looked for
  std::uint64_t budget = 0;
  std::optional<Plot> plot;
  RunReport run;
};

constexpr double default_seconds = 2;

/// The default limit of searches for the exact diameter: what two seconds allow at 10⁸ arcs per second.
std::uint64_t default_searches(const Graph& graph) {
  const std::uint64_t work = graph.num_arcs() + graph.num_vertices() + 1;
  return std::clamp<std::uint64_t>(200'000'000 / work, 4, 10'000);
}

/// The exact diameter within the searches of `f.budget`, and by default within two seconds.
void find_exact(const Job& job, const Graph& graph, const SharedLimit& limit, Context& context, Progress& progress,
                Figures& f) {
  const bool timed = !job.searches && job.run.limits.time <= Milliseconds();
  const core::Stopwatch watch;
  progress.stage("exact diameter");
  EccentricityOptions options;
  options.goal = EccentricityGoal::diameter;
  options.search.direction = Direction::both;
  options.search.run = job.run;
  options.search.run.limits = limit.rest();
  if (timed) options.search.run.limits.time = Seconds(default_seconds);
  options.max_searches = f.budget;
  options.search.run.progress = [&](const Step& now) {
    std::string text = fmt::format("{}, at least {}", plural(now.done, "search", "searches"), now.longest);
    if (timed) text += fmt::format(", at most {} left", seconds_text(std::max(0.0, default_seconds - watch.seconds())));
    progress.steps(text);
    return !context.interrupted();
  };
  f.diameter = eccentricities(graph, options);
  if (!timed) f.run.end = f.diameter->run.end;
}

Figures find_figures(const Job& job, const Graph& graph, Context& context) {
  const core::Stopwatch watch;
  Progress progress(context.console, "degrees and components");
  const SharedLimit limit(job.run.limits);
  Figures f;
  f.profile = profile(graph);
  f.components = connected_components(graph, job.run);
  f.budget = job.searches.value_or(default_searches(graph));
  VertexId hub = no_vertex;
  if (graph.num_vertices() > 0) {
    hub = f.components.largest_label;
    for (VertexId v = 0; v < graph.num_vertices(); ++v)
      if (f.components.label[v] == f.components.largest_label && graph.out_degree(v) > graph.out_degree(hub)) hub = v;
    context.check_interrupt();
    progress.stage("estimating the diameter");
    f.estimated = hopwave::graph::estimate_diameter(graph, hub);
  }
  if (!job.plot.empty()) f.plot = make_plot(graph, hub, job.run.threads, limit.rest());
  if (hub != no_vertex && f.budget > 0) find_exact(job, graph, limit, context, progress, f);
  f.run.work = watch.elapsed();
  return f;
}

Json to_json(const Job& job, const Loaded& loaded, const Figures& f) {
  const Graph& graph = loaded.graph;
  Json json = document("info");
  const auto& p = f.profile;
  json["vertices"] = p.num_vertices;
  json["edges"] = edge_count(graph);
  json["arcs"] = p.num_arcs;
  json["directed"] = graph.directed();
  json["average_degree"] = p.average_degree;
  json["degree_deviation"] = p.degree_deviation;
  json["median_degree"] = p.median_degree;
  json["max_degree"] = p.max_degree;
  json["isolated"] = p.isolated;
  json["components"] = f.components.count;
  json["largest_component"] = f.components.largest_size;
  json["diameter_estimate"] = f.estimated;
  json["diameter"] = f.diameter && f.diameter->run.complete() ? Json(f.diameter->diameter.lower) : Json(nullptr);
  json["diameter_bounds"] = f.diameter ? Json::array({f.diameter->diameter.lower, f.diameter->diameter.upper}) : Json(nullptr);
  json["self_loops"] = graph.build_report().self_loops;
  json["duplicates"] = graph.build_report().duplicates;
  json["weights"] = graph.has_weights();
  json["weight_type"] = weight_type_json(graph);
  json["graph"] = read_json(graph);
  json["run"] = run_json(f.run, job.run, Seconds(loaded.seconds));
  json["seconds"] = {{"load", loaded.seconds}, {"figures", Seconds(f.run.work).count()}};
  return json;
}

std::string exact_text(const Graph& graph, const Figures& f) {
  if (!f.diameter) return f.budget == 0 ? "not looked for" : "0";
  const DistanceRange& bounds = f.diameter->diameter;
  const char* ignored = graph.directed() ? " (directions ignored)" : "";
  if (f.diameter->run.complete()) return fmt::format("{}{}", bounds.lower, ignored);
  return fmt::format("{} to {}{}: not settled by {} (--exact takes as many as it needs)", bounds.lower, bounds.upper, ignored,
                     plural(f.diameter->searches, "search", "searches"));
}

void print(Console& console, const Graph& graph, const Figures& f) {
  const auto line = [&](std::string_view label, const std::string& text) { console.labelled(Stream::out, label, 20, text); };
  const auto reading = describe(graph);
  const auto& p = f.profile;
  line("input", reading.input);
  line("read", reading.edges);
  line("vertices", grouped(p.num_vertices));
  line("edges", grouped(edge_count(graph)) +
                    (graph.directed() ? " directed" : fmt::format(" undirected ({} arcs)", grouped(p.num_arcs))) +
                    (graph.has_weights() ? fmt::format(", weights of type {}", name(graph.out().weights.type())) : ""));
  line("average degree", fmt::format("{:.3f}", p.average_degree));
  line("standard deviation", fmt::format("{:.3f}", p.degree_deviation));
  line("median degree", number_text(p.median_degree));
  line("maximum degree", grouped(p.max_degree));
  line("isolated vertices", grouped(p.isolated));
  line("components",
       fmt::format("{}{}, the largest with {} ({:.1f} %)", grouped(f.components.count),
                   graph.directed() ? " (directions ignored)" : "", plural(f.components.largest_size, "vertex", "vertices"),
                   p.num_vertices ? 100.0 * f.components.largest_size / p.num_vertices : 0));
  line("diameter, estimated", fmt::format("at least {}{}", f.estimated, graph.directed() ? " (along arcs)" : ""));
  line("diameter, exact", exact_text(graph, f));
}

/// Arrays are for reading: of a graph too large for that, none are printed.
void check_arrays(const Job& job, const Graph& graph) {
  const std::uint64_t values = layout_values(graph, job.arrays);
  if (values <= job.arrays_limit) return;
  core::refuse("HW-USAGE-ARRAYS", fmt::format("{} values in the layout {}", grouped(values), job.arrays),
               fmt::format("at most {}", grouped(job.arrays_limit)), "--arrays-limit allows more; convert writes large graphs");
}

/// What the numbers in the arrays are, where they are not the caller's ids.
std::string numbering(const Graph& graph) {
  const Ids& ids = graph.ids();
  if (graph.num_vertices() == 0 || (ids.kind() == Ids::Kind::consecutive && ids.first() == 0)) return {};
  std::string text = "vertices of the arrays, with their ids:";
  for (VertexId v = 0; v < graph.num_vertices(); ++v) text += fmt::format(" {}={}", v, printable(ids.name(v)));
  return text + "\n";
}

void print_arrays(const std::string& layout, Console& console, const Graph& graph) {
  std::string head = layout;
  if (!graph.directed()) head += " (undirected: every edge is two arcs)";
  console.result("\n" + console.bold(Stream::out, head));
  console.result(numbering(graph) + layout_text(graph, layout));
}

Json arrays_json(const std::string& layout, const Graph& graph) {
  Json json = layout_json(graph, layout);
  Json ids = Json::array();
  for (VertexId v = 0; v < graph.num_vertices(); ++v) ids.push_back(id_json(graph.ids(), v));
  json["ids"] = std::move(ids);
  return json;
}

bool is_svg(const std::string& path) { return path.ends_with(".svg") || path.ends_with(".SVG"); }

/// Checked before a long read.
void check_spy_ending(const std::string& path) {
  if (is_svg(path) || path.ends_with(".png") || path.ends_with(".PNG")) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-SPY-ENDING",
               .where = {.file = path},
               .found = "a spy plot whose name has another ending",
               .expected = ".png or .svg"});
}

Job check(const Arguments& a) {
  const auto refuse = [](const char* found, const char* expected) { core::refuse("HW-USAGE-OPTION", found, expected); };
  checked_int("--arrays-limit", a.arrays_limit, 1, 1'000'000);
  const int size = checked_int("--spy-size", a.spy_size, 0, 4096);
  if (!a.spy.empty()) check_spy_ending(a.spy);
  if (!a.plot.empty() && a.plot != "-") picture::require_ending(a.plot, "plot", {"svg"});
  check_two_outputs(a.spy, a.plot, "--spy and --plot");
  checked_int("--searches", a.budget, -1, 0x7FFFFFFF);
  if (a.exact && a.budget != -1)
    refuse("--exact with --searches", "one of the two: --exact takes as many searches as it needs");
  if (a.arrays_limit != 4096 && a.arrays.empty()) refuse("--arrays-limit without --arrays", "also --arrays");
  if (a.spy_size != 0 && a.spy.empty()) refuse("--spy-size without --spy", "also --spy FILE");
  Job job{.graph = a.graph,
          .spy = a.spy,
          .spy_size = size            ? static_cast<std::uint32_t>(size)
                      : is_svg(a.spy) ? 256
                                      : 1024,  // an SVG grows with its cells
          .plot = a.plot,
          .arrays = a.arrays,
          .arrays_limit = static_cast<std::uint64_t>(a.arrays_limit),
          .searches = {},
          .run = {.device = DeviceKind::cpu,
                  .threads = checked_int("--threads", a.graph.threads, 0, 4096),
                  .limits = to_limits(a.search)}};
  if (a.exact) job.searches = ~std::uint64_t{0};
  if (a.budget >= 0) job.searches = static_cast<std::uint64_t>(a.budget);
  return job;
}

int report(const Job& job, const Loaded& loaded, const Figures& f, Context& context) {
  const Graph& graph = loaded.graph;
  if (!job.spy.empty()) {
    const std::string& name = job.graph.graph;
    write_spy(spy_grid(graph, job.spy_size), job.spy, spy_labels(graph, printable(name.substr(name.rfind('/') + 1))));
  }
  if (f.plot && job.plot != "-") write_result(job.plot, chart(*f.plot, printable(job.graph.graph)));
  if (context.json()) {
    Json json = to_json(job, loaded, f);
    if (f.plot) json["plot"] = plot_json(*f.plot, graph);
    if (!job.arrays.empty()) json["arrays"] = arrays_json(job.arrays, graph);
    context.console.result(dump(json));
  } else {
    print(context.console, graph, f);
    if (f.plot && job.plot == "-") print_plot(context.console, *f.plot);
    if (!job.arrays.empty()) print_arrays(job.arrays, context.console, graph);
  }
  if (f.run.end != End::time_limit) return 0;
  context.console.warn("the time is over: the diameter is a range");
  return static_cast<int>(Failure::time_limit);
}

int run(const Job& job, Context& context) {
  const Loaded loaded = load(context, job.graph, true);
  if (!job.arrays.empty()) check_arrays(job, loaded.graph);
  const Figures f = find_figures(job, loaded.graph, context);
  context.check_interrupt();
  return report(job, loaded, f, context);
}

}  // namespace of_info

Command info_command() {
  using namespace of_info;
  auto a = std::make_shared<Arguments>();
  return {
      .name = "info",
      .summary = "vertices, edges, degrees, components, diameter, picture of the matrix",
      .description =
          "Describes a graph as it is in the file, parallel edges and self-loops included: the figures by which a survey "
          "of searches on GPUs describes its datasets, and components. Degrees count arcs out. The exact diameter "
          "may need many searches; a limited number is spent on it unless --exact is given.",
      .examples = {{"hopwave info social.txt.zst", "the table"},
                   {"hopwave info roads.gr --exact", "with the exact diameter, whatever it takes"},
                   {"hopwave info roads.gr --plot -", "with bars: vertices by degree and by level"},
                   {"hopwave info pmpp --arrays csr", "and the arrays that a search walks"},
                   {"hopwave info graph.mtx --spy matrix.png", "and a picture of the matrix"}},
      .groups = {{"What",
                  {graph_argument(a->graph),
                   {"--exact", "", "Find the exact diameter, however many searches it takes.", &a->exact},
                   {"--searches", "N", "Searches to spend on the exact diameter. 0: none; -1: as many as two seconds allow.",
                    &a->budget},
                   {"--spy",
                    "FILE",
                    "Draw the adjacency matrix, with title and axes: .png or .svg. Small ones have every id.",
                    &a->spy,
                    {},
                    Fill::output},
                   {"--spy-size", "N", "Cells per side of the picture, at most 4096. 0: 1024, or 256 for SVG.", &a->spy_size},
                   {"--plot",
                    "FILE",
                    "Draw how many vertices have each degree, and how many are at each level from the vertex of the largest "
                    "component that has most arcs: .svg, or - for bars in the terminal.",
                    &a->plot,
                    {},
                    Fill::output},
                   {"--arrays", "LAYOUT",
                    "Also print the arrays of a small graph: CSR, CSC, COO, the adjacency matrix, adjacency lists, or "
                    "Rodinia's node records.",
                    &a->arrays, layout_names()},
                   {"--arrays-limit", "N", "Values that --arrays prints at most, up to 1,000,000.", &a->arrays_limit}}},
                 {"Running", {threads_option(a->graph), time_limit_option(a->search)}},
                 reading_options(a->graph, true)},
      .run = [a](Context& context) { return run(check(*a), context); }};
}

}  // namespace hopwave::cli
