// hopwave convert: from any format that can be read to any that can be written.
#include <fmt/format.h>

#include <memory>

#include "cli/console.h"
#include "cli/graph_input.h"
#include "cli/json.h"

namespace hopwave::cli {
namespace {

struct Arguments {
  GraphArguments graph;
  std::string output, format;
  std::int64_t level = 3;
  bool no_weights = false, with_in = false;
};

int run(const Arguments& arguments, Context& context) {
  const int level = checked_int("--level", arguments.level, 1, 19);
  const Loaded loaded = load(context, arguments.graph, arguments.with_in);
  const auto start = std::chrono::steady_clock::now();
  write_graph(loaded.graph, arguments.output, {.format = arguments.format, .weights = !arguments.no_weights, .level = level});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto reading = describe(loaded.graph);
  if (context.json() && arguments.output != "-") {
    Json json = document("convert");
    json["graph"] = read_json(loaded.graph);
    json["output"] = arguments.output;
    json["seconds"] = {{"load", loaded.seconds}, {"write", seconds}};
    context.console.result(dump(json));
    return 0;
  }
  context.console.talk(reading.input + "\n" + reading.graph + "\n" + reading.edges);
  context.console.talk(fmt::format("loaded in {}, written to {} in {}", seconds_text(loaded.seconds),
                                   arguments.output == "-" ? "standard output" : arguments.output, seconds_text(seconds)));
  return 0;
}

}  // namespace

Command convert_command() {
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
          "kept: parallel edges, self-loops, weights and ids, as far as the new format can hold them. A .hwg file opens at "
          "once, without parsing.\n\nFormats: " +
          list + ".",
      .examples = {{"hopwave convert social.txt.zst social.hwg --clean", "parse once, open at once from then on"},
                   {"hopwave convert graph.mtx graph.txt.gz", "Matrix Market to a compressed edge list"},
                   {"hopwave convert edges.csv - --to metis --undirected", "METIS to standard output"}},
      .groups = {{"What",
                  {graph_argument(a->graph),
                   {"output", "OUT", "File to write; - for standard output.", &a->output, {}, Fill::file, true},
                   {"--to", "NAME", "Format to write.", &a->format, names, Fill::format},
                   {"--with-in", "", "Also store incoming arcs in a .hwg file, which searches that pull need.", &a->with_in},
                   {"--no-weights", "", "Leave out weights.", &a->no_weights},
                   {"--level", "N", "Level of compression for .gz and .zst, 1 to 19 (.gz: at most 9).", &a->level}}},
                 reading_options(a->graph, true)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
