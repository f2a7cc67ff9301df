// Matrix Market coordinate files: an entry (row, column) is an edge. https://math.nist.gov/MatrixMarket/formats.html
// Symmetric kinds are undirected graphs; a file without its banner is read only on request (lenient).
#include <algorithm>
#include <atomic>
#include <cctype>

#include "io/format.h"
#include "io/id_map.h"
#include "io/input_text.h"
#include "io/letters.h"
#include "io/number_pairs.h"
#include "io/stated.h"
#include "io/weight_columns.h"

namespace hopwave::io {
namespace {

struct MatrixHeader {
  bool banner = false, odd_banner = false, late = false;
  bool undirected = false;
  int values = 0;  ///< columns after the indices: 0 pattern, 1 real and integer, 2 complex
  std::string field = "pattern", symmetry = "general";
  std::uint64_t rows = 0, columns = 0, entries = 0;
  Stated stated = {};  ///< by comments
};

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < line.size();) {
    while (i < line.size() && is_blank(line[i])) ++i;
    const std::size_t begin = i;
    while (i < line.size() && !is_blank(line[i])) ++i;
    if (i > begin) out.push_back(line.substr(begin, i - begin));
  }
  return out;
}

/// A banner, however many % it has: SciPy takes one, and Network Repository writes it so. `odd`: not "%%MatrixMarket".
bool is_banner(std::string_view line, bool& odd) {
  constexpr std::string_view name = "matrixmarket";
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view behind = line.substr(std::min(line.find_first_not_of("% \t"), line.size()));
  odd = !line.starts_with("%%") || behind.size() + 2 != line.size();
  return line.starts_with('%') && small_letters(behind.substr(0, name.size())) == name &&
         (behind.size() == name.size() || is_blank(behind[name.size()]) || behind[name.size()] == '\n');
}

/// "%%MatrixMarket matrix coordinate real general"
void read_banner(Input& input, std::string_view line, MatrixHeader& header) {
  const auto word = words(line.substr(line.find_first_not_of("% \t")));
  const auto at = [&](std::size_t i) {
    return i < word.size() ? static_cast<std::size_t>(word[i].data() - line.data()) : line.size();
  };
  const auto need = [&](std::size_t i, std::initializer_list<const char*> allowed, const char* expected, const char* hint) {
    std::string have = i < word.size() ? small_letters(word[i]) : "";
    if (std::find(allowed.begin(), allowed.end(), have) == allowed.end()) input.fail_head(at(i), "HW-MTX-TYPE", expected, hint);
    return have;
  };
  header.banner = true;
  need(1, {"matrix"}, "'matrix'", "");
  need(2, {"coordinate"}, "'coordinate'", "a dense array has no edges of its own: write it as coordinates");
  header.field = need(3, {"pattern", "real", "double", "integer", "unsigned-integer", "complex"},
                      "pattern, real, integer, unsigned-integer or complex", "");
  header.symmetry =
      need(4, {"general", "symmetric", "skew-symmetric", "hermitian"}, "general, symmetric, skew-symmetric or hermitian", "");
  if (word.size() > 5) input.fail_head(at(5), "HW-MTX-TYPE", "the end of the line");
  header.values = header.field == "pattern" ? 0 : header.field == "complex" ? 2 : 1;
  header.undirected = header.symmetry != "general";
}

void read_size(Input& input, std::string_view line, MatrixHeader& header) {
  std::uint64_t* const fields[] = {&header.rows, &header.columns, &header.entries};
  const auto word = words(line);
  const auto place = [&](std::size_t i) {
    return i < word.size() ? static_cast<std::size_t>(word[i].data() - line.data()) : line.size();
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const char* expected = "three integers: rows, columns, entries";
    if (i >= word.size()) input.fail_head(place(i), "HW-MTX-SIZE", expected);
    std::string digits(word[i]);
    digits.append(32, '\n');
    if (scan_integer(digits.data(), *fields[i]) != digits.data() + word[i].size())
      input.fail_head(place(i), "HW-MTX-SIZE", expected);
    if (*fields[i] == too_large) input.fail_head(place(i), "HW-MTX-SIZE", "a count of at most 9223372036854775807");
  }
  if (word.size() > 3) input.fail_head(place(3), "HW-MTX-SIZE", "the end of the line");
}

MatrixHeader read_matrix_header(Input& input) {
  MatrixHeader header;
  input.set_rules({percent_comment, true});
  constexpr std::size_t banner_bytes = 4096;
  std::string_view line = input.head(banner_bytes);
  if (line.empty()) input.fail_file("HW-MTX-BANNER", "an empty file", "the line %%MatrixMarket matrix coordinate …");
  line = line.substr(0, line.find('\n'));
  if (is_banner(line, header.odd_banner)) {
    const std::size_t cr = line.find('\r');
    if (line.find_first_not_of(" \t\r", cr) != std::string_view::npos)
      input.fail_head(cr, lone_cr.id, lone_cr.expected, lone_cr.hint, lone_cr.found);
    read_banner(input, line, header);
    input.drop(line.size());
  } else if (!input.options().lenient) {
    input.fail_head(0, "HW-MTX-BANNER", "the line %%MatrixMarket matrix coordinate …",
                    "if only this line is missing: --lenient");
  }
  std::string late;  // a banner that is not the first line
  const auto size = input.first_line([&](std::string_view comment) {
    bool odd = false;
    if (!header.banner && late.empty() && is_banner(comment, odd))
      late = comment;
    else
      read_words(comment.substr(std::min(comment.find_first_not_of('%'), comment.size())), header.stated);
  });
  if (!late.empty()) read_banner(input, late, header);
  header.late = !late.empty();
  if (!size) input.fail_head(0, "HW-MTX-SIZE", "rows, columns and entries", "", "the end of the file");
  read_size(input, *size, header);
  input.drop(size->size());
  if (!header.banner) {  // how many values an entry has, its first one shows
    const auto entry = input.first_line();
    header.values = entry ? static_cast<int>(std::clamp<std::size_t>(words(*entry).size(), 2, 4)) - 2 : 0;
    header.field = header.values == 0 ? "pattern" : header.values == 1 ? "real" : "complex";
  }
  return header;
}

void check_header(Input& input, const MatrixHeader& header, EdgeList& list) {
  if (!header.banner) list.report.repairs.push_back("the banner is missing: taken as coordinate " + header.field + " general");
  if (header.late) list.report.repairs.push_back("the banner is not the first line");
  if (header.banner && header.odd_banner && !header.late)
    list.report.notes.push_back("the banner does not begin with %%MatrixMarket; it was read as if it did");
  if (header.undirected && input.options().bipartite.value_or(false))
    input.fail_file("HW-READ-BIPARTITE", "a " + header.symmetry + " matrix", "a general one",
                    "rows and columns of a symmetric matrix are the same vertices: leave --bipartite out");
  if (header.undirected && header.rows != header.columns) {
    const std::string shape = std::to_string(header.rows) + " rows and " + std::to_string(header.columns) + " columns";
    if (!input.options().lenient)
      input.fail_file("HW-MTX-SQUARE", shape, "as many rows as columns, since the matrix is " + header.symmetry,
                      "--lenient adds empty rows or columns");
    list.report.repairs.push_back(shape + ": taken as square");
  }
  input.check_plausible(std::max(header.rows, header.columns), "HW-MTX-HUGE");
}

/// Rows and columns are the same vertices, as many as there are of either.
bool is_square(const MatrixHeader& header, const ReadOptions& options) {
  return header.undirected || !options.bipartite.value_or(header.rows != header.columns);
}

class Entries {
 public:
  Entries(const MatrixHeader& header, const ReadOptions& options, Mended& mended)
      : rows_(is_square(header, options) ? std::max(header.rows, header.columns) : header.rows),
        columns_(is_square(header, options) ? rows_ : header.columns),
        values_(header.values),
        keep_(options.weights && header.values == 1),
        passes_(header.values > 0 && !options.weights && !options.drop_zeros),
        lenient_(options.lenient),
        drops_zeros_(options.drop_zeros && header.values > 0),
        mended_(mended) {}

  /// Entries left out because their value is zero.
  [[nodiscard]] std::uint64_t zeros() const { return zeros_; }

  void scan(const Block& block, RowBuffer& out) {
    const char* p = block.begin;
    PairScanner pairs(0);
    while (p < block.end) {
      if (values_ == 0) {
        p = pairs.scan(p, block.end, [&](std::uint64_t u, std::uint64_t v) {
          const bool fits = u - 1 < rows_ && v - 1 < columns_;
          if (fits) out.add(u - 1, v - 1);
          return fits;
        });
        if (p == block.end) break;
      }
      std::uint64_t u = 0, v = 0;
      const char* q = scan_integer(p, u);
      if (q == p) {
        q = skip_blanks(p);
        if (*q == '\n' || *q == '%')
          p = skip_line(q, block.end) + 1;
        else if (q != p)
          p = q;
        else
          block.fail(p, "HW-MTX-INDEX", "a row index (an integer)");
        continue;
      }
      const char* r = skip_blanks(q);
      const char* s = scan_integer(r, v);
      if (r == q) block.fail(q, "HW-MTX-INDEX", "a blank after the row index");
      if (s == r) block.fail(r, "HW-MTX-INDEX", "a column index (an integer)");
      if (u - 1 >= rows_ || v - 1 >= columns_) {
        u - 1 >= rows_ ? bad_index(block, p, rows_) : bad_index(block, r, columns_);
        p = skip_line(s, block.end) + 1;
        continue;
      }
      p = *s == '\n' && values_ == 0 ? s + 1 : values(block, s);
      if (drops_zeros_ && zero_) {
        ++zeros_;
        continue;
      }
      out.add(u - 1, v - 1);
      if (keep_) out.add_weight(weight_);
    }
  }

 private:
  void bad_index(const Block& block, const char* at, std::uint64_t most) {
    if (!lenient_)
      block.fail(
          at, "HW-MTX-INDEX", "an index from 1 to " + std::to_string(most),
          *at == '0' ? "Matrix Market counts from 1; --lenient leaves such entries out" : "--lenient leaves such entries out");
    mended_.rows_skipped.fetch_add(1, std::memory_order_relaxed);
  }

  /// By its digits, because a small number may become zero in 64 bits.
  static bool is_zero(const char* p, const char* end) {
    return std::all_of(p, std::find_if(p, end, [](char c) { return c == 'e' || c == 'E'; }),
                       [](char c) { return c == '0' || c == '.' || c == '+' || c == '-'; });
  }

  /// The values of an entry, to the end of its line.
  const char* values(const Block& block, const char* p) {
    if (passes_ && (*p == '\n' || is_blank(*p))) return skip_weights(block, p, "HW-MTX-VALUE") + 1;
    zero_ = true;
    for (int i = 0; i < values_; ++i) {
      const char* q = skip_blanks(p);
      if (q == p && *q != '\n') block.fail(p, "HW-MTX-INDEX", "a blank after the column index");
      p = scan_weight(block, q, "HW-MTX-VALUE", lenient_, mended_, weight_);
      zero_ = zero_ && is_zero(q, p);
    }
    const char* q = skip_blanks(p);
    if (*q != '\n') block.fail(q, "HW-MTX-LINE", "the end of the line");
    return q + 1;
  }

  const std::uint64_t rows_, columns_;
  const int values_;
  const bool keep_, passes_, lenient_, drops_zeros_;
  Mended& mended_;
  Number weight_;  ///< of the entry read last, and whether all its values are zero
  bool zero_ = false;
  std::uint64_t zeros_ = 0;
};

/// What an edge list has no place for, or what was decided for the reader.
void note_readings(const Input& input, const MatrixHeader& header, ReadReport& report) {
  const ReadOptions& options = input.options();
  if (options.weights && header.values == 2)
    report.notes.emplace_back("complex values are not read: edges have no weights (--no-weights)");
  if (options.weights && header.values == 1 && header.symmetry == "skew-symmetric")
    report.notes.emplace_back(
        "a skew-symmetric matrix: edges have the values of the stored triangle, in both directions alike");
  const bool decided = header.undirected || options.directed || options.undirected;
  if (!decided && header.stated.undirected && !header.stated.directed)
    report.notes.emplace_back("a comment says undirected, and the matrix is general: entries are read as arcs (--undirected)");
}

EdgeList read_matrix_market(Input& input) {
  EdgeList list;
  const MatrixHeader header = read_matrix_header(input);
  check_header(input, header, list);
  Mended mended;
  RowStore raw(input, header.values == 1 && input.options().weights);
  std::atomic<std::uint64_t> zeros{0};
  std::vector<RowBuffer> buffers(input.team().size());
  input.for_each_block([&](Block& block, int rank) {
    Entries entries(header, input.options(), mended);
    entries.scan(block, buffers[rank]);
    zeros.fetch_add(entries.zeros(), std::memory_order_relaxed);
    raw.put(buffers[rank], block.index);
  });
  const std::uint64_t n = std::max(header.rows, header.columns);
  input.check_plausible(n, "HW-MTX-HUGE");
  raw.take_ids(static_cast<VertexId>(n), 1, list);
  const std::uint64_t found = list.edges.size() + mended.rows_skipped + zeros;
  if (found != header.entries) {
    const std::string counts = std::to_string(found) + " entries where the header says " + std::to_string(header.entries);
    if (!input.options().lenient)
      input.fail_file("HW-MTX-COUNT", counts, "the number in the header",
                      "the file may be cut off; --lenient takes what is there");
    list.report.repairs.push_back(counts);
  }
  mended.note_in(list.report);
  list.directed = !header.undirected;
  note_readings(input, header, list.report);
  // That the matrix is general says what its direction is; of comments only that there are two kinds of vertices is heeded.
  if (list.directed) settle(input, {.bipartite = header.stated.bipartite}, list, Sides{header.rows, header.columns});
  list.report.direction_assumed = false;  // that it is general says so
  list.report.format = "matrix-market";
  list.report.details = header.field + " " + header.symmetry + (header.values == 2 ? ", complex values not kept" : "");
  if (input.options().drop_zeros) list.report.details += ", " + std::to_string(zeros) + " explicit zeros dropped";
  return list;
}

Match sniff_matrix_market(std::string_view head, bool, const Input&) {
  bool odd = false;
  return is_banner(head, odd) ? Match::certain : Match::no;
}

}  // namespace

const Format& matrix_market_format() {
  static const Format format{{"matrix-market", "Matrix Market coordinate file; symmetric ones are undirected", "mtx"},
                             sniff_matrix_market,
                             read_matrix_market,
                             write_matrix_market,
                             {.ids = Holds::Naming::from_1, .weights = Holds::Weighing::finite}};
  return format;
}

}  // namespace hopwave::io
