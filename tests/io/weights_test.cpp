// Weights keep the type of the data: from text and arrays, through every format that has them, and back to text.
#include "support/weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "hopwave/shortest_paths.h"
#include "io/weight_columns.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace of_weights_test {

EdgeList read_text(const std::string& text, const std::string& name = "g.txt", const ReadOptions& options = {}) {
  return read_edges(std::span<const char>(text.data(), text.size()), name, options);
}

/// An edge 0 → 1 of each weight.
std::string rows(const std::vector<std::string>& weights) {
  std::string text;
  for (std::size_t i = 0; i < weights.size(); ++i)
    text += std::to_string(i) + " " + std::to_string(i + 1) + " " + weights[i] + "\n";
  return text;
}

struct Column {
  std::vector<std::string> texts;
  WeightType type;
  std::uint64_t rounded = 0;
};
const Column columns[] = {
    {{"1", "2", "3"}, WeightType::int32},
    {{"2147483647", "-2147483648"}, WeightType::int32},
    {{"2147483648", "1"}, WeightType::int64},
    {{"1", "-2147483649"}, WeightType::int64},
    {{"9223372036854775807", "-9223372036854775807", "9007199254740993"}, WeightType::int64},
    {{"16777216", "16777217"}, WeightType::int32},
    {{"0.5", "3", "-0.25"}, WeightType::float32},
    {{"0.5", "16777216"}, WeightType::float32},
    {{"0.5", "16777217"}, WeightType::float64},
    {{"0.1", "0.2"}, WeightType::float64},
    {{"1e-46", "5e-324"}, WeightType::float64},
    {{"1e10", "1e300"}, WeightType::float64},
    {{"3.0", "1e3"}, WeightType::float32},
    {{"0.5", "9007199254740993"}, WeightType::float64, 1},
    {{"9007199254740993", "0.5"}, WeightType::float64, 1},
    {{"1", "9223372036854775808"}, WeightType::float32},  // 2^63 is a float
    {{"1", "9223372036854775809"}, WeightType::float32, 1},
    {{"0.1000000000000000055511151231257827", "1"}, WeightType::float64},  // the double 0.1 itself, in full
    {{"0.12345678901234567890", "1"}, WeightType::float64, 1},
    {{"3.14159265358979323846"}, WeightType::float64, 1},
    {{"1e-400", "2"}, WeightType::float32, 1},
    {{"0.30000000000000004"}, WeightType::float64},
};

TEST(Weights, TextsGetTheSmallestTypeThatHasThem) {
  for (const Column& column : columns) {
    const EdgeList list = read_text(rows(column.texts));
    EXPECT_EQ(list.weights.type(), column.type) << column.texts[0];
    EXPECT_EQ(list.report.weights_rounded, column.rounded) << column.texts[0];
    EXPECT_EQ(list.report.notes.size(), column.rounded ? 1u : 0u) << column.texts[0];
    ASSERT_EQ(list.weights.size(), column.texts.size());
    for (std::size_t i = 0; i < list.weights.size(); ++i) {
      if (!list.weights.whole()) EXPECT_EQ(list.weights[i], std::strtod(column.texts[i].c_str(), nullptr));
      if (list.weights.whole()) EXPECT_EQ(list.weights.text(i), column.texts[i]);
    }
  }
}

TEST(Weights, AreWrittenAsTheShortestDecimalThatIsReadBack) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"0.1", "0.1"},
      {"1000000", "1000000"},
      {"1e6", "1000000"},
      {"16777216.0", "16777216"},
      {"1e-46", "1e-46"},
      {"0.30000000000000004", "0.30000000000000004"},
      {"123456789012345678", "123456789012345678"},
      {"1e22", "1e+22"},
      {"-0.5", "-0.5"},
      {"3.40282346638528859811704183484516925440e+38", "3.4028234663852886e+38"}};
  for (const auto& [given, expected] : texts) EXPECT_EQ(read_text("0 1 " + given + "\n").weights.text(0), expected) << given;
}

TEST(Weights, WholeNumbersWithAPointOrAnExponent) {
  for (const auto& [text, number] : std::initializer_list<std::pair<const char*, std::uint64_t>>{
           {"1.0", 1}, {"2e+06", 2000000}, {"1500e-2", 15}, {"0e-99999999999", 0}, {"0e99999999999", 0}, {".0", 0}, {"5.", 5}})
    EXPECT_EQ(io::whole_number(text), number) << text;
  for (const char* text : {"", ".", "e5", "1x.0", "1e", "1e5x", "1.5", "1e-400", "1e99999999999", "1e-99999999999",
                           "99999999999999999999.0", "9223372036854775808.0"})
    EXPECT_FALSE(io::whole_number(text)) << text;
}

TEST(Weights, OfVeryManyDigitsAreRounded) {
  const EdgeList list = read_text("0 1 0." + std::string(900, '3') + "\n1 2 0.12345678901234567890\n");
  EXPECT_EQ(list.report.weights_rounded, 2u);
  ASSERT_EQ(list.report.notes.size(), 1u);
  EXPECT_TRUE(list.report.notes[0].starts_with("2 weights have more digits"));
}

TEST(Weights, OfManyBlocksAndTypesComeTogether) {
  // Blocks are of half a MiB: the types change between them, in every order.
  const std::vector<std::string> kinds = {"7", "3000000000", "0.5", "0.1", "16777217"};
  for (std::size_t a = 0; a < kinds.size(); ++a)
    for (std::size_t b = 0; b < kinds.size(); ++b) {
      std::string text;
      for (std::size_t i = 0; i < 120000; ++i) text += "1 2 " + (i < 60000 ? kinds[a] : kinds[b]) + "\n";
      for (const int threads : {1, 3}) {
        const EdgeList list = read_text(text, "g.txt", {.run = {.threads = threads}});
        ASSERT_EQ(list.weights.size(), 120000u);
        const EdgeList two = read_text(rows({kinds[a], kinds[b]}));
        ASSERT_EQ(list.weights.type(), two.weights.type()) << kinds[a] << " " << kinds[b];
        for (std::size_t i = 0; i < list.weights.size(); i += 7)
          ASSERT_EQ(list.weights[i], two.weights[i < 60000 ? 0 : 1]) << kinds[a] << " " << kinds[b] << " " << i;
      }
    }
}

Graph graph_of(Weights weights) {
  EdgeList list;
  list.num_vertices = 4;
  list.edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {0, 1}, {1, 1}});
  list.weights = std::move(weights);
  list.ids = Ids::consecutive(4);
  return build_graph(std::move(list), {.keep_duplicates = true, .keep_self_loops = true});
}

/// Numbers that each type alone has.
std::vector<Weights> of_all_types() {
  return {Array<std::int32_t>::copy_of(std::vector<std::int32_t>{20000001, 5, 2147483647, 20000002, 1}),
          Array<std::int64_t>::copy_of(
              std::vector<std::int64_t>{(std::int64_t{1} << 53) + 1, 5, INT64_MAX, (std::int64_t{1} << 53) + 2, 0}),
          Array<float>::copy_of(std::vector<float>{.5f, 3.25f, 1e30f, .75f, 1}),
          Array<double>::copy_of(std::vector<double>{.1, 1e-300, 1e300, .1 + 1e-17 * 8, 2.5})};
}

TEST(Weights, FormatsKeepThemOrRefuse) {
  const TempDir dir;
  int kept = 0, refused = 0;
  for (const Weights& weights : of_all_types()) {
    const Graph graph = graph_of(weights);
    for (const std::string name : {"g.txt", "g.csv", "g.mtx", "g.npz", "g.hwg", "g.hwg.zst", "g.gr", "g.wsg", "g.cedge"}) {
      const std::string path = dir.path(name);
      try {
        write_graph(graph, path);
      } catch (const Error& error) {
        EXPECT_EQ(error.id(), "HW-WRITE-WEIGHT") << name;
        EXPECT_FALSE(std::ifstream(path)) << name;
        ++refused;
        continue;
      }
      ++kept;
      const Graph back = load_graph(path, {}, {.keep_duplicates = true, .keep_self_loops = true});
      std::filesystem::remove(path);
      const Weights& found = back.out().weights;
      ASSERT_EQ(found.size(), graph.out().weights.size()) << name;
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found.text(i), graph.out().weights.text(i)) << name;
      EXPECT_EQ(found.type(), graph.out().weights.type()) << name;
      EXPECT_EQ(back.read_report().weights_rounded, 0u) << name;
    }
  }
  EXPECT_EQ(kept, 30);  // .gr and .wsg have whole numbers of 32 bits
  EXPECT_EQ(refused, 6);
}

TEST(Weights, OfParallelArcsTheLightestStays) {
  const Graph graph = build_graph([] {
    EdgeList list;
    list.num_vertices = 2;
    list.edges = Array<Edge>::copy_of(std::vector<Edge>{{0, 1}, {0, 1}, {0, 1}});
    list.weights = Array<std::int64_t>::copy_of(
        std::vector<std::int64_t>{(std::int64_t{1} << 53) + 2, (std::int64_t{1} << 53) + 1, INT64_MAX});
    return list;
  }());
  EXPECT_EQ(graph.out().weights.text(0), "9007199254740993");
}

TEST(Weights, RoundingAtReadingIsKnownLater) {
  const TempDir dir;
  std::ofstream(dir.path("g.txt")) << "0 1 0.12345678901234567890\n1 2 1\n";
  const Graph read = load_graph(dir.path("g.txt"));
  EXPECT_FALSE(shortest_paths(read, {.sources = {0}}, {.run = {.device = DeviceKind::cpu}}).exact);
  write_graph(read, dir.path("g.hwg"));
  const Graph stored = load_graph(dir.path("g.hwg"));
  EXPECT_EQ(stored.read_report().weights_rounded, 1u);
  EXPECT_EQ(stored.read_report().notes.size(), 1u);
  EXPECT_FALSE(shortest_paths(stored, {.sources = {0}}, {.run = {.device = DeviceKind::cpu}}).exact);
}

TEST(Weights, SmallestIsSmallestAndExact) {
  const auto type = [](auto... values) {
    using T = std::common_type_t<decltype(values)...>;
    return Weights::smallest(Weights::copy_of(std::vector<T>{values...})).type();
  };
  EXPECT_EQ(type(std::int64_t{1}, std::int64_t{-5}), WeightType::int32);
  EXPECT_EQ(type(std::int64_t{INT32_MAX}, std::int64_t{INT32_MIN}), WeightType::int32);
  EXPECT_EQ(type(std::int64_t{INT32_MAX} + 1), WeightType::int64);
  EXPECT_EQ(type(std::int64_t{INT32_MIN} - 1), WeightType::int64);
  EXPECT_EQ(type(.5, 3.0), WeightType::float32);
  EXPECT_EQ(type(.1), WeightType::float64);
  EXPECT_EQ(type(16777217.0), WeightType::float64);
  EXPECT_EQ(type(1e39), WeightType::float64);
  EXPECT_EQ(type(std::numeric_limits<double>::infinity(), std::nan(""), 1.0), WeightType::float32);
  EXPECT_EQ(type(std::int32_t{7}), WeightType::int32);
  EXPECT_EQ(type(.1f), WeightType::float32);
}

}  // namespace of_weights_test
}  // namespace hopwave
