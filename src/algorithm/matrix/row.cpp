// A matrix of distances as a row of the table.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "algorithm/algorithm.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "hopwave/matrix.h"
#include "hopwave/shortest_paths.h"

namespace hopwave::algorithm {
namespace {

constexpr std::size_t verified_sources = 16;

void check_matrix(const Values& values, bool sources_named, bool) {
  if (sources_named && values.given("from")) core::refuse("HW-USAGE-OPTION", "-s, and --from", "one of them");
}

Cost matrix_cost(const Values& values, const SearchOptions&, std::uint64_t sources, VertexId vertices) {
  const bool turned = values.word("direction") != "out";
  const auto listed = [&](const char* file, std::uint64_t otherwise) {  // files are read once there is a graph
    return vertices > 0 && values.given(file) ? std::uint64_t{values.vertices(file).size()} : otherwise;
  };
  const std::uint64_t rows = listed("from", sources > 0 ? sources : vertices);
  return {.memory = {.build_in = turned, .weights = values.flag("weights"), .searches = std::max<std::uint64_t>(sources, 2)},
          .incoming = turned,
          .pairs = rows * listed("to", rows)};
}

/// Some rows again, by the plain search.
Verdict check_rows(const Job& job, const DistanceMatrix& matrix, const MatrixOptions& options,
                   std::span<const VertexId> sources, std::span<const VertexId> targets, std::size_t rows) {
  const WeightedOptions how{
      .strategy = "cpu-dijkstra", .direction = options.direction, .run = {.device = DeviceKind::cpu, .threads = 1}};
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t i = r * matrix.rows / rows;
    const auto right = [&](const auto& distance, auto none) -> Verdict {
      for (std::size_t j = 0; j < targets.size(); ++j) {
        const double d = matrix.distance[i * matrix.columns + j];
        const auto expected = distance[targets[j]];
        if (expected == none ? d == no_path : d == expected) continue;
        return {.ok = false,
                .rule = "distance",
                .message = fmt::format("{} to {} is {}", job.graph.name(sources[i]), job.graph.name(targets[j]), d)};
      }
      return {};
    };
    const VertexId source = sources[i];
    const Verdict verdict =
        options.weights
            ? right(shortest_paths(job.graph, {.sources = {source}, .parents = false}, how).distance, no_path)
            : right(search(job.graph, {.sources = {source}},
                           {.strategy = "cpu-sequential", .direction = options.direction, .run = {.device = DeviceKind::cpu}})
                        .distance,
                    unreached);
    if (!verdict) return verdict;
    job.progress.part(r + 1, rows);
  }
  return {};
}

/// A row of the file per pair, sources first.
void write_pairs(std::span<const VertexId> sources, std::span<const VertexId> targets, DistanceMatrix& matrix, Found& found) {
  const std::size_t count = matrix.rows * matrix.columns;
  Array<std::uint32_t> from(count), to(count);
  for (std::size_t i = 0; i < matrix.rows; ++i)
    for (std::size_t j = 0; j < matrix.columns; ++j) {
      from[i * matrix.columns + j] = sources[i];
      to[i * matrix.columns + j] = targets[j];
    }
  found.own_rows = true;
  found.columns.push_back({"source", std::move(from), Column::Kind::vertices});
  found.columns.push_back({"target", std::move(to), Column::Kind::vertices});
  found.columns.push_back({"distance", std::move(matrix.distance), Column::Kind::distances});
}

Found run_matrix(Job& job) {
  const MatrixOptions options{
      .weights = job.values.flag("weights"), .direction = direction_named(job.values.word("direction")), .run = run_of(job)};
  std::vector<VertexId> sources = job.values.given("from") ? job.values.vertices("from") : job.sources;
  if (sources.empty()) {
    sources.resize(job.graph.num_vertices());
    std::iota(sources.begin(), sources.end(), VertexId{0});
  }
  const std::vector<VertexId>& targets = job.values.given("to") ? job.values.vertices("to") : sources;
  DistanceMatrix matrix = distance_matrix(job.graph, sources, targets, options);
  Found found;
  if (job.verify) {
    job.progress.stage("verifying");
    const std::size_t rows = std::min(matrix.rows, verified_sources);
    found.verdict = check_rows(job, matrix, options, sources, targets, rows);
    found.verified = fmt::format("{} of {} searched again by {}: the same distances", rows, core::plural(matrix.rows, "source"),
                                 options.weights ? "cpu-dijkstra" : "cpu-sequential");
  }
  std::uint64_t paths = 0;
  double farthest = 0;
  for (const double d : matrix.distance) {
    if (d == no_path) continue;
    ++paths;
    farthest = std::max(farthest, d);
  }
  const bool exact = farthest < matrix.exact_below;
  found.lines = {
      {"matrix", fmt::format("{} to {}", core::plural(matrix.rows, "source"), core::plural(matrix.columns, "target"))},
      {"paths",
       fmt::format("{} of {}; the farthest at {}{}", core::grouped(paths), core::plural(matrix.distance.size(), "pair"),
                   core::number_text(farthest), exact ? "" : "; perhaps not exact: numbers were rounded")},
      {"time", fmt::format("{}, {} on {}", core::seconds_text(Seconds(matrix.run.work).count()), matrix.run.strategy,
                           name_of(matrix.run.device))}};
  found.figures = {{"weights", options.weights},
                   {"direction", name_of(options.direction)},
                   {"device", name_of(matrix.run.device)},
                   {"sources", std::uint64_t{matrix.rows}},
                   {"targets", std::uint64_t{matrix.columns}},
                   {"paths", paths},
                   {"farthest", Number{farthest}},
                   {"exact", exact},
                   {"verified", job.verify}};
  found.run = matrix.run;
  if (job.writes) write_pairs(sources, targets, matrix, found);
  return found;
}

}  // namespace
}  // namespace hopwave::algorithm

HOPWAVE_ALGORITHM(
    matrix,
    {.name = "matrix",
     .summary = "distances from many vertices to many others",
     .description =
         "Finds the distance from each source to each target, by hops or with --weights by the sum of weights: an "
         "origin-destination table. A search by weights ends when its targets are known, so a table of a city takes "
         "the time of "
         "the city, not of the country. Without sources, all vertices are; without --to, the sources are the targets as well.",
     .doing = "searching",
     .writes =
         "Write one row per pair: source, target and distance, -1 where there is no path; sources in their order, and for "
         "each the targets in theirs. .csv, else separated by tabs; - for standard output.",
     .checks = "Search from up to 16 of the sources again with another method, and compare.",
     .examples = {{"hopwave matrix roads.gr --from depots.txt --to customers.txt --weights -o od.csv",
                   "how far each customer is from each depot"},
                  {"hopwave matrix social.hwg -s random:100@1 --json", "how far 100 vertices are from each other, in hops"}},
     .page = "sssp.md",
     .source = "by hops: Then et al. (2014); by weights: Dijkstra (1959)",
     .cpp = "distance_matrix",
     .python = "distance_matrix",
     .c = "",
     .networkx = "",
     .options = {{.name = "from",
                  .value = "FILE",
                  .help = "The sources: a file of ids, one per line, in place of -s.",
                  .type = Type::vertices_file},
                 {.name = "to",
                  .value = "FILE",
                  .help = "The targets: a file of ids, one per line. Default: the sources.",
                  .type = Type::vertices_file},
                 weights_option,
                 {.name = "direction",
                  .value = "WAY",
                  .help = "Follow arcs out (forwards), in (backwards) or both ways.",
                  .type = Type::word,
                  .choices = {"out", "in", "both"}}},
     .sources_help = "A source: a vertex id, first, maxdeg (most arcs), lcc (in the largest component) or random:N[@SEED]; "
                     "repeatable. Default: all vertices.",
     .sources = Sources::all_unless_named,
     .header = Header::csv,
     .check = check_matrix,
     .cost = matrix_cost,
     .run = run_matrix})
