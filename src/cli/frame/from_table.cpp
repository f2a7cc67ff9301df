#include "cli/frame/from_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"

namespace hopwave::cli {
namespace {

using algorithm::Found;
using algorithm::Row;

/// As typed.
struct Arguments {
  GraphArguments graph;
  std::string output, device = "cpu", time_limit;
  bool verify = false;
};

/// What was meant by it: complaints about arguments come before any work.
struct Job {
  GraphArguments graph;
  std::string output;
  algorithm::Run run;
  bool verify = false;
};

Job check(const Arguments& a, Context& context) {
  check_text_ending(a.output);
  check_one_output(context, a.output);
  return {.graph = a.graph,
          .output = a.output,
          .run = {.device = to_device(a.device),
                  .threads = checked_int("--threads", a.graph.threads, 0, 4096),
                  .limits = to_limits({.time_limit = a.time_limit})},
          .verify = a.verify};
}

void write(const Row& row, const Job& job, const Graph& graph, const Found& found, Context& context) {
  Team team(job.run.threads);
  const bool said = std::find(found.notes.begin(), found.notes.end(), team.missing_text()) != found.notes.end();
  if (team.missing() > 0 && !said) context.console.warn(team.missing_text());
  ResultFile out(job.output);
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    context.check_interrupt();
    const auto put_id = [&](VertexId v) {
      if (graph.ids().kind() == Ids::Kind::strings)
        put_cell(graph.ids().names()[v], '\t', text);
      else
        text.put(graph.ids().number(v));
    };
    for (std::size_t v = from; v < to; ++v) {
      put_id(static_cast<VertexId>(v));
      for (std::size_t c = 0; c < row.columns.size(); ++c) {
        text.put('\t');
        if (row.columns[c].vertices)
          put_id(found.columns[c][v]);
        else
          text.put(std::int64_t{found.columns[c][v]});
      }
      text.put('\n');
    }
  });
  out.commit();
}

Json figure_json(const algorithm::Figure& figure, const Graph& graph) {
  if (const auto* number = std::get_if<std::uint64_t>(&figure.value)) return *number;
  if (const auto* vertex = std::get_if<algorithm::Vertex>(&figure.value))
    return vertex->vertex == no_vertex ? Json(nullptr) : id_json(graph.ids(), vertex->vertex);
  const auto& counts = std::get<algorithm::Counts>(figure.value);
  Json json = Json::array();
  for (const auto& [value, count] : counts.pairs)
    json.push_back({{std::string(counts.value), value}, {std::string(counts.count), count}});
  return json;
}

Json document_of(const Row& row, const Job& job, const Loaded& loaded, const Found& found) {
  Json json = document(row.name);
  json["graph"] = read_json(loaded.graph);
  for (const auto& figure : found.figures) json[std::string(figure.name)] = figure_json(figure, loaded.graph);
  if (!row.checks.empty()) json["verified"] = job.verify;
  json["device"] = device_name(found.device);
  json["load_seconds"] = loaded.seconds;
  json["seconds"] = found.search_ms / 1000;
  json["copy_seconds"] = found.copy_seconds;
  json["output"] = job.output.empty() ? Json(nullptr) : Json(job.output);
  return json;
}

void print(const Row& row, const Job& job, const Graph& graph, const Found& found, Console& console) {
  const Stream stream = job.output == "-" ? Stream::err : Stream::out;
  const auto line = [&](std::string_view label, const std::string& text) {
    console.line(stream, console.bold(stream, fmt::format("{:<11}", label)) + text);
  };
  const auto reading = describe(graph);
  line("input", reading.input);
  line("graph", reading.graph);
  const std::string time = seconds_text(found.search_ms / 1000) +
                           (found.device == DeviceKind::cpu ? "" : fmt::format(" on {}", device_name(found.device)));
  for (auto [label, text] : found.lines) {
    if (const std::size_t at = text.find("{time}"); at != std::string::npos) text.replace(at, 6, time);
    line(label, text);
  }
  if (job.verify) line("verified", std::string(row.checked));
}

int run(const Row& row, const Job& job, Context& context) {
  const Loaded loaded = load(context, job.graph, {.job = row.job}, false);
  Found found = [&] {
    Progress progress(context.console, std::string(row.doing));
    algorithm::Run run = job.run;
    run.progress = [&](std::uint64_t done, std::uint64_t total) {
      if (done > 0) progress.part(done, total);
      return !context.interrupted();
    };
    return row.run(loaded.graph, run, job.verify);
  }();
  context.check_interrupt();
  for (const auto& note : found.notes) context.console.warn(note);
  if (!found.verdict)
    throw Error({.failure = Failure::verification,
                 .id = "HW-VERIFY",
                 .found = found.verdict.rule + ": " + found.verdict.message,
                 .expected = "a right answer",
                 .hint = "please report it, with the command that led here"});
  if (!job.output.empty()) write(row, job, loaded.graph, found, context);
  if (context.json())
    context.console.result(dump(document_of(row, job, loaded, found)));
  else
    print(row, job, loaded.graph, found, context.console);
  return 0;
}

}  // namespace

Command command_of(const Row& row) {
  auto a = std::make_shared<Arguments>();
  OptionGroup what{"What",
                   {graph_argument(a->graph),
                    {"-o,--output",
                     "FILE",
                     fmt::format("Write {} of every vertex; - for standard output.", row.writes),
                     &a->output,
                     {},
                     Fill::output}}};
  if (!row.checks.empty()) what.options.push_back({"--verify", "", std::string(row.checks), &a->verify});
  Command command{.name = row.name,
                  .summary = std::string(row.summary),
                  .description = std::string(row.description),
                  .examples = {},
                  .groups = {std::move(what),
                             {"Running",
                              {{"--device",
                                "WHERE",
                                "Where to find them: cpu, gpu, sim (the GPU simulator), or auto: on a GPU if there is one. The "
                                "graph is copied there first.",
                                &a->device,
                                {"auto", "cpu", "gpu", "sim"}},
                               {"--time-limit", "SECONDS", "End with an error after so many seconds. Reading is not counted.",
                                &a->time_limit}}},
                             reading_options(a->graph)},
                  .run = [a, &row](Context& context) { return run(row, check(*a, context), context); }};
  for (const auto& example : row.examples) command.examples.push_back({std::string(example.line), std::string(example.what)});
  return command;
}

}  // namespace hopwave::cli
