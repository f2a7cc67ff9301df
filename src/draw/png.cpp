// Scene → PNG. Edges are smoothed by distance: a pixel is covered by how far it lies inside a shape. Light colours only.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "core/png_memory.h"
#include "draw/font.h"
#include "draw/scene.h"
#include "draw/style.h"
#include "hopwave/error.h"

#ifdef HOPWAVE_WITH_PNG
#include <png.h>
#endif

namespace hopwave::picture {
#ifdef HOPWAVE_WITH_PNG
namespace {

using Color = std::array<double, 3>;

Color parse(std::string_view hex) {
  Color color{};
  for (std::size_t i = 0; i < 3; ++i) color[i] = std::stoi(std::string(hex.substr(1 + 2 * i, 2)), nullptr, 16);
  return color;
}

double distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double t = square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

class Canvas {
 public:
  Canvas(double width, double height, double scale)
      : scale_(scale),
        width_(static_cast<std::size_t>(std::ceil(width * scale))),
        height_(static_cast<std::size_t>(std::ceil(height * scale))),
        pixels_(width_ * height_ * 3, 255) {}

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t height() const { return height_; }
  [[nodiscard]] const std::vector<unsigned char>& pixels() const { return pixels_; }
  [[nodiscard]] double scale() const { return scale_; }

  /// Paints what `inside` says lies inside: pixels to the edge, positive within. Corners of the box in units.
  template <class Inside>
  void paint(std::string_view hex, Point low, Point high, Inside&& inside) {
    if (hex.empty()) return;
    const Color color = parse(hex);
    const auto clip = [](double v, std::size_t most) {
      return static_cast<std::size_t>(std::clamp(v, 0.0, static_cast<double>(most)));
    };
    const std::size_t x1 = clip(std::ceil(high.x * scale_) + 2, width_), y1 = clip(std::ceil(high.y * scale_) + 2, height_);
    for (std::size_t y = clip(std::floor(low.y * scale_) - 2, height_); y < y1; ++y)
      for (std::size_t x = clip(std::floor(low.x * scale_) - 2, width_); x < x1; ++x) {
        const Point at{(static_cast<double>(x) + 0.5) / scale_, (static_cast<double>(y) + 0.5) / scale_};
        // Few steps make few colours, which a file of a palette holds in a byte each.
        const double cover = std::round(std::clamp(inside(at) * scale_ + 0.5, 0.0, 1.0) * 8) / 8;
        if (cover > 0) blend(&pixels_[(y * width_ + x) * 3], color, cover);
      }
  }

  /// A square of one colour, on whole pixels.
  void fill(Point corner, double side, const Color& color) {
    const auto at = [&](double v, std::size_t most) {
      return static_cast<std::size_t>(std::clamp(std::round(v * scale_), 0.0, static_cast<double>(most)));
    };
    for (std::size_t y = at(corner.y, height_); y < at(corner.y + side, height_); ++y)
      for (std::size_t x = at(corner.x, width_); x < at(corner.x + side, width_); ++x)
        blend(&pixels_[(y * width_ + x) * 3], color, 1);
  }

 private:
  static void blend(unsigned char* pixel, const Color& color, double cover) {
    for (std::size_t i = 0; i < 3; ++i)
      pixel[i] = static_cast<unsigned char>(std::lround(pixel[i] * (1 - cover) + color[i] * cover));
  }

  double scale_;
  std::size_t width_, height_;
  std::vector<unsigned char> pixels_;
};

void draw_rect(Canvas& canvas, const Shape& s, const Appearance& a) {
  const Point low = s.points[0], high{low.x + s.points[1].x, low.y + s.points[1].y};
  const auto within = [&](Point p) { return std::min({p.x - low.x, high.x - p.x, p.y - low.y, high.y - p.y}); };
  canvas.paint(a.fill, low, high, within);
  canvas.paint(a.stroke, low, high, [&](Point p) { return a.width / 2 - std::abs(within(p)); });
}

void draw_circle(Canvas& canvas, const Shape& s, const Appearance& a) {
  const Point c = s.points[0];
  const double r = s.points[1].x, reach = r + a.width;
  const auto within = [&](Point p) { return r - std::hypot(p.x - c.x, p.y - c.y); };
  canvas.paint(a.fill, {c.x - reach, c.y - reach}, {c.x + reach, c.y + reach}, within);
  canvas.paint(a.stroke, {c.x - reach, c.y - reach}, {c.x + reach, c.y + reach},
               [&](Point p) { return a.width / 2 - std::abs(within(p)); });
}

void draw_curve(Canvas& canvas, const Shape& s, const Appearance& a) {
  constexpr int pieces = 24;
  std::array<Point, pieces + 1> line;
  Point low = s.points[0], high = low;
  for (int i = 0; i <= pieces; ++i) {
    const double t = static_cast<double>(i) / pieces, u = 1 - t;
    line[static_cast<std::size_t>(i)] = {u * u * s.points[0].x + 2 * u * t * s.points[1].x + t * t * s.points[2].x,
                                         u * u * s.points[0].y + 2 * u * t * s.points[1].y + t * t * s.points[2].y};
    const Point p = line[static_cast<std::size_t>(i)];
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double reach = a.width;
  canvas.paint(a.stroke, {low.x - reach, low.y - reach}, {high.x + reach, high.y + reach}, [&](Point p) {
    double near = 1e9;
    for (std::size_t i = 0; i < pieces; ++i)
      if (!a.dashed || i % 3 != 2) near = std::min(near, distance(p, line[i], line[i + 1]));
    return a.width / 2 - near;
  });
}

void draw_triangle(Canvas& canvas, const Shape& s, const Appearance& a) {
  const Point p0 = s.points[0], p1 = s.points[1], p2 = s.points[2];
  const auto side = [](Point p, Point from, Point to) {
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1e-9);
    return ((p.x - from.x) * dy - (p.y - from.y) * dx) / length;
  };
  const double turn = side(p2, p0, p1) < 0 ? -1 : 1;
  const Point low{std::min({p0.x, p1.x, p2.x}), std::min({p0.y, p1.y, p2.y})};
  const Point high{std::max({p0.x, p1.x, p2.x}), std::max({p0.y, p1.y, p2.y})};
  canvas.paint(a.stroke, low, high, [&](Point p) {
    return std::min({turn * side(p, p0, p1), turn * side(p, p1, p2), turn * side(p, p2, p0)});
  });
}

void draw_text(Canvas& canvas, const Shape& s, const Appearance& a) {
  const auto glyphs = glyphs_of(s.text);
  const double point = glyph_point(s.size, canvas.scale());
  const double width = point * (glyph_step * static_cast<double>(glyphs.size()) - 1);
  const auto whole = [&](double v) { return std::round(v * canvas.scale()) / canvas.scale(); };
  const double left = whole(s.points[0].x - (s.anchor == Anchor::start ? 0 : s.anchor == Anchor::middle ? width / 2 : width));
  const double top = whole(s.points[0].y - glyph_height * point);
  for (std::size_t i = 0; i < glyphs.size(); ++i)
    for (std::size_t column = 0; column < 5; ++column)
      for (int row = 0; row < glyph_above + glyph_height + glyph_below; ++row) {
        if (!(glyphs[i][column] >> row & 1)) continue;
        const Point low{left + point * (glyph_step * static_cast<double>(i) + static_cast<double>(column)),
                        top + point * (row - glyph_above)};
        const Point high{low.x + point, low.y + point};
        canvas.paint(a.fill, low, high, [&](Point p) {
          return std::min({p.x - low.x, high.x - p.x, p.y - low.y, high.y - p.y});
        });
      }
}

void draw_cells(Canvas& canvas, const Cells& cells) {
  std::array<Color, num_shades> shades;
  for (std::size_t i = 0; i < shades.size(); ++i) shades[i] = parse(ramp_color(static_cast<double>(i) / (num_shades - 1)));
  for (std::size_t y = 0; y < cells.height; ++y)
    for (std::size_t x = 0; x < cells.width; ++x)
      if (const unsigned char dark = cells.dark[y * cells.width + x]) {
        const double grey = 255 - dark;
        canvas.fill(
            {cells.corner.x + static_cast<double>(x) * cells.cell, cells.corner.y + static_cast<double>(y) * cells.cell},
            cells.cell,
            !cells.color.empty() ? parse(cells.color)
            : cells.ramp         ? shades[static_cast<std::size_t>(shade_of(dark))]
                                 : Color{grey, grey, grey});
      }
}

/// At most 256 colours, and for each pixel which of them it has.
struct Indexed {
  std::vector<unsigned char> colors, pixels;
};

using Packed = std::uint32_t;
Packed packed(const unsigned char* rgb) { return Packed{rgb[0]} << 16 | Packed{rgb[1]} << 8 | rgb[2]; }

int squared_distance(Packed a, Packed b) {
  int sum = 0;
  for (const int shift : {0, 8, 16}) {
    const int d = static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255);
    sum += d * d;
  }
  return sum;
}

/// Of more colours the most frequent ones: the others are single pixels at smoothed edges, which take the nearest.
Indexed indexed(const std::vector<unsigned char>& rgb) {
  std::unordered_map<Packed, std::size_t> counts;
  Packed last = 0;
  std::size_t run = 0;
  for (std::size_t i = 0; i < rgb.size(); i += 3) {  // most pixels are as the one before
    const Packed color = packed(&rgb[i]);
    if (color != last && run) counts[last] += run, run = 0;
    last = color, ++run;
  }
  counts[last] += run;
  std::vector<std::pair<std::size_t, Packed>> order;
  for (const auto& [color, count] : counts) order.emplace_back(count, color);
  std::sort(order.rbegin(), order.rend());
  const std::size_t kept = std::min<std::size_t>(order.size(), 256);
  Indexed image;
  std::unordered_map<Packed, unsigned char> number;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Packed color = order[i].second;
    const auto nearer = [&](const auto& a, const auto& b) {
      return squared_distance(a.second, color) < squared_distance(b.second, color);
    };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(kept);
    number[color] = static_cast<unsigned char>(i < kept ? i : std::min_element(order.begin(), end, nearer) - order.begin());
    if (i < kept)
      for (const int shift : {16, 8, 0}) image.colors.push_back(static_cast<unsigned char>(color >> shift & 255));
  }
  image.pixels.resize(rgb.size() / 3);
  unsigned char before = 0;
  last = ~Packed{0};
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const Packed color = packed(&rgb[3 * i]);
    if (color != last) before = number.at(color), last = color;
    image.pixels[i] = before;
  }
  return image;
}

[[noreturn]] void failed(const std::string& path, const char* what) {
  refuse_png_memory(what);
  throw Error({.id = "HW-PNG-WRITE", .where = {.file = path}, .found = std::string("the picture could not be made: ") + what});
}

}  // namespace

std::string to_png(const Scene& scene, const std::string& path) {
  constexpr double most_pixels = 64e6;
  const double scale = scene.width * scene.height * 4 > most_pixels ? 1 : 2;
  Canvas canvas(scene.width, scene.height, scale);
  for (const Cells& cells : scene.cells) draw_cells(canvas, cells);
  for (const Shape& shape : scene.shapes) {
    Appearance a = appearance_of(shape.style);
    if (!shape.color.empty()) (shape.kind == Shape::Kind::curve ? a.stroke : a.fill) = shape.color;
    switch (shape.kind) {
      case Shape::Kind::rect:
        draw_rect(canvas, shape, a);
        break;
      case Shape::Kind::circle:
        draw_circle(canvas, shape, a);
        break;
      case Shape::Kind::curve:
        draw_curve(canvas, shape, a);
        break;
      case Shape::Kind::triangle:
        draw_triangle(canvas, shape, a);
        break;
      case Shape::Kind::text:
        draw_text(canvas, shape, a);
        break;
    }
  }
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(canvas.width());
  png.height = static_cast<png_uint_32>(canvas.height());
  png.format = PNG_FORMAT_RGB_COLORMAP;
  const Indexed image = indexed(canvas.pixels());
  png.colormap_entries = static_cast<png_uint_32>(image.colors.size() / 3);
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string file(bytes, '\0');
  if (!png_image_write_to_memory(&png, file.data(), &bytes, 0, image.pixels.data(), 0, image.colors.data()))
    failed(path, png.message);
  file.resize(bytes);
  return file;
}
#else
std::string to_png(const Scene&, const std::string& path) {
  throw Error({.failure = Failure::usage,
               .id = "HW-PNG-MISSING",
               .where = {.file = path},
               .found = "this build cannot write PNG files",
               .expected = "a build with libpng",
               .hint = "write .svg, or install libpng-dev and build again"});
}
#endif

}  // namespace hopwave::picture
