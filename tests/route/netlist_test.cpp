// Global routing: readers and their errors; routes are checked by counting every edge again from the wires alone.
#include "hopwave/netlist.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/places.h"
#include "support/temp_dir.h"

namespace hopwave::inline v0_1::route {
namespace of_netlist_test {

namespace fs = std::filesystem;

Netlist netlist_of(const std::string& text) { return read_netlist(std::span(text), "nets"); }

struct Counts {
  std::uint64_t wirelength = 0, vias = 0, overflow = 0, most = 0;
};

/// Every wire joins neighbours, every net that is not said to be unrouted joins all its pins; returns the sums.
Counts check(const Netlist& netlist, const GlobalRoute& route) {
  Counts counts;
  std::vector<std::int64_t> use(netlist.capacity.size());
  const std::set<std::size_t> unrouted(route.unrouted.begin(), route.unrouted.end());
  EXPECT_EQ(route.wires.size(), netlist.nets.size());
  for (std::size_t net = 0; net < netlist.nets.size(); ++net) {
    std::map<std::size_t, std::set<std::size_t>> near;
    std::set<std::size_t> edges;
    for (const auto& [a, b] : route.wires[net]) {
      EXPECT_EQ(b.x - a.x + b.y - a.y + b.layer - a.layer, 1u);
      const int direction = b.x > a.x ? 0 : b.y > a.y ? 1 : 2;
      const std::size_t edge = netlist.tile(a) * 3 + static_cast<std::size_t>(direction);
      EXPECT_TRUE(edges.insert(edge).second);
      if (direction < 2) use[edge] += netlist.demand(netlist.nets[net], a.layer);
      ++(direction < 2 ? counts.wirelength : counts.vias);
      near[netlist.tile(a)].insert(netlist.tile(b));
      near[netlist.tile(b)].insert(netlist.tile(a));
    }
    std::vector<std::size_t> stack{netlist.tile(netlist.nets[net].pins[0])};
    std::set<std::size_t> seen{stack[0]};
    while (!stack.empty()) {
      const std::size_t tile = stack.back();
      stack.pop_back();
      for (const std::size_t next : near[tile])
        if (seen.insert(next).second) stack.push_back(next);
    }
    bool whole = true;
    for (const Cell& pin : netlist.nets[net].pins) whole = whole && seen.count(netlist.tile(pin));
    EXPECT_EQ(whole, !unrouted.count(net)) << netlist.nets[net].name;
  }
  for (std::size_t e = 0; e < use.size(); ++e) {
    if (e % 3 == 2 || use[e] <= netlist.capacity[e]) continue;
    const auto too_much = static_cast<std::uint64_t>(use[e] - netlist.capacity[e]);
    counts.overflow += too_much;
    counts.most = std::max(counts.most, too_much);
  }
  EXPECT_EQ(counts.wirelength, route.wirelength);
  EXPECT_EQ(counts.vias, route.vias);
  EXPECT_EQ(counts.overflow, route.overflow);
  EXPECT_EQ(counts.most, route.max_overflow);
  EXPECT_EQ(route.congested.empty(), counts.overflow == 0);
  return counts;
}

TEST(Netlist, NegotiationGivesWay) {
  // One wire an edge. Short nets first fill the middle; the plain router then cannot bring C through, negotiation can.
  const Netlist netlist = netlist_of(
      "grid 3 3\nvertical capacity 1\nhorizontal capacity 1\nnum net 3\nA 0 2\n0 1\n2 1\nB 1 2\n0 1\n2 1\nC 2 2\n0 1\n2 1\n");
  const GlobalRoute negotiated = route_nets(netlist);
  EXPECT_EQ(check(netlist, negotiated).overflow, 0u);
  EXPECT_TRUE(negotiated.unrouted.empty());
  EXPECT_EQ(negotiated.wirelength, 2u + 4 + 4);
  EXPECT_EQ(negotiated.bends, 0u + 2 + 2);

  const Netlist impossible = netlist_of("grid 2 1\ncapacity 1\nnum net 2\n0 0 0 1 0\n1 0 0 1 0\n");
  const GlobalRoute over = route_nets(impossible, {.rounds = 5});
  EXPECT_EQ(check(impossible, over).overflow, 1u);
  EXPECT_EQ(over.congested.size(), 2u);
  const GlobalRoute plain = route_nets(impossible, {.sequential = true});
  check(impossible, plain);
  EXPECT_EQ(plain.unrouted, std::vector<std::size_t>{1});  // the first is routed all the same
  EXPECT_EQ(plain.wirelength, 1u);
}

TEST(Netlist, RandomNetsCountTheSame) {
  std::mt19937 random(2);
  for (int round = 0; round < 8; ++round) {
    std::string text = "grid 9 7\nvertical capacity 3\nhorizontal capacity 4\nnum net 40\n";
    for (int i = 0; i < 40; ++i) {
      const int pins = 1 + static_cast<int>(random() % 4);
      text += "n" + std::to_string(i) + " " + std::to_string(i) + " " + std::to_string(pins) + "\n";
      for (int p = 0; p < pins; ++p) text += std::to_string(random() % 9) + " " + std::to_string(random() % 7) + "\n";
    }
    const Netlist netlist = netlist_of(text);
    for (const NetOrder order : {NetOrder::shortest, NetOrder::longest, NetOrder::file}) {
      check(netlist, route_nets(netlist, {.order = order}));
      EXPECT_EQ(check(netlist, route_nets(netlist, {.order = order, .sequential = true})).overflow, 0u);
    }
  }
}

constexpr const char* ispd =
    "grid 3 2 2\nvertical capacity 0 4\nhorizontal capacity 4 0\nminimum width 1 1\nminimum spacing 1 1\nvia spacing 0 0\n"
    "10 20 5 5\n\nnum net 2\nA 0 2 1\n11 21 1\n24 29 1\nB 7 3 1\n12 22 1\n13 28 2\n10 20 1\n\n1\n0 0 1 1 0 1 1\n";

TEST(Netlist, ReadsAndWritesIspd2008) {
  const Netlist netlist = netlist_of(ispd);
  EXPECT_EQ(netlist.format, "ispd2008");
  EXPECT_EQ(netlist.layers, 2u);
  EXPECT_EQ(netlist.nets[0].pins[1], (Cell{2, 1, 0}));
  EXPECT_EQ(netlist.nets[1].pins[1], (Cell{0, 1, 1}));
  EXPECT_EQ(netlist.demand(netlist.nets[0], 0), 2);
  EXPECT_EQ(netlist.capacity[netlist.tile({0, 0, 0}) * 3], 1);  // changed
  EXPECT_EQ(netlist.capacity[netlist.tile({1, 0, 0}) * 3], 4);
  const GlobalRoute route = route_nets(netlist);
  EXPECT_EQ(check(netlist, route).overflow, 0u);
  EXPECT_EQ(route.wirelength, 3u + 1);
  EXPECT_EQ(route.vias, 2u + 1);
  const TempDir folder;
  write_solution(netlist, route, folder.path("nets"));
  const std::string text = content_of(folder.path("nets"));
  EXPECT_TRUE(text.starts_with("A 0\n")) << text;
  // Net B: a via and one step up in the second layer, at the tiles' centres.
  EXPECT_NE(text.find("B 7\n(12,22,1)-(12,22,2)\n(12,22,2)-(12,27,2)\n!\n"), std::string::npos) << text;
}

TEST(Netlist, BadFilesAreRefusedWithTheirPlace) {
  const struct {
    std::string text;
    const char* id;
    std::uint64_t line, column;
  } cases[] = {
      {"gird 2 2\n", "HW-NET-HEADER", 1, 1},
      {"grid 0 2\n", "HW-NET-HEADER", 1, 6},
      {"grid 2 2 2 2\n", "HW-NET-HEADER", 1, 12},
      {"grid 2000000000 2000000000\ncapacity 1\nnum net 0\n", "HW-NET-HUGE", 1, 17},
      {"grid 5000 5000\ncapacity 1\nnum net 0\n", "HW-NET-HUGE", 1, 11},
      {"grid 2 2\ncapacity x\n", "HW-NET-HEADER", 2, 10},
      {"grid 2 2\ncapacity 1\n", "HW-NET-ROW", 3, 1},
      {"grid 2 2\ncapacity 1\nnum net 2000000000\n", "HW-NET-COUNT", 3, 9},
      {"grid 2 2\ncapacity 1\nnum net 2\n0 0 0 1 1\n", "HW-NET-ROW", 5, 1},
      {"grid 2 2\ncapacity 1\nnum net 1\n0 0 0 1 2\n", "HW-NET-PIN", 4, 9},
      {"grid 2 2\ncapacity 1\nnum net 1\n0 0 0 1 1 1\n", "HW-NET-PIN", 4, 11},
      {"grid 2 2\ncapacity 1\nnum net 1\n0 0 0 1 1\n1 0 0 1 1\n", "HW-NET-COUNT", 5, 1},
      {"grid 2 2\nvertical capacity 1\nhorizontal capacity 1\nnum net 1\nA 0 0\n", "HW-NET-ROW", 5, 5},
      {"grid 2 2\nvertical capacity 1\nhorizontal capacity 1\nnum net 1\nA 0 2\n0 0\n0 -1\n", "HW-NET-PIN", 7, 3},
      {std::string(ispd, std::string_view(ispd).size() - 14) + "0 0 1 1 1 1 1\n", "HW-NET-EDGE", 19, 1},
  };
  for (const auto& c : cases) try {
      netlist_of(c.text);
      ADD_FAILURE() << c.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), c.id) << c.text;
      EXPECT_EQ(error.parts().where.line, c.line) << c.text;
      EXPECT_EQ(error.parts().where.column, c.column) << c.text;
    }
}

TEST(Netlist, CourseInputsAreRoutedWithoutOverflow) {
  const fs::path folder = fs::path(hopwave::testing::places::shared_data) / "eda";
  if (!fs::exists(folder)) GTEST_SKIP() << "no routing inputs at " << folder;
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".zst" && !build_features().zstd) continue;
    const Netlist netlist = read_netlist(entry.path().string());
    const GlobalRoute route = route_nets(netlist);
    EXPECT_EQ(check(netlist, route).overflow, 0u) << entry.path();
    check(netlist, route_nets(netlist, {.sequential = true}));
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace of_netlist_test
}  // namespace hopwave::inline v0_1::route
