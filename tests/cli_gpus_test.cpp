// --gpus: many searches dealt out over the simulator's four devices.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/tool.h"

namespace hopwave {
namespace {

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
  EXPECT_EQ(id({"--device", "sim", "--gpus", "1"}), "none");
}

}  // namespace
}  // namespace hopwave
