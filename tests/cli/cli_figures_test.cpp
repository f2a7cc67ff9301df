// Figures 15.1 to 15.16 of PMPP: every command of the table in docs/pictures.md runs, and what it says is what the figure
// shows.
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "support/places.h"
#include "support/tool.h"
#include "support/xml.h"

namespace hopwave::test {
namespace of_cli_figures_test {

struct Row {
  std::string figure;
  std::vector<std::string> commands;
};

/// The rows of the table, and the commands between backticks that begin with "hopwave ".
std::vector<Row> rows_of_page() {
  const std::string page = slurp(std::filesystem::path(hopwave::testing::places::tests).parent_path() / "docs" / "pictures.md");
  const std::size_t begin = page.find("## The figures of PMPP"), end = page.find("\n## ", begin + 1);
  std::istringstream section(page.substr(begin, end - begin));
  static const std::regex command("`hopwave ([^`]*)`");
  std::vector<Row> rows;
  for (std::string line; std::getline(section, line);) {
    if (line.rfind("| 15.", 0) != 0) continue;
    Row row{line.substr(2, line.find(" |") - 2), {}};
    for (std::sregex_iterator at(line.begin(), line.end(), command), last; at != last; ++at) row.commands.push_back((*at)[1]);
    rows.push_back(row);
  }
  return rows;
}

class CliFigures : public ::testing::Test {
 protected:
  /// What the command prints, and the picture that it writes.
  std::string run(const std::string& command) {
    std::istringstream line(command);
    std::vector<std::string> words;
    std::string picture;
    for (std::string word; line >> word; words.push_back(word))
      if (!words.empty() && (words.back() == "--picture" || words.back() == "--spy")) picture = word = folder_ / word;
    const Outcome done = run_tool(words);
    EXPECT_EQ(done.code, 0) << command << "\n" << done.err;
    if (picture.empty()) return done.out;
    const std::string drawn = slurp(picture);
    EXPECT_FALSE(drawn.empty()) << command;
    if (picture.ends_with(".svg")) EXPECT_EQ(xml_fault(drawn), "") << command;
    return done.out + drawn;
  }
  Folder folder_;
};

std::string levels(const std::string& numbers) {
  std::string lines;
  std::istringstream words(numbers);
  int v = 0;
  for (std::string level; words >> level; ++v) lines += std::to_string(v) + "\t" + level + "\n";
  return lines;
}

/// What must be said in a figure's row, by one of its commands.
const std::map<std::string, std::vector<std::string>> shown = {
    {"15.1", {"7: level 2", "7 -> 0"}},
    {"15.2", {"<title>pmpp: 9 × 9, 15 entries</title>", "7 1 . . . . . 1 . ."}},
    {"15.3 A",
     {"srcPtrs 0 2 4 7 9 11 12 13 15 15", "dst   1 2 3 4 5 6 7 4 8 5  8  6  8  0  6",
      "data  1 1 1 1 1 1 1 1 1 1  1  1  1  1  1"}},
    {"15.3 B", {"dstPtrs 0 1 2 3 4 6 8 11 12 15", "src   7 0 0 1 1 3 2 4 2 5  7  2  3  4  6"}},
    {"15.3 C", {"src   0 0 1 1 2 2 2 3 3 4  4  5  6  7  7", "dst   1 2 3 4 5 6 7 4 8 5  8  6  8  0  6"}},
    {"15.4 A", {levels("0 1 1 2 2 2 2 2 3"), "8: level 3"}},
    {"15.4 B", {levels("2 3 0 4 4 1 1 1 2"), "3: level 4"}},
    {"15.5", {">19</text>", "0\t0\n"}},
    {"15.6", {"PMPP 4th ed., fig. 15.6"}},
    {"15.7", {"9 threads with an item, 2 at work, 5 looks, 5 labels"}},
    {"15.8", {"line 05      reads the vertex's level; it has to be unvisited", "line 12      one neighbour is enough"}},
    {"15.9", {"9 threads with an item, 6 at work, 8 looks, 5 labels"}},
    {"15.10", {"line 05   reads the arc's tail", "line 10   raises the flag"}},
    {"15.11", {"15 threads with an item, 5 at work, 5 looks, 5 labels"}},
    {"15.12", {"line 11      labels it, one thread alone", "line 13      writes the neighbour there"}},
    {"15.13", {"2 threads with an item, 2 at work, 5 looks, 5 labels"}},
    {"15.14", {"line 26      writes the size back, while others add to it", "lines 43-44  reads the size each time"}},
    {"15.15", {"block 0: 2 to place 0 on", "block 1: 3 to place 2 on"}},
    {"15.16 A", {"\"launches\": 5"}},
    {"15.16 B", {"\"launches\": 2"}},
};

TEST_F(CliFigures, EveryCommandOfThePageShowsItsFigure) {
  std::vector<std::string> figures;
  for (const Row& row : rows_of_page()) {
    figures.push_back(row.figure);
    ASSERT_FALSE(row.commands.empty()) << row.figure;
    std::string said;
    for (const std::string& command : row.commands) said += run(command);
    const auto wanted = shown.find(row.figure);
    ASSERT_NE(wanted, shown.end()) << row.figure << " has nothing to be compared with";
    for (const std::string& text : wanted->second) EXPECT_NE(said.find(text), std::string::npos) << row.figure << ": " << text;
  }
  EXPECT_EQ(figures.size(), shown.size()) << "every figure has one row";
}

}  // namespace of_cli_figures_test
}  // namespace hopwave::test
