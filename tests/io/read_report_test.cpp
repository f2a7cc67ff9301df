// What a reader reports of a file beside its edges: figures, repairs, places of errors; and what a written file says beside
// them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "hopwave/search.h"
#include "io/format.h"
#include "support/error_id.h"
#include "support/graphs.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_read_report_test {

using namespace std::string_literals;

Graph some_graph(bool build_in) {
  return testing::build({.name = "some", .num_vertices = 5, .edges = {{0, 1}, {0, 2}, {1, 3}, {3, 4}, {4, 0}, {2, 4}}}, true,
                        build_in);
}

TEST(ReadReport, SaysWhatWasRead) {
  const TempDir dir;
  std::size_t written = 0;
  for (const FormatInfo& format : formats()) {
    if (!format.writes || !format.reads || format.name == "hwg") continue;
    const std::string extension(format.extensions.substr(0, format.extensions.find_first_of(" ,")));
    const std::string path = dir.path("g-" + std::string(format.name) + "." + extension);
    try {
      write_graph(some_graph(false), path, {.format = std::string(format.name)});
    } catch (const Error&) {
      continue;  // it cannot carry this graph
    }
    ++written;
    const EdgeList list = read_edges(path, {.format = std::string(format.name)});
    EXPECT_EQ(list.report.source, path);
    EXPECT_EQ(list.report.format, format.name);
    EXPECT_EQ(list.report.bytes, std::filesystem::file_size(path)) << format.name;
    EXPECT_EQ(list.report.text_bytes, std::filesystem::file_size(path)) << format.name;
    EXPECT_EQ(list.report.rows, list.edges.size()) << format.name;
    EXPECT_TRUE(list.report.repairs.empty()) << format.name;
  }
  EXPECT_GE(written, 5u);
}

TEST(ReadReport, OfAMappedFile) {
  const TempDir dir;
  const std::string path = dir.path("g.hwg");
  write_graph(some_graph(false), path);
  for (const bool build_in : {false, true}) {
    const Graph graph = load_graph(path, {}, {.build_in = build_in});
    EXPECT_TRUE(graph.has_in());  // it was written with them
    EXPECT_EQ(graph.read_report().source, path);
    EXPECT_EQ(graph.read_report().format, "hwg");
    EXPECT_EQ(graph.read_report().bytes, std::filesystem::file_size(path));
    EXPECT_EQ(graph.read_report().rows, graph.num_arcs());
  }
}

TEST(ReadReport, CountsNamedRowsThatWereLeftOut) {
  const std::string text = "source,target\na,b\nb\nb,c\nc,d,e\n";
  const EdgeList list = read_edges(std::span<const char>(text), "names.csv", {.lenient = true});
  EXPECT_EQ(list.edges.size(), 2u);
  ASSERT_EQ(list.report.repairs.size(), 1u);
  EXPECT_NE(list.report.repairs[0].find("2 rows"), std::string::npos) << list.report.repairs[0];
}

Graph weighted_chain(const std::vector<float>& weights) {
  EdgeList list;
  list.num_vertices = static_cast<VertexId>(weights.size() + 1);
  list.ids = Ids::consecutive(list.num_vertices);
  list.edges = Array<Edge>(weights.size());
  for (VertexId v = 0; v < weights.size(); ++v) list.edges[v] = {v, v + 1};
  list.weights = Array<float>::copy_of({weights.data(), weights.size()});
  return build_graph(std::move(list), {});
}

EdgeList read_text(const std::string& text, const std::string& name, const ReadOptions& options = {}) {
  return read_edges(std::span<const char>(text), name, options);
}

Error::Parts error_of_text(const std::string& text, const std::string& name) {
  return testing::parts_of([&] { (void)read_text(text, name); });
}

TEST(ReadReport, NamesTheLayoutOfArrays) {
  const TempDir dir;
  for (const std::string layout : {"csr", "csc", "coo"}) {
    const std::string path = dir.path(layout + ".npz");
    write_graph(weighted_chain({0.5F, 2}), path, {.layout = layout});
    EXPECT_EQ(read_edges(path, {.weights = true}).report.details, layout + ", weights");
    EXPECT_EQ(read_edges(path, {.weights = false}).report.details, layout);
  }
}

TEST(ReadReport, CountsWeightsThatWereReplaced) {
  const TempDir dir;
  const std::string path = dir.path("g.npz");
  constexpr float infinite = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  {  // which write_graph() refuses
    OutputFile file(path);
    const auto sink = io::make_sink(file, path, 1);
    io::find_format("npz").write(weighted_chain({1, infinite, -infinite, std::numeric_limits<float>::quiet_NaN(), most}), *sink,
                                 {});
    sink->finish();
    file.commit();
  }
  EXPECT_THROW((void)read_edges(path, {.weights = true}), Error);
  const EdgeList list = read_edges(path, {.lenient = true, .weights = true});
  ASSERT_EQ(list.report.repairs.size(), 1u);
  EXPECT_EQ(list.report.repairs[0].substr(0, 9), "3 values ") << list.report.repairs[0];
  EXPECT_EQ(std::vector<float>(list.weights.begin(), list.weights.end()), (std::vector<float>{1, most, -most, 0, most}));
}

/// What was repaired stays told in a stored graph; not why a preparation was left out, which is of another file.
TEST(ReadReport, RepairsStayInAStoredGraph) {
  const TempDir dir;
  Graph graph = some_graph(false);
  ReadReport report = graph.read_report();
  report.repairs = {"2 rows that could not be read were left out", "the stored preparation was made from other arcs: left out",
                    "of\ttwo\nlines", ""};
  graph.set_read_report(report);
  const std::string once = dir.path("once.hwg"), twice = dir.path("twice.hwg");
  write_graph(graph, once);
  write_graph(load_graph(once), twice);
  for (const std::string& path : {once, twice})
    EXPECT_EQ(load_graph(path).read_report().repairs,
              (std::vector<std::string>{"2 rows that could not be read were left out", "of two lines"}));
}

TEST(ReadReport, OfMatrixMarketWithoutABanner) {
  for (const auto& [entry, field, rest] : {std::tuple("1 2", "pattern", ""), std::tuple("1 2 3", "real", ""),
                                           std::tuple("1 2 3 4", "complex", ", complex values not kept")}) {
    const ReadOptions lenient{.format = "matrix-market", .lenient = true};
    const ReadReport report = read_text("2 2 1\n" + std::string(entry) + "\n", "g.mtx", lenient).report;
    ASSERT_EQ(report.repairs.size(), 1u) << entry;
    EXPECT_EQ(report.repairs[0], "the banner is missing: taken as coordinate " + std::string(field) + " general");
    EXPECT_EQ(report.details, std::string(field) + " general" + rest);
  }
}

TEST(ReadReport, QuotesWhatStandsWhereARowIsWrong) {
  // An id is missing at the end of a line, however the line ends, and at the end of the file.
  for (const std::string text : {"0 1\n2 \n", "0 1\n2 \r\n3 4\r\n", "0 1\n2 "}) {
    const Error::Parts error = error_of_text(text, "g.txt");
    EXPECT_EQ(error.id, "HW-EDGE-COLUMNS") << text;
    EXPECT_EQ(error.where.line, 2u) << text;
    EXPECT_NE((error.found + " ").find("the end of the line"), std::string::npos) << text << ": " << error.found;
  }
  const Error::Parts long_word = error_of_text("0 1\n2 x2345678901234567890123456789\n", "g.txt");
  EXPECT_NE(long_word.found.find("'x23456789012345678901234…'"), std::string::npos) << long_word.found;
  const Error::Parts word = error_of_text("0 1\n2 x\t3\n", "g.txt");
  EXPECT_NE(word.found.find("'x'"), std::string::npos) << word.found;
}

TEST(ReadReport, FindsNulInTheFirstRow) {
  for (const std::string text : {"1\0 2\n"s, "1 2\0\n"s, "a\0b c\n"s, "source,target\0\n1,2\n"s, "\0\n"s}) {
    const Error::Parts error = error_of_text(text, "g.csv");
    EXPECT_EQ(error.id, "HW-TEXT-NUL");
    EXPECT_EQ(error.where.line, 1u);
    EXPECT_EQ(error.where.column, text.find('\0') + 1);
  }
}

TEST(ReadReport, SignsOfWeights) {
  EXPECT_EQ(read_text("0 1 +1.5\n1 2 -2.5\n", "g.txt", {.weights = true}).weights[0], 1.5F);
  EXPECT_EQ(read_text("0 1 +7\n1 2 8\n", "g.txt", {.weights = true}).weights[0], 7.0F);
  for (const std::string weight : {"+-1", "++1", "-+1", "--1", "+"})
    EXPECT_NE(error_of_text("0 1 2.5\n1 2 " + weight + "\n", "g.txt").id, "none") << weight;
}

TEST(ReadReport, AFlagThatIsWrongStandsInTheFirstByte) {
  const TempDir dir;
  const std::string path = dir.path("g.sg");
  write_graph(some_graph(false), path);
  std::string bytes = content_of(path);
  bytes[0] = 7;
  const Error::Parts error = testing::parts_of([&] { (void)read_edges(std::span<const char>(bytes), "g.sg", {}); });
  EXPECT_EQ(error.id, "HW-SG-HEADER");
  EXPECT_EQ(error.where.byte, 0u);
}

/// Version 1 pads its targets to eight bytes, which a file without data may lack; nothing else may be missing.
TEST(ReadReport, GaloisFilesOfEverySize) {
  const auto file = [](std::uint64_t version, std::uint64_t data_bytes, std::size_t bytes) {
    const std::uint64_t words[] = {version, data_bytes, 3, 3, 1, 2, 3};  // 0 → 1 → 2 → 0
    std::string text(reinterpret_cast<const char*>(words), sizeof words);
    for (std::uint64_t target : {1, 2, 0}) text.append(reinterpret_cast<const char*>(&target), version == 1 ? 4 : 8);
    text.append(64, '\0');
    return text.substr(0, sizeof words + bytes);
  };
  for (std::size_t bytes = 0; bytes <= 60; ++bytes)
    for (const std::uint64_t version : {1, 2})
      for (const std::uint64_t data : {0, 4, 8}) {
        const std::size_t targets = version == 1 ? 16 : 24;
        const bool right = bytes == targets + 3 * data || (version == 1 && data == 0 && bytes == 12);
        const std::string text = file(version, data, bytes);
        try {
          const EdgeList list = read_edges(std::span<const char>(text), "g", {.format = "galois"});
          EXPECT_TRUE(right) << version << " " << data << " " << bytes;
          EXPECT_EQ(list.edges.size(), 3u);
          EXPECT_EQ(list.edges[1].target, 2u);
        } catch (const Error& error) {
          EXPECT_FALSE(right) << version << " " << data << " " << bytes;
          EXPECT_EQ(error.id(), "HW-GALOIS-SIZE") << version << " " << data << " " << bytes;
        }
      }
}

TEST(ReadReport, GaloisWeightsAreWhatSignedNumbersHold) {
  const auto id_of = [](std::uint64_t version, std::uint64_t data_bytes, std::uint64_t edges, std::uint64_t weight) {
    const std::uint64_t words[] = {version, data_bytes, 1, edges, 1, 0, weight};
    const std::string text(reinterpret_cast<const char*>(words), sizeof words);
    try {
      return read_edges(std::span<const char>(text), "g", {.format = "galois"}).weights.text(0);
    } catch (const Error& error) {
      return error.id() + " " + std::to_string(error.parts().where.byte);
    }
  };
  EXPECT_EQ(id_of(2, 8, 1, 0x7FFFFFFFFFFFFFFF), "9223372036854775807");
  EXPECT_EQ(id_of(2, 8, 1, 0x8000000000000000), "HW-GALOIS-WEIGHT 48");
  EXPECT_EQ(id_of(3, 8, 1, 5).substr(0, 16), "HW-GALOIS-HEADER");
  EXPECT_EQ(id_of(2, 8, std::uint64_t{1} << 48, 5).substr(0, 16), "HW-GALOIS-HEADER");
}

/// Standard input may be a file that somebody has read a part of.
TEST(ReadReport, StandardInputBeginsWhereItStands) {
  const TempDir dir;
  std::ofstream(dir.path("g.txt")) << "77 88\n12 13\n13 14\n";
  const int kept = ::dup(0);
  for (const int skipped : {0, 6}) {
    const int file = ::open(dir.path("g.txt").c_str(), O_RDONLY);
    ASSERT_GE(::dup2(file, 0), 0);
    ::close(file);
    ASSERT_EQ(::lseek(0, skipped, SEEK_SET), skipped);
    const EdgeList list = read_edges(std::string("-"));
    EXPECT_EQ(list.edges.size(), skipped ? 2u : 3u);
    EXPECT_EQ(list.num_vertices, skipped ? 3u : 5u);
  }
  if (kept >= 0) EXPECT_EQ(::dup2(kept, 0), 0);
  ::close(kept);
}

TEST(WrittenText, SaysWhetherItsEdgesAreDirected) {
  const TempDir dir;
  const testing::TestGraph directed{.name = "pair", .num_vertices = 2, .edges = {{0, 1}}, .directed = true};
  testing::TestGraph undirected = directed;
  undirected.directed = false;
  write_graph(testing::build(directed), dir.path("a.txt"));
  write_graph(testing::build(undirected), dir.path("b.txt"));
  const std::string rest = "# Nodes: 2 Edges: 1\n# FromNodeId\tToNodeId\n";
  EXPECT_EQ(content_of(dir.path("a.txt")), "# Directed graph\n" + rest + "0\t1\n");
  EXPECT_EQ(content_of(dir.path("b.txt")), "# Undirected graph (each edge once)\n" + rest + "1\t0\n");
}

TEST(WrittenText, NamesStayNamesIfTheyAreDigits) {
  const TempDir dir;
  write_graph(weighted_chain({2}), dir.path("g.txt"), {.format = "names"});
  EXPECT_NE(content_of(dir.path("g.txt")).find("source\ttarget\tweight\n"), std::string::npos);
  const EdgeList list = read_edges(dir.path("g.txt"), {.format = "names"});
  EXPECT_EQ(list.ids.kind(), Ids::Kind::strings);
}

/// Archives say 1 January 1980, so that two of one graph are the same bytes; unzip and Python take no day 0.
TEST(WrittenArrays, HaveADateThatOtherProgramsTake) {
  const TempDir dir;
  write_graph(some_graph(false), dir.path("g.npz"));
  const std::string bytes = content_of(dir.path("g.npz"));
  const std::string date("\0\0\x21\0", 4);
  EXPECT_EQ(bytes.substr(10, 4), date);
  const std::size_t entry = bytes.find("PK\1\2");
  ASSERT_NE(entry, std::string::npos);
  EXPECT_EQ(bytes.substr(entry + 12, 4), date);
  EXPECT_EQ(bytes.substr(4, 2), "\x2d\0"s);  // needs version 4.5, for ZIP64
  EXPECT_EQ(bytes.substr(entry + 6, 2), "\x2d\0"s);
}

}  // namespace of_read_report_test
}  // namespace hopwave
