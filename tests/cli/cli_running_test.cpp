// How commands run: the options of the group Running, and the object `run` of every document.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/places.h"
#include "support/row_words.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_running_test {

using nlohmann::json;

TEST(CliRunning, TheSameOptionsInTheSameOrder) {
  const std::vector<std::string> order = {"--strategy", "--device",   "--param", "--prepare",   "--threads", "--time-limit",
                                          "--seed",     "--schedule", "--gpus",  "--partition", "--exchange"};
  const std::vector<std::string> without = {"completions", "doctor", "estimate", "help", "report", "strategies"};
  const auto commands = json::parse(run_tool({"help", "--json"}).out)["commands"];
  ASSERT_GE(commands.size(), 20U);
  for (const json& command : commands) {
    const std::string name = command["name"];
    const bool runs = std::find(without.begin(), without.end(), name) == without.end();
    std::size_t last = 0;
    bool threads = false;
    for (const json& option : command["options"]) {
      const std::string word = option["names"].empty() ? "" : option["names"].back();
      const auto at = static_cast<std::size_t>(std::find(order.begin(), order.end(), word) - order.begin());
      if (option["group"] != "Running") {
        // A flow's strategy and a file's preparation are part of the question.
        if (runs && word != "--strategy" && word != "--prepare") EXPECT_EQ(at, order.size()) << name << ": " << word;
        continue;
      }
      EXPECT_LT(at, order.size()) << name << ": " << word;
      EXPECT_GT(at + 1, last) << name << ": " << word;
      last = at + 1;
      threads |= word == "--threads";
    }
    EXPECT_EQ(threads, runs) << name;
  }
}

TEST(CliRunning, EveryDocumentSaysHowItRan) {
  Folder folder;
  const std::string graph = "grid:9x9", maze = folder / "maze.txt", scenarios = folder / "maze.scen", out = folder / "out.hwg";
  spit(maze, "S..\n.#.\n..E\n");
  spit(scenarios, "version 1\n0 maze.txt 3 3 0 0 2 0 2\n");
  std::vector<std::vector<std::string>> jobs = {{"bfs", graph, "-s", "0"},
                                                {"reach", graph, "-s", "0"},
                                                {"reach", graph, "-s", "0", "--nearest", "3"},
                                                {"path", graph, "0", "80"},
                                                {"path", graph, "0", "80", "--weights"},
                                                {"closeness", graph, "--samples", "9"},
                                                {"info", graph},
                                                {"convert", graph, out},
                                                {"gen", graph, "-o", out},
                                                {"route", maze},
                                                {"route", maze, "--scen", scenarios, "--check"},
                                                {"tune", graph, "--strategy", "auto", "--runs", "1", "-o", folder / "t"},
                                                {"explain", graph, "--strategy", "pmpp-vertex-push"}};
  for (const algorithm::Row* row : algorithm::rows()) {
    jobs.push_back({std::string(row->name), graph});
    const auto needed = testing::needed_words(*row, "0", "80");
    jobs.back().insert(jobs.back().end(), needed.begin(), needed.end());
  }
  const std::vector<std::string> keys = {"end",     "device",     "threads",    "seed",    "strategy",    "chosen",
                                         "load_ms", "prepare_ms", "copy_in_ms", "work_ms", "copy_out_ms", "notes"};
  for (const std::vector<std::string>& job : jobs) {
    std::vector<std::string> words = job;
    const bool check = words.back() == "--check", threads = words[0] != "route" || check;
    words.emplace_back("--json");
    if (threads) words.insert(words.end(), {"--threads", "1"});
    const auto tool = run_tool(words);
    ASSERT_EQ(tool.code, 0) << job.front() << tool.err;
    const json document = json::parse(tool.out);
    ASSERT_TRUE(document.contains("run")) << job.front();
    std::vector<std::string> found;
    for (const auto& [key, value] : document["run"].items()) found.push_back(key);
    std::vector<std::string> expected = keys;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected) << job.front();
    EXPECT_EQ(document["run"]["end"], "complete") << job.front();
    EXPECT_EQ(document["run"]["device"], job.front() == "explain" ? "sim" : "cpu") << job.front();
    EXPECT_EQ(document["run"]["threads"], 1) << job.front();
    EXPECT_GT(document["run"]["load_ms"], 0) << job.front();
    EXPECT_GT(document["run"]["work_ms"], 0) << job.front();
  }
  spit(maze, "grid 2 1\ncapacity 1\nnum net 1\n0 0 0 1 0\n");
  const json nets = json::parse(run_tool({"route", maze, "--json"}).out)["run"];
  EXPECT_GT(nets["load_ms"], 0);
  EXPECT_EQ(nets["threads"], 1);
}

TEST(CliRunning, WhatRunsInTheSimulatorSaysWhatItPreparedAndCopied) {
  Folder folder;
  for (std::vector<std::string> words : {std::vector<std::string>{"bfs", "grid:9x9", "-s", "0", "--prepare"},
                                         {"closeness", "grid:9x9", "--prepare"},
                                         {"closeness", "grid:9x9", "--samples", "9", "--prepare"},
                                         {"eccentricity", "grid:9x9", "--prepare"},
                                         {"convert", "grid:9x9", folder / "out.hwg", "--prepare"}}) {
    words.insert(words.end(), {"--device", "sim", "--json"});
    const auto tool = run_tool(words);
    ASSERT_EQ(tool.code, 0) << words.front() << tool.err;
    const json run = json::parse(tool.out)["run"];
    EXPECT_EQ(run["device"], "sim") << words.front();
    EXPECT_EQ(run["strategy"], "auto") << words.front();
    EXPECT_GT(run["prepare_ms"], 0) << words.front();
    if (words.front() != "convert") EXPECT_GT(run["copy_in_ms"], 0) << words.front();
  }
  const auto explained = run_tool({"explain", "grid:9x9", "-s", "0", "--strategy", "pmpp-edge", "--json"});
  EXPECT_GT(json::parse(explained.out)["run"]["copy_in_ms"], 0);
}

TEST(CliRunning, ReachSaysWhetherAQueueOrAStrategyFoundIt) {
  const auto chosen = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"reach", "grid:200x200", "-s", "0", "--json", "--nearest"});
    const json document = json::parse(run_tool(words).out);
    EXPECT_EQ(document["why"], document["run"]["chosen"].is_null() ? json("") : document["run"]["chosen"]);
    return document["why"].get<std::string>();
  };
  const std::string queue = "a queue on one thread";
  EXPECT_EQ(chosen({"9"}).find(queue), 0u);
  EXPECT_EQ(chosen({"9", "--strategy", "cpu-sequential"}).find(queue), 0u);
  EXPECT_EQ(chosen({"39999"}).find("cpu-"), 0u) << "so much is left to the strategy that auto chooses";
  EXPECT_EQ(chosen({"39999", "--strategy", "cpu-sequential"}), "");
}

TEST(CliRunning, ATimeLimitHoldsForAllThatInfoSearches) {
  const auto tool = run_in_ticks({"info", "grid:40x40", "--exact", "--time-limit", "0.02", "--threads", "1", "--json"});
  const json run = json::parse(tool.out)["run"];
  EXPECT_EQ(run["end"], "time-limit");
  EXPECT_LT(run["work_ms"], 25);
}

TEST(CliRunning, WhatEndedEarlySaysHow) {
  const auto limited = [](std::vector<std::string> words) {
    words.insert(words.end(), {"--time-limit", words.front() == "route" ? "0.002" : "0.02", "--json"});
    if (words.front() != "route") words.insert(words.end(), {"--threads", "1"});
    const auto tool = run_in_ticks(words);
    EXPECT_EQ(tool.code, 124) << tool.err;
    return json::parse(tool.out);
  };
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"info", "grid:40x40", "--exact"}, {"eccentricity", "grid:40x40"}}) {
    const json document = limited(words);
    EXPECT_EQ(document["run"]["end"], "time-limit") << words.front() << document.dump();
  }
  // A route has no part that would be an answer.
  EXPECT_EQ(limited({"route", "maze:99x99"})["error"]["id"], "HW-TIME-LIMIT");
}

}  // namespace of_cli_running_test
}  // namespace hopwave::test
