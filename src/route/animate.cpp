// The wavefront in motion: an SVG that plays by itself (SMIL), or a page with a slider. One shape per step; nothing is loaded.
#include <fmt/format.h>

#include <algorithm>

#include "core/refuse.h"
#include "draw/style.h"
#include "draw/theme.h"
#include "hopwave/error.h"
#include "hopwave/io.h"
#include "route/maze_picture.h"

namespace hopwave::inline v0_1::route {
namespace {

constexpr double seconds_in_all = 8, longest_step = 0.25;
/// The wavefront of the step that is shown; what it has covered before is on the ramp, which has no such colour.
constexpr std::string_view lit_color = picture::appearance_of(picture::Style::frontier).fill;

struct Steps {
  std::int32_t levels = 1;  ///< that a step shows
  int count = 0;
  std::map<int, std::string> shapes;
};

Steps cut(const Drawing& drawing, std::uint32_t most_steps) {
  Steps steps;
  const std::int64_t levels = std::int64_t{farthest(drawing)} + 1;
  steps.levels = static_cast<std::int32_t>((levels + most_steps - 1) / most_steps);
  steps.shapes =
      runs(*drawing.grid, [&](CellIndex i) { return drawing.distance[i] < 0 ? -1 : drawing.distance[i] / steps.levels; });
  steps.count = steps.shapes.empty() ? 0 : steps.shapes.rbegin()->first + 1;
  return steps;
}

std::string step_color(int i, const Steps& steps) { return picture::ramp_color(0.15 + 0.7 * i / std::max(1, steps.count - 1)); }

std::string playing_svg(const Drawing& drawing, const Steps& steps) {
  const double each = std::min(longest_step, seconds_in_all / std::max(1, steps.count));
  // Hidden until its time, not shown from it: programs that play nothing show the whole wavefront.
  const auto appear = [&](int i) {
    return i == 0 ? std::string()
                  : fmt::format("<set attributeName=\"visibility\" to=\"hidden\" begin=\"0s\" dur=\"{:.3f}s\"/>", i * each);
  };
  std::string svg = svg_head(drawing) + svg_walls(drawing);
  for (const auto& [i, shape] : steps.shapes)
    svg += fmt::format(
        "<path fill=\"{}\" d=\"{}\">{}<set attributeName=\"fill\" to=\"{}\" begin=\"{:.3f}s\" dur=\"{:.3f}s\"/></path>\n",
        step_color(i, steps), shape, appear(i), lit_color, i * each, each);
  svg += "<g>" + appear(steps.count) + svg_route(drawing) + "</g>\n";
  return svg + "</svg>\n";
}

std::string page_style() {
  using namespace picture;
  return fmt::format(
      ":root{{color-scheme:light dark}}body{{font:16px system-ui,sans-serif;margin:1em;background:{};color:{}}}"
      "svg{{max-width:100%;height:auto}}input{{width:min(512px,90vw)}}.lit{{fill:{}}}"
      "@media (prefers-color-scheme:dark){{body{{background:{};color:{}}}}}",
      paper.light, ink.light, lit_color, paper.dark, ink.dark);
}

std::string page(const Drawing& drawing, const Steps& steps) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>hopwave: wavefront</title>\n"
      "<style>";
  html += page_style();
  html +=
      "</style></head>\n<body>\n<p><button id=\"play\">Pause</button> "
      "<label>Level <output id=\"level\"></output> of <span id=\"last\"></span><br><input id=\"step\" type=\"range\" min=\"0\" "
      "value=\"0\"></label></p>\n";
  html += svg_head(drawing) + svg_walls(drawing);
  for (const auto& [i, shape] : steps.shapes)
    html += fmt::format("<path class=\"s\" data-i=\"{}\" fill=\"{}\" d=\"{}\"/>\n", i, step_color(i, steps), shape);
  html += svg_route(drawing, " id=\"route\"") + "</svg>\n";
  // The slider's last position shows the route.
  html += fmt::format(
      "<script>\nconst levels = {}, count = {}, last = {};\n"
      "const shapes = document.querySelectorAll('.s'), slider = document.getElementById('step');\n"
      "slider.max = count;\ndocument.getElementById('last').textContent = last;\n"
      "function show() {{\n  const now = +slider.value;\n"
      "  for (const s of shapes) {{\n    s.style.visibility = +s.dataset.i <= now ? 'visible' : 'hidden';\n"
      "    s.classList.toggle('lit', +s.dataset.i === now);\n  }}\n"
      "  document.getElementById('route').style.visibility = now === count ? 'visible' : 'hidden';\n"
      "  document.getElementById('level').value = Math.min((now + 1) * levels - 1, last);\n}}\n"
      "let playing = true;\n"
      "function run(on) {{ playing = on; document.getElementById('play').textContent = on ? 'Pause' : 'Play'; }}\n"
      "slider.oninput = () => {{ run(false); show(); }};\n"
      "document.getElementById('play').onclick = () => {{\n"
      "  if (!playing && +slider.value === count) slider.value = 0;\n  run(!playing);\n}};\n"
      "setInterval(() => {{\n  if (!playing) return;\n  if (+slider.value < count) slider.value = +slider.value + 1;\n"
      "  else run(false);\n  show();\n}}, {});\nshow();\n</script>\n</body></html>\n",
      steps.levels, steps.count, farthest(drawing),
      static_cast<int>(1000 * std::min(longest_step, seconds_in_all / std::max(1, steps.count))));
  return html;
}

}  // namespace

void check_animation_name(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == "svg" || ending == "html") return;
  throw Error({.failure = Failure::usage,
               .id = "HW-ROUTE-ENDING",
               .where = {.file = path},
               .found = ending.empty() ? "an animation's name without an extension" : "the extension '." + ending + "'",
               .expected = ".svg or .html"});
}

std::uint64_t write_animation(const Drawing& drawing, const std::string& path, std::uint32_t most_steps) {
  require_sound(drawing);
  if (drawing.distance.empty()) core::refuse("HW-ROUTE-DRAWING", "an animation without distances", "one per bit of the grid");
  check_animation_name(path);
  const Steps steps = cut(drawing, std::max(most_steps, 1u));
  OutputFile out(path);
  out.write(ending_of(path) == "svg" ? playing_svg(drawing, steps) : page(drawing, steps));
  out.commit();
  return static_cast<std::uint64_t>(steps.levels);
}

}  // namespace hopwave::inline v0_1::route
