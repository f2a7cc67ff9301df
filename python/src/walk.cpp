#include "walk.h"

#include <algorithm>
#include <bit>

namespace hopwave::python {

// Levels: enter() is called before each vertex is expanded. The vertices of level d are from starts_[d] to starts_[d +
// 1]; they find level d + 1, whose end is known when the last of them is expanded.
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
    looked += bottom_up_pays() ? expand_bottom_up() : expand_next();
  }
}

bool Walk::bottom_up_pays() {
  const std::size_t begin = starts_[levels() - 1], end = starts_.back();
  if (head_ != begin || way_ == Way::both) return false;
  const Rows &rows = way_ == Way::out ? graph_->out() : graph_->in(), &back = way_ == Way::out ? graph_->in() : graph_->out();
  for (; weighed_ < begin; ++weighed_) arcs_back_ += back.of(vertex(weighed_)).size();
  std::uint64_t ahead = 0;
  for (; weighed_ < end; ++weighed_) {
    ahead += rows.of(vertex(weighed_)).size();
    arcs_back_ += back.of(vertex(weighed_)).size();
  }
  const std::size_t n = graph_->num_vertices();
  const std::uint64_t left = back.ends.size() - arcs_back_ + (n - size());
  return ahead > 2 * left + n / 32;
}

// A queue would find each vertex from the first of its neighbours in the level, and those of one neighbour in the order
// of its row.
std::uint64_t Walk::expand_bottom_up() {
  const Rows &rows = way_ == Way::out ? graph_->out() : graph_->in(), &back = way_ == Way::out ? graph_->in() : graph_->out();
  const VertexId n = graph_->num_vertices();
  std::vector<std::pair<std::uint32_t, VertexId>> found;  // the neighbour's position in the order, and the vertex
  std::uint64_t looked = n / 64;
  const std::size_t begin = starts_[levels() - 1];
  const auto look = [&](VertexId v) {
    std::uint32_t first = no_vertex;
    for (const VertexId u : back.of(v)) {
      if (scratch_->has(u) && scratch_->rank[u] >= begin) first = std::min(first, scratch_->rank[u]);
    }
    looked += back.of(v).size();
    scratch_->rank[v] = first;  // for unseen vertices, for the rows below
    if (first != no_vertex) found.emplace_back(first, v);
  };
  for (std::uint64_t word = 0; word < scratch_->seen.size(); ++word) {
    for (std::uint64_t left = ~scratch_->seen[word]; left; left &= left - 1) {
      const std::uint64_t v = 64 * word + static_cast<std::uint64_t>(std::countr_zero(left));
      if (v < n) look(static_cast<VertexId>(v));
    }
  }
  std::ranges::sort(found);
  for (std::size_t i = 0, end = 0; i < found.size(); i = end) {
    const std::uint32_t parent = found[i].first;
    while (end < found.size() && found[end].first == parent) ++end;
    if (end - i == 1) {
      scratch_->add(found[i].second, parent);
      continue;
    }
    for (const VertexId w : rows.of(vertex(parent))) {
      ++looked;
      if (scratch_->has(w) || scratch_->rank[w] != parent) continue;
      scratch_->add(w, parent);
      if (++i == end) break;
    }
  }
  head_ = starts_.back();
  return looked;
}

bool Walk::next_level() {
  if (done_ || !enter() || levels() - 1 >= limit_) {
    done_ = true;
    return false;
  }
  const std::size_t end = starts_.back();
  if (bottom_up_pays()) expand_bottom_up();
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

// In the order of the walk, as a search that visits them would record them.
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
  const Closed* closed;
  bool ahead;
  std::unique_ptr<Scratch> scratch;
  std::size_t begin = 0, end = 1;  // the fringe, in the order of the search

  Side(const OrderedGraph& g, bool out, VertexId start, const Closed* shut)
      : graph(g), rows(out ? g.out() : g.in()), closed(shut), ahead(out), scratch(g.borrow()) {
    scratch->add(start, 0);
  }
  ~Side() { graph.give_back(std::move(scratch)); }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  [[nodiscard]] std::size_t fringe() const { return end - begin; }
  /// Expands the fringe; returns the vertex where it meets the other search, or no_vertex.
  VertexId expand(const Side& other) {
    for (std::size_t i = begin; i < end; ++i) {
      const VertexId v = scratch->order[i];
      for (const VertexId w : rows.of(v)) {
        if (closed && (closed->vertex(w) || (ahead ? closed->arc(v, w) : closed->arc(w, v)))) continue;
        if (!scratch->has(w)) scratch->add(w, static_cast<std::uint32_t>(i));
        if (other.scratch->has(w)) return w;
      }
    }
    begin = end;
    end = scratch->order.size();
    return no_vertex;
  }
  /// Appends the path from the start to `v`, backwards.
  void path(VertexId v, std::vector<VertexId>& to) const {
    std::uint32_t i = scratch->rank[v];
    for (; i != 0; i = scratch->parent[i]) to.push_back(scratch->order[i]);
    to.push_back(scratch->order[0]);
  }
};

}  // namespace

std::vector<VertexId> path_between(const OrderedGraph& graph, VertexId source, VertexId target, const Closed* closed) {
  if (source == target) return {source};
  Side forward(graph, true, source, closed), backward(graph, false, target, closed);
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
