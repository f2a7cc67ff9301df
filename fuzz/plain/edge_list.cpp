// Rows of ids: edge lists, names, adjacency lists and cedge, as docs/formats.md describes them.
#include <algorithm>
#include <map>

#include "plain/text.h"

namespace hopwave::plain {
namespace {

bool comment(std::string_view line) { return begins(line, "#") || begins(line, "%") || begins(line, "//"); }
bool short_comment(std::string_view line) { return begins(line, "#") || begins(line, "%"); }

/// Other files that begin as a row may.
void open_if_known(std::string_view bytes) {
  for (const char* mark : {"Rar!", "BZh", "LZIP", "PAR1", "FEA1", "ORC", "RDX", "Obj", "nkbg00"})
    if (begins(bytes, mark)) throw Open{};
}

void refuse_utf16(std::string_view bytes) {
  if (begins(bytes, "\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (begins(bytes, "\xFF\xFE") || begins(bytes, "\xFE\xFF")) refuse("UTF-16");
}

/// NUL is refused everywhere but in comments; in what may be a comment behind a row, or in a row that may be left out, it is
/// open.
void refuse_nul(std::string_view line, const Options& options) {
  const std::size_t at = line.find('\0');
  if (at == std::string_view::npos) return;
  if (options.lenient || line.substr(0, at).find_first_of("#%/") != std::string_view::npos) throw Open{};
  refuse("NUL");
}

/// What the comments before the rows tell.
struct Told {
  std::optional<std::uint64_t> nodes;
  std::vector<std::uint64_t> isolated;
};

void listen(std::string_view line, Told& told) {
  const std::string small = lower_case(line);
  for (const char* word : {"direct", "sym", "bip", "mode"})
    if (small.find(word) != std::string::npos) throw Open{};  // it may say whether edges have a direction
  if (begins(line, "# Isolated:\t")) {
    const std::string_view id = trim(line.substr(12));
    if (begins(id, "\"")) throw Open{};
    const auto number = integer(id);
    if (number && *number != huge) told.isolated.push_back(*number);
    return;
  }
  const std::size_t at = line.find("Nodes: ");
  if (at == std::string_view::npos) return;
  std::string_view digits = line.substr(at + 7);
  std::size_t count = 0;
  while (count < digits.size() && digit(digits[count])) ++count;
  if (count < digits.size() && !blank(digits[count])) return;
  if (count > 18) throw Open{};
  if (const auto number = integer(digits.substr(0, count))) told.nodes = *number;
}

/// Ids become 0, 1, 2 … in ascending order.
void number_ids(Graph& graph, std::vector<std::uint64_t> more, const Told& told, std::string_view bytes) {
  more.insert(more.end(), told.isolated.begin(), told.isolated.end());
  std::map<std::uint64_t, std::uint64_t> place;
  for (const Row& row : graph.rows) place[row.source] = place[row.target] = 0;
  for (const std::uint64_t id : more) place[id] = 0;
  if (told.nodes) {
    const std::uint64_t n = *told.nodes;
    const bool from_0 = place.empty() || place.rbegin()->first < n;
    const bool from_1 = !place.empty() && place.begin()->first >= 1 && place.rbegin()->first == n;
    if (from_0 || from_1) {
      believe(n, bytes);
      graph.vertices = n;
      graph.first = from_0 ? 0 : 1;
      for (Row& row : graph.rows) row.source -= from_1, row.target -= from_1;
      return;
    }
  }
  for (auto& [id, number] : place) {
    number = graph.vertices++;
    graph.ids.push_back(std::to_string(id));
  }
  for (Row& row : graph.rows) row.source = place[row.source], row.target = place[row.target];
}

/// Takes blanks, or a separator with blanks around it; false if there is neither.
bool gap(std::string_view& text, char separator) {
  const std::size_t before = text.size();
  while (!text.empty() && blank(text[0])) text.remove_prefix(1);
  if (separator && !text.empty() && text[0] == separator) text.remove_prefix(1);
  while (!text.empty() && blank(text[0])) text.remove_prefix(1);
  return text.size() < before;
}

std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

/// The cells of the first row, without its comment.
std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  for (std::size_t i = 1; i < line.size(); ++i)
    if (blank(line[i - 1]) && comment(line.substr(i))) line = trim(line.substr(0, i));
  if (!separator) return words_of(line);
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t end = line.find(separator);
    cells.push_back(trim(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line = line.substr(end + 1);
  }
}

struct Shape {
  char separator = 0;
  bool weighted = false, more = false;
};

bool leading_zero(std::string_view digits) { return digits.size() > 1 && digits[0] == '0'; }

/// An id with a zero in front, wherever it is, may make all ids text, also in a row that cannot be read.
void open_if_zeros(std::string_view bytes) {
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i)
    if (bytes[i] == '0' && digit(bytes[i + 1]) && (i == 0 || !digit(bytes[i - 1]))) throw Open{};
}

/// Whether rows are of one kind decides more than a row alone can show: headers, counts, weights that are missing.
void open_unless_even(std::string_view line, char separator, std::size_t columns) {
  if (line.find_first_of("\"{") != std::string_view::npos) throw Open{};
  const auto cells = cells_of(line, separator);
  if (cells.size() != columns || std::any_of(cells.begin(), cells.end(), [](std::string_view c) { return c.empty(); }))
    throw Open{};
  long double value = 0;
  if (columns > 2 && real(cells[2], value) != Real::number) throw Open{};
}

/// A row of an edge list; false if it cannot be read.
bool read_row(std::string_view line, const Shape& shape, const Options& options, Row& row) {
  const auto id = [&](std::uint64_t& value) {
    const std::string_view digits = take_digits(line);
    if (leading_zero(digits)) throw Open{};  // ids may be text
    if (!digits.empty() && !line.empty() && std::string_view(".eE").find(line[0]) != std::string_view::npos)
      throw Open{};  // 1e3
    const auto number = integer(digits);
    value = number.value_or(huge);
    return value != huge;
  };
  if (!id(row.source) || !gap(line, shape.separator) || !id(row.target)) return false;
  if (!line.empty() && !gap(line, shape.separator)) return false;
  if (shape.weighted) {
    std::size_t end = 0;
    while (end < line.size() && !blank(line[end]) && line[end] != shape.separator) ++end;
    const Real kind = real(line.substr(0, end), row.weight);
    if (kind == Real::none || (kind != Real::number && !options.lenient)) return false;
    line.remove_prefix(end);
    if (!line.empty() && !gap(line, shape.separator)) return false;
  }
  if (line.empty() || comment(line)) return true;
  return shape.more;
}

}  // namespace

Graph read_edge_list(std::string_view bytes, const Options& options) {
  Graph graph;
  Told told;
  Shape shape;
  bool first = true;
  std::size_t columns = 0;
  std::string_view last_comment;
  refuse_utf16(bytes);
  std::size_t rows = 0;
  for (const auto line : lines_of(bytes)) rows += !line.empty() && !comment(line);
  for (const auto line : lines_of(bytes)) {
    if (line.empty()) continue;
    if (comment(line)) {
      if (first) listen(line, told), last_comment = line;
      continue;
    }
    std::vector<std::string_view> cells;
    refuse_nul(line, options);
    if (first) {
      first = false;
      for (const char c : {'\0', ',', ';', '|'}) {
        shape.separator = c;
        cells = cells_of(line, c);
        if (cells.size() >= 2 && integer(cells[0]) && integer(cells[1])) break;
        cells.clear();
      }
      if (cells.empty()) throw Open{};  // a header row, or names
      const auto occurs = [&](char c) { return line.find(c) != std::string_view::npos; };
      if (occurs('\t') + occurs(',') + occurs(';') + occurs('|') > 1) throw Open{};  // which of them separates?
      const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
      if (!shape.separator && line.find_first_of("\t,;|") != std::string_view::npos &&
          std::any_of(line.begin(), line.end(), letter))
        throw Open{};  // a header row of other cells
      columns = cells.size();
      const std::uint64_t count = integer(cells.back()).value_or(huge);
      if (columns <= 3 && count < rows && rows - 1 <= 2 * count) throw Open{};  // it may count the others, in both directions
      if (columns == 3 && integer(cells[1]) == rows - 1) throw Open{};          // as its second number may
      for (const char c : {shape.separator, '\t', '\0'})                        // it may name the columns
        if (!last_comment.empty() && cells_of(last_comment.substr(1), c).size() == columns) throw Open{};
      shape.weighted = columns > 2;
      shape.more = columns > 3;
    }
    open_unless_even(line, shape.separator, columns);
    Row row;
    if (read_row(line, shape, options, row)) {
      graph.rows.push_back(row);
    } else {
      open_if_zeros(bytes);
      if (!options.lenient) refuse("row");
    }
  }
  if (first && !told.nodes && told.isolated.empty()) refuse("no row");
  graph.directed = !options.undirected;
  graph.weighted = shape.weighted && options.weights;
  number_ids(graph, {}, told, bytes);
  return graph;
}

Graph read_adjacency(std::string_view bytes, const Options& options) {
  Graph graph;
  Told told;
  std::vector<std::uint64_t> vertices;
  for (const auto line : lines_of(bytes)) {
    if (line.empty()) continue;
    if (short_comment(line)) {
      if (vertices.empty()) listen(line, told);
      continue;
    }
    std::vector<std::uint64_t> ids;
    for (const auto word : words_of(line)) {
      ids.push_back(need_integer(word));
      if (ids.back() == huge) refuse("a huge id");
    }
    vertices.push_back(ids[0]);
    for (std::size_t i = 1; i < ids.size(); ++i) graph.rows.push_back({ids[0], ids[i]});
  }
  if (vertices.empty() && !told.nodes && told.isolated.empty()) refuse("no row");
  graph.directed = !options.undirected;
  number_ids(graph, vertices, told, bytes);
  return graph;
}

Graph read_cedge(std::string_view bytes, const Options& options) {
  Graph graph;
  Told told;
  for (const auto line : lines_of(bytes)) {
    if (line.empty()) continue;
    if (short_comment(line)) {
      if (graph.rows.empty()) listen(line, told);
      continue;
    }
    const auto words = words_of(line);
    if (options.weights ? words.size() != 4 : words.size() < 3) refuse("columns");
    std::uint64_t ids[3];
    for (int i = 0; i < 3; ++i)
      if ((ids[i] = need_integer(words[i])) == huge) refuse("a huge id");
    if (line.find('\0') != std::string_view::npos) refuse("NUL");
    graph.rows.push_back({ids[1], ids[2], options.weights ? need_weight(words[3], options.lenient, true) : 0});
  }
  if (graph.rows.empty() && !told.nodes && told.isolated.empty()) refuse("no row");
  graph.weighted = options.weights;
  graph.directed = !options.undirected;
  number_ids(graph, {}, told, bytes);
  return graph;
}

namespace {

/// Cells of a row of names: quotes keep separators in; the blanks around a cell do not matter.
std::vector<std::string> name_cells(std::string_view line, char separator) {
  std::vector<std::string> cells;
  if (!separator) {
    for (const auto word : words_of(line)) cells.emplace_back(word);
    return cells;
  }
  const auto space = [&](char c) { return blank(c) && c != separator; };
  for (std::size_t i = 0;;) {
    while (i < line.size() && space(line[i])) ++i;
    std::string cell;
    if (i < line.size() && line[i] == '"') {
      for (cell += line[i++]; i < line.size(); ++i) {
        cell += line[i];
        if (line[i] != '"') continue;
        if (i + 1 == line.size() || line[i + 1] != '"') {
          ++i;
          break;
        }
        cell += line[++i];
      }
    }
    while (i < line.size() && line[i] != separator) cell += line[i++];
    while (!cell.empty() && space(cell.back())) cell.pop_back();
    cells.push_back(cell);
    if (i == line.size()) return cells;
    ++i;
  }
}

/// Without its quotes; nothing if they are wrong.
std::optional<std::string> name_in(const std::string& cell, char separator) {
  if (cell.empty()) return std::nullopt;
  if (!separator || cell[0] != '"') return cell;
  std::string name;
  for (std::size_t i = 1; i < cell.size(); ++i) {
    if (cell[i] == '"') {
      if (i + 1 == cell.size()) return name;
      if (cell[++i] != '"') return std::nullopt;
    }
    name += cell[i];
  }
  return std::nullopt;
}

char name_separator(std::string_view line) {
  int kinds = 0;
  char found = 0;
  for (const char c : {'\t', ',', ';', '|'})
    if (line.find(c) != std::string_view::npos) ++kinds, found = c;
  if (kinds > 1) throw Open{};
  for (std::size_t i = 1; found == ',' && i + 1 < line.size(); ++i)
    if (line[i] == ',' && digit(line[i - 1]) && digit(line[i + 1])) throw Open{};  // perhaps a number
  return found;
}

}  // namespace

Graph read_names(std::string_view bytes, const Options& options) {
  Graph graph;
  std::map<std::string, std::uint64_t> place;
  Told told;
  bool first = true, weighted = false, more = false;
  char separator = 0;
  std::size_t columns = 0, rows = 0;
  std::vector<bool> words;
  refuse_utf16(bytes);
  open_if_known(bytes);
  for (const auto line : lines_of(bytes)) {
    if (line.empty()) continue;
    if (comment(line)) {
      if (first) listen(line, told);
      if (!first && separator) throw Open{};  // it may be a row
      continue;
    }
    if (line.find('{') != std::string_view::npos) throw Open{};
    if (!separator && line.find('"') != std::string_view::npos) throw Open{};  // are whole columns quoted?
    refuse_nul(line, options);
    if (first) separator = name_separator(line);
    auto cells = name_cells(line, separator);
    for (std::size_t i = 2; i < cells.size(); ++i)
      if (comment(cells[i])) cells.resize(i);
    if (first) {
      if (cells.size() < 2 && line.find('"') != std::string_view::npos) throw Open{};  // a quote that is part of a name
      if (cells.size() < 2 && integer(cells[0])) throw Open{};                         // it may count
      if (cells.size() < 2) refuse("one column");
      if (std::count(cells.begin(), cells.end(), std::string())) throw Open{};  // perhaps a header row of pandas
      const std::string word = lower_case(cells[0]) + lower_case(cells[1]);
      if (word.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos)
        for (const char* known : {"source", "src", "from", "node1", "node_1", "id1", "id_1", "start", "tail", "fromnodeid"})
          if (lower_case(cells[0]).find(known) != std::string::npos) throw Open{};  // perhaps a header row
      long double value = 0;
      weighted = cells.size() > 2 && real(cells[2], value) != Real::none;
      more = cells.size() > (weighted ? 3u : 2u);
      first = false;
      columns = cells.size();
      // A header, or counts, or the name of a column in a comment.
      const auto is_number = [](const std::string& cell) { return integer(cell).has_value(); };
      const bool numbers = std::all_of(cells.begin(), cells.end(), is_number);
      if (numbers || (separator && std::none_of(cells.begin(), cells.end(), is_number)) || cells.size() > 2) throw Open{};
      if (line.find('"') != std::string_view::npos || bytes.find('#') != std::string_view::npos) throw Open{};
      for (const char* weak : {"u", "tail", "head", "start", "v", "end"})
        if (lower_case(cells[0]) == weak || lower_case(cells[1]) == weak) throw Open{};
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      long double value = 0;
      const bool word = real(cells[i], value) == Real::none;
      if (rows == 0) words.push_back(word);
      if (rows == 1 && i < words.size() && words[i] && !word) throw Open{};  // words over numbers may be a header row
    }
    ++rows;
    long double third = 0;
    const bool number_third = cells.size() > 2 && real(cells[2], third) == Real::number;
    if (cells.size() != columns || (columns > 2 && !number_third)) throw Open{};
    const std::size_t wanted = weighted ? 3 : 2;
    const auto source = name_in(cells[0], separator);
    const auto target = cells.size() > 1 ? name_in(cells[1], separator) : std::nullopt;
    long double weight = 0;
    bool good = source && target && source->size() <= 65535 && target->size() <= 65535 && cells.size() >= wanted &&
                (cells.size() == wanted || more);
    if (good && weighted) {
      const Real kind = real(cells[2], weight);
      good = kind == Real::number || (kind != Real::none && options.lenient);
    }
    if (!good && !options.lenient) refuse("row");
    if (!good) continue;
    const auto number = [&](const std::string& name) {
      const auto [it, fresh] = place.try_emplace(name, graph.ids.size());
      if (fresh) graph.ids.push_back(name);
      return it->second;
    };
    const std::uint64_t u = number(*source);
    graph.rows.push_back({u, number(*target), weight});
  }
  if (!told.isolated.empty()) throw Open{};  // are they names, too?
  if (first && !told.nodes) refuse("no row");
  graph.vertices = graph.ids.size();
  graph.weighted = weighted && options.weights;
  graph.directed = !options.undirected;
  return graph;
}

}  // namespace hopwave::plain
