// Compiled with every warning about missing fields turned into an error: each options struct with one field named, the others
// left out. Not run.
#include <hopwave/hopwave.h>

#include <string_view>

namespace {

using namespace hopwave;

static_assert(std::string_view(version) == EXPECTED_VERSION);
static_assert(HOPWAVE_VERSION_MAJOR >= 0 && HOPWAVE_VERSION_MINOR >= 0 && HOPWAVE_VERSION_PATCH >= 0);

[[maybe_unused]] void options() {
  (void)Query{.sources = {0}};
  (void)Query{.max_depth = 3};
  (void)SearchOptions{.run = {.device = DeviceKind::cpu}};
  (void)SearchOptions{.run = {.on = {.ordinal = 1}}};
  (void)DeviceOptions{.stream = nullptr};
  (void)DeviceArrays{.num_vertices = 1};
  (void)BuildOptions{.build_in = true};
  (void)EdgeOptions{.directed = false};
  (void)CsrOptions{.trusted = true};
  (void)ReadOptions{.lenient = true};
  (void)WriteOptions{.level = 9};
  (void)WriteOptions{.target = 1, .source = 0};
  (void)PathOptions{.max_depth = 4};
  (void)EstimateOptions{.parents = true};
  (void)GraphSize{.vertices = 4};
  (void)route::MazeOptions{.threshold = 1};
  (void)route::RouteOptions{.fewest_bends = true};
  (void)Result{.reached = 1};
  (void)EdgeList{.num_vertices = 2};
  (void)ReadReport{.format = "edges"};
  (void)Adjacency{.neighbors = {}};
  (void)Preparation{.strategy = "auto"};
  (void)Error::Parts{.id = "HW-X"};
  (void)LevelCounts{};
}

}  // namespace
