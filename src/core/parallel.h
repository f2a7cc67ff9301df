// Team: a few threads that stay ready, and parallel loops over them. It uses C++ threads instead of OpenMP, because
// ThreadSanitizer understands them fully. A Team has an owner, so no thread outlives the object for which it works.
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

/// Returns the number of threads to use if the caller passes 0.
int hardware_threads();

/// All members wait for each other; they spin briefly, then sleep. Reusable.
class Barrier {
 public:
  explicit Barrier(int members) : members_(members) {}
  void wait();
  /// Only while no thread waits.
  void set_members(int members) { members_ = members; }

 private:
  int members_;
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> phase_{0};
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
  void run(const std::function<void(int rank)>& work);
  /// Inside run(): waits for all members.
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

/// Calls body(begin, end, rank) for chunks of [0, count), which members take as they become free. After an exception no
/// more chunks are taken.
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
      next.store(count, std::memory_order_relaxed);  // the others stop after their current chunk
      throw;
    }
  });
}

}  // namespace hopwave::inline v0_1
