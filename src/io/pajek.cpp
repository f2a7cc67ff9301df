// Pajek networks: "*Vertices N" with labels, then "*Arcs", "*Edges", "*Arcslist", "*Edgeslist". Pajek manual, 5.10 and later.
#include <algorithm>
#include <array>
#include <cctype>

#include "io/edge_list.h"
#include "io/edge_rows.h"
#include "io/format.h"
#include "io/letters.h"
#include "io/names_text.h"
#include "io/recognise.h"

namespace hopwave::io {
namespace {

constexpr std::size_t longest_line = std::size_t{8} << 20;
constexpr const char* value_hint = "--no-weights reads the lines without their values";

/// Words after a line's two ends and its value (if it has one) that say how it is drawn; a value follows each of them.
constexpr std::array<std::string_view, 23> drawing_words = {"w",  "c",  "p",  "s",    "a",   "ap",   "l",  "lp",
                                                            "lr", "lc", "la", "lphi", "fos", "font", "h1", "h2",
                                                            "a1", "a2", "k1", "k2",   "x1",  "x2",   "q"};

/// The words of a line; those between quotes hold blanks, and come without the quotes.
struct Word {
  std::string_view text;
  bool quoted = false;
};

class PajekReader {
 public:
  explicit PajekReader(Input& input) : input_(input), text_(input), rows_(input, value_hint) {}

  EdgeList read() {
    while (next_line()) {
      if (words_[0].text.starts_with('*') && !words_[0].quoted)
        start_section();
      else
        (this->*row_)();
    }
    if (!vertices_) text_.fail("HW-PAJEK-SECTION", "no line *Vertices", "*Vertices N");
    EdgeList list;
    if (relations_ > 1) list.report.notes.push_back(std::to_string(relations_) + " relations were read as one graph");
    if (two_mode_)
      list.report.notes.push_back("a network of two modes: vertices " + std::to_string(*two_mode_ + 1) +
                                  " and above are of the second");
    if (input_.options().weights && weighted_ && weighted_ < rows_.size())
      list.report.notes.push_back("lines without a value weigh 1, as in Pajek");
    if (!weighted_) rows_.forget_values();
    rows_.finish(arcs_ || !edges_, list);
    const std::uint64_t n = *vertices_;
    if (n && labelled_ == n) {
      std::vector<std::string> numbers(n);
      for (std::uint64_t v = 0; v < n; ++v) numbers[v] = std::to_string(v + 1);
      set_labels(std::move(numbers), std::move(labels_), "label", list);
    } else {
      if (labelled_) list.report.notes.push_back("vertices are called by their numbers: some have no label");
      list.num_vertices = static_cast<VertexId>(n);
      list.ids = Ids::consecutive(list.num_vertices, 1);
    }
    list.report.format = "pajek";
    return list;
  }

 private:
  /// The next line with words; false at the end.
  bool next_line() {
    for (;;) {
      line_.clear();
      words_.clear();
      start_ = text_.spot();
      int c = text_.take();
      if (c == TextCursor::end) return false;
      for (; c != TextCursor::end && c != '\n'; c = text_.take()) {
        if (c == 0) fail(line_.size(), "HW-TEXT-NUL", "text", "a NUL byte");
        if (line_.size() >= longest_line) fail(0, "HW-TEXT-LINE", "shorter lines", "a line of more than 8 MiB");
        line_ += static_cast<char>(c);
      }
      while (!line_.empty() && is_blank(line_.back())) line_.pop_back();
      if (const std::size_t cr = line_.find('\r'); cr != std::string::npos)
        fail(cr, "HW-TEXT-CR", "lines that end with LF or CRLF", "a CR in the middle of a line");
      split();
      if (!words_.empty() && !words_[0].text.starts_with('%')) return true;
    }
  }

  void split() {
    for (std::size_t i = 0; i < line_.size();) {
      if (is_blank(line_[i])) {
        ++i;
        continue;
      }
      const bool quoted = line_[i] == '"';
      const std::size_t begin = i + quoted;
      std::size_t end = quoted ? line_.find('"', begin) : begin;
      // Quotes within a label are not marked: the one that ends it has a blank after it.
      while (quoted && end != std::string::npos && end + 1 < line_.size() && !is_blank(line_[end + 1]))
        end = line_.find('"', end + 1);
      if (end == std::string::npos) fail(i, "HW-PAJEK-ROW", "a closing \"", "a label that does not end");
      while (!quoted && end < line_.size() && !is_blank(line_[end])) ++end;
      words_.push_back({std::string_view(line_).substr(begin, end - begin), quoted});
      i = end + quoted;
    }
  }

  [[noreturn]] void fail(std::size_t at, const char* id, const std::string& expected, std::string found = "",
                         const std::string& hint = "") const {
    if (found.empty()) {
      std::string padded = line_.substr(std::min(at, line_.size()), 64);
      found = padded.empty() ? "the end of the line" : quote_at(padded.data(), padded.data() + padded.size());
    }
    fail_at(input_, {start_.line, start_.column + at, start_.byte + at}, id, found, expected, hint);
  }
  /// The place of word i in the line.
  [[nodiscard]] std::size_t place(std::size_t i) const {
    return i < words_.size() ? static_cast<std::size_t>(words_[i].text.data() - line_.data()) - words_[i].quoted : line_.size();
  }

  std::uint64_t number(std::size_t i, const char* id, const char* expected) const {
    std::uint64_t value = 0;
    if (i >= words_.size() || words_[i].quoted || !is_integer(words_[i].text)) fail(place(i), id, expected);
    std::string digits(words_[i].text);
    digits.append(32, '\n');
    scan_integer(digits.data(), value);
    return value;
  }

  void start_section() {
    const std::string name = small_letters(words_[0].text);
    if (name == "*network") return;
    if (name == "*vertices") {
      if (vertices_) fail(0, "HW-NODES-KIND", "one network", "a second *Vertices", "write each network to a file of its own");
      vertices_ = number(1, "HW-PAJEK-SECTION", "*Vertices N");
      if (words_.size() > 2) two_mode_ = number(2, "HW-PAJEK-SECTION", "*Vertices N, or *Vertices N FIRST");
      input_.check_plausible(*vertices_, "HW-PAJEK-HUGE");
      row_ = &PajekReader::vertex;
      return;
    }
    if (!vertices_) fail(0, "HW-PAJEK-SECTION", "*Vertices N before all other sections");
    const bool arcs = name.starts_with("*arcs"), edges = name.starts_with("*edges");
    const std::string_view rest = std::string_view(name).substr(std::min<std::size_t>(name.size(), arcs ? 5 : 6));
    if (!(arcs || edges) || !(rest.empty() || rest == "list" || rest.starts_with(':')))
      fail(0, "HW-NODES-KIND", "*Arcs, *Edges, *Arcslist or *Edgeslist",
           std::string("the section ") + std::string(words_[0].text.substr(0, 64)),
           name == "*matrix" ? "in Pajek, Network > Create New Network > Transform writes arcs of it"
                             : "write the network alone, without partitions, vectors and events");
    if (rest.starts_with(':') || (words_.size() > 1 && words_[1].text.starts_with(':'))) ++relations_;
    directed_ = arcs;
    (arcs ? arcs_ : edges_) = true;
    row_ = rest == "list" ? &PajekReader::list : &PajekReader::line;
  }

  void nowhere() { fail(0, "HW-PAJEK-SECTION", "*Vertices N"); }

  VertexId index(std::size_t i) const {
    const std::uint64_t v = number(i, "HW-PAJEK-INDEX", "the number of a vertex");
    if (v - 1 >= *vertices_) fail(place(i), "HW-PAJEK-INDEX", "a vertex from 1 to " + std::to_string(*vertices_));
    return static_cast<VertexId>(v - 1);
  }

  void vertex() {
    const VertexId v = index(0);
    if (words_.size() < 2) return;
    if (words_[1].text.size() > longest_name)
      fail(place(1), "HW-NODES-ID", "one of at most " + std::to_string(longest_name) + " bytes",
           "a label of " + std::to_string(words_[1].text.size()) + " bytes");
    if (labels_.size() <= v) labels_.resize(v + 1ull);
    if (labels_[v]) fail(0, "HW-NODES-TWICE", "numbers that occur once", "a second vertex " + std::to_string(v + 1));
    labels_[v] = std::string(words_[1].text);
    ++labelled_;
  }

  void line() {
    const VertexId u = index(0), v = index(1);
    add(u, v, has_value() ? words_[2].text : "");
  }

  /// The third word is the value; without one there may be how the line is drawn, or when it is there ("[1-3]").
  bool has_value() const {
    if (words_.size() < 3) return false;
    const auto& [text, is_quoted] = words_[2];
    if (is_number(text)) return true;
    if (!input_.options().weights) return false;
    const bool other = !is_quoted && (text.starts_with('[') || std::find(drawing_words.begin(), drawing_words.end(),
                                                                         small_letters(text)) != drawing_words.end());
    if (!other) fail(place(2), "HW-NODES-WEIGHT", "a finite number (the value of the line)", "", value_hint);
    return false;
  }

  void list() {
    const VertexId u = index(0);
    for (std::size_t i = 1; i < words_.size(); ++i) add(u, index(i), "");
  }

  /// An edge without a value weighs 1, if others have one.
  void add(VertexId u, VertexId v, std::string_view value) {
    rows_.begin(u, v, directed_, start_);
    weighted_ += !value.empty();
    const std::size_t at = value.empty() ? 0 : place(2);
    rows_.value("weight", value.empty() ? "1" : value, {start_.line, start_.column + at, start_.byte + at});
    rows_.end();
  }

  Input& input_;
  TextCursor text_;
  EdgeRows rows_;
  std::string line_;
  std::vector<Word> words_;
  Spot start_;
  void (PajekReader::*row_)() = &PajekReader::nowhere;
  std::optional<std::uint64_t> vertices_, two_mode_;
  std::vector<std::optional<std::string>> labels_;
  std::uint64_t weighted_ = 0, relations_ = 0, labelled_ = 0;
  bool directed_ = true, arcs_ = false, edges_ = false;
};

EdgeList read_pajek(Input& input) { return PajekReader(input).read(); }

Match sniff_pajek(std::string_view head, bool, const Input&) {
  for (std::string_view rest = from_first_word(head); !rest.empty(); rest = from_first_word(rest)) {
    if (!rest.starts_with('%')) {
      const std::string word = small_letters(rest.substr(0, 10));
      return word.starts_with("*vertices") || word.starts_with("*network") || word.starts_with("*arcs") ||
                     word.starts_with("*edges")
                 ? Match::certain
                 : Match::no;
    }
    rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
  }
  return Match::no;
}

void write_pajek(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  if (weights) need_finite_weights(graph, "Pajek");
  need_names(graph, "Pajek", [](char32_t c) { return c != U'"' && c != U'\n' && c != U'\r' && c != 0; });
  Lines head;
  head.put("*Vertices ").integer(graph.num_vertices()).put('\n');
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v)
      lines.integer(v + 1).put(" \"").put(graph.ids().name(static_cast<VertexId>(v))).put("\"\n");
  });
  out.write(graph.directed() ? "*Arcs\n" : "*Edges\n");
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for_each_edge(graph, begin, end, [&](VertexId u, VertexId v, EdgeIndex i) {
      lines.integer(u + 1ull).put(' ').integer(v + 1ull);
      if (weights) lines.put(' ').weight(graph.out().weights, i);
      lines.put('\n');
    });
  });
}

}  // namespace

const Format& pajek_format() {
  static const Format format{{"pajek", "Pajek: *Vertices with labels, *Arcs, *Edges and their lists; called by labels", "net"},
                             sniff_pajek,
                             read_pajek,
                             write_pajek,
                             {.weights = Holds::Weighing::finite}};
  return format;
}

}  // namespace hopwave::io
