// The first rows of a table, cut into cells: by what separates most of them, with quotes, comments and empty cells.
#include "io/edge_sample.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "io/edge_cells.h"
#include "io/letters.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

/// The row without what follows a blank and #, which is a comment if ids are numbers.
std::string_view without_comment(std::string_view row) {
  for (std::size_t i = 1; i < row.size(); ++i)
    if (is_blank(row[i - 1]) && edge_list_comment(row.substr(i))) return without_blanks(row.substr(0, i));
  return row;
}

/// Is there a sign outside of quotes? Where these do not pair, they are letters.
bool is_outside_quotes(std::string_view row, char sign) {
  bool within = false;
  const bool pairs = std::count(row.begin(), row.end(), '"') % 2 == 0;
  for (const char c : row) {
    if (c == '"' && pairs) within = !within;
    if (c == sign && !within) return true;
  }
  return false;
}

/// Does each of the rows have as many cells between separators?
bool divides(const std::vector<SampleRow>& rows, char separator) {
  std::size_t count = 0;
  for (const SampleRow& row : rows) {
    const std::size_t cells = split_row(row.text, separator).size();
    if (cells < 2 || (count && cells != count)) return false;
    count = cells;
  }
  return true;
}

/// "a b 0,5": blanks separate, and every comma is between digits of a third cell or a later one.
bool has_decimal_commas(const std::vector<SampleRow>& rows) {
  std::size_t width = 0;
  for (const SampleRow& row : rows) {
    const auto cells = split_row(row.text, '\0');
    if (cells.size() < 3 || (width && cells.size() != width)) return false;
    width = cells.size();
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i].find(',') != std::string_view::npos && (i < 2 || !is_number(with_point(cells[i])))) return false;
  }
  return true;
}

/// What separates the cells of most rows: of the first one, unless another sign does so in all of them. Commas are also parts
/// of names and numbers.
char usual_separator(const std::vector<SampleRow>& rows, bool names) {
  const char first = find_separator(rows[0].text, names);
  if (first == ',' && !integer_ids(split_row(rows[0].text, ','))) {
    for (const char c : {';', '|'})
      if (divides(rows, c)) return c;
    if (has_decimal_commas(rows)) return 0;
  }
  if (first == 0 || rows.size() < 2) return first;
  if (divides(rows, first)) return first;
  for (const char c : {'\t', ',', ';', '|'})
    if (c != first && divides(rows, c)) return c;
  return first;
}

/// R: blanks between cells, and all texts in quotes: each column of all rows is quoted or none of it, but for the header.
bool has_quoted_columns(const std::vector<SampleRow>& rows) {
  std::vector<std::string_view> first, cells;
  const auto quoted = [](std::string_view c) { return c.size() > 1 && c.front() == '"' && c.back() == '"'; };
  split_row(rows.back().text, 0, true, first);
  bool any = std::any_of(first.begin(), first.end(), quoted);
  for (std::size_t r = rows.size() > 1; r < rows.size(); ++r) {
    split_row(rows[r].text, 0, true, cells);
    if (cells.size() != first.size()) return false;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (quoted(cells[i]) != quoted(first[i])) return false;
  }
  if (rows.size() == 1) return any;
  split_row(rows[0].text, 0, true, cells);
  any = any || (std::all_of(cells.begin(), cells.end(), quoted) && cells.size() >= 2);
  return any && (cells.size() == first.size() || cells.size() + 1 == first.size());
}

/// Between tabs cells may be empty, also the first and the last ones.
void fill_rows(std::vector<SampleRow>& rows) {
  const auto full = [](const SampleRow& row) { return row.tabs_before + row.cells.size() + row.tabs_behind; };
  std::size_t width = full(rows[0]);
  if (std::any_of(rows.begin(), rows.end(), [&](const SampleRow& row) { return full(row) != width; })) {
    width = 0;
    for (const SampleRow& row : rows) width = std::max(width, row.cells.size() + row.tabs_before);
  }
  for (SampleRow& row : rows) {
    if (row.tabs_before && (full(row) == width || row.cells.size() + row.tabs_before == width))
      row.cells.insert(row.cells.begin(), row.tabs_before, {});
    for (std::size_t i = 0; i < row.tabs_behind && row.cells.size() < width; ++i) row.cells.emplace_back();
  }
}

}  // namespace

bool integer_ids(const std::vector<std::string_view>& cells) {
  return cells.size() >= 2 && is_integer(cells[0]) && is_integer(cells[1]);
}

char stated_separator(std::string_view line) {
  const std::string text = unquoted(line).value_or("");
  if (text.size() < 5 || small_letters(text.substr(0, 4)) != "sep=" || std::isalnum(static_cast<unsigned char>(text[4])))
    return '\0';
  // A program that takes the line for a row fills it up with empty cells.
  return text.find_first_not_of(text.substr(4, 1) + " \r", 4) == std::string::npos ? text[4] : '\0';
}

char find_separator(std::string_view row, bool names) {
  if (row.find("\t\t") != std::string_view::npos && integer_ids(split_row(without_comment(row), '\t'))) return '\t';
  if (!names)
    for (const char c : {'\0', ',', ';', '|'})
      if (integer_ids(split_row(without_comment(row), c))) return c;
  if (row.find('\t') != std::string_view::npos) {
    const auto cells = split_row(row, '\t');
    const auto open = [](std::string_view cell) { return cell.ends_with(',') || cell.ends_with(';') || cell.ends_with('|'); };
    if (cells.size() >= 2 && !open(cells[0]) && !open(cells[1])) return '\t';
  }
  for (const char c : {',', ';', '|'})
    if (is_outside_quotes(row, c)) return c;
  return 0;
}

std::vector<SampleRow> first_rows(Input& input, std::size_t first_bytes, bool& all) {
  const std::string_view head = input.head(std::max(std::size_t{1} << 16, first_bytes + 1));
  std::vector<SampleRow> rows;
  std::size_t at = 0;
  while (at < head.size() && rows.size() < 500) {
    const std::size_t newline = head.find('\n', at);
    if (newline == std::string_view::npos && !input.head_is_all()) break;
    const std::size_t end = std::min(newline, head.size());
    const std::string_view whole = head.substr(at, end - at), line = without_blanks(whole);
    if (!line.empty() && !edge_list_comment(line)) {
      const auto begin = static_cast<std::size_t>(line.data() - whole.data());
      rows.push_back(
          {.offset = at,
           .text = line,
           .tabs_before = static_cast<std::size_t>(std::count(whole.begin(), whole.begin() + begin, '\t')),
           .tabs_behind = static_cast<std::size_t>(std::count(whole.begin() + begin + line.size(), whole.end(), '\t'))});
    }
    at = end + 1;
  }
  all = at >= head.size() && input.head_is_all();
  return rows;
}

void cut_rows(std::vector<SampleRow>& rows, char separator, Columns& columns) {
  columns.separator = separator ? separator : usual_separator(rows, columns.names);
  const std::string_view dictionary = dictionary_in(rows[0].text);
  if (!dictionary.empty()) {
    const auto ids = static_cast<std::size_t>(dictionary.data() - rows[0].text.data());
    columns.separator = find_separator(without_blanks(rows[0].text.substr(0, ids)), columns.names);
  }
  columns.quotes = columns.separator != 0;
  if (!columns.separator) columns.quotes = has_quoted_columns(rows);
  for (SampleRow& row : rows) {
    split_row(columns.names ? row.text : without_comment(row.text), columns.separator, columns.quotes, row.cells);
    if (columns.names || !integer_ids(row.cells)) split_row(row.text, columns.separator, columns.quotes, row.cells);
  }
  if (columns.separator == '\t') fill_rows(rows);
  const auto width = rows[0].cells.size();
  const bool same = std::all_of(rows.begin(), rows.end(), [&](const SampleRow& row) { return row.cells.size() == width; });
  if (columns.separator && same) return;
  for (SampleRow& row : rows) cut_comment(row.cells);
}

}  // namespace hopwave::io
