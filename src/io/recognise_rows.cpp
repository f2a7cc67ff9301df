// Rows of text that look like edges and are none.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <unordered_map>
#include <vector>

#include "io/edge_cells.h"
#include "io/edge_list.h"
#include "io/letters.h"
#include "io/recognise.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

struct Line {
  std::string_view text;
  std::vector<std::string_view> cells;
};

/// The separator that all of the first rows have: a comma, a semicolon, a bar or a tab, else blanks.
char separator_of(const std::vector<std::string_view>& lines) {
  for (const char c : {',', ';', '|', '\t'})
    if (std::all_of(lines.begin(), lines.end(), [c](std::string_view line) { return line.find(c) != std::string_view::npos; }))
      return c;
  return 0;
}

class TextRows {
 public:
  TextRows(std::string_view head, bool whole, const Input& input) : input_(input) {
    constexpr std::size_t enough = 2000;
    std::size_t at = 0;
    std::vector<std::string_view> lines;
    for (; at < head.size() && lines.size() < enough;) {
      const std::size_t newline = head.find('\n', at);
      if (newline == std::string_view::npos && !whole) break;
      std::string_view line = head.substr(at, std::min(newline, head.size()) - at);
      at += line.size() + 1;
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos || edge_list_comment(line.substr(first))) {
        ++passed_;
        if (line.substr(0, line.find_last_not_of(" \t\r") + 1) == "#") sharp_ = lines.size();
        continue;
      }
      line = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
      if (line.find('\0') != std::string_view::npos) return;
      lines.push_back(line);
    }
    all_ = whole && at >= head.size();
    separator_ = separator_of(lines);
    for (const std::string_view line : lines) rows_.push_back({line, split_row(line, separator_)});
  }

  [[nodiscard]] std::optional<Known> known() const {
    if (rows_.empty()) return std::nullopt;
    for (const auto kind :
         {&TextRows::drawn, &TextRows::pairs, &TextRows::triples, &TextRows::arrows, &TextRows::sif, &TextRows::graph6,
          &TextRows::matrix, &TextRows::headed_matrix, &TextRows::labelled_matrix, &TextRows::neighbours, &TextRows::colons,
          &TextRows::words_first, &TextRows::valued, &TextRows::tgf, &TextRows::mixed, &TextRows::preamble})
      if (auto found = (this->*kind)()) return found;
    return std::nullopt;
  }

 private:
  template <class Test>
  [[nodiscard]] bool every(Test test, std::size_t from = 0) const {
    return std::all_of(rows_.begin() + static_cast<std::ptrdiff_t>(from), rows_.end(), test);
  }

  /// A table with lines drawn in it: Markdown, psql, mysql, DuckDB, reStructuredText. Bars around each row make empty cells.
  [[nodiscard]] std::optional<Known> drawn() const {
    const auto rule = [](const Line& row) {
      return row.text.find_first_not_of("-=+|: \t") == std::string_view::npos &&
             (contains(row.text, "--") || contains(row.text, "=="));
    };
    const auto barred = [](const Line& row) { return row.text.front() == '|'; };
    const bool ruled = rule(rows_[0]) || (rows_.size() > 1 && rule(rows_[1]));
    if (!ruled && !every(barred) && !rows_[0].text.starts_with("\xE2\x94")) return std::nullopt;
    return Known{
        "a table drawn with lines, as Markdown and databases print it",
        "keep the cells, with a bar between: grep -v -e '--' -e '==' FILE | sed -E 's/^ *[|] *//; s/ *[|] *$//' > graph.txt"};
  }

  [[nodiscard]] std::optional<Known> pairs() const {
    const auto bracketed = [](const Line& row) {  // "(0", "edge(a", "{1": its other bracket is in another cell
      const std::string_view cell = row.cells[0];
      const auto open = [&](char left, char right) {
        return std::count(cell.begin(), cell.end(), left) > std::count(cell.begin(), cell.end(), right) &&
               contains(row.text, std::string_view(&right, 1));
      };
      const bool first = cell.find_first_of("({[") == 0 || dictionary_in(row.text).empty();
      return first && !cell.starts_with('"') && (open('(', ')') || open('{', '}') || open('[', ']'));
    };
    if (!separator_ || !every(bracketed)) return std::nullopt;
    return Known{"pairs in brackets, as programs print them",
                 "write one edge per row: in Python, networkx.write_edgelist(G, 'graph.txt', data=False)"};
  }

  [[nodiscard]] std::optional<Known> triples() const {
    const auto triple = [](const Line& row) {
      const bool subject = row.text.starts_with("_:") || (row.text.starts_with('<') && contains(row.text, "> "));
      const std::size_t predicate = row.text.find(" <");
      return subject && predicate != std::string_view::npos && row.text.ends_with('.');
    };
    if (!every(triple)) return std::nullopt;
    return Known{"N-Triples (RDF)", "keep subject and object: awk '{print $1 \"\\t\" $3}' FILE > graph.tsv"};
  }

  static bool is_arrow(std::string_view word) {
    return word == "->" || word == "--" || word == "<-" || word == "<->" || word == "=>" || word == "-->" || word == "---" ||
           word == "==>" || word == "\xE2\x86\x92" || word == ">" || word == "\xE2\x86\x90" || word == "\xE2\x86\x94";
  }

  [[nodiscard]] std::optional<Known> arrows() const {
    const auto arrow = [](const Line& row) {
      const auto words = split_row(row.text, 0);
      if (words.size() >= 3 && is_arrow(words[1])) return true;
      const auto has = [](std::string_view word) { return contains(word.substr(1), "->") || contains(word.substr(1), "--"); };
      const bool alone = words.size() == 1 || (words.size() == 2 && words[1] == ";");
      const bool arrow_first = words.size() == 2 && words[1].starts_with("->");
      return (arrow_first || (alone && has(words[0]))) && !contains(row.text, ",") && !contains(row.text, "\"");
    };
    if (every(arrow)) return Known{"edges with an arrow between their ends, as DOT has them", cut_arrows};
    const auto sign = [](const Line& row) {
      return row.cells.size() > 2 && std::all_of(row.cells[1].begin(), row.cells[1].end(),
                                                 [](unsigned char c) { return std::ispunct(c) != 0 && c != '"' && c != '\''; });
    };
    if (separator_ || !every(sign)) return std::nullopt;
    return Known{"edges with a sign between their ends", "keep the ends: awk '{print $1 \"\\t\" $3}' FILE > graph.tsv", false};
  }

  /// SIF: source, relation, target. The relations are few words that are no vertices.
  [[nodiscard]] std::optional<Known> sif() const {
    if (separator_ && separator_ != '\t') return std::nullopt;
    static constexpr std::array<std::string_view, 19> relations = {"pp",
                                                                   "pd",
                                                                   "pr",
                                                                   "rc",
                                                                   "cr",
                                                                   "gg",
                                                                   "gd",
                                                                   "dd",
                                                                   "pm",
                                                                   "mp",
                                                                   "interacts",
                                                                   "xx",
                                                                   "interacts-with",
                                                                   "interacts_with",
                                                                   "activates",
                                                                   "inhibits",
                                                                   "binds",
                                                                   "regulates",
                                                                   "in-complex-with"};
    std::set<std::string_view> middle, ends;
    if (names_columns(rows_[0].cells)) return std::nullopt;
    const bool header = rows_.size() > 1 && small_letters(rows_[0].cells[0]).starts_with("source");
    const std::size_t from = header ? 1 : 0;
    bool typical = true;
    for (std::size_t i = from; i < rows_.size(); ++i) {
      const auto& cells = rows_[i].cells;
      if (cells.size() < 3) {
        if (cells.size() == 1 && i > from) continue;  // a lone vertex
        return std::nullopt;
      }
      if (is_number(cells[1]) || contains(cells[1], "\"") || is_number(cells[2])) return std::nullopt;
      typical = typical && std::find(relations.begin(), relations.end(), cells[1]) != relations.end();
      middle.insert(cells[1]);
      ends.insert(cells[0]);
      ends.insert(cells.begin() + 2, cells.end());
      if (cells[2].starts_with('{')) return std::nullopt;  // an edge of networkx, and what it knows of it
    }
    const bool apart = std::none_of(middle.begin(), middle.end(), [&](std::string_view m) { return ends.count(m) != 0; });
    const bool few = rows_.size() >= from + 2 && middle.size() * 2 <= rows_.size() - from;
    if (!apart || !(typical || few)) return std::nullopt;
    return Known{"rows of source, relation and target, as SIF (Cytoscape) has them",
                 "keep the vertices: awk '{for (i = 3; i <= NF; ++i) print $1 \"\\t\" $i}' FILE > graph.tsv", typical};
  }

  /// Without its header: each row as long as its first bytes say, and not a mere word.
  [[nodiscard]] std::optional<Known> graph6() const {
    bool odd = false;
    const auto fits = [&](const Line& row) {
      std::string_view text = row.text;
      const bool marked = text.starts_with(':') || text.starts_with('&');
      if (marked) text.remove_prefix(1);
      if (text.empty() || !std::all_of(text.begin(), text.end(), [](char c) { return c >= '?' && c <= '~'; })) return false;
      odd = odd || marked || std::any_of(text.begin(), text.end(), [](unsigned char c) { return !std::isalnum(c); });
      const std::size_t bytes = text.starts_with("~~") ? 8 : text.starts_with('~') ? 4 : 1;
      if (row.text.starts_with(':')) return text.size() >= bytes;
      if (text.size() < bytes) return false;
      std::uint64_t n = 0;
      for (std::size_t i = bytes == 8 ? 2 : bytes == 4 ? 1 : 0; i < bytes; ++i)
        n = n * 64 + static_cast<std::uint64_t>(text[i] - '?');
      if (n > 100'000) return false;
      const std::uint64_t bits = marked ? n * n : n * (n - 1) / 2;
      return n > 0 && text.size() == bytes + (bits + 5) / 6;
    };
    if (!every(fits) || !odd) return std::nullopt;
    return Known{
        "graph6, sparse6 or digraph6",
        "networkx.write_graphml(networkx.read_graph6(FILE), 'graph.graphml'), or read_sparse6; nauty's showg -e prints edges"};
  }

  static constexpr const char* use_matrix =
      "write its entries: scipy.io.mmwrite('graph.mtx', scipy.sparse.coo_array(numpy.loadtxt(FILE)))";

  [[nodiscard]] bool numeric(std::size_t width, std::size_t from_row, std::size_t from_cell) const {
    return every(
        [&](const Line& row) {
          return row.cells.size() == width &&
                 std::all_of(row.cells.begin() + static_cast<std::ptrdiff_t>(from_cell), row.cells.end(), is_number);
        },
        from_row);
  }

  /// What the rows from `first` on show of a matrix.
  struct Square {
    bool flags = true, diagonal = true, symmetric = true;  // zeros and ones only; zeros in the diagonal
  };
  [[nodiscard]] Square square(std::size_t first) const {
    Square of{.symmetric = all_};
    for (std::size_t i = first; i < rows_.size(); ++i) {
      const auto& cells = rows_[i].cells;
      const std::string_view own = cells[i - first];
      of.flags = of.flags && std::all_of(cells.begin(), cells.end(), [](std::string_view c) { return c == "0" || c == "1"; });
      of.diagonal = of.diagonal && (own == "0" || own == "0.0" || own == "0.");
      for (std::size_t k = first; of.symmetric && k < i; ++k) of.symmetric = cells[k - first] == rows_[k].cells[i - first];
    }
    return of;
  }

  /// As many rows as columns. Three rows of three small numbers could be edges with weights.
  [[nodiscard]] std::optional<Known> matrix() const {
    const std::size_t n = rows_[0].cells.size();
    if (n < 3 || !numeric(n, 0, 0) || !has(n)) return std::nullopt;
    const auto [flags, diagonal, symmetric] = square(0);
    const bool sure = n > 8 || (n > 4 && (diagonal || symmetric)) || (flags && (symmetric || n > 3));
    if (!sure && !flags && n < 5 && !(diagonal && symmetric)) return std::nullopt;
    return Known{"a square matrix of " + std::to_string(n) + " rows and columns", use_matrix, sure};
  }

  /// The same below a row of names, or of numbers that count the columns, as pandas writes it without its index.
  [[nodiscard]] std::optional<Known> headed_matrix() const {
    const auto& names = rows_[0].cells;
    const std::size_t n = names.size();
    if (n < 3 || !separator_ || !numeric(n, 1, 0) || !has(n + 1) || rows_.size() < 2 || names_columns(names))
      return std::nullopt;
    std::uint64_t next = names[0] == "1";
    const bool counted =
        std::all_of(names.begin(), names.end(), [&](std::string_view c) { return c == std::to_string(next++); });
    if (!counted && !std::all_of(names.begin(), names.end(), is_word)) return std::nullopt;
    if (n == 3 && std::any_of(names.begin(), names.end(), [](std::string_view c) { return weight_rank(c) >= 0; }))
      return std::nullopt;  // two ends and a weight
    const auto [flags, diagonal, symmetric] = square(1);
    if (!flags && !(diagonal && symmetric) && (n < 5 || !(diagonal || symmetric))) return std::nullopt;
    return Known{"a square matrix below the names of its columns",
                 "write its entries: scipy.io.mmwrite('graph.mtx', "
                 "scipy.sparse.coo_array(pandas.read_csv(FILE).to_numpy()))",
                 !counted && flags && (n > 3 || symmetric)};
  }

  /// The first row and the first column hold the same names.
  [[nodiscard]] std::optional<Known> labelled_matrix() const {
    if (rows_.size() < 2) return std::nullopt;
    const auto& names = rows_[0].cells;
    const std::size_t n = rows_[1].cells.size() - 1, lead = names.size() - std::min(names.size(), n);
    if (n < 2 || lead > 1 || names.size() < n || !numeric(n + 1, 1, 1) || !has(n + 1)) return std::nullopt;
    // Three numbers in the first row are an edge with its weight.
    if (lead == 1 && !names[0].empty() && names[0] != "\"\"" && std::all_of(names.begin(), names.end(), is_number))
      return std::nullopt;
    bool same = true, numbered = n > 2;  // R calls columns V1, V2 and rows "1", "2", in lists of edges as well
    const auto text = [](std::string_view name) { return unquoted(name).value_or(""); };
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const std::string row = text(rows_[i].cells[0]), column = text(names[lead + i - 1]);
      same = same && row == column;
      numbered = numbered && is_integer(row) && (column == "V" + row || column == "X" + row);
    }
    if (!same && !numbered) return std::nullopt;
    return Known{"a square matrix with names for its rows and columns",
                 "write its entries: A = pandas.read_csv(FILE, index_col=0); A.stack().rename_axis(['source', 'target'])"
                 ".rename('weight').loc[lambda w: w != 0].to_csv('graph.csv')",
                 same || n > 4};
  }

  /// A vertex and its neighbours per row: of as many columns, and the first counts; or of various lengths.
  [[nodiscard]] std::optional<Known> neighbours() const {
    const std::size_t width = rows_[0].cells.size();
    const auto whole_numbers = [](const Line& row) { return std::all_of(row.cells.begin(), row.cells.end(), is_integer); };
    if (rows_.size() < 3 || !every(whole_numbers)) return std::nullopt;
    const bool even = every([width](const Line& row) { return row.cells.size() == width; });
    const std::size_t most = std::max_element(rows_.begin(), rows_.end(), [](const Line& a, const Line& b) {
                               return a.cells.size() < b.cells.size();
                             })->cells.size();
    const bool both = even && most > 2 && mutual();
    const std::uint64_t first = rows_[0].cells[0] == "1";
    std::uint64_t expected = first;
    const bool counts = every([&](const Line& row) { return row.cells[0] == std::to_string(expected++); });
    if (most < 4 && !both) {  // the third of three numbers is a weight, unless each is another vertex
      const auto three = [first](const Line& row) {
        const auto& c = row.cells;
        return c.size() == 3 && c[0] != c[1] && c[0] != c[2] && c[1] != c[2] && value_of(c[1]) >= first &&
               value_of(c[2]) >= first;
      };
      if (!counts || rows_.size() < 4 || !every(three) || !none_beyond(total() + first - 1)) return std::nullopt;
    }
    if (even && !both && !(counts && none_beyond(total()))) return std::nullopt;
    if (!even && width < 4) return std::nullopt;  // rows of another length are errors there
    return Known{
        both   ? "rows in which each number names the others' rows, as lists of neighbours have it"
        : even ? "rows whose first number counts, as lists of neighbours and of numbered edges have it"
               : "rows of numbers of various lengths",
        "say --input-format adjacency for a vertex and its neighbours, --input-format edge-list for source, target and more",
        false};
  }

  /// "1: 2 3"
  [[nodiscard]] std::optional<Known> colons() const {
    if (!every([](const Line& row) { return row.cells.size() > 1 && row.cells[0].size() > 1 && row.cells[0].ends_with(':'); }))
      return std::nullopt;
    return Known{"rows of a vertex, a colon and its neighbours", "take the colons away: tr -d : < FILE > graph.adjlist"};
  }

  /// "a 1 2 5", "edge 1 2", "+ 1 2": could be one vertex' edges.
  [[nodiscard]] std::optional<Known> words_first() const {
    static constexpr std::array<std::string_view, 9> words = {"a", "e", "E", "l", "+", "-", "edge", "arc", "add"};
    const auto line = [](const Line& row) {
      return row.cells.size() > 2 && std::find(words.begin(), words.end(), row.cells[0]) != words.end() &&
             is_integer(row.cells[1]) && is_integer(row.cells[2]);
    };
    if (separator_ || !every(line)) return std::nullopt;
    return Known{"rows of a word and an edge, as DIMACS has them below a line p",
                 "keep what follows the word: cut -d ' ' -f 2- FILE > graph.txt", false};
  }

  /// "1 2,5": a weight with a comma, or three numbers? Blanks next to a comma are no second kind.
  [[nodiscard]] std::optional<Known> mixed() const {
    const auto two_kinds = [](const Line& row) {
      const auto digits_meet = [](std::string_view a, std::string_view b) { return is_digit(a.back()) && is_digit(b.front()); };
      const auto words = split_row(row.text, '\0');
      int kinds = std::adjacent_find(words.begin(), words.end(), digits_meet) != words.end();
      for (const char c : {',', ';', '|'}) kinds += row.text.find(c) != std::string_view::npos;
      const auto divides = [&](char separator) {
        const auto cells = split_row(row.text, separator);
        return cells.size() > 1 && is_integer(cells[0]) && is_integer(cells[1]);
      };
      return row.text.find_first_not_of("0123456789 \t,;|") == std::string_view::npos && kinds > 1 && !divides('\0') &&
             !divides(',') && !divides(';') && !divides('|');
    };
    if (!every(two_kinds)) return std::nullopt;
    return Known{"numbers with two kinds of separators", "write one kind, and a point in numbers", false};
  }

  /// "nodes 5", "edges 2", and then rows of numbers.
  [[nodiscard]] std::optional<Known> preamble() const {
    const auto numbers = [](const Line& row) {
      return row.cells.size() > 1 && is_integer(row.cells[0]) && is_integer(row.cells[1]);
    };
    const auto last = std::find_if_not(rows_.rbegin(), rows_.rend(), numbers);
    const auto words = static_cast<std::size_t>(rows_.rend() - last);
    const auto no_row = [&](const Line& row) { return numbers(row) || names_columns(row.cells); };
    if (separator_ || words < 2 || 2 * words > rows_.size() || std::any_of(rows_.begin(), last.base(), no_row))
      return std::nullopt;
    return Known{"lines of words before rows of numbers", "leave them out: tail -n +LINE FILE > graph.txt", false};
  }

  /// "Ann 0.5": two columns, of which the second has fractions, as lists of vertices with a number have them.
  [[nodiscard]] std::optional<Known> valued() const {
    const auto fraction = [](std::string_view cell) { return is_number(cell) && !is_integer(cell) && !whole_number(cell); };
    const auto two = [&](const Line& row) {
      return row.cells.size() == 2 && is_number(row.cells[1]) && !is_number(row.cells[0]);
    };
    if (!every(two) || std::none_of(rows_.begin(), rows_.end(), [&](const Line& row) { return fraction(row.cells[1]); }))
      return std::nullopt;
    return Known{"rows of a vertex and a number, not of two vertices",
                 "give the file with the edges; if the numbers are names of vertices, say --input-format names", false};
  }

  /// Trivial Graph Format: vertices and what they are called, a line #, edges.
  [[nodiscard]] std::optional<Known> tgf() const {
    if (separator_ || sharp_ == 0 || sharp_ >= rows_.size()) return std::nullopt;
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i < sharp_; ++i)
      if (!ids.insert(rows_[i].cells[0]).second) return std::nullopt;
    const auto is_id = [&](const Line& row, std::size_t i) { return row.cells.size() > i && ids.count(row.cells[i]) != 0; };
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (i < sharp_ ? is_id(rows_[i], 1) : !is_id(rows_[i], 0) || !is_id(rows_[i], 1)) return std::nullopt;
    return Known{"TGF: vertices, a line #, edges", "keep what follows the line #: sed '1,/^#/d' FILE > graph.txt"};
  }

  /// Does the row of each neighbour name the vertex, too?
  [[nodiscard]] bool mutual() const {
    std::unordered_map<std::string_view, const Line*> row_of;
    for (const Line& row : rows_)
      if (!row_of.try_emplace(row.cells[0], &row).second) return false;
    std::uint64_t seen = 0;
    return every([&](const Line& row) {
             return std::all_of(row.cells.begin() + 1, row.cells.end(), [&](std::string_view cell) {
               const auto found = row_of.find(cell);
               if (found == row_of.end()) return !all_;
               ++seen;
               const auto& cells = found->second->cells;
               return std::find(cells.begin() + 1, cells.end(), row.cells[0]) != cells.end();
             });
           }) &&
           seen > 0;
  }

  [[nodiscard]] bool none_beyond(std::uint64_t largest) const {
    return every([largest](const Line& row) {
      return std::all_of(row.cells.begin(), row.cells.end(),
                         [largest](std::string_view cell) { return cell.size() < 18 && value_of(cell) <= largest; });
    });
  }

  /// Rows of the file; 0 if that is not known. Reads a long file: to be asked last.
  [[nodiscard]] std::uint64_t total() const {
    if (all_) return rows_.size();
    const auto lines = input_.count_lines();
    return lines ? *lines - passed_ : 0;
  }
  [[nodiscard]] bool has(std::size_t rows) const { return rows_.size() <= rows && total() == rows; }

  const Input& input_;
  std::vector<Line> rows_;
  bool all_ = false;
  char separator_ = 0;
  std::uint64_t passed_ = 0;  // lines that are no rows
  std::size_t sharp_ = 0;     // rows before the last line that is a # alone
};

}  // namespace

std::optional<Known> recognise_rows(std::string_view head, bool whole, const Input& input) {
  auto known = TextRows(head, whole, input).known();
  if (known && !contains(known->hint, "--input-format"))
    known->hint += "; if it is an edge list after all, say --input-format edge-list";
  return known;
}

}  // namespace hopwave::io
