// hopwave convert: from any format that can be read to any that can be written.
#include <fmt/format.h>

#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/search_options.h"
#include "core/stopwatch.h"
#include "hopwave/preparation.h"
#include "io/format.h"

namespace hopwave::cli {
namespace of_convert {

struct Arguments {
  GraphArguments graph;
  std::string output, format, layout;
  std::int64_t level = 3;
  bool no_in = false, prepare = false, renumber = false;
  std::string device = "auto";
};

int compression_level(const Arguments& arguments) {
  const bool gzip = arguments.output.ends_with(".gz"), zstd = arguments.output.ends_with(".zst");
  if (!gzip && !zstd && arguments.level != 3)
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--level with an output that is not compressed",
                 .expected = "a name that ends in .gz or .zst"});
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

int run(const Arguments& arguments, Context& context) {
  const int level = compression_level(arguments);
  const WriteOptions writing{.format = arguments.format,
                             .weights = !arguments.graph.no_weights,
                             .with_in = !arguments.no_in,
                             .level = level,
                             .layout = arguments.layout,
                             .renumber = arguments.renumber};
  const io::Format& format = io::output_format(arguments.output, writing);
  const bool hwg = &format == &io::hwg_format();
  if (arguments.prepare && !hwg)
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--prepare with an output that is no .hwg",
                 .expected = "a .hwg file: no other format keeps a preparation"});
  if (arguments.device != "auto" && !arguments.prepare)
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--device without --prepare",
                 .expected = "also --prepare: nothing else is done there"});
  if (arguments.no_in && !hwg)
    throw Error({.failure = Failure::usage,
                 .id = "HW-USAGE-OPTION",
                 .found = "--no-in with an output that is no .hwg",
                 .expected = "a .hwg file: no other format keeps incoming arcs"});
  GraphArguments reading_as = arguments.graph;
  reading_as.clean |= arguments.prepare;  // searches drop duplicates and self-loops: of another graph a preparation is no use
  // Incoming arcs are made while writing, of the rows that searches use; memory for them is asked for now.
  Loaded loaded = load(context, reading_as, EstimateOptions{.build_in = hwg && !arguments.no_in}, false);
  double prepare_seconds = 0;
  if (arguments.prepare) {
    SearchArguments search;
    search.device = arguments.device;
    auto made = prepare(loaded.graph, search_options(search, static_cast<int>(arguments.graph.threads)));
    prepare_seconds = Seconds(made->time).count();
    loaded.graph.set_preparation(std::move(made));
  }
  const core::Stopwatch watch;
  write(context, loaded.graph, arguments.output, writing);
  const double seconds = watch.seconds();
  const std::string renamed = renaming_note(loaded.graph, format);
  if (!renamed.empty()) context.console.warn(renamed);
  const auto reading = describe(loaded.graph);
  if (context.json() && arguments.output != "-") {
    Json json = document("convert");
    json["graph"] = read_json(loaded.graph);
    json["output"] = arguments.output;
    if (!arguments.layout.empty()) json["layout"] = arguments.layout;
    json["notes"] = renamed.empty() ? Json::array() : Json::array({renamed});
    json["seconds"] = {{"load", loaded.seconds}, {"write", seconds}};
    if (arguments.prepare) {
      json["seconds"]["prepare"] = prepare_seconds;
      json["preparation"] = {{"kind", loaded.graph.preparation()->kind}, {"bytes", loaded.graph.preparation()->bytes()}};
    }
    context.console.result(dump(json));
    return 0;
  }
  context.console.talk(reading.input + "\n" + reading.graph + "\n" + reading.edges);
  if (arguments.prepare)
    context.console.talk(fmt::format("prepared in {} for the {} traversal: {} bytes more than the graph",
                                     seconds_text(prepare_seconds), loaded.graph.preparation()->kind,
                                     loaded.graph.preparation()->bytes()));
  context.console.talk(fmt::format("loaded in {}, written to {} in {}", seconds_text(loaded.seconds),
                                   arguments.output == "-" ? "standard output" : printable(arguments.output),
                                   seconds_text(seconds)));
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
                   {"hopwave convert edges.csv - --to metis --undirected", "METIS to standard output"}},
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
             {"--device",
              "WHERE",
              "With --prepare: where to prepare: gpu, or sim without one.",
              &a->device,
              {"auto", "gpu", "sim"}},
             {"--renumber", "",
              "Where the format has no place for the ids, number the vertices as it counts; without it that is refused.",
              &a->renumber},
             {"--level", "N", "Level of compression for .gz and .zst, 1 to 19 (.gz: at most 9).", &a->level}}},
           reading_options(a->graph, true)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
