#include "hopwave/matrix.h"

#include "core/options.h"
#include "core/reporter.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "graph/check_vertex.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

DistanceMatrix by_weights(const Graph& graph, std::span<const VertexId> sources, std::span<const VertexId> targets,
                          const MatrixOptions& options) {
  WeightedSearcher searcher(graph, {.direction = options.direction, .run = options.run});
  WeightedDistances found = searcher.distance_matrix(sources, targets);
  return {.distance = std::move(found.distance), .exact_below = found.exact_below, .run = std::move(found.run)};
}

DistanceMatrix by_hops(const Graph& graph, std::span<const VertexId> sources, std::span<const VertexId> targets,
                       const MatrixOptions& options) {
  DistanceMatrix matrix{.distance = Array<double>(sources.size() * targets.size())};
  SearchOptions how{.direction = options.direction, .run = options.run};
  how.run.progress = {};
  core::Reporter reporter(options.run.progress, sources.size(), "searches");
  reporter.add(0, 0);
  Searcher searcher(graph, how);
  const core::Stopwatch watch;
  if (!sources.empty())
    searcher.run_each(sources, -1, [&](std::size_t i, Result&& result) {
      double* const row = matrix.distance.data() + i * targets.size();
      for (std::size_t j = 0; j < targets.size(); ++j) {
        const Distance d = result.distance[targets[j]];
        row[j] = d == unreached ? no_path : d;
      }
      reporter.add(1, 0);
    });
  matrix.run.device = searcher.device();
  matrix.run.strategy = searcher.strategy();
  matrix.run.prepare = searcher.prepare();
  matrix.run.copy_in = searcher.copy_in();
  matrix.run.notes = searcher.notes();
  matrix.run.work = watch.elapsed();
  return matrix;
}

}  // namespace

DistanceMatrix distance_matrix(const Graph& graph, std::span<const VertexId> sources, std::span<const VertexId> targets,
                               const MatrixOptions& options) {
  for (const VertexId s : sources) search_detail::check_vertex(graph.num_vertices(), s, "source", "HW-QUERY-SOURCE");
  for (const VertexId t : targets) search_detail::check_vertex(graph.num_vertices(), t, "target", "HW-QUERY-TARGET");
  MatrixOptions on = options;
  if (on.run.device == DeviceKind::automatic) on.run.device = DeviceKind::cpu;
  DistanceMatrix matrix = (on.weights ? by_weights : by_hops)(graph, sources, targets, on);
  matrix.rows = sources.size();
  matrix.columns = targets.size();
  return matrix;
}

}  // namespace hopwave::inline v0_1
