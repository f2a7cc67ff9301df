// hopwave eccentricity: outputs checked by hand; bounds where it is ended early.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/refused.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_eccentricity_test {

using nlohmann::json;

json found(const std::vector<std::string>& words, int code = 0) {
  const auto out = run_tool(words);
  EXPECT_EQ(out.code, code) << out.err;
  return json::parse(out.out, nullptr, false);
}

TEST(CliEccentricity, APathByHand) {
  const json path = found({"eccentricity", "chain:5", "--json", "--verify"});
  EXPECT_EQ(path["schema"], "hopwave-eccentricity/1");
  EXPECT_EQ(path["goal"], "figures");
  EXPECT_EQ(path["complete"], true);
  EXPECT_EQ(path["ended"], nullptr);
  EXPECT_EQ(path["diameter"], json({{"lower", 4}, {"upper", 4}}));
  EXPECT_EQ(path["radius"], json({{"lower", 2}, {"upper", 2}}));
  EXPECT_EQ(path["central"], 2);
  EXPECT_EQ(path["center"], json({{"count", 1}, {"ids", {2}}}));
  EXPECT_EQ(path["periphery"], json({{"count", 2}, {"ids", {0, 4}}}));
  EXPECT_EQ(path["verified"], 5);
  EXPECT_EQ(path["every_vertex_verified"], true);
  const auto rows = run_tool({"eccentricity", "chain:5", "-o", "-"});
  EXPECT_EQ(rows.out, "# id\tlower\tupper\n0\t4\t4\n1\t3\t3\n2\t2\t2\n3\t3\t3\n4\t4\t4\n");
  EXPECT_NE(rows.err.find("center"), std::string::npos) << rows.err;
}

/// A path of four, a triangle, a vertex alone.
TEST(CliEccentricity, ComponentsByHand) {
  Folder folder;
  const std::string graph = folder / "g.txt", out = folder / "out.csv";
  spit(graph, "a b\nb c\nc d\nx y\ny z\nz x\n");
  const json each = found({"eccentricity", graph, "--undirected", "-o", out, "--json", "--verify"});
  EXPECT_EQ(each["goal"], "every");
  EXPECT_EQ(each["components"], 2);
  EXPECT_EQ(each["largest_component"], 4);
  EXPECT_EQ(slurp(out), "id,lower,upper\na,3,3\nb,2,2\nc,2,2\nd,3,3\nx,1,1\ny,1,1\nz,1,1\n");
  EXPECT_EQ(each["radius"], json({{"lower", 2}, {"upper", 2}}));
  const auto largest = run_tool({"eccentricity", graph, "--undirected", "--scope", "largest", "-o", "-"});
  EXPECT_EQ(largest.out, "# id\tlower\tupper\na\t3\t3\nb\t2\t2\nc\t2\t2\nd\t3\t3\n");
}

/// A triangle whose long side is no shortest path, and two vertices at the same place.
TEST(CliEccentricity, WeightsByHand) {
  Folder folder;
  const std::string graph = folder / "g.txt";
  spit(graph, "a b 1.5\nb c 2\na c 9\nx y 0\n");
  const json each = found({"eccentricity", graph, "--undirected", "--weights", "--json", "--verify"});
  EXPECT_EQ(each["weights"], true);
  EXPECT_EQ(each["exact"], true);
  EXPECT_EQ(each["diameter"], json({{"lower", 3.5}, {"upper", 3.5}}));
  EXPECT_EQ(each["radius"], json({{"lower", 2}, {"upper", 2}}));
  EXPECT_EQ(each["center"]["ids"], json({"b"}));
  EXPECT_EQ(each["periphery"]["ids"], json({"a", "c"}));
  EXPECT_EQ(each["components"], 2);
  EXPECT_EQ(each["every_vertex_verified"], true);
  const auto rows = run_tool({"eccentricity", graph, "--undirected", "--weights", "-o", "-"});
  EXPECT_EQ(rows.out, "# id\tlower\tupper\na\t3.5\t3.5\nb\t2\t2\nc\t3.5\t3.5\nx\t0\t0\ny\t0\t0\n");
  const json part = found({"eccentricity", "grid:30x30", "--weights", "--max-searches", "2", "--json", "--verify"});
  EXPECT_EQ(part["complete"], false);
  EXPECT_LT(part["radius"]["lower"], part["radius"]["upper"]);
  EXPECT_EQ(found({"eccentricity", "grid:30x30", "--json"})["weights"], false);
}

TEST(CliEccentricity, DirectedGraphs) {
  Folder folder;
  const std::string book = folder / "book.txt", ring = folder / "ring.txt";
  spit(book, textbook);
  expect_refused({"eccentricity", book}, 3, "HW-ECCENTRICITY-STRONG", "--direction both");
  EXPECT_EQ(found({"eccentricity", book, "--direction", "both", "--json", "--verify"})["complete"], true);
  spit(ring, "0 1\n1 2\n2 3\n3 0\n2 0\n");
  const auto away = run_tool({"eccentricity", ring, "-o", "-", "--verify"});
  EXPECT_EQ(away.out, "# id\tlower\tupper\n0\t3\t3\n1\t2\t2\n2\t2\t2\n3\t3\t3\n");
  const auto towards = run_tool({"eccentricity", ring, "-o", "-", "--direction", "in", "--verify"});
  EXPECT_EQ(towards.out, "# id\tlower\tupper\n0\t2\t2\n1\t2\t2\n2\t3\t3\n3\t3\t3\n");
}

TEST(CliEccentricity, CpuAndSimulatorWriteTheSame) {
  Folder folder;
  for (const char* device : {"cpu", "sim"})
    ASSERT_EQ(run_tool({"eccentricity", "rmat:8,6", "--device", device, "-o", folder / device, "--verify"}).code, 0);
  EXPECT_EQ(slurp(folder / "cpu"), slurp(folder / "sim"));
}

TEST(CliEccentricity, EarlyEndsReportBounds) {
  const json few = found({"eccentricity", "grid:30x30", "--max-searches", "2", "--json", "--verify"});
  EXPECT_EQ(few["complete"], false);
  EXPECT_EQ(few["ended"], "searches");
  EXPECT_EQ(few["searches"], 2);
  EXPECT_EQ(few["diameter"]["lower"], 58);
  EXPECT_GT(few["diameter"]["upper"], 58);
  EXPECT_EQ(few["center"]["count"], 0);
  const Outcome limited = run_in_ticks({"eccentricity", "grid:60x60", "--goal", "every", "--time-limit", "0.3", "--json"});
  EXPECT_EQ(limited.code, 124) << limited.err;
  const json late = json::parse(limited.out);
  EXPECT_EQ(late["ended"], "HW-TIME-LIMIT");
  EXPECT_GT(late["searches"], 0);
  EXPECT_LE(late["searches"], 5) << "each has 60 levels at least, and a look at each";
  EXPECT_LE(late["diameter"]["lower"], 118);
  EXPECT_GE(late["diameter"]["upper"], 118);
  EXPECT_LE(late["radius"]["lower"], 60);
  EXPECT_GE(late["radius"]["upper"], 60);
}

TEST(CliEccentricity, CtrlCReportsBounds) {
  Folder folder;
  const std::string graph = folder / "g.hwg";
  ASSERT_EQ(run_tool({"convert", "uniform:17,8", graph}).code, 0);
  Running tool({.words = {"eccentricity", graph, "--goal", "every", "--threads", "1", "--json", "-o", folder / "e.tsv"},
                .errors = Errors::terminal});
  ASSERT_TRUE(tool.shows(", diameter at least "));
  tool.send(SIGINT);
  const Outcome ended = tool.end();
  const json bounds = json::parse(ended.out, nullptr, false);
  EXPECT_EQ(ended.signal, SIGINT) << ended.err;
  ASSERT_TRUE(bounds.contains("diameter")) << ended.out << ended.err;
  EXPECT_EQ(bounds["ended"], "HW-INTERRUPTED");
  EXPECT_GE(bounds["diameter"]["upper"], bounds["diameter"]["lower"]);
  const std::string rows = slurp(folder / "e.tsv");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1 + (1 << 17)) << "the bounds are written all the same";
}

TEST(CliEccentricity, WhatCannotBe) {
  Folder folder;
  EXPECT_EQ(run_tool({"eccentricity", "chain:4", "--json", "-o", "-"}).code, 2);
  EXPECT_EQ(run_tool({"eccentricity", "chain:4", "--goal", "centre"}).code, 2);
  EXPECT_EQ(run_tool({"eccentricity", "chain:4", "--max-searches", "-3"}).code, 2);
  EXPECT_EQ(run_tool({"eccentricity", "chain:4", "-o", folder / "x.png"}).code, 2);
  EXPECT_EQ(run_tool({"eccentricity", "-"}).code, 3);
}

}  // namespace of_cli_eccentricity_test
}  // namespace hopwave::test
