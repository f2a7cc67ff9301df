// What people read fits their terminal: no line is longer, and no word is broken. COLUMNS sets the width of a pipe.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/frame/width.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_width_test {

using namespace cli;

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, columns_of(line));
  return most;
}

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

Outcome narrow(std::vector<std::string> words, const std::string& columns = "80") {
  return run_tool(Call{.words = std::move(words), .environment = {"COLUMNS=" + columns}});
}

TEST(Width, CountsLettersAndNoColours) {
  EXPECT_EQ(columns_of("µs"), 2u);
  EXPECT_EQ(columns_of("\033[1mbold\033[0m"), 4u);
}

TEST(Width, BreaksAtBlanksWithAHangingIndent) {
  EXPECT_EQ(wrap("one two three", 9, 2, 0), "one two\n  three");
  EXPECT_EQ(wrap("one two", 0, 2), "one two") << "no limit";
  EXPECT_EQ(wrap("a-word-that-is-too-long b", 9, 2, 0), "a-word-that-is-too-long\n  b") << "words stay whole";
  EXPECT_EQ(wrap("µµµ µµµ µ", 7, 0, 0), "µµµ µµµ\nµ");
  EXPECT_EQ(wrap("one\ntwo", 9, 1, 0), "one\n two");
  EXPECT_EQ(wrap("  hint: a b", 9, 4, 0), "  hint: a\n    b");
  EXPECT_EQ(wrap("", 9, 4), "");
}

TEST(Width, SparklinesShowTheGreatestOfEachShare) {
  EXPECT_EQ(sparkline({1, 2, 3, 4, 5, 6, 7, 8}, 8, false), "▂▃▄▅▅▆▇█");
  EXPECT_EQ(sparkline({0, 8, 1, 0}, 2, false), "█▂");
  EXPECT_EQ(sparkline({0, 1}, 9, false), " █");
  EXPECT_EQ(sparkline({1, 10, 100}, 3, true).substr(0, 3), "▁");
  EXPECT_EQ(sparkline({}, 9, false), "");
}

TEST(Width, HundredsOfRowsAreTheTenThatMatterMost) {
  EXPECT_EQ(rows_shown(std::vector<double>(40, 1.0)).size(), 40u);
  std::vector<double> weights(100, 1.0);
  weights[70] = weights[3] = 9;
  const auto rows = rows_shown(weights);
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  for (const std::size_t row : {3u, 70u}) EXPECT_EQ(std::count(rows.begin(), rows.end(), row), 1);
}

TEST(CliWidth, NoLineIsLongerThanTheTerminal) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"strategies"},
           {"strategies", "show", "pmpp-frontier"},
           {"doctor"},
           {"info", "rmat:6,4"},
           {"estimate", "rmat:20,16"},
           {"explain", "rmat:5,4"},
           {"explain", "pmpp", "-s", "0", "--strategy", "pmpp-edge,pmpp-frontier"},
           {"bfs", "grid:30x30", "-s", "0", "--explain"},
           {"bfs", "pmpp", "-s", "0", "--strategy", "pmpp-frontier", "--device", "sim", "--explain", "-q"},
           {"bfs", "rmat:6,4", "-s", "maxdeg", "--device", "gpu", "--schedule", "slow-block"},
           {"bench", "rmat:6,4", "--strategy", "auto,cpu-sequential", "--runs", "1"},
           {"scc", "rmat:6,4"},
           {"--help"}})
    for (const std::string& columns : {"80", "72"}) {
      const Outcome done = narrow(words, columns);
      EXPECT_LE(widest(done.out), std::stoul(columns)) << words[0] << "\n" << done.out;
      EXPECT_LE(widest(done.err), std::stoul(columns)) << words[0] << "\n" << done.err;
    }
}

TEST(CliWidth, PipesAreNotBroken) {
  const Outcome done = run_tool({"strategies"});
  EXPECT_NE(done.out.find("the engine: picks push or pull, and one of five traversals, by itself\n"), std::string::npos)
      << done.out;
}

TEST(CliWidth, ExplainOfHundredsOfLevelsIsOneScreen) {
  const Outcome done = run_tool({"bfs", "grid:300x300", "-s", "0", "--strategy", "cpu-sequential", "--explain", "-q"});
  EXPECT_LT(lines_of(done.out), 35u) << done.out;
  for (const char* const part : {"direction push 1 to 599", "up to 300 vertices", "the 10 slowest", "█"})
    EXPECT_NE(done.out.find(part), std::string::npos) << part << "\n" << done.out;
}

TEST(CliWidth, BenchIsSortedAndTheBestMarked) {
  const std::string out = run_tool(Call{.words = {"bench", "rmat:6,4", "--strategy", "cpu-direction,cpu-sequential", "--device",
                                                  "cpu", "--sources", "1", "--runs", "1"},
                                        .environment = {"HOPWAVE_TICKS=1"}})
                              .out;
  std::istringstream lines(out);
  std::string title, first, second, word;
  std::getline(lines, title);
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_TRUE(first.ends_with("best")) << out;
  EXPECT_FALSE(second.ends_with("best")) << out;
  const auto median = [&](const std::string& line) {
    std::istringstream cells(line);
    double least = 0, middle = 0;
    cells >> word >> word >> least >> middle;
    return middle;
  };
  EXPECT_LE(median(first), median(second)) << out;
}

TEST(CliWidth, ExplainNeedsNoMoreThanAGraph) {
  const Outcome done = run_tool({"explain", "rmat:5,4"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.err.find("source: "), std::string::npos) << done.err;
  for (const char* const name : {"auto", "pmpp-edge", "survey-virtual-warp"})
    EXPECT_NE(done.out.find(name), std::string::npos) << name;
}

}  // namespace of_cli_width_test
}  // namespace hopwave::test
