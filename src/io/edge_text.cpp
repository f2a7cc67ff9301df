// What the text of a cell means: a number, a date, no value, a word; and how a row is cut into cells.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "fast_float/fast_float.h"
#include "io/edge_list.h"
#include "io/letters.h"
#include "io/scan.h"

namespace hopwave::io {

bool is_integer(std::string_view cell) {
  return !cell.empty() && std::all_of(cell.begin(), cell.end(), [](char c) { return is_digit(c); });
}

bool is_number(std::string_view cell) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  double value = 0;
  const auto result = fast_float::from_chars(cell.data(), cell.data() + cell.size(), value);
  return result.ptr == cell.data() + cell.size() && result.ec != std::errc::invalid_argument;
}

std::string with_point(std::string_view cell) {
  std::string text(cell);
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos && text.find(',', comma + 1) == std::string::npos) text[comma] = '.';
  return text;
}

bool is_missing(std::string_view cell) {
  if (!cell.empty() && is_digit(cell[0])) return false;
  const std::string word = small_letters(cell);
  static constexpr std::array<std::string_view, 12> words = {"",  "na",   "n/a", "nan",  "null", "none",
                                                             "-", "<na>", "nil", "#n/a", "\\n",  "-nan"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_nearly_number(std::string_view cell) {
  if (cell.size() > 2 && cell.front() == '\'' && cell.back() == '\'') return is_number(cell.substr(1, cell.size() - 2));
  std::size_t at = cell.starts_with('-') || cell.starts_with('+') || cell.starts_with('$') ? 1 : 0;
  if (at == cell.size() || !is_digit(cell[at])) return false;
  const auto in_number = [](char c) { return is_digit(c) || c == ',' || c == '.' || c == '_' || c == '\'' || c == ' '; };
  while (at < cell.size() && in_number(cell[at])) ++at;
  const auto in_unit = [](unsigned char c) { return std::isalpha(c) || c == '%' || c >= 0x80; };
  while (at < cell.size() && in_unit(static_cast<unsigned char>(cell[at]))) ++at;
  if (at == cell.size() || is_number(with_point(cell))) return true;
  const std::size_t mark = cell.find_first_of("/dDxX", 1);  // 1/2, 1.5D+00, 0x10
  if (mark == std::string_view::npos || !is_number(cell.substr(0, mark))) return false;
  std::string_view rest = cell.substr(mark + 1);
  if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
  return !rest.empty() && std::all_of(rest.begin(), rest.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::vector<std::string_view> split_row(std::string_view row, char separator) {
  std::vector<std::string_view> cells;
  split_row(row, separator, separator != 0, cells);
  return cells;
}

void split_row(std::string_view row, char separator, bool quotes, std::vector<std::string_view>& cells) {
  const auto blank = [separator](char c) { return is_blank(c) && c != separator; };
  cells.clear();
  for (std::size_t at = 0;;) {
    while (at < row.size() && blank(row[at])) ++at;
    if (!separator && at == row.size()) return;
    std::size_t end = at;
    if (quotes && at < row.size() && row[at] == '"') {  // a quoted cell may hold separators; "" is a quote
      for (++end; end < row.size(); ++end) {
        if (row[end] != '"') continue;
        if (end + 1 == row.size() || row[end + 1] != '"') break;
        ++end;
      }
    }
    while (end < row.size() && (separator ? row[end] != separator : !blank(row[end]))) ++end;
    std::size_t last = end;
    while (last > at && blank(row[last - 1])) --last;
    cells.push_back(row.substr(at, last - at));
    if (end == row.size()) return;
    at = separator ? end + 1 : end;
  }
}

bool is_date(const std::string& text) {
  const auto digits = [&](std::size_t at, std::size_t count) {
    return at + count <= text.size() && is_integer(text.substr(at, count));
  };
  const auto sign = [&](std::size_t at) { return text[at] == '-' || text[at] == '/' || text[at] == '.'; };
  return (digits(0, 4) && digits(5, 2) && digits(8, 2) && sign(4) && sign(7)) ||
         (digits(0, 2) && digits(3, 2) && digits(6, 4) && sign(2) && sign(5));
}

void cut_comment(std::vector<std::string_view>& cells) {
  for (std::size_t i = 2; i < cells.size(); ++i)
    if (edge_list_comment(cells[i])) return cells.resize(i);
}

std::optional<std::string> unquoted(std::string_view cell) {
  if (!cell.starts_with('"')) return std::string(cell);
  if (cell.size() < 2 || cell.back() != '"') return std::nullopt;
  cell = cell.substr(1, cell.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    text += cell[i];
    if (cell[i] == '"' && (++i == cell.size() || cell[i] != '"')) return std::nullopt;
  }
  return text;
}

std::string text_of(std::string_view cell) { return unquoted(cell).value_or(std::string(cell)); }

bool is_word(std::string_view cell) {
  const std::string text = text_of(cell);
  return !is_number(text) && !is_missing(text) && !is_nearly_number(text);
}

std::uint64_t value_of(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace hopwave::io
