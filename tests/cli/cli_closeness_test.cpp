// hopwave closeness: outputs checked by hand on the textbook's graph; ended runs and what is kept of them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/refused.h"
#include "support/sanitized.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_closeness_test {

using nlohmann::json;

TEST(CliCloseness, TheTextbooksGraph) {
  Folder folder;
  const std::string book = folder / "book.txt";
  spit(book, textbook);
  const auto out = run_tool({"closeness", book, "-s", "0", "-s", "8", "--direction", "out", "-o", "-"});
  EXPECT_EQ(out.code, 0) << out.err;
  // From 0: two at 1, five at 2, one at 3: 8 reached of 8 others, 15 hops. Vertex 8 reaches nothing.
  EXPECT_EQ(out.out,
            "# id\tcloseness\tharmonic\teccentricity\treached\tdistance_sum\n"
            "0\t0.5333333333333333\t4.833333333333333\t3\t9\t15\n8\t0\t0\t0\t1\t0\n");
  const auto towards = run_tool({"closeness", book, "-s", "8", "-o", folder / "in.csv"});
  EXPECT_EQ(towards.code, 0) << towards.err;
  EXPECT_EQ(slurp(folder / "in.csv"),
            "id,closeness,harmonic,eccentricity,reached,distance_sum\n8,0.5714285714285714,5.333333333333333,3,9,14\n");
}

TEST(CliCloseness, AsManyAsAskedFor) {
  for (const char* command : {"closeness", "betweenness"}) {
    const char* const rows = std::string(command) == "closeness" ? "closest" : "vertices";
    EXPECT_EQ(json::parse(run_tool({command, "chain:9", "--json"}).out)[rows].size(), 5u);
    const json top = json::parse(run_tool({command, "chain:9", "--json", "--top", "2"}).out)[rows];
    ASSERT_EQ(top.size(), 2u);
    EXPECT_EQ(top[0]["id"], 4);
    EXPECT_EQ(json::parse(run_tool({command, "chain:9", "--json", "--top", "50"}).out)[rows].size(), 9u);
    EXPECT_EQ(json::parse(run_tool({command, "chain:9", "--json", "--top", "3", "--samples", "4"}).out)[rows].size(), 3u);
    EXPECT_EQ(run_tool({command, "chain:9", "--top", "0"}).code, 2);
  }
}

TEST(CliCloseness, EveryVertexAsJson) {
  const auto out = run_tool({"closeness", "chain:4", "--json", "--verify"});
  ASSERT_EQ(out.code, 0) << out.err;
  const json found = json::parse(out.out);
  EXPECT_EQ(found["schema"], "hopwave-closeness/1");
  EXPECT_EQ(found["sources"], 4);
  EXPECT_EQ(found["every_vertex"], true);
  EXPECT_EQ(found["verified"], 4);
  EXPECT_EQ(found["pairs"], 12);
  EXPECT_EQ(found["distance_sum"], 20);
  EXPECT_EQ(found["pairs_at"], json::array({4, 6, 4, 2}));
  EXPECT_EQ(found["diameter"], 3);
  EXPECT_EQ(found["radius"], 2);
  EXPECT_EQ(found["closest"][0]["id"], 1);
  EXPECT_EQ(found["closest"][0]["closeness"], 0.75);
}

/// As many sources as vertices are not every vertex; 16 are searched again, however many there are.
TEST(CliCloseness, CountsOfSources) {
  const json twice = json::parse(run_tool({"closeness", "chain:2", "-s", "0", "-s", "0", "--json"}).out);
  EXPECT_EQ(twice["every_vertex"], false);
  EXPECT_EQ(json::parse(run_tool({"closeness", "chain:47", "--json", "--verify"}).out)["verified"], 16);
}

TEST(CliCloseness, CpuAndSimulatorWriteTheSame) {
  Folder folder;
  const json cpu = json::parse(run_tool({"closeness", "rmat:8,6", "--device", "cpu", "--json"}).out);
  EXPECT_EQ(cpu["chosen"].get<std::string>().substr(0, 12), "512 searches");  // as the help says
  for (const char* device : {"cpu", "sim"})
    ASSERT_EQ(run_tool({"closeness", "rmat:8,6", "--device", device, "-o", folder / device}).code, 0);
  EXPECT_EQ(slurp(folder / "cpu"), slurp(folder / "sim"));
}

/// Are these the first rows of a whole file, and not all of it?
bool begins(const std::string& whole, const std::string& part) {
  return part.size() < whole.size() && part.ends_with('\n') && whole.starts_with(part);
}

/// Ended by Ctrl-C: the rows that are done stand in the output and are kept beside it, and --resume makes the same file as a
/// run that was never ended.
TEST(CliCloseness, AnEndedRunIsResumed) {
  Folder folder;
  const std::string whole = folder / "whole", out = folder / "out", graph = folder / "g.hwg";
  ASSERT_EQ(run_tool({"convert", "rmat:16,16", graph}).code, 0);
  const auto words = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"closeness", graph, "--device", "cpu", "--threads", "1"};
    all.insert(all.end(), {"-s", sanitized ? "random:8000@1" : "random:30000@1", "-o"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(run_tool(words({whole})).code, 0);
  // The first pass is of 512 sources, and all others are in the round after it, which takes seconds.
  Running tool({.words = words({out}), .errors = Errors::terminal});
  ASSERT_TRUE(tool.shows("searching 512 of "));
  tool.send(SIGINT);
  const Outcome ended = tool.end();
  EXPECT_EQ(ended.signal, SIGINT) << ended.err;
  ASSERT_TRUE(std::filesystem::exists(out + ".part")) << ended.err;
  EXPECT_NE(ended.err.find("--resume"), std::string::npos) << ended.err;
  EXPECT_TRUE(begins(slurp(whole), slurp(out)));
  expect_refused(words({out, "--direction", "out", "--resume"}), 3, "HW-RESUME", "");
  const auto resumed = run_tool(words({out, "--resume", "--json"}));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(json::parse(resumed.out)["resumed"], 512);
  EXPECT_EQ(slurp(out), slurp(whole));
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
}

/// The kept text with one digit after `key` changed, and with a number more in that column.
std::vector<std::string> changed(const std::string& kept, const std::string& key) {
  std::string digit = kept, longer = kept;
  char& one = digit[kept.find_first_of("123456789", kept.find('"' + key + '"'))];
  one = one == '9' ? '8' : static_cast<char>(one + 1);
  longer.insert(kept.find(']', kept.find('"' + key + '"')), ",1");
  return {digit, longer};
}

/// Ended by the time limit, once and again: the same. A thread alone takes 512 sources at a time.
TEST(CliCloseness, ATimeLimitKeepsWhatIsDone) {
  Folder folder;
  const std::string whole = folder / "whole", out = folder / "out";
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"closeness", "rmat:11,16", "--device",      "cpu", "--threads",
                                      "1",         "-s",         "random:1700@5", "-o"};
    words.insert(words.end(), more.begin(), more.end());
    return run_in_ticks(words);
  };
  ASSERT_EQ(with({whole}).code, 0);
  EXPECT_EQ(with({out, "--time-limit", "0.001"}).code, 124);
  EXPECT_EQ(folder.files(), 1u) << "a limit that is over before the first pass leaves nothing";
  const Outcome ended = with({out, "--time-limit", "0.015", "--json", "--verify"});
  EXPECT_EQ(ended.code, 124) << ended.err;
  const json first = json::parse(ended.out);
  EXPECT_EQ(first["complete"], false);
  EXPECT_EQ(first["ended"], "HW-TIME-LIMIT");
  EXPECT_EQ(first["sources"], 1700);
  EXPECT_EQ(first["done"], 512);
  EXPECT_EQ(first["verified"], 16);
  EXPECT_NE(ended.err.find("--resume"), std::string::npos) << ended.err;
  const std::string rows = slurp(out);
  EXPECT_TRUE(begins(slurp(whole), rows));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 512 + 1);
  const std::string kept = slurp(out + ".part");
  for (const std::string& other : changed(kept, "reached")) {
    spit(out + ".part", other);
    EXPECT_NE(with({out, "--resume"}).err.find("HW-RESUME"), std::string::npos);
  }
  spit(out + ".part", kept);
  const auto again = with({out, "--resume", "--time-limit", "0.001", "--json"});
  EXPECT_EQ(again.code, 124) << again.err;
  EXPECT_EQ(json::parse(again.out)["done"], 512) << "nothing is lost where nothing is new";
  const auto more = with({out, "--resume", "--time-limit", "0.015", "--json"});
  EXPECT_EQ(json::parse(more.out)["done"], 1024);
  const auto resumed = with({out, "--resume", "--json"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(json::parse(resumed.out)["resumed"], 1024);
  EXPECT_EQ(json::parse(resumed.out)["complete"], true);
  EXPECT_EQ(slurp(out), slurp(whole));
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
}

TEST(CliCloseness, SamplesAsJson) {
  const auto out = run_tool({"closeness", "rmat:9,8", "--samples", "60", "--seed", "3", "--json", "--verify"});
  ASSERT_EQ(out.code, 0) << out.err;
  const json found = json::parse(out.out), exact = json::parse(run_tool({"closeness", "rmat:9,8", "--json"}).out);
  EXPECT_EQ(found["schema"], "hopwave-closeness-sampled/1");
  EXPECT_EQ(found["pivots"], 60);
  EXPECT_EQ(found["verified"], 16);
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["risk"], 0.05);
  const auto off = [&](const char* what) { return std::abs(found[what].get<double>() - exact[what].get<double>()); };
  EXPECT_LT(off("average_distance"), found["average_distance_error"].get<double>());
  EXPECT_LT(off("efficiency"), found["efficiency_error"].get<double>());
  EXPECT_GT(off("efficiency"), 0);
  EXPECT_GE(exact["diameter"], found["diameter"]["seen"]);
  EXPECT_LE(exact["diameter"], found["diameter"]["at_most"]);
  EXPECT_EQ(found["closest"].size(), 5u);
}

/// As many samples as vertices, with directions and without: the exact figures. On the CPU and in the simulator the same rows.
TEST(CliCloseness, AllVerticesSampled) {
  Folder folder;
  const std::string book = folder / "book.txt";
  spit(book, textbook);
  const auto out = run_tool({"closeness", book, "--samples", "9", "--direction", "out", "-o", "-"});
  EXPECT_EQ(out.code, 0) << out.err;
  EXPECT_NE(out.out.find("average_distance_error\treached\n0\t0.5333333333333333\t0\t4.83333"), std::string::npos) << out.out;
  EXPECT_NE(out.out.find("\n8\t0\t0\t0\t0\t0\t0\t1\n"), std::string::npos) << out.out;
  for (const char* device : {"cpu", "sim"})
    ASSERT_EQ(run_tool({"closeness", "rmat:8,6", "--samples", "20", "--device", device, "-o", folder / device}).code, 0);
  EXPECT_EQ(slurp(folder / "cpu"), slurp(folder / "sim"));
}

/// Ended by the time limit: the estimates from what was searched are written, and --resume makes the same file as a run that
/// was never ended.
TEST(CliCloseness, SamplesEndedEarlyAreResumed) {
  Folder folder;
  const std::string whole = folder / "whole", out = folder / "out";
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"closeness", "rmat:11,16", "--device", "cpu", "--samples",
                                      "1000",      "--threads",  "1",        "-o"};
    words.insert(words.end(), more.begin(), more.end());
    return run_in_ticks(words);
  };
  EXPECT_EQ(with({out, "--time-limit", "0.001"}).code, 124);
  EXPECT_EQ(folder.files(), 0u) << "a limit that is over before the first pass leaves nothing";
  const Outcome ended = with({out, "--time-limit", "0.05"});
  EXPECT_EQ(ended.code, 124) << ended.err;
  EXPECT_NE(ended.err.find("--resume"), std::string::npos) << ended.err;
  EXPECT_TRUE(std::filesystem::exists(out));
  EXPECT_NE(with({out, "--resume", "--seed", "2"}).err.find("HW-RESUME"), std::string::npos);
  const std::string kept = slurp(out + ".part");
  for (const std::string& other : changed(kept, "met_of_vertex")) {
    spit(out + ".part", other);
    EXPECT_NE(with({out, "--resume"}).err.find("HW-RESUME"), std::string::npos);
  }
  spit(out + ".part", kept);
  const auto resumed = with({out, "--resume", "--json"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_GT(json::parse(resumed.out)["resumed"], 0);
  EXPECT_LT(json::parse(resumed.out)["resumed"], 1000);
  ASSERT_EQ(with({whole}).code, 0);
  EXPECT_EQ(slurp(out), slurp(whole));
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
}

TEST(CliCloseness, HelpSaysWhereSearchesBegin) {
  const auto help = run_tool({"closeness", "--help"}).out;
  EXPECT_NE(help.find("Not given: from every"), std::string::npos) << help;
  EXPECT_EQ(help.find("the file names"), std::string::npos) << help;
}

TEST(CliCloseness, WhatCannotBe) {
  const auto negative = run_tool({"closeness", "chain:4", "--samples", "-1"});
  EXPECT_EQ(negative.code, 2);
  EXPECT_NE(negative.err.find("a number from 0 to 2147483647"), std::string::npos) << negative.err;
  EXPECT_EQ(run_tool({"closeness", "chain:4", "--samples", "0"}).code, 0);  // exact
  EXPECT_EQ(run_tool({"closeness", "chain:4", "--samples", "2", "-s", "0"}).code, 2);
  Folder folder;
  EXPECT_EQ(run_tool({"closeness", "chain:4", "--json", "-o", "-"}).code, 2);
  EXPECT_EQ(run_tool({"closeness", "chain:4", "--resume"}).code, 2);
  EXPECT_EQ(run_tool({"closeness", "chain:4", "-s", "9"}).code, 3);
  EXPECT_EQ(run_tool({"closeness", "chain:4", "-o", folder / "x.png"}).code, 2);
  expect_refused({"closeness", "chain:4", "-o", folder / "x", "--resume"}, 3, "HW-RESUME", "");
  spit(folder / "x.part", "{\"schema\": \"hopwave-closeness-part/2\", \"graph\"");
  EXPECT_NE(run_tool({"closeness", "chain:4", "-o", folder / "x", "--resume"}).err.find("HW-RESUME"), std::string::npos);
  for (const char* part : {"{\"schema\": \"hopwave-closeness-part/2\"}", "{\"schema\": \"hopwave-closeness-sums/2\"}", "[]"}) {
    spit(folder / "x.part", part);
    for (const char* samples : {"0", "2"})
      EXPECT_NE(run_tool({"closeness", "chain:4", "--samples", samples, "-o", folder / "x", "--resume"}).err.find("HW-RESUME"),
                std::string::npos);
  }
  const auto empty = run_tool({"closeness", "-"});
  EXPECT_EQ(empty.code, 3);
}

TEST(CliCloseness, ByWeights) {
  Folder folder;
  const std::string chain = folder / "chain.txt", output = folder / "rows.tsv";
  spit(chain, "0 1 2\n1 2 2.5\n");
  const auto out = run_tool({"closeness", chain, "--weights", "--direction", "out", "--verify", "-o", "-"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.out,
            "# id\tcloseness\tharmonic\teccentricity\treached\tdistance_sum\n"
            "0\t0.3076923076923077\t0.7222222222222222\t4.5\t3\t6.5\n1\t0.2\t0.4\t2.5\t2\t2.5\n2\t0\t0\t0\t1\t0\n");
  const auto document =
      run_tool({"closeness", chain, "--weights", "--direction", "both", "--verify", "--json", "--device", "sim"});
  ASSERT_EQ(document.code, 0) << document.err;
  const json found = json::parse(document.out);
  EXPECT_EQ(found["weights"], true);
  EXPECT_EQ(found["device"], "sim");
  EXPECT_EQ(found["verified"], 3);
  EXPECT_EQ(found["distance_sum"], 18);
  EXPECT_EQ(found["diameter"], 4.5);
  EXPECT_EQ(found["radius"], 2.5);
  EXPECT_TRUE(found["pairs_at"].is_null());
  EXPECT_EQ(json::parse(run_tool({"closeness", chain, "--json"}).out)["weights"], false);
  expect_refused({"closeness", chain, "--weights", "--samples", "2"}, 2, "HW-USAGE-OPTION", "");
  spit(chain, "0 1 -1\n");
  expect_refused({"closeness", chain, "--weights"}, 3, "HW-SSSP-WEIGHT", "");
}

/// Ended by the time limit: the rows that are done are kept, and the next run goes on to the same answer.
TEST(CliCloseness, ByWeightsInTwoRuns) {
  Folder folder;
  std::string rows;
  for (int i = 0; i < 200; ++i)
    rows += std::to_string(i) + " " + std::to_string((i + 1) % 200) + " ." + std::to_string(i) + "1\n" + std::to_string(i) +
            " " + std::to_string((7 * i + 3) % 200) + " 3." + std::to_string(i) + "\n";
  const std::string graph = folder / "g.txt", whole = folder / "whole", out = folder / "out";
  spit(graph, rows);
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"closeness", graph, "--weights", "--device", "cpu", "--threads", "1", "-o"});
    return run_in_ticks(more);
  };
  ASSERT_EQ(with({whole}).code, 0);
  const Outcome ended = with({out, "--time-limit", "0.1", "--json", "--verify"});
  EXPECT_EQ(ended.code, 124) << ended.err;
  const json first = json::parse(ended.out);
  const int done = first["done"];
  EXPECT_TRUE(done > 0 && done < 200) << done;
  EXPECT_TRUE(begins(slurp(whole), slurp(out)));
  const auto resumed = with({out, "--resume", "--json"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(json::parse(resumed.out)["resumed"], done);
  EXPECT_EQ(slurp(out), slurp(whole));
}

}  // namespace of_cli_closeness_test
}  // namespace hopwave::test
