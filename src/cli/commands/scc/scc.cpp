// hopwave scc: strongly connected components, the graph that they form, and its topological generations.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "hopwave/io.h"
#include "hopwave/strong.h"
#include "io/format.h"

namespace hopwave::cli {
namespace of_scc {

struct Arguments {
  GraphArguments graph;
  std::string output, condensation, device = "cpu";
  bool verify = false;
};

/// What a run has to tell.
struct Report {
  const Graph* graph = nullptr;
  StrongComponents found;
  DeviceKind device = DeviceKind::cpu;  ///< where they were found
  Graph condensed;
  Array<VertexId> generation;  ///< of each component
  VertexId generations = 0;
  bool acyclic = false;
  double load_seconds = 0, copy_seconds = 0, seconds = 0;
};

/// What cannot be written is told before the search. Nothing where no condensation is asked for.
const io::Format* condensation_format(const std::string& file) {
  if (file.empty()) return nullptr;
  const io::Format* const format = file == "-" ? nullptr : io::format_by_ending(file);
  const auto refuse = [&](const char* id, std::string found, const char* expected) {
    throw Error({.failure = Failure::usage,
                 .id = id,
                 .where = {.file = file},
                 .found = std::move(found),
                 .expected = expected,
                 .hint = "--condensation dag.txt; hopwave convert makes any other format of that"});
  };
  const std::string ending = io::extension_of(file);
  if (!format)
    refuse("HW-FORMAT-WRITE",
           file == "-"      ? "standard output"
           : ending.empty() ? "a name without an ending"
                            : "the ending ." + ending,
           "a file whose ending says the format, such as .txt, .mtx or .hwg");
  if (format == &io::metis_format())
    refuse("HW-WRITE-DIRECTED", "METIS for a condensation, which is directed", "a format of directed graphs");
  return format;
}

/// Formats that number their vertices hold no other ids: who reads such a file learns how they are counted.
void note_numbering(const Graph& condensed, const io::Format& format, const std::string& file, Console& console) {
  for (const io::Format* keeps : {&io::hwg_format(), &io::edge_list_format(), &io::adjacency_format(), &io::cedge_format()})
    if (&format == keeps) return;
  const int first = &format == &io::matrix_market_format() || &format == &io::dimacs_format() ? 1 : 0;
  const Ids& ids = condensed.ids();
  const VertexId n = ids.count();
  if (n == 0) return;
  // Numbers ascend: between the first and the last right one none is wrong.
  if (ids.kind() != Ids::Kind::strings && ids.number(0) == first && ids.number(n - 1) == first + std::int64_t{n} - 1) return;
  console.warn(
      fmt::format("{} holds no ids: its vertices are the components, numbered from {} in the order of their first "
                  "vertices; .txt and .hwg keep ids",
                  file, first));
}

void find(const Arguments& a, int threads, Report& report, Context& context) {
  Progress progress(context.console, "finding components");
  const auto go_on = [&](std::uint64_t done, std::uint64_t total) {
    if (done > 0) progress.part(done, total);
    return !context.interrupted();
  };
  StrongFound found = strong_components(*report.graph, {.device = to_device(a.device), .threads = threads, .progress = go_on});
  for (const auto& note : found.notes) context.console.warn(note);
  report.found = std::move(found.components);
  report.device = found.device;
  report.copy_seconds = found.copy_seconds;
  report.seconds = found.search_ms / 1000;
  context.check_interrupt();
  progress.stage("condensing");
  report.condensed = condensation(*report.graph, report.found, {.progress = go_on});
  progress.stage("sorting the components");
  report.generation = topological_generations(report.condensed, {.progress = go_on});
  for (const VertexId g : report.generation) report.generations = std::max(report.generations, g + 1);
  report.acyclic = is_acyclic(*report.graph, {.progress = go_on});
  if (!a.verify) return;
  context.check_interrupt();
  progress.stage("verifying");
  const Verdict verdict = validate(*report.graph, report.found);
  if (!verdict)
    throw Error({.failure = Failure::verification,
                 .id = "HW-VERIFY",
                 .found = verdict.rule + ": " + verdict.message,
                 .expected = "a right answer",
                 .hint = "please report it, with the command that led here"});
}

void write(const std::string& output, const Report& report, int threads, Context& context) {
  const Graph& graph = *report.graph;
  std::vector<VertexId> number(graph.num_vertices());  // of a component, by its label
  VertexId next = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (report.found.label[v] == v) number[v] = next++;
  ResultFile out(output);
  Team team(threads);
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    context.check_interrupt();
    const auto put = [&](VertexId v) {
      if (graph.ids().kind() == Ids::Kind::strings)
        put_cell(graph.ids().names()[v], '\t', text);
      else
        text.put(graph.ids().number(v));
      text.put('\t');
    };
    for (std::size_t v = from; v < to; ++v) {
      const VertexId label = report.found.label[v];
      put(static_cast<VertexId>(v));
      put(label);
      text.put(static_cast<std::int64_t>(report.generation[number[label]]));
      text.put('\n');
    }
  });
  out.commit();
}

Json report_json(const Report& report, const Arguments& a) {
  const Graph& graph = *report.graph;
  const StrongComponents& found = report.found;
  Json json = document("scc");
  json["graph"] = read_json(graph);
  json["components"] = found.count;
  json["largest"] = found.largest_size;
  json["largest_id"] = found.count ? id_json(graph.ids(), found.largest_label) : Json(nullptr);
  json["acyclic"] = report.acyclic;
  json["condensation_arcs"] = report.condensed.num_arcs();
  json["generations"] = report.generations;
  json["verified"] = a.verify;
  json["device"] = device_name(report.device);
  json["load_seconds"] = report.load_seconds;
  json["copy_seconds"] = report.copy_seconds;
  json["seconds"] = report.seconds;
  json["output"] = a.output.empty() ? Json(nullptr) : Json(a.output);
  json["condensation"] = a.condensation.empty() ? Json(nullptr) : Json(a.condensation);
  return json;
}

void print(const Report& report, const Arguments& a, Console& console) {
  const Graph& graph = *report.graph;
  const StrongComponents& found = report.found;
  const Stream stream = a.output == "-" ? Stream::err : Stream::out;
  const auto row = [&](std::string_view name, const std::string& text) {
    console.line(stream, console.bold(stream, fmt::format("{:<13}", name)) + text);
  };
  const auto reading = describe(graph);
  row("input", reading.input);
  row("graph", reading.graph);
  row("components", grouped(found.count) + " strongly connected in " + seconds_text(report.seconds) +
                        (report.device == DeviceKind::cpu ? "" : fmt::format(" on {}", device_name(report.device))));
  if (found.count == 0) return;
  row("largest", fmt::format("{} ({:.1f} %), that of {}", plural(found.largest_size, "vertex", "vertices"),
                             100.0 * found.largest_size / graph.num_vertices(), printable(graph.name(found.largest_label))));
  row("cycles", report.acyclic ? "none: the graph is a DAG" : "the graph has some");
  row("condensation",
      plural(report.condensed.num_arcs(), "arc") + " between components, " + plural(report.generations, "generation"));
  if (a.verify) row("verified", "mutual paths within each component, no cycle between them");
  if (!a.condensation.empty()) row("written", printable(a.condensation));
  if (!a.output.empty() && a.output != "-") row("written", printable(a.output));
}

int run(const Arguments& a, Context& context) {
  check_text_ending(a.output);
  check_one_output(context, a.output);
  const io::Format* const format = condensation_format(a.condensation);
  check_two_outputs(a.output, a.condensation, "-o and --condensation");
  const int threads = checked_int("--threads", a.graph.threads, 0, 4096);
  const Loaded loaded = load(context, a.graph, {.job = EstimateJob::strong_components}, true);
  Report report{.graph = &loaded.graph, .load_seconds = loaded.seconds};
  find(a, threads, report, context);
  context.check_interrupt();
  if (format) {
    write_graph(report.condensed, a.condensation, {.renumber = true});
    note_numbering(report.condensed, *format, a.condensation, context.console);
  }
  if (!a.output.empty()) write(a.output, report, threads, context);
  if (context.json())
    context.console.result(dump(report_json(report, a)));
  else
    print(report, a, context.console);
  return 0;
}

}  // namespace of_scc

Command scc_command() {
  using namespace of_scc;
  auto a = std::make_shared<Arguments>();
  return {
      .name = "scc",
      .summary = "strongly connected components, condensation, topological generations",
      .description =
          "Finds the strongly connected components of a directed graph: two vertices are in one if each has a path to the "
          "other. The components form a graph without cycles, the condensation; a component's generation is the number of "
          "arcs on the "
          "longest path there that ends in it. With -o it writes one line a vertex: its id, the smallest id of its "
          "component, and the "
          "component's generation.",
      .examples = {{"hopwave scc web.txt.zst --verify", "how many, how large, is it a DAG"},
                   {"hopwave scc web.txt.zst -o labels.tsv", "which vertex belongs to which"},
                   {"hopwave scc tasks.txt --condensation dag.txt", "the graph of the components"}},
      .groups =
          {{"What",
            {graph_argument(a->graph),
             {"--device",
              "WHERE",
              "Where to find them: cpu, gpu, sim (the GPU simulator), or auto: on a GPU if there is one. The graph is "
              "copied there first.",
              &a->device,
              {"auto", "cpu", "gpu", "sim"}},
             {"-o,--output",
              "FILE",
              "Write id, component and generation of every vertex; - for standard output.",
              &a->output,
              {},
              Fill::output},
             {"--condensation",
              "FILE",
              "Write the graph of the components, in the format that the name asks for; each has its smallest id where the "
              "format keeps ids, as .txt and .hwg do.",
              &a->condensation,
              {},
              Fill::output},
             {"--verify", "", "Check that vertices of a component reach each other, and that no cycle leads through several.",
              &a->verify}}},
           reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
