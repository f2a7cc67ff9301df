// Copies a View to the device in pieces, and keeps the clock and the counters of the loop over levels.
#include "strategy/gpu/gpu_strategy.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/parallel.h"

namespace hopwave::strategy {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20;
/// Arcs up to which 32-bit offsets do: kernels stride over rows, and the last stride must not wrap round.
constexpr EdgeIndex most_narrow_arcs = std::numeric_limits<std::uint32_t>::max() - 4096;

/// Offsets as the device wants them. An empty graph may come with an empty array: it still gets its one zero.
template <class Offset>
Buffer<Offset> copy_offsets(Device& device, const Array<const EdgeIndex>& offsets) {
  Buffer<Offset> copy(device, std::max<std::size_t>(offsets.size(), 1));
  if (offsets.empty()) copy.fill_bytes(0);
  if constexpr (sizeof(Offset) == sizeof(EdgeIndex)) {
    copy.upload({offsets.data(), offsets.size()});
  } else {
    // By all threads and in blocks large enough for the copy's own threads: these are 8 bytes a vertex to read.
    constexpr std::size_t block = std::size_t{1} << 24;
    Team team(offsets.size() < piece ? 1 : 0);
    Array<Offset> narrow(std::min(offsets.size(), block));
    for (std::size_t at = 0; at < offsets.size(); at += block) {
      const std::size_t count = std::min(block, offsets.size() - at);
      parallel_for(team, count, piece, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i) narrow[i] = static_cast<Offset>(offsets[at + i]);
      });
      copy.upload({narrow.data(), count}, at);
      device.wait();  // `narrow` is used again
    }
  }
  return copy;
}

Buffer<VertexId> copy_neighbors(Device& device, const Array<const VertexId>& neighbors) {
  return Buffer<VertexId>(device, std::span<const VertexId>{neighbors.data(), neighbors.size()});
}

/// The tail of every arc, made piece by piece so that the host never holds all of them.
Buffer<VertexId> make_arc_sources(Device& device, VertexId num_vertices, const Adjacency& adjacency) {
  const std::size_t arcs = adjacency.neighbors.size();
  Buffer<VertexId> tails(device, arcs);
  std::vector<VertexId> part(std::min(arcs, piece));
  std::size_t filled = 0, at = 0;
  for (VertexId v = 0; v < num_vertices && arcs; ++v) {
    for (EdgeIndex e = adjacency.offsets[v]; e < adjacency.offsets[v + 1ull]; ++e) {
      part[filled++] = v;
      if (filled < part.size() && at + filled < arcs) continue;
      tails.upload({part.data(), filled}, at);
      device.wait();  // `part` is used again
      at += filled;
      filled = 0;
    }
  }
  return tails;
}

}  // namespace

DeviceGraph::DeviceGraph(Device& device, const View& view, const Needs& needs, bool wide_offsets)
    : num_vertices(view.num_vertices), num_arcs(view.num_arcs()), wide(wide_offsets || view.num_arcs() > most_narrow_arcs) {
  const bool in_is_out = needs.in && view.symmetric;
  if (needs.out || in_is_out) {
    if (wide)
      offsets64 = copy_offsets<std::uint64_t>(device, view.forward->offsets);
    else
      offsets32 = copy_offsets<std::uint32_t>(device, view.forward->offsets);
  }
  if (needs.out || in_is_out || needs.arc_sources) neighbors = copy_neighbors(device, view.forward->neighbors);
  if (needs.in && !in_is_out) {
    if (wide)
      in_offsets64 = copy_offsets<std::uint64_t>(device, view.backward->offsets);
    else
      in_offsets32 = copy_offsets<std::uint32_t>(device, view.backward->offsets);
    in_neighbors = copy_neighbors(device, view.backward->neighbors);
  }
  if (needs.arc_sources) arc_sources = make_arc_sources(device, num_vertices, *view.forward);
  device.wait();
}

void LevelLoop::begin(RunControl& control) {
  from_ = now();
  traced_ms_ = 0;
  if (control.trace) part_.start();
  total_.start();
}

void LevelLoop::started(RunControl& control) {
  if (control.trace) after_level();
}

void LevelLoop::before_level(RunControl& control) {
  if (control.trace) part_.start();
}

double LevelLoop::after_level() {
  part_.stop();
  const double ms = part_.milliseconds();
  traced_ms_ += ms;
  return ms;
}

void LevelLoop::uncharge(const Spent& since) {
  const Spent spent = now();
  from_.launches += spent.launches - since.launches;
  from_.round_trips += spent.round_trips - since.round_trips;
}

void LevelLoop::finish(RunControl& control) {
  total_.stop();
  // A trace stops between levels to count: its parts are the time, not the whole.
  control.stats->search_ms = control.trace ? traced_ms_ : total_.milliseconds();
  const Spent end = now();
  control.stats->launches = end.launches - from_.launches;
  control.stats->round_trips = end.round_trips - from_.round_trips;
}

std::uint32_t LevelLoop::most_levels(const Query& query, const RunControl& control, Distance current) {
  if (control.trace || query.target != no_vertex) return 1;
  const std::uint32_t most = control.progress ? 1024 : std::numeric_limits<std::int32_t>::max();
  return query.max_depth < 0 ? most : std::min(most, static_cast<std::uint32_t>(query.max_depth - current + 1));
}

std::uint32_t LevelLoop::greatest(const Buffer<Distance>& level) {
  std::vector<Distance> all(level.size());
  level.download(std::span<Distance>(all));
  const auto most = std::max_element(all.begin(), all.end());
  return most == all.end() || *most < 0 ? 0 : static_cast<std::uint32_t>(*most);
}

}  // namespace hopwave::strategy
