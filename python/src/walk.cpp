#include "walk.h"

#include <algorithm>

namespace hopwave::python {

// Levels: enter() is asked before each vertex is expanded. The vertices of level d lie between starts_[d] and starts_[d + 1];
// what they find is level d + 1, whose end is known when the last of them was expanded.
void Walk::advance(std::size_t enough, std::uint64_t arcs) {
  const std::size_t had = size();
  std::uint64_t looked = 0;
  while (!done_) {
    if (!enter() || levels() - 1 >= limit_ || size() == graph_->num_vertices()) {
      done_ = true;
      if (size() > starts_.back()) starts_.push_back(size());
      return;
    }
    if (size() - had >= enough || looked >= arcs) return;
    looked += expand_next();
  }
}

bool Walk::next_level() {
  if (done_ || !enter() || levels() - 1 >= limit_) {
    done_ = true;
    return false;
  }
  const std::size_t end = starts_.back();
  while (head_ < end && size() < graph_->num_vertices()) expand_next();
  head_ = end;
  done_ = size() == end;
  if (!done_) starts_.push_back(size());
  return !done_;
}

void Walk::label(std::vector<Labeled>& arcs, std::size_t enough) {
  while (!done_ && arcs.size() < enough) {
    if (!enter()) {
      done_ = true;
      return;
    }
    const std::size_t begin = starts_[levels() - 1], end = starts_.back();
    const auto from = static_cast<std::uint32_t>(head_);
    for (const VertexId w : graph_->out().of(scratch_->order[head_])) {
      if (!scratch_->has(w)) {
        scratch_->add(w, from);
        arcs.push_back({from, w, Kind::tree});
        continue;
      }
      const std::uint32_t rank = scratch_->rank[w];
      if (rank >= end) {
        arcs.push_back({from, w, Kind::forward});
      } else if (rank >= begin) {  // an edge within a level comes once: from the end that is expanded first
        if (graph_->directed() || rank >= from) arcs.push_back({from, w, Kind::level});
      } else if (graph_->directed()) {
        arcs.push_back({from, w, Kind::reverse});
      }
    }
    ++head_;
  }
}

// In the order of the walk, as a search that meets them would note them.
const std::vector<std::uint32_t>& AllPaths::before(std::uint32_t i) {
  const auto [at, fresh] = before_.try_emplace(i);
  std::vector<std::uint32_t>& all = at->second;
  if (!fresh) return all;
  const std::size_t level = walk_.level_of(i);
  const Scratch& scratch = walk_.scratch();
  for (const VertexId v : walk_.graph().in().of(walk_.vertex(i))) {
    if (!scratch.has(v)) continue;
    const std::uint32_t rank = scratch.rank[v];
    if (rank >= walk_.start_of(level - 1) && rank < walk_.start_of(level)) all.push_back(rank);
  }
  std::ranges::sort(all);
  return all;
}

bool AllPaths::next(std::vector<std::uint32_t>& path) {
  while (!stack_.empty()) {
    auto& [vertex, child] = stack_.back();
    if (vertex < walk_.start_of(1)) {  // a source
      path.clear();
      for (const auto& step : stack_) path.push_back(step.first);
      stack_.pop_back();
      return true;
    }
    const std::vector<std::uint32_t>& all = before(vertex);
    if (child < all.size()) {
      stack_.emplace_back(all[child++], 0);
    } else {
      stack_.pop_back();
    }
  }
  return false;
}

namespace {

/// One of the two searches that meet.
struct Side {
  const OrderedGraph& graph;
  const Rows& rows;
  std::unique_ptr<Scratch> scratch;
  std::size_t begin = 0, end = 1;  // the fringe, in the order of the search

  Side(const OrderedGraph& g, const Rows& r, VertexId start) : graph(g), rows(r), scratch(g.borrow()) {
    scratch->add(start, 0);
  }
  ~Side() { graph.give_back(std::move(scratch)); }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  [[nodiscard]] std::size_t fringe() const { return end - begin; }
  /// Expands the fringe; the vertex where it meets the other search, or no_vertex.
  VertexId expand(const Side& other) {
    for (std::size_t i = begin; i < end; ++i) {
      for (const VertexId w : rows.of(scratch->order[i])) {
        if (!scratch->has(w)) scratch->add(w, static_cast<std::uint32_t>(i));
        if (other.scratch->has(w)) return w;
      }
    }
    begin = end;
    end = scratch->order.size();
    return no_vertex;
  }
  /// From the start to `v`, backwards.
  void path(VertexId v, std::vector<VertexId>& to) const {
    std::uint32_t i = scratch->rank[v];
    for (; i != 0; i = scratch->parent[i]) to.push_back(scratch->order[i]);
    to.push_back(scratch->order[0]);
  }
};

}  // namespace

std::vector<VertexId> path_between(const OrderedGraph& graph, VertexId source, VertexId target) {
  if (source == target) return {source};
  Side forward(graph, graph.out(), source), backward(graph, graph.in(), target);
  while (forward.fringe() != 0 && backward.fringe() != 0) {
    const bool ahead = forward.fringe() <= backward.fringe();
    const VertexId meet = ahead ? forward.expand(backward) : backward.expand(forward);
    if (meet == no_vertex) continue;
    std::vector<VertexId> path, rest;
    forward.path(meet, path);
    std::ranges::reverse(path);
    backward.path(meet, rest);
    path.insert(path.end(), rest.begin() + 1, rest.end());
    return path;
  }
  return {};
}

bool two_colors(const OrderedGraph& graph, std::vector<VertexId>& order, std::vector<std::int8_t>& color) {
  const VertexId n = graph.num_vertices();
  color.assign(n, -1);
  std::vector<VertexId> stack;
  const auto take = [&](VertexId v, std::int8_t c) {
    color[v] = c;
    order.push_back(v);
    stack.push_back(v);
  };
  const auto spread = [&](VertexId v, std::span<const VertexId> row) {
    for (const VertexId w : row) {
      if (color[w] == color[v]) return false;
      if (color[w] < 0) take(w, static_cast<std::int8_t>(1 - color[v]));
    }
    return true;
  };
  for (VertexId start = 0; start < n; ++start) {
    if (color[start] >= 0 || graph.out().of(start).empty()) continue;
    take(start, 1);
    while (!stack.empty()) {
      const VertexId v = stack.back();
      stack.pop_back();
      if (graph.directed() && !spread(v, graph.in().of(v))) return false;
      if (!spread(v, graph.out().of(v))) return false;
    }
  }
  for (VertexId v = 0; v < n; ++v) {
    if (color[v] < 0) {
      color[v] = 0;
      order.push_back(v);
    }
  }
  return true;
}

}  // namespace hopwave::python
