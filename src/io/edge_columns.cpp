// What an edge list's first rows show: separator, header row, weights, text or integer ids.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "fast_float/fast_float.h"
#include "io/edge_list.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

// Words that are surely no vertex; single letters may be.
constexpr std::array<std::string_view, 10> source_words = {"source", "src",  "from",  "node1", "node_1",
                                                           "id1",    "id_1", "start", "tail",  "fromnodeid"};
constexpr std::array<std::string_view, 11> target_words = {"target", "dst",  "to",  "node2", "node_2",  "id2",
                                                           "id_2",   "dest", "end", "head",  "tonodeid"};

std::string lower(std::string_view text) {
  std::string out(text);
  if (out.size() >= 2 && out.front() == '"' && out.back() == '"') out = out.substr(1, out.size() - 2);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}
template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view cell) {
  const std::string word = lower(cell);
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Row {
  std::size_t offset;
  std::string_view text;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The first rows of head(), which begins with one that is there to its end.
std::vector<Row> first_rows(Input& input, std::size_t first_bytes) {
  const std::string_view head = input.head(std::max(std::size_t{1} << 16, first_bytes + 1));
  std::vector<Row> rows;
  for (std::size_t at = 0; at < head.size() && rows.size() < 200;) {
    const std::size_t newline = head.find('\n', at);
    if (newline == std::string_view::npos && !input.head_is_all()) break;
    const std::size_t end = std::min(newline, head.size());
    const std::string_view line = trimmed(head.substr(at, end - at));
    if (!line.empty() && !edge_list_comment(line)) rows.push_back({at, line});
    at = end + 1;
  }
  return rows;
}

bool integer_ids(const std::vector<std::string_view>& cells) {
  return cells.size() >= 2 && is_integer(cells[0]) && is_integer(cells[1]);
}

/// The row without what follows a blank and #, which is a comment if ids are numbers.
std::string_view without_comment(std::string_view row) {
  for (std::size_t i = 1; i < row.size(); ++i)
    if (is_blank(row[i - 1]) && edge_list_comment(row.substr(i))) return trimmed(row.substr(0, i));
  return row;
}

/// A tab separates names, which may hold spaces and commas; between integers any blanks do.
char find_separator(std::string_view row, bool names) {
  if (!names)
    for (const char c : {'\0', ',', ';', '|'})
      if (integer_ids(split_row(without_comment(row), c))) return c;
  if (row.find('\t') != std::string_view::npos) {
    const auto cells = split_row(row, '\t');
    const auto open = [](std::string_view cell) { return cell.ends_with(',') || cell.ends_with(';') || cell.ends_with('|'); };
    if (cells.size() >= 2 && !open(cells[0]) && !open(cells[1])) return '\t';
  }
  for (const char c : {',', ';', '|'})
    if (row.find(c) != std::string_view::npos) return c;
  return 0;
}

std::vector<std::string_view> cells_of(std::string_view row, char separator, bool names) {
  if (!names)
    if (auto cells = split_row(without_comment(row), separator); integer_ids(cells)) return cells;
  auto cells = split_row(row, separator);
  cut_comment(cells);
  return cells;
}

void read_column_names(Input& input, const Row& row, const std::vector<std::string_view>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool source = is_one_of(source_words, cells[i]), target = is_one_of(target_words, cells[i]);
    if ((source && i != 0 && !is_one_of(source_words, cells[0])) || (target && i != 1 && !is_one_of(target_words, cells[1])))
      input.fail_head(row.offset, "HW-EDGE-HEADER", "source and target in the first two columns",
                      "reorder the columns, for example with cut or awk",
                      "column " + std::to_string(i + 1) + " called '" + std::string(cells[i]) + "'");
  }
}

/// Four columns whose first only counts the rows: "edge-id source target length", or a true list? Better ask than guess.
void check_edge_ids(Input& input, const std::vector<Row>& rows, char separator) {
  std::size_t expected = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto cells = cells_of(rows[i].text, separator, false);
    if (cells.size() != 4) return;
    if (i == 0) expected = cells[0] == "1";
    if (cells[0] != std::to_string(expected++) || !is_integer(cells[2]) || is_integer(cells[3])) return;
  }
  if (rows.size() >= 2)
    input.fail_head(
        rows[0].offset, "HW-FORMAT-AMBIGUOUS", "one meaning",
        "say --input-format cedge if the first column numbers the edges, or --input-format edge-list if it is the source",
        "four columns, the first of which counts the rows");
}

}  // namespace

bool is_integer(std::string_view cell) {
  return !cell.empty() && std::all_of(cell.begin(), cell.end(), [](char c) { return is_digit(c); });
}

bool is_number(std::string_view cell) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  double value = 0;
  const auto result = fast_float::from_chars(cell.data(), cell.data() + cell.size(), value);
  return result.ptr == cell.data() + cell.size() && result.ec != std::errc::invalid_argument;
}

std::vector<std::string_view> split_row(std::string_view row, char separator) {
  const auto blank = [separator](char c) { return is_blank(c) && c != separator; };
  std::vector<std::string_view> cells;
  for (std::size_t at = 0;;) {
    while (at < row.size() && blank(row[at])) ++at;
    if (!separator && at == row.size()) return cells;
    std::size_t end = at;
    if (separator && at < row.size() && row[at] == '"') {  // a quoted cell may hold separators; "" stands for a quote
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
    if (end == row.size()) return cells;
    at = separator ? end + 1 : end;
  }
}

/// SNAP's comments: "# Nodes: 82168 Edges: 948464", "# Undirected graph"; and hopwave's own, a vertex without edges.
void read_comment(std::string_view line, Columns& columns) {
  if (line.starts_with(isolated_mark)) {
    const std::string_view cell = trimmed(line.substr(isolated_mark.size()));
    std::uint64_t id = 0;
    const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), id);
    if (result.ec == std::errc{} && result.ptr == cell.data() + cell.size() && !(id >> 63)) columns.lone_ids.push_back(id);
    const auto name = cell.starts_with('"') ? unquoted(cell) : std::nullopt;
    if (name) columns.lone_names.push_back(*name);
    return;
  }
  read_words(line, columns.stated);
  if (line.size() < std::string_view("Nodes: 1").size()) return;  // a file may hold nothing but short comments
  const auto nodes = line.find("Nodes: ");
  if (nodes != std::string_view::npos) {
    std::uint64_t count = 0;
    const auto digits = line.substr(nodes + 7);
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (result.ec == std::errc{} && (result.ptr == digits.data() + digits.size() || is_blank(*result.ptr)))
      columns.promised = count;
  }
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

namespace {

/// Passes over a row that names the columns; then come rows of edges.
void take_header(Input& input, std::vector<Row>& rows, Columns& columns, bool names) {
  columns.header = true;
  const std::string_view head = input.head(0);
  input.drop(std::min(head.find('\n', rows[0].offset), head.size() - 1) + 1);
  const auto first = input.first_line();
  if (!first) input.fail_file("HW-EDGE-EMPTY", "a header row and nothing else", "rows of source and target");
  rows = first_rows(input, first->size());
  const bool as_header = columns.separator && split_row(rows[0].text, columns.separator).size() >= 2;
  if (!as_header) columns.separator = find_separator(rows[0].text, names);
}

}  // namespace

Columns find_columns(Input& input, bool names) {
  Columns columns;
  input.set_rules({edge_list_comment, true});
  const std::string_view head = input.head(2);
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"))
    input.fail_head(0, "HW-TEXT-UTF16", "ASCII or UTF-8", "convert it: iconv -f UTF-16 -t UTF-8", "UTF-16 text");
  const auto first = input.first_line([&](std::string_view comment) { read_comment(comment, columns); });
  columns.names = names = names || !columns.lone_names.empty();
  if (!first) {
    if (columns.promised || !columns.lone_names.empty() || !columns.lone_ids.empty()) return columns;
    input.fail_file("HW-EDGE-EMPTY", "no row at all", "rows of source and target",
                    "a list with only a '# Nodes: N' comment is a graph without edges");
  }
  std::vector<Row> rows = first_rows(input, first->size());
  columns.separator = find_separator(rows[0].text, names);
  auto cells = cells_of(rows[0].text, columns.separator, names);
  if (cells.size() < 2)
    input.fail_head(rows[0].offset, "HW-EDGE-COLUMNS", "source and target",
                    "if this is another format, name it with --input-format", "a row of one column");
  const bool known_words = is_one_of(source_words, cells[0]) && is_one_of(target_words, cells[1]);
  const bool second_is_integers =
      rows.size() > 1 && integer_ids(cells_of(rows[1].text, find_separator(rows[1].text, false), false));
  const auto is_word = [](std::string_view cell) { return !is_number(unquoted(cell).value_or("")); };
  const bool neither = is_word(cells[0]) && is_word(cells[1]);  // quoted numbers are ids, not what columns are called
  if (known_words || (!names && neither && second_is_integers)) {
    read_column_names(input, rows[0], cells);
    const auto type_column = find_type_column(cells);
    take_header(input, rows, columns, names);
    cells = cells_of(rows[0].text, columns.separator, names);
    if (type_column) state_direction(*type_column, cells, columns);
  }
  columns.count = static_cast<int>(std::max<std::size_t>(cells.size(), 2));
  columns.names = names || (!is_number(cells[0]) || (cells.size() > 1 && !is_number(cells[1])));
  if (!columns.names && columns.separator == '\t') columns.separator = 0;
  columns.weighted = cells.size() > 2 && is_number(cells[2]);
  columns.ignored = cells.size() > (columns.weighted ? 3u : 2u);
  if (!columns.names && !columns.header && input.options().format.empty() && cells.size() == 4)
    check_edge_ids(input, rows, columns.separator);
  return columns;
}

std::string describe(const Columns& columns, const Input& input) {
  std::string text = columns.separator == ','    ? "comma"
                     : columns.separator == ';'  ? "semicolon"
                     : columns.separator == '|'  ? "bar"
                     : columns.separator == '\t' ? "tab"
                                                 : "blank";
  text += " separated";
  if (columns.header) text += ", header row";
  if (columns.weighted) text += input.options().weights ? ", weights" : ", weights not kept";
  if (columns.ignored) text += ", columns from " + std::to_string(columns.weighted ? 4 : 3) + " on ignored";
  return text;
}

}  // namespace hopwave::io
