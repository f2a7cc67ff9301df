// The two passes of make_rows: radix partitioning, as databases use it for joins; then the rows of each bucket are
// sorted while they are in cache, and are moved to their final place. Peak memory: the list, 6 bytes per arc (4 or 8
// more with weights) and the offsets.
#include "graph/rows.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "graph/row_buckets.h"
#include "hopwave/generate.h"

namespace hopwave::graph {
namespace {

constexpr std::size_t long_rows = 6;                  // arcs per vertex above which a bucket is sorted by radix, not row by row
constexpr EdgeIndex radix_arcs = EdgeIndex{1} << 22;  // larger buckets are sorted row by row, too: less memory
constexpr int most_digit_bits = 11;
constexpr std::size_t items_per_report = std::size_t{1} << 20;  // items between two progress reports of a thread

// The key by which rows are sorted: the target, then the weight as ordered() bits.
struct PlainKey {
  using Type = std::uint32_t;
  using Bits = void;
  using AnyBits = void;
  static VertexId target(Type k) { return k; }
};
struct NarrowKey {
  using Type = std::uint64_t;
  using Bits = std::uint32_t;
  using AnyBits [[gnu::may_alias]] = std::uint32_t;  // floats or integers of other code
  static Type make(VertexId t, Bits w) { return std::uint64_t{t} << 32 | w; }
  static VertexId target(Type k) { return static_cast<VertexId>(k >> 32); }
  static Bits weight(Type k) { return static_cast<Bits>(k); }
};
struct WideKey {
  using Bits = std::uint64_t;
  using AnyBits [[gnu::may_alias]] = std::uint64_t;
  struct Type {
    VertexId to;
    Bits bits;
    friend auto operator<=>(const Type&, const Type&) = default;
  };
  static Type make(VertexId t, Bits w) { return {t, w}; }
  static VertexId target(const Type& k) { return k.to; }
  static Bits weight(const Type& k) { return k.bits; }
};

template <class T>
void sort_row(T* begin, T* end) {
  if (end - begin < 2) return;
  if (end - begin > 24) {
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    return;
  }
  for (T* i = begin + 1; i < end; ++i) {
    const T key = *i;
    T* hole = i;
    for (; hole > begin && key < hole[-1]; --hole) *hole = hole[-1];
    *hole = key;
  }
}

/// One run of make_rows, with the data that its passes share.
template <class Arcs, class Local, class Key>
class RowMaker {
 public:
  RowMaker(Team& team, VertexId n, Arcs& arcs, RowOptions options, core::Reporter* reporter)
      : team_(team),
        n_(n),
        arcs_(arcs),
        options_(options),
        reporter_(reporter),
        buckets_(n, short_local),
        items_(arcs.items()),
        type_(arcs.weights().type()) {}

  Adjacency make(RowCounts& counts) {
    count();
    for (const auto& c : tallies_) counts.bad = std::min(counts.bad, c.bad);
    if (counts.bad != RowCounts::none) return {};
    partition();
    arcs_.release();
    sort_buckets();
    give_back();
    for (const auto& c : tallies_) {
      counts.arcs += c.arcs;
      counts.duplicates += c.duplicates;
      counts.self_loops += c.self_loops;
      hash_ += c.hash;
    }
    counts.symmetric = hash_ == 0;
    if constexpr (weighted) {
      const auto keep = std::make_shared<Array<Bits>>(std::move(weights_));
      rows_.weights = Weights(keep, type_, keep->data(), keep->size());
    }
    return std::move(rows_);
  }

 private:
  static constexpr bool short_local = sizeof(Local) == 2;
  using Bits = typename Key::Bits;
  static constexpr bool weighted = !std::is_void_v<Bits>;
  using AnyBits = typename Key::AnyBits;
  using KeyType = typename Key::Type;

  struct alignas(64) Tally {
    EdgeIndex arcs = 0, duplicates = 0, self_loops = 0;
    std::uint64_t hash = 0;
    std::size_t bad = RowCounts::none;
    bool unsorted = false;
  };

  struct Scratch {
    Array<KeyType> keys;
    EdgeIndex kept = 0;  // number of keys, from the first on
    Array<std::uint64_t> from, to;
    std::vector<EdgeIndex> cursor, digits;
  };

  /// Items are divided into blocks, a few per member; a block's arcs keep their order within a bucket.
  void each_block(auto&& body) {
    parallel_for(team_, blocks_, 1, [&](std::size_t begin, std::size_t end, int rank) {
      for (std::size_t block = begin; block < end; ++block)
        body(block, arcs_.items() * block / blocks_, arcs_.items() * (block + 1) / blocks_, rank);
    });
  }

  /// Runs arcs_.each() in pieces, with a progress report after each.
  template <class F>
  void each_arc(std::size_t begin, std::size_t end, int rank, F&& f) {
    while (begin < end) {
      const std::size_t stop = std::min(end, begin + items_per_report);
      arcs_.each(begin, stop, f);
      if (reporter_) reporter_->add(stop - begin, rank);
      begin = stop;
    }
  }

  void count() {
    blocks_ = team_.size() == 1 ? 1 : static_cast<std::size_t>(team_.size()) * 4;
    std::vector<EdgeIndex> counts(blocks_ * buckets_.slices, 0);
    tallies_.assign(static_cast<std::size_t>(team_.size()), {});
    each_block([&](std::size_t block, std::size_t begin, std::size_t end, int rank) {
      EdgeIndex* mine = &counts[block * buckets_.slices];
      Tally tally;
      std::uint64_t last = 0;
      each_arc(begin, end, rank, [&](VertexId s, VertexId t, std::size_t i) {
        if (std::max(s, t) >= n_) [[unlikely]] {
          tally.bad = std::min(tally.bad, i);
          return;
        }
        ++tally.arcs;
        const std::uint64_t arc = std::uint64_t{s} << 32 | t;
        tally.unsorted |= arc < last;  // always true for mirrored arcs
        last = arc;
        if (s == t) {
          ++tally.self_loops;
          if (!options_.keep_self_loops) return;
        } else if (options_.check_symmetry) {
          // Sums of hashes of unordered pairs: arcs in one direction minus arcs in the other.
          const std::uint64_t h = s < t ? splitmix64(std::uint64_t{s} << 32 | t) : splitmix64(std::uint64_t{t} << 32 | s);
          tally.hash += s < t ? h : -h;
        }
        ++mine[s >> buckets_.shift];
      });
      Tally& sum = tallies_[rank];
      sum.arcs += tally.arcs, sum.self_loops += tally.self_loops, sum.hash += tally.hash, sum.unsorted |= tally.unsorted;
      sum.bad = std::min(sum.bad, tally.bad);
    });
    // A list in order of sources gives sorted rows at once, because every step here is stable.
    presorted_ = std::none_of(tallies_.begin(), tallies_.end(), [](const Tally& t) { return t.unsorted; });
    place(counts);
  }

  /// Divides the vertices into buckets; starts_[block][bucket] becomes the position of this block's arcs in this
  /// bucket.
  void place(const std::vector<EdgeIndex>& counts) {
    std::vector<EdgeIndex> of_slice(buckets_.slices, 0);
    for (std::size_t i = 0; i < counts.size(); ++i) of_slice[i % buckets_.slices] += counts[i];
    buckets_.cut(n_, of_slice, short_local ? short_positions : std::size_t{n_} + 1);
    const std::size_t buckets = buckets_.count();
    starts_.assign(blocks_ * buckets, 0);
    for (std::size_t block = 0; block < blocks_; ++block)
      for (std::size_t i = 0; i < buckets_.slices; ++i)
        starts_[block * buckets + buckets_.of_slice[i]] += counts[block * buckets_.slices + i];
    bucket_start_.resize(buckets + 1);
    EdgeIndex at = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      bucket_start_[b] = at;
      for (std::size_t block = 0; block < blocks_; ++block) at += std::exchange(starts_[block * buckets + b], at);
    }
    bucket_start_[buckets] = at;
  }

  void partition() {
    const EdgeIndex arcs = bucket_start_.back();
    rows_.neighbors = Array<VertexId>(arcs);
    locals_ = Array<Local>(arcs);
    [[maybe_unused]] const auto* const from = static_cast<const AnyBits*>(arcs_.weights().data());
    if constexpr (weighted) weights_ = Array<Bits>(arcs);
    each_block([&](std::size_t block, std::size_t begin, std::size_t end, int rank) {
      EdgeIndex* cursor = &starts_[block * buckets_.count()];
      each_arc(begin, end, rank, [&](VertexId s, VertexId t, std::size_t i) {
        if (s == t && !options_.keep_self_loops) return;
        const std::size_t bucket = buckets_.of(s);
        const EdgeIndex at = cursor[bucket]++;
        rows_.neighbors[at] = t;
        locals_[at] = static_cast<Local>(s - buckets_.first[bucket]);
        if constexpr (weighted) weights_[at] = graph::ordered(from[i], floats());
      });
    });
    starts_ = {};
  }

  void sort_buckets() {
    rows_.offsets = Array<EdgeIndex>(n_ + std::size_t{1});
    rows_.offsets[0] = 0;
    final_start_.assign(buckets_.count() + 1, 0);
    std::vector<Scratch> scratch(static_cast<std::size_t>(team_.size()));
    std::atomic<bool> failed{false};
    parallel_for(team_, buckets_.count(), 1, [&](std::size_t begin, std::size_t end, int rank) {
      for (std::size_t b = begin; b < end; ++b) {
        try {
          sort_bucket(b, scratch[rank], tallies_[rank]);
        } catch (...) {
          failed.store(true, std::memory_order_relaxed);
          throw;
        }
        if (!wait_for_place(b, scratch[rank].kept, failed)) return;
        put_in_place(b, scratch[rank]);
        if (reporter_ && items_ > 0) reporter_->add(sorting_work(b), rank);
      }
    });
    locals_ = {};
  }

  /// Waits until the buckets before this one, which began earlier, are sorted: then its position is known, and the data
  /// at that position is no longer needed. Returns false if one of them failed.
  bool wait_for_place(std::size_t b, EdgeIndex kept, const std::atomic<bool>& failed) {
    while (sorted_.load(std::memory_order_acquire) != b) {
      if (failed.load(std::memory_order_relaxed)) return false;
      std::this_thread::yield();
    }
    final_start_[b + 1] = final_start_[b] + kept;
    sorted_.store(b + 1, std::memory_order_release);
    return true;
  }

  void put_in_place(std::size_t b, const Scratch& scratch) {
    EdgeIndex at = final_start_[b];
    VertexId* neighbors = rows_.neighbors.data() + at;
    if constexpr (weighted) {
      AnyBits* weights = weights_.data() + at;
      for (EdgeIndex i = 0; i < scratch.kept; ++i) {
        neighbors[i] = Key::target(scratch.keys[i]);
        weights[i] = from_ordered(Key::weight(scratch.keys[i]), floats());
      }
    } else if (scratch.kept) {
      std::memcpy(neighbors, scratch.keys.data(), scratch.kept * sizeof(VertexId));
    }
    for (std::size_t v = buckets_.first[b]; v < buckets_.first[b + 1]; ++v) rows_.offsets[v + 1] = at += rows_.offsets[v + 1];
  }

  /// Two units per item, distributed by arcs. Differences of rounded sums, so that the buckets together have them all.
  [[nodiscard]] std::uint64_t sorting_work(std::size_t b) const {
    const EdgeIndex arcs = bucket_start_.back();
    if (arcs == 0) return b == 0 ? 2 * items_ : 0;  // every item was a self-loop
    const auto up_to = [&](EdgeIndex arc) {
      return static_cast<std::uint64_t>(static_cast<unsigned __int128>(arc) * 2 * items_ / arcs);
    };
    return up_to(bucket_start_[b + 1]) - up_to(bucket_start_[b]);
  }

  /// Writes the bucket's rows one after the other to scratch.keys, and each row's length to offsets[v + 1].
  void sort_bucket(std::size_t b, Scratch& scratch, Tally& tally) {
    const std::size_t first = buckets_.first[b], vertices = buckets_.first[b + 1] - first;
    const EdgeIndex start = bucket_start_[b], stop = bucket_start_[b + 1];
    EdgeIndex* length = rows_.offsets.data() + first + 1;  // only this bucket writes here
    std::fill_n(length, vertices, 0);
    for (EdgeIndex i = start; i < stop; ++i) ++length[locals_[i]];
    scratch.cursor.resize(vertices);
    EdgeIndex at = 0;
    for (std::size_t v = 0; v < vertices; ++v) scratch.cursor[v] = at, at += length[v];
    if (scratch.keys.size() < stop - start) scratch.keys = Array<KeyType>(stop - start);
    const bool by_radix = !presorted_ && stop - start > long_rows * vertices && stop - start <= radix_arcs;
    if constexpr (weighted)
      sort_rows(start, stop, length, vertices, scratch);
    else
      by_radix ? sort_by_radix(start, stop, scratch) : sort_rows(start, stop, length, vertices, scratch);

    // Keys that are kept never overtake the one being read.
    const KeyType* key = scratch.keys.data();
    KeyType* out = scratch.keys.data();
    const std::ptrdiff_t keep = options_.keep_duplicates;
    EdgeIndex duplicates = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
      const KeyType* row_start = out;
      std::uint64_t previous = ~std::uint64_t{0};
      for (const KeyType* row_end = key + length[v]; key < row_end; ++key) {
        const VertexId t = Key::target(*key);
        const bool again = t == previous;  // of equal targets the lightest comes first
        duplicates += again;
        *out = *key;
        previous = t;
        out += (again ? 0 : 1) | keep;
      }
      length[v] = static_cast<EdgeIndex>(out - row_start);
    }
    tally.duplicates += duplicates;
    scratch.kept = static_cast<EdgeIndex>(out - scratch.keys.data());
  }

  /// For short rows, rows that are already sorted, and weights: distributes arcs to their rows, then sorts each row by
  /// comparisons.
  void sort_rows(EdgeIndex start, EdgeIndex stop, const EdgeIndex* length, std::size_t vertices, Scratch& scratch) {
    for (EdgeIndex i = start; i < stop; ++i) {
      KeyType& key = scratch.keys[scratch.cursor[locals_[i]]++];
      if constexpr (weighted)
        key = Key::make(rows_.neighbors[i], weights_[i]);
      else
        key = rows_.neighbors[i];
    }
    KeyType* keys = scratch.keys.data();
    for (std::size_t v = 0; v < vertices; ++v) sort_row(keys + (scratch.cursor[v] - length[v]), keys + scratch.cursor[v]);
  }

  /// For long rows in any order: sorts the whole bucket by target, digit by digit from the lowest, then distributes it
  /// stably to its rows.
  void sort_by_radix(EdgeIndex start, EdgeIndex stop, Scratch& scratch) {
    const std::size_t count = stop - start;
    const int bits = static_cast<int>(std::bit_width(n_ - 1)), passes = (bits + most_digit_bits - 1) / most_digit_bits;
    const int digit_bits = (bits + passes - 1) / passes;
    const std::size_t digits = std::size_t{1} << digit_bits, mask = digits - 1;
    auto& from = scratch.from;
    auto& to = scratch.to;
    if (from.size() < count) from = Array<std::uint64_t>(count), to = Array<std::uint64_t>(count);
    scratch.digits.assign(digits * passes, 0);
    EdgeIndex* tops = scratch.digits.data();
    for (std::size_t i = 0; i < count; ++i) {
      const VertexId t = rows_.neighbors[start + i];
      from[i] = std::uint64_t{locals_[start + i]} << 32 | t;
      for (int p = 0; p < passes; ++p) ++tops[p * digits + (t >> (p * digit_bits) & mask)];
    }
    for (int p = 0; p < passes; ++p, tops += digits) {
      EdgeIndex at = 0;
      for (std::size_t d = 0; d < digits; ++d) at += std::exchange(tops[d], at);
      for (std::size_t i = 0; i < count; ++i) to[tops[from[i] >> (p * digit_bits) & mask]++] = from[i];
      std::swap(from, to);
    }
    for (std::size_t i = 0; i < count; ++i) scratch.keys[scratch.cursor[from[i] >> 32]++] = static_cast<VertexId>(from[i]);
  }

  /// Returns the memory of dropped arcs, if it is much.
  void give_back() {
    const EdgeIndex total = final_start_.back();
    shorten(rows_.neighbors, total);
    if constexpr (weighted) shorten(weights_, total);
  }

  template <class T>
  void shorten(Array<T>& values, EdgeIndex total) {
    if (total >= values.size() - values.size() / 4) return values.truncate(total);
    Array<T> shorter(total);
    parallel_for(team_, total, std::size_t{1} << 18, [&](std::size_t begin, std::size_t end, int) {
      std::memcpy(shorter.data() + begin, values.data() + begin, (end - begin) * sizeof(T));
    });
    values = std::move(shorter);
  }

  [[nodiscard]] bool floats() const { return type_ == WeightType::float32 || type_ == WeightType::float64; }

  Team& team_;
  const VertexId n_;
  Arcs& arcs_;
  const RowOptions options_;
  core::Reporter* const reporter_;
  Buckets buckets_;
  const std::size_t items_;
  const WeightType type_;
  std::size_t blocks_ = 1;
  std::vector<EdgeIndex> starts_, bucket_start_;
  std::vector<EdgeIndex> final_start_;  ///< known up to sorted_
  std::atomic<std::size_t> sorted_{0};  ///< number of first buckets whose arcs are no longer read
  std::vector<Tally> tallies_;
  std::uint64_t hash_ = 0;
  bool presorted_ = false;  ///< within every block
  Rows rows_;
  Array<std::conditional_t<weighted, Bits, std::byte>> weights_;  ///< as ordered() until they are at their final place
  Array<Local> locals_;
};

template <class Arcs, class Local>
Adjacency make_with(Team& team, VertexId n, Arcs& arcs, RowOptions options, RowCounts& counts, core::Reporter* reporter) {
  if (arcs.weights().empty()) return RowMaker<Arcs, Local, PlainKey>(team, n, arcs, options, reporter).make(counts);
  if (size_of(arcs.weights().type()) == 8) return RowMaker<Arcs, Local, WideKey>(team, n, arcs, options, reporter).make(counts);
  return RowMaker<Arcs, Local, NarrowKey>(team, n, arcs, options, reporter).make(counts);
}

}  // namespace

template <class Arcs>
Adjacency make_rows(Team& team, VertexId n, Arcs& arcs, RowOptions options, RowCounts& counts, core::Reporter* reporter) {
  if (short_positions_do(n) && !options.long_positions)
    return make_with<Arcs, std::uint16_t>(team, n, arcs, options, counts, reporter);
  return make_with<Arcs, std::uint32_t>(team, n, arcs, options, counts, reporter);
}

template Adjacency make_rows(Team&, VertexId, ListedArcs&, RowOptions, RowCounts&, core::Reporter*);
template Adjacency make_rows(Team&, VertexId, ReversedArcs&, RowOptions, RowCounts&, core::Reporter*);

Adjacency reversed(Team& team, VertexId n, const Adjacency& rows, core::Reporter* reporter) {
  ReversedArcs arcs(rows);
  RowCounts counts;
  return make_rows(team, n, arcs, {.keep_duplicates = true, .keep_self_loops = true}, counts, reporter);
}

}  // namespace hopwave::graph
