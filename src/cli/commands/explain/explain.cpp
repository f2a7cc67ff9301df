// hopwave explain: strategies side by side by what their threads did, and which number explains the difference.
#include "measure/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "bfs/catalogue/catalogue.h"
#include "cli/commands/explain/by_level.h"
#include "cli/commands/explain/by_place.h"
#include "cli/frame/command.h"
#include "cli/frame/console.h"
#include "cli/frame/counts_report.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/result_file.h"
#include "cli/frame/search_options.h"
#include "cli/frame/text_table.h"
#include "core/refuse.h"
#include "draw/launches.h"
#include "draw/picture.h"

namespace hopwave::cli {
namespace of_explain {

struct Arguments {
  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::string strategies, picture;
  bool markdown = false, by_level = false, by_place = false;
};

struct Explained {
  std::string name, why;
  SearchReport stats;
  report::SearchCounts counts;
  std::optional<Error> error = {};    ///< the kernel broke in the simulator: nothing was counted
  std::vector<LevelRow> levels = {};  ///< with --by-level, of strategies with a rule
};

/// "A,B", or "all": every strategy of the literature, and auto.
std::vector<std::string> chosen(const std::string& list) {
  std::vector<std::string> names;
  if (list == "all") {
    for (const StrategyInfo& info : strategies())
      if (info.device != "cpu") names.emplace_back(info.name);
    return names;
  }
  for (std::string_view rest = list; !rest.empty();) {
    const auto comma = rest.find(',');
    const StrategyInfo& info = find_strategy(rest.substr(0, comma));
    if (info.device == "cpu")
      core::refuse("HW-USAGE-VALUE", "--strategy has " + std::string(info.name) + ", which launches no kernels",
                   "strategies for GPUs: their threads are counted");
    names.emplace_back(info.name);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  if (names.empty()) core::refuse("HW-USAGE-VALUE", "--strategy names none", "names separated by commas, or all");
  return names;
}

/// The parameters that this strategy has.
Parameters own_parameters(const StrategyInfo& info, const Parameters& given) {
  Parameters own;
  for (const ParameterInfo& p : info.parameters)
    if (const auto at = given.find(std::string(p.name)); at != given.end()) own.insert(*at);
  return own;
}

/// Throws HW-PARAM-UNKNOWN, HW-PARAM-RANGE. A parameter has to belong to one strategy at least.
void check_parameters(const std::vector<std::string>& names, const Parameters& given) {
  for (const auto& one : given) {
    bool known = false;
    for (const std::string& name : names) {
      const StrategyInfo& info = find_strategy(name);
      known |= own_parameters(info, {one}).size() == 1;
      search_detail::complete_parameters(info, own_parameters(info, {one}));
    }
    if (!known) search_detail::complete_parameters(find_strategy(names.front()), {one});
  }
}

/// Each gets a fresh searcher, so that nothing is counted that an earlier search has left.
Explained explain(const Graph& graph, const Query& query, SearchOptions options, const std::string& name, bool by_level) {
  options.strategy = name;
  options.parameters = own_parameters(find_strategy(name), options.parameters);
  options.run.device = DeviceKind::sim;
  options.counts = true;
  Searcher searcher(graph, options);
  Explained one{.name = name, .why = {}, .stats = {}, .counts = {}};
  try {
    one.stats = searcher.traverse(query);
    if (by_level) one.levels = rows_by_level(graph, query, options);
  } catch (const Error& error) {
    if (error.failure() != Failure::device) throw;
    one.error = error;
    return one;
  }
  one.why = one.stats.chosen;
  one.counts = report::sum(one.stats.counts, one.stats.round_trips);
  one.counts.launches = one.stats.launches;  // without what brings the summary of `auto` to the host afterwards
  return one;
}

/// The cheapest first; those that broke are last.
bool cheaper(const Explained& a, const Explained& b) {
  if (a.error || b.error) return !a.error && b.error;
  return report::cost(a.counts) < report::cost(b.counts);
}

const Explained& cheapest(const std::vector<Explained>& all) { return *std::min_element(all.begin(), all.end(), cheaper); }

/// The cheapest against each other one.
std::vector<std::string> sentences(const std::vector<Explained>& all) {
  const Explained& best = cheapest(all);
  std::vector<std::string> text;
  for (const Explained& one : all)
    if (&one != &best && !one.error) text.push_back(report::explain_difference(one.name, one.counts, best.name, best.counts));
  return text;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.1f}", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "–";
}

std::vector<std::string> titles() {
  return {"strategy", "launches",  "round trips",    "threads",        "working",        "labelling",
          "lanes",    "idle %",    "shared atomics", "global atomics", "on one address", "longest",
          "read B",   "written B", "sectors",        "spread",         "bank ways",      "model µs"};
}

std::vector<std::string> cells(const Explained& one) {
  if (one.error) {
    std::vector<std::string> row(titles().size(), "–");
    row[0] = one.name;
    row[1] = "broke";
    return row;
  }
  const auto& c = one.counts;
  const double lanes = c.warps ? static_cast<double>(c.working) / static_cast<double>(c.warps) : 0;
  return {one.name,
          grouped(c.launches),
          grouped(c.round_trips),
          grouped(c.threads),
          grouped(c.working),
          grouped(c.labelling),
          fmt::format("{:.1f}", lanes),
          share(c.lane_steps - c.work, c.lane_steps),
          grouped(c.shared_atomics),
          grouped(c.global_atomics),
          grouped(c.waiting_atomics),
          grouped(c.longest),
          grouped(c.read.total()),
          grouped(c.written.total()),
          grouped(c.device.transfers),
          fmt::format("{:.1f}", c.device.spread()),
          ways_text(c.shared),
          fmt::format("{:.0f}", report::cost(c))};
}

using Cells = std::vector<std::string>;

void print_markdown(Console& console, const Cells& titles, const std::vector<Cells>& rows) {
  const auto line = [&](const Cells& words) {
    std::string text = "|";
    for (const auto& word : words) text += " " + word + " |";
    console.result(text);
  };
  line(titles);
  std::string rule = "|---|";
  for (std::size_t i = 1; i < titles.size(); ++i) rule += "--:|";
  console.result(rule);
  for (const Cells& row : rows) line(row);
}

/// The first `words` columns are words.
void print_rows(Console& console, const Cells& titles, const std::vector<Cells>& rows, std::size_t words, bool markdown) {
  if (markdown) return print_markdown(console, titles, rows);
  std::vector<TextTable::Column> columns;
  for (const std::string& title : titles) columns.push_back({title, 0, columns.size() < words});
  TextTable table(columns, 2);
  for (const Cells& row : rows) table.row(row);
  table.print(console, Stream::out);
}

/// One row per place of each strategy's kernels.
void print_places(Console& console, const std::vector<Explained>& all, bool markdown) {
  std::vector<Cells> rows;
  for (const Explained& one : all)
    for (const RequestCounts& place : one.counts.requests) rows.push_back(place_cells(one.name, place));
  print_rows(console, place_titles(), rows, 4, markdown);
}

/// One row per launch of each level.
void print_levels(Console& console, const std::vector<Explained>& all, bool markdown) {
  std::vector<Cells> rows;
  std::string without;
  for (const Explained& one : all) {
    for (const LevelRow& row : one.levels) rows.push_back(level_cells(one.name, row));
    if (one.levels.empty() && !one.error) without += (without.empty() ? "" : ", ") + one.name;
  }
  print_rows(console, level_titles(), rows, 1, markdown);
  if (!without.empty()) console.talk("no fixed rule for threads: " + without);
}

/// A column per strategy while they fit next to each other, else a row per strategy, the cheapest first and in bold.
void print_table(Console& console, const std::vector<Explained>& all) {
  constexpr std::size_t most_columns = 4;
  const std::vector<std::string> names = titles();
  if (all.size() <= most_columns) {
    std::vector<TextTable::Column> columns{{names[0], 0, true}};
    std::vector<std::vector<std::string>> of_each;
    for (const Explained& one : all) {
      columns.push_back({one.name});
      of_each.push_back(cells(one));
    }
    TextTable table(columns, 2);
    for (std::size_t i = 1; i < names.size(); ++i) {
      std::vector<std::string> row{names[i]};
      for (const auto& one : of_each) row.push_back(one[i]);
      table.row(row);
    }
    return table.print(console, Stream::out);
  }
  std::vector<TextTable::Column> columns;
  for (const std::string& name : names) columns.push_back({name, 0, columns.empty()});
  TextTable table(columns, 2);
  std::vector<const Explained*> order;
  for (const Explained& one : all) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return cheaper(*a, *b); });
  for (const Explained* one : order) table.row(cells(*one), one == order.front());
  table.print(console, Stream::out);
}

void write_launches(const std::string& path, const std::string& title, const std::vector<Explained>& all) {
  std::vector<picture::LaunchRow> rows;
  for (const Explained& one : all) {
    if (one.error) continue;
    rows.push_back({one.name, {}});
    for (const LaunchCounts& launch : one.stats.counts) rows.back().launches.push_back(level_text(launch));
  }
  const picture::Scene scene = picture::draw_launches(title, rows);
  OutputFile out(path);
  out.write(picture::ending_of(path) == "png" ? picture::to_png(scene, path) : picture::to_svg(scene));
  out.commit();
}

Json to_json(const Loaded& loaded, const RunOptions& asked, const Query& query, const std::vector<Explained>& all,
             bool by_level) {
  const Graph& graph = loaded.graph;
  RunReport run{.device = DeviceKind::sim};
  for (const Explained& one : all) {
    run.prepare += one.stats.prepare;
    run.copy_in += one.stats.copy_in;
    run.work += one.stats.work;
    run.copy_out += one.stats.copy_out;
  }
  Json json = document("explain");
  json["graph"] = read_json(graph);
  json["run"] = run_json(run, asked, Seconds(loaded.seconds));
  for (const VertexId s : query.sources) json["sources"].push_back(id_json(graph.ids(), s));
  json["strategies"] = Json::array();
  for (const Explained& one : all) {
    if (one.error) {
      json["strategies"].push_back({{"name", one.name}, {"error", error_json(*one.error)["error"]}});
      continue;
    }
    const auto& c = one.counts;
    Json costs;
    for (const report::Cause cause : report::causes) costs[std::string(report::cause_name(cause))] = report::cost(c, cause);
    json["strategies"].push_back({{"name", one.name},
                                  {"why", one.why},
                                  {"round_trips", c.round_trips},
                                  {"threads", c.threads},
                                  {"working", c.working},
                                  {"labelling", c.labelling},
                                  {"labelled", c.labelled},
                                  {"work", c.work},
                                  {"lane_steps", c.lane_steps},
                                  {"longest", c.longest},
                                  {"shared_atomics", c.shared_atomics},
                                  {"global_atomics", c.global_atomics},
                                  {"atomics_on_one_address", c.waiting_atomics},
                                  {"read", bytes_json(c.read)},
                                  {"written", bytes_json(c.written)},
                                  {"requests", requests_json(c.requests)},
                                  {"model_us", costs},
                                  {"by_level", by_level ? levels_json(one.levels) : Json(nullptr)},
                                  {"launches", counts_json(one.stats.counts)["launches"]}});
  }
  json["sentences"] = sentences(all);
  return json;
}

int run(const Arguments& arguments, Context& context) {
  const auto names = chosen(context.gave("--strategy") ? arguments.strategies : "all");
  if (context.json() && arguments.markdown)
    throw Error(
        {.failure = Failure::usage, .id = "HW-USAGE-OPTION", .found = "--json with --markdown", .expected = "one of the two"});
  if (arguments.by_level && arguments.by_place)
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--by-level with --by-place",
                 .expected = "one of the two"});
  if (!arguments.picture.empty()) picture::require_ending(arguments.picture, "picture", {"svg", "png"});
  SearchArguments how = arguments.search;
  how.strategy = names.front();  // whose parameters a complaint names
  SearchOptions options = search_options(how, checked_int("--threads", arguments.graph.threads, 0, 4096));
  if (wants_tuning(arguments.search))
    core::refuse("HW-USAGE-VALUE", "--param best", "NAME=NUMBER: what is best on a GPU is no matter of counts");
  check_parameters(names, options.parameters);
  const auto ruled = [](const std::string& name) { return find_strategy(name).work.item != Item::none; };
  if (arguments.by_level && std::none_of(names.begin(), names.end(), ruled))
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-VALUE",
                 .found = "--by-level with no strategy whose threads follow a fixed rule",
                 .expected = "one such as pmpp-vertex-push",
                 .hint = "without --by-level all strategies are counted"});
  const Loaded loaded = load(context, arguments.graph, options.direction != Direction::out);
  SourceArguments from = arguments.sources;
  if (source_words(from).empty() && !loaded.graph.default_source()) from.source = {"maxdeg"};
  const Sources sources = find_sources(loaded.graph, from, arguments.search.seed);
  if (source_words(arguments.sources).empty())
    context.console.talk(
        fmt::format("source: {} ({})", printable(loaded.graph.ids().name(sources.vertices.front())), sources.how));
  const Query query{.sources = distinct(sources.vertices)};
  std::vector<Explained> all;
  {
    Progress progress(context.console, "counting");
    for (const std::string& name : names) {
      progress.steps(fmt::format("{}, {} of {}", name, all.size() + 1, names.size()));
      options.run.progress = [&](const Step&) { return !context.interrupted(); };
      all.push_back(explain(loaded.graph, query, options, name, arguments.by_level));
      context.check_interrupt();
    }
  }
  const auto broken = std::find_if(all.begin(), all.end(), [](const Explained& one) { return one.error.has_value(); });
  const int code = broken == all.end() ? 0 : static_cast<int>(broken->error->failure());
  for (const Explained& one : all)
    if (one.error) context.console.fault(*one.error);
  if (!arguments.picture.empty())
    write_launches(arguments.picture,
                   fmt::format("Launches on {}, from {}", printable(arguments.graph.graph),
                               printable(loaded.graph.ids().name(query.sources.front()))),
                   all);
  if (context.json()) {
    context.console.result(dump(to_json(loaded, options.run, query, all, arguments.by_level)));
    return code;
  }
  if (arguments.by_level || arguments.by_place) {
    (arguments.by_level ? print_levels : print_places)(context.console, all, arguments.markdown);
    return code;
  }
  if (arguments.markdown) {
    std::vector<Cells> rows;
    for (const Explained& one : all) rows.push_back(cells(one));
    print_markdown(context.console, titles(), rows);
  } else {
    print_table(context.console, all);
  }
  if (all.size() > 1) context.console.result("");
  for (const std::string& sentence : sentences(all))
    context.console.result(arguments.markdown ? "- " + sentence : context.console.fitted(Stream::out, sentence, 2));
  return code;
}

}  // namespace of_explain

Command explain_command() {
  using namespace of_explain;
  auto a = std::make_shared<Arguments>();
  OptionGroup what{"What", {graph_argument(a->graph)}};
  for (auto& option : source_options(a->sources)) what.options.push_back(std::move(option));
  what.options.push_back(direction_option(a->search));
  what.options.push_back({"--by-level", "",
                          "Print one row per level and strategy instead: how many threads have an item, iterate over a row, "
                          "look, may label a vertex, and label one.",
                          &a->by_level});
  what.options.push_back({"--by-place", "",
                          "Print one row per place of the source that accesses memory instead: requests of warps, lanes and "
                          "sectors of 32 bytes per request, and how many accesses meet at one bank of shared memory.",
                          &a->by_place});
  what.options.push_back({"--picture",
                          "FILE",
                          "Draw the launches of each strategy with the levels that each takes: .svg or .png.",
                          &a->picture,
                          {},
                          Fill::output});
  what.options.push_back({"--markdown", "", "Print the table in Markdown.", &a->markdown});
  OptionGroup running{"Running",
                      {{"--strategy",
                        "A,B",
                        "The strategies to compare, separated by commas, printed listings (literal:…) too. Without it, or "
                        "with all: every one for GPUs.",
                        &a->strategies,
                        {},
                        Fill::strategy},
                       {"--param",
                        "NAME=VALUE",
                        "Set a parameter, such as capacity=2, of each compared strategy that has it; repeatable.",
                        &a->search.params,
                        {},
                        Fill::parameter},
                       threads_option(a->graph),
                       {"--seed", "N", "Seed of the simulator's schedule.", &a->search.seed}}};
  return {
      .name = "explain",
      .summary = "count what each strategy's threads do, and print which number makes the difference",
      .description =
          "Searches with each strategy in the simulator, which runs every thread, and counts launches, threads, threads "
          "with work, lanes that wait, atomics and those on one address, bytes and sectors of device memory, and conflicts "
          "of shared memory's banks. A small model, "
          "which is no measurement, gives each number a price; a sentence names the number that explains the difference.",
      .examples = {{"hopwave explain pmpp -s 0 --strategy pmpp-vertex-push,pmpp-frontier", "two of the book's kernels"},
                   {"hopwave explain pmpp -s 0 --by-level --strategy pmpp-edge", "the threads of each level, as exercises ask"},
                   {"hopwave explain rmat:10,8 --by-place --strategy pmpp-edge", "which reads are scattered"},
                   {"hopwave explain rmat:10,8", "every strategy, from the vertex of the highest degree"},
                   {"hopwave explain rmat:10,8 --markdown", "the same as a table for documents"}},
      .groups = {std::move(what), std::move(running), reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
