// The simulator proves itself: every planted bug is found by the detector named for it, and its right twin by none.
// Each case runs in a process of its own, since sanitizers end the process or spoil its exit code.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/sanitized.h"

namespace of_simulator_test {

using namespace hopwave;

constexpr const char* sanitizer = thread_sanitized ? "thread" : address_sanitized ? "address" : "";

struct Output {
  int status = 0;
  std::string text;
  [[nodiscard]] bool has(const std::string& words) const { return text.find(words) != std::string::npos; }
};

Output run(const std::string& arguments) {
  Output output;
  FILE* pipe = popen(("\"" HOPWAVE_PLANTED "\" " + arguments + " 2>&1").c_str(), "r");
  if (!pipe) return output;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.text.append(buffer.data(), n);
  output.status = pclose(pipe);
  return output;
}

struct Row {
  std::string name, detector, report;
};

std::vector<Row> rows() {
  std::vector<Row> all;
  std::istringstream lines(run("--list").text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    Row row;
    std::getline(fields, row.name, '\t');
    std::getline(fields, row.detector, '\t');
    std::getline(fields, row.report, '\t');
    all.push_back(row);
  }
  return all;
}

bool clean(const Output& output) {
  return WIFEXITED(output.status) && WEXITSTATUS(output.status) == 0 && !output.has("Sanitizer") &&
         !output.has("runtime error");
}

TEST(Planted, NamesAreManyAndDistinct) {
  std::set<std::string> names;
  for (const Row& row : rows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  EXPECT_GE(names.size(), 100u);
}

TEST(Planted, RightTwinsGiveNoReport) {
  for (const Row& row : rows()) {
    const Output output = run(row.name + " right 20 -1");
    EXPECT_TRUE(clean(output) && output.has("result: right")) << row.name << ":\n" << output.text;
  }
}

// Misuse is an error of its own, with the same id in every build, and no sanitizer has anything to add.
TEST(Planted, MisuseIsNamed) {
  int found = 0;
  for (const Row& row : rows()) {
    if (row.detector != "error") continue;
    const Output output = run(row.name + " bug");
    EXPECT_TRUE(clean(output) && output.has("result: " + row.report)) << row.name << ":\n" << output.text;
    ++found;
  }
  EXPECT_GE(found, 55);
}

// Under a sanitizer the report may come before the wrong answer does.
TEST(Planted, WrongAnswersShow) {
  int found = 0;
  for (const Row& row : rows()) {
    if (row.detector != "answer") continue;
    const Output output = run(row.name + " bug");
    EXPECT_TRUE(output.has("result: wrong") || (*sanitizer && output.has("Sanitizer"))) << row.name << ":\n" << output.text;
    ++found;
  }
  EXPECT_GE(found, 18);
}

TEST(Planted, BoundsAreFoundByAddressSanitizer) {
  if (std::string(sanitizer) != "address") GTEST_SKIP() << "needs a build with HOPWAVE_SANITIZE=address";
  int found = 0;
  for (const Row& row : rows()) {
    if (row.detector != "address") continue;
    const Output output = run(row.name + " bug");
    EXPECT_FALSE(clean(output)) << row.name;
    EXPECT_TRUE(output.has(row.report)) << row.name << ":\n" << output.text;
    ++found;
  }
  EXPECT_GE(found, 9);
}

// What nobody has written does not show in the answer, which is why scripts/uninitialised looks for it.
TEST(Planted, WhatIsUnwrittenDoesNotShow) {
  int hidden = 0;
  for (const Row& row : rows()) {
    if (row.detector != "memcheck") continue;
    const Output output = run(row.name + " bug");
    EXPECT_TRUE(clean(output) && output.has("result: right")) << row.name << ":\n" << output.text;
    ++hidden;
  }
  EXPECT_GE(hidden, 6);
}

TEST(Planted, RacesAreFoundByThreadSanitizer) {
  if (std::string(sanitizer) != "thread") GTEST_SKIP() << "needs a build with HOPWAVE_SANITIZE=thread";
  int found = 0;
  for (const Row& row : rows()) {
    if (row.detector != "thread") continue;
    const Output output = run(row.name + " bug");
    EXPECT_TRUE(output.has("ThreadSanitizer: " + row.report)) << row.name << ":\n" << output.text;
    ++found;
  }
  EXPECT_GE(found, 13);
}

// Each kind of schedule has a bug that it finds soon and that uniform drawing does not find in thousands of runs.
TEST(Planted, AdversariesFindWhatUniformDrawingDoesNot) {
  if (*sanitizer) GTEST_SKIP() << "thousands of launches";
  for (const char* bug : {"block-far-behind", "thread-far-behind"}) {
    const Output uniform = run(bug + std::string(" bug 2000 0"));
    EXPECT_TRUE(clean(uniform) && uniform.has("result: right")) << bug << ":\n" << uniform.text;
  }
  for (const char* kind : {"1", "2", "4"})
    EXPECT_TRUE(run(std::string("block-far-behind bug 100 ") + kind).has("result: wrong")) << kind;
  for (const char* kind : {"3", "4"})
    EXPECT_TRUE(run(std::string("thread-far-behind bug 100 ") + kind).has("result: wrong")) << kind;
}

// A deadlock's message says who waits and for what.
TEST(Planted, DeadlocksNameTheThreads) {
  const Output output = run("deadlock bug 1");
  EXPECT_TRUE(output.has("thread 0 waits for the block barrier at")) << output.text;
  EXPECT_TRUE(output.has("in ballot at")) << output.text;
  EXPECT_TRUE(output.has("barriers.cu:")) << output.text;
}

}  // namespace of_simulator_test
