// Commands that are made of an algorithm's row: what all of them do, and answers by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "algorithm/algorithm.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_table_test {

using nlohmann::json;

json parsed(const std::vector<std::string>& words) {
  const auto out = run_tool(words);
  EXPECT_EQ(out.code, 0) << out.err;
  return json::parse(out.out);
}

TEST(CliTable, EveryAlgorithmIsACommand) {
  Folder folder;
  const std::string graph = folder / "g.txt", file = folder / "out.tsv", none = folder / "none.mtx";
  spit(graph, "Ann Bob\nBob Cid\nCid Ann\nCid Dan\n");
  spit(none, "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  for (const algorithm::Row* row : algorithm::rows()) {
    const std::string name(row->name);
    const auto summary = run_tool({name, graph});
    EXPECT_EQ(summary.code, 0) << summary.err;
    for (const char* device : {"cpu", "sim"}) {
      const auto found = parsed({name, graph, "--json", "--device", device, "-o", file});
      EXPECT_EQ(found["schema"], "hopwave-" + name + "/1");
      EXPECT_EQ(found["device"], device);
      EXPECT_EQ(found["output"], file);
      for (const char* key : {"graph", "seconds", "load_seconds", "copy_seconds"})
        EXPECT_TRUE(found.contains(key)) << name << key;
      EXPECT_EQ(slurp(file), run_tool({name, graph, "-q", "-o", "-"}).out) << name << " on " << device;
    }
    const std::string rows = slurp(file);
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 4) << name;
    EXPECT_EQ(static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\t')), 4 * row->columns.size()) << name;
    EXPECT_EQ(run_tool({name, graph, "--verify"}).code, row->checks.empty() ? 2 : 0) << name;
    EXPECT_EQ(run_tool({name, "chain:4", "--json", "-o", "-"}).code, 2) << name;
    EXPECT_EQ(run_tool({name, "chain:4", "-o", folder / "x.png"}).code, 2) << name;
    EXPECT_EQ(run_tool({name, "chain:4", "--device", "moon"}).code, 2) << name;
    EXPECT_EQ(run_tool({name, "chain:4", "--threads", "-1"}).code, 2) << name;
    EXPECT_EQ(run_tool({name, "chain:4", "--time-limit", "-1"}).code, 2) << name;
    EXPECT_EQ(run_tool({name, folder / "nothing"}).code, 3) << name;
    const auto late = run_tool({name, "rmat:14,8", "--time-limit", "0.000000001"});
    EXPECT_EQ(late.code, 124) << name << late.err;
    EXPECT_NE(late.err.find("HW-TIME-LIMIT"), std::string::npos) << late.err;
    for (const auto& example : row->examples) EXPECT_TRUE(example.line.starts_with("hopwave " + name + " ")) << example.line;
    const auto empty = parsed({name, none, "--json"});
    EXPECT_EQ(empty["graph"]["vertices"], 0) << name;
  }
}

/// A triangle with a tail of two, and a vertex that only meets itself.
TEST(CliTable, CoreNumbersByHand) {
  Folder folder;
  const std::string graph = folder / "g.txt";
  spit(graph, "a b\nb c\nc a\nc d\nd e\nf f\n");
  const auto out = run_tool({"kcore", graph, "--undirected", "-o", "-", "--verify"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.out, "a\t2\nb\t2\nc\t2\nd\t1\ne\t1\nf\t0\n");
  EXPECT_NE(out.err.find("2 at most"), std::string::npos) << out.err;
  EXPECT_NE(out.err.find("3 vertices of 6"), std::string::npos) << out.err;
  const auto found = parsed({"kcore", graph, "--undirected", "--json", "--verify"});
  EXPECT_EQ(found["largest"], 2);
  EXPECT_EQ(found["largest_size"], 3);
  EXPECT_EQ(found["verified"], true);
  EXPECT_EQ(found["cores"].dump(), R"([{"core":2,"count":3},{"core":1,"count":2},{"core":0,"count":1}])");
  // Directed arcs count at both ends: a pair of opposite ones is two.
  spit(graph, "1 2\n2 1\n2 3\n2 4\n3 4\n4 3\n");
  EXPECT_EQ(run_tool({"kcore", graph, "--directed", "-o", "-", "--verify"}).out, "1\t2\n2\t2\n3\t2\n4\t2\n");
  EXPECT_EQ(parsed({"kcore", graph, "--directed", "--json"})["largest_size"], 4);
  spit(graph, "1 2\n1 2\n2 3\n");
  EXPECT_EQ(run_tool({"kcore", graph, "--undirected", "-o", "-"}).out, "1\t1\n2\t1\n3\t1\n");
  EXPECT_EQ(run_tool({"kcore", graph, "--undirected", "--keep-duplicates", "-o", "-", "--verify"}).out, "1\t2\n2\t2\n3\t1\n");
}

}  // namespace of_cli_table_test
}  // namespace hopwave::test
