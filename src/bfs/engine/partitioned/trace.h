// What a traced partitioned search reports: the time of each level, and of each device in it.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "bfs/engine/auto_trace.h"
#include "bfs/engine/partitioned/parts.h"
#include "device/device.h"

namespace hopwave::HW_MACHINE::engine::partitioned {

inline Milliseconds between(u64 from, u64 to) { return std::chrono::duration<double, std::nano>(to > from ? to - from : 0); }

/// A device's part of a level, of which the first device has the record `r`.
template <class Offset>
DeviceLevel device_level(const Part<Offset>& part, const LevelRecord& r, const LevelRecord& own, Distance level,
                         bool with_parents) {
  const State<Offset>& s = part.state;
  const Milliseconds first_part = between(own.began, own.first_done), second_part = between(own.first_met, own.second_done);
  const std::uint64_t others = std::uint64_t{s.words()} - s.own_words();
  const std::uint64_t gathered = others * sizeof(Word);
  const std::uint64_t reached_by = with_parents ? std::min<u64>(r.found, s.count) * sizeof(u32) : 0;
  const std::uint64_t reached = own.listed ? own.listed * sizeof(u32) : (s.devices - 1) * s.own_words() * sizeof(Word);
  const std::uint64_t asked = reached + (s.devices - 1) * reached_by;
  return {.level = level,
          .device = part.device->ordinal(),
          .compute = r.bottom_up ? second_part : first_part,
          .exchange = r.bottom_up ? first_part : second_part,
          .wait = between(own.first_done, own.first_met) + between(own.second_done, own.second_met),
          .bytes_read = r.bottom_up ? gathered : asked};
}

/// Levels beyond `most_records` are reported by their vertices alone, counted from the distances.
template <class Offset>
void tell_levels(SearchReport& stats, const Control& end, const Parts<Offset>& parts, bool with_parents) {
  const std::size_t levels = std::min<std::size_t>(end.records, most_records);
  std::vector<std::vector<LevelRecord>> records(parts.size(), std::vector<LevelRecord>(levels));
  for (std::size_t d = 0; d < parts.size(); ++d) {
    const device::KeepCurrent keep(*parts[d].device);
    parts[d].records.download(std::span<LevelRecord>(records[d]));
  }
  stats.parts.push_back({"launch", std::max(stats.work - between(end.began, end.ended), Milliseconds())});
  if (levels) stats.parts.push_back({"beginning", between(end.began, records[0][0].began)});
  for (std::size_t i = 0; i < levels; ++i) {
    const LevelRecord& r = records[0][i];
    const auto level = static_cast<Distance>(i + 1);
    stats.trace.push_back({.level = level,
                           .direction = r.bottom_up ? "pull" : "push",
                           .frontier = r.frontier,
                           .edges = r.bottom_up ? 0 : r.arcs,
                           .discovered = r.found,
                           .time = between(r.began, r.second_met)});
    for (std::size_t d = 0; d < parts.size(); ++d)
      stats.devices.push_back(device_level(parts[d], r, records[d][i], level, with_parents));
  }
  if (end.records <= most_records) return;
  std::vector<Distance> distances;  // their vertices do not matter
  for (const auto& part : parts) {
    const device::KeepCurrent keep(*part->device);
    distances.resize(distances.size() + part->count);
    part->distance.download(std::span<Distance>(distances).last(part->count));
  }
  trace_distances(stats, std::span<const Distance>(distances), levels + 1);
}

}  // namespace hopwave::HW_MACHINE::engine::partitioned
