// Pictures of a maze, its wavefront from pale to dark, and the route. PNG by libpng, SVG by hand.
#include "route/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/color.h"
#include "core/png_memory.h"
#include "hopwave/error.h"
#include "hopwave/io.h"

#ifdef HOPWAVE_WITH_PNG
#include <png.h>
#endif

namespace hopwave::route {
namespace {

constexpr int shades = 48;
constexpr const char *wall_color = "#30343b", *route_color = "#d6001c", *start_color = "#00a651", *end_color = "#7a00c4";

int shade(std::int32_t distance, std::int32_t most) { return static_cast<int>(std::int64_t{distance} * (shades - 1) / most); }

std::string shade_color(int i) { return core::ramp_color(0.15 + 0.7 * i / (shades - 1)); }

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

/// One colour a cell, by canvas place.
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

void write_png(const Drawing& drawing, const std::string& path) {
  const Canvas canvas(*drawing.grid);
  const auto cells = cell_colors(drawing, canvas);
  // Small mazes are shown larger, so that a cell can be seen.
  const std::uint64_t scale = std::max<std::uint64_t>(1, 512 / std::max(canvas.width, canvas.height));
  std::vector<unsigned char> pixels;
  pixels.reserve(canvas.width * canvas.height * scale * scale * 3);
  for (std::uint64_t y = 0; y < canvas.height * scale; ++y)
    for (std::uint64_t x = 0; x < canvas.width * scale; ++x) {
      const Color& color = cells[y / scale * canvas.width + x / scale];
      pixels.insert(pixels.end(), color.begin(), color.end());
    }
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
    throw Error(
        {.id = "HW-PNG-WRITE", .where = {.file = path}, .found = std::string("the picture could not be made: ") + png.message});
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

void write_svg(const Drawing& drawing, const std::string& path) {
  std::string svg = svg_head(drawing) + svg_walls(drawing);
  if (!drawing.distance.empty()) {
    const std::int32_t most = farthest(drawing);
    const auto by_shade =
        runs(*drawing.grid, [&](CellIndex i) { return drawing.distance[i] >= 0 ? shade(drawing.distance[i], most) : -1; });
    for (const auto& [i, path_data] : by_shade) svg += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", shade_color(i), path_data);
  }
  save(path, svg + svg_route(drawing) + "</svg>\n");
}

}  // namespace

std::string svg_head(const Drawing& drawing) {
  const Canvas canvas(*drawing.grid);
  const double scale = std::max(1.0, 512.0 / static_cast<double>(std::max(canvas.width, canvas.height)));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {} {}\" "
      "shape-rendering=\"crispEdges\">\n<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n",
      static_cast<double>(canvas.width) * scale, static_cast<double>(canvas.height) * scale, canvas.width, canvas.height,
      canvas.width, canvas.height);
}

std::string svg_walls(const Drawing& drawing) {
  const Grid& grid = *drawing.grid;
  const auto paths = runs(grid, [&](CellIndex i) { return grid.free(i) ? -1 : 0; });
  return paths.empty() ? "" : fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", wall_color, paths.begin()->second);
}

std::string svg_route(const Drawing& drawing, const std::string& attributes) {
  const Grid& grid = *drawing.grid;
  std::string svg = "<g shape-rendering=\"auto\"" + attributes + ">\n";
  for (const auto& branch : drawing.branches) {
    std::string path;
    for (std::size_t i = 0; i < branch.size(); ++i) {
      // A via begins a new line in another layer's picture.
      const bool begins = i == 0 || branch[i].layer != branch[i - 1].layer;
      path += fmt::format("{}{}.5 {}.5", begins ? 'M' : 'L', Canvas::column(grid, branch[i]), branch[i].y);
    }
    svg += fmt::format(
        "<path fill=\"none\" stroke=\"{}\" stroke-width=\"0.5\" stroke-linecap=\"square\" stroke-linejoin=\"round\" "
        "d=\"{}\"/>\n",
        route_color, path);
  }
  for (std::size_t i = 0; i < drawing.terminals.size(); ++i)
    svg += fmt::format("<circle cx=\"{}.5\" cy=\"{}.5\" r=\"0.45\" fill=\"{}\"/>\n", Canvas::column(grid, drawing.terminals[i]),
                       drawing.terminals[i].y, i ? end_color : start_color);
  return svg + "</g>\n";
}

std::int32_t farthest(const Drawing& drawing) {
  std::int32_t most = 1;
  for (const std::int32_t d : drawing.distance) most = std::max(most, d);
  return most;
}

std::string ending_of(const std::string& path) {
  const auto dot = path.find_last_of("./");
  std::string ending = dot == std::string::npos || path[dot] != '.' ? "" : path.substr(dot + 1);
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
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
  const std::string ending = ending_of(path);
  if (ending == "png") return write_png(drawing, path);
  if (ending == "svg") return write_svg(drawing, path);
  throw Error({.failure = Failure::usage,
               .id = "HW-ROUTE-ENDING",
               .where = {.file = path},
               .found = ending.empty() ? "a picture's name without an ending" : "the ending '." + ending + "'",
               .expected = ".png or .svg"});
}

}  // namespace hopwave::route
