// Breadth-first search in NetworkX's order: vertices in the order in which a queue receives them, rows in the order of
// the caller's dicts. The queue is the array of found vertices, so the order costs nothing extra.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>

#include "rows.h"

namespace hopwave::python {

/// The rows that a walk follows. `both`: outgoing arcs first, then incoming ones.
enum class Way { out, in, both };

class Walk {
 public:
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  Walk(std::shared_ptr<const OrderedGraph> graph, Way way, std::uint64_t limit)
      : graph_(std::move(graph)), scratch_(graph_->borrow()), way_(graph_->directed() ? way : Way::out), limit_(limit) {}
  ~Walk() {
    if (scratch_) graph_->give_back(std::move(scratch_));
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  /// Adds a source, unless the walk has it already.
  void start(VertexId v) {
    if (scratch_->has(v)) return;
    scratch_->add(v, 0);
    starts_.back() = size();
    done_ = false;
  }
  /// Continues until `enough` vertices are found, or about `arcs` arcs are examined, or no vertex is left.
  void advance(std::size_t enough = no_limit, std::uint64_t arcs = no_limit);
  /// Finds the whole next level; returns false if there is none. Not together with advance().
  bool next_level();

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] std::size_t size() const { return scratch_->order.size(); }
  [[nodiscard]] VertexId vertex(std::size_t i) const { return scratch_->order[i]; }
  [[nodiscard]] std::uint32_t parent(std::size_t i) const { return scratch_->parent[i]; }
  [[nodiscard]] std::size_t levels() const { return starts_.size() - 1; }
  /// The vertices of a level are those from start_of(level) to start_of(level + 1).
  [[nodiscard]] std::size_t start_of(std::size_t level) const { return starts_[level]; }
  [[nodiscard]] const OrderedGraph& graph() const { return *graph_; }
  [[nodiscard]] const Scratch& scratch() const { return *scratch_; }
  /// Returns the level of the i-th found vertex.
  [[nodiscard]] std::size_t level_of(std::size_t i) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts_, i) - starts_.begin()) - 1;
  }

  /// An arc from the i-th found vertex, and its kind in the walk.
  enum class Kind : std::uint8_t { tree, forward, level, reverse };
  struct Labeled {
    std::uint32_t from;
    VertexId to;
    Kind kind;
  };
  /// Labels the arcs of the next vertices, until there are `enough`; none at the end. Not together with advance().
  void label(std::vector<Labeled>& arcs, std::size_t enough);

 private:
  /// Enters the level of the queue's next vertex; returns false at the end of the walk.
  bool enter() {
    if (head_ < starts_.back()) return true;
    if (size() == head_) return false;
    starts_.push_back(size());
    return true;
  }
  /// Expands the next vertex; returns the number of its arcs.
  std::uint64_t expand_next() {
    const VertexId v = scratch_->order[head_];
    std::uint64_t arcs = 0;
    if (way_ != Way::in) arcs += expand(graph_->out().of(v));
    if (way_ != Way::out) arcs += expand(graph_->in().of(v));
    ++head_;
    return arcs;
  }
  /// At the start of a level: returns whether it is less work to look for the parents of all remaining vertices.
  [[nodiscard]] bool bottom_up_pays();
  /// Expands the level that way, with the same order as result; returns the number of examined arcs.
  std::uint64_t expand_bottom_up();
  std::uint64_t expand(std::span<const VertexId> row) {
    for (const VertexId w : row) {
      if (!scratch_->has(w)) scratch_->add(w, static_cast<std::uint32_t>(head_));
    }
    return row.size();
  }

  std::shared_ptr<const OrderedGraph> graph_;
  std::unique_ptr<Scratch> scratch_;
  Way way_;
  std::uint64_t limit_;
  std::vector<std::size_t> starts_ = {0, 0};  // per level; the last is the end of the level that is being expanded
  std::size_t head_ = 0;                      // the vertex to expand next
  std::size_t weighed_ = 0;                   // arcs of the vertices before this one are counted
  std::uint64_t arcs_back_ = 0;               // of these, the arcs that lead to them
  bool done_ = true;
};

/// All shortest paths from the sources of a walk to one vertex, one after the other.
class AllPaths {
 public:
  /// Paths to the `target`-th found vertex. The walk must not change meanwhile, and must have found all vertices before
  /// it.
  AllPaths(const Walk& walk, std::uint32_t target) : walk_(walk), stack_{{target, 0}} {}
  /// Returns the next path, as positions in the walk's order, from the target back to a source; false if there is none
  /// left.
  bool next(std::vector<std::uint32_t>& path);

 private:
  const std::vector<std::uint32_t>& before(std::uint32_t i);

  const Walk& walk_;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack_;  // a vertex, and the index of its next predecessor
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> before_;
};

/// What a search for the next of several paths does not pass: vertices, and arcs from its source to vertices.
class Closed {
 public:
  explicit Closed(const OrderedGraph& graph)
      : vertices_(graph.num_vertices()), heads_(graph.num_vertices()), directed_(graph.directed()) {}

  void close(VertexId source, std::span<const VertexId> vertices, std::span<const VertexId> heads) {
    for (const VertexId v : closed_vertices_) vertices_[v] = false;
    for (const VertexId v : closed_heads_) heads_[v] = false;
    closed_vertices_.assign(vertices.begin(), vertices.end());
    closed_heads_.assign(heads.begin(), heads.end());
    for (const VertexId v : closed_vertices_) vertices_.at(v) = true;
    for (const VertexId v : closed_heads_) heads_.at(v) = true;
    source_ = source;
  }
  [[nodiscard]] bool vertex(VertexId v) const { return vertices_[v]; }
  [[nodiscard]] bool arc(VertexId tail, VertexId head) const {
    return (tail == source_ && heads_[head]) || (!directed_ && head == source_ && heads_[tail]);
  }

 private:
  std::vector<bool> vertices_, heads_;
  std::vector<VertexId> closed_vertices_ = {}, closed_heads_ = {};
  VertexId source_ = no_vertex;
  bool directed_;
};

/// Returns the shortest path from `source` to `target` that NetworkX's search from both ends finds; empty if there is
/// none. `closed`: on these, if it is not null.
std::vector<VertexId> path_between(const OrderedGraph& graph, VertexId source, VertexId target, const Closed* closed = nullptr);

/// Finds two colours, so that no arc joins vertices of one colour: those of NetworkX's search, in its order. Vertices
/// without arcs come last. Returns false if there are none.
bool two_colors(const OrderedGraph& graph, std::vector<VertexId>& order, std::vector<std::int8_t>& color);

}  // namespace hopwave::python
