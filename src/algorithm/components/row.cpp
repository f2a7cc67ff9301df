// Weakly connected components as a row of the table.
#include <fmt/format.h>

#include <map>

#include "algorithm/algorithm.h"
#include "algorithm/labels.h"
#include "core/people_text.h"
#include "hopwave/components.h"

namespace hopwave::algorithm {
namespace {

constexpr std::size_t most_shown = 8;

/// Size of a component → how many there are, largest first.
std::map<std::uint64_t, std::uint64_t, std::greater<>> size_counts(const Components& components) {
  std::vector<VertexId> size(components.label.size(), 0);
  for (const VertexId label : components.label) ++size[label];
  std::map<std::uint64_t, std::uint64_t, std::greater<>> counts;
  for (const VertexId s : size)
    if (s) ++counts[s];
  return counts;
}

Found run_components(Job& job) {
  const Graph& graph = job.graph;
  Components components = connected_components(graph, run_of(job));
  Found found;
  const auto counts = size_counts(components);
  found.lines = {{"components", core::grouped(components.count) + (graph.directed() ? " (directions ignored)" : "") + " in " +
                                    time_text(components.run.work.count(), components.run.device)}};
  List sizes;
  std::string shown;
  std::size_t i = 0;
  for (const auto& [size, count] : counts) {
    if (i == most_shown)
      shown += fmt::format(" · … ({} sizes in all)", counts.size());
    else if (i < most_shown)
      shown += (i ? " · " : "") + (count == 1 ? "" : core::grouped(count) + " × ") + core::grouped(size);
    ++i;
    sizes.push_back(Object{{"size", size}, {"count", count}});
  }
  if (components.count) {
    found.lines.push_back(
        {"largest", fmt::format("{} ({:.1f} %), that of {}", core::plural(components.largest_size, "vertex", "vertices"),
                                100.0 * components.largest_size / graph.num_vertices(),
                                core::printable(graph.ids().name(components.largest_label)))});
    found.lines.push_back({"sizes", shown});
  }
  found.figures = {{"components", components.count},
                   {"largest", components.largest_size},
                   {"largest_id", Vertex{components.count ? components.largest_label : no_vertex}},
                   {"sizes", std::move(sizes)},
                   {"device", name_of(components.run.device)},
                   {"load_seconds", job.load_seconds},
                   {"seconds", components.run.work.count() / 1000},
                   {"copy_seconds", Seconds(components.run.copy_in).count()}};
  found.run = std::move(components.run);
  found.columns.push_back({"label", std::move(components.label), Column::Kind::vertices});
  return found;
}

AlgorithmAnswer call_components(const Graph& graph, const std::vector<AlgorithmValue>&, const RunOptions& run) {
  return label_answer(connected_components(graph, run));
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    components,
    {.name = "cc",
     .summary = "connected components",
     .description =
         "Finds the weakly connected components: the sets of vertices that are connected if directions are ignored. With -o it "
         "writes one line per vertex: its id and the smallest id of its component.",
     .doing = "finding components",
     .writes = "Write id and component of every vertex; - for standard output.",
     .checks = "",
     .examples = {{"hopwave cc social.txt.zst", "how many, and how large"},
                  {"hopwave cc social.txt.zst -o labels.tsv", "which vertex belongs to which"}},
     .page = "scc.md",
     .source = "ECL-CC (Jaiganesh & Burtscher, 2018) on GPUs; union–find on CPUs",
     .cpp = "connected_components",
     .python = "components",
     .c = "hopwave_components",
     .networkx = "connected_components number_connected_components is_connected node_connected_component "
                 "weakly_connected_components number_weakly_connected_components is_weakly_connected",
     .job = EstimateJob::components,
     .run = run_components,
     .calls = {Algorithm{.help = "Weakly connected components: arc directions are ignored. Linear time.\n\n"
                                 "\"auto\" is the CPU. A GPU pays off for large graphs: each call copies the graph to it. "
                                 "`progress` counts units of work.",
                         .result = "Components",
                         .result_help = "Connected components.",
                         .outputs = label_outputs(),
                         .call = call_components}}})
