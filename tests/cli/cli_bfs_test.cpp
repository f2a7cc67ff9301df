// hopwave bfs, path, reach and cc: outputs checked by hand on the textbook's graph and on graphs with odd ids.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "hopwave/graph.h"
#include "hopwave/io.h"
#include "support/refused.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_bfs_test {

using namespace std::string_literals;

using nlohmann::json;

class CliBfs : public ::testing::Test {
 protected:
  CliBfs() { spit(book_, textbook); }
  Outcome bfs(std::vector<std::string> more) {
    more.insert(more.begin(), {"bfs", book_});
    return run_tool(more);
  }

  Folder folder_;
  const std::string book_ = folder_ / "book.txt";
};

TEST_F(CliBfs, DistancesFromZeroAndTwo) {
  const auto zero = bfs({"-s", "0", "-o", "-"});
  EXPECT_EQ(zero.code, 0) << zero.err;
  EXPECT_EQ(zero.out, "0\t0\n1\t1\n2\t1\n3\t2\n4\t2\n5\t2\n6\t2\n7\t2\n8\t3\n");
  EXPECT_EQ(bfs({"-s2", "-o-"}).out, "0\t2\n1\t3\n2\t0\n3\t4\n4\t4\n5\t1\n6\t1\n7\t1\n8\t2\n");
}

TEST_F(CliBfs, WithoutSomeVertices) {
  const std::string closed = folder_ / "closed.txt";
  spit(closed, "5\n\n 6 \r\n7\n");
  EXPECT_EQ(bfs({"-s", "0", "--without", closed, "--verify", "-o", "-"}).out,
            "0\t0\n1\t1\n2\t1\n3\t2\n4\t2\n5\t-1\n6\t-1\n7\t-1\n8\t3\n");
  spit(closed, "5\nx\n");
  const auto wrong = bfs({"-s", "0", "--without", closed});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("closed.txt:2"), std::string::npos) << wrong.err;
  EXPECT_EQ(bfs({"-s", "0", "--without", folder_ / "absent"}).code, 3);
}

TEST_F(CliBfs, TimeLimit) {
  const auto over = bfs({"-s", "0", "--time-limit", "1e-9"});
  EXPECT_EQ(over.code, 124);
  EXPECT_NE(over.err.find("HW-TIME-LIMIT"), std::string::npos) << over.err;
  EXPECT_EQ(bfs({"-s", "0", "--time-limit", "3600"}).code, 0);
  for (const char* wrong : {"0", "-1", "soon", "nan", "1s", ""})
    if (*wrong) EXPECT_EQ(bfs({"-s", "0", "--time-limit", wrong}).code, 2) << wrong;
  EXPECT_EQ(run_tool({"path", book_, "0", "8", "--time-limit", "1e-9"}).code, 124);
  // Searches that run one by one have it together, too. Each of these has 20 levels at least, and so 20 looks.
  const auto many =
      run_in_ticks({"bfs", "grid:40x20", "-s", "random:90@1", "--mode", "each", "--parents", "--time-limit", ".2"});
  EXPECT_EQ(many.code, 124);
  const std::string reached = "the time limit of 0.2 s is reached: ";
  const auto at = many.err.find(reached);
  ASSERT_NE(at, std::string::npos) << many.err;
  EXPECT_NE(many.err.find(" of 90 searches are done", at), std::string::npos) << many.err;
  const int done = std::atoi(many.err.c_str() + at + reached.size());
  EXPECT_GT(done, 0);
  EXPECT_LE(done, 10);
}

TEST_F(CliBfs, PathsOfManyPairs) {
  const std::string pairs = folder_ / "pairs.txt", rows = folder_ / "rows.tsv";
  spit(pairs, "0 8\n2\t0\n\n3 3\n");
  const auto all = run_tool({"path", book_, "--pairs", pairs});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(all.out, "0\t8\t3\n2\t0\t2\n3\t3\t0\n");
  EXPECT_EQ(run_tool({"path", book_, "--pairs", pairs, "-o", rows}).code, 0);
  EXPECT_EQ(slurp(rows), all.out);
  const std::string again = folder_ / "again";
  const auto told = json::parse(run_tool({"path", book_, "--pairs", pairs, "--json", "-o", again}).out);
  EXPECT_EQ(slurp(again), slurp(rows)) << "the document, and the file";
  EXPECT_EQ(run_tool({"path", book_, "0", "8", "--json", "-o", "-"}).code, 2) << "both want standard output";
  EXPECT_EQ(told["pairs"][1]["distance"], 2);
  EXPECT_EQ(told["pairs"][1]["path"].size(), 3u);
  spit(pairs, "8 0\n");
  EXPECT_EQ(run_tool({"path", book_, "--pairs", pairs}).code, 1);
  for (const char* text : {"8\n", "1 2 3\n", "0\t\n"}) {
    spit(pairs, text);
    expect_refused({"path", book_, "--pairs", pairs}, 3, "HW-PAIRS-ROW", "");
  }
  EXPECT_EQ(run_tool({"path", book_}).code, 2);
  EXPECT_EQ(run_tool({"path", book_, "1"}).code, 2);
  EXPECT_EQ(run_tool({"path", book_, "1", "2", "--pairs", pairs}).code, 2);
  spit(pairs, "0 8\n");
  EXPECT_EQ(run_tool({"path", book_, "--pairs", pairs, "--threads", "2"}).code, 0);
  EXPECT_EQ(run_tool({"path", book_, "--pairs", pairs, "--threads", "4097"}).code, 2);
}

TEST_F(CliBfs, UnreachedIsMinusOne) {
  EXPECT_EQ(bfs({"-s", "8", "-o", "-"}).out, "0\t-1\n1\t-1\n2\t-1\n3\t-1\n4\t-1\n5\t-1\n6\t-1\n7\t-1\n8\t0\n");
}

TEST_F(CliBfs, LeastParents) {
  const char* expected = "0\t0\t-1\n1\t1\t0\n2\t1\t0\n3\t2\t1\n4\t2\t1\n5\t2\t2\n6\t2\t2\n7\t2\t2\n8\t3\t3\n";
  EXPECT_EQ(bfs({"-s", "0", "--parents", "--ties", "min", "-o", "-"}).out, expected);
  std::string own = expected;
  own.replace(0, 6, "0\t0\t0");
  EXPECT_EQ(bfs({"-s", "0", "--graph500-parents", "--ties", "min", "-o", "-"}).out, own);
}

TEST_F(CliBfs, SeveralSources) {
  EXPECT_EQ(bfs({"--sources", "8,7", "-o", "-"}).out, "0\t1\n1\t2\n2\t2\n3\t3\n4\t3\n5\t3\n6\t1\n7\t0\n8\t0\n");
  const auto each = bfs({"--sources", "8,0", "--mode", "each", "--max-depth", "1", "-o", "-"});
  EXPECT_EQ(each.out,
            "8\t0\t-1\n8\t1\t-1\n8\t2\t-1\n8\t3\t-1\n8\t4\t-1\n8\t5\t-1\n8\t6\t-1\n8\t7\t-1\n8\t8\t0\n"
            "0\t0\t0\n0\t1\t1\n0\t2\t1\n0\t3\t-1\n0\t4\t-1\n0\t5\t-1\n0\t6\t-1\n0\t7\t-1\n0\t8\t-1\n");
  EXPECT_EQ(bfs({"-s", "8", "-s", "7", "-o", "-"}).out, bfs({"--sources", "7,8,7", "-o", "-"}).out);
}

TEST_F(CliBfs, Directions) {
  EXPECT_EQ(bfs({"-s", "8", "--direction", "in", "-o", "-"}).out, "0\t3\n1\t2\n2\t2\n3\t1\n4\t1\n5\t2\n6\t1\n7\t2\n8\t0\n");
  const std::string both = "0\t3\n1\t2\n2\t2\n3\t1\n4\t1\n5\t2\n6\t1\n7\t2\n8\t0\n";
  EXPECT_EQ(bfs({"-s", "8", "--direction", "both", "-o", "-"}).out, both);
  EXPECT_EQ(bfs({"-s", "8", "--undirected", "-o", "-"}).out, both);
}

TEST_F(CliBfs, TargetAndDepth) {
  const auto found = bfs({"-s", "0", "--target", "3", "--json"});
  EXPECT_EQ(found.code, 0);
  EXPECT_TRUE(json::parse(found.out)["target_found"]);
  EXPECT_EQ(bfs({"-s", "0", "--target", "8", "--max-depth", "2"}).code, 1);
  EXPECT_EQ(bfs({"-s", "8", "--target", "0"}).code, 1);
  EXPECT_EQ(bfs({"-s", "0", "--max-depth", "0", "-o", "-"}).out,
            "0\t0\n1\t-1\n2\t-1\n3\t-1\n4\t-1\n5\t-1\n6\t-1\n7\t-1\n8\t-1\n");
}

TEST_F(CliBfs, Formats) {
  EXPECT_EQ(bfs({"-s", "0", "-o", "-", "--format", "tsv"}).out, bfs({"-s", "0", "-o", "-"}).out);
  const std::string csv = folder_ / "d.csv", npy = folder_ / "d.npy", js = folder_ / "d.json";
  EXPECT_EQ(bfs({"-s", "7", "-o", csv, "--parents", "--ties=min"}).code, 0);
  EXPECT_EQ(slurp(csv), "id,distance,parent\n0,1,7\n1,2,0\n2,2,0\n3,3,1\n4,3,1\n5,3,2\n6,1,7\n7,0,-1\n8,2,6\n");
  const auto statistics = bfs(
      {"-s", "0", "-o", "-", "--format", "rodinia", "--device", "sim", "--strategy", "hn-two-kernel", "--param", "block=64"});
  for (const char* line :
       {"Source node:      0", "Reachable nodes:  9 / 9", "Maximum distance: 3", "Grid size:        1", "Block size:       64"})
    EXPECT_NE(statistics.err.find(line), std::string::npos) << line << statistics.err;
  for (const char* strategy :
       {"cpu-sequential", "cpu-parallel", "hn-two-kernel", "survey-simple", "survey-edge-simple", "auto"}) {
    const auto counted = bfs({"-s", "0", "-o", "-", "--format", "rodinia", "--strategy", strategy,
                              std::string(strategy).starts_with("cpu") ? "--device=cpu" : "--device=sim"});
    EXPECT_NE(counted.err.find("Iterations:       4\n"), std::string::npos) << strategy << counted.err;
  }
  EXPECT_NE(bfs({"-s", "0", "-o", "-", "--format", "rodinia", "--max-depth", "2"}).err.find("Iterations:       2\n"),
            std::string::npos);
  EXPECT_EQ(bfs({"-s", "8", "-o", "-", "--format", "rodinia"}).out.substr(0, 24), "0) cost:-1\n1) cost:-1\n2)");
  EXPECT_EQ(bfs({"-s", "0", "-o", js, "--parents", "--ties", "min"}).code, 0);
  const auto columns = json::parse(slurp(js));
  EXPECT_EQ(columns["schema"], "hopwave-distances/1");
  EXPECT_EQ("hopwave " + columns["hopwave"].get<std::string>() + "\n", run_tool({"--version"}).out);
  EXPECT_EQ(columns["id"], json::parse("[0,1,2,3,4,5,6,7,8]"));
  EXPECT_EQ(columns["searches"][0]["sources"], json::parse("[0]"));
  EXPECT_EQ(columns["searches"][0]["distance"], json::parse("[0,1,1,2,2,2,2,2,3]"));
  EXPECT_EQ(columns["searches"][0]["parent"], json::parse("[-1,0,0,1,1,2,2,2,3]"));
  EXPECT_EQ(bfs({"-s", "0", "-o", npy}).code, 0);
  const std::string bytes = slurp(npy);
  ASSERT_EQ(bytes.size(), 128u + 9 * 4);
  EXPECT_EQ(bytes.substr(0, 8), "\x93NUMPY\x01\x00"s);
  EXPECT_NE(bytes.find("{'descr': '<i4', 'fortran_order': False, 'shape': (9,), }"), std::string::npos);
  std::int32_t values[9];
  std::memcpy(values, bytes.data() + 128, sizeof values);
  EXPECT_EQ(values[8], 3);
}

TEST_F(CliBfs, NarrowNumbersInNpy) {
  const std::string npy = folder_ / "d.npy";
  EXPECT_EQ(bfs({"-s", "8", "-o", npy, "--dtype", "uint8"}).code, 0);
  std::string bytes = slurp(npy);
  ASSERT_EQ(bytes.size(), 128u + 9);
  EXPECT_NE(bytes.find("{'descr': '|u1', 'fortran_order': False, 'shape': (9,), }"), std::string::npos);
  EXPECT_EQ(bytes.substr(128), std::string(8, '\xff') + '\0');
  EXPECT_EQ(bfs({"--sources", "0,8", "--mode", "each", "-o", npy, "--dtype", "uint16"}).code, 0);
  bytes = slurp(npy);
  ASSERT_EQ(bytes.size(), 128u + 2 * 9 * 2);
  EXPECT_NE(bytes.find("'<u2'"), std::string::npos);
  EXPECT_EQ(bytes.substr(128 + 16, 4), "\x03\x00\xff\xff"s);
  EXPECT_EQ(bfs({"-s", "0", "--parents", "-o", npy, "--dtype", "uint8"}).code, 0);
  bytes = slurp(npy);
  EXPECT_NE(bytes.find("[('id', '<i8'), ('distance', '|u1'), ('parent', '<i8')]"), std::string::npos);
  EXPECT_EQ(bytes.size() % 64, 9 * 17 % 64);
  const auto deep = run_tool({"bfs", "chain:300", "-s", "0", "-o", npy, "--dtype", "uint8"});
  EXPECT_EQ(deep.code, 2);
  EXPECT_NE(deep.err.find("HW-DISTANCE-NARROW"), std::string::npos) << deep.err;
  EXPECT_EQ(slurp(npy), bytes) << "the file of before";
  const auto text = bfs({"-s", "0", "-o", "-", "--dtype", "uint8"});
  EXPECT_EQ(text.code, 2);
  EXPECT_NE(text.err.find("HW-USAGE-FORMAT"), std::string::npos) << text.err;
}

TEST_F(CliBfs, NumpyReadsOurFiles) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() && std::system((std::string(candidate) + " -c 'import numpy' 2>/dev/null").c_str()) == 0)
      python = candidate;
  if (python.empty()) GTEST_SKIP() << "python3 with numpy is not here";
  const std::string each = folder_ / "each.npy", parents = folder_ / "parents.npy";
  bfs({"--sources", "0,8", "--mode", "each", "-o", each});
  bfs({"-s", "0", "--parents", "--ties", "min", "-o", parents});
  const auto seen = run_shell(python + " -c \"import numpy as n; a=n.load('" + each + "'); p=n.load('" + parents +
                              "'); print(a.shape, a[1].tolist(), p['parent'].tolist())\"");
  EXPECT_EQ(seen.out, "(2, 9) [-1, -1, -1, -1, -1, -1, -1, -1, 0] [-1, 0, 0, 1, 1, 2, 2, 2, 3]\n") << seen.err;
}

TEST_F(CliBfs, FormatsThatCannotHoldItRefuse) {
  const auto refused = bfs({"-s", "0", "-o", "-", "--format", "rodinia", "--parents"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("HW-USAGE-FORMAT"), std::string::npos);
  EXPECT_EQ(bfs({"-s", "0", "--json", "-o", "-"}).code, 2);
}

TEST_F(CliBfs, FilesAreWhatTheirNamesSay) {
  const std::string plain = bfs({"-s", "0", "-o", "-"}).out, csv = bfs({"-s", "0", "-o", "-", "--format", "csv"}).out;
  for (const char* name : {"d", "d.txt", "d.TSV"}) {
    EXPECT_EQ(bfs({"-s", "0", "-o", folder_ / name}).code, 0);
    EXPECT_EQ(slurp(folder_ / name), plain) << name;
  }
  for (const char* name : {"d.parquet", "d.hwg", "d.tsv.bz2", "d.parquet.gz"}) {
    const auto refused = bfs({"-s", "0", "-o", folder_ / name});
    EXPECT_EQ(refused.code, 2) << name;
    EXPECT_NE(refused.err.find("HW-FORMAT-WRITE"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("--format"), std::string::npos) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / name));
  }
  EXPECT_EQ(bfs({"-s", "0", "-o", folder_ / "d.parquet", "--format", "csv"}).code, 0);
  EXPECT_EQ(slurp(folder_ / "d.parquet"), csv);
  EXPECT_EQ(bfs({"-s", "0", "-o", folder_ / "d.csv.gz"}).code, 0);
  EXPECT_EQ(run_shell("gzip -dc " + (folder_ / "d.csv.gz")).out, csv);
  EXPECT_EQ(bfs({"-s", "0", "-o", folder_ / "d.tsv.zst"}).code, 0);
  EXPECT_EQ(slurp(folder_ / "d.tsv.zst").substr(0, 4), "\x28\xb5\x2f\xfd");
  for (const auto& words : {std::vector<std::string>{"reach", book_, "-s", "4"}, {"cc", book_}, {"path", book_, "0", "8"}}) {
    auto call = words;
    call.insert(call.end(), {"-o", folder_ / "x.parquet"});
    EXPECT_EQ(run_tool(call).code, 2);
    call.back() = folder_ / "x.txt.gz";
    EXPECT_EQ(run_tool(call).code, 0);
    call.back() = folder_ / "x.txt";
    EXPECT_EQ(run_tool(call).code, 0);
    EXPECT_EQ(run_shell("gzip -dc " + (folder_ / "x.txt.gz")).out, slurp(folder_ / "x.txt"));
  }
}

TEST_F(CliBfs, NamesAreCellsOfTheirOwn) {
  const std::string names = folder_ / "names.csv";
  spit(names, "\"a\tb\",\"\"\"q\"\n\"\"\"q\",#c\n");
  EXPECT_EQ(run_tool({"bfs", names, "-s", "a\tb", "-o", "-"}).out, "\"a\tb\"\t0\n\"\"\"q\"\t1\n#c\t2\n");
  const std::string text = folder_ / "t.txt", tag = folder_ / "tag.csv";
  spit(tag, "\"alice\",\"#tag\"\n\"#tag\",\"bob\"\n");
  EXPECT_EQ(run_tool({"convert", tag, text}).code, 0);
  EXPECT_EQ(run_tool({"path", text, "alice", "bob"}).out, "alice\n#tag\nbob\n");
  EXPECT_EQ(run_tool({"convert", text, folder_ / "u.csv"}).code, 0);
  EXPECT_EQ(slurp(folder_ / "u.csv"), "source,target\nalice,\"#tag\"\n\"#tag\",bob\n");
}

/// A line break within a name must not pass for the end of a row, and a tab not for the end of a cell.
TEST_F(CliBfs, NamesWithBreaksAreQuotedInEveryFile) {
  EdgeList edges{.num_vertices = 2, .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}})};
  edges.ids = Ids::strings({"a\nb", "c\td"});
  const std::string graph = folder_ / "broken.hwg", file = folder_ / "rows.txt";
  write_graph(build_graph(std::move(edges)), graph);
  EXPECT_EQ(run_tool({"cc", graph, "-o", file}).code, 0);
  EXPECT_EQ(slurp(file), "\"a\nb\"\t\"a\nb\"\n\"c\td\"\t\"a\nb\"\n");
  EXPECT_EQ(run_tool({"reach", graph, "-s", "a\nb", "-o", file}).code, 0);
  EXPECT_EQ(slurp(file), "\"a\nb\"\n\"c\td\"\n");
  EXPECT_EQ(run_tool({"path", graph, "a\nb", "c\td", "-o", file}).code, 0);
  EXPECT_EQ(slurp(file), "\"a\nb\"\n\"c\td\"\n");
}

TEST_F(CliBfs, GappedIdsComeBack) {
  const std::string gapped = folder_ / "gapped.txt";
  spit(gapped, "# gaps\n1000000000000 7\n7 300\n");
  const auto run = run_tool({"bfs", gapped, "-s", "1000000000000", "--parents", "-o", "-"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "7\t1\t1000000000000\n300\t2\t7\n1000000000000\t0\t-1\n");
  EXPECT_NE(run.err.find("ids compacted"), std::string::npos) << run.err;
}

TEST_F(CliBfs, NamesComeBackInOrderOfAppearance) {
  const std::string names = folder_ / "names.csv";
  spit(names, "zoe,adam\nadam,\"b, c\"\n");
  const auto run = run_tool({"bfs", names, "-s", "zoe", "-o", "-", "--format", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "id,distance\nzoe,0\nadam,1\n\"b, c\",2\n");
}

TEST_F(CliBfs, SourcesByWord) {
  const auto sources = [&](const std::string& word) {
    const auto run = bfs({"-s", word, "--mode", "each", "--json"});
    const auto document = json::parse(run.out);
    std::vector<int> found;
    for (const auto& s : document["searches"]) found.push_back(s["sources"][0]);
    return found;
  };
  EXPECT_EQ(sources("first"), std::vector<int>{0});
  EXPECT_EQ(sources("maxdeg"), std::vector<int>{2});
  EXPECT_EQ(sources("lcc"), std::vector<int>{0});
  const auto drawn = sources("random:8@5");
  EXPECT_EQ(std::set<int>(drawn.begin(), drawn.end()), (std::set<int>{0, 1, 2, 3, 4, 5, 6, 7}));  // 8 has no arc out
  EXPECT_EQ(drawn, sources("random:8@5"));
  EXPECT_NE(drawn, sources("random:8@6"));
  EXPECT_EQ(bfs({"-s", "random:9"}).code, 3);
  EXPECT_EQ(bfs({"-s", "random:x"}).code, 2);
  EXPECT_EQ(bfs({"-s", "nobody"}).code, 3);
  EXPECT_EQ(bfs({}).code, 2);
}

TEST_F(CliBfs, SummarySaysHowItWasRead) {
  const std::string file = folder_ / "loops.txt";
  spit(file, "0 1\n0 1\n1 1\n1 2\n");
  const auto run = run_tool({"bfs", file, "-s", "0", "--verify"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* part : {"edge-list", "directed", "4 rows", "1 self-loop dropped", "1 duplicate dropped", "reached", "3 of 3",
                           "depth 2", "read ", "parse ", "build ", "search ", "verify ", "MTEPS"})
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
  const auto kept = json::parse(run_tool({"bfs", file, "-s", "0", "--keep-self-loops", "--keep-duplicates", "--json"}).out);
  EXPECT_EQ(kept["graph"]["edges"], 4);
  EXPECT_EQ(kept["graph"]["rows"], 4);
  EXPECT_TRUE(kept["graph"]["self_loops_kept"]);
}

TEST_F(CliBfs, TinyComponentIsTold) {
  const std::string file = folder_ / "tiny.txt";
  std::string text = "0 1\n";
  for (int i = 10; i < 1000; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
  spit(file, text);
  EXPECT_NE(run_tool({"bfs", file, "-s", "0"}).err.find("reached 2 of 993 vertices"), std::string::npos);
  EXPECT_EQ(run_tool({"bfs", file, "-s", "lcc"}).err.find("reached"), std::string::npos);
}

TEST_F(CliBfs, EveryStrategyAndThreadCountAgrees) {
  const auto expected =
      run_tool({"bfs", "rmat:8,4,3", "-s", "maxdeg", "--parents", "--ties", "min", "-o", "-", "--strategy", "cpu-sequential"});
  ASSERT_EQ(expected.code, 0) << expected.err;
  for (const auto& s : json::parse(run_tool({"strategies", "--json"}).out)) {
    const std::string device = s["device"] == "gpu" ? "sim" : "cpu";
    const auto run = run_tool({"bfs", "rmat:8,4,3", "-s", "maxdeg", "--parents", "--ties", "min", "-o", "-", "--strategy",
                               s["name"], "--device", device, "--threads", "3", "--verify"});
    EXPECT_EQ(run.code, 0) << s["name"] << run.err;
    EXPECT_EQ(run.out, expected.out) << s["name"];
  }
}

TEST_F(CliBfs, ExplainTellsEveryLevel) {
  const auto run = json::parse(bfs({"-s", "0", "--explain", "--json", "--strategy", "cpu-sequential"}).out);
  const auto& trace = run["searches"][0]["trace"];
  ASSERT_GE(trace.size(), 3u);
  EXPECT_EQ(trace[0]["frontier"], 1);
  EXPECT_EQ(trace[1]["discovered"], 5);
  const auto text = bfs({"-s", "0", "--explain", "--strategy", "cpu-sequential"});
  for (const char* part : {"level", "direction", "frontier", "edges", "GB/s", "push"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
}

TEST_F(CliBfs, LargeOutputIsWholeAndInOrder) {
  const auto run = run_tool({"bfs", "chain:300000", "-s", "0", "-o", "-", "--threads", "4"});
  ASSERT_EQ(run.code, 0) << run.err;
  std::istringstream lines(run.out);
  long id = 0, distance = 0, expected = 0;
  while (lines >> id >> distance) {
    ASSERT_EQ(id, expected);
    ASSERT_EQ(distance, expected++);
  }
  EXPECT_EQ(expected, 300000);
}

TEST_F(CliBfs, ParametersAndSimulator) {
  EXPECT_EQ(bfs({"-s", "0", "--device", "sim", "--strategy", "pmpp-vertex-push", "--param", "block=64", "-o", "-"}).out,
            bfs({"-s", "0", "-o", "-"}).out);
  EXPECT_EQ(bfs({"-s", "0", "--device", "sim", "--strategy", "pmpp-vertex-push", "--param", "blok=64"}).code, 2);
  EXPECT_EQ(bfs({"-s", "0", "--param", "block"}).code, 2);
  EXPECT_EQ(bfs({"-s", "0", "--strategy", "cpu-parallel", "--param", "alone=3", "--param", "alone=3"}).code, 0);
  EXPECT_EQ(bfs({"-s", "0", "--strategy", "cpu-parallel", "--param", "alone=3", "--param", "alone=4"}).code, 2);
  EXPECT_EQ(bfs({"-s", "0", "--strategy", "pmpp-vertex-push", "--device", "cpu"}).code, 2);
}

TEST_F(CliBfs, PathReachAndComponents) {
  const auto path = run_tool({"path", book_, "0", "8"});
  EXPECT_EQ(path.code, 0) << path.err;
  EXPECT_EQ(path.out, "0\n1\n3\n8\n");
  EXPECT_NE(path.err.find("3 hops"), std::string::npos);
  const auto none = run_tool({"path", book_, "8", "0", "--json"});
  EXPECT_EQ(none.code, 1);
  EXPECT_FALSE(json::parse(none.out)["found"]);
  EXPECT_EQ(json::parse(none.out)["distance"], -1);
  EXPECT_EQ(run_tool({"path", book_, "0", "8", "--max-depth", "2"}).code, 1);
  EXPECT_EQ(run_tool({"path", book_, "4", "4"}).out, "4\n");
  EXPECT_EQ(run_tool({"path", book_, "8", "0", "--direction", "in"}).code, 0);
  EXPECT_EQ(run_tool({"reach", book_, "-s", "4", "-o", "-"}).out, "4\n5\n6\n8\n");
  EXPECT_EQ(run_tool({"reach", book_, "-s", "4", "-o", "-", "--unreached"}).out, "0\n1\n2\n3\n7\n");
  // By a queue that looks at what it reaches alone, and by a strategy that was named.
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--strategy", "cpu-sequential"}, {"--device", "sim"}}) {
    const auto out = [&more](std::vector<std::string> words) {
      words.insert(words.end(), more.begin(), more.end());
      return run_tool(words).out;
    };
    EXPECT_EQ(out({"reach", book_, "-s", "0", "--max-depth", "1", "-o", "-"}), "0\n1\n2\n");
    EXPECT_EQ(out({"reach", book_, "-s", "0", "--max-depth", "2", "--distances", "-o", "-"}),
              "0\t0\n1\t1\n2\t1\n3\t2\n4\t2\n5\t2\n6\t2\n7\t2\n");
    EXPECT_EQ(out({"reach", book_, "-s", "0", "--nearest", "3", "--distances", "-o", "-"}), "0\t0\n1\t1\n2\t1\n3\t2\n");
    EXPECT_EQ(out({"reach", book_, "-s", "0", "--nearest", "3", "-o", "-"}), "0\n1\n2\n3\n");
    EXPECT_EQ(out({"reach", book_, "-s", "3", "--direction", "in", "--max-depth", "1", "-o", "-"}), "1\n3\n");
    const auto found = nlohmann::json::parse(out({"reach", book_, "-s", "0", "--nearest", "3", "--json"}));
    EXPECT_EQ(found["searches"][0]["reached"], 4);
    EXPECT_EQ(found["searches"][0]["depth"], 2);
    EXPECT_EQ(found["searches"][0]["level_sizes"], nlohmann::json({1, 2, 1}));
    EXPECT_EQ(found["searches"][0]["edges"], 9);
  }
  EXPECT_EQ(run_tool({"reach", book_, "-s", "0", "--distances"}).code, 2);
  EXPECT_EQ(run_tool({"reach", book_, "-s", "0", "--unreached", "--nearest", "2", "-o", "-"}).code, 2);
  EXPECT_EQ(run_tool({"reach", book_, "-s", "0", "--nearest", "-2"}).code, 2);
  const std::string two = folder_ / "two.txt";
  spit(two, "5 6\n9 8\n8 7\n");
  EXPECT_EQ(run_tool({"cc", two, "-o", "-"}).out, "5\t5\n6\t5\n7\t7\n8\t7\n9\t7\n");
  EXPECT_EQ(run_tool({"cc", two, "--device", "sim", "-o", "-"}).out, "5\t5\n6\t5\n7\t7\n8\t7\n9\t7\n");
  EXPECT_EQ(json::parse(run_tool({"cc", two, "--device", "sim", "--json"}).out)["device"], "sim");
  const auto cc = json::parse(run_tool({"cc", two, "--json"}).out);
  EXPECT_EQ(cc["components"], 2);
  EXPECT_EQ(cc["largest"], 3);
}

/// Both ends against one search from one end, on graphs with and without directions.
TEST_F(CliBfs, PathLengthsAreDistances) {
  for (const char* graph : {"rmat:7,3,9", "grid:9x11", "streets:12"}) {
    const auto run = json::parse(run_tool({"bfs", graph, "-s", "maxdeg", "--json", "-o", folder_ / "d.tsv"}).out);
    const std::string from = run["searches"][0]["sources"][0].dump();
    std::istringstream lines(slurp(folder_ / "d.tsv"));
    std::string id, distance;
    int taken = 0;
    for (int i = 0; lines >> id >> distance; ++i) {
      if (i % 17) continue;
      const auto path = json::parse(run_tool({"path", graph, from, id, "--json"}).out);
      EXPECT_EQ(path["distance"].dump(), distance) << graph << " to " << id;
      ++taken;
    }
    EXPECT_GT(taken, 5);
  }
}

}  // namespace of_cli_bfs_test
}  // namespace hopwave::test
