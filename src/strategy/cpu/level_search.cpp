// LevelSearch: the loop over levels, and pushing.
#include "strategy/cpu/level_search.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/stopwatch.h"

namespace hopwave::strategy::cpu {
namespace {

constexpr std::size_t fill_grain = std::size_t{1} << 16;
constexpr std::size_t queue_chunk = 64;               // vertices a member takes at a time
constexpr EdgeIndex hub_degree = EdgeIndex{1} << 15;  // a row this long is shared by all members
constexpr EdgeIndex hub_piece = 4096;
constexpr std::size_t row_ahead = 6, offset_ahead = 14;  // queue entries; measured, see docs/performance-cpu.md

}  // namespace

struct LevelSearch::Buffer {
  explicit Buffer(LevelSearch& search) : search_(search) {}
  ~Buffer() { flush(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void push(VertexId v) {
    items_[size_++] = v;
    if (size_ == capacity) flush();
  }

 private:
  void flush() {
    if (size_ == 0) return;
    const std::size_t at = search_.tail_.fetch_add(size_, std::memory_order_relaxed);
    std::memcpy(search_.queue_.data() + at, items_, size_ * sizeof(VertexId));
    size_ = 0;
  }

  static constexpr std::size_t capacity = 1024;
  LevelSearch& search_;
  std::size_t size_ = 0;
  VertexId items_[capacity];
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
      team_(*request.team),
      distance_(n_),
      queue_(n_ + std::size_t{1}),  // expand_alone writes one entry beyond the last
      visited_(words_) {
  find_unreachable();
  find_hubs();
  if (!tuning.pull) return;
  front_ = Array<Word>(words_);
  next_ = Array<Word>(words_);
  before_ = Array<Word>(words_);
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
    if (bits_ready_ && known_ == tail_.load(std::memory_order_relaxed) && unvisited_ == 0) break;  // nobody is left to find
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
    control.stats->levels = static_cast<std::uint32_t>(level);
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
  if (parents_ && parent_.size() != n_) parent_ = Array<VertexId>(n_);
  parallel_for(team_, n_, fill_grain, [&](std::size_t begin, std::size_t end, int) {
    std::fill(distance_.begin() + begin, distance_.begin() + end, unreached);
    if (parents_) std::fill(parent_.begin() + begin, parent_.begin() + end, no_vertex);
  });
  std::size_t tail = 0;
  for (const VertexId s : query.sources) {
    if (distance_[s] == 0) continue;
    distance_[s] = 0;
    queue_[tail++] = s;
  }
  first_ = known_ = 0;
  end_ = tail;
  tail_.store(tail, std::memory_order_relaxed);
  frontier_ = tail;
  unexplored_ = view_.num_arcs();
  in_bitmap_ = bits_ready_ = before_valid_ = false;
}

void LevelSearch::one_level(Distance level, LevelTrace& trace) {
  if (in_bitmap_ && !keep_pulling()) bitmap_to_queue();
  if (!in_bitmap_) {
    if (parents_ ? expand_alone<true>(level, trace) : expand_alone<false>(level, trace)) {
      before_valid_ = false;
    } else {
      update_bits();
      if (tuning_.pull && should_pull())
        queue_to_bitmap();
      else
        push(level, trace);
    }
  }
  if (in_bitmap_) {
    pull(level, trace);
  } else {
    first_ = end_;
    end_ = tail_.load(std::memory_order_relaxed);
    frontier_ = end_ - first_;
  }
}

/// Expands the frontier until it is done (true) or more than the allowance of arcs was needed (false): then first_ stands
/// at the first vertex that was not expanded. Distances tell who is visited: on long thin graphs no bitmap is ever touched.
/// No branch depends on whether a neighbour is new, because on such graphs that is as good as random.
template <bool parents>
bool LevelSearch::expand_alone(Distance level, LevelTrace& trace) {
  const EdgeIndex allowance = static_cast<EdgeIndex>(tuning_.alone);
  VertexId* const queue = queue_.data();
  Distance* const distance = distance_.data();
  VertexId* const parent = parents ? parent_.data() : nullptr;
  VertexId nobody;
  std::size_t tail = tail_.load(std::memory_order_relaxed), first = first_;
  EdgeIndex arcs = 0;
  for (; first < end_; ++first) {
    const VertexId u = queue[first];
    const EdgeIndex begin = offsets_[u], end = offsets_[u + 1ull];
    if (arcs + (end - begin) > allowance) break;
    arcs += end - begin;
    if (first + offset_ahead < tail) __builtin_prefetch(&offsets_[queue[first + offset_ahead]]);
    if (first + row_ahead < tail) __builtin_prefetch(&neighbors_[offsets_[queue[first + row_ahead]]]);
    for (EdgeIndex e = begin; e < end; ++e) {
      const VertexId v = neighbors_[e];
      const Distance old = distance[v];
      const bool fresh = old == unreached;
      distance[v] = fresh ? level : old;
      if constexpr (parents) *(fresh ? &parent[v] : &nobody) = u;
      queue[tail] = v;
      tail += fresh;
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

/// Brings visited_ up to what the queue holds.
void LevelSearch::update_bits() {
  if (!bits_ready_) {
    std::copy(unreachable_.begin(), unreachable_.end(), visited_.begin());
    unvisited_ = reachable_;
    bits_ready_ = true;
  }
  const std::size_t tail = tail_.load(std::memory_order_relaxed);
  for (; known_ < tail; ++known_) {
    const VertexId v = queue_[known_];
    unvisited_ -= !test(visited_, v);  // a source may be one that nobody can reach
    set(visited_, v);
  }
}

/// The rest of the frontier by all members. update_bits() has run.
void LevelSearch::push(Distance level, LevelTrace& trace) {
  const std::size_t found_before = tail_.load(std::memory_order_relaxed);
  // Copying all bits pays if the level is large; then the next frontier is had as a bitmap for nothing.
  before_valid_ = tuning_.pull && end_ - first_ > words_ / 16;
  if (before_valid_) {
    std::copy(visited_.begin(), visited_.end(), before_.begin());
    early_begin_ = end_;
    early_end_ = found_before;
  }
  cursor_.store(first_, std::memory_order_relaxed);
  hub_cursor_.store(0, std::memory_order_relaxed);
  hubs_met_.store(0, std::memory_order_relaxed);
  std::atomic<std::uint64_t> arcs{0};
  const auto member = [this, level, &arcs] {
    std::uint64_t mine = 0;
    if (team_.size() == 1)
      parents_ ? push_member<true, false>(level, mine) : push_member<false, false>(level, mine);
    else
      parents_ ? push_member<true, true>(level, mine) : push_member<false, true>(level, mine);
    arcs.fetch_add(mine, std::memory_order_relaxed);
  };
  if (team_.size() == 1)
    member();
  else
    team_.run([&member](int) { member(); });
  trace.edges += arcs.load(std::memory_order_relaxed);
  unexplored_ -= arcs.load(std::memory_order_relaxed);
  known_ = tail_.load(std::memory_order_relaxed);
  unvisited_ -= static_cast<VertexId>(known_ - found_before);
}

template <bool parents, bool shared>
void LevelSearch::push_member(Distance level, std::uint64_t& arcs) {
  Buffer buffer(*this);
  for (;;) {
    const std::size_t begin = cursor_.fetch_add(queue_chunk, std::memory_order_relaxed);
    if (begin >= end_) break;
    const std::size_t end = std::min(begin + queue_chunk, end_);
    for (std::size_t i = begin; i < end; ++i) {
      const VertexId u = queue_[i];
      if (i + offset_ahead < end_) __builtin_prefetch(&offsets_[queue_[i + offset_ahead]]);
      if (i + row_ahead < end_) __builtin_prefetch(&neighbors_[offsets_[queue_[i + row_ahead]]]);
      const EdgeIndex row = offsets_[u], row_end = offsets_[u + 1ull];
      arcs += row_end - row;
      if (shared && row_end - row > hub_degree)
        hubs_[hubs_met_.fetch_add(1, std::memory_order_relaxed)] = u;
      else
        push_row<parents, shared>(u, row, row_end, level, buffer);
    }
  }
  if (shared && hub_count_ != 0) push_hubs<parents, shared>(level, buffer);
}

/// A discovery belongs to the member whose bit operation changed the word; it alone writes the distance, which nobody
/// reads before the level is over.
template <bool parents, bool shared>
void LevelSearch::push_row(VertexId u, EdgeIndex begin, EdgeIndex end, Distance level, Buffer& buffer) {
  for (EdgeIndex e = begin; e < end; ++e) {
    const VertexId v = neighbors_[e];
    const Word bit = Word{1} << (v % word_bits);
    if constexpr (shared) {
      std::atomic_ref<Word> word(visited_[v / word_bits]);
      // Stale reads err towards "unvisited": the atomic below decides.
      if (word.load(std::memory_order_relaxed) & bit) continue;
      if (word.fetch_or(bit, std::memory_order_relaxed) & bit) continue;
    } else {
      Word& word = visited_[v / word_bits];
      if (word & bit) continue;
      word |= bit;
    }
    distance_[v] = level;
    if constexpr (parents) parent_[v] = u;
    buffer.push(v);
  }
}

/// Rows that are too long for one member, in pieces for all. The barrier makes the list complete.
template <bool parents, bool shared>
void LevelSearch::push_hubs(Distance level, Buffer& buffer) {
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
    push_row<parents, shared>(hubs_[hub], begin, end, level, buffer);
  }
}

}  // namespace hopwave::strategy::cpu
