// LevelSearch: pulling, when to do it, and the ways between queue and bitmap.
#include <algorithm>
#include <bit>
#include <cstring>

#include "bfs/plan/thresholds.h"
#include "bfs/strategy/cpu/level_search.h"
#include "core/stopwatch.h"

namespace hopwave::strategy::cpu {
namespace {

constexpr std::size_t word_chunk = 64;  // words of 64 vertices that a member takes at a time
constexpr std::size_t row_ahead = 16;   // vertices whose rows are fetched ahead; measured, see docs/performance-cpu.md

/// Bit i of the result is byte i, which is 0 or 1.
std::uint64_t word_of(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + 8 * i, 8);
    if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
    word |= (eight * 0x0102040810204080ull >> 56) << (8 * i);  // the product gathers the eight low bits in its top byte
  }
  return word;
}

}  // namespace

/// head_[v]: the in-neighbour of v with the highest out-degree. In the level after the hubs nearly every vertex finds its
/// head in the frontier, so that one read in the order of the vertices settles it.
void LevelSearch::find_heads() {
  const core::Stopwatch watch;
  head_ = Array<VertexId>(n_);
  parallel_for(team_, n_, thresholds::Cpu::head_grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      EdgeIndex most = 0;
      head_[v] = 0;
      for (EdgeIndex e = in_offsets_[v]; e < in_offsets_[v + 1]; ++e) {
        const VertexId u = in_neighbors_[e];
        const EdgeIndex degree = offsets_[u + 1ull] - offsets_[u];
        if (degree > most) {
          most = degree;
          head_[v] = u;
        }
      }
    }
  });
  prepare_time_ = watch.elapsed();
}

/// The share of arcs that end in the frontier says how many a vertex tries until it hits one, but it has only so many.
/// Fetching a vertex's row costs as much as a few arcs; a head saves most rows.
bool LevelSearch::should_pull(EdgeIndex frontier_arcs) const {
  const auto arcs = static_cast<double>(frontier_arcs);
  const auto unvisited = static_cast<double>(unvisited_);
  if (unvisited == 0) return false;
  const double row = (static_cast<double>(unexplored_) - arcs) / unvisited;
  const double probes = std::min(std::max(row, 1.0), static_cast<double>(view_.num_arcs()) / std::max(arcs, 1.0));
  const double by_row = thresholds::Cpu::row_cost + probes;
  const double expected = unvisited * (head_.empty() ? by_row : 1 + by_row * thresholds::Cpu::head_misses);
  return arcs * static_cast<double>(tuning_.alpha) > 16 * expected;
}

/// Whoever looked in vain looks again, so the next pull costs at most that.
bool LevelSearch::keep_pulling() const {
  const double average = static_cast<double>(view_.num_arcs()) / static_cast<double>(n_);
  const double arcs = static_cast<double>(frontier_) * average;
  return arcs * static_cast<double>(tuning_.beta) > 16 * (static_cast<double>(in_vain_) + static_cast<double>(words_) / 2);
}

/// Vertices that expand_alone has already expanded may get their bit too: they are right answers for whoever asks, only
/// needless ones.
void LevelSearch::queue_to_bitmap(Distance level) {
  learn_visited();
  in_bitmap_ = true;
  if (end_ - first_ > words_) return bits_of_distances(front_, [level](Distance d) { return d == level - 1; });
  std::fill(front_.begin(), front_.end(), 0);
  for (std::size_t i = first_; i < end_; ++i) set(front_, queue_[i]);
}

void LevelSearch::visited_from_distances() {
  bits_of_distances(visited_, [](Distance d) { return d != unreached; });
  for (std::size_t w = 0; w < words_; ++w) visited_[w] |= unreachable_[w];
}

/// Sets the bits of the vertices whose distance is `wanted`, and clears the others.
template <class Wanted>
void LevelSearch::bits_of_distances(Array<Word>& bits, Wanted wanted) {
  parallel_for(team_, words_, thresholds::Cpu::word_grain / 2, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t w = begin; w < end; ++w) {
      const Distance* d = distance_.data() + w * word_bits;
      const std::size_t count = std::min<std::size_t>(word_bits, n_ - w * word_bits);
      std::uint8_t is[word_bits] = {};  // bytes first: the compiler makes vectors of it
      for (std::size_t i = 0; i < count; ++i) is[i] = wanted(d[i]);
      bits[w] = word_of(is);
    }
  });
}

void LevelSearch::bitmap_to_queue() {
  std::size_t tail = tail_.load(std::memory_order_relaxed);
  first_ = tail;
  if (team_.size() == 1) {
    for (std::size_t w = 0; w < words_; ++w)
      for (Word bits = front_[w]; bits; bits &= bits - 1)
        queue_[tail++] = static_cast<VertexId>(w * word_bits + std::countr_zero(bits));
    tail_.store(tail, std::memory_order_relaxed);
  } else {
    parallel_for(team_, words_, thresholds::Cpu::word_grain, [&](std::size_t begin, std::size_t end, int) {
      std::size_t count = 0;
      for (std::size_t w = begin; w < end; ++w) count += std::popcount(front_[w]);
      VertexId* to = queue_.data() + tail_.fetch_add(count, std::memory_order_relaxed);
      for (std::size_t w = begin; w < end; ++w)
        for (Word bits = front_[w]; bits; bits &= bits - 1)
          *to++ = static_cast<VertexId>(w * word_bits + std::countr_zero(bits));
    });
    tail = tail_.load(std::memory_order_relaxed);
  }
  end_ = known_ = tail;
  in_bitmap_ = false;
}

/// Every unvisited vertex looks for an in-neighbour in front_. A member owns whole words of visited_ and next_.
void LevelSearch::pull(Distance level, LevelTrace& trace) {
  trace.direction = "pull";
  const auto members = static_cast<int>(
      std::clamp<std::size_t>((words_ + thresholds::Cpu::words_per_row * unvisited_) / thresholds::Cpu::words_per_member, 1,
                              static_cast<std::size_t>(team_.size())));
  parallel_for(team_, members, words_, word_chunk, [&](std::size_t begin, std::size_t end, int rank) {
    PullCounts& mine = pull_counts_[static_cast<std::size_t>(rank)];
    for (; begin < end; begin += word_chunk) {  // a lone member gets all words at once
      const std::size_t stop = std::min(begin + word_chunk, end);
      parents_ ? pull_words<true>(begin, stop, level, mine) : pull_words<false>(begin, stop, level, mine);
    }
  });
  in_vain_ = frontier_ = 0;
  for (PullCounts& counts : pull_counts_) {
    trace.edges += counts.arcs;
    in_vain_ += counts.in_vain;
    frontier_ += counts.found;
    counts = {};
  }
  unvisited_ -= static_cast<VertexId>(frontier_);
  std::swap(front_, next_);
  // What expand_alone had already found of this level before it gave up moves from the queue to the bitmap.
  const std::size_t tail = tail_.load(std::memory_order_relaxed);
  for (std::size_t i = end_; i < tail; ++i) set(front_, queue_[i]);
  frontier_ += tail - end_;
  tail_.store(end_, std::memory_order_relaxed);
  known_ = end_;
}

/// Two rounds over up to 64 words: heads first if there are any, then the rows of who is left, fetched ahead.
template <bool parents>
void LevelSearch::pull_words(std::size_t begin, std::size_t end, Distance level, PullCounts& counts) {
  VertexId left[word_chunk * word_bits];
  const std::uint64_t in_vain_before = counts.in_vain;
  std::size_t count = 0;
  for (std::size_t w = begin; w < end; ++w) {
    Word todo = ~visited_[w];
    next_[w] = 0;
    if (!head_.empty()) {
      counts.arcs += static_cast<std::uint64_t>(std::popcount(todo));
      count += try_heads<parents>(w, todo, level, left + count);
      continue;
    }
    for (; todo; todo &= todo - 1) left[count++] = static_cast<VertexId>(w * word_bits + std::countr_zero(todo));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (i + row_ahead < count) __builtin_prefetch(&in_neighbors_[in_offsets_[left[i + row_ahead]]]);
    const VertexId v = left[i];
    const EdgeIndex row = in_offsets_[v], row_end = in_offsets_[v + 1ull];
    EdgeIndex e = row;
    while (e < row_end && !test(front_, in_neighbors_[e])) ++e;
    if (e == row_end) {
      counts.in_vain += e - row;
      continue;
    }
    counts.arcs += e - row + 1;
    distance_[v] = level;
    if constexpr (parents) parent_[v] = in_neighbors_[e];
    set(next_, v);
  }
  for (std::size_t w = begin; w < end; ++w) {
    visited_[w] |= next_[w];
    counts.found += static_cast<std::uint64_t>(std::popcount(next_[w]));
  }
  counts.arcs += counts.in_vain - in_vain_before;
}

/// Settles those of `todo` whose head is in the frontier; the others go to `left`. Returns how many.
template <bool parents>
std::size_t LevelSearch::try_heads(std::size_t word, Word todo, Distance level, VertexId* left) {
  std::size_t count = 0;
  Word settled = 0;
  for (; todo; todo &= todo - 1) {
    const int bit = std::countr_zero(todo);
    const auto v = static_cast<VertexId>(word * word_bits + bit);
    const VertexId head = head_[v];
    const Word hit = front_[head / word_bits] >> (head % word_bits) & 1;
    settled |= hit << bit;
    // Arithmetic, so that no branch depends on the hit: level or −1, head or no_vertex.
    distance_[v] = level | (static_cast<Distance>(hit) - 1);
    if constexpr (parents) parent_[v] = head | (static_cast<VertexId>(hit) - 1);
    left[count] = v;
    count += 1 - hit;
  }
  next_[word] = settled;
  return count;
}

}  // namespace hopwave::strategy::cpu
