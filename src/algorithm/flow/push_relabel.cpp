// A. V. Goldberg, R. E. Tarjan, A new approach to the maximum-flow problem, 1988; highest vertex first, gaps and global
// relabelling after B. V. Cherkassky, A. V. Goldberg, On implementing the push–relabel method for the maximum flow problem,
// 1997. Several threads: all active vertices push while heights do not change, then all with excess left are relabelled while
// capacities do not change; after Goldberg & Tarjan's parallel version.
#include "algorithm/flow/push_relabel.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "bfs/plan/thresholds.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1::flow {
namespace {

constexpr std::uint32_t vertices_per_look = 1 << 10;
using Limits = thresholds::Flow;

/// Heights are distances to the sink where something is left; n: it cannot be reached.
class Heights {
 public:
  Heights(const Residual& residual, VertexId sink) : r_(residual), sink_(sink), height_(residual.num_vertices) {}

  /// A breadth-first search from the sink, against the arcs.
  void measure() {
    const VertexId n = r_.num_vertices;
    std::fill(height_.begin(), height_.end(), n);
    height_[sink_] = 0;
    queue_.assign(1, sink_);
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const VertexId v = queue_[at];
      for (EdgeIndex e = r_.offsets[v]; e < r_.offsets[v + 1ull]; ++e)
        if (const VertexId u = r_.neighbors[e]; height_[u] == n && u != sink_ && r_.left[r_.mate[e]] > 0)
          height_[u] = height_[v] + 1, queue_.push_back(u);
    }
  }
  VertexId& operator[](VertexId v) { return height_[v]; }
  VertexId operator[](VertexId v) const { return height_[v]; }

 private:
  const Residual& r_;
  VertexId sink_;
  Array<VertexId> height_;
  std::vector<VertexId> queue_;
};

/// One thread: the highest active vertex is emptied first.
class HighestFirst {
 public:
  HighestFirst(Residual& residual, Preflow& preflow, VertexId source, VertexId target, VertexId sink)
      : r_(residual),
        p_(preflow),
        source_(source),
        target_(target),
        sink_(sink),
        height_(residual, sink),
        current_(residual.num_vertices),
        active_(residual.num_vertices + std::size_t{1}),
        at_height_(residual.num_vertices + std::size_t{1}) {}

  void run(const std::function<void(std::int64_t)>& go_on) {
    begin_again();
    std::uint32_t looks = 0;
    while (highest_ > 0) {
      if (active_[highest_].empty()) {
        --highest_;
        continue;
      }
      if (++looks % vertices_per_look == 0) go_on(p_.excess[sink_]);
      const VertexId v = active_[highest_].back();
      active_[highest_].pop_back();
      if (height_[v] != highest_) continue;  // a gap has lifted it
      empty(v);
      if (work_ > Limits::relabels_per_entry * r_.size() + 8ull * r_.num_vertices) begin_again();
    }
  }

 private:
  [[nodiscard]] bool takes_part(VertexId v) const { return v != source_ && v != target_ && v != sink_; }

  void begin_again() {
    height_.measure();
    ++p_.searches;
    work_ = 0;
    highest_ = 0;
    for (auto& list : active_) list.clear();
    std::fill(at_height_.begin(), at_height_.end(), 0);
    for (VertexId v = 0; v < r_.num_vertices; ++v) {
      current_[v] = r_.offsets[v];
      ++at_height_[height_[v]];
      if (takes_part(v) && p_.excess[v] > 0) activate(v);
    }
  }

  void activate(VertexId v) {
    const VertexId h = height_[v];
    if (h >= r_.num_vertices) return;
    active_[h].push_back(v);
    highest_ = std::max(highest_, h);
  }

  void empty(VertexId v) {
    while (p_.excess[v] > 0) {
      EdgeIndex& e = current_[v];
      if (e == r_.offsets[v + 1ull]) {
        if (!relabel(v)) return;
        continue;
      }
      const VertexId u = r_.neighbors[e];
      if (r_.left[e] == 0 || height_[v] != height_[u] + 1) {
        ++e;
        continue;
      }
      const std::int64_t amount = std::min(p_.excess[v], r_.left[e]);
      r_.left[e] -= amount, r_.left[r_.mate[e]] += amount;
      p_.excess[v] -= amount;
      const bool first = p_.excess[u] == 0;
      p_.excess[u] += amount;
      ++p_.pushes;
      if (first && takes_part(u)) activate(u);
    }
  }

  /// One above the lowest neighbour that can take something. False once the sink is out of reach.
  bool relabel(VertexId v) {
    const VertexId n = r_.num_vertices, before = height_[v];
    VertexId lowest = n;
    for (EdgeIndex e = r_.offsets[v]; e < r_.offsets[v + 1ull]; ++e)
      if (r_.left[e] > 0) lowest = std::min(lowest, height_[r_.neighbors[e]]);
    work_ += r_.offsets[v + 1ull] - r_.offsets[v] + 12;
    const VertexId now = std::min(n, lowest + 1);
    --at_height_[before];
    if (at_height_[before] == 0) return lift_above(before), set_height(v, n), false;
    set_height(v, now);
    current_[v] = r_.offsets[v];
    return now < n;
  }

  void set_height(VertexId v, VertexId h) {
    height_[v] = h;
    ++at_height_[h];
  }

  /// Nothing is left at height `gap`: what is above it has no way to the sink.
  void lift_above(VertexId gap) {
    const VertexId n = r_.num_vertices;
    for (VertexId h = gap + 1; h <= highest_; ++h) {
      for (const VertexId v : active_[h])
        if (height_[v] == h) --at_height_[h], set_height(v, n);
      active_[h].clear();
    }
    highest_ = std::min(highest_, gap);
  }

  Residual& r_;
  Preflow& p_;
  const VertexId source_, target_, sink_;
  Heights height_;
  std::vector<EdgeIndex> current_;
  std::vector<std::vector<VertexId>> active_;  ///< by height; an entry of another height than the vertex has counts no more
  std::vector<VertexId> at_height_;
  VertexId highest_ = 0;
  std::uint64_t work_ = 0;
};

/// Several threads, in rounds. In a round only the thread that has a vertex takes from its excess and its row.
class Rounds {
 public:
  Rounds(Residual& residual, Preflow& preflow, VertexId source, VertexId target, VertexId sink, Team& team)
      : r_(residual),
        p_(preflow),
        source_(source),
        target_(target),
        sink_(sink),
        team_(team),
        height_(residual, sink),
        queued_(Array<std::uint32_t>::filled(residual.num_vertices, 0)),
        members_(static_cast<std::size_t>(team.size())) {}

  void run(const std::function<void(std::int64_t)>& go_on) {
    begin_again();
    while (!active_.empty()) {
      go_on(p_.excess[sink_]);
      ++round_;
      on_all([&](std::size_t i, Member& m) { push_from(active_[i], m); });
      on_all([&](std::size_t i, Member& m) { relabel(active_[i], m); });
      active_.clear();
      for (Member& m : members_) {
        active_.insert(active_.end(), m.next.begin(), m.next.end());
        m.next.clear();
        p_.pushes += std::exchange(m.pushes, 0);
        work_ += std::exchange(m.work, 0);
      }
      // A vertex that was lifted out of reach after it had been queued.
      std::erase_if(active_, [&](VertexId v) { return height_[v] >= r_.num_vertices; });
      if (work_ > Limits::relabels_per_entry * r_.size() + 8ull * r_.num_vertices) begin_again();
    }
  }

 private:
  struct alignas(128) Member {
    std::vector<VertexId> next;
    std::uint64_t pushes = 0, work = 0;
  };

  [[nodiscard]] bool takes_part(VertexId v) const { return v != source_ && v != target_ && v != sink_; }

  template <class Work>
  void on_all(const Work& work) {
    if (active_.size() < Limits::few_active || team_.size() == 1)
      for (std::size_t i = 0; i < active_.size(); ++i) work(i, members_[0]);
    else
      parallel_for(team_, active_.size(), Limits::active_grain, [&](std::size_t begin, std::size_t end, int rank) {
        for (std::size_t i = begin; i < end; ++i) work(i, members_[static_cast<std::size_t>(rank)]);
      });
  }

  void begin_again() {
    height_.measure();
    ++p_.searches;
    work_ = 0;
    active_.clear();
    for (VertexId v = 0; v < r_.num_vertices; ++v)
      if (takes_part(v) && p_.excess[v] > 0 && height_[v] < r_.num_vertices) active_.push_back(v);
  }

  void queue(VertexId v, Member& m) {
    if (std::atomic_ref(queued_[v]).exchange(round_, std::memory_order_relaxed) != round_) m.next.push_back(v);
  }

  void push_from(VertexId v, Member& m) {
    std::int64_t rest = std::atomic_ref(p_.excess[v]).load(std::memory_order_relaxed), sent = 0;
    for (EdgeIndex e = r_.offsets[v]; e < r_.offsets[v + 1ull] && rest > 0; ++e) {
      const VertexId u = r_.neighbors[e];
      if (height_[v] != height_[u] + 1 || r_.left[e] == 0) continue;  // heights first: what is lower pushes nothing here
      const std::int64_t amount = std::min(rest, r_.left[e]);
      r_.left[e] -= amount;
      r_.left[r_.mate[e]] += amount;  // of a lower vertex's row, which it does not look at: v is higher
      std::atomic_ref(p_.excess[u]).fetch_add(amount, std::memory_order_relaxed);
      rest -= amount, sent += amount;
      ++m.pushes;
      if (takes_part(u)) queue(u, m);
    }
    if (sent) std::atomic_ref(p_.excess[v]).fetch_sub(sent, std::memory_order_relaxed);
  }

  void relabel(VertexId v, Member& m) {
    if (p_.excess[v] == 0) return;
    const VertexId n = r_.num_vertices;
    VertexId lowest = n;
    for (EdgeIndex e = r_.offsets[v]; e < r_.offsets[v + 1ull]; ++e)
      if (r_.left[e] > 0) lowest = std::min(lowest, std::atomic_ref(height_[r_.neighbors[e]]).load(std::memory_order_relaxed));
    m.work += r_.offsets[v + 1ull] - r_.offsets[v] + 12;
    const VertexId now = std::max(height_[v], std::min(n, lowest + 1));
    std::atomic_ref(height_[v]).store(now, std::memory_order_relaxed);
    if (now < n) queue(v, m);
  }

  Residual& r_;
  Preflow& p_;
  const VertexId source_, target_, sink_;
  Team& team_;
  Heights height_;
  Array<std::uint32_t> queued_;  ///< the round that put a vertex into the next one's list
  std::vector<Member> members_;
  std::vector<VertexId> active_;
  std::uint32_t round_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace

Preflow begin_preflow(Residual& r, VertexId source) {
  Preflow preflow{.excess = Array<std::int64_t>::filled(r.num_vertices, 0)};
  for (EdgeIndex e = r.offsets[source]; e < r.offsets[source + 1ull]; ++e) {
    const std::int64_t amount = r.left[e];
    if (amount == 0) continue;
    r.left[e] = 0, r.left[r.mate[e]] += amount;
    preflow.excess[r.neighbors[e]] += amount;
    ++preflow.pushes;
  }
  return preflow;
}

void drain(Residual& r, Preflow& preflow, VertexId source, VertexId target, VertexId sink, Team& team,
           const std::function<void(std::int64_t)>& go_on) {
  if (team.size() == 1)
    HighestFirst(r, preflow, source, target, sink).run(go_on);
  else
    Rounds(r, preflow, source, target, sink, team).run(go_on);
}

}  // namespace hopwave::inline v0_1::flow
