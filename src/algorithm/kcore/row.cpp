// Core numbers as a row of the table.
#include <fmt/format.h>

#include "algorithm/algorithm.h"
#include "core/people_text.h"
#include "hopwave/kcore.h"

namespace hopwave::algorithm {
namespace {

Found run_kcore(Job& job) {
  const Graph& graph = job.graph;
  KCore cores = core_numbers(graph, run_of(job));
  Found found;
  if (job.verify) {
    job.progress.stage("verifying");
    found.verdict = validate(graph, cores);
    found.verified = "enough neighbours of each vertex have its number or more, and vertices can be taken out in this order";
  }
  std::vector<VertexId> vertices(std::size_t{cores.largest} + 1, 0);
  for (const std::uint32_t core : cores.core) ++vertices[core];
  List counts;
  for (std::size_t core = vertices.size(); core-- > 0;)
    if (vertices[core]) counts.push_back(Object{{"core", std::uint64_t{core}}, {"count", vertices[core]}});
  found.lines = {{"core", core::grouped(cores.largest) + " at most, " + time_text(cores.run.work.count(), cores.run.device)}};
  if (graph.num_vertices())
    found.lines.push_back({"innermost", fmt::format("{} of {}", core::plural(cores.largest_size, "vertex", "vertices"),
                                                    core::grouped(graph.num_vertices()))});
  found.figures = {{"largest", cores.largest},
                   {"largest_size", cores.largest_size},
                   {"cores", std::move(counts)},
                   {"verified", job.verify},
                   {"device", name_of(cores.run.device)},
                   {"load_seconds", job.load_seconds},
                   {"seconds", cores.run.work.count() / 1000},
                   {"copy_seconds", Seconds(cores.run.copy_in).count()}};
  found.run = std::move(cores.run);
  found.columns.push_back({"core", std::move(cores.core)});
  return found;
}

AlgorithmAnswer call_kcore(const Graph& graph, const std::vector<AlgorithmValue>&, const RunOptions& run) {
  KCore found = core_numbers(graph, run);
  return {{std::move(found.core), std::uint64_t{found.largest}, std::uint64_t{found.largest_size}}, std::move(found.run)};
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    kcore,
    {.name = "kcore",
     .summary = "core numbers: how deep in the dense part of the graph each vertex is",
     .description =
         "The k-core is what is left when vertices with fewer than k neighbours are taken out until none is left; a vertex's "
         "core number is the greatest k whose k-core has it. In a directed graph arcs count at both ends. Self-loops do not "
         "count; "
         "parallel edges do, with --keep-duplicates. With -o it writes one line per vertex: its id and its core number.",
     .doing = "peeling",
     .writes = "Write id and core number of every vertex; - for standard output.",
     .checks = "Check that enough neighbours of each vertex have its number or more, and that none has a greater one.",
     .examples = {{"hopwave kcore social.txt.zst", "how dense the innermost part is, and how large"},
                  {"hopwave kcore social.txt.zst -o cores.tsv --verify", "the number of each vertex"}},
     .page = "kcore.md",
     .source = "Batagelj & Zaveršnik (2003); Kabir & Madduri (2017)",
     .cpp = "core_numbers",
     .python = "core_numbers",
     .c = "hopwave_core_numbers",
     .networkx = "core_number",
     .job = EstimateJob::core_numbers,
     .run = run_kcore,
     .calls = {
         Algorithm{.help = "Core numbers. The k-core is what remains when vertices with fewer than k arcs to other vertices "
                           "are removed until there are none. A vertex's core number is the greatest k whose k-core contains "
                           "it.\n\n"
                           "In a directed graph arcs count at both ends. Self-loops do not count; parallel edges do. Linear "
                           "time. \"auto\" is the CPU. A GPU pays off for large graphs: each call copies the graph to it. "
                           "`progress` counts vertices whose core number is known.",
                   .result = "KCore",
                   .result_help = "Core numbers: how deep in the dense part of the graph each vertex is.",
                   .outputs = {{"core", AlgorithmOutput::Kind::naturals,
                                "One core number per vertex: the greatest k whose k-core contains it."},
                               {"largest", AlgorithmOutput::Kind::count, "The greatest core number: the graph's degeneracy."},
                               {"largest_size", AlgorithmOutput::Kind::count, "The number of vertices that have it."}},
                   .unit = "vertex",
                   .networkx = "core_number",
                   .call = call_kcore}}})
