// What a caller may write: switches, values, ranges, names; what is refused, with which words, and before which work.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "support/refused.h"

namespace hopwave::test {
namespace of_cli_usage_test {

using nlohmann::json;

TEST(CliUsage, SwitchesMeanWhatTheySay) {
  const Folder folder;
  const std::string file = folder / "g.txt";
  spit(file, "0 1\n1 2\n");
  const auto rows = [&](const Words& more) {
    Words words{"bfs", file, "-s", "2", "-o", "-"};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words).out;
  };
  const std::string along = "0\t-1\n1\t-1\n2\t0\n", both = "0\t2\n1\t1\n2\t0\n";
  EXPECT_EQ(rows({"--undirected"}), both);
  EXPECT_EQ(rows({"--undirected=true"}), both);
  EXPECT_EQ(rows({"--undirected=false"}), along);
  EXPECT_EQ(rows({"--json=false"}), along);
  EXPECT_EQ(rows({"--help=false"}), along);
  EXPECT_EQ(rows({"-q", "--quiet"}), along);
  EXPECT_TRUE(json::accept(run_tool({"bfs", "pmpp", "-s", "0", "--json=true"}).out));
  EXPECT_FALSE(json::accept(run_tool({"bfs", "pmpp", "-s", "0", "--json=false"}).out));
  for (const char* word : {"--verify=0", "--verify=1", "--verify=maybe", "--json=no", "--undirected=TRUE"})
    expect_refused({"bfs", "pmpp", "-s", "0", word}, 2, "HW-USAGE-VALUE", "true or false");
  expect_refused({"bfs", "pmpp", "-s", "0", "--verify="}, 2, "HW-USAGE-VALUE", "--verify is empty");
  expect_refused({"bfs", "pmpp", "-s", "0", "--verify", "--verify=false"}, 2, "HW-USAGE-OPTION", "true and as false");
  const auto error = run_tool({"bfs", "pmpp", "-s", "0", "--json=true", "--nonsense"});
  EXPECT_TRUE(json::accept(error.out)) << error.out;
}

TEST(CliUsage, EmptyAndRepeatedValuesAreRefused) {
  const Words start{"bfs", "chain:3", "-s", "0"};
  for (const Words& more :
       {Words{"-o", ""}, {"--target", ""}, {"--target="}, {"--sources", ""}, {"--format", ""}, {"-s", ""}}) {
    Words words = start;
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, 2, "HW-USAGE-VALUE", "is empty");
  }
  expect_refused({"bfs", "", "-s", "0"}, 2, "HW-USAGE-VALUE", "GRAPH is empty");
  expect_refused({"bfs", "chain:3", "-s"}, 2, "HW-USAGE-VALUE", "--source has no value");
  expect_refused({"info", "chain:3", "--spy"}, 2, "HW-USAGE-VALUE", "--spy has no value");
  expect_refused({"convert", "chain:3", "-"}, 2, "HW-FORMAT-WRITE", "name the format with --to");
  expect_refused({"gen", "-o", "x"}, 2, "HW-USAGE-MISSING", "no SPEC");
  expect_refused({"bfs", "chain:3", "-s", "0", "--max-depth", "1", "--max-depth", "2"}, 2, "HW-USAGE-OPTION", "2 times");
  expect_refused({"bfs", "chain:3", "-s", "0", "-o", "a", "--output=b"}, 2, "HW-USAGE-OPTION", "2 times");
  EXPECT_EQ(run_tool({"bfs", "chain:3", "-s", "0", "-s", "1"}).code, 0);  // this one may stand several times
}

/// A graph that would take minutes: what cannot be written is told before it is made.
TEST(CliUsage, OutputsAreLookedAtBeforeTheWork) {
  const Folder folder;
  const std::string missing = folder / "no/x", file = folder / "file", graph = "complete:200000";
  spit(file, "");
  for (const Words& words : {Words{"bfs", graph, "-s", "0", "--allow-huge", "-o", missing},
                             {"reach", graph, "-s", "0", "--allow-huge", "-o", missing},
                             {"cc", graph, "--allow-huge", "-o", missing},
                             {"path", graph, "0", "1", "--allow-huge", "-o", missing},
                             {"convert", graph, missing, "--allow-huge"},
                             {"gen", graph, "--allow-huge", "-o", missing},
                             {"info", graph, "--allow-huge", "--spy", missing + ".png"},
                             {"bench", graph, "--allow-huge", "--export-json", missing},
                             {"route", "maze:9001x9001", "--picture", missing + ".png"},
                             {"tune", graph, "--allow-huge", "-o", file + "/x/y"},
                             {"bfs", graph, "-s", "0", "--allow-huge", "-o", file + "/x"}}) {
    expect_refused(words, 3, "HW-IO-WRITE", "cannot create");
  }
  expect_refused({"bfs", graph, "-s", "0", "--allow-huge", "-o", folder / ""}, 3, "HW-IO-WRITE", "directory");
}

TEST(CliUsage, NumbersOutOfRangeAreNoQuestionOfMemory) {
  for (const char* spec :
       {"grid:65536x65536", "chain:4294967295", "rmat:40,16", "complete:99999999", "streets:65536", "tree:31"}) {
    expect_refused({"estimate", spec}, 2, "HW-GEN-RANGE", spec);
    expect_refused({"bfs", spec, "-s", "0"}, 2, "HW-GEN-RANGE", spec);
    expect_refused({"gen", spec, "-o", "-", "--to", "edge-list"}, 2, "HW-GEN-RANGE", spec);
  }
  expect_refused({"estimate", "rmat:x"}, 2, "HW-GEN-SPEC", "a whole number");
  const auto refused = run_tool({"bfs", "rmat:31,4096", "-s", "0"});
  EXPECT_EQ(refused.code, 4);
  EXPECT_TRUE(holds(refused.err, "TiB of memory needed and")) << refused.err;
  const Folder folder;
  expect_refused({"convert", "chain:5", folder / "x.txt", "--level", "10"}, 2, "HW-USAGE-OPTION", "not compressed");
  expect_refused({"convert", "chain:5", folder / "x.txt.gz", "--level", "10"}, 2, "HW-USAGE-VALUE", "1 to 9");
  EXPECT_EQ(run_tool({"convert", "chain:5", folder / "x.txt.gz", "--level", "9"}).code, 0);
  EXPECT_EQ(folder.files(), 1u);
}

TEST(CliUsage, ScansAndLists) {
  const auto bench = [](const std::string& option, const std::string& value) {
    expect_refused({"bench", "chain:10", "--device", "cpu", option, value}, 2, "HW-USAGE-VALUE", option);
  };
  bench("--strategy", ",");
  for (const char* scan : {"alpha=1..100..0", "alpha=1..100..-1", "alpha=0..8", "alpha=9..8", "alpha=1..100000..1", "alpha="})
    bench("--parameter-scan", scan);
  const auto values = [](const std::string& scan) {
    std::string text;
    const auto run = run_tool({"bench", "chain:10", "--strategy", "cpu-direction", "--runs", "1", "--sources", "1", "--json",
                               "--parameter-scan", scan});
    const auto document = json::parse(run.out);
    for (const auto& m : document["measurements"]) text += m["parameters"]["alpha"].dump() + " ";
    return text;
  };
  EXPECT_EQ(values("alpha=1..9"), "1 2 4 8 ");
  EXPECT_EQ(values("alpha=1..9..4"), "1 5 9 ");
  EXPECT_EQ(values("alpha=3..3"), "3 ");
}

TEST(CliUsage, SlipsInSpecsAreUnderstood) {
  expect_refused({"bfs", "gird:4x4", "-s", "0"}, 3, "HW-IO-OPEN", "did you mean 'grid:4x4'?");
  expect_refused({"info", "rmta:20"}, 3, "HW-IO-OPEN", "did you mean 'rmat:20'?");
  expect_refused({"estimate", "rmta:20"}, 3, "HW-IO-OPEN", "did you mean 'rmat:20'?");
  expect_refused({"gen", "rmta:20", "-o", "x"}, 2, "HW-GEN-SPEC", "did you mean 'rmat:20'?");
  EXPECT_FALSE(holds(run_tool({"info", "c:no-such-file"}).err, "did you mean"));
}

TEST(CliUsage, FilesThatAreNoMeasurements) {
  const Folder folder;
  const std::string file = folder / "x.json", page = folder / "page.html";
  for (const char* text : {"# hopwave", "{\"schema\": \"hopwave-bench/1\"}", "[1]", "{\"a\": [1, 2]}", "{}"}) {
    spit(file, text);
    expect_refused({"report", file, "-o", page}, 3, "HW-BENCH-FILE", file);
    EXPECT_FALSE(holds(run_tool({"report", file, "-o", page}).err, "exception")) << text;
  }
}

/// A toy teaches how long launches take, not what its class likes: auto would heed it on every large graph.
TEST(CliUsage, TuneKeepsNothingThatAToyTaught) {
  const Folder folder;
  const std::string config = folder / "config";
  const auto tune = [&](const std::string& more) {
    return run_shell("XDG_CONFIG_HOME=" + config + " $HOPWAVE tune pmpp --strategy cpu-direction --runs 1 --sources 1" + more);
  };
  const auto toy = tune("");
  EXPECT_EQ(toy.code, 0) << toy.err;
  EXPECT_TRUE(holds(toy.err, "note: not kept")) << toy.err;
  EXPECT_FALSE(std::filesystem::exists(config + "/hopwave/tuning.json"));
  EXPECT_TRUE(json::parse(tune(" --json").out)["file"].is_null());
  EXPECT_EQ(tune(" -o " + (folder / "kept.json")).code, 0);
  EXPECT_EQ(json::parse(slurp(folder / "kept.json"))["entries"].size(), 1u);
}

/// What takes long says so on a terminal, whatever it is; what is told is another matter than who works.
TEST(CliUsage, LongWorkShowsThatTimePasses) {
  if (!have("script") || run_shell("script -qec true /dev/null").code != 0)
    GTEST_SKIP() << "no pseudo-terminal can be had here";
  const auto shown = [](const std::string& words) {
    return run_shell("TERM=xterm HOPWAVE_TICKS=1 script -qec \"$HOPWAVE " + words + "\" /dev/null").out;  // in ticks at once
  };
  const std::string load = shown("cc rmat:12,8");
  EXPECT_TRUE(holds(load, "generating rmat:12,8, ")) << load;
  EXPECT_TRUE(holds(load, " so far")) << load;
  EXPECT_TRUE(holds(load, "\r\033[K")) << load;  // and is wiped
  const std::string info = shown("info streets:30");
  EXPECT_TRUE(holds(info, "\rexact diameter ")) << info;
  const std::string bench = shown("bench rmat:8 --strategy cpu-sequential --sources 1 --runs 20");
  EXPECT_TRUE(holds(bench, "\rcpu-sequential on rmat:8 run ") && holds(bench, " left")) << bench;
  EXPECT_FALSE(holds(shown("cc rmat:12,8 -q"), "generating"));
}

/// Names come from files: what would steer the terminal is shown, never sent.
TEST(CliUsage, NamesAreShownWithoutControlCharacters) {
  const Folder folder;
  const std::string file = folder / "g.csv", evil = "a\x1b[31m";
  spit(file, "\"" + evil + "\",\"b\"\n\"b\",\"c\"\n");
  for (const Words& words : {Words{"bfs", file, "-s", evil},
                             {"cc", file},
                             {"path", file, evil, "c"},
                             {"path", file, "c", evil},
                             {"bfs", file, "-s", "\x1b[2J"},
                             {"bfs", "\x1b[2J", "-s", "0"},
                             {"bfs", file, "--\x1b[2J"}}) {
    const auto run = run_tool(words);
    EXPECT_FALSE(holds(run.out + run.err, "\x1b")) << words[0] << run.out << run.err;
    EXPECT_TRUE(holds(run.out + run.err, "\\x1b")) << words[0] << run.out << run.err;
  }
  EXPECT_TRUE(holds(run_tool({"bfs", file, "-s", "b\nerror: x"}).err, "'b\\nerror: x'"));
  EXPECT_EQ(json::parse(run_tool({"path", file, evil, "c", "--json"}).out)["from"], evil);
}

TEST(CliUsage, PairsNetsAndHistoriesAreShownWithoutControlCharacters) {
  const Folder folder;
  const std::string file = folder / "g.csv", pairs = folder / "pairs", nets = folder / "nets.in", old = folder / "old.hwg";
  const std::string evil = "a\x1b[31m", rows = evil + "\tb\t1\nb\t" + evil + "\t-1\n";
  spit(file, "\"" + evil + "\",\"b\"\n");
  spit(pairs, evil + "\tb\nb\t" + evil + "\n");
  spit(nets, "grid 2 1\nvertical capacity 1\nhorizontal capacity 1\nnum net 2\n\x1b[1m 0 2\n0 0\n1 0\n\x1b[2m 1 2\n0 0\n1 0\n");
  EdgeList list = generate("chain:2");
  list.report.format = "edge-list";
  list.report.details = "tab \x1b[31m";
  write_graph(build_graph(std::move(list)), old);
  const auto shown = [&](const Words& words) {
    const auto run = run_tool(words);
    EXPECT_FALSE(holds(run.out + run.err, "\x1b")) << words[0] << run.out << run.err;
    EXPECT_TRUE(holds(run.out + run.err, "\\x1b")) << words[0] << run.out << run.err;
  };
  shown({"path", file, "--pairs", pairs});
  shown({"path", file, "--pairs", pairs, "--weights"});
  shown({"route", nets});
  shown({"route", nets, "--sequential"});
  shown({"cc", old});
  shown({"convert", "chain:2", folder / "\x1b[31m.txt"});
  shown({"gen", "chain:2", "-o", folder / "\x1b[31m.txt"});
  for (const Words& more : {Words{}, {"--weights"}}) {
    Words words{"path", file, "--pairs", pairs, "-o", "-"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run_tool(words).out, rows);
  }
}

TEST(CliUsage, ByteOrderMarksBeforeIdsArePassedOver) {
  const Folder folder;
  const std::string ids = folder / "ids", pairs = folder / "pairs", mark = "\xEF\xBB\xBF";
  spit(ids, mark + "0\r\n");
  spit(pairs, mark + "0 2\r\n");
  EXPECT_EQ(run_tool({"bfs", "chain:3", "-s", "2", "--direction", "in", "--without", ids, "-o", "-"}).out,
            "0\t-1\n1\t1\n2\t0\n");
  EXPECT_EQ(run_tool({"path", "chain:3", "--pairs", pairs}).out, "0\t2\t2\n");
  EXPECT_EQ(run_tool({"betweenness", "chain:3", "--sources-file", ids, "--targets-file", ids}).code, 0);
  spit(ids, mark);
  EXPECT_EQ(run_tool({"bfs", "chain:3", "-s", "2", "--without", ids}).code, 0);
}

TEST(CliUsage, ARepeatedSourceCountsOnce) {
  for (const Words& start : {Words{"bfs"}, {"reach"}, {"sssp"}, {"explain", "--strategy", "pmpp-frontier"}}) {
    Words words = start;
    for (const char* word : {"pmpp", "-s", "3", "--sources", "1,3,1", "--json", "-q"}) words.emplace_back(word);
    const auto run = run_tool(words);
    ASSERT_EQ(run.code, 0) << words[0] << run.err;
    const json found = json::parse(run.out);
    const json& sources = found.contains("searches") ? found["searches"][0]["sources"] : found["sources"];
    EXPECT_EQ(sources, json::array({3, 1})) << words[0];
  }
}

TEST(CliUsage, PackedAndCapitalEndingsSayHwgToo) {
  const Folder folder;
  for (const char* name : {"q.hwg.gz", "q.hwg.zst", "q.HWG"}) {
    const std::string file = folder / name;
    EXPECT_EQ(run_tool({"convert", "pmpp", file}).code, 0) << name;
    const auto whole = std::filesystem::file_size(file);
    const auto half = run_tool({"convert", "pmpp", file, "--no-in"});
    EXPECT_EQ(half.code, 0) << name << half.err;
    EXPECT_LT(std::filesystem::file_size(file), whole) << name;
    const auto prepared = run_tool({"convert", "pmpp", file, "--prepare", "--device", "sim"});
    EXPECT_EQ(prepared.code, 0) << name << prepared.err;
    const auto search = run_tool({"bfs", file, "-s", "maxdeg", "--prepare", "--device", "sim", "--verify"});
    EXPECT_EQ(search.code, 0) << name << search.err;
  }
  expect_refused({"convert", "pmpp", folder / "q.txt.gz", "--no-in"}, 2, "HW-USAGE-OPTION", "--no-in");
}

/// From 0 to 2^64 - 1, wherever one may be given.
TEST(CliUsage, SeedsAreUnsigned) {
  const std::string most = "18446744073709551615";
  for (const Words& call : {Words{"bfs", "rmat:6,4", "-s", "random:2"},
                            {"cc", "rmat:6,4"},
                            {"sssp", "chain:4", "-s", "0"},
                            {"explain", "pmpp", "-s", "0", "--strategy", "pmpp-edge"}}) {
    const auto with = [&](const std::string& seed) {
      Words words = call;
      words.insert(words.end(), {"--seed", seed});
      return words;
    };
    EXPECT_EQ(run_tool(with("0")).code, 0);
    EXPECT_EQ(run_tool(with(most)).code, 0);
    for (const char* wrong : {"-1", "18446744073709551616", "1.5"})
      expect_refused(with(wrong), 2, "HW-USAGE-VALUE", "a whole number from 0 to " + most);
  }
  EXPECT_EQ(run_tool({"bfs", "rmat:6,4", "-s", "random:1@" + most}).out.substr(0, 4),
            run_tool({"bfs", "rmat:6,4", "-s", "random:1", "--seed", most}).out.substr(0, 4));
  expect_refused({"bfs", "rmat:6,4", "-s", "random:1@-1"}, 2, "HW-USAGE-SOURCE", "random:COUNT@SEED");
}

TEST(CliUsage, ParametersAreWholeNumbers) {
  expect_refused({"bfs", "pmpp", "-s", "0", "--param", "block=9223372036854775808"}, 2, "HW-USAGE-VALUE", "below 2^63");
  for (const char* device : {"cpu", "sim"})
    expect_refused({"sssp", "chain:4", "-s", "0", "--device", device, "--param", "blocks=1"}, 2, "HW-PARAM-UNKNOWN", "blocks");
  EXPECT_EQ(run_tool({"sssp", "chain:4", "-s", "0", "--device", "cpu", "--param", "block=64"}).code, 0);
  expect_refused({"explain", "pmpp", "-s", "0", "--strategy", "pmpp-edge", "--param", "block=x"}, 2, "HW-USAGE-VALUE",
                 "strategies show pmpp-edge");
}

/// Parallel arcs add up there, and loops carry nothing: no option says anything about them.
TEST(CliUsage, FlowKeepsEveryArc) {
  EXPECT_EQ(run_tool({"flow", "--help"}).out.find("--keep-"), std::string::npos);
  EXPECT_NE(run_tool({"kcore", "--help"}).out.find("--keep-"), std::string::npos);
  const Folder folder;
  const std::string edges = folder / "edges.txt";
  spit(edges, "7 9\n7 9\n9 9\n");
  EXPECT_EQ(json::parse(run_tool({"flow", edges, "--directed", "-s", "7", "--target", "9", "--json"}).out)["flow"], 2);
  expect_refused({"flow", edges, "--directed", "-s", "9", "--target", "9"}, 3, "HW-QUERY-TARGET", "the target 9");
  expect_refused({"flow", edges, "--directed", "-s", "7", "--target", "9", "--explain", "--device", "sim"}, 2,
                 "HW-OPTION-VALUE", "--explain");
}

/// A file of DIMACS names both ends; the caller may name others.
TEST(CliUsage, TheFileOfAFlowNamesItsEnds) {
  const Folder folder;
  const std::string network = folder / "net.max", half = folder / "half.max", stored = folder / "net.hwg";
  const std::string arcs = "a 1 2 3\na 1 2 4\na 2 3 5\na 3 1 1\n";
  spit(network, "p max 3 4\nn 1 s\nn 3 t\n" + arcs);
  spit(half, "p max 3 4\nn 1 s\n" + arcs);
  const auto value = [](std::vector<std::string> words) {
    words.insert(words.begin(), "flow");
    words.emplace_back("--json");
    const json found = json::parse(run_tool(words).out);
    return std::to_string(found["source"].get<int>()) + " to " + std::to_string(found["target"].get<int>()) + ": " +
           std::to_string(found["flow"].get<int>());
  };
  EXPECT_EQ(value({network}), "1 to 3: 5");
  EXPECT_EQ(value({network, "--target", "2"}), "1 to 2: 7");
  EXPECT_EQ(value({network, "-s", "2"}), "2 to 3: 5");
  EXPECT_EQ(value({half, "--target", "3"}), "1 to 3: 5");
  EXPECT_EQ(value({"gridcut:8x8", "--strategy", "dinic"}), value({"gridcut:8x8", "-s", "0", "--target", "65"}));
  EXPECT_EQ(run_tool({"convert", network, stored, "-q"}).code, 0);
  EXPECT_EQ(value({stored}), "1 to 3: 5") << "a .hwg keeps what the file names, and parallel arcs";
  const std::string written = folder / "out.max";
  const auto ends = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"convert", "-q"});
    EXPECT_EQ(run_tool(words).code, 0);
    return slurp(written).substr(0, slurp(written).find("a "));
  };
  for (const std::string& input : {network, stored})
    EXPECT_EQ(ends({input, written}), "p max 3 4\nn 1 s\nn 3 t\n") << "both ends are kept";
  EXPECT_EQ(ends({network, written, "--source", "2"}), "p max 3 4\nn 2 s\nn 3 t\n");
  EXPECT_EQ(ends({half, written, "--target", "2"}), "p max 3 4\nn 1 s\nn 2 t\n");
  EXPECT_EQ(run_tool({"gen", "gridcut:8x8", "-o", written, "-q"}).code, 0);
  EXPECT_EQ(value({written}), "1 to 66: " + value({"gridcut:8x8"}).substr(9)) << "a generator names ends, too";
  expect_refused({"convert", half, written}, 2, "HW-WRITE-FLOW", "without a target");
  expect_refused({"convert", "chain:4", written, "--target", "2"}, 2, "HW-WRITE-FLOW", "without a source");
  expect_refused({"convert", network, folder / "out.gr", "--source", "2"}, 2, "HW-USAGE-OPTION", "--source");
  EXPECT_NE(run_tool({"info", network}).out.find("maximum flow from 1 to 3"), std::string::npos);
  expect_refused({"flow", network, "-s", "3"}, 3, "HW-QUERY-TARGET", "the target 3");
  expect_refused({"flow", half}, 2, "HW-QUERY-TARGET", "n ID t");
  expect_refused({"flow", "chain:4", "-s", "0"}, 2, "HW-QUERY-TARGET", "no target");
  expect_refused({"flow", "chain:4", "--target", "0"}, 2, "HW-USAGE-SOURCE", "no source");
  spit(half, "p max 3 4\nn 1 s\nn 1 t\n" + arcs);
  expect_refused({"flow", half}, 3, "HW-GR-LINE", "half.max:3");
  spit(half, "p max 3 4\nn 1 s\nn 3 t\nn 2 t\n" + arcs);
  expect_refused({"flow", half}, 3, "HW-GR-LINE", "half.max:4");
}

/// As DIMACS has solutions: vertices are numbered from 1 on.
TEST(CliUsage, FlowsAreWrittenAsDimacsHasThem) {
  const Folder folder;
  const std::string network = folder / "net.max", flow = folder / "net.flow", people = folder / "people.txt";
  spit(network, "p max 4 5\nn 1 s\nn 4 t\na 1 2 4\na 1 3 2\na 2 3 1\na 2 4 2\na 3 4 4\n");
  EXPECT_EQ(run_tool({"flow", network, "-o", flow}).code, 0);
  EXPECT_EQ(slurp(flow), "s 5\nf 1 2 3\nf 1 3 2\nf 2 3 1\nf 2 4 2\nf 3 4 3\n");
  EXPECT_EQ(run_tool({"flow", "chain:3", "-s", "0", "--target", "2", "-o", flow}).code, 0);
  EXPECT_EQ(slurp(flow), "s 1\nf 1 2 1\nf 2 3 1\n");
  spit(people, "Ann Bob\n");
  expect_refused({"flow", people, "-s", "Ann", "--target", "Bob", "-o", flow}, 2, "HW-FORMAT-WRITE", ".tsv");
  expect_refused({"flow", network, "--cut", "-o", flow}, 2, "HW-FORMAT-WRITE", ".tsv");
  expect_refused({"kcore", network, "-o", flow}, 2, "HW-FORMAT-WRITE", ".flow");
}

/// The picture has what the figures say, on each arc; a page has a step for each path.
TEST(CliUsage, FlowsAreDrawn) {
  const Folder folder;
  const std::string network = folder / "net.max", svg = folder / "f.svg", page = folder / "f.html";
  spit(network, "p max 4 5\nn 1 s\nn 4 t\na 1 2 4\na 1 3 2\na 2 3 1\na 2 4 2\na 3 4 4\n");
  for (const char* strategy : {"auto", "dinic"})
    EXPECT_EQ(run_tool({"flow", network, "--picture", svg, "--strategy", strategy}).code, 0);
  for (const char* text : {">3/4<", ">2/2<", ">1/1<", "A flow of 5 from 1 to 4", "3 arcs, 2 vertices"})
    EXPECT_NE(slurp(svg).find(text), std::string::npos) << text;
  const auto told = run_tool({"flow", network, "--picture", page});
  EXPECT_EQ(told.out.find("paths"), std::string::npos) << told.out;
  EXPECT_NE(slurp(page).find("id=\"path-3\""), std::string::npos);
  EXPECT_EQ(slurp(page).find("id=\"path-4\""), std::string::npos);
  EXPECT_NE(slurp(page).find("<td>1</td><td>3</td><td>2</td><td>2</td><td>yes</td>"), std::string::npos);
  EXPECT_EQ(run_tool({"flow", network, "--picture", page, "--device", "sim"}).code, 0);
  EXPECT_EQ(slurp(page).find("id=\"path-1\""), std::string::npos) << "a device finds no paths";
  spit(network, "1 2\n");
  EXPECT_EQ(
      run_tool({"flow", network, "--picture", svg, "-s", "1", "--target", "2", "--undirected", "--input-format", "edge-list"})
          .code,
      0);
  EXPECT_NE(slurp(svg).find(">1/1<"), std::string::npos);
}

TEST(CliUsage, AStatedSeparatorIsNamed) {
  const Folder folder;
  spit(folder / "dots.csv", "sep=.\n1.2\n3.4\n");
  EXPECT_NE(run_tool({"info", folder / "dots.csv"}).out.find("edge-list, '.' separated"), std::string::npos);
}

TEST(CliUsage, VerifyReportsWhatWasChecked) {
  EXPECT_NE(run_tool({"bfs", "pmpp", "-s", "0", "--verify"}).out.find("every distance is right"), std::string::npos);
  EXPECT_NE(run_tool({"bfs", "pmpp", "-s", "0", "--verify", "--parents"}).out.find("every distance and parent is right"),
            std::string::npos);
}

TEST(CliUsage, OptionsWithoutEffectAreRefused) {
  const Folder folder;
  const std::string map = folder / "open.map", scen = folder / "open.scen", nets = folder / "nets.in";
  spit(map, "type octile\nheight 1\nwidth 3\nmap\n...\n");
  spit(scen, "version 1\n0 open.map 3 1 0 0 2 0 2\n");
  spit(nets, "grid 2 1\ncapacity 1\nnum net 1\n0 0 0 1 0\n");
  const auto refused = [&](Words words, const Words& more, const std::string& part) {
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, 2, "HW-USAGE-OPTION", part);
  };
  const Words check{"route", map, "--scen", scen, "--check"};
  EXPECT_EQ(run_tool(check).code, 0);
  for (const Words& more :
       {Words{"--via-cost", "3"}, {"--fewest-bends"}, {"--method", "queue"}, {"--format", "json"}, {"--moves", "8"}})
    refused(check, more, "--check with an option for one route");
  refused({"route", map, "--scen", scen, "--scenario", "1"}, {"--threads", "2"}, "--threads without --check");
  refused({"route", nets, "--sequential"}, {"--rounds", "3"}, "--rounds with --sequential");
  refused({"route", "maze:9x9"}, {"--input-format", "ascii"}, "--input-format");
  refused({"route", "maze:9x9"}, {"--format", "segments", "--json"}, "--format with --json and without -o");
  refused({"route", map, "--from", "0,0", "--to", "1,0"}, {"--threshold", "9"}, "--threshold with a maze of text");
  expect_refused({"route", nets, "--rounds", "0"}, 2, "HW-USAGE-VALUE", "1 to 10000");
  refused({"bfs", "pmpp", "-s", "0"}, {"--format", "csv"}, "--format without -o");
  refused({"bfs", "pmpp", "-s", "0", "-o", "-"}, {"--ties", "min"}, "--ties without parents");
  EXPECT_EQ(run_tool({"bfs", "pmpp", "-s", "0", "--format", "rodinia"}).code, 0) << "it tells run statistics";
  EXPECT_EQ(run_tool({"bfs", "pmpp", "-s", "0", "--ties", "min", "--picture", folder / "p.svg"}).code, 0) << "it draws a tree";
  refused({"reach", "pmpp", "-s", "0"}, {"--unreached"}, "--unreached without -o");
  refused({"convert", "pmpp", folder / "q.hwg"}, {"--device", "sim"}, "--device without --prepare");
  refused({"info", "pmpp", "--exact"}, {"--searches", "1"}, "--exact with --searches");
  refused({"info", "pmpp"}, {"--arrays-limit", "9"}, "--arrays-limit without --arrays");
  refused({"info", "pmpp"}, {"--spy-size", "9"}, "--spy-size without --spy");
  refused({"sssp", "pmpp", "-s", "0"}, {"--parents"}, "--parents without -o");
  refused({"help", "--json"}, {"--man"}, "--json with --man");
}

TEST(CliUsage, WhatHasNoEffectInAScriptIsNoted) {
  const Words by_dijkstra{"sssp", "pmpp", "-s", "0", "--delta", "2", "--strategy", "cpu-dijkstra"};
  const auto noted = run_tool(by_dijkstra);
  EXPECT_EQ(noted.code, 0);
  EXPECT_TRUE(holds(noted.err, "--delta has no effect")) << noted.err;
  Words by_steps = by_dijkstra;
  by_steps.back() = "cpu-delta-stepping";
  EXPECT_FALSE(holds(run_tool(by_steps).err, "--delta"));
  const auto made = run_tool({"cc", "pmpp", "--input-format", "edge-list"});
  EXPECT_EQ(made.code, 0);
  EXPECT_TRUE(holds(made.err, "--input-format has no effect")) << made.err;
}

TEST(CliUsage, WrongScenariosHaveAnId) {
  const Folder folder;
  const std::string map = folder / "open.map", scen = folder / "open.scen";
  spit(map, "type octile\nheight 1\nwidth 3\nmap\n...\n");
  spit(scen, "version 1\n0 open.map 3 1 0 0 2 0 2.5\n");
  expect_refused({"route", map, "--scen", scen, "--check"}, 5, "HW-ROUTE-CHECK", scen);
  const auto document = run_tool({"route", map, "--scen", scen, "--check", "--json"});
  EXPECT_EQ(document.code, 5);
  EXPECT_EQ(json::parse(document.out)["wrong"].size(), 1u);  // one document
}

/// Ends in the corners may be walled in; those of the largest region never are.
TEST(CliUsage, MadeMazesHaveARoute) {
  bool corner_closed = false;
  for (int size : {12, 33, 100})
    for (int seed = 1; seed <= 6; ++seed) {
      const std::string spec = "random:" + std::to_string(size) + "x" + std::to_string(size) + ",30," + std::to_string(seed);
      const auto run = run_tool({"route", spec, "--device", "cpu", "--json"});
      EXPECT_EQ(run.code, 0) << spec << run.err;
      EXPECT_TRUE(holds(run.err, "the largest free region")) << run.err;
      const auto found = json::parse(run.out);
      corner_closed |= found["reached"].get<int>() < found["maze"]["free"].get<int>() / 2;
    }
  EXPECT_FALSE(corner_closed);
  EXPECT_EQ(run_tool({"route", "maze:41x21"}).code, 0);
  EXPECT_EQ(run_tool({"route", "random:20x20,100"}).code, 3);  // walls alone
  EXPECT_EQ(run_tool({"route", "random:20x20,0", "--json"}).code, 0);
}

}  // namespace of_cli_usage_test
}  // namespace hopwave::test
