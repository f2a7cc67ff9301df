// Runs the built tool as a child process and catches what it writes. A test that does something while the tool runs waits for
// an event (Running), never for a time.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "support/places.h"

namespace hopwave::test {

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void spit(const std::filesystem::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A folder of its own that goes with the object. Every process that a test starts has ended by then: see Running.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "hopwave-test-XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code problem;
    std::filesystem::remove_all(path_, problem);
    if (problem) ADD_FAILURE() << path_ << " cannot be removed: " << problem.message();
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }
  /// How many bytes the largest file has whose name contains `part`; −1: there is none.
  [[nodiscard]] std::int64_t bytes_of(const std::string& part) const {
    std::int64_t most = -1;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      std::error_code gone;
      const auto bytes = file.file_size(gone);
      if (!gone && file.path().filename().string().find(part) != std::string::npos)
        most = std::max(most, static_cast<std::int64_t>(bytes));
    }
    return most;
  }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code = -1;  ///< exit code; −1 if a signal ended it
  int signal = 0;
  std::string out, err;
};

enum class Input { text, open };       ///< a file, or a pipe that stays open
enum class Errors { file, terminal };  ///< where standard error goes: a terminal is shown progress

struct Call {
  std::vector<std::string> words = {};        ///< after the tool's name
  std::string input = {};                     ///< standard input
  std::vector<std::string> environment = {};  ///< "NO_COLOR=1", beside PATH and HOME
  Input from = Input::text;
  Errors errors = Errors::file;
  std::string line = {};  ///< not empty: a shell's line instead of the tool, which is $HOPWAVE there
};

/// A program that a test started ends after this many seconds, and the test fails. None takes a tenth of it, also under a
/// sanitizer.
constexpr unsigned longest_seconds = 180;

/// The tool (or a shell's line) while it runs. Each wait returns true when the event has happened, and false when the program
/// ended before it, which it does after `longest_seconds` at the latest.
class Running {
 public:
  explicit Running(Call call) : call_(std::move(call)) {
    spit(folder_ / "in", call_.input);
    spit(folder_ / "line", call_.line);
    make_pipe(alive_);
    if (call_.from == Input::open) make_pipe(input_);
    if (call_.errors == Errors::terminal) open_terminal();
    // All that allocates memory comes before the fork: other threads of the test may hold its lock.
    const std::string in = folder_ / "in", out = folder_ / "out", err = folder_ / "err", line = folder_ / "line";
    std::vector<std::string> words = call_.words;
    words.insert(words.begin(), hopwave::testing::places::tool);
    if (!call_.line.empty()) words = {"bash", line};
    if (!call_.line.empty()) call_.environment.push_back("HOPWAVE=" + std::string(hopwave::testing::places::tool));
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    child_ = fork();
    if (child_ != 0) {
      for (int* const end : {&alive_[1], &input_[0], &slave_}) close_end(*end);
      return;
    }
    dup2(call_.from == Input::open ? input_[0] : open(in.c_str(), O_RDONLY), 0);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    dup2(call_.errors == Errors::terminal ? slave_ : open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    fcntl(alive_[1], F_SETFD, 0);  // the program keeps it open: it is closed when the program has ended
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    // A job in the background begins with some of them ignored.
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    unsetenv("NO_COLOR");
    for (auto& variable : call_.environment) putenv(variable.data());
    if (call_.line.empty()) {
      limit_time(SIG_DFL);
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is ended leaves nothing behind
    } else {
      guard();
    }
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (child_ > 0) {
      kill(child_, call_.line.empty() ? SIGKILL : SIGTERM);
      waitpid(child_, nullptr, 0);
    }
    for (int* const end : {&alive_[0], &input_[1], &master_}) close_end(*end);
  }

  /// Waits until the program has read some of its open standard input, where it then finds many rows "0 1".
  [[nodiscard]] bool reads_input() {
    const int holds = fcntl(input_[1], F_GETPIPE_SZ);
    std::string rows;
    while (rows.size() <= 2 * static_cast<std::size_t>(holds)) rows += "0 1\n";
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    bool read = true;
    for (std::size_t done = 0; done < rows.size() && read;) {  // no write returns before its bytes are in the pipe
      const ssize_t put = write(input_[1], rows.data() + done, rows.size() - done);
      if (put > 0) done += static_cast<std::size_t>(put);
      read = put > 0 || errno == EINTR;
    }
    std::signal(SIGPIPE, before);
    return read;
  }

  /// Waits until standard error, which is a terminal, was shown something that contains `text`.
  [[nodiscard]] bool shows(const std::string& text) {
    while (shown_.find(text) == std::string::npos)
      if (!read_terminal()) return false;
    return true;
  }

  /// Waits until a file in the folder whose name contains `part` has this many bytes.
  [[nodiscard]] bool makes(const Folder& folder, const std::string& part, std::int64_t bytes = 0) {
    const int changes = inotify_init1(IN_CLOEXEC);
    if (changes < 0 || inotify_add_watch(changes, (folder / "").c_str(), IN_CREATE | IN_MODIFY | IN_MOVED_TO) < 0) std::abort();
    bool runs = true;
    while (runs && folder.bytes_of(part) < bytes) {
      pollfd waits[] = {{changes, POLLIN, 0}, {alive_[0], POLLIN, 0}};
      if (poll(waits, 2, -1) < 0) continue;
      alignas(inotify_event) char events[4096];
      if (waits[0].revents) runs = read(changes, events, sizeof events) > 0;
      if (waits[1].revents) runs = false;
    }
    close(changes);
    return folder.bytes_of(part) >= bytes;
  }

  /// To the tool; of a shell's line the test must know the process that it means.
  void send(int signal) const { kill(child_, signal); }

  /// What the program did, once it has ended; a shell's line ends with the last of its descendants.
  Outcome end() {
    while (master_ >= 0 && read_terminal()) {
    }
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    Outcome outcome;
    if (WIFEXITED(status))
      outcome.code = WEXITSTATUS(status);
    else
      outcome.signal = WTERMSIG(status);
    outcome.out = slurp(folder_ / "out");
    outcome.err = master_ >= 0 ? shown_ : slurp(folder_ / "err");
    if (outcome.signal == SIGALRM || (outcome.signal == SIGKILL && !call_.line.empty())) {
      std::string what = call_.line;
      for (const auto& word : call_.words) what += " " + word;
      ADD_FAILURE() << "ended after " << longest_seconds << " seconds: " << what << "\n" << outcome.out << outcome.err;
    }
    return outcome;
  }

 private:
  static void close_end(int& end) {
    if (end >= 0) close(std::exchange(end, -1));
  }
  static void make_pipe(int (&ends)[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  }
  void open_terminal() {
    master_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0) std::abort();
    slave_ = open(ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave_ < 0) std::abort();
  }
  /// What comes next on the terminal; false: nothing, for no process has it open any more.
  bool read_terminal() {
    char text[4096];
    const ssize_t got = read(master_, text, sizeof text);
    if (got > 0) shown_.append(text, static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && errno == EINTR);
  }

  /// In the child: SIGALRM comes after so many seconds, whatever the test's process does with that signal. The alarm outlives
  /// an exec.
  static void limit_time(void (*handler)(int)) {
    std::signal(SIGALRM, handler);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    alarm(longest_seconds);
  }

  /// Becomes a process that waits for the shell and for all of its descendants; the shell goes on behind this. At SIGALRM it
  /// ends them, at first politely, since mpirun, timeout and script end what they have started.
  static void guard() {
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);  // descendants whose parents have ended are the guard's children then
    const pid_t shell = fork();
    if (shell == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      return;
    }
    std::signal(SIGTERM, [](int) { raise(SIGALRM); });  // from the test
    limit_time([](int) {
      std::signal(SIGTERM, SIG_IGN);
      kill(0, SIGTERM);
      std::signal(SIGALRM, [](int) { kill(0, SIGKILL); });
      alarm(5);
      timed_out = 1;
    });
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int status = 0, last = 0;
    for (;;) {
      const pid_t ended = waitpid(-1, &last, 0);
      if (ended == shell) status = last;
      if (ended < 0 && errno != EINTR) break;
    }
    if (timed_out) {
      std::signal(SIGALRM, SIG_DFL);
      raise(SIGALRM);
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }

  inline static volatile std::sig_atomic_t timed_out = 0;

  Call call_;
  Folder folder_;
  int alive_[2] = {-1, -1}, input_[2] = {-1, -1}, master_ = -1, slave_ = -1;
  pid_t child_ = -1;
  std::string shown_;
};

inline Outcome run_tool(Call call) { return Running(std::move(call)).end(); }

inline Outcome run_tool(std::vector<std::string> words, std::string input = {}) {
  return run_tool(Call{.words = std::move(words), .input = std::move(input)});
}

/// The tool in ticks (core/clock.h): each look at a time limit is a millisecond, and nothing else takes that long.
inline Outcome run_in_ticks(std::vector<std::string> words) {
  return run_tool(Call{.words = std::move(words), .environment = {"HOPWAVE_TICKS=1"}});
}

/// A shell line in which $HOPWAVE is the tool.
inline Outcome run_shell(std::string line) { return run_tool(Call{.line = std::move(line)}); }

inline bool have(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// The example graph of PMPP 4th ed., chapter 15: 9 vertices, 15 edges.
inline const char* textbook = "0 1\n0 2\n1 3\n1 4\n2 5\n2 6\n2 7\n3 4\n3 8\n4 5\n4 8\n5 6\n6 8\n7 0\n7 6\n";

}  // namespace hopwave::test
