// hopwave bfs --picture: every ending, what is refused before a search, Graphviz and what stands in its place.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "hopwave/io.h"
#include "support/tool.h"
#include "support/xml.h"

namespace hopwave::test {
namespace of_cli_picture_test {

class CliPicture : public ::testing::Test {
 protected:
  Outcome draw(const std::string& file, std::vector<std::string> more = {}, std::vector<std::string> environment = {}) {
    std::vector<std::string> words{"bfs",      "pmpp", "-s",        "0",           "--strategy", "pmpp-vertex-push",
                                   "--device", "sim",  "--picture", folder_ / file};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(Call{.words = words, .environment = std::move(environment)});
  }
  [[nodiscard]] std::string text(const std::string& file) const { return slurp(folder_ / file); }
  /// A program of this name that answers a script, in a folder that is to be the only one in PATH beside the system's.
  std::string fake(const std::string& name, const std::string& script) {
    spit(folder_ / name, "#!/bin/sh\n" + script);
    chmod((folder_ / name).c_str(), 0700);
    return "PATH=" + (folder_ / "") + ":/usr/bin:/bin";
  }

  Folder folder_;
};

TEST_F(CliPicture, EveryEndingGivesItsKindOfFile) {
  ASSERT_EQ(draw("a.svg", {"--layout", "levels"}).code, 0);
  EXPECT_EQ(xml_fault(text("a.svg")), "");
  ASSERT_EQ(draw("a.HTML").code, 0);
  EXPECT_EQ(text("a.HTML").rfind("<!doctype html>", 0), 0u);
  for (const char* const name : {"a.dot", "a.gv"}) {
    ASSERT_EQ(draw(name).code, 0);
    EXPECT_EQ(text(name).rfind("digraph", 0), 0u);
  }
  const auto png = draw("a.png");
  EXPECT_EQ(png.code, build_features().png ? 0 : 2) << png.err;
  if (build_features().png) EXPECT_EQ(text("a.png").substr(1, 3), "PNG");
}

TEST_F(CliPicture, TheAnswerIsTheSame) {
  const auto plain = run_tool({"bfs", "pmpp", "-s", "0", "-o", "-"});
  const auto drawn = run_tool({"bfs", "pmpp", "-s", "0", "-o", "-", "--picture", folder_ / "a.svg"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(drawn.out, plain.out);
}

TEST_F(CliPicture, StrategiesWithoutAPictureSaySo) {
  for (const char* const strategy : {"auto", "survey-simple", "cpu-direction"}) {
    const auto done = run_tool({"bfs", "pmpp", "-s", "0", "--strategy", strategy, "--device",
                                std::string(strategy).starts_with("cpu") ? "cpu" : "sim", "--picture", folder_ / "a.html"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(text("a.html").find("Levels and tree alone"), std::string::npos) << strategy;
    EXPECT_EQ(text("a.html").find("class=\"threads"), std::string::npos) << strategy;
  }
}

TEST_F(CliPicture, DirectionsAndLimits) {
  // Against the arcs the root of figure 15.4 is reached from 7 alone.
  ASSERT_EQ(draw("in.dot", {"--direction", "in"}).code, 0);
  EXPECT_NE(text("in.dot").find("0 -> 7 [penwidth"), std::string::npos) << text("in.dot");
  ASSERT_EQ(draw("both.dot", {"--direction", "both"}).code, 0);
  EXPECT_EQ(text("both.dot").rfind("graph", 0), 0u);
  ASSERT_EQ(draw("near.html", {"--max-depth", "1"}).code, 0);
  EXPECT_NE(text("near.html").find("Step 1:"), std::string::npos);
  EXPECT_EQ(text("near.html").find("Step 2:"), std::string::npos);
  ASSERT_EQ(draw("target.html", {"--target", "5"}).code, 0);
  EXPECT_NE(text("target.html").find("Step 2:"), std::string::npos);
  EXPECT_EQ(text("target.html").find("Step 3:"), std::string::npos);
}

TEST_F(CliPicture, NonsenseIsRefused) {
  const auto refused = [&](const Outcome& done, int code, const std::string& id) {
    EXPECT_EQ(done.code, code) << done.err;
    EXPECT_NE(done.err.find(id), std::string::npos) << done.err;
  };
  refused(draw("a.gif"), 2, "HW-PICTURE-ENDING");
  refused(draw("a"), 2, "HW-PICTURE-ENDING");
  refused(draw("no-folder/a.svg"), 3, "HW-IO-WRITE");
  refused(draw("a.dot", {"--layout", "levels"}), 2, "HW-USAGE-OPTION");
  refused(draw("a.html", {"--step", "2"}), 2, "HW-USAGE-OPTION");
  refused(draw("a.svg", {"--step", "5"}), 2, "HW-PICTURE-STEP");
  refused(draw("a.svg", {"--step", "-1"}), 2, "--step");
  refused(run_tool({"bfs", "pmpp", "-s", "0", "--step", "2"}), 2, "HW-USAGE-OPTION");
  for (const char* const name : {"t.png", "t", "t.html"})
    refused(run_tool({"bfs", "pmpp", "-s", "0", "--timeline", folder_ / name}), 2, "HW-PICTURE-ENDING");
  refused(run_tool({"bfs", "pmpp", "-s", "0", "--timeline", folder_ / "no-folder/t.svg"}), 3, "HW-IO-WRITE");
  refused(run_tool({"bfs", "pmpp", "-s", "0", "-o", folder_ / "t.json", "--timeline", folder_ / "t.json"}), 2, "HW-USAGE");
  refused(draw("a.svg", {"--timeline", folder_ / "a.svg"}), 2, "HW-USAGE");
  refused(draw("a.svg", {"--layout", "round"}), 2, "HW-USAGE");
  refused(run_tool({"bfs", "pmpp", "-s", "0", "--layout", "levels"}), 2, "HW-USAGE-OPTION");
  refused(run_tool({"bfs", "pmpp", "--sources", "0,1", "--mode", "each", "--picture", folder_ / "a.svg"}), 2,
          "HW-USAGE-OPTION");
  refused(run_tool({"bfs", "chain:101", "-s", "0", "--picture", folder_ / "a.svg"}), 2, "HW-PICTURE-SIZE");
  refused(run_tool({"bfs", "complete:40", "-s", "0", "--picture", folder_ / "a.dot"}), 2, "HW-PICTURE-SIZE");
  EXPECT_EQ(folder_.files(), 0u);
}

TEST_F(CliPicture, OneStepOfAll) {
  ASSERT_EQ(draw("step.svg", {"--step", "2"}).code, 0);
  EXPECT_EQ(xml_fault(text("step.svg")), "");
  EXPECT_NE(text("step.svg").find("Step 2: 2 vertices of level 1, 5 vertices get level 2"), std::string::npos);
  for (const char* const other : {"Step 1:", "Step 3:", "The tree that is found"})
    EXPECT_EQ(text("step.svg").find(other), std::string::npos) << other;
}

// By hand: depth first goes 0, 1, 3, 4, 5, 6, 8, then 2, 7 along the rows of the textbook's graph.
TEST_F(CliPicture, DepthFirstBeside) {
  ASSERT_EQ(draw("orders.svg", {"--against", "dfs", "--layout", "levels"}).code, 0);
  const std::string both = text("orders.svg");
  EXPECT_EQ(xml_fault(both), "");
  for (const char* const words : {"Breadth first, with a queue", "Depth first, with a stack", "The tree is 3 arcs deep.",
                                  "The tree is 6 arcs deep.", ">0/8</text>", ">1/5</text>", ">7/7</text>", ">2/4</text>",
                                  ">3/3</text>", ">4/2</text>", ">5/1</text>", ">8/6</text>", ">6/0</text>"})
    EXPECT_NE(both.find(words), std::string::npos) << words << both;
  EXPECT_EQ(both.find("Step 1:"), std::string::npos);
  EXPECT_EQ(draw("a.html", {"--against", "dfs"}).code, 2);
  EXPECT_EQ(draw("a.svg", {"--against", "dfs", "--step", "1"}).code, 2);
  EXPECT_EQ(draw("a.svg", {"--against", "dfs", "--max-depth", "1"}).code, 2);
  EXPECT_EQ(draw("a.svg", {"--against", "bfs"}).code, 2);
  EXPECT_EQ(run_tool({"bfs", "pmpp", "-s", "0", "--against", "dfs"}).code, 2);
}

TEST_F(CliPicture, TwoStrategiesOnOnePage) {
  const auto draw_both = [&](const std::string& other, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"bfs",      "pmpp", "-s",        "0",   "--strategy", "pmpp-vertex-push",
                                   "--device", "sim",  "--against", other, "--picture",  folder_ / "both.html"};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  };
  ASSERT_EQ(draw_both("pmpp-vertex-pull", {"--param", "block=2"}).code, 0);
  const std::string both = text("both.html");
  for (const char* const words :
       {"<h1>pmpp-vertex-push beside pmpp-vertex-pull on pmpp, from 0</h1>", "<h3>pmpp-vertex-push</h3>",
        "<h3>pmpp-vertex-pull</h3>", "9 threads with an item, 2 at work, 5 looks, 5 labels",
        "9 threads with an item, 6 at work, 8 looks, 5 labels",
        // 2 + 5 + 8 looks of push; 14 + 8 + 1 of pull. Both have a step that finds nothing more.
        "<tr><td>pmpp-vertex-push</td><td>4</td><td>4</td><td>36</td><td>9</td><td>15</td><td>10</td></tr>",
        "<tr><td>pmpp-vertex-pull</td><td>4</td><td>4</td><td>36</td><td>15</td><td>23</td><td>8</td></tr>"})
    EXPECT_NE(both.find(words), std::string::npos) << words << both;
  // auto has no threads to show, and parameters of its own: the other's are left out.
  ASSERT_EQ(draw_both("auto", {"--param", "block=2"}).code, 0);
  EXPECT_NE(text("both.html").find("<tr><td>auto</td><td>"), std::string::npos);
  EXPECT_EQ(draw_both("pmpp-vertex-pul").code, 2);
  EXPECT_EQ(draw("a.svg", {"--against", "pmpp-vertex-pull"}).code, 2);
}

TEST_F(CliPicture, GridsAreDrawnAsGrids) {
  const auto drawing = run_tool({"bfs", "grid:4x3", "-s", "0", "--device", "cpu", "--picture", folder_ / "grid.svg"});
  ASSERT_EQ(drawing.code, 0) << drawing.err;
  EXPECT_EQ(text("grid.svg").find(">level 1</text>"), std::string::npos);
  ASSERT_EQ(
      run_tool({"bfs", "grid:4x3", "-s", "0", "--device", "cpu", "--layout", "levels", "--picture", folder_ / "rows.svg"}).code,
      0);
  EXPECT_NE(text("rows.svg").find(">level 1</text>"), std::string::npos);
}

TEST_F(CliPicture, ATimelineHasEveryLevelOfTheReport) {
  const auto report = run_tool({"bfs", "rmat:10,8", "--sources", "0,1", "--mode", "each", "--strategy", "cpu-direction",
                                "--explain", "--json", "--timeline", folder_ / "t.json"});
  ASSERT_EQ(report.code, 0) << report.err;
  const auto json = nlohmann::json::parse(report.out), trace = nlohmann::json::parse(text("t.json"));
  ASSERT_EQ(json.at("searches").size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& search = json.at("searches").at(i);
    double levels = 0, work = 0;
    std::size_t traced = 0;
    for (const auto& event : trace.at("traceEvents")) {
      if (event.at("ph") != "X" || event.at("tid") != i + 1) continue;
      if (event.at("args").contains("level")) {
        EXPECT_EQ(event.at("args").at("discovered"), search.at("trace").at(traced).at("discovered"));
        levels += double(event.at("dur")), ++traced;
      }
      if (event.at("name") == "search") work = event.at("args").at("work_ms");
    }
    double milliseconds = 0;
    for (const auto& level : search.at("trace")) milliseconds += double(level.at("milliseconds"));
    EXPECT_EQ(traced, search.at("trace").size());
    EXPECT_NEAR(levels, milliseconds * 1e3, 1e-6);
    EXPECT_DOUBLE_EQ(work, search.at("search_ms"));
  }
  ASSERT_EQ(run_tool({"bfs", "pmpp", "-s", "0", "--timeline", folder_ / "t.svg"}).code, 0);
  EXPECT_EQ(xml_fault(text("t.svg")), "");
}

TEST_F(CliPicture, AMapOfCoordinates) {
  const std::string roads = folder_ / "roads.gr", places = folder_ / "roads.co";
  spit(roads, "p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 5\na 3 2 5\n");
  const auto map = [&](const std::string& rows, std::vector<std::string> more = {}, const std::string& file = "map.svg") {
    spit(places, rows);
    std::vector<std::string> words{"bfs",          roads,           "-s",  "1", "--device", "cpu", "--picture",
                                   folder_ / file, "--coordinates", places};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  };
  // The same places: at a latitude of 60° a degree of longitude is half as long.
  ASSERT_EQ(map("c roads\np aux sp co 3\nv 1 0 60000000\nv 2 20000000 60000000\nv 3 40000000 60000000\n").code, 0);
  const std::string of_dimacs = text("map.svg");
  EXPECT_EQ(xml_fault(of_dimacs), "");
  EXPECT_NE(of_dimacs.find(">3 of 3 vertices reached, the farthest in 2 steps<"), std::string::npos) << of_dimacs;
  ASSERT_EQ(map("node,x,y\n3,20,0\n1,0,0\n9,5,5\n2,10,0\n").code, 0);
  EXPECT_EQ(text("map.svg"), of_dimacs);
  ASSERT_EQ(map("1 0 0\n2\t10 0\n3 20 0\n").code, 0);
  EXPECT_EQ(text("map.svg"), of_dimacs);
  ASSERT_EQ(map("p aux sp co 3\nv 1 0 60000000\nv 2 0 70000000\nv 3 20000000 60000000\n").code, 0);
  EXPECT_NE(text("map.svg"), of_dimacs);
  if (build_features().png) EXPECT_EQ(map("1 0 0\n2 10 0\n3 20 0\n", {}, "map.png").code, 0);
  const auto refused = [&](const std::string& rows, const std::string& id, const std::string& said) {
    const auto done = map(rows);
    EXPECT_EQ(done.code, 3) << rows << done.err;
    EXPECT_NE(done.err.find(id), std::string::npos) << done.err;
    EXPECT_NE(done.err.find(said), std::string::npos) << done.err;
  };
  refused("1 0 0\n3 2 0\n", "HW-COORDINATES-VERTEX", "no coordinates of 1 vertex, first of '2'");
  refused("", "HW-IO-EMPTY", "an empty file");
  refused("1 0 0\n2 b 0\n", "HW-COORDINATES-ROW", "roads.co:2:3");
  refused("1 0 0\n2 1\n", "HW-COORDINATES-ROW", "roads.co:2");
  refused("1 0 0 0\n", "HW-COORDINATES-ROW", "roads.co:1:7");
  refused("1 1e16 0\n", "HW-COORDINATES-ROW", "beyond 1e15");
  refused("p aux sp co 3\na 1 2 3\n", "HW-COORDINATES-ROW", "roads.co:2:1");
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--step", "1"}, {"--layout", "levels"}})
    EXPECT_EQ(map("1 0 0\n", more).code, 2);
  EXPECT_EQ(map("1 0 0\n", {}, "map.html").code, 2);
  EXPECT_EQ(run_tool({"bfs", roads, "-s", "1", "--coordinates", places}).code, 2);
}

TEST_F(CliPicture, GraphvizPlacesTheVertices) {
  std::string plain = "graph 1 8 2\n";
  for (int v = 0; v < 9; ++v) plain += "node " + std::to_string(v) + " " + std::to_string(v) + ".5 1 0.4 0.4 x\n";
  const std::string path = fake("dot", "cat >'" + (folder_ / "asked") + "'\ncat <<'E'\n" + plain + "stop\nE\n");
  ASSERT_EQ(draw("a.svg", {}, {path}).code, 0);
  const std::string by_dot = text("a.svg");
  EXPECT_EQ(xml_fault(by_dot), "");
  EXPECT_EQ(by_dot.find(">level 1</text>"), std::string::npos) << "rows are not dot's";
  EXPECT_NE(text("asked").find("0 -> 1"), std::string::npos);
  ASSERT_EQ(draw("b.svg", {"--layout", "levels"}, {path}).code, 0);
  EXPECT_NE(text("b.svg").find(">level 1</text>"), std::string::npos);
}

/// "6: level 2", as the tips of the first drawing's `size` vertices say -> where its circle stands.
std::map<std::string, std::pair<double, double>> circles(const std::string& svg, std::size_t size) {
  static const std::regex circle(R"x(cx="([0-9.]+)" cy="([0-9.]+)" r="15.0"><title>([^<]*)</title>)x");
  std::map<std::string, std::pair<double, double>> found;
  for (std::sregex_iterator at(svg.begin(), svg.end(), circle), end; at != end && found.size() < size; ++at)
    found.try_emplace((*at)[3], std::stod((*at)[1]), std::stod((*at)[2]));
  return found;
}

TEST_F(CliPicture, TheInstalledGraphvizPutsLevelsInRows) {
  const std::string installed = "PATH=/usr/local/bin:/usr/bin:/bin";
  if (std::system((installed + " command -v dot >/dev/null").c_str()) != 0)
    GTEST_SKIP() << "Graphviz's dot is not installed (Debian: graphviz)";
  for (const char* const layout : {"dot", "auto"}) {
    const auto drawing = draw("a.svg", {"--layout", layout}, {installed});
    ASSERT_EQ(drawing.code, 0) << drawing.err;
    EXPECT_EQ(xml_fault(text("a.svg")), "");
    EXPECT_EQ(text("a.svg").find(">level 1</text>"), std::string::npos) << "rows are not dot's";
    const auto at = circles(text("a.svg"), 9);
    ASSERT_EQ(at.size(), 9u);
    std::map<std::string, double> row;  // of a level
    std::set<std::pair<double, double>> places;
    for (const auto& [name, place] : at) {
      EXPECT_EQ(row.try_emplace(name.substr(name.find("level")), place.second).first->second, place.second) << name;
      EXPECT_TRUE(places.insert(place).second) << name << " stands on another vertex";
    }
    ASSERT_EQ(row.size(), 4u);
    double above = 0;
    for (const auto& [level, height] : row) {
      EXPECT_GT(height, above) << level;
      above = height;
    }
  }
  EXPECT_EQ(draw("n.svg", {"--layout", "neato"}, {installed}).code, 0);
  EXPECT_EQ(circles(text("n.svg"), 9).size(), 9u);
  // What no path leads to stands below the deepest level.
  ASSERT_EQ(run_tool({.words = {"bfs", "chain:3", "-s", "1", "--layout", "dot", "--direction", "out", "--picture",
                                folder_ / "u.svg", "--device", "cpu", "--max-depth", "0"},
                      .environment = {installed}})
                .code,
            0);
  const auto some = circles(text("u.svg"), 3);
  ASSERT_EQ(some.size(), 3u);
  for (const auto& [name, place] : some)
    EXPECT_TRUE(name == "1: level 0" || place.second > some.at("1: level 0").second) << name;
}

TEST_F(CliPicture, WithoutGraphvizLevelsStandInRows) {
  for (const char* const script : {"exit 1\n", "cat >/dev/null; echo node 99 1 1\n", "exec cat\n", "kill -9 $$\n"}) {
    const std::string path = fake("dot", script);
    ASSERT_EQ(draw("a.svg", {}, {path}).code, 0) << script;
    EXPECT_NE(text("a.svg").find(">level 1</text>"), std::string::npos) << script;
    const auto asked = draw("b.svg", {"--layout", "dot"}, {path});
    EXPECT_EQ(asked.code, 2) << script;
    EXPECT_NE(asked.err.find("HW-PICTURE-GRAPHVIZ"), std::string::npos) << asked.err;
  }
  const auto absent = draw("c.svg", {"--layout", "neato"}, {"PATH=" + (folder_ / "nothing")});
  EXPECT_EQ(absent.code, 2);
  EXPECT_NE(absent.err.find("HW-PICTURE-GRAPHVIZ"), std::string::npos) << absent.err;
}

}  // namespace of_cli_picture_test
}  // namespace hopwave::test
