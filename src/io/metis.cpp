// METIS graphs: a header "N M [FMT [NCON]]", then a line of neighbours a vertex; undirected, each edge on both its lines.
// METIS 5 manual, 4.1.1: FMT's digits say vertex sizes, vertex weights, edge weights; % starts a comment line.
#include <algorithm>

#include "io/format.h"
#include "io/id_map.h"
#include "io/weights.h"

namespace hopwave::io {
namespace {

struct Header {
  std::uint64_t vertices = 0, edges = 0;
  int skip = 0;  ///< numbers before the neighbours of each line: the vertex's size and weights
  bool edge_weights = false;
  std::size_t start = 0;
};

/// Up to four words of digits; returns how many, −1 if there is anything else.
int header_words(std::string_view line, std::string_view (&word)[4]) {
  int count = 0;
  for (std::size_t i = 0; i < line.size();) {
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && is_digit(line[end])) ++end;
    if (end == i || end - i > 18 || count == 4 || (end < line.size() && !is_blank(line[end]))) return -1;
    word[count++] = line.substr(i, end - i);
    i = end;
  }
  return count;
}

std::uint64_t number(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

bool is_fmt(std::string_view word) { return word.size() <= 3 && word.find_first_not_of("01") == std::string_view::npos; }

/// The first line that is no comment; its end goes to `next`.
std::string_view header_line(std::string_view head, bool whole, std::size_t& at, std::size_t& next) {
  for (at = 0; at < head.size(); at = next) {
    const std::size_t newline = head.find('\n', at);
    if (newline == std::string_view::npos && !whole) break;
    const std::string_view line = head.substr(at, std::min(newline, head.size()) - at);
    next = std::min(at + line.size() + 1, head.size());
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '%') return line;
  }
  return {};
}

Header read_header(Input& input) {
  Header header;
  std::string_view line;
  std::size_t at = 0;
  for (std::size_t want = std::size_t{1} << 16; line.empty(); want *= 4) {
    line = header_line(input.head(want), input.head_is_all(), at, header.start);
    if (line.empty() && input.head_is_all())
      input.fail_head(at, "HW-METIS-HEADER", "VERTICES EDGES [FMT [NCON]]", "", "the end of the file");
  }
  std::string_view word[4];
  const int words = header_words(line, word);
  if (words < 2) input.fail_head(at, "HW-METIS-HEADER", "VERTICES EDGES [FMT [NCON]]");
  header.vertices = number(word[0]);
  header.edges = number(word[1]);
  const auto place = [&](int i) { return at + static_cast<std::size_t>(word[i].data() - line.data()); };
  if (words > 2 && !is_fmt(word[2])) input.fail_head(place(2), "HW-METIS-FMT", "up to three digits, each 0 or 1");
  const std::uint64_t fmt = words > 2 ? number(word[2]) : 0;
  const std::uint64_t constraints = words > 3 ? number(word[3]) : 1;
  if (constraints > 1000 || constraints == 0) input.fail_head(place(3), "HW-METIS-FMT", "1 to 1000 vertex weights");
  header.edge_weights = fmt % 10 == 1;
  header.skip = (fmt / 100 == 1 ? 1 : 0) + (fmt / 10 % 10 == 1 ? static_cast<int>(constraints) : 0);
  return header;
}

struct BlockLines {
  std::uint64_t index = 0, lines = 0, filled = 0;  ///< filled: lines up to the last that is not blank
};

class VertexLines {
 public:
  VertexLines(const Header& header, const ReadOptions& options, Mended& mended)
      : header_(header), keep_(options.weights && header.edge_weights), lenient_(options.lenient), mended_(mended) {}

  /// Edges get the line's number in the block as source; the base is added when all blocks are counted.
  BlockLines scan(const Block& block, RowBuffer& out) {
    BlockLines count{.index = block.index};
    for (const char* p = block.begin; p < block.end; ++p) {
      p = skip_blanks(p);
      if (*p == '%') {
        p = skip_line(p, block.end);
        continue;
      }
      if (*p != '\n') {
        p = neighbours(block, p, count.lines, out);
        count.filled = count.lines + 1;
      }
      ++count.lines;
    }
    return count;
  }

 private:
  const char* neighbours(const Block& block, const char* p, std::uint64_t line, RowBuffer& out) {
    for (int i = 0; i < header_.skip; ++i) {
      std::uint64_t ignored = 0;
      const char* q = scan_integer(p, ignored);
      if (q == p || !(is_blank(*q) || *q == '\n')) block.fail(p, "HW-METIS-VERTEX", "the vertex's size or weight (an integer)");
      p = skip_blanks(q);
    }
    while (*p != '\n') {
      std::uint64_t v = 0;
      const char* q = scan_integer(p, v);
      if (q == p || !(is_blank(*q) || *q == '\n')) block.fail(p, "HW-METIS-INDEX", "a neighbour (an integer)");
      Weight weight = 0;
      const char* next = skip_blanks(q);
      if (header_.edge_weights) next = skip_blanks(edge_weight(block, next, weight));
      if (v - 1 >= header_.vertices) {
        if (!lenient_)
          block.fail(p, "HW-METIS-INDEX", "a neighbour from 1 to " + std::to_string(header_.vertices),
                     "--lenient leaves such neighbours out");
        mended_.rows_skipped.fetch_add(1, std::memory_order_relaxed);
      } else {
        out.add(line, v - 1);
        if (keep_) out.add_weight(weight);
      }
      p = next;
    }
    return p;
  }

  const char* edge_weight(const Block& block, const char* p, Weight& weight) {
    const char* end = scan_weight(block, p, "HW-METIS-WEIGHT", lenient_, mended_, weight, false);
    if (!(is_blank(*end) || *end == '\n')) block.fail(p, "HW-METIS-WEIGHT", "a number (the edge's weight)");
    return end;
  }

  const Header& header_;
  const bool keep_, lenient_;
  Mended& mended_;
};

/// Adds to each block's sources the lines before it, and checks the counts of the header.
void number_lines(Input& input, const Header& header, std::vector<std::vector<BlockLines>>& counted, RowStore& raw,
                  EdgeList& list) {
  std::vector<BlockLines> counts;
  for (auto& part : counted) counts.insert(counts.end(), part.begin(), part.end());
  std::sort(counts.begin(), counts.end(), [](const BlockLines& a, const BlockLines& b) { return a.index < b.index; });
  std::vector<std::uint64_t> base(counts.size() + 1, 0);
  std::uint64_t filled = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].filled) filled = base[i] + counts[i].filled;
    base[i + 1] = base[i] + counts[i].lines;
  }
  const std::uint64_t lines = std::max(filled, std::min(base.back(), header.vertices));
  if (lines != header.vertices) {
    const std::string found =
        std::to_string(lines) + " lines of neighbours where the header says " + std::to_string(header.vertices) + " vertices";
    if (!input.options().lenient || filled > header.vertices)
      input.fail_file("HW-METIS-COUNT", found, "a line a vertex, empty if it has no neighbour",
                      filled > header.vertices ? "" : "--lenient takes missing lines as empty");
    list.report.repairs.push_back(found);
  }
  const std::span<Edge> edges = raw.edges();
  for (std::size_t i = 0; i < counts.size(); ++i) {  // every block is counted and placed, in the same order
    const RowStore::Placed& placed = raw.placed()[i];
    for (Edge& e : edges.subspan(placed.first, placed.count)) e.source += static_cast<VertexId>(base[i]);
  }
}

EdgeList read_metis(Input& input) {
  EdgeList list;
  const Header header = read_header(input);
  input.check_plausible(header.vertices, "HW-METIS-HUGE");
  Mended mended;
  RowStore raw(input, header.edge_weights && input.options().weights);
  std::vector<RowBuffer> buffers(input.team().size());
  std::vector<std::vector<BlockLines>> counted(input.team().size());
  input.start_at(header.start);
  input.for_each_block([&](Block& block, int rank) {
    counted[rank].push_back(VertexLines(header, input.options(), mended).scan(block, buffers[rank]));
    raw.put(buffers[rank], block.index);
  });
  input.check_plausible(header.vertices, "HW-METIS-HUGE");
  number_lines(input, header, counted, raw, list);
  raw.take_ids(static_cast<VertexId>(header.vertices), 1, list);
  const std::uint64_t found = list.edges.size() + mended.rows_skipped;
  if (found != 2 * header.edges) {
    const std::string counts =
        std::to_string(found) + " neighbours where the header says " + std::to_string(header.edges) + " edges";
    if (!input.options().lenient)
      input.fail_file("HW-METIS-COUNT", counts, "each edge on the lines of both its ends", "--lenient takes what is there");
    list.report.repairs.push_back(counts);
  }
  mended.tell(list.report);
  list.directed = false;
  list.both_directions = true;
  list.report.format = "metis";
  list.report.details = header.edge_weights ? "edge weights" : "no edge weights";
  return list;
}

/// A possible header; then lines of integers that are no vertex beyond N. Rows of varying length tell it from an edge list.
Match sniff_metis(std::string_view head, bool whole, const Input&) {
  std::size_t at = 0, next = 0;
  const std::string_view line = header_line(head, whole, at, next);
  std::string_view word[4];
  const int words = header_words(line, word);
  if (words < 2 || (words > 2 && !is_fmt(word[2]))) return Match::no;
  const std::uint64_t n = number(word[0]), m = number(word[1]);
  const bool plain = words == 2 || number(word[2]) == 0;
  std::uint64_t lines = 0, numbers = 0;
  bool varied = false;
  for (at = next; at < head.size() && (whole || head.find('\n', at) != std::string_view::npos);) {
    const std::size_t end = std::min(head.find('\n', at), head.size());
    int count = 0;
    for (std::size_t i = at; i < end;) {
      if (is_blank(head[i])) {
        ++i;
        continue;
      }
      if (count == 0 && head[i] == '%') break;
      std::size_t stop = i;
      while (stop < end && !is_blank(head[stop])) ++stop;
      const std::string_view text = head.substr(i, stop - i);
      if (plain && (text.size() > 18 || text.find_first_not_of("0123456789") != std::string_view::npos || number(text) > n))
        return Match::no;
      ++count;
      i = stop;
    }
    const bool comment = count == 0 && head.substr(at, end - at).find('%') != std::string_view::npos;
    if (!comment) {
      ++lines;
      numbers += static_cast<std::uint64_t>(count);
      varied = varied || count != words;
    }
    at = end + 1;
  }
  if (!varied || lines < 2) return Match::possible;
  if (whole) return plain && lines >= n && numbers == 2 * m ? Match::certain : Match::possible;
  return plain ? Match::certain : Match::possible;
}

void write_metis(const Graph& graph, Sink& out, const WriteOptions& options) {
  if (graph.directed())
    throw Error({.failure = Failure::usage,
                 .id = "HW-WRITE-DIRECTED",
                 .found = "a directed graph",
                 .expected = "an undirected one, which is all that METIS has",
                 .hint = "make it undirected (--undirected), or choose another format"});
  const bool weights = options.weights && graph.has_weights();
  if (weights) need_integer_weights(graph, 0, std::int64_t{1} << 31, "METIS");
  const Adjacency& adjacency = graph.out();
  std::uint64_t loops = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (const VertexId u : graph.out_neighbors(v)) loops += u == v;
  if (loops)
    throw Error({.failure = Failure::usage,
                 .id = "HW-WRITE-LOOP",
                 .found = std::to_string(loops) + " self-loops",
                 .expected = "none: METIS has no place for them",
                 .hint = "drop self-loops, or choose another format"});
  Lines head;
  head.integer(graph.num_vertices()).put(' ').integer(graph.num_arcs() / 2).put(weights ? " 001\n" : "\n");
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v) {
      for (EdgeIndex i = adjacency.offsets[v]; i < adjacency.offsets[v + 1]; ++i) {
        if (i > adjacency.offsets[v]) lines.put(' ');
        lines.integer(adjacency.neighbors[i] + 1ull);
        if (weights) lines.put(' ').integer(static_cast<std::int64_t>(adjacency.weights[i]));
      }
      lines.put('\n');
    }
  });
}

}  // namespace

const Format& metis_format() {
  static const Format format{
      {"metis", "METIS: a line of neighbours a vertex; undirected", "graph,metis"}, sniff_metis, read_metis, write_metis};
  return format;
}

}  // namespace hopwave::io
