// The engine's preparation: every way of making rows makes the same, and it comes back from its saved arrays only if they are
// of this graph's size and sense.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "bfs/engine/relabel/host.h"
#include "bfs/plan/upload.h"
#include "hopwave/hopwave.h"
#include "support/error_id.h"

namespace hopwave::sim::engine::relabel {
namespace of_relabel_test {

using Saved = std::vector<std::pair<std::string, std::vector<std::byte>>>;

Saved arrays_of(Relabelled<std::uint32_t>& ordered) {
  Preparation kept;
  hopwave::engine::Saver saver(kept);
  ordered.save(saver);
  Saved saved;
  for (const auto& [name, bytes] : kept.arrays) saved.emplace_back(name, std::vector(bytes.begin(), bytes.end()));
  return saved;
}

/// A graph's arrays on the simulator, as the engine wants them.
struct OnDevice {
  explicit OnDevice(const hopwave::Graph& g)
      : given(strategy::upload(device, {g.num_vertices(), &g.out(), &g.in(), !g.directed()}, {.in = true})) {}
  [[nodiscard]] Graph<std::uint32_t> graph() const {
    return {.num_vertices = given.num_vertices,
            .num_arcs = given.num_arcs,
            .offsets = given.offsets<std::uint32_t>(),
            .neighbors = given.neighbors.data(),
            .in_offsets = given.in_offsets<std::uint32_t>(),
            .in_neighbors = given.in_neighbor_data(),
            .first_neighbor = nullptr,
            .rank = nullptr,
            .order = nullptr,
            .largest_component = 0};
  }
  device::Device device{*device::sim_api()};
  device::DeviceGraph given;
};

/// Every way of making rows: as it comes, all by blocks, all in pieces, and some of each.
constexpr RowLimits all_limits[] = {{}, {1, 1024}, {1, 1}, {16, 64}};

/// Of which the second has the vertex of most arcs.
EdgeList two_components() {
  EdgeList list = generate("rmat:8,6");
  const VertexId first = list.num_vertices, leaves = 300;
  Array<Edge> edges(list.edges.size() + leaves);
  std::copy(list.edges.begin(), list.edges.end(), edges.begin());
  for (VertexId k = 0; k < leaves; ++k) edges[list.edges.size() + k] = {first, first + 1 + k};
  list.edges = std::move(edges);
  list.num_vertices += 1 + leaves;
  list.ids = Ids::consecutive(list.num_vertices);
  list.directed = false;
  return list;
}

/// Every row is the caller's under new names, in rising order, whichever way it was made.
void expect_rows(const hopwave::Graph& g, const Distance* reached, VertexId largest_component, const RowLimits& limits,
                 bool spare) {
  OnDevice on(g);
  device::Buffer<Distance> near;
  if (reached) near = device::Buffer<Distance>(on.device, std::span(reached, g.num_vertices()));
  Relabelled<std::uint32_t> ordered(on.device, on.graph(), near.data(), spare ? on.given.neighbors.data() : nullptr, limits);
  const Saved saved = arrays_of(ordered);
  const auto array = [&](const std::string& name) {
    const auto found = std::find_if(saved.begin(), saved.end(), [&](const auto& one) { return one.first == name; });
    const auto* words = reinterpret_cast<const std::uint32_t*>(found->second.data());
    return std::vector<std::uint32_t>(words, words + found->second.size() / 4);
  };
  const auto order = array("order"), rank = array("rank"), first_neighbor = array("first_neighbor");
  for (VertexId i = 0; i < g.num_vertices(); ++i) {
    ASSERT_EQ(rank[order[i]], i);
    if (reached) ASSERT_EQ(i < largest_component, reached[order[i]] != unreached);
    if (i == 0 || i == largest_component) continue;
    const auto key = [&](VertexId v) { return degree_key(g.out_degree(v), reached && reached[v] == unreached); };
    ASSERT_TRUE(key(order[i - 1]) < key(order[i]) || (key(order[i - 1]) == key(order[i]) && order[i - 1] < order[i])) << i;
  }
  for (const bool in : {false, true}) {
    if (in && (!g.directed() || g.num_arcs() == 0)) continue;
    const auto offsets = array(in ? "in_offsets" : "offsets"), rows = array(in ? "in_neighbors" : "neighbors");
    for (VertexId i = 0; i < g.num_vertices(); ++i) {
      std::vector<std::uint32_t> expected;
      for (const VertexId w : in ? g.in_neighbors(order[i]) : g.out_neighbors(order[i])) expected.push_back(rank[w]);
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(std::vector(rows.begin() + offsets[i], rows.begin() + offsets[i + 1]), expected) << i;
      if (in == g.directed() && !expected.empty())
        ASSERT_EQ(first_neighbor[i], expected[0] | (expected.size() == 1 ? single : 0));
    }
  }
}

void expect_rows_every_way(const std::string& spec, std::span<const RowLimits> ways) {
  for (const bool directed : {false, true})
    for (const RowLimits& limits : ways) {
      SCOPED_TRACE(spec + (directed ? " directed, " : ", ") + std::to_string(limits.blocks) + " " +
                   std::to_string(limits.pieces));
      EdgeList list = generate(spec);
      list.directed = directed;
      const hopwave::Graph g = build_graph(std::move(list), {.keep_duplicates = true, .build_in = true});
      ASSERT_NO_FATAL_FAILURE(expect_rows(g, nullptr, 0, limits, false));
      if (!directed) ASSERT_NO_FATAL_FAILURE(expect_rows(g, nullptr, 0, limits, true)) << "the given rows overwritten";
    }
}

TEST(Order, RowsAreTheGivenOnesSorted) {
  for (const char* spec : {"rmat:3,0", "rmat:6,20", "chain:60", "star:40"}) expect_rows_every_way(spec, all_limits);
  for (const char* spec : {"rmat:8,12", "star:600", "star:1100", "star:5000", "star:9000"})  // a block of each size, and pieces
    expect_rows_every_way(spec, std::span(all_limits).first(1));
}

TEST(Order, VerticesOutsideTheGiantComeLast) {
  const hopwave::Graph g = build_graph(two_components(), {});
  std::vector<Distance> reached(g.num_vertices(), unreached);
  const Components c = connected_components(g);
  VertexId largest_component = 0;
  for (VertexId v = 0; v < g.num_vertices(); ++v)
    if (c.label[v] == c.label[0]) reached[v] = 1, ++largest_component;
  for (const RowLimits& limits : all_limits)
    ASSERT_NO_FATAL_FAILURE(expect_rows(g, reached.data(), largest_component, limits, false));
}

class Restored : public ::testing::Test {
 protected:
  explicit Restored(bool directed = false) : graph_(of(directed)), on_(graph_) {
    Relabelled<std::uint32_t> made(on_.device, on_.graph(), nullptr);
    hopwave::engine::Saver saver(kept_);
    made.save(saver);
  }
  template <class T>
  T value(const std::string& name, std::size_t at = 0) {
    T found{};
    for (const auto& [other, bytes] : kept_.arrays)
      if (other == name) std::memcpy(&found, bytes.data() + at * sizeof(T), sizeof(T));
    return found;
  }
  /// Puts an array with another value there in the place of the one that is kept.
  template <class T>
  void change(const std::string& name, std::size_t at, T to) {
    for (auto& [other, bytes] : kept_.arrays) {
      if (other != name) continue;
      auto copy = hopwave::Array<std::byte>::copy_of(bytes.span());
      std::memcpy(copy.data() + at * sizeof(T), &to, sizeof(T));
      bytes = std::move(copy);
    }
  }
  std::string error() {
    return hopwave::testing::id_of(
        [&] {
          hopwave::engine::Restorer from(on_.device, kept_);
          Relabelled<std::uint32_t> again(on_.device, graph_.num_vertices(), graph_.num_arcs(), !graph_.directed(), from);
          EXPECT_EQ(arrays_of(again).size(), kept_.arrays.size());
        },
        "");
  }

  /// Each of these wrong values is refused, and the right one is taken again.
  void expect_refused(std::span<const char* const> names, std::size_t at, std::uint32_t wrong) {
    for (const char* name : names) {
      const auto right = value<std::uint32_t>(name, at);
      change(name, at, wrong);
      EXPECT_EQ(error(), "HW-PREPARATION-FIT") << name << " " << at;
      change(name, at, right);
    }
    EXPECT_EQ(error(), "");
  }
  static hopwave::Graph of(bool directed) {
    EdgeList list = generate("rmat:7,4");
    list.directed = directed;
    return build_graph(std::move(list), {.build_in = true});
  }

  hopwave::Graph graph_;
  OnDevice on_;
  Preparation kept_;
};
class RestoredDirected : public Restored {
 protected:
  RestoredDirected() : Restored(true) {}
};

TEST_F(RestoredDirected, RefusesIncomingArcsThatLeadOutside) {
  constexpr const char* offsets[] = {"offsets", "in_offsets"};
  for (const std::size_t at : {0, 5, 128}) expect_refused(offsets, at, 100'000);
  constexpr const char* neighbors[] = {"neighbors", "in_neighbors", "order", "rank", "first_neighbor"};
  expect_refused(neighbors, 3, 128);
}

TEST_F(RestoredDirected, RefusesTheOtherDirection) {
  change("symmetric", 0, std::uint64_t{1});
  EXPECT_EQ(error(), "HW-PREPARATION-FIT");
}

TEST_F(Restored, ComesBack) { EXPECT_EQ(error(), ""); }

TEST_F(Restored, RefusesArraysThatLeadOutside) {
  const auto refused_with = [&](const char* name, std::size_t at, std::uint32_t wrong) {
    const auto right = value<std::uint32_t>(name, at);
    change(name, at, wrong);
    EXPECT_EQ(error(), "HW-PREPARATION-FIT") << name << " " << at;
    change(name, at, right);
  };
  for (const char* name : {"order", "rank", "neighbors", "first_neighbor"}) refused_with(name, 3, 128);
  for (const std::size_t at : {0, 5, 128}) refused_with("offsets", at, 100'000);
  refused_with("order", 1, value<std::uint32_t>("order"));
  EXPECT_EQ(error(), "");
}

TEST_F(Restored, RefusesMissingAndOtherArrays) {
  for (const std::uint64_t number : {std::uint64_t{129}, ~std::uint64_t{0}}) {
    const auto right = value<std::uint64_t>("largest");
    change("largest", 0, number);
    EXPECT_EQ(error(), "HW-PREPARATION-FIT");
    change("largest", 0, right);
  }
  change("offset_bytes", 0, std::uint64_t{8});
  EXPECT_EQ(error(), "HW-PREPARATION-FIT");
  change("offset_bytes", 0, std::uint64_t{4});
  kept_.arrays.back().second.truncate(8);
  EXPECT_EQ(error(), "HW-PREPARATION-FIT");
  kept_.arrays.pop_back();
  EXPECT_EQ(error(), "HW-PREPARATION-FIT");
}

}  // namespace of_relabel_test
}  // namespace hopwave::sim::engine::relabel
