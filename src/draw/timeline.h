// Timelines: where the time of searches went, as a chart, and as a trace that Perfetto and chrome://tracing open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hopwave/search.h"

namespace hopwave::report {

/// A part of a search, after the one before it.
struct Span {
  enum class Kind { before, part, push, pull, between, after } kind;
  std::string name;
  double begin_ms = 0, ms = 0;  ///< since the first span of its row began
  LevelTrace level = {};        ///< of a level; level.level is 0 for other parts
};

/// One search.
struct TimelineRow {
  std::string name;
  std::vector<Span> spans;  ///< in order of time, none overlaps another
  double work_ms = 0;       ///< what the report says of the whole traversal; 0: not known
  std::uint64_t launches = 0, round_trips = 0;

  [[nodiscard]] double end_ms() const { return spans.empty() ? 0 : spans.back().begin_ms + spans.back().ms; }
};

/// Preparing and copying the graph, the parts and levels of the traversal, the rest of its work (launches, barriers,
/// initialising: what is not traced one by one, and so is one span after the levels), and copying the answer back.
TimelineRow timeline_row(std::string name, const SearchReport& run);
/// Levels alone.
TimelineRow timeline_row(std::string name, const std::vector<LevelTrace>& trace);

/// One line per row on one axis of time: a box per level, coloured by direction. At most `most_timeline_rows` rows.
inline constexpr std::size_t most_timeline_rows = 60;
std::string timeline_chart(const std::string& title, const std::vector<TimelineRow>& rows);
/// Chrome's trace event format: one thread per row, a search with its parts and levels within it. Times in microseconds.
std::string timeline_trace(const std::string& title, const std::vector<TimelineRow>& rows);

}  // namespace hopwave::report
