// LevelSearch: the loop over levels, and pushing.
#include "strategy/cpu/level_search.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "core/stopwatch.h"

namespace hopwave::strategy::cpu {
namespace {

constexpr std::size_t fill_grain = std::size_t{1} << 16;
constexpr std::size_t queue_chunk = 64;               // vertices a member takes at a time
constexpr EdgeIndex hub_degree = EdgeIndex{1} << 15;  // a row this long is shared by all members
constexpr EdgeIndex hub_piece = 4096;
// Queue entries ahead of the one being expanded at which its offsets, its row and its neighbours' distances are fetched;
// measured, see docs/performance-cpu.md.
constexpr std::size_t offset_ahead = 24, row_ahead = 14, value_ahead = 6;

}  // namespace

/// Neighbours that looked unvisited, and those that this member won, on their way to the queue.
struct LevelSearch::Batch {
  static constexpr std::size_t capacity = 1024, piece = 512;

  Batch(LevelSearch& s, Distance l) : search(s), level(l) {}

  /// A vertex belongs to the member whose exchange finds it unvisited.
  template <bool parents>
  void claim() {
    for (std::size_t i = 0; i < count; ++i) {
      const VertexId v = candidates[i];
      Distance expected = unreached;
      const bool won =
          std::atomic_ref<Distance>(search.distance_[v]).compare_exchange_strong(expected, level, std::memory_order_relaxed);
      if constexpr (parents)
        if (won) search.parent_[v] = from[i];
      discoveries[size] = v;
      size += won;
    }
    count = 0;
    if (size > capacity - piece) flush();
  }
  void flush() {
    const std::size_t at = search.tail_.fetch_add(size, std::memory_order_relaxed);
    std::memcpy(search.queue_.data() + at, discoveries, size * sizeof(VertexId));
    size = 0;
  }

  LevelSearch& search;
  const Distance level;
  std::size_t count = 0, size = 0;
  VertexId candidates[capacity + 1], from[capacity + 1], discoveries[2 * capacity];
};

LevelSearch::LevelSearch(const PlanRequest& request, const Tuning& tuning)
    : view_(request.view),
      n_(view_.num_vertices),
      words_((n_ + word_bits - 1) / word_bits),
      offsets_(view_.forward->offsets.data()),
      in_offsets_(tuning.pull ? view_.backward->offsets.data() : nullptr),
      neighbors_(view_.forward->neighbors.data()),
      in_neighbors_(tuning.pull ? view_.backward->neighbors.data() : nullptr),
      tuning_(tuning),
      thin_(view_.num_arcs() <= EdgeIndex{4} * n_),
      team_(*request.team),
      distance_(n_),
      queue_(n_ + std::size_t{1}) {  // expand_alone writes one entry beyond the last
  find_unreachable();
  find_hubs();
  if (!tuning.pull) return;
  visited_ = Array<Word>(words_);
  front_ = Array<Word>(words_);
  next_ = Array<Word>(words_);
  if (request.prepare) find_heads();
}

void LevelSearch::find_unreachable() {
  unreachable_ = Array<Word>::filled(words_, 0);
  reachable_ = n_;
  if (in_offsets_)
    for (VertexId v = 0; v < n_; ++v)
      if (in_offsets_[v] == in_offsets_[v + 1ull]) {
        set(unreachable_, v);
        --reachable_;
      }
  if (n_ % word_bits) unreachable_[words_ - 1] |= ~Word{0} << (n_ % word_bits);
}

void LevelSearch::find_hubs() {
  if (team_.size() == 1) return;
  for (VertexId v = 0; v < n_; ++v) hub_count_ += offsets_[v + 1ull] - offsets_[v] > hub_degree;
  hubs_ = Array<VertexId>(hub_count_);
}

void LevelSearch::run(const Query& query, RunControl& control) {
  const core::Stopwatch watch;
  begin(query);
  for (Distance level = 1; frontier_ != 0; ++level) {
    if (query.max_depth >= 0 && level > query.max_depth) break;
    if (query.target != no_vertex && distance_[query.target] != unreached) break;
    if (unvisited_ == 0) break;  // nobody is left to find
    LevelTrace trace{.level = level, .direction = "push", .frontier = frontier_};
    if (control.trace) {
      const core::Stopwatch part;
      one_level(level, trace);
      trace.milliseconds = part.milliseconds();
    } else {
      one_level(level, trace);
    }
    trace.discovered = frontier_;
    control.stats->edges_examined += trace.edges;
    control.stats->steps = static_cast<std::uint32_t>(level);
    if (frontier_) control.stats->levels = static_cast<std::uint32_t>(level);
    if (control.trace) control.stats->trace.push_back(trace);
    control.level_done(static_cast<std::uint32_t>(level), frontier_);
  }
  control.stats->search_ms = watch.milliseconds();
}

void LevelSearch::fetch(std::span<Distance> distances, std::span<VertexId> parents) {
  parallel_for(team_, n_, fill_grain, [&](std::size_t begin, std::size_t end, int) {
    std::copy(distance_.begin() + begin, distance_.begin() + end, distances.begin() + begin);
    if (!parents.empty()) std::copy(parent_.begin() + begin, parent_.begin() + end, parents.begin() + begin);
  });
}

void LevelSearch::begin(const Query& query) {
  parents_ = query.parents;
  if (parents_ && parent_.empty()) parent_ = Array<VertexId>(n_ + std::size_t{1});  // one slot for expand_alone to spoil
  parallel_for(team_, n_, fill_grain, [&](std::size_t begin, std::size_t end, int) {
    std::fill(distance_.begin() + begin, distance_.begin() + end, unreached);
    if (parents_) std::fill(parent_.begin() + begin, parent_.begin() + end, no_vertex);
  });
  std::size_t tail = 0;
  unvisited_ = reachable_;
  for (const VertexId s : query.sources) {
    if (distance_[s] == 0) continue;
    distance_[s] = 0;
    queue_[tail++] = s;
    unvisited_ -= !test(unreachable_, s);
  }
  first_ = known_ = 0;
  end_ = tail;
  tail_.store(tail, std::memory_order_relaxed);
  frontier_ = tail;
  unexplored_ = view_.num_arcs();
  in_bitmap_ = bits_ready_ = false;
}

void LevelSearch::one_level(Distance level, LevelTrace& trace) {
  if (in_bitmap_ && !keep_pulling()) bitmap_to_queue();
  if (!in_bitmap_) {
    const std::size_t known = tail_.load(std::memory_order_relaxed);
    const auto alone = static_cast<EdgeIndex>(tuning_.alone);
    if (!(parents_ ? expand_alone<true>(level, alone, trace) : expand_alone<false>(level, alone, trace))) {
      if (tuning_.pull && should_pull())
        queue_to_bitmap(level);
      else
        push(level, trace);
    }
    unvisited_ -= static_cast<VertexId>(tail_.load(std::memory_order_relaxed) - known);
  }
  if (in_bitmap_) {
    pull(level, trace);
  } else {
    first_ = end_;
    end_ = tail_.load(std::memory_order_relaxed);
    frontier_ = end_ - first_;
  }
}

/// Three steps of the way from a queue entry to what decides about its neighbours, each early enough for the next.
/// Always inlined: gcc takes a function that only fetches ahead for one without effect, and drops the call.
__attribute__((always_inline)) inline void LevelSearch::fetch_ahead(std::size_t at, std::size_t end) const {
  if (at + offset_ahead < end) __builtin_prefetch(&offsets_[queue_[at + offset_ahead]]);
  if (at + row_ahead < end) __builtin_prefetch(&neighbors_[offsets_[queue_[at + row_ahead]]]);
  if (at + value_ahead >= end) return;
  const EdgeIndex row = offsets_[queue_[at + value_ahead]];
  if (row + 4 > view_.num_arcs()) return;
  for (EdgeIndex e = row; e < row + 4; ++e) __builtin_prefetch(&distance_[neighbors_[e]]);  // maybe of a later row: no harm
}

/// Expands the frontier until it is done (true) or more than the allowance of arcs was needed (false): then first_ stands
/// at the first vertex that was not expanded. No branch depends on whether a neighbour is new, because on long thin graphs
/// that is as good as random.
template <bool parents>
bool LevelSearch::expand_alone(Distance level, EdgeIndex allowance, LevelTrace& trace) {
  VertexId* const queue = queue_.data();
  Distance* const distance = distance_.data();
  VertexId* const parent = parents ? parent_.data() : nullptr;
  std::size_t tail = tail_.load(std::memory_order_relaxed), first = first_;
  EdgeIndex arcs = 0;
  const EdgeIndex num_arcs = view_.num_arcs();
  for (; first < end_; ++first) {
    const VertexId u = queue[first];
    const EdgeIndex begin = offsets_[u], end = offsets_[u + 1ull];
    if (arcs + (end - begin) > allowance) break;
    arcs += end - begin;
    fetch_ahead(first, tail);
    // Arithmetic instead of conditions, which the compiler would make branches of; −1 is the one negative distance.
    const auto look_at = [&](VertexId v) {
      const Distance old = distance[v];
      const Distance fresh = old >> 31;  // all ones or zero
      distance[v] = old ^ ((old ^ level) & fresh);
      if constexpr (parents) parent[n_ ^ ((n_ ^ v) & static_cast<VertexId>(fresh))] = u;  // slot n_ is nobody's
      queue[tail] = v;
      tail -= static_cast<std::size_t>(static_cast<std::ptrdiff_t>(fresh));
    };
    const EdgeIndex degree = end - begin;
    if (thin_ && degree <= 4 && begin + 4 <= num_arcs) {
      // Always four steps, so that the processor need not guess the degree; u itself is visited and changes nothing.
      const VertexId* row = neighbors_ + begin;
      for (EdgeIndex k = 0; k < 4; ++k) {
        const auto in_row = static_cast<VertexId>(static_cast<std::int64_t>(k - degree) >> 63);  // all ones or zero
        look_at(u ^ ((u ^ row[k]) & in_row));
      }
    } else {
      for (EdgeIndex e = begin; e < end; ++e) look_at(neighbors_[e]);
    }
  }
  first_ = first;
  tail_.store(tail, std::memory_order_relaxed);
  trace.edges += arcs;
  unexplored_ -= arcs;
  return first == end_;
}

/// Sum of the frontier's degrees, from a regular sample if it is large: it only steers.
EdgeIndex LevelSearch::frontier_arcs() const {
  constexpr std::size_t most = 4096;
  const std::size_t size = end_ - first_;
  const std::size_t step = std::max<std::size_t>(1, size / most);
  EdgeIndex sum = 0;
  for (std::size_t i = first_; i < end_; i += step) sum += offsets_[queue_[i] + 1ull] - offsets_[queue_[i]];
  return sum * step;
}

/// The rest of the frontier by all members.
void LevelSearch::push(Distance level, LevelTrace& trace) {
  if (team_.size() == 1) {
    constexpr EdgeIndex all = std::numeric_limits<EdgeIndex>::max();
    parents_ ? expand_alone<true>(level, all, trace) : expand_alone<false>(level, all, trace);
    return;
  }
  cursor_.store(first_, std::memory_order_relaxed);
  hub_cursor_.store(0, std::memory_order_relaxed);
  hubs_met_.store(0, std::memory_order_relaxed);
  std::atomic<std::uint64_t> arcs{0};
  const auto member = [this, level, &arcs](int) {
    std::uint64_t mine = 0;
    parents_ ? push_member<true>(level, mine) : push_member<false>(level, mine);
    arcs.fetch_add(mine, std::memory_order_relaxed);
  };
  team_.run(std::cref(member));
  trace.edges += arcs.load(std::memory_order_relaxed);
  unexplored_ -= arcs.load(std::memory_order_relaxed);
}

template <bool parents>
void LevelSearch::push_member(Distance level, std::uint64_t& arcs) {
  Batch batch(*this, level);
  for (;;) {
    const std::size_t begin = cursor_.fetch_add(queue_chunk, std::memory_order_relaxed);
    if (begin >= end_) break;
    const std::size_t end = std::min(begin + queue_chunk, end_);
    for (std::size_t i = begin; i < end; ++i) {
      const VertexId u = queue_[i];
      fetch_ahead(i, end_);
      const EdgeIndex row = offsets_[u], row_end = offsets_[u + 1ull];
      arcs += row_end - row;
      if (row_end - row > hub_degree)
        hubs_[hubs_met_.fetch_add(1, std::memory_order_relaxed)] = u;
      else
        push_row<parents>(u, row, row_end, batch);
    }
  }
  if (hub_count_ != 0) push_hubs<parents>(batch);
  batch.claim<parents>();
  batch.flush();
}

/// Collects those neighbours that look unvisited, without a branch that would be mispredicted, and claims them in batches.
/// A stale read errs towards "unvisited": the claim decides.
template <bool parents>
void LevelSearch::push_row(VertexId u, EdgeIndex begin, EdgeIndex end, Batch& batch) {
  while (begin < end) {
    const EdgeIndex stop = std::min<EdgeIndex>(end, begin + Batch::piece);
    if (batch.count + (stop - begin) > Batch::capacity) batch.claim<parents>();
    std::size_t count = batch.count;
    for (; begin < stop; ++begin) {
      const VertexId v = neighbors_[begin];
      batch.candidates[count] = v;
      if constexpr (parents) batch.from[count] = u;
      count += static_cast<std::uint32_t>(std::atomic_ref<Distance>(distance_[v]).load(std::memory_order_relaxed)) >> 31;
    }
    batch.count = count;
  }
}

/// Rows that are too long for one member, in pieces for all. The barrier makes the list complete.
template <bool parents>
void LevelSearch::push_hubs(Batch& batch) {
  team_.barrier();
  const std::size_t hubs = hubs_met_.load(std::memory_order_relaxed);
  std::size_t hub = 0, first_piece = 0;
  const auto pieces = [&](std::size_t h) {
    return (offsets_[hubs_[h] + 1ull] - offsets_[hubs_[h]] + hub_piece - 1) / hub_piece;
  };
  while (hub < hubs) {
    const std::size_t piece = hub_cursor_.fetch_add(1, std::memory_order_relaxed);
    for (; hub < hubs && piece >= first_piece + pieces(hub); ++hub) first_piece += pieces(hub);
    if (hub == hubs) return;
    const EdgeIndex begin = offsets_[hubs_[hub]] + (piece - first_piece) * hub_piece;
    const EdgeIndex end = std::min(begin + hub_piece, offsets_[hubs_[hub] + 1ull]);
    push_row<parents>(hubs_[hub], begin, end, batch);
  }
}

}  // namespace hopwave::strategy::cpu
