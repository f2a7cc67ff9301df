// Scene → SVG. Shapes carry classes; the sheet gives each class its colours, light or dark as the reader prefers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/xml.h"
#include "draw/scene.h"
#include "draw/style.h"

namespace hopwave::picture {
namespace {

using core::xml_escape;

/// The same colours for the HTML of a page, which only browsers read.
std::string variables(bool dark) {
  std::string text;
  for (const Appearance& a : appearances) {
    const auto fill = dark ? a.dark_fill : a.fill, stroke = dark ? a.dark_stroke : a.stroke;
    text += fmt::format("--{}-f:{};", a.name, fill.empty() ? "none" : fill);
    text += fmt::format("--{}-s:{};", a.name, stroke.empty() ? "none" : stroke);
  }
  return text;
}

/// Rules of fill and stroke; lines and the heads of arrows are drawn in the stroke's colour alone.
std::string colors(bool dark) {
  std::string rules;
  for (const Appearance& a : appearances) {
    const auto fill = dark ? a.dark_fill : a.fill, stroke = dark ? a.dark_stroke : a.stroke;
    rules += fmt::format(
        ".hopwave .{0}{{fill:{1};stroke:{2}}}.hopwave .{0}.line{{fill:none}}.hopwave .{0}.head{{fill:{2};stroke:none}}", a.name,
        fill.empty() ? "none" : fill, stroke.empty() ? "none" : stroke);
  }
  return rules;
}

std::string tip(const Shape& shape) {
  return shape.text.empty() ? "/>"
                            : fmt::format("><title>{}</title></{}>", xml_escape(shape.text),
                                          shape.kind == Shape::Kind::rect ? "rect" : "circle");
}

/// A shape's own colour. As a style, which comes before the sheet's rules; an attribute would not.
std::string own_color(const Shape& s) {
  if (s.color.empty()) return {};
  return fmt::format(" style=\"{}:{}\"", s.kind == Shape::Kind::curve ? "stroke" : "fill", s.color);
}

/// What a page's script looks for.
std::string about(const Shape& s, bool page) {
  if (!page || s.about.empty()) return {};
  return fmt::format(" data-{}=\"{}\"", s.kind == Shape::Kind::curve ? "arc" : "vertex", s.about);
}

std::string to_element(const Shape& s, bool page) {
  const auto& p = s.points;
  const auto name = appearance_of(s.style).name;
  const std::string own = own_color(s) + about(s, page);
  switch (s.kind) {
    case Shape::Kind::rect:
      return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.3g}\"{}{}\n",
                         name, p[0].x, p[0].y, p[1].x, p[1].y, std::min(3.0, std::min(p[1].x, p[1].y) / 4), own, tip(s));
    case Shape::Kind::circle:
      return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"{}{}\n", name, p[0].x, p[0].y, p[1].x,
                         own, tip(s));
    case Shape::Kind::curve:
      return fmt::format("<path class=\"{} line\" d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\"{}/>\n", name, p[0].x, p[0].y,
                         p[1].x, p[1].y, p[2].x, p[2].y, own);
    case Shape::Kind::triangle:
      return fmt::format("<path class=\"{} head\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\"/>\n", name, p[0].x, p[0].y,
                         p[1].x, p[1].y, p[2].x, p[2].y);
    case Shape::Kind::text:
      break;
  }
  const char* const anchor = s.anchor == Anchor::start ? "start" : s.anchor == Anchor::middle ? "middle" : "end";
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", name,
                     p[0].x, p[0].y, s.size, anchor, xml_escape(s.text));
}

/// Runs of equally dark cells as one path per shade.
std::string to_element(const Cells& cells) {
  std::array<std::string, num_shades> paths;
  for (std::size_t y = 0; y < cells.height; ++y)
    for (std::size_t x = 0; x < cells.width;) {
      const auto shade = [&](std::size_t at) { return shade_of(cells.dark[y * cells.width + at]); };
      const int first = shade(x);
      const std::size_t from = x;
      do ++x;
      while (x < cells.width && shade(x) == first);
      if (first) paths[static_cast<std::size_t>(first)] += fmt::format("M{} {}h{}v1h-{}z", from, y, x - from, x - from);
    }
  std::string svg = fmt::format("<g transform=\"translate({:.1f} {:.1f}) scale({:.4f})\" shape-rendering=\"crispEdges\">\n",
                                cells.corner.x, cells.corner.y, cells.cell);
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (!paths[i].empty()) {
      const double dark = static_cast<double>(i) / (num_shades - 1);
      svg += (!cells.color.empty() ? fmt::format("<path fill=\"{}\"", cells.color)
              : cells.ramp         ? fmt::format("<path fill=\"{}\"", ramp_color(dark))
                                   : fmt::format("<path class=\"words\" fill-opacity=\"{:.3f}\"", dark)) +
             " d=\"" + paths[i] + "\"/>\n";
    }
  return svg + "</g>\n";
}

/// Without a sheet: for a page, which has one.
std::string write(const Scene& scene, const std::string& sheet) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "class=\"hopwave\" role=\"img\" aria-label=\"{2}\">\n",
      scene.width, scene.height, xml_escape(scene.title));
  if (!sheet.empty())
    svg += fmt::format("<title>{}</title>\n<style>{}</style>\n<rect class=\"ground\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n",
                       xml_escape(scene.title), sheet, scene.width, scene.height);
  for (const Cells& cells : scene.cells) svg += to_element(cells);
  for (const Shape& shape : scene.shapes) svg += to_element(shape, sheet.empty());
  return svg + "</svg>\n";
}

}  // namespace

std::string style_sheet() {
  std::string sheet = ".hopwave text{font-family:system-ui,sans-serif}" + colors(false);
  for (const Appearance& a : appearances) {
    sheet += fmt::format(".hopwave .{}{{stroke-width:{}}}", a.name, a.width);
    if (a.dashed) sheet += fmt::format(".hopwave .{}.line{{stroke-dasharray:5 3}}", a.name);
    if (a.bold) sheet += fmt::format(".hopwave .{}{{font-weight:600}}", a.name);
  }
  return sheet + "@media (prefers-color-scheme:dark){" + colors(true) + "}";
}

std::string style_variables() {
  return ":root{" + variables(false) + "}@media (prefers-color-scheme:dark){:root{" + variables(true) + "}}";
}

std::string to_svg(const Scene& scene) { return write(scene, style_sheet()); }
std::string to_inline_svg(const Scene& scene) { return write(scene, ""); }

}  // namespace hopwave::picture
