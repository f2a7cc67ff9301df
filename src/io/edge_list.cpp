// Edge lists: SNAP text, TSV, CSV and the like: one row per edge, "source target [weight]", comments anywhere.
// Rows are scanned in parallel; ids may have gaps or (format "names") be any text.
#include "io/edge_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "core/mix.h"
#include "fast_float/fast_float.h"
#include "io/edge_cells.h"
#include "io/format.h"
#include "io/id_map.h"
#include "io/number_pairs.h"
#include "io/weight_columns.h"

namespace hopwave::io {
namespace {

bool is_comment(const char* p) { return *p == '#' || *p == '%' || (*p == '/' && p[1] == '/'); }

/// Skips blanks and at most one separator (columns.separator, or none where blanks separate).
inline const char* next_column(const char* p, char separator) {
  p = skip_blanks(p);
  if (separator && *p == separator) p = skip_blanks(p + 1);
  return p;
}

/// How many columns follow what was read of a row, of which p is the end; −1: there are quotes.
int columns_left(const char* p, const char* end, char separator) {
  int count = 0;
  if (separator) {
    for (; p < end; ++p) {
      if (*p == '"') return -1;
      count += *p == separator;
    }
    return count;
  }
  for (; p < end; ++count) {
    while (is_blank(*p)) ++p;
    while (p < end && !is_blank(*p)) ++p;
  }
  return count;
}

class IntegerRows {
 public:
  /// `lone`: gets vertices of rows that are no arc.
  IntegerRows(const Columns& columns, const ReadOptions& options, Mended& mended, MissingWeights& missing,
              std::vector<std::uint64_t>& lone)
      : columns_(columns),
        separator_(columns.separator == '\t' ? '\0' : columns.separator),
        weighted_(columns.weight >= 0),
        ignored_(columns.count - (columns.weight >= 0 ? 3 : 2)),
        keep_weights_(columns.weighted() && options.weights),
        lenient_(options.lenient),
        mended_(mended),
        lone_(lone),
        cells_(columns, options, mended, missing) {}

  void scan(const Block& block, RowBuffer& rows) {
    columns_.plain() ? scan_plain(block, rows) : scan_cells(block, rows);
    if (!zeros_) return;
    Decided decided = columns_.decided;
    decided.zeros = true;
    throw Contradiction{decided, "an id that begins with a zero", "--input-format names"};
  }

 private:
  void scan_plain(const Block& block, RowBuffer& rows) {
    const char* p = block.begin;
    PairScanner pairs(separator_);
    while (p < block.end) {
      if (columns_.count == 2) {
        p = pairs.scan(p, block.end, [&](std::uint64_t u, std::uint64_t v) { return rows.add(u, v), true; });
        if (p == block.end) break;
      }
      std::uint64_t u = 0, v = 0;
      const char* q = scan_integer(p, u);
      if (q != p && (*q == '.' || *q == 'e' || *q == 'E')) {
        p = cell_row(block, p, rows);
        continue;
      }
      if (q == p) {
        q = skip_blanks(p);
        if (*q == '\n') {
          p = q + 1;
        } else if (is_comment(q)) {
          p = skip_line(q, block.end) + 1;
          cells_.look_for_direction({q, static_cast<std::size_t>(p - 1 - q)});
        } else if (q != p) {
          p = q;  // an indented row
        } else {
          p = bad_row(block, p, p, "HW-EDGE-ID", "a vertex id (an integer from 0 on)");
        }
        continue;
      }
      const char* r = next_column(q, separator_);
      const char* s = scan_integer(r, v);
      zeros_ |= (*p == '0' && q - p > 1) || (*r == '0' && s - r > 1);
      if (s != r && (*s == '.' || *s == 'e' || *s == 'E')) {
        p = cell_row(block, p, rows);
      } else if (r == q || s == r) {
        p = bad_row(block, p, r == q ? q : r, *r == '\n' ? "HW-EDGE-COLUMNS" : "HW-EDGE-ID", "a vertex id (the target)");
      } else if ((u | v) >> 63) {
        p = bad_row(block, p, u >> 63 ? p : r, "HW-EDGE-RANGE", "an id of at most 9223372036854775807");
      } else if (*s == '\n' && columns_.count == 2) {
        rows.add(u, v);
        p = s + 1;
      } else {
        p = rest_of_row(block, p, s, u, v, rows);
      }
    }
    zeros_ |= pairs.leading_zeros();
  }

  const char* rest_of_row(const Block& block, const char* row, const char* p, std::uint64_t u, std::uint64_t v,
                          RowBuffer& rows) {
    const char* q = next_column(p, separator_);
    Number weight;
    if (q == p && *q != '\n') return bad_row(block, row, p, "HW-EDGE-ID", "a blank or a separator after the id");
    if (weighted_) {
      const Real real = scan_number(q, block.end, weight);
      p = q;
      q = next_column(p, separator_);
      if (real != Real::ok || (q == p && *q != '\n')) return cell_row(block, row, rows);
    }
    if (is_comment(q)) q = skip_line(q, block.end);
    if (ignored_ > 0) {
      const char* const end = skip_line(q, block.end);
      const char* last = end;
      while (last > p && is_blank(last[-1])) --last;
      if (std::memchr(q, '\0', static_cast<std::size_t>(end - q)) || columns_left(p, last, separator_) != ignored_)
        return cell_row(block, row, rows);
      q = end;
    }
    if (*q != '\n') {
      if ((weighted_ && separator_) || *skip_separators(q) == '\n') return cell_row(block, row, rows);
      return bad_row(block, row, q, "HW-EDGE-COLUMNS", std::to_string(columns_.count) + " columns, as in the first row");
    }
    rows.add(u, v);
    if (weighted_) rows.add_weight(weight);
    return q + 1;
  }

  [[nodiscard]] const char* skip_separators(const char* p) const {
    while (is_blank(*p) || (separator_ && *p == separator_)) ++p;
    return p;
  }

  void scan_cells(const Block& block, RowBuffer& rows) {
    for (const char* p = block.begin; p < block.end;) {
      const char* const q = skip_blanks(p);
      if (*q != '\n' && !cells_.comments(p, q)) {
        p = cell_row(block, columns_.separator == '\t' ? p : q, rows);
        continue;
      }
      const char* const stop = skip_line(q, block.end);
      if (*q != '\n') cells_.pass_comment(block, {q, static_cast<std::size_t>(stop - q)});
      p = stop + 1;
    }
  }

  /// A row whose cells are looked at one by one.
  const char* cell_row(const Block& block, const char* row, RowBuffer& rows) {
    const char* const stop = skip_line(row, block.end);
    CellReader::Row cells;
    if (!cells_.read(block, {row, static_cast<std::size_t>(stop - row)}, cells)) return stop + 1;
    std::uint64_t u = 0, v = 0;
    if (!id(block, cells.source, u) || !id(block, cells.target, v)) return stop + 1;
    if (cells.there) {
      rows.add(u, v);
      if (keep_weights_) rows.add_weight(cells.weight);
    }
    if (cells.back) {
      rows.add(v, u);
      if (keep_weights_) rows.add_weight(cells.back_weight);
    }
    if (!cells.there && !cells.back) lone_.insert(lone_.end(), {u, v});
    return stop + 1;
  }

  bool id(const Block& block, std::string_view cell, std::uint64_t& value) {
    if (is_whole_real(cell, value)) {
      mended_.real_ids.fetch_add(1, std::memory_order_relaxed);
      return true;
    }
    if (!is_integer(cell))
      return cells_.bad(block, cell.data(), "HW-EDGE-ID", "a vertex id (an integer from 0 on)",
                        "ids that are text: --input-format names; to leave such rows out: --lenient");
    scan_integer(cell.data(), value);
    zeros_ |= has_leading_zero(cell);
    if (value >> 63) return cells_.bad(block, cell.data(), "HW-EDGE-RANGE", "an id of at most 9223372036854775807");
    return true;
  }

  /// 1.0 and 2e+06, as pandas, R and NumPy write numbers that could be fractions.
  static bool is_whole_real(std::string_view cell, std::uint64_t& value) {
    if (cell.empty() || !is_digit(cell[0]) || is_integer(cell)) return false;
    const std::size_t letter = cell.find_first_of("eE");  // 9606.E1 is a name
    if (letter < cell.size() && cell[letter - 1] == '.' && letter + 1 < cell.size() && is_digit(cell[letter + 1])) return false;
    const auto whole = whole_number(cell);
    if (!whole) return false;
    value = *whole;
    return true;
  }

  const char* bad_row(const Block& block, const char* row, const char* at, const char* id, const std::string& expected) {
    const char* const end = skip_line(row, block.end);
    if (cells_.repeats_header(block, {row, static_cast<std::size_t>(end - row)})) return end + 1;
    if (!lenient_)
      block.fail(at, id, expected,
                 std::string_view(id) == "HW-EDGE-COLUMNS"
                     ? "to read some columns whatever follows: --columns source=1,target=2; a vertex and "
                       "its neighbours in each row: --input-format adjacency; to leave such rows "
                       "out: --lenient"
                     : "ids that are text: --input-format names; to leave such rows out: --lenient");
    mended_.rows_skipped.fetch_add(1, std::memory_order_relaxed);
    return end + 1;
  }

  const Columns& columns_;
  const char separator_;
  const bool weighted_;
  const int ignored_;
  const bool keep_weights_, lenient_;
  bool zeros_ = false;
  Mended& mended_;
  std::vector<std::uint64_t>& lone_;
  CellReader cells_;
};

/// Do the first row's numbers count the vertices and rows that follow it?
struct Counted {
  std::uint64_t rows, smallest, largest;
  std::uint64_t edges;  ///< rows, or half of them if each edge is there in both directions

  [[nodiscard]] bool within(std::uint64_t n) const { return rows == 0 || largest < n || (largest == n && smallest > 0); }
  /// The number of vertices, if it is one.
  [[nodiscard]] std::optional<std::uint64_t> vertices(const std::vector<std::uint64_t>& numbers) const {
    const std::uint64_t n = numbers.size() == 3 ? std::max(numbers[0], numbers[1]) : numbers[0];
    return within(n) ? std::optional(n) : std::nullopt;
  }
  [[nodiscard]] bool fit(const std::vector<std::uint64_t>& numbers) const {
    if (numbers.size() == 1) return within(numbers[0]) || rows == numbers[0];
    return edges == numbers.back() && vertices(numbers);
  }
};

/// As many edges as `count` says, if the rows are these in both directions (a loop once); else as many as there are rows.
std::uint64_t count_edges(std::span<const Edge> rows, std::uint64_t count) {
  const auto forward = std::count_if(rows.begin(), rows.end(), [](Edge e) { return e.source <= e.target; });
  if (rows.size() == count || static_cast<std::uint64_t>(forward) != count) return rows.size();
  // Sums of hashed rows, to take no memory.
  const auto hash = [](std::uint64_t u, std::uint64_t v) { return core::mix(u << 32 | v); };
  std::uint64_t difference = 0;
  for (const Edge& e : rows) difference += hash(e.source, e.target) - hash(e.target, e.source);
  return difference == 0 ? count : rows.size();
}

constexpr const char* counts_hint = "--header yes passes over the first row, --header no takes it as an edge";

}  // namespace

void check_counts(Input& input, const Columns& columns, std::uint64_t rows, bool fit, bool doubtful) {
  const CountRow& counts = columns.counts;
  if (counts.numbers.empty()) return;
  Decided decided = columns.decided;
  std::string first;
  for (const std::uint64_t n : counts.numbers) first += (first.empty() ? "" : " ") + std::to_string(n);
  if (!counts.taken) {
    if (!fit && rows - 1 != counts.numbers.back()) return;
    decided.counts = true;
    throw Contradiction{decided, "as many rows as the first one counts", "--header yes or --header no"};
  }
  if (!fit && counts.needed && !input.options().lenient)
    input.fail_file(
        "HW-EDGE-COUNTS",
        "a first row '" + first + "' that counts neither the vertices nor the rows that follow, " + std::to_string(rows),
        "columns as in the other rows, or counts that fit them", counts_hint);
  if (!fit && !counts.needed) {
    decided.counts = false;
    throw Contradiction{decided, "other rows than the first one counts", "--header yes or --header no"};
  }
  const bool rectangular = counts.numbers.size() == 3 && counts.numbers[0] != counts.numbers[1];
  if ((fit && rectangular) || (doubtful && !counts.needed))
    input.fail_file("HW-EDGE-COUNTS", "a first row '" + first + "' that may be an edge, or count the rows that follow",
                    "one meaning", counts_hint);
}

void note_counts(const Columns& columns, std::uint64_t rows, bool fit, bool vertices, ReadReport& report) {
  if (!columns.counts.taken) return;
  if (!fit) return report.repairs.push_back("the first row, which is no edge as the others are, was left out");
  const auto& numbers = columns.counts.numbers;
  std::string text = "first row taken as counts: ";
  if (vertices) text += std::to_string(numbers[0]) + (numbers[0] == 1 ? " vertex" : " vertices");
  if (numbers.size() > 1) text += ", ";
  if (numbers.size() > 1 && rows != numbers.back())
    text += std::to_string(numbers.back()) + (numbers.back() == 1 ? " edge" : " edges, each") + " in both directions";
  else if (numbers.size() > 1 || !vertices)
    text += std::to_string(numbers.back()) + (numbers.back() == 1 ? " row" : " rows");
  report.notes.push_back(text + "; --header no if it is an edge");
}

namespace {

/// Would few rows that fit the first row's counts fit them by chance? Files with counts hold graphs without loops and repeated
/// edges. If the counts are those of vertices and rows (no third number), every vertex has a row, and rows are in order.
/// `needed`: the first row has another width, and cannot be an edge.
bool by_chance(const std::vector<std::uint64_t>& first, bool needed, std::span<const Edge> edges) {
  if (edges.size() > 64) return false;
  const auto forward = [](Edge e) { return e.source < e.target; };
  const auto meets = [&](Edge e) {
    return e.source == first[0] || e.source == first[1] || e.target == first[0] || e.target == first[1];
  };
  const auto before = [](Edge a, Edge b) { return std::pair(a.source, a.target) < std::pair(b.source, b.target); };
  const auto source_before = [](Edge a, Edge b) { return a.source < b.source; };
  // As an edge the first row would have ids of other edges: then only the order of the rows is evidence for counts.
  if (first.size() == 2 && first[1] <= first[0] && edges.size() < 16 && std::any_of(edges.begin(), edges.end(), meets)) {
    if (first[0] == first[1]) {
      if (!std::is_sorted(edges.begin(), edges.end(), source_before)) return true;
    } else if (edges.size() < 3 || !(edges.size() < 4 ? std::all_of(edges.begin(), edges.end(), forward)
                                                      : std::is_sorted(edges.begin(), edges.end(), before))) {
      return true;
    }
  }
  std::set<std::pair<VertexId, VertexId>> there;
  std::set<VertexId> ends;
  for (const Edge& e : edges) {
    if (e.source == e.target || !there.insert({e.source, e.target}).second) return true;
    ends.insert({e.source, e.target});
  }
  // "882 882 7": seven rows follow, but few of 882 vertices are there, and 882 is one of them.
  if (first.size() == 3 && !needed && edges.size() < 16 && ends.size() != first[0] &&
      std::any_of(edges.begin(), edges.end(), meets))
    return true;
  return first.size() == 2 && edges.size() < 8 && ends.size() != first[0];
}

/// With the first row as an edge: is each edge there in both directions?
bool both_ways(const std::vector<std::uint64_t>& first, std::span<const Edge> edges) {
  if (edges.size() > 1000) return false;
  std::set<std::pair<std::uint64_t, std::uint64_t>> there{{first[0], first[1]}};
  for (const Edge& e : edges) there.insert({e.source, e.target});
  return std::all_of(there.begin(), there.end(), [&](const auto& e) { return there.count({e.second, e.first}) != 0; });
}

EdgeList read_integers(Input& input, Columns columns) {
  EdgeList list;
  Mended mended;
  MissingWeights missing;
  RowStore raw(input, columns.weighted() && input.options().weights);
  if (!input.vertex_list().empty()) raw.extra_ids = read_vertex_list(input.vertex_list(), input.options());
  std::vector<RowBuffer> buffers(input.team().size());
  std::vector<std::vector<std::uint64_t>> lone(input.team().size());
  const std::uint64_t listed = raw.extra_ids.size();
  input.for_each_block([&](Block& block, int rank) {
    IntegerRows(columns, input.options(), mended, missing, lone[rank]).scan(block, buffers[rank]);
    raw.put(buffers[rank], block.index);
  });
  if (const auto& numbers = columns.counts.numbers; !numbers.empty()) {
    const bool taken = columns.counts.taken;
    Counted counted{raw.size(), raw.smallest(), raw.largest(), raw.size()};
    if (numbers.size() > 1 && raw.size() > numbers.back() && raw.largest() >> 32 == 0)
      counted.edges = count_edges(raw.edges().subspan(taken ? 0 : 1), numbers.back());
    const bool fit = taken ? counted.fit(numbers) : counted.edges == numbers.back();
    const bool doubtful = taken && numbers.size() > 1 && fit &&
                          (numbers.back() == 1 || by_chance(numbers, columns.counts.needed, raw.edges()) ||
                           (numbers.size() == 2 && both_ways(numbers, raw.edges())));
    if (!fit && numbers.size() == 3 && raw.size() == numbers[1] + !taken && raw.largest() <= std::max(numbers[0], numbers[1]))
      input.fail_file("HW-EDGE-COUNTS", "a first row of three numbers, the second of which counts the rows that follow",
                      "one meaning", counts_hint);
    check_counts(input, columns, raw.size(), fit, doubtful);
    if (taken && fit) columns.promised = counted.vertices(numbers);
    if (columns.promised && counted.smallest > 0 && raw.size()) raw.extra_ids.push_back(*columns.promised);  // from 1 on
    note_counts(columns, raw.size(), fit, columns.promised.has_value(), list.report);
  }
  lone.push_back(columns.lone_ids);
  for (const auto& part : lone) raw.extra_ids.insert(raw.extra_ids.end(), part.begin(), part.end());
  listed ? raw.map_ids(std::nullopt, list) : map_stated_ids(input, columns, raw, list);
  if (listed && listed != list.num_vertices)
    input.fail_file("HW-EDGE-VERTEX",
                    std::to_string(list.num_vertices - listed) + " vertices that " + input.vertex_list() + " does not list",
                    "only vertices of that list");
  mended.note_in(list.report);
  missing.note_in(input.options(), list.report);
  note_late_direction(input.options(), columns, mended, list.report);
  return list;
}

}  // namespace

void note_late_direction(const ReadOptions& options, const Columns& columns, const Mended& mended, ReadReport& report) {
  const bool known = options.directed || options.undirected || columns.stated.directed || columns.stated.undirected ||
                     columns.stated.two_sided || columns.direction != RowDirection::as_file;
  if (!known && mended.direction_in_comment)
    report.notes.emplace_back(
        "a comment below the first row states a direction, and was not heeded: --directed or --undirected");
}

namespace {

/// Reads as the first rows suggest, and again where a later one says otherwise.
EdgeList read_table(Input& input, Decided decided) {
  for (;;) {
    const Columns columns = find_columns(input, decided);
    try {
      EdgeList list = columns.names ? read_names(input, columns) : read_integers(input, columns);
      Stated stated = columns.stated;
      if (columns.direction == RowDirection::undirected) stated.undirected = true;
      if (columns.direction == RowDirection::directed || columns.direction == RowDirection::mixed) stated.directed = true;
      settle(input, stated, list);
      list.report.format = columns.names ? "names" : "edge-list";
      list.report.details = describe(columns);
      if (columns.comments_passed)
        list.report.repairs.push_back("lines after the header that may be rows were left out as comments: " +
                                      std::to_string(columns.comments_passed));
      auto& notes = list.report.notes;
      notes.insert(notes.begin(), columns.notes.begin(), columns.notes.end());
      return list;
    } catch (const Contradiction& contradiction) {
      decided = contradiction.decided;
      if (!input.rewind())
        input.fail_file("HW-EDGE-STREAM", std::string(contradiction.what) + ", far into a stream that cannot be read again",
                        "what the first rows suggest",
                        std::string("say it: ") + contradiction.option + "; or read from a file");
    }
  }
}

EdgeList read_edge_list(Input& input) { return read_table(input, {}); }
EdgeList read_as_names(Input& input) { return read_table(input, {.names = true}); }

Match sniff_edge_list(std::string_view head, bool, const Input&) {
  if (head.find('\0') != std::string_view::npos) return Match::no;
  return is_konect(head) ? Match::certain : Match::possible;
}
}  // namespace

void map_stated_ids(Input& input, const Columns& columns, RowStore& raw, EdgeList& list) {
  const auto promised = columns.promised;
  const bool believed = !promised || *promised <= 1'000'000 + 4 * input.text_bytes() || input.options().allow_huge;
  raw.map_ids(believed ? promised : std::nullopt, list);
  if (believed) return;
  // An error, unless the ids show that the number is wrong anyway.
  const VertexId n = list.num_vertices;
  const std::uint64_t largest = n ? static_cast<std::uint64_t>(list.ids.number(n - 1)) : 0;
  if (largest < *promised || (largest == *promised && list.ids.number(0) >= 1))
    input.check_plausible(*promised, "HW-EDGE-HUGE");
}

std::vector<std::uint64_t> read_vertex_list(const std::string& path, const ReadOptions& options) {
  ReadOptions quiet = options;
  quiet.run.progress = nullptr;
  Input input(open_source(path), quiet);
  input.set_rules({edge_list_comment, true});
  std::vector<std::vector<std::uint64_t>> ids(input.team().size());
  input.for_each_block([&](Block& block, int rank) {
    for (const char* p = block.begin; p < block.end; p = skip_line(p, block.end) + 1) {
      p = skip_blanks(p);
      if (*p == '\n' || is_comment(p)) continue;
      std::uint64_t id = 0;
      const char* q = scan_integer(p, id);
      if (q == p || id >> 63 || !(is_blank(*q) || *q == '\n'))
        block.fail(p, "HW-EDGE-ID", "a vertex id (an integer from 0 on)");
      ids[rank].push_back(id);
      p = q;
    }
  });
  std::vector<std::uint64_t> all;
  for (auto& part : ids) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

const Format& edge_list_format() {
  static const Format format{{"edge-list", "SNAP, TSV, CSV: one row per edge, source target [weight]; # and % comments",
                              "txt,el,wel,tsv,csv,edges,e,snap"},
                             sniff_edge_list,
                             read_edge_list,
                             write_edge_list,
                             {.ids = Holds::Naming::lines, .weights = Holds::Weighing::finite},
                             [](const Graph& graph, const WriteOptions&) {
                               if (graph.ids().kind() != Ids::Kind::strings) need_numeric_ids(graph, "an edge list");
                             }};
  return format;
}
const Format& names_format() {
  static const Format format{{"names", "edge list whose vertex ids are read as text, whatever they look like", ""},
                             sniffs_nothing,
                             read_as_names,
                             write_names,
                             {.ids = Holds::Naming::lines, .weights = Holds::Weighing::finite}};
  return format;
}

}  // namespace hopwave::io
