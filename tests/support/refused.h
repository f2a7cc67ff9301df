// Calls of the tool that it refuses.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/tool.h"

namespace hopwave::test {

using Words = std::vector<std::string>;

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Ends with this exit code and this error, of which `part` is a part.
inline void expect_refused(const Words& words, int code, const std::string& id, const std::string& part) {
  const auto run = run_tool(words);
  std::string line;
  for (const auto& word : words) line += " '" + word + "'";
  EXPECT_EQ(run.code, code) << line << "\n" << run.err;
  EXPECT_TRUE(holds(run.err, "[" + id + "]") && holds(run.err, part)) << line << "\n" << run.err;
}

}  // namespace hopwave::test
