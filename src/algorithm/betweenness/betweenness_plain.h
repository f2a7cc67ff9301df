// The plain search of betweenness; lanes of sources, whose sums are added up in a fixed order; what
// can end a call early.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "algorithm/betweenness/betweenness_team.h"
#include "bfs/plan/thresholds.h"
#include "core/watch.h"
#include "hopwave/betweenness.h"

namespace hopwave::search_detail {

inline constexpr int exponent_step = 512;  // bits
inline constexpr double step_up = 0x1p512, step_down = 0x1p-512;
inline constexpr std::size_t looked_between_stops = std::size_t{1} << 16;

/// A part of the sources, searched in their order, and its sums. The parts depend only on the graph and on the
/// request, so that the sums do not depend on the threads.
struct Lane {
  std::size_t begin = 0, end = 0;
  Array<double> vertex, arc;
  std::uint64_t searched = 0;
  double max_paths = 0, farthest = 0;  ///< `farthest`: by weights
  std::atomic<bool> done{false};       ///< all of it was searched
};

/// What can end a call early; every thread checks it.
class Ending {
 public:
  explicit Ending(const core::Watch& watch) : watch_(watch) {}
  [[nodiscard]] bool now() {
    if (!ended() && watch_.limited() && watch_.over()) end();
    return ended();
  }
  [[nodiscard]] bool ended() const { return ended_.load(std::memory_order_relaxed); }
  void end() { ended_.store(true, std::memory_order_relaxed); }

 private:
  const core::Watch& watch_;
  std::atomic<bool> ended_{false};
};

/// `value` with another exponent, in steps of 512.
inline double moved(double value, int from, int to) {
  return from == to ? value : std::ldexp(value, exponent_step * std::clamp(from - to, -4, 4));
}
/// Adds numbers of paths, each a value times 2^(512 · exponent).
template <class To, class From>
void add_paths(To& to, const From& from) {
  if (to.exponent == from.exponent) {
    to.value += from.value;
  } else {
    const int exponent = std::max(to.exponent, from.exponent);
    to.value = moved(to.value, to.exponent, exponent) + moved(from.value, from.exponent, exponent);
    to.exponent = exponent;
  }
  if (to.value > step_up) to.value *= step_down, ++to.exponent;
}

/// Searches from one source at a time, by a team level by level, or by one thread. A number of paths is the sum over the
/// incoming row in its order, and is made when its vertex is expanded, so that values do not depend on the threads. Without
/// incoming rows numbers go along outgoing arcs, by one thread.
///
/// Holds here:
/// 1. A vertex gets its distance, and with it a place in the order, once: of several members the first one writes it.
/// 2. Numbers of paths are read of the level before, sums of the level behind: both were finished before the last barrier.
/// 3. All members know the same level: its bounds come from counters that are final at a barrier, and are used again three
///    barriers later.
class PlainSearch {
 public:
  /// References only.
  PlainSearch(Team& team, const Graph& graph, const BetweennessOptions& options, const std::vector<bool>& is_target)
      : team_(team),
        graph_(graph),
        options_(options),
        is_target_(is_target),
        in_(!graph.directed() ? &graph.out()
            : graph.has_in()  ? &graph.in()
                              : nullptr),
        members_(in_ ? team.size() : 1),
        nodes_(graph.num_vertices()),
        order_(graph.num_vertices()),
        starts_(graph.num_vertices() + std::size_t{2}),
        tallies_(static_cast<std::size_t>(members_)) {
    parallel_for(team_, nodes_.size(), thresholds::Cpu::fill_grain, [&](std::size_t begin, std::size_t end, int) {
      std::fill(nodes_.begin() + begin, nodes_.begin() + end, Node{0, 0, unreached});
    });
  }

  /// False: the call is to end; nothing was added.
  bool run(VertexId source, Lane& lane, Ending& ending) {
    nodes_[source] = {1, 0, 0};
    order_[0] = source;
    starts_[0] = 0, starts_[1] = 1;
    for (Turn& turn : turns_) turn.reset();
    for (Tally& tally : tallies_) tally = {};
    Call call{source, lane, ending};
    if (members_ == 1)
      in_ ? search<true, false>(0, call) : search<true, true>(0, call);
    else
      team_.run(members_, [&](int rank) { search<false, false>(rank, call); });
    if (!call.done) return false;
    double targets = 0;
    for (const Tally& tally : tallies_) lane.max_paths = std::max(lane.max_paths, tally.most_paths), targets += tally.targets;
    if (options_.endpoints) lane.vertex[source] += targets;
    return true;
  }

 private:
  /// Smaller levels are one member's: it takes less time than a barrier. Unit: vertices.
  static constexpr std::size_t few = thresholds::Betweenness::few_for_a_team;
  static constexpr std::size_t chunks_per_member = 4, least_chunk = 64, most_chunk = 256;

  struct Paths {
    double value = 0;
    std::int32_t exponent = 0;
  };
  struct Node {
    /// Shortest paths from the source, times 2^(512 · exponent). On the way back, of vertices that are done, what one of these
    /// paths carries, times 2^(−512 · exponent).
    double value;
    std::int32_t exponent;
    Distance distance;
  };
  /// What members share between two barriers.
  struct alignas(128) Turn {
    std::atomic<std::size_t> taken{0},
        found{0};  ///< vertices of this level that others than their first takers have; of the next
    std::size_t level = 0, begin = 0, end = 0;  ///< after levels of one member
    bool over = false;                          ///< the call is to end
    void reset() { taken = 0, found = 0, over = false; }
  };
  struct alignas(128) Tally {
    double most_paths = 1, targets = 0;
  };
  struct Call {
    VertexId source;
    Lane& lane;
    Ending& ending;
    bool done = false;
  };
  /// Vertices that a member has found; they go to the order 64 at a time.
  class Found {
   public:
    Found(VertexId* order, std::atomic<std::size_t>& count) : order_(order), count_(count) {}
    Found(const Found&) = delete;
    Found& operator=(const Found&) = delete;
    ~Found() { write(); }
    void add(VertexId v) {
      if (size_ == std::size(vertices_)) write();
      vertices_[size_++] = v;
    }

   private:
    void write() {
      if (size_ > 0) std::copy_n(vertices_, size_, order_ + count_.fetch_add(size_, std::memory_order_relaxed));
      size_ = 0;
    }
    VertexId* const order_;
    std::atomic<std::size_t>& count_;
    VertexId vertices_[64];
    std::size_t size_ = 0;
  };

  [[nodiscard]] double ends_at(VertexId v) const { return is_target_.empty() || is_target_[v] ? 1 : 0; }

  template <bool alone>
  static Distance distance_of(Node& node) {
    if constexpr (alone) return node.distance;
    return std::atomic_ref(node.distance).load(std::memory_order_relaxed);
  }

  /// Calls body(begin, end) for this member's parts of `count` vertices.
  template <class Body>
  void take(Turn& turn, int rank, std::size_t count, Body&& body) const {
    const auto members = static_cast<std::size_t>(members_);
    if (count <= members * least_chunk) {  // a part each, without a counter that all write
      const std::size_t part = (count + members - 1) / members, at = part * static_cast<std::size_t>(rank);
      if (at < count) body(at, std::min(at + part, count));
      return;
    }
    const std::size_t chunk = std::clamp(count / (members * chunks_per_member), least_chunk, most_chunk);
    for (std::size_t at = chunk * static_cast<std::size_t>(rank); at < count;
         at = chunk * members + turn.taken.fetch_add(chunk, std::memory_order_relaxed))
      body(at, std::min(at + chunk, count));
  }

  template <bool alone, bool push>
  void search(int rank, Call& call) {
    std::size_t step = 0;
    const std::size_t levels = count_paths<alone, push>(rank, call, step);
    if (levels > 0) add_shares<alone>(rank, call, levels, step);
    // Distances are read no more.
    const std::size_t all = starts_[levels > 0 ? levels : last_level_ + 1];
    for (std::size_t i = all * static_cast<std::size_t>(rank) / static_cast<std::size_t>(members_),
                     end = all * (static_cast<std::size_t>(rank) + 1) / static_cast<std::size_t>(members_);
         i < end; ++i)
      nodes_[order_[i]].distance = unreached;
    if (rank == 0) call.done = levels > 0;
  }

  void wait(int rank) {
    if (members_ > 1) team_.barrier(rank);
  }

  /// The number of levels; 0: the call is to end.
  template <bool alone, bool push>
  std::size_t count_paths(int rank, Call& call, std::size_t& step) {
    std::size_t level = 0, begin = 0, end = 1, looked = 0;
    Tally& tally = tallies_[static_cast<std::size_t>(rank)];
    for (bool over = false; begin < end && !over; ++step) {
      Turn& turn = turns_[step % 3];
      if (alone || end - begin < few) {
        if (rank == 0) {
          for (; begin < end && (alone || end - begin < few) && !turn.over; ++level) {
            std::size_t tail = end;
            for (std::size_t i = begin; i < end && !turn.over; ++i) {
              looked +=
                  expand<true, push>(order_[i], static_cast<Distance>(level), tally, [&](VertexId v) { order_[tail++] = v; });
              if (looked >= looked_between_stops) looked = 0, turn.over = call.ending.now();
            }
            begin = end, end = tail;
            starts_[level + 2] = static_cast<VertexId>(end);
          }
          turn.level = level, turn.begin = begin, turn.end = end;
          turns_[(step + 1) % 3].reset();
        }
        wait(rank);
        level = turn.level, begin = turn.begin, end = turn.end;
      } else {
        {
          Found found(order_.data() + end, turn.found);
          take(turn, rank, end - begin, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = begin + from; i < begin + to; ++i)
              expand<alone, push>(order_[i], static_cast<Distance>(level), tally, [&](VertexId v) { found.add(v); });
          });
        }
        if (rank == 0) turn.over = call.ending.now(), turns_[(step + 1) % 3].reset();
        wait(rank);
        begin = end, end += turn.found.load(std::memory_order_relaxed), ++level;
        if (rank == 0) starts_[level + 1] = static_cast<VertexId>(end);
      }
      over = turn.over;
      if (over && rank == 0) last_level_ = level;
    }
    wait(rank);  // the last bound
    return turns_[(step - 1) % 3].over ? 0 : level;
  }

  /// Counts the paths to `v` and finds the next level; returns how much was looked at.
  template <bool alone, bool push, class Find>
  std::size_t expand(VertexId v, Distance level, Tally& tally, Find&& find) {
    const EdgeIndex* offsets = graph_.out().offsets.data();
    const VertexId* neighbors = graph_.out().neighbors.data();
    Node* nodes = nodes_.data();
    const Distance before = level - 1, next = level + 1;
    Paths paths{nodes[v].value, nodes[v].exponent};
    const bool counts = !push && level > 0;
    if (counts) paths = {};
    const bool by_in = counts && in_ != &graph_.out();
    if (by_in)
      for (EdgeIndex at = in_->offsets[v]; at < in_->offsets[v + std::size_t{1}]; ++at)
        if (Node& node = nodes[in_->neighbors[at]]; distance_of<alone>(node) == before) add_paths(paths, node);
    const EdgeIndex row = offsets[v], row_end = offsets[v + std::size_t{1}];
    for (EdgeIndex at = row; at < row_end; ++at) {
      const VertexId w = neighbors[at];
      Node& node = nodes[w];
      Distance known = distance_of<alone>(node);
      if (known == unreached) {
        if constexpr (alone)
          node.distance = next;
        else if (!std::atomic_ref(node.distance).compare_exchange_strong(known, next, std::memory_order_relaxed))
          continue;
        if constexpr (push) node.value = paths.value, node.exponent = paths.exponent;
        find(w);
      } else if (push) {
        if (known == next) add_paths(node, paths);
      } else if (counts && !by_in && known == before) {
        add_paths(paths, node);
      }
    }
    if (counts) nodes[v].value = paths.value, nodes[v].exponent = paths.exponent;
    tally.most_paths =
        std::max(tally.most_paths, paths.exponent ? std::ldexp(paths.value, exponent_step * paths.exponent) : paths.value);
    return row_end - row + 1;
  }

  template <bool alone>
  void add_shares(int rank, Call& call, std::size_t levels, std::size_t step) {
    Tally& tally = tallies_[static_cast<std::size_t>(rank)];
    for (std::size_t level = levels; level > 0; ++step) {
      Turn& turn = turns_[step % 3];
      const auto size = [&](std::size_t of) { return std::size_t{starts_[of]} - starts_[of - 1]; };
      if (alone || size(level) < few) {
        for (; level > 0 && (alone || size(level) < few); --level)
          for (std::size_t i = starts_[level]; rank == 0 && i-- > starts_[level - 1];) add_share(order_[i], call, tally);
      } else {
        const std::size_t begin = starts_[level - 1];
        take(turn, rank, size(level), [&](std::size_t from, std::size_t to) {
          for (std::size_t i = begin + from; i < begin + to; ++i) add_share(order_[i], call, tally);
        });
        --level;
      }
      if (rank == 0) turns_[(step + 1) % 3].reset();
      wait(rank);
    }
  }

  void add_share(VertexId v, Call& call, Tally& tally) {
    // Local copies of what the loop reads: after a store to the sums the compiler must read members of `this` again.
    const EdgeIndex* offsets = graph_.out().offsets.data();
    const VertexId* neighbors = graph_.out().neighbors.data();
    Node* nodes = nodes_.data();
    double* of_arc = options_.arcs ? call.lane.arc.data() : nullptr;
    const Node node = nodes[v];
    const double ends = v == call.source ? 0 : ends_at(v);
    const Distance next = node.distance + 1;
    double carried = 0;
    for (EdgeIndex at = offsets[v], row_end = offsets[v + std::size_t{1}]; at < row_end; ++at) {
      const Node& behind = nodes[neighbors[at]];
      if (behind.distance != next) continue;
      const double one = moved(behind.value, node.exponent, behind.exponent);
      carried += one;
      if (of_arc) of_arc[at] += node.value * one;
    }
    const Back back = back_of(node.value, ends, carried);
    nodes[v].value = back.carried;
    tally.targets += ends;
    if (v != call.source) call.lane.vertex[v] += options_.endpoints ? back.share + ends : back.share;
  }

  Team& team_;
  const Graph& graph_;
  const BetweennessOptions& options_;
  const std::vector<bool>& is_target_;
  const Adjacency* in_;  ///< null: they are not there
  const int members_;
  Array<Node> nodes_;
  Array<VertexId> order_;   ///< level by level
  Array<VertexId> starts_;  ///< of levels in it, and the end
  std::vector<Tally> tallies_;
  Turn turns_[3];
  std::size_t last_level_ = 0;  ///< of a search that was ended
};

}  // namespace hopwave::search_detail
