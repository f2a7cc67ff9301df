// Svg: strings appended in drawing order; coordinates to a tenth of a unit.
#include "draw/chart_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hopwave::report {
namespace {

constexpr std::string_view style_sheet =
    "svg{--ink:#1b1f24;--soft:#6a737d;--grid:#d9dee3;--paper:#fff;font:12px system-ui,sans-serif}"
    "@media (prefers-color-scheme:dark){svg{--ink:#e6e6e6;--soft:#9aa4ae;--grid:#3a414a;--paper:#16191d}}"
    "@media print{svg{--ink:#000;--soft:#444;--grid:#ccc;--paper:#fff}}"
    "text{fill:var(--ink)}.soft{fill:var(--soft);font-size:11px}.title{font-weight:600;font-size:14px}.small{font-size:10px}"
    ".axis{stroke:var(--soft);stroke-width:1}.grid{stroke:var(--grid);stroke-width:1}.best{fill:none;stroke:var(--ink);"
    "stroke-width:2.5}.trend{fill:none;stroke-width:2}.limit{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:5 4}"
    ".cell{stroke:var(--paper);stroke-width:1}text.light{fill:#fff}text.dark{fill:#111}";

constexpr std::array<std::string_view, 8> hues = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                                  "#cc79a7", "#56b4e9", "#b8a800", "#7a7a7a"};

std::string tip_of(std::string_view tip) { return tip.empty() ? "" : fmt::format("<title>{}</title>", xml_escape(tip)); }

std::string fill_of(std::string_view fill) { return fill.empty() ? "" : fmt::format(" fill=\"{}\"", fill); }

std::string class_of(std::string_view style) { return style.empty() ? "" : fmt::format(" class=\"{}\"", style); }

}  // namespace

Svg::Svg(double width, double height, std::string_view title)
    : head_(
          fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" style=\"max-width:{0:.0f}px\" "
                      "role=\"img\" aria-label=\"{2}\"><style>{3}</style>",
                      width, height, xml_escape(title), style_sheet)) {
  // Invalid cells are hatched rather than coloured: no value must not look like a value.
  head_ +=
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" class=\"grid\"/></pattern></defs>"
      // Its own ground: where a page is light and the reader prefers dark, light words would stand on white.
      "<rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper)\"/>";
}

void Svg::rect(double x, double y, double width, double height, std::string_view style, std::string_view fill,
               std::string_view tip) {
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

void Svg::text(double x, double y, std::string_view text, std::string_view style, Anchor anchor, double rotate) {
  constexpr std::array<std::string_view, 3> anchors = {"start", "middle", "end"};
  const std::string turn = rotate == 0 ? "" : fmt::format(" transform=\"rotate({:.0f} {:.1f} {:.1f})\"", rotate, x, y);
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}{}>{}</text>\n", x, y,
                       anchors[static_cast<std::size_t>(anchor)], class_of(style), turn, xml_escape(text));
}

void Svg::polyline(const std::string& points, std::string_view style, std::string_view stroke) {
  const std::string color = stroke.empty() ? "" : fmt::format(" stroke=\"{}\"", stroke);
  body_ += fmt::format("<polyline points=\"{}\"{}{}/>\n", points, class_of(style), color);
}

std::string Svg::str() const { return head_ + body_ + "</svg>\n"; }

std::string_view series_color(std::size_t i) { return hues[i % hues.size()]; }

std::string short_number(double value) {
  constexpr std::array<std::string_view, 5> units = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  while (std::fabs(value) >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  if (value == std::round(value)) return fmt::format("{:.0f}{}", value, units[unit]);
  const int digits = std::fabs(value) >= 100 ? 0 : std::fabs(value) >= 10 ? 1 : std::fabs(value) >= 1 ? 2 : 3;
  return fmt::format("{:.{}f}{}", value, digits, units[unit]);
}

std::string rate_text(double bytes_per_second) {
  std::string text = short_number(bytes_per_second);
  const std::size_t letter = text.find_first_of("kMGT");
  text.insert(std::min(letter, text.size()), " ");
  return text + "B/s";
}

}  // namespace hopwave::report
