// Charts over axes: levels of a traversal, lines, graph pictures, roofline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "draw/chart_svg.h"
#include "draw/charts.h"

namespace hopwave::report {
namespace {

/// Title and axes of a chart whose y axis is logarithmic.
void frame(Svg& svg, const std::string& title, double left, double width, const LogAxis& y) {
  svg.text(left - 62, 20, title, "title");
  y.ticks([&](double v) {
    svg.line(left, y.at(v), left + width, y.at(v), "grid");
    svg.text(left - 6, y.at(v) + 4, short_number(v), "soft", Anchor::end);
  });
}

/// Where names of points at these heights are written, so that none is on another: at least `apart` from the next.
std::vector<double> spread_out(const std::vector<double>& heights, double apart) {
  std::vector<std::size_t> order(heights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return heights[a] < heights[b]; });
  std::vector<double> at(heights.size());
  double last = -std::numeric_limits<double>::infinity();
  for (const std::size_t i : order) last = at[i] = std::max(heights[i], last + apart);
  // Too low together: pushed up again from the lowest.
  double next = order.empty() ? 0 : (last + *std::max_element(heights.begin(), heights.end())) / 2;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    at[*i] = std::min(at[*i], next);
    next = at[*i] - apart;
  }
  return at;
}

/// Names next to their points, each with a line to it.
void name_points(Svg& svg, double right, const std::vector<std::pair<double, double>>& points,
                 const std::vector<std::string>& names) {
  std::vector<double> heights;
  for (const auto& [x, y] : points) heights.push_back(y);
  const auto at = spread_out(heights, 16);
  for (std::size_t i = 0; i < points.size(); ++i) {
    svg.line(points[i].first + 5, points[i].second, right + 10, at[i], "grid");
    svg.rect(right + 12, at[i] - 5, 10, 10, "", series_color(i));
    svg.text(right + 26, at[i] + 4, names[i], "small");
  }
}

/// One slot of a level chart.
struct Slot {
  const LevelTrace* trace = nullptr;  ///< null: the level was not traced
  double frontier = 0;                ///< 0: not known
};

/// A strategy that does not count writes a frontier of 0. What the level before has found is its size, where each level is
/// expanded once.
std::vector<Slot> slots_of(const std::vector<LevelTrace>& trace, Distance depth) {
  std::size_t last = depth == unreached ? 0 : depth;
  bool in_order = true;  // else levels are listed as they are
  for (std::size_t i = 0; i < trace.size(); ++i) {
    last = std::max<std::size_t>(last, trace[i].level);
    in_order = in_order && trace[i].level >= 1 && (i == 0 || trace[i].level > trace[i - 1].level);
  }
  std::vector<Slot> slots(in_order ? last : trace.size());
  for (std::size_t i = 0; i < trace.size(); ++i) slots[in_order ? trace[i].level - 1 : i].trace = &trace[i];
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].trace) continue;
    slots[i].frontier = static_cast<double>(slots[i].trace->frontier);
    const bool whole =
        std::strcmp(slots[i].trace->direction, "push") == 0 || std::strcmp(slots[i].trace->direction, "pull") == 0;
    if (slots[i].frontier == 0 && whole && in_order && i > 0 && slots[i - 1].trace)
      slots[i].frontier = static_cast<double>(slots[i - 1].trace->discovered);
  }
  return slots;
}

}  // namespace

std::string level_chart(const std::string& title, const std::vector<LevelTrace>& trace, Distance depth) {
  const double left = 70, width = 620, top = 74, height = 170, times = 90, gap = 52;
  Svg svg(left + width + 20, top + height + gap + times + 40, title);
  const std::vector<Slot> slots = slots_of(trace, depth);
  double most = 1, slowest = 0;
  bool hollow = false, missing = false;
  for (const Slot& slot : slots) {
    most = std::max(most, slot.frontier);
    if (slot.trace) slowest = std::max(slowest, slot.trace->time.count());
    missing = missing || !slot.trace;
    hollow = hollow || (slot.trace && slot.frontier == 0);
  }
  const LogAxis y = LogAxis::over(1, most, top + height, top);
  const double step = width / static_cast<double>(std::max<std::size_t>(slots.size(), 1)), base = top + height + gap + times;
  frame(svg, title, left, width, y);
  // The key names the colours where they are.
  double key = left;
  const auto entry = [&](std::string_view words, std::string_view color, bool dot) {
    if (dot)
      svg.circle(key + 5, top - 32, 4, color.empty() ? "hollow" : "", color);
    else
      svg.rect(key, top - 37, 10, 10, "cell", "url(#hatch)");
    svg.text(key + 14, top - 28, words, "soft");
    key += 30 + text_width(words, "soft");
  };
  entry("push", series_color(0), true);
  entry("pull", series_color(1), true);
  if (hollow) entry("size not counted", "", true);
  if (missing) entry("not traced", "", false);
  svg.text(left, top - 8, "frontier (vertices)", "soft");
  svg.text(left, base - times - 8, "time of the level (ms)", "soft");
  svg.line(left, base, left + width, base, "axis");
  if (slowest > 0) {
    svg.text(left - 6, base - times + 8, short_number(slowest), "soft", Anchor::end);
    svg.text(left - 6, base, "0", "soft", Anchor::end);
  } else if (!trace.empty()) {
    svg.text(left + 8, base - times / 2, "not measured", "soft");
  }
  std::string points;
  const auto finish = [&] {
    if (!points.empty()) svg.polyline(points, "trend");
    points.clear();
  };
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const double x = left + step * static_cast<double>(i);
    if (slots[i].frontier > 0)
      points += fmt::format("{:.1f},{:.1f} ", x + step / 2, y.at(slots[i].frontier));
    else
      finish();
    if (!slots[i].trace && !trace.empty())
      svg.rect(x, base - times, step, times, "cell", "url(#hatch)", fmt::format("level {}: not traced", i + 1));
  }
  finish();
  // With hundreds of levels a mark per level would be a black band of many kilobytes: then the slowest of every few is drawn.
  const std::size_t every = slots.size() / 200 + 1;
  const double radius = slots.size() > 100 ? 1.8 : 4;
  for (std::size_t begin = 0; begin < slots.size(); begin += every) {
    std::size_t i = begin;
    const auto time = [&](std::size_t k) { return slots[k].trace ? slots[k].trace->time.count() : -1; };
    for (std::size_t k = begin + 1; k < std::min(begin + every, slots.size()); ++k)
      if (time(k) > time(i)) i = k;
    if (!slots[i].trace) continue;
    const auto& t = *slots[i].trace;
    const auto color = series_color(std::strcmp(t.direction, "pull") == 0 ? 1 : 0);
    const double x = left + step * static_cast<double>(i), frontier = slots[i].frontier;
    const std::string tip =
        fmt::format("level {}: {}, frontier {}, {} edges, {:.4f} ms", t.level, t.direction,
                    frontier > 0 ? fmt::format("{:.0f}", frontier) : "not counted", t.edges, t.time.count());
    if (frontier > 0)
      svg.circle(x + step / 2, y.at(frontier), radius, "", color, tip);
    else
      svg.circle(x + step / 2, top + height + 12, radius, "hollow", "", tip);  // below the axis: it is not 1
    const double h = slowest > 0 ? times * t.time.count() / slowest : 0;
    svg.rect(left + step * (static_cast<double>(begin) + 0.1), base - h,
             std::max(step * (static_cast<double>(every) - 0.2), 0.8), h, "", color, tip);
  }
  const auto parts =
      static_cast<std::size_t>(picture::nice_step(static_cast<double>(std::max<std::size_t>(slots.size(), 12)), 12));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::size_t level = slots[i].trace ? slots[i].trace->level : i + 1;
    if (i == 0 || level % parts == 0)
      svg.text(left + step * (static_cast<double>(i) + 0.5), base + 16, std::to_string(level), "soft", Anchor::middle);
  }
  svg.text(left + width, base + 32, "level", "soft", Anchor::end);
  return svg.str();
}

std::string line_chart(const std::string& title, const std::string& x_axis, const std::string& y_axis,
                       const std::vector<Series>& series, bool doubling) {
  const double left = 70, width = 560, top = 50, height = 260;
  Svg svg(left + width + 40, top + height + 50, title);
  svg.text(left, 40, y_axis, "soft");
  svg.text(left + width, top + height + 34, x_axis, "soft", Anchor::end);
  double x_low = 1e300, x_high = 0, y_low = 1e300, y_high = 0;
  for (const auto& s : series)
    for (const auto* list : {&s.points, &s.samples})
      for (const auto& [x, y] : *list) {
        x_low = std::min(x_low, x);
        x_high = std::max(x_high, x);
        y_low = std::min(y_low, y);
        y_high = std::max(y_high, y);
      }
  const LogAxis y = LogAxis::over(y_low, y_high, top + height, top);
  const auto on_axis = [&](double x) { return doubling ? std::log2(std::max(x, 1e-300)) : x; };
  const auto x_at = [&](double x) {
    return left + (x_high > x_low ? width * (on_axis(x) - on_axis(x_low)) / (on_axis(x_high) - on_axis(x_low)) : width / 2);
  };
  frame(svg, title, left, width, y);
  std::vector<double> ticks;
  for (const auto& s : series)
    for (const auto& p : s.points) ticks.push_back(p.first);
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  for (const double t : ticks) svg.text(x_at(t), top + height + 18, short_number(t), "soft", Anchor::middle);
  std::vector<std::pair<double, double>> ends;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string points;
    for (const auto& [px, py] : series[i].samples)
      svg.circle(x_at(px), y.at(py), 2.5, "many", series_color(i),
                 fmt::format("{}, one source: {:g}, {:.4g}", series[i].name, px, py));
    for (const auto& [px, py] : series[i].points) {
      points += fmt::format("{:.1f},{:.1f} ", x_at(px), y.at(py));
      svg.circle(x_at(px), y.at(py), 4, "", series_color(i), fmt::format("{}: {:g}, {:.4g}", series[i].name, px, py));
    }
    svg.polyline(points, "trend", series_color(i));
    const auto end = series[i].points.empty() ? std::pair{x_high, y_low} : series[i].points.back();
    ends.emplace_back(x_at(end.first), y.at(end.second));
    names.push_back(series[i].name);
  }
  name_points(svg, left + width, ends, names);
  return svg.str();
}

std::string headline_chart(const std::string& title, const std::string& number, const std::string& facts,
                           const std::string& axis, const std::vector<double>& values) {
  const double left = 24, width = 620, dot = 9;
  constexpr std::size_t columns = 62;
  Svg svg(left * 2 + width, 0, title);
  svg.text(8, 20, title, "title");
  svg.text(8, 62, number, "big");
  double y = 68;
  for (const std::string& line : picture::text_lines(facts, width, 11)) svg.text(8, y += 15, line, "soft");
  if (values.empty()) return svg.str();
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double step = picture::nice_step(std::max(sorted.back() - sorted.front(), sorted.back() * 1e-3), 6);
  const double low = std::floor(sorted.front() / step) * step,
               high = std::max(std::ceil(sorted.back() / step), low / step + 1) * step;
  const auto x_at = [&](double v) { return left + width * (v - low) / (high - low); };
  std::vector<std::size_t> height(columns + 1);
  const auto column = [&](double v) {
    return static_cast<std::size_t>(static_cast<double>(columns) * (v - low) / (high - low));
  };
  for (const double v : sorted) ++height[column(v)];
  const std::size_t tallest = *std::max_element(height.begin(), height.end());
  const double base = y + 50 + dot * static_cast<double>(tallest);
  for (int i = 0; low + i * step <= high * (1 + 1e-9); ++i) {
    const double tick = low + i * step;
    svg.line(x_at(tick), base, x_at(tick), base + 5, "axis");
    svg.text(x_at(tick), base + 18, short_number(tick), "soft", Anchor::middle);
  }
  svg.line(left, base, left + width, base, "axis");
  svg.text(left + width, base + 34, axis, "soft", Anchor::end);
  std::fill(height.begin(), height.end(), std::size_t{0});
  for (const double v : sorted) {
    const std::size_t at = column(v);
    const double x = left + width * (static_cast<double>(at) + 0.5) / static_cast<double>(columns);
    svg.circle(std::min(x, left + width), base - dot * (static_cast<double>(++height[at]) - 0.5), 4, "", series_color(0),
               fmt::format("{:.4g}", v));
  }
  // The three names are in lines of their own, since any two may be at the same place.
  const std::size_t half = sorted.size() / 2;
  const double median = sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  const std::pair<const char*, double> marks[] = {{"minimum", sorted.front()}, {"median", median}, {"maximum", sorted.back()}};
  double mark_y = y + 24;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& [name, v] = marks[i];
    svg.line(x_at(v), mark_y + (i == 1 ? 4 : 18), x_at(v), base, "limit");
    svg.text(x_at(v), mark_y + (i == 1 ? 0 : 14), fmt::format("{} {}", name, short_number(v)), i == 1 ? "title small" : "small",
             i == 0   ? Anchor::end
             : i == 1 ? Anchor::middle
                      : Anchor::start);
  }
  return svg.str();
}

std::string spy_chart(const GraphPicture& picture) {
  const double left = 16, top = 34, side = 384, cell = side / picture.bins;
  Svg svg(left * 2 + side, top + side + 16, "arcs of " + picture.graph);
  svg.text(8, 20, "Arcs of " + picture.graph, "title");
  double most = 1;
  for (const auto count : picture.spy) most = std::max(most, static_cast<double>(count));
  for (std::uint32_t r = 0; r < picture.bins; ++r)
    for (std::uint32_t c = 0; c < picture.bins; ++c) {
      const auto count = static_cast<double>(picture.spy[std::size_t{r} * picture.bins + c]);
      if (count > 0)
        svg.rect(left + cell * c, top + cell * r, cell + 0.1, cell + 0.1, "",
                 picture::ramp_color(most > 1 ? 0.15 + 0.85 * std::log1p(count) / std::log1p(most) : 1));
    }
  svg.line(left, top, left + side, top, "axis");
  svg.line(left, top + side, left + side, top + side, "axis");
  svg.line(left, top, left, top + side, "axis");
  svg.line(left + side, top, left + side, top + side, "axis");
  return svg.str();
}

Histogram degree_histogram(std::string title, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& degrees) {
  Histogram histogram{.title = std::move(title), .axis = "out-degree", .bins = {}};
  for (const auto& [least, vertices] : degrees)
    histogram.bins.push_back({least, std::max<std::uint64_t>(2 * least, 1) - 1, vertices});
  return histogram;
}

Histogram level_histogram(std::string title, const std::vector<std::uint64_t>& at) {
  constexpr int most_bins = 24;
  const auto width =
      std::max<std::uint64_t>(static_cast<std::uint64_t>(picture::nice_step(static_cast<double>(at.size()), most_bins)), 1);
  Histogram histogram{.title = std::move(title), .axis = "level", .bins = {}};
  for (std::uint64_t first = 0; first < at.size(); first += width) {
    const std::uint64_t end = std::min<std::uint64_t>(first + width, at.size());
    std::uint64_t vertices = 0;
    for (std::uint64_t d = first; d < end; ++d) vertices += at[d];
    histogram.bins.push_back({first, end - 1, vertices});
  }
  return histogram;
}

std::string histogram_chart(const std::string& title, const std::vector<Histogram>& all) {
  const double margin = 70, wide = 420, top = 50, height = 220, panel = margin + wide + 20;
  Svg svg(panel * static_cast<double>(all.size()), top + height + 50, title);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& bins = all[k].bins;
    const double left = panel * static_cast<double>(k) + margin,
                 step = wide / static_cast<double>(std::max<std::size_t>(bins.size(), 1));
    svg.text(left, 40, "vertices", "soft");
    const bool ranges = std::any_of(bins.begin(), bins.end(), [](const Histogram::Bin& bin) { return bin.last > bin.first; });
    svg.text(left + wide, top + height + 34, all[k].axis + (ranges ? " (from …)" : ""), "soft", Anchor::end);
    double most = 1;
    for (const auto& bin : bins) most = std::max(most, static_cast<double>(bin.vertices));
    const LogAxis y = LogAxis::over(1, most, top + height, top);
    frame(svg, all[k].title, left, wide, y);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      if (bins[i].vertices == 0) continue;
      const double x = left + step * static_cast<double>(i), t = y.at(static_cast<double>(bins[i].vertices));
      // A single vertex is at the axis' foot: a bar of two units keeps it visible.
      svg.rect(x + step * 0.1, std::min(t, top + height - 2), step * 0.8, std::max(top + height - t, 2.0), "", series_color(0),
               fmt::format("{} {} to {}: {} vertices", all[k].axis, bins[i].first, bins[i].last, bins[i].vertices));
    }
    // Labels that would run into the next are left out.
    double free = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const std::string label = short_number(static_cast<double>(bins[i].first));
      const double x = left + step * (static_cast<double>(i) + 0.5), half = text_width(label, "soft") / 2;
      if (x - half < free) continue;
      svg.text(x, top + height + 16, label, "soft", Anchor::middle);
      free = x + half + 4;
    }
  }
  return svg.str();
}

std::string roofline(const std::string& title, double bytes_per_second, const std::vector<RooflinePoint>& points) {
  const double left = 70, width = 560, top = 50, height = 280;
  Svg svg(left + width + 40, top + height + 50, title);
  svg.text(left, 40, "arcs per second, median over sources", "soft");
  svg.text(left + width, top + height + 34, "arcs per byte that must move", "soft", Anchor::end);
  double x_low = 1e300, x_high = 0, y_low = 1e300, y_high = 0;
  for (const auto& p : points) {
    x_low = std::min(x_low, p.arcs_per_byte);
    x_high = std::max(x_high, p.arcs_per_byte);
    y_low = std::min(y_low, p.arcs_per_second);
    y_high = std::max(y_high, std::max(p.arcs_per_second, p.arcs_per_byte * bytes_per_second));
  }
  const LogAxis x = LogAxis::over(x_low, x_high, left, left + width), y = LogAxis::over(y_low, y_high, top + height, top);
  frame(svg, title, left, width, y);
  x.ticks([&](double v) { svg.text(x.at(v), top + height + 18, fmt::format("{:g}", v), "soft", Anchor::middle); });
  // The roof is a straight line in these axes; it is clipped to the paper by its own two ends.
  const double x0 = std::max(x.low, y.low / bytes_per_second), x1 = std::min(x.high, y.high / bytes_per_second);
  svg.line(x.at(x0), y.at(x0 * bytes_per_second), x.at(x1), y.at(x1 * bytes_per_second), "limit");
  svg.text(left + 6, top + 14,
           fmt::format("dashed: the roof, {}, measured; far below it: bound by latency", rate_text(bytes_per_second)), "soft");
  std::vector<std::pair<double, double>> at;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& p = points[i];
    at.emplace_back(x.at(p.arcs_per_byte), y.at(p.arcs_per_second));
    names.push_back(fmt::format("{} {:.2g} %", p.name, 100 * p.arcs_per_second / (p.arcs_per_byte * bytes_per_second)));
    svg.circle(at[i].first, at[i].second, 5, "", series_color(i), names[i]);
  }
  name_points(svg, left + width, at, names);
  return svg.str();
}

}  // namespace hopwave::report
