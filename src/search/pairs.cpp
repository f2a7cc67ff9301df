// Many pairs of source and target in one call: pairs of one source share a search, searches share passes.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "hopwave/error.h"
#include "search/finish.h"
#include "search/searcher.h"

namespace hopwave::inline v0_1 {
namespace {

using namespace search_detail;

/// The pairs of one source: places in the caller's order.
struct Group {
  VertexId source;
  std::span<const std::size_t> pairs;
};

/// Pairs by source. Pairs of equal ends are not searched for.
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
  [[nodiscard]] std::vector<VertexId> sources() const {
    std::vector<VertexId> all;
    all.reserve(groups_.size());
    for (const Group& group : groups_) all.push_back(group.source);
    return all;
  }

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

}  // namespace

void Searcher::State::each_pair(std::span<const Pair> pairs, Distance max_depth,
                                const std::function<void(std::size_t pair, const Result&)>& take) {
  check_sources(num_vertices, {}, max_depth);
  for (const Pair& pair : pairs) check_pair(num_vertices, pair);
  const core::Watch watch(options.limits);
  const Groups groups(pairs);
  const auto give = [&](const Group& group, const Result& result) {
    for (const std::size_t i : group.pairs) take(i, result);
  };
  const std::vector<VertexId> sources = groups.sources();
  if (!replicas.empty()) {
    deal_each(sources, max_depth, watch, [&](std::size_t i, Result&& result) { give(groups.all()[i], result); });
    return;
  }
  one_by_one = false;
  for (std::size_t at = 0; at < sources.size();) {
    const std::size_t width = options.trace ? 0 : next_pass(sources.size() - at);
    if (width != 0) {
      run_each(std::span(sources).subspan(at, width), max_depth, watch,
               [&](std::size_t i, Result&& result) { give(groups.all()[at + i], result); });
      at += width;
      continue;
    }
    const Group& group = groups.all()[at++];
    Query query{.sources = {group.source}, .max_depth = max_depth};
    if (group.pairs.size() == 1 && !resident) query.target = pairs[group.pairs[0]].target;
    give(group, run_whole(query, watch));
  }
}

std::vector<Distance> Searcher::distances(std::span<const Pair> pairs, Distance max_depth) {
  const Use use(state_);
  std::vector<Distance> all(pairs.size(), unreached);
  use->each_pair(pairs, max_depth, [&](std::size_t i, const Result& result) { all[i] = result.distance[pairs[i].target]; });
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

/// The arcs against the search. A strategy that needs none has none, so they are built by the first call that asks.
const Adjacency& Searcher::State::backward() {
  if (seen.backward) return *seen.backward;
  if (!with_backward) with_backward = std::make_unique<GraphView>(team, *graph, options.direction, true);
  return *with_backward->view().backward;
}

}  // namespace hopwave::inline v0_1
