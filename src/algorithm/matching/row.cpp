// Maximum matching and minimum vertex cover of a bipartite graph as a row of the table.
#include <fmt/format.h>

#include "algorithm/algorithm.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "hopwave/matching.h"

namespace hopwave::algorithm {
namespace {

constexpr std::size_t shown_pairs = 5;

void check_matching(const Values& values, bool, bool writes) {
  if (values.flag("cover") && !writes)
    core::refuse("HW-USAGE-OPTION", "--cover without -o", "-o FILE, or -o - for standard output");
}

/// 1 for all vertices but these.
Array<std::uint8_t> sides_of(const Graph& graph, const std::vector<VertexId>& left) {
  auto side = Array<std::uint8_t>::filled(graph.num_vertices(), 1);
  for (const VertexId v : left) side[v] = 0;
  return side;
}

/// Pairs, or the vertices of the cover, as columns.
void write_pairs(const Matching& matching, bool cover, Found& found) {
  std::vector<VertexId> first, second;
  for (VertexId v = 0; v < matching.mate.size(); ++v) {
    if (cover ? !matching.cover[v] : matching.side[v] || matching.mate[v] == no_vertex) continue;
    first.push_back(v);
    if (!cover) second.push_back(matching.mate[v]);
  }
  found.own_rows = true;
  found.columns.push_back({cover ? "vertex" : "left", Array<std::uint32_t>::copy_of(first), Column::Kind::vertices});
  if (!cover) found.columns.push_back({"right", Array<std::uint32_t>::copy_of(second), Column::Kind::vertices});
}

const char* word_of(Matching::Sides sides) {
  return sides == Matching::Sides::given ? "given" : sides == Matching::Sides::ids ? "ids" : "colouring";
}

Found run_matching(Job& job) {
  const Graph& graph = job.graph;
  MatchingOptions options{.run = run_of(job)};
  if (job.values.given("left")) options.side = sides_of(graph, job.values.vertices("left"));
  const Matching matching = maximum_matching(graph, options);
  Found found;
  if (job.verify) {
    job.progress.stage("verifying");
    found.verdict = validate(graph, matching);
    found.verified = "pairs are edges and share no vertex; the cover has a vertex of each edge, and one per pair";
  }
  List pairs;
  VertexId covering_left = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (matching.side[v]) continue;
    covering_left += matching.cover[v];
    if (pairs.size() < shown_pairs && matching.mate[v] != no_vertex)
      pairs.push_back(Object{{"left", Vertex{v}}, {"right", Vertex{matching.mate[v]}}});
  }
  const VertexId right = graph.num_vertices() - matching.left;
  const char* const sides = matching.sides == Matching::Sides::given ? "given"
                            : matching.sides == Matching::Sides::ids ? "as the ids state"
                                                                     : "found by two-colouring";
  found.lines = {{"strategy", matching.run.strategy + " on " + name_of(matching.run.device)},
                 {"sides", fmt::format("{} left, {} right, {}", core::grouped(matching.left), core::grouped(right), sides)},
                 {"matching", fmt::format("{}; {} left and {} right stay without", core::plural(matching.size, "pair"),
                                          core::grouped(matching.left - matching.size), core::grouped(right - matching.size))},
                 {"cover", fmt::format("{}, {} of them on the left", core::plural(matching.size, "vertex", "vertices"),
                                       core::grouped(covering_left))},
                 {"time", fmt::format("{}; {}", core::seconds_text(Seconds(matching.run.prepare + matching.run.work).count()),
                                      core::plural(matching.searches, "search", "searches"))}};
  found.figures = {{"strategy", matching.run.strategy},
                   {"device", name_of(matching.run.device)},
                   {"pairs", matching.size},
                   {"matching", std::move(pairs)},
                   {"left", matching.left},
                   {"right", right},
                   {"sides", word_of(matching.sides)},
                   {"cover_left", covering_left},
                   {"searches", matching.searches},
                   {"verified", job.verify},
                   {"load_seconds", job.load_seconds},
                   {"copy_seconds", Seconds(matching.run.copy_in).count()},
                   {"prepare_seconds", Seconds(matching.run.prepare).count()},
                   {"seconds", Seconds(matching.run.work).count()}};
  found.run = matching.run;
  if (job.writes) write_pairs(matching, job.values.flag("cover"), found);
  return found;
}

AlgorithmAnswer call_matching(const Graph& graph, const std::vector<AlgorithmValue>& values, const RunOptions& run) {
  MatchingOptions options{.run = run};
  if (const auto* left = std::get_if<std::vector<VertexId>>(values.data())) options.side = sides_of(graph, *left);
  Matching found = maximum_matching(graph, options);
  return {{std::uint64_t{found.size}, std::move(found.mate), std::move(found.side), std::move(found.cover)},
          std::move(found.run),
          {.what = "pairs", .done = found.size, .total = found.size}};
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    matching,
    {.name = "matching",
     .summary = "maximum matching and minimum vertex cover of a bipartite graph",
     .description =
         "Pairs vertices of two sides, as many as possible: a pair is joined by an edge, and a vertex is in one pair at most. "
         "Also finds the smallest set of vertices that has one of each edge, the minimum vertex cover. It has one vertex per "
         "pair, which proves that no matching is larger. The sides are those of a file with two kinds of vertices, those of "
         "--left, or found by two-colouring, with the smallest vertex of each component on the left; an odd cycle is an error "
         "that shows it. Directions and weights do not matter.",
     .doing = "matching",
     .writes = "Write one row per pair: its left and its right vertex. .csv, else separated by tabs; - for standard output.",
     .checks = "Check that the pairs are edges that share no vertex, and that the cover has a vertex of each edge and no more "
               "vertices than there are pairs.",
     .examples = {{"hopwave matching jobs.txt --bipartite --verify", "how many pairs there can be"},
                  {"hopwave matching jobs.txt --bipartite -o pairs.tsv", "which"},
                  {"hopwave matching grid:20x30 --cover -o -", "the vertices of the minimum cover"}},
     .page = "matching.md",
     .source = "Hopcroft & Karp (1973); König (1931); Azad, Buluç & Pothen (2017)",
     .cpp = "maximum_matching",
     .python = "maximum_matching",
     .c = "hopwave_maximum_matching",
     .networkx = "hopcroft_karp_matching",
     .options = {{.name = "left",
                  .value = "FILE",
                  .help = "The vertices of the left side, one id per line; all others are on the right.",
                  .type = Type::vertices_file},
                 {.name = "cover",
                  .help = "With -o: write the vertices of the minimum vertex cover, one per row.",
                  .type = Type::flag,
                  .output = true}},
     .device_help =
         "Where to match: cpu, gpu, sim (the GPU simulator), or auto: the CPU. A GPU gets a copy of the graph first.",
     .header = Header::always,
     .check = check_matching,
     .job = EstimateJob::matching,
     .run = run_matching,
     .calls = {Algorithm{
         .help =
             "As many pairs of vertices as possible, each joined by an edge, with each vertex in one pair at most; and the "
             "smallest set of vertices that has one of each edge. The graph must be bipartite. Directions and weights do "
             "not matter.\n\n"
             "`left`: your ids of one side, a list or an array; all other vertices are on the other one. An edge within a "
             "side is Error HW-MATCHING-SIDE. None: ids \"left:…\" and \"right:…\" decide, as read() gives them to two kinds "
             "of vertices; otherwise a two-colouring, with the first vertex of each component on the left. An odd cycle is "
             "Error HW-MATCHING-CYCLE, which names its vertices.\n\n"
             "\"auto\" is the CPU. A GPU pays for large graphs: each call copies the graph there. `progress` counts the "
             "pairs found, of the vertices on the smaller side.",
         .result = "Matching",
         .result_help = "A maximum matching and a minimum vertex cover. Arrays are in the order of the graph's vertices; "
                        "methods take and give your ids.",
         .parameters = {{.name = "left", .kind = AlgorithmParameter::Kind::vertices, .keyword = false}},
         .outputs = {{"size", AlgorithmOutput::Kind::count,
                      "The number of pairs. It is also the number of vertices in the cover."},
                     {"mate", AlgorithmOutput::Kind::naturals,
                      "One per vertex: the other vertex of its pair; 2**32 - 1 where it has none."},
                     {"right", AlgorithmOutput::Kind::truths, "One per vertex: is it on the right side?"},
                     {"in_cover", AlgorithmOutput::Kind::truths,
                      "One per vertex: is it in the minimum vertex cover? With the same sides the same on every device."}},
         .unit = "pair",
         .passes = 4,
         .call = call_matching}}})
