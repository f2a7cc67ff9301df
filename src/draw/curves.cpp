// Charts over axes: levels of a traversal, lines, graph pictures, roofline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/color.h"
#include "draw/chart_svg.h"
#include "draw/charts.h"

namespace hopwave::report {
namespace {

/// A logarithmic axis between two powers of ten.
struct LogAxis {
  double low = 1, high = 10, from = 0, to = 100;  ///< values, and where they stand on the paper

  static LogAxis over(double least, double most, double from, double to) {
    if (!(least > 0)) least = 1;
    if (!(most > least)) most = least * 10;
    return {std::pow(10, std::floor(std::log10(least) + 1e-9)), std::pow(10, std::ceil(std::log10(most) - 1e-9)), from, to};
  }
  [[nodiscard]] double at(double v) const {
    return from + (to - from) * std::log(std::max(v, low) / low) / std::log(high / low);
  }
  template <class Draw>
  void ticks(Draw draw) const {
    // At most eight labels: with many decades every second or third is named.
    const int decades = static_cast<int>(std::lround(std::log10(high / low))),
              step = std::max(1, decades / 8 + (decades % 8 ? 1 : 0));
    for (int i = 0; i <= decades; i += step) draw(low * std::pow(10, i));
  }
};

}  // namespace

std::string level_chart(const std::string& title, const std::vector<LevelTrace>& trace) {
  const double left = 70, width = 620, top = 50, height = 170, times = 90, gap = 46;
  Svg svg(left + width + 20, top + height + gap + times + 40, title);
  svg.text(8, 20, title, "title");
  double most = 1, slowest = 1e-6, fastest = 1e9;
  for (const auto& t : trace) {
    most = std::max(most, static_cast<double>(t.frontier));
    slowest = std::max(slowest, t.milliseconds);
    if (t.milliseconds > 0) fastest = std::min(fastest, t.milliseconds);
  }
  const LogAxis y = LogAxis::over(1, most, top + height, top);
  const double step = width / static_cast<double>(std::max<std::size_t>(trace.size(), 1));
  y.ticks([&](double v) {
    svg.line(left, y.at(v), left + width, y.at(v), "grid");
    svg.text(left - 6, y.at(v) + 4, short_number(v), "soft", Anchor::end);
  });
  svg.text(left, top - 10, "frontier (vertices); push blue, pull orange", "soft");
  std::string points;
  for (std::size_t i = 0; i < trace.size(); ++i)
    points += fmt::format("{:.1f},{:.1f} ", left + step * (static_cast<double>(i) + 0.5),
                          y.at(static_cast<double>(trace[i].frontier)));
  svg.polyline(points, "trend", "#8a949e");
  const double base = top + height + gap + times;
  svg.text(left, base - times - 8, "time of the level (ms)", "soft");
  svg.line(left, base, left + width, base, "axis");
  svg.text(left - 6, base - times + 8, short_number(slowest), "soft", Anchor::end);
  svg.text(left - 6, base, "0", "soft", Anchor::end);
  // With hundreds of levels a mark a level would be a black band of many kilobytes: then the slowest of every few is drawn.
  const std::size_t every = trace.size() / 200 + 1;
  for (std::size_t begin = 0; begin < trace.size(); begin += every) {
    std::size_t i = begin;
    for (std::size_t k = begin + 1; k < std::min(begin + every, trace.size()); ++k)
      if (trace[k].milliseconds > trace[i].milliseconds) i = k;
    const auto& t = trace[i];
    const auto color = series_color(std::strcmp(t.direction, "pull") == 0 ? 1 : 0);
    const double x = left + step * static_cast<double>(i);
    const std::string tip = fmt::format("level {}: {}, frontier {}, {} edges, {:.4f} ms", t.level, t.direction, t.frontier,
                                        t.edges, t.milliseconds);
    svg.circle(x + step / 2, y.at(static_cast<double>(t.frontier)), trace.size() > 100 ? 1.8 : 4, "", color, tip);
    const double h = times * t.milliseconds / slowest;
    svg.rect(left + step * (static_cast<double>(begin) + 0.1), base - h,
             std::max(step * (static_cast<double>(every) - 0.2), 0.8), h, "", color, tip);
  }
  if (!trace.empty()) {
    svg.text(left, base + 16, fmt::format("level {}", trace.front().level), "soft");
    svg.text(left + width, base + 16, fmt::format("level {}", trace.back().level), "soft", Anchor::end);
  }
  return svg.str();
}

std::string line_chart(const std::string& title, const std::string& x_axis, const std::string& y_axis,
                       const std::vector<Series>& series) {
  const double left = 70, width = 560, top = 50, height = 260;
  Svg svg(left + width + 170, top + height + 50, title);
  svg.text(8, 20, title, "title");
  svg.text(left, 40, y_axis, "soft");
  svg.text(left + width, top + height + 34, x_axis, "soft", Anchor::end);
  double x_low = 1e300, x_high = 0, y_low = 1e300, y_high = 0;
  for (const auto& s : series)
    for (const auto& [x, y] : s.points) {
      x_low = std::min(x_low, x);
      x_high = std::max(x_high, x);
      y_low = std::min(y_low, y);
      y_high = std::max(y_high, y);
    }
  const LogAxis y = LogAxis::over(y_low, y_high, top + height, top);
  const auto x_at = [&](double x) { return left + (x_high > x_low ? width * (x - x_low) / (x_high - x_low) : width / 2); };
  y.ticks([&](double v) {
    svg.line(left, y.at(v), left + width, y.at(v), "grid");
    svg.text(left - 6, y.at(v) + 4, short_number(v), "soft", Anchor::end);
  });
  std::vector<double> ticks;
  for (const auto& s : series)
    for (const auto& p : s.points) ticks.push_back(p.first);
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  for (const double t : ticks) svg.text(x_at(t), top + height + 18, short_number(t), "soft", Anchor::middle);
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string points;
    for (const auto& [px, py] : series[i].points) {
      points += fmt::format("{:.1f},{:.1f} ", x_at(px), y.at(py));
      svg.circle(x_at(px), y.at(py), 3.5, "", series_color(i), fmt::format("{}: {:g}, {:.4g}", series[i].name, px, py));
    }
    svg.polyline(points, "trend", series_color(i));
    svg.rect(left + width + 14, top + 20 * static_cast<double>(i), 12, 12, "", series_color(i));
    svg.text(left + width + 31, top + 10 + 20 * static_cast<double>(i), series[i].name, "small");
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
                 core::ramp_color(most > 1 ? 0.15 + 0.85 * std::log1p(count) / std::log1p(most) : 1));
    }
  svg.line(left, top, left + side, top, "axis");
  svg.line(left, top + side, left + side, top + side, "axis");
  svg.line(left, top, left, top + side, "axis");
  svg.line(left + side, top, left + side, top + side, "axis");
  return svg.str();
}

std::string degree_chart(const GraphPicture& picture) {
  const double left = 70, width = 420, top = 50, height = 220;
  Svg svg(left + width + 20, top + height + 50, "degrees of " + picture.graph);
  svg.text(8, 20, "Degrees of " + picture.graph, "title");
  svg.text(left, 40, "vertices", "soft");
  svg.text(left + width, top + height + 34, "out-degree (from …)", "soft", Anchor::end);
  double most = 1;
  for (const auto& [degree, count] : picture.degrees) most = std::max(most, static_cast<double>(count));
  const LogAxis y = LogAxis::over(1, most, top + height, top);
  y.ticks([&](double v) {
    svg.line(left, y.at(v), left + width, y.at(v), "grid");
    svg.text(left - 6, y.at(v) + 4, short_number(v), "soft", Anchor::end);
  });
  const double step = width / static_cast<double>(std::max<std::size_t>(picture.degrees.size(), 1));
  for (std::size_t i = 0; i < picture.degrees.size(); ++i) {
    const auto [degree, count] = picture.degrees[i];
    const double x = left + step * static_cast<double>(i), t = y.at(static_cast<double>(count));
    // A single vertex stands at the axis' foot: a bar of two units keeps it visible.
    svg.rect(x + step * 0.1, std::min(t, top + height - 2), step * 0.8, std::max(top + height - t, 2.0), "", series_color(0),
             fmt::format("degree from {}: {} vertices", degree, count));
    svg.text(x + step / 2, top + height + 16, short_number(static_cast<double>(degree)), "soft", Anchor::middle);
  }
  return svg.str();
}

std::string roofline(const std::string& title, double bytes_per_second, const std::vector<RooflinePoint>& points) {
  const double left = 70, width = 560, top = 50, height = 280;
  Svg svg(left + width + 300, top + height + 50, title);
  svg.text(8, 20, title, "title");
  svg.text(left, 40, "arcs per second", "soft");
  svg.text(left + width, top + height + 34, "arcs per byte that must move", "soft", Anchor::end);
  double x_low = 1e300, x_high = 0, y_low = 1e300, y_high = 0;
  for (const auto& p : points) {
    x_low = std::min(x_low, p.arcs_per_byte);
    x_high = std::max(x_high, p.arcs_per_byte);
    y_low = std::min(y_low, p.arcs_per_second);
    y_high = std::max(y_high, std::max(p.arcs_per_second, p.arcs_per_byte * bytes_per_second));
  }
  const LogAxis x = LogAxis::over(x_low, x_high, left, left + width), y = LogAxis::over(y_low, y_high, top + height, top);
  y.ticks([&](double v) {
    svg.line(left, y.at(v), left + width, y.at(v), "grid");
    svg.text(left - 6, y.at(v) + 4, short_number(v), "soft", Anchor::end);
  });
  x.ticks([&](double v) { svg.text(x.at(v), top + height + 18, fmt::format("{:g}", v), "soft", Anchor::middle); });
  // The roof is a straight line in these axes; it is clipped to the paper by its own two ends.
  const double x0 = std::max(x.low, y.low / bytes_per_second), x1 = std::min(x.high, y.high / bytes_per_second);
  svg.line(x.at(x0), y.at(x0 * bytes_per_second), x.at(x1), y.at(x1 * bytes_per_second), "limit");
  svg.text(left + 6, top + 14, fmt::format("roof: {}, measured", rate_text(bytes_per_second)), "soft");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& p = points[i];
    const double reached = p.arcs_per_second / (p.arcs_per_byte * bytes_per_second);
    const std::string name = fmt::format("{} {:.0f} %", p.name, reached * 100);
    svg.circle(x.at(p.arcs_per_byte), y.at(p.arcs_per_second), 5, "", series_color(i), name);
    svg.rect(left + width + 14, top + 20 * static_cast<double>(i), 12, 12, "", series_color(i));
    svg.text(left + width + 31, top + 10 + 20 * static_cast<double>(i), name, "small");
  }
  return svg.str();
}

}  // namespace hopwave::report
