// Breadth-first search in NetworkX's own order: vertices in the order in which a queue takes them in, rows as the caller's
// dicts have them. The queue is the array of vertices found, so the order costs nothing beside the search.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>

#include "rows.h"

namespace hopwave::python {

/// Which rows a walk follows. `both`: outgoing arcs first, then incoming ones.
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

  /// A source, unless the walk has it already.
  void start(VertexId v) {
    if (scratch_->has(v)) return;
    scratch_->add(v, 0);
    starts_.back() = size();
    done_ = false;
  }
  /// Goes on until `enough` vertices were found, or about `arcs` arcs were looked at, or nothing is left.
  void advance(std::size_t enough = no_limit, std::uint64_t arcs = no_limit);
  /// Finds the next level whole; false if there is none. Not together with advance().
  bool next_level();

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] std::size_t size() const { return scratch_->order.size(); }
  [[nodiscard]] VertexId vertex(std::size_t i) const { return scratch_->order[i]; }
  [[nodiscard]] std::uint32_t parent(std::size_t i) const { return scratch_->parent[i]; }
  [[nodiscard]] std::size_t levels() const { return starts_.size() - 1; }
  /// Vertices of a level are those from start(level) to start(level + 1).
  [[nodiscard]] std::size_t start_of(std::size_t level) const { return starts_[level]; }
  [[nodiscard]] const OrderedGraph& graph() const { return *graph_; }
  [[nodiscard]] const Scratch& scratch() const { return *scratch_; }
  /// Of the i-th vertex that was found.
  [[nodiscard]] std::size_t level_of(std::size_t i) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts_, i) - starts_.begin()) - 1;
  }

  /// An arc from the i-th vertex that was found, and what it is to the walk.
  enum class Kind : std::uint8_t { tree, forward, level, reverse };
  struct Labeled {
    std::uint32_t from;
    VertexId to;
    Kind kind;
  };
  /// Arcs of the vertices that come next, until there are `enough`; none at the end. Not together with advance().
  void label(std::vector<Labeled>& arcs, std::size_t enough);

 private:
  /// Enters the level that the next vertex of the queue belongs to; false at the end of the walk.
  bool enter() {
    if (head_ < starts_.back()) return true;
    if (size() == head_) return false;
    starts_.push_back(size());
    return true;
  }
  /// Expands the vertex that comes next; the number of its arcs.
  std::uint64_t expand_next() {
    const VertexId v = scratch_->order[head_];
    std::uint64_t arcs = 0;
    if (way_ != Way::in) arcs += expand(graph_->out().of(v));
    if (way_ != Way::out) arcs += expand(graph_->in().of(v));
    ++head_;
    return arcs;
  }
  /// At the begin of a level: is it less work to look for the parents of all vertices that are left?
  [[nodiscard]] bool bottom_up_pays();
  /// Expands the level from there, with the same order as a result; the number of arcs that were looked at.
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
  std::vector<std::size_t> starts_ = {0, 0};  // of levels; the last is the end of the level being expanded
  std::size_t head_ = 0;                      // the vertex to expand next
  std::size_t weighed_ = 0;                   // arcs of the vertices before this one were counted
  std::uint64_t arcs_back_ = 0;               // of these, those that lead to them
  bool done_ = true;
};

/// All shortest paths from the sources of a walk to one vertex, one after the other.
class AllPaths {
 public:
  /// To the `target`-th vertex that was found. The walk stays as it is meanwhile, and has found all before it.
  AllPaths(const Walk& walk, std::uint32_t target) : walk_(walk), stack_{{target, 0}} {}
  /// The next path, as places in the walk's order, from the target back to a source; false: there is none left.
  bool next(std::vector<std::uint32_t>& path);

 private:
  const std::vector<std::uint32_t>& before(std::uint32_t i);

  const Walk& walk_;
  std::vector<std::pair<std::uint32_t, std::size_t>> stack_;  // a vertex, and which of those before it comes next
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> before_;
};

/// A shortest path from `source` to `target`, the one that NetworkX's search from both ends finds; empty: there is none.
std::vector<VertexId> path_between(const OrderedGraph& graph, VertexId source, VertexId target);

/// Two colours, so that no arc joins vertices of one: as NetworkX's search gives them, and in its order. Vertices without arcs
/// come last. False: there are none.
bool two_colors(const OrderedGraph& graph, std::vector<VertexId>& order, std::vector<std::int8_t>& color);

}  // namespace hopwave::python
