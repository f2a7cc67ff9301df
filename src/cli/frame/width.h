// The terminal's width: texts with hanging indents, and what is printed in place of hundreds of rows. One place for all that is
// printed for people. Where there is no terminal, nothing is broken: a program reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hopwave::cli {

/// Columns that a line takes: letters of UTF-8, not bytes; what sets colours takes none.
std::size_t columns_of(std::string_view text);

/// Breaks at blanks so that no line has more than `columns`, where words allow that; 0: no limit. The first line begins in
/// column `begin`, those after it are indented to `hang`. Line breaks of the text stay.
std::string wrap(std::string_view text, std::size_t columns, std::size_t hang, std::size_t begin);
inline std::string wrap(std::string_view text, std::size_t columns, std::size_t hang) {
  return wrap(text, columns, hang, hang);
}

/// One letter per value from "▁" to "█"; of more values than columns, each letter is the greatest of its share. 0 is a blank.
std::string sparkline(const std::vector<double>& values, std::size_t columns, bool logarithmic);

/// A table of levels or launches with more rows becomes a sparkline and the ten most important rows.
inline constexpr std::size_t most_rows = 40, most_of_many = 10;
/// The rows that are printed, in their order: all up to most_rows, else the most_of_many with the greatest weights.
std::vector<std::size_t> rows_shown(const std::vector<double>& weights);

}  // namespace hopwave::cli
