#include "draw/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "draw/chart_svg.h"

namespace hopwave::report {
namespace {

using Kind = Span::Kind;

/// Appends spans one after the other.
class Row {
 public:
  explicit Row(std::string name) { row_.name = std::move(name); }

  void add(Kind kind, std::string name, Milliseconds time, const LevelTrace& level = {}) {
    // A level is there whether it was timed or not; another part of no time is none.
    if (time <= Milliseconds() && level.level == 0) return;
    const double ms = std::max(time.count(), 0.0);
    row_.spans.push_back({kind, std::move(name), at_, ms, level});
    at_ += ms;
  }
  void add_levels(const std::vector<LevelTrace>& trace) {
    for (const LevelTrace& level : trace)
      add(std::strcmp(level.direction, "pull") == 0 ? Kind::pull : Kind::push, fmt::format("level {}", level.level), level.time,
          level);
  }

  [[nodiscard]] double at() const { return at_; }
  TimelineRow& row() { return row_; }

 private:
  TimelineRow row_;
  double at_ = 0;
};

bool of_work(const Span& span) { return span.kind != Kind::before && span.kind != Kind::after; }

bool is_level(const Span& span) { return span.kind == Kind::push || span.kind == Kind::pull; }

std::string tip_of(const Span& span) {
  if (!is_level(span)) return fmt::format("{}: {:.4g} ms", span.name, span.ms);
  const auto counted = [](std::uint64_t n) { return n ? std::to_string(n) : "not counted"; };
  return fmt::format("{}: {}, {:.4g} ms; frontier {}, arcs looked at {}, found {}", span.name, span.level.direction, span.ms,
                     counted(span.level.frontier), counted(span.level.edges), span.level.discovered);
}

/// By Kind.
constexpr std::array<std::size_t, 6> hue_of = {4, 5, 0, 1, 7, 4};
constexpr std::array<std::string_view, 6> words_of = {"prepare, copy the graph", "beginning, end", "level, push", "level, pull",
                                                      "outside the levels",      "copy the answer"};

std::string_view color_of(Kind kind) { return series_color(hue_of[static_cast<std::size_t>(kind)]); }

/// Boxes of one line. Levels that are narrower than a hair are drawn together, or thousands of them would be megabytes.
void draw_row(Svg& svg, const TimelineRow& row, double left, double y, double height, double scale) {
  constexpr double hair = 0.6;
  for (std::size_t i = 0; i < row.spans.size();) {
    const Span& first = row.spans[i];
    const std::size_t begin = i;
    double end = first.begin_ms + first.ms;
    const auto joins = [&](const Span& next) {
      return is_level(first) && next.kind == first.kind && (next.begin_ms + next.ms - first.begin_ms) * scale < hair;
    };
    for (++i; i < row.spans.size() && joins(row.spans[i]); ++i) end = row.spans[i].begin_ms + row.spans[i].ms;
    const double x = left + first.begin_ms * scale, width = (end - first.begin_ms) * scale;
    const std::string tip = i - begin == 1
                                ? tip_of(first)
                                : fmt::format("levels {} to {}: {}, {:.4g} ms", first.level.level, row.spans[i - 1].level.level,
                                              first.level.direction, end - first.begin_ms);
    svg.rect(x, y, width, height, width > 3 ? "cell" : "", color_of(first.kind), tip);
    const std::string label = is_level(first) ? std::to_string(first.level.level) : "";
    if (i - begin == 1 && text_width(label, "small") + 6 < width && !label.empty())
      svg.text_on(color_of(first.kind), x + width / 2, y + height / 2 + 4, label, "small", Anchor::middle);
  }
}

}  // namespace

TimelineRow timeline_row(std::string name, const SearchReport& run) {
  Row row(std::move(name));
  row.add(Kind::before, "prepare", run.prepare);
  row.add(Kind::before, "copy the graph", run.copy_in);
  const double begin = row.at();
  const auto last = [](const PartTime& part) { return std::strncmp(part.name, "last", 4) == 0; };
  for (const PartTime& part : run.parts)
    if (!last(part)) row.add(Kind::part, part.name, part.time);
  row.add_levels(run.trace);
  for (const PartTime& part : run.parts)
    if (last(part)) row.add(Kind::part, part.name, part.time);
  row.add(Kind::between, "outside the levels", run.work - Milliseconds(row.at() - begin));
  row.add(Kind::after, "copy the answer", run.copy_out);
  row.row().work_ms = run.work.count();
  row.row().launches = run.launches;
  row.row().round_trips = run.round_trips;
  return std::move(row.row());
}

TimelineRow timeline_row(std::string name, const std::vector<LevelTrace>& trace) {
  Row row(std::move(name));
  row.add_levels(trace);
  return std::move(row.row());
}

std::string timeline_chart(const std::string& title, const std::vector<TimelineRow>& rows) {
  constexpr double box = 22, line = 34, width = 640;
  const std::size_t shown = std::min(rows.size(), most_timeline_rows);
  double left = 60, longest = 0;
  for (std::size_t r = 0; r < shown; ++r) {
    left = std::max(left, text_width(rows[r].name, "small") + 14);
    longest = std::max(longest, rows[r].end_ms());
  }
  const double scale = longest > 0 ? width / longest : 0;
  Svg svg(left + width + 90, 0, title);
  svg.text(8, 20, title, "title");
  std::string note = "A number in a box is a level. The axis is linear.";
  if (shown < rows.size()) note += fmt::format(" The first {} of {} searches.", shown, rows.size());
  if (longest == 0) note = "No time was measured.";
  svg.text(8, 38, note, "soft");
  double top = 52, x = left;
  for (std::size_t k = 0; k < words_of.size(); ++k) {
    const auto kind = static_cast<Kind>(k);
    const bool there = std::any_of(rows.begin(), rows.end(), [&](const TimelineRow& row) {
      return std::any_of(row.spans.begin(), row.spans.end(), [&](const Span& span) { return span.kind == kind; });
    });
    if (!there) continue;
    const double need = 34 + text_width(words_of[k], "small");
    if (x > left && x + need > left + width + 80) x = left, top += 18;
    svg.rect(x, top, 12, 12, "", color_of(kind));
    svg.text(x + 16, top + 10, words_of[k], "small");
    x += need;
  }
  top += 26;
  const double bottom = top + line * static_cast<double>(shown);
  if (longest > 0) {
    const double step = picture::nice_step(longest, 8);
    for (int i = 0; i * step <= longest * (1 + 1e-9); ++i) {
      const double at = left + i * step * scale;
      svg.line(at, top - 4, at, bottom, "grid");
      svg.text(at, bottom + 14, short_number(i * step), "soft", Anchor::middle);
    }
    svg.text(left + width, bottom + 30, "ms", "soft", Anchor::end);
  }
  for (std::size_t r = 0; r < shown; ++r) {
    const double y = top + line * static_cast<double>(r) + (line - box) / 2;
    svg.text(left - 8, y + box / 2 + 4, rows[r].name, "small", Anchor::end);
    draw_row(svg, rows[r], left, y, box, scale);
    svg.text(left + rows[r].end_ms() * scale + 6, y + box / 2 + 4, short_number(rows[r].end_ms()) + " ms", "small");
  }
  return svg.str();
}

std::string timeline_trace(const std::string& title, const std::vector<TimelineRow>& rows) {
  using Json = nlohmann::ordered_json;
  Json events = Json::array();
  const auto named = [&](const char* what, std::size_t thread, const std::string& name) {
    events.push_back({{"ph", "M"}, {"name", what}, {"pid", 1}, {"tid", thread}, {"args", {{"name", name}}}});
  };
  const auto event = [&](const std::string& name, const char* category, std::size_t thread, double begin_ms, double ms,
                         Json arguments) {
    events.push_back({{"ph", "X"},
                      {"name", name},
                      {"cat", category},
                      {"pid", 1},
                      {"tid", thread},
                      {"ts", begin_ms * 1e3},
                      {"dur", ms * 1e3},
                      {"args", std::move(arguments)}});
  };
  named("process_name", 0, title);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const TimelineRow& row = rows[r];
    const std::size_t thread = r + 1;
    named("thread_name", thread, row.name);
    const auto first = std::find_if(row.spans.begin(), row.spans.end(), of_work);
    const auto last = std::find_if_not(first, row.spans.end(), of_work);
    for (auto at = row.spans.begin(); at != row.spans.end(); ++at) {
      const Span& span = *at;
      if (at == first) {
        // From the first to the last of its parts, which then lie within it.
        const Span& end = *std::prev(last);
        event("search", "search", thread, span.begin_ms, end.begin_ms + end.ms - span.begin_ms,
              {{"work_ms", row.work_ms}, {"launches", row.launches}, {"round_trips", row.round_trips}});
      }
      if (is_level(span))
        event(span.name, span.level.direction, thread, span.begin_ms, span.ms,
              {{"level", span.level.level},
               {"direction", span.level.direction},
               {"frontier", span.level.frontier},
               {"edges", span.level.edges},
               {"discovered", span.level.discovered}});
      else
        event(span.name, of_work(span) ? "part" : "copy", thread, span.begin_ms, span.ms, Json::object());
    }
  }
  return Json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump(1, ' ', false,
                                                                                  nlohmann::json::error_handler_t::replace) +
         "\n";
}

}  // namespace hopwave::report
