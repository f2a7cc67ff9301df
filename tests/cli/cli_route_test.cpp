// hopwave route as a program: what it prints and writes, and its exit codes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/refused.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_route_test {

using nlohmann::json;

TEST(CliRoute, PrintsWritesAndDraws) {
  const Folder folder;
  const std::string maze = folder / "maze.txt";
  spit(maze, "S.#.\n..#.\n....\n#..E\n");
  const auto run = run_tool(
      {"route", maze, "--fewest-bends", "--format", "segments", "--picture", folder / "a.svg", "--animate", folder / "b.html"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "0\t0\t0\t2\n0\t2\t3\t2\n3\t2\t3\t3\n");
  EXPECT_EQ(folder.files(), 3u);
  const auto document = json::parse(run_tool({"route", maze, "--json"}).out);
  EXPECT_EQ(document["schema"], "hopwave-route/1");
  EXPECT_EQ(document["length"], 6);
  EXPECT_EQ(document["branches"][0].size(), 7u);
  EXPECT_EQ(run_tool({"route", maze, "-o", folder / "c.json"}).code, 0);
  EXPECT_EQ(json::parse(slurp(folder / "c.json"))["steps"], 6);
  EXPECT_EQ(json::parse(run_tool({"route", maze, "--moves", "8", "--json"}).out)["metric"], "octile");
  // Nearly every cell lies on a shortest way; few of them are looked at.
  const json open =
      json::parse(run_tool({"route", "random:200x200,0", "--moves", "8", "--from", "1,1", "--to", "198,150", "--json"}).out);
  EXPECT_EQ(open["steps"], 197);
  EXPECT_LT(open["reached"], 1000);
}

TEST(CliRoute, RefusesEndingsThatItDoesNotKnow) {
  const Folder folder;
  const std::string maze = folder / "maze.txt";
  spit(maze, "S.E\n");
  expect_refused({"route", maze, "-o", folder / "a.xml"}, 2, "HW-FORMAT-WRITE", ".txt, .tsv, .json");
  EXPECT_EQ(folder.files(), 1u) << "nothing was written";
  for (const char* name : {"a", "a.txt", "a.tsv"}) {
    EXPECT_EQ(run_tool({"route", maze, "-o", folder / name}).code, 0) << name;
    EXPECT_EQ(slurp(folder / name), "0\t0\n1\t0\n2\t0\n") << name;
  }
  EXPECT_EQ(run_tool({"route", maze, "--format", "cells", "-o", folder / "a.xml"}).code, 0) << "--format decides";
}

TEST(CliRoute, OnADevice) {
  const Folder folder;
  const std::string maze = "maze:63x63,5", open = folder / "open.map", scen = folder / "open.scen";
  const auto cpu = json::parse(run_tool({"route", maze, "--device", "cpu", "--json"}).out);
  const auto run = run_tool({"route", maze, "--device", "sim", "--json", "--picture", folder / "sim.svg"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto sim = json::parse(run.out);
  EXPECT_EQ(sim["method"], "tiles");
  EXPECT_NE(sim["device"], "cpu");
  EXPECT_EQ(sim["length"], cpu["length"]);
  EXPECT_EQ(sim["branches"], cpu["branches"]) << "between two cells of such a maze there is one way only";
  EXPECT_EQ(run_tool({"route", maze, "--device", "cpu", "--picture", folder / "cpu.svg"}).code, 0);
  EXPECT_EQ(slurp(folder / "sim.svg"), slurp(folder / "cpu.svg")) << "the same wavefront";
  EXPECT_EQ(run_tool({"route", "random:40x40,99,3", "--from", "0,0", "--to", "1,1", "--device", "sim"}).code, 3);  // walls
  EXPECT_EQ(run_tool({"route", "maze:63", "--device", "sim"}).code, 2);
  EXPECT_EQ(run_tool({"route", maze, "--device", "sim", "--fewest-bends"}).code, 2);
  EXPECT_EQ(run_tool({"route", maze, "--device", "sim", "--method", "queue"}).code, 2);
  EXPECT_EQ(run_tool({"route", maze, "--device", "sim", "--moves", "8"}).code, 2);
  spit(open, "type octile\nheight 1\nwidth 3\nmap\n...\n");
  spit(scen, "version 1\n0 open.map 3 1 0 0 2 0 2\n0 open.map 3 1 2 0 1 0 1\n");
  const auto check = json::parse(run_tool({"route", open, "--scen", scen, "--check", "--device", "sim", "--json"}).out);
  EXPECT_EQ(check["wrong"].size(), 0u);
  EXPECT_GT(check["device_hops_per_second"], 0);
}

TEST(CliRoute, ExitCodesSayWhatHappened) {
  const Folder folder;
  const std::string closed = folder / "closed.txt", open = folder / "open.map", scen = folder / "open.scen";
  spit(closed, "S.#E\n");
  const auto none = run_tool({"route", closed});
  EXPECT_EQ(none.code, 1);
  EXPECT_NE(none.err.find("2 of 3 free cells"), std::string::npos) << none.err;
  spit(open, "type octile\nheight 1\nwidth 3\nmap\n...\n");
  EXPECT_EQ(run_tool({"route", open}).code, 3);  // no start
  EXPECT_EQ(run_tool({"route", open, "--from", "0,0", "--to", "9,0"}).code, 3);
  EXPECT_EQ(run_tool({"route", open, "--from", "0,0", "--to", "2,0"}).out, "0\t0\n1\t0\n2\t0\n");
  for (const std::string& bad : {"0", "0,", "0,0,0,0", "a,b", "-1,0"})
    EXPECT_EQ(run_tool({"route", open, "--from=" + bad, "--to", "2,0"}).code, 2) << bad;
  for (const std::string& far : {"4294967296,0", "0,4294967296", "0,0,4294967296", "99999999999999999999,0"})
    EXPECT_EQ(run_tool({"route", open, "--from=" + far, "--to", "2,0"}).code, 3) << far;
  for (const char* moves : {"4", "8"})
    EXPECT_EQ(run_tool({"route", open, "--from", "1,0", "--to", "1,0", "--moves", moves}).out, "1\t0\n") << moves;
  EXPECT_EQ(run_tool({"route", open, "--from", "0,0", "--to", "2,0", "-o", folder / "r.tsv.gz"}).code, 0);
  EXPECT_EQ(run_shell("gzip -dc " + (folder / "r.tsv.gz")).out, "0\t0\n1\t0\n2\t0\n");
  EXPECT_EQ(run_tool({"route", open, "--check"}).code, 2);
  spit(scen, "version 1\n0 open.map 3 1 0 0 2 0 2\n");
  EXPECT_EQ(run_tool({"route", open, "--scen", scen, "--check"}).code, 0);
  EXPECT_EQ(run_tool({"route", open, "--scen", scen, "--scenario", "2"}).code, 2);
  EXPECT_EQ(run_tool({"route", open, "--scen", scen}).code, 2);
  spit(scen, "version 1\n0 open.map 3 1 0 0 2 0 2.5\n");
  const auto wrong = run_tool({"route", open, "--scen", scen, "--check"});
  EXPECT_EQ(wrong.code, 5);
  EXPECT_NE(wrong.out.find(":2: octile length is 2, expected 2.5"), std::string::npos) << wrong.out;
}

TEST(CliRoute, NetlistsAreRoutedAndFailuresNamed) {
  const Folder folder;
  const std::string nets = folder / "nets.in", solution = folder / "solution";
  spit(nets, "grid 2 1\ncapacity 1\nnum net 2\n0 0 0 1 0\n1 0 0 1 0\n");
  const auto plain = run_tool({"route", nets, "--sequential", "-o", solution});
  EXPECT_EQ(plain.code, 1);
  EXPECT_NE(plain.out.find("1: 1"), std::string::npos) << plain.out;  // one unrouted net: "1"
  EXPECT_EQ(slurp(solution), "0 0\n(0,0,1)-(1,0,1)\n!\n1 1\n!\n");
  EXPECT_EQ(run_tool({"route", nets, "--sequential", "-o", folder / "s.gz"}).code, 1);
  EXPECT_EQ(run_shell("gzip -dc " + (folder / "s.gz")).out, slurp(solution));
  const auto run = run_tool({"route", nets, "--json", "--rounds", "3"});
  EXPECT_EQ(run.code, 1);
  const auto document = json::parse(run.out);
  EXPECT_EQ(document["schema"], "hopwave-route-nets/1");
  EXPECT_EQ(document["overflow"], 1);
  EXPECT_EQ(document["congested"].size(), 2u);
  EXPECT_EQ(run_tool({"route", nets, "--moves", "8"}).code, 2);
  EXPECT_EQ(run_tool({"route", nets, "--rounds", "3", "--picture", folder / "nets.svg"}).code, 1);
  EXPECT_NE(slurp(folder / "nets.svg").find("2 nets routed on 2 × 1 tiles"), std::string::npos);
  EXPECT_EQ(run_tool({"route", nets, "--picture", folder / "nets.gif"}).code, 2);
  EXPECT_EQ(run_tool({"route", nets, "--animate", folder / "nets.svg"}).code, 2);
  EXPECT_EQ(run_tool({"route", nets, "--rounds", "3", "--animate", folder / "nets.html"}).code, 1);
  const std::string rounds = slurp(folder / "nets.html");
  for (const char* const words : {"<section id=\"round-1\">", "<section id=\"round-3\">",
                                  "Round 1: overflow 1, at most 1 on an edge, 2 nets there; wirelength 2 (the answer)"})
    EXPECT_NE(rounds.find(words), std::string::npos) << words << rounds;
  EXPECT_EQ(rounds.find("round-4"), std::string::npos);
  spit(nets, "S.E\n");
  EXPECT_EQ(run_tool({"route", nets, "--sequential"}).code, 2);
}

// A pipe can be read only once, by what looks what it is.
TEST(CliRoute, StreamsAreRecognised) {
  const Folder folder;
  const std::string text = "#S.\n..E\n", nets = "grid 2 1\ncapacity 1\nnum net 1\n0 0 0 1 0\n";
  spit(folder / "maze.txt", text);
  spit(folder / "nets.in", nets);
  const std::string route = run_tool({"route", folder / "maze.txt"}).out;
  EXPECT_EQ(route, "1\t0\n2\t0\n2\t1\n");
  EXPECT_EQ(run_tool({"route", "-"}, text).out, route);
  EXPECT_EQ(run_shell("cat " + (folder / "maze.txt") + " | $HOPWAVE route /dev/stdin").out, route);
  EXPECT_EQ(run_shell("gzip -c " + (folder / "maze.txt") + " | $HOPWAVE route -").out, route);
  for (const std::string& line : {"cat " + (folder / "nets.in") + " | $HOPWAVE route - -o -",
                                  "cat " + (folder / "nets.in") + " | $HOPWAVE route /dev/stdin -o -",
                                  "gzip -c " + (folder / "nets.in") + " | $HOPWAVE route - --input-format netlist -o -"}) {
    const auto run = run_shell(line);
    EXPECT_EQ(run.code, 0) << line << run.err;
    EXPECT_EQ(run.out, "0 0\n(0,0,1)-(1,0,1)\n!\n") << line;
  }
}

}  // namespace of_cli_route_test
}  // namespace hopwave::test
