// Strongly connected components, the graph that they form and its topological generations as a row of the table.
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/algorithm.h"
#include "algorithm/labels.h"
#include "core/people_text.h"
#include "hopwave/strong.h"

namespace hopwave::algorithm {
namespace {

Cost strong_cost(const Values&, const SearchOptions&, std::uint64_t, VertexId) {
  return {.memory = {.job = EstimateJob::strong_components}, .incoming = true};
}

/// Each vertex's component is numbered in the order of their first vertices.
Array<std::uint32_t> generations_of(const StrongComponents& components, const Array<VertexId>& generation) {
  const auto n = static_cast<VertexId>(components.label.size());
  Array<std::uint32_t> of(n);
  VertexId next = 0;
  for (VertexId v = 0; v < n; ++v) of[v] = components.label[v] == v ? generation[next++] : of[components.label[v]];
  return of;
}

Found run_strong(Job& job) {
  const Graph& graph = job.graph;
  StrongOptions options{.run = run_of(job)};
  StrongComponents components = strong_components(graph, options);
  const RunOptions work{.limits = options.run.limits, .progress = options.run.progress};
  job.progress.stage("condensing");
  Graph condensed = condensation(graph, components, work);
  job.progress.stage("sorting the components");
  const Array<VertexId> generation = topological_generations(condensed, work);
  const VertexId generations = generation.empty() ? 0 : *std::max_element(generation.begin(), generation.end()) + 1;
  const bool acyclic = is_acyclic(graph, work);
  Found found;
  if (job.verify) {
    job.progress.stage("verifying");
    found.verdict = validate(graph, components);
    found.verified = "mutual paths within each component, no cycle between them";
  }
  found.lines = {{"components", core::grouped(components.count) + " strongly connected in " +
                                    time_text(components.run.work.count(), components.run.device)}};
  if (components.count) {
    found.lines.push_back(
        {"largest", fmt::format("{} ({:.1f} %), that of {}", core::plural(components.largest_size, "vertex", "vertices"),
                                100.0 * components.largest_size / graph.num_vertices(),
                                core::printable(graph.name(components.largest_label)))});
    found.lines.push_back({"cycles", acyclic ? "none: the graph is a DAG" : "the graph has some"});
    found.lines.push_back({"condensation", core::plural(condensed.num_arcs(), "arc") + " between components, " +
                                               core::plural(generations, "generation")});
  }
  found.figures = {{"components", components.count},
                   {"largest", components.largest_size},
                   {"largest_id", Vertex{components.largest_label}},
                   {"acyclic", acyclic},
                   {"condensation_arcs", condensed.num_arcs()},
                   {"generations", generations},
                   {"verified", job.verify},
                   {"device", name_of(components.run.device)},
                   {"load_seconds", job.load_seconds},
                   {"copy_seconds", Seconds(components.run.copy_in).count()},
                   {"seconds", components.run.work.count() / 1000}};
  found.run = std::move(components.run);
  if (job.writes) {
    Array<std::uint32_t> of = generations_of(components, generation);
    found.columns.push_back({"component", std::move(components.label), Column::Kind::vertices});
    found.columns.push_back({"generation", std::move(of)});
  }
  found.graphs.push_back(std::move(condensed));
  return found;
}

AlgorithmAnswer call_strong(const Graph& graph, const std::vector<AlgorithmValue>&, const RunOptions& run) {
  return label_answer(strong_components(graph, StrongOptions{.run = run}));
}

AlgorithmAnswer call_generations(const Graph& graph, const std::vector<AlgorithmValue>&, const RunOptions& run) {
  return {{topological_generations(graph, run)}};
}

AlgorithmAnswer call_acyclic(const Graph& graph, const std::vector<AlgorithmValue>&, const RunOptions& run) {
  return {{is_acyclic(graph, run)}};
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    strong,
    {.name = "scc",
     .summary = "strongly connected components, condensation, topological generations",
     .description =
         "Finds the strongly connected components of a directed graph: two vertices are in one component if each has a path "
         "to the other. The components form a graph without cycles, the condensation; a component's generation is the number "
         "of arcs on the longest path there that ends in it. With -o it writes one line per vertex: its id, the smallest id of "
         "its component, and the component's generation.",
     .doing = "finding components",
     .writes = "Write id, component and generation of every vertex; - for standard output.",
     .checks = "Check that vertices of a component reach each other, and that no cycle leads through several.",
     .examples = {{"hopwave scc web.txt.zst --verify", "how many, how large, is it a DAG"},
                  {"hopwave scc web.txt.zst -o labels.tsv", "which vertex belongs to which"},
                  {"hopwave scc tasks.txt --condensation dag.txt", "the graph of the components"}},
     .page = "scc.md",
     .source = "Tarjan (1972); forward–backward; ECL-SCC (Alabandi et al., 2023)",
     .cpp = "strong_components",
     .python = "strong_components",
     .c = "hopwave_strong_components",
     .networkx = "strongly_connected_components number_strongly_connected_components is_strongly_connected condensation "
                 "attracting_components",
     .options = {{.name = "condensation",
                  .value = "FILE",
                  .help = "Write the graph of the components, in the format that the name asks for; each has its smallest id "
                          "where the format keeps ids, as .txt and .hwg do.",
                  .type = Type::graph_file,
                  .output = true}},
     .job = EstimateJob::strong_components,
     .cost = strong_cost,
     .run = run_strong,
     .calls = {
         Algorithm{.help = "Strongly connected components: two vertices are in one component if each has a path to the "
                           "other.\n\n"
                           "\"auto\" is the CPU, as in components(). `progress` counts vertices whose component is known.",
                   .result = "Components",
                   .result_help = "Connected components.",
                   .outputs = label_outputs(),
                   .unit = "vertex",
                   .call = call_strong},
         {.function = "topological_generations",
          .help = "The number of arcs on the longest path that ends in each vertex, one value per vertex. A cycle, a "
                  "self-loop or an undirected edge raises Error HW-GRAPH-CYCLE. It runs on one thread of the CPU, whatever "
                  "`device` and `threads` are.",
          .outputs = {{"generation", AlgorithmOutput::Kind::naturals}},
          .automatic = "auto",
          .call = call_generations},
         {.function = "is_acyclic",
          .help = "Returns True if the graph is directed and has neither a cycle nor a self-loop; for an undirected graph, if "
                  "it has no edges. It runs as topological_generations() does.",
          .outputs = {{"acyclic", AlgorithmOutput::Kind::truth}},
          .automatic = "auto",
          .call = call_acyclic}}})
