// hopwave sssp and path --weights: outputs checked by hand on a small graph.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/refused.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_sssp_test {

using nlohmann::json;

/// 1 → 2 → 3 is shorter than 1 → 3; 4 cannot be reached, and 5 only by an arc without weight.
constexpr const char* small = "1 2 1.5\n2 3 0.25\n1 3 4\n4 1 2\n3 5 0\n";

TEST(CliSssp, RowsByHand) {
  Folder folder;
  const std::string graph = folder / "g.txt";
  spit(graph, small);
  const auto out = run_tool({"sssp", graph, "-s", "1", "-o", "-", "--parents", "--verify"});
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.out, "1\t0\t-1\n2\t1.5\t1\n3\t1.75\t2\n4\t-1\t-1\n5\t1.75\t3\n");
  ASSERT_EQ(run_tool({"sssp", graph, "-s", "3", "--direction", "in", "-o", folder / "in.csv"}).code, 0);
  EXPECT_EQ(slurp(folder / "in.csv"), "id,distance\n1,1.75\n2,0.25\n3,0\n4,3.75\n5,-1\n");
  ASSERT_EQ(run_tool({"sssp", graph, "--sources", "4,3", "--max-distance", "1", "-o", folder / "near"}).code, 0);
  EXPECT_EQ(slurp(folder / "near"), "1\t-1\n2\t-1\n3\t0\n4\t0\n5\t0\n");
}

TEST(CliSssp, Json) {
  Folder folder;
  const std::string graph = folder / "g.txt";
  spit(graph, small);
  const auto out =
      run_tool({"sssp", graph, "-s", "1", "--target", "3", "--json", "--verify", "--strategy", "cpu-delta-stepping"});
  ASSERT_EQ(out.code, 0) << out.err;
  const json found = json::parse(out.out);
  EXPECT_EQ(found["schema"], "hopwave-sssp/1");
  EXPECT_EQ(found["weights"], true);
  EXPECT_EQ(found["strategy"], "cpu-delta-stepping");
  EXPECT_EQ(found["sources"], json::array({1}));
  EXPECT_EQ(found["reached"], 4);
  EXPECT_EQ(found["farthest"], 1.75);
  EXPECT_EQ(found["exact"], true);
  EXPECT_EQ(found["target"]["distance"], 1.75);
  EXPECT_EQ(found["target"]["path"], json::array({1, 2, 3}));
  EXPECT_EQ(found["verified"], true);
  EXPECT_GT(found["delta"], 0);
  const auto none = run_tool({"sssp", graph, "-s", "1", "--target", "4", "--json"});
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(json::parse(none.out)["target"]["distance"], -1);
}

/// What an error says next leads somewhere: `strategies` knows nothing of near-far.
TEST(CliSssp, ErrorsSayWhatIsWrong) {
  const auto named = run_tool({"sssp", "grid:3x3", "-s", "0", "--param", "block"});
  EXPECT_EQ(named.code, 2);
  EXPECT_NE(named.err.find("HW-USAGE-VALUE"), std::string::npos) << named.err;
  EXPECT_NE(named.err.find("docs/sssp.md"), std::string::npos) << named.err;
  EXPECT_EQ(named.err.find("strategies show"), std::string::npos) << named.err;
  for (const char* command : {"sssp", "bfs"}) {
    EXPECT_NE(run_tool({command, "grid:3x3", "-s", "0", "--target", "99"}).err.find("HW-QUERY-TARGET"), std::string::npos);
    EXPECT_NE(run_tool({command, "grid:3x3", "-s", "99"}).err.find("HW-QUERY-SOURCE"), std::string::npos);
  }
}

/// Every strategy and device writes the same bytes.
TEST(CliSssp, DevicesWriteTheSame) {
  Folder folder;
  const std::string graph = folder / "g.txt";
  std::string rows;
  for (int i = 0; i < 900; ++i)
    rows += std::to_string(i * i % 211) + " " + std::to_string(i * 37 % 307) + " " + std::to_string((i % 13) * 0.1) + "\n";
  spit(graph, rows);
  std::vector<std::string> found;
  for (const std::vector<std::string>& how : std::vector<std::vector<std::string>>{
           {"--strategy", "cpu-dijkstra"},
           {"--strategy", "cpu-delta-stepping", "--threads", "2"},
           {"--device", "sim"},
           {"--strategy", "near-far", "--device", "sim", "--schedule", "pct", "--seed", "5", "--delta", "0.3"},
           {"--device", "sim", "--param", "grid=1", "--param", "block=64"}}) {
    std::vector<std::string> call = {"sssp", graph, "-s", "0", "--parents", "--verify", "-o", "-"};
    call.insert(call.end(), how.begin(), how.end());
    const auto out = run_tool(call);
    ASSERT_EQ(out.code, 0) << out.err;
    found.push_back(out.out);
  }
  for (const auto& each : found) EXPECT_EQ(each, found[0]);
}

/// Without weights distances are hops, and the summary says so.
TEST(CliSssp, GraphsWithoutWeights) {
  const auto out = run_tool({"sssp", "grid:9x7", "-s", "0"});
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_NE(out.out.find("none: each arc weighs 1"), std::string::npos) << out.out;
  EXPECT_NE(out.out.find("63 of 63 vertices; the farthest at 14"), std::string::npos) << out.out;
}

TEST(CliSssp, PathsByWeight) {
  Folder folder;
  const std::string graph = folder / "g.txt", pairs = folder / "pairs";
  spit(graph, small);
  EXPECT_EQ(run_tool({"path", graph, "1", "3"}).out, "1\n3\n");
  const auto out = run_tool({"path", graph, "1", "3", "--weights"});
  EXPECT_EQ(out.out, "1\n2\n3\n");
  EXPECT_NE(out.err.find("distance 1.75 from 1 to 3"), std::string::npos) << out.err;
  EXPECT_EQ(run_tool({"path", graph, "1", "4", "--weights"}).code, 1);
  const json one = json::parse(run_tool({"path", graph, "1", "5", "--weights", "--json"}).out);
  EXPECT_EQ(one["distance"], 1.75);
  EXPECT_EQ(one["exact"], true);
  EXPECT_EQ(one["path"], json::array({1, 2, 3, 5}));
  spit(pairs, "1 3\n1 4\n4 5\n");
  const auto many = run_tool({"path", graph, "--pairs", pairs, "--weights"});
  EXPECT_EQ(many.code, 1);
  EXPECT_EQ(many.out, "1\t3\t1.75\n1\t4\t-1\n4\t5\t3.75\n");
  const json both = json::parse(run_tool({"path", graph, "--pairs", pairs, "--weights", "--json", "-o", folder / "rows"}).out);
  EXPECT_EQ(both["pairs"].size(), 3u);
  EXPECT_EQ(slurp(folder / "rows"), many.out);
  std::string trips;
  for (int i = 0; i < 50; ++i) trips += std::to_string(i) + " " + std::to_string(1599 - i) + "\n";
  spit(folder / "trips", trips);
  const auto late =
      run_in_ticks({"path", "grid:40x40", "--pairs", folder / "trips", "--weights", "--threads", "1", "--time-limit", ".02"});
  EXPECT_EQ(late.code, 124);
  const std::string reached = "the time limit of 0.02 s is reached: ";
  const auto at = late.err.find(reached);
  ASSERT_NE(at, std::string::npos) << late.err;
  EXPECT_NE(late.err.find(" of 50 searches are done", at), std::string::npos) << late.err;
  const int done = std::atoi(late.err.c_str() + at + reached.size());
  EXPECT_GT(done, 0);
  EXPECT_LE(done, 20) << "each takes a look at least";
  ASSERT_EQ(run_tool({"path", graph, "1", "3", "--weights", "-o", folder / "way"}).code, 0);
  EXPECT_EQ(slurp(folder / "way"), "1\n2\n3\n");
  EXPECT_EQ(run_tool({"path", graph, "1", "3", "--weights", "--max-depth", "3"}).code, 2);
}

/// Two ways of length 3 from a to d, one of 4, and a dead end.
TEST(CliPath, SeveralPaths) {
  Folder folder;
  const std::string graph = folder / "g.txt", dag = folder / "dag.tsv", rows = folder / "rows";
  spit(graph, "a b 1\nb d 2\na c 2\nc d 1\na d 4\nb e 1\n");
  const auto path = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"path", graph, "--directed"});
    return run_tool(more);
  };
  const auto k = path({"a", "d", "-k", "5", "--weights"});
  EXPECT_EQ(k.code, 0) << k.err;
  EXPECT_EQ(k.out, "3\ta\tb\td\n3\ta\tc\td\n4\ta\td\n");
  EXPECT_NE(k.err.find("3 paths from a to d, distance 3 to distance 4; there are no others"), std::string::npos) << k.err;
  EXPECT_EQ(path({"a", "d", "-k", "2"}).out, "1\ta\td\n2\ta\tb\td\n");
  const auto all = path({"a", "d", "--all", "--weights", "--dag", dag, "--limit", "1", "-o", rows});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_NE(all.err.find("2 shortest paths from a to d, each distance 3; 1 printed"), std::string::npos) << all.err;
  EXPECT_EQ(slurp(rows), "3\ta\tb\td\n");
  EXPECT_EQ(json::parse(run_tool({"path", dag, "a", "d", "--all", "--directed", "--json"}).out)["count"], 2);
  EXPECT_EQ(json::parse(run_tool({"info", dag, "--directed", "--json"}).out)["arcs"], 4);
  const json found = json::parse(path({"a", "d", "--all", "--weights", "--json"}).out);
  EXPECT_EQ(found["count"], 2);
  EXPECT_EQ(found["arcs"], 4);
  EXPECT_EQ(found["distance"], 3);
  EXPECT_EQ(found["paths"].dump(),
            R"([{"distance":3,"exact":true,"path":["a","b","d"]},{"distance":3,"exact":true,"path":["a","c","d"]}])");
  const json few = json::parse(path({"a", "d", "-k", "2", "--json"}).out);
  EXPECT_EQ(few["paths"].dump(), R"([{"distance":1,"path":["a","d"]},{"distance":2,"path":["a","b","d"]}])");
  EXPECT_EQ(path({"a", "a", "--all"}).out, "0\ta\n");
  EXPECT_EQ(path({"d", "a", "--all"}).code, 1);
  EXPECT_EQ(path({"d", "a", "-k", "3", "--weights"}).code, 1);
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{"-k", "2", "--all"},
                                                                                     {"-k", "-1"},
                                                                                     {"-k", "0"},
                                                                                     {"--all", "--limit", "-1"},
                                                                                     {"--limit", "3"},
                                                                                     {"--dag", dag},
                                                                                     {"-k", "2", "--max-depth", "3"},
                                                                                     {"--all", "--dag", rows, "-o", rows}}) {
    std::vector<std::string> words{"a", "d"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(path(words).code, 2) << wrong[0];
  }
  spit(graph, "a b 0\nb a 0\nb c 0\nc b 0\nc d 1\n");
  const auto cycle = path({"a", "d", "--all", "--weights"});
  EXPECT_EQ(cycle.code, 3);
  EXPECT_NE(cycle.err.find("HW-PATHS-CYCLE"), std::string::npos) << cycle.err;
}

/// Above 2⁵³ sums are rounded, and the answer says so.
TEST(CliSssp, PathsWhoseSumsWereRounded) {
  Folder folder;
  const std::string graph = folder / "g.txt", pairs = folder / "pairs";
  spit(graph, "1 2 9007199254740993\n2 3 1\n1 3 9007199254740993\n");
  const auto out = run_tool({"path", graph, "1", "3", "--weights"});
  EXPECT_EQ(out.out, "1\n3\n");
  EXPECT_NE(out.err.find("perhaps not exact"), std::string::npos) << out.err;
  EXPECT_EQ(json::parse(run_tool({"path", graph, "1", "3", "--weights", "--json", "-q"}).out)["exact"], false);
  spit(pairs, "1 3\n");
  EXPECT_NE(run_tool({"path", graph, "--pairs", pairs, "--weights"}).err.find("not all distances are exact"),
            std::string::npos);
  const json many = json::parse(run_tool({"path", graph, "--pairs", pairs, "--weights", "--json"}).out);
  EXPECT_EQ(many["pairs"][0]["exact"], false);
  const std::vector<std::string> count{"path", graph, "1", "3", "--weights", "--all", "--limit", "0"};
  EXPECT_NE(run_tool(count).err.find("not all distances are exact"), std::string::npos) << "no path is printed";
  std::vector<std::string> counted = count;
  counted.emplace_back("--json");
  EXPECT_EQ(json::parse(run_tool(counted).out)["exact"], false);
}

TEST(CliSssp, WhatCannotBe) {
  Folder folder;
  const std::string graph = folder / "g.txt";
  spit(graph, "1 2 1\n2 3 -4\n");
  expect_refused({"sssp", graph, "-s", "1"}, 3, "HW-SSSP-WEIGHT", "arc 2 to 3");
  EXPECT_EQ(run_tool({"path", graph, "1", "2", "--weights"}).code, 3);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "9"}).code, 3);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--json", "-o", "-"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "-o", folder / "x.npy"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--delta", "-1"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--delta", "x"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--max-distance", "nan"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--strategy", "bellman"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--strategy", "near-far", "--device", "cpu"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--device", "sim", "--param", "blocks=2"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--device", "sim", "--param", "best"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--device", "cpu", "--schedule", "pct"}).code, 2);
  EXPECT_EQ(run_tool({"sssp", "grid:300x300", "-s", "0", "--time-limit", "0.000000001"}).code, 124);
}

}  // namespace of_cli_sssp_test
}  // namespace hopwave::test
