// DIMACS graphs: "c" comments, one "p KIND N M", then lines of edges. Shortest paths (9th challenge): "p sp", "a tail head
// length". Flows (1st challenge): "p max" and "p min", "n vertex s" and "n vertex t" name source and sink, "a tail head
// capacity". Colouring and cliques (2nd challenge): "p edge" or "p col", "e u v", undirected.
// http://www.diag.uniroma1.it/challenge9/format.shtml, http://archive.dimacs.rutgers.edu/pub/challenge/graph/doc/ccformat.tex
#include <algorithm>
#include <atomic>

#include "io/format.h"
#include "io/id_map.h"
#include "io/stated.h"
#include "io/weight_columns.h"

namespace hopwave::io {
namespace {

enum class ProblemKind { paths, max_flow, min_flow, edges };

struct Problem {
  ProblemKind kind = ProblemKind::paths;
  std::uint64_t vertices = 0, arcs = 0;
  Stated stated = {.directed = true};  // its rows are arcs, unless a comment says more
};

ProblemKind problem_kind(Input& input, std::string_view word, std::size_t at) {
  if (word == "sp") return ProblemKind::paths;
  if (word == "max") return ProblemKind::max_flow;
  if (word == "min") return ProblemKind::min_flow;
  if (word == "edge" || word == "edges" || word == "col") return ProblemKind::edges;
  input.fail_head(at, "HW-GR-PROBLEM", "sp, max, min, edge or col (other DIMACS problems are no graphs to read here)",
                  word == "cnf" ? "this is a formula, for solvers of satisfiability" : "");
}

/// "p sp N M", the first line that is no comment.
Problem read_problem(Input& input) {
  input.set_rules({[](std::string_view line) { return line.starts_with('c'); }, true});
  Problem problem;
  Stated comments;
  const auto line = input.first_line([&](std::string_view comment) { read_words(comment.substr(1), comments); });
  if (comments.undirected) problem.stated = comments;
  if (!line) input.fail_head(0, "HW-GR-PROBLEM", "a line p sp VERTICES ARCS, or of another kind", "", "the end of the file");
  std::string text(*line);
  text.append(32, '\n');
  const char* p = skip_blanks(text.data());
  const auto offset = [&] { return static_cast<std::size_t>(p - text.data()); };
  if (*p != 'p') input.fail_head(offset(), "HW-GR-PROBLEM", "a comment (c) or the line p sp VERTICES ARCS, or of another kind");
  const char* const letter = p;
  p = skip_blanks(p + 1);
  if (p == letter + 1) input.fail_head(offset(), "HW-GR-PROBLEM", "a blank after 'p'");
  const char* end = p;
  while (!is_blank(*end) && *end != '\n') ++end;
  const std::string_view word(p, static_cast<std::size_t>(end - p));
  problem.kind = problem_kind(input, word, offset());
  p = skip_blanks(end);
  for (std::uint64_t* field : {&problem.vertices, &problem.arcs}) {
    const char* q = scan_integer(p, *field);
    if (q == p || !(is_blank(*q) || *q == '\n'))
      input.fail_head(offset(), "HW-GR-PROBLEM", "p " + std::string(word) + " VERTICES ARCS");
    if (*field == too_large) input.fail_head(offset(), "HW-GR-PROBLEM", "a count of at most 9223372036854775807");
    p = skip_blanks(q);
  }
  if (*p != '\n') input.fail_head(offset(), "HW-GR-PROBLEM", "the end of the line");
  input.drop(line->size());
  return problem;
}

/// Of a flow, as the file counts vertices; 0: not named.
struct FlowEnds {
  std::atomic<std::uint64_t> source{0}, sink{0};
};

class Arcs {
 public:
  Arcs(const Problem& problem, const ReadOptions& options, Mended& mended, FlowEnds& ends)
      : vertices_(problem.vertices),
        kind_(problem.kind),
        keep_(options.weights && problem.kind != ProblemKind::edges),
        skips_(!options.weights && problem.kind != ProblemKind::edges),
        lenient_(options.lenient),
        mended_(mended),
        ends_(ends) {}

  void scan(const Block& block, RowBuffer& out) {
    for (const char* p = block.begin; p < block.end;) {
      if (*p == (kind_ == ProblemKind::edges ? 'e' : 'a')) {
        p = arc(block, p, out);
      } else if (*p == 'n' && kind_ != ProblemKind::paths) {
        p = vertex(block, p);
      } else if (kind_ == ProblemKind::edges && (*p == 'd' || *p == 'v' || *p == 'x') && (is_blank(p[1]) || p[1] == '\n')) {
        p = skip_line(p, block.end) + 1;  // how the graph was made: its dimension, places, parameters
      } else if (*p == '\n' || *p == 'c') {
        p = skip_line(p, block.end) + 1;
      } else if (is_blank(*p)) {
        ++p;
      } else {
        block.fail(p, "HW-GR-LINE", "an arc (" + row() + ") or a comment (c)",
                   *p == 'p' ? "only one line may start with p" : "");
      }
    }
  }

 private:
  [[nodiscard]] std::string row() const {
    return kind_ == ProblemKind::paths      ? "a TAIL HEAD LENGTH"
           : kind_ == ProblemKind::max_flow ? "a TAIL HEAD CAPACITY"
           : kind_ == ProblemKind::min_flow ? "a TAIL HEAD LEAST CAPACITY COST"
                                            : "e ONE OTHER";
  }

  /// "n VERTEX s": the source of a flow; t: its sink. A colouring's vertices have a value, which is passed over.
  const char* vertex(const Block& block, const char* p) {
    std::uint64_t v = 0;
    const char* q = skip_blanks(p + 1);
    const char* r = scan_integer(q, v);
    const char* what = skip_blanks(r);
    if (q == p + 1 || r == q || what == r || *what == '\n') block.fail(q, "HW-GR-LINE", "n VERTEX and what it is");
    if (v - 1 >= vertices_) block.fail(q, "HW-GR-INDEX", "a vertex from 1 to " + std::to_string(vertices_));
    if (kind_ == ProblemKind::max_flow) {
      if ((*what != 's' && *what != 't') || *skip_blanks(what + 1) != '\n')
        block.fail(what, "HW-GR-LINE", "s (the source) or t (the sink)");
      const bool source = *what == 's';
      const std::string word = source ? "source" : "sink";
      std::uint64_t before = 0;
      if (!(source ? ends_.source : ends_.sink).compare_exchange_strong(before, v) && before != v)
        block.fail(q, "HW-GR-LINE", "one " + word, "",
                   "a second " + word + ", " + std::to_string(v) + " besides " + std::to_string(before));
      if ((source ? ends_.sink : ends_.source) == v)
        block.fail(q, "HW-GR-LINE", "another vertex than the " + std::string(source ? "sink" : "source"), "",
                   "the " + word + " " + std::to_string(v));
    }
    return skip_line(what, block.end) + 1;
  }

  const char* arc(const Block& block, const char* p, RowBuffer& out) {
    std::uint64_t ends[2] = {0, 0};
    ++p;
    for (std::uint64_t& end : ends) {
      const char* q = skip_blanks(p);
      const char* r = scan_integer(q, end);
      if (q == p || r == q) block.fail(q, "HW-GR-LINE", row());
      if (end - 1 >= vertices_) {
        if (!lenient_)
          block.fail(q, "HW-GR-INDEX", "a vertex from 1 to " + std::to_string(vertices_), "--lenient leaves such arcs out");
        mended_.rows_skipped.fetch_add(1, std::memory_order_relaxed);
        return skip_line(p, block.end) + 1;
      }
      p = r;
    }
    const char* q = skip_blanks(p);
    if (q == p && *q != '\n') block.fail(q, "HW-GR-LINE", "a blank after the head");
    if (skips_) {
      out.add(ends[0] - 1, ends[1] - 1);
      return skip_weights(block, q, "HW-GR-WEIGHT") + 1;
    }
    Number weight, other;
    p = q;
    if (kind_ == ProblemKind::min_flow) p = scan_weight(block, p, "HW-GR-WEIGHT", lenient_, mended_, other);
    if (kind_ != ProblemKind::edges)
      p = skip_blanks(scan_weight(block, skip_blanks(p), "HW-GR-WEIGHT", lenient_, mended_, weight, false));
    if (kind_ == ProblemKind::min_flow) p = skip_blanks(scan_weight(block, p, "HW-GR-WEIGHT", lenient_, mended_, other));
    if (*p != '\n') block.fail(p, "HW-GR-LINE", "the end of the line");
    out.add(ends[0] - 1, ends[1] - 1);
    if (keep_) out.add_weight(weight);
    return p + 1;
  }

  const std::uint64_t vertices_;
  const ProblemKind kind_;
  const bool keep_, skips_, lenient_;
  Mended& mended_;
  FlowEnds& ends_;
};

/// Files of colourings list each edge once or twice, and count it once or twice, whatever they do.
bool counts_fit(const Problem& problem, std::uint64_t found, ReadReport& report) {
  if (found == problem.arcs) return true;
  if (problem.kind != ProblemKind::edges || (found != 2 * problem.arcs && 2 * found != problem.arcs)) return false;
  report.notes.push_back(std::to_string(found) + " lines of edges where the problem line says " + std::to_string(problem.arcs) +
                         (found > problem.arcs ? ": each edge is there twice" : ": each edge is counted twice"));
  return true;
}

/// Flows have no lengths.
void note_weights(const Input& input, ProblemKind kind, ReadReport& report) {
  if (!input.options().weights) return;
  if (kind == ProblemKind::max_flow)
    report.notes.emplace_back("the weight of an arc is its capacity (--no-weights reads none)");
  if (kind == ProblemKind::min_flow)
    report.notes.emplace_back(
        "the weight of an arc is its capacity; lower bounds and costs are not read (--no-weights reads none)");
}

std::string details_of(ProblemKind kind, const FlowEnds& ends) {
  switch (kind) {
    case ProblemKind::max_flow:  // default_target() reads it
      return "maximum flow" + (ends.source ? " from " + std::to_string(ends.source) : "") +
             (ends.sink ? " to " + std::to_string(ends.sink) : "") + ", weights are capacities";
    case ProblemKind::min_flow:
      return "minimum-cost flow, weights are capacities; lower bounds and costs not read";
    case ProblemKind::edges:
      return "edges, as for colouring and cliques";
    case ProblemKind::paths:
      break;
  }
  return "9th challenge, shortest paths";
}

EdgeList read_dimacs(Input& input) {
  EdgeList list;
  const Problem problem = read_problem(input);
  input.check_plausible(problem.vertices, "HW-GR-HUGE");
  Mended mended;
  RowStore raw(input, input.options().weights && problem.kind != ProblemKind::edges);
  FlowEnds ends;
  std::vector<RowBuffer> buffers(input.team().size());
  input.for_each_block([&](Block& block, int rank) {
    Arcs(problem, input.options(), mended, ends).scan(block, buffers[rank]);
    raw.put(buffers[rank], block.index);
  });
  input.check_plausible(problem.vertices, "HW-GR-HUGE");
  raw.take_ids(static_cast<VertexId>(problem.vertices), 1, list);
  const std::uint64_t found = list.edges.size() + mended.rows_skipped;
  if (!counts_fit(problem, found, list.report)) {
    const std::string counts = std::to_string(found) + " arcs where the problem line says " + std::to_string(problem.arcs);
    if (!input.options().lenient)
      input.fail_file("HW-GR-COUNT", counts, "the number in the problem line",
                      "the file may be cut off; --lenient takes what is there");
    list.report.repairs.push_back(counts);
  }
  mended.note_in(list.report);
  note_weights(input, problem.kind, list.report);
  if (problem.kind == ProblemKind::edges)
    list.directed = false;
  else
    settle(input, problem.stated, list);
  if (ends.source) list.default_source = static_cast<VertexId>(ends.source - 1);
  list.report.format = "dimacs";
  list.report.details = details_of(problem.kind, ends);
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
  const bool flow = options.target != no_vertex;
  head.put(flow ? "p max " : "p sp ").integer(graph.num_vertices()).put(' ').integer(graph.num_arcs()).put('\n');
  if (flow) head.put("n ").integer(options.source + 1ull).put(" s\nn ").integer(options.target + 1ull).put(" t\n");
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
  static const Format format{
      {"dimacs", "DIMACS shortest paths: p sp N M, then a TAIL HEAD LENGTH; maximum flow: p max; p min, edge and col are read",
       "gr,max"},
      sniff_dimacs,
      read_dimacs,
      write_dimacs,
      {.ids = Holds::Naming::from_1, .weights = Holds::Weighing::whole, .most = std::int64_t{1} << 31}};
  return format;
}

}  // namespace hopwave::io
