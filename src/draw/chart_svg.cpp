// Svg: strings appended in drawing order; coordinates to a tenth of a unit.
#include "draw/chart_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace hopwave::report {
namespace {

using picture::Tone;

constexpr double margin = 8;

/// The rules that have a colour which depends on the ground.
std::string tones(std::string_view paper, std::string_view ink, std::string_view soft, std::string_view grid) {
  return fmt::format(
      ".paper{{fill:{0}}}text{{fill:{1}}}text.soft{{fill:{2}}}.axis{{stroke:{2}}}.grid{{stroke:{3}}}.best{{stroke:{1}}}"
      ".limit{{stroke:{2}}}.cell{{stroke:{0}}}.trend{{stroke:{2}}}.mark{{stroke:{1}}}.dim{{fill:{2}}}.hollow{{fill:{0};stroke:{"
      "2}}}",
      paper, ink, soft, grid);
}

std::string style_sheet() {
  using namespace picture;
  return "svg{font-family:system-ui,sans-serif;font-size:12px}" + tones(paper.light, ink.light, soft.light, grid.light) +
         ".soft{font-size:11px}.title{font-weight:600;font-size:14px}.small{font-size:11px}.big{font-weight:600;font-size:34px}"
         ".axis,.grid,.cell{stroke-width:1}"
         ".best{fill:none;stroke-width:2.5}.trend{fill:none;stroke-width:2}.limit{stroke-width:1.5;stroke-dasharray:5 4}"
         ".mark{stroke-width:2}.many{fill-opacity:.45}.span{stroke-width:1.5}.hollow{stroke-width:1.5}"
         "@media (prefers-color-scheme:dark){" +
         tones(paper.dark, ink.dark, soft.dark, grid.dark) + "}@media print{" +
         tones(paper.light, ink.light, soft.light, grid.light) + "}";
}

bool has(std::string_view style, std::string_view name) {
  for (std::size_t from = 0; from <= style.size();) {
    const std::size_t end = std::min(style.find(' ', from), style.size());
    if (style.substr(from, end - from) == name) return true;
    from = end + 1;
  }
  return false;
}

double size_of(std::string_view style) {
  return has(style, "small") || has(style, "soft") ? 11 : has(style, "title") ? 14 : has(style, "big") ? 34 : 12;
}

std::string tip_of(std::string_view tip) { return tip.empty() ? "" : fmt::format("<title>{}</title>", xml_escape(tip)); }

std::string fill_of(std::string_view fill) { return fill.empty() ? "" : fmt::format(" fill=\"{}\"", fill); }

std::string class_of(std::string_view style) { return style.empty() ? "" : fmt::format(" class=\"{}\"", style); }

constexpr std::array<std::string_view, 3> anchors = {"start", "middle", "end"};

}  // namespace

double text_width(std::string_view text, std::string_view style) {
  return picture::text_width(text, size_of(style), has(style, "title") || has(style, "big"));
}

Svg::Svg(double width, double height, std::string_view title) : right_(width), bottom_(height), title_(title) {}

void Svg::rect(double x, double y, double width, double height, std::string_view style, std::string_view fill,
               std::string_view tip) {
  right_ = std::max(right_, x + width + margin);
  bottom_ = std::max(bottom_, y + height + margin);
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}{}>{}</rect>\n", x, y,
                       std::max(width, 0.0), std::max(height, 0.0), class_of(style), fill_of(fill), tip_of(tip));
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", x1, y1, x2, y2, class_of(style));
}

void Svg::circle(double x, double y, double radius, std::string_view style, std::string_view fill, std::string_view tip) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"{}{}>{}</circle>\n", x, y, radius, class_of(style),
                       fill_of(fill), tip_of(tip));
}

void Svg::reach(double x, double y, std::string_view text, std::string_view style, Anchor anchor, double rotate) {
  const double width = text_width(text, style), turn = rotate * std::numbers::pi / 180;
  const double begin = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? -width / 2 : -width;
  for (const double along : {begin, begin + width}) {
    const double px = x + along * std::cos(turn), py = y + along * std::sin(turn);
    left_ = std::min(left_, px - margin);
    right_ = std::max(right_, px + margin);
    top_ = std::min(top_, py - size_of(style));
    bottom_ = std::max(bottom_, py + margin / 2);
  }
}

void Svg::text(double x, double y, std::string_view text, std::string_view style, Anchor anchor, double rotate) {
  reach(x, y, text, style, anchor, rotate);
  const std::string turn = rotate == 0 ? "" : fmt::format(" transform=\"rotate({:.0f} {:.1f} {:.1f})\"", rotate, x, y);
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}{}>{}</text>\n", x, y,
                       anchors[static_cast<std::size_t>(anchor)], class_of(style), turn, xml_escape(text));
}

void Svg::text_on(std::string_view ground, double x, double y, std::string_view text, std::string_view style, Anchor anchor) {
  reach(x, y, text, style, anchor, 0);
  // As a style, which comes before the sheet's rules; an attribute would not.
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{} style=\"fill:{}\">{}</text>\n", x, y,
                       anchors[static_cast<std::size_t>(anchor)], class_of(style), picture::ink_on(ground), xml_escape(text));
}

void Svg::outline_on(std::string_view ground, double x, double y, double width, double height) {
  body_ +=
      fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"best\" style=\"stroke:{}\"/>\n",
                  x, y, width, height, picture::ink_on(ground));
}

void Svg::polyline(const std::string& points, std::string_view style, std::string_view stroke) {
  const std::string color = stroke.empty() ? "" : fmt::format(" style=\"stroke:{}\"", stroke);
  body_ += fmt::format("<polyline points=\"{}\"{}{}/>\n", points, class_of(style), color);
}

std::string Svg::str() const {
  const double width = std::ceil(right_ - left_), height = std::ceil(bottom_ - top_);
  // On a narrow page a wide picture is scrolled, not shrunk until it cannot be read.
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{2:.0f}\" height=\"{3:.0f}\" viewBox=\"{0:.0f} {1:.0f} {2:.0f} "
      "{3:.0f}\" "
      "style=\"max-width:{2:.0f}px;min-width:{4:.0f}px\" role=\"img\" aria-label=\"{5}\"><style>{6}</style>",
      std::floor(left_), std::floor(top_), width, height, std::min(width, 560.0), xml_escape(title_), style_sheet());
  // Cells without a value are hatched rather than coloured: no value must not look like a value.
  svg +=
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" class=\"axis\" stroke-opacity=\".5\"/></pattern></defs>";
  // Its own ground: where a page is light and the reader prefers dark, light words would be on white.
  svg += fmt::format("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" class=\"paper\"/>\n",
                     std::floor(left_), std::floor(top_), width, height);
  return svg + body_ + "</svg>\n";
}

}  // namespace hopwave::report
