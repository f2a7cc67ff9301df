// Core numbers on the CPU, by buckets or by several threads; where a call runs; and the check of an answer.
#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <optional>
#include <vector>

#include "bfs/plan/thresholds.h"
#include "core/parallel.h"
#include "core/reporter.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "device/on_machine.h"
#include "device_graph/one_call.h"
#include "graph/rows.h"
#include "hopwave/kcore.h"

namespace hopwave::inline v0_1::kcore {

// gpu.cu. `degree`: of each vertex, loops left out; it becomes the core numbers. `in` is null where `out` has both ends.
// Returns false where go_on(vertices whose number is known) did.
HW_FOR_EACH_MACHINE(bool, peel, device::Device& device, const resident::RowsOnDevice& out, const resident::RowsOnDevice* in,
                    std::uint32_t* degree, const std::function<bool(std::uint64_t)>& go_on)

namespace {

constexpr std::size_t grain = thresholds::Cpu::row_grain;

/// A graph's arcs seen from both ends.
struct Arcs {
  Arcs(Team& team, const Graph& graph) : ways{&graph.out()} {
    if (!graph.directed()) return;
    if (!graph.has_in()) reversed = graph::reversed(team, graph.num_vertices(), graph.out());
    ways[1] = graph.has_in() ? &graph.in() : &*reversed;
  }
  /// f(neighbour) for each arc of v with another vertex.
  template <class F>
  void each(VertexId v, F&& f) const {
    for (const Adjacency* way : ways)
      if (way)
        for (EdgeIndex e = way->offsets[v]; e < way->offsets[v + 1ull]; ++e)
          if (const VertexId u = way->neighbors[e]; u != v) f(u);
  }
  [[nodiscard]] std::uint32_t degree(VertexId v) const {
    std::uint64_t arcs = 0;
    each(v, [&](VertexId) { ++arcs; });
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(arcs, 0xFFFFFFFF));
  }

  std::array<const Adjacency*, 2> ways;
  std::optional<Adjacency> reversed;
};

Array<std::uint32_t> degrees(Team& team, const Arcs& arcs, VertexId n) {
  Array<std::uint32_t> degree(n);
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v) degree[v] = arcs.degree(static_cast<VertexId>(v));
  });
  return degree;
}

/// Vertices are in the order of their degrees. A vertex that loses an arc changes places with the first of its degree.
/// Degrees become core numbers.
void by_buckets(const Arcs& arcs, Array<std::uint32_t>& degree, core::Reporter& reporter) {
  const auto n = static_cast<VertexId>(degree.size());
  const std::uint32_t greatest = n ? *std::max_element(degree.begin(), degree.end()) : 0;
  std::vector<VertexId> first(std::size_t{greatest} + 2, 0);  // the place of the first vertex with this degree
  for (const std::uint32_t d : degree) ++first[d + std::size_t{1}];
  std::partial_sum(first.begin(), first.end(), first.begin());
  Array<VertexId> order(n), place(n);
  for (VertexId v = 0; v < n; ++v) order[place[v] = first[degree[v]]++] = v;
  for (std::size_t d = first.size() - 1; d > 0; --d) first[d] = first[d - 1];
  first[0] = 0;
  for (VertexId i = 0; i < n; ++i) {
    if (i % grain == 0) reporter.add(i ? grain : 0, 0);
    const VertexId v = order[i];
    arcs.each(v, [&](VertexId u) {
      if (degree[u] <= degree[v]) return;
      const VertexId head = order[first[degree[u]]];
      std::swap(order[place[u]], order[place[head]]);
      std::swap(place[u], place[head]);
      ++first[degree[u]--];
    });
  }
  reporter.add(n ? (n - 1) % grain + 1 : 0, 0);
}

/// Level by level. Level k removes the remaining vertices with k arcs, and those that then have no more than k. The next level
/// is k + 1, or the least remaining degree. A member itself continues with the neighbours of what it removes, so there are only
/// two barriers per level.
class Peeling {
 public:
  Peeling(Team& team, const Arcs& arcs, Array<std::uint32_t>& degree, core::Reporter& reporter)
      : team_(team), arcs_(arcs), degree_(degree), reporter_(reporter), members_(static_cast<std::size_t>(team.size())) {}

  void run() {
    left_.resize(degree_.size());
    std::iota(left_.begin(), left_.end(), VertexId{0});
    for (std::uint32_t k = 0; !left_.empty();) {
      const std::size_t before = left_.size();
      const std::uint32_t least = sort_out(k);
      if (std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.taken.empty(); })) {
        if (left_.empty()) break;
        k = least;
        continue;
      }
      on_all(before, [&](int rank) { take_out(k, rank); });
      ++k;
    }
    reporter_.add(0, 0);
  }

 private:
  struct alignas(128) Member {
    std::vector<VertexId> kept, taken;
    std::uint32_t least = 0;
  };

  template <class Work>
  void on_all(std::size_t items, const Work& work) {
    if (items < thresholds::KCore::few_left || team_.size() == 1)
      for (int rank = 0; rank < team_.size(); ++rank) work(rank);
    else
      team_.run(work);
  }

  /// Those that have k arcs are taken; those with fewer are out already. Returns the least degree of the others.
  std::uint32_t sort_out(std::uint32_t k) {
    for (Member& m : members_) m.kept.clear(), m.taken.clear(), m.least = ~std::uint32_t{0};
    const auto sort = [&](std::size_t begin, std::size_t end, int rank) {
      Member& m = members_[static_cast<std::size_t>(rank)];
      std::uint64_t out = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const VertexId v = left_[i];
        const std::uint32_t d = degree_[v];
        if (d > k)
          m.kept.push_back(v), m.least = std::min(m.least, d);
        else if (d == k)
          m.taken.push_back(v);
        out += d <= k;
      }
      reporter_.add(out, rank);
    };
    if (left_.size() < thresholds::KCore::few_left)
      sort(0, left_.size(), 0);
    else
      parallel_for(team_, left_.size(), grain, sort);
    left_.clear();
    std::uint32_t least = ~std::uint32_t{0};
    for (const Member& m : members_) {
      left_.insert(left_.end(), m.kept.begin(), m.kept.end());
      least = std::min(least, m.least);
    }
    return least;
  }

  /// Each arc of a removed vertex lowers its neighbour's degree by one. The member that lowers a degree from k + 1 to k removes
  /// that neighbour. A neighbour that is removed already gets its degree back.
  void take_out(std::uint32_t k, int rank) {
    std::vector<VertexId>& taken = members_[static_cast<std::size_t>(rank)].taken;
    for (std::uint64_t looks = 1; !taken.empty(); ++looks) {
      if (looks % grain == 0) reporter_.add(0, rank);
      const VertexId v = taken.back();
      taken.pop_back();
      arcs_.each(v, [&](VertexId u) {
        const std::atomic_ref<std::uint32_t> left(degree_[u]);
        if (left.load(std::memory_order_relaxed) <= k) return;
        const std::uint32_t had = left.fetch_sub(1, std::memory_order_relaxed);
        if (had == k + 1) taken.push_back(u);
        if (had <= k) left.fetch_add(1, std::memory_order_relaxed);
      });
    }
  }

  Team& team_;
  const Arcs& arcs_;
  Array<std::uint32_t>& degree_;
  core::Reporter& reporter_;
  std::vector<Member> members_;
  std::vector<VertexId> left_;
};

void count_largest(KCore& found) {
  for (const std::uint32_t c : found.core) {
    if (c > found.largest) found.largest = c, found.largest_size = 0;
    found.largest_size += c == found.largest;
  }
}

void on_device(const Graph& graph, const RunOptions& run, const device::Api& api,
               const std::function<bool(std::uint64_t)>& go_on, KCore& found) {
  Team team(graph.num_arcs() < thresholds::KCore::few_for_threads ? 1 : 0);
  const Arcs arcs(team, graph);
  found.core = degrees(team, arcs, graph.num_vertices());
  const device::KeepCurrent keep(&api);
  device::Device device(api, run.on);
  device.set_schedule(resident::schedule_of(run));
  const core::Stopwatch copying;
  const resident::CopiedRows out(device, *arcs.ways[0]);
  std::optional<resident::CopiedRows> in;
  if (arcs.ways[1]) in.emplace(device, *arcs.ways[1]);
  const device::Buffer<std::uint32_t> degree(device, std::span<const std::uint32_t>(found.core.span()));
  device.wait();
  found.run.copy_in = copying.elapsed();
  device::Timer timer(device);
  timer.start();
  go_on(0);
  peel(api)(device, out.rows(), in ? &in->rows() : nullptr, degree.data(), go_on);
  timer.stop();
  degree.download(found.core.span());
  found.run.work = timer.elapsed();
}

}  // namespace
}  // namespace hopwave::inline v0_1::kcore

namespace hopwave::inline v0_1 {

KCore core_numbers(const Graph& graph, const RunOptions& run) {
  const VertexId n = graph.num_vertices();
  KCore found;
  const core::Watch limits(run.limits);
  const Progress report = [&](const Step& step) {
    if (limits.limited())
      limits.check(std::to_string(step.done) + " of " + std::to_string(step.total) + " core numbers are known");
    return !run.progress || run.progress(step);
  };
  core::Reporter reporter(report, n, "vertices");
  if (const device::Api* api = resident::api_for_call(run, found.run)) {
    std::uint64_t before = 0;
    if (n)
      kcore::on_device(
          graph, run, *api,
          [&](std::uint64_t done) {
            reporter.add(done - before, 0);
            before = done;
            return true;
          },
          found);
  } else {
    Team team(run.threads == 0 && n + graph.num_arcs() < thresholds::KCore::few_for_threads ? 1 : run.threads);
    if (team.missing() > 0) found.run.notes.push_back(team.missing_text());
    const core::Stopwatch watch;
    reporter.add(0, 0);
    const kcore::Arcs arcs(team, graph);
    found.core = kcore::degrees(team, arcs, n);
    reporter.add(0, 0);
    if (team.size() == 1)
      kcore::by_buckets(arcs, found.core, reporter);
    else
      kcore::Peeling(team, arcs, found.core, reporter).run();
    found.run.work = watch.elapsed();
  }
  kcore::count_largest(found);
  return found;
}

Verdict validate(const Graph& graph, const KCore& found) {
  const VertexId n = graph.num_vertices();
  const auto wrong = [](const char* rule, VertexId vertex, std::string message) {
    return Verdict{.ok = false,
                   .rule = rule,
                   .message = (vertex == no_vertex ? "" : "vertex " + std::to_string(vertex) + ": ") + std::move(message)};
  };
  if (found.core.size() != n) return wrong("size", no_vertex, "there is not one number per vertex");
  Team team(1);
  const kcore::Arcs arcs(team, graph);
  // Among vertices with k or more, each has k arcs: so no number is too great.
  Array<std::uint32_t> left(n);
  for (VertexId v = 0; v < n; ++v) {
    std::uint64_t inner = 0;
    arcs.each(v, [&](VertexId u) { inner += found.core[u] >= found.core[v]; });
    if (inner < found.core[v])
      return wrong("too-great", v, "only " + std::to_string(inner) + " arcs lead to vertices with its number or more");
    left[v] = static_cast<std::uint32_t>(std::min<std::uint64_t>(inner, ~std::uint32_t{0}));
  }
  // In ascending order of numbers, vertices go as soon as they have no more arcs left than their number: so none is too small.
  std::vector<VertexId> order(n), queue;
  std::iota(order.begin(), order.end(), VertexId{0});
  std::sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return found.core[a] < found.core[b]; });
  std::vector<bool> gone(n, false);
  for (std::size_t i = 0, end = 0; i < n; i = end) {
    const std::uint32_t k = found.core[order[i]];
    queue.clear();
    for (end = i; end < n && found.core[order[end]] == k; ++end)
      if (left[order[end]] <= k) queue.push_back(order[end]), gone[order[end]] = true;
    for (std::size_t at = 0; at < queue.size(); ++at)
      arcs.each(queue[at], [&](VertexId u) {
        if (found.core[u] == k && !gone[u] && --left[u] <= k) queue.push_back(u), gone[u] = true;
      });
    if (queue.size() != end - i)
      for (std::size_t j = i; j < end; ++j)
        if (!gone[order[j]])
          return wrong("too-small", order[j],
                       "more than " + std::to_string(k) + " of its arcs lead to vertices that stay as long");
  }
  KCore counted{.core = found.core};
  kcore::count_largest(counted);
  if (counted.largest != found.largest || counted.largest_size != found.largest_size)
    return wrong("largest", no_vertex, "the greatest number, or how many have it, is another");
  return {};
}

}  // namespace hopwave::inline v0_1
