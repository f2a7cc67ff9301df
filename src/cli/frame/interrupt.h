// Interrupts: Ctrl-C, SIGTERM, SIGHUP and SIGXCPU become a flag that loops look at; a loop that does not look ends within a
// second anyway. The process then dies of that signal, so that a shell's loop ends too. SIGQUIT only tidies up on its way. A
// mapped file that shrinks under a reader (SIGBUS) becomes an error with that file's name.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

#include "hopwave/error.h"

namespace hopwave::cli {

/// Opens descriptors 0 to 2 if the caller has closed them, so that no file of ours gets their number. Reading and writing
/// them fails. To be called before anything else is opened.
void reserve_standard_descriptors();

/// Removes the temporary files that open OutputFiles still hold: the process ends without unwinding. Takes no memory.
void remove_unfinished_files() noexcept;

class Interrupts {
 public:
  /// Must be made before any other thread: threads inherit the blocked signals, and only the watching thread takes them.
  /// `signal` gets the number of the signal that came; it is final once this object is gone.
  /// Throws HW-THREAD-START when the system starts no thread.
  explicit Interrupts(std::atomic<int>& signal);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  [[nodiscard]] const std::atomic<bool>& flag() const noexcept { return flag_; }

  /// From now on this process prints nothing when it ends: another rank does.
  void be_silent() { silent_.store(true, std::memory_order_relaxed); }

  /// `report` prints why the process ends when a mapped file shrank. The watching thread calls it, and then ends the process.
  void on_lost_file(std::function<void(const Error&)> report);

 private:
  void watch();
  void start_watching();
  [[noreturn]] void end_for_lost_file();

  std::atomic<bool> flag_{false}, silent_{false};
  std::atomic<int>& signal_;
  sigset_t before_{};
  int signals_ = -1, ending_ = -1, lost_ = -1;
  std::mutex mutex_;
  std::function<void(const Error&)> report_lost_;
  std::thread watcher_;
};

/// Ends the process by this signal, with its usual meaning.
[[noreturn]] void die_of(int signal);

}  // namespace hopwave::cli
