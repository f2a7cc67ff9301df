// Searcher::reach() and reach_each() of graphs in device memory.
#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/reach.h"
#include "bfs/searcher/searcher.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {

using namespace search_detail;

namespace {

resident::RowsOnDevice rows_there(const resident::State& s) {
  const device::DeviceGraph& g = s.graph;
  return {.num_vertices = g.num_vertices,
          .num_arcs = g.num_arcs,
          .offsets32 = g.wide ? nullptr : g.offsets32.data(),
          .offsets64 = g.wide ? g.offsets64.data() : nullptr,
          .neighbors = g.neighbors.data()};
}

/// Puts rows of one search in order. Each thread has its own.
class Ordering {
 public:
  explicit Ordering(VertexId num_vertices) : num_vertices_(num_vertices) {}

  /// Sorts each level by vertex. Returns how many rows remain if there are at most `nearest` in addition to the sources (0:
  /// all).
  std::size_t operator()(std::span<VertexId> vertex, std::span<VertexId> parent, std::span<const Distance> distance,
                         std::uint64_t nearest) {
    std::size_t sources = 0;
    for (std::size_t begin = 0, end; begin < vertex.size(); begin = end) {
      for (end = begin + 1; end < vertex.size() && distance[end] == distance[begin];) ++end;
      if (begin == 0) sources = end;
      level_.resize(end - begin);
      for (std::size_t i = begin; i < end; ++i)
        level_[i - begin] = std::uint64_t{vertex[i]} << 32 | (parent.empty() ? 0 : parent[i]);
      sort_(level_, num_vertices_);
      for (std::size_t i = begin; i < end; ++i) vertex[i] = static_cast<VertexId>(level_[i - begin] >> 32);
      for (std::size_t i = begin; i < end && !parent.empty(); ++i) parent[i] = static_cast<VertexId>(level_[i - begin]);
    }
    return nearest ? static_cast<std::size_t>(std::min<std::uint64_t>(vertex.size(), sources + nearest)) : vertex.size();
  }

 private:
  VertexId num_vertices_;
  std::vector<ReachEntry> level_;
  LevelSort sort_;
};

}  // namespace

Reached Searcher::State::reach_whole_there(const Query& query, std::uint64_t nearest, const core::Watch& watch) {
  Query distances = query;
  distances.parents = false;
  Result result = run(distances, watch, options.run.limits.partial);
  if (query.parents) {
    const device::DeviceAnswer answer = plan->answer();
    device::Buffer<VertexId> parent(*device, num_vertices);
    resident::least_parents(device->api())(*device, rows_there(*resident), answer.distance, parent.data());
    result.parent = Array<VertexId>(num_vertices);
    parent.download(result.parent.span());
    for (VertexId v = 0; v < num_vertices; ++v)  // those that a limit has cut off
      if (result.distance[v] == unreached) result.parent[v] = no_vertex;
  }
  return gathered(std::move(result), nearest);
}

Reached Searcher::State::reach_there(const Query& query, std::uint64_t nearest, const core::Watch& watch) {
  const core::Stopwatch clock;
  Reached found{.run = report()};
  if (watch.limited()) watch.check("no level done");
  resident::reach(device->api())(*device,
                                 {.rows = rows_there(*resident),
                                  .sources = query.sources,
                                  .together = true,
                                  .max_depth = query.max_depth,
                                  .target = query.target,
                                  .nearest = nearest,
                                  .parents = query.parents,
                                  .most_arcs = thresholds::AnyDevice::reach_most_arcs},
                                 reach_memory, reach_answer);
  const resident::ReachedThere& one = reach_answer.search.front();
  if (one.state != resident::ReachedThere::done) return reach_whole_there(query, nearest, watch);
  const std::span<VertexId> vertex = reach_answer.vertex.span(), parent = reach_answer.parent.span();
  const std::span<const Distance> distance = reach_answer.distance.span();
  const std::size_t count = Ordering(num_vertices)(vertex, parent, distance, nearest);
  found.vertex.assign(vertex.begin(), vertex.begin() + static_cast<std::ptrdiff_t>(count));
  found.distance.assign(distance.begin(), distance.begin() + static_cast<std::ptrdiff_t>(count));
  if (query.parents) found.parent.assign(parent.begin(), parent.begin() + static_cast<std::ptrdiff_t>(count));
  found.run.edges_examined = one.arcs;
  found.run.levels = found.run.steps = found.distance.empty() ? 0 : static_cast<std::uint32_t>(found.distance.back());
  found.run.work = found.run.host = clock.elapsed();
  return found;
}

void Searcher::State::reach_each_there(std::span<const VertexId> sources, const Nearby& nearby, const core::Watch& watch,
                                       const std::function<void(std::size_t, const ReachedRows&)>& take) {
  std::size_t a_call = thresholds::AnyDevice::reach_least_per_call;
  std::vector<std::size_t> left;
  std::vector<Ordering> orderings(static_cast<std::size_t>(team.size()), Ordering(num_vertices));
  for (std::size_t at = 0; at < sources.size();) {
    const std::string done = std::to_string(at) + " of " + std::to_string(sources.size()) + " searches done";
    if (watch.limited()) watch.check(done);
    if (options.run.progress && !options.run.progress({.what = "levels"}))
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller: " + done});
    const std::span<const VertexId> now = sources.subspan(at, std::min(a_call, sources.size() - at));
    resident::reach(device->api())(*device,
                                   {.rows = rows_there(*resident),
                                    .sources = now,
                                    .max_depth = nearby.max_depth,
                                    .nearest = nearby.nearest,
                                    .parents = nearby.parents,
                                    .most_arcs = thresholds::AnyDevice::reach_most_arcs_of_many},
                                   reach_memory, reach_answer);
    const auto rows_of = [&](const resident::ReachedThere& s, auto& array) {
      return array.empty() ? array.span() : array.span().subspan(s.begin, s.size);
    };
    left.assign(now.size(), 0);
    parallel_for(team, now.size(), 16, [&](std::size_t first, std::size_t last, int rank) {
      Ordering& put_in_order = orderings[static_cast<std::size_t>(rank)];
      for (std::size_t i = first; i < last; ++i) {
        const resident::ReachedThere& s = reach_answer.search[i];
        if (s.state == resident::ReachedThere::done)
          left[i] = put_in_order(rows_of(s, reach_answer.vertex), rows_of(s, reach_answer.parent),
                                 rows_of(s, reach_answer.distance), nearby.nearest);
      }
    });
    std::size_t i = 0;
    for (; i < now.size(); ++i) {
      const resident::ReachedThere& s = reach_answer.search[i];
      if (s.state == resident::ReachedThere::no_room) break;  // the next call begins with it
      if (s.state == resident::ReachedThere::done) {
        take(at + i, {.vertex = rows_of(s, reach_answer.vertex).first(left[i]),
                      .distance = rows_of(s, reach_answer.distance).first(left[i]),
                      .parent = nearby.parents ? rows_of(s, reach_answer.parent).first(left[i]) : std::span<VertexId>(),
                      .edges_examined = s.arcs});
        continue;
      }
      const Reached whole = reach_whole_there({.sources = {now[i]}, .max_depth = nearby.max_depth, .parents = nearby.parents},
                                              nearby.nearest, watch);
      take(at + i, {whole.vertex, whole.distance, whole.parent, whole.run.edges_examined});
    }
    at += i;
    // Next time so many that there is room for them, if they are like these.
    const std::size_t fit = resident::ReachMemory::answer_room / 4 * 3 / (reach_answer.vertex.size() / now.size() + 1);
    a_call = std::clamp<std::size_t>(std::min(fit, 4 * a_call), 1, thresholds::AnyDevice::reach_most_per_call);
  }
}

}  // namespace hopwave::inline v0_1
