// The texts that the library holds of its strategies and of the printed listings, and the steps that listings cite.
#include "hopwave/strategy_source.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "bfs/plan/source_text.h"
#include "core/sanitized.h"
#include "hopwave/error.h"
#include "hopwave/search.h"
#include "support/graphs.h"
#include "support/places.h"

namespace hopwave::testing {
namespace of_strategy_source_test {

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

std::string id_of(const auto& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.id();
  }
  return "none";
}

// nonsense: strategy_source listing_steps
TEST(StrategySource, RefusesWhatHasNone) {
  for (const char* name : {"", "literal:", "pmpp", "literal:pmpp-direction"}) {
    EXPECT_EQ(id_of([&] { (void)strategy_source(name); }), "HW-STRATEGY-UNKNOWN") << name;
    EXPECT_EQ(id_of([&] { (void)listing_steps(name); }), "HW-STRATEGY-UNKNOWN") << name;
  }
  EXPECT_EQ(id_of([] { (void)listing_steps("pmpp-edge"); }), "HW-STRATEGY-SOURCE");
  for (const char* name : {"cpu-parallel", "auto"})
    EXPECT_EQ(id_of([&] { (void)strategy_source(name, KernelWords::cuda); }), "HW-STRATEGY-SOURCE") << name;
}

/// Every file of src/bfs/strategy, as it is on the disk.
TEST(StrategySource, IsThatOfTheFiles) {
  const auto root = std::filesystem::path(places::tests).parent_path();
  std::set<std::string> listed;
  for (const source_text::File& file : source_text::files()) {
    std::ifstream in(root / file.path);
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_EQ(std::string(file.text), text.str()) << file.path;
    listed.insert(std::string(file.path));
  }
  std::size_t there = 0;
  for (const char* folder : {"src/bfs/strategy", "src/bfs/strategy/literal"})
    for (const auto& file : std::filesystem::directory_iterator(root / folder))
      if (file.path().extension() == ".cu" || file.path().extension() == ".cpp") {
        ++there;
        EXPECT_TRUE(listed.contains(std::string(folder) + "/" + file.path().filename().string())) << file.path();
      }
  EXPECT_EQ(there, strategies().size() - 1 + literal_strategies().size());  // auto is elsewhere
}

TEST(StrategySource, ShowsTheKernelsOfEach) {
  for (const auto* all : {&strategies(), &literal_strategies()})
    for (const StrategyInfo& info : *all) {
      const std::string text = strategy_source(info.name);
      EXPECT_GT(text.size(), 200u) << info.name;
      if (info.device == "cpu" || info.name == "auto") continue;
      EXPECT_TRUE(has(text, info.device == "sim" ? "\nvoid " : "HW_KERNEL void ") || text.starts_with("void ")) << info.name;
      EXPECT_FALSE(has(text, "\nclass ") || has(text, "HOPWAVE_") || has(text, "#include")) << info.name << text;
      const std::string cuda = strategy_source(info.name, KernelWords::cuda);
      EXPECT_TRUE(has(cuda, "__global__ void ")) << info.name;
      for (const char* ours : {"dev::", "HW_", "Printed<"}) EXPECT_FALSE(has(cuda, ours)) << info.name << ": " << ours << cuda;
    }
  // What a kernel calls comes with it, what the host does not.
  const std::string push = strategy_source("pmpp-vertex-push");
  EXPECT_TRUE(has(push, "visit_row_of") && has(push, "void raise_flag") && !has(push, "FlagPlan"));
  EXPECT_TRUE(has(strategy_source("pmpp-private-frontier"), "HW_KERNEL void pmpp_private_frontier_level"));
  EXPECT_FALSE(has(strategy_source("pmpp-edge"), "pmpp_private_frontier_level"));
  EXPECT_TRUE(has(strategy_source("literal:pmpp-frontier", KernelWords::cuda),
                  "atomicCAS(&level[w], not_visited, current) != not_visited"));
  EXPECT_TRUE(has(strategy_source("literal:survey-simple", KernelWords::cuda), "struct Lists {"));
}

/// A compiler for CUDA takes the listings as they are shown.
TEST(StrategySource, ListingsInCudasWordsCompile) {
  const char* const nvcc = "/usr/local/cuda/bin/nvcc";
  if (sanitized || !std::filesystem::exists(nvcc)) GTEST_SKIP() << "no nvcc here";
  const auto folder = std::filesystem::temp_directory_path() / "hopwave-strategy-source";
  std::filesystem::create_directories(folder);
  {
    std::ofstream all(folder / "listings.cu");
    int number = 0;
    for (const StrategyInfo& info : literal_strategies())
      all << "namespace n" << number++ << " {\n" << strategy_source(info.name, KernelWords::cuda) << "}\n";
  }
  const std::string command = std::string(nvcc) + " -arch=sm_90 -ptx -o " + (folder / "listings.ptx").string() + " " +
                              (folder / "listings.cu").string() + " > " + (folder / "log.txt").string() + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << "see " << folder;
  std::filesystem::remove_all(folder);
}

TEST(ListingSteps, AreThereForEachListing) {
  for (const StrategyInfo& info : literal_strategies()) {
    const auto steps = listing_steps(info.name);
    EXPECT_GE(steps.size(), 8u) << info.name;
    const bool lines_known = has(std::string(info.name), "literal:pmpp-");
    std::string last;
    for (const ListingStep& step : steps) {
      EXPECT_FALSE(step.what.empty()) << info.name;
      EXPECT_EQ(step.place.starts_with("line"), lines_known || step.place == "line 18" || step.place == "line 29")
          << info.name << " " << step.place;
      if (!lines_known) continue;
      const std::string line = step.place.substr(step.place.find(' ') + 1);
      EXPECT_LT(last, line) << info.name;
      last = line;
    }
  }
}

// Every line of figure 15.14 that touches memory, and those that wait.
TEST(ListingSteps, OfThePrivateFrontierAreComplete) {
  std::set<std::string> places;
  for (const ListingStep& step : listing_steps("literal:pmpp-private-frontier")) places.insert(step.place);
  for (const char* place :
       {"lines 09-11", "line 12", "line 17", "lines 18-19", "line 20", "line 21", "line 22", "line 24", "line 26", "line 27",
        "line 28", "line 33", "lines 37-39", "line 40", "lines 43-44", "line 45", "line 46"})
    EXPECT_TRUE(places.contains(place)) << place;
}

TEST(ListingSteps, BelongToTheLinesOfTheFiles) {
  EXPECT_EQ(source_text::figure_step("src/bfs/strategy/pmpp_edge.cu", 12), "");
  EXPECT_EQ(source_text::figure_step("", 0), "");
  EXPECT_EQ(source_text::figure_step("src/bfs/strategy/literal/pmpp_edge.cpp", 1), "") << "before the first step";
  std::size_t asked = 0;
  for (const source_text::File& file : source_text::files()) {
    if (!has(std::string(file.path), "/literal/")) continue;
    for (const source_text::Step& step : source_text::steps_of(file.text)) {
      const std::string found = source_text::figure_step("./" + std::string(file.path), step.at);
      EXPECT_TRUE(has(found, step.place)) << file.path << ":" << step.at << " " << found;
      EXPECT_EQ(found.starts_with("fig. 15."), has(std::string(file.path), "/pmpp_")) << found;
      EXPECT_EQ(found.starts_with("fig. "), has(std::string(file.path), "/pmpp_") || has(std::string(file.path), "/survey_"));
      ++asked;
    }
  }
  EXPECT_GT(asked, 200u);
}

// The counter that is set back loses no vertex, with room for two only.
TEST(ListingsParameters, ASmallPrivateQueueIsRight) {
  if (sanitized) GTEST_SKIP() << "the listing races as printed: docs/literal.md";
  for (const TestGraph& test : {contended(40), random_graph(5)}) {
    const Graph graph = build(test);
    for (const std::int64_t capacity : {1, 2, 4})
      for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Searcher searcher(graph, {.strategy = "literal:pmpp-private-frontier",
                                  .parameters = {{"capacity", capacity}, {"block", 64}},
                                  .run = {.device = DeviceKind::sim, .simulator = {.seed = seed}}});
        ASSERT_EQ(distances_of(searcher.run({.sources = {0}})), naive_bfs(test, {0})) << test << capacity << " " << seed;
      }
  }
}

}  // namespace of_strategy_source_test
}  // namespace hopwave::testing
