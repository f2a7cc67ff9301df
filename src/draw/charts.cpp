// Charts over tables: dots, slow-down matrix, heat map, stacked bars.
#include "draw/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/color.h"
#include "draw/chart_svg.h"

namespace hopwave::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool valid(double v) { return std::isfinite(v) && v > 0; }

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  void take(double v) {
    if (!valid(v)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  /// Position on a logarithmic scale, 0 … 1; one value alone stands in the middle.
  [[nodiscard]] double at(double v) const { return high > low ? std::log(v / low) / std::log(high / low) : 0.5; }
};

double widest(const std::vector<std::string>& names, double per_letter = 6.6) {
  std::size_t letters = 0;
  for (const auto& n : names) letters = std::max(letters, n.size());
  return per_letter * static_cast<double>(letters) + 12;
}

double best_of_column(const Table& t, std::size_t column) {
  double best = nan;
  for (const auto& row : t.values)
    if (valid(row[column]) && !(row[column] >= best)) best = row[column];
  return best;
}

void hatched(Svg& svg, double x, double y, double width, double height, const std::string& tip) {
  svg.rect(x, y, width, height, "cell", "url(#hatch)", tip);
}

}  // namespace

std::string dot_panels(const Table& t) {
  const double left = widest(t.rows), line = 18, panel_width = 420, head = 40;
  const double panel_height = head + line * static_cast<double>(t.rows.size()) + 24;
  Svg svg(left + panel_width + 90, 30 + panel_height * static_cast<double>(t.columns.size()), t.title);
  svg.text(8, 20, t.title, "title");
  for (std::size_t c = 0; c < t.columns.size(); ++c) {
    const double top = 30 + panel_height * static_cast<double>(c);
    Range range;
    for (const auto& row : t.values) range.take(row[c]);
    const double best = best_of_column(t, c);
    // Whole powers of ten, one of them below the best.
    const double from = std::pow(10, std::floor(std::log10(valid(best) ? best : 1) - 0.01));
    const double to = std::pow(10, std::ceil(std::log10(range.high > 0 ? range.high : 10) + 0.01));
    const auto x_of = [&](double v) { return left + panel_width * std::log(v / from) / std::log(to / from); };
    svg.text(left, top + 20, t.columns[c], "title");
    const double bottom = top + head + line * static_cast<double>(t.rows.size());
    for (double tick = from; tick <= to * 1.001; tick *= 10) {
      svg.line(x_of(tick), top + head - 6, x_of(tick), bottom, "grid");
      svg.text(x_of(tick), bottom + 14, fmt::format("{:g} {}", tick, t.unit), "soft", Anchor::middle);
    }
    for (std::size_t r = 0; r < t.rows.size(); ++r) {
      const double y = top + head + line * static_cast<double>(r), v = t.values[r][c];
      svg.text(left - 6, y + 12, t.rows[r], "small", Anchor::end);
      if (!valid(v)) {
        svg.text(left + 4, y + 12, "not measured", "soft");
        continue;
      }
      const std::string tip = fmt::format("{} on {}: {:.4g} {}", t.rows[r], t.columns[c], v, t.unit);
      svg.line(left, y + 8, left + panel_width, y + 8, "grid");
      svg.circle(x_of(v), y + 8, 4.5, "", series_color(0), tip);
      if (v == best) svg.circle(x_of(v), y + 8, 6, "best");
      svg.text(x_of(v) + 10, y + 12, short_number(v), v == best ? "title small" : "small");
    }
  }
  return svg.str();
}

std::string slowdown_matrix(const Table& t) {
  const double left = widest(t.rows), top = 40 + widest(t.columns, 4.8), cell_w = 66, cell_h = 22;
  Svg svg(left + cell_w * static_cast<double>(t.columns.size()) + 60, top + cell_h * static_cast<double>(t.rows.size()) + 20,
          t.title);
  svg.text(8, 20, t.title, "title");
  constexpr double darkest = 100;  // a hundred times slower than the best is as dark as it gets
  for (std::size_t c = 0; c < t.columns.size(); ++c) {
    const double x = left + cell_w * static_cast<double>(c), best = best_of_column(t, c);
    svg.text(x + cell_w / 2, top - 6, t.columns[c], "small", Anchor::start, -40);
    for (std::size_t r = 0; r < t.rows.size(); ++r) {
      const double y = top + cell_h * static_cast<double>(r), v = t.values[r][c];
      if (c == 0) svg.text(left - 6, y + 15, t.rows[r], "small", Anchor::end);
      if (!valid(v)) {
        hatched(svg, x, y, cell_w, cell_h, t.rows[r] + " was not measured on " + t.columns[c]);
        continue;
      }
      const double times = v / best, shade = std::log(times) / std::log(darkest);
      svg.rect(x, y, cell_w, cell_h, "cell", core::ramp_color(shade),
               fmt::format("{} on {}: {:.4g} {}, {:.2f} times the best", t.rows[r], t.columns[c], v, t.unit, times));
      svg.text(x + cell_w / 2, y + 15, short_number(times) + "×", shade > 0.55 ? "small light" : "small dark", Anchor::middle);
      if (v == best) svg.rect(x + 1.5, y + 1.5, cell_w - 3, cell_h - 3, "best");
    }
  }
  return svg.str();
}

std::string heat_map(const Table& t, const std::string& row_axis, const std::string& column_axis) {
  const double left = 90, top = 66, cell_w = 62, cell_h = 26;
  Svg svg(left + cell_w * static_cast<double>(t.columns.size()) + 20, top + cell_h * static_cast<double>(t.rows.size()) + 16,
          t.title);
  svg.text(8, 20, t.title, "title");
  svg.text(left, 40, fmt::format("{} →   ({})", column_axis, t.unit), "soft");
  svg.text(16, top - 8, row_axis + " ↓", "soft");
  Range range;
  for (const auto& row : t.values)
    for (const double v : row) range.take(v);
  for (std::size_t r = 0; r < t.rows.size(); ++r) {
    const double y = top + cell_h * static_cast<double>(r);
    svg.text(left - 8, y + 17, t.rows[r], "small", Anchor::end);
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      const double x = left + cell_w * static_cast<double>(c), v = t.values[r][c];
      if (r == 0) svg.text(x + cell_w / 2, top - 8, t.columns[c], "small", Anchor::middle);
      if (!valid(v)) {
        hatched(svg, x, y, cell_w, cell_h,
                fmt::format("{} {}, {} {}: invalid", row_axis, t.rows[r], column_axis, t.columns[c]));
        continue;
      }
      const double shade = range.at(v);
      svg.rect(x, y, cell_w, cell_h, "cell", core::ramp_color(shade),
               fmt::format("{} {}, {} {}: {:.4g} {}", row_axis, t.rows[r], column_axis, t.columns[c], v, t.unit));
      svg.text(x + cell_w / 2, y + 17, short_number(v), shade > 0.55 ? "small light" : "small dark", Anchor::middle);
      if (v == range.low) svg.rect(x + 1.5, y + 1.5, cell_w - 3, cell_h - 3, "best");
    }
  }
  return svg.str();
}

std::string stacked_bars(const Table& t) {
  const double left = widest(t.rows), bar = 24, width = 520, top = 58;
  double most = 0;
  for (const auto& row : t.values) {
    double sum = 0;
    for (const double v : row) sum += valid(v) ? v : 0;
    most = std::max(most, sum);
  }
  if (most <= 0) most = 1;
  Svg svg(left + width + 90, top + bar * static_cast<double>(t.rows.size()) + 20, t.title);
  svg.text(8, 20, t.title, "title");
  double legend = left;
  for (std::size_t c = 0; c < t.columns.size(); ++c) {
    svg.rect(legend, 34, 12, 12, "", series_color(c));
    svg.text(legend + 16, 44, t.columns[c], "small");
    legend += 34 + 6.4 * static_cast<double>(t.columns[c].size());
  }
  for (std::size_t r = 0; r < t.rows.size(); ++r) {
    const double y = top + bar * static_cast<double>(r);
    svg.text(left - 6, y + 15, t.rows[r], "small", Anchor::end);
    double x = left, sum = 0;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      const double v = valid(t.values[r][c]) ? t.values[r][c] : 0, w = width * v / most;
      svg.rect(x, y + 3, w, bar - 6, "", series_color(c), fmt::format("{}: {:.4g} {}", t.columns[c], v, t.unit));
      x += w;
      sum += v;
    }
    svg.text(x + 5, y + 15, short_number(sum) + " " + t.unit, "small");
  }
  return svg.str();
}

}  // namespace hopwave::report
