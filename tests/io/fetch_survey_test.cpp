// scripts/fetch-survey against a mirror of files: what has the expected counts is kept, all else is told and not kept.
#include <gtest/gtest.h>

#include "support/places.h"
#include "support/tool.h"

namespace hopwave::test {
namespace of_fetch_survey_test {

class FetchSurvey : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* const program : {"curl", "gzip", "awk", "sha256sum"})
      if (!have(program)) GTEST_SKIP() << program << " is not installed";
    std::filesystem::create_directory(folder_ / "mirror");
  }
  /// A file of the mirror: so many vertices in the header, so many rows.
  void mirror(const std::string& name, int vertices, int rows) {
    const auto made = run_shell("(echo '# Nodes: " + std::to_string(vertices) + " Edges: 0'; seq " + std::to_string(rows) +
                                ") | gzip -1 >" + (folder_ / "mirror") + "/" + name + ".txt.gz");
    ASSERT_EQ(made.code, 0) << made.err;
  }
  Outcome fetch() {
    return run_shell("HOPWAVE_SNAP=file://" + (folder_ / "mirror") + " '" + std::string(hopwave::testing::places::tests) +
                     "/../scripts/fetch-survey' " + (folder_ / "got"));
  }
  [[nodiscard]] bool got(const std::string& file) const { return std::filesystem::exists(folder_ / "got/" + file); }
  Folder folder_;
};

TEST_F(FetchSurvey, KeepsWhatHasTheCountsOfTheSurvey) {
  mirror("soc-Slashdot0811", 77360, 905468);
  mirror("wiki-Talk", 2394385, 5021409);  // an edge short
  const Outcome first = fetch();
  EXPECT_EQ(first.code, 1);
  EXPECT_TRUE(got("soc-Slashdot0811.txt.gz"));
  EXPECT_NE(first.out.find("soc-Slashdot0811.txt.gz: 77360 vertices, 905468 edges as expected; SHA-256 "), std::string::npos)
      << first.out;
  EXPECT_FALSE(got("wiki-Talk.txt.gz"));
  EXPECT_NE(first.err.find("'2394385 5021409', expected '2394385 5021410'; not kept"), std::string::npos) << first.err;
  EXPECT_NE(first.err.find("roadNet-CA.txt.gz: cannot be fetched"), std::string::npos) << first.err;
  EXPECT_NE(first.err.find("Without a network"), std::string::npos) << first.err;
  for (const char* const part : {"soc-Slashdot0811", "wiki-Talk", "roadNet-CA"})
    EXPECT_FALSE(got(std::string(part) + ".txt.gz.part"));

  // What is there is looked at again and not fetched: the mirror is empty now.
  std::filesystem::remove(folder_ / "mirror/soc-Slashdot0811.txt.gz");
  EXPECT_NE(fetch().out.find("soc-Slashdot0811.txt.gz: 77360 vertices"), std::string::npos);
}

TEST_F(FetchSurvey, WantsAFolder) {
  const Outcome none = run_shell("'" + std::string(hopwave::testing::places::tests) + "/../scripts/fetch-survey'");
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("usage: scripts/fetch-survey FOLDER"), std::string::npos) << none.err;
}

}  // namespace of_fetch_survey_test
}  // namespace hopwave::test
