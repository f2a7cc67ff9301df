// DIMACS shortest-path graphs (9th challenge): "c" comments, one "p sp N M", then M lines "a tail head length".
// http://www.diag.uniroma1.it/challenge9/format.shtml
#include <algorithm>

#include "io/format.h"
#include "io/id_map.h"
#include "io/stated.h"
#include "io/weights.h"

namespace hopwave::io {
namespace {

struct Problem {
  std::uint64_t vertices = 0, arcs = 0;
  Stated stated = {.directed = true};  // its rows are arcs, unless a comment says more
};

/// "p sp N M", the first line that is no comment.
Problem read_problem(Input& input) {
  input.set_rules({[](std::string_view line) { return line.starts_with('c'); }, true});
  Problem problem;
  Stated comments;
  const auto line = input.first_line([&](std::string_view comment) { read_words(comment.substr(1), comments); });
  if (comments.undirected) problem.stated = comments;
  if (!line) input.fail_head(0, "HW-GR-PROBLEM", "a line p sp VERTICES ARCS", "", "the end of the file");
  std::string text(*line);
  text.append(32, '\n');
  const char* p = skip_blanks(text.data());
  const auto offset = [&] { return static_cast<std::size_t>(p - text.data()); };
  if (*p != 'p') input.fail_head(offset(), "HW-GR-PROBLEM", "a comment (c) or the line p sp VERTICES ARCS");
  const char* const letter = p;
  p = skip_blanks(p + 1);
  if (p == letter + 1) input.fail_head(offset(), "HW-GR-PROBLEM", "a blank behind 'p'");
  if (p[0] != 's' || p[1] != 'p' || !is_blank(p[2]))
    input.fail_head(offset(), "HW-GR-PROBLEM", "'sp' (other DIMACS problems are no graphs to read here)");
  p = skip_blanks(p + 2);
  for (std::uint64_t* field : {&problem.vertices, &problem.arcs}) {
    const char* q = scan_integer(p, *field);
    if (q == p || !(is_blank(*q) || *q == '\n')) input.fail_head(offset(), "HW-GR-PROBLEM", "p sp VERTICES ARCS");
    if (*field == too_large) input.fail_head(offset(), "HW-GR-PROBLEM", "a count of at most 9223372036854775807");
    p = skip_blanks(q);
  }
  if (*p != '\n') input.fail_head(offset(), "HW-GR-PROBLEM", "the end of the line");
  input.drop(line->size());
  return problem;
}

class Arcs {
 public:
  Arcs(const Problem& problem, const ReadOptions& options, Mended& mended)
      : vertices_(problem.vertices), keep_(options.weights), lenient_(options.lenient), mended_(mended) {}

  void scan(const Block& block, RowBuffer& out) {
    for (const char* p = block.begin; p < block.end;) {
      if (*p == 'a') {
        p = arc(block, p, out);
      } else if (*p == '\n' || *p == 'c') {
        p = skip_line(p, block.end) + 1;
      } else if (is_blank(*p)) {
        ++p;
      } else {
        block.fail(p, "HW-GR-LINE", "an arc (a TAIL HEAD LENGTH) or a comment (c)",
                   *p == 'p' ? "only one line may start with p" : "");
      }
    }
  }

 private:
  const char* arc(const Block& block, const char* p, RowBuffer& out) {
    std::uint64_t ends[2] = {0, 0};
    ++p;
    for (std::uint64_t& end : ends) {
      const char* q = skip_blanks(p);
      const char* r = scan_integer(q, end);
      if (q == p || r == q) block.fail(q, "HW-GR-LINE", "a TAIL HEAD LENGTH");
      if (end - 1 >= vertices_) {
        if (!lenient_)
          block.fail(q, "HW-GR-INDEX", "a vertex from 1 to " + std::to_string(vertices_), "--lenient leaves such arcs out");
        mended_.rows_skipped.fetch_add(1, std::memory_order_relaxed);
        return skip_line(p, block.end) + 1;
      }
      p = r;
    }
    const char* q = skip_blanks(p);
    if (q == p && *q != '\n') block.fail(q, "HW-GR-LINE", "a blank behind the head");
    Number weight;
    p = skip_blanks(scan_weight(block, q, "HW-GR-WEIGHT", lenient_, mended_, weight, false));
    if (*p != '\n') block.fail(p, "HW-GR-LINE", "the end of the line");
    out.add(ends[0] - 1, ends[1] - 1);
    if (keep_) out.add_weight(weight);
    return p + 1;
  }

  const std::uint64_t vertices_;
  const bool keep_, lenient_;
  Mended& mended_;
};

EdgeList read_dimacs(Input& input) {
  EdgeList list;
  const Problem problem = read_problem(input);
  input.check_plausible(problem.vertices, "HW-GR-HUGE");
  Mended mended;
  RowStore raw(input, input.options().weights);
  std::vector<RowBuffer> buffers(input.team().size());
  input.for_each_block([&](Block& block, int rank) {
    Arcs(problem, input.options(), mended).scan(block, buffers[rank]);
    raw.put(buffers[rank], block.index);
  });
  input.check_plausible(problem.vertices, "HW-GR-HUGE");
  raw.take_ids(static_cast<VertexId>(problem.vertices), 1, list);
  const std::uint64_t found = list.edges.size() + mended.rows_skipped;
  if (found != problem.arcs) {
    const std::string counts = std::to_string(found) + " arcs where the problem line says " + std::to_string(problem.arcs);
    if (!input.options().lenient)
      input.fail_file("HW-GR-COUNT", counts, "the number in the problem line",
                      "the file may be cut off; --lenient takes what is there");
    list.report.repairs.push_back(counts);
  }
  mended.tell(list.report);
  settle(input, problem.stated, list);
  list.report.format = "dimacs";
  list.report.details = "9th challenge, shortest paths";
  return list;
}

Match sniff_dimacs(std::string_view head, bool, const Input&) {
  for (std::size_t at = 0; at < head.size();) {
    std::size_t i = at;
    while (i < head.size() && is_blank(head[i])) ++i;
    if (head.substr(i, 2) == "p " || head.substr(i, 2) == "p\t") return Match::certain;
    const bool comment =
        i < head.size() && head[i] == 'c' && (i + 1 >= head.size() || is_blank(head[i + 1]) || head[i + 1] == '\n');
    if (i < head.size() && head[i] != '\n' && !comment) return Match::no;
    at = std::min(head.find('\n', i), head.size() - 1) + 1;
  }
  return Match::no;
}

void write_dimacs(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  Lines head;
  if (!graph.directed()) head.put("c ").put(each_edge_in_both).put('\n');
  head.put("p sp ").integer(graph.num_vertices()).put(' ').integer(graph.num_arcs()).put('\n');
  out.write(head.text());
  const Adjacency& adjacency = graph.out();
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v)
      for (EdgeIndex i = adjacency.offsets[v]; i < adjacency.offsets[v + 1]; ++i) {
        lines.put("a ").integer(v + 1).put(' ').integer(adjacency.neighbors[i] + 1ull).put(' ');
        weights ? lines.weight(adjacency.weights, i) : lines.put('1');
        lines.put('\n');
      }
  });
}

}  // namespace

const Format& dimacs_format() {
  static const Format format{{"dimacs", "DIMACS shortest paths: p sp N M, then a TAIL HEAD LENGTH", "gr"},
                             sniff_dimacs,
                             read_dimacs,
                             write_dimacs,
                             {.ids = Holds::Naming::from_1, .weights = Holds::Weighing::whole, .most = std::int64_t{1} << 31}};
  return format;
}

}  // namespace hopwave::io
