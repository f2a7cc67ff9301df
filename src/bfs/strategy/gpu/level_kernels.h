// Kernels that several strategies share: how a level array starts, and what --explain counts after a level.
// Counting is apart from the strategies' kernels, so that only the method is measured.
#pragma once

#include "bfs/strategy/gpu/gpu_strategy.h"

namespace hopwave::HW_MACHINE {
namespace {

using namespace hopwave::strategy;

/// Reports to the host that level `current` found something: the flag holds the last level that did, so it is never reset.
/// Looking first spares thousands of stores to one address; a stale look only stores the same value again.
HW_DEVICE void raise_flag(Distance* last_found, Distance current, bool found) {
  if (found && dev::peek(last_found) != current) dev::store(last_found, current);
}

/// Calls visit(w, state[w]) for each `step`-th neighbour of a row from the `first` on. Four are read before any is visited, so
/// that four reads are under way at once: no read may move over a store, and what a thread waits for here is memory. So are
/// the last few of a row: most rows of a road network are no longer. State may be stale, as with any peek.
template <class Offset, class State, class Visit>
HW_DEVICE void visit_row(const VertexId* row, Offset length, Offset first, Offset step, const State* state, Visit&& visit) {
  constexpr Offset batch = 4;
  for (Offset k = first; k < length; k += batch * step) {
    const Offset rest = length - k;
    VertexId w[batch] = {};
    State seen[batch] = {};
    HW_UNROLL for (Offset j = 0; j < batch; ++j) if (j * step < rest) w[j] = dev::read_only(&row[k + j * step]);
    HW_UNROLL for (Offset j = 0; j < batch; ++j) if (j * step < rest) seen[j] = dev::peek(&state[w[j]]);
    HW_UNROLL for (Offset j = 0; j < batch; ++j) if (j * step < rest) visit(w[j], seen[j]);
    if (rest <= batch * step) break;  // and k cannot wrap
  }
}

/// The whole row of v by one thread.
template <class Offset, class State, class Visit>
HW_DEVICE void visit_row_of(std::uint64_t v, const Offset* offsets, const VertexId* neighbors, const State* state,
                            Visit&& visit) {
  const Offset begin = dev::read_only(&offsets[v]), end = dev::read_only(&offsets[v + 1]);
  visit_row<Offset>(neighbors + begin, end - begin, 0, 1, state, visit);
}

/// Claims a vertex for level `current` if it has none yet. `seen` is its level as read before, which may be stale, and saves
/// most swaps. The swap decides, so exactly one thread claims w.
HW_DEVICE bool claim(Distance* level, VertexId w, Distance seen, Distance current) {
  return seen == unreached && dev::compare_exchange(&level[w], unreached, current) == unreached;
}

/// Claims the neighbours of v for level `current`, the whole row by one thread, and calls take(w, won, count) for each four of
/// them of which `count` > 0 were won. Four swaps are in flight at once, and a caller with a queue reserves one place for all
/// four: one after the other, a row of unreached vertices would wait for memory four times as often.
template <class Offset, class Take>
HW_DEVICE void claim_row_of(std::uint64_t v, const Offset* offsets, const VertexId* neighbors, Distance* level,
                            Distance current, Take&& take) {
  constexpr Offset batch = 4;
  const Offset begin = dev::read_only(&offsets[v]), end = dev::read_only(&offsets[v + 1]);
  for (Offset k = begin; k < end; k += batch) {
    const Offset rest = end - k;
    VertexId w[batch] = {};
    Distance seen[batch] = {};
    bool won[batch] = {};
    HW_UNROLL for (Offset j = 0; j < batch; ++j) if (j < rest) w[j] = dev::read_only(&neighbors[k + j]);
    HW_UNROLL for (Offset j = 0; j < batch; ++j) if (j < rest) seen[j] = dev::peek(&level[w[j]]);
    HW_UNROLL for (Offset j = 0; j < batch; ++j) {
      if (j >= rest) continue;
      won[j] = seen[j] == unreached;
      if (won[j]) seen[j] = dev::compare_exchange(&level[w[j]], unreached, current);
    }
    std::uint32_t count = 0;
    HW_UNROLL for (Offset j = 0; j < batch; ++j) {
      won[j] = won[j] && seen[j] == unreached;
      count += won[j];
    }
    if (count) take(w, won, count);
    if (rest <= batch) break;  // and k cannot wrap
  }
}

/// Level 0 for every source. With a queue the winner of the level also enters it, so a source given twice is there once.
HW_KERNEL void mark_sources(const VertexId* sources, std::uint32_t count, Distance* level, VertexId* queue,
                            std::uint32_t* size) {
  for (std::uint32_t i = dev::global_thread(); i < count; i += dev::global_threads()) {
    const VertexId s = dev::plain_read(&sources[i]);
    if (claim(level, s, unreached, 0) && queue) dev::plain_write(&queue[dev::fetch_add(size, 1u)], s);
  }
}

/// Everything unreached, sources at 0. `queue` and `size` may be null; *size must be 0 before.
inline void start_levels(Device& device, SourceList& list, std::span<const VertexId> sources, Buffer<Distance>& level,
                         VertexId* queue = nullptr, std::uint32_t* size = nullptr) {
  level.fill_bytes(0xFF);  // every byte 0xFF is −1: unreached
  list.each(sources, [&](const VertexId* part, std::uint32_t count) {
    launch(device, {{.grid = blocks_for(count, 256), .block = std::min(count, 256u)}}, mark_sources, part, count, level.data(),
           queue, size);
  });
}

/// After a push step to level `current`: its frontier, the arcs that leave it, and what it found.
template <class Offset>
HW_KERNEL void count_push(const Offset* offsets, VertexId num_vertices, const Distance* level, Distance current,
                          std::uint64_t* counts) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (level[v] == current) dev::fetch_add(&counts[2], 1u);
    if (level[v] != current - 1) continue;
    dev::fetch_add(&counts[0], 1u);
    if (offsets) dev::fetch_add(&counts[1], static_cast<std::uint64_t>(offsets[v + 1] - offsets[v]));
  }
}

/// After a pull step to level `current`: the arcs that it looked at, found again by the same early end.
template <class Offset>
HW_KERNEL void count_pull(const Offset* in_offsets, const VertexId* in_neighbors, VertexId num_vertices, const Distance* level,
                          Distance current, std::uint64_t* counts) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (level[v] != unreached && level[v] != current) continue;
    const Offset begin = in_offsets[v], end = in_offsets[v + 1];
    Offset e = begin;
    while (e < end && level[in_neighbors[e]] != current - 1) ++e;
    dev::fetch_add(&counts[1], static_cast<std::uint64_t>(e - begin) + (e < end));
  }
}

/// After a pass that relaxes: vertices with a distance, and those at distance 0.
HW_KERNEL void count_reached(VertexId num_vertices, const Distance* level, std::uint64_t* counts) {
  for (std::uint64_t v = dev::global_thread(); v < num_vertices; v += dev::global_threads()) {
    if (level[v] == unreached) continue;
    dev::fetch_add(&counts[0], 1u);
    if (level[v] == 0) dev::fetch_add(&counts[1], 1u);
  }
}

/// Fills the counts of a LevelTrace by going over the level array: push by its frontier's arcs, pull by its early end,
/// anything else by all arcs.
class LevelCounter {
 public:
  explicit LevelCounter(Device& device) : device_(device), counts_(device, 3) {}

  void count(const DeviceGraph& graph, const Buffer<Distance>& level, LevelTrace& trace) {
    graph.wide ? count<std::uint64_t>(graph, level, trace) : count<std::uint32_t>(graph, level, trace);
  }

 private:
  template <class Offset>
  void count(const DeviceGraph& graph, const Buffer<Distance>& level, LevelTrace& trace) {
    const std::string_view direction = trace.direction;
    const device::LaunchShape shape{.grid = blocks_for(graph.num_vertices, 256), .block = 256};
    counts_.fill_bytes(0);
    launch(device_, {shape}, count_push<Offset>, direction == "push" ? graph.offsets<Offset>() : nullptr, graph.num_vertices,
           level.data(), trace.level, counts_.data());
    if (direction == "pull")
      launch(device_, {shape}, count_pull<Offset>, graph.in_offsets<Offset>(), graph.in_neighbor_data(), graph.num_vertices,
             level.data(), trace.level, counts_.data());
    std::uint64_t counts[3];
    counts_.download(counts);
    trace.frontier = counts[0];
    trace.edges = direction == "push" || direction == "pull" ? counts[1] : graph.num_arcs;
    trace.discovered = direction == "relax" ? newly_reached(level, trace) : counts[2];
  }

  /// A pass that relaxes may settle several levels: it discovers what had no distance before it.
  std::uint64_t newly_reached(const Buffer<Distance>& level, const LevelTrace& trace) {
    const auto num_vertices = static_cast<VertexId>(level.size());
    counts_.fill_bytes(0);
    launch(device_, {{.grid = blocks_for(num_vertices, 256), .block = 256}}, count_reached, num_vertices, level.data(),
           counts_.data());
    std::uint64_t counts[3];
    counts_.download(counts);
    const std::uint64_t before = trace.level == 1 ? counts[1] : reached_;
    reached_ = counts[0];
    return reached_ - before;
  }

  Device& device_;
  Buffer<std::uint64_t> counts_;
  std::uint64_t reached_ = 0;  ///< after the last pass that relaxed
};

}  // namespace
}  // namespace hopwave::HW_MACHINE
