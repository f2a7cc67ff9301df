// Matrices of distances, by hops and by weights, against rounds over all edges; on CPUs and in the simulator.
#include "hopwave/matrix.h"

#include <gtest/gtest.h>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "support/ended.h"
#include "support/sanitized.h"
#include "support/weighted.h"

namespace hopwave::testing {
namespace of_matrix_test {

TEST(Matrix, GraphsAndWeightsOfEveryKind) {
  for (std::uint64_t seed = 0; seed < 150 && !HasFatalFailure(); ++seed) {
    if (!tried(seed)) continue;
    WeightedGraph test = with_weights(random_graph(seed, 90), static_cast<int>(seed % weight_kinds), seed);
    const Graph graph = hopwave::testing::build(test, true);
    const MatrixOptions options{.weights = seed % 2 == 0,
                                .direction = static_cast<Direction>(seed % 3),
                                .run = {.device = seed % 7 == 0   ? DeviceKind::sim
                                                  : seed % 7 == 1 ? DeviceKind::automatic
                                                                  : DeviceKind::cpu,
                                        .threads = static_cast<int>(seed % 4)}};
    if (!options.weights) test.weights.clear();
    std::mt19937_64 rng(seed);
    std::vector<VertexId> sources, targets;
    for (std::uint64_t i = 0; i < 1 + rng() % 80; ++i) sources.push_back(static_cast<VertexId>(rng() % graph.num_vertices()));
    for (std::uint64_t i = 0; i < 1 + rng() % 9; ++i) targets.push_back(static_cast<VertexId>(rng() % graph.num_vertices()));
    const DistanceMatrix matrix = distance_matrix(graph, sources, targets, options);
    ASSERT_EQ(matrix.rows, sources.size());
    ASSERT_EQ(matrix.columns, targets.size());
    ASSERT_EQ(matrix.distance.size(), sources.size() * targets.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::vector<double> right = naive_distances(test, {sources[i]}, options.direction);
      for (std::size_t j = 0; j < targets.size(); ++j)
        ASSERT_EQ(matrix.distance[i * targets.size() + j], right[targets[j]]) << test.graph.name << ", seed " << seed;
    }
  }
}

// nonsense: distance_matrix
TEST(Matrix, NonsenseIsRefused) {
  const Graph none, lattice = build_graph(generate("grid:30x30"));
  const std::vector<VertexId> some{0, 17, 899}, outside{900};
  for (const bool weights : {false, true}) {
    const MatrixOptions options{.weights = weights};
    EXPECT_TRUE(distance_matrix(none, {}, {}, options).distance.empty());
    EXPECT_EQ(distance_matrix(lattice, some, {}, options).rows, 3u);
    EXPECT_EQ(id_of([&] { (void)distance_matrix(lattice, outside, some, options); }), "HW-QUERY-SOURCE");
    EXPECT_EQ(id_of([&] { (void)distance_matrix(lattice, some, outside, options); }), "HW-QUERY-TARGET");
    expect_refusals(
        [&](const RunOptions& run) { (void)distance_matrix(lattice, some, some, {.weights = weights, .run = run}); });
    for (const int threads : {1, 3})
      expect_ends([&](const RunOptions& run) { (void)distance_matrix(lattice, some, some, {.weights = weights, .run = run}); },
                  {.threads = threads});
  }
}

}  // namespace of_matrix_test
}  // namespace hopwave::testing
