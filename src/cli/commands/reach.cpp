// hopwave reach: the vertices that can be reached from a source.
#include <fmt/format.h>

#include <memory>

#include "cli/console.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/result_file.h"
#include "cli/row_text.h"
#include "cli/search_options.h"
#include "cli/search_report.h"
#include "cli/tuning_file.h"
#include "core/stopwatch.h"

namespace hopwave::cli {
namespace of_reach {

struct Arguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string output;
  std::int64_t max_depth = -1;
  bool unreached = false;
};

void write_set(const Arguments& arguments, const Graph& graph, const Result& result, Team& team, Context& context) {
  ResultFile out(arguments.output);
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    context.check_interrupt();
    for (std::size_t i = from; i < to; ++i) {
      const auto v = static_cast<VertexId>(i);
      if ((result.distance[v] == unreached) != arguments.unreached) continue;
      if (graph.ids().kind() == Ids::Kind::strings)
        put_cell(graph.ids().names()[v], '\t', text);
      else
        text.put(graph.ids().number(v));
      text.put('\n');
    }
  });
  out.commit();
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
  query.max_depth = checked_int("--max-depth", arguments.max_depth, -1, 0x7FFFFFFF);
  Loaded loaded = load(context, arguments.graph, options.direction != Direction::out);
  if (arguments.max_depth >= 0)
    note_unused_weights(context, loaded.graph, "reach --max-depth", "hopwave sssp --max-distance uses them");
  const Graph& graph = loaded.graph;
  apply_tuning(context.console, graph, wants_tuning(arguments.search), options);
  const Sources sources = find_sources(graph, arguments.sources, arguments.search.seed);
  query.sources = distinct(sources.vertices);

  SearchReport report;
  report.graph.emplace(graph);
  report.load_seconds = loaded.seconds;
  report.asked = arguments.search.strategy;
  report.direction = options.direction;
  report.source_how = sources.how;
  report.limited = arguments.max_depth >= 0;
  report.output = arguments.output;
  Team team(threads);
  Result result;
  {
    Progress progress(context.console, "searching");
    options.progress = [&](std::uint32_t level, std::uint64_t frontier) {
      progress.steps(fmt::format("level {}, {}", level, plural(frontier, "vertex", "vertices")));
      return !context.interrupted();
    };
    report.device_why = settle_device(options, graph, 0, 1);
    Searcher searcher(graph, options);
    result = searcher.run(query);
    report.strategy = searcher.strategy();
    report.device = searcher.device();
    report.prepare_seconds = searcher.prepare_seconds();
    report.copy_seconds = searcher.copy_seconds();
    report.notes = searcher.notes();
    note_missing_threads(report, team);
    report.why = result.stats.chosen;
  }
  if (!arguments.output.empty()) {
    const core::Stopwatch watch;
    write_set(arguments, graph, result, team, context);
    report.write_seconds = watch.seconds();
    report.wrote = true;
  }
  report.searches.push_back(
      {query.sources, result.reached, result.depth, tally(graph, result, options.direction, team), std::move(result.stats)});
  for (const auto& note : report.notes) context.console.warn(note);
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
  return {
      .name = "reach",
      .summary = "the vertices that can be reached",
      .description =
          "Finds which vertices can be reached from the source, or from any of several, and counts them; with -o it lists "
          "their ids, one a line, in ascending order.",
      .examples = {{"hopwave reach web.txt -s 17", "how many"},
                   {"hopwave reach web.txt -s 17 -o -", "which"},
                   {"hopwave reach deps.txt -s libfoo --direction in -o users.txt", "everything from which libfoo is reached"},
                   {"hopwave reach roads.gr --sources 1,2 --max-depth 100 --unreached -o far.txt", "everything beyond"}},
      .groups = {std::move(query),
                 {"Output",
                  {{"-o,--output", "FILE", "Write the ids to this file; - for standard output.", &a->output, {}, Fill::output},
                   {"--unreached", "", "With -o: write the vertices that cannot be reached instead.", &a->unreached}}},
                 running_options(a->search),
                 reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
