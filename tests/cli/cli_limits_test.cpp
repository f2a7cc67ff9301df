// HOPWAVE_LIMITS_OF: the limits of another GPU upon the simulated one, for the tool.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/tool.h"

namespace hopwave::test {
namespace of_cli_limits_test {

TEST(CliLimits, AreReadFromTheEnvironment) {
  const auto with = [](const std::string& value, const std::string& device) {
    setenv("HOPWAVE_LIMITS_OF", value.c_str(), 1);
    const auto done = run_tool({"bfs", "pmpp", "-s", "0", "--device", device});
    unsetenv("HOPWAVE_LIMITS_OF");
    return done;
  };
  const auto wrong = with("ninety", "sim");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("HOPWAVE_LIMITS_OF is 'ninety'"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("80, 86, 89, 90, 100, 120, no-clusters, no-cooperative"), std::string::npos) << wrong.err;
  const auto right = with("86", "sim");
  EXPECT_EQ(right.code, 0);
  EXPECT_NE((right.out + right.err).find("limits of compute capability 8.6"), std::string::npos) << right.out << right.err;
  const auto none = with("", "sim");
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ((none.out + none.err).find("limits"), std::string::npos) << none.out;
  EXPECT_EQ(with("ninety", "cpu").code, 0) << "no device, no limits";
}

TEST(CliLimits, DoctorTellsThem) {
  const auto with = [](const char* value) {
    setenv("HOPWAVE_LIMITS_OF", value, 1);
    const auto done = run_tool({"doctor"});
    unsetenv("HOPWAVE_LIMITS_OF");
    return done;
  };
  EXPECT_NE(with("120").out.find("HOPWAVE_LIMITS_OF: devices have those of compute capability 12.0"), std::string::npos);
  EXPECT_EQ(with("").out.find("HOPWAVE_LIMITS_OF"), std::string::npos);
  EXPECT_EQ(with("ninety").code, 2);
}

}  // namespace of_cli_limits_test
}  // namespace hopwave::test
