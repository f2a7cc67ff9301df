// A collective call is: show where the own values lie, meet, copy from the others, meet again.
#include "bfs/distributed/thread_ranks.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hopwave::ranks {
namespace {

/// Ends a rank whose work another rank has ended; never seen outside this file.
struct EndedByAnother {};

/// What the ranks share: a place for each to show its values, and where they meet.
class Common {
 public:
  explicit Common(int size) : shown(static_cast<std::size_t>(size)), size_(size) {}

  /// All ranks; throws EndedByAnother once one has failed.
  void meet() {
    std::unique_lock lock(mutex_);
    if (failure_) throw EndedByAnother{};
    const unsigned phase = phase_;
    if (++arrived_ == size_) {
      arrived_ = 0;
      ++phase_;
      wake_.notify_all();
      return;
    }
    wake_.wait(lock, [&] { return phase_ != phase || failure_; });
    if (phase_ == phase) throw EndedByAnother{};
  }

  void fail(std::exception_ptr why) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(why);
    wake_.notify_all();
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  using Shown = std::vector<std::span<const std::byte>>;
  std::vector<Shown> shown;  // by rank; read by others between two meetings only

 private:
  const int size_;
  std::mutex mutex_;
  std::condition_variable wake_;
  int arrived_ = 0;
  unsigned phase_ = 0;
  std::exception_ptr failure_;
};

std::uint64_t reduced(std::uint64_t a, std::uint64_t b, Reduce how) {
  switch (how) {
    case Reduce::min:
      return std::min(a, b);
    case Reduce::max:
      return std::max(a, b);
    case Reduce::bit_or:
      return a | b;
    case Reduce::sum:
      break;
  }
  return a + b;
}

void copy(std::span<const std::byte> from, std::byte* to) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

class ThreadRank final : public Transport {
 public:
  ThreadRank(Common& common, int rank, int size) : common_(common), rank_(rank), size_(size) {}

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return size_; }
  [[noreturn]] void abort(const Error& error) override { throw error; }

 private:
  /// Shows these values, lets use() look at those of all, and goes on when all ranks have looked.
  template <class Use>
  void share(Common::Shown mine, Use&& use) {
    common_.shown[static_cast<std::size_t>(rank_)] = std::move(mine);
    common_.meet();
    use(common_.shown);
    common_.meet();
  }

  void do_exchange(std::span<const std::span<const std::byte>> to, const Room& room) override {
    share({to.begin(), to.end()}, [&](const std::vector<Common::Shown>& shown) {
      for (int r = 0; r < size_; ++r) {
        const auto& bytes = shown[static_cast<std::size_t>(r)][static_cast<std::size_t>(rank_)];
        copy(bytes, room(r, bytes.size()));
      }
    });
  }

  void do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all, std::span<const std::uint64_t> bytes) override {
    share({mine}, [&](const std::vector<Common::Shown>& shown) {
      std::byte* to = all.data();
      for (std::size_t r = 0; r < shown.size(); to += bytes[r++]) copy(shown[r][0], to);
    });
  }

  void do_all_reduce(std::span<std::uint64_t> values, Reduce how) override {
    const std::vector<std::uint64_t> mine(values.begin(), values.end());
    share({std::as_bytes(std::span(mine))}, [&](const std::vector<Common::Shown>& shown) {
      for (std::size_t r = 0; r < shown.size(); ++r) {
        if (r == static_cast<std::size_t>(rank_)) continue;
        const auto* others = reinterpret_cast<const std::uint64_t*>(shown[r][0].data());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = reduced(values[i], others[i], how);
      }
    });
  }

  void do_broadcast(int root, std::span<std::byte> bytes) override {
    share({bytes}, [&](const std::vector<Common::Shown>& shown) {
      if (rank_ != root) copy(shown[static_cast<std::size_t>(root)][0], bytes.data());
    });
  }

  void do_barrier() override { common_.meet(); }

  Common& common_;
  const int rank_, size_;
};

}  // namespace

void run_as_threads(int size, const std::function<void(Transport&)>& work) {
  Common common(size);
  {
    std::vector<std::jthread> threads;
    for (int r = 0; r < size; ++r)
      threads.emplace_back([&, r] {
        ThreadRank rank(common, r, size);
        try {
          work(rank);
        } catch (const EndedByAnother&) {
        } catch (...) {
          common.fail(std::current_exception());
        }
      });
  }
  common.rethrow();
}

}  // namespace hopwave::ranks
