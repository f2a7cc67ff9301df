// By its ending a file is drawn whole, or as a page with buttons.
#include "draw/picture.h"

#include <algorithm>
#include <cctype>

#include "draw/drawings.h"
#include "draw/search_page.h"
#include "hopwave/error.h"
#include "hopwave/io.h"

namespace hopwave::picture {
namespace {

std::string ending_of(const std::string& path) {
  const auto dot = path.find_last_of("./");
  std::string ending = dot == std::string::npos || path[dot] != '.' ? "" : path.substr(dot + 1);
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

Layout place(const Subject& subject, Placing placing) {
  if (placing == Placing::levels || subject.size() == 0) return layout_by_level(subject);
  const std::string program = placing == Placing::neato ? "neato" : "dot";
  if (auto layout = layout_by_graphviz(subject, program)) return *layout;
  if (placing == Placing::automatic) return layout_by_level(subject);
  throw Error({.failure = Failure::usage,
               .id = "HW-PICTURE-GRAPHVIZ",
               .found = "Graphviz's " + program + " gives no layout",
               .expected = "a program of that name that does",
               .hint = "apt-get install graphviz, or use --layout levels"});
}

}  // namespace

void check_ending(const std::string& path) {
  const std::string ending = ending_of(path);
  for (const char* const known : {"svg", "png", "dot", "gv", "html"})
    if (ending == known) return;
  throw Error({.failure = Failure::usage,
               .id = "HW-PICTURE-ENDING",
               .where = {.file = path},
               .found = ending.empty() ? "a picture's name without an ending" : "the ending '." + ending + "'",
               .expected = ".svg, .png, .dot or .html"});
}

bool is_dot(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == "dot" || ending == "gv";
}

void write_picture(const Subject& subject, Placing placing, const std::string& path) {
  check_ending(path);
  const std::string ending = ending_of(path);
  std::string bytes;
  if (is_dot(path)) {
    bytes = to_dot(subject);
  } else {
    Layout layout = place(subject, placing);
    const auto lines = lines_of(subject, layout);
    const Drawing drawing{subject, layout, lines};
    const Roles roles = derive_roles(subject);
    bytes = ending == "html"  ? to_page(drawing, roles)
            : ending == "png" ? to_png(draw_all(drawing, roles), path)
                              : to_svg(draw_all(drawing, roles));
  }
  OutputFile out(path);
  out.write(bytes);
  out.commit();
}

}  // namespace hopwave::picture
