#include "shapes/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <stdexcept>

namespace hopwave::shapes {
namespace {

void send(int fd, std::string text) {
  static std::mutex one_at_a_time;
  const std::lock_guard guard(one_at_a_time);
  text += '\n';
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno != EINTR) _exit(1);  // the reader is gone
    if (n > 0) at += static_cast<std::size_t>(n);
  }
}

}  // namespace

Process::Process(const std::function<void(const std::function<void(const std::string&)>&)>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);  // the parent decides when to end
    close(ends[0]);
    int status = 0;
    try {
      work([&](const std::string& text) { send(ends[1], text); });
    } catch (const std::exception& e) {
      send(ends[1], std::string("! ") + e.what());
      status = 1;
    }
    _exit(status);  // so that the parent's objects are not flushed or destroyed twice
  }
  close(ends[1]);
  fd_ = ends[0];
  fcntl(fd_, F_SETFL, O_NONBLOCK);
}

Process::~Process() {
  if (pid_ > 0) {
    kill();
    waitpid(pid_, nullptr, 0);
  }
  close(fd_);
}

void Process::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);  // −1 would be all processes
}

void Process::read_some() {
  char bytes[1 << 16];
  for (;;) {
    const ssize_t n = read(fd_, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    buffer_.append(bytes, static_cast<std::size_t>(n));
  }
}

std::vector<std::string> Process::lines() {
  read_some();
  std::vector<std::string> all;
  std::size_t at = 0;
  for (std::size_t end; (end = buffer_.find('\n', at)) != std::string::npos; at = end + 1)
    all.push_back(buffer_.substr(at, end - at));
  buffer_.erase(0, at);
  return all;
}

bool Process::ended(std::string& how) {
  int status = 0;
  if (pid_ < 0 || waitpid(pid_, &status, WNOHANG) != pid_) return false;
  pid_ = -1;
  how.clear();
  if (WIFSIGNALED(status)) how = std::string("signal ") + strsignal(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status)) how = "exit code " + std::to_string(WEXITSTATUS(status));
  return true;
}

std::string in_process(const std::function<std::string()>& work, double seconds, const std::string& otherwise) {
  Process process([&](const auto& line) { line(work()); });
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string last = otherwise, how;
  bool over = false;
  while (!over) {
    pollfd wanted{process.descriptor(), POLLIN, 0};
    poll(&wanted, 1, 20);
    over = process.ended(how);
    for (std::string& line : process.lines()) last = std::move(line);
    if (!over && std::chrono::steady_clock::now() > until) return otherwise;
  }
  return how.empty() ? last : otherwise;
}

}  // namespace hopwave::shapes
