// Team. Waiting threads spin for a moment, because the levels of a traversal follow each other within microseconds. Then
// they sleep on the atomic itself, because a machine may have fewer free processors than it reports.
#include "core/parallel.h"

#include <sched.h>

#include <climits>
#include <cmath>
#include <fstream>
#include <string>

#include "core/refuse.h"
#include "core/thread_memory.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

// Of a waiting thread before it sleeps. Levels that one member takes alone last some microseconds, and waking all members
// takes 70 to 300 (bench/team_bench.cpp, 16 processors). After the first spins it offers its processor to others, since one of
// those that it waits for may be there; where threads share processors anyway, it sleeps soon.
constexpr int patient_spins = 10'000, short_spins = 100, spins_before_yields = 1000, spins_per_yield = 50;

unsigned word_of(unsigned count) { return count << 1; }

}  // namespace

int processors_of_control_group(const std::string& groups, const std::string& root) {
  std::string group;
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("0::")) group = line.substr(3);
  int least = INT_MAX;
  // A limit of a group holds for the groups below it, too.
  for (bool more = true; more;) {
    std::ifstream limit(root + group + "/cpu.max");
    double quota = 0, period = 0;  // the text "max" means no limit, and is no number
    if (limit >> quota >> period && quota > 0 && period > 0)
      least = std::min(least, std::max(1, static_cast<int>(std::ceil(quota / period))));
    more = !group.empty();
    group.resize(group.empty() ? 0 : group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
  return least;
}

int hardware_threads() {
  static const int limit = processors_of_control_group("/proc/self/cgroup", "/sys/fs/cgroup");
  cpu_set_t set;
  const int allowed =
      sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : static_cast<int>(std::thread::hardware_concurrency());
  return std::min(limit, std::max(1, allowed));
}

void Signal::send(unsigned count) {
  // The exchange is a full fence: a thread that is about to sleep either sees the count, or is seen here.
  if (word_.exchange(word_of(count), std::memory_order_seq_cst) & 1) word_.notify_one();
}

void Signal::await(unsigned count, int spins) {
  const unsigned wanted = word_of(count);
  unsigned word = word_.load(std::memory_order_acquire);
  for (int i = 0; word != wanted && i < spins; ++i) {
    if (i >= spins_before_yields && i % spins_per_yield == 0) std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    word = word_.load(std::memory_order_acquire);
  }
  while (word != wanted) {
    if ((word & 1) || word_.compare_exchange_weak(word, word | 1, std::memory_order_acq_rel, std::memory_order_acquire))
      word_.wait(word | 1, std::memory_order_acquire);
    word = word_.load(std::memory_order_acquire);
  }
}

namespace {

int members(int threads) {
  constexpr int most = 4096;
  if (threads < 0 || threads > most)
    core::refuse("HW-OPTION-THREADS", std::to_string(threads) + " threads",
                 "1 to " + std::to_string(most) + ", or 0 for one per hardware thread");
  return threads > 0 ? threads : hardware_threads();
}

}  // namespace

Team::Team(int threads)
    : size_(members(threads)),
      spins_(size_ <= hardware_threads() ? patient_spins : short_spins),
      tree_(static_cast<std::size_t>(size_)) {
  threads_.reserve(size_ - 1);
  for (int rank = 1; rank < size_; ++rank) {
    try {
      threads_.emplace_back([this, rank] {
        core::take_thread_memory();
        follow(rank);
      });
    } catch (const std::exception&) {  // a limit on processes or on memory: the threads that could be started do the work
      missing_ = size_ - rank;
      size_ = rank;
    }
  }
}

Team::~Team() {
  ending_.store(true, std::memory_order_release);
  for (int rank = 1; rank < size_; ++rank) tree_[rank].release.send(++tree_[rank].sent);
  for (auto& thread : threads_) thread.join();
}

std::string Team::missing_text() const {
  if (missing_ == 0) return {};
  return "only " + std::to_string(size_) + " of " + std::to_string(size_ + missing_) +
         " threads could be started: the system limits processes or memory";
}

/// Where threads share processors, each level of the tree may have to wait for one: there it has one level.
int Team::fan() const { return spins_ == patient_spins ? 8 : size_; }

void Team::release_children(int rank) {
  const int first = fan() * rank + 1, end = std::min(members_, first + fan());
  for (int child = first; child < end; ++child) tree_[child].release.send(++tree_[child].sent);
}

void Team::await_children(int rank) {
  const int first = fan() * rank + 1, end = std::min(members_, first + fan());
  for (int child = first; child < end; ++child) tree_[child].arrival.await(tree_[child].sent, spins_);
}

void Team::await_release(int rank) { tree_[rank].release.await(++tree_[rank].seen, spins_); }

void Team::barrier(int rank) {
  await_children(rank);
  if (rank != 0) {
    tree_[rank].arrival.send(tree_[rank].seen);
    await_release(rank);
  }
  release_children(rank);
}

void Team::follow(int rank) {
  for (;;) {
    await_release(rank);
    if (ending_.load(std::memory_order_acquire)) return;
    release_children(rank);
    work_as(rank);
    await_children(rank);
    tree_[rank].arrival.send(tree_[rank].seen);
  }
}

void Team::work_as(int rank) noexcept {
  try {
    (*work_)(rank);
  } catch (...) {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void Team::run(int members, const std::function<void(int)>& work) {
  members_ = members;
  work_ = &work;
  error_ = nullptr;
  release_children(0);
  work_as(0);
  await_children(0);
  if (error_) std::rethrow_exception(error_);
}

}  // namespace hopwave::inline v0_1
