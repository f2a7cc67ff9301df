// hopwave reach: the vertices that can be reached from a source.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "cli/frame/search_summary.h"
#include "cli/frame/tuning_file.h"
#include "core/stopwatch.h"

namespace hopwave::cli {
namespace of_reach {

struct Arguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string output;
  std::int64_t max_depth = -1, nearest = 0;
  bool unreached = false, distances = false;

  /// Is the answer one of Searcher::reach(), which costs what it reaches? Unless a strategy or a device was asked for.
  [[nodiscard]] bool sparse() const {
    const bool free = search.strategy == "auto" && search.device == "auto" && !search.prepare && !unreached;
    return nearest > 0 || distances || (max_depth >= 0 && free);
  }
};

void put_id(const Graph& graph, VertexId v, RowText& text) {
  if (graph.ids().kind() == Ids::Kind::strings)
    put_cell(graph.ids().names()[v], '\t', text);
  else
    text.put(graph.ids().number(v));
}

void write_set(const Arguments& arguments, const Graph& graph, const Result& result, Team& team, Context& context) {
  ResultFile out(arguments.output);
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    context.check_interrupt();
    for (std::size_t i = from; i < to; ++i) {
      const auto v = static_cast<VertexId>(i);
      if ((result.distance[v] == unreached) != arguments.unreached) continue;
      put_id(graph, v, text);
      text.put('\n');
    }
  });
  out.commit();
}

/// With distances the nearest first, else in ascending order.
void write_rows(const Arguments& arguments, const Graph& graph, Reached found, Team& team, Context& context) {
  if (!arguments.distances) std::sort(found.vertex.begin(), found.vertex.end());
  ResultFile out(arguments.output);
  write_in_order(out, team, found.vertex.size(), [&](std::size_t from, std::size_t to, RowText& text) {
    context.check_interrupt();
    for (std::size_t i = from; i < to; ++i) {
      put_id(graph, found.vertex[i], text);
      if (arguments.distances) {
        text.put('\t');
        text.put(std::int64_t{found.distance[i]});
      }
      text.put('\n');
    }
  });
  out.commit();
}

Tally tally_of(const Graph& graph, const Reached& found, Direction direction) {
  Tally tally;
  const bool in = direction != Direction::out && graph.directed() && graph.has_in();
  const bool out = direction != Direction::in || !in;
  for (std::size_t i = 0; i < found.vertex.size(); ++i) {
    const VertexId v = found.vertex[i];
    tally.level_sizes.resize(static_cast<std::size_t>(found.distance[i]) + 1);
    ++tally.level_sizes.back();
    if (out) tally.edges += graph.out_degree(v);
    if (in) tally.edges += graph.in().offsets[v + 1ull] - graph.in().offsets[v];
  }
  if (!graph.directed() || (in && out)) tally.edges /= 2;
  return tally;
}

int run(const Arguments& arguments, Context& context) {
  check_text_ending(arguments.output);
  const int threads = checked_int("--threads", arguments.graph.threads, 0, 4096);
  auto options = search_options(arguments.search, threads);
  check_one_output(context, arguments.output);
  Query query;
  if (arguments.unreached && arguments.output.empty())
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--unreached without -o",
                 .expected = "-o FILE, or -o - for standard output"});
  if (arguments.distances && arguments.output.empty())
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--distances without -o",
                 .expected = "-o FILE, or -o - for standard output"});
  if (arguments.unreached && (arguments.nearest || arguments.distances))
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = std::string("--unreached and ") + (arguments.nearest ? "--nearest" : "--distances"),
                 .expected = "one of them"});
  const int nearest = checked_int("--nearest", arguments.nearest, 0, 0x7FFFFFFF);
  query.max_depth = checked_int("--max-depth", arguments.max_depth, -1, 0x7FFFFFFF);
  Loaded loaded = load(context, arguments.graph, options.direction != Direction::out);
  if (arguments.max_depth >= 0 || nearest > 0)
    note_unused_weights(context, loaded.graph, nearest ? "reach --nearest" : "reach --max-depth",
                        "hopwave sssp --max-distance uses them");
  const Graph& graph = loaded.graph;
  apply_tuning(context.console, graph, wants_tuning(arguments.search), options);
  const Sources sources = find_sources(graph, arguments.sources, arguments.search.seed);
  query.sources = distinct(sources.vertices);

  SearchSummary report;
  report.graph.emplace(graph);
  report.load_seconds = loaded.seconds;
  report.options = options.run;
  report.asked = arguments.search.strategy;
  report.direction = options.direction;
  report.source_how = sources.how;
  report.limited = arguments.max_depth >= 0 || nearest > 0;
  report.output = arguments.output;
  Team team(threads);
  Result result;
  Reached found;
  const bool sparse = arguments.sparse();
  {
    Progress progress(context.console, "searching");
    options.run.progress = [&](const Step& step) {
      progress.steps(fmt::format("level {}, {}", step.done, plural(step.amount, "vertex", "vertices")));
      return !context.interrupted();
    };
    if (sparse && options.run.device == DeviceKind::automatic)
      options.run.device = DeviceKind::cpu;  // where the queue is
    else
      report.device_why = settle_device(options, graph, 0, 1);
    Searcher searcher(graph, options);
    if (sparse)
      found = searcher.reach(query, static_cast<std::uint64_t>(nearest));
    else
      result = searcher.run(query);
    report.run.strategy = searcher.strategy();
    report.run.device = searcher.device();
    report.run.prepare = searcher.prepare();
    report.run.copy_in = searcher.copy_in();
    report.run.notes = searcher.notes();
    note_missing_threads(report, team);
    report.run.chosen = sparse ? found.run.chosen : result.run.chosen;
  }
  if (sparse) {
    const Distance depth = found.distance.empty() ? 0 : found.distance.back();
    report.searches.push_back({query.sources, static_cast<VertexId>(found.vertex.size()), depth,
                               tally_of(graph, found, options.direction), std::move(found.run)});
  } else {
    report.searches.push_back(
        {query.sources, result.reached, result.depth, tally(graph, result, options.direction, team), std::move(result.run)});
  }
  if (!arguments.output.empty()) {
    const core::Stopwatch watch;
    if (sparse)
      write_rows(arguments, graph, std::move(found), team, context);
    else
      write_set(arguments, graph, result, team, context);
    report.write_seconds = watch.seconds();
    report.wrote = true;
  }
  for (const auto& note : report.run.notes) context.console.warn(note);
  if (context.json())
    context.console.result(dump(report_json("reach", report)));
  else
    print_summary(context.console, arguments.output == "-" ? Stream::err : Stream::out, report);
  warn_if_tiny(context.console, report);
  return 0;
}

}  // namespace of_reach

Command reach_command() {
  using namespace of_reach;
  auto a = std::make_shared<Arguments>();
  OptionGroup query{"Query", {graph_argument(a->graph)}};
  for (auto& option : source_options(a->sources)) query.options.push_back(std::move(option));
  query.options.push_back(direction_option(a->search));
  query.options.push_back({"--max-depth", "N", "Only what is within this many hops. -1: no limit.", &a->max_depth});
  query.options.push_back({"--nearest", "K",
                           "Only the K nearest vertices besides the sources; of those equally far the least. 0: all.",
                           &a->nearest});
  return {
      .name = "reach",
      .summary = "the vertices that can be reached",
      .description =
          "Finds which vertices can be reached from the source, or from any of several, and counts them; with -o it lists "
          "their ids, one per line, in ascending order. With --nearest or --distances, and with --max-depth unless a "
          "strategy or a device is named, it looks only at what it reaches.",
      .examples = {{"hopwave reach web.txt -s 17", "how many"},
                   {"hopwave reach web.txt -s 17 -o -", "which"},
                   {"hopwave reach web.txt -s 17 --nearest 20 --distances -o -", "the twenty nearest, and how far they are"},
                   {"hopwave reach deps.txt -s libfoo --direction in -o users.txt", "everything from which libfoo is reached"},
                   {"hopwave reach roads.gr --sources 1,2 --max-depth 100 --unreached -o far.txt", "everything beyond"}},
      .groups = {std::move(query),
                 {"Output",
                  {{"-o,--output", "FILE", "Write the ids to this file; - for standard output.", &a->output, {}, Fill::output},
                   {"--distances", "", "With -o: write the distance after each id, the nearest first.", &a->distances},
                   {"--unreached", "", "With -o: write the vertices that cannot be reached instead.", &a->unreached}}},
                 running_options(a->search, a->graph),
                 reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
