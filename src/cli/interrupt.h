// Interrupts: Ctrl-C, SIGTERM and SIGHUP become a flag that loops look at; who does not look ends within a second anyway.
#pragma once

#include <atomic>
#include <thread>

namespace hopwave::cli {

class Interrupts {
 public:
  /// Must be made before any other thread: threads inherit the blocked signals, and only ours takes them.
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  [[nodiscard]] const std::atomic<bool>& flag() const noexcept { return flag_; }

 private:
  void watch();

  std::atomic<bool> flag_{false};
  int signals_ = -1, ending_ = -1;
  std::thread watcher_;
};

}  // namespace hopwave::cli
