// One run of the tool with faults: in a folder of its own, under a time limit, with what it wrote.
#pragma once

#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <map>
#include <new>
#include <stdexcept>

#include "faults/inject.h"
#include "support/places.h"
#include "support/tool.h"

namespace hopwave::faults {

struct ToolRun {
  int code = -1, signal = 0;
  bool hung = false;
  std::string out, err;
  std::map<std::string, std::string> files;  ///< what lies in the folder afterwards
};

/// A folder to run the tool in, and the state that the preloaded library maps.
class Place {
 public:
  Place() {
    std::filesystem::create_directory(folder_ / "work");
    const std::string file = folder_ / "state";
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ::ftruncate(fd, sizeof(State)) != 0) throw std::runtime_error("no file for the state");
    void* p = ::mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ::close(fd);
    if (p == MAP_FAILED) throw std::runtime_error("no shared memory for the state");
    state_ = new (p) State;
  }
  ~Place() { ::munmap(static_cast<void*>(state_), sizeof(State)); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  [[nodiscard]] State& state() { return *state_; }
  [[nodiscard]] std::string work() const { return folder_ / "work"; }

  /// `fail_at` 0: counts only. `before`: files that lie in the folder at the start.
  ToolRun run(const std::vector<std::string>& words, const std::string& input, const std::map<std::string, std::string>& before,
              Kind kind, Mode mode, std::uint64_t fail_at) {
    std::filesystem::remove_all(work());
    std::filesystem::create_directory(work());
    for (const auto& [name, text] : before) test::spit(work() + "/" + name, text);
    new (state_) State;
    state_->kind = static_cast<std::uint32_t>(kind);
    state_->mode = static_cast<std::uint32_t>(mode);
    state_->fail_at = fail_at;
    ToolRun run;
    wait(start(words, input), run);
    run.out = test::slurp(folder_ / "out");
    run.err = test::slurp(folder_ / "err");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(work()))
      if (entry.is_regular_file())
        run.files[std::filesystem::relative(entry.path(), work()).string()] = test::slurp(entry.path());
    return run;
  }

 private:
  pid_t start(const std::vector<std::string>& words, const std::string& input) {
    std::vector<std::string> variables = {"PATH=/usr/bin:/bin", "HOME=" + work(), "XDG_CONFIG_HOME=" + work() + "/config",
                                          "HOPWAVE_FAULTS=" + (folder_ / "state"), "LD_PRELOAD=" HOPWAVE_FAULTS_LIBRARY};
    std::vector<char*> environment, arguments{const_cast<char*>(hopwave::testing::places::tool)};
    for (auto& v : variables) environment.push_back(v.data());
    for (const auto& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
    environment.push_back(nullptr);
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const std::string out = folder_ / "out", err = folder_ / "err", where = work();
    posix_spawn_file_actions_addopen(&actions, 0, input.empty() ? "/dev/null" : input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, where.c_str());
    pid_t child = -1;
    const int problem =
        posix_spawn(&child, hopwave::testing::places::tool, &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) throw std::runtime_error("the tool was not started");
    return child;
  }

  static void wait(pid_t child, ToolRun& run) {
    constexpr int limit_ms = 30'000;
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    pollfd waits{fd, POLLIN, 0};
    if (fd >= 0 && ::poll(&waits, 1, limit_ms) == 0) {
      run.hung = true;
      ::kill(child, SIGKILL);
    }
    if (fd >= 0) ::close(fd);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status))
      run.code = WEXITSTATUS(status);
    else
      run.signal = WTERMSIG(status);
  }

  test::Folder folder_;
  State* state_ = nullptr;
};

}  // namespace hopwave::faults
