// Answers of one and two bytes a distance: the same as those of four, of one search and of many, on every device.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "hopwave/hopwave.h"
#include "support/hostile.h"

namespace hopwave {
namespace of_narrow_test {

template <class Narrow>
constexpr Distance no_room = static_cast<Narrow>(~Narrow{0}) - 1;

template <class Narrow>
std::vector<Narrow> packed(const Array<Distance>& wide) {
  std::vector<Narrow> to;
  for (const Distance d : wide)
    to.push_back(d == unreached ? NarrowResult<Narrow>::unreached : static_cast<Narrow>(std::min(d, no_room<Narrow>)));
  return to;
}

template <class Narrow>
std::vector<Narrow> values(const Array<Narrow>& array) {
  return {array.begin(), array.end()};
}

template <class Narrow>
void expect_same(Searcher& searcher, Searcher& oracle, const Query& query, const std::string& what) {
  Query least = query;
  least.ties = Ties::min;
  const Result wide = oracle.run(least);
  const auto clamped = searcher.run<Narrow>(query, Deeper::clamp);
  EXPECT_EQ(values(clamped.distance), packed<Narrow>(wide.distance)) << what;
  EXPECT_EQ(clamped.depth, wide.depth) << what;
  EXPECT_EQ(clamped.reached, wide.reached) << what;
  EXPECT_EQ(clamped.run.levels, static_cast<std::uint32_t>(wide.depth)) << what;
  EXPECT_EQ(clamped.parent.size(), query.parents ? wide.distance.size() : 0) << what;
  if (query.parents && query.ties == Ties::min) EXPECT_EQ(values(clamped.parent), values(wide.parent)) << what;
  if (wide.depth >= no_room<Narrow>)
    EXPECT_EQ(id_of([&] { searcher.run<Narrow>(query); }), "HW-DISTANCE-NARROW") << what;
  else
    EXPECT_EQ(values(searcher.run<Narrow>(query).distance), values(clamped.distance)) << what;
}

TEST(Narrow, OneSearchOnEveryDevice) {
  // 254 is the first distance that a byte has no room for; the grid's answers and star's are packed on the device.
  for (const char* spec : {"rmat:8,4", "chain:254", "chain:255", "grid:100x170", "star:70000", "chain:1"}) {
    const Graph graph = load_graph(spec);
    Searcher oracle(graph, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
    for (const char* strategy : {"auto", "pmpp-vertex-push", "cpu-direction"}) {
      const bool cpu = std::string(strategy).starts_with("cpu");
      Searcher searcher(graph, {.strategy = strategy, .run = {.device = cpu ? DeviceKind::cpu : DeviceKind::sim}});
      const VertexId last = graph.num_vertices() - 1;
      const std::vector<Query> queries = {{.sources = {0}},
                                          {.sources = {0, last}, .parents = true},
                                          {.sources = {0}, .parents = true, .ties = Ties::min},
                                          {.sources = {0}, .max_depth = 2},
                                          {.sources = {last}, .target = last / 2}};
      for (std::size_t q = 0; q < queries.size(); ++q) {
        const std::string what = std::string(spec) + ", " + strategy + ", query " + std::to_string(q);
        expect_same<std::uint8_t>(searcher, oracle, queries[q], what);
        if (q == 0) expect_same<std::uint16_t>(searcher, oracle, queries[q], what);
      }
    }
  }
}

TEST(Narrow, ManySearchesOnEveryDevice) {
  for (const char* spec : {"rmat:7,4", "chain:260"}) {
    const Graph graph = load_graph(spec);
    const std::size_t n = graph.num_vertices();
    Searcher oracle(graph, {.strategy = "cpu-sequential", .run = {.device = DeviceKind::cpu}});
    std::vector<VertexId> all;
    for (VertexId i = 0; i < 66; ++i) all.push_back(i * 31 % graph.num_vertices());
    for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::sim})
      for (const std::int64_t least : {0, 1})  // one by one, and passes
        for (const int more : {0, 1}) {
          if (more && (least == 0 || device == DeviceKind::cpu)) continue;
          const std::span<const VertexId> sources = std::span(all).first(least ? all.size() : 5);
          SearchOptions options{.parameters = {{"ms_bfs", least}}, .run = {.device = device}};
          if (more) options.run.replicas = {1};
          Searcher searcher(graph, options);
          for (const Distance limit : {-1, 2}) {
            const Array<Distance> wide = oracle.distances_from_each(sources, limit);
            const auto narrow = searcher.distances_from_each<std::uint8_t>(sources, limit, Deeper::clamp);
            ASSERT_EQ(values(narrow), packed<std::uint8_t>(wide)) << spec << least << more << limit;
            const bool deep = n == 260 && limit < 0;
            EXPECT_EQ(id_of([&] { searcher.distances_from_each<std::uint8_t>(sources, limit); }),
                      deep ? "HW-DISTANCE-NARROW" : "none");
            if (deep) EXPECT_EQ(values(searcher.distances_from_each<std::uint16_t>(sources)), packed<std::uint16_t>(wide));
          }
        }
  }
}

TEST(Narrow, NamesTheTypeThatHasRoom) {
  const Graph graph = load_graph("chain:300");
  Searcher searcher(graph, {.run = {.device = DeviceKind::cpu}});
  try {
    searcher.run<std::uint8_t>({.sources = {0}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.parts().found, "a distance of 299");
    EXPECT_EQ(e.parts().hint, "16 bits have room for it");
  }
  EXPECT_EQ(id_of([&] { searcher.run<std::uint8_t>({.sources = {0}}, unnamed<Deeper>()); }), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { searcher.run<std::uint8_t>({.sources = {300}}); }), "HW-QUERY-SOURCE");
  const std::vector<VertexId> one = {1}, far = {300};
  EXPECT_EQ(id_of([&] { searcher.distances_from_each<std::uint8_t>(one, -1, unnamed<Deeper>()); }), "HW-OPTION-VALUE");
  EXPECT_EQ(id_of([&] { searcher.distances_from_each<std::uint8_t>(far); }), "HW-QUERY-SOURCE");
  EXPECT_TRUE(searcher.distances_from_each<std::uint8_t>({}).empty());
}

}  // namespace of_narrow_test
}  // namespace hopwave
