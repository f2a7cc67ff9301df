#include "cli/frame/from_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/id_lines.h"
#include "cli/frame/json.h"
#include "cli/frame/kept_file.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "cli/frame/tuning_file.h"
#include "cli/frame/written_graph.h"
#include "core/refuse.h"
#include "draw/picture.h"

namespace hopwave::cli {
namespace {

using algorithm::Column;
using algorithm::Cost;
using algorithm::Found;
using algorithm::Header;
using algorithm::Row;
using algorithm::Running;
using algorithm::Type;
using algorithm::Values;

/// As typed.
struct Arguments {
  struct Own {
    bool flag = false;
    std::int64_t count = 0;
    std::string text;
  };

  GraphArguments graph;
  SourceArguments sources;
  SearchArguments search;
  std::vector<Own> own;  ///< in the order of the row's options
  std::string output;
  bool verify = false, resume = false;
};

/// What was meant by it: complaints about arguments come before any work.
struct Checked {
  const Row& row;
  const Arguments& typed;
  Values values;
  SearchOptions search;
  std::vector<const io::Format*> formats;  ///< of the graphs that are written; null where none is wanted
  bool sources_named = false;
};

bool is_written(const algorithm::Option& option) {
  return option.type == Type::graph_file || option.type == Type::picture_file;
}

/// A number of 0 or more.
double checked_real(std::string_view option, const std::string& text) {
  double value = 0;
  if (text.empty()) return value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= 1.7976931348623157e308) return value;
  core::refuse("HW-USAGE-VALUE", fmt::format("{} is '{}'", option, text), "a number of 0 or more");
}

void check_ending(const Row& row, const std::string& output) {
  if (output.empty()) return;
  if (row.header == Header::none)
    check_text_ending(output);
  else
    ending_of(output, {"txt", "tsv", "csv", row.dimacs}, "rows are text");
}

Checked check(const Row& row, const Arguments& typed, Context& context) {
  Checked checked{.row = row, .typed = typed, .values = {}, .search = {}, .formats = {}};
  check_ending(row, typed.output);
  check_one_output(context, typed.output);
  for (std::size_t i = 0; i < row.options.size(); ++i) {
    const algorithm::Option& option = row.options[i];
    const Arguments::Own& own = typed.own[i];
    const std::string name = "--" + std::string(option.name);
    switch (option.type) {
      case Type::flag:
        checked.values.set(option.name, std::int64_t{own.flag});
        break;
      case Type::count:
        checked_int(name, own.count, option.lowest, option.highest);
        checked.values.set(option.name, own.count);
        break;
      case Type::real:
        checked.values.set(option.name, own.text.empty() && option.unset ? std::numeric_limits<double>::infinity()
                                                                         : checked_real(name, own.text));
        break;
      case Type::word:
        checked.values.set(option.name, own.text);
        break;
      case Type::graph_file:
        checked.formats.push_back(written_graph_format(name, own.text));
        check_two_outputs(typed.output, own.text, ("-o and " + name).c_str());
        break;
      case Type::picture_file:
        if (!own.text.empty()) picture::require_ending(own.text, "picture", {"svg", "png", "html"});
        check_two_outputs(typed.output, own.text, ("-o and " + name).c_str());
        checked.values.set(option.name, own.text);
        break;
      case Type::vertex:
      case Type::vertices_file:  // known with the graph; until then whether there is any
        checked.values.set(option.name, std::int64_t{own.text.empty() ? no_vertex : 0});
    }
  }
  if (typed.resume && (typed.output.empty() || typed.output == "-"))
    core::refuse("HW-USAGE-OPTION", "--resume without a file", "-o FILE, as in the run that was ended");
  checked.sources_named = !typed.sources.source.empty() || !typed.sources.sources.empty();
  if (row.check) row.check(checked.values, checked.sources_named, !typed.output.empty());
  const int threads = checked_int("--threads", typed.graph.threads, 0, 4096);
  checked.search =
      row.running == Running::weighted ? weighted_search_options(typed.search, threads) : search_options(typed.search, threads);
  return checked;
}

/// At least one: none would mean all.
std::vector<VertexId> vertices_of(const Graph& graph, const std::string& file) {
  std::vector<VertexId> found = read_vertices(graph.ids(), file);
  if (found.empty())
    throw Error({.failure = Failure::input,
                 .id = "HW-QUERY-EMPTY",
                 .where = {.file = file},
                 .found = "no vertex",
                 .expected = "at least one id, on a line of its own"});
  return found;
}

/// The row's values that are vertices.
void find_vertices(const Checked& checked, const Graph& graph, Values& values) {
  for (std::size_t i = 0; i < checked.row.options.size(); ++i) {
    const algorithm::Option& option = checked.row.options[i];
    const std::string& text = checked.typed.own[i].text;
    if (option.type == Type::vertex && !text.empty())
      values.set(option.name, std::int64_t{find_vertex(graph, text, std::string(option.name).c_str())});
    if (option.type == Type::vertices_file)
      values.set(option.name, text.empty() ? std::vector<VertexId>() : vertices_of(graph, text));
  }
}

Cost cost_of(const Row& row, const Values& values, const SearchOptions& search, std::uint64_t sources, VertexId vertices) {
  return row.cost ? row.cost(values, search, sources, vertices) : Cost{.memory = {.job = row.job}};
}

/// What is found is as large as the caller's lists, which are known with the graph. Rows that are written name both ends.
void require_room(const Cost& cost, const Arguments& typed) {
  const std::uint64_t each = typed.output.empty() ? 8 : 16, free = host_memory_free();
  if (typed.graph.allow_huge || cost.pairs <= free / each) return;
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-MEMORY-HOST",
               .found = fmt::format("{} bytes per pair of {} pairs, and {} free", each, grouped(cost.pairs), bytes_text(free)),
               .expected = "pairs that fit",
               .hint = "name fewer sources or targets, or use a machine with more memory; --allow-huge starts it anyway"});
}

/// The row's progress as a line on the screen.
class Shown final : public algorithm::Progress {
 public:
  Shown(Context& context, std::string_view doing) : context_(context), progress_(context.console, std::string(doing)) {}
  bool part(std::uint64_t done, std::uint64_t total) override {
    if (done > 0) progress_.part(done, total);
    return !context_.interrupted();
  }
  bool steps(const std::string& text, std::uint64_t done, std::uint64_t total) override {
    if (total > 0)
      progress_.steps(text, done, total);
    else
      progress_.steps(text);
    return !context_.interrupted();
  }
  bool stage(const std::string& title) override {
    progress_.stage(title);
    return !context_.interrupted();
  }

 private:
  Context& context_;
  cli::Progress progress_;
};

void put_id(const Graph& graph, VertexId v, char separator, RowText& text) {
  if (v == no_vertex)
    text.put(std::int64_t{-1});
  else if (graph.ids().kind() == Ids::Kind::strings)
    put_cell(graph.ids().names()[v], separator, text);
  else
    text.put(graph.ids().number(v));
}

void put_value(const Graph& graph, const Column& column, std::size_t i, char separator, RowText& text) {
  std::visit(
      [&](const auto& values) {
        const auto value = values[i];
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
          if (column.kind == Column::Kind::distances && value == std::numeric_limits<double>::infinity())
            text.put(std::int64_t{-1});
          else
            text.put(number_text(value));
        } else if (column.kind == Column::Kind::vertices) {
          put_id(graph, static_cast<VertexId>(value), separator, text);
        } else {
          text.put(static_cast<std::int64_t>(value));
        }
      },
      column.values);
}

void write_rows(const Checked& checked, const Graph& graph, const Found& found, Context& context) {
  const std::string& output = checked.typed.output;
  const std::string ending = output == "-" ? "" : io::extension_of(output);
  const bool csv = ending == "csv", dimacs = !ending.empty() && ending == checked.row.dimacs;
  const char separator = csv ? ',' : dimacs ? ' ' : '\t';
  if (dimacs && found.dimacs.empty())
    throw Error({.failure = Failure::usage,
                 .id = "HW-FORMAT-WRITE",
                 .where = {.file = output},
                 .found = "the ending ." + ending,
                 .expected = "a flow, between vertices whose ids are consecutive numbers",
                 .hint = ".tsv takes every id, and the arcs of a cut"});
  Team team(checked.search.run.threads);
  const bool said = std::find(found.run.notes.begin(), found.run.notes.end(), team.missing_text()) != found.run.notes.end();
  if (team.missing() > 0 && !said) context.console.warn(team.missing_text());
  ResultFile out(output);
  if (dimacs) {
    out.write(found.dimacs);
  } else if (checked.row.header == Header::always || (checked.row.header == Header::csv && csv)) {
    std::string line = csv ? "" : "# ";
    if (!found.own_rows) line += "id";
    for (const Column& column : found.columns)
      line += (&column == found.columns.data() && found.own_rows ? "" : std::string(1, separator)) + std::string(column.name);
    out.write(line + "\n");
  }
  const std::size_t count = found.own_rows
                                ? std::visit([](const auto& values) { return values.size(); }, found.columns.front().values)
                            : found.rows.empty() ? graph.num_vertices()
                                                 : found.rows.size();
  const bool ended = found.ended_early();  // what was found until then is written all the same
  write_in_order(out, team, count, [&](std::size_t from, std::size_t to, RowText& text) {
    if (!ended) context.check_interrupt();
    for (std::size_t i = from; i < to; ++i) {
      const std::size_t at = found.rows.empty() ? i : found.rows[i];
      if (!found.own_rows) put_id(graph, static_cast<VertexId>(at), separator, text);
      if (dimacs) text.put(ending[0]);
      for (const Column& column : found.columns) {
        if (&column != found.columns.data() || !found.own_rows || dimacs) text.put(separator);
        if (dimacs && column.kind == Column::Kind::vertices)
          text.put(std::int64_t{std::get<Array<std::uint32_t>>(column.values)[at]} + 1);
        else
          put_value(graph, column, at, separator, text);
      }
      text.put('\n');
    }
  });
  out.commit();
}

Json json_of(const algorithm::Value& value, const Graph& graph);

Json json_of(const algorithm::Object& object, const Graph& graph) {
  Json json = Json::object();
  for (const algorithm::Figure& figure : object) json[std::string(figure.name)] = json_of(figure.value, graph);
  return json;
}

Json json_of(const algorithm::Value& value, const Graph& graph) {
  return std::visit(
      [&](const auto& what) -> Json {
        using What = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<What, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<What, algorithm::Vertex>) {
          return what.vertex == no_vertex ? Json(nullptr) : id_json(graph.ids(), what.vertex);
        } else if constexpr (std::is_same_v<What, algorithm::Number>) {
          return number_json(what.value);
        } else if constexpr (std::is_same_v<What, algorithm::Object>) {
          return json_of(what, graph);
        } else if constexpr (std::is_same_v<What, algorithm::List>) {
          Json json = Json::array();
          for (const algorithm::Value& each : what) json.push_back(json_of(each, graph));
          return json;
        } else {
          return what;
        }
      },
      value.what);
}

Json document_of(const Checked& checked, const Loaded& loaded, const Found& found) {
  Json json = document(found.schema.empty() ? checked.row.name : std::string_view(found.schema));
  json["graph"] = read_json(loaded.graph);
  json["run"] = run_json(found.run, checked.search.run, Seconds(loaded.seconds));
  const auto add = [&](std::string_view key, const std::string& text) {
    json[std::string(key)] = text.empty() ? Json(nullptr) : Json(text);
  };
  for (const algorithm::Figure& figure : found.figures) json[std::string(figure.name)] = json_of(figure.value, loaded.graph);
  add("output", checked.typed.output);
  for (std::size_t i = 0; i < checked.row.options.size(); ++i)
    if (is_written(checked.row.options[i])) add(checked.row.options[i].name, checked.typed.own[i].text);
  return json;
}

void print(const Checked& checked, const Graph& graph, const Found& found, Console& console) {
  const std::string& output = checked.typed.output;
  const Stream stream = output == "-" ? Stream::err : Stream::out;
  std::size_t width = 11;
  for (const algorithm::Line& line : found.lines) width = std::max(width, line.label.size() + 1);
  const auto line = [&](std::string_view label, const std::string& text) { console.labelled(stream, label, width, text); };
  const auto reading = describe(graph);
  line("input", reading.input);
  line("graph", reading.graph);
  for (const auto& [label, text] : found.lines) line(label, text);
  if (!found.verified.empty()) line("verified", found.verified);
  for (std::size_t i = 0; i < checked.row.options.size(); ++i)
    if (is_written(checked.row.options[i]) && !checked.typed.own[i].text.empty())
      line("written", printable(checked.typed.own[i].text));
  if (!output.empty() && output != "-") line("written", printable(output));
}

int run(const Checked& checked, Context& context) {
  const Row& row = checked.row;
  const Arguments& typed = checked.typed;
  const Cost before = cost_of(row, checked.values, checked.search, checked.sources_named ? 1 : 0, 0);
  Loaded loaded = load(context, typed.graph, before.memory, before.incoming);
  const Graph& graph = loaded.graph;
  using algorithm::Weighing;
  const bool by_option = row.weights == Weighing::by_option;
  if (row.weights == Weighing::never || (by_option && !checked.values.flag("weights")))
    note_unused_weights(context, loaded.graph, row.name, by_option ? "--weights uses them" : "");
  KeptFile keeper(graph, typed.output, checked.search.direction, typed.resume);
  Found found = [&] {
    Shown progress(context, row.doing);
    algorithm::Job job{.graph = graph,
                       .values = checked.values,
                       .sources = {},
                       .search = checked.search,
                       .verify = typed.verify,
                       .writes = !typed.output.empty(),
                       .load_seconds = loaded.seconds,
                       .progress = progress,
                       .keeper = keeper};
    find_vertices(checked, graph, job.values);
    if (checked.sources_named || row.sources == algorithm::Sources::required) {
      Sources sources = find_sources(graph, typed.sources, typed.search.seed);
      job.sources = std::move(sources.vertices);
      job.how = std::move(sources.how);
    }
    if (row.running == Running::search) apply_tuning(context.console, graph, wants_tuning(typed.search), job.search);
    const Cost cost = cost_of(row, job.values, job.search, job.sources.size(), graph.num_vertices());
    require_room(cost, typed);
    if (cost.passes > 0 || cost.searches > 0) job.device_why = settle_device(job.search, graph, cost.passes, cost.searches);
    return row.run(job);
  }();
  if (!found.ended_early()) context.check_interrupt();
  for (const auto& note : found.run.notes) context.console.warn(note);
  if (!found.verdict)
    throw Error({.failure = Failure::verification,
                 .id = "HW-VERIFY",
                 .found = found.verdict.rule + ": " + found.verdict.message,
                 .expected = "a right answer",
                 .hint = "please report it, with the command that led here"});
  std::size_t file = 0;
  for (std::size_t i = 0; i < row.options.size(); ++i) {
    if (row.options[i].type == Type::picture_file && !typed.own[i].text.empty()) {
      OutputFile picture(typed.own[i].text);
      picture.write(found.picture);
      picture.commit();
    }
    if (row.options[i].type != Type::graph_file) continue;
    if (checked.formats[file]) write_numbered(context, found.graphs[file], *checked.formats[file], typed.own[i].text);
    ++file;
  }
  if (!typed.output.empty()) write_rows(checked, graph, found, context);
  if (keeper.keeps() && found.ended_early() && !found.kept.empty()) keeper.keep(found.kept);
  if (typed.resume && !found.ended_early()) keeper.forget();
  if (context.json())
    context.console.result(dump(document_of(checked, loaded, found)));
  else
    print(checked, graph, found, context.console);
  if (!found.ended_early()) return static_cast<int>(found.no ? Failure::no : Failure{});
  const bool time_over = found.run.end == End::time_limit;
  const bool kept = keeper.keeps() && !found.kept.empty();
  context.console.warn((time_over ? "the time is over: " : "ended early: ") + found.ended_text +
                       (kept ? "; go on with --resume" : ""));
  return static_cast<int>(time_over ? Failure::time_limit : Failure::interrupted);
}

/// The row's own options, with where their values go.
Option own_option(const algorithm::Option& option, const std::string& names, Arguments::Own& own) {
  Option made{names, option.value, std::string(option.help), &own.text, option.choices, Fill::nothing};
  switch (option.type) {
    case Type::flag:
      made.target = &own.flag;
      break;
    case Type::count:
      own.count = option.initial;
      made.target = &own.count;
      break;
    case Type::word:
      if (!option.unset) own.text = option.choices.front();
      break;
    case Type::vertices_file:
      made.fill = Fill::file;
      break;
    case Type::graph_file:
    case Type::picture_file:
      made.fill = Fill::output;
      break;
    case Type::real:
    case Type::vertex:
      break;
  }
  return made;
}

}  // namespace

Command command_of(const Row& row) {
  auto a = std::make_shared<Arguments>();
  a->own.resize(row.options.size());
  a->search.device = row.device;
  a->search.direction = row.direction;
  a->graph.keep_duplicates = a->graph.keep_self_loops = row.keeps_parallel;
  // Options hold views of their names, which are made here: they live as long as the command.
  auto names = std::make_shared<std::vector<std::string>>();
  for (const algorithm::Option& option : row.options) names->push_back("--" + std::string(option.name));
  OptionGroup query{"Query", {graph_argument(a->graph)}}, output{"Output", {}}, running{"Running", {}};
  OptionGroup reading = reading_options(a->graph);
  if (row.keeps_parallel) std::erase_if(reading.options, [](const Option& each) { return each.names.starts_with("--keep-"); });
  if (row.sources != algorithm::Sources::none)
    for (Option& option : source_options(a->sources)) {
      if (option.names == "-s,--source" && !row.sources_help.empty()) option.help = row.sources_help;
      query.options.push_back(std::move(option));
    }
  if (row.running != Running::device) query.options.push_back(direction_option(a->search));
  output.options.push_back({"-o,--output", "FILE", std::string(row.writes), &a->output, {}, Fill::output});
  for (std::size_t i = 0; i < row.options.size(); ++i)
    (row.options[i].output ? output : query).options.push_back(own_option(row.options[i], (*names)[i], a->own[i]));
  if (row.resumes)
    output.options.push_back({"--resume", "", "Go on where an ended run with the same -o has stopped.", &a->resume});
  if (!row.checks.empty()) query.options.push_back({"--verify", "", std::string(row.checks), &a->verify});
  if (row.running == Running::search) {
    running = running_options(a->search, a->graph);
    if (row.gpus) running.options.push_back(gpus_option(a->search));
  } else if (row.running == Running::weighted) {
    running = weighted_running_options(a->search, a->graph);
  } else {
    running = running_options(a->search, a->graph);
    std::erase_if(running.options, [](const Option& each) {
      return each.names == "--strategy" || each.names == "--param" || each.names == "--prepare";
    });
    for (Option& each : running.options) {
      if (each.names == "--device") each.help = row.device_help;
      if (each.names == "--time-limit") each.help = row.time_help;
      if (each.names == "--seed")
        each.help = row.seeds ? "Seed of the draw, and of the simulator's schedule." : "Seed of the simulator's schedule.";
    }
  }
  Command command{.name = row.name,
                  .summary = std::string(row.summary),
                  .description = std::string(row.description),
                  .examples = {},
                  .groups = {std::move(query), std::move(output), std::move(running), std::move(reading)},
                  .run = [a, names, &row](Context& context) { return run(check(row, *a, context), context); }};
  for (const auto& example : row.examples) command.examples.push_back({std::string(example.line), std::string(example.what)});
  return command;
}

}  // namespace hopwave::cli
