// A thread waits for signals on a descriptor, so no code ever runs in a signal handler.
#include "cli/interrupt.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "hopwave/error.h"

namespace hopwave::cli {
namespace {

/// Removes the temporary files that open OutputFiles still hold: the process ends without unwinding.
void remove_unfinished_files() {
  const std::string mark = ".part-" + std::to_string(getpid()) + "-";
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const auto target = std::filesystem::read_symlink(entry.path(), ignored).string();
    if (target.find(mark) != std::string::npos) unlink(target.c_str());
  }
}

}  // namespace

Interrupts::Interrupts() {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves is an error of write(), told or not as the command likes
  sigset_t set;
  sigemptyset(&set);
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(s, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;  // nohup, background jobs
    sigaddset(&set, s);
  }
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  ending_ = eventfd(0, EFD_CLOEXEC);
  watcher_ = std::thread([this] { watch(); });
}

Interrupts::~Interrupts() {
  const std::uint64_t one = 1;
  if (write(ending_, &one, sizeof one) == sizeof one)
    watcher_.join();
  else
    watcher_.detach();
  close(signals_);
  close(ending_);
}

void Interrupts::watch() {
  pollfd waits[] = {{signals_, POLLIN, 0}, {ending_, POLLIN, 0}};
  bool asked = false;
  for (;;) {
    // After the first signal the command has 0.7 s to stop in order; a second signal ends it at once.
    const int n = poll(waits, 2, asked ? 700 : -1);
    if (n > 0 && (waits[1].revents & POLLIN)) return;
    if (n < 0) continue;
    if (asked) {
      remove_unfinished_files();
      const char text[] = "\ninterrupted\n";
      [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
      _exit(static_cast<int>(Failure::interrupted));
    }
    signalfd_siginfo info;
    if (read(signals_, &info, sizeof info) != sizeof info) continue;
    asked = true;
    flag_.store(true, std::memory_order_relaxed);
  }
}

}  // namespace hopwave::cli
