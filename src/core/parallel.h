// Team: a few threads that stay ready, and parallel loops over them. It uses C++ threads instead of OpenMP, because
// ThreadSanitizer understands them fully. A Team has an owner, so no thread outlives the object for which it works.
//
// Members form a tree, in which rank r has children fan() × r + 1, …. A release goes down the tree and arrivals go up, each
// over a cache line of its own: no line is written by more than one thread, and a member that a run leaves out is not
// disturbed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hopwave::inline v0_1 {

/// Returns the number of threads to use if the caller passes 0: the processors that this process may run on, or fewer if
/// its control group limits the processor time (a container with `--cpus`).
int hardware_threads();

/// Returns how many processors the limits of a control group (version 2) are worth, rounded up; INT_MAX without a limit.
/// `groups`: this process's groups, as /proc/self/cgroup has them; `root`: where groups are mounted.
int processors_of_control_group(const std::string& groups, const std::string& root);

/// A count that one thread advances and another thread waits for: first spinning, then sleeping.
class Signal {
 public:
  /// Makes `count` visible with all that the caller has written, and wakes the waiting thread if it sleeps.
  void send(unsigned count);
  /// Waits until the count is `count`.
  void await(unsigned count, int spins);

 private:
  // The count shifted left by one; bit 0: the waiting thread sleeps. Two lines, since processors fetch lines in pairs.
  alignas(128) std::atomic<unsigned> word_{0};
};

class Team {
 public:
  /// `threads` members with the caller as member 0; 0: one per hardware thread. There may be fewer if the system
  /// refuses to start more: distribute work by size(), never by the requested number. Throws HW-OPTION-THREADS.
  explicit Team(int threads = 0);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int size() const noexcept { return size_; }
  /// Returns the number of requested members that could not be started.
  [[nodiscard]] int missing() const noexcept { return missing_; }
  /// Returns "only 3 of 8 threads could be started …"; empty if none is missing.
  [[nodiscard]] std::string missing_text() const;
  /// Runs work(rank) on every member and returns when all are done; rethrows the first exception. If one member throws,
  /// the others must still end: do not wait at barrier() after a call that can throw.
  void run(const std::function<void(int rank)>& work) { run(size_, work); }
  /// The same on members 0 … members − 1 only, 1 ≤ members ≤ size().
  void run(int members, const std::function<void(int rank)>& work);
  /// Inside run(): waits for all members of this run.
  void barrier(int rank);

 private:
  /// What a member and its parent in the tree share. Each release is followed by one arrival.
  struct Member {
    Signal release, arrival;
    alignas(128) unsigned sent = 0;  ///< releases, counted by the parent
    alignas(128) unsigned seen = 0;  ///< releases, counted by the member
  };

  void follow(int rank);
  void work_as(int rank) noexcept;
  void release_children(int rank);
  void await_children(int rank);
  void await_release(int rank);
  [[nodiscard]] int fan() const;

  int size_, missing_ = 0;
  int spins_;
  int members_ = 1;  ///< of the present run
  std::atomic<bool> ending_{false};
  const std::function<void(int)>* work_ = nullptr;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::vector<Member> tree_;
  std::vector<std::thread> threads_;
};

/// Returns how many of `count` items a member takes at once: `grain`, or, so that each of the members has some chunks, half
/// of it, a quarter, an eighth or a sixteenth. A sixteenth of a grain is worth more than waking a member.
inline std::size_t chunk_size(int members, std::size_t count, std::size_t grain) {
  constexpr std::size_t chunks_per_member = 4, least_part = 16;
  std::size_t part = 1;
  while (part < least_part && grain / part * chunks_per_member * static_cast<std::size_t>(members) > count) part *= 2;
  return std::max<std::size_t>(grain / part, 1);
}

/// Chunks of [0, count) for the members of a run. A member's first chunk is its own; of the others it takes one whenever it
/// is free, at a counter that all members write.
class Chunks {
 public:
  Chunks(int members, std::size_t count, std::size_t size)
      : count_(count), size_(size), next_(std::min(count, size * static_cast<std::size_t>(members))) {}

  /// Calls body(begin, end) for every chunk that this member takes. After an exception no member takes another.
  template <class Body>
  void take(int rank, Body&& body) {
    try {
      for (std::size_t begin = size_ * static_cast<std::size_t>(rank); begin < count_;
           begin = next_.fetch_add(size_, std::memory_order_relaxed)) {
        body(begin, std::min(begin + size_, count_));
        if (next_.load(std::memory_order_relaxed) >= count_) return;
      }
    } catch (...) {
      next_.store(count_, std::memory_order_relaxed);
      throw;
    }
  }

 private:
  const std::size_t count_, size_;
  alignas(128) std::atomic<std::size_t> next_;
};

/// Calls body(begin, end, rank) for chunks of [0, count), see chunk_size(), on at most `members` members: no more than there
/// are chunks, since one chunk is the caller's.
template <class Body>
void parallel_for(Team& team, int members, std::size_t count, std::size_t grain, Body&& body) {
  if (count == 0) return;
  const std::size_t chunk = chunk_size(members, count, grain);
  members = static_cast<int>(std::min<std::size_t>(members, (count + chunk - 1) / chunk));
  if (members == 1) return body(std::size_t{0}, count, 0);
  Chunks chunks(members, count, chunk);
  team.run(members, [&](int rank) { chunks.take(rank, [&](std::size_t begin, std::size_t end) { body(begin, end, rank); }); });
}

/// The same on all members.
template <class Body>
void parallel_for(Team& team, std::size_t count, std::size_t grain, Body&& body) {
  parallel_for(team, team.size(), count, grain, body);
}

}  // namespace hopwave::inline v0_1
