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

void write_picture(const Subject& subject, Placing placing, const std::string& path, const Shown& shown) {
  check_ending(path);
  const std::string ending = ending_of(path);
  std::string bytes;
  if (is_dot(path)) {
    bytes = to_dot(subject);
  } else {
    Layout layout = place(subject, placing);
    if (shown.against_depth_first && layout.rows.empty()) {  // room for two numbers between vertices
      for (Point& at : layout.at) at.x *= 1.4;
      layout.width *= 1.4;
    }
    const auto lines = lines_of(subject, layout);
    const Drawing drawing{subject, layout, lines};
    Roles roles = derive_roles(subject);
    if (shown.step > 0) keep_step(roles, shown.step);
    const auto sheet = [&] {
      return shown.against_depth_first ? draw_two_orders(drawing) : draw_all(drawing, roles, shown.step == 0);
    };
    bytes = ending == "html" ? to_page(drawing, roles) : ending == "png" ? to_png(sheet(), path) : to_svg(sheet());
  }
  OutputFile out(path);
  out.write(bytes);
  out.commit();
}

}  // namespace hopwave::picture
