// hopwave scc: outputs checked by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/tool.h"

namespace hopwave::test {
namespace {

using nlohmann::json;

/// A ring of three, an arc to a ring of two, an arc to a vertex alone.
constexpr const char* rings = "a b\nb c\nc a\nc d\nd e\ne d\ne f\na f\n";

TEST(CliScc, ByHand) {
  Folder folder;
  const std::string graph = folder / "g.txt", dag = folder / "dag.tsv";
  spit(graph, rings);
  const auto out = run_tool({"scc", graph, "-o", "-", "--verify", "--condensation", dag});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.out, "a\ta\t0\nb\ta\t0\nc\ta\t0\nd\td\t1\ne\td\t1\nf\tf\t2\n");
  const auto found = json::parse(run_tool({"scc", graph, "--json", "--verify"}).out);
  EXPECT_EQ(found["schema"], "hopwave-scc/1");
  EXPECT_EQ(found["components"], 3);
  EXPECT_EQ(found["largest"], 3);
  EXPECT_EQ(found["largest_id"], "a");
  EXPECT_EQ(found["acyclic"], false);
  EXPECT_EQ(found["condensation_arcs"], 3);
  EXPECT_EQ(found["generations"], 3);
  EXPECT_EQ(found["verified"], true);
  EXPECT_EQ(found["device"], "cpu");
  EXPECT_EQ(run_tool({"scc", graph, "-o", "-", "--verify", "--device", "sim"}).out, out.out);
  EXPECT_EQ(json::parse(run_tool({"scc", graph, "--json", "--device", "sim"}).out)["device"], "sim");
  const auto small = json::parse(run_tool({"scc", dag, "--json", "--verify"}).out);
  EXPECT_EQ(small["components"], 3);
  EXPECT_EQ(small["acyclic"], true);
}

TEST(CliScc, WhatCannotBe) {
  Folder folder;
  EXPECT_EQ(run_tool({"scc", "chain:4", "--json", "-o", "-"}).code, 2);
  EXPECT_EQ(run_tool({"scc", "chain:4", "-o", folder / "x.png"}).code, 2);
  EXPECT_EQ(run_tool({"scc", "-"}).code, 3);
  EXPECT_EQ(run_tool({"scc", "chain:4", "--device", "moon"}).code, 2);
}

}  // namespace
}  // namespace hopwave::test
