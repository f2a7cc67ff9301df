// Arcs are drawn into cells, so that the picture of a continent's roads is as large as that of a town's.
#include "draw/map_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/people_text.h"
#include "draw/font.h"
#include "draw/style.h"

namespace hopwave::picture {
namespace {

constexpr double map_edge = 16, map_letter = 11, shown_side = 720;
constexpr int most_bands = 6, first_shade = 1, last_shade = 11;  // of the ramp: what is seen on the ground of the map
constexpr std::string_view map_ground = "#16191d", unreached_color = "#6b747e";
constexpr Distance nothing_there = -2;

/// Cells by the least level at which an arc through them is reached, `unreached`, or `nothing_there`.
struct Raster {
  std::size_t width = 1, height = 1;
  std::vector<Distance> level;

  void put(std::size_t x, std::size_t y, Distance d) {
    Distance& cell = level[y * width + x];
    if (cell < 0 || (d >= 0 && d < cell)) cell = std::max(cell, d) < 0 ? std::max(cell, d) : d;
  }
  /// Bresenham's line.
  void line(std::pair<long, long> from, std::pair<long, long> to, Distance d) {
    const long dx = std::abs(to.first - from.first), dy = -std::abs(to.second - from.second);
    const long step_x = from.first < to.first ? 1 : -1, step_y = from.second < to.second ? 1 : -1;
    for (long error = dx + dy;;) {
      put(static_cast<std::size_t>(from.first), static_cast<std::size_t>(from.second), d);
      if (from == to) return;
      const long twice = 2 * error;
      if (twice >= dy) error += dy, from.first += step_x;
      if (twice <= dx) error += dx, from.second += step_y;
    }
  }
};

class Map {
 public:
  Map(const Places& places, std::uint32_t side) : places_(places) {
    const auto [x0, x1] = std::minmax_element(places.x.begin(), places.x.end());
    const auto [y0, y1] = std::minmax_element(places.y.begin(), places.y.end());
    if (x0 == places.x.end()) return;
    left_ = *x0, top_ = *y1;
    const double wide = *x1 - *x0, high = *y1 - *y0, longer = std::max(wide, high);
    if (longer > 0) per_unit_ = (side - 1) / longer;
    raster.width = static_cast<std::size_t>(std::lround(wide * per_unit_)) + 1;
    raster.height = static_cast<std::size_t>(std::lround(high * per_unit_)) + 1;
  }
  [[nodiscard]] std::pair<long, long> cell(VertexId v) const {
    return {std::lround((places_.x[v] - left_) * per_unit_), std::lround((top_ - places_.y[v]) * per_unit_)};
  }
  Raster raster;

 private:
  const Places& places_;
  double left_ = 0, top_ = 0, per_unit_ = 0;
};

}  // namespace

Scene draw_map(const Graph& graph, const Places& places, std::span<const Distance> level, std::span<const VertexId> sources,
               const std::string& title, std::uint32_t side) {
  Map map(places, side);
  Raster& raster = map.raster;
  raster.level.assign(raster.width * raster.height, nothing_there);
  Distance deepest = 0;
  std::uint64_t reached = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    deepest = std::max(deepest, level[v]);
    reached += level[v] != unreached;
    map.raster.line(map.cell(v), map.cell(v), level[v]);
    for (const VertexId w : graph.out_neighbors(v))
      raster.line(map.cell(v), map.cell(w),
                  level[v] == unreached || level[w] == unreached ? unreached : std::max(level[v], level[w]));
  }
  const auto width = std::max<Distance>(static_cast<Distance>(nice_step(deepest + 1, most_bands)), 1);
  const int bands = deepest / width + 1;
  const auto shade = [&](int band) {
    return static_cast<unsigned char>(17 * (first_shade + band * (last_shade - first_shade) / std::max(bands - 1, 1)));
  };

  const double size = std::max(1.0, std::floor(shown_side / static_cast<double>(side)));
  const double high = size * static_cast<double>(raster.height);
  Scene scene{.width = std::max({size * static_cast<double>(raster.width), 480.0, drawn_width(title, 14, true)}) + 2 * map_edge,
              .height = 0,
              .title = title,
              .shapes = {}};
  scene.text(Style::title, {map_edge, map_edge + 12}, title, 14);
  scene.text(Style::soft, {map_edge, map_edge + 30},
             fmt::format("{} of {} reached, the farthest in {}", core::grouped(reached),
                         core::plural(graph.num_vertices(), "vertex", "vertices"),
                         core::plural(static_cast<std::uint64_t>(deepest), "step")),
             map_letter);
  double x = map_edge, y = map_edge + 44;
  const auto entry = [&](const std::string& words, const auto& mark) {
    const double need = 36 + drawn_width(words, map_letter);
    if (x > map_edge && x + need > scene.width - map_edge) x = map_edge, y += 20;
    scene.cells.push_back({.corner = {x, y}, .cell = 14, .width = 1, .height = 1, .dark = {255}, .color = map_ground});
    mark();
    scene.text(Style::words, {x + 19, y + 11}, words, map_letter);
    x += need;
  };
  for (int band = 0; band < bands; ++band)
    entry(width == 1 ? std::to_string(band)
                     : fmt::format("{}–{}", core::grouped(static_cast<std::uint64_t>(band) * width),
                                   core::grouped(static_cast<std::uint64_t>(band + 1) * width - 1)),
          [&] {
            scene.cells.push_back(
                {.corner = {x + 2, y + 2}, .cell = 10, .width = 1, .height = 1, .dark = {shade(band)}, .ramp = true});
          });
  if (reached < graph.num_vertices())
    entry("not reached", [&] {
      scene.cells.push_back(
          {.corner = {x + 2, y + 2}, .cell = 10, .width = 1, .height = 1, .dark = {255}, .color = unreached_color});
    });
  entry("source", [&] { scene.circle(Style::overfull, {x + 7, y + 7}, 4.5); });
  y += 26;

  const Point corner{map_edge, y};
  const auto layer = [&](std::string_view color, const auto& dark) {
    Cells cells{.corner = corner,
                .cell = size,
                .width = raster.width,
                .height = raster.height,
                .dark = {},
                .ramp = color.empty(),
                .color = color};
    for (const Distance d : raster.level) cells.dark.push_back(dark(d));
    scene.cells.push_back(std::move(cells));
  };
  layer(map_ground, [](Distance) { return static_cast<unsigned char>(255); });
  if (reached < graph.num_vertices())
    layer(unreached_color, [](Distance d) { return static_cast<unsigned char>(d == unreached ? 255 : 0); });
  layer({}, [&](Distance d) { return d < 0 ? static_cast<unsigned char>(0) : shade(d / width); });
  for (const VertexId s : sources) {
    const auto [column, row] = map.cell(s);
    scene.circle(Style::overfull,
                 {corner.x + size * (static_cast<double>(column) + 0.5), corner.y + size * (static_cast<double>(row) + 0.5)}, 7,
                 "source");
  }
  scene.height = y + high + map_edge;
  return scene;
}

}  // namespace hopwave::picture
