// Core numbers as a row of the table.
#include <fmt/format.h>

#include "algorithm/algorithm.h"
#include "core/people_text.h"
#include "hopwave/kcore.h"

namespace hopwave::algorithm {
namespace {

Found run_kcore(const Graph& graph, const Run& run, bool check) {
  KCore found = core_numbers(graph, options_of<KCoreOptions>(run));
  Found all{.device = found.device,
            .search_ms = found.search_ms,
            .copy_seconds = found.copy_seconds,
            .notes = found.notes,
            .verdict = check ? validate(graph, found) : Verdict{}};
  std::vector<std::uint64_t> vertices(std::size_t{found.largest} + 1, 0);
  for (const std::uint32_t core : found.core) ++vertices[core];
  Counts sizes{.value = "core", .count = "count", .pairs = {}};
  for (std::size_t core = vertices.size(); core-- > 0;)
    if (vertices[core]) sizes.pairs.emplace_back(core, vertices[core]);
  all.lines = {{"core", fmt::format("{} at most, {{time}}", core::grouped(found.largest))}};
  if (graph.num_vertices())
    all.lines.push_back({"innermost", fmt::format("{} of {}", core::plural(found.largest_size, "vertex", "vertices"),
                                                  core::grouped(graph.num_vertices()))});
  all.figures = {{"largest", std::uint64_t{found.largest}},
                 {"largest_size", std::uint64_t{found.largest_size}},
                 {"cores", std::move(sizes)}};
  all.columns.push_back(std::move(found.core));
  return all;
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    kcore,
    {.name = "kcore",
     .summary = "core numbers: how deep in the dense part of the graph each vertex is",
     .description =
         "The k-core is what is left when vertices with fewer than k neighbours are taken out until none is left; a vertex's "
         "core "
         "number is the greatest k whose k-core has it. In a directed graph arcs count at both ends. Self-loops do not count; "
         "parallel edges do, with --keep-duplicates. With -o it writes one line a vertex: its id and its core number.",
     .doing = "peeling",
     .writes = "id and core number",
     .checks = "Check that enough neighbours of each vertex have its number or more, and that none has a greater one.",
     .checked = "enough neighbours of each vertex have its number or more, and vertices can be taken out in this order",
     .job = EstimateJob::core_numbers,
     .columns = {{.name = "core"}},
     .examples = {{"hopwave kcore social.txt.zst", "how dense the innermost part is, and how large"},
                  {"hopwave kcore social.txt.zst -o cores.tsv --verify", "the number of each vertex"}},
     .run = run_kcore})
