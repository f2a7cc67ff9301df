// Many pairs of source and target in one call: pairs of one source share a search, searches share passes; on a CPU pairs that
// are alone with their source are searched for from both ends.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/both_ends.h"
#include "bfs/searcher/searcher.h"
#include "bfs/searcher/trim.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

using namespace search_detail;

/// The pairs of one source: places in the caller's order.
struct Group {
  VertexId source;
  std::span<const std::size_t> pairs;
};

/// Pairs by source.
class Groups {
 public:
  explicit Groups(std::span<const Pair> pairs) : order_(pairs.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return pairs[a].source < pairs[b].source; });
    for (std::size_t at = 0; at < order_.size();) {
      std::size_t end = at;
      while (end < order_.size() && pairs[order_[end]].source == pairs[order_[at]].source) ++end;
      groups_.push_back({pairs[order_[at]].source, std::span(order_).subspan(at, end - at)});
      at = end;
    }
  }
  [[nodiscard]] const std::vector<Group>& all() const { return groups_; }

 private:
  std::vector<std::size_t> order_;
  std::vector<Group> groups_;
};

/// The least neighbour one level nearer, from level to level: from the target to the source.
std::vector<VertexId> walk_back(const Adjacency& backward, const Distance* distance, VertexId target) {
  if (distance[target] == unreached) return {};
  std::vector<VertexId> path(static_cast<std::size_t>(distance[target]) + 1);
  VertexId v = target;
  for (std::size_t i = path.size(); i-- > 0;) {
    path[i] = v;
    if (i == 0) break;
    EdgeIndex e = backward.offsets[v];
    while (distance[backward.neighbors[e]] != distance[v] - 1) ++e;
    v = backward.neighbors[e];
  }
  return path;
}

/// Answers the groups of one pair by searches from both ends, on this thread, and returns the other groups. A search from both
/// ends looks at few arcs, unless its ends lie in two large components, or far from each other in a lattice. Where there could
/// be passes instead (`passes`), these get what follows once the searches have looked at more than an eighth of the arcs each.
std::vector<Group> left_by_both_ends(const core::Watch& watch, const Graph& graph, std::span<const Pair> pairs,
                                     std::span<const Group> groups, bool passes, const PathOptions& options,
                                     const std::function<void(std::size_t pair, Distance)>& answer) {
  std::vector<Group> left;
  std::uint64_t searches = 0, examined = 0;
  for (const Group& group : groups) {
    if (group.pairs.size() > 1 || (passes && thresholds::Cpu::pair_part * examined > graph.num_arcs() * searches)) {
      left.push_back(group);
      continue;
    }
    const std::size_t i = group.pairs[0];
    const Path path = path_within(watch, graph, pairs[i].source, pairs[i].target, options);
    ++searches, examined += path.edges_examined;
    answer(i, path.length);
  }
  return left;
}

}  // namespace

/// On a CPU searches from both ends may replace passes, unless the caller asked for passes.
bool Searcher::State::both_ends() const {
  return placement.kind == DeviceKind::cpu && options.strategy == "auto" && !ms_bfs_asked() && !options.trace &&
         graph->has_in();
}

void Searcher::State::each_pair(std::span<const Pair> pairs, Distance max_depth,
                                const std::function<void(std::size_t pair, const Result&)>& take,
                                const std::function<void(std::size_t pair, Distance)>& answer) {
  check_sources(num_vertices, {}, max_depth);
  for (const Pair& pair : pairs) check_pair(num_vertices, pair);
  const core::Watch watch(options.run.limits);
  const Groups groups(pairs);
  const auto give = [&](const Group& group, const Result& result) {
    for (const std::size_t i : group.pairs) take(i, result);
  };
  std::vector<Group> all = groups.all();
  if (answer && both_ends()) {
    const PathOptions path{.direction = options.direction, .max_depth = max_depth, .run = {.progress = options.run.progress}};
    all = left_by_both_ends(watch, *graph, pairs, all, cpu_least() > 0, path, answer);
  }
  std::vector<VertexId> sources;
  for (const Group& group : all) sources.push_back(group.source);
  if (!replicas.empty()) {
    deal_each(sources, max_depth, watch, [&](std::size_t i, Result&& result) { give(all[i], result); });
    return;
  }
  begin_many(max_depth);
  for (std::size_t at = 0; at < sources.size();) {
    const auto left = std::span(sources).subspan(at);
    const auto [width, shows] = options.trace ? Next{} : next(left);
    if (width != 0) {
      run_each(left.first(width), max_depth, watch, [&](std::size_t i, Result&& result) { give(all[at + i], result); });
      at += width;
      continue;
    }
    const Group& group = all[at++];
    Query query{.sources = {group.source}, .max_depth = max_depth};
    if (group.pairs.size() == 1 && !resident && !shows) query.target = pairs[group.pairs[0]].target;
    const Result result = run_whole(query, watch);
    if (shows) learn(counted(result.distance.span()));
    give(group, result);
  }
}

std::vector<Distance> Searcher::distances(std::span<const Pair> pairs, Distance max_depth) {
  const Use use(state_);
  std::vector<Distance> all(pairs.size(), unreached);
  use->each_pair(
      pairs, max_depth, [&](std::size_t i, const Result& result) { all[i] = result.distance[pairs[i].target]; },
      [&](std::size_t i, Distance distance) { all[i] = distance; });
  return all;
}

std::vector<std::vector<VertexId>> Searcher::paths(std::span<const Pair> pairs, Distance max_depth) {
  const Use use(state_);
  if (use->resident) not_resident("paths", "distances");
  const Adjacency& backward = use->backward();
  std::vector<std::vector<VertexId>> all(pairs.size());
  use->each_pair(pairs, max_depth, [&](std::size_t i, const Result& result) {
    all[i] = walk_back(backward, result.distance.data(), pairs[i].target);
  });
  return all;
}

/// The reversed arcs. If the strategy does not need them, the first call of this function builds them.
const Adjacency& Searcher::State::backward() {
  if (seen.backward) return *seen.backward;
  if (!with_backward) with_backward = std::make_unique<GraphView>(team, *graph, options.direction, true);
  return *with_backward->view().backward;
}

}  // namespace hopwave::inline v0_1
