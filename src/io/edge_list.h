// Shared by the parts of the edge list reader: the meaning of a table's columns, and reading rows by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.h"
#include "io/sink.h"
#include "io/stated.h"

namespace hopwave::io {

/// What only the whole file can show. Rows are read as the first ones suggest; if a later one contradicts, all are read again.
struct Decided {
  std::optional<bool> header = {};  ///< the first row names the columns
  std::optional<bool> counts = {};  ///< the first row counts vertices and edges
  bool names = false;               ///< ids are text
  bool zeros = false;               ///< because some begin with a zero
  bool mixed = false;               ///< some rows are undirected edges, others arcs
  std::string weight_key = {};      ///< of rows with attributes
};

/// Thrown by readers of rows.
struct Contradiction {
  Decided decided;
  const char* what;    ///< of the row, for a stream that cannot be read again
  const char* option;  ///< that decides it beforehand
};

/// A first row that says how many vertices and rows follow: "N M", "N N M", or N alone.
struct CountRow {
  std::vector<std::uint64_t> numbers = {};
  bool taken = false;   ///< as counts, unless the rows show that it must be an edge
  bool needed = false;  ///< it does not have the form of the other rows
};

enum class RowDirection { as_file, undirected, directed, mixed };

struct Columns {
  char separator = 0;      ///< ',' ';' '|' or '\t'; 0: blanks
  bool quotes = false;     ///< cells may be quoted
  int count = 2;           ///< of each row
  bool loose = false;      ///< rows may have more cells: --columns says which are read
  bool names = false;      ///< ids are text
  bool header = false;     ///< the columns have names
  bool commented = false;  ///< in a comment
  int source = 0, target = 1;
  int weight = -1;   ///< -1: none
  int reverse = -1;  ///< the weight of an arc back; negative: no such arc
  int type = -1;     ///< Gephi's: Directed or Undirected
  RowDirection direction = RowDirection::as_file;
  bool attributes = false;          ///< NetworkX: the third cell is a dictionary of Python
  std::string weight_key;           ///< in it; empty: none of its names is a weight's
  bool passed_weights = false;      ///< there are some, and none is wanted
  bool no_number_third = false;     ///< an unnamed third column that is text; a number in it would be a weight
  int comments_passed = 0;          ///< after the header; they may have been rows
  bool rows_are_edges = false;      ///< a comment says that rows are edges
  std::vector<std::string> labels;  ///< the columns' names
  bool guessed_header = false;      ///< as long as the names of the ends are no ids
  bool ends_by_place = false;       ///< no name in the header says which columns the ends are in
  CountRow counts;
  Decided decided;
  Stated stated = {};  ///< in comments
  std::vector<std::string> notes;
  std::optional<std::uint64_t> promised;  ///< "# Nodes: N"
  std::vector<std::uint64_t> lone_ids;    ///< "# Isolated:<TAB>7": a vertex that no row names
  std::vector<std::string> lone_names;    ///< "# Isolated:<TAB>"Rome"", which makes all ids text
  std::vector<std::string> comments;      ///< before the rows: the first ones and the last

  [[nodiscard]] bool weighted() const { return weight >= 0 || (attributes && !weight_key.empty()); }
  /// Two ids, perhaps a weight, perhaps columns that are skipped: rows that are scanned without cutting them into cells first.
  [[nodiscard]] bool plain() const {
    return source == 0 && target == 1 && (weight == -1 || weight == 2) && reverse < 0 && type < 0 && !attributes &&
           !no_number_third && !loose;
  }
};

inline constexpr std::string_view isolated_mark = "# Isolated:\t";
inline constexpr std::size_t most_comments = 64;
inline constexpr std::size_t longest_name = 65535;  ///< bytes of an id that is text

/// Looks at the first rows; afterwards the input begins with the first of edges.
/// Errors: HW-EDGE-EMPTY, HW-EDGE-COLUMNS, HW-EDGE-HEADER, HW-FORMAT-AMBIGUOUS, HW-TEXT-UTF16.
Columns find_columns(Input& input, const Decided& decided);
std::string describe(const Columns& columns);
/// The cells of a row; quotes are kept.
std::vector<std::string_view> split_row(std::string_view row, char separator);
void split_row(std::string_view row, char separator, bool quotes, std::vector<std::string_view>& cells);
/// A comment after a row of names begins a column of its own, the third or a later one ("C# #1" is two names).
void cut_comment(std::vector<std::string_view>& cells);
/// The text of a cell of a separated file; nothing if its quotes are wrong. "say ""x""" is: say "x"
std::optional<std::string> unquoted(std::string_view cell);
bool is_integer(std::string_view cell);
bool is_number(std::string_view cell);
/// "NA", "null", "-", an empty cell and the like: no value is known.
bool is_missing(std::string_view cell);
/// 0,5 as 0.5; any other text as it is.
std::string with_point(std::string_view cell);
/// "5 km", "5,5", "1_000": intended as a number, but not one.
bool is_nearly_number(std::string_view cell);
/// 2020-01-31, 31/01/2020, and a time after it.
bool is_date(const std::string& text);
/// The cell without its quotes; as it is where they are wrong.
std::string text_of(std::string_view cell);
/// A word: no number, even in quotes, nothing that is intended as one, and no mark of a missing value.
bool is_word(std::string_view cell);
/// Digits only, of a number that 64 bits hold.
std::uint64_t value_of(std::string_view digits);
/// Does it begin with a zero? 007 is another id than 7.
inline bool has_leading_zero(std::string_view digits) { return digits.size() > 1 && digits[0] == '0'; }

/// A row of the beginning of a table, cut into cells.
struct SampleRow {
  std::size_t offset;  ///< in head()
  std::string_view text;
  std::size_t tabs_before = 0, tabs_behind = 0;  ///< that are no part of `text`
  std::vector<std::string_view> cells = {};

  /// Empty where the row has fewer.
  [[nodiscard]] std::string_view cell(int i) const {
    const auto at = static_cast<std::size_t>(i);
    return at < cells.size() ? cells[at] : std::string_view();
  }
};

/// A column's name in small letters, without quotes, type (":float") and unit.
std::string plain_label(std::string_view cell);
/// Does the row name a source and a target, by words that are surely no ids? `comment`: in a comment, where no word is an id.
bool names_columns(const std::vector<std::string_view>& cells, bool comment = false);
/// The rank of a name among those of weights, from 0 on; -1: it is none.
int weight_rank(std::string_view label);
/// Sets the roles of columns by the header and by --columns, which takes precedence. `rows` are those of edges; `header`: its
/// place in head().
void find_roles(Input& input, std::size_t header, const std::vector<SampleRow>& rows, Columns& columns);
/// Does this --columns name columns, so that there must be a header?
bool columns_need_header(const std::string& text);
/// "columns not read: …"
void note_unread(const ReadOptions& options, Columns& columns);

/// Is it the first line of a file of KONECT?
bool is_konect(std::string_view line);
/// Takes what a comment before the rows states of vertices and edges.
void read_comment(std::string_view line, Columns& columns);
/// Maps ids, whose number may be in `columns`. Errors: HW-EDGE-HUGE.
void map_stated_ids(Input& input, const Columns& columns, class RowStore& raw, EdgeList& list);
/// A comment line that says undirected; empty of a directed graph.
std::string direction_comment(const Graph& graph);
/// Comments that state the vertices of a graph with numeric ids; empty if the rows name all of them.
std::string vertex_comments(const Graph& graph);

EdgeList read_names(Input& input, const Columns& columns);
/// After reading: has the first row been taken for what it is? Errors: HW-EDGE-COUNTS.
void check_counts(Input& input, const Columns& columns, std::uint64_t rows, bool fit, bool doubtful);
/// A comment below the first row that states a direction, where nothing else does.
void note_late_direction(const ReadOptions& options, const Columns& columns, const struct Mended& mended, ReadReport& report);
void note_counts(const Columns& columns, std::uint64_t rows, bool fit, bool vertices, ReadReport& report);
/// Sorted, without duplicates. Errors: HW-EDGE-ID.
std::vector<std::uint64_t> read_vertex_list(const std::string& path, const ReadOptions& options);

}  // namespace hopwave::io
