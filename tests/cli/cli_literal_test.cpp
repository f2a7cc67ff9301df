// The printed listings (literal:…) through the tool: each fault is reported where it stands, by the detector named in
// docs/literal.md, and what is right in print is right here. Children, since sanitizers end a process or spoil its exit code.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
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
  EXPECT_EQ(files.size(), 19u);
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

/// The lines of races, the greater one first.
using Pairs = std::set<std::pair<int, int> >;
std::pair<int, int> pair_of(int a, int b) { return {std::max(a, b), std::min(a, b)}; }

/// The races in the table of docs/literal.md, by listing.
std::map<std::string, Pairs> rows_of_the_page() {
  const std::string page = slurp(std::filesystem::path(hopwave::testing::places::tests).parent_path() / "docs/literal.md");
  const std::regex row(R"(\| `([-\w]+)` \| (\d+): [^\n]* \| data race with (itself|line (\d+)) \|)");
  std::map<std::string, Pairs> rows;
  for (std::sregex_iterator at(page.begin(), page.end(), row), end; at != end; ++at) {
    const int line = std::stoi((*at)[2]);
    rows[(*at)[1]].insert(pair_of(line, (*at)[3] == "itself" ? line : std::stoi((*at)[4])));
  }
  return rows;
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

// What the simulator's own finder reports has been found by another program, too.
TEST(Literal, EveryRaceOfThreadSanitizerIsInTheTable) {
  const std::regex frame(R"(#\d+ [^\n]*strategy/literal/(?!printed|plans)\w+\.cpp:(\d+))");
  std::size_t found = 0;
  auto rows = rows_of_the_page();
  for (const std::string& listing : listed()) {
    const std::string name = listing.substr(8);
    for (const char* seed : {"1", "2", "3"}) {
      std::string text = literal(name, "rmat:9,8", {"-s", "maxdeg", "--seed", seed}).err;
      const std::string title = "WARNING: ThreadSanitizer: data race";
      for (std::size_t at = text.find(title); at != std::string::npos; at = text.find(title, at + 1)) {
        std::string report = text.substr(at, text.find("Location is", at) - at);
        std::vector<int> lines;  // of the first frame of each access
        for (std::size_t part = 0, end = 0; lines.size() < 2 && end != std::string::npos; part = end + 2) {
          end = report.find("\n\n", part);
          const std::string access = report.substr(part, end == std::string::npos ? end : end - part);
          std::smatch match;
          if (std::regex_search(access, match, frame)) lines.push_back(std::stoi(match[1]));
        }
        if (lines.empty()) continue;
        ++found;
        EXPECT_TRUE(rows[name].contains(pair_of(lines.front(), lines.back()))) << name << ": " << report;
      }
    }
  }
  EXPECT_GT(found, 40u);
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
  EXPECT_TRUE(has(queue.err, "HW-SIM-BOUNDS") && has(queue.err, ": fig. 14 step ")) << queue.err;
  for (const char* name : {"notebook-edge", "notebook-push"}) {
    const Outcome flag = literal(name, "pmpp", {"-s", "0"});
    EXPECT_TRUE(has(flag.err, "HW-SIM-BOUNDS") && has(flag.err, "visited[") && has(flag.err, " of the listing, block "))
        << flag.err;
  }
  EXPECT_TRUE(has(literal("gpu101-block-per-vertex", "star:2000", {"-s", "0", "--param", "block=1"}).err, "next[1024]"));
}

// Places that are parameters end where the parameter says.
TEST(Literal, ParametersOfThePrintHold) {
  const auto with = [](const char* name, const char* graph, std::vector<std::string> parameters,
                       const char* source = "maxdeg") {
    std::vector<std::string> more{"-s", source};
    for (const std::string& parameter : parameters) more.insert(more.end(), {"--param", parameter});
    return literal(name, graph, more);
  };
  const auto ends_at = [&](const char* word, const Outcome& run) {
    EXPECT_EQ(run.code, 6) << run.err;
    EXPECT_TRUE(has(run.err, word) && has(run.err, "HW-SIM-BOUNDS")) << run.err;
  };
  ends_at("next_queue[16]", with("survey-hierarchical-queue", "rmat:9,8", {"queue_size=16"}));
  ends_at("next_queue[16]", with("survey-defer", "rmat:9,8", {"queue_size=16", "defer_max=1"}));
  ends_at("next[4]", with("gpu101-block-per-vertex", "star:20", {"max_frontier=4", "grid=1", "block=1"}, "0"));
  for (const char* parameter : {"queue_size=512", "defer_max=0", "defer_max=1000000", "grid=1"})
    EXPECT_EQ(with("survey-defer", "rmat:9,8", {parameter}).code, 0) << parameter;
  // Four threads are whole virtual warps of four, and no whole one of sixteen.
  EXPECT_EQ(with("survey-virtual-warp", "complete:20", {"block=4", "width=4"}, "19").code, 0);
  EXPECT_EQ(with("survey-virtual-warp", "complete:20", {"block=4"}, "19").code, 5);
  for (const char* name : {"survey-simple", "survey-frontier", "survey-frontier-numbers", "survey-hierarchical-queue",
                           "survey-edge-simple", "survey-edge-numbers", "survey-virtual-warp"})
    EXPECT_EQ(with(name, "rmat:8,8", {"grid=1", "block=32"}).code, 0) << name;
  for (const char* parameter : {"grid=1", "grid=400", "swap=1", "max_frontier=200"})
    EXPECT_NE(with("gpu101-block-per-vertex", "pmpp", {parameter, "block=32"}, "0").code, 2) << parameter;
}

// One block sums up in 1,024 words, and the queue is filled without rounds.
TEST(Literal, TheScanTakesUpTo1024Vertices) {
  EXPECT_EQ(literal("survey-scan-queue", "rmat:9,8", {"-s", "maxdeg"}).code, 0);
  EXPECT_EQ(literal("survey-scan-queue", "rmat:10,4", {"-s", "maxdeg"}).code, 0);
  for (const char* graph : {"grid:5x205", "rmat:11,8", "rmat:13,2"}) {
    const Outcome beyond = literal("survey-scan-queue", graph, {"-s", "maxdeg"});
    EXPECT_EQ(beyond.code, 6) << beyond.err;
    EXPECT_TRUE(has(beyond.err, "temp[") && has(beyond.err, "an index below 1024") && has(beyond.err, "HW-SIM-BOUNDS") &&
                has(beyond.err, ": fig. 15 step "))
        << beyond.err;
  }
  const Outcome endless =
      literal("survey-scan-queue", "rmat:9,8", {"-s", "maxdeg", "--param", "grid=1", "--param", "block=64"});
  EXPECT_EQ(endless.code, 6);
  EXPECT_TRUE(has(endless.err, "HW-LITERAL-ENDLESS")) << endless.err;
  const Outcome compared = literal("survey-scan-queue", "pmpp", {"-s", "0", "--param", "compares=1"});
  EXPECT_TRUE(has(compared.err, "temp[") && has(compared.err, "HW-SIM-BOUNDS")) << compared.err;
}

// Races name the print's lines, and show what every thread or block does there.
TEST(Literal, RacesHaveThePrintsLine) {
  EXPECT_TRUE(has(literal("pmpp-vertex-push", "rmat:9,8", {"-s", "maxdeg"}).out, "; fig. 15.6 line 10 and fig. 15.6 line 05"));
  EXPECT_TRUE(has(literal("pmpp-private-frontier", "rmat:9,8", {"-s", "maxdeg", "--param", "capacity=2"}).out,
                  "; fig. 15.14 line 26 and fig. 15.14 line 22"));
  EXPECT_TRUE(has(literal("survey-hierarchical-queue", "pmpp", {"-s", "0"}).out, "in shared memory, same value"));
  EXPECT_TRUE(has(literal("survey-hierarchical-queue", "rmat:8,8", {"-s", "maxdeg"}).out, "; fig. 14 line 18"));
  // Every block of GPU101 begins with the source.
  const json races = json::parse(
      run_tool({"bfs", "pmpp", "-s", "0", "--strategy", "literal:gpu101-block-per-vertex", "--json", "-q"}).out)["races"];
  std::set<std::string> steps;
  for (const auto& race : races)
    if (race["memory"] == "device" && race["write"]["step"] == race["other"]["step"]) steps.insert(race["write"]["step"]);
  EXPECT_TRUE(steps.contains("step 10 of the listing")) << races;
}

TEST(Literal, APictureShowsTheThreads) {
  Folder folder;
  for (const auto& [name, words] :
       std::vector<std::pair<std::string, std::string> >{{"pmpp-vertex-push", "9 threads with an item, 2 at work"},
                                                         {"pmpp-vertex-pull", "9 threads with an item, 6 at work"},
                                                         {"pmpp-edge", "15 threads with an item, 5 at work"},
                                                         {"pmpp-frontier", "2 threads with an item, 2 at work"},
                                                         {"pmpp-private-frontier", "2 threads with an item, 2 at work"},
                                                         {"survey-frontier-numbers", "9 threads with an item, 2 at work"},
                                                         {"survey-simple", "Levels and tree alone"}}) {
    const std::string file = folder / (name + ".svg");
    const Outcome run = literal(name, "pmpp", {"-s", "0", "--picture", file});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(has(slurp(file), words)) << name;
  }
}

Pairs lines_of(const std::string& text) {
  static const std::regex line(R"(:(\d+) \(block \d+, thread \d+\) and (itself|line (\d+)) )");
  Pairs found;
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) {
    const int first = std::stoi((*at)[1]);
    found.insert(pair_of(first, (*at)[2] == "itself" ? first : std::stoi((*at)[3])));
  }
  return found;
}

using Cases = std::vector<std::vector<std::string> >;  // a graph, and what else is on the command line

/// Runs each listing on each graph with seeds 1 to 3, and calls check(listing without literal:, lines found).
template <class Check>
void with_races_of_listings(const Cases& cases, Check&& check) {
  for (const std::string& listing : listed()) {
    const std::string name = listing.substr(8);
    Pairs found;
    for (const auto& words : cases)
      for (const char* seed : {"1", "2", "3"}) {
        if (has(words[0], "hubs") && has(name, "gpu101")) continue;  // 12,005 blocks take minutes there
        std::vector<std::string> more(words.begin() + 1, words.end());
        more.insert(more.end(), {"--seed", seed});
        found.merge(lines_of(literal(name, words[0], more).out));
      }
    check(name, found);
  }
}

// The graph with which almost all rows are found. The long form takes the others, too.
TEST(Literal, OneGraphHasAlmostAllRacesOfTheTable) {
  std::size_t all = 0, there = 0;
  auto rows = rows_of_the_page();
  with_races_of_listings({{"rmat:9,8", "-s", "maxdeg"}}, [&](const std::string& name, const Pairs& found) {
    all += rows[name].size();
    there += found.size();
    for (const auto& pair : found)
      EXPECT_TRUE(rows[name].contains(pair)) << name << ": lines " << pair.first << " and " << pair.second;
    if (name == "pmpp-frontier" || name == "notebook-vertex-pull") EXPECT_TRUE(found.empty()) << name;
  });
  EXPECT_EQ(all, 61u);
  EXPECT_GE(there, all - 6);
}

// scripts/literal-faults has the graphs.
TEST(Literal, TheRacesAreThoseOfTheTable) {
  Folder folder;
  std::string layers, hubs;
  for (int a = 1; a <= 100; ++a) {
    layers += "0 " + std::to_string(a) + "\n";
    for (int b = 1; b <= 100; ++b)
      for (const int upper : {0, 100}) layers += std::to_string(upper + a) + " " + std::to_string(upper + 100 + b) + "\n";
  }
  for (int hub = 1; hub <= 4; ++hub) hubs += "0 " + std::to_string(hub) + "\n";
  for (int leaf = 0; leaf < 12000; ++leaf) hubs += std::to_string(1 + leaf % 4) + " " + std::to_string(5 + leaf) + "\n";
  spit(folder / "layers.txt", layers);
  spit(folder / "hubs.txt", hubs);
  auto rows = rows_of_the_page();
  with_races_of_listings({{"rmat:9,8", "-s", "maxdeg"},
                          {folder / "hubs.txt", "-s", "0"},
                          {"star:2000", "-s", "0", "--param", "block=1"},
                          {"complete:20", "-s", "19", "--param", "block=4"},
                          {folder / "layers.txt", "-s", "0"}},
                         [&](const std::string& name, const Pairs& found) { EXPECT_EQ(found, rows[name]) << name; });
}

TEST(Races, NoneInTheStrategies) {
  int count = 0;
  for (const auto& s : json::parse(run_tool({"strategies", "--json"}).out)) {
    if (s["device"] == "cpu") continue;
    ++count;
    for (const std::vector<std::string>& graph : std::vector<std::vector<std::string> >{{"rmat:9,8", "maxdeg"},
                                                                                        {"pmpp", "0"},
                                                                                        {"grid:30x30", "0"},
                                                                                        {"complete:40", "3"},
                                                                                        {"star:2000", "0"},
                                                                                        {"shapes:7,400", "0"}}) {
      const Outcome run = run_tool(
          {"bfs", graph[0], "-s", graph[1], "--strategy", s["name"], "--device", "sim", "--races", "error", "-q", "--parents"});
      EXPECT_EQ(run.code, 0) << s["name"] << " " << graph[0] << ": " << run.out << run.err;
      EXPECT_TRUE(has(run.out, "races     none found")) << run.out;
    }
  }
  EXPECT_EQ(count, 21);
}

TEST(Races, AreReportedAsAsked) {
  const std::vector<std::string> call{"bfs", "rmat:9,8", "-s", "maxdeg", "--strategy", "literal:pmpp-vertex-push"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), call.begin(), call.end());
    return run_tool(more);
  };
  EXPECT_EQ(with({"-q"}).code, 0);
  const Outcome failed = with({"-q", "--races", "error"});
  EXPECT_EQ(failed.code, 5);
  EXPECT_TRUE(has(failed.err, "4 data races found (--races error)") && has(failed.err, "HW-SIM-RACE")) << failed.err;
  // Where the result does not list them, --quiet does not hide that there are some.
  EXPECT_FALSE(has(with({"-q"}).err, "data races"));
  EXPECT_TRUE(has(with({"-q", "--json"}).err, "4 data races found"));
  EXPECT_TRUE(has(with({"-q", "-o", "-"}).err, "4 data races found"));
  EXPECT_FALSE(has(with({"-q", "-o", "-", "--races", "off"}).err, "data races"));
  const Outcome failed_json = with({"-q", "--json", "--races", "error"});
  EXPECT_EQ(failed_json.code, 5);
  EXPECT_EQ(json::parse(failed_json.out)["races"].size(), 4u);
  EXPECT_FALSE(has(with({"-q", "--races", "off"}).out, "races"));
  const json races = json::parse(with({"--json", "-q"}).out)["races"];
  ASSERT_EQ(races.size(), 4u);
  EXPECT_EQ(races[2]["write"]["line"], races[2]["other"]["line"]);  // two threads label one vertex
  EXPECT_EQ(races[2]["other"]["access"], "write");
  EXPECT_EQ(races[2]["different"], 0);
  EXPECT_EQ(races[2]["memory"], "device");
  EXPECT_GT(races[0]["different"], 0);  // a level is read before it is written, or after
  EXPECT_TRUE(json::parse(with({"--json", "-q", "--races", "off"}).out)["races"].is_null());
  // What a race may have led to is reported with it.
  EXPECT_TRUE(has(literal("gpu101-block-per-vertex", "complete:20", {"-s", "19", "--param", "block=4"}).out, "races     src/"));
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string> >{
           {"bfs", "pmpp", "-s", "0", "--races", "on", "--device", "cpu"},
           {"bfs", "pmpp", "-s", "0", "--races", "on", "--device", "gpu"},
           {"bfs", "pmpp", "-s", "0", "--races", "on", "--device", "sim", "--gpus", "2", "--partition"},
           {"bfs", "pmpp", "--sources", "0,1", "--mode", "each", "--races", "on", "--device", "sim", "--gpus", "2"},
           {"bfs", "pmpp", "-s", "0", "--races", "on", "--device", "sim", "--schedule", "load-buffering"}}) {
    const Outcome run = run_tool(words);
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(has(run.err, "--races on with")) << run.err;
  }
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

// Also races that were found before the listing broke are in the document.
TEST(Literal, AnErrorsDocumentHasTheRaces) {
  std::size_t found = 0;
  for (int seed = 1; seed <= 8; ++seed) {
    const Outcome run = run_tool({"bfs", "complete:17", "-s", "maxdeg", "--strategy", "literal:notebook-edge", "--json", "-q",
                                  "--seed", std::to_string(seed)});
    EXPECT_EQ(run.code, 6) << run.err;
    const json document = json::parse(run.out);
    EXPECT_EQ(document["schema"], "hopwave-error/1");
    if (document.contains("races")) found += document["races"].size();
  }
  EXPECT_GT(found, 0u);
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
