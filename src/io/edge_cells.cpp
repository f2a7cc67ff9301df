#include "io/edge_cells.h"

#include <algorithm>

#include "core/people_text.h"
#include "core/refuse.h"
#include "io/letters.h"
#include "io/scan.h"
#include "io/stated.h"

namespace hopwave::io {
namespace {

constexpr const char* weight_options =
    "--missing-weight NUMBER or drop for rows without one, --decimal-comma for 0,5, --columns weight=NAME for another column, "
    "--no-weights for none";

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// np.float64(3.5), as NumPy 2 prints its numbers.
std::string_view without_call(std::string_view value) {
  const std::size_t open = value.find('(');
  if (open == std::string_view::npos || !value.starts_with("np.") || !value.ends_with(')')) return value;
  return without_blanks(value.substr(open + 1, value.size() - open - 2));
}

/// The place after a value of Python: strings and brackets are passed over whole.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      for (++at; at < text.size() && text[at] != c; ++at)
        if (text[at] == '\\') ++at;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (depth > 0 && (c == ')' || c == ']' || c == '}')) {
      --depth;
    } else if (depth == 0 && (c == ',' || c == '}' || c == ':')) {
      break;
    }
  }
  return at;
}

}  // namespace

std::string_view dictionary_in(std::string_view row) {
  const std::size_t open = row.find('{');
  if (open == std::string_view::npos || open == 0) return {};
  std::size_t close = open + 1;
  while ((close = end_of_value(row, close)) < row.size() && row[close] != '}') ++close;
  if (close + 2 < row.size() && is_blank(row[close + 1]) && edge_list_comment(without_blanks(row.substr(close + 1))))
    row = row.substr(0, close + 1);
  if (!row.ends_with('}')) return {};
  const char before = row[open - 1];
  const bool apart = is_blank(before) || before == ',' || before == ';' || before == '|';
  return apart ? row.substr(open) : std::string_view();
}

bool for_each_attribute(std::string_view text, const std::function<void(std::string_view, std::string_view)>& use) {
  if (!text.starts_with('{') || !text.ends_with('}')) return false;
  std::size_t at = 1;
  if (without_blanks(text.substr(1, text.size() - 2)).empty()) return true;
  for (;;) {
    const std::size_t colon = end_of_value(text, at);
    if (colon >= text.size() || text[colon] != ':') return false;
    std::size_t end = end_of_value(text, colon + 1);
    while (end < text.size() && text[end] == ':') end = end_of_value(text, end + 1);
    if (end >= text.size()) return false;
    use(without_quotes(without_blanks(text.substr(at, colon - at))),
        without_call(without_quotes(without_blanks(text.substr(colon + 1, end - colon - 1)))));
    if (text[end] == '}') return end + 1 == text.size();
    at = end + 1;
  }
}

void MissingWeights::note_in(const ReadOptions& options, ReadReport& report) const {
  if (const auto n = dropped.load())
    report.notes.push_back(std::to_string(n) + (n == 1 ? " arc" : " arcs") + " without a weight left out (--missing-weight)");
  if (const auto n = replaced.load())
    report.notes.push_back(std::to_string(n) + (n == 1 ? " missing weight" : " missing weights") + " taken as " +
                           options.missing_weight + " (--missing-weight)");
}

CellReader::CellReader(const Columns& columns, const ReadOptions& options, Mended& mended, MissingWeights& missing)
    : columns_(columns), options_(options), mended_(mended), missing_(missing) {
  const std::string& word = options.missing_weight;
  if (word.empty() || word == "error") return;
  when_missing_ = word == "drop" ? Missing::drop : Missing::value;
  const std::string text = word + std::string(32, '\n');  // as in a block
  const char* p = text.data();
  if (when_missing_ == Missing::value &&
      (scan_number(p, text.data() + word.size(), instead_) != Real::ok || p != text.data() + word.size()))
    core::refuse("HW-READ-MISSING", "'" + word + "' for --missing-weight", "a number, drop or error", "");
}

bool CellReader::bad(const Block& block, const char* at, const char* id, const std::string& expected, const std::string& hint,
                     std::string found) {
  if (!options_.lenient)
    block.fail(at, id, expected, hint.empty() ? "to leave such rows out: --lenient" : hint, std::move(found));
  mended_.rows_skipped.fetch_add(1, std::memory_order_relaxed);
  return false;
}

void CellReader::look_for_direction(std::string_view comment) {
  if (comment.find("irected") == std::string_view::npos && comment.find("IRECTED") == std::string_view::npos) return;
  Stated stated;
  read_words(comment, stated);
  if (stated.directed || stated.undirected) mended_.direction_in_comment.store(true, std::memory_order_relaxed);
}

void CellReader::pass_comment(const Block& block, std::string_view text) {
  look_for_direction(text);
  if (!columns_.separator || text.size() < 2 || is_blank(text[1])) return;
  split_row(text, columns_.separator, columns_.quotes, cells_);
  if (cells_.size() == static_cast<std::size_t>(columns_.count))
    bad(block, text.data(), "HW-EDGE-COMMENT", "a row, or a comment with a blank after its sign",
        "put the name in quotes if it is one, or a blank after the sign; to leave such rows out: --lenient");
}

bool CellReader::read(const Block& block, std::string_view text, Row& row) {
  std::size_t tabs = 0;
  for (; is_blank(text.back()); text.remove_suffix(1)) tabs += text.back() == '\t';
  end_ = text.data() + text.size();
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    return bad(block, text.data() + zero, columns_.names ? "HW-EDGE-ID" : "HW-EDGE-COLUMNS", "text");
  row = {};
  value_ = {};
  if (columns_.attributes) {
    if (!cut_attributes(block, text)) return false;
  } else {
    split_row(text, columns_.separator, columns_.quotes, cells_);
    const auto count = static_cast<std::size_t>(columns_.count);
    if (columns_.separator == '\t')  // empty cells at the end
      for (; cells_.size() < count && tabs > 0; --tabs) cells_.emplace_back(end_, 0);
    if (!cut(block, text)) return false;
  }
  row.source = cell(columns_.source);
  row.target = cell(columns_.target);
  return !refuse_header(block, text) && read_arcs(block, row);
}

bool CellReader::repeats_header(const Block& block, std::string_view text) {
  if (!columns_.header) return false;
  split_row(without_blanks(text), columns_.separator, columns_.quotes, cells_);
  return refuse_header(block, text);
}

bool CellReader::refuse_header(const Block& block, std::string_view text) {
  if (!is_header()) return false;
  bad(block, text.data(), "HW-EDGE-HEADER", "a row of edges",
      std::string("files put one after the other have several; to leave such rows out: --lenient") +
          (columns_.guessed_header ? "; if it is an edge: --header no" : ""),
      "the header once more");
  return true;
}

/// Where ids are text, a first row that was guessed or said to be the header may be an edge as well.
bool CellReader::is_header() const {
  if (!columns_.header || (columns_.names && (columns_.guessed_header || columns_.commented || options_.header))) return false;
  return std::equal(cells_.begin(), cells_.end(), columns_.labels.begin(), columns_.labels.end(),
                    [](std::string_view cell, const std::string& label) {
                      const std::string_view word = without_quotes(cell);
                      return word.size() == label.size() && small_letters(word) == small_letters(label);
                    });
}

bool CellReader::cut(const Block& block, std::string_view text) {
  const auto count = static_cast<std::size_t>(columns_.count);
  if (cells_.size() != count) cut_comment(cells_);
  while (cells_.size() > count && cells_.back().empty()) cells_.pop_back();
  const auto least = static_cast<std::size_t>(
      1 + std::max({columns_.source, columns_.target, columns_.weight, columns_.reverse, columns_.type}));
  const bool lacks_weight = when_missing_ != Missing::error && cells_.size() + 1 == count &&
                            static_cast<std::size_t>(columns_.weight) == cells_.size();
  if (lacks_weight || (columns_.loose ? cells_.size() >= least : cells_.size() == count)) return true;
  for (const std::string_view c : cells_)
    if (columns_.quotes && !unquoted(c))
      return bad(block, c.data(), "HW-EDGE-ID", "a name whose quotes are closed and, within it, doubled");
  return bad(block, text.data(), "HW-EDGE-COLUMNS",
             columns_.loose ? "at least " + std::to_string(least) + " columns, as --columns needs"
                            : std::to_string(columns_.count) + " columns, as in the first row",
             "to leave such rows out: --lenient; to read some columns whatever follows: --columns source=1,target=2",
             "a row of " + std::to_string(cells_.size()));
}

bool CellReader::cut_attributes(const Block& block, std::string_view text) {
  const std::string_view rest = dictionary_in(text);
  std::string_view other;
  const auto take = [&](std::string_view key, std::string_view value) {
    if (key == columns_.weight_key && !key.empty()) value_ = value;
    if (columns_.weight_key.empty() && weight_rank(key) >= 0) other = key;
  };
  if (rest.empty() || !for_each_attribute(rest, take))
    return bad(block, text.data(), "HW-EDGE-COLUMNS", "source, target and attributes, as in other rows: 0 1 {'weight': 2}");
  if (!other.empty() && options_.weights && options_.columns.empty()) {
    Decided decided = columns_.decided;
    decided.weight_key = other;
    throw Contradiction{decided, "a weight where the first rows have none", "--columns weight=NAME"};
  }
  text = without_blanks(text.substr(0, static_cast<std::size_t>(rest.data() - text.data())));
  if (columns_.separator && text.ends_with(columns_.separator)) text.remove_suffix(1);
  split_row(text, columns_.separator, false, cells_);
  if (cells_.size() == 2) return true;
  return bad(block, text.data(), "HW-EDGE-COLUMNS", "source and target before the attributes", "",
             "a row of " + std::to_string(cells_.size()));
}

bool CellReader::read_direction(const Block& block, Row& row) {
  const std::string_view type = cell(columns_.type);
  const std::string word = plain_label(type);
  const bool undirected = word == "undirected";
  if (!undirected && word != "directed")
    return bad(block, type.data(), "HW-EDGE-COLUMNS", "Directed or Undirected",
               "--undirected or --directed reads all rows alike; --columns type=none leaves the column unread");
  if (columns_.direction == RowDirection::mixed) {
    row.back = undirected && row.source != row.target;
  } else if (undirected != (columns_.direction == RowDirection::undirected)) {
    Decided decided = columns_.decided;
    decided.mixed = true;
    throw Contradiction{decided, "directed and undirected edges", "--undirected"};
  }
  return true;
}

bool CellReader::read_arcs(const Block& block, Row& row) {
  if (columns_.type >= 0 && !read_direction(block, row)) return false;
  if (columns_.no_number_third) {
    const std::string_view text = cell(2);
    const std::string word = unquoted(text).value_or("");
    if (!is_missing(word) && is_number(word))
      return bad(block, text.data(), "HW-EDGE-WEIGHT", "no number: the third column of the first rows holds none",
                 std::string("--columns weight=3 takes the column as the weight; ") + weight_options);
  }
  if (!columns_.weighted()) return true;
  const auto read = [&](std::string_view text, Number& number, bool& arc) {
    switch (read_weight(block, text, number)) {
      case Value::bad:
        return false;
      case Value::number:
        return true;
      case Value::missing:
        break;
    }
    if (when_missing_ == Missing::error)
      return bad(block, text.data(), "HW-EDGE-WEIGHT", "a number (the weight)", weight_options,
                 columns_.attributes ? "attributes without '" + columns_.weight_key + "'"
                 : text.empty()      ? "an empty cell"
                                     : "");
    if (when_missing_ == Missing::value) {
      number = instead_;
      missing_.replaced.fetch_add(1, std::memory_order_relaxed);
    } else {
      arc = false;
      missing_.dropped.fetch_add(1, std::memory_order_relaxed);
    }
    return true;
  };
  const bool both = row.back;
  if (!read(columns_.attributes ? (value_.data() ? value_ : std::string_view(end_, 0)) : cell(columns_.weight), row.weight,
            row.there))
    return false;
  if (both) row.back = row.there, row.back_weight = row.weight;
  if (columns_.reverse < 0) return true;
  bool back = true;
  if (!read(cell(columns_.reverse), row.back_weight, back)) return false;
  row.back = back && row.back_weight.value() >= 0;
  row.there = row.there && row.weight.value() >= 0;
  return true;
}

/// The number in a cell, in quotes or not.
CellReader::Value CellReader::read_weight(const Block& block, std::string_view cell, Number& number) {
  const char* const first = cell.data();
  const auto no_number = [&, whole = cell] {  // "5 km" as a whole
    constexpr std::size_t most = 24;
    bad(block, first, "HW-EDGE-WEIGHT", "a number (the weight)", weight_options,
        "'" + core::printable(whole.substr(0, most)) + (whole.size() > most ? "…'" : "'"));
    return Value::bad;
  };
  if (columns_.quotes && cell.starts_with('"')) cell = without_blanks(without_quotes(cell));
  const bool nan = cell.size() == 3 && (cell[0] == 'n' || cell[0] == 'N') && cell[1] != 'i';
  if (is_missing(cell) && !(nan && options_.lenient && when_missing_ == Missing::error)) return Value::missing;
  if (options_.decimal_comma && cell.find(',') != std::string_view::npos) {
    const std::string text = with_point(cell) + std::string(32, '\n');  // as in a block
    const char* p = text.data();
    if (scan_number(p, text.data() + cell.size(), number) == Real::ok && p == text.data() + cell.size()) return Value::number;
    return no_number();
  }
  if (!is_digit(cell[0]) && !is_number(cell)) {
    return no_number();
  }
  const char* const end = scan_weight(block, cell.data(), "HW-EDGE-WEIGHT", options_.lenient, mended_, number);
  if (end == cell.data() + cell.size()) return Value::number;
  return no_number();
}

}  // namespace hopwave::io
