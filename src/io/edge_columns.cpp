// What an edge list's first rows show: separator, header row, weights, text or integer ids.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>

#include "fast_float/fast_float.h"
#include "io/edge_cells.h"
#include "io/edge_list.h"
#include "io/letters.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

constexpr std::size_t few_rows = 64;    // too few to show by what is in them that the first one is none of them
constexpr std::size_t first_lines = 8;  // in which there may be a header below a title

/// The first rows of head(), which begins with one that is there to its end.
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

bool integer_ids(const std::vector<std::string_view>& cells) {
  return cells.size() >= 2 && is_integer(cells[0]) && is_integer(cells[1]);
}

/// The row without what follows a blank and #, which is a comment if ids are numbers.
std::string_view without_comment(std::string_view row) {
  for (std::size_t i = 1; i < row.size(); ++i)
    if (is_blank(row[i - 1]) && edge_list_comment(row.substr(i))) return without_blanks(row.substr(0, i));
  return row;
}

/// Excel's first line: sep=; in quotes or not.
char told_separator(std::string_view line) {
  const std::string text = unquoted(line).value_or("");
  return text.size() >= 5 && small_letters(text.substr(0, 4)) == "sep=" ? text[4] : '\0';
}

/// Is there a sign outside of quotes? Where these do not pair, they are letters.
bool stands_free(std::string_view row, char sign) {
  bool within = false;
  const bool pairs = std::count(row.begin(), row.end(), '"') % 2 == 0;
  for (const char c : row) {
    if (c == '"' && pairs) within = !within;
    if (c == sign && !within) return true;
  }
  return false;
}

/// A tab separates names, which may hold spaces and commas; between integers any blanks do.
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
    if (stands_free(row, c)) return c;
  return 0;
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

/// "a b 0,5": blanks separate, and every comma stands between digits of a third cell or a later one.
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
char find_separator(const std::vector<SampleRow>& rows, bool names) {
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
    if (const char told = first ? told_separator(*first) : '\0') {
      separator_ = told;
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
    cut_rows();
    const bool wanted = columns_need_header(options_.columns) && dictionary_in(rows_[0].text).empty();
    if (wanted && options_.header == false)
      throw Error({.failure = Failure::usage,
                   .id = "HW-READ-COLUMNS",
                   .found = "names of columns, and --header no",
                   .expected = "a header that names them, or numbers of columns"});
    const std::size_t header = rows_[0].offset;
    if (options_.header || wanted ? options_.header.value_or(true) : is_header()) {
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
  [[nodiscard]] std::string_view cell(const SampleRow& row, int i) const {
    const auto at = static_cast<std::size_t>(i);
    return at < row.cells.size() ? row.cells[at] : std::string_view();
  }
  static std::string text_of(std::string_view cell) { return unquoted(cell).value_or(std::string(cell)); }
  /// A word: no number, even in quotes, and nothing that stands for one.
  static bool is_word(std::string_view cell) {
    const std::string text = text_of(cell);
    return !is_number(text) && !is_missing(text) && !is_nearly_number(text);
  }

  /// Of rows without a header: what may be meant otherwise.
  void note_guesses() {
    if (columns_.header || columns_.names || !options_.columns.empty() || rows_.size() < 2 || columns_.attributes) return;
    if (columns_.weight == 2 && options_.weights && (columns_.count > 3 || look_like_times(2)))
      columns_.notes.push_back(std::string("the third column was taken as the weight") +
                               (look_like_times(2) ? ", though its numbers look like times" : "") +
                               "; --no-weights leaves it out, --columns weight=NUMBER takes another");
    const auto later = [&](const SampleRow& a, const SampleRow& b) { return number(cell(b, 0)) < number(cell(a, 0)); };
    if (columns_.count > 2 && look_like_times(0) && !look_like_times(1) &&
        std::adjacent_find(rows_.begin(), rows_.end(), later) == rows_.end())
      columns_.notes.emplace_back(
          "the first column was taken as the source, though its numbers look like times; --columns source=2,target=3 if they "
          "are");
    std::size_t next = rows_[0].cells[0] == "1";
    const auto counts = [&](const SampleRow& row) {
      return cell(row, 0) == std::to_string(next++) && is_integer(cell(row, 2));
    };
    if (columns_.separator && columns_.count > 2 && rows_.size() > 2 && std::all_of(rows_.begin(), rows_.end(), counts))
      columns_.notes.emplace_back(
          "the first column counts the rows, and was taken as the source; --columns source=2,target=3 if it only numbers them");
  }

  /// Seconds or milliseconds since 1970, from 1980 to 2100.
  [[nodiscard]] bool look_like_times(int column) const {
    return std::all_of(rows_.begin(), rows_.end(), [&](const SampleRow& row) {
      const std::string_view c = cell(row, column);
      const std::uint64_t n = is_integer(c) && c.size() < 19 ? number(c) : 0;
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

  void cut_rows() {
    columns_.separator = separator_ ? separator_ : find_separator(rows_, columns_.names);
    const std::string_view dictionary = dictionary_in(rows_[0].text);
    if (!dictionary.empty()) {
      const std::string_view ids = rows_[0].text;
      columns_.separator = find_separator(without_blanks(ids.substr(0, ids.size() - dictionary.size())), columns_.names);
    }
    columns_.quotes = columns_.separator != 0;
    if (!columns_.separator) columns_.quotes = has_quoted_columns();
    for (SampleRow& row : rows_) {
      split_row(columns_.names ? row.text : without_comment(row.text), columns_.separator, columns_.quotes, row.cells);
      if (columns_.names || !integer_ids(row.cells)) split_row(row.text, columns_.separator, columns_.quotes, row.cells);
    }
    if (columns_.separator == '\t') fill_rows();
    const auto width = rows_[0].cells.size();
    const bool same = std::all_of(rows_.begin(), rows_.end(), [&](const SampleRow& row) { return row.cells.size() == width; });
    if (columns_.separator && same) return;
    for (SampleRow& row : rows_) cut_comment(row.cells);
  }

  /// R: blanks between cells, and all texts in quotes: each column of all rows is quoted or none of it, but for the header.
  [[nodiscard]] bool has_quoted_columns() const {
    std::vector<std::string_view> first, cells;
    const auto quoted = [](std::string_view c) { return c.size() > 1 && c.front() == '"' && c.back() == '"'; };
    split_row(rows_.back().text, 0, true, first);
    bool any = std::any_of(first.begin(), first.end(), quoted);
    for (std::size_t r = rows_.size() > 1; r < rows_.size(); ++r) {
      split_row(rows_[r].text, 0, true, cells);
      if (cells.size() != first.size()) return false;
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (quoted(cells[i]) != quoted(first[i])) return false;
    }
    if (rows_.size() == 1) return any;
    split_row(rows_[0].text, 0, true, cells);
    any = any || (std::all_of(cells.begin(), cells.end(), quoted) && cells.size() >= 2);
    return any && (cells.size() == first.size() || cells.size() + 1 == first.size());
  }

  /// Between tabs cells may be empty, also the first and the last ones.
  void fill_rows() {
    const auto full = [](const SampleRow& row) { return row.tabs_before + row.cells.size() + row.tabs_behind; };
    std::size_t width = full(rows_[0]);
    if (std::any_of(rows_.begin(), rows_.end(), [&](const SampleRow& row) { return full(row) != width; })) {
      width = 0;
      for (const SampleRow& row : rows_) width = std::max(width, row.cells.size() + row.tabs_before);
    }
    for (SampleRow& row : rows_) {
      if (row.tabs_before && (full(row) == width || row.cells.size() + row.tabs_before == width))
        row.cells.insert(row.cells.begin(), row.tabs_before, {});
      for (std::size_t i = 0; i < row.tabs_behind && row.cells.size() < width; ++i) row.cells.emplace_back();
    }
  }

  // The header

  bool is_header() {
    if (columns_.decided.header) return *columns_.decided.header;
    const auto& cells = rows_[0].cells;
    const auto blank_first = [](const SampleRow& row) { return row.cells.size() > 2 && row.cells[0].empty(); };
    if (std::all_of(rows_.begin(), rows_.end(), blank_first) && !names_columns({cells.begin() + 1, cells.end()}))
      input_.fail_head(rows_[0].offset, "HW-EDGE-COLUMNS", "source and target",
                       "say which columns are read: --columns source=2,target=3", "an empty first column in each row");
    if (names_columns(cells)) return true;
    refuse_late_header();
    if (cells.size() < 2 || !dictionary_in(rows_[0].text).empty()) return false;
    if (std::any_of(cells.begin(), cells.end(), [](std::string_view c) { return is_number(text_of(c)); }))
      return is_numbered_header();
    const auto nothing = [](std::string_view c) { return text_of(c).empty(); };
    if (!std::any_of(cells.begin(), cells.end(), is_word) ||
        (cells.size() == 2 && std::any_of(cells.begin(), cells.end(), nothing)))
      return false;
    bool over_numbers = rows_.size() > 1 && integer_ids(split_row(rows_[1].text, find_separator(rows_[1].text, false))) &&
                        is_word(cells[0]) && is_word(cells[1]);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto number = [&](const SampleRow& row) { return i < row.cells.size() && is_number(text_of(row.cells[i])); };
      const auto there = std::count_if(rows_.begin() + 1, rows_.end(), number);
      if (there && is_word(cells[i]) && static_cast<std::size_t>(there) == rows_.size() - 1) over_numbers = true;
    }
    const bool again = words_occur_again(cells, 0);
    const bool weak_pair = is_weak_pair();
    if (over_numbers && !words_occur_again(cells, 0, true)) return guess_header();
    if (over_numbers && cells.size() > 2 && weight_rank(cells[2]) >= 0) return true;
    // Under "u v" few rows of other words show nothing.
    if (weak_pair && (columns_.separator ? again : !again && rows_.size() > 1 && rows_.size() <= few_rows))
      input_.fail_head(rows_[0].offset, "HW-EDGE-HEADER", "a row of edges, or one that names columns",
                       "say --header yes or --header no", "words that name columns, or are ids");
    if (again) return false;
    const bool dated = std::any_of(cells.begin(), cells.end(), [](std::string_view c) { return is_date(text_of(c)); });
    if ((columns_.separator || weak_pair) && rows_.size() > 1 && !dated) return guess_header();
    columns_.notes.push_back("first row taken as an edge: " + std::string(rows_[0].text) +
                             "; --header yes if it names columns");
    return false;
  }

  /// "u v": names of columns, but perhaps of vertices.
  [[nodiscard]] bool is_weak_pair() const {
    static constexpr std::array<std::array<std::string_view, 2>, 3> pairs = {{{"u", "v"}, {"tail", "head"}, {"start", "end"}}};
    const auto has = [&](std::string_view word) {
      const auto& cells = rows_[0].cells;
      return std::any_of(cells.begin(), cells.end(), [&](std::string_view c) { return plain_label(c) == word; });
    };
    return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return has(pair[0]) && has(pair[1]); });
  }

  /// Is a word of row `at`, of which these are the cells, in another row, too? `but_for_repeats`: in one that differs from it.
  [[nodiscard]] bool words_occur_again(const std::vector<std::string_view>& cells, std::size_t at,
                                       bool but_for_repeats = false) const {
    for (const std::string_view word : cells) {
      if (!is_word(word)) continue;
      const std::string text = text_of(word);
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (r == at || (but_for_repeats && rows_[r].cells == cells)) continue;
        for (const std::string_view c : rows_[r].cells)
          if (text_of(c) == text) return true;
      }
    }
    return false;
  }

  /// A title, counts or other rows before the header. Words that occur again are ids, also "from to", and their rows edges.
  void refuse_late_header() const {
    for (std::size_t r = 1; r < std::min(rows_.size(), first_lines); ++r) {
      if (words_occur_again(rows_[r - 1].cells, r - 1)) return;
      const auto cells = split_row(rows_[r].text, find_separator(rows_[r].text, true));
      if (names_columns(cells) && !words_occur_again(cells, r))
        input_.fail_head(rows_[r].offset, "HW-EDGE-HEADER", "a header before all other rows",
                         "leave out the rows before it: tail -n +LINE FILE > graph.txt; --header no if it is an edge",
                         "a header that is not the first row");
    }
  }

  bool guess_header() { return columns_.guessed_header = true; }

  /// A first row with numbers in it: "user,friend,0" over ids that are numbers, or a row of edges.
  bool is_numbered_header() {
    const auto& cells = rows_[0].cells;
    refuse_numbered_header();
    const bool words = cells.size() > 2 && is_word(cells[0]) && is_word(cells[1]);
    if (!words || rows_.size() < 2 || words_occur_again(cells, 0)) return false;
    const auto numbers = [&](const SampleRow& row) { return integer_ids(split_row(row.text, columns_.separator)); };
    if (std::all_of(rows_.begin() + 1, rows_.end(), numbers)) return guess_header();
    columns_.notes.push_back("first row taken as an edge: " + std::string(rows_[0].text) +
                             "; --header yes if it names columns");
    return false;
  }

  /// pandas calls columns without names 0, 1, 2.
  void refuse_numbered_header() {
    const auto& cells = rows_[0].cells;
    const std::size_t blank = text_of(cells[0]).empty() ? 1 : 0;
    for (std::size_t i = blank; i < cells.size(); ++i)
      if (cells[i] != std::to_string(i - blank)) return;
    const auto words = [&](const SampleRow& row) {
      return row.cells.size() > blank + 1 && is_word(row.cells[blank]) && is_word(row.cells[blank + 1]);
    };
    if (columns_.told || rows_.size() < 2) return;
    // Numbers as ids: 0 and 1 would be two vertices that nothing else leads to.
    const auto apart = [&](const SampleRow& row) {
      const auto other = [](std::string_view c) { return is_integer(c) && c != "0" && c != "1"; };
      return columns_.separator && row.cells.size() == cells.size() && other(row.cells[0]) && other(row.cells[1]);
    };
    if (blank == 0 && !std::all_of(rows_.begin() + 1, rows_.end(), words) &&
        !std::all_of(rows_.begin() + 1, rows_.end(), apart))
      return;
    input_.fail_head(rows_[0].offset, "HW-EDGE-HEADER", "a row of edges, or one that names columns",
                     "say --header yes (and --columns source=NUMBER,target=NUMBER), or --header no", "a row of 0, 1, 2");
  }

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
    cut_rows();
    // The header's separator, unless the rows have another.
    if (separator && split_row(rows_[0].text, separator).size() >= 2) separator_ = separator, cut_rows();
    shift_labels(labels, cells);
    columns_.labels = std::move(labels);
  }

  /// "#tag,b" behind a header may be a row whose first name begins as comments do.
  void refuse_comment(const std::string& comment) {
    if (options_.lenient) return void(++columns_.comments_passed);
    input_.fail_file("HW-EDGE-COMMENT", "'" + comment + "' behind the header",
                     "a row, or a comment with a blank behind its sign",
                     "put the name in quotes if it is one, or a blank behind the sign; to leave such rows out: --lenient");
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

  static bool may_count(const std::vector<std::string_view>& cells) {
    return cells.size() <= 3 && std::all_of(cells.begin(), cells.end(), [](std::string_view c) {
             return is_integer(c) && c.size() < 19 && !has_leading_zero(c);
           });
  }

  void find_counts() {
    const auto& cells = rows_[0].cells;
    if (rows_.size() < 2 || !may_count(cells) || columns_.told || columns_.decided.counts == false || options_.header) return;
    const std::size_t width = rows_[1].cells.size();
    if (width < 2) return;
    const bool other_width = cells.size() != width;
    CountRow& counts = columns_.counts;
    for (const std::string_view c : cells) counts.numbers.push_back(number(c));
    counts.needed = other_width;
    if (all_ && !fit_counts(counts.numbers)) return void(counts = {});
    // Rows as wide as this one, and more of them than are seen here: only their number tells.
    counts.taken = other_width || all_ || columns_.decided.counts == true;
    if (!counts.taken) return;
    drop_row(rows_[0].offset);
    const auto first = input_.first_line();
    rows_ = first_rows(input_, first->size(), all_);
    cut_rows();
  }

  /// Do the rows, of which all are here, fit these numbers?
  [[nodiscard]] bool fit_counts(const std::vector<std::uint64_t>& numbers) const {
    const std::uint64_t rows = rows_.size() - 1, n = numbers[0], m = numbers.size() == 3 ? numbers[1] : n;
    const auto within = [](std::string_view c, std::uint64_t most) { return !is_integer(c) || number(c) <= most; };
    const bool ids = std::all_of(rows_.begin() + 1, rows_.end(),
                                 [&](const SampleRow& row) { return within(cell(row, 0), n) && within(cell(row, 1), m); });
    // Twice as many rows may be edges in both directions: all rows must be seen to know it.
    if (numbers.size() == 3 && rows == numbers[1] && ids) return true;  // N, M and another number?
    return numbers.size() == 1 ? ids || rows == n : ids && rows >= numbers.back() && rows / 2 <= numbers.back();
  }

  static std::uint64_t number(std::string_view digits) {
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
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
    const std::string_view u = cell(rows_[0], source_), v = cell(rows_[0], target_);
    if (!columns_.names) columns_.names = (!is_number(u) || !is_number(v)) && !lacks_ids();
    if (!columns_.names && has_zeros()) columns_.names = columns_.decided.zeros = true;
    if (columns_.decided.zeros) columns_.notes.push_back("some ids begin with a zero: all are read as text, so 007 is not 7");
  }

  /// A first row whose id is NA, and numbers in all others: then an error says so.
  [[nodiscard]] bool lacks_ids() const {
    const auto id = [](std::string_view c) { return is_integer(c) || (!c.empty() && is_missing(text_of(c))); };
    const auto both = [&](const SampleRow& row) { return id(cell(row, source_)) && id(cell(row, target_)); };
    const auto whole = [&](const SampleRow& row) { return is_integer(cell(row, source_)) && is_integer(cell(row, target_)); };
    return std::all_of(rows_.begin(), rows_.end(), both) && std::any_of(rows_.begin(), rows_.end(), whole);
  }

  [[nodiscard]] bool has_zeros() const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const SampleRow& row) {
      const auto zero = [](std::string_view c) { return is_integer(c) && has_leading_zero(c); };
      return zero(cell(row, source_)) || zero(cell(row, target_));
    });
  }

  /// A comment that names as many columns as the rows have: "# FromNodeId<TAB>ToNodeId<TAB>Sign". The last that does.
  void take_comment_header() {
    for (auto comment = columns_.comments.rbegin(); comment != columns_.comments.rend(); ++comment)
      if (names_them(*comment)) return;
    if (columns_.comments.empty() || columns_.told || !options_.columns.empty()) return;
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
      columns_.header = columns_.commented = columns_.told = true;
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
    for (const SampleRow& row : rows_) {
      const std::string_view rest = dictionary_in(row.text);
      const auto add = [&](std::string_view key, std::string_view) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
      };
      if (rest.empty() || !for_each_attribute(rest, add)) return;
    }
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
    if (!unread.empty())
      columns_.notes.push_back("attributes not read: " + unread + "; --columns weight=NAME takes one as the weight");
  }

  /// Without a header the third column is the weight if it holds numbers.
  void find_third() {
    bool numbers = false, nearly = false, words = false;
    for (const SampleRow& row : rows_) {
      const std::string text = text_of(cell(row, 2));
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

  /// 2020-01-31, 31/01/2020, and a time behind it.
  static bool is_date(const std::string& text) {
    const auto digits = [&](std::size_t at, std::size_t count) {
      return at + count <= text.size() && is_integer(text.substr(at, count));
    };
    const auto sign = [&](std::size_t at) { return text[at] == '-' || text[at] == '/' || text[at] == '.'; };
    return (digits(0, 4) && digits(5, 2) && digits(8, 2) && sign(4) && sign(7)) ||
           (digits(0, 2) && digits(3, 2) && digits(6, 4) && sign(2) && sign(5));
  }

  void check_dates() {
    if (columns_.count < 3) return;
    for (const bool first : {true, false}) {
      const int column = first ? columns_.source : columns_.target, other = first ? columns_.target : columns_.source;
      const auto dated = [&](const SampleRow& row) {
        return is_date(text_of(cell(row, column))) && !is_date(text_of(cell(row, other)));
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
      ids.insert(text_of(cell(row, 0)));
      second.insert(text_of(cell(row, 1)));
      third.insert(text_of(cell(row, 2)));
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
  const std::string word = small_letters(cell);
  static constexpr std::array<std::string_view, 9> words = {"", "na", "n/a", "nan", "null", "none", "-", "<na>", "nil"};
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
    if (quotes && at < row.size() && row[at] == '"') {  // a quoted cell may hold separators; "" stands for a quote
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

bool is_konect(std::string_view line) {
  return line.starts_with("% sym ") || line.starts_with("% asym ") || line.starts_with("% bip ");
}

/// SNAP's comments: "# Nodes: 82168 Edges: 948464", "# Undirected graph"; and hopwave's own, a vertex without edges.
void read_comment(std::string_view line, Columns& columns) {
  if (columns.comments.size() < most_comments)
    columns.comments.emplace_back(line);
  else
    columns.comments.back() = line;
  columns.told |= is_konect(line);
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
      columns.promised = count, columns.told = true;
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

Columns find_columns(Input& input, const Decided& decided) { return Decision(input, decided).find(); }

std::string describe(const Columns& columns) {
  std::string text = columns.separator == ','    ? "comma"
                     : columns.separator == ';'  ? "semicolon"
                     : columns.separator == '|'  ? "bar"
                     : columns.separator == '\t' ? "tab"
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
