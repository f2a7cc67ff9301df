// hopwave bfs: distances, and parents, from one source or several.
#include "cli/commands/bfs/bfs.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/commands/bfs/bfs_pictures.h"
#include "cli/commands/bfs/coordinates.h"
#include "cli/commands/bfs/race_report.h"
#include "cli/commands/bfs/result_writer.h"
#include "cli/frame/command.h"
#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/id_lines.h"
#include "cli/frame/rank_graph.h"
#include "cli/frame/result_file.h"
#include "cli/frame/search_options.h"
#include "cli/frame/search_summary.h"
#include "cli/frame/tuning_file.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "hopwave/restrict.h"
#include "hopwave/validate.h"
#include "measure/search_picture.h"

namespace hopwave::cli {

std::vector<Query> queries_of(const BfsJob& job, const std::vector<VertexId>& sources, VertexId target) {
  Query query = job.query;
  query.target = target;
  std::vector<Query> all;
  if (job.each) {
    for (const VertexId s : sources) {
      all.push_back(query);
      all.back().sources = {s};
    }
    return all;
  }
  query.sources = distinct(sources);
  return {query};
}

void refuse(const char* found, const char* expected, const char* hint) {
  core::refuse("HW-USAGE-OPTION", found, expected, hint);
}

namespace of_bfs {

using Arguments = BfsArguments;

void verify(const Graph& graph, const Query& query, const Result& result, Direction direction, SearchSummary& report) {
  const core::Stopwatch watch;
  const Verdict verdict = validate(graph, query, result, direction);
  report.verify_seconds += watch.seconds();
  if (!verdict.ok)
    throw Error(
        {.failure = Failure::verification,
         .id = "HW-VERIFY",
         .found = fmt::format("the result of {} is wrong: {} (rule {})", report.run.strategy, verdict.message, verdict.rule),
         .hint = report.run.strategy.starts_with("literal:")
                     ? "a fault of the printed listing; docs/literal.md names those that are known"
                     : "please report it with the graph and the command; --strategy cpu-sequential gives a right answer"});
  report.verified = true;
  report.parents = query.parents;
}

/// The graph without the vertices that a file names.
Graph without(const Graph& graph, const std::string& file) {
  auto keep = Array<std::uint8_t>::filled(graph.num_vertices(), 1);
  for (const VertexId v : read_vertices(graph.ids(), file)) keep[v] = 0;
  return restricted(graph, {.vertices = std::move(keep)});
}

/// What one process cannot do.
void check_alone(const Arguments& a, const SearchOptions& options) {
  check_pictures(a);
  if (a.search.exchange != "auto")
    refuse("--exchange in one process", "several processes with a GPU each", "mpirun -n 2 hopwave bfs … --device gpu");
  const bool one_by_one =
      a.mode != "each" || a.explain || !a.timeline.empty() || a.parents || a.graph500_parents || !a.target.empty();
  if (!options.run.replicas.empty() && options.partition != Partition::always && one_by_one)
    refuse("several GPUs for searches that run one by one",
           "--mode each, without --explain, --timeline, --parents, --graph500-parents and --target",
           "one search runs on one GPU, unless --partition lets all GPUs search together");
}

/// What the partitioned search over processes cannot do is never left out silently.
void check_on_ranks(const Arguments& a) {
  check_rank_search(a.search);
  if (!a.picture.empty()) refuse_on_ranks("--picture", "none");
  if (!a.coordinates.empty()) refuse_on_ranks("--coordinates", "none");
  if (a.layout != "auto") refuse_on_ranks("--layout", "none");
  if (a.step != 0) refuse_on_ranks("--step", "none");
  if (!a.timeline.empty()) refuse_on_ranks("--timeline", "none; --explain prints the time of each level and process");
  if (a.races != "auto") refuse_on_ranks("--races", "none");
}

/// Are these searches one call, which shares passes over the graph, and has --time-limit together?
bool one_call(const BfsJob& job, const std::vector<Query>& queries) {
  const Query& first = queries.front();
  return queries.size() > 1 && !first.parents && first.target == no_vertex && !job.explain && job.timeline.empty();
}

int search_graph(BfsJob& job, Context& context, const sim::Races& races) {
  const Loaded loaded = load(context, job.graph, job.options.direction != Direction::out);
  const Graph graph = job.without.empty() ? loaded.graph : without(loaded.graph, job.without);
  picture::Places places;
  if (!job.coordinates.empty())
    places = read_places(job.coordinates, graph);
  else if (!job.picture.empty())
    picture::require_small(graph, job.picture);
  SearchOptions& options = job.options;
  apply_tuning(context.console, graph, job.tuned, options);
  const Sources sources = find_sources(graph, job.sources, options.run.seed);
  const VertexId target = job.target.empty() ? no_vertex : find_vertex(graph, job.target, "target");
  const auto all = queries_of(job, sources.vertices, target);

  SearchSummary report;
  report.graph.emplace(graph);
  report.load_seconds = loaded.seconds;
  report.options = options.run;
  report.asked = job.strategy;
  report.direction = options.direction;
  report.source_how = sources.how;
  report.explained = job.explain;
  report.limited = job.limited();
  report.output = job.output;

  std::optional<Progress> progress(std::in_place, context.console, "searching");
  options.run.progress = [&](const Step& step) {
    progress->steps(fmt::format("search {} of {}, level {}, {}", report.searches.size() + 1, all.size(), step.done,
                                plural(step.amount, "vertex", "vertices")));
    return !context.interrupted();
  };
  const bool together = one_call(job, all);
  report.device_why =
      settle_device(options, graph, together ? (all.size() + 63) / 64 : 0, together ? 0 : static_cast<double>(all.size()));
  Searcher searcher(graph, options);
  report.run.strategy = searcher.strategy();
  report.run.device = searcher.device();
  report.gpus = gpus_text(options);
  report.run.prepare = searcher.prepare();
  report.run.copy_in = searcher.copy_in();

  std::optional<picture::Subject> drawn;
  if (!job.picture.empty() && job.coordinates.empty()) drawn = picture::subject_of(graph, searcher, job.options);
  std::optional<ResultWriter> writer;
  job.shape.searches = all.size();
  if (!job.output.empty())
    writer.emplace(job.output, job.shape, graph, options.run.threads, [&] { context.check_interrupt(); });
  Team team(options.run.threads);
  bool target_found = true;
  const auto take = [&](const Query& query, Result&& result) {
    if (job.verify) verify(graph, query, result, options.direction, report);
    if (query.target != no_vertex) target_found &= result.distance[query.target] != unreached;
    if (writer) writer->add(result, query.sources);
    if (drawn) draw(job, graph, *drawn, query, result);
    if (!job.coordinates.empty()) write_map(job, graph, places, query, result);
    if (report.run.chosen.empty()) report.run.chosen = result.run.chosen;
    report.searches.push_back(
        {query.sources, result.reached, result.depth, tally(graph, result, options.direction, team), std::move(result.run)});
    context.check_interrupt();
  };
  if (together) {
    searcher.run_each(sources.vertices, all.front().max_depth,
                      [&](std::size_t i, Result&& result) { take(all[i], std::move(result)); });
  } else {
    const SharedLimit limit(options.run.limits);
    const auto search = [&](const Query& query) {
      if (all.size() == 1) return searcher.run(query);
      searcher.set_limits(limit.rest());
      return limit.run(report.searches.size(), all.size(), [&] { return searcher.run(query); });
    };
    for (const Query& query : all) take(query, search(query));
  }
  report.run.notes = searcher.notes();
  note_missing_threads(report, team);
  progress.reset();
  if (writer) {
    writer->commit();
    report.write_seconds = writer->seconds();
    report.wrote = true;
  }

  if (!job.timeline.empty()) write_timeline(job, graph, report);
  for (const auto& note : report.run.notes) context.console.warn(note);
  report_bfs(job, context, report, target_found, races);
  announce_races(job, context, races, false);
  if (job.race_fails && !races.all().empty()) return static_cast<int>(Failure::verification);
  return target_found ? 0 : static_cast<int>(Failure::no);
}

int run(BfsJob job, Context& context) {
  sim::Races races;
  std::optional<sim::RaceWatch> watch;
  if (job.races) watch.emplace(races);
  try {
    return search_graph(job, context, races);
  } catch (const Error&) {  // races may be its reason
    const bool to_err = context.json() || job.output == "-";
    if (!races.all().empty()) {
      print_races(context.console, to_err ? Stream::err : Stream::out, races);
      context.console.add_to_errors("races", dump(races_json(races)));
    }
    announce_races(job, context, races, true);
    throw;
  }
}

}  // namespace of_bfs

BfsJob check_bfs(const BfsArguments& a, Context& context) {
  using namespace of_bfs;
  const bool parents = a.parents || a.graph500_parents;
  BfsJob job{
      .graph = a.graph,
      .sources = a.sources,
      .target = a.target,
      .without = a.without,
      .options = search_options(a.search, checked_int("--threads", a.graph.threads, 0, 4096)),
      .query = {.max_depth = checked_int("--max-depth", a.max_depth, -1, 0x7FFFFFFF),
                .parents = parents || (!a.picture.empty() && a.coordinates.empty()),
                .ties = a.ties == "min" ? Ties::min : Ties::any},
      .each = a.mode == "each",
      .tuned = wants_tuning(a.search),
      .verify = a.verify,
      .explain = a.explain,
      .output = a.output,
      .shape = {},
      .picture = a.picture,
      .coordinates = a.coordinates,
      .placing = a.layout == "levels"  ? picture::Placing::levels
                 : a.layout == "dot"   ? picture::Placing::dot
                 : a.layout == "neato" ? picture::Placing::neato
                                       : picture::Placing::automatic,
      .shown = {.step = checked_int("--step", a.step, 0, picture::most_vertices), .against_depth_first = a.against == "dfs"},
      .beside = a.against == "dfs" ? "" : a.against,
      .timeline = a.timeline,
      .strategy = a.search.strategy};
  if (context.ranks)
    check_on_ranks(a);
  else
    check_alone(a, job.options);
  check_one_output(context, a.output);
  // Rodinia's format also adds run statistics to the summary.
  if (!a.format.empty() && a.format != "rodinia" && a.output.empty())
    refuse("--format without -o", "-o FILE, or -o - for standard output");
  if (a.ties != "any" && !job.query.parents) refuse("--ties without parents", "also --parents or --graph500-parents");
  job.shape = {.format = a.format.empty() ? format_of(a.output) : a.format,
               .parents = parents,
               .roots_own_parent = a.graph500_parents,
               .each = job.each,
               .distance_type = a.distance_type};
  check_shape(job.shape);  // what a format cannot hold is an error before a long read
  job.races = !context.ranks && wants_races(a, job.options);
  job.race_fails = a.races == "error";
  job.options.trace = a.explain || (!a.picture.empty() && a.coordinates.empty()) || !a.timeline.empty();
  job.options.counts = a.explain && job.options.partition != Partition::always;
  return job;
}

void report_bfs(const BfsJob& job, Context& context, const SearchSummary& report, bool target_found, const sim::Races& races) {
  Console& console = context.console;
  const Stream stream = job.output == "-" ? Stream::err : Stream::out;
  if (context.json()) {
    Json json = report_json("bfs", report);
    if (!job.target.empty()) json["target_found"] = target_found;
    json["races"] = job.races ? races_json(races) : Json(nullptr);
    console.result(dump(json));
  } else {
    print_summary(console, stream, report);
    if (job.races) print_races(console, stream, races);
    if (job.explain) print_levels(console, stream, report);
    if (job.shape.format == "rodinia") print_run_statistics(console, stream, report);
  }
  warn_if_tiny(console, report);
  if (!target_found)
    console.warn("no path leads to the target" + std::string(job.query.max_depth >= 0 ? " within --max-depth" : ""));
}

Command bfs_command() {
  using namespace of_bfs;
  auto a = std::make_shared<Arguments>();
  OptionGroup query{"Query", {graph_argument(a->graph)}};
  for (auto& option : source_options(a->sources)) query.options.push_back(std::move(option));
  query.options.insert(
      query.options.end(),
      {{"--mode",
        "HOW",
        "With several sources: the distance to the nearest, or one search each (auto does 64 of these in one pass, unless "
        "parents, a target, --explain or --timeline are asked for).",
        &a->mode,
        {"nearest", "each"}},
       direction_option(a->search),
       {"--max-depth", "N", "Stop after this many levels; deeper vertices stay at -1. -1: no limit.", &a->max_depth},
       {"--target", "ID", "Stop after the level that reaches this vertex; exit code 1 if no path leads there.", &a->target},
       {"--without",
        "FILE",
        "Search around the vertices that this file names, one id per line. They stay at -1, unless one is a source.",
        &a->without,
        {},
        Fill::file},
       {"--parents", "", "Also give each vertex its parent in the search tree; -1 for sources and unreached vertices.",
        &a->parents},
       {"--graph500-parents", "", "Like --parents, but a source is its own parent.", &a->graph500_parents},
       {"--ties",
        "RULE",
        "Which of several possible parents: any, or min (the smallest; the same everywhere).",
        &a->ties,
        {"any", "min"}}});
  OptionGroup output{
      "Output",
      {{"-o,--output",
        "FILE",
        "Write one line per vertex (id, distance and parent) to this file; - for standard output.",
        &a->output,
        {},
        Fill::output},
       {"--format",
        "NAME",
        "Format of the output: text (= tsv), csv, json, npy (NumPy) or rodinia (result.txt, with run statistics). Without "
        "it, by the file's ending: .txt, .tsv or none, .csv, .json, .npy. A further .gz or .zst compresses.",
        &a->format,
        {"text", "tsv", "csv", "json", "npy", "rodinia"}},
       {"--dtype",
        "TYPE",
        "Type of the distances in .npy: int32, uint16 or uint8, where unreached is 65535 or 255, and a greater distance than "
        "65533 "
        "or 253 is an error.",
        &a->distance_type,
        {"int32", "uint16", "uint8"}},
       {"--picture",
        "FILE",
        "Draw a small graph with levels and tree, and for each level which threads work, look and label: .svg, .png, .dot (the "
        "graph alone) or .html, a page that plays the search.",
        &a->picture,
        {},
        Fill::output},
       {"--coordinates",
        "FILE",
        "Draw a map instead, of a graph of any size: .svg or .png, each arc in the colour of its levels. The file has a row "
        "ID X Y per vertex, or is DIMACS' .co.",
        &a->coordinates,
        {},
        Fill::file},
       {"--layout",
        "HOW",
        "What places the vertices of the picture: rows by level, Graphviz's dot or neato, or auto: a grid as a grid, others by "
        "dot if it is installed, else by levels.",
        &a->layout,
        {"auto", "levels", "dot", "neato"}},
       {"--step", "N", "Of an .svg or .png picture only this step. 0: the tree and all steps.", &a->step},
       {"--against", "NAME",
        "Two searches side by side: with the name of a strategy, an .html page of the steps of both; with dfs, an .svg or "
        ".png picture of the tree beside that of depth-first search, with the order in which each finds the vertices, and "
        "depth first leaves them.",
        &a->against},
       {"--timeline",
        "FILE",
        "Draw where the time went, level by level, one line per search: .svg, or .json, a trace for Perfetto "
        "(ui.perfetto.dev) and chrome://tracing.",
        &a->timeline,
        {},
        Fill::output},
       {"--verify", "", "Check every distance and parent against the graph; exit code 5 if one is wrong.", &a->verify},
       {"--races",
        "HOW",
        "Look for data races in the simulator and print the two lines, their threads, and whether the values differ: auto "
        "(printed listings), on, off, or error (on, and exit code 5 if there is one).",
        &a->races,
        {"auto", "on", "off", "error"}},
       {"--explain", "",
        "Print for every level: direction, frontier, edges looked at, time and rate; and for every launch of a kernel its "
        "shape "
        "and, "
        "with --device sim, what its threads did; of several processes where the time of each went.",
        &a->explain}}};
  OptionGroup running = running_options(a->search, a->graph);
  running.options.push_back(gpus_option(a->search));
  running.options.push_back(partition_option(a->search));
  running.options.push_back(exchange_option(a->search));
  return {
      .name = "bfs",
      .summary = "hop distances from a vertex, or from several",
      .description =
          "Finds how many hops every vertex is from the source, by breadth-first search, and prints how the file was read, "
          "what "
          "searched, what was found and where the time went. Unreached vertices have distance -1. Vertices keep the ids that "
          "they "
          "have in the file.\n\n"
          "Under mpirun or srun all processes do one search: each holds a share of the graph, the first prints and writes. "
          "They search on CPUs, with --device gpu on a GPU each. "
          "Most options work there, and the others say so (docs/several-machines.md).",
      .examples = {{"hopwave bfs roads.gr -s 17 -o distances.tsv", "distances from vertex 17, one line per vertex"},
                   {"hopwave bfs social.txt.zst -s maxdeg --parents -o tree.csv",
                    "the search tree of the best-connected vertex"},
                   {"hopwave bfs rmat:20,16 -s random:64@1 --mode each --verify", "64 verified searches of a generated graph"},
                   {"hopwave bfs roads.gr --sources 3,99 --max-depth 10", "what is within ten hops of either"},
                   {"hopwave bfs g.mtx -s first --strategy cpu-direction --explain", "level by level"},
                   {"hopwave bfs rmat:20,16 -s maxdeg --timeline time.svg", "where the time went, drawn"},
                   {"hopwave bfs pmpp -s 0 --strategy pmpp-vertex-push --device sim --picture push.html",
                    "what each thread does in each level"}},
      .groups = {std::move(query), std::move(output), std::move(running), reading_options(a->graph)},
      .run = [a](Context& context) { return context.ranks ? bfs_on_ranks(*a, context) : run(check_bfs(*a, context), context); },
      .ranks = true};
}

}  // namespace hopwave::cli
