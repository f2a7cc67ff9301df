// Reading and writing beyond whole formats: where errors are placed, what lenient mends, streams, files that change,
// interruption, output files, and that every error id is documented.
#include "hopwave/io.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "hopwave/error.h"
#include "io/scan.h"
#include "support/error_id.h"
#include "support/places.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_io_test {

namespace fs = std::filesystem;

EdgeList read_text(const std::string& text, const std::string& name, const ReadOptions& options = {}) {
  return read_edges(std::span<const char>(text), name, options);
}

std::string numbered_rows(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i) + "\t" + std::to_string(i + 1) + "\n";
  return text;
}

TEST(Scan, IntegersOfEveryLength) {
  std::string digits;
  for (int length = 1; length <= 30; ++length) {
    digits += static_cast<char>('0' + length % 10);
    const std::string text = digits + std::string(64, '\n');
    std::uint64_t value = 0;
    EXPECT_EQ(io::scan_integer(text.data(), value), text.data() + length);
    if (length <= 18) {
      EXPECT_EQ(value, std::stoull(digits));
    }
    if (length >= 20) {
      EXPECT_EQ(value, io::too_large);
    }
  }
  for (const char* border :
       {"9223372036854775807", "9223372036854775808", "0009223372036854775807", "10000000000000000", "99999999"}) {
    const std::string text = border + std::string(64, '\n');
    std::uint64_t value = 0;
    io::scan_integer(text.data(), value);
    EXPECT_EQ(value, std::string(border) == "9223372036854775808" ? io::too_large : std::stoull(border));
  }
  for (int byte = 0; byte < 256; ++byte) {  // what ends a number, whatever it is
    if (byte >= '0' && byte <= '9') continue;
    const std::string text = "12345" + std::string(1, static_cast<char>(byte)) + "99" + std::string(64, '\n');
    std::uint64_t value = 0;
    EXPECT_EQ(io::scan_integer(text.data(), value), text.data() + 5) << byte;
    EXPECT_EQ(value, 12345u) << byte;
  }
}

TEST(Places, LineAndColumnAreRightFarIntoTheFile) {
  const std::string good = numbered_rows(200000);
  for (const bool packed_like : {false, true}) {
    TempDir dir;
    std::ofstream(dir.path("far.txt")) << good << "77\tx\n" << good;
    Error::Parts parts;
    if (packed_like) {  // a stream cannot be read twice: lines are counted on the way
      std::system(("zstd -q --rm " + dir.path("far.txt")).c_str());
      if (!fs::exists(dir.path("far.txt.zst"))) GTEST_SKIP() << "no zstd program";
      parts = testing::parts_of([&] { read_edges(dir.path("far.txt.zst")); });
    } else {
      parts = testing::parts_of([&] { read_edges(dir.path("far.txt")); });
    }
    EXPECT_EQ(parts.id, "HW-EDGE-ID");
    EXPECT_EQ(parts.where.line, 200001u);
    EXPECT_EQ(parts.where.column, 4u);
    EXPECT_EQ(parts.found, "'x'");
  }
}

TEST(Places, TheFirstOfSeveralFaultsIsTold) {
  std::string text = numbered_rows(300000);
  text += "bad 1\n" + numbered_rows(300000) + "bad 2\n";
  for (int repeat = 0; repeat < 5; ++repeat)
    EXPECT_EQ(testing::parts_of([&] { read_text(text, "t.txt", {.run = {.threads = 4}}); }).where.line, 300001u);
}

TEST(Places, WordsOfRodiniaFiles) {
  const auto parts = testing::parts_of([] { read_text("2\n0 1\n1 1\n\n0\n\n2\n1 1\n5 1\n", "r.txt"); });
  EXPECT_EQ(parts.id, "HW-RODINIA-INDEX");
  EXPECT_EQ(parts.where.line, 9u);
  EXPECT_EQ(parts.where.column, 1u);
}

TEST(Lenient, LeavesOutWhatCannotBeReadAndSaysSo) {
  const EdgeList list = read_text("0 1\nx y\n1 2\n3\n2 0\n", "t.txt", {.lenient = true});
  EXPECT_EQ(list.edges.size(), 3u);
  ASSERT_EQ(list.report.repairs.size(), 1u);
  EXPECT_NE(list.report.repairs[0].find("2 rows"), std::string::npos);
  const EdgeList matrix =
      read_text("%%MatrixMarket matrix coordinate real general\n2 3 5\n1 2 nan\n0 1 1\n2 3 1\n", "t.mtx", {.lenient = true});
  EXPECT_EQ(matrix.num_vertices, 5u);  // rows and columns
  EXPECT_EQ(matrix.edges.size(), 2u);
  EXPECT_EQ(matrix.report.repairs.size(), 3u);  // count, index, value
}

TEST(Options, WeightsAndDirection) {
  const std::string text = "0 1 0.5\n1 2 2\n";
  EXPECT_EQ(read_text(text, "t.txt").weights.size(), 2u);
  EXPECT_TRUE(read_text(text, "t.txt", {.weights = false}).weights.empty());
  EXPECT_EQ(testing::parts_of([] { read_text("0 1 1\n1 2 x\n", "t.txt", {.weights = false}); }).id, "none");
  EXPECT_TRUE(read_text(text, "t.txt").directed);
  EXPECT_FALSE(read_text(text, "t.txt", {.undirected = true}).directed);
  EXPECT_FALSE(read_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "t.mtx").directed);
}

TEST(Options, HugeHeadersCanBeAllowed) {
  const std::string text = "%%MatrixMarket matrix coordinate pattern general\n2000000 2000000 1\n1 2000000\n";
  EXPECT_EQ(testing::parts_of([&] { read_text(text, "t.mtx"); }).id, "HW-MTX-HUGE");
  EXPECT_EQ(read_text(text, "t.mtx", {.allow_huge = true}).num_vertices, 2000000u);
}

// Whichever thread reads the last block.
TEST(Options, ProgressEndsWithTheWholeFile) {
  const std::string text = numbered_rows(500000);
  for (const int threads : {1, 2, 8}) {
    std::uint64_t last = 0;
    read_text(text, "t.txt", {.run = {.threads = threads, .progress = [&](const Step& step) {
                                        EXPECT_GE(step.done, last);
                                        EXPECT_EQ(step.total, text.size());
                                        last = step.done;
                                        return true;
                                      }}});
    EXPECT_EQ(last, text.size()) << threads << " threads";
  }
}

TEST(Options, ProgressCanStopReading) {
  const std::string text = numbered_rows(500000);
  const auto parts =
      testing::parts_of([&] { read_text(text, "t.txt", {.run = {.progress = [](const Step&) { return false; }}}); });
  EXPECT_EQ(parts.id, "HW-INTERRUPTED");
  EXPECT_EQ(parts.failure, Failure::interrupted);
}

TEST(Sniffing, ContentGoesBeforeTheName) {
  EXPECT_EQ(read_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "x.txt").report.format,
            "matrix-market");
  EXPECT_EQ(read_text("p sp 2 1\na 1 2 1\n", "x.txt").report.format, "dimacs");
  EXPECT_EQ(read_text("2\n0 1\n1 0\n0\n1\n1 1\n", "x.graph").report.format, "rodinia");
  EXPECT_EQ(read_text("4 3\n2\n1 3 4\n2\n2\n", "x").report.format, "metis");
  EXPECT_EQ(read_text("0 1\n1 2\n", "x").report.format, "edge-list");
  EXPECT_EQ(read_text("alice\tbob\n", "x").report.format, "names");
  const EdgeList list = read_text("source,target\n5,7\n", "x.csv");
  EXPECT_EQ(list.report.format, "edge-list");
  EXPECT_EQ(list.report.details, "comma separated, header row");
}

TEST(Sniffing, EdgeListsAreNotTakenForMetis) {
  const auto format_of = [](const std::string& text, const std::string& name) { return read_text(text, name).report.format; };
  EXPECT_EQ(format_of("5 7\n", "-"), "edge-list");
  EXPECT_EQ(format_of("5 7 1\n", "-"), "edge-list");
  // A first row A B with A at least every number there, a blank line, and more than is looked at.
  std::string text = "30000 5\n\n";
  for (std::uint64_t i = 0; i < 20000; ++i)
    text += std::to_string(1 + i * 7919 % 30000) + " " + std::to_string(1 + i * 104729 % 29989) + "\n";
  EXPECT_EQ(format_of(text, "-"), "edge-list");
  std::string falling;  // no number in the head is a line there
  for (int i = 100000; i > 80000; --i) falling += std::to_string(i) + " " + std::to_string(i - 1) + "\n";
  EXPECT_EQ(format_of(falling, "-"), "edge-list");
  // METIS is known by its structure, with weights and comments too, and beyond what is looked at.
  EXPECT_EQ(format_of("% c\n3 2 1\n2 5\n1 5 3 7\n2 7\n", "-"), "metis");
  std::string path = "30000 29999\n2\n";
  for (int i = 2; i < 30000; ++i) path += std::to_string(i - 1) + " " + std::to_string(i + 1) + "\n";
  EXPECT_EQ(format_of(path + "29999\n", "-"), "metis");
  // A cycle's lines have two numbers each, as the header has: the ending decides, and without one nobody can.
  const std::string cycle = "4 4\n2 4\n1 3\n2 4\n1 3\n";
  EXPECT_EQ(format_of(cycle, "c.graph"), "metis");
  EXPECT_EQ(read_text(cycle, "c.txt", {.header = false}).report.format, "edge-list");
  EXPECT_EQ(testing::parts_of([&] { read_text(cycle, "c.txt"); }).id, "HW-FORMAT-AMBIGUOUS");
  EXPECT_EQ(testing::parts_of([&] { read_text(cycle, "-"); }).id, "HW-FORMAT-AMBIGUOUS");
  const auto parts = testing::parts_of([] { read_text("3 2\n2\n1 3\n", "x.graph"); });
  EXPECT_EQ(parts.id, "HW-METIS-COUNT");
  EXPECT_NE(parts.hint.find("--input-format"), std::string::npos);
}

TEST(Sniffing, AFileIsCountedWhereItsHeadFitsBoth) {
  TempDir dir;
  // A cycle whose neighbours all stand beyond the head, as METIS: counted, it has a line a vertex.
  const std::uint64_t n = 60000;
  std::string text = std::to_string(n) + " " + std::to_string(n) + "\n";
  for (std::uint64_t v = 0; v < n; ++v) {
    const std::uint64_t next = v % 2 ? (v / 2 + n / 2 - 1) % (n / 2) : v / 2;  // places in the other half
    text += std::to_string((v < n / 2 ? n / 2 + v : v - n / 2) + 1) + " " +
            std::to_string((v < n / 2 ? n / 2 + next : next) + 1) + "\n";
  }
  std::ofstream(dir.path("cycle")) << text;
  EXPECT_EQ(testing::parts_of([&] { read_edges(dir.path("cycle")); }).id, "HW-FORMAT-AMBIGUOUS");
  std::ofstream(dir.path("longer")) << text << text.substr(text.find('\n') + 1);
  EXPECT_EQ(read_edges(dir.path("longer")).report.format, "edge-list");
}

TEST(Places, BehindCommentsOfAnyLength) {
  const std::string comments = "# " + std::string(200000, 'c') + "\n\n#\n" + std::string(70000, ' ') + "0 1\n5 x\n";
  for (const bool stream : {false, true}) {
    TempDir dir;
    std::ofstream(dir.path("t.txt")) << comments;
    if (stream) std::system(("gzip " + dir.path("t.txt")).c_str());
    const auto parts = testing::parts_of([&] { read_edges(dir.path(stream ? "t.txt.gz" : "t.txt")); });
    EXPECT_EQ(parts.id, "HW-EDGE-ID");
    EXPECT_EQ(parts.where.line, 5u);
    EXPECT_EQ(parts.where.column, 3u);
  }
  const auto header = testing::parts_of([] { read_text("% a\n\n  3 2 011 0\n2\n", "x.graph"); });
  EXPECT_EQ(header.id, "HW-METIS-FMT");
  EXPECT_EQ(header.where.line, 3u);
  EXPECT_EQ(header.where.column, 11u);
  const auto count = testing::parts_of(
      [] { read_text("%%MatrixMarket matrix coordinate pattern general\n3 3 9223372036854775808\n", "x.mtx"); });
  EXPECT_EQ(count.id, "HW-MTX-SIZE");
  EXPECT_EQ(count.found, "'9223372036854775808'");
  EXPECT_EQ(count.where.column, 5u);
}

/// Rows of a pattern file are scanned many at once where at least 64 bytes are left, and one by one at the end.
TEST(Places, OfIndicesOutsideAMatrix) {
  struct Fault {
    std::string row;
    std::uint64_t column;
  };
  const std::vector<Fault> faults = {{"0 3\n", 1},   {"3 0\n", 3},   {"101 3\n", 1},        {"3 101\n", 3},
                                     {"0 101\n", 1}, {"101 0\n", 1}, {"4294967297 3\n", 1}, {"3 4294967297\n", 3}};
  for (const std::string kind : {"pattern", "real"})
    for (const std::size_t before : {0, 1, 40, 700})
      for (const std::size_t behind : {0, 1, 40, 700})
        for (const Fault& fault : faults) {
          const std::string value = kind == "real" ? " 1.5\n" : "\n";
          std::string text =
              "%%MatrixMarket matrix coordinate " + kind + " general\n100 100 " + std::to_string(before + behind + 1) + "\n";
          for (std::size_t i = 0; i < before; ++i) text += "7 100" + value;
          const std::size_t begin = text.size();
          text += fault.row.substr(0, fault.row.size() - 1) + value;
          for (std::size_t i = 0; i < behind; ++i) text += "100 9" + value;
          const auto parts = testing::parts_of([&] { read_text(text, "x.mtx", {.run = {.threads = 1}}); });
          ASSERT_EQ(parts.id, "HW-MTX-INDEX") << kind << " " << fault.row;
          EXPECT_EQ(parts.where.line, before + 3) << kind << " " << fault.row;
          EXPECT_EQ(parts.where.column, fault.column) << kind << " " << fault.row;
          EXPECT_EQ(parts.where.byte, begin + fault.column - 1) << kind << " " << fault.row;
          const EdgeList rest = read_text(text, "x.mtx", {.lenient = true});
          EXPECT_EQ(rest.edges.size(), before + behind) << kind << " " << fault.row;
        }
}

TEST(Ids, ComeBackAsTheyCame) {
  const EdgeList gapped = read_text("30 10\n10 1000000\n", "t.txt");
  EXPECT_EQ(gapped.num_vertices, 3u);
  EXPECT_EQ(gapped.ids.name(gapped.edges[0].source), "30");
  EXPECT_EQ(gapped.ids.name(gapped.edges[1].target), "1000000");
  const EdgeList wide = read_text("5000000000 7\n7 9223372036854775807\n", "t.txt");
  EXPECT_EQ(wide.ids.name(wide.edges[1].target), "9223372036854775807");
  const EdgeList one_based = read_text("1 2\n2 3\n", "t.txt");
  EXPECT_EQ(one_based.ids.kind(), Ids::Kind::consecutive);
  EXPECT_EQ(one_based.ids.first(), 1);
  // Scattered ids in many blocks, in one thread and in four: the same list.
  std::string text;
  for (std::uint64_t i = 0; i < 150000; ++i)
    text += std::to_string(i * 7919 % 100003 * 1000003) + " " +
            std::to_string(i * 104729 % 100003 * 1000003 + (i == 140000 ? 5000000000ull : 0)) + "\n";
  const EdgeList a = read_text(text, "t.txt", {.run = {.threads = 1}}), b = read_text(text, "t.txt", {.run = {.threads = 4}});
  ASSERT_EQ(a.edges.size(), b.edges.size());
  for (std::size_t i = 0; i < a.edges.size(); ++i) ASSERT_EQ(a.edges[i], b.edges[i]);
  std::istringstream rows(text);
  for (std::size_t i = 0; i < a.edges.size(); ++i) {
    std::int64_t u = 0, v = 0;
    rows >> u >> v;
    ASSERT_EQ(a.ids.number(a.edges[i].source), u);
    ASSERT_EQ(a.ids.number(a.edges[i].target), v);
  }
}

TEST(Streams, PipesAreReadAsTheyCome) {
  TempDir dir;
  const std::string pipe = dir.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = numbered_rows(300000);
  std::thread writer([&] { std::ofstream(pipe) << text; });
  const EdgeList list = read_edges(pipe);
  writer.join();
  EXPECT_EQ(list.edges.size(), 300000u);
  EXPECT_EQ(list.report.text_bytes, text.size());
}

TEST(Files, WhatCannotBeReadIsTold) {
  TempDir dir;
  EXPECT_EQ(testing::parts_of([&] { read_edges(dir.path("absent.txt")); }).id, "HW-IO-OPEN");
  EXPECT_EQ(testing::parts_of([&] { read_edges(dir.path("")); }).id, "HW-IO-DIRECTORY");
  std::ofstream(dir.path("secret.txt")) << "0 1\n";
  fs::permissions(dir.path("secret.txt"), fs::perms::none);
  if (::geteuid() != 0) {
    EXPECT_EQ(testing::parts_of([&] { read_edges(dir.path("secret.txt")); }).id, "HW-IO-OPEN");
  }
}

TEST(Files, ShrinkingWhileReadIsAnError) {
  TempDir dir;
  std::ofstream(dir.path("big.txt")) << numbered_rows(500000);
  bool cut = false;
  const auto parts = testing::parts_of([&] {
    read_edges(dir.path("big.txt"), {.run = {.threads = 1, .progress = [&](const Step&) {
                                               if (!cut) fs::resize_file(dir.path("big.txt"), 1000);
                                               cut = true;
                                               return true;
                                             }}});
  });
  EXPECT_EQ(parts.id, "HW-IO-CHANGED");
}

TEST(Output, AppearsWholeOrNotAtAll) {
  TempDir dir;
  const auto files = [&] { return std::distance(fs::directory_iterator(dir.path("")), fs::directory_iterator{}); };
  {
    OutputFile file(dir.path("a"));
    file.write("half");
    EXPECT_FALSE(fs::exists(dir.path("a")));
  }
  EXPECT_EQ(files(), 0);
  {
    OutputFile file(dir.path("a"));
    file.write("whole");
    file.commit();
  }
  std::string text;
  std::ifstream(dir.path("a")) >> text;
  EXPECT_EQ(text, "whole");
  EXPECT_EQ(files(), 1);
  {
    OutputFile file(dir.path("a"));
    file.write("other");
  }
  std::ifstream(dir.path("a")) >> text;
  EXPECT_EQ(text, "whole");
  EXPECT_EQ(testing::parts_of([&] { OutputFile file(dir.path("absent/b")); }).id, "HW-IO-WRITE");
  EXPECT_EQ(testing::parts_of([&] { OutputFile file(dir.path("")); }).id, "HW-IO-WRITE");
  fs::create_symlink("a", dir.path("link"));
  {
    OutputFile file(dir.path("link"));
    file.write("through");
    file.commit();
  }
  EXPECT_TRUE(fs::is_symlink(dir.path("link")));
  std::ifstream(dir.path("a")) >> text;
  EXPECT_EQ(text, "through");
}

TEST(Output, LongNamesAndLinksThatLeadNowhere) {
  TempDir dir;
  const auto write = [&](const std::string& name) {
    OutputFile file(dir.path(name));
    file.write("text");
    file.commit();
  };
  const std::string longest(255, 'n');  // no room behind it for the mark of a temporary file
  write(longest);
  write(longest);
  EXPECT_EQ(fs::file_size(dir.path(longest)), 4u);
  EXPECT_EQ(testing::parts_of([&] { write(longest + "n"); }).id, "HW-IO-WRITE");
  fs::create_directory(dir.path("folder"));
  fs::create_symlink("folder/new", dir.path("link"));
  fs::create_symlink(dir.path("link"), dir.path("to-link"));
  write("to-link");
  EXPECT_TRUE(fs::is_symlink(dir.path("link")) && fs::is_symlink(dir.path("to-link")));
  EXPECT_EQ(fs::file_size(dir.path("folder/new")), 4u);
  fs::create_symlink("round", dir.path("round"));
  EXPECT_EQ(testing::parts_of([&] { write("round"); }).id, "HW-IO-WRITE");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path("folder")), fs::directory_iterator{}), 1);
}

TEST(Files, ThatSayTheyAreEmptyAreRead) {
  if (!fs::exists("/proc/self/limits")) GTEST_SKIP() << "no /proc here";
  EXPECT_NE(testing::parts_of([] { read_edges("/proc/self/limits"); }).id, "HW-IO-EMPTY");
  TempDir dir;
  std::ofstream(dir.path("empty.txt")) << "";
  EXPECT_EQ(testing::parts_of([&] { read_edges(dir.path("empty.txt")); }).id, "HW-IO-EMPTY");
}

TEST(Output, OnlyNpzHasLayouts) {
  TempDir dir;
  const Graph graph = Graph::from_csr(std::vector<int>{0, 1, 1}, std::vector<int>{1});
  const auto layout_of = [&](const char* file, const char* layout) {
    return testing::parts_of([&] { write_graph(graph, dir.path(file), {.layout = layout}); });
  };
  EXPECT_EQ(layout_of("a.mtx", "coo").found, "the layout coo for the format matrix-market");
  EXPECT_EQ(layout_of("a.npz", "dia").found, "the layout 'dia'");
  EXPECT_TRUE(fs::is_empty(dir.path("")));
}

TEST(Output, WritingCanBeStopped) {
  TempDir dir;
  const Graph graph = Graph::from_csr(std::vector<int>{0, 1, 1}, std::vector<int>{1});
  for (const char* name : {"a.hwg", "a.txt", "a.mtx"}) {
    const auto parts = testing::parts_of(
        [&] { write_graph(graph, dir.path(name), {.run = {.progress = [](const Step&) { return false; }}}); });
    EXPECT_EQ(parts.id, "HW-INTERRUPTED") << name;
    EXPECT_TRUE(fs::is_empty(dir.path(""))) << name;
  }
}

// Nobody has counted the parallel arcs of a graph that was made of arrays before it is written.
TEST(Output, WhatSearchesDropIsCountedInAHwg) {
  TempDir dir;
  write_graph(Graph::from_csr(std::vector<int>{0, 5, 6, 6}, std::vector<int>{0, 1, 1, 1, 2, 2}), dir.path("a.hwg"));
  const BuildReport report = load_graph(dir.path("a.hwg")).build_report();
  EXPECT_EQ(report.duplicates, 2u);
  EXPECT_EQ(report.self_loops, 1u);
}

TEST(Output, FullDiskIsTold) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto parts = testing::parts_of([] {
    OutputFile file("/dev/full");
    file.write("x");
    file.commit();
  });
  EXPECT_EQ(parts.id, "HW-IO-WRITE");
  EXPECT_FALSE(parts.hint.empty());
}

/// All ids in the source are in docs/errors.md, and all ids there are in the source.
TEST(Errors, EveryIdIsDocumented) {
  const fs::path root = fs::path(hopwave::testing::places::tests).parent_path();
  const std::regex id(R"(HW-[A-Z0-9]+(-[A-Z0-9]+)+)");
  const auto ids_in = [&](const fs::path& path, bool quoted) {
    std::ifstream in(path);
    std::stringstream bytes;
    bytes << in.rdbuf();
    const std::string text = bytes.str();
    std::set<std::string> ids;
    for (std::sregex_iterator it(text.begin(), text.end(), id), end; it != end; ++it) {
      const auto at = static_cast<std::size_t>(it->position());
      if (!quoted || (at > 0 && text[at - 1] == '"')) ids.insert(it->str());
    }
    return ids;
  };
  std::set<std::string> in_source;
  for (const fs::path& folder : {root / "src", root / "python" / "src"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const auto ending = entry.path().extension();
      if (ending != ".cpp" && ending != ".h" && ending != ".cu") continue;
      in_source.merge(ids_in(entry.path(), true));
    }
  }
  const auto documented = ids_in(root / "docs" / "errors.md", false);
  for (const std::string& name : in_source) EXPECT_TRUE(documented.count(name)) << name << " is not in docs/errors.md";
  for (const std::string& name : documented) EXPECT_TRUE(in_source.count(name)) << name << " is in docs/errors.md only";
}

TEST(Formats, AreDocumented) {
  std::ifstream in(fs::path(hopwave::testing::places::tests).parent_path() / "docs" / "formats.md");
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_GE(formats().size(), 10u);
  for (const FormatInfo& format : formats())
    EXPECT_NE(text.str().find("`" + std::string(format.name) + "`"), std::string::npos) << format.name;
}

}  // namespace of_io_test
}  // namespace hopwave
