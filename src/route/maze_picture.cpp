// Pictures of a maze, its wavefront from pale to dark, and the route. PNG by libpng, SVG written directly.
#include "route/maze_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/png_memory.h"
#include "draw/font.h"
#include "draw/theme.h"
#include "hopwave/error.h"
#include "hopwave/io.h"

#ifdef HOPWAVE_WITH_PNG
#include <png.h>
#endif

namespace hopwave::inline v0_1::route {
namespace {

constexpr int shades = 48;
constexpr const char *wall_color = "#30343b", *route_color = "#d6001c", *start_color = "#00a651", *end_color = "#7a00c4";

int shade(std::int32_t distance, std::int32_t most) { return static_cast<int>(std::int64_t{distance} * (shades - 1) / most); }

std::string shade_color(int i) { return picture::ramp_color(0.15 + 0.7 * i / (shades - 1)); }

/// Returns the pixels that a cell needs for the wavefront's numbers, as in the textbook's maze; 0: the drawing has no
/// numbers or is too large.
std::uint64_t numbered_cell(const Drawing& drawing, const Canvas& canvas) {
  if (drawing.distance.empty() || std::max(canvas.width, canvas.height) > most_numbered) return 0;
  return std::to_string(farthest(drawing)).size() * picture::glyph_step + 6;
}

/// Pixels that a cell has in an SVG.
double pixels_per_cell(const Drawing& drawing, double least = 1) {
  const Canvas canvas(*drawing.grid);
  return std::max(least, 512.0 / static_cast<double>(std::max(canvas.width, canvas.height)));
}

/// Calls put(cell, number) for every cell that the wavefront reached.
template <class Put>
void each_number(const Drawing& drawing, Put&& put) {
  const Grid& grid = *drawing.grid;
  for (std::uint32_t layer = 0; layer < grid.layers(); ++layer)
    for (std::uint32_t y = 0; y < grid.height(); ++y)
      for (std::uint32_t x = 0; x < grid.width(); ++x)
        if (const std::int32_t d = drawing.distance[grid.index({x, y, layer})]; d >= 0) put(Cell{x, y, layer}, d);
}

void save(const std::string& path, std::string_view bytes) {
  OutputFile out(path);
  out.write(bytes);
  out.commit();
}

#ifdef HOPWAVE_WITH_PNG
using Color = std::array<unsigned char, 3>;

Color parse(std::string_view hex) {
  Color color{};
  for (std::size_t i = 0; i < 3; ++i)
    color[i] = static_cast<unsigned char>(std::stoi(std::string(hex.substr(1 + 2 * i, 2)), nullptr, 16));
  return color;
}

/// Returns one colour per cell, by canvas position.
std::vector<Color> cell_colors(const Drawing& drawing, const Canvas& canvas) {
  const Grid& grid = *drawing.grid;
  std::vector<Color> cells(canvas.width * canvas.height, Color{255, 255, 255});
  const Color wall = parse(wall_color);
  std::vector<Color> ramp;
  for (int i = 0; i < shades; ++i) ramp.push_back(parse(shade_color(i)));
  const std::int32_t most = farthest(drawing);
  const auto at = [&](const Cell& c) -> Color& { return cells[c.y * canvas.width + Canvas::column(grid, c)]; };
  for (std::uint32_t layer = 0; layer < grid.layers(); ++layer)
    for (std::uint32_t y = 0; y < grid.height(); ++y)
      for (std::uint32_t x = 0; x < grid.width(); ++x) {
        const Cell c{x, y, layer};
        const CellIndex i = grid.index(c);
        if (!grid.free(i))
          at(c) = wall;
        else if (!drawing.distance.empty() && drawing.distance[i] >= 0)
          at(c) = ramp[static_cast<std::size_t>(shade(drawing.distance[i], most))];
      }
  for (const auto& branch : drawing.branches)
    for (const Cell& c : branch) at(c) = parse(route_color);
  for (std::size_t i = 0; i < drawing.terminals.size(); ++i) at(drawing.terminals[i]) = parse(i ? end_color : start_color);
  return cells;
}

/// Writes each number into the middle of its cell, dark or light depending on the cell's colour.
void put_numbers(const Drawing& drawing, const std::vector<Color>& cells, const Canvas& canvas, std::uint64_t scale,
                 std::vector<unsigned char>& pixels) {
  const std::uint64_t widest = std::to_string(farthest(drawing)).size() * picture::glyph_step;
  const std::uint64_t point = std::max<std::uint64_t>(1, (scale - 4) / std::max<std::uint64_t>(widest + 2, 14));
  each_number(drawing, [&](const Cell& c, std::int32_t number) {
    const std::uint64_t column = Canvas::column(*drawing.grid, c);
    const Color& color = cells[c.y * canvas.width + column];
    const unsigned char ink = 3 * color[0] + 6 * color[1] + color[2] > 1400 ? 0 : 255;
    const auto glyphs = picture::glyphs_of(std::to_string(number));
    const std::uint64_t points = glyphs.size() * picture::glyph_step - 1;
    const std::uint64_t left = column * scale + (scale - points * point) / 2;
    const std::uint64_t top = c.y * scale + (scale - picture::glyph_height * point) / 2;
    for (std::uint64_t y = 0; y < picture::glyph_height * point; ++y)
      for (std::uint64_t x = 0; x < points * point; ++x) {
        const std::uint64_t within = x / point % picture::glyph_step;
        if (within == 5 || !(glyphs[x / point / picture::glyph_step][within] >> (picture::glyph_above + y / point) & 1))
          continue;
        unsigned char* const pixel = &pixels[((top + y) * canvas.width * scale + left + x) * 3];
        std::fill(pixel, pixel + 3, ink);
      }
  });
}

void write_png(const Drawing& drawing, const std::string& path) {
  const Canvas canvas(*drawing.grid);
  const auto cells = cell_colors(drawing, canvas);
  const std::uint64_t numbered = numbered_cell(drawing, canvas);
  // Small mazes are enlarged so that cells are visible.
  const std::uint64_t scale = std::max<std::uint64_t>({1, 512 / std::max(canvas.width, canvas.height), numbered});
  std::vector<unsigned char> pixels;
  pixels.reserve(canvas.width * canvas.height * scale * scale * 3);
  for (std::uint64_t y = 0; y < canvas.height * scale; ++y)
    for (std::uint64_t x = 0; x < canvas.width * scale; ++x) {
      const Color& color = cells[y / scale * canvas.width + x / scale];
      pixels.insert(pixels.end(), color.begin(), color.end());
    }
  if (numbered) put_numbers(drawing, cells, canvas, scale, pixels);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(canvas.width * scale);
  png.height = static_cast<png_uint_32>(canvas.height * scale);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t bytes = 0;
  std::string file;
  bool good = png_image_write_to_memory(&png, nullptr, &bytes, 0, pixels.data(), 0, nullptr) != 0;
  if (good) {
    file.resize(bytes);
    good = png_image_write_to_memory(&png, file.data(), &bytes, 0, pixels.data(), 0, nullptr) != 0;
  }
  if (!good) {
    refuse_png_memory(png.message);
    throw Error({.id = "HW-PNG-WRITE",
                 .where = {.file = path},
                 .found = std::string("the picture could not be written: ") + png.message});
  }
  save(path, std::string_view(file).substr(0, bytes));
}
#else
void write_png(const Drawing&, const std::string& path) {
  throw Error({.failure = Failure::usage,
               .id = "HW-PNG-MISSING",
               .where = {.file = path},
               .found = "this build cannot write PNG files",
               .expected = "a build with libpng",
               .hint = "write .svg, or install libpng-dev and build again"});
}
#endif

/// Numbers are drawn over the route, with a pale outline, so that they stay readable. The outline is a text of its own
/// below: not every program knows paint-order.
std::string svg_numbers(const Drawing& drawing) {
  const double size = std::min(0.55, 1.3 / static_cast<double>(std::to_string(farthest(drawing)).size()));
  std::string svg;
  each_number(drawing, [&](const Cell& c, std::int32_t number) {
    svg += fmt::format("<text x=\"{}.5\" y=\"{:.2f}\">{}</text>\n", Canvas::column(*drawing.grid, c), c.y + 0.5 + size * 0.36,
                       number);
  });
  return fmt::format(
      "<g font-family=\"system-ui,sans-serif\" font-size=\"{:.2f}\" text-anchor=\"middle\">\n"
      "<g fill=\"#fff\" stroke=\"#fff\" stroke-width=\"0.12\" stroke-linejoin=\"round\">\n{}</g>\n"
      "<g fill=\"#111\">\n{}</g>\n</g>\n",
      size, svg, svg);
}

/// What the colours mean, in pixels below a maze of this height: only what is drawn. A PNG has no key: it can be read as a
/// maze.
class Key {
 public:
  Key(double width, double top) : width_(width), y_(top + gap) {}
  void add(const std::string& words, double marks, auto&& shape) {
    const double need = marks + gap + picture::text_width(words, size) + gap;
    if (x_ > gap && x_ + need > width_) x_ = gap, y_ += row;
    svg_ += shape(x_, y_) + fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x_ + marks + gap / 2, y_ + size, words);
    x_ += need;
    width_ = std::max(width_, x_);
  }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double bottom() const { return y_ + row; }
  [[nodiscard]] std::string svg() const {
    return fmt::format(
        "<style>@media (prefers-color-scheme:dark){{.ground{{fill:{}}}.key{{fill:{}}}}}</style>\n"
        "<g class=\"key\" fill=\"{}\" font-family=\"system-ui,sans-serif\" font-size=\"{}\">\n{}</g>\n",
        picture::paper.dark, picture::ink.dark, picture::ink.light, size, svg_);
  }

 private:
  static constexpr double gap = 10, row = 22, size = 13;
  double width_, x_ = gap, y_;
  std::string svg_;
};

Key key_of(const Drawing& drawing, double width, double top) {
  constexpr double mark = 14;
  Key key(width, top);
  const auto box = [&](double x, double y, std::string_view color, std::string_view attributes) {
    return fmt::format("<rect {}fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\"/>\n", attributes, color, x, y,
                       mark, mark);
  };
  const Grid& grid = *drawing.grid;
  if (!svg_walls(drawing).empty())
    key.add("wall", mark, [&](double x, double y) {  // with a rim: in dark mode walls have the ground's colour
      return box(x, y, wall_color, fmt::format("class=\"wall\" stroke=\"{}\" ", picture::soft.dark));
    });
  const bool lettered = numbered_cell(drawing, Canvas(grid)) == 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(drawing.terminals.size(), 2); ++i) {
    const std::string words = i == 0 ? "start" : drawing.terminals.size() > 2 ? "ends" : "end";
    key.add(words + (!lettered ? ""
                     : i       ? " (E)"
                               : " (S)"),
            mark, [&](double x, double y) {
              return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x + mark / 2, y + mark / 2,
                                 mark / 2, i ? end_color : start_color);
            });
  }
  if (!drawing.branches.empty())
    key.add("route", 2 * mark, [&](double x, double y) {
      return fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"4\" d=\"M{:.1f} {:.1f}h{}\"/>\n", route_color, x,
                         y + mark / 2, 2 * mark);
    });
  if (!drawing.distance.empty()) {
    constexpr int parts = 4;
    key.add(fmt::format("wavefront: 0 to {}", farthest(drawing)), parts * mark, [&](double x, double y) {
      std::string all;
      for (int i = 0; i < parts; ++i) all += box(x + i * mark, y, shade_color(i * (shades - 1) / (parts - 1)), "");
      return all;
    });
  }
  return key;
}

void write_svg(const Drawing& drawing, const std::string& path) {
  const Canvas canvas(*drawing.grid);
  const std::uint64_t numbered = numbered_cell(drawing, canvas);
  const double scale = pixels_per_cell(drawing, static_cast<double>(std::max<std::uint64_t>(numbered, 1)));
  const Key key = key_of(drawing, static_cast<double>(canvas.width) * scale, static_cast<double>(canvas.height) * scale);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<rect class=\"ground\" width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"{2}\"/>\n",
      key.width(), key.bottom(), picture::paper.light);
  svg += svg_head(drawing, static_cast<double>(std::max<std::uint64_t>(numbered, 1))) + svg_walls(drawing);
  if (!drawing.distance.empty()) {
    const std::int32_t most = farthest(drawing);
    const auto by_shade =
        runs(*drawing.grid, [&](CellIndex i) { return drawing.distance[i] >= 0 ? shade(drawing.distance[i], most) : -1; });
    for (const auto& [i, path_data] : by_shade) svg += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", shade_color(i), path_data);
  }
  save(path, svg + svg_route(drawing) + (numbered ? svg_numbers(drawing) : "") + "</svg>\n" + key.svg() + "</svg>\n");
}

}  // namespace

std::string svg_head(const Drawing& drawing, double least) {
  const Canvas canvas(*drawing.grid);
  const double scale = pixels_per_cell(drawing, least);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {} {}\" "
      "shape-rendering=\"crispEdges\">\n<rect class=\"free\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n"
      "<style>@media (prefers-color-scheme:dark){{.free{{fill:{}}}.wall{{fill:{}}}}}</style>\n",
      static_cast<double>(canvas.width) * scale, static_cast<double>(canvas.height) * scale, canvas.width, canvas.height,
      canvas.width, canvas.height, picture::paper.light, picture::soft.dark, picture::paper.dark);
}

std::string svg_walls(const Drawing& drawing) {
  const Grid& grid = *drawing.grid;
  const auto paths = runs(grid, [&](CellIndex i) { return grid.free(i) ? -1 : 0; });
  return paths.empty() ? "" : fmt::format("<path class=\"wall\" fill=\"{}\" d=\"{}\"/>\n", wall_color, paths.begin()->second);
}

std::string svg_route(const Drawing& drawing, const std::string& attributes) {
  const Grid& grid = *drawing.grid;
  // At least three pixels wide and cased in white: it is seen on every wavefront, with any eyes, however small cells are.
  const double cell = pixels_per_cell(drawing), width = std::max(0.4, 3 / cell), radius = std::max(0.45, 7 / cell);
  std::string svg = "<g shape-rendering=\"auto\"" + attributes + ">\n", casing, lines;
  for (const auto& branch : drawing.branches) {
    std::string path;
    for (std::size_t i = 0; i < branch.size(); ++i) {
      // A via starts a new line in another layer's picture.
      const bool begins = i == 0 || branch[i].layer != branch[i - 1].layer;
      path += fmt::format("{}{}.5 {}.5", begins ? 'M' : 'L', Canvas::column(grid, branch[i]), branch[i].y);
    }
    const auto line = [&](std::string_view color, double wide) {
      return fmt::format(
          "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-linecap=\"square\" stroke-linejoin=\"round\" "
          "d=\"{}\"/>\n",
          color, wide, path);
    };
    casing += line("#fff", 1.9 * width);
    lines += line(route_color, width);
  }
  svg += casing + lines;
  const bool lettered = numbered_cell(drawing, Canvas(grid)) == 0;  // else the numbers are on the ends
  for (std::size_t i = 0; i < drawing.terminals.size(); ++i) {
    const std::uint64_t x = Canvas::column(grid, drawing.terminals[i]), y = drawing.terminals[i].y;
    svg += fmt::format("<circle cx=\"{}.5\" cy=\"{}.5\" r=\"{:.2f}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"{:.2f}\"/>\n",
                       x, y, radius, i ? end_color : start_color, radius / 6);
    if (lettered)
      svg += fmt::format(
          "<text x=\"{}.5\" y=\"{:.2f}\" font-size=\"{:.2f}\" text-anchor=\"middle\" fill=\"#fff\" font-weight=\"600\" "
          "font-family=\"system-ui,sans-serif\">{}</text>\n",
          x, static_cast<double>(y) + 0.5 + 0.5 * radius, 1.4 * radius, i ? "E" : "S");
  }
  return svg + "</g>\n";
}

std::int32_t farthest(const Drawing& drawing) {
  std::int32_t most = 1;
  for (const std::int32_t d : drawing.distance) most = std::max(most, d);
  return most;
}

void check_picture_name(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending != "png" && ending != "svg")
    throw Error({.failure = Failure::usage,
                 .id = "HW-ROUTE-ENDING",
                 .where = {.file = path},
                 .found = ending.empty() ? "a picture's name without an extension" : "the extension '." + ending + "'",
                 .expected = ".png or .svg"});
}

void require_sound(const Drawing& drawing) {
  const auto wrong = [](std::string found, std::string expected) {
    throw Error(
        {.failure = Failure::usage, .id = "HW-ROUTE-DRAWING", .found = std::move(found), .expected = std::move(expected)});
  };
  if (!drawing.grid || drawing.grid->num_cells() == 0) wrong("a drawing without cells", "a grid with at least one");
  const Grid& grid = *drawing.grid;
  if (!drawing.distance.empty() && drawing.distance.size() != grid.num_bits())
    wrong(std::to_string(drawing.distance.size()) + " distances",
          "none, or one for each of " + std::to_string(grid.num_bits()));
  const auto inside = [&](const Cell& c) {
    if (!grid.contains(c)) wrong("a cell outside the grid", "cells of the grid");
  };
  for (const auto& branch : drawing.branches) std::for_each(branch.begin(), branch.end(), inside);
  std::for_each(drawing.terminals.begin(), drawing.terminals.end(), inside);
}

void write_picture(const Drawing& drawing, const std::string& path) {
  require_sound(drawing);
  check_picture_name(path);
  ending_of(path) == "png" ? write_png(drawing, path) : write_svg(drawing, path);
}

}  // namespace hopwave::inline v0_1::route
