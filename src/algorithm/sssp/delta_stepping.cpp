// Delta-stepping on CPU threads.
// Source: Meyer and Sanders, Delta-stepping: a parallelizable shortest path algorithm, Journal of Algorithms 49 (2003); bins of
// each thread's own and the fusing of small bins: Zhang, Brahmakshatriya et al., Optimizing ordered graph algorithms with
// GraphIt, CGO'20, as in GAP's sssp. Ours differs: light and heavy arcs are treated alike (as in GAP); distances are sums of
// floats in double; the number of bins is limited, and farther vertices wait in a list, so that weights may have any ratio; a
// step takes several bins at once where one has too little work for all threads; and where bins would be nearly empty, because
// the waiting vertices lie far apart, one thread takes these in Dijkstra's order.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>
#include <utility>
#include <vector>

#include "algorithm/sssp/method.h"
#include "algorithm/sssp/own_bins.h"
#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"

namespace hopwave::sssp {
namespace {

using thresholds::Weighted;

/// Where each arc weighs one.
struct NoWeights {};

/// A class for each type of weights: looking the type up for each arc, or calling what works on an arc, takes 10 to 25 % more.
template <class Weight>
class DeltaStepping final : public Method {
 public:
  DeltaStepping(Team& team, const Arcs& arcs, const Bins& bins)
      : team_(team),
        arcs_(arcs),
        delta_(bins.width),
        fixed_(bins.fixed),
        distance_(arcs.num_vertices),
        members_(static_cast<std::size_t>(team.size())) {}

  void run(const WeightedQuery& query, const Control& control) override {
    const core::Stopwatch clock;
    begin(query);
    team_.run([&](int rank) { work_as(rank, query, control); });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    control.stats->steps = steps_;
    control.stats->relaxations = relaxed();
    control.stats->delta = delta_;
    control.stats->work = clock.elapsed();
  }

  void fetch(std::span<double> distance) override {
    parallel_for(team_, distance_.size(), thresholds::Cpu::fill_grain, [&](std::size_t from, std::size_t to, int) {
      for (std::size_t v = from; v < to; ++v) distance[v] = std::fabs(distance_[v]);
    });
  }

 private:
  /// What one thread has. The others read `next` and the sizes of bins between two barriers.
  struct alignas(64) Member {
    OwnBins bins;
    std::vector<VertexId> taken;  ///< the bin that is being emptied
    std::int64_t next = 0;        ///< the nearest bin that is not empty
    std::size_t waiting = 0;      ///< vertices in the bins of the next step
    std::uint64_t relaxed = 0;
    std::int64_t next_look = Weighted::looked_after;  ///< at the limits: when so many are relaxed
  };

  /// Thrown by a member that ends because another one met an error, which is kept.
  struct Stopped {};

  /// How many bins a step takes at once. Each member has its own, and all of them come to the same.
  struct Pace {
    std::int64_t together = 1;
    std::uint64_t relaxed = 0;  ///< by all, before this step
  };

  void begin(const WeightedQuery& query) {
    parallel_for(team_, distance_.size(), thresholds::Cpu::fill_grain, [&](std::size_t from, std::size_t to, int) {
      std::fill(distance_.begin() + static_cast<std::ptrdiff_t>(from), distance_.begin() + static_cast<std::ptrdiff_t>(to),
                no_path);
    });
    for (Member& m : members_) {
      m.bins.clear();
      m.taken.clear();
      m.relaxed = 0;
      m.next_look = Weighted::looked_after;
    }
    frontier_.assign(query.sources.begin(), query.sources.end());
    for (const VertexId s : query.sources) distance_[s] = 0;
    frontier_size_ = frontier_.size();
    base_ = 0;
    cursor_ = 0;
    stop_ = ending_ = false;
    steps_ = 0;
    relaxed_before_ = relaxed_by_others_ = 0;
  }

  [[nodiscard]] double distance(VertexId v) const {
    return std::fabs(std::atomic_ref(const_cast<double&>(distance_[v])).load(std::memory_order_relaxed));
  }
  /// Between barriers, where no thread lowers distances: does v wait beyond the bins?
  [[nodiscard]] bool waits_beyond(VertexId v) const { return !std::signbit(distance_[v]) && bin_of(distance_[v]) == no_bin; }
  /// Rises with the distance. Below 0: before the bins; no_bin: beyond them.
  [[nodiscard]] std::int64_t bin_of(double d) const {
    if (d < base_) return -1;
    const double place = (d - base_) / delta_;
    return place < static_cast<double>(num_bins) ? static_cast<std::int64_t>(place) : no_bin;
  }
  [[nodiscard]] double bound(const WeightedQuery& query) const {
    return std::min(query.max_distance, query.target == no_vertex ? no_path : distance(query.target));
  }
  [[nodiscard]] std::uint64_t relaxed() const {
    std::uint64_t sum = 0;
    for (const Member& m : members_) sum += m.relaxed;
    return sum;
  }

  /// Marks the distance of u as relaxed; false: another member did, or it was done since this one looked.
  bool mark(VertexId u, double& d) {
    std::atomic_ref<double> word(distance_[u]);
    while (!word.compare_exchange_weak(d, -d, std::memory_order_relaxed))
      if (std::signbit(d)) return false;
    return true;
  }

  [[nodiscard]] double weight(EdgeIndex e) const {
    if constexpr (std::is_same_v<Weight, NoWeights>)
      return 1;
    else
      return static_cast<double>(static_cast<const Weight*>(arcs_.weights.data())[e]);
  }

  /// Relaxes all arcs of u, unless an earlier bin had u after it was put here. A vertex is in the bins once for each time that
  /// its distance fell. If it has many arcs, the first thread that takes it marks the distance, and the others skip it.
  void relax(Member& m, VertexId u, std::int64_t bin, double limit, const Control& control) {
    double d = std::atomic_ref(distance_[u]).load(std::memory_order_relaxed);
    if (std::signbit(d) || bin_of(d) < bin || d > limit) return;
    const EdgeIndex end = arcs_.offsets[u + 1ull];
    if (end - arcs_.offsets[u] >= Weighted::marked_degree && !mark(u, d)) return;
    m.relaxed += end - arcs_.offsets[u];
    for (EdgeIndex e = arcs_.offsets[u]; e < end; ++e) {
      const VertexId v = arcs_.neighbors[e];
      const double reach = d + weight(e);
      std::atomic_ref<double> word(distance_[v]);
      double old = word.load(std::memory_order_relaxed);
      while (reach < std::fabs(old)) {
        if (!word.compare_exchange_weak(old, reach, std::memory_order_relaxed)) continue;
        if (reach <= limit) m.bins.put(v, bin_of(reach));
        break;
      }
    }
    if (static_cast<std::int64_t>(m.relaxed) >= m.next_look) look(m, control);
  }

  /// Checks the limits within a step. Throws if the search ends, also if another member has seen that.
  void look(Member& m, const Control& control) const {
    m.next_look = static_cast<std::int64_t>(m.relaxed) + Weighted::looked_after;
    if (stop_) throw Stopped{};
    if (&m == &members_.front())  // the caller's function is called by the thread that called
      control.step_done(steps_, relaxed_by_others_ + m.relaxed);
    else
      control.check(steps_);
  }

  /// After a step: twice as many bins at once while that is too little for the threads, half as many if it was much. Where
  /// degrees are high a hub would be relaxed again and again: there bins are taken together only when most arcs are done.
  void set_pace(Pace& pace) const {
    const std::uint64_t all = relaxed(), step = all - std::exchange(pace.relaxed, all);
    if (fixed_ || team_.size() == 1) return;  // one thread has no others to wait for
    const std::uint64_t aim = Weighted::enough_arcs * static_cast<std::uint64_t>(team_.size());
    const bool may_widen = arcs_.count() < Weighted::high_degree * arcs_.num_vertices || all > arcs_.count() / 2;
    if (step > Weighted::much_arcs * aim)
      pace.together = std::max<std::int64_t>(pace.together / 2, 1);
    else if (step < aim && may_widen)
      pace.together = std::min(2 * pace.together, Weighted::most_together);
  }

  /// Flattened: with a class for each type of weights compilers leave calls in this loop, which take 5 to 10 %.
  [[gnu::flatten]] void empty_frontier(Member& m, std::int64_t bin, std::int64_t together, const WeightedQuery& query,
                                       const Control& control) {
    for (;;) {
      const std::size_t at = cursor_.fetch_add(Weighted::chunk, std::memory_order_relaxed);
      if (at >= frontier_size_) break;
      m.next_look -= Weighted::vertex_arcs * static_cast<std::int64_t>(Weighted::chunk);
      const double limit = bound(query);
      for (std::size_t i = at; i < std::min(at + Weighted::chunk, frontier_size_); ++i)
        relax(m, frontier_[i], bin, limit, control);
    }
    // No arc leads back into an earlier bin.
    std::size_t taken = 0;
    for (std::int64_t own = bin; own < m.bins.end_of_step(bin, together) && taken < Weighted::most_own;) {
      std::vector<VertexId>& part = m.bins[own];
      if (part.size() >= Weighted::least_shared) break;
      if (part.empty()) {
        ++own;
        continue;
      }
      m.taken.swap(part);
      taken += m.taken.size();
      const double limit = bound(query);
      for (const VertexId u : m.taken) relax(m, u, own, limit, control);
      m.bins.keep_memory(m.taken);
    }
  }

  /// The nearest bin that a member has something in, and how much all have in the bins taken with it; this one's part begins
  /// at `own`.
  struct Gathered {
    std::int64_t bin = no_bin;
    std::size_t size = 0, own = 0;
  };
  [[nodiscard]] std::int64_t nearest_bin() const {
    std::int64_t bin = no_bin;
    for (const Member& m : members_) bin = std::min(bin, m.next);
    return bin;
  }
  /// All members call it, each with the same `together`. Between its barriers a member counts what is its own.
  [[nodiscard]] Gathered next_frontier(int rank, std::int64_t together) {
    Gathered g{.bin = nearest_bin()};
    Member& own = members_[static_cast<std::size_t>(rank)];
    own.waiting = g.bin == no_bin ? 0 : own.bins.size_of_step(g.bin, together);
    team_.barrier(rank);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i == static_cast<std::size_t>(rank)) g.own = g.size;
      g.size += members_[i].waiting;
    }
    return g;
  }

  /// Runs what may throw: others wait at barriers, so that this member must come to them, too. All end after the next one.
  template <class Work>
  void guarded(Work&& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
  }

  /// What waited beyond the bins comes into bins that begin at the nearest of it. False: nothing waits, or an error ended all.
  bool move_bins(Member& m, int rank, const WeightedQuery& query, const Control& control) {
    if (rank == 0) {
      next_base_ = no_path;
      guarded([&] { choose_base(query, control); });
    }
    team_.barrier(rank);
    if (next_base_ == no_path) return false;
    m.taken.clear();
    guarded([&] {
      for (const VertexId v : m.bins.later)
        if (waits_beyond(v)) m.taken.push_back(v);  // others were in a bin since
    });
    m.bins.later.clear();
    team_.barrier(rank);
    if (rank == 0) base_ = next_base_;
    team_.barrier(rank);
    guarded([&] {
      for (const VertexId v : m.taken) m.bins.put(v, bin_of(distance_[v]));
    });
    m.taken.clear();
    return true;
  }

  /// Member 0 looks at all that waits. Where that takes longer than what was done since it last did, the bins hold too little:
  /// what waits is taken in order then.
  void choose_base(const WeightedQuery& query, const Control& control) {
    if (stop_) return;
    double nearest = no_path;
    std::size_t waiting = 0;
    for (const Member& each : members_)
      for (const VertexId v : each.bins.later)
        if (waits_beyond(v)) nearest = std::min(nearest, distance_[v]), ++waiting;
    const bool little = relaxed() - std::exchange(relaxed_before_, relaxed()) < waiting;
    next_base_ = little ? take_in_order(query, control) : nearest;
  }

  using Entry = std::pair<double, VertexId>;

  /// Dijkstra's order, until as many vertices as the bins would need lie within their reach. Returns the nearest of what waits
  /// then, in member 0's list.
  double take_in_order(const WeightedQuery& query, const Control& control) {
    std::vector<Entry> waiting;
    for (Member& each : members_) {
      for (const VertexId v : each.bins.later)
        if (waits_beyond(v)) waiting.emplace_back(distance_[v], v);
      each.bins.later.clear();
    }
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap(std::greater<>{}, std::move(waiting));
    std::size_t round = std::max(Weighted::least_in_order, heap.size() / 8), taken = 0;
    double began = heap.empty() ? no_path : heap.top().first;
    while (!heap.empty()) {
      const auto [d, u] = heap.top();
      if (taken == round) {  // building the heap was worth it
        control.step_done(++steps_, relaxed());
        if (d - began < static_cast<double>(num_bins) * delta_) break;
        round = std::max(Weighted::least_in_order, heap.size() / 8), taken = 0, began = d;
      }
      heap.pop();
      const double limit = bound(query);
      if (d > limit) return no_path;
      if (std::signbit(distance_[u]) || d > distance_[u]) continue;
      distance_[u] = -d;
      ++taken;
      Member& m = members_.front();
      m.relaxed += arcs_.offsets[u + 1ull] - arcs_.offsets[u];
      if (static_cast<std::int64_t>(m.relaxed) >= m.next_look) look(m, control);
      for (EdgeIndex e = arcs_.offsets[u]; e < arcs_.offsets[u + 1ull]; ++e) {
        const VertexId v = arcs_.neighbors[e];
        const double reach = d + weight(e);
        if (reach >= std::fabs(distance_[v])) continue;
        distance_[v] = reach;
        if (reach <= limit) heap.emplace(reach, v);
      }
    }
    const double nearest = heap.empty() ? no_path : heap.top().first;
    for (; !heap.empty(); heap.pop())
      if (heap.top().first == distance_[heap.top().second]) members_.front().bins.later.push_back(heap.top().second);
    return nearest;
  }

  /// Members write what is their own, and read of others what was written before the last barrier.
  void work_as(int rank, const WeightedQuery& query, const Control& control) {
    Member& m = members_[static_cast<std::size_t>(rank)];
    Pace pace;
    std::size_t room = frontier_.size();
    for (std::int64_t bin = 0;;) {
      guarded([&] { empty_frontier(m, bin, pace.together, query, control); });
      m.next = m.bins.first_from(bin);
      team_.barrier(rank);
      if (rank == 0) end_step(control);
      set_pace(pace);
      Gathered g = next_frontier(rank, pace.together);
      if (team_.size() > 1 && g.bin != no_bin && g.size < Weighted::alone) {
        team_.barrier(rank);  // all have looked
        if (rank == 0) guarded([&] { go_alone(query, control); });
        team_.barrier(rank);
        pace.relaxed = relaxed();
        g = next_frontier(rank, pace.together);
      }
      if (g.bin == no_bin) {
        if (!move_bins(m, rank, query, control)) break;
        m.next = m.bins.first_from(0);
        team_.barrier(rank);
        g = next_frontier(rank, pace.together);
        if (g.bin == no_bin) break;  // there was no memory for what waited
      }
      if (g.size > room) {
        room = g.size + g.size / 2;
        if (rank == 0) guarded([&] { frontier_.resize(room); });
        team_.barrier(rank);
        if (frontier_.size() < g.size) break;
      }
      guarded([&] { share(m, g, pace.together); });
      if (rank == 0) {
        frontier_size_ = g.size;
        ending_ = stop_;
      }
      bin = g.bin;
      team_.barrier(rank);
      if (ending_) break;
    }
  }

  /// Member 0, between two barriers: what is set here is read after the second.
  void end_step(const Control& control) {
    ++steps_;
    cursor_ = 0;
    relaxed_by_others_ = relaxed() - members_.front().relaxed;
    if (!stop_) guarded([&] { control.step_done(steps_, relaxed()); });
  }

  /// Member 0 empties bin after bin, of all members, as long as each holds little. The others wait.
  void go_alone(const WeightedQuery& query, const Control& control) {
    Member& m = members_.front();
    for (std::int64_t bin = nearest_bin(); bin != no_bin && !stop_; bin = nearest_bin()) {
      std::size_t size = 0;
      for (const Member& each : members_) size += each.bins.size_of_step(bin, 1);
      if (size >= Weighted::alone) break;
      for (Member& each : members_) {
        if (each.bins.end_of_step(bin, 1) <= bin) continue;
        std::vector<VertexId>& part = each.bins[bin];
        m.taken.insert(m.taken.end(), part.begin(), part.end());
        part.clear();
      }
      const double limit = bound(query);
      for (const VertexId u : m.taken) relax(m, u, bin, limit, control);
      m.taken.clear();
      for (Member& each : members_) each.next = each.bins.first_from(bin);
      if (++steps_ % 64 == 0) control.step_done(steps_, relaxed());
    }
  }

  /// This member's part of the step's bins goes to the frontier that all take from.
  void share(Member& m, const Gathered& g, std::int64_t together) {
    auto to = frontier_.begin() + static_cast<std::ptrdiff_t>(g.own);
    for (std::int64_t bin = g.bin; bin < m.bins.end_of_step(g.bin, together); ++bin) {
      std::vector<VertexId>& part = m.bins[bin];
      to = std::copy(part.begin(), part.end(), to);
      m.bins.keep_memory(part);
    }
  }

  Team& team_;
  Arcs arcs_;
  double delta_;
  bool fixed_;
  /// A minus sign says that the vertex's arcs were relaxed from this distance (only of many arcs, or taken in order). So no
  /// further array is read for that, and the compare-and-swap that lowers a distance takes the sign away.
  std::vector<double> distance_;
  std::vector<Member> members_;
  std::vector<VertexId> frontier_;  ///< grows, never shrinks
  std::size_t frontier_size_ = 0;
  double base_ = 0, next_base_ = 0;  ///< where the bins begin
  std::uint64_t steps_ = 0;
  std::uint64_t relaxed_before_ = 0;     ///< when what waits was looked at last
  std::uint64_t relaxed_by_others_ = 0;  ///< than member 0, until this step began
  std::mutex mutex_;
  std::exception_ptr error_;  ///< the first that a member met
  std::atomic<bool> stop_{false};
  bool ending_ = false;  ///< stop_, as it was between two barriers: the same to all
  /// What all read stays away from what all write.
  alignas(64) std::atomic<std::size_t> cursor_{0};
};

}  // namespace

std::unique_ptr<Method> make_delta_stepping(Team& team, const Arcs& arcs, const Bins& bins) {
  if (!arcs.weighted()) return std::make_unique<DeltaStepping<NoWeights>>(team, arcs, bins);
  return arcs.weights.with([&]<class Weight>(std::span<const Weight>) -> std::unique_ptr<Method> {
    return std::make_unique<DeltaStepping<Weight>>(team, arcs, bins);
  });
}

}  // namespace hopwave::sssp
