// hopwave convert: from any format that can be read to any that can be written.
#include <fmt/format.h>

#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/search_options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "hopwave/preparation.h"
#include "io/format.h"

namespace hopwave::cli {
namespace of_convert {

/// As typed.
struct Arguments {
  GraphArguments graph;
  SearchArguments search;  // where to prepare
  std::string output, format, layout, source, target;
  std::int64_t level = 3;
  bool no_in = false, prepare = false, renumber = false;
};

/// What was meant by it.
struct Job {
  GraphArguments graph;
  std::string output;
  WriteOptions writing;
  const io::Format* format = nullptr;
  bool build_in = false, prepare = false;
  std::string source, target;  ///< ids of a flow's ends; empty: none
  SearchOptions search;        ///< that the preparation is for
};

struct Done {
  RunReport run;         ///< `prepare`; `work` is writing
  std::string renaming;  ///< empty: every vertex keeps its id
};

int compression_level(const Arguments& arguments) {
  const bool gzip = arguments.output.ends_with(".gz"), zstd = arguments.output.ends_with(".zst");
  if (!gzip && !zstd && arguments.level != 3)
    core::refuse("HW-USAGE-OPTION", "--level with an output that is not compressed", "a name that ends in .gz or .zst");
  return checked_int("--level", arguments.level, 1, gzip ? 9 : 19);
}

/// Empty if every vertex keeps its id.
std::string renaming_note(const Graph& graph, const io::Format& format) {
  using Naming = io::Holds::Naming;
  const Naming ids = format.holds.ids;
  const Ids& own = graph.ids();
  const VertexId n = graph.num_vertices();
  if (n == 0 || (ids != Naming::from_0 && ids != Naming::from_1)) return {};
  const std::int64_t first = ids == Naming::from_1;
  if (own.kind() == Ids::Kind::consecutive && own.first() == first) return {};
  return fmt::format("{} counts vertices from {}: {} to {} are written as {} to {}", format.info.name, first,
                     printable(own.name(0)), printable(own.name(n - 1)), first, first + n - 1);
}

Job check(const Arguments& a) {
  Job job{.graph = a.graph,
          .output = a.output,
          .writing = {.format = a.format,
                      .weights = !a.graph.no_weights,
                      .with_in = !a.no_in,
                      .level = compression_level(a),
                      .layout = a.layout,
                      .renumber = a.renumber},
          .prepare = a.prepare,
          .source = a.source,
          .target = a.target,
          .search = search_options(a.search, checked_int("--threads", a.graph.threads, 0, 4096))};
  if (!a.target.empty()) job.writing.target = 0;  // known with the graph; until then whether there is any
  job.format = &io::output_format(job.output, job.writing);
  const bool hwg = job.format == &io::hwg_format();
  const auto refuse = [](const char* found, const char* expected) { core::refuse("HW-USAGE-OPTION", found, expected); };
  if (!a.source.empty() && a.target.empty() && io::extension_of(a.output) != "max")
    refuse("--source without --target", "both ends of a flow");
  if (a.prepare && !hwg) refuse("--prepare with an output that is no .hwg", "a .hwg file: no other format keeps a preparation");
  if (a.search.device != "auto" && !a.prepare)
    refuse("--device without --prepare", "also --prepare: nothing else is done there");
  if (a.no_in && !hwg) refuse("--no-in with an output that is no .hwg", "a .hwg file: no other format keeps incoming arcs");
  job.graph.clean |= a.prepare;  // searches drop duplicates and self-loops: of another graph a preparation is no use
  job.build_in = hwg && !a.no_in;
  return job;
}

Done run(const Job& job, Graph& graph, Context& context) {
  Done done;
  WriteOptions writing = job.writing;
  if (!job.target.empty()) writing.target = find_vertex(graph, job.target, "target");
  if (!job.source.empty()) writing.source = find_vertex(graph, job.source, "source");
  if (job.prepare) {
    auto made = prepare(graph, job.search);
    done.run.prepare = made->time;
    done.run.strategy = made->strategy;
    done.run.device = job.search.run.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu;  // no CPU prepares
    graph.set_preparation(std::move(made));
  }
  const core::Stopwatch watch;
  write(context, graph, job.output, writing);
  done.run.work = watch.elapsed();
  done.renaming = renaming_note(graph, *job.format);
  return done;
}

Json to_json(const Job& job, const Loaded& loaded, const Done& done) {
  Json json = document("convert");
  json["graph"] = read_json(loaded.graph);
  json["run"] = run_json(done.run, job.search.run, Seconds(loaded.seconds));
  json["output"] = job.output;
  if (!job.writing.layout.empty()) json["layout"] = job.writing.layout;
  json["notes"] = done.renaming.empty() ? Json::array() : Json::array({done.renaming});
  json["seconds"] = {{"load", loaded.seconds}, {"write", Seconds(done.run.work).count()}};
  if (const auto& preparation = loaded.graph.preparation(); job.prepare) {
    json["seconds"]["prepare"] = Seconds(done.run.prepare).count();
    json["preparation"] = {{"kind", preparation->kind}, {"bytes", preparation->bytes()}};
  }
  return json;
}

void report(const Job& job, const Loaded& loaded, const Done& done, Context& context) {
  Console& console = context.console;
  if (!done.renaming.empty()) console.warn(done.renaming);
  if (context.json() && job.output != "-") return console.result(dump(to_json(job, loaded, done)));
  const Reading reading = describe(loaded.graph);
  console.talk(reading.input + "\n" + reading.graph + "\n" + reading.edges);
  if (const auto& preparation = loaded.graph.preparation(); job.prepare)
    console.talk(fmt::format("prepared in {} for the {} traversal: {} bytes more than the graph",
                             seconds_text(done.run.prepare), preparation->kind, preparation->bytes()));
  console.talk(fmt::format("loaded in {}, written to {} in {}", seconds_text(loaded.seconds),
                           job.output == "-" ? "standard output" : printable(job.output), seconds_text(done.run.work)));
}

int run(const Job& job, Context& context) {
  // Incoming arcs are made while writing, of the rows that searches use; memory for them is asked for now.
  Loaded loaded = load(context, job.graph, EstimateOptions{.build_in = job.build_in}, false);
  const Done done = run(job, loaded.graph, context);
  report(job, loaded, done, context);
  return 0;
}

}  // namespace of_convert

Command convert_command() {
  using namespace of_convert;
  auto a = std::make_shared<Arguments>();
  std::vector<std::string> names;
  std::string list;
  for (const auto& format : formats()) {
    if (!format.writes) continue;
    names.emplace_back(format.name);
    list += fmt::format("{}{} ({})", list.empty() ? "" : "; ", format.name, format.summary);
  }
  return {
      .name = "convert",
      .summary = "from any format to any other",
      .description =
          "Reads a graph and writes it in another format, by the ending of the output's name or as --to says. Everything is "
          "kept: direction, parallel edges, self-loops, weights and ids; what the new format has no place for is refused "
          "before anything is written, and --no-weights, --renumber, --directed, --undirected and --clean leave it out. A "
          ".hwg file opens at "
          "once, and a search of it builds nothing: it also holds a directed graph's incoming arcs, and keeps parallel edges "
          "and self-loops apart from the rows that searches use.\n\nFormats: " +
          list + ".",
      .examples = {{"hopwave convert social.txt.zst social.hwg", "parse once, open at once from then on"},
                   {"hopwave convert graph.mtx graph.txt.gz", "Matrix Market to a compressed edge list"},
                   {"hopwave convert edges.csv - --to metis --undirected", "METIS to standard output"},
                   {"hopwave convert pipes.csv pipes.max --source A --target B", "for solvers of maximum flow"}},
      .groups =
          {{"What",
            {graph_argument(a->graph),
             {"output", "OUT", "File to write; - for standard output.", &a->output, {}, Fill::output, true},
             {"--to", "NAME", "Format to write.", &a->format, names, Fill::format},
             {"--layout",
              "NAME",
              "Layout of a .npz file, as SciPy has them: csr if not given.",
              &a->layout,
              {"csr", "csc", "coo"}},
             {"--no-in", "",
              "Leave a directed graph's incoming arcs out of a .hwg file: half the size, and searches that pull make them "
              "anew.",
              &a->no_in},
             {"--prepare", "",
              "Also store auto's preparation in a .hwg file: searches with --prepare then begin at once. Implies --clean; "
              "about doubles the file.",
              &a->prepare},
             {"--source", "ID",
              "Where the flow of --target or a .max file comes from; without it: the source that the input names.", &a->source},
             {"--target", "ID",
              "Write DIMACS as the problem of a maximum flow to this vertex (p max); weights are capacities. A .max file "
              "without "
              "it: to the target that the input names.",
              &a->target},
             {"--renumber", "",
              "Where the format has no place for the ids, number the vertices as it counts; without it that is refused.",
              &a->renumber},
             {"--level", "N", "Level of compression for .gz and .zst, 1 to 19 (.gz: at most 9).", &a->level}}},
           {"Running",
            {{"--device",
              "WHERE",
              "With --prepare: where to prepare: gpu, or sim without one.",
              &a->search.device,
              {"auto", "gpu", "sim"}},
             threads_option(a->graph)}},
           reading_options(a->graph, true)},
      .run = [a](Context& context) { return run(check(*a), context); }};
}

}  // namespace hopwave::cli
