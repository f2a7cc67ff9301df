// MovingAI's .scen files.
#include <algorithm>
#include <cmath>

#include "hopwave/error.h"
#include "hopwave/route.h"
#include "route/text.h"

namespace hopwave::inline v0_1::route {
namespace {

Cell place(TextCursor& cursor, const Grid& grid, const char* what) {
  Cell cell;
  cell.x = static_cast<std::uint32_t>(cursor.integer("HW-SCEN-ROW", std::string(what) + "'s column", 0, grid.width() - 1));
  cell.y = static_cast<std::uint32_t>(cursor.integer("HW-SCEN-ROW", std::string(what) + "'s row", 0, grid.height() - 1));
  if (!grid.free(cell))
    cursor.fail("HW-SCEN-WALL",
                std::string("the ") + what + " (" + std::to_string(cell.x) + ", " + std::to_string(cell.y) + ") is in a wall",
                "a free cell", "does the scenario belong to this map?");
  return cell;
}

/// Returns the number of digits after the decimal point in the line's last word.
int decimals_of(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \t") + 1);
  const auto point = line.find_last_of(". \t");
  return point == std::string_view::npos || line[point] != '.' ? 0 : static_cast<int>(line.size() - point - 1);
}

std::vector<Scenario> read(std::string_view text, const std::string& name, const Grid& grid) {
  TextCursor cursor(text, name);
  cursor.next_full_line();
  cursor.keyword("HW-SCEN-HEADER", "version");
  if (cursor.real("HW-SCEN-HEADER", "the version") != 1) cursor.fail("HW-SCEN-HEADER", cursor.quoted(), "version 1");
  cursor.end_of_line("HW-SCEN-HEADER");
  std::vector<Scenario> all;
  int decimals = 0;
  while (cursor.next_full_line()) {
    Scenario s;
    s.line = cursor.number();
    cursor.integer("HW-SCEN-ROW", "the bucket", 0, std::int64_t{1} << 40);
    if (cursor.word().empty()) cursor.fail("HW-SCEN-ROW", cursor.quoted(), "the map's name");
    const auto width = cursor.integer("HW-SCEN-ROW", "the map's width", 1, std::int64_t{1} << 32);
    if (width != grid.width())
      cursor.fail("HW-SCEN-SIZE", "a map " + std::to_string(width) + " wide",
                  std::to_string(grid.width()) + ", as in this map");
    const auto height = cursor.integer("HW-SCEN-ROW", "the map's height", 1, std::int64_t{1} << 32);
    if (height != grid.height())
      cursor.fail("HW-SCEN-SIZE", "a map " + std::to_string(height) + " high",
                  std::to_string(grid.height()) + ", as in this map");
    s.start = place(cursor, grid, "start");
    s.goal = place(cursor, grid, "goal");
    s.length = cursor.real("HW-SCEN-ROW", "the optimal length");
    if (s.length < 0) cursor.fail("HW-SCEN-ROW", cursor.quoted(), "the optimal length, not negative");
    decimals = std::max(decimals, decimals_of(cursor.line()));
    cursor.end_of_line("HW-SCEN-ROW");
    all.push_back(s);
  }
  // Lengths were rounded when they were written: to a number of decimals (trailing zeros are omitted, so the longest
  // shows it), and mostly to six digits in total.
  for (Scenario& s : all) {
    const double by_decimals = 0.5 * std::pow(10.0, -std::max(decimals, 2));
    const double by_digits = s.length < 1 || decimals > 5 ? 0 : 0.5 * std::pow(10.0, std::floor(std::log10(s.length)) - 5);
    // The sums were computed in single precision: an error in the last bits can change the rounding.
    s.tolerance = std::max(1e-3, std::max(by_decimals, by_digits) + s.length * 0x1p-22);
  }
  if (all.empty()) cursor.fail_at(1, "HW-SCEN-ROW", "no scenario", "at least one");
  return all;
}

}  // namespace

std::vector<Scenario> read_scenarios(const std::string& path, const Grid& grid) {
  return read(read_text(path, false), path, grid);
}

std::vector<Scenario> read_scenarios(std::span<const char> bytes, const std::string& name, const Grid& grid) {
  return read(read_text(bytes, name, false), name, grid);
}

}  // namespace hopwave::inline v0_1::route
