// A limit for each test: one that hangs is named and ended, and does not use up the limit of the whole program.
// The limit is a timer of the process with a signal of its own. No thread waits for it, because tests fork, and ThreadSanitizer
// ends a child that makes threads if its parent had more than one. Children do not inherit timers.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

#include "support/sanitized.h"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

namespace hopwave::testing {

/// Seconds that one test may take: HOPWAVE_TEST_SECONDS, else 120; five times as many where each instruction is watched or
/// counted.
inline long test_seconds() {
  if (const char* const asked = std::getenv("HOPWAVE_TEST_SECONDS")) {
    char* end = nullptr;
    errno = 0;
    const long seconds = std::strtol(asked, &end, 10);
    if (end == asked || *end || errno || seconds < 1 || seconds > 1'000'000) {
      std::fprintf(stderr, "HOPWAVE_TEST_SECONDS=%s: expected a whole number from 1 to 1000000\n", asked);
      std::exit(2);
    }
    return seconds;
  }
  bool slow = sanitized || std::getenv("LLVM_PROFILE_FILE");
#ifdef RUNNING_ON_VALGRIND
  slow = slow || RUNNING_ON_VALGRIND;
#endif
  return slow ? 600 : 120;
}

/// Microseconds in which some thread of this machine waited for a processor, from a file like /proc/pressure/cpu; 0 where the
/// system does not count them. Safe in a handler of signals.
inline std::int64_t starved_microseconds(const char* file) {
  const int fd = ::open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  std::array<char, 256> text{};
  const ssize_t size = ::read(fd, text.data(), text.size() - 1);
  ::close(fd);
  const char* at = size > 0 ? std::strstr(text.data(), "total=") : nullptr;
  std::int64_t total = 0;
  if (at)
    for (at += 6; *at >= '0' && *at <= '9'; ++at) total = 10 * total + (*at - '0');
  return total;
}

/// Time in which the machine was starved is not counted, up to four times the limit: a test beside other programs is not one
/// that hangs.
class TimeLimit : public ::testing::EmptyTestEventListener {
 public:
  explicit TimeLimit(long seconds) : seconds_(seconds) {
    if (const char* const file = std::getenv("HOPWAVE_TEST_PRESSURE")) pressure_ = file;
    struct sigaction action {};
    action.sa_handler = look;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    ::sigaction(reached, &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = reached;
    made_ = ::timer_create(CLOCK_MONOTONIC, &event, &named_) == 0;
    event.sigev_signo = SIGKILL;  // where the handler gets no turn: the test blocks signals, or ThreadSanitizer puts them off
    made_ = made_ && ::timer_create(CLOCK_MONOTONIC, &event, &killed_) == 0;
    if (!made_) std::fprintf(stderr, "no timer: tests have no limit of their own\n");
  }

  void OnTestStart(const ::testing::TestInfo& test) override {
    write_text("\n" + std::string(test.test_suite_name()) + "." + test.name() + " took longer than " +
               std::to_string(seconds_) + " s (HOPWAVE_TEST_SECONDS)\n");
    starved_ = starved_microseconds(pressure_);
    more_ = 4 * seconds_;
    looks_ = 0;
    set(seconds_);
  }
  void OnTestEnd(const ::testing::TestInfo&) override { set(0); }

  /// How often the limit was reached in this test; one that was ended is not asked.
  static int looks() { return looks_; }

 private:
  static constexpr int reached = SIGPROF;  ///< not SIGALRM, which a test may use
  static constexpr long until_killed = 5;  ///< seconds after the limit
  static inline std::array<char, 512> text_{};
  static inline std::size_t size_ = 0;
  static inline const char* pressure_ = "/proc/pressure/cpu";
  static inline std::int64_t starved_ = 0;  ///< before the seconds that the timer counts now
  static inline long more_ = 0;             ///< seconds that may still be added
  static inline std::atomic<int> looks_{0};

  static void write_text(const std::string& text) {
    size_ = std::min(text.size(), text_.size());
    std::copy_n(text.data(), size_, text_.data());
  }
  static void set(long seconds) {
    if (!made_) return;
    for (const timer_t timer : {named_, killed_}) {
      itimerspec when{};
      if (seconds) when.it_value.tv_sec = seconds + (timer == killed_ ? until_killed : 0);
      ::timer_settime(timer, 0, &when, nullptr);
    }
  }

  /// Calls here and below are safe in a handler of signals.
  static void look(int) {
    const int error = errno;
    ++looks_;
    const std::int64_t now = starved_microseconds(pressure_);
    const long add = std::min(static_cast<long>((now - starved_) / 1'000'000), more_);
    if (add <= 0) end_test();
    starved_ = now;
    more_ -= add;
    set(add);
    errno = error;
  }
  static void end_test() {
    [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, text_.data(), size_);
    end_children();
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  }
  /// A program that a test waits for would otherwise go on, and keep standard error open.
  static void end_children() {
    const int fd = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    std::array<char, 4096> list{};
    const ssize_t size = ::read(fd, list.data(), list.size());
    pid_t child = 0;
    for (ssize_t i = 0; i < size; ++i) {
      if (list[static_cast<std::size_t>(i)] != ' ') {
        child = child * 10 + (list[static_cast<std::size_t>(i)] - '0');
      } else {
        if (child > 1) ::kill(child, SIGKILL);
        child = 0;
      }
    }
    ::close(fd);
  }

  const long seconds_;
  static inline timer_t named_{}, killed_{};
  static inline bool made_ = false;
};

/// Each test of this program has a limit from now on.
inline void limit_each_test() { ::testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit(test_seconds())); }

}  // namespace hopwave::testing
