// Figures 15.1 to 15.16 of PMPP, and its exercises: every command of the table in docs/pictures.md runs, and what it says is
// what the figure shows.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
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

/// A section of a page in docs/, from its heading to the next one.
std::istringstream section_of(const std::string& name, const std::string& heading) {
  const std::string page = slurp(std::filesystem::path(hopwave::testing::places::tests).parent_path() / "docs" / name);
  const std::size_t begin = page.find(heading), end = page.find("\n## ", begin + 1);
  return std::istringstream(page.substr(begin, end - begin));
}

/// The rows of the table, and the commands between backticks that begin with "hopwave ".
std::vector<Row> rows_of_page() {
  std::istringstream section = section_of("pictures.md", "## The figures of PMPP");
  static const std::regex command("`hopwave ([^`]*)`");
  std::vector<Row> rows;
  for (std::string line; std::getline(section, line);) {
    if (!line.starts_with("| 15.") && !line.starts_with("| exercises ")) continue;
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
    {"exercises", {"pmpp-edge      3       1                    15        8      8          3      1"}},
    {"15.16 A", {">start</text>", ">1</text>", ">2</text>", ">3</text>", ">4</text>"}},
    {"15.16 B", {">start</text>", ">1-4</text>"}},
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

/// A row of the table in docs/theory.md: bytes = a V + b A + c + 4 min(V, 4096), and, of a scan, the sums of its tiles.
struct Space {
  std::uint64_t a = 0, b = 0, c = 0;
  bool tiles = false;

  [[nodiscard]] std::uint64_t bytes(std::uint64_t vertices, std::uint64_t arcs) const {
    std::uint64_t sums = 0;
    for (std::uint64_t left = tiles ? vertices : 1; tiles && (left > 1 || sums == 0);) sums += left = (left + 511) / 512;
    return a * vertices + b * arcs + c + 4 * std::min<std::uint64_t>(vertices, 4096) + 4 * sums;
  }
};

/// By the method's name; on a directed graph, or on an undirected one.
std::map<std::string, Space> space_by_page(bool directed) {
  std::istringstream section = section_of("theory.md", "## Space");
  static const std::regex row(R"(\| (`.*`.*) \| (\d+) \| (\d+) \| (\d+)(.*) \|)"), name("`([^`]*)`");
  std::map<std::string, Space> space;
  for (std::string line; std::getline(section, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    const std::string names = found[1];
    if (names.ends_with(directed ? "on an undirected graph" : "on a directed graph")) continue;
    const Space one{std::stoull(found[2]), std::stoull(found[3]), std::stoull(found[4]), found[5].length() > 0};
    for (std::sregex_iterator at(names.begin(), names.end(), name), last; at != last; ++at) space[(*at)[1]] = one;
  }
  return space;
}

TEST(TheoryPage, HasTheBytesThatEstimateCounts) {
  const std::vector<std::pair<std::string, bool>> graphs = {{"pmpp", true}, {"rmat:9,8", false}, {"grid:100x100", false}};
  for (const auto& [graph, directed] : graphs) {
    SCOPED_TRACE(graph);
    const Outcome run = run_tool({"estimate", graph, "--strategy", "all", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    const std::uint64_t v = json["vertices"], a = json["arcs"];
    auto space = space_by_page(directed);
    EXPECT_GE(json["strategies"].size(), 20u);
    for (const auto& one : json["strategies"]) {
      const auto found = space.find(one["name"]);
      ASSERT_NE(found, space.end()) << one["name"] << " is not in the table";
      EXPECT_EQ(found->second.bytes(v, a), one["bytes"].get<std::uint64_t>()) << one["name"];
      space.erase(found);
    }
    EXPECT_TRUE(space.empty()) << space.begin()->first << " is in the table and no strategy";
    EXPECT_EQ(json["device"]["needed_bytes"], 46 * v + 4 * a + 4) << "the sentence on auto";
    EXPECT_EQ(json["host"]["search_bytes"], 12 * v + v / 4) << "the sentence on CPUs";
  }
}

}  // namespace of_cli_figures_test
}  // namespace hopwave::test
