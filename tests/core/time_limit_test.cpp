// A test that hangs is named and ended within its limit, and so is the program that it waits for. These tests run this program
// again, with a test that hangs on request.
#include "support/time_limit.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "support/temp_dir.h"
#include "support/tool.h"

namespace hopwave::testing {
namespace of_time_limit_test {

/// In a loop, in a wait for another thread, in a wait for a child, or not at all.
TEST(TimeLimit, HangsIfAsked) {
  const char* const asked = std::getenv("HOPWAVE_TEST_HANGS");
  const std::string how = asked ? asked : "";
  std::atomic<int> never{0};
  if (how == "loop")
    while (never.load() == 0) {
    }
  if (how == "thread") std::jthread([&] { never.wait(0); }).join();
  if (how == "deaf") {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    for (;;) ::pause();
  }
  if (how.starts_with("starved:")) {  // until the limit was reached twice: three seconds of waiting are added to the first
    std::ofstream(how.substr(8)) << "some avg10=99.00 avg60=99.00 avg300=99.00 total=3000000\nfull avg10=0.00 total=0\n";
    while (TimeLimit::looks() < 1) std::this_thread::yield();
    std::ofstream(how.substr(8)) << "some avg10=99.00 avg60=99.00 avg300=99.00 total=9000000\n";
    while (TimeLimit::looks() < 2) std::this_thread::yield();
  }
  if (how.starts_with("child:") && std::system(("echo $$ > " + how.substr(6) + "; exec sleep 1000").c_str()) != 0)
    ADD_FAILURE() << "the child has ended before its time";
}

/// Runs HangsIfAsked by this program with a limit of one second.
struct Ended {
  int status = 0;
  std::string text;
};
Ended run_again(const std::string& how, const char* limit = "1", const char* pressure = "/dev/null") {
  const TempDir dir;
  const std::string file = dir.path("text");
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("HOPWAVE_TEST_HANGS", how.c_str(), 1);
    ::setenv("HOPWAVE_TEST_SECONDS", limit, 1);
    ::setenv("HOPWAVE_TEST_PRESSURE", pressure, 1);
    ::unsetenv("GTEST_TOTAL_SHARDS");
    ::unsetenv("GTEST_SHARD_INDEX");
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(fd, STDOUT_FILENO);
    ::dup2(fd, STDERR_FILENO);
    ::execl("/proc/self/exe", "again", "--gtest_filter=TimeLimit.HangsIfAsked", nullptr);
    ::_exit(127);
  }
  Ended ended;
  ::waitpid(child, &ended.status, 0);
  ended.text = test::slurp(file);
  return ended;
}

TEST(TimeLimit, EndsATestThatHangs) {
  for (const char* const how : {"loop", "thread"}) {
    const Ended ended = run_again(how);
    EXPECT_TRUE(WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGABRT) << how << ": " << ended.status << ended.text;
    EXPECT_NE(ended.text.find("TimeLimit.HangsIfAsked took longer than 1 s"), std::string::npos) << ended.text;
  }
}

/// ThreadSanitizer gives the handler no turn while system() waits: then the test is killed, and its child is not.
TEST(TimeLimit, EndsTheProgramThatATestWaitsFor) {
  if (thread_sanitized) GTEST_SKIP() << "the handler gets no turn in system()";
  const TempDir dir;
  const Ended ended = run_again("child:" + dir.path("id"));
  EXPECT_TRUE(WIFSIGNALED(ended.status)) << ended.status << ended.text;
  const pid_t child = std::atoi(test::slurp(dir.path("id")).c_str());
  ASSERT_GT(child, 1);
  const int fd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (fd < 0) return;  // it has ended
  pollfd end{.fd = fd, .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&end, 1, 10'000), 1) << "the child goes on";
  ::close(fd);
}

/// A handler that gets no turn: what a test may block, the second timer's signal is not.
TEST(TimeLimit, KillsATestThatLetsNoSignalThrough) {
  const Ended ended = run_again("deaf");
  EXPECT_TRUE(WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGKILL) << ended.status << ended.text;
}

/// A test that ends before its limit and what the machine was starved for passes.
TEST(TimeLimit, DoesNotCountWhatTheMachineWasStarvedFor) {
  const TempDir dir;
  const std::string file = dir.path("pressure");
  const Ended ended = run_again("starved:" + file, "1", file.c_str());
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(starved_microseconds(file.c_str()), 9'000'000);
  EXPECT_EQ(starved_microseconds("/nowhere"), 0);
}

TEST(TimeLimit, LetsATestInTimePass) {
  const Ended ended = run_again("");
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(ended.text.find("took longer"), std::string::npos) << ended.text;
}

TEST(TimeLimit, RefusesALimitThatIsNone) {
  for (const char* const limit : {"0", "-1", "soon", "5s", "", "1000001", "99999999999999999999"}) {
    const Ended ended = run_again("", limit);
    EXPECT_TRUE(WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 2) << limit << ": " << ended.status << ended.text;
    EXPECT_NE(ended.text.find("HOPWAVE_TEST_SECONDS="), std::string::npos) << ended.text;
  }
}

}  // namespace of_time_limit_test
}  // namespace hopwave::testing
