// hopwave scc: outputs checked by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/refused.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_scc_test {

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

/// A condensation whose file can hold no ids: how its vertices are counted is told.
TEST(CliScc, IdsOfTheCondensation) {
  Folder folder;
  const std::string graph = folder / "g.txt", numbers = folder / "n.txt";
  spit(graph, rings);
  spit(numbers, "4 5\n5 4\n5 7\n");
  const auto note = [&](const std::string& of, const std::string& name) {
    const auto out = run_tool({"scc", of, "--condensation", folder / name});
    EXPECT_EQ(out.code, 0) << out.err;
    return out.err;
  };
  for (const char* name : {"a.mtx", "a.gr", "a.MTX.gz"})
    EXPECT_NE(note(graph, name).find("numbered from 1"), std::string::npos) << name;
  for (const char* name : {"a.sg", "a.npz", "a.g500"})
    EXPECT_NE(note(numbers, name).find("numbered from 0"), std::string::npos) << name;
  for (const char* name : {"a.txt", "a.csv", "a.hwg"}) EXPECT_EQ(note(graph, name).find("numbered"), std::string::npos) << name;
  EXPECT_EQ(note(numbers, "a.adj").find("numbered"), std::string::npos);
  EXPECT_EQ(slurp(folder / "a.adj"), "4 7\n7\n");
  EXPECT_EQ(note("chain:4", "b.sg").find("numbered"), std::string::npos) << "one component, 0";
  EXPECT_EQ(run_tool({"scc", numbers, "--condensation", folder / "a.mtx", "-q"}).err, "");
}

/// Told before anything is read: the graph is not there.
TEST(CliScc, WhereTheCondensationCannotGo) {
  Folder folder;
  const auto refused = [&](const std::string& name, const std::string& id) {
    const auto out = run_tool({"scc", folder / "none", "--condensation", name});
    EXPECT_EQ(out.code, 2) << out.err;
    EXPECT_NE(out.err.find("[" + id + "]"), std::string::npos) << out.err;
    EXPECT_EQ(out.err.find("--to"), std::string::npos) << out.err;
    EXPECT_NE(out.err.find("dag.txt"), std::string::npos) << out.err;
  };
  refused("-", "HW-FORMAT-WRITE");
  refused(folder / "dag", "HW-FORMAT-WRITE");
  refused(folder / "dag.png", "HW-FORMAT-WRITE");
  refused(folder / "dag.graph", "HW-WRITE-DIRECTED");
  expect_refused({"scc", "chain:4", "-o", folder / "c.txt", "--condensation", folder / "./c.txt"}, 2, "HW-USAGE-OPTION", "");
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace of_cli_scc_test
}  // namespace hopwave::test
