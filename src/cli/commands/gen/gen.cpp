// hopwave gen: writes a generated graph, or lists the generators.
#include <fmt/format.h>

#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "hopwave/generate.h"
#include "io/format.h"

namespace hopwave::cli {
namespace of_gen {

struct Arguments {
  GraphArguments graph;
  std::string output, format;
};

void list(Context& context) {
  if (context.json()) {
    Json json = Json::array();
    for (const auto& g : generators())
      json.push_back({{"name", g.name}, {"arguments", g.arguments}, {"summary", g.summary}, {"example", g.example}});
    return context.console.result(dump(json));
  }
  std::size_t width = 0;
  for (const auto& g : generators()) width = std::max(width, g.name.size() + g.arguments.size() + 1);
  for (const auto& g : generators())
    context.console.result(fmt::format("{:<{}}  {}, e.g. {}",
                                       std::string(g.name) + (g.arguments.empty() ? "" : ":") + std::string(g.arguments), width,
                                       g.summary, g.example));
}

/// Graphgen's own text, which Rodinia's and ROCm's programs read, has no ending of its own: a .txt of graphgen is one.
std::string output_format(const Arguments& arguments) {
  std::string_view name = arguments.output;
  for (const std::string_view packing : {".gz", ".zst"})
    if (name.ends_with(packing)) name.remove_suffix(packing.size());
  const bool own = arguments.format.empty() && arguments.graph.graph.starts_with("graphgen:") && name.ends_with(".txt");
  return own ? "rodinia" : arguments.format;
}

int run(const Arguments& arguments, Context& context) {
  if (arguments.graph.graph.empty()) {
    if (!arguments.output.empty() || !arguments.format.empty())
      core::refuse("HW-USAGE-MISSING", "no SPEC given, but an output", "hopwave gen SPEC -o FILE",
                   "hopwave gen alone lists the generators");
    list(context);
    return 0;
  }
  if (!is_generator_spec(arguments.graph.graph)) {
    const auto meant = meant_spec(arguments.graph.graph);
    throw Error(
        {.failure = Failure::usage,
         .id = "HW-GEN-SPEC",
         .found = "'" + arguments.graph.graph + "' is no generator's spec",
         .expected = "something like rmat:20,16",
         .hint = meant ? "did you mean '" + *meant + "'?" : "hopwave gen lists the generators; hopwave convert reads files"});
  }
  if (arguments.output.empty())
    core::refuse("HW-USAGE-MISSING", "no output file given", "-o FILE, or -o - for standard output",
                 "the other commands take the spec itself in place of a file");
  const WriteOptions writing{.format = output_format(arguments), .weights = !arguments.graph.no_weights};
  io::output_format(arguments.output, writing);
  GraphArguments drawing = arguments.graph;
  drawing.directed |= arguments.format != writing.format;  // Graphgen's own text has both arcs of every edge
  const Loaded loaded = load(context, drawing);
  RunReport run;
  const core::Stopwatch watch;
  write(context, loaded.graph, arguments.output, writing);
  run.work = watch.elapsed();
  if (context.json()) {
    if (arguments.output == "-") return 0;
    Json json = document("gen");
    json["graph"] = read_json(loaded.graph);
    json["run"] = run_json(run, read_options(arguments.graph).run, Seconds(loaded.seconds));
    json["output"] = arguments.output;
    context.console.result(dump(json));
  } else {
    context.console.talk(
        fmt::format("{}: {}, {} ({})", printable(arguments.output), plural(loaded.graph.num_vertices(), "vertex", "vertices"),
                    plural(edge_count(loaded.graph), "edge"), loaded.graph.directed() ? "directed" : "undirected"));
  }
  return 0;
}

}  // namespace of_gen

Command gen_command() {
  using namespace of_gen;
  auto a = std::make_shared<Arguments>();
  std::vector<std::string> names;
  for (const auto& format : formats())
    if (format.writes) names.emplace_back(format.name);
  Option spec = graph_argument(a->graph);
  spec.value = "SPEC";
  spec.help = "Which graph: a generator and its arguments, rmat:20,16. Without it: list the generators.";
  spec.required = false;
  return {.name = "gen",
          .summary = "write a generated graph, or list the generators",
          .description =
              "Generates a graph and writes it. The same spec and seed give the same graph on any number of threads. All other "
              "commands take a spec wherever they take a file.",
          .examples = {{"hopwave gen", "list the generators and their arguments"},
                       {"hopwave gen rmat:20,16 -o kron20.hwg", "a Graph500 graph of scale 20"},
                       {"hopwave gen graphgen:1024 -o graph1k.txt", "the text that Rodinia's and ROCm's programs read"},
                       {"hopwave gen grid:1000x1000 -o grid.txt.zst", "a grid as a compressed edge list"}},
          .groups = {{"What",
                      {
                          spec,
                          {"-o,--output",
                           "FILE",
                           "File to write; - for standard output. Format by ending unless --to says it; a .txt of graphgen is "
                           "Rodinia's text.",
                           &a->output,
                           {},
                           Fill::output},
                          {"--to", "NAME", "Format to write.", &a->format, names, Fill::format},
                      }},
                     {"Running", {threads_option(a->graph)}},
                     reading_options(a->graph, true)},
          .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
