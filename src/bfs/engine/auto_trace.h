// What is known of a search of `auto` afterwards: the rows that --explain and --trace show.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "bfs/engine/ms_bfs/ms_bfs.h"
#include "device/device.h"
#include "hopwave/search.h"

namespace hopwave::HW_MACHINE::engine {

inline constexpr const char* direction_names[] = {"push", "push", "pull", "push", "stop", "pull"};
inline constexpr const char* ms_bfs_names[] = {"begin", "push", "pull", "gather", "unqueued", "tail", "stop"};

/// What the devices' clocks count.
using Nanoseconds = std::chrono::duration<double, std::nano>;

/// Adds the times of a launch that kept records. False: it had more levels than records.
inline bool trace_levels(SearchReport& stats, const Control& c, const device::Buffer<LevelRecord>& memory) {
  if (c.records > memory.size()) return false;
  std::vector<LevelRecord> records(c.records);
  memory.download(std::span<LevelRecord>(records));
  const auto part = [&](const char* name, std::uint64_t from, std::uint64_t to) {
    stats.parts.push_back({name, Nanoseconds(to - from)});
  };
  stats.parts.push_back({"launch", std::max<Milliseconds>(stats.work - Nanoseconds(c.ended - c.began), {})});
  part("beginning", c.began, c.opened);
  part("last pass", c.settled, c.ended);
  std::uint64_t clock = c.opened;
  for (const LevelRecord& r : records) {
    stats.trace.push_back({.level = static_cast<Distance>(r.level),
                           .direction = direction_names[r.mode],
                           .frontier = r.frontier,
                           .edges = r.mode == pull ? 0 : r.edges,
                           .discovered = r.found,
                           .time = Nanoseconds(std::max(r.clock, clock) - clock)});
    clock = std::max(r.clock, clock);  // a first level that every block takes for itself is part of the beginning
  }
  return true;
}

/// Steps of many searches in one pass: for those that pull, `edges` are the words looked at.
inline void trace_ms_bfs(SearchReport& stats, const std::vector<ms_bfs::Record>& records) {
  if (records.size() < 2) return;
  const auto span = [&](std::size_t from, std::size_t to) -> Milliseconds {
    return Nanoseconds(records[to].clock - records[from].clock);
  };
  stats.parts.push_back({"launches and widening", stats.work - span(0, records.size() - 1)});
  stats.parts.push_back({"beginning", span(0, 1)});
  for (std::size_t i = 2; i < records.size(); ++i)
    stats.trace.push_back({.level = static_cast<Distance>(records[i].level),
                           .direction = ms_bfs_names[static_cast<u32>(records[i].mode)],
                           .frontier = records[i].frontier,
                           .edges = records[i].edges,
                           .discovered = records[i].found,
                           .time = span(i - 1, i)});
}

/// Adds levels counted from the distances, without times and edges, from the first-th on. For high-diameter searches, whose
/// levels are shorter than reading a clock and writing a record; and for searches of more levels than there are records.
inline void trace_distances(SearchReport& stats, std::span<const Distance> distances, std::size_t first = 1) {
  std::vector<std::uint64_t> width;
  for (const Distance d : distances) {
    if (d < 0) continue;
    if (static_cast<std::size_t>(d) >= width.size()) width.resize(static_cast<std::size_t>(d) + 1);
    ++width[static_cast<std::size_t>(d)];
  }
  for (std::size_t d = first; d < width.size(); ++d)
    stats.trace.push_back(
        {.level = static_cast<Distance>(d), .direction = "push", .frontier = width[d - 1], .discovered = width[d]});
}
inline void trace_distances(SearchReport& stats, const device::Buffer<Distance>& level) {
  std::vector<Distance> distances(level.size());
  level.download(std::span<Distance>(distances));
  trace_distances(stats, std::span<const Distance>(distances));
}

}  // namespace hopwave::HW_MACHINE::engine
