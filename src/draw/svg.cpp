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

std::string to_element(const Shape& s) {
  const auto& p = s.points;
  const auto name = appearance_of(s.style).name;
  const std::string own = own_color(s);
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

std::string opening(const Scene& scene) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "class=\"hopwave\" role=\"img\" aria-label=\"{2}\">\n",
      scene.width, scene.height, xml_escape(scene.title));
}

std::string all_cells(const Scene& scene) {
  std::string svg;
  for (const Cells& cells : scene.cells) svg += to_element(cells);
  return svg;
}

std::string elements(const Scene& scene, std::size_t from, std::size_t to) {
  std::string svg;
  for (std::size_t i = from; i < to; ++i) svg += to_element(scene.shapes[i]);
  return svg;
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

std::string to_svg(const Scene& scene) {
  return opening(scene) +
         fmt::format("<title>{}</title>\n<style>{}</style>\n<rect class=\"ground\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n",
                     xml_escape(scene.title), style_sheet(), scene.width, scene.height) +
         all_cells(scene) + elements(scene, 0, scene.shapes.size()) + "</svg>\n";
}

std::string InlineDrawings::draw(const Scene& scene) {
  const auto& parts = scene.parts;
  std::string svg =
      opening(scene) + all_cells(scene) + elements(scene, 0, parts.empty() ? scene.shapes.size() : parts.front().from);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = i + 1 < parts.size() ? parts[i + 1].from : scene.shapes.size();
    if (end == parts[i].from) continue;
    const std::string part = fmt::format("{}>\n{}", parts[i].about, elements(scene, parts[i].from, end));
    // A browser matches rules within the part alone, so that it needs the class of the drawing.
    const auto [found, is_new] = number_.try_emplace(part, number_.size());
    if (is_new) written_ += fmt::format("<g id=\"p{}\" class=\"hopwave\"{}</g>\n", found->second, part);
    svg += fmt::format("<use href=\"#p{}\"/>", found->second);
  }
  return svg + "</svg>\n";
}

std::string InlineDrawings::parts() const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"display:none\">\n" + written_ + "</svg>\n";
}

}  // namespace hopwave::picture
