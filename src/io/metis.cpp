// METIS graphs: a header "N M [FMT [NCON]]", then one line of neighbours per vertex; undirected, each edge on both its lines.
// METIS 5 manual, 4.1.1: FMT's digits say vertex sizes, vertex weights, edge weights; % starts a comment line.
#include "io/metis.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "graph/two_weights.h"
#include "io/format.h"
#include "io/id_map.h"
#include "io/weight_columns.h"

namespace hopwave::io {
namespace {

MetisHeader read_metis_header(Input& input) {
  input.set_rules({percent_comment, false});
  const auto line = input.first_line();
  if (!line) input.fail_head(0, "HW-METIS-HEADER", "VERTICES EDGES [FMT [NCON]]", "", "the end of the file");
  const auto header = metis_header(*line);
  if (!header) input.fail_head(0, "HW-METIS-HEADER", "VERTICES EDGES [FMT [NCON]]");
  if (header->bad_fmt) input.fail_head(*header->bad_fmt, "HW-METIS-FMT", "up to three digits, each 0 or 1");
  if (header->bad_ncon) input.fail_head(*header->bad_ncon, "HW-METIS-FMT", "1 to 1000 vertex weights");
  input.drop(line->size() + 1);
  return *header;
}

struct BlockLines {
  std::uint64_t index = 0, lines = 0, filled = 0;  ///< filled: lines up to the last that is not blank
};

class VertexLines {
 public:
  VertexLines(const MetisHeader& header, const ReadOptions& options, Mended& mended)
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
      Number weight;
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

  const char* edge_weight(const Block& block, const char* p, Number& weight) {
    const char* end = p;
    if (!keep_ && *p != '\n') {
      while (!is_blank(*end) && *end != '\n') ++end;
      if (std::find(p, end, '\0') == end) return end;
    }
    end = scan_weight(block, p, "HW-METIS-WEIGHT", lenient_, mended_, weight, false);
    if (!(is_blank(*end) || *end == '\n')) block.fail(p, "HW-METIS-WEIGHT", "a number (the edge's weight)");
    return end;
  }

  const MetisHeader& header_;
  const bool keep_, lenient_;
  Mended& mended_;
};

/// Adds to each block's sources the lines before it, and checks the counts of the header.
void number_lines(Input& input, const MetisHeader& header, std::vector<std::vector<BlockLines>>& counted, RowStore& raw,
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
      input.fail_file("HW-METIS-COUNT", found, "one line per vertex, empty if it has no neighbour",
                      filled > header.vertices ? "" : "--lenient takes missing lines as empty");
    list.report.repairs.push_back(found);
  }
  const std::span<Edge> edges = raw.edges();
  for (std::size_t i = 0; i < counts.size(); ++i) {  // every block is counted and placed, in the same order
    const RowStore::Placed& placed = raw.placed()[i];
    for (Edge& e : edges.subspan(placed.first, placed.count)) e.source += static_cast<VertexId>(base[i]);
  }
}

/// Two entries of one edge, as positions in the list, whose weights differ.
struct Unequal {
  std::size_t first, second;
};

/// Edges that both their lines have equally often, but with other weights on each; in the order of the file.
std::vector<Unequal> unequal_entries(const EdgeList& list) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < list.edges.size(); ++i)
    if (list.edges[i].source != list.edges[i].target) order.push_back(i);
  const auto pair = [&](std::size_t i) { return std::minmax(list.edges[i].source, list.edges[i].target); };
  const auto back = [&](std::size_t i) { return list.edges[i].source > list.edges[i].target; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(pair(a), back(a), list.weights[a], a) < std::tuple(pair(b), back(b), list.weights[b], b);
  });
  std::vector<Unequal> found;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && pair(order[end]) == pair(order[begin])) ++end;
    const std::size_t half = (end - begin) / 2;
    if ((end - begin) % 2 || back(order[begin + half - 1]) || !back(order[begin + half]))
      continue;  // the builder refuses those
    for (std::size_t i = begin; i < begin + half; ++i)
      if (const auto [a, b] = std::minmax(order[i], order[i + half]); list.weights[a] != list.weights[b])
        found.push_back({a, b});
  }
  std::sort(found.begin(), found.end(), [](const Unequal& a, const Unequal& b) { return a.first < b.first; });
  return found;
}

/// The place of neighbour number `entry` in the file, by reading it again; streams: only the file's name.
Place place_of_neighbour(Input& input, const MetisHeader& header, std::size_t entry) {
  Place place{.file = input.name()};
  const std::uint64_t bytes = input.size().value_or(0);
  std::string text(std::size_t{1} << 20, '\0');
  std::uint64_t line = 1, line_start = 0, words = 0, past = 0;
  bool head = true, comment = false, inside = false, filled = false;
  for (std::uint64_t at = 0; at < bytes; at += text.size()) {
    text.resize(static_cast<std::size_t>(std::min<std::uint64_t>(text.size(), bytes - at)));
    input.read_exactly(at, text.data(), text.size(), "HW-IO-READ");
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      const bool begins = !inside && !is_blank(c) && c != '\n';
      inside = !is_blank(c) && c != '\n';
      if (begins && !filled) comment = c == '%';
      filled = filled || begins;
      if (begins && !comment && !head && ++words > static_cast<std::uint64_t>(header.skip) && (words - header.skip) % 2 == 1 &&
          past++ == entry) {
        place.line = line;
        place.column = at + i - line_start + 1;
        return place;
      }
      if (c != '\n') continue;
      head = head && (!filled || comment);
      filled = comment = false;
      words = 0;
      ++line;
      line_start = at + i + 1;
    }
  }
  return place;
}

/// An edge has one weight in an undirected graph.
void check_two_weights(Input& input, const MetisHeader& header, EdgeList& list) {
  if (graph::weights_agree(input.team(), list.edges.size(), list.weights, [&](std::size_t begin, std::size_t end, auto f) {
        for (std::size_t i = begin; i < end; ++i) f(list.edges[i].source, list.edges[i].target, i);
      }))
    return;
  const auto unequal = unequal_entries(list);
  if (unequal.empty()) return;  // edges on one line only, which the builder refuses
  if (!input.options().lenient) {
    const auto [first, second] = unequal[0];
    const Edge edge = list.edges[second];
    const Place there = place_of_neighbour(input, header, first);
    throw Error(
        {.id = "HW-METIS-WEIGHT",
         .where = place_of_neighbour(input, header, second),
         .found = "the weight " + list.weights.text(second) + " of the edge between " + std::to_string(edge.source + 1ull) +
                  " and " + std::to_string(edge.target + 1ull) + ", which has " + list.weights.text(first) +
                  (there.line ? " in line " + std::to_string(there.line) + ", column " + std::to_string(there.column) : ""),
         .expected = "the same weight on the lines of both ends",
         .hint = "--lenient takes the lighter"});
  }
  list.weights.with([&]<class T>(std::span<const T> values) {
    Array<T> mended = Array<T>::copy_of(values);
    for (const auto& [a, b] : unequal) mended[a] = mended[b] = std::min(mended[a], mended[b]);
    list.weights = std::move(mended);
  });
  list.report.repairs.push_back(counted(unequal.size(), "edge") + " with two weights: the lighter was taken");
}

EdgeList read_metis(Input& input) {
  EdgeList list;
  const MetisHeader header = read_metis_header(input);
  input.check_plausible(header.vertices, "HW-METIS-HUGE");
  Mended mended;
  RowStore raw(input, header.edge_weights && input.options().weights);
  std::vector<RowBuffer> buffers(input.team().size());
  std::vector<std::vector<BlockLines>> counted(input.team().size());
  input.for_each_block([&](Block& block, int rank) {
    counted[rank].push_back(VertexLines(header, input.options(), mended).scan(block, buffers[rank]));
    raw.put(buffers[rank], block.index);
  });
  input.check_plausible(header.vertices, "HW-METIS-HUGE");
  number_lines(input, header, counted, raw, list);
  raw.take_ids(static_cast<VertexId>(header.vertices), 1, list);
  if (!list.weights.empty()) check_two_weights(input, header, list);
  const std::uint64_t found = list.edges.size() + mended.rows_skipped;
  if (found != 2 * header.edges) {
    const std::string counts =
        std::to_string(found) + " neighbours where the header says " + std::to_string(header.edges) + " edges";
    if (!input.options().lenient)
      input.fail_file("HW-METIS-COUNT", counts, "each edge on the lines of both its ends", "--lenient takes what is there");
    list.report.repairs.push_back(counts);
  }
  mended.note_in(list.report);
  list.directed = false;
  list.both_directions = true;
  list.report.format = "metis";
  list.report.details = header.edge_weights ? "edge weights" : "no edge weights";
  return list;
}

void write_metis(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  const Adjacency& adjacency = graph.out();
  Lines head;
  head.integer(graph.num_vertices()).put(' ').integer(graph.num_arcs() / 2).put(weights ? " 001\n" : "\n");
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v) {
      for (EdgeIndex i = adjacency.offsets[v]; i < adjacency.offsets[v + 1]; ++i) {
        if (i > adjacency.offsets[v]) lines.put(' ');
        lines.integer(adjacency.neighbors[i] + 1ull);
        if (weights) lines.put(' ').weight(adjacency.weights, i);
      }
      lines.put('\n');
    }
  });
}

}  // namespace

const Format& metis_format() {
  static const Format format{{"metis", "METIS: one line of neighbours per vertex; undirected", "graph,metis"},
                             sniff_metis,
                             read_metis,
                             write_metis,
                             {.ids = Holds::Naming::from_1,
                              .directed = false,
                              .self_loops = false,
                              .weights = Holds::Weighing::whole,
                              .most = std::int64_t{1} << 31}};
  return format;
}

}  // namespace hopwave::io
