// The same graph under new names. Few arcs a vertex: each row is fetched, renamed and sorted by itself. Many: the arcs are
// walked by ascending new target and dealt to their new rows, which so come out sorted without comparing anything.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "graph/prepare.h"
#include "graph/rows.h"

namespace hopwave::graph {
namespace {

constexpr std::size_t grain = std::size_t{1} << 12;
constexpr EdgeIndex short_rows = 8;  // arcs a vertex up to which rows are sorted by themselves
constexpr std::size_t ahead = 16;    // rows that are asked for before they are needed: their places are random
constexpr EdgeIndex bucket_arcs = EdgeIndex{1} << 17;
constexpr std::size_t most_buckets = 1024;

/// Where rows begin when row v is row order[v] of `rows`.
Array<EdgeIndex> offsets_in_order(Team& team, const Adjacency& rows, const Array<VertexId>& order) {
  const std::size_t n = order.size();
  Array<EdgeIndex> offsets(n + 1);
  offsets[0] = 0;
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::size_t old = order[v];
      if (v + ahead < end) __builtin_prefetch(&rows.offsets[order[v + ahead]]);
      offsets[v + 1] = rows.offsets[old + 1] - rows.offsets[old];
    }
  });
  for (std::size_t v = 0; v < n; ++v) offsets[v + 1] += offsets[v];
  return offsets;
}

Adjacency fetch_rows(Team& team, const Adjacency& rows, const Order& o) {
  Rows out{
      .offsets = offsets_in_order(team, rows, o.order), .neighbors = Array<VertexId>(rows.neighbors.size()), .weights = {}};
  parallel_for(team, o.order.size(), grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) {
      if (v + 2 * ahead < end) __builtin_prefetch(&rows.offsets[o.order[v + 2 * ahead]]);
      if (v + ahead < end) __builtin_prefetch(&rows.neighbors.data()[rows.offsets[o.order[v + ahead]]]);
      const VertexId* from = rows.neighbors.data() + rows.offsets[o.order[v]];
      VertexId *row = out.neighbors.data() + out.offsets[v], *row_end = out.neighbors.data() + out.offsets[v + 1];
      for (VertexId* at = row; at < row_end; ++at) *at = o.rank[*from++];
      std::sort(row, row_end);
    }
  });
  return out;
}

/// Deals the arcs of `turned` (the wanted rows the other way round) to their rows in two passes. A row's bucket is its low
/// bits, so that the long rows, which lie together in an order by degree, are spread over all buckets.
template <class Local>
class Dealer {
 public:
  Dealer(Team& team, const Adjacency& turned, const Order& o, Array<EdgeIndex> offsets, int bucket_bits)
      : team_(team), turned_(turned), o_(o), bits_(bucket_bits), buckets_(std::size_t{1} << bucket_bits) {
    out_.offsets = std::move(offsets);
    walk_ = offsets_in_order(team, turned, o.order);
    blocks_ = team.size() == 1 ? 1 : static_cast<std::size_t>(team.size()) * 4;
  }

  Adjacency deal() {
    count();
    partition();
    walk_ = {};
    place();
    return std::move(out_);
  }

 private:
  /// f(block, v, begin, end): arcs begin … end - 1 of the walk belong to the row that is now v's, by ascending v in a block.
  template <class F>
  void each_row(F&& f) {
    const EdgeIndex arcs = turned_.neighbors.size();
    parallel_for(team_, blocks_, 1, [&](std::size_t first, std::size_t last, int) {
      for (std::size_t block = first; block < last; ++block) {
        EdgeIndex at = arcs * block / blocks_;
        const EdgeIndex end = arcs * (block + 1) / blocks_;
        if (at == end) continue;
        std::size_t v = static_cast<std::size_t>(std::upper_bound(walk_.begin(), walk_.end(), at) - walk_.begin()) - 1;
        for (; at < end; ++v) {
          const EdgeIndex stop = std::min(end, walk_[v + 1]);
          f(block, v, at, stop);
          at = stop;
        }
      }
    });
  }

  /// Counts, and leaves the renamed rows in the array that place() will fill: looking names up is the dear part.
  void count() {
    out_.neighbors = Array<VertexId>(turned_.neighbors.size());
    cursor_.assign(blocks_ * buckets_, 0);
    each_row([&](std::size_t block, std::size_t v, EdgeIndex begin, EdgeIndex end) {
      EdgeIndex* mine = &cursor_[block * buckets_];
      const VertexId* row = turned_.neighbors.data() + turned_.offsets[o_.order[v]] + (begin - walk_[v]);
      VertexId* names = out_.neighbors.data() + begin;
      for (EdgeIndex k = 0; k < end - begin; ++k) {
        const VertexId name = o_.rank[row[k]];
        names[k] = name;
        ++mine[name & (buckets_ - 1)];
      }
    });
    start_.assign(buckets_ + 1, 0);
    EdgeIndex at = 0;
    for (std::size_t b = 0; b < buckets_; ++b) {
      start_[b] = at;
      for (std::size_t block = 0; block < blocks_; ++block) at += std::exchange(cursor_[block * buckets_ + b], at);
    }
    start_[buckets_] = at;
  }

  void partition() {
    targets_ = Array<VertexId>(start_[buckets_]);
    locals_ = Array<Local>(start_[buckets_]);
    each_row([&](std::size_t block, std::size_t v, EdgeIndex begin, EdgeIndex end) {
      EdgeIndex* mine = &cursor_[block * buckets_];
      for (EdgeIndex i = begin; i < end; ++i) {
        const VertexId row = out_.neighbors[i];
        const EdgeIndex at = mine[row & (buckets_ - 1)]++;
        targets_[at] = static_cast<VertexId>(v);
        locals_[at] = static_cast<Local>(row >> bits_);
      }
    });
  }

  void place() {
    const std::size_t n = o_.order.size();
    std::vector<std::vector<EdgeIndex>> next(static_cast<std::size_t>(team_.size()));
    parallel_for(team_, buckets_, 1, [&](std::size_t begin, std::size_t end, int rank) {
      for (std::size_t b = begin; b < end; ++b) {
        auto& at = next[rank];
        at.clear();
        for (std::size_t v = b; v < n; v += buckets_) at.push_back(out_.offsets[v]);
        for (EdgeIndex i = start_[b]; i < start_[b + 1]; ++i) out_.neighbors[at[locals_[i]]++] = targets_[i];
      }
    });
  }

  Team& team_;
  const Adjacency& turned_;
  const Order& o_;
  const int bits_;
  const std::size_t buckets_;
  std::size_t blocks_ = 1;
  Rows out_;
  Array<EdgeIndex> walk_;
  std::vector<EdgeIndex> cursor_, start_;
  Array<VertexId> targets_;
  Array<Local> locals_;
};

Adjacency rename_rows(Team& team, const Adjacency& rows, const Adjacency& turned, const Order& o) {
  const EdgeIndex arcs = rows.neighbors.size();
  const std::size_t n = o.order.size();
  if (arcs <= short_rows * n) return fetch_rows(team, rows, o);
  const int bits = static_cast<int>(std::bit_width(std::clamp<std::size_t>(arcs / bucket_arcs, 1, most_buckets))) - 1;
  Array<EdgeIndex> offsets = offsets_in_order(team, rows, o.order);
  if (n >> bits < 1 << 16) return Dealer<std::uint16_t>(team, turned, o, std::move(offsets), bits).deal();
  return Dealer<std::uint32_t>(team, turned, o, std::move(offsets), bits).deal();
}

}  // namespace

Renamed rename(Team& team, const Adjacency& forward, const Adjacency* backward, const Order& order) {
  Renamed r;
  r.forward = rename_rows(team, forward, backward ? *backward : forward, order);
  if (backward) r.backward = rename_rows(team, *backward, forward, order);
  return r;
}

}  // namespace hopwave::graph
