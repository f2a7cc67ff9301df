// A process for work that may end it, with a pipe of lines back.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace hopwave::shapes {

class Process {
 public:
  /// Runs work(line) in a new process: line(text) sends a line here. The parent must have no other threads.
  explicit Process(const std::function<void(const std::function<void(const std::string&)>&)>& work);
  ~Process();  ///< kills it
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] int descriptor() const { return fd_; }
  [[nodiscard]] pid_t id() const { return pid_; }
  /// Returns the complete lines received so far, without waiting.
  std::vector<std::string> lines();
  /// Returns whether it has ended. Then all its lines are here, and `how` describes its end: empty if it succeeded.
  bool ended(std::string& how);
  void kill();

 private:
  void read_some();
  pid_t pid_ = -1;
  int fd_ = -1;
  std::string buffer_;
};

/// Returns the last line of work(), or `otherwise` if it died, sent nothing, or took longer.
std::string in_process(const std::function<std::string()>& work, double seconds, const std::string& otherwise);

}  // namespace hopwave::shapes
