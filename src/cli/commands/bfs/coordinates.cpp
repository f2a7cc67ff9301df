#include "cli/commands/bfs/coordinates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/people_text.h"
#include "hopwave/error.h"
#include "route/text.h"

namespace hopwave::cli {
namespace {

constexpr double no_place = std::numeric_limits<double>::quiet_NaN();
constexpr double greatest_coordinate = 1e15;
constexpr std::string_view coordinates_row = "HW-COORDINATES-ROW";

/// A degree of longitude is shorter than one of latitude, by the cosine of the latitude.
void shorten(picture::Places& places) {
  const auto [low, high] = std::minmax_element(places.y.begin(), places.y.end());
  if (low == places.y.end()) return;
  const double latitude = std::clamp((*low + *high) / 2 * 1e-6, -89.0, 89.0),
               shorter = std::cos(latitude * std::numbers::pi / 180);
  for (double& x : places.x) x *= shorter;
}

bool holds_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("+-.0123456789eE") == std::string_view::npos &&
         word.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace

picture::Places read_places(const std::string& path, const Graph& graph) {
  constexpr bool allow_huge = true;  // as large as the graph, which was allowed
  std::string text = route::read_text(path, allow_huge);
  std::replace(text.begin(), text.end(), ',', ' ');
  picture::Places places{std::vector<double>(graph.num_vertices(), no_place),
                         std::vector<double>(graph.num_vertices(), no_place)};
  route::TextCursor cursor(text, path);
  bool dimacs = false, any = false;
  while (cursor.next_full_line()) {
    std::string id(cursor.word());
    if (id == "c" || id.starts_with('#') || id.starts_with('%')) continue;
    if (id == "p" && !any) {
      dimacs = true;
      continue;
    }
    if (dimacs) {
      if (id != "v") cursor.fail(coordinates_row, cursor.quoted(), "'v' and then a vertex and its two coordinates");
      id = cursor.word();
    }
    if (id.empty()) cursor.fail(coordinates_row, "the end of the line", "a vertex");
    // The first line may have titles.
    if (!any && !dimacs) {
      any = true;
      route::TextCursor titles(cursor.line(), path);
      titles.next_line();
      titles.word();
      if (!holds_number(titles.word())) continue;
    }
    any = true;
    const double x = cursor.real(coordinates_row, "x"), y = cursor.real(coordinates_row, "y");
    cursor.end_of_line(coordinates_row);
    if (std::abs(x) > greatest_coordinate || std::abs(y) > greatest_coordinate)
      cursor.fail(coordinates_row, "a coordinate beyond 1e15", "smaller numbers");
    if (const auto v = graph.ids().find(std::string_view(id))) places.x[*v] = x, places.y[*v] = y;
  }
  std::uint64_t without = 0;
  VertexId first = no_vertex;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    if (std::isnan(places.x[v]) && without++ == 0) first = v;
  if (without > 0)
    throw Error({.id = "HW-COORDINATES-VERTEX",
                 .where = {.file = path},
                 .found = "no coordinates of " + core::plural(without, "vertex", "vertices") + ", first of '" +
                          core::printable(graph.ids().name(first)) + "'",
                 .expected = "a row for every vertex: ID X Y",
                 .hint = "the ids are those of the graph's file"});
  if (dimacs) shorten(places);
  return places;
}

}  // namespace hopwave::cli
