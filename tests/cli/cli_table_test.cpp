// Commands that are made of an algorithm's row: what all of them do, and answers by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "algorithm/algorithm.h"
#include "support/places.h"
#include "support/row_words.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_table_test {

using nlohmann::json;

json parsed(const std::vector<std::string>& words) {
  const auto out = run_tool(words);
  EXPECT_EQ(out.code, 0) << out.err;
  return json::parse(out.out);
}

TEST(CliTable, EveryAlgorithmIsACommand) {
  Folder folder;
  const std::string people = folder / "g.txt", even = folder / "even.txt", file = folder / "out.tsv",
                    none = folder / "none.mtx";
  spit(people, "Ann Bob\nBob Cid\nCid Ann\nCid Dan\n");
  spit(even, "Ann Bob\nBob Cid\nCid Dan\nDan Ann\n");
  spit(none, "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  for (const algorithm::Row* row : algorithm::rows()) {
    const std::string name(row->name);
    const std::string& graph = name == "matching" ? even : people;  // a matching takes no odd cycle
    const auto words = [&](const std::string& of, std::vector<std::string> further) {
      std::vector<std::string> all = {name, of}, needed = testing::needed_words(*row, "first", of == graph ? "Dan" : "1");
      if (const auto given = std::find(needed.begin(), needed.end(), further.empty() ? "" : further.front());
          given != needed.end())
        needed.erase(given, given + 2);  // the test gives another value
      all.insert(all.end(), needed.begin(), needed.end());
      all.insert(all.end(), further.begin(), further.end());
      return all;
    };
    const auto summary = run_tool(words(graph, {}));
    EXPECT_EQ(summary.code, 0) << summary.err;
    for (const char* device : {"cpu", "sim"}) {
      const auto found = parsed(words(graph, {"--json", "--device", device, "-o", file}));
      EXPECT_EQ(found["schema"], "hopwave-" + name + "/1");
      EXPECT_EQ(found["device"], device);
      EXPECT_EQ(found["output"], file);
      EXPECT_EQ(found["graph"]["vertices"], 4);
      EXPECT_EQ(slurp(file), run_tool(words(graph, {"-q", "--device", device, "-o", "-"})).out) << name << " on " << device;
    }
    const std::string rows = slurp(file);
    const bool header = rows.starts_with("#");
    EXPECT_EQ(header, row->header == algorithm::Header::always) << name;
    const auto lines = std::count(rows.begin(), rows.end(), '\n');
    EXPECT_EQ(lines, (name == "flow"       ? 3
                      : name == "matching" ? 2
                      : name == "matrix"   ? 16
                                           : 4) +
                         header)
        << name;  // the arcs from Ann to Dan; pairs
    const auto in_line = [&](std::size_t from) {
      return std::count(rows.begin() + static_cast<std::ptrdiff_t>(from),
                        rows.begin() + static_cast<std::ptrdiff_t>(rows.find('\n', from)), '\t');
    };
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\t'), in_line(0) * lines) << name;
    EXPECT_EQ(run_tool(words(graph, {"-o", folder / "x.csv"})).code, row->header == algorithm::Header::none ? 2 : 0) << name;
    EXPECT_EQ(run_tool(words(graph, {"--verify"})).code, row->checks.empty() ? 2 : 0) << name;
    EXPECT_EQ(run_tool(words("chain:4", {"--json", "-o", "-"})).code, 2) << name;
    EXPECT_EQ(run_tool(words("chain:4", {"-o", folder / "x.png"})).code, 2) << name;
    EXPECT_EQ(run_tool(words("chain:4", {"--device", "moon"})).code, 2) << name;
    EXPECT_EQ(run_tool(words("chain:4", {"--threads", "-1"})).code, 2) << name;
    EXPECT_EQ(run_tool(words("chain:4", {"--time-limit", "-1"})).code, 2) << name;
    EXPECT_EQ(run_tool(words(folder / "nothing", {})).code, 3) << name;
    EXPECT_EQ(run_tool(words(graph, {"--resume"})).code, 2) << name;
    for (const auto& option : row->options) {
      const std::string given = "--" + std::string(option.name);
      if (option.type == algorithm::Type::count)
        EXPECT_EQ(run_tool(words(graph, {given, std::to_string(option.lowest - 1)})).code, 2) << name << given;
      if (option.type == algorithm::Type::real)
        for (const char* text : {"x", "-1", "nan", "1e999"})
          EXPECT_EQ(run_tool(words(graph, {given, text})).code, 2) << name << given << text;
      if (option.type == algorithm::Type::word) EXPECT_EQ(run_tool(words(graph, {given, "moon"})).code, 2) << name << given;
      if (option.type == algorithm::Type::vertex) EXPECT_EQ(run_tool(words(graph, {given, "Zoe"})).code, 3) << name << given;
      if (option.type == algorithm::Type::vertices_file)
        EXPECT_EQ(run_tool(words(graph, {given, folder / "nothing"})).code, 3) << name << given;
      if (option.type == algorithm::Type::graph_file)
        EXPECT_EQ(run_tool(words(graph, {given, folder / "x.png"})).code, 2) << name << given;
      if (option.type == algorithm::Type::picture_file) {
        const std::string picture = folder / "x.svg";
        EXPECT_EQ(parsed(words(graph, {given, picture, "--json"}))[std::string(option.name)], picture) << name;
        EXPECT_TRUE(slurp(picture).starts_with("<svg ")) << name;
        for (const char* file_name : {"x.txt", "x.dot", "x"})
          EXPECT_EQ(run_tool(words(graph, {given, folder / file_name})).code, 2) << name << file_name;
        EXPECT_EQ(run_tool(words("rmat:8,4", {given, picture})).code, 2) << name;
      }
    }
    const auto late = run_tool(words(name == "matching" ? "grid:90x90" : "rmat:14,8", {"--time-limit", "0.000000001"}));
    EXPECT_EQ(late.code, 124) << name << late.err;
    // Those that can report what they have until then do.
    EXPECT_TRUE(late.err.find("HW-TIME-LIMIT") != std::string::npos || late.err.find("the time is over") != std::string::npos)
        << late.err;
    for (const auto& example : row->examples) EXPECT_TRUE(example.line.starts_with("hopwave " + name + " ")) << example.line;
    if (row->sources == algorithm::Sources::required) continue;
    const auto empty = parsed({name, none, "--json"});
    EXPECT_EQ(empty["graph"]["vertices"], 0) << name;
  }
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The page's table is made from the rows; HOPWAVE_ACCEPT_INDEX=1 writes it. What it names exists.
TEST(CliTable, ThePageOfAlgorithms) {
  const std::filesystem::path root = std::filesystem::path(hopwave::testing::places::tests).parent_path();
  const std::filesystem::path path = root / "docs" / "algorithms.md";
  const std::string page = text_of(path), c_header = text_of(root / "include" / "hopwave" / "c.h");
  std::string rows;
  for (const algorithm::Row* row : algorithm::rows()) {
    const auto code = [](std::string_view name) { return name.empty() ? "–" : "`" + std::string(name) + "`"; };
    std::string networkx;
    std::istringstream names{std::string(row->networkx)};
    for (std::string name; names >> name;) networkx += (networkx.empty() ? "" : ", ") + code(name);
    rows += fmt::format("| [`{}`]({}) | {} | {} | {} | {} | {} | {} |\n", row->name, row->page, row->summary, code(row->cpp),
                        code(row->python), code(row->c), networkx, row->source);
    EXPECT_TRUE(std::filesystem::exists(root / "docs" / row->page)) << row->page;
    EXPECT_NE(text_of(root / "docs" / row->page).find("hopwave " + std::string(row->name)), std::string::npos)
        << "docs/" << row->page << " shows no command hopwave " << row->name;
    EXPECT_NE(c_header.find(std::string(row->c) + "("), std::string::npos) << row->c;
  }
  const std::size_t begin = page.find("| [`"), end = page.find("\n", page.rfind("| [`")) + 1;
  ASSERT_NE(begin, std::string::npos);
  if (std::getenv("HOPWAVE_ACCEPT_INDEX")) std::ofstream(path) << page.substr(0, begin) + rows + page.substr(end);
  EXPECT_EQ(page.substr(begin, end - begin), rows) << "HOPWAVE_ACCEPT_INDEX=1 writes the rows of docs/algorithms.md";
}

/// A triangle with a tail of two, and a vertex that only meets itself.
TEST(CliTable, CoreNumbersByHand) {
  Folder folder;
  const std::string graph = folder / "g.txt";
  spit(graph, "a b\nb c\nc a\nc d\nd e\nf f\n");
  const auto out = run_tool({"kcore", graph, "--undirected", "-o", "-", "--verify"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.out, "a\t2\nb\t2\nc\t2\nd\t1\ne\t1\nf\t0\n");
  EXPECT_NE(out.err.find("2 at most"), std::string::npos) << out.err;
  EXPECT_NE(out.err.find("3 vertices of 6"), std::string::npos) << out.err;
  const auto found = parsed({"kcore", graph, "--undirected", "--json", "--verify"});
  EXPECT_EQ(found["largest"], 2);
  EXPECT_EQ(found["largest_size"], 3);
  EXPECT_EQ(found["verified"], true);
  EXPECT_EQ(found["cores"].dump(), R"([{"core":2,"count":3},{"core":1,"count":2},{"core":0,"count":1}])");
  // Directed arcs count at both ends: a pair of opposite ones is two.
  spit(graph, "1 2\n2 1\n2 3\n2 4\n3 4\n4 3\n");
  EXPECT_EQ(run_tool({"kcore", graph, "--directed", "-o", "-", "--verify"}).out, "1\t2\n2\t2\n3\t2\n4\t2\n");
  EXPECT_EQ(parsed({"kcore", graph, "--directed", "--json"})["largest_size"], 4);
  spit(graph, "1 2\n1 2\n2 3\n");
  EXPECT_EQ(run_tool({"kcore", graph, "--undirected", "-o", "-"}).out, "1\t1\n2\t1\n3\t1\n");
  EXPECT_EQ(run_tool({"kcore", graph, "--undirected", "--keep-duplicates", "-o", "-", "--verify"}).out, "1\t2\n2\t2\n3\t1\n");
}

/// Two lists of vertices, by hops and by weights; a vertex that no path reaches; ids that are names.
TEST(CliTable, MatrixByHand) {
  Folder folder;
  const std::string graph = folder / "g.txt", from = folder / "from", to = folder / "to", out = folder / "od.csv";
  spit(graph, "a b 5\nb c 1.5\na c 9\nc d 1\n");
  spit(from, "a\nc\n");
  spit(to, "d\na\nd\n");
  const std::vector<std::string> call{"matrix", graph, "--directed", "--from", from, "--to", to, "--verify"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), call.begin(), call.end());
    return run_tool(more);
  };
  EXPECT_EQ(with({"-o", "-"}).out, "a\td\t2\na\ta\t0\na\td\t2\nc\td\t1\nc\ta\t-1\nc\td\t1\n");
  EXPECT_EQ(with({"--weights", "-o", "-"}).out, "a\td\t7.5\na\ta\t0\na\td\t7.5\nc\td\t1\nc\ta\t-1\nc\td\t1\n");
  ASSERT_EQ(with({"--direction", "in", "--weights", "-o", out}).code, 0);
  EXPECT_EQ(slurp(out), "source,target,distance\na,d,-1\na,a,0\na,d,-1\nc,d,-1\nc,a,6.5\nc,d,-1\n");
  const json found = json::parse(with({"--weights", "--json"}).out);
  EXPECT_EQ(found["sources"], 2);
  EXPECT_EQ(found["targets"], 3);
  EXPECT_EQ(found["paths"], 5);
  EXPECT_EQ(found["farthest"], 7.5);
  EXPECT_EQ(found["exact"], true);
  // The sources are the targets where no others are named.
  EXPECT_EQ(run_tool({"matrix", graph, "--directed", "--sources", "a,c", "-o", "-"}).out,
            "a\ta\t0\na\tc\t1\nc\ta\t-1\nc\tc\t0\n");
  EXPECT_EQ(parsed({"matrix", graph, "--directed", "--json"})["paths"], 4 + 6);
  EXPECT_EQ(run_tool({"matrix", graph, "--from", from, "-s", "a"}).code, 2);
  spit(to, "d\nmoon\n");
  const auto unknown = with({});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("moon"), std::string::npos) << unknown.err;
  for (const char* device : {"cpu", "sim"})
    for (const char* threads : {"1", "3"}) {
      spit(to, "7\n40\n99\n");
      spit(from, "0\n99\n50\n");
      const std::vector<std::string> grid{"matrix", "grid:10x10", "--from", from,        "--to",
                                          to,       "--device",   device,   "--threads", threads};
      const std::string rows =
          "0\t7\t7\n0\t40\t4\n0\t99\t18\n99\t7\t11\n99\t40\t14\n99\t99\t0\n50\t7\t12\n50\t40\t1\n50\t99\t13\n";
      for (const bool weights : {false, true}) {
        std::vector<std::string> words = grid;
        if (weights) words.emplace_back("--weights");
        words.insert(words.end(), {"-o", "-"});
        EXPECT_EQ(run_tool(words).out, rows) << device << threads << weights;
      }
    }
}

/// Ann and Bob can do 1, Ann also 2; nobody can do 3. An id on both sides is two vertices.
TEST(CliTable, MatchingByHand) {
  Folder folder;
  const std::string jobs = folder / "jobs.txt", left = folder / "left.txt", matrix = folder / "jobs.mtx";
  spit(jobs, "Ann 1\nBob 1\nAnn 2\n");
  const auto out = run_tool({"matching", jobs, "--bipartite", "-o", "-", "--verify"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.out, "# left\tright\nleft:Ann\tright:2\nleft:Bob\tright:1\n");
  EXPECT_NE(out.err.find("2 left, 2 right, as the ids state"), std::string::npos) << out.err;
  EXPECT_NE(out.err.find("2 pairs; 0 left and 0 right stay without"), std::string::npos) << out.err;
  EXPECT_EQ(run_tool({"matching", jobs, "--bipartite", "-o", "-", "--cover", "-q"}).out, "# vertex\nleft:Ann\nleft:Bob\n");
  spit(left, "1\n2\n");
  const auto found = parsed({"matching", jobs, "--left", left, "--json", "--verify", "--device", "sim"});
  EXPECT_EQ(found["pairs"], 2);
  EXPECT_EQ(found["sides"], "given");
  EXPECT_EQ(found["strategy"], "forest");
  EXPECT_EQ(found["left"], 2);
  EXPECT_EQ(found["matching"].dump(), R"([{"left":"1","right":"Bob"},{"left":"2","right":"Ann"}])");
  EXPECT_EQ(parsed({"matching", jobs, "--json"})["sides"], "colouring");
  spit(matrix, "%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n2 1\n1 2\n");
  EXPECT_EQ(parsed({"matching", matrix, "--json"})["right"], 3);
  EXPECT_EQ(run_tool({"matching", jobs, "--cover"}).code, 2);
  spit(left, "Ann\n1\n");
  const auto wrong = run_tool({"matching", jobs, "--left", left});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("an edge between Ann and 1, both on the left"), std::string::npos) << wrong.err;
  spit(jobs, "1 2\n2 3\n3 1\n");
  const auto odd = run_tool({"matching", jobs});
  EXPECT_EQ(odd.code, 3);
  EXPECT_NE(odd.err.find("a cycle of 3 vertices, an odd number: 2, 1, 3"), std::string::npos) << odd.err;
  EXPECT_NE(odd.err.find("--bipartite"), std::string::npos) << odd.err;
  EXPECT_EQ(parsed({"matching", jobs, "--bipartite", "--json"})["pairs"], 3);
}

}  // namespace of_cli_table_test
}  // namespace hopwave::test
