// Representations: arrays as the book prints them, and the layouts of .npz as scipy.sparse.save_npz documents them.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "support/refused.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_layout_test {

using namespace std::string_literals;

using nlohmann::json;

/// What stands below the table of `info`.
std::string arrays(const std::string& graph, const std::string& layout) {
  const auto run = run_tool({"info", graph, "--arrays", layout});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto at = run.out.find("\n\n");
  return at == std::string::npos ? run.out : run.out.substr(at + 2);
}

// Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition, figures 15.2 and 15.3.
const std::map<std::string, std::string> book = {
    {"csr",
     "csr\n"
     "index   0 1 2 3 4  5  6  7  8  9\n"
     "srcPtrs 0 2 4 7 9 11 12 13 15 15\n\n"
     "index 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n"
     "dst   1 2 3 4 5 6 7 4 8 5  8  6  8  0  6\n"
     "data  1 1 1 1 1 1 1 1 1 1  1  1  1  1  1\n"},
    {"csc",
     "csc\n"
     "index   0 1 2 3 4 5 6  7  8  9\n"
     "dstPtrs 0 1 2 3 4 6 8 11 12 15\n\n"
     "index 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n"
     "src   7 0 0 1 1 3 2 4 2 5  7  2  3  4  6\n"
     "data  1 1 1 1 1 1 1 1 1 1  1  1  1  1  1\n"},
    {"coo",
     "coo\n"
     "index 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n"
     "src   0 0 1 1 2 2 2 3 3 4  4  5  6  7  7\n"
     "dst   1 2 3 4 5 6 7 4 8 5  8  6  8  0  6\n"
     "data  1 1 1 1 1 1 1 1 1 1  1  1  1  1  1\n"},
    {"matrix",
     "matrix\n"
     "  0 1 2 3 4 5 6 7 8\n"
     "0 . 1 1 . . . . . .\n"
     "1 . . . 1 1 . . . .\n"
     "2 . . . . . 1 1 1 .\n"
     "3 . . . . 1 . . . 1\n"
     "4 . . . . . 1 . . 1\n"
     "5 . . . . . . 1 . .\n"
     "6 . . . . . . . . 1\n"
     "7 1 . . . . . 1 . .\n"
     "8 . . . . . . . . .\n"},
    {"adjacency", "adjacency\n0: 1 2\n1: 3 4\n2: 5 6 7\n3: 4 8\n4: 5 8\n5: 6\n6: 8\n7: 0 6\n8:\n"},
    {"records",
     "records\n"
     "index  0 1 2 3 4  5  6  7  8\n"
     "start  0 2 4 7 9 11 12 13 15\n"
     "length 2 2 3 2 2  1  1  2  0\n\n"
     "index  0 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n"
     "target 1 2 3 4 5 6 7 4 8 5  8  6  8  0  6\n"
     "data   1 1 1 1 1 1 1 1 1 1  1  1  1  1  1\n"}};

TEST(Arrays, OfTheBooksGraphAreTheBooks) {
  for (const auto& [layout, text] : book) EXPECT_EQ(arrays("pmpp", layout), text);
}

TEST(Arrays, AsJsonAreTheSame) {
  const auto of = [](const std::string& layout) {
    return json::parse(run_tool({"info", "pmpp", "--arrays", layout, "--json"}).out)["arrays"];
  };
  EXPECT_EQ(of("csr")["srcPtrs"], json({0, 2, 4, 7, 9, 11, 12, 13, 15, 15}));
  EXPECT_EQ(of("csc")["src"], json({7, 0, 0, 1, 1, 3, 2, 4, 2, 5, 7, 2, 3, 4, 6}));
  EXPECT_EQ(of("coo")["src"], json({0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 7}));
  EXPECT_EQ(of("records")["length"], json({2, 2, 3, 2, 2, 1, 1, 2, 0}));
  EXPECT_EQ(of("adjacency")["lists"][2], json({5, 6, 7}));
  EXPECT_EQ(of("matrix")["rows"][7], json({1, nullptr, nullptr, nullptr, nullptr, nullptr, 1, nullptr, nullptr}));
  EXPECT_EQ(of("csr")["ids"], json({0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Arrays, UndirectedWeightedParallelAndRenamed) {
  EXPECT_EQ(arrays("chain:3", "csr"),
            "csr (undirected: every edge is two arcs)\n"
            "index   0 1 2 3\nsrcPtrs 0 1 3 4\n\nindex 0 1 2 3\ndst   1 0 2 1\ndata  1 1 1 1\n");
  Folder folder;
  spit(folder / "w.txt", "10 20 0.5\n10 20 2\n30 10 -3\n20 20 0\n");
  const std::string names = "vertices of the arrays, with their ids: 0=10 1=20 2=30\n";
  EXPECT_EQ(arrays(folder / "w.txt", "matrix"),
            "matrix\n" + names + "      0   1   2\n  0   . 2.5   .\n  1   .   0   .\n  2  -3   .   .\n");
  EXPECT_EQ(arrays(folder / "w.txt", "adjacency"), "adjacency\n" + names + "0: 1 (0.5) 1 (2)\n1: 1 (0)\n2: 0 (-3)\n");
}

TEST(Arrays, TooLargeToPrintIsRefused) {
  const auto run = run_tool({"info", "chain:2000", "--arrays", "csr"});  // 2001 + 2 · 3998
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("HW-USAGE-ARRAYS"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("9,997 values"), std::string::npos) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run_tool({"info", "chain:2000", "--arrays", "csr", "--arrays-limit", "9996"}).code, 2);
  EXPECT_EQ(run_tool({"info", "chain:2000", "--arrays", "csr", "--arrays-limit", "9997"}).code, 0);
  EXPECT_EQ(run_tool({"info", "chain:3", "--arrays-limit", "0"}).code, 2);
  EXPECT_EQ(run_tool({"info", "chain:3", "--arrays", "cse"}).code, 2);
}

/// A stored .npz, read by itself: name → (descr, shape, bytes).
struct Member {
  std::string descr, shape, bytes;
  template <class T>
  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> all;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, bytes.data() + at, sizeof value);
      all.push_back(static_cast<double>(value));
    }
    return all;
  }
};

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from) + from.size();
  return text.substr(at, text.find(to, at) - at);
}

std::map<std::string, Member> stored(const std::string& path) {
  const std::string file = slurp(path);
  const auto number = [&](std::size_t at, int width) {
    std::uint64_t value = 0;
    std::memcpy(&value, file.data() + at, static_cast<std::size_t>(width));
    return value;
  };
  std::map<std::string, Member> members;
  for (std::size_t at = 0; file.compare(at, 4, "PK\3\4") == 0;) {
    EXPECT_EQ(number(at + 8, 2), 0) << "stored";
    const std::size_t name = number(at + 26, 2), extra = number(at + 28, 2), size = number(at + 30 + name + 4, 8);
    const std::string content = file.substr(at + 30 + name + extra, size);
    EXPECT_EQ(content.substr(0, 8), "\x93NUMPY\1\0"s);
    std::uint16_t header = 0;
    std::memcpy(&header, content.data() + 8, 2);
    EXPECT_EQ((10 + header) % 64, 0) << "NumPy aligns the data";
    const std::string dict = content.substr(10, header);
    EXPECT_NE(dict.find("'fortran_order': False"), std::string::npos);
    members[file.substr(at + 30, name)] = {between(dict, "'descr': '", "'"), between(dict, "'shape': (", ")"),
                                           content.substr(10u + header)};
    at += 30 + name + extra + size;
  }
  return members;
}

TEST(NpzLayouts, HoldWhatSciPyDocuments) {
  Folder folder;
  spit(folder / "g.txt", "0 2 0.5\n1 0 2\n2 2 4\n2 0 8\n");
  const auto written = [&](const std::string& layout) {
    EXPECT_EQ(run_tool({"convert", folder / "g.txt", folder / layout + ".npz", "--layout", layout}).code, 0);
    auto members = stored(folder / layout + ".npz");
    EXPECT_EQ(members.size(), 5) << layout;
    EXPECT_EQ(members["format.npy"].descr, "|S3");
    EXPECT_EQ(members["format.npy"].shape, "");
    EXPECT_EQ(members["format.npy"].bytes, layout);
    EXPECT_EQ(members["shape.npy"].values<std::int64_t>(), (std::vector<double>{3, 3}));
    EXPECT_EQ(members["data.npy"].descr, "<f4");
    EXPECT_EQ(members["data.npy"].shape, "4,");
    return members;
  };
  using List = std::vector<double>;
  auto csr = written("csr"), csc = written("csc"), coo = written("coo");
  EXPECT_EQ(csr["indptr.npy"].values<std::int32_t>(), (List{0, 1, 2, 4}));
  EXPECT_EQ(csr["indices.npy"].values<std::int32_t>(), (List{2, 0, 0, 2}));
  EXPECT_EQ(csr["data.npy"].values<float>(), (List{0.5, 2, 8, 4}));
  EXPECT_EQ(csc["indptr.npy"].values<std::int32_t>(), (List{0, 2, 2, 4}));
  EXPECT_EQ(csc["indices.npy"].values<std::int32_t>(), (List{1, 2, 0, 2}));
  EXPECT_EQ(csc["data.npy"].values<float>(), (List{2, 8, 0.5, 4}));
  EXPECT_EQ(coo["row.npy"].values<std::int32_t>(), (List{0, 1, 2, 2}));
  EXPECT_EQ(coo["col.npy"].values<std::int32_t>(), (List{2, 0, 0, 2}));
  EXPECT_EQ(coo["data.npy"].values<float>(), (List{0.5, 2, 8, 4}));
}

TEST(NpzLayouts, ComeBackAsTheSameGraph) {
  Folder folder;
  spit(folder / "w.txt", "0 2 0.5\n1 0 2\n1 0 3\n2 2 4\n3 0 8\n");  // a parallel edge and a self-loop
  for (const std::string graph : {"rmat:8,4", "shapes:7,40", "pmpp", "w.txt"}) {
    const std::string input = graph == "w.txt" ? folder / graph : graph;
    ASSERT_EQ(run_tool({"convert", input, folder / "a.txt"}).code, 0) << input;
    ASSERT_EQ(run_tool({"convert", input, folder / "standard.npz"}).code, 0);
    ASSERT_EQ(run_tool({"convert", folder / "standard.npz", folder / "a.hwg"}).code, 0);
    const auto before = json::parse(run_tool({"info", folder / "a.hwg", "--searches", "0", "--json"}).out);
    for (const std::string layout : {"csr", "csc", "coo"}) {
      const std::string npz = folder / "b.npz";
      ASSERT_EQ(run_tool({"convert", input, npz, "--layout", layout}).code, 0);
      const auto read = json::parse(run_tool({"convert", npz, folder / "b.hwg", "--json"}).out);
      EXPECT_EQ(read["graph"]["details"].get<std::string>().substr(0, 3), layout) << read;
      ASSERT_EQ(run_tool({"convert", folder / "a.hwg", folder / "x.txt"}).code, 0);
      ASSERT_EQ(run_tool({"convert", folder / "b.hwg", folder / "y.txt"}).code, 0);
      EXPECT_EQ(slurp(folder / "x.txt"), slurp(folder / "y.txt")) << input << " " << layout;
      const auto after = json::parse(run_tool({"info", folder / "b.hwg", "--searches", "0", "--json"}).out);
      for (const char* key : {"vertices", "arcs", "self_loops", "duplicates", "weights"}) EXPECT_EQ(after[key], before[key]);
    }
  }
}

TEST(NpzLayouts, OtherFormatsHaveNone) {
  Folder folder;
  expect_refused({"convert", "chain:3", folder / "a.mtx", "--layout", "coo"}, 2, "HW-WRITE-LAYOUT", "");
  EXPECT_EQ(folder.files(), 0);
  EXPECT_EQ(run_tool({"convert", "chain:3", folder / "a.npz", "--layout", "dia"}).code, 2);
}

TEST(Graphgen, WritesTheTextOfRodinia) {
  Folder folder;
  const std::string file = folder / "graph1k.txt";
  ASSERT_EQ(run_tool({"gen", "graphgen:1024", "-o", file}).code, 0);
  EXPECT_EQ(slurp(file).substr(0, 7), "1024\n0 ");
  const auto back = json::parse(run_tool({"info", file, "--searches", "0", "--json"}).out);
  EXPECT_EQ(back["graph"]["format"], "rodinia") << back;
  EXPECT_EQ(back["vertices"], 1024);
  ASSERT_EQ(run_tool({"gen", "graphgen:1024", "-o", folder / "edges.txt", "--to", "edge-list"}).code, 0);
  EXPECT_NE(slurp(folder / "edges.txt").substr(0, 5), "1024\n");
  ASSERT_EQ(run_tool({"gen", "chain:9", "-o", folder / "chain.txt"}).code, 0);
  EXPECT_NE(slurp(folder / "chain.txt").substr(0, 2), "9\n");
}

TEST(EstimateStrategy, CountsTheBooksGraph) {
  const auto e = json::parse(run_tool({"estimate", "pmpp", "--strategy", "survey-defer", "--json"}).out);
  const auto s = e["strategy"];
  EXPECT_EQ(s["representations"], json::parse(R"({"CSR": 100, "CSC": 100, "COO": 120, "node records": 132})"));
  EXPECT_EQ(s["bytes"], 100 + 36 + 36 + 36 + 24 + 4);  // CSR, lengths, distances, sources, counts of a trace, flag
  EXPECT_EQ(e["device"]["needed_bytes"], s["bytes"]);
  EXPECT_EQ(s["blocks"][0]["dynamic_shared_bytes"], 8192);
  EXPECT_EQ(s["blocks"][0]["resident"], 8);
  EXPECT_EQ(s["blocks"][0]["by_registers"], nullptr);
  EXPECT_EQ(s["exact"], true);
  const auto text = run_tool({"estimate", "pmpp", "--strategy", "survey-defer", "--param", "queue_size=8192"}).out;
  EXPECT_NE(text.find("at most 6 blocks on a multiprocessor, by shared memory"), std::string::npos) << text;
}

TEST(EstimateStrategy, AllHasARowForEach) {
  const auto all = json::parse(run_tool({"estimate", "pmpp", "--strategy", "all", "--json"}).out)["strategies"];
  ASSERT_EQ(all.size(), 20u);
  const std::string text = run_tool({"estimate", "pmpp", "--strategy", "all"}).out;
  for (const auto& one : all) {
    const auto name = one["name"].get<std::string>();
    EXPECT_EQ(one, json::parse(run_tool({"estimate", "pmpp", "--strategy", name, "--json"}).out)["strategy"]) << name;
    EXPECT_NE(text.find("\n" + name + " "), std::string::npos) << text;
  }
  EXPECT_NE(text.find("CSR + CSC               200      144      344"), std::string::npos) << text;  // pmpp-direction
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{{"--param", "block=64"}, {"--prepare"}}) {
    std::vector<std::string> words{"estimate", "pmpp", "--strategy", "all"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run_tool(words).code, 2) << more[0];
  }
}

TEST(EstimateWeights, CountsWeightsAndTheSearchByThem) {
  const auto hops = json::parse(run_tool({"estimate", "grid:300x300", "--json"}).out);
  const auto weights = json::parse(run_tool({"estimate", "grid:300x300", "--weights", "--json"}).out);
  const std::uint64_t arcs = hops["arcs"];
  EXPECT_EQ(weights["host"]["graph_bytes"], hops["host"]["graph_bytes"].get<std::uint64_t>() + 4 * arcs);
  EXPECT_GT(weights["host"]["search_bytes"], hops["host"]["search_bytes"]);
  EXPECT_GT(weights["device"]["needed_bytes"], hops["device"]["needed_bytes"]);
  const auto parents = json::parse(run_tool({"estimate", "grid:300x300", "--weights", "--parents", "--json"}).out);
  EXPECT_EQ(parents["device"]["needed_bytes"], weights["device"]["needed_bytes"].get<std::uint64_t>() + 4 * 90000);
}

TEST(CliEstimate, TellsWhatEachOfSeveralProcessesTakes) {
  const auto estimate = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"estimate", "rmat:14,16", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return json::parse(run_tool(words).out);
  };
  EXPECT_TRUE(estimate({})["ranks"].is_null());
  const auto one = estimate({"--ranks", "1"})["ranks"], four = estimate({"--ranks", "4"})["ranks"];
  EXPECT_EQ(four["count"], 4);
  EXPECT_NEAR(one["rows_bytes"].get<double>(), 4 * four["rows_bytes"].get<double>(), 64);
  EXPECT_LT(four["needed_bytes"], one["needed_bytes"]);
  EXPECT_GT(four["first_needed_bytes"], one["rows_bytes"]);  // rank 0 makes the whole graph
  EXPECT_GT(estimate({"--ranks", "4", "--parents"})["ranks"]["needed_bytes"], four["needed_bytes"]);
  EXPECT_NE(run_tool({"estimate", "rmat:14,16", "--ranks", "4"}).out.find("ranks   "), std::string::npos);
  // Components are found before the search has its memory: beside that of a large graph, messages of a round are little.
  EXPECT_GT(four["lcc_needed_bytes"], four["needed_bytes"]);
  const auto large = json::parse(run_tool({"estimate", "rmat:26,16", "--ranks", "4", "--json"}).out)["ranks"];
  EXPECT_EQ(large["lcc_needed_bytes"], large["needed_bytes"]);
  EXPECT_EQ(run_tool({"estimate", "rmat:31,64", "--ranks", "2"}).code, 4);
  EXPECT_NE(run_tool({"estimate", "rmat:14,16", "--ranks", "4", "--prepare"}).err.find("HW-USAGE-OPTION"), std::string::npos);
  EXPECT_NE(run_tool({"estimate", "rmat:14,16", "--ranks", "-1"}).err.find("HW-USAGE-VALUE"), std::string::npos);
}

TEST(EstimateJob, CountsWhatACommandTakes) {
  const auto job = [](std::vector<std::string> more) {
    std::vector<std::string> words{"estimate", "rmat:14,16", "--json", "--job"};
    words.insert(words.end(), more.begin(), more.end());
    return json::parse(run_tool(words).out);
  };
  const std::uint64_t n = 1 << 14;
  for (const char* name : {"closeness", "betweenness"}) {
    EXPECT_EQ(job({name})["searches"], n);
    EXPECT_EQ(job({name})["error"], nullptr);
    EXPECT_EQ(job({name, "--samples", "500"})["searches"], 500);
    EXPECT_NEAR(job({name, "--samples", "500"})["error"].get<double>(), 0.1163, 0.001);
  }
  // Four threads with searches of their own, 64 partial sums and the result.
  const auto of_vertices = job({"betweenness", "--threads", "4"});
  EXPECT_EQ(of_vertices["host"]["search_bytes"], 4 * 37 * n + 65 * 8 * n);
  EXPECT_GT(job({"betweenness", "--threads", "4", "--edges"})["host"]["search_bytes"], of_vertices["host"]["search_bytes"]);
  EXPECT_EQ(job({"eccentricity"})["searches"], nullptr);
  EXPECT_EQ(job({"cc"})["host"]["search_bytes"], 8 * n);
  EXPECT_EQ(job({"kcore"})["host"]["search_bytes"], 16 * n);
  EXPECT_EQ(job({"matching"})["host"]["search_bytes"], 30 * n);
  EXPECT_EQ(job({"scc"})["device"]["needed_bytes"], job({"cc"})["device"]["needed_bytes"]);  // of an undirected graph
  const auto text = run_tool({"estimate", "rmat:14,16", "--job", "closeness", "--samples", "500"}).out;
  EXPECT_NE(text.find("500 searches"), std::string::npos) << text;
  EXPECT_NE(text.find("at most 0.12 of a harmonic"), std::string::npos) << text;
  for (const std::vector<std::string>& idle : std::vector<std::vector<std::string>>{{"--samples", "5"},
                                                                                    {"--edges"},
                                                                                    {"--threads", "2"},
                                                                                    {"--job", "cc", "--samples", "5"},
                                                                                    {"--job", "closeness", "--weights"},
                                                                                    {"--job", "scc", "--parents"},
                                                                                    {"--job", "moon"}}) {
    std::vector<std::string> words{"estimate", "pmpp"};
    words.insert(words.end(), idle.begin(), idle.end());
    EXPECT_EQ(run_tool(words).code, 2) << idle[0];
  }
}

TEST(EstimateStrategy, EveryStrategyIsAnsweredAndNoOptionIsIdle) {
  for (const auto& strategy : json::parse(run_tool({"strategies", "--json"}).out)) {
    const auto run = run_tool({"estimate", "grid:30x30", "--strategy", strategy["name"], "--json"});
    ASSERT_EQ(run.code, 0) << strategy["name"] << run.err;
    EXPECT_EQ(json::parse(run.out)["strategy"].contains("bytes"), strategy["device"] == "gpu") << strategy["name"];
  }
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--param", "block=64"},
                                             {"--strategy", "pmpp-edge", "--param", "best"},
                                             {"--strategy", "pmpp-edge", "--prepare"},
                                             {"--strategy", "pmpp-edge", "--searches", "2"},
                                             {"--strategy", "auto", "--param", "alpha=4"},
                                             {"--strategy", "pmpp-edge", "--param", "queue_size=4"},
                                             {"--strategy", "pmpp-egde"},
                                             {"--weights", "--prepare"},
                                             {"--weights", "--searches", "2"},
                                             {"--weights", "--strategy", "auto"}}) {
    std::vector<std::string> words{"estimate", "pmpp"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run_tool(words).code, 2) << more.back();
  }
}

}  // namespace of_cli_layout_test
}  // namespace hopwave::test
