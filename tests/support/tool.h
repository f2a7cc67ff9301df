// Runs the built tool as a child process and catches what it writes.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace hopwave::test {

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void spit(const std::filesystem::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A folder of its own that goes with the object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "hopwave-test-XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path_ = name;
  }
  /// A process that has just ended may have children that still clear up there.
  ~Folder() {
    std::error_code busy;
    for (int tries = 0; tries < 100; ++tries) {
      std::filesystem::remove_all(path_, busy);
      if (!busy) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code = -1;  ///< exit code; −1 if a signal ended it
  int signal = 0;
  double seconds = 0;
  std::string out, err;
};

struct Call {
  std::vector<std::string> words;        ///< behind the tool's name
  std::string input;                     ///< standard input; a file's name if it begins with '@'
  std::vector<std::string> environment;  ///< "NO_COLOR=1", beside PATH and HOME
  int signal_after_ms = 0;               ///< > 0: SIGINT then
  bool open_input = false;               ///< standard input is a pipe that stays open and empty
};

inline Outcome run_tool(const Call& call) {
  Folder folder;
  const std::string in = folder / "in", out = folder / "out", err = folder / "err";
  spit(in, call.input);
  int pipe_ends[2] = {-1, -1};
  if (call.open_input && pipe(pipe_ends) != 0) std::abort();
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    if (call.open_input) {
      dup2(pipe_ends[0], 0);
      close(pipe_ends[1]);
    } else {
      dup2(open(in.c_str(), O_RDONLY), 0);
    }
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    unsetenv("NO_COLOR");
    for (const auto& variable : call.environment) putenv(const_cast<char*>(variable.c_str()));
    std::vector<char*> arguments{const_cast<char*>(HOPWAVE_TOOL)};
    for (const auto& word : call.words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(HOPWAVE_TOOL, arguments.data());
    _exit(127);
  }
  if (call.open_input) close(pipe_ends[0]);
  auto signalled = start;
  if (call.signal_after_ms > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(call.signal_after_ms));
    signalled = std::chrono::steady_clock::now();
    kill(child, SIGINT);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (call.open_input) close(pipe_ends[1]);
  Outcome outcome;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - signalled).count();
  if (WIFEXITED(status))
    outcome.code = WEXITSTATUS(status);
  else
    outcome.signal = WTERMSIG(status);
  outcome.out = slurp(out);
  outcome.err = slurp(err);
  return outcome;
}

inline Outcome run_tool(std::vector<std::string> words, std::string input = {}) {
  return run_tool(Call{std::move(words), std::move(input), {}, 0, false});
}

/// A shell line in which $HOPWAVE is the tool.
inline Outcome run_shell(const std::string& line) {
  Folder folder;
  const std::string script = folder / "script", out = folder / "out", err = folder / "err";
  spit(script, line);
  const int status = std::system(("HOPWAVE='" HOPWAVE_TOOL "' bash " + script + " >" + out + " 2>" + err).c_str());
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.out = slurp(out);
  outcome.err = slurp(err);
  return outcome;
}

inline bool have(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// The example graph of PMPP 4th ed., chapter 15: 9 vertices, 15 edges.
inline const char* textbook = "0 1\n0 2\n1 3\n1 4\n2 5\n2 6\n2 7\n3 4\n3 8\n4 5\n4 8\n5 6\n6 8\n7 0\n7 6\n";

}  // namespace hopwave::test
