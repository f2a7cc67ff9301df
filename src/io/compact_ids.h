// Compacts the caller's ids to 0 … n − 1: the distinct ids in ascending order, and the rank of each.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel.h"
#include "hopwave/array.h"
#include "hopwave/generate.h"

namespace hopwave::io {

/// Without the popcnt instruction, which the oldest x86-64 lacks, std::popcount is a call into a table.
inline int bits_in(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555ull;
  x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
  return static_cast<int>(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Full) * 0x0101010101010101ull >> 56);
}

/// Ids present, as bits, and how many are before each word.
class DenseIds {
 public:
  /// Is a bitmap up to `largest` no larger than this many rows?
  static bool suits(std::uint64_t largest, std::uint64_t rows) { return largest / 64 <= 1024 + rows; }
  DenseIds(std::uint64_t largest, Team& team)
      : team_(team), words_(static_cast<std::size_t>(largest / 64 + 1)), before_(words_.size()) {
    each_part([&](std::size_t begin, std::size_t end, std::size_t) { std::fill(&words_[begin], &words_[0] + end, 0); });
  }
  void add(std::uint64_t id) {
    std::atomic_ref<std::uint64_t> word(words_[id / 64]);
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
  }
  /// Returns how many there are.
  std::uint64_t rank_all() {
    std::vector<std::uint64_t> count(words_.size() / part + 2, 0);
    each_part([&](std::size_t begin, std::size_t end, std::size_t p) {
      std::uint64_t here = 0;
      for (std::size_t i = begin; i < end; ++i) here += static_cast<std::uint64_t>(bits_in(words_[i]));
      count[p + 1] = here;
    });
    for (std::size_t p = 1; p < count.size(); ++p) count[p] += count[p - 1];
    each_part([&](std::size_t begin, std::size_t end, std::size_t p) {
      std::uint64_t at = count[p];
      for (std::size_t i = begin; i < end; ++i) {
        before_[i] = static_cast<VertexId>(at);
        at += static_cast<std::uint64_t>(bits_in(words_[i]));
      }
    });
    return count.back();
  }
  [[nodiscard]] VertexId rank(std::uint64_t id) const {
    const std::uint64_t below = words_[id / 64] & ((std::uint64_t{1} << (id % 64)) - 1);
    return before_[id / 64] + static_cast<VertexId>(bits_in(below));
  }
  /// The ids in ascending order, each with `base` added.
  [[nodiscard]] Array<std::int64_t> table(std::uint64_t count, std::int64_t base = 0) const {
    Array<std::int64_t> table(count);
    each_part([&](std::size_t begin, std::size_t end, std::size_t) {
      std::size_t at = before_[begin];
      for (std::size_t i = begin; i < end; ++i)
        for (std::uint64_t bits = words_[i]; bits; bits &= bits - 1)
          table[at++] = static_cast<std::int64_t>(64 * i + static_cast<std::size_t>(std::countr_zero(bits)) +
                                                  static_cast<std::uint64_t>(base));
    });
    return table;
  }

 private:
  static constexpr std::size_t part = std::size_t{1} << 12;  // words

  /// body(first word, one after the last, number of the part)
  template <class Body>
  void each_part(Body&& body) const {
    parallel_for(team_, words_.size() / part + 1, 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t p = begin; p < end; ++p)
        if (const std::size_t from = p * part; from < words_.size()) body(from, std::min(words_.size(), from + part), p);
    });
  }

  Team& team_;
  Array<std::uint64_t> words_;
  Array<VertexId> before_;
};

/// Signed ids anywhere in 64 bits but −2^63: an open-addressing set that is filled by all threads, then given ranks.
class ScatteredIds {
 public:
  static constexpr std::uint64_t no_id = std::uint64_t{1} << 63;
  explicit ScatteredIds(std::uint64_t most)
      : keys_(std::bit_ceil(std::max<std::uint64_t>(most + most / 2, 64))), ranks_(keys_.size()) {
    std::fill(keys_.begin(), keys_.end(), no_id);
  }
  void add(std::uint64_t id) {
    for (std::size_t i = slot(id);; i = (i + 1) & (keys_.size() - 1)) {
      std::atomic_ref<std::uint64_t> key(keys_[i]);
      std::uint64_t found = key.load(std::memory_order_relaxed);
      // Relaxed is enough: only the key itself is shared, and the slot never changes once taken.
      if (found == no_id && key.compare_exchange_strong(found, id, std::memory_order_relaxed)) return;
      if (found == id) return;
    }
  }
  /// The ids in ascending order; afterwards rank() works.
  Array<std::int64_t> rank_all(Team& team) {
    std::vector<std::int64_t> ids;
    for (const std::uint64_t key : keys_)
      if (key != no_id) ids.push_back(static_cast<std::int64_t>(key));
    sort(ids, team);
    if (ids.size() <= max_vertices)
      parallel_for(team, ids.size(), 1 << 14, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i) ranks_[find(static_cast<std::uint64_t>(ids[i]))] = static_cast<VertexId>(i);
      });
    return Array<std::int64_t>::copy_of(ids);
  }
  [[nodiscard]] VertexId rank(std::uint64_t id) const { return ranks_[find(id)]; }

 private:
  [[nodiscard]] std::size_t slot(std::uint64_t id) const {
    return static_cast<std::size_t>(splitmix64(id)) & (keys_.size() - 1);
  }
  [[nodiscard]] std::size_t find(std::uint64_t id) const {
    std::size_t i = slot(id);
    while (keys_[i] != id) i = (i + 1) & (keys_.size() - 1);
    return i;
  }
  /// Each member sorts a part, then neighbours merge.
  static void sort(std::vector<std::int64_t>& ids, Team& team) {
    const std::size_t parts = std::bit_floor(static_cast<std::size_t>(team.size()));
    const auto cut = [&](std::size_t i) { return ids.begin() + static_cast<std::ptrdiff_t>(ids.size() * i / parts); };
    parallel_for(team, parts, 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) std::sort(cut(i), cut(i + 1));
    });
    for (std::size_t width = 1; width < parts; width *= 2)
      parallel_for(team, parts / (2 * width), 1, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i)
          std::inplace_merge(cut(2 * width * i), cut(2 * width * i + width), cut(2 * width * (i + 1)));
      });
  }
  Array<std::uint64_t> keys_;
  Array<VertexId> ranks_;
};

}  // namespace hopwave::io
