// By its ending a file is drawn whole, or as a page with buttons.
#include "draw/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/people_text.h"
#include "core/refuse.h"
#include "draw/drawings.h"
#include "draw/search_page.h"
#include "draw/two_orders.h"
#include "hopwave/error.h"
#include "hopwave/io.h"

namespace hopwave::picture {
namespace {

Layout place(const Subject& subject, Placing placing) {
  if (placing == Placing::levels || subject.size() == 0) return layout_by_level(subject);
  if (placing == Placing::automatic)
    if (auto layout = layout_of_grid(subject)) return *layout;
  const std::string program = placing == Placing::neato ? "neato" : "dot";
  if (auto layout = layout_by_graphviz(subject, program)) return *layout;
  if (placing == Placing::automatic) return layout_by_level(subject);
  core::refuse("HW-PICTURE-GRAPHVIZ", "Graphviz's " + program + " gives no layout", "a program of that name that does",
               "apt-get install graphviz, or use --layout levels");
}

void keep_step(Roles& roles, Distance step) {
  const auto found = std::find_if(roles.steps.begin(), roles.steps.end(), [&](const Step& s) { return s.level == step; });
  if (found == roles.steps.end())
    core::refuse("HW-PICTURE-STEP", fmt::format("step {} of a search of {}", step, core::plural(roles.steps.size(), "step")),
                 "one of its steps");
  roles.steps = {*found};
}

struct Placed {
  Layout layout;
  std::vector<Line> lines;
};
Placed place(const Subject& subject, Placing placing, const PictureOptions& shown) {
  Placed placed{place(subject, placing), {}};
  if (shown.against_depth_first && placed.layout.rows.empty()) {  // room for two numbers between vertices
    for (Point& at : placed.layout.at) at.x *= 1.4;
    placed.layout.width *= 1.4;
  }
  placed.lines = lines_of(subject, placed.layout);
  return placed;
}

Scene sheet_of(const Drawing& drawing, const PictureOptions& shown) {
  if (shown.against_depth_first) return draw_two_orders(drawing);
  Roles roles = derive_roles(drawing.subject);
  if (shown.step != 0) keep_step(roles, shown.step);
  return draw_all(drawing, roles, shown.step == 0);
}

}  // namespace

std::string ending_of(const std::string& path) {
  const auto dot = path.find_last_of("./");
  std::string ending = dot == std::string::npos || path[dot] != '.' ? "" : path.substr(dot + 1);
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

void require_ending(const std::string& path, const char* what, const std::vector<const char*>& endings) {
  const std::string ending = ending_of(path);
  std::string expected;
  for (std::size_t i = 0; i < endings.size(); ++i) {
    if (endings[i] == ending) return;
    expected += (i == 0 ? "." : i + 1 < endings.size() ? ", ." : " or .") + std::string(endings[i]);
  }
  throw Error({.failure = Failure::usage,
               .id = "HW-PICTURE-ENDING",
               .where = {.file = path},
               .found = ending.empty() ? fmt::format("a {}'s name without an ending", what) : "the ending '." + ending + "'",
               .expected = expected});
}

void check_ending(const std::string& path) { require_ending(path, "picture", {"svg", "png", "dot", "gv", "html"}); }

bool is_dot(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == "dot" || ending == "gv";
}

void write_picture(const Subject& subject, Placing placing, const std::string& path, const PictureOptions& shown,
                   const Subject* beside) {
  check_ending(path);
  const std::string ending = ending_of(path);
  std::string bytes;
  if (is_dot(path)) {
    bytes = to_dot(subject);
  } else {
    const Placed placed = place(subject, placing, shown);
    const Drawing drawing{subject, placed.layout, placed.lines};
    std::vector<SearchOnPage> searches{{drawing, derive_roles(subject)}};
    if (beside) searches.push_back({{*beside, placed.layout, placed.lines}, derive_roles(*beside)});
    bytes = ending == "html"  ? to_page(subject.title, searches)
            : ending == "png" ? to_png(sheet_of(drawing, shown), path)
                              : to_svg(sheet_of(drawing, shown));
  }
  OutputFile out(path);
  out.write(bytes);
  out.commit();
}

std::string svg_of(const Subject& subject, const PictureOptions& shown) {
  const Placed placed = place(subject, layout_of_grid(subject) ? Placing::automatic : Placing::levels, shown);
  return to_svg(sheet_of({subject, placed.layout, placed.lines}, shown));
}

}  // namespace hopwave::picture
