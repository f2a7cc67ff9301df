// Transport: what processes that search one graph together need of each other. A rank is one of them.
// Two kinds: ranks as threads of one process (thread_ranks.h), and MPI processes (mpi_ranks.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/stopwatch.h"
#include "hopwave/error.h"

namespace hopwave::ranks {

enum class Reduce { sum, min, max, bit_or };

/// What a rank has handed over and how long that took, since it began.
struct Traffic {
  std::uint64_t bytes_sent = 0;  ///< to other ranks; of a reduction what a rank puts in
  std::uint64_t calls = 0;       ///< collective calls
  double seconds = 0;            ///< within them, waiting for the slowest included
};

/// All calls but rank(), size(), traffic() and abort() are collective: every rank makes them, in the same order, from one
/// thread. A rank that throws instead leaves the others waiting, so what can fail is inside agree() (agree.h), or ends all.
class Transport {
 public:
  Transport() = default;
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;

  /// to[r] goes to rank r, to itself as well; from[r] comes from rank r.
  template <class T>
  void exchange(const std::vector<std::vector<T>>& to, std::vector<std::vector<T>>& from) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::span<const std::byte>> out;
    for (const auto& values : to) out.push_back(std::as_bytes(std::span(values)));
    from.resize(to.size());
    const Timed timed(*this, out);
    do_exchange(out, [&](int rank, std::size_t bytes) {
      auto& values = from[static_cast<std::size_t>(rank)];
      values.resize(bytes / sizeof(T));
      return reinterpret_cast<std::byte*>(values.data());
    });
  }

  /// The values of all ranks one after the other, the same on every rank; rank r brings counts[r] of them.
  template <class T>
  void all_gather(std::span<const T> mine, std::span<T> all, std::span<const std::uint64_t> counts) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::uint64_t> bytes;
    for (const std::uint64_t count : counts) bytes.push_back(count * sizeof(T));
    const Timed timed(*this, mine.size_bytes() * static_cast<std::size_t>(size() - 1));
    do_all_gather(std::as_bytes(mine), std::as_writable_bytes(all), bytes);
  }

  /// Each value becomes the sum (or least, greatest, bitwise or) of those of all ranks.
  void all_reduce(std::span<std::uint64_t> values, Reduce how) {
    const Timed timed(*this, values.size_bytes());
    do_all_reduce(values, how);
  }
  std::uint64_t all_reduce(std::uint64_t value, Reduce how) {
    all_reduce(std::span(&value, 1), how);
    return value;
  }

  /// What rank `root` holds; others are overwritten.
  template <class T>
  void broadcast(int root, std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::uint64_t count = rank() == root ? values.size() : 0;
    const Timed timed(*this, rank() == root ? values.size() * sizeof(T) * static_cast<std::size_t>(size() - 1) : 0);
    do_all_reduce(std::span(&count, 1), Reduce::max);
    values.resize(count);
    do_broadcast(root, std::as_writable_bytes(std::span(values)));
  }

  void barrier() {
    const Timed timed(*this, 0);
    do_barrier();
  }

  /// Ends the work of all ranks; this one's error is what is reported. May be called at any time.
  [[noreturn]] virtual void abort(const Error& error) = 0;

  [[nodiscard]] const Traffic& traffic() const noexcept { return traffic_; }
  /// What went to the others by another way.
  void add_traffic(std::uint64_t bytes_sent, double seconds) noexcept {
    traffic_.bytes_sent += bytes_sent;
    traffic_.seconds += seconds;
  }

 protected:
  using Room = std::function<std::byte*(int rank, std::size_t bytes)>;  ///< where that many bytes from this rank shall go
  virtual void do_exchange(std::span<const std::span<const std::byte>> to, const Room& room) = 0;
  virtual void do_all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                             std::span<const std::uint64_t> bytes) = 0;
  virtual void do_all_reduce(std::span<std::uint64_t> values, Reduce how) = 0;
  virtual void do_broadcast(int root, std::span<std::byte> bytes) = 0;
  virtual void do_barrier() = 0;

 private:
  class Timed {
   public:
    Timed(Transport& of, std::size_t bytes) : traffic_(of.traffic_) {
      traffic_.bytes_sent += bytes;
      ++traffic_.calls;
    }
    Timed(Transport& of, const std::vector<std::span<const std::byte>>& to) : Timed(of, 0) {
      for (std::size_t r = 0; r < to.size(); ++r)
        if (r != static_cast<std::size_t>(of.rank())) traffic_.bytes_sent += to[r].size();
    }
    ~Timed() { traffic_.seconds += watch_.seconds(); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

   private:
    Traffic& traffic_;
    core::Stopwatch watch_;
  };

  Traffic traffic_;
};

}  // namespace hopwave::ranks
