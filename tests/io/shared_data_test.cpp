// Every real graph in the shared data folder loads with the counts that its manifest gives.
// The folder stands beside the checkout; without it these tests skip and say so.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hopwave/error.h"
#include "hopwave/io.h"
#include "support/error_id.h"
#include "support/places.h"

namespace hopwave {
namespace of_shared_data_test {

namespace fs = std::filesystem;

struct Row {
  std::string file, vertices, edges, directed;
};

std::vector<Row> manifest() {
  std::vector<Row> rows;
  std::ifstream in(std::string(hopwave::testing::places::shared_data) + "/MANIFEST.tsv");
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.file, '\t') && std::getline(cells, row.vertices, '\t') && std::getline(cells, row.edges, '\t') &&
        std::getline(cells, row.directed, '\t');
    if (!row.edges.empty() && row.edges.find_first_not_of("0123456789") == std::string::npos) rows.push_back(row);
  }
  return rows;
}

std::string path_of(const std::string& file) { return std::string(hopwave::testing::places::shared_data) + "/" + file; }

#define NEED_SHARED_DATA() \
  if (!fs::exists(path_of("MANIFEST.tsv"))) GTEST_SKIP() << "no shared data beside the checkout"

TEST(SharedData, EveryGraphHasTheCountsOfItsManifest) {
  NEED_SHARED_DATA();
  const auto rows = manifest();
  EXPECT_GE(rows.size(), 25u);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.file);
    ReadOptions options;
    options.lenient = row.file.find("cavity02") != std::string::npos;
    const EdgeList list = read_edges(path_of(row.file), options);
    EXPECT_EQ(list.num_vertices, std::stoull(row.vertices));
    EXPECT_EQ(list.edges.size() / (list.both_directions ? 2 : 1), std::stoull(row.edges));
    bool by_itself = false;  // or by a comment
    for (const char* const word : {"lower", "METIS"}) by_itself |= row.directed.find(word) != std::string::npos;
    for (const char* const name : {"as-caida", "ego-Twitter"}) by_itself |= row.file.find(name) != std::string::npos;
    EXPECT_EQ(list.directed, !by_itself);
    EXPECT_EQ(list.ids.count(), list.num_vertices);
  }
}

TEST(SharedData, ExplicitZerosAreDroppedWhereAsked) {
  NEED_SHARED_DATA();
  const std::string path = path_of("matrix/cavity02.mtx.zst");
  EXPECT_EQ(read_edges(path, {.lenient = true}).edges.size(), 7327u);
  const EdgeList list = read_edges(path, {.lenient = true, .drop_zeros = true});
  EXPECT_EQ(list.edges.size(), 7327u - 1404u);
  EXPECT_NE(list.report.details.find("1404 explicit zeros dropped"), std::string::npos) << list.report.details;
}

TEST(SharedData, MissingBannerIsRefusedOrTold) {
  NEED_SHARED_DATA();
  const std::string path = path_of("matrix/cavity02.mtx.zst");
  const Error::Parts error = testing::parts_of([&] { read_edges(path); });
  EXPECT_EQ(error.id, "HW-MTX-BANNER");
  EXPECT_EQ(error.where.line, 1u);
  const EdgeList list = read_edges(path, {.lenient = true});
  ASSERT_EQ(list.report.repairs.size(), 1u);
  EXPECT_NE(list.report.repairs[0].find("banner"), std::string::npos);
}

}  // namespace of_shared_data_test
}  // namespace hopwave
