// hopwave cc: weakly connected components.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cli/frame/console.h"
#include "cli/frame/graph_input.h"
#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "cli/frame/search_options.h"
#include "hopwave/components.h"

namespace hopwave::cli {
namespace of_cc {

struct Arguments {
  GraphArguments graph;
  std::string output, device = "cpu";
};

void write_labels(const std::string& file, const Graph& graph, const Components& components, Team& team, Context& context) {
  ResultFile out(file);
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    context.check_interrupt();
    const auto put = [&](VertexId v) {
      if (graph.ids().kind() == Ids::Kind::strings)
        put_cell(graph.ids().names()[v], '\t', text);
      else
        text.put(graph.ids().number(v));
    };
    for (std::size_t v = from; v < to; ++v) {
      put(static_cast<VertexId>(v));
      text.put('\t');
      put(components.label[v]);
      text.put('\n');
    }
  });
  out.commit();
}

/// Size of a component → how many there are, largest first.
std::map<VertexId, VertexId, std::greater<>> size_counts(const Components& components) {
  std::vector<VertexId> size(components.label.size(), 0);
  for (const VertexId label : components.label) ++size[label];
  std::map<VertexId, VertexId, std::greater<>> counts;
  for (const VertexId s : size)
    if (s) ++counts[s];
  return counts;
}

int run(const Arguments& arguments, Context& context) {
  check_text_ending(arguments.output);
  Console& console = context.console;
  check_one_output(context, arguments.output);
  const Loaded loaded = load(context, arguments.graph, {.job = EstimateJob::components}, false);
  const Graph& graph = loaded.graph;
  const int threads = checked_int("--threads", arguments.graph.threads, 0, 4096);
  const ComponentsFound found = [&] {
    Progress progress(context.console, "finding components");
    return connected_components(
        graph,
        {.device = to_device(arguments.device), .threads = threads, .progress = [&](std::uint64_t done, std::uint64_t total) {
           if (done > 0) progress.part(done, total);
           return !context.interrupted();
         }});
  }();
  const Components& components = found.components;
  context.check_interrupt();
  for (const auto& note : found.notes) console.warn(note);
  if (!arguments.output.empty()) {
    Team team(threads);
    const bool said = std::find(found.notes.begin(), found.notes.end(), team.missing_text()) != found.notes.end();
    if (team.missing() > 0 && !said) console.warn(team.missing_text());
    write_labels(arguments.output, graph, components, team, context);
  }
  const auto counts = size_counts(components);
  if (context.json()) {
    Json json = document("cc");
    json["graph"] = read_json(graph);
    json["components"] = components.count;
    json["largest"] = components.largest_size;
    json["largest_id"] = components.count ? id_json(graph.ids(), components.largest_label) : Json(nullptr);
    json["sizes"] = Json::array();
    for (const auto& [size, count] : counts) json["sizes"].push_back({{"size", size}, {"count", count}});
    json["device"] = device_name(found.device);
    json["seconds"] = found.search_ms / 1000;
    json["copy_seconds"] = found.copy_seconds;
    json["output"] = arguments.output.empty() ? Json(nullptr) : Json(arguments.output);
    console.result(dump(json));
    return 0;
  }
  const Stream stream = arguments.output == "-" ? Stream::err : Stream::out;
  const auto reading = describe(graph);
  console.line(stream, console.bold(stream, "input      ") + reading.input);
  console.line(stream, console.bold(stream, "graph      ") + reading.graph);
  console.line(stream, console.bold(stream, "components ") + grouped(components.count) +
                           (graph.directed() ? " (directions ignored)" : "") + " in " + seconds_text(found.search_ms / 1000) +
                           (found.device == DeviceKind::cpu ? "" : fmt::format(" on {}", device_name(found.device))));
  if (components.count == 0) return 0;
  console.line(stream, console.bold(stream, "largest    ") +
                           fmt::format("{} ({:.1f} %), that of {}", plural(components.largest_size, "vertex", "vertices"),
                                       100.0 * components.largest_size / graph.num_vertices(),
                                       printable(graph.ids().name(components.largest_label))));
  std::string sizes;
  int shown = 0;
  for (const auto& [size, count] : counts) {
    if (++shown > 8) {
      sizes += fmt::format(" · … ({} sizes in all)", counts.size());
      break;
    }
    sizes += (sizes.empty() ? "" : " · ") + (count == 1 ? "" : grouped(count) + " × ") + grouped(size);
  }
  console.line(stream, console.bold(stream, "sizes      ") + sizes);
  return 0;
}

}  // namespace of_cc

Command cc_command() {
  using namespace of_cc;
  auto a = std::make_shared<Arguments>();
  return {
      .name = "cc",
      .summary = "connected components",
      .description =
          "Finds the weakly connected components: which vertices hang together if directions are ignored. With -o it writes "
          "one line a vertex: its id and the smallest id of its component.",
      .examples = {{"hopwave cc social.txt.zst", "how many, and how large"},
                   {"hopwave cc social.txt.zst -o labels.tsv", "which vertex belongs to which"}},
      .groups =
          {{"What",
            {graph_argument(a->graph),
             {"--device",
              "WHERE",
              "Where to find them: cpu, gpu, sim (the GPU simulator), or auto: on a GPU if there is one. The graph is copied "
              "there first.",
              &a->device,
              {"auto", "cpu", "gpu", "sim"}},
             {"-o,--output",
              "FILE",
              "Write id and component of every vertex; - for standard output.",
              &a->output,
              {},
              Fill::output}}},
           reading_options(a->graph)},
      .run = [a](Context& context) { return run(*a, context); }};
}

}  // namespace hopwave::cli
