// Maximum matching by Hopcroft and Karp's method, where a call runs, and the check of an answer.
// Source: J. E. Hopcroft, R. M. Karp, An n^5/2 algorithm for maximum matchings in bipartite graphs, 1973. R. M. Karp, M.
// Sipser, Maximum matchings in sparse random graphs, 1981: the first pairs. D. König, Graphok és matrixok, 1931: the cover.
#include "hopwave/matching.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "algorithm/matching/sides.h"
#include "bfs/plan/thresholds.h"
#include "core/reporter.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "device/on_machine.h"
#include "device_graph/one_call.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1::matching {

// gpu.cu. `left`: the vertices of the left side. `mate` becomes the pairs; `tree` the tree that holds each left vertex in the
// last search, no_vertex if none does. Returns the number of searches. go_on(pairs) may throw.
HW_FOR_EACH_MACHINE(std::uint64_t, grow_forests, device::Device& device, const resident::RowsOnDevice& rows,
                    std::span<const VertexId> left, std::span<VertexId> mate, std::span<VertexId> tree,
                    const std::function<void(std::uint64_t)>& go_on)

namespace {

class HopcroftKarp {
 public:
  HopcroftKarp(const Adjacency& rows, Matching& found, const std::function<void(std::uint64_t)>& go_on)
      : rows_(rows), found_(found), mate_(found.mate), go_on_(go_on), layer_(mate_.size()), current_(mate_.size()) {
    for (VertexId v = 0; v < mate_.size(); ++v)
      if (!found.side[v]) left_.push_back(v);
  }

  void run() {
    begin();
    while (layers()) paths();
  }
  /// Does the last search reach this left vertex?
  [[nodiscard]] bool reached(VertexId v) const { return layer_[v] != none; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0}, looks_every = 1 << 12;

  void look() {
    if (++looks_ % looks_every == 0) go_on_(found_.size);
  }
  void pair(VertexId v, VertexId u) { mate_[v] = u, mate_[u] = v; }

  /// A vertex with one free neighbour takes it, which is never wrong. While there is none, the next left vertex takes its first
  /// free neighbour.
  void begin() {
    Array<std::uint32_t>& free = layer_;  // entries of each row that lead to unmatched vertices
    for (VertexId v = 0; v < mate_.size(); ++v) {
      free[v] = static_cast<std::uint32_t>(std::min<EdgeIndex>(rows_.offsets[v + 1ull] - rows_.offsets[v], none));
      if (free[v] == 1) queue_.push_back(v);
    }
    for (const VertexId v : left_) {
      take_ones();
      take(v);
    }
    take_ones();
  }
  void take_ones() {
    while (!queue_.empty()) {
      const VertexId v = queue_.back();
      queue_.pop_back();
      take(v);
    }
  }
  void take(VertexId v) {
    look();
    if (mate_[v] != no_vertex) return;
    const auto row = [&](VertexId x) { return std::pair(rows_.offsets[x], rows_.offsets[x + 1ull]); };
    for (auto [e, end] = row(v); e < end; ++e) {
      const VertexId u = rows_.neighbors[e];
      if (mate_[u] != no_vertex) continue;
      pair(v, u);
      ++found_.size;
      for (const VertexId taken : {v, u})
        for (auto [i, last] = row(taken); i < last; ++i)
          if (const VertexId x = rows_.neighbors[i]; --layer_[x] == 1 && mate_[x] == no_vertex) queue_.push_back(x);
      return;
    }
  }

  /// Layers of left vertices up to the first one next to an unmatched right vertex. Returns whether there is one.
  bool layers() {
    go_on_(found_.size);
    ++found_.searches;
    std::fill(layer_.begin(), layer_.end(), none);
    queue_.clear();
    for (const VertexId v : left_)
      if (mate_[v] == no_vertex) layer_[v] = 0, queue_.push_back(v);
    roots_ = queue_.size();
    last_ = none;
    for (std::size_t at = 0; at < queue_.size() && layer_[queue_[at]] <= last_; ++at) {
      look();
      const VertexId v = queue_[at];
      for (EdgeIndex e = rows_.offsets[v]; e < rows_.offsets[v + 1ull]; ++e) {
        const VertexId w = mate_[rows_.neighbors[e]];
        if (w == no_vertex)
          last_ = layer_[v];
        else if (layer_[w] == none)
          layer_[w] = layer_[v] + 1, queue_.push_back(w);
      }
    }
    return last_ != none;
  }

  /// Shortest paths along the layers, until none is left. Each row is walked once in all.
  void paths() {
    std::copy(rows_.offsets.begin(), rows_.offsets.begin() + current_.size(), current_.begin());
    for (std::size_t root = 0; root < roots_; ++root) {
      path_.assign(1, queue_[root]);
      while (!path_.empty()) {
        look();
        const VertexId v = path_.back();
        if (current_[v] == rows_.offsets[v + 1ull]) {
          path_.pop_back();
          continue;
        }
        const VertexId w = mate_[rows_.neighbors[current_[v]++]];
        if (w == no_vertex) {
          for (const VertexId x : path_) pair(x, rows_.neighbors[current_[x] - 1]);
          ++found_.size;
          break;
        }
        if (layer_[w] == layer_[v] + 1 && layer_[w] <= last_) path_.push_back(w);
      }
    }
  }

  const Adjacency& rows_;
  Matching& found_;
  Array<VertexId>& mate_;
  const std::function<void(std::uint64_t)>& go_on_;
  Array<std::uint32_t> layer_;  ///< of left vertices
  Array<EdgeIndex> current_;    ///< the next entry of each row
  std::vector<VertexId> left_, queue_, path_;
  std::size_t roots_ = 0;  ///< the first so many of the queue
  std::uint32_t last_ = none, looks_ = 0;
};

/// Of the left vertices those that the last search has not reached, and the mates of the others.
template <class Reached>
void make_cover(Matching& found, const Reached& reached) {
  found.cover = Array<std::uint8_t>(found.mate.size());
  for (VertexId v = 0; v < found.mate.size(); ++v)
    found.cover[v] = !found.side[v] ? !reached(v) : found.mate[v] != no_vertex && reached(found.mate[v]);
}

void on_device(const Adjacency& rows, const RunOptions& run, const device::Api& api,
               const std::function<void(std::uint64_t)>& go_on, Matching& found) {
  const auto n = static_cast<VertexId>(found.mate.size());
  std::vector<VertexId> left;
  left.reserve(found.left);
  for (VertexId v = 0; v < n; ++v)
    if (!found.side[v]) left.push_back(v);
  const device::KeepCurrent keep(&api);
  device::Device device(api, run.on);
  device.set_schedule(resident::schedule_of(run));
  const core::Stopwatch copying;
  const resident::CopiedRows there(device, rows);
  device.wait();
  found.run.copy_in = copying.elapsed();
  const core::Stopwatch watch;
  Array<VertexId> tree(n);
  found.searches = grow_forests(api)(device, there.rows(), left, found.mate.span(), tree.span(), go_on);
  found.size =
      static_cast<VertexId>(std::count_if(left.begin(), left.end(), [&](VertexId v) { return found.mate[v] != no_vertex; }));
  make_cover(found, [&](VertexId v) { return tree[v] != no_vertex; });
  found.run.work = watch.elapsed();
}

}  // namespace
}  // namespace hopwave::inline v0_1::matching

namespace hopwave::inline v0_1 {

Matching maximum_matching(const Graph& graph, const MatchingOptions& options) {
  const RunOptions& run = options.run;
  const VertexId n = graph.num_vertices();
  Matching found;
  const core::Watch limits(run.limits);
  const device::Api* const api = resident::api_for_call(run, found.run);
  found.run.strategy = api ? "forest" : "hopcroft-karp";
  Team team(run.threads == 0 && n + graph.num_arcs() < thresholds::Matching::few_for_threads ? 1 : run.threads);
  if (team.missing() > 0) found.run.notes.push_back(team.missing_text());
  const core::Stopwatch preparing;
  const Progress report = core::watched(limits, run.progress, "no pair is found");
  core::Reporter reporter(report, matching::rows_work(graph));
  reporter.add(0, 0);
  const Adjacency rows = matching::both_ways(team, graph, reporter);
  matching::find_sides(graph, rows, options.side, reporter, found);
  found.run.prepare = preparing.elapsed();
  found.mate = Array<VertexId>::filled(n, no_vertex);
  const std::function<void(std::uint64_t)> go_on = [&](std::uint64_t pairs) {
    if (limits.limited()) limits.check(std::to_string(pairs) + " pairs are found");
    if (run.progress && !run.progress({.what = "pairs", .done = pairs, .total = std::min(found.left, n - found.left)}))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller"});
  };
  go_on(0);
  if (api && found.left > 0) {
    matching::on_device(rows, run, *api, go_on, found);
  } else {
    const core::Stopwatch watch;
    matching::HopcroftKarp search(rows, found, go_on);
    search.run();
    matching::make_cover(found, [&](VertexId v) { return search.reached(v); });
    found.run.work = watch.elapsed();
  }
  go_on(found.size);
  return found;
}

Verdict validate(const Graph& graph, const Matching& matching) {
  const auto wrong = [](const char* rule, std::string message) {
    return Verdict{.ok = false, .rule = rule, .message = std::move(message)};
  };
  const auto both = [](VertexId v, VertexId u) { return std::to_string(v) + " and " + std::to_string(u); };
  const VertexId n = graph.num_vertices();
  if (matching.mate.size() != n || matching.side.size() != n || matching.cover.size() != n)
    return wrong("size", "there is not one mate, one side and one mark of the cover per vertex");
  std::vector<bool> joined(n, false);  // is there an edge to its mate?
  for (VertexId v = 0; v < n; ++v)
    for (const VertexId u : graph.out_neighbors(v)) {
      if (matching.side[v] == matching.side[u])
        return wrong("side", "an edge joins vertices " + both(v, u) + ", which are on one side");
      if (!matching.cover[v] && !matching.cover[u])
        return wrong("cover", "the edge between vertices " + both(v, u) + " has none of the cover");
      if (matching.mate[v] == u) joined[v] = joined[u] = true;
    }
  std::uint64_t matched = 0, covering = 0;
  for (VertexId v = 0; v < n; ++v) {
    covering += matching.cover[v] != 0;
    const VertexId u = matching.mate[v];
    if (u == no_vertex) continue;
    ++matched;
    if (u >= n || matching.mate[u] != v) return wrong("pair", "vertex " + std::to_string(v) + " is not the mate of its mate");
    if (!joined[v]) return wrong("pair", "no edge joins vertices " + both(v, u));
  }
  if (matched != 2 * std::uint64_t{matching.size})
    return wrong("size", "another number of pairs than " + std::to_string(matching.size));
  if (covering != matching.size)
    return wrong("cover",
                 "it has " + std::to_string(covering) + " vertices, and there are " + std::to_string(matching.size) + " pairs");
  return {};
}

}  // namespace hopwave::inline v0_1
