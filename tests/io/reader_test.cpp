// Readers and writers where files are long, streams, changing or odd in a way that no small file shows.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <thread>

#include "hopwave/error.h"
#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "io/hwg.h"
#include "support/error_id.h"
#include "support/places.h"
#include "support/temp_dir.h"
#include "support/weights.h"

namespace hopwave {
namespace of_reader_test {

namespace fs = std::filesystem;

EdgeList read_text(const std::string& text, const std::string& name, const ReadOptions& options = {}) {
  return read_edges(std::span<const char>(text), name, options);
}

/// Reads `bytes` through a pipe called `name`.
EdgeList read_piped(const std::string& bytes, const std::string& name, const ReadOptions& options = {}) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that fails leaves the rest
  const TempDir dir;
  const std::string pipe = dir.path(name);
  if (::mkfifo(pipe.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
  struct Join {
    std::thread& thread;
    ~Join() { thread.join(); }
  } const join{writer};
  return read_edges(pipe, options);
}

std::string piped_error(const std::string& bytes, const std::string& name, const ReadOptions& options = {}) {
  return testing::parts_of([&] { (void)read_piped(bytes, name, options); }).id;
}

/// While it lives, descriptor `fd` is the file.
class Redirected {
 public:
  Redirected(int fd, const std::string& path, int flags) : fd_(fd), saved_(::dup(fd)) {
    const int file = ::open(path.c_str(), flags, 0600);
    ::dup2(file, fd_);
    ::close(file);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;
  ~Redirected() {
    ::dup2(saved_, fd_);
    ::close(saved_);
  }

 private:
  int fd_, saved_;
};

const std::string blanks(std::size_t{600} << 10, ' ');

TEST(LongLines, RowsLongerThanBlocks) {
  const TempDir dir;
  const Graph star = build_graph(generate("star:200000"));
  for (const char* name : {"star.graph", "star.adj"}) {
    write_graph(star, dir.path(name));
    const EdgeList from_file = read_edges(dir.path(name));
    const EdgeList from_pipe = read_piped(content_of(dir.path(name)), name);
    const EdgeIndex rows = star.num_arcs() / (std::string(name) == "star.adj" ? 2 : 1);  // each edge once
    EXPECT_EQ(from_file.edges.size(), rows) << name;
    EXPECT_EQ(from_pipe.edges.size(), rows) << name;
  }
}

TEST(LongLines, FirstRowsOfStreams) {
  for (const std::string& middle : {blanks, blanks + blanks + blanks}) {
    const EdgeList list = read_piped("7" + middle + "8\n8 9\n", "g.txt");
    EXPECT_EQ(list.edges.size(), 2u);
    EXPECT_EQ(list.num_vertices, 3u);
  }
  EXPECT_EQ(piped_error("7" + blanks + blanks + blanks + "\r" + blanks + "8\n", "g.txt"), "HW-TEXT-CR");
  EXPECT_EQ(piped_error("7 8" + blanks + std::string(1, '\0') + "\n", "g.txt"), "HW-TEXT-NUL");
  EXPECT_EQ(piped_error(std::string(std::size_t{9} << 20, '7') + " 8\n", "g.txt"), "HW-TEXT-LINE");
}

TEST(LongLines, LaterRowsOfStreams) {
  const EdgeList list = read_piped("0 1\n1" + blanks + blanks + blanks + "2\n2 0\n", "g.txt");
  EXPECT_EQ(list.edges.size(), 3u);
  EXPECT_EQ(piped_error("0 1\n1" + blanks + blanks + blanks + "\r" + blanks + "2\n", "g.txt"), "HW-TEXT-CR");
  EXPECT_EQ(piped_error("0 1\n1 2" + blanks + std::string(1, '\0') + blanks + "\n", "g.txt"), "HW-TEXT-NUL");
  EXPECT_EQ(piped_error("0 1\n1 " + std::string(std::size_t{20} << 20, '7') + "\n", "g.txt"), "HW-TEXT-LINE");
  EXPECT_EQ(piped_error("2 1\n2\n" + std::string(std::size_t{2} << 20, '1') + "\n", "g.graph"), "HW-TEXT-LINE");
}

TEST(LongLines, CommentsInFilesAndStreams) {
  const std::string text = "0 1\n#" + blanks + blanks + blanks + "\n1 2\n";
  EXPECT_EQ(read_text(text, "g.txt").edges.size(), 2u);
  EXPECT_EQ(read_piped(text, "g.txt").edges.size(), 2u);
  // A comment that ends with the input, not with a line.
  EXPECT_EQ(read_piped("0 1\n#" + blanks + blanks, "g.txt").edges.size(), 1u);
  EXPECT_EQ(piped_error("#" + blanks + blanks, "g.txt"), piped_error("# nothing", "g.txt"));
  // Rodinia has no comments: all the numbers may stand in one line.
  std::string numbers = "200000 ";
  for (int v = 0; v < 200000; ++v) numbers += "0 0 ";
  numbers += "0 0";
  EXPECT_EQ(read_piped(numbers + "\n", "g.rodinia", {.format = "rodinia"}).num_vertices, 200000u);
}

TEST(Places, OfWordsBehindTheFirstMebibyte) {
  constexpr int vertices = 300'000;
  std::string text = std::to_string(vertices) + "\n";
  for (int v = 0; v < vertices; ++v) text += v + 1 < vertices ? "0\t0 \n" : "0\t1\r\n";
  text += "0\n1\n" + std::to_string(vertices) + " 1\n";
  const Error::Parts parts = testing::parts_of([&] { (void)read_text(text, "r.rodinia", {.format = "rodinia"}); });
  EXPECT_EQ(parts.id, "HW-RODINIA-INDEX");
  EXPECT_EQ(parts.where.line, vertices + 4u);
  EXPECT_EQ(parts.where.column, 1u);
  // A stream is gone: only its name is left.
  EXPECT_EQ(testing::parts_of([&] { (void)read_piped(text, "r.rodinia", {.format = "rodinia"}); }).where.line, 0u);
}

TEST(Places, WordsAreQuotedReadably) {
  EXPECT_EQ(testing::parts_of([] { (void)read_text("0 1\n2 \x01\x7fz\n", "g.txt"); }).found, "'\\x01\\x7fz'");
  EXPECT_EQ(testing::parts_of([] { (void)read_text("0 1\n2\r\n", "g.txt"); }).found, "the end of the line");
  EXPECT_EQ(testing::parts_of([] { (void)read_text("0 1\n2 abcdefghijklmnopqrstuvwxyz\n", "g.txt"); }).found,
            "'abcdefghijklmnopqrstuvwx…'");
}

TEST(Streams, HoldNoMoreThanTheirHeadersSay) {
  const TempDir dir;
  const Graph graph = build_graph(generate("grid:5x5"));
  for (const char* name : {"g.sg", "g.wsg"}) {
    write_graph(graph, dir.path(name));
    const std::string bytes = content_of(dir.path(name));
    EXPECT_EQ(read_piped(bytes, name).edges.size(), graph.num_arcs()) << name;
    EXPECT_EQ(piped_error(bytes + std::string(1 << 20, 'x'), name), "HW-SG-SIZE") << name;
  }
}

TEST(Streams, StandardInputAndOutput) {
  const TempDir dir;
  const Graph graph = build_graph(generate("grid:5x5"));
  {
    const Redirected out(STDOUT_FILENO, dir.path("g.txt"), O_WRONLY | O_CREAT | O_TRUNC);
    write_graph(graph, "-", {.format = "edge-list"});
  }
  const Redirected in(STDIN_FILENO, dir.path("g.txt"), O_RDONLY);
  EXPECT_EQ(read_edges("-").edges.size(), graph.num_arcs() / 2);
  // Of a file that stands at its end there is nothing left.
  ASSERT_GT(::lseek(STDIN_FILENO, 0, SEEK_END), 0);
  EXPECT_EQ(testing::parts_of([] { (void)read_edges("-"); }).id, "HW-IO-EMPTY");
}

TEST(Streams, PackedFilesSayHowFarTheyAre) {
  const TempDir dir;
  write_graph(build_graph(generate("grid:500x500")), dir.path("g.txt.gz"));
  const std::uint64_t size = fs::file_size(dir.path("g.txt.gz"));
  std::uint64_t last = 0, total = 0;
  (void)read_edges(dir.path("g.txt.gz"), {.run = {.threads = 1, .progress = [&](const Step& step) {
                                                    EXPECT_GE(step.done, last);
                                                    last = step.done, total = step.total;
                                                    return true;
                                                  }}});
  EXPECT_GT(last, 0u);
  EXPECT_LE(last, size);
  EXPECT_EQ(total, size);
}

struct Text {
  std::string text, name, outcome;  ///< the error's id, or "VERTICES EDGES"
  ReadOptions options = {};
};

void expect_outcomes(const std::vector<Text>& texts) {
  for (const Text& t : texts) {
    std::string outcome = testing::parts_of([&] {
                            const EdgeList list = read_text(t.text, t.name, t.options);
                            throw Error({.id = std::to_string(list.num_vertices) + " " + std::to_string(list.edges.size())});
                          }).id;
    EXPECT_EQ(outcome, t.outcome) << t.name << ": " << t.text;
  }
}

TEST(EdgeLists, HeadersOfEveryKind) {
  expect_outcomes({{"source,target,source\n1,2,3\n", "g.csv", "HW-EDGE-COLUMNS"},
                   {"source,target,target\n1,2,3\n", "g.csv", "HW-EDGE-COLUMNS"},
                   {"weight,source,target\n1,2,3\n", "g.csv", "2 1"},
                   {"a,b,target\n1,2,3\n", "g.csv", "HW-EDGE-HEADER"},
                   {"a,source\n1,2\n", "g.csv", "2 1"},
                   {"from to\n1\t2\n2\t3\n", "g.txt", "3 2"},
                   {"from\tto\n1 2\n2 3\n", "g.tsv", "3 2"},
                   {"source other\n1 2\n", "g.txt", "2 1"},
                   {"\"source\",\"target\"\n1,2\n", "g.csv", "2 1"},
                   {"\"source,\"target\n1,2\n", "g.csv", "HW-EDGE-COLUMNS"},
                   {"source,target\n", "g.csv", "HW-EDGE-EMPTY"},
                   {"a b\n", "g.txt", "2 1"},
                   {"1 b\nc 2\n", "g.txt", "4 2"},
                   {"a 1\n2 b\n", "g.txt", "4 2"}});
}

TEST(EdgeLists, FourColumnsMayCountTheRows) {
  expect_outcomes({{"0 1 2 0.5\n1 2 3 0.5\n", "g.txt", "HW-FORMAT-AMBIGUOUS"},
                   {"1 1 2 0.5\n2 2 3 0.5\n", "g.txt", "HW-FORMAT-AMBIGUOUS"},
                   {"0 1 2 0.5\n", "g.txt", "2 1"},
                   {"7 1 2 0.5\n8 2 3 0.5\n", "g.txt", "4 2"},
                   {"0 1 2 0.5\n0 2 3 0.5\n", "g.txt", "3 2"},
                   {"0 1 0.5 2\n1 2 0.5 3\n", "g.txt", "3 2"},
                   {"0 1 2 3\n1 2 3 4\n", "g.txt", "3 2"},
                   {"0 1 2 0.5\n1 2\n", "g.txt", "HW-EDGE-COLUMNS"}});
}

TEST(EdgeLists, CommentsThatSaySomething) {
  expect_outcomes({{"# Nodes: 9\n0 1\n", "g.txt", "9 1"},
                   {"# Nodes: 9 Edges: 1\n0 1\n", "g.txt", "9 1"},
                   {"# Nodes: 9x\n0 1\n", "g.txt", "2 1"},
                   {"# Nodes: nine\n0 1\n", "g.txt", "2 1"},
                   {"# undirected graph\n0 1\n", "g.txt", "2 1"},
                   {"# Isolated:\t7\n0 1\n", "g.txt", "3 1"},
                   {"# Isolated:\t7x\n0 1\n", "g.txt", "2 1"},
                   {"# Isolated:\tx\n0 1\n", "g.txt", "2 1"},
                   {"# Isolated:\t9999999999999999999\n0 1\n", "g.txt", "2 1"},
                   {"# Isolated:\t\"\n0 1\n", "g.txt", "2 1"},
                   {"# Isolated:\t\"a\"b\"\n0 1\n", "g.txt", "2 1"},
                   {"# Isolated:\t\"a\"\"b\"\n0 1\n", "g.txt", "3 1"},
                   {"# Nodes: 5000000\n0 1\n", "g.txt", "HW-EDGE-HUGE"},
                   {"# Nodes: 5000000\n0 1\n", "g.txt", "5000000 1", {.allow_huge = true}},
                   {"# Nodes: 5000000\n1 5000000\n", "g.txt", "HW-EDGE-HUGE"},
                   {"# Nodes: 5000000\n0 5000000\n", "g.txt", "2 1"},
                   {"# Nodes: 5000000\n0 5000001\n", "g.txt", "2 1"},
                   {"# Nodes: 5000000\n", "g.txt", "HW-EDGE-HUGE"}});
}

TEST(EdgeLists, VertexListsBesideThem) {
  const TempDir dir;
  std::ofstream(dir.path("g.e")) << "0 1\n1 2\n";
  const auto with_list = [&](const std::string& list) {
    std::ofstream(dir.path("g.v")) << list;
    return testing::parts_of([&] { throw Error({.id = std::to_string(read_edges(dir.path("g.e")).num_vertices)}); }).id;
  };
  EXPECT_EQ(with_list("0\n1\n2\n7\n"), "4");
  EXPECT_EQ(with_list("# a comment\n\n0 1.5\n 1\n2\n9\n"), "4");
  EXPECT_EQ(with_list("0\nx\n"), "HW-EDGE-ID");
  EXPECT_EQ(with_list("0\n1x\n"), "HW-EDGE-ID");
  EXPECT_EQ(with_list("9999999999999999999\n"), "HW-EDGE-ID");
}

TEST(Packed, MagicsThatOnlyBegin) {
  for (const std::string head : {"\x1f", "\x28", "\x28\xb5", "\x28\xb5\x2f", "\x50", "\x50\x2a", "\x50\x2a\x4d"})
    EXPECT_EQ(read_text(head + "x and", "g.dat").ids.name(0), head + "x") << "a list of names";
  const TempDir dir;
  write_graph(build_graph(generate("chain:5")), dir.path("g.txt.zst"));
  const std::string skipped("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  EXPECT_EQ(read_text(skipped + content_of(dir.path("g.txt.zst")), "g.txt").num_vertices, 5u);
}

TEST(MatrixMarket, UnsignedIntegersAreWholeNumbers) {
  const auto read = [](const std::string& entries) {
    const std::string text = "%%MatrixMarket matrix coordinate unsigned-integer general\n%\n3 3 2\n" + entries;
    return read_edges(std::span(text.data(), text.size()), "g.mtx");
  };
  const EdgeList list = read("1 2 9223372036854775807\n2 3 7\n");
  EXPECT_EQ(list.weights.type(), WeightType::int64);
  EXPECT_EQ(list.weights.text(0) + " " + list.weights.text(1), "9223372036854775807 7");
  EXPECT_TRUE(list.report.notes.empty());
  const EdgeList beyond = read("1 2 18446744073709551615\n2 3 9223372036854775808\n");
  EXPECT_EQ(beyond.weights.type(), WeightType::float32) << "powers of two";
  EXPECT_EQ(beyond.weights[0], 0x1p64);
  EXPECT_EQ(beyond.weights[1], 0x1p63);
  ASSERT_EQ(beyond.report.notes.size(), 1u) << "2^64 - 1 is no double";
}

TEST(MatrixMarket, SaysWhatIsNotRead) {
  const auto read = [](const std::string& kind, const std::string& rest, const ReadOptions& options = {}) {
    const std::string text = "%%MatrixMarket matrix coordinate " + kind + "\n" + rest;
    return read_edges(std::span(text.data(), text.size()), "g.mtx", options);
  };
  const std::string complex = "2 2 1\n2 1 5 0\n", real = "3 3 2\n1 3 5\n2 1 4\n";
  ASSERT_EQ(read("complex general", complex).report.notes.size(), 1u);
  EXPECT_NE(read("complex general", complex).report.notes[0].find("complex values are not read"), std::string::npos);
  EXPECT_TRUE(read("complex general", complex, {.weights = false}).report.notes.empty());
  EXPECT_EQ(read("real skew-symmetric", "2 2 1\n2 1 5\n").report.notes.size(), 1u) << "-5 the other way";
  EXPECT_TRUE(read("real symmetric", "2 2 1\n2 1 5\n").report.notes.empty());
  EXPECT_EQ(read("real general", "% kind: undirected graph\n" + real).report.notes.size(), 1u);
  EXPECT_TRUE(read("real general", "% kind: undirected graph\n" + real, {.undirected = true}).report.notes.empty());
  // A square matrix of two kinds of vertices: both readings are possible.
  for (const char* comment : {"% bipartite graph\n", "%Bipartite\n", "%\n% kind: bipartite graph\n"}) {
    EXPECT_EQ(testing::id_of([&] { read("real general", comment + real); }), "HW-READ-BIPARTITE");
    EXPECT_EQ(read("real general", comment + real, {.bipartite = true}).num_vertices, 6u);
    EXPECT_EQ(read("real general", comment + real, {.bipartite = false}).num_vertices, 3u);
  }
  EXPECT_EQ(read("real general", "% not bipartite\n" + real).num_vertices, 3u);
  EXPECT_EQ(read("real symmetric", "% bipartite graph\n2 2 1\n2 1 5\n").num_vertices, 2u);
}

TEST(Npz, SaysWhatIsNotRead) {
  const std::string file = std::string(hopwave::testing::places::tests) + "/bad_input/files/npz-data-";
  ASSERT_EQ(read_edges(file + "complex.npz").report.notes.size(), 1u);
  EXPECT_TRUE(read_edges(file + "complex.npz", {.weights = false}).report.notes.empty());
  // The hint of the error works.
  EXPECT_EQ(read_edges(file + "beyond.npz", {.weights = false}).edges.size(), 3u);
  EXPECT_EQ(read_edges(file + "nan.npz", {.weights = false}).edges.size(), 3u);
}

TEST(MatrixMarket, ExplicitZerosAreDroppedWhereAsked) {
  const std::string text =
      "%%MatrixMarket matrix coordinate real general\n4 4 8\n1 2 0\n1 3 -0.000e+00\n2 1 1e-300\n2 3 0.5\n3 1 .0\n3 4 10\n"
      "4 1 00.0E5\n4 2 0e0\n";
  const auto read = [](const std::string& what, const std::string& name, bool drop) {
    return read_edges(std::span(what.data(), what.size()), name, {.drop_zeros = drop});
  };
  EXPECT_EQ(read(text, "g.mtx", false).edges.size(), 8u);
  const EdgeList list = read(text, "g.mtx", true);
  ASSERT_EQ(list.edges.size(), 3u) << "a number too small for 32 bits is no zero";
  EXPECT_EQ(list.weights.size(), 3u);
  EXPECT_EQ(list.weights[2], 10.0f);
  EXPECT_EQ(list.report.details, "real general, 5 explicit zeros dropped");
  const std::string complex = "%%MatrixMarket matrix coordinate complex general\n2 2 3\n1 1 0 0\n1 2 0 1\n2 1 1 0\n";
  EXPECT_EQ(read(complex, "c.mtx", true).edges.size(), 2u) << "zero is where both parts are";
  const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
  EXPECT_EQ(read(pattern, "p.mtx", true).report.details, "pattern general, 0 explicit zeros dropped");
  EXPECT_EQ(testing::id_of([&] { read("0 1 0\n1 2 1\n", "list.txt", true); }), "HW-READ-ZEROS");
  EXPECT_THROW(load_graph("star:5", {.drop_zeros = true}), Error);
}

TEST(MatrixMarket, WithoutItsBanner) {
  expect_outcomes({{"2 2 1\n1 2\n", "g.mtx", "2 1", {.format = "matrix-market", .lenient = true}},
                   {"2 2 1\n1 2 3\n", "g.mtx", "2 1", {.format = "matrix-market", .lenient = true}},
                   {"2 2 1\n1 2 3 4\n", "g.mtx", "2 1", {.format = "matrix-market", .lenient = true}},
                   {"2 2 0\n", "g.mtx", "2 0", {.format = "matrix-market", .lenient = true}}});
}

TEST(Files, ReadErrorsAreTold) {
  EXPECT_EQ(testing::parts_of([] { (void)read_edges("/proc/self/mem"); }).id, "HW-IO-READ");
}

TEST(HwgFiles, ThatCannotBeOpenedOrMapped) {
  const TempDir dir;
  EXPECT_EQ(testing::parts_of([&] { (void)io::open_hwg(dir.path("none.hwg"), {}); }).id, "HW-IO-OPEN");
  EXPECT_FALSE(io::is_hwg_file(dir.path("")));
  EXPECT_FALSE(io::is_hwg_file(dir.path("none.hwg")));
  // 64 GiB without a block on disk, and an address space that has no room for them.
  std::ofstream(dir.path("large.hwg")) << io::hwg_magic;
  fs::resize_file(dir.path("large.hwg"), std::uintmax_t{64} << 30);
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit less = before;
  less.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + (rlim_t{4} << 30);
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
  const std::string id = testing::parts_of([&] { (void)io::open_hwg(dir.path("large.hwg"), {}); }).id;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(id, "HW-IO-READ");
}

/// Written with weights, read as asked.
TEST(HwgFiles, WeightsAndDirectionAreLeftOutWhenAsked) {
  const TempDir dir;
  EdgeList list = generate("rmat:8,8");
  list.directed = true;
  list.weights = Array<float>::filled(list.edges.size(), 2);
  Graph graph = build_graph(std::move(list));
  graph.ensure_in();
  graph.set_default_source(3);
  write_graph(graph, dir.path("g.hwg"));
  const std::string path = dir.path("g.hwg");
  EXPECT_TRUE(load_graph(path).has_weights());
  for (const Graph& bare : {load_graph(path, {.weights = false}), load_graph(path, {}, {.keep_weights = false})}) {
    EXPECT_FALSE(bare.has_weights());
    EXPECT_TRUE(bare.has_in());
    EXPECT_EQ(bare.num_arcs(), graph.num_arcs());
    EXPECT_EQ(bare.default_source(), 3u);
    EXPECT_EQ(bare.read_report().format, "hwg");
  }
  const EdgeList plain = read_edges(path), other = read_edges(path, {.undirected = true, .weights = false});
  EXPECT_TRUE(plain.directed);
  EXPECT_EQ(plain.weights.size(), graph.num_arcs());
  EXPECT_FALSE(other.directed);
  EXPECT_TRUE(other.weights.empty());
  EXPECT_EQ(other.edges.size(), plain.edges.size());
}

TEST(HwgFiles, SectionsHaveShortNames) {
  const TempDir dir;
  OutputFile file(dir.path("g.hwg"));
  const auto sink = io::make_sink(file, "g.hwg", 1);
  const io::ExtraSection extra{"a.name.of.24.characters.", {}};
  const Graph graph = build_graph(generate("grid:3x3"));
  EXPECT_EQ(testing::parts_of([&] { io::write_hwg(graph, {&extra, 1}, {}, *sink); }).id, "HW-WRITE-SECTION");
}

// Writers and readers go in pieces of 16,384 or 65,536 values.
TEST(Writing, MoreThanOnePieceComesBack) {
  const TempDir dir;
  EdgeList list = generate("uniform:13,16");
  list.weights = testing::made_weights(list.edges.size(), [](std::size_t i) { return static_cast<float>(i % 100); });
  list.directed = true;
  const Graph graph = build_graph(std::move(list));
  ASSERT_GT(graph.num_arcs(), 65536u);
  for (const FormatInfo& format : formats()) {
    if (format.name == "metis") continue;  // undirected only
    const std::string path = dir.path("g." + std::string(format.name));
    if (format.name != "gap" && format.name != "graph500" && format.name != "adjacency") {  // which have no weights
      write_graph(graph, path, {.format = std::string(format.name)});
      EXPECT_EQ(read_edges(path, {.format = std::string(format.name)}).edges.size(), graph.num_arcs()) << format.name;
    }
    write_graph(graph, path, {.format = std::string(format.name), .weights = false});
    EXPECT_EQ(read_edges(path, {.format = std::string(format.name)}).edges.size(), graph.num_arcs()) << format.name;
  }
}

TEST(Writing, RefusesWeightsAndIdsThatCannotBeRead) {
  const TempDir dir;
  const auto graph_of = [](float weight, std::int64_t first) {
    const Array<EdgeIndex> offsets = Array<EdgeIndex>::copy_of(std::vector<EdgeIndex>{0, 1, 1});
    const Array<VertexId> neighbors = Array<VertexId>::copy_of(std::vector<VertexId>{1});
    const Array<float> weights = Array<float>::copy_of(std::vector<float>{weight});
    return Graph(2, true, {offsets, neighbors, weights}, std::nullopt, Ids::consecutive(2, first));
  };
  const auto id_of = [&](const Graph& graph, const char* format) {
    return testing::parts_of([&] { write_graph(graph, dir.path("g"), {.format = format}); }).id;
  };
  EXPECT_EQ(id_of(graph_of(1, 0), "edge-list"), "none");
  for (const float w : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(id_of(graph_of(w, 0), "edge-list"), "HW-WRITE-WEIGHT");
  EXPECT_EQ(id_of(graph_of(3e9f, 0), "wsg"), "HW-FORMAT-UNKNOWN");
  EXPECT_EQ(id_of(graph_of(3e9f, 0), "gap-weighted"), "HW-WRITE-WEIGHT");
  EXPECT_EQ(id_of(graph_of(-1, 0), "dimacs"), "HW-WRITE-WEIGHT");
  EXPECT_EQ(id_of(graph_of(1, -5), "edge-list"), "HW-WRITE-RANGE");
}

}  // namespace of_reader_test
}  // namespace hopwave
