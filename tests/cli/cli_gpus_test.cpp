// --gpus: many searches dealt out over the simulator's four devices.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/tool.h"

namespace hopwave {
namespace of_cli_gpus_test {

using nlohmann::json;
using test::run_tool;

TEST(CliGpus, TheSameAnswersAsOne) {
  const std::vector<std::string> search{"bfs", "rmat:6,6", "-s", "random:40@3", "--mode", "each", "--device", "sim", "-o", "-"};
  auto several = search;
  several.insert(several.end(), {"--gpus", "0,2", "--verify"});
  const auto one = run_tool(search), two = run_tool(several);
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(one.out, two.out);
  EXPECT_NE(two.err.find("on sim 0, 2"), std::string::npos) << two.err;

  const auto close = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"closeness", "rmat:6,6", "--device", "sim", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json::parse(run_tool(words).out);
  };
  const json alone = close({}), three = close({"--gpus", "3"});
  EXPECT_TRUE(alone["gpus"].is_null());
  EXPECT_EQ(three["gpus"], "0, 1, 2");
  EXPECT_EQ(three["pairs_at"], alone["pairs_at"]);
  EXPECT_EQ(three["closest"], alone["closest"]);
}

TEST(CliGpus, SampledClosenessHasTheBytesOfOne) {
  const std::vector<std::string> search{"closeness", "rmat:8,6", "--samples", "150", "--device", "sim", "-o", "-"};
  auto several = search;
  several.insert(several.end(), {"--gpus", "3", "--verify"});
  const auto one = run_tool(search), three = run_tool(several);
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(three.code, 0) << three.err;
  EXPECT_EQ(one.out, three.out);
  EXPECT_NE(three.err.find("on sim 0, 1, 2"), std::string::npos) << three.err;
  EXPECT_EQ(three.err.find("on the host"), std::string::npos) << three.err;
}

TEST(CliGpus, OneSearchOnGpusThatShareTheGraph) {
  const std::vector<std::string> search{"bfs", "rmat:7,6", "-s",  "maxdeg", "--parents", "--ties",
                                        "min", "--device", "sim", "-o",     "-"};
  auto several = search;
  several.insert(several.end(), {"--gpus", "3", "--partition", "--verify"});
  const auto one = run_tool(search), three = run_tool(several);
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(three.code, 0) << three.err;
  EXPECT_EQ(one.out, three.out);
  EXPECT_NE(three.err.find("on sim 0, 1, 2"), std::string::npos) << three.err;
  EXPECT_NE(three.err.find("partitioned over 3 devices: it was asked for"), std::string::npos) << three.err;

  const std::vector<std::string> explained{"bfs", "rmat:7,6", "-s", "maxdeg",      "--device",
                                           "sim", "--gpus",   "2",  "--partition", "--explain"};
  const auto text = run_tool(explained);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("exchange"), std::string::npos) << text.out;
  auto as_json = explained;
  as_json.emplace_back("--json");
  const json told = json::parse(run_tool(as_json).out);
  const json& only = told["searches"][0];
  EXPECT_EQ(only["gpu_levels"].size(), 2 * only["trace"].size());
  EXPECT_TRUE(only["counts"].is_null());
  EXPECT_GT(only["gpu_levels"][0]["bytes_read"], 0);
}

TEST(CliGpus, EstimateTellsWhatAShareTakes) {
  const auto estimate = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"estimate", "kron:16,16"};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  };
  const json one = json::parse(estimate({"--json"}).out), two = json::parse(estimate({"--gpus", "2", "--json"}).out),
             four = json::parse(estimate({"--gpus", "4", "--json"}).out);
  EXPECT_TRUE(one["gpus"].is_null());
  EXPECT_TRUE(json::parse(estimate({"--gpus", "1", "--json"}).out)["gpus"].is_null());
  EXPECT_EQ(two["gpus"]["count"], 2);
  EXPECT_LT(four["gpus"]["needed_bytes"], two["gpus"]["needed_bytes"]);
  EXPECT_NE(estimate({"--gpus", "2", "--parents"}).out.find("needed by each of 2 GPUs that share the graph"),
            std::string::npos);
  const json prepared = json::parse(estimate({"--gpus", "2", "--prepare", "--json"}).out);
  EXPECT_GT(prepared["gpus"]["needed_bytes"], two["gpus"]["needed_bytes"]);
  EXPECT_EQ(prepared["gpus"]["rows_bytes"], two["gpus"]["rows_bytes"]);
  // The same graph where the GPUs draw it, as bench graph500 does.
  const json& drawn = two["gpus"]["drawn"];
  EXPECT_GT(drawn["first_needed_bytes"], drawn["needed_bytes"]);
  EXPECT_LT(four["gpus"]["drawn"]["first_needed_bytes"], drawn["first_needed_bytes"]);
  EXPECT_NE(estimate({"--gpus", "2"}).out.find("2 GPUs that draw it"), std::string::npos);
  EXPECT_TRUE(json::parse(run_tool({"estimate", "uniform:16,16", "--gpus", "2", "--json"}).out)["gpus"]["drawn"].is_null());
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--gpus", "2", "--ranks", "2"}, {"--gpus", "17"}, {"--gpus", "2", "--searches", "2"}})
    EXPECT_EQ(estimate(wrong).code, 2) << wrong[1];
}

TEST(CliGpus, PreparedSharesGiveTheSameAnswer) {
  const std::vector<std::string> words{"bfs", "rmat:8,8", "-s", "maxdeg", "--parents", "--verify", "--ties", "min", "-o", "-"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return run_tool(more);
  };
  const auto alone = with({"--device", "cpu"}), shared = with({"--device", "sim", "--gpus", "3", "--partition", "--prepare"});
  EXPECT_EQ(shared.code, 0) << shared.err;
  EXPECT_EQ(shared.out, alone.out);
}

/// Edges, rows, searches and checks by several devices: components and input edges are those of one.
TEST(CliGpus, Graph500IsSharedOut) {
  const auto bench = [](std::vector<std::string> more) {
    std::vector<std::string> words{"bench", "graph500", "--scale", "7", "--device", "sim", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  };
  const auto alone = bench({}), shared = bench({"--gpus", "3"});
  ASSERT_EQ(shared.code, 0) << shared.err;
  const json one = json::parse(alone.out)["measurements"][0], three = json::parse(shared.out)["measurements"][0];
  EXPECT_TRUE(three["verified"]);
  ASSERT_EQ(three["sources"].size(), one["sources"].size());
  for (std::size_t i = 0; i < one["sources"].size(); ++i)
    for (const char* key : {"source", "reached", "depth"}) EXPECT_EQ(three["sources"][i][key], one["sources"][i][key]) << key;
  EXPECT_NE(json::parse(shared.out)["environment"]["command"].get<std::string>().find("--gpus 3"), std::string::npos);
  EXPECT_EQ(bench({"--gpus", "3", "--strategy", "pmpp-edge"}).code, 2);
  EXPECT_EQ(bench({"--gpus", "3", "--scale", "32"}).code, 2);
  EXPECT_EQ(run_tool({"bench", "rmat:5,8", "--device", "sim", "--gpus", "2"}).code, 2);
  EXPECT_EQ(bench({"--gpus", "9"}).code, 6);
  // What each was expected to take, before anything was drawn.
  EXPECT_FALSE(one.contains("estimated_bytes"));
  ASSERT_EQ(three["estimated_bytes"].size(), 3u);
  EXPECT_GE(three["estimated_bytes"][0], three["estimated_bytes"][1]);
  // What is not known of a graph that nobody has looked through is not told as if it were.
  EXPECT_TRUE(three["graph"]["max_degree"].is_null());
  EXPECT_TRUE(three["graph"]["hash"].is_null());
}

/// Shares of terabytes.
TEST(CliGpus, Graph500RefusesWhatDoesNotFitBeforeItDraws) {
  const auto run = run_tool({"bench", "graph500", "--scale", "31", "--edgefactor", "1024", "--device", "sim", "--gpus", "2"});
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.err.find("HW-ENGINE-MEMORY"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("rmat:31,1024"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("--allow-huge"), std::string::npos) << run.err;
}

/// As `bfs --partition` does.
TEST(CliGpus, Graph500RefusesWhatSharedSearchesCannotTake) {
  const auto id = [](std::vector<std::string> more) {
    std::vector<std::string> words{"bench", "graph500", "--device", "sim"};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_tool(words);
    EXPECT_EQ(run.code, 2) << run.err;
    const auto begin = run.err.find("[HW-");
    return begin == std::string::npos ? "none" : run.err.substr(begin + 1, run.err.find(']', begin) - begin - 1);
  };
  EXPECT_EQ(id({"--scale", "6", "--gpus", "1,1"}), "HW-OPTION-REPLICAS");
  EXPECT_EQ(id({"--scale", "6", "--gpus", "2", "--param", "nonsense=3"}), "HW-PARAM-UNKNOWN");
  EXPECT_EQ(id({"--scale", "6", "--gpus", "2", "--param", "block=-5"}), "HW-PARAM-RANGE");
  EXPECT_EQ(id({"--scale", "6", "--gpus", "2", "--param", "tail=5"}), "HW-PARTITION-OPTIONS");
  EXPECT_EQ(id({"--scale", "6", "--gpus", "2", "--schedule", "load-buffering"}), "HW-PARTITION-OPTIONS");
  // A graph of loops alone has nothing to search, on one device or on several.
  EXPECT_EQ(id({"--scale", "1", "--edgefactor", "1", "--seed", "10"}), "HW-BENCH-SOURCES");
  EXPECT_EQ(id({"--gpus", "2", "--scale", "1", "--edgefactor", "1", "--seed", "10"}), "HW-BENCH-SOURCES");
}

TEST(CliGpus, NonsenseIsRefused) {
  const auto id = [](std::vector<std::string> more) {
    std::vector<std::string> words{"bfs", "chain:5", "-s", "random:3@1"};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_tool(words);
    const auto begin = run.err.find("[HW-");
    return begin == std::string::npos ? "none" : run.err.substr(begin + 1, run.err.find(']', begin) - begin - 1);
  };
  for (const char* text : {"0", "x", "0,", "-1", "1,x", ",", "5000"})
    EXPECT_EQ(id({"--mode", "each", "--device", "sim", "--gpus", text}), "HW-USAGE-VALUE") << text;
  EXPECT_EQ(id({"--mode", "each", "--device", "sim", "--gpus", "5"}), "HW-DEVICE-NONE");
  EXPECT_EQ(id({"--mode", "each", "--device", "sim", "--gpus", "1,1"}), "HW-OPTION-REPLICAS");
  EXPECT_EQ(id({"--mode", "each", "--device", "cpu", "--gpus", "2"}), "HW-USAGE-OPTION");
  EXPECT_EQ(id({"--device", "sim", "--gpus", "2"}), "HW-USAGE-OPTION");
  EXPECT_EQ(id({"--mode", "each", "--parents", "--device", "sim", "--gpus", "2"}), "HW-USAGE-OPTION");
  EXPECT_EQ(id({"--mode", "each", "--graph500-parents", "--device", "sim", "--gpus", "2"}), "HW-USAGE-OPTION");
  EXPECT_EQ(id({"--device", "sim", "--gpus", "1"}), "none");
  EXPECT_EQ(id({"--device", "sim", "--partition"}), "HW-USAGE-OPTION");
  EXPECT_EQ(id({"--device", "sim", "--partition", "--gpus", "1"}), "HW-PARTITION-DEVICES");
  EXPECT_EQ(id({"--device", "sim", "--partition", "--gpus", "2", "--param", "tail=3"}), "HW-PARTITION-OPTIONS");
  EXPECT_EQ(id({"--device", "sim", "--partition", "--gpus", "2", "--strategy", "pmpp-edge"}), "HW-PARTITION-OPTIONS");
}

}  // namespace of_cli_gpus_test
}  // namespace hopwave
