// A thread waits for signals on a descriptor, so next to no code ever runs in a signal handler.
#include "cli/frame/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "hopwave/error.h"

namespace hopwave::cli {
namespace {

/// A handler sees nothing but globals: the descriptor on which it wakes our thread, and the address that could not be read.
std::atomic<int> wake_on_lost{-1};
std::atomic<std::uintptr_t> lost_address{0};

/// Reading a mapped page that the file no longer has. The reader cannot go on and nothing may be unwound from here, so it
/// wakes the watching thread, which ends the process in words. Other kinds of SIGBUS keep their meaning.
void on_bus_error(int, siginfo_t* info, void*) {
  const int fd = wake_on_lost.load();
  if (info->si_code != BUS_ADRERR || fd < 0) {
    std::signal(SIGBUS, SIG_DFL);
    return;
  }
  lost_address.store(reinterpret_cast<std::uintptr_t>(info->si_addr));
  const std::uint64_t one = 1;
  if (::write(fd, &one, sizeof one) != sizeof one) _exit(static_cast<int>(Failure::input));
  for (;;) pause();
}

/// The file that is mapped at this address.
std::string mapped_file_at(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    fields >> std::hex >> begin >> dash >> end;
    const auto slash = line.find('/');
    if (address >= begin && address < end && slash != std::string::npos) return line.substr(slash);
  }
  return "a mapped file";
}

}  // namespace

void remove_unfinished_files() noexcept {
  rlimit limit{};
  const rlim_t most = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? std::min<rlim_t>(limit.rlim_cur, 65536) : 1024;
  char mark[32], link[40], target[PATH_MAX];
  std::snprintf(mark, sizeof mark, ".part-%ld-", static_cast<long>(getpid()));
  for (rlim_t fd = 0; fd < most; ++fd) {
    std::snprintf(link, sizeof link, "/proc/self/fd/%lu", static_cast<unsigned long>(fd));
    const ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0) continue;
    target[length] = '\0';
    if (std::strstr(target, mark)) unlink(target);
  }
}

void reserve_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number: this one. It can be neither read nor written.
    if (open("/dev/null", O_PATH) < 0 && open("/", O_PATH) < 0) _exit(static_cast<int>(Failure::input));
  }
}

void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  kill(getpid(), signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  for (;;) pause();
}

Interrupts::Interrupts(std::atomic<int>& signal) : signal_(signal) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error of write(), and the command decides whether to report it
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that grows beyond the limit (ulimit -f)
  sigset_t set;
  sigemptyset(&set);
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    struct sigaction action {};
    if (sigaction(s, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;  // nohup, background jobs
    sigaddset(&set, s);
  }
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  ending_ = eventfd(0, EFD_CLOEXEC);
  lost_ = eventfd(0, EFD_CLOEXEC);
  start_watching();
  wake_on_lost.store(lost_);
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

void Interrupts::start_watching() try {
  watcher_ = std::thread([this] { watch(); });
} catch (const std::system_error& problem) {
  for (const int fd : {signals_, ending_, lost_}) close(fd);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-THREAD-START",
               .found = std::string("the system starts no thread: ") + problem.code().message(),
               .expected = "at least one more than the main thread",
               .hint = "a limit on processes (ulimit -u, a container's pids) or on memory (ulimit -v) is in the way"});
}

Interrupts::~Interrupts() {
  wake_on_lost.store(-1);
  const std::uint64_t one = 1;
  if (::write(ending_, &one, sizeof one) == sizeof one)
    watcher_.join();
  else
    watcher_.detach();
  close(signals_);
  close(ending_);
  close(lost_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);  // a signal that is still pending ends the process here
}

void Interrupts::on_lost_file(std::function<void(const Error&)> report) {
  const std::lock_guard lock(mutex_);
  report_lost_ = std::move(report);
}

void Interrupts::end_for_lost_file() {
  remove_unfinished_files();
  const Error error({.id = "HW-IO-CHANGED",
                     .where = {.file = mapped_file_at(lost_address.load())},
                     .found = "a file that shrank or cannot be read any more",
                     .expected = "a file that stays as it is while it is used",
                     .hint = "write new files under another name and rename them"});
  const std::lock_guard lock(mutex_);
  if (report_lost_) report_lost_(error);
  _exit(static_cast<int>(error.failure()));
}

void Interrupts::watch() {
  pollfd waits[] = {{signals_, POLLIN, 0}, {ending_, POLLIN, 0}, {lost_, POLLIN, 0}};
  int asked = 0;
  for (;;) {
    // After the first signal the command has 0.7 s to stop in order; a second signal ends it at once.
    const int n = poll(waits, 3, asked ? 700 : -1);
    if (n > 0 && (waits[1].revents & POLLIN)) return;
    if (n > 0 && (waits[2].revents & POLLIN)) end_for_lost_file();
    if (n < 0) continue;
    if (asked) {
      remove_unfinished_files();
      const std::string_view text =
          asked == SIGXCPU ? "\ninterrupted: the limit of processor time is reached (ulimit -t)\n" : "\ninterrupted\n";
      if (!silent_.load(std::memory_order_relaxed)) {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
      }
      die_of(asked);
    }
    signalfd_siginfo info;
    if (read(signals_, &info, sizeof info) != sizeof info) continue;
    asked = static_cast<int>(info.ssi_signo);
    if (asked == SIGQUIT) {  // the user wants an end at once, without any cleaning up by the command
      remove_unfinished_files();
      die_of(asked);
    }
    signal_.store(asked);
    flag_.store(true, std::memory_order_relaxed);
  }
}

}  // namespace hopwave::cli
