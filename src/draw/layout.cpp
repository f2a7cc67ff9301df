// Layered layout after Sugiyama, Tagawa, Toda (1981), without the dummy vertices: long arcs are bent round what is in the way.
#include "draw/layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace hopwave::picture {

Point point_of(const Line& line, double t) {
  const double u = 1 - t;
  return {u * u * line.start.x + 2 * u * t * line.control.x + t * t * line.end.x,
          u * u * line.start.y + 2 * u * t * line.control.y + t * t * line.end.y};
}

namespace {

constexpr double least_step_x = 62, least_step_y = 92, margin_left = 74, margin = 36;
constexpr std::size_t most_in_row = 14;
constexpr int sweeps = 8;

/// Vertices by level; those that are not reached come last.
std::vector<std::vector<VertexId>> by_level(const Subject& subject) {
  Distance last = -1;
  for (const Distance d : subject.level) last = std::max(last, d);
  std::vector<std::vector<VertexId>> rows(static_cast<std::size_t>(last + 2));
  for (VertexId v = 0; v < subject.size(); ++v)
    rows[static_cast<std::size_t>(subject.level[v] == unreached ? last + 1 : subject.level[v])].push_back(v);
  return rows;
}

/// Each row by the mean place of its vertices' neighbours in the row before (or after).
void order_rows(const Subject& subject, std::vector<std::vector<VertexId>>& rows) {
  std::vector<double> place(subject.size());
  const auto number = [&](const std::vector<VertexId>& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      place[row[i]] = static_cast<double>(i) - static_cast<double>(row.size() - 1) / 2;
  };
  for (const auto& row : rows) number(row);
  const auto settle = [&](std::size_t r, std::size_t beside) {
    std::vector<bool> counts(subject.size());
    for (const VertexId v : rows[beside]) counts[v] = true;
    const auto mean = [&](VertexId v) {
      double sum = 0, met = 0;
      for (const Rows* side : {&subject.forward, &subject.backward})
        for (const VertexId w : (*side)[v])
          if (counts[w]) sum += place[w], ++met;
      return met > 0 ? sum / met : place[v];
    };
    std::vector<std::pair<double, VertexId>> keyed;
    for (const VertexId v : rows[r]) keyed.emplace_back(mean(v), v);
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(keyed.begin(), keyed.end(), rows[r].begin(), [](const auto& k) { return k.second; });
    number(rows[r]);
  };
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (sweep % 2)
        settle(rows.size() - 1 - i, rows.size() - i);
      else
        settle(i, i - 1);
}

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// The bytes of the first `count` letters.
std::size_t bytes_of(const std::string& name, std::size_t count) {
  std::size_t at = 0;
  for (std::size_t met = 0; at < name.size(); ++at)
    if (begins_letter(name[at]) && met++ == count) break;
  return at;
}

double square(double v) { return v * v; }

/// How much of the curve lies on vertices that it does not join.
double covers(const Line& line, const Layout& layout) {
  constexpr int samples = 24;
  double sum = 0;
  for (VertexId v = 0; v < layout.at.size(); ++v) {
    if (v == line.from || v == line.to) continue;
    double near = 1e18;
    for (int i = 0; i <= samples; ++i) {
      const Point p = point_of(line, static_cast<double>(i) / samples);
      near = std::min(near, square(p.x - layout.at[v].x) + square(p.y - layout.at[v].y));
    }
    near = std::sqrt(near);
    if (near < layout.radius + 5) sum += layout.radius + 6 - near;
  }
  return sum;
}

Line bent(VertexId from, VertexId to, bool both, const Layout& layout, double bend) {
  const Point a = layout.at[from], b = layout.at[to];
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::max(std::hypot(dx, dy), 1.0);
  return {from, to, both, a, {(a.x + b.x) / 2 - dy / length * bend * 2, (a.y + b.y) / 2 + dx / length * bend * 2}, b};
}

/// Ends on the rims of the two circles, with room for the arrowhead.
void trim(Line& line, double radius) {
  const auto towards = [](Point from, Point to, double by) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1e-9);
    return Point{from.x + dx / length * by, from.y + dy / length * by};
  };
  const Point a = line.start, b = line.end;
  line.start = towards(a, line.control, radius + 1);
  line.end = towards(b, line.control, radius + (line.both ? 1 : 8));
}

void make_room(std::vector<Line>& lines, Layout& layout) {
  constexpr int samples = 24;
  constexpr double rim = 8;
  Point low{rim, rim}, high{layout.width - rim, layout.height - rim};
  for (const Line& line : lines)
    for (int i = 0; i <= samples; ++i) {
      const Point p = point_of(line, static_cast<double>(i) / samples);
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  const Point by{rim - low.x, rim - low.y};
  const auto move = [&](Point& p) { p = {p.x + by.x, p.y + by.y}; };
  std::for_each(layout.at.begin(), layout.at.end(), move);
  for (double& y : layout.row_heights) y += by.y;
  for (Line& line : lines)
    for (Point* p : {&line.start, &line.control, &line.end}) move(*p);
  layout.width = high.x + by.x + rim;
  layout.height = high.y + by.y + rim;
}

Line self_loop(VertexId v, const Layout& layout) {
  const Point c = layout.at[v];
  const double radius = layout.radius;
  return {v, v, false, {c.x - 8, c.y - radius}, {c.x, c.y - radius - 34}, {c.x + 10, c.y - radius - 6}};
}

}  // namespace

std::size_t letters(const std::string& name) {
  return static_cast<std::size_t>(std::count_if(name.begin(), name.end(), begins_letter));
}

std::string shortened(const std::string& name, std::size_t longest) {
  const std::size_t all = letters(name), tail = (longest - 1) / 2;
  if (all <= longest) return name;
  return name.substr(0, bytes_of(name, longest - 1 - tail)) + "…" + name.substr(bytes_of(name, all - tail));
}

std::vector<std::string> name_lines(const std::string& name) {
  constexpr std::size_t in_one = 5, in_two = 16;
  const std::size_t all = letters(name);
  if (all <= in_one) return {name};
  const std::string shown = shortened(name, in_two);
  const std::size_t half = bytes_of(shown, (std::min(all, in_two) + 1) / 2);
  return {shown.substr(0, half), shown.substr(half)};
}

double radius_for(const Subject& subject) {
  constexpr double least = 15, letter = 3, line = 9;  // half a letter's width in a PNG, which are the widest
  double radius = least;
  for (const std::string& name : subject.names)
    if (const auto lines = name_lines(name); lines.size() > 1)
      radius = std::max(radius, std::ceil(std::hypot(letter * static_cast<double>(letters(lines[0])), line)) + 1);
  return radius;
}

Layout layout_by_level(const Subject& subject) {
  auto levels = by_level(subject);
  order_rows(subject, levels);
  Layout layout;
  layout.at.resize(subject.size());
  const double usual = layout.radius;
  layout.radius = radius_for(subject);
  const double wider = 2 * (layout.radius - usual), step_x = least_step_x + wider, step_y = least_step_y + 1.5 * wider;
  double y = margin + wider / 2, widest = 0;
  for (const auto& row : levels) widest = std::max(widest, static_cast<double>(std::min(row.size(), most_in_row)));
  const double middle = margin_left + wider / 2 + (widest - 1) * step_x / 2;
  for (std::size_t r = 0; r < levels.size(); ++r) {
    const auto& row = levels[r];
    if (row.empty()) continue;
    layout.rows.push_back(r + 1 == levels.size() ? "unreached" : "level " + std::to_string(r));
    layout.row_heights.push_back(y);
    for (std::size_t from = 0; from < row.size(); from += most_in_row, y += from < row.size() ? step_y * 0.75 : step_y) {
      const std::size_t count = std::min(most_in_row, row.size() - from);
      for (std::size_t i = 0; i < count; ++i)
        layout.at[row[from + i]] = {middle + (static_cast<double>(i) - static_cast<double>(count - 1) / 2) * step_x,
                                    // Neighbours in a row differ a little in height, so that arcs along it can be seen.
                                    y + (i % 2 ? 14.0 : 0.0)};
    }
  }
  layout.width = margin_left + std::max(widest - 1, 0.0) * step_x + margin + 24 + wider / 2;
  layout.height = y - step_y + margin + 14 + wider / 2;
  return layout;
}

std::optional<Layout> layout_of_grid(const Subject& subject) {
  constexpr std::size_t least_side = 3;
  constexpr double step = 46;
  const std::size_t n = subject.size();
  std::size_t arcs = 0;
  for (const auto& row : subject.forward) arcs += row.size();
  for (std::size_t width = least_side; width * least_side <= n; ++width) {
    if (n % width) continue;
    const std::size_t height = n / width, sides = height * (width - 1) + width * (height - 1);
    const auto joins = [&](std::size_t v, std::size_t w) {
      const auto [low, high] = std::minmax(v, w);
      return high - low == width || (high - low == 1 && high % width != 0);
    };
    bool all = 2 * arcs > (subject.symmetric ? 2 : 1) * sides;  // most neighbours are joined, or it is no grid
    for (std::size_t v = 0; v < n && all; ++v)
      all = std::all_of(subject.forward[v].begin(), subject.forward[v].end(), [&](VertexId w) { return joins(v, w); });
    if (!all) continue;
    Layout layout;
    layout.radius = radius_for(subject);
    const double apart = step + 2 * (layout.radius - 15);
    for (std::size_t v = 0; v < n; ++v)
      layout.at.push_back({margin + apart * static_cast<double>(v % width), margin + apart * static_cast<double>(v / width)});
    layout.width = 2 * margin + apart * static_cast<double>(width - 1);
    layout.height = 2 * margin + apart * static_cast<double>(height - 1);
    return layout;
  }
  return std::nullopt;
}

std::vector<Line> lines_of(const Subject& subject, Layout& layout) {
  std::vector<Line> lines;
  const auto has = [&](VertexId v, VertexId w) {
    const auto& row = subject.forward[v];
    return std::find(row.begin(), row.end(), w) != row.end();
  };
  for (VertexId v = 0; v < subject.size(); ++v)
    for (std::size_t k = 0; k < subject.forward[v].size(); ++k) {
      const VertexId w = subject.forward[v][k];
      if (subject.symmetric && w < v) continue;           // drawn from its other end
      if (k && subject.forward[v][k - 1] == w) continue;  // parallel arcs are one line
      if (w == v) {
        lines.push_back(self_loop(v, layout));
        continue;
      }
      const bool opposite = !subject.symmetric && has(w, v);
      Line best = bent(v, w, subject.symmetric, layout, 0);
      double least = 1e18;
      for (const double bend : {0.0, 10.0, -10.0, 22.0, -22.0, 38.0, -38.0, 60.0, -60.0, 90.0, -90.0, 130.0, -130.0}) {
        if (opposite && bend <= 0) continue;  // two arcs against each other keep to a side each
        const Line line = bent(v, w, subject.symmetric, layout, bend);
        const double cost = covers(line, layout) * 8 + std::abs(bend) * 0.25;
        if (cost < least) least = cost, best = line;
      }
      trim(best, layout.radius);
      lines.push_back(best);
    }
  make_room(lines, layout);
  return lines;
}

}  // namespace hopwave::picture
