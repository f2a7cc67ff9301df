// The pages in docs/strategies against the table of strategies: every strategy has its page and its row in the index, no
// page or row stands for one that is gone, and the parameters of a page are those of the program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hopwave/search.h"
#include "support/places.h"

namespace hopwave {
namespace of_strategy_docs_test {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::filesystem::path docs() {
  return std::filesystem::path(hopwave::testing::places::tests).parent_path() / "docs" / "strategies";
}

/// The index's table is made of what strategies tell; HOPWAVE_ACCEPT_INDEX=1 writes it.
TEST(StrategyDocs, IndexHasOneRowForEachStrategy) {
  const std::filesystem::path path = docs() / "README.md";
  const std::string index = text_of(path);
  const std::size_t begin = index.find("| [`"), end = index.find("\n", index.rfind("| [`"));
  ASSERT_NE(begin, std::string::npos);
  std::string rows;
  for (const StrategyInfo& info : strategies()) {
    const std::string name(info.name), device = info.device == "any" ? "any" : info.device == "cpu" ? "CPU" : "GPU";
    rows += "| [`" + name + "`](" + name + ".md) | " + device;
    for (const std::string_view cell : {info.work.method, info.work.over, info.work.frontier})
      rows += " | " + std::string(cell);
    rows += " |\n";
  }
  rows.pop_back();
  if (std::getenv("HOPWAVE_ACCEPT_INDEX")) std::ofstream(path) << index.substr(0, begin) + rows + index.substr(end);
  EXPECT_EQ(index.substr(begin, end - begin), rows) << "HOPWAVE_ACCEPT_INDEX=1 writes the rows of docs/strategies/README.md";
}

TEST(StrategyDocs, LinksOfTheIndexLeadToPages) {
  const std::string index = text_of(docs() / "README.md");
  for (std::size_t at = index.find("]("); at != std::string::npos; at = index.find("](", at + 1)) {
    const std::string target = index.substr(at + 2, index.find(')', at) - at - 2);
    EXPECT_TRUE(std::filesystem::exists(docs() / target)) << target;
  }
}

TEST(StrategyDocs, EveryStrategyHasItsPage) {
  for (const StrategyInfo& info : strategies()) {
    const std::string name(info.name);
    const std::string page = text_of(docs() / (name + ".md"));
    ASSERT_FALSE(page.empty()) << "docs/strategies/" << name << ".md is missing";
    EXPECT_EQ(page.substr(0, page.find('\n')), "# " + name);
    for (const std::string_view part : {"**Source:**", "## Work and traffic per level", "## When it is good, when it is not",
                                        "## Changed against the source", "## Parameters", "## Measured"})
      EXPECT_NE(page.find(part), std::string::npos) << name << ".md has no " << part;
  }
}

TEST(StrategyDocs, PagesNameTheParametersAndTheirStandards) {
  for (const StrategyInfo& info : strategies()) {
    const std::string page = text_of(docs() / (std::string(info.name) + ".md"));
    const std::string table = page.substr(std::min(page.find("## Parameters"), page.size()));
    std::size_t rows = 0;
    for (std::size_t at = table.find("\n| `"); at != std::string::npos && at < table.find("\n## ");
         at = table.find("\n| `", at + 1))
      ++rows;
    EXPECT_EQ(rows, info.parameters.size()) << info.name << ".md: rows of its parameters";
    for (const ParameterInfo& p : info.parameters) {
      const std::string row = "| `" + std::string(p.name) + "` | " + std::to_string(p.standard) + " |";
      EXPECT_NE(table.find(row), std::string::npos) << info.name << ".md has no row that begins " << row;
    }
  }
}

TEST(StrategyDocs, NoPageIsLeftOver) {
  for (const auto& file : std::filesystem::directory_iterator(docs())) {
    const std::string stem = file.path().stem().string();
    if (file.path().extension() != ".md" || stem == "README") continue;
    const auto& all = strategies();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const StrategyInfo& info) { return info.name == stem; }))
        << "docs/strategies/" << stem << ".md describes no strategy";
  }
}

}  // namespace of_strategy_docs_test
}  // namespace hopwave
