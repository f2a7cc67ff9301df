// hopwave betweenness: outputs checked by hand; samples, edges, early ends.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/refused.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_betweenness_test {

using nlohmann::json;

json found(const std::vector<std::string>& words, int code = 0) {
  const auto out = run_tool(words);
  EXPECT_EQ(out.code, code) << out.err;
  return json::parse(out.out, nullptr, false);
}

TEST(CliBetweenness, APathByHand) {
  const json path = found({"betweenness", "chain:5", "--unscaled", "--edges", "--json", "--verify"});
  EXPECT_EQ(path["schema"], "hopwave-betweenness/1");
  EXPECT_EQ(path["sources"], 5);
  EXPECT_EQ(path["every_vertex"], true);
  EXPECT_EQ(path["sampled"], false);
  EXPECT_EQ(path["complete"], true);
  EXPECT_EQ(path["verified"], true);
  EXPECT_EQ(path["error"], 0.0);
  EXPECT_EQ(path["vertices"][0], json({{"id", 2}, {"betweenness", 4.0}}));
  EXPECT_EQ(path["vertices"][1], json({{"id", 1}, {"betweenness", 3.0}}));
  EXPECT_EQ(path["edges"][0], json({{"source", 1}, {"target", 2}, {"betweenness", 6.0}}));
  const auto rows = run_tool({"betweenness", "chain:5", "--unscaled", "-o", "-"});
  EXPECT_EQ(rows.out, "# id\tbetweenness\n0\t0\n1\t3\n2\t4\n3\t3\n4\t0\n");
  const auto ends = run_tool({"betweenness", "chain:3", "--endpoints", "-o", "-", "--verify"});
  EXPECT_EQ(ends.out, "# id\tbetweenness\n0\t0.6666666666666666\n1\t1\n2\t0.6666666666666666\n");
}

TEST(CliBetweenness, NamesEdgesAndCsv) {
  Folder folder;
  const std::string graph = folder / "g.txt", out = folder / "out.csv";
  spit(graph, "a b\nb c\nc d\n");
  EXPECT_EQ(run_tool({"betweenness", graph, "--undirected", "--edges", "--unscaled", "-o", out, "--verify"}).code, 0);
  EXPECT_EQ(slurp(out), "source,target,betweenness\na,b,3\nb,c,4\nc,d,3\n");
  const auto directed = run_tool({"betweenness", graph, "--edges", "--unscaled", "-o", "-"});
  EXPECT_EQ(directed.out, "# source\ttarget\tbetweenness\na\tb\t3\nb\tc\t4\nc\td\t3\n");
  // From one source alone, which is not scaled up.
  const auto one = run_tool({"betweenness", graph, "-s", "a", "--unscaled", "-o", "-"});
  EXPECT_EQ(one.out, "# id\tbetweenness\na\t0\nb\t2\nc\t1\nd\t0\n");
}

/// A path of five: paths from the ends to the middle, by hand. One source that stands twice counts twice, a target once.
TEST(CliBetweenness, SubsetsFromFiles) {
  Folder folder;
  const std::string from = folder / "from.txt", to = folder / "to.txt", none = folder / "none.txt";
  spit(from, "0\n\n 4\n");
  spit(to, "2\n2\n0\n");
  spit(none, "\n");
  const auto rows = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"betweenness", "chain:5", "--unscaled", "-o", "-", "--verify"};
    words.insert(words.end(), more.begin(), more.end());
    const auto out = run_tool(words);
    EXPECT_EQ(out.code, 0) << out.err;
    return out.out;
  };
  // 0 → 2 leads over 1; 4 → 2 over 3; 4 → 0 over 3, 2, 1. An undirected graph counts a pair once, so each stands for half.
  EXPECT_EQ(rows({"--sources-file", from, "--targets-file", to}), "# id\tbetweenness\n0\t0\n1\t1\n2\t0.5\n3\t1\n4\t0\n");
  EXPECT_EQ(rows({"-s", "4", "--targets-file", to}), "# id\tbetweenness\n0\t0\n1\t0.5\n2\t0.5\n3\t1\n4\t0\n");
  EXPECT_EQ(rows({"-s", "0", "-s", "4"}), rows({"--sources-file", from}));
  spit(from, "4\n4\n");
  EXPECT_EQ(rows({"--sources-file", from, "--targets-file", to, "--endpoints"}),
            "# id\tbetweenness\n0\t1\n1\t1\n2\t2\n3\t2\n4\t2\n");
  const json told =
      found({"betweenness", "chain:5", "--sources-file", from, "--targets-file", to, "--edges", "--json", "--verify"});
  EXPECT_EQ(told["sources"], 2);
  EXPECT_EQ(told["targets"], 2);
  EXPECT_EQ(told["verified"], true);
  EXPECT_EQ(found({"betweenness", "chain:5", "--json"})["targets"], nullptr);
  EXPECT_EQ(run_tool({"betweenness", "chain:5", "--sources-file", none}).code, 3);
  EXPECT_EQ(run_tool({"betweenness", "chain:5", "--targets-file", none}).code, 3);
  EXPECT_EQ(run_tool({"betweenness", "chain:5", "--targets-file", folder / "missing"}).code, 3);
  EXPECT_EQ(run_tool({"betweenness", "chain:5", "--sources-file", from, "-s", "0"}).code, 2);
  EXPECT_EQ(run_tool({"betweenness", "chain:5", "--sources-file", from, "--samples", "2"}).code, 2);
  spit(to, "2\n9\n");
  const auto unknown = run_tool({"betweenness", "chain:5", "--targets-file", to});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("to.txt:2"), std::string::npos) << unknown.err;
}

TEST(CliBetweenness, SamplesTellTheirError) {
  const json some = found({"betweenness", "rmat:9,8", "--samples", "300", "--json", "--verify"});
  EXPECT_EQ(some["sources"], 300);
  EXPECT_EQ(some["sampled"], true);
  EXPECT_GT(some["error"], 0.0);
  EXPECT_LT(some["error"], 0.2);
  EXPECT_EQ(some["risk"], 0.05);
  EXPECT_EQ(found({"betweenness", "rmat:9,8", "--samples", "300", "--json"})["vertices"], some["vertices"]);
  EXPECT_NE(found({"betweenness", "rmat:9,8", "--samples", "300", "--seed", "2", "--json"})["vertices"], some["vertices"]);
  EXPECT_EQ(found({"betweenness", "rmat:5,4", "--samples", "300", "--json"})["every_vertex"], true);
}

TEST(CliBetweenness, CpuAndSimulatorAgree) {
  const json cpu = found({"betweenness", "grid:6x5", "--edges", "--json"}),
             sim = found({"betweenness", "grid:6x5", "--edges", "--json", "--device", "sim", "--verify"});
  EXPECT_EQ(sim["device"], "sim");
  EXPECT_EQ(sim["most_paths"], cpu["most_paths"]);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(sim["vertices"][i]["betweenness"].get<double>(), cpu["vertices"][i]["betweenness"].get<double>(), 1e-12);
}

TEST(CliBetweenness, EarlyEndsAndNonsense) {
  const auto limited = [](const char* seconds) {
    const auto run = run_in_ticks({"betweenness", "grid:20x20", "--samples", "300", "--time-limit", seconds, "--json"});
    EXPECT_EQ(run.code, 124) << seconds << run.err;
    return json::parse(run.out);
  };
  const json late = limited("0.2");
  EXPECT_EQ(late["complete"], false);
  EXPECT_EQ(late["ended"], "HW-TIME-LIMIT");
  EXPECT_TRUE(late["error"].is_null()) << late;  // 0 would say that nothing was sampled
  EXPECT_EQ(limited("0.001")["error"]["id"], "HW-TIME-LIMIT") << "not one source";
  // Not one search was done: a file keeps what it holds.
  Folder folder;
  spit(folder / "b.tsv", "old");
  for (const char* command : {"betweenness", "closeness"})
    EXPECT_EQ(run_tool({command, "grid:40x40", "--samples", "9", "--time-limit", "1e-9", "-o", folder / "b.tsv"}).code, 124);
  EXPECT_EQ(slurp(folder / "b.tsv"), "old");
  EXPECT_EQ(run_tool({"betweenness", "chain:4", "--samples", "-1"}).code, 2);
  EXPECT_EQ(run_tool({"betweenness", "chain:4", "--samples", "2", "-s", "0"}).code, 2);
  EXPECT_EQ(run_tool({"betweenness", "chain:4", "--time-limit", "soon"}).code, 2);
  EXPECT_EQ(run_tool({"betweenness", "chain:4", "-o", "x.png"}).code, 2);
  EXPECT_EQ(run_tool({"betweenness", "chain:4", "-s", "9"}).code, 3);
}

/// 2^60 shortest paths from one end of the squares to the other.
TEST(CliBetweenness, RoundedCountsAreTold) {
  Folder folder;
  std::string rows;
  for (int i = 0; i < 60; ++i)
    for (const int side : {3 * i + 1, 3 * i + 2})
      rows += std::to_string(3 * i) + " " + std::to_string(side) + "\n" + std::to_string(side) + " " +
              std::to_string(3 * i + 3) + "\n";
  spit(folder / "g.txt", rows);
  const auto run = run_tool({"betweenness", folder / "g.txt", "--verify"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("rounded to 53 bits"), std::string::npos) << run.err;
}

/// A square of which one way round is shorter by weight, and as long by hops.
TEST(CliBetweenness, ByWeights) {
  Folder folder;
  const std::string square = folder / "square.txt", zero = folder / "zero.txt";
  spit(square, "# undirected\n0 1 1\n1 3 1\n0 2 1\n2 3 5\n");
  const std::vector<std::string> words{"betweenness", square, "--undirected", "--weights", "--unscaled", "--verify"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return run_tool(more);
  };
  const auto out = with({"--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  const json found = json::parse(out.out);
  EXPECT_EQ(found["weights"], true);
  EXPECT_EQ(found["exact"], true);
  EXPECT_EQ(found["verified"], true);
  EXPECT_TRUE(found["edges"].is_null());
  EXPECT_EQ(with({"-o", "-"}).out, "# id\tbetweenness\n0\t2\n1\t2\n2\t0\n3\t0\n");
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{{"--edges"},
                                                                                    {"--samples", "3"},
                                                                                    {"-s", "0", "--endpoints"},
                                                                                    {"-s", "0", "-s", "0"},
                                                                                    {"--endpoints"},
                                                                                    {"--threads", "3"}})
    EXPECT_EQ(with(more).code, 0) << more[0] << with(more).err;
  const auto hops = run_tool({"betweenness", square, "--undirected", "--json", "--verify"});
  EXPECT_EQ(json::parse(hops.out)["weights"], false);
  EXPECT_NE(hops.err.find("--weights uses them"), std::string::npos) << hops.err;
  expect_refused({"betweenness", square, "--weights", "--device", "sim"}, 2, "HW-BETWEENNESS-DEVICE", "");
  spit(zero, "0 1 0\n1 2 1\n");
  expect_refused({"betweenness", zero, "--undirected", "--weights"}, 3, "HW-BETWEENNESS-ZERO", "");
  EXPECT_EQ(run_tool({"betweenness", zero, "--directed", "--weights", "--verify"}).code, 0);
  spit(zero, "0 1 .1\n1 2 .2\n0 2 .3\n");
  const auto rounded = run_tool({"betweenness", zero, "--weights", "--verify"});
  EXPECT_EQ(rounded.code, 0) << rounded.err;
  EXPECT_NE(rounded.err.find("sums along paths were rounded"), std::string::npos) << rounded.err;
}

}  // namespace of_cli_betweenness_test
}  // namespace hopwave::test
