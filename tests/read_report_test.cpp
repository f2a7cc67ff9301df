// What a reader reports of a file beside its edges, for every format that is written and read back.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "hopwave/search.h"
#include "support/graphs.h"
#include "support/temp_dir.h"

namespace hopwave {
namespace {

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
    EXPECT_EQ(graph.has_in(), build_in);
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

}  // namespace
}  // namespace hopwave
