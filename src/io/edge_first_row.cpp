// What the first row of a table is: a header, counts of vertices and rows, or an edge.
#include <algorithm>
#include <array>

#include "io/edge_cells.h"
#include "io/edge_sample.h"

namespace hopwave::io {
namespace {

constexpr std::size_t few_rows = 64;    // too few to show by what is in them that the first one is none of them
constexpr std::size_t first_lines = 8;  // in which there may be a header below a title
constexpr const char* edges_or_names = "a row of edges, or one that names columns";

class FirstRow {
 public:
  FirstRow(Input& input, const std::vector<SampleRow>& rows, Columns& columns)
      : input_(input), rows_(rows), columns_(columns) {}

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
    if (columns_.quotes && std::any_of(cells.begin(), cells.end(), [](std::string_view c) { return !unquoted(c); }))
      return false;  // as an edge it is an error
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
      input_.fail_head(rows_[0].offset, "HW-EDGE-HEADER", edges_or_names, "say --header yes or --header no",
                       "words that name columns, or are ids");
    if (again) return false;
    const bool dated = std::any_of(cells.begin(), cells.end(), [](std::string_view c) { return is_date(text_of(c)); });
    if ((columns_.separator || weak_pair) && rows_.size() > 1 && !dated) return guess_header();
    return take_as_edge();
  }

 private:
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
    std::size_t at = 1;
    std::vector<std::string_view> cells;
    const auto names = [&](std::size_t r) {
      cells = split_row(rows_[r].text, find_separator(rows_[r].text, true));
      return names_columns(cells) && !words_occur_again(cells, r);
    };
    const std::size_t end = std::min(rows_.size(), first_lines);
    while (at < end && !names(at)) ++at;
    if (at >= end) return;
    for (std::size_t r = 0; r < at; ++r)
      if (words_occur_again(rows_[r].cells, r)) return;
    input_.fail_head(rows_[at].offset, "HW-EDGE-HEADER", "a header before all other rows",
                     "leave out the rows before it: tail -n +LINE FILE > graph.txt; --header no if it is an edge",
                     "a header that is not the first row");
  }

  bool guess_header() { return columns_.guessed_header = true; }
  bool take_as_edge() {
    columns_.notes.push_back("first row taken as an edge: " + std::string(rows_[0].text) +
                             "; --header yes if it names columns");
    return false;
  }

  /// A first row with numbers in it: "user,friend,0" over ids that are numbers, or a row of edges.
  bool is_numbered_header() {
    const auto& cells = rows_[0].cells;
    refuse_numbered_header();
    const bool words = cells.size() > 2 && is_word(cells[0]) && is_word(cells[1]);
    if (!words || rows_.size() < 2 || words_occur_again(cells, 0)) return false;
    const auto numbers = [&](const SampleRow& row) { return integer_ids(split_row(row.text, columns_.separator)); };
    if (std::all_of(rows_.begin() + 1, rows_.end(), numbers)) return guess_header();
    return take_as_edge();
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
    if (columns_.rows_are_edges || rows_.size() < 2) return;
    // Numbers as ids: 0 and 1 would be two vertices that nothing else leads to.
    const auto apart = [&](const SampleRow& row) {
      const auto other = [](std::string_view c) { return is_integer(c) && c != "0" && c != "1"; };
      return columns_.separator && row.cells.size() == cells.size() && other(row.cells[0]) && other(row.cells[1]);
    };
    if (blank == 0 && !std::all_of(rows_.begin() + 1, rows_.end(), words) &&
        !std::all_of(rows_.begin() + 1, rows_.end(), apart))
      return;
    input_.fail_head(rows_[0].offset, "HW-EDGE-HEADER", edges_or_names,
                     "say --header yes (and --columns source=NUMBER,target=NUMBER), or --header no", "a row of 0, 1, 2");
  }

  Input& input_;
  const std::vector<SampleRow>& rows_;
  Columns& columns_;
};

}  // namespace

bool is_header(Input& input, const std::vector<SampleRow>& rows, Columns& columns) {
  return FirstRow(input, rows, columns).is_header();
}

bool may_count(const std::vector<std::string_view>& cells) {
  return cells.size() <= 3 && std::all_of(cells.begin(), cells.end(), [](std::string_view c) {
           return is_integer(c) && c.size() < 19 && !has_leading_zero(c);
         });
}

bool fit_counts(const std::vector<SampleRow>& rows, const std::vector<std::uint64_t>& numbers) {
  const std::uint64_t count = rows.size() - 1, n = numbers[0], m = numbers.size() == 3 ? numbers[1] : n;
  const auto within = [](std::string_view c, std::uint64_t most) { return !is_integer(c) || value_of(c) <= most; };
  const bool ids = std::all_of(rows.begin() + 1, rows.end(),
                               [&](const SampleRow& row) { return within(row.cell(0), n) && within(row.cell(1), m); });
  // Twice as many rows may be edges in both directions: all rows must be seen to know it.
  if (numbers.size() == 3 && count == numbers[1] && ids) return true;  // N, M and another number?
  return numbers.size() == 1 ? ids || count == n : ids && count >= numbers.back() && count / 2 <= numbers.back();
}

}  // namespace hopwave::io
