// The engine's preparation: sorted all at once or in parts of any size it is the same, and it comes back from its saved arrays
// only if they are of this graph's size and sense.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/order_host.h"
#include "hopwave/hopwave.h"

namespace hopwave::sim::engine {
namespace {

using Saved = std::vector<std::pair<std::string, std::vector<std::byte>>>;

Saved arrays_of(Ordered<std::uint32_t>& ordered) {
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
      : given(device, {g.num_vertices(), &g.out(), &g.in(), !g.directed()}, {.in = true}) {}
  [[nodiscard]] Graph<std::uint32_t> graph() const {
    return {.num_vertices = given.num_vertices,
            .num_arcs = given.num_arcs,
            .offsets = given.offsets<std::uint32_t>(),
            .neighbors = given.neighbors.data(),
            .in_offsets = given.in_offsets<std::uint32_t>(),
            .in_neighbors = given.in_neighbor_data(),
            .head = nullptr,
            .rank = nullptr,
            .order = nullptr,
            .giant = 0};
  }
  device::Device device{*device::sim_api()};
  strategy::DeviceGraph given;
};

TEST(Order, PartsMakeNoDifference) {
  for (const char* spec : {"rmat:8,6", "star:100", "chain:40", "rmat:3,0"})
    for (const bool directed : {false, true}) {
      EdgeList list = generate(spec);
      list.directed = directed;
      const hopwave::Graph g = build_graph(std::move(list), {.build_in = true});
      OnDevice on(g);
      Ordered<std::uint32_t> whole(on.device, on.graph(), nullptr, 0);
      const Saved expected = arrays_of(whole);
      for (const std::uint64_t part : {1, 50, 700, 1 << 20}) {
        SCOPED_TRACE(std::string(spec) + " in parts of " + std::to_string(part));
        Ordered<std::uint32_t> parts(on.device, on.graph(), nullptr, 0, part);
        EXPECT_EQ(arrays_of(parts), expected);
      }
      if (directed) continue;
      Ordered<std::uint32_t> again(on.device, on.graph(), nullptr, 0, 0, on.given.neighbors.data());
      EXPECT_EQ(arrays_of(again), expected) << "the given rows overwritten";
    }
}

/// Each row is the caller's under new names, in rising order.
TEST(Order, RowsAreTheGivenOnesSorted) {
  for (const char* spec : {"rmat:10,8", "star:3000", "chain:500", "complete:70"})
    for (const bool directed : {false, true}) {
      SCOPED_TRACE(spec);
      EdgeList list = generate(spec);
      list.directed = directed;
      const hopwave::Graph g = build_graph(std::move(list), {.build_in = true});
      OnDevice on(g);
      Ordered<std::uint32_t> ordered(on.device, on.graph(), nullptr, 0);
      const Saved saved = arrays_of(ordered);
      const auto array = [&](const std::string& name) {
        const auto found = std::find_if(saved.begin(), saved.end(), [&](const auto& one) { return one.first == name; });
        const auto* words = reinterpret_cast<const std::uint32_t*>(found->second.data());
        return std::vector<std::uint32_t>(words, words + found->second.size() / 4);
      };
      const auto order = array("order"), rank = array("rank"), head = array("head");
      for (const bool in : {false, true}) {
        if (in && !directed) continue;
        const auto offsets = array(in ? "in_offsets" : "offsets"), rows = array(in ? "in_neighbors" : "neighbors");
        for (VertexId i = 0; i < g.num_vertices(); ++i) {
          std::vector<std::uint32_t> expected;
          for (const VertexId w : in ? g.in_neighbors(order[i]) : g.out_neighbors(order[i])) expected.push_back(rank[w]);
          std::sort(expected.begin(), expected.end());
          ASSERT_EQ(std::vector(rows.begin() + offsets[i], rows.begin() + offsets[i + 1]), expected) << i;
          if (in == directed && !expected.empty()) ASSERT_EQ(head[i] & id_mask, expected[0]);
        }
      }
    }
}

class Restored : public testing::Test {
 protected:
  Restored() {
    Ordered<std::uint32_t> made(on_.device, on_.graph(), nullptr, 0);
    hopwave::engine::Saver saver(kept_);
    made.save(saver);
  }
  template <class T>
  T* values(const std::string& name) {
    for (auto& [other, bytes] : kept_.arrays)
      if (other == name) return reinterpret_cast<T*>(bytes.data());
    return nullptr;
  }
  std::string error() {
    try {
      hopwave::engine::Restorer from(on_.device, kept_);
      Ordered<std::uint32_t> again(on_.device, graph_.num_vertices(), graph_.num_arcs(), true, from);
      EXPECT_EQ(arrays_of(again).size(), kept_.arrays.size());
    } catch (const Error& e) {
      return e.id();
    }
    return "";
  }

  hopwave::Graph graph_ = build_graph(generate("rmat:7,4"));
  OnDevice on_{graph_};
  Preparation kept_;
};

TEST_F(Restored, ComesBack) { EXPECT_EQ(error(), ""); }

TEST_F(Restored, RefusesArraysThatLeadOutside) {
  for (const char* name : {"order", "rank", "neighbors", "head"}) {
    std::uint32_t& value = values<std::uint32_t>(name)[3];
    const std::uint32_t right = value;
    value = 128;
    EXPECT_EQ(error(), "HW-PREPARATION-FIT") << name;
    value = right;
  }
  for (const std::size_t at : {0, 5, 128}) {
    std::uint32_t& value = values<std::uint32_t>("offsets")[at];
    const std::uint32_t right = value;
    value = 100'000;
    EXPECT_EQ(error(), "HW-PREPARATION-FIT") << at;
    value = right;
  }
  std::uint32_t& twice = values<std::uint32_t>("order")[1];
  twice = values<std::uint32_t>("order")[0];
  EXPECT_EQ(error(), "HW-PREPARATION-FIT");
}

TEST_F(Restored, RefusesMissingAndOtherArrays) {
  for (const std::uint64_t number : {std::uint64_t{129}, ~std::uint64_t{0}}) {
    const std::uint64_t right = *values<std::uint64_t>("giant");
    *values<std::uint64_t>("giant") = number;
    EXPECT_EQ(error(), "HW-PREPARATION-FIT");
    *values<std::uint64_t>("giant") = right;
  }
  *values<std::uint64_t>("offset_bytes") = 8;
  EXPECT_EQ(error(), "HW-PREPARATION-FIT");
  *values<std::uint64_t>("offset_bytes") = 4;
  kept_.arrays.back().second.truncate(8);
  EXPECT_EQ(error(), "HW-PREPARATION-FIT");
  kept_.arrays.pop_back();
  EXPECT_EQ(error(), "HW-PREPARATION-FIT");
}

}  // namespace
}  // namespace hopwave::sim::engine
