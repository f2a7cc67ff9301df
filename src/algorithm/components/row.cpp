// Weakly connected components as a row of the table.
#include <fmt/format.h>

#include <map>

#include "algorithm/algorithm.h"
#include "core/people_text.h"
#include "hopwave/components.h"

namespace hopwave::algorithm {
namespace {

constexpr std::size_t most_shown = 8;

/// Size of a component → how many there are, largest first.
Counts size_counts(const Components& components) {
  std::vector<VertexId> size(components.label.size(), 0);
  for (const VertexId label : components.label) ++size[label];
  std::map<std::uint64_t, std::uint64_t, std::greater<>> counts;
  for (const VertexId s : size)
    if (s) ++counts[s];
  return {.value = "size", .count = "count", .pairs = {counts.begin(), counts.end()}};
}

Found run_components(const Graph& graph, const Run& run, bool) {
  ComponentsFound found = connected_components(graph, options_of<ComponentsOptions>(run));
  Components& components = found.components;
  Found all{.device = found.device, .search_ms = found.search_ms, .copy_seconds = found.copy_seconds, .notes = found.notes};
  Counts sizes = size_counts(components);
  all.lines = {
      {"components", core::grouped(components.count) + (graph.directed() ? " (directions ignored)" : "") + " in {time}"}};
  if (components.count) {
    all.lines.push_back(
        {"largest", fmt::format("{} ({:.1f} %), that of {}", core::plural(components.largest_size, "vertex", "vertices"),
                                100.0 * components.largest_size / graph.num_vertices(),
                                core::printable(graph.ids().name(components.largest_label)))});
    std::string shown;
    for (std::size_t i = 0; i < sizes.pairs.size() && i <= most_shown; ++i) {
      const auto [size, count] = sizes.pairs[i];
      if (i == most_shown)
        shown += fmt::format(" · … ({} sizes in all)", sizes.pairs.size());
      else
        shown += (i ? " · " : "") + (count == 1 ? "" : core::grouped(count) + " × ") + core::grouped(size);
    }
    all.lines.push_back({"sizes", shown});
  }
  all.figures = {{"components", std::uint64_t{components.count}},
                 {"largest", std::uint64_t{components.largest_size}},
                 {"largest_id", Vertex{components.count ? components.largest_label : no_vertex}},
                 {"sizes", std::move(sizes)}};
  all.columns.push_back(std::move(components.label));
  return all;
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    components,
    {.name = "cc",
     .summary = "connected components",
     .description =
         "Finds the weakly connected components: which vertices hang together if directions are ignored. With -o it writes "
         "one line a vertex: its id and the smallest id of its component.",
     .doing = "finding components",
     .writes = "id and component",
     .checks = "",
     .checked = "",
     .job = EstimateJob::components,
     .columns = {{.name = "label", .vertices = true}},
     .examples = {{"hopwave cc social.txt.zst", "how many, and how large"},
                  {"hopwave cc social.txt.zst -o labels.tsv", "which vertex belongs to which"}},
     .run = run_components})
