// The threads of one launch, one function a rule.
#pragma once

#include "draw/roles.h"

namespace hopwave::picture {

/// A step as the threads meet it: levels up to `current` − 1 are known.
class Level {
 public:
  Level(const Subject& subject, Distance current) : subject_(subject), current_(current) {}

  [[nodiscard]] const Subject& subject() const { return subject_; }
  [[nodiscard]] Distance current() const { return current_; }
  [[nodiscard]] bool in_frontier(VertexId v) const { return subject_.level[v] == current_ - 1; }
  [[nodiscard]] bool unvisited(VertexId v) const { return subject_.level[v] == unreached || subject_.level[v] >= current_; }
  /// A look along v → w: w gets its level from the thread that is its parent.
  [[nodiscard]] Look push(VertexId v, VertexId w) const;
  [[nodiscard]] std::string name(VertexId v) const { return subject_.names[v]; }
  [[nodiscard]] std::string arc(VertexId v, VertexId w) const { return name(v) + "→" + name(w); }
  /// The thread of item i in a grid that walks its items in strides: kernels take item i, i + grid, … .
  [[nodiscard]] Worker worker(std::uint64_t item, std::uint64_t items) const;

 private:
  const Subject& subject_;
  Distance current_;
};

/// One thread per vertex, in the order of `order` (empty: by id); those of the frontier look at their whole row.
Launch push_vertices(const Level& level, const std::vector<VertexId>& order);
/// One thread per vertex; the unvisited look for a neighbour of the level before and stop at the first.
Launch pull_vertices(const Level& level);
/// One thread per arc; those with a tail in the frontier look at their head.
Launch push_arcs(const Level& level);
/// One thread per entry of the queue, which looks at the whole row.
Launch push_queue(const Level& level, const std::vector<VertexId>& queue);
/// One thread per vertex; those that were found turn marks or flags into the next frontier.
Launch update_vertices(const Level& level, const std::string& what);
/// Groups of `width` threads walk the rows of the frontier vertices among their `width` vertices together.
Launch push_groups(const Level& level, std::uint32_t width);
/// One block per entry of the queue, one thread per arc of it.
Launch push_block_per_entry(const Level& level, const std::vector<VertexId>& queue);
/// As push_vertices(), but long rows wait in their block's queue; a second launch in name only shows the threads that do those.
std::vector<Launch> push_deferring(const Level& level);

/// Vertices that the launch labels, in the order of its threads.
std::vector<VertexId> found_by(const Launch& launch);
/// Fills `queues` by what the threads of each block found, at most `capacity` at a time, and `next`: their entries one block
/// after the other. What has no room goes to the common queue at once; with `flushes` the block empties its own and goes on.
void gather_by_block(Launch& launch, std::size_t capacity, bool flushes);

}  // namespace hopwave::picture
