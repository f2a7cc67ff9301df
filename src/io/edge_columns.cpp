// What an edge list's first rows show: separator, header row, weights, text or integer ids.
#include <algorithm>
#include <charconv>
#include <set>

#include "core/refuse.h"
#include "io/edge_cells.h"
#include "io/edge_list.h"
#include "io/edge_sample.h"
#include "io/letters.h"
#include "io/recognise.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

class Decision {
 public:
  Decision(Input& input, const Decided& decided) : input_(input), options_(input.options()) {
    columns_.decided = decided;
    columns_.names = decided.names || decided.zeros;
  }

  Columns find() {
    input_.set_rules({edge_list_comment, true});
    const std::string_view head = input_.head(2);
    if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"))
      input_.fail_head(0, "HW-TEXT-UTF16", "ASCII or UTF-8", "convert it: iconv -f UTF-16 -t UTF-8", "UTF-16 text");
    auto first = input_.first_line([&](std::string_view comment) { read_comment(comment, columns_); });
    if (const char stated = first ? stated_separator(*first) : '\0') {
      separator_ = stated;
      drop_row(0);
      first = input_.first_line();
    }
    columns_.names |= !columns_.lone_names.empty();
    if (!first) {
      if (columns_.promised || !columns_.lone_names.empty() || !columns_.lone_ids.empty()) return std::move(columns_);
      input_.fail_file("HW-EDGE-EMPTY", "no row at all", "rows of source and target",
                       "a list with only a '# Nodes: N' comment is a graph without edges");
    }
    rows_ = first_rows(input_, first->size(), all_);
    cut_rows(rows_, separator_, columns_);
    const bool wanted = columns_need_header(options_.columns) && dictionary_in(rows_[0].text).empty();
    if (wanted && options_.header == false)
      core::refuse("HW-READ-COLUMNS", "names of columns, and --header no", "a header that names them, or numbers of columns");
    const std::size_t header = rows_[0].offset;
    if (options_.header || wanted ? options_.header.value_or(true) : is_header(input_, rows_, columns_)) {
      take_header();
    } else {
      take_comment_header();
      find_counts();
    }
    if (rows_[0].cells.size() < 2)
      input_.fail_head(rows_[0].offset, "HW-EDGE-COLUMNS", "source and target",
                       "if this is another format, name it with --input-format", "a row of one column");
    find_kinds();
    find_roles(input_, header, rows_, columns_);
    if (!columns_.names && options_.format.empty() && options_.columns.empty() && columns_.count == 4) check_edge_ids();
    if (columns_.names && options_.columns.empty()) {
      if (!columns_.header || columns_.ends_by_place) check_dates();
      if (!columns_.header) check_middle();
    }
    note_unread(options_, columns_);
    note_guesses();
    leave_weights();
    return std::move(columns_);
  }

 private:
  /// Of rows without a header: what may be meant otherwise.
  void note_guesses() {
    if (columns_.header || columns_.names || !options_.columns.empty() || rows_.size() < 2 || columns_.attributes) return;
    if (columns_.weight == 2 && options_.weights && (columns_.count > 3 || look_like_times(2)))
      columns_.notes.push_back(std::string("the third column was taken as the weight") +
                               (look_like_times(2) ? ", though its numbers look like times" : "") +
                               "; --no-weights leaves it out, --columns weight=NUMBER takes another");
    const auto later = [&](const SampleRow& a, const SampleRow& b) { return value_of(b.cell(0)) < value_of(a.cell(0)); };
    if (columns_.count > 2 && look_like_times(0) && !look_like_times(1) &&
        std::adjacent_find(rows_.begin(), rows_.end(), later) == rows_.end())
      columns_.notes.emplace_back(
          "the first column was taken as the source, though its numbers look like times; --columns source=2,target=3 if they "
          "are");
    std::size_t next = rows_[0].cells[0] == "1";
    const auto counts = [&](const SampleRow& row) { return row.cell(0) == std::to_string(next++) && is_integer(row.cell(2)); };
    if (columns_.separator && columns_.count > 2 && rows_.size() > 2 && std::all_of(rows_.begin(), rows_.end(), counts))
      columns_.notes.emplace_back(
          "the first column counts the rows, and was taken as the source; --columns source=2,target=3 if it only numbers them");
  }

  /// Seconds or milliseconds since 1970, from 1980 to 2100.
  [[nodiscard]] bool look_like_times(int column) const {
    return std::all_of(rows_.begin(), rows_.end(), [&](const SampleRow& row) {
      const std::string_view c = row.cell(column);
      const std::uint64_t n = is_integer(c) && c.size() < 19 ? value_of(c) : 0;
      return (n > 315'000'000 && n < 4'103'000'000) || (n > 315'000'000'000 && n < 4'103'000'000'000);
    });
  }

  /// Weights that are not wanted need not be numbers; a reverse cost says whether there is an arc.
  void leave_weights() {
    if (options_.weights) return;
    columns_.passed_weights = columns_.weighted();
    columns_.no_number_third = false;
    columns_.weight_key.clear();
    if (columns_.reverse < 0) columns_.weight = -1;
  }

  void drop_row(std::size_t offset) {
    const std::string_view head = input_.head(0);
    input_.drop(std::min(head.find('\n', offset), head.size() - 1) + 1);
  }

  // The header

  void take_header() {
    columns_.header = true;
    if (columns_.guessed_header)
      columns_.notes.push_back("first row taken as header: " + std::string(rows_[0].text) + "; --header no if it is an edge");
    std::vector<std::string> labels;
    for (const std::string_view c : rows_[0].cells) labels.push_back(text_of(c));
    const char separator = columns_.separator;
    const std::size_t cells = rows_[0].cells.size();
    Columns draft = columns_;  // what is wrong with the header is found where it is
    draft.labels = labels;
    if (!options_.columns.empty())  // a number may be that of a column without a name
      for (const SampleRow& row : rows_) draft.labels.resize(std::max(draft.labels.size(), row.cells.size()));
    draft.count = static_cast<int>(draft.labels.size());
    find_roles(input_, rows_[0].offset, {}, draft);
    drop_row(rows_[0].offset);
    std::vector<std::string> comments;
    const auto first = input_.first_line([&](std::string_view comment) { comments.emplace_back(comment); });
    for (const std::string& comment : comments)
      if (separator && comment.size() > 1 && !is_blank(comment[1])) {
        const std::size_t width = split_row(comment, separator).size();  // without empty cells at its end
        if (width == cells || (separator == '\t' && width >= 2 && width < cells)) refuse_comment(comment);
      }
    if (!first) input_.fail_file("HW-EDGE-EMPTY", "a header row and nothing else", "rows of source and target");
    rows_ = first_rows(input_, first->size(), all_);
    cut_rows(rows_, separator_, columns_);
    // The header's separator, unless the rows have another.
    if (separator && split_row(rows_[0].text, separator).size() >= 2)
      separator_ = separator, cut_rows(rows_, separator_, columns_);
    shift_labels(labels, cells);
    columns_.labels = std::move(labels);
  }

  /// "#tag,b" after a header may be a row whose first name begins as comments do.
  void refuse_comment(const std::string& comment) {
    if (options_.lenient) return void(++columns_.comments_passed);
    input_.fail_file("HW-EDGE-COMMENT", "'" + comment + "' after the header", "a row, or a comment with a blank after its sign",
                     "put the name in quotes if it is one, or a blank after the sign; to leave such rows out: --lenient");
  }

  /// R leaves out the name of the column that names the rows. A decimal comma cuts a number in two.
  void shift_labels(std::vector<std::string>& labels, std::size_t cells) {
    bool cut = columns_.separator == ',' && options_.columns.empty();
    for (const SampleRow& row : rows_) {
      if (row.cells.size() != cells + 1 || text_of(row.cells.back()).empty()) return;
      cut = cut && is_integer(row.cells.back()) && is_number(row.cells[cells - 1]) && !row.cells[0].starts_with('"');
    }
    if (cut)
      input_.fail_head(
          rows_[0].offset, "HW-EDGE-COLUMNS", std::to_string(cells) + " columns, as in the header",
          "columns of numbers say how the rows are meant: --header yes --columns source=2,target=3,weight=4 if the first "
          "names the rows; where commas are within numbers, write points or another separator",
          "a row of " + std::to_string(cells + 1) + " whose last two may be one number with a comma");
    labels.insert(labels.begin(), "");
  }

  // The first row as counts

  void find_counts() {
    const auto& cells = rows_[0].cells;
    if (rows_.size() < 2 || !may_count(cells) || columns_.rows_are_edges || columns_.decided.counts == false || options_.header)
      return;
    const std::size_t width = rows_[1].cells.size();
    if (width < 2) return;
    const bool other_width = cells.size() != width;
    CountRow& counts = columns_.counts;
    for (const std::string_view c : cells) counts.numbers.push_back(value_of(c));
    counts.needed = other_width;
    if (all_ && !fit_counts(rows_, counts.numbers)) return void(counts = {});
    // Rows as wide as this one, and more of them than are seen here: only their number decides.
    counts.taken = other_width || all_ || columns_.decided.counts == true;
    if (!counts.taken) return;
    drop_row(rows_[0].offset);
    const auto first = input_.first_line();
    rows_ = first_rows(input_, first->size(), all_);
    cut_rows(rows_, separator_, columns_);
  }

  // Ids and weights

  void find_kinds() {
    columns_.count = static_cast<int>(usual_width());
    if (columns_.header && columns_.labels.size() != static_cast<std::size_t>(columns_.count)) fit_header();
    const auto last_is_empty = [&](const SampleRow& row) {
      return row.cells.size() < static_cast<std::size_t>(columns_.count) || row.cells.back().empty();
    };
    while (!columns_.header && columns_.count > 2 && std::all_of(rows_.begin(), rows_.end(), last_is_empty)) {
      --columns_.count;  // separators at the ends of rows
      for (SampleRow& row : rows_) row.cells.resize(std::min(row.cells.size(), static_cast<std::size_t>(columns_.count)));
    }
    find_attributes();
    if (columns_.count > 2 && !columns_.header && !columns_.attributes) find_third();
    const bool wishes = !options_.columns.empty();
    if (wishes || columns_.header) {  // which columns ids are in
      Columns draft = columns_;
      find_roles(input_, rows_[0].offset, rows_, draft);
      source_ = draft.source, target_ = draft.target;
    }
    const std::string_view u = rows_[0].cell(source_), v = rows_[0].cell(target_);
    if (!columns_.names) columns_.names = (!is_number(u) || !is_number(v)) && !lacks_ids();
    if (!columns_.names && has_zeros()) columns_.names = columns_.decided.zeros = true;
    if (columns_.decided.zeros) columns_.notes.push_back("some ids begin with a zero: all are read as text, so 007 is not 7");
  }

  /// A first row whose id is NA, and numbers in all others: then an error says so.
  [[nodiscard]] bool lacks_ids() const {
    const auto id = [](std::string_view c) { return is_integer(c) || (!c.empty() && is_missing(text_of(c))); };
    const auto both = [&](const SampleRow& row) { return id(row.cell(source_)) && id(row.cell(target_)); };
    const auto whole = [&](const SampleRow& row) { return is_integer(row.cell(source_)) && is_integer(row.cell(target_)); };
    return std::all_of(rows_.begin(), rows_.end(), both) && std::any_of(rows_.begin(), rows_.end(), whole);
  }

  [[nodiscard]] bool has_zeros() const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const SampleRow& row) {
      const auto zero = [](std::string_view c) { return is_integer(c) && has_leading_zero(c); };
      return zero(row.cell(source_)) || zero(row.cell(target_));
    });
  }

  /// A comment that names as many columns as the rows have: "# FromNodeId<TAB>ToNodeId<TAB>Sign". The last that does.
  void take_comment_header() {
    for (auto comment = columns_.comments.rbegin(); comment != columns_.comments.rend(); ++comment)
      if (names_them(*comment)) return;
    if (columns_.comments.empty() || columns_.rows_are_edges || !options_.columns.empty()) return;
    const std::string& last = columns_.comments.back();
    const std::string_view text = text_of_comment(last);
    for (const char separator : {columns_.separator, '\t', '\0'}) {
      const auto cells = split_row(text, separator);
      if (cells.size() < 3 || cells.size() != rows_[0].cells.size() || !std::all_of(cells.begin(), cells.end(), is_word))
        continue;
      return columns_.notes.push_back("'" + last +
                                      "' may name the columns, and was not heeded; --columns "
                                      "source=NUMBER,target=NUMBER,weight=NUMBER says which are read");
    }
  }

  static std::string_view text_of_comment(const std::string& comment) {
    std::string_view text = without_blanks(std::string_view(comment).substr(comment.starts_with("//") ? 2 : 1));
    for (const std::string_view word : {"columns:", "Columns:", "fields:", "Fields:", "format:", "Format:"})
      if (text.starts_with(word)) text = without_blanks(text.substr(word.size()));
    return text;
  }

  bool names_them(const std::string& comment) {
    const std::string_view text = text_of_comment(comment);
    for (const char separator : {columns_.separator, '\t', '\0'}) {
      const auto cells = split_row(text, separator);
      if (cells.size() != rows_[0].cells.size() || !names_columns(cells, true)) continue;
      for (const std::string_view c : cells) columns_.labels.push_back(text_of(c));
      columns_.header = columns_.commented = columns_.rows_are_edges = true;
      return true;
    }
    return false;
  }

  /// As many cells as most rows have, of equals the first row's.
  [[nodiscard]] std::size_t usual_width() const {
    std::size_t best = 0;
    std::ptrdiff_t most = 0;
    for (const SampleRow& row : rows_) {
      const std::size_t width = row.cells.size();
      if (width == best || width < 2) continue;
      const auto count = std::count_if(rows_.begin(), rows_.end(), [&](const SampleRow& r) { return r.cells.size() == width; });
      if (count > most) most = count, best = width;
    }
    return std::max<std::size_t>(best, 2);
  }

  void fit_header() {
    const auto count = static_cast<std::size_t>(columns_.count);
    while (columns_.labels.size() > count && columns_.labels.back().empty()) columns_.labels.pop_back();
    if (columns_.labels.size() < count && std::all_of(rows_.begin(), rows_.end(), [&](const SampleRow& row) {
          return row.cells.size() <= columns_.labels.size() || row.cells.back().empty();
        })) {
      columns_.count = static_cast<int>(columns_.labels.size());  // separators at the ends of rows
      return;
    }
    if (!options_.columns.empty()) return columns_.labels.resize(std::max(columns_.labels.size(), count));
    if (columns_.labels.size() == count) return;
    if (columns_.commented) {
      columns_.labels.clear();
      columns_.header = columns_.commented = false;
      return;
    }
    input_.fail_head(rows_[0].offset, "HW-EDGE-COLUMNS", std::to_string(columns_.labels.size()) + " columns, as in the header",
                     "say which are read: --columns source=NUMBER,target=NUMBER,weight=NUMBER",
                     "a row of " + std::to_string(rows_[0].cells.size()));
  }

  /// NetworkX writes what it knows of an edge as a dictionary: 0 1 {'weight': 3.5}
  void find_attributes() {
    if (columns_.header) return;
    std::vector<std::string> keys;
    bool any = false;  // then a row without attributes is an error
    for (const SampleRow& row : rows_) {
      const std::string_view rest = dictionary_in(row.text), third = row.cells.size() > 2 ? row.cells[2] : "";
      const auto add = [&](std::string_view key, std::string_view) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
      };
      const bool begun = (third.starts_with("{'") && contains(row.text, "':")) ||  // {'weight': 3.5
                         (third.starts_with("{\"") && contains(row.text, "\":"));
      any |= (!rest.empty() && for_each_attribute(rest, add)) || begun;
    }
    if (!any) return;
    columns_.attributes = true;
    columns_.count = 3;
    columns_.quotes = false;
    columns_.weight_key = columns_.decided.weight_key;
    int best = -1;
    std::string unread;
    for (const std::string& key : keys) {
      const int rank = weight_rank(key);
      if (columns_.decided.weight_key.empty() && rank >= 0 && (best < 0 || rank < best)) best = rank, columns_.weight_key = key;
    }
    for (const std::string& key : keys)
      if (key != columns_.weight_key) unread += (unread.empty() ? "" : ", ") + key;
    if (!unread.empty() && options_.columns.empty())
      columns_.notes.push_back("attributes not read: " + unread + "; --columns weight=NAME takes one as the weight");
  }

  /// Without a header the third column is the weight if it holds numbers.
  void find_third() {
    bool numbers = false, nearly = false, words = false;
    for (const SampleRow& row : rows_) {
      const std::string text = text_of(row.cell(2));
      if (is_missing(text)) continue;
      if (is_number(options_.decimal_comma ? with_point(text) : text))
        numbers = true;
      else if (is_nearly_number(text))
        nearly = true;
      else
        words = true;
    }
    if (numbers || (!words && (nearly || !options_.missing_weight.empty())))
      columns_.weight = 2;
    else
      columns_.no_number_third = true;
  }

  /// Four columns whose first only counts the rows: "edge-id source target length", or a true list? Better ask than guess.
  void check_edge_ids() {
    std::size_t expected = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto& cells = rows_[i].cells;
      if (cells.size() != 4 || columns_.header) return;
      if (i == 0) expected = cells[0] == "1";
      if (cells[0] != std::to_string(expected++) || !is_integer(cells[2]) || is_integer(cells[3])) return;
    }
    if (rows_.size() >= 2)
      input_.fail_head(
          rows_[0].offset, "HW-FORMAT-AMBIGUOUS", "one meaning",
          "say --input-format cedge if the first column numbers the edges, or --input-format edge-list if it is the source",
          "four columns, the first of which counts the rows");
  }

  void check_dates() {
    if (columns_.count < 3) return;
    for (const bool first : {true, false}) {
      const int column = first ? columns_.source : columns_.target, other = first ? columns_.target : columns_.source;
      const auto dated = [&](const SampleRow& row) {
        return is_date(text_of(row.cell(column))) && !is_date(text_of(row.cell(other)));
      };
      if (!std::all_of(rows_.begin(), rows_.end(), dated)) continue;
      const std::string now =
          "source=" + std::to_string(columns_.source + 1) + ",target=" + std::to_string(columns_.target + 1);
      const std::string without =
          columns_.header ? "source=NAME,target=NAME" : "source=" + std::to_string(other + 1) + ",target=3";
      input_.fail_head(rows_[0].offset, "HW-FORMAT-AMBIGUOUS", "one meaning",
                       "say --columns " + without + " if they say when an edge was, or --columns " + now,
                       columns_.header ? "a column of dates, '" + columns_.labels[static_cast<std::size_t>(column)] + "'"
                       : first         ? "a first column of dates"
                                       : "a second column of dates");
    }
  }

  /// Three columns of words: is the second or the third the target?
  void check_middle() {
    if (columns_.count < 3 || columns_.weight >= 0 || columns_.attributes) return;
    std::set<std::string> ids, second, third;
    for (const SampleRow& row : rows_) {
      ids.insert(text_of(row.cell(0)));
      second.insert(text_of(row.cell(1)));
      third.insert(text_of(row.cell(2)));
    }
    const auto meet = [&](const std::set<std::string>& other) {
      return std::any_of(other.begin(), other.end(), [&](const std::string& text) { return ids.count(text) != 0; });
    };
    const auto are_ids = [&](const std::set<std::string>& other) {
      return std::all_of(other.begin(), other.end(), [&](const std::string& text) { return ids.count(text) != 0; });
    };
    if (rows_.size() > 2 && columns_.count == 3 && are_ids(second) && are_ids(third))
      input_.fail_head(rows_[0].offset, "HW-FORMAT-AMBIGUOUS", "one meaning",
                       "write one edge per row if they are neighbours, or say --columns source=1,target=2",
                       "three columns of words that are all vertices");
    if (meet(second) || (!meet(third) && second.size() > third.size())) return;
    if (std::all_of(third.begin(), third.end(), [](const std::string& text) { return is_missing(text); })) return;
    input_.fail_head(rows_[0].offset, "HW-FORMAT-AMBIGUOUS", "one meaning",
                     "say --columns source=1,target=3 if a relation is between the ends, or --columns source=1,target=2",
                     "three columns of words, of which the second may be the target or a relation");
  }

  Input& input_;
  const ReadOptions& options_;
  Columns columns_;
  std::vector<SampleRow> rows_;
  bool all_ = false;  // rows_ are all there are
  char separator_ = 0;
  int source_ = 0, target_ = 1;
};

}  // namespace

bool is_konect(std::string_view line) {
  return line.starts_with("% sym ") || line.starts_with("% asym ") || line.starts_with("% bip ");
}

/// SNAP's comments: "# Nodes: 82168 Edges: 948464", "# Undirected graph"; and hopwave's own, a vertex without edges.
void read_comment(std::string_view line, Columns& columns) {
  if (columns.comments.size() < most_comments)
    columns.comments.emplace_back(line);
  else
    columns.comments.back() = line;
  columns.rows_are_edges |= is_konect(line);
  if (line.starts_with(isolated_mark)) {
    const std::string_view cell = without_blanks(line.substr(isolated_mark.size()));
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
      columns.promised = count, columns.rows_are_edges = true;
  }
}

Columns find_columns(Input& input, const Decided& decided) { return Decision(input, decided).find(); }

std::string describe(const Columns& columns) {
  std::string text = columns.separator == ','    ? "comma"
                     : columns.separator == ';'  ? "semicolon"
                     : columns.separator == '|'  ? "bar"
                     : columns.separator == '\t' ? "tab"
                     : columns.separator > ' '   ? std::string("'") + columns.separator + "'"
                                                 : "blank";
  text += " separated";
  const auto label = [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    return at < columns.labels.size() ? columns.labels[at] : "column " + std::to_string(i + 1);
  };
  if (columns.header) text += columns.commented ? ", columns named by a comment" : ", header row";
  if (columns.source != 0 || columns.target != 1) text += ", from " + label(columns.source) + " to " + label(columns.target);
  if (columns.passed_weights)
    text += ", weights not kept";
  else if (columns.weighted())
    text += ", weights";
  if (columns.weight > 2 || (columns.weight >= 0 && columns.weight < 2)) text += " (" + label(columns.weight) + ")";
  if (columns.attributes) text += columns.weight_key.empty() ? ", attributes" : " (" + columns.weight_key + ")";
  const int read = columns.weight == 2 || columns.passed_weights ? 3 : 2;
  if (columns.source + columns.target == 1 && columns.count > read && columns.weight <= 2 && !columns.attributes)
    text += ", columns from " + std::to_string(read + 1) + " on ignored";
  return text;
}

}  // namespace hopwave::io
