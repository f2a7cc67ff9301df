// main() of the test programs: GoogleTest's own, and a limit for each test.
#include <gtest/gtest.h>

#include "support/long_tests.h"
#include "support/places.h"
#include "support/time_limit.h"

namespace hopwave::testing::places {

const char* const tests = HOPWAVE_TESTS_DIR;
const char* const shared_data = HOPWAVE_SHARED_DATA;
const char* const tool = HOPWAVE_TOOL;

}  // namespace hopwave::testing::places

int main(int count, char** words) {
  ::testing::InitGoogleTest(&count, words);
  hopwave::testing::leave_out_long_tests();
  hopwave::testing::limit_each_test();
  return RUN_ALL_TESTS();
}
