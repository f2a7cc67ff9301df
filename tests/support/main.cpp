// main() of the test programs: GoogleTest's own, and a limit for each test.
#include <gtest/gtest.h>

#include "support/time_limit.h"

int main(int count, char** words) {
  ::testing::InitGoogleTest(&count, words);
  hopwave::testing::limit_each_test();
  return RUN_ALL_TESTS();
}
