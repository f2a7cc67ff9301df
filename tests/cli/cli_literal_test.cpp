// The printed listings (literal:…) through the tool: each fault is reported where it stands, by the detector named in
// docs/literal.md, and what is right in print is right here. Children, since sanitizers end a process or spoil its exit code.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/sanitized.h"
#include "support/places.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_literal_test {

using nlohmann::json;

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

Outcome literal(const std::string& name, const std::string& graph, std::vector<std::string> more) {
  std::vector<std::string> words = {"bfs", graph, "--strategy", "literal:" + name, "--verify", "-q"};
  words.insert(words.end(), more.begin(), more.end());
  return run_tool(words);
}

std::set<std::string> listed() {
  std::set<std::string> names;
  for (const auto& s : json::parse(run_tool({"strategies", "literal", "--json"}).out)) names.insert(s["name"]);
  return names;
}

TEST(Literal, EveryListingIsThereAndNoneIsAmongTheStrategies) {
  std::set<std::string> files;
  const auto folder = std::filesystem::path(hopwave::testing::places::tests).parent_path() / "src/bfs/strategy/literal";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::string stem = file.path().stem().string();
    std::replace(stem.begin(), stem.end(), '_', '-');
    if (file.path().extension() == ".cpp") files.insert("literal:" + stem);
  }
  EXPECT_EQ(listed(), files);
  EXPECT_EQ(files.size(), 18u);
  for (const auto& s : json::parse(run_tool({"strategies", "--json"}).out)) EXPECT_NE(s["device"], "sim") << s;
  EXPECT_TRUE(has(run_tool({"strategies"}).out, "literal:pmpp-private-frontier"));
}

TEST(Literal, ThePageNamesEachListing) {
  const std::string page = slurp(std::filesystem::path(hopwave::testing::places::tests).parent_path() / "docs/literal.md");
  for (const std::string& name : listed()) EXPECT_TRUE(has(page, "| `" + name.substr(8) + "` |")) << name;
}

TEST(Literal, RunsInTheSimulatorAlone) {
  for (const char* device : {"cpu", "gpu"}) {
    const Outcome run = literal("pmpp-edge", "pmpp", {"-s", "0", "--device", device});
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(has(run.err, "HW-STRATEGY-DEVICE")) << run.err;
  }
  const Outcome two = literal("pmpp-edge", "pmpp", {"--sources", "0,2", "--mode", "nearest"});
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(has(two.err, "HW-LITERAL-SOURCES")) << two.err;
  EXPECT_TRUE(has(literal("pmpp-egde", "pmpp", {"-s", "0"}).err, "nearest: literal:pmpp-edge"));
}

TEST(Literal, IsNeitherMeasuredNorTuned) {
  EXPECT_TRUE(
      has(run_tool({"bench", "pmpp", "--strategy", "literal:pmpp-edge", "--device", "sim"}).err, "HW-STRATEGY-LITERAL"));
  EXPECT_TRUE(has(run_tool({"tune", "pmpp", "--strategy", "literal:pmpp-edge", "--device", "sim"}).err, "HW-STRATEGY-LITERAL"));
}

#if defined(HW_THREAD_SANITIZER)

TEST(Literal, RacesHaveTheListingsLine) {
  for (const char* name :
       {"pmpp-vertex-push", "pmpp-vertex-pull", "pmpp-edge", "survey-simple", "survey-edge-simple", "hn-two-kernel"}) {
    const Outcome run = literal(name, "rmat:9,8", {"-s", "maxdeg"});
    std::string file = name;
    std::replace(file.begin(), file.end(), '-', '_');
    EXPECT_TRUE(has(run.err, "data race") && has(run.err, "literal/" + file + ".cpp:")) << name << ":\n" << run.err;
  }
}

TEST(Literal, InsertingIntoASharedQueueRaces) {
  const Outcome run = literal("gpu101-block-per-vertex", "complete:20", {"-s", "19", "--param", "block=4"});
  EXPECT_TRUE(has(run.err, "data race") && has(run.err, "literal/gpu101_block_per_vertex.cpp:")) << run.err;
}

TEST(Literal, CompareAndSwapIsNoRace) { EXPECT_EQ(literal("pmpp-frontier", "rmat:9,8", {"-s", "maxdeg"}).err, ""); }

#elif defined(HW_ADDRESS_SANITIZER)

TEST(Literal, OverflowsHaveTheListingsLine) {
  const Outcome queue = literal("survey-hierarchical-queue", "star:12000", {"-s", "0"});
  EXPECT_TRUE(has(queue.err, "AddressSanitizer") && has(queue.err, "survey_hierarchical_queue.cpp:")) << queue.err;
  const Outcome flag = literal("notebook-edge", "pmpp", {"-s", "0"});
  EXPECT_TRUE(has(flag.err, "heap-buffer-overflow") && has(flag.err, "notebook_edge.cpp:")) << flag.err;
}

#else

TEST(Literal, OverflowsHaveTheListingsLine) {
  const Outcome queue = literal("survey-hierarchical-queue", "star:12000", {"-s", "0"});
  EXPECT_EQ(queue.code, 6);
  EXPECT_TRUE(has(queue.err, "next_queue[8192]") && has(queue.err, "survey_hierarchical_queue.cpp:")) << queue.err;
  EXPECT_TRUE(has(queue.err, "HW-SIM-BOUNDS"));
  const Outcome flag = literal("notebook-edge", "pmpp", {"-s", "0"});
  EXPECT_TRUE(has(flag.err, "HW-SIM-BOUNDS") && has(flag.err, "visited[")) << flag.err;
  EXPECT_TRUE(has(literal("gpu101-block-per-vertex", "star:2000", {"-s", "0", "--param", "block=1"}).err, "next[1024]"));
}

TEST(Literal, WrongAnswersEndWithFive) {
  for (const char* seed : {"1", "2", "3"}) {
    EXPECT_EQ(literal("notebook-vertex-pull", "pmpp", {"-s", "0", "--seed", seed}).code, 5);
    const Outcome blocks = literal("gpu101-block-per-vertex", "tree:4", {"-s", "0", "--seed", seed});
    EXPECT_EQ(blocks.code, 5) << blocks.err;
    EXPECT_TRUE(has(blocks.err, "docs/literal.md")) << blocks.err;
    EXPECT_EQ(literal("survey-virtual-warp", "complete:20", {"-s", "19", "--param", "block=4", "--seed", seed}).code, 5);
  }
}

// What the page says is right although it races.
TEST(Literal, TheOthersAreRightOverSeeds) {
  for (const std::string& name : listed()) {
    if (has(name, "notebook") || has(name, "gpu101")) continue;
    for (const char* graph : {"pmpp", "rmat:8,8", "grid:12x12", "chain:40"})
      for (int seed = 1; seed <= 4; ++seed) {
        const Outcome run = literal(name.substr(8), graph, {"-s", "first", "--seed", std::to_string(seed)});
        EXPECT_EQ(run.code, 0) << name << " " << graph << " " << seed << ": " << run.err;
      }
  }
}

// At its capacity and beyond, the counter that is set back loses no vertex: it is a race in form.
TEST(Literal, TheClampedCounterLosesNothing) {
  // Four threads of one block fill its queue of 2,048.
  Folder folder;
  std::string edges;
  for (int hub = 1; hub <= 4; ++hub) edges += "0 " + std::to_string(hub) + "\n";
  for (int leaf = 0; leaf < 12000; ++leaf) edges += std::to_string(1 + leaf % 4) + " " + std::to_string(5 + leaf) + "\n";
  spit(folder / "hubs.txt", edges);
  for (int seed = 1; seed <= 8; ++seed) {
    const Outcome run = literal("pmpp-private-frontier", folder / "hubs.txt", {"-s", "0", "--seed", std::to_string(seed)});
    EXPECT_EQ(run.code, 0) << run.err;
  }
}

#endif

}  // namespace of_cli_literal_test
}  // namespace hopwave::test
