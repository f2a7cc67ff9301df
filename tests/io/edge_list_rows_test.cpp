// Rows of edge lists come to their places, whatever the first 64 KiB let expect, and ids become vertices; what a report says of
// the columns; and what is written, to the letter.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "support/error_id.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_edge_list_rows_test {

using namespace std::string_literals;

EdgeList read(const std::string& text, const std::string& name = "g.txt", const ReadOptions& options = {}) {
  return read_edges(std::span<const char>(text), name, options);
}

Error::Parts error_of(const std::string& text, const std::string& name = "g.txt", const ReadOptions& options = {}) {
  return testing::parts_of([&] { (void)read(text, name, options); });
}

/// Rows i → 7 i + 1, with the weight i where asked; the first ones are long, so that few are expected.
std::string rows_of(std::size_t long_rows, std::size_t short_rows, bool weighted, std::uint64_t base) {
  std::string text;
  for (std::size_t i = 0; i < long_rows + short_rows; ++i) {
    text += std::to_string(base + i) + " " + std::to_string(base + 7 * i + 1);
    if (weighted) text += " " + std::to_string(i);
    text += (i < long_rows ? std::string(900, ' ') : "") + "\n";
  }
  return text;
}

TEST(EdgeListRows, MoreThanTheBeginningLetsExpect) {
  for (const bool weighted : {false, true})
    for (const std::uint64_t base :
         {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << 32) - 70'000, std::uint64_t{1} << 40})
      for (const int threads : {1, 3}) {
        const std::string text = rows_of(1500, 60'000, weighted, base);
        const EdgeList list = read(text, "g.txt", {.run = {.threads = threads}});
        ASSERT_EQ(list.edges.size(), 61'500u);
        ASSERT_EQ(list.weights.size(), weighted ? 61'500u : 0u);
        for (std::size_t i = 0; i < list.edges.size(); ++i) {
          ASSERT_EQ(list.ids.number(list.edges[i].source), static_cast<std::int64_t>(base + i));
          ASSERT_EQ(list.ids.number(list.edges[i].target), static_cast<std::int64_t>(base + 7 * i + 1));
          if (weighted) ASSERT_EQ(list.weights[i], static_cast<float>(i));
        }
      }
}

/// Rows as they may stand in a file of two columns. Plain ones ("12 34") are scanned many at once, others one by one.
struct DrawnRows {
  std::string text;
  std::vector<std::uint64_t> ends;  ///< source, target, source, …

  /// One of `every` rows, or none if 0, has another form; numbers have at most so many digits.
  DrawnRows(std::uint64_t seed, std::size_t rows, std::uint64_t every, int most_digits, char separator) {
    std::mt19937_64 random(seed);
    const auto number = [&] {
      std::string digits;
      for (auto left = 1 + random() % static_cast<std::uint64_t>(most_digits); left; --left)
        digits += static_cast<char>('0' + random() % 10);
      if (digits.size() > 1) digits[0] = static_cast<char>('1' + random() % 8);  // no text, and below 2⁶³
      ends.push_back(std::stoull(digits));
      return digits;
    };
    const auto row = [&](const std::string& before, const std::string& between, const std::string& behind) {
      text += before + number();
      text += between + number();
      text += behind + "\n";
    };
    const std::string one(1, separator);
    for (std::size_t i = 0; i < rows; ++i) {
      switch (every && random() % every == 0 ? random() % 10 : 10) {
        case 0:
          text += "# a comment 1 2\n";
          break;
        case 1:
          row(" ", one, "");
          break;
        case 2:
          row("", one, "\r");
          break;
        case 3:
          row("", one, "  ");
          break;
        case 4:
          row("", " " + one + "\t", "");
          break;
        case 5:
          row("", one, " # 7 8");
          break;
        case 6:
          text += "\n";
          break;
        case 7:
          row("", one + std::string(random() % 3000, ' '), "");
          break;
        case 8:
          row("", one, std::string(random() % 3000, ' '));
          break;
        case 9:
          text += "%" + std::string(random() % 3000, '1') + "\n";
          break;
        default:
          row("", one, "");
      }
    }
    if (random() % 2 && !text.empty() && text.back() == '\n') text.pop_back();
  }
};

TEST(EdgeListRows, OfAllFormsAmongPlainOnes) {
  std::uint64_t seed = 0;
  for (const char separator : {' ', '\t', ',', ';', '|'})
    for (const std::uint64_t every : {0, 2, 50, 1000})
      for (const int digits : {1, 2, 7, 8, 9, 16, 17, 19})
        for (const std::size_t rows : {3, 40, 1000}) {
          const DrawnRows drawn(++seed, rows, every, digits, separator);
          if (drawn.ends.size() < 4) continue;
          const EdgeList list =
              read(drawn.text, "g.txt",
                   {.format = "edge-list", .header = false, .run = {.threads = 1 + static_cast<int>(seed % 3)}});
          ASSERT_EQ(2 * list.edges.size(), drawn.ends.size()) << seed;
          for (std::size_t i = 0; i < list.edges.size(); ++i) {
            ASSERT_EQ(list.ids.number(list.edges[i].source), static_cast<std::int64_t>(drawn.ends[2 * i])) << seed;
            ASSERT_EQ(list.ids.number(list.edges[i].target), static_cast<std::int64_t>(drawn.ends[2 * i + 1])) << seed;
          }
        }
}

/// Wherever among plain rows: an id left out, a letter, a zero byte, another separator, 2⁶³, a third column.
TEST(EdgeListRows, FaultsAmongPlainOnesHaveTheirPlace) {
  struct Fault {
    std::string row, id;
    int column;
  };
  const std::vector<Fault> faults = {{"5 \n", "HW-EDGE-COLUMNS", 3},    {"5\n", "HW-EDGE-COLUMNS", 2},
                                     {"5 x\n", "HW-EDGE-ID", 3},        {"5 7x\n", "HW-EDGE-ID", 4},
                                     {"-5 7\n", "HW-EDGE-ID", 1},       {"5,7\n", "HW-EDGE-ID", 2},
                                     {"5 7 8\n", "HW-EDGE-COLUMNS", 5}, {"5 9223372036854775808\n", "HW-EDGE-RANGE", 3},
                                     {"5 7\0\n"s, "HW-EDGE-ID", 4},     {"5\0007\n"s, "HW-EDGE-ID", 2}};
  for (const std::size_t before : {2, 7, 90, 300, 4000})
    for (const std::size_t behind : {0, 5, 1000})
      for (const Fault& fault : faults) {
        std::string text;
        for (std::size_t i = 0; i < before; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
        text += fault.row;
        for (std::size_t i = 0; i < behind; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
        const Error::Parts error = error_of(text, "g.txt", {.format = "edge-list"});
        EXPECT_EQ(error.id, fault.id) << fault.row << " behind " << before;
        EXPECT_EQ(error.where.line, before + 1) << fault.row;
        EXPECT_EQ(error.where.column, fault.column) << fault.row;
      }
}

TEST(EdgeListIds, WithoutGapsAreConsecutive) {
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{64}, std::uint64_t{65'600},
        (std::uint64_t{1} << 32) - 2, (std::uint64_t{1} << 32), std::uint64_t{1} << 50, (std::uint64_t{1} << 62) - 5}) {
    const auto row = [&](std::uint64_t u, std::uint64_t v) {
      return std::to_string(first + u) + " " + std::to_string(first + v) + "\n";
    };
    const EdgeList list = read(row(0, 1) + row(2, 1) + row(3, 2));
    EXPECT_EQ(list.ids.kind(), Ids::Kind::consecutive) << first;
    ASSERT_EQ(list.num_vertices, 4u) << first;
    for (VertexId v = 0; v < 4; ++v) EXPECT_EQ(list.ids.number(v), static_cast<std::int64_t>(first + v));
    EXPECT_TRUE(list.edges[2].source == 3 && list.edges[2].target == 2) << first;
    const EdgeList gapped = read(row(0, 1) + row(2, 1) + row(4, 2));
    EXPECT_EQ(gapped.ids.kind(), Ids::Kind::integers) << first;
    ASSERT_EQ(gapped.num_vertices, 4u) << first;
    EXPECT_EQ(gapped.ids.number(3), static_cast<std::int64_t>(first + 4));
    EXPECT_TRUE(gapped.edges[2].source == 3 && gapped.edges[2].target == 2) << first;
  }
}

TEST(EdgeListColumns, AreDescribed) {
  const auto details = [](const std::string& text, const ReadOptions& options = {}) {
    return read(text, "g.dat", options).report.details;
  };
  EXPECT_EQ(details("0 1\n1 2\n"), "blank separated");
  EXPECT_EQ(details("0\t1\n1\t2\n"), "blank separated");
  EXPECT_EQ(details("0,1\n1,2\n"), "comma separated");
  EXPECT_EQ(details("0;1\n1;2\n"), "semicolon separated");
  EXPECT_EQ(details("0|1\n1|2\n"), "bar separated");
  EXPECT_EQ(details("a\tb\nb\tc\n"), "tab separated");
  EXPECT_EQ(details("0;1;2.5\n1;2;3\n"), "semicolon separated, weights");
  EXPECT_EQ(details("0|1|2.5\n1|2|3\n", {.weights = false}), "bar separated, weights not kept");
  EXPECT_EQ(details("source|target\n1|2\n"), "bar separated, header row");
  EXPECT_EQ(details("source target\n1\t2\n"), "blank separated, header row");
  EXPECT_EQ(details("source\ttarget\n1,2\n"), "comma separated, header row");
  EXPECT_EQ(details("0 1 x\n1 2 y\n"), "blank separated, columns from 3 on ignored");
  EXPECT_EQ(details("0 1 2 x\n1 2 3 y\n", {.format = "edge-list"}), "blank separated, weights, columns from 4 on ignored");
  for (const char* comment : {"# Undirected graph\n", "# An undirected graph of 3\n"}) {
    EXPECT_EQ(details(comment + std::string("0 1\n")), "blank separated");
    EXPECT_EQ(details(comment + std::string("0 1\n"), {.undirected = true}), "blank separated");
  }
}

TEST(EdgeListColumns, MayHaveAnyNamesInOrder) {
  for (const std::string header :
       {"a b", "a,b", "a;b", "source other", "other target", "src\tdst", "FROM,TO", "\"id1\",\"id2\""}) {
    const EdgeList list = read(header + "\n1,2\n2,3\n");
    EXPECT_EQ(list.edges.size(), 2u) << header;
    EXPECT_EQ(list.num_vertices, 3u) << header;
    EXPECT_NE(list.report.details.find("header row"), std::string::npos) << header;
  }
  EXPECT_EQ(error_of("a b source\n1 2 3\n").found, "a column of sources, 'source', and none that is surely of targets");
  EXPECT_EQ(error_of("a b target\n1 2 3\n").found, "a column of targets, 'target', and none that is surely of sources");
}

TEST(EdgeListColumns, OfRowsBeyondTheBeginningAreNotGuessedFrom) {
  // 64 KiB end in the middle of a row, which then has fewer columns than the others.
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += std::to_string(i) + std::string(990, ' ') + std::to_string(i) + " " + std::to_string(i + 1) + " 0.5\n";
  EXPECT_EQ(error_of(text).id, "HW-FORMAT-AMBIGUOUS");
  EXPECT_EQ(read(text, "g.txt", {.format = "edge-list"}).edges.size(), 100u);
  for (const int first : {0, 1}) {
    const std::string a = std::to_string(first) + " 1 2 0.5\n", b = std::to_string(first + 1) + " 2 3 0.5\n";
    EXPECT_EQ(error_of(a + b).id, "HW-FORMAT-AMBIGUOUS") << first;
    EXPECT_EQ(error_of(a + a).id, "none") << first;
    EXPECT_EQ(error_of(b + a).id, "none") << first;
    EXPECT_EQ(error_of(a).id, "none") << first;
  }
  EXPECT_EQ(error_of("2 1 2 0.5\n3 2 3 0.5\n").id, "none") << "counts begin with 0 or 1";
}

TEST(EdgeListColumns, PromisesOfVertices) {
  const auto vertices = [](const std::string& comment) { return read("# " + comment + "\n0 1\n").num_vertices; };
  EXPECT_EQ(vertices("Nodes: 7"), 7u);
  EXPECT_EQ(vertices("Nodes: 7 Edges: 1"), 7u);
  EXPECT_EQ(vertices("Nodes: 7\tEdges: 1"), 7u);
  EXPECT_EQ(vertices("SNAP, Nodes: 7"), 7u);
  for (const char* none :
       {"Nodes: 7x", "Nodes: 7.5", "Nodes: x", "Nodes: ", "Nodes:7", "Nodes: 99999999999999999999999", "nodes: 7"})
    EXPECT_EQ(vertices(none), 2u) << none;
  EXPECT_EQ(read("# Nodes: 3\n1 3\n").ids.number(0), 1) << "ids from 1 to the number promised";
  EXPECT_EQ(read("# Nodes: 3\n1 3\n").num_vertices, 3u);
  EXPECT_EQ(read("# Nodes: 3\n0 3\n").num_vertices, 2u) << "the promise is wrong";
  // A promise beyond belief is an error if it may be true, and left aside if the ids show that it is not.
  for (const std::string text : {"0 1", "0 4999999", "1 5000000"})
    EXPECT_EQ(error_of("# Nodes: 5000000\n" + text + "\n").id, "HW-EDGE-HUGE") << text;
  for (const std::string text : {"0 5000000", "1 5000001"})
    EXPECT_EQ(read("# Nodes: 5000000\n" + text + "\n").num_vertices, 2u) << text;
}

/// A Rodinia file begins with a number alone, and then has pairs whose first number is the sum of the seconds before it.
TEST(EdgeListRows, AreTakenForRodiniaOnlyIfAllTheirWordsAreItsNumbers) {
  const auto format = [](const std::string& text) { return read(text, "g.dat").report.format; };
  EXPECT_EQ(format("2\n0 1\n1 0\n0\n1\n1 5\n"), "rodinia");
  EXPECT_EQ(format("3 x\n0 1\n1 2\n"), "names");
  EXPECT_EQ(format("3 4\n0 1\n1 2\n"), "edge-list");
  EXPECT_EQ(format("a b\n0 x\n1 y\n"), "names");
  EXPECT_EQ(error_of("2\n1 1\n2 0\n0\n1\n1 5\n", "g.dat").id, "HW-EDGE-COLUMNS") << "the second line begins with 0";
  EXPECT_EQ(error_of("2\n0 1x\n1 0\n0\n1\n1 5\n", "g.dat").id, "HW-EDGE-COLUMNS");
  EXPECT_EQ(error_of("0\n0 1\n1 0\n", "g.dat").id, "HW-EDGE-COLUMNS") << "no node";
}

/// Lines of METIS have whole numbers but for the weights of edges.
TEST(EdgeListRows, AreTakenForMetisOnlyWhereTheirNumbersAreWhole) {
  EXPECT_EQ(read("2 1 11\n5 2 7\n6 1 7\n", "g.graph").report.format, "metis");
  EXPECT_EQ(read("2 1 11\n5 2 7.5\n6 1 7.5\n", "g.graph").report.format, "metis");
  EXPECT_EQ(error_of("2 1 11\n5 2 7\n6 1 7\n", "g.dat").id, "HW-FORMAT-AMBIGUOUS");
  EXPECT_EQ(read("\n \n3 2\n2\n1 3\n2\n", "g.dat").report.format, "metis");
  EXPECT_EQ(error_of("2 1 11\n1.5 2 7\n1.5 1 7\n", "g.dat").id, "HW-EDGE-ID");
  EXPECT_EQ(error_of("2 1 11\n5 2.5 7\n6 1.5 7\n", "g.dat").id, "HW-EDGE-ID");
}

TEST(EdgeListComments, BehindRowsAndBetweenThem) {
  for (const std::string mark : {"#", "%", "//"}) {
    const EdgeList list = read("0 1 " + mark + " one\n" + mark + " two\n  " + mark + "three\n1 2\t" + mark + "\n2 0\n");
    EXPECT_EQ(list.edges.size(), 3u) << mark;
    EXPECT_EQ(list.report.details, "blank separated") << mark;
    const EdgeList weighted = read("0 1 2.5 " + mark + " one\n1 2 3 " + mark + "\n");
    EXPECT_EQ(weighted.edges.size(), 2u) << mark;
    EXPECT_EQ(weighted.report.details, "blank separated, weights") << mark;
  }
}

TEST(VertexLists, HoldBlanksCommentsAndManyLines) {
  const TempDir dir;
  std::ofstream(dir.path("g.e")) << "0 1\n1 2\n";
  std::string list = "# all\n\n";
  for (int v = 0; v < 100'000; ++v) list += (v % 3 ? "  " : "\t") + std::to_string(v) + (v % 5 ? "" : " 1.5 2.5") + "\n";
  std::ofstream(dir.path("g.v")) << list;
  EXPECT_EQ(read_edges(dir.path("g.e")).num_vertices, 100'000u);
  std::ofstream(dir.path("g.v")) << list << "  x\n";
  const Error::Parts error = testing::parts_of([&] { (void)read_edges(dir.path("g.e")); });
  EXPECT_EQ(error.where.file, dir.path("g.v"));
  EXPECT_EQ(error.where.line, 100'003u);
  EXPECT_EQ(error.where.column, 3u);
  std::ofstream(dir.path("g.v")) << "0\n1\n";
  EXPECT_EQ(testing::parts_of([&] { (void)read_edges(dir.path("g.e")); }).found,
            "1 vertices that " + dir.path("g.v") + " does not list");
}

/// Through a pipe: a row beyond 8 MiB, and a word beyond 1 MiB where rows may be long.
TEST(LongRows, AreRefusedInStreamsWhereTheyAreTooLong) {
  const TempDir dir;
  const auto error_through_pipe = [&](const std::string& name, const std::string& text) -> Error::Parts {
    const std::string pipe = dir.path(name);
    if (::mkfifo(pipe.c_str(), 0600) != 0) return {.id = "no pipe"};
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
    Error::Parts parts{.id = "none"};
    try {
      (void)read_edges(pipe);
    } catch (const Error& error) {
      parts = error.parts();
    }
    writer.join();
    return parts;
  };
  ::signal(SIGPIPE, SIG_IGN);
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  // A row that ends soon behind its limit may pass; one that goes on is refused where it passes the limit.
  const auto row = [](std::size_t bytes) { return "0 1\n1 2 #" + std::string(bytes - 5, 'c') + "\n2 3\n"; };
  EXPECT_EQ(error_through_pipe("a.txt", row(8 * mebibyte)).id, "none");
  const Error::Parts long_row = error_through_pipe("b.txt", row(20 * mebibyte));
  EXPECT_EQ(long_row.id, "HW-TEXT-LINE");
  EXPECT_EQ(long_row.found, "a row of more than 8 MiB");
  EXPECT_EQ(long_row.where.line, 2u);
  EXPECT_EQ(long_row.where.column, 8 * mebibyte + 1);
  const auto word = [](std::size_t bytes) { return "2 1\n2\n1 " + std::string(bytes, '1') + "\n"; };
  EXPECT_EQ(error_through_pipe("a.graph", word(mebibyte)).id, "HW-METIS-INDEX");
  const Error::Parts long_word = error_through_pipe("b.graph", word(4 * mebibyte));
  EXPECT_EQ(long_word.id, "HW-TEXT-LINE");
  EXPECT_EQ(long_word.found, "a word of more than 1 MiB");
  EXPECT_EQ(long_word.where.line, 3u);
  EXPECT_EQ(long_word.where.column, mebibyte + 3);
  std::string nul = row(2 * mebibyte);
  nul[mebibyte] = '\0';
  const Error::Parts zero = error_through_pipe("c.txt", nul);
  EXPECT_EQ(zero.id, "HW-TEXT-NUL");
  EXPECT_EQ(zero.where.line, 2u);
  EXPECT_EQ(zero.where.byte, mebibyte);
}

/// A graph with the edges 1 → 0, 1 → 2 and perhaps a vertex 3 on its own, which the count of vertices shows.
Graph small_graph(bool isolated, bool weighted) {
  EdgeList list;
  list.num_vertices = isolated ? 4 : 3;
  list.ids = Ids::consecutive(list.num_vertices);
  list.edges = Array<Edge>::copy_of(std::vector<Edge>{{1, 0}, {1, 2}});
  if (weighted) list.weights = Array<float>::copy_of(std::vector<float>{0.5F, 2});
  return build_graph(std::move(list), {});
}

std::string written(const Graph& graph, const std::string& name, const WriteOptions& options = {}) {
  const TempDir dir;
  write_graph(graph, dir.path(name), options);
  return content_of(dir.path(name));
}

TEST(WrittenRows, AreThese) {
  const std::string head = "# Directed graph\n# Nodes: ", columns = "# FromNodeId\tToNodeId";
  EXPECT_EQ(written(small_graph(false, false), "g.txt"), head + "3 Edges: 2\n" + columns + "\n1\t0\n1\t2\n");
  EXPECT_EQ(written(small_graph(true, true), "g.txt"), head + "4 Edges: 2\n" + columns + "\tWeight\n1\t0\t0.5\n1\t2\t2\n");
  EXPECT_EQ(written(small_graph(false, true), "g.csv"), "source,target,weight\n1,0,0.5\n1,2,2\n");
  EXPECT_EQ(written(small_graph(true, false), "g.csv"), "# Nodes: 4 Edges: 2\nsource,target\n1,0\n1,2\n");
  EXPECT_EQ(written(small_graph(false, true), "g.mtx"),
            "%%MatrixMarket matrix coordinate real general\n3 3 2\n2 1 0.5\n2 3 2\n");
  EXPECT_EQ(written(small_graph(true, false), "g.mtx"), "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n2 1\n2 3\n");
  EXPECT_EQ(written(small_graph(false, true), "g.cedge"), "0 1 0 0.5\n1 1 2 2\n");
  EXPECT_EQ(written(small_graph(true, false), "g.cedge"), "# Nodes: 4 Edges: 2\n0 1 0 1\n1 1 2 1\n");
  EXPECT_EQ(written(small_graph(true, true), "g.adj", {.weights = false}), "0\n1 0 2\n2\n3\n");
}

TEST(WrittenRows, LeaveWeightsOutBeforeTheyAreLookedAt) {
  EdgeList list{.num_vertices = 2,
                .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}}),
                .weights = Array<float>::copy_of(std::vector<float>{std::numeric_limits<float>::infinity()}),
                .ids = Ids::consecutive(2)};
  const Graph graph = build_graph(std::move(list), {});
  const TempDir dir;
  for (const char* name : {"g.txt", "g.csv", "g.mtx", "g.gr", "g.cedge", "g.wsg"}) {
    EXPECT_THROW(write_graph(graph, dir.path(name)), Error) << name;
    EXPECT_FALSE(std::filesystem::exists(dir.path(name))) << name;
    write_graph(graph, dir.path(name), {.weights = false});
    EXPECT_EQ(read_edges(dir.path(name)).edges.size(), 1u) << name;
  }
}

/// What 32 bits hold of whole numbers, and the next ones that a weight may be.
TEST(WrittenWeights, OfWholeNumbersAtTheirLimits) {
  const TempDir dir;
  const auto outcome = [&](float weight) {
    EdgeList list{.num_vertices = 2,
                  .edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}}),
                  .weights = Array<float>::copy_of(std::vector<float>{weight}),
                  .ids = Ids::consecutive(2)};
    try {
      write_graph(build_graph(std::move(list), {}), dir.path("g.wsg"));
    } catch (const Error& error) {
      return error.id();
    }
    EXPECT_EQ(read_edges(dir.path("g.wsg")).weights[0], weight);
    return std::string("written");
  };
  constexpr float beyond = 2147483648.0F;
  for (const float w : {0.0F, 1.0F, -1.0F, 16777216.0F, std::nextafter(beyond, 0.0F), -beyond})
    EXPECT_EQ(outcome(w), "written") << w;
  for (const float w : {0.5F, beyond, std::nextafter(-beyond, -2 * beyond), 1e30F})
    EXPECT_EQ(outcome(w), "HW-WRITE-WEIGHT") << w;
}

/// Rows are made by all threads in turns of 32,768 a thread.
TEST(WrittenRows, ComeInOrderHoweverManyThereAre) {
  const std::size_t window = std::size_t{32'768} * std::min(32u, std::max(1u, std::thread::hardware_concurrency()));
  for (const std::size_t vertices : {std::size_t{4096}, std::size_t{4097}, std::size_t{8192}, window, window + 1}) {
    const Graph graph = build_graph(generate("chain:" + std::to_string(vertices)));
    std::istringstream text(written(graph, "g.adj"));
    std::size_t rows = 0;
    std::string line;
    std::getline(text, line);
    EXPECT_EQ(line, "# Undirected graph (each edge once)");
    for (; std::getline(text, line); ++rows) ASSERT_EQ(std::stoull(line), rows) << "of " << vertices;
    EXPECT_EQ(rows, vertices);
  }
}

TEST(WrittenFiles, NeedAnEndingThatIsKnown) {
  const TempDir dir;
  const auto found = [&](const std::string& name) {
    try {
      write_graph(small_graph(false, false), dir.path(name));
    } catch (const Error& error) {
      return error.id() + ": " + error.parts().found;
    }
    return std::string("written");
  };
  EXPECT_EQ(found("g"), "HW-FORMAT-WRITE: a name without an ending");
  EXPECT_EQ(found("g.gz"), "HW-FORMAT-WRITE: a name without an ending");
  EXPECT_EQ(found("g.odd"), "HW-FORMAT-WRITE: the ending .odd");
  EXPECT_EQ(found("g.odd.zst"), "HW-FORMAT-WRITE: the ending .odd");
  EXPECT_EQ(found("G.MTX"), "written");
  // An ending is what stands behind the last dot of the name, not of its folder.
  std::filesystem::create_directory(dir.path("d.mtx"));
  EXPECT_EQ(found("d.mtx/g"), "HW-FORMAT-WRITE: a name without an ending");
  EXPECT_EQ(found("d.mtx/mtx"), "HW-FORMAT-WRITE: a name without an ending");
  EXPECT_EQ(found("d.mtx/.mtx"), "written");
}

/// A file is a file, even if its name could be a generator's spec.
TEST(LoadedFiles, ComeBeforeGenerators) {
  const TempDir dir;
  std::ofstream(dir.path("chain:5")) << "0 1\n1 2\n2 0\n";
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path(""));
  const Graph file = load_graph("chain:5"), made = load_graph("chain:6");
  std::filesystem::current_path(before);
  EXPECT_EQ(file.num_vertices(), 3u);
  EXPECT_EQ(file.num_arcs(), 3u);
  EXPECT_EQ(made.num_vertices(), 6u);
}

}  // namespace of_edge_list_rows_test
}  // namespace hopwave
