// Charts over tables: dots, rivals, slow-down matrix, heat map, stacked bars.
#include "draw/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "draw/chart_svg.h"

namespace hopwave::report {
namespace {

using picture::ramp_color;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool valid(double v) { return std::isfinite(v) && v > 0; }

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  void take(double v) {
    if (!valid(v)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  /// Position on a logarithmic scale, 0 … 1; one value alone is in the middle.
  [[nodiscard]] double at(double v) const { return high > low ? std::log(v / low) / std::log(high / low) : 0.5; }
};

double widest(const std::vector<std::string>& names, std::string_view style = "small") {
  double width = 0;
  for (const auto& n : names) width = std::max(width, text_width(n, style));
  return width + 14;
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

/// Title, and the note below it in as many lines as it takes; returns where the rest may begin.
double head(Svg& svg, const Table& t, double width) {
  svg.text(8, 20, t.title, "title");
  double y = 26;
  for (const std::string& line : picture::text_lines(t.note, std::max(width, 320.0) - 16, 11)) {
    y += 14;
    svg.text(8, y, line, "soft");
  }
  return y + 12;
}

const std::vector<double>& samples_of(const Table& t, std::size_t row, std::size_t column) {
  static const std::vector<double> none;
  return t.samples.empty() ? none : t.samples[row][column];
}

/// Everything of a cell on a logarithmic axis: samples, the line over them, and the value.
template <class At>
void draw_samples(Svg& svg, const Table& t, std::size_t r, std::size_t c, double y, std::string_view color, At at) {
  const auto& samples = samples_of(t, r, c);
  const double v = t.values[r][c];
  const std::string name = t.rows[r] + " on " + t.columns[c];
  if (samples.size() < 2) return svg.circle(at(v), y, 4.5, "", color, fmt::format("{}: {:.4g} {}", name, v, t.unit));
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  svg.line(at(*least), y, at(*most), y, "span axis");
  for (const double s : samples)
    svg.circle(at(s), y, 3.5, "many", color, fmt::format("{}, one source: {:.4g} {}", name, s, t.unit));
  svg.rect(at(v) - 1.5, y - 7, 3, 14, "", color,
           fmt::format("{}: minimum {:.4g}, bar {:.4g}, maximum {:.4g} {} of {} sources", name, *least, v, *most, t.unit,
                       samples.size()));
}

/// The key of shades: from 1 to the greatest multiple of the best in even steps of the logarithm, then a hatched cell.
void shade_key(Svg& svg, double left, double y, double cell_w, double cell_h, double darkest, const std::string& none) {
  constexpr int steps = 6;
  svg.text(left - 6, y + 15, "times the best", "small", Anchor::end);
  for (int i = 0; i < steps; ++i) {
    const double times = std::pow(darkest, static_cast<double>(i) / (steps - 1));
    const std::string color = ramp_color(static_cast<double>(i) / (steps - 1));
    svg.rect(left + cell_w * i, y, cell_w, cell_h, "cell", color);
    svg.text_on(color, left + cell_w * (i + 0.5), y + 15, short_number(times >= 10 ? std::round(times) : times), "small",
                Anchor::middle);
  }
  hatched(svg, left + cell_w * steps + 10, y, cell_w, cell_h, "");
  svg.text(left + cell_w * (steps + 1) + 18, y + 15, none, "small");
}

}  // namespace

std::string dot_panels(const Table& t) {
  const double left = widest(t.rows), line = 20, panel_width = 420, above = 40;
  const double panel_height = above + line * static_cast<double>(t.rows.size()) + 40;
  Svg svg(left + panel_width + 90, 0, t.title);
  const double begin = head(svg, t, left + panel_width);
  for (std::size_t c = 0; c < t.columns.size(); ++c) {
    const double top = begin + panel_height * static_cast<double>(c);
    Range range;
    for (std::size_t r = 0; r < t.rows.size(); ++r) {
      range.take(t.values[r][c]);
      for (const double s : samples_of(t, r, c)) range.take(s);
    }
    const double best = best_of_column(t, c);
    const LogAxis x = LogAxis::over(range.high > 0 ? range.low : 1, range.high > 0 ? range.high : 10, left, left + panel_width);
    svg.text(left, top + 20, t.columns[c], "title");
    const double bottom = top + above + line * static_cast<double>(t.rows.size());
    x.ticks([&](double tick) {
      svg.line(x.at(tick), top + above - 6, x.at(tick), bottom, "grid");
      svg.text(x.at(tick), bottom + 14, fmt::format("{:g}", tick), "soft", Anchor::middle);
    });
    svg.text(left + panel_width / 2, bottom + 30, fmt::format("time ({}), logarithmic", t.unit), "soft", Anchor::middle);
    for (std::size_t r = 0; r < t.rows.size(); ++r) {
      const double y = top + above + line * static_cast<double>(r), v = t.values[r][c];
      svg.text(left - 6, y + 12, t.rows[r], "small", Anchor::end);
      if (!valid(v)) {
        svg.text(left + 4, y + 12, "not measured", "soft");
        continue;
      }
      svg.line(left, y + 8, left + panel_width, y + 8, "grid");
      draw_samples(svg, t, r, c, y + 8, series_color(0), [&](double s) { return x.at(s); });
      if (v == best) svg.circle(x.at(v), y + 8, 8, "best");
      double right = v;
      for (const double s : samples_of(t, r, c)) right = std::max(right, s);
      svg.text(x.at(right) + 12, y + 12, short_number(v), v == best ? "title small" : "small");
    }
  }
  return svg.str();
}

std::string rivals_chart(const Table& t, const std::vector<std::string>& own) {
  const double left = widest(t.columns), line = 34, width = 470;
  const auto is_own = [&](std::size_t r) { return std::find(own.begin(), own.end(), t.rows[r]) != own.end(); };
  Svg svg(left + width + 90, 0, t.title);
  double top = head(svg, t, left + width + 90);
  // The key: what each kind of dot is.
  double x = left;
  for (std::size_t i = 0; i < own.size(); ++i) {
    svg.circle(x + 6, top + 4, 5, "", series_color(i));
    svg.text(x + 16, top + 8, own[i], "small");
    x += 30 + text_width(own[i], "small");
  }
  svg.circle(x + 6, top + 4, 4, "hollow");
  svg.text(x + 16, top + 8, "others; the best is ringed and named", "small");
  top += 24;
  if (!own.empty()) svg.text(left + width + 12, top - 4, own.front() + ":", "small");
  Range range;
  for (const auto& row : t.values)
    for (const double v : row) range.take(v);
  const double bottom = top + line * static_cast<double>(t.columns.size());
  const LogAxis axis = LogAxis::over(range.high > 0 ? range.low : 1, range.high, left, left + width);
  axis.ticks([&](double tick) {
    svg.line(axis.at(tick), top, axis.at(tick), bottom, "grid");
    svg.text(axis.at(tick), bottom + 14, fmt::format("{:g} {}", tick, t.unit), "soft", Anchor::middle);
  });
  for (std::size_t c = 0; c < t.columns.size(); ++c) {
    const double y = top + line * (static_cast<double>(c) + 0.62);
    double first_own = nan, best_other = nan;
    std::size_t rival = t.rows.size();
    svg.text(left - 8, y + 4, t.columns[c], "small", Anchor::end);
    svg.line(left, y, left + width, y, "grid");
    for (const bool mine : {false, true})
      for (std::size_t r = 0; r < t.rows.size(); ++r) {
        const double v = t.values[r][c];
        if (is_own(r) != mine || !valid(v)) continue;
        const std::string tip = fmt::format("{} on {}: {:.4g} {}", t.rows[r], t.columns[c], v, t.unit);
        if (mine) {
          const auto i = static_cast<std::size_t>(std::find(own.begin(), own.end(), t.rows[r]) - own.begin());
          svg.circle(axis.at(v), y, 5.5, "", series_color(i), tip);
          if (i == 0) first_own = v;
        } else {
          svg.circle(axis.at(v), y, 4, "hollow", "", tip);
          if (!(v >= best_other)) best_other = v, rival = r;
        }
      }
    if (rival == t.rows.size()) continue;
    svg.circle(axis.at(best_other), y, 7, "best");
    svg.text(axis.at(best_other), y - 10, t.rows[rival], "small", Anchor::middle);
    if (!valid(first_own)) continue;
    const double times = best_other / first_own;
    svg.text(left + width + 12, y + 4,
             times >= 1 ? fmt::format("{:.1f} × faster", times) : fmt::format("{:.1f} × slower", 1 / times), "title small");
  }
  return svg.str();
}

std::string slowdown_matrix(const Table& t) {
  const std::size_t rows = t.rows.size(), columns = t.columns.size();
  const double left = widest(t.rows), cell_w = 46, cell_h = 22;
  // Sorted by the geometric mean of what was measured; rows with few cells, whose means say little, are last.
  std::vector<double> best(columns), mean(rows, nan);
  std::vector<std::size_t> order(rows), measured(rows);
  Range range;
  for (std::size_t c = 0; c < columns; ++c) best[c] = best_of_column(t, c);
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c)
      if (valid(t.values[r][c])) {
        range.take(t.values[r][c] / best[c]);
        sum += std::log(t.values[r][c] / best[c]);
        ++measured[r];
      }
    if (measured[r]) mean[r] = std::exp(sum / static_cast<double>(measured[r]));
  }
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool few_a = 2 * measured[a] < columns, few_b = 2 * measured[b] < columns;
    if (few_a != few_b) return few_b;
    return valid(mean[a]) && (!valid(mean[b]) || mean[a] < mean[b]);
  });
  const double width = left + cell_w * static_cast<double>(columns + 1) + 6;
  Svg svg(width + 8, 0, t.title);
  double names = text_width("geometric mean", "title small");
  for (const auto& column : t.columns) names = std::max(names, text_width(column, "small"));
  const double top = head(svg, t, width) + 0.65 * names + 12;
  const auto x_of = [&](std::size_t c) { return left + cell_w * static_cast<double>(c) + (c == columns ? 6 : 0); };
  for (std::size_t c = 0; c <= columns; ++c)
    svg.text(x_of(c) + cell_w / 2, top - 6, c == columns ? "geometric mean" : t.columns[c],
             c == columns ? "title small" : "small", Anchor::start, -40);
  const double darkest = std::max(range.high, 2.0);
  const auto shade = [&](double times) { return ramp_color(std::log(times) / std::log(darkest)); };
  for (std::size_t at = 0; at < rows; ++at) {
    const std::size_t r = order[at];
    const double y = top + cell_h * static_cast<double>(at);
    svg.text(left - 6, y + 15, t.rows[r], "small", Anchor::end);
    for (std::size_t c = 0; c <= columns; ++c) {
      const double x = x_of(c), times = c == columns ? mean[r] : t.values[r][c] / best[c];
      if (!valid(times)) {
        hatched(svg, x, y, cell_w, cell_h, t.rows[r] + " was not measured" + (c < columns ? " on " + t.columns[c] : ""));
        continue;
      }
      const std::string color = shade(times);
      svg.rect(x, y, cell_w, cell_h, "cell", color,
               c == columns ? fmt::format("{}: geometric mean of {} of {} graphs", t.rows[r], measured[r], columns)
                            : fmt::format("{} on {}: {:.4g} {}, {:.2f} times the best", t.rows[r], t.columns[c], t.values[r][c],
                                          t.unit, times));
      svg.text_on(color, x + cell_w / 2, y + 15, short_number(times), "small", Anchor::middle);
      if (c < columns && t.values[r][c] == best[c]) svg.outline_on(color, x + 1.5, y + 1.5, cell_w - 3, cell_h - 3);
    }
  }
  shade_key(svg, left, top + cell_h * static_cast<double>(rows) + 14, cell_w, cell_h, darkest, "not measured");
  return svg.str();
}

std::string heat_map(const Table& t, const std::string& row_axis, const std::string& column_axis) {
  const double left =
                   std::max({widest(t.rows), text_width(row_axis + " ↓", "soft") + 16, text_width("times the best", "small")}),
               top = 66, cell_w = 62, cell_h = 26, key_w = 44, height = top + cell_h * static_cast<double>(t.rows.size());
  // The key has six shades, one hatched cell and what that means.
  const double key = key_w * 7 + 24 + text_width("could not run", "small");
  Svg svg(left + std::max(cell_w * static_cast<double>(t.columns.size()), key) + 20, height + 50, t.title);
  svg.text(8, 20, t.title, "title");
  svg.text(left, 40, fmt::format("{} →   ({})", column_axis, t.unit), "soft");
  svg.text(8, top - 8, row_axis + " ↓", "soft");
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
      const std::string color = ramp_color(range.at(v));
      svg.rect(x, y, cell_w, cell_h, "cell", color,
               fmt::format("{} {}, {} {}: {:.4g} {}", row_axis, t.rows[r], column_axis, t.columns[c], v, t.unit));
      svg.text_on(color, x + cell_w / 2, y + 17, short_number(v), "small", Anchor::middle);
      if (v == range.low) svg.outline_on(color, x + 1.5, y + 1.5, cell_w - 3, cell_h - 3);
    }
  }
  if (range.high > range.low) shade_key(svg, left, height + 14, key_w, 22, range.high / range.low, "could not run");
  return svg.str();
}

std::string heat_matrix(const Table& t, const std::vector<std::vector<Table>>& maps, const std::string& row_axis,
                        const std::string& column_axis) {
  constexpr double cell_w = 30, cell_h = 14, gap = 12;
  const std::size_t rows = t.rows.size(), columns = t.columns.size();
  std::vector<double> best(columns, nan);
  std::vector<std::string> names;
  std::size_t wide = 0;
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < rows; ++r) {
      const Table& map = maps[r][c];
      wide = std::max(wide, map.columns.size());
      names.insert(names.end(), map.rows.begin(), map.rows.end());
      for (const auto& values : map.values)
        for (const double v : values)
          if (valid(v) && !(v >= best[c])) best[c] = v;
    }
  Range range;
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < rows; ++r)
      for (const auto& values : maps[r][c].values)
        for (const double v : values) range.take(v / best[c]);
  const double darkest = std::max(range.high, 2.0);
  const double left = widest(t.rows) + widest(names), panel = cell_w * static_cast<double>(wide);
  const double width = left + (panel + gap) * static_cast<double>(columns);
  Svg svg(width + 8, 0, t.title);
  double y = head(svg, t, width) + 14;
  svg.text(left - 6, y, row_axis + " ↓", "soft", Anchor::end);
  for (std::size_t c = 0; c < columns; ++c) svg.text(left + (panel + gap) * static_cast<double>(c), y, t.columns[c], "small");
  y += 8;
  const auto map_without_values = [](const Table& map) { return map.values.empty(); };
  for (std::size_t r = 0; r < rows; ++r) {
    const auto first = std::find_if_not(maps[r].begin(), maps[r].end(), map_without_values);
    if (first == maps[r].end()) continue;
    svg.text(8, y + 11, t.rows[r], "small");
    for (std::size_t i = 0; i < first->rows.size(); ++i)
      svg.text(left - 6, y + cell_h * static_cast<double>(i) + 11, first->rows[i], "soft", Anchor::end);
    for (std::size_t c = 0; c < columns; ++c) {
      const Table& map = maps[r][c];
      const double x0 = left + (panel + gap) * static_cast<double>(c);
      Range own;
      for (const auto& values : map.values)
        for (const double v : values) own.take(v);
      std::pair<double, double> least{-1, -1};
      std::string color_of_least;
      for (std::size_t i = 0; i < map.values.size(); ++i)
        for (std::size_t k = 0; k < map.columns.size(); ++k) {
          const double v = map.values[i][k], x = x0 + cell_w * static_cast<double>(k), at = y + cell_h * static_cast<double>(i);
          const std::string tip = fmt::format("{} on {}, {} {}, {} {}", t.rows[r], t.columns[c], row_axis, map.rows[i],
                                              column_axis, map.columns[k]);
          if (!valid(v)) {
            hatched(svg, x, at, cell_w, cell_h, tip + ": could not run");
            continue;
          }
          const std::string color = ramp_color(std::log(v / best[c]) / std::log(darkest));
          svg.rect(x, at, cell_w, cell_h, "cell", color,
                   fmt::format("{}: {:.4g} {}, {:.2f} times the best", tip, v, t.unit, v / best[c]));
          if (v == own.low) least = {x, at}, color_of_least = color;
        }
      if (least.first >= 0) svg.outline_on(color_of_least, least.first + 1, least.second + 1, cell_w - 2, cell_h - 2);
    }
    y += cell_h * static_cast<double>(first->rows.size()) + 8;
    if (r + 1 < rows) continue;
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t k = 0; k < maps[r][c].columns.size(); ++k)
        svg.text(left + (panel + gap) * static_cast<double>(c) + cell_w * (static_cast<double>(k) + 0.5), y + 6,
                 maps[r][c].columns[k], "soft", Anchor::middle);
  }
  svg.text(left + panel, y + 22, column_axis, "soft", Anchor::end);
  shade_key(svg, left, y + 36, cell_w + 16, 22, darkest, "could not run");
  return svg.str();
}

std::string stacked_bars(const Table& t) {
  const double left = widest(t.rows), bar = 24, width = 520;
  double most = 0;
  for (const auto& row : t.values) {
    double sum = 0;
    for (const double v : row) sum += valid(v) ? v : 0;
    most = std::max(most, sum);
  }
  if (most <= 0) most = 1;
  Svg svg(left + width + 90, 0, t.title);
  double top = head(svg, t, left + width), legend = left;
  for (std::size_t c = 0; c < t.columns.size(); ++c) {
    svg.rect(legend, top, 12, 12, "", series_color(c));
    svg.text(legend + 16, top + 10, t.columns[c], "small");
    legend += 30 + text_width(t.columns[c], "small");
  }
  top += 24;
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
