// LevelSearch: pushing, by one thread alone and by all.
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/strategy/cpu/level_search.h"

namespace hopwave::strategy::cpu {
namespace {

constexpr EdgeIndex hub_piece = 4096;
constexpr std::size_t distance_ahead = 12;  // neighbours ahead of the one being settled at which its distance is fetched

constexpr int block_bits = 9;  // vertices of a block have one owner: a line of the bitmap

}  // namespace

Rows LevelSearch::rows() const {
  return {.offsets = offsets_, .neighbors = neighbors_, .visited = visited_.data(), .queue = queue_.data(), .queue_end = end_};
}

/// Empties the batch. All in it are of this level, also those that are in it twice.
template <bool parents>
void LevelSearch::settle(Batch& batch, Distance level) {
  std::size_t tail = tail_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < batch.count; ++i) {
    const VertexId v = batch.neighbors[i];
    distance_[v] = level;
    if constexpr (parents) parent_[v] = batch.from[i];
    queue_[tail] = v;
    tail += visit(v);
  }
  batch.count = 0;
  known_ = tail;
  tail_.store(tail, std::memory_order_relaxed);
}

/// Expands the frontier until it is done (true) or more than the allowance of arcs was needed (false): then first_ is
/// the first vertex that was not expanded.
template <bool parents>
bool LevelSearch::expand_alone(Distance level, EdgeIndex allowance, LevelTrace& trace) {
  EdgeIndex left = allowance;
  if (regular_)
    expand_with_branches<parents>(level, left);
  else if (by_sixteen_)
    expand_in_batches<parents>(level, left);
  else
    expand_in_one_pass<parents>(level, left);
  trace.edges += allowance - left;
  unexplored_ -= allowance - left;
  return first_ == end_;
}
template bool LevelSearch::expand_alone<false>(Distance, EdgeIndex, LevelTrace&);
template bool LevelSearch::expand_alone<true>(Distance, EdgeIndex, LevelTrace&);

/// The plain form. Distances say who is visited; learn_visited() sets the bitmap's bits.
template <bool parents>
void LevelSearch::expand_with_branches(Distance level, EdgeIndex& left) {
  std::size_t tail = tail_.load(std::memory_order_relaxed);
  Rows rows = this->rows();
  for (; first_ < end_; ++first_) {
    const VertexId u = queue_[first_];
    const EdgeIndex begin = offsets_[u], end = offsets_[u + 1ull];
    if (end - begin > left) break;
    left -= end - begin;
    rows.queue_end = tail;
    fetch_ahead(rows, first_);
    for (EdgeIndex e = begin; e < end; ++e) {
      const VertexId v = neighbors_[e];
      if (distance_[v] != unreached) continue;
      distance_[v] = level;
      if constexpr (parents) parent_[v] = u;
      queue_[tail++] = v;
    }
  }
  tail_.store(tail, std::memory_order_relaxed);
}

/// By distances as well, but no branch depends on whether a neighbour is new: on long thin graphs that is as good as random.
template <bool parents>
void LevelSearch::expand_in_one_pass(Distance level, EdgeIndex& left) {
  constexpr std::size_t value_ahead = 6;  // entries ahead at which the distances of neighbours are fetched
  VertexId* const queue = queue_.data();
  Distance* const distance = distance_.data();
  VertexId* const parent = parents ? parent_.data() : nullptr;
  const EdgeIndex num_arcs = view_.num_arcs();
  std::size_t tail = tail_.load(std::memory_order_relaxed), first = first_;
  Rows rows = this->rows();
  for (; first < end_; ++first) {
    const VertexId u = queue[first];
    const EdgeIndex begin = offsets_[u], end = offsets_[u + 1ull], degree = end - begin;
    if (degree > left) break;
    left -= degree;
    rows.queue_end = tail;
    fetch_ahead(rows, first);
    if (first + value_ahead < tail) {
      const EdgeIndex row = offsets_[queue[first + value_ahead]];
      if (row + 4 <= num_arcs)
        for (EdgeIndex e = row; e < row + 4; ++e)
          __builtin_prefetch(&distance[neighbors_[e]]);  // maybe of a later row: no harm
    }
    // Arithmetic instead of conditions, which the compiler would make branches of; −1 is the one negative distance.
    const auto look_at = [&](VertexId v) {
      const Distance old = distance[v];
      const Distance fresh = old >> 31;  // all ones or zero
      distance[v] = old ^ ((old ^ level) & fresh);
      if constexpr (parents) parent[n_ ^ ((n_ ^ v) & static_cast<VertexId>(fresh))] = u;  // slot n_ belongs to no vertex
      queue[tail] = v;
      tail -= static_cast<std::size_t>(static_cast<std::ptrdiff_t>(fresh));
    };
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
}

/// A batch of neighbours that are not visited is collected, and then settled.
template <bool parents>
void LevelSearch::expand_in_batches(Distance level, EdgeIndex& left) {
  learn_visited();
  Batch batch;
  const Rows rows = this->rows();
  const CollectRows collect = collect_rows(parents, by_sixteen_);
  for (;;) {
    first_ = collect(rows, first_, end_, left, batch);
    settle<parents>(batch, level);
    if (first_ == end_) return;
    const VertexId u = queue_[first_];
    EdgeIndex at = offsets_[u];
    const EdgeIndex end = offsets_[u + 1ull];
    if (end - at > left) return;
    if (end - at <= Batch::capacity) continue;
    left -= end - at;
    for (; at < end; settle<parents>(batch, level)) {
      const EdgeIndex stop = std::min<EdgeIndex>(end, at + Batch::capacity);
      collect_piece(rows, u, at, stop, parents, batch);
      at = stop;
    }
    ++first_;
  }
}

/// A look takes a hundredth of expanding the frontier.
bool LevelSearch::worth_a_look(Distance level) const {
  using thresholds::Cpu;
  const std::size_t size = end_ - first_, sometimes = claims_ ? Cpu::looked_at_before_claims : Cpu::sometimes_looked_at;
  return size >= Cpu::often_looked_at || (size >= sometimes && level % 4 == 0);
}

/// Have vertices of the frontier as many unvisited neighbours as the one before them? Looks at some in its middle.
bool LevelSearch::looks_regular() const {
  std::size_t different = 0;
  int unvisited_before = -1;
  for (std::size_t i = first_ + (end_ - first_ - thresholds::Cpu::regular_sample) / 2, k = 0;
       k < thresholds::Cpu::regular_sample; ++i, ++k) {
    const EdgeIndex row = offsets_[queue_[i]],
                    row_end = std::min(offsets_[queue_[i] + 1ull], row + thresholds::Cpu::regular_most_arcs);
    int unvisited = 0;
    for (EdgeIndex e = row; e < row_end; ++e) unvisited += distance_[neighbors_[e]] == unreached;
    different += unvisited != unvisited_before;
    unvisited_before = unvisited;
  }
  return different <= thresholds::Cpu::regular_most_different;
}

/// Sets the bits of vertices that were found by their distances.
void LevelSearch::learn_visited() {
  const std::size_t tail = tail_.load(std::memory_order_relaxed);
  if (tail - known_ > words_)
    visited_from_distances();
  else
    for (std::size_t i = known_; i < tail; ++i) set(visited_, queue_[i]);
  known_ = tail;
}

void LevelSearch::expand_rest_alone(Distance level, LevelTrace& trace) {
  constexpr EdgeIndex all = std::numeric_limits<EdgeIndex>::max();
  parents_ ? expand_alone<true>(level, all, trace) : expand_alone<false>(level, all, trace);
}

/// The rest of the frontier, with about so many arcs, by as many members as they are worth.
void LevelSearch::push(Distance level, EdgeIndex arcs, LevelTrace& trace) {
  if (claims_) return push_thin(level, arcs, trace);
  take_members();
  learn_visited();
  constexpr std::size_t most_at_once = 1024, chunks_per_member = 4;
  sharing_ =
      static_cast<int>(std::clamp<EdgeIndex>(arcs / thresholds::Cpu::arcs_per_member, 2, static_cast<EdgeIndex>(team_.size())));
  const auto sharing = static_cast<std::size_t>(sharing_);
  queue_chunk_ = std::clamp<std::size_t>((end_ - first_) / (chunks_per_member * sharing), 1, most_at_once);
  cursor_.store(first_ + sharing * queue_chunk_, std::memory_order_relaxed);  // each member's first chunk is its own
  hub_cursor_.store(0, std::memory_order_relaxed);
  hubs_met_.store(0, std::memory_order_relaxed);
  full_.store(0, std::memory_order_relaxed);
  const auto member = [this, level](int rank) { parents_ ? push_member<true>(rank, level) : push_member<false>(rank, level); };
  team_.run(sharing_, std::cref(member));
  known_ = tail_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < sharing; ++i) {
    trace.edges += members_[i].arcs;
    unexplored_ -= members_[i].arcs;
  }
}

/// Memory for the first push by all, and for the first with parents.
void LevelSearch::take_members() {
  if (members_.empty()) {
    const auto size = static_cast<std::size_t>(team_.size());
    owners_ = std::min(size, most_owners);
    list_capacity_ = std::max(std::size_t{4} * Batch::capacity, (std::size_t{1} << 15) / owners_);
    std::vector<Member> members(size);
    for (Member& m : members) m.neighbors = Array<VertexId>(owners_ * list_capacity_);
    members_ = std::move(members);
  }
  for (Member& m : members_)
    if (parents_ && m.from.empty()) m.from = Array<VertexId>(owners_ * list_capacity_);
}

/// By turns all collect, while no thread writes what they read, and each owner settles what was collected of its vertices.
template <bool parents>
void LevelSearch::push_member(int rank, Distance level) {
  Member& mine = members_[static_cast<std::size_t>(rank)];
  mine.at = std::min(end_, first_ + static_cast<std::size_t>(rank) * queue_chunk_);
  mine.end = std::min(end_, mine.at + queue_chunk_);
  mine.hub = mine.first_piece = 0;
  mine.arc = mine.row_end = mine.arcs = 0;
  std::size_t full_before = 0;
  for (bool hubs = false, more = true; more;) {
    if (collect_share<parents>(mine, hubs)) full_.fetch_add(1, std::memory_order_relaxed);
    team_.barrier(rank);
    more = std::exchange(full_before, full_.load(std::memory_order_relaxed)) != full_before;
    if (!more && !hubs && hubs_met_.load(std::memory_order_relaxed) != 0) more = hubs = true;
    for (auto owner = static_cast<std::size_t>(rank); owner < owners_; owner += static_cast<std::size_t>(sharing_))
      settle_own<parents>(owner, level);
    if (more) team_.barrier(rank);
  }
}

/// Until no rows are left (false) or a list has no room for another batch (true).
template <bool parents>
bool LevelSearch::collect_share(Member& member, bool hubs) {
  Batch batch;
  const Rows rows = this->rows();
  const CollectRows collect = collect_rows(parents, by_sixteen_);
  constexpr EdgeIndex all = std::numeric_limits<EdgeIndex>::max();
  while (member.arc < member.row_end || member.at < member.end || next_rows(member, hubs)) {
    if (member.arc < member.row_end) {
      const EdgeIndex stop = std::min<EdgeIndex>(member.row_end, member.arc + (Batch::capacity - batch.count));
      collect_piece(rows, member.vertex, member.arc, stop, parents, batch);
      member.arcs += stop - member.arc;
      member.arc = stop;
    } else {
      EdgeIndex left = all;
      member.at = collect(rows, member.at, member.end, left, batch);
      member.arcs += all - left;
      if (member.at == member.end) continue;
      begin_long_row(member);
    }
    if (batch.count <= Batch::capacity / 2) continue;
    const bool room = deal<parents>(batch, member);
    batch.count = 0;
    if (!room) return true;
  }
  deal<parents>(batch, member);
  return false;
}

/// The next row does not fit the batch. One that is too long for one member is noted, and shared in pieces once all others are
/// done.
void LevelSearch::begin_long_row(Member& member) {
  const VertexId u = queue_[member.at];
  const EdgeIndex row = offsets_[u], row_end = offsets_[u + 1ull];
  if (row_end - row <= Batch::capacity / 2) return;  // once the batch is dealt out
  ++member.at;
  member.vertex = u;
  member.arc = row;
  member.row_end = row_end;
  if (row_end - row <= thresholds::Cpu::hub_degree) return;
  hubs_[hubs_met_.fetch_add(1, std::memory_order_relaxed)] = u;
  member.row_end = row;
}

/// False: there are none for this member.
bool LevelSearch::next_rows(Member& member, bool hubs) {
  if (cursor_.load(std::memory_order_relaxed) < end_) {
    const std::size_t begin = cursor_.fetch_add(queue_chunk_, std::memory_order_relaxed);
    member.at = std::min(begin, end_);
    member.end = std::min(begin + queue_chunk_, end_);
    if (begin < end_) return true;
  }
  return hubs && next_hub_piece(member);
}

bool LevelSearch::next_hub_piece(Member& member) {
  const std::size_t hubs = hubs_met_.load(std::memory_order_relaxed);
  const std::size_t piece = hub_cursor_.fetch_add(1, std::memory_order_relaxed);
  for (; member.hub < hubs; ++member.hub) {
    const VertexId u = hubs_[member.hub];
    const EdgeIndex row = offsets_[u], row_end = offsets_[u + 1ull];
    const std::size_t pieces = (row_end - row + hub_piece - 1) / hub_piece;
    if (piece < member.first_piece + pieces) {
      member.vertex = u;
      member.arc = row + (piece - member.first_piece) * hub_piece;
      member.row_end = std::min(member.arc + hub_piece, row_end);
      return true;
    }
    member.first_piece += pieces;
  }
  return false;
}

/// Blocks are dealt out as if by chance: neighbours often have ids near each other, and come at the same time.
std::size_t LevelSearch::owner_of(VertexId v) const {
  const std::uint32_t mixed = (v >> block_bits) * 0x9E3779B1u;  // Knuth's multiplicative hashing
  return std::uint64_t{mixed} * owners_ >> 32;
}

/// Puts each neighbour into its owner's list. True: every list has room for another batch.
template <bool parents>
bool LevelSearch::deal(const Batch& batch, Member& member) const {
  for (std::size_t i = 0; i < batch.count; ++i) {
    const VertexId v = batch.neighbors[i];
    const std::size_t owner = owner_of(v), at = owner * list_capacity_ + member.counts[owner]++;
    member.neighbors[at] = v;
    if constexpr (parents) member.from[at] = batch.from[i];
  }
  return *std::max_element(member.counts, member.counts + owners_) + Batch::capacity <= list_capacity_;
}

/// What is new goes to the front of each list, and then, since all members write tail_, into the queue at once.
template <bool parents>
void LevelSearch::settle_own(std::size_t owner, Distance level) {
  const std::size_t first = owner * list_capacity_;
  std::size_t all_found = 0;
  for (int i = 0; i < sharing_; ++i) __builtin_prefetch(&members_[static_cast<std::size_t>(i)].counts[owner], 1);
  for (int i = 0; i < sharing_; ++i) {
    Member& m = members_[static_cast<std::size_t>(i)];
    VertexId* const list = m.neighbors.data() + first;
    const std::size_t count = m.counts[owner];
    std::size_t found = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (k + distance_ahead < count) __builtin_prefetch(&distance_[list[k + distance_ahead]], 1);
      const VertexId v = list[k];
      distance_[v] = level;
      if constexpr (parents) parent_[v] = m.from[first + k];
      list[found] = v;
      found += visit(v);
    }
    m.counts[owner] = found;
    all_found += found;
  }
  if (all_found == 0) return;
  VertexId* to = queue_.data() + tail_.fetch_add(all_found, std::memory_order_relaxed);
  for (int i = 0; i < sharing_; ++i) {
    Member& m = members_[static_cast<std::size_t>(i)];
    to = std::copy_n(m.neighbors.data() + first, std::exchange(m.counts[owner], 0), to);
  }
}

}  // namespace hopwave::strategy::cpu
