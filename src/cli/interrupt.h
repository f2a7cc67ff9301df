// Interrupts: Ctrl-C, SIGTERM and SIGHUP become a flag that loops look at; who does not look ends within a second anyway.
// A mapped file that shrinks under a reader (SIGBUS) becomes an error with that file's name.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "hopwave/error.h"

namespace hopwave::cli {

class Interrupts {
 public:
  /// Must be made before any other thread: threads inherit the blocked signals, and only ours takes them.
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  [[nodiscard]] const std::atomic<bool>& flag() const noexcept { return flag_; }

  /// Who tells the user why the process ends when a mapped file shrank; called from a thread of ours, then the process ends.
  void tell_lost_files(std::function<void(const Error&)> tell);

 private:
  void watch();
  [[noreturn]] void end_for_lost_file();

  std::atomic<bool> flag_{false};
  int signals_ = -1, ending_ = -1, lost_ = -1;
  std::mutex mutex_;
  std::function<void(const Error&)> tell_;
  std::thread watcher_;
};

}  // namespace hopwave::cli
