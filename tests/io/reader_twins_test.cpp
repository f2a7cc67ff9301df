// What the comparison with plain readers and the round trips found: each a line or two that was read wrongly once.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/error_id.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_reader_twins_test {

EdgeList read_text(const std::string& text, const std::string& name, const ReadOptions& options = {}) {
  return read_edges(std::span<const char>(text), name, options);
}

std::string refusal(const std::string& text, const std::string& name, const ReadOptions& options = {}) {
  return testing::id_of([&] { read_text(text, name, options); }, "read");
}

constexpr std::int64_t largest_id = std::numeric_limits<std::int64_t>::max();

TEST(ReaderTwins, TheLargestIdIsAnId) {
  const std::string id = std::to_string(largest_id);
  EXPECT_EQ(read_text(id + " " + id + "\n", "g.txt").ids.number(0), largest_id);
  EXPECT_EQ(read_text(id + "\n", "g.adj").ids.number(0), largest_id);
  EXPECT_EQ(Ids::consecutive(2, largest_id - 1).number(1), largest_id);
  EXPECT_THROW(Ids::consecutive(2, largest_id), Error);
}

TEST(ReaderTwins, TheBannerIsAWordAndALine) {
  const std::string rest = " matrix coordinate pattern general\n1 1 0\n";
  EXPECT_EQ(refusal("%%MatrixMarket" + rest, "g.mtx"), "read");
  EXPECT_EQ(refusal("%%MatrixMarket\r\n", "g.mtx"), "HW-MTX-TYPE");
  EXPECT_EQ(refusal("%%MatrixMarketing" + rest, "g.mtx", {.format = "matrix-market"}), "HW-MTX-BANNER");
  EXPECT_EQ(refusal("%%MatrixMarket\rmatrix coordinate pattern general\n1 1 0\n", "g.mtx"), "HW-TEXT-CR");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate pattern general\r\n1 1 0\r\n", "g.mtx"), "read");
}

TEST(ReaderTwins, TheProblemLineHasFourWords) {
  EXPECT_EQ(refusal("p sp 2 1\na 1 2 3\n", "g.gr"), "read");
  EXPECT_EQ(refusal("psp 2 1\na 1 2 3\n", "g.gr", {.format = "dimacs"}), "HW-GR-PROBLEM");
}

TEST(ReaderTwins, LenientTakesTheNearestNumber) {
  constexpr double most = std::numeric_limits<double>::max();
  const EdgeList list =
      read_text("0 1 inf\n1 2 -Infinity\n2 3 nan\n3 4 1e400\n4 5 -4e38\n5 6 1e-400\n6 7 +inf\n", "g.txt", {.lenient = true});
  const std::vector<double> expected = {most, -most, 0, most, -4e38, 0, most};
  ASSERT_EQ(list.weights.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(list.weights[i], expected[i]) << i;
}

TEST(ReaderTwins, NumbersTooSmallForThirtyTwoBitsAreZero) {
  EXPECT_EQ(read_text("0 1 1e-400\n1 0 1e-60\n", "g.txt").weights[0], 0);
}

TEST(ReaderTwins, NulIsRefusedInColumnsThatAreIgnored) {
  using namespace std::string_literals;
  EXPECT_EQ(refusal("0 1 x\n1 2 y\0z\n"s, "g.txt", {.format = "edge-list"}), "HW-EDGE-COLUMNS");
  EXPECT_EQ(refusal("0 1\n1 2 # y\0z\n"s, "g.txt", {.format = "edge-list"}), "read");
}

TEST(ReaderTwins, LenientLeavesOutRowsOfNamesWhoseWeightIsNone) {
  const EdgeList list = read_text("a b 1\nb c x\nc d 2\n", "g.txt", {.format = "names", .lenient = true});
  EXPECT_EQ(list.edges.size(), 2u);
  EXPECT_EQ(refusal("a b 1\nb c x\n", "g.txt"), "HW-EDGE-WEIGHT");
}

TEST(ReaderTwins, CommentsBeforeTheRowsHaveNoLoneCr) {
  EXPECT_EQ(refusal("\r # Nodes: 4\n0 1\n", "g.txt"), "HW-TEXT-CR");
  EXPECT_EQ(refusal("\r\n# Nodes: 4\r\n0 1\r\n", "g.txt"), "read");
}

TEST(ReaderTwins, NumpyValuesAreReadWhereTheyAreKeptAlone) {
  TempDir dir;
  EdgeList list{.num_vertices = 2, .edges = Array<Edge>(1)};
  list.edges[0] = {0, 1};
  write_graph(build_graph(std::move(list)), dir.path("g.npz"));
  std::string bytes = content_of(dir.path("g.npz"));
  EXPECT_EQ(refusal(bytes, "g.npz", {.weights = false}), "read");
  // The last byte before the directory is the one value.
  const std::size_t directory = bytes.find("PK\x01\x02");
  ASSERT_EQ(bytes[directory - 1], 1);
  bytes[directory - 1] = 0;
  EXPECT_EQ(refusal(bytes, "g.npz", {.weights = false}), "read");
  EXPECT_EQ(refusal(bytes, "g.npz"), "HW-NPZ-ZIP");
  const std::size_t member = bytes.find("data.npy", directory);  // in the directory: no such member
  ASSERT_LT(member, bytes.size());
  bytes[member] = bytes[bytes.find("data.npy")] = 'D';
  EXPECT_EQ(refusal(bytes, "g.npz", {.weights = false}), "read");
  EXPECT_EQ(refusal(bytes, "g.npz"), "HW-NPZ-ARRAY");
}

/// A byte order mark belongs to text: before binary data it is rubbish.
TEST(ReaderTwins, BinaryFilesHaveNoByteOrderMark) {
  const std::string empty_gap(17 + 8, '\0');
  EXPECT_EQ(refusal(empty_gap, "g.sg", {.format = "gap"}), "read");
  EXPECT_NE(refusal("\xEF\xBB\xBF" + empty_gap.substr(3), "g.sg", {.format = "gap"}), "read");
  std::string galois(32, '\0');
  galois[0] = 1;
  EXPECT_EQ(refusal(galois, "g.gr", {.format = "galois"}), "read");
  EXPECT_NE(refusal("\xEF\xBB\xBF\x01" + std::string(31, '\0'), "g.gr", {.format = "galois"}), "read");
}

TEST(ReaderTwins, NegativeIdsAreNotWrittenAsRowsOfNumbers) {
  TempDir dir;
  EdgeList list{.num_vertices = 2, .edges = Array<Edge>(1)};
  list.edges[0] = {0, 1};
  list.ids = Ids::consecutive(2, -1);
  const Graph graph = build_graph(std::move(list));
  for (const char* name : {"g.adj", "g.cedge", "g.txt"}) {
    EXPECT_EQ(testing::id_of([&] { write_graph(graph, dir.path(name)); }), "HW-WRITE-RANGE") << name;
  }
}

/// Two signs are no number.
TEST(ReaderTwins, TwoSignsAreNoWeight) {
  EXPECT_EQ(refusal("0 1 +-2.5 x\n1 2 7 x\n", "g.txt"), "HW-EDGE-WEIGHT");
  EXPECT_TRUE(read_text("0 1 +-2.5 x\n1 2 +-7 x\n", "g.txt", {}).weights.empty());
  EXPECT_EQ(refusal("0 1 +2.5\n1 2 +-7\n", "g.txt"), "HW-EDGE-WEIGHT");
}

}  // namespace of_reader_twins_test
}  // namespace hopwave
