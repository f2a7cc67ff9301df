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

/// As typed.
struct Arguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string output;
  std::int64_t max_depth = -1, nearest = 0;
  bool unreached = false, distances = false;
};

/// What was meant by it. Words that name vertices are kept until the graph is known.
struct Job {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  SearchOptions options;
  std::string output;
  Distance max_depth = -1;
  std::uint64_t nearest = 0;  ///< 0: all
  bool unreached = false, distances = false;
  bool sparse = false;  ///< the answer is one of Searcher::reach(), which costs what it reaches

  [[nodiscard]] bool limited() const { return max_depth >= 0 || nearest > 0; }
};

struct Answer {
  SearchSummary summary;
  Result result;  ///< unless the job is sparse
  Reached found;  ///< if it is
};

Job check(const Arguments& a, const Context& context) {
  const auto refuse = [](std::string found, std::string expected) {
    throw Error(
        {.failure = Failure::usage, .id = "HW-USAGE-OPTION", .found = std::move(found), .expected = std::move(expected)});
  };
  check_text_ending(a.output);
  SearchOptions options = search_options(a.search, checked_int("--threads", a.graph.threads, 0, 4096));
  check_one_output(context, a.output);
  for (const auto& [given, name] : {std::pair(a.unreached, "--unreached"), std::pair(a.distances, "--distances")})
    if (given && a.output.empty()) refuse(std::string(name) + " without -o", "-o FILE, or -o - for standard output");
  if (a.unreached && (a.nearest || a.distances))
    refuse(std::string("--unreached and ") + (a.nearest ? "--nearest" : "--distances"), "one of them");
  const auto nearest = static_cast<std::uint64_t>(checked_int("--nearest", a.nearest, 0, 0x7FFFFFFF));
  // A depth limit alone is met by a plain search where a strategy or a device was asked for.
  const bool free = a.search.strategy == "auto" && a.search.device == "auto" && !a.search.prepare && !a.unreached;
  return {.graph = a.graph,
          .sources = a.sources,
          .search = a.search,
          .options = std::move(options),
          .output = a.output,
          .max_depth = checked_int("--max-depth", a.max_depth, -1, 0x7FFFFFFF),
          .nearest = nearest,
          .unreached = a.unreached,
          .distances = a.distances,
          .sparse = nearest > 0 || a.distances || (a.max_depth >= 0 && free)};
}

void put_id(const Graph& graph, VertexId v, RowText& text) {
  if (graph.ids().kind() == Ids::Kind::strings)
    put_cell(graph.ids().names()[v], '\t', text);
  else
    text.put(graph.ids().number(v));
}

void write_set(const Job& job, const Graph& graph, const Result& result, Team& team, Context& context) {
  ResultFile out(job.output);
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    context.check_interrupt();
    for (std::size_t i = from; i < to; ++i) {
      const auto v = static_cast<VertexId>(i);
      if ((result.distance[v] == unreached) != job.unreached) continue;
      put_id(graph, v, text);
      text.put('\n');
    }
  });
  out.commit();
}

/// With distances the nearest first, else in ascending order.
void write_rows(const Job& job, const Graph& graph, Reached found, Team& team, Context& context) {
  if (!job.distances) std::sort(found.vertex.begin(), found.vertex.end());
  ResultFile out(job.output);
  write_in_order(out, team, found.vertex.size(), [&](std::size_t from, std::size_t to, RowText& text) {
    context.check_interrupt();
    for (std::size_t i = from; i < to; ++i) {
      put_id(graph, found.vertex[i], text);
      if (job.distances) {
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

void search(const Job& job, const Query& query, const Graph& graph, Context& context, Answer& answer) {
  SearchOptions options = job.options;
  RunReport& run = answer.summary.run;
  apply_tuning(context.console, graph, wants_tuning(job.search), options);
  Progress progress(context.console, "searching");
  options.run.progress = [&](const Step& step) {
    progress.steps(fmt::format("level {}, {}", step.done, plural(step.amount, "vertex", "vertices")));
    return !context.interrupted();
  };
  if (job.sparse && options.run.device == DeviceKind::automatic)
    options.run.device = DeviceKind::cpu;  // where the queue is
  else
    answer.summary.device_why = settle_device(options, graph, 0, 1);
  Searcher searcher(graph, options);
  if (job.sparse)
    answer.found = searcher.reach(query, job.nearest);
  else
    answer.result = searcher.run(query);
  run = {.device = searcher.device(),
         .strategy = searcher.strategy(),
         .chosen = job.sparse ? answer.found.run.chosen : answer.result.run.chosen,
         .prepare = searcher.prepare(),
         .copy_in = searcher.copy_in(),
         .notes = searcher.notes()};
}

Answer find(const Job& job, const Loaded& loaded, Team& team, Context& context) {
  const Graph& graph = loaded.graph;
  const Direction direction = job.options.direction;
  Sources sources = find_sources(graph, job.sources, job.search.seed);
  const Query query{.sources = distinct(sources.vertices), .max_depth = job.max_depth};
  Answer answer;
  SearchSummary& summary = answer.summary;
  summary.graph.emplace(graph);
  summary.load_seconds = loaded.seconds;
  summary.options = job.options.run;
  summary.asked = job.search.strategy;
  summary.direction = direction;
  summary.source_how = std::move(sources.how);
  summary.limited = job.limited();
  summary.output = job.output;
  search(job, query, graph, context, answer);
  note_missing_threads(summary, team);
  if (job.sparse) {
    Reached& found = answer.found;
    const Distance depth = found.distance.empty() ? 0 : found.distance.back();
    summary.searches.push_back({query.sources, static_cast<VertexId>(found.vertex.size()), depth,
                                tally_of(graph, found, direction), std::move(found.run)});
  } else {
    Result& result = answer.result;
    summary.searches.push_back(
        {query.sources, result.reached, result.depth, tally(graph, result, direction, team), std::move(result.run)});
  }
  return answer;
}

int report(const Job& job, const Graph& graph, Answer answer, Team& team, Context& context) {
  SearchSummary& summary = answer.summary;
  if (!job.output.empty()) {
    const core::Stopwatch watch;
    if (job.sparse)
      write_rows(job, graph, std::move(answer.found), team, context);
    else
      write_set(job, graph, answer.result, team, context);
    summary.write_seconds = watch.seconds();
    summary.wrote = true;
  }
  for (const auto& note : summary.run.notes) context.console.warn(note);
  if (context.json())
    context.console.result(dump(report_json("reach", summary)));
  else
    print_summary(context.console, job.output == "-" ? Stream::err : Stream::out, summary);
  warn_if_tiny(context.console, summary);
  return 0;
}

int run(const Job& job, Context& context) {
  Loaded loaded = load(context, job.graph, job.options.direction != Direction::out);
  if (job.limited())
    note_unused_weights(context, loaded.graph, job.nearest ? "reach --nearest" : "reach --max-depth",
                        "hopwave sssp --max-distance uses them");
  Team team(job.options.run.threads);
  return report(job, loaded.graph, find(job, loaded, team, context), team, context);
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
      .run = [a](Context& context) { return run(check(*a, context), context); }};
}

}  // namespace hopwave::cli
