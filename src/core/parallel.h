// Team: a few threads that stay ready, and loops over them. Plain C++ threads rather than OpenMP, because ThreadSanitizer
// understands them fully, and because a Team has an owner: no thread outlives what it works for.
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

/// Threads to use when the caller says 0.
int hardware_threads();

/// All members meet; spins briefly, then sleeps. Reusable.
class Barrier {
 public:
  explicit Barrier(int members) : members_(members) {}
  void wait();
  /// Only while nobody waits.
  void set_members(int members) { members_ = members; }

 private:
  int members_;
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> phase_{0};
};

class Team {
 public:
  /// `threads` members with the caller as member 0; 0: one a hardware thread. Fewer where the system starts no more:
  /// work is shared out by size(), never by what was asked for. Throws HW-OPTION-THREADS.
  explicit Team(int threads = 0);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int size() const noexcept { return size_; }
  /// Members that were asked for and could not be started.
  [[nodiscard]] int missing() const noexcept { return missing_; }
  /// "only 3 of 8 threads could be started …"; empty if none is missing.
  [[nodiscard]] std::string missing_text() const;
  /// Runs work(rank) on every member and returns when all are done; the first exception is thrown again here.
  /// If one member throws, the others must still end: do not wait at barrier() behind a call that can throw.
  void run(const std::function<void(int rank)>& work);
  /// Inside run(): all members meet.
  void barrier() { barrier_.wait(); }

 private:
  void member(int rank);
  void work_as(int rank) noexcept;

  int size_, missing_ = 0;
  Barrier barrier_;
  std::atomic<unsigned> round_{0};
  std::atomic<int> busy_{0};
  std::atomic<bool> ending_{false};
  const std::function<void(int)>* work_ = nullptr;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

/// body(begin, end, rank) over chunks of [0, count), handed out as members become free, and no more of them once one throws.
template <class Body>
void parallel_for(Team& team, std::size_t count, std::size_t grain, Body&& body) {
  if (count == 0) return;
  grain = std::max<std::size_t>(grain, 1);
  if (team.size() == 1 || count <= grain) return body(std::size_t{0}, count, 0);
  std::atomic<std::size_t> next{0};
  team.run([&](int rank) {
    try {
      for (;;) {
        const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) return;
        body(begin, std::min(begin + grain, count), rank);
      }
    } catch (...) {
      next.store(count, std::memory_order_relaxed);  // the others stop after what they are at
      throw;
    }
  });
}

}  // namespace hopwave::inline v0_1
