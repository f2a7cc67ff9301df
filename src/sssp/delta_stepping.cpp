// Delta-stepping on CPU threads.
// Source: Meyer and Sanders, Delta-stepping: a parallelizable shortest path algorithm, Journal of Algorithms 49 (2003); bins of
// each thread's own and the fusing of small bins: Zhang, Brahmakshatriya et al., Optimizing ordered graph algorithms with
// GraphIt, CGO'20, as in GAP's sssp. Ours differs: light and heavy arcs are not told apart (nor does GAP); distances are sums
// of floats in double; bins reach so far only, and what lies beyond them waits in a list, so that weights of any ratio do.
#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "core/stopwatch.h"
#include "sssp/method.h"

namespace hopwave::sssp {
namespace {

constexpr std::int64_t num_bins = 1 << 12;
constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t grain = 1 << 16;
constexpr std::size_t chunk = 64;           // vertices that a thread takes of the shared frontier
constexpr std::size_t alone = 128;          // fewer vertices than that are left to one thread: a barrier takes longer
constexpr std::size_t least_shared = 1000;  // a thread keeps to itself what it puts into its present bin, if it is less

class DeltaStepping final : public Method {
 public:
  DeltaStepping(Team& team, const Arcs& arcs, double delta)
      : team_(team),
        arcs_(arcs),
        delta_(delta),
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
    control.stats->search_ms = clock.milliseconds();
  }

  void fetch(std::span<double> distance) override {
    parallel_for(team_, distance_.size(), grain, [&](std::size_t from, std::size_t to, int) {
      std::copy(distance_.begin() + static_cast<std::ptrdiff_t>(from), distance_.begin() + static_cast<std::ptrdiff_t>(to),
                distance.begin() + static_cast<std::ptrdiff_t>(from));
    });
  }

 private:
  /// What one thread has. The others read `next` and the sizes of bins between two barriers.
  struct alignas(64) Member {
    std::vector<std::vector<VertexId>> bins;
    std::vector<VertexId> later;  ///< beyond the bins
    std::vector<VertexId> taken;  ///< the bin that is being emptied
    std::int64_t next = 0;
    std::uint64_t relaxed = 0;
  };

  void begin(const WeightedQuery& query) {
    parallel_for(team_, distance_.size(), grain, [&](std::size_t from, std::size_t to, int) {
      std::fill(distance_.begin() + static_cast<std::ptrdiff_t>(from), distance_.begin() + static_cast<std::ptrdiff_t>(to),
                no_path);
    });
    for (Member& m : members_) {
      for (auto& bin : m.bins) bin.clear();
      m.later.clear();
      m.taken.clear();
      m.relaxed = 0;
    }
    frontier_.assign(query.sources.begin(), query.sources.end());
    for (const VertexId s : query.sources) distance_[s] = 0;
    frontier_size_ = frontier_.size();
    base_ = 0;
    cursor_ = 0;
    stop_ = false;
    steps_ = 0;
  }

  [[nodiscard]] double distance(VertexId v) const {
    return std::atomic_ref(const_cast<double&>(distance_[v])).load(std::memory_order_relaxed);
  }
  /// Rises with the distance. Below 0: before the bins; none: beyond them.
  [[nodiscard]] std::int64_t bin_of(double d) const {
    if (d < base_) return -1;
    const double place = (d - base_) / delta_;
    return place < static_cast<double>(num_bins) ? static_cast<std::int64_t>(place) : none;
  }
  [[nodiscard]] double bound(const WeightedQuery& query) const {
    return std::min(query.max_distance, query.target == no_vertex ? no_path : distance(query.target));
  }
  [[nodiscard]] std::uint64_t relaxed() const {
    std::uint64_t sum = 0;
    for (const Member& m : members_) sum += m.relaxed;
    return sum;
  }

  void put(Member& m, VertexId v, std::int64_t bin) const {
    if (bin == none) return m.later.push_back(v);
    if (m.bins.size() <= static_cast<std::size_t>(bin)) m.bins.resize(static_cast<std::size_t>(bin) + 1);
    m.bins[static_cast<std::size_t>(bin)].push_back(v);
  }

  /// Along all arcs of u, unless it was taken from an earlier bin since it was put here.
  void relax(Member& m, VertexId u, std::int64_t bin, double limit) {
    const double d = distance(u);
    if (bin_of(d) < bin || d > limit) return;
    const EdgeIndex end = arcs_.offsets[u + 1ull];
    m.relaxed += end - arcs_.offsets[u];
    for (EdgeIndex e = arcs_.offsets[u]; e < end; ++e) {
      const VertexId v = arcs_.neighbors[e];
      const double reach = d + arcs_.weight(e);
      std::atomic_ref<double> word(distance_[v]);
      double old = word.load(std::memory_order_relaxed);
      while (reach < old) {
        if (!word.compare_exchange_weak(old, reach, std::memory_order_relaxed)) continue;
        if (reach <= limit) put(m, v, bin_of(reach));
        break;
      }
    }
  }

  void empty_frontier(Member& m, std::int64_t bin, const WeightedQuery& query) {
    for (;;) {
      const std::size_t at = cursor_.fetch_add(chunk, std::memory_order_relaxed);
      if (at >= frontier_size_) break;
      const double limit = bound(query);
      for (std::size_t i = at; i < std::min(at + chunk, frontier_size_); ++i) relax(m, frontier_[i], bin, limit);
    }
    const auto own = static_cast<std::size_t>(bin);
    while (own < m.bins.size() && !m.bins[own].empty() && m.bins[own].size() < least_shared) {
      m.taken.swap(m.bins[own]);
      const double limit = bound(query);
      for (const VertexId u : m.taken) relax(m, u, bin, limit);
      m.taken.clear();
    }
  }

  static std::int64_t first_bin(const Member& m, std::int64_t from) {
    for (auto bin = static_cast<std::size_t>(from); bin < m.bins.size(); ++bin)
      if (!m.bins[bin].empty()) return static_cast<std::int64_t>(bin);
    return none;
  }

  /// The nearest bin that a member has something in, and how much all have; this one's part begins at `own`.
  struct Gathered {
    std::int64_t bin = none;
    std::size_t size = 0, own = 0;
  };
  [[nodiscard]] Gathered next_frontier(int rank) const {
    Gathered g;
    for (const Member& m : members_) g.bin = std::min(g.bin, m.next);
    if (g.bin == none) return g;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i == static_cast<std::size_t>(rank)) g.own = g.size;
      const auto& bins = members_[i].bins;
      if (static_cast<std::size_t>(g.bin) < bins.size()) g.size += bins[static_cast<std::size_t>(g.bin)].size();
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

  /// What waited beyond the bins comes into bins that begin at the nearest of it. False: nothing waits.
  bool move_bins(Member& m, int rank) {
    if (rank == 0) {
      double nearest = no_path;
      for (const Member& each : members_)
        for (const VertexId v : each.later)
          if (bin_of(distance_[v]) == none) nearest = std::min(nearest, distance_[v]);
      next_base_ = nearest;
    }
    team_.barrier();
    if (next_base_ == no_path) return false;
    m.taken.clear();
    guarded([&] {
      for (const VertexId v : m.later)
        if (bin_of(distance_[v]) == none) m.taken.push_back(v);  // others were in a bin since
    });
    m.later.clear();
    team_.barrier();
    if (rank == 0) base_ = next_base_;
    team_.barrier();
    guarded([&] {
      for (const VertexId v : m.taken) put(m, v, bin_of(distance_[v]));
    });
    m.taken.clear();
    return true;
  }

  void work_as(int rank, const WeightedQuery& query, const Control& control) {
    Member& m = members_[static_cast<std::size_t>(rank)];
    for (std::int64_t bin = 0;;) {
      guarded([&] { empty_frontier(m, bin, query); });
      m.next = first_bin(m, bin);
      team_.barrier();
      if (rank == 0) {
        ++steps_;
        cursor_ = 0;
        guarded([&] { control.step_done(steps_, relaxed()); });
      }
      Gathered g = next_frontier(rank);
      if (team_.size() > 1 && g.bin != none && g.size < alone) {
        team_.barrier();  // all have looked
        if (rank == 0) guarded([&] { go_alone(g, query, control); });
        team_.barrier();
        g = next_frontier(rank);
      }
      if (g.bin == none) {
        if (!move_bins(m, rank)) break;
        m.next = first_bin(m, 0);
        team_.barrier();
        g = next_frontier(rank);
      }
      if (rank == 0) {
        frontier_size_ = g.size;
        guarded([&] {
          if (frontier_.size() < g.size) frontier_.resize(g.size + g.size / 2);
        });
      }
      team_.barrier();
      if (stop_) break;
      bin = g.bin;
      share(m, g);
      team_.barrier();
    }
  }

  /// Member 0 empties bin after bin, of all members, as long as each holds little. The others wait.
  void go_alone(Gathered g, const WeightedQuery& query, const Control& control) {
    Member& m = members_.front();
    for (; g.bin != none && g.size < alone && !stop_; g = next_frontier(0)) {
      const auto bin = static_cast<std::size_t>(g.bin);
      for (Member& each : members_) {
        if (bin >= each.bins.size()) continue;
        m.taken.insert(m.taken.end(), each.bins[bin].begin(), each.bins[bin].end());
        each.bins[bin].clear();
      }
      const double limit = bound(query);
      for (const VertexId u : m.taken) relax(m, u, g.bin, limit);
      m.taken.clear();
      for (Member& each : members_) each.next = first_bin(each, g.bin);
      if (++steps_ % 64 == 0) control.step_done(steps_, relaxed());
    }
  }

  /// This member's part of the bin goes to the frontier that all take from.
  void share(Member& m, const Gathered& g) {
    if (static_cast<std::size_t>(g.bin) >= m.bins.size()) return;
    auto& part = m.bins[static_cast<std::size_t>(g.bin)];
    std::copy(part.begin(), part.end(), frontier_.begin() + static_cast<std::ptrdiff_t>(g.own));
    part.clear();
  }

  Team& team_;
  Arcs arcs_;
  double delta_;
  std::vector<double> distance_;
  std::vector<Member> members_;
  std::vector<VertexId> frontier_;  ///< grows, never shrinks
  std::size_t frontier_size_ = 0;
  double base_ = 0, next_base_ = 0;  ///< where the bins begin
  std::atomic<std::size_t> cursor_{0};
  std::uint64_t steps_ = 0;
  std::mutex mutex_;
  std::exception_ptr error_;  ///< the first that a member met
  std::atomic<bool> stop_{false};
};

}  // namespace

std::unique_ptr<Method> make_delta_stepping(Team& team, const Arcs& arcs, double delta) {
  return std::make_unique<DeltaStepping>(team, arcs, delta);
}

}  // namespace hopwave::sssp
