// Comments say in many ways whether a graph is directed; what they say is taken if it is clear, and refused if it is not.
#include "io/stated.h"

#include <algorithm>
#include <string>
#include <vector>

#include "hopwave/error.h"
#include "io/scan.h"

namespace hopwave::io {
namespace {

/// In lower case. Points and slashes hold words together, so that the name of a file is one word.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool upper = c >= 'A' && c <= 'Z';
    const bool part = upper || (c >= 'a' && c <= 'z') || is_digit(c) || byte >= 128 || c == '-' || c == '_' || c == '.' ||
                      c == '/' || c == '\\';
    if (part)
      words.back() += upper ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  for (std::string& word : words)
    while (!word.empty() && word.back() == '.') word.pop_back();
  return words;
}

bool is_any(const std::string& word, std::initializer_list<std::string_view> of) {
  return std::find(of.begin(), of.end(), word) != of.end();
}

/// Vertices by the column in which they occur. Every edge goes from a left one to a right one.
void split(Input& input, EdgeList& list, const std::optional<Sides>& shape) {
  constexpr VertexId absent = ~VertexId{0};
  const VertexId n = list.num_vertices;
  std::vector<VertexId> left(n, absent), right(n, absent);
  for (VertexId v = 0; shape && v < n; ++v) {
    if (v < shape->left) left[v] = 0;
    if (v < shape->right) right[v] = 0;
  }
  for (const Edge& e : list.edges) left[e.source] = right[e.target] = 0;
  std::vector<std::string> names;
  const auto number = [&](std::vector<VertexId>& side, std::string_view mark) {
    for (VertexId v = 0; v < n; ++v) {
      if (side[v] == absent) continue;
      if (names.size() == max_vertices)
        input.fail_file("HW-VERTICES-MAX", "more vertices", "at most " + std::to_string(max_vertices),
                        "vertex ids have 32 bits here");
      side[v] = static_cast<VertexId>(names.size());
      names.push_back(std::string(mark) + list.ids.name(v));
    }
  };
  number(left, "left:");
  number(right, "right:");
  for (VertexId v = 0; v < n; ++v)  // on which side it is, nothing says
    if (left[v] == absent && right[v] == absent) names.push_back(list.ids.name(v));
  for (Edge& e : list.edges) e = {left[e.source], right[e.target]};
  list.num_vertices = static_cast<VertexId>(names.size());
  list.ids = Ids::strings(std::move(names));
  list.default_source.reset();
}

/// Does an id occur as a source and as a target?
bool sides_meet(const EdgeList& list) {
  std::vector<bool> is_source(list.num_vertices, false);
  for (const Edge& e : list.edges) is_source[e.source] = true;
  return std::any_of(list.edges.begin(), list.edges.end(), [&](const Edge& e) { return is_source[e.target]; });
}

}  // namespace

void read_words(std::string_view comment, Stated& stated) {
  if (comment.find(each_edge_in_both) != std::string_view::npos) stated.both_ways = true;
  const auto words = words_of(comment);
  if (words.empty()) return;
  const bool konect = words.size() <= 3;  // "% sym unweighted"
  bool undirected = konect && is_any(words[0], {"sym", "symmetric"});
  bool directed = konect && is_any(words[0], {"asym", "asymmetric"});
  const bool first = undirected || directed ||
                     is_any(words[0], {"undirected", "un-directed", "nondirected", "non-directed", "directed", "is_directed",
                                       "isdirected", "is_undirected", "isundirected"});
  stated.two_sided |= konect && words[0] == "bip";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool no = (i > 0 && is_any(words[i - 1], {"not", "non"})) ||
                    (i + 1 < words.size() && is_any(words[i + 1], {"false", "no", "0", "f"}));
    if (is_any(words[i], {"undirected", "un-directed", "nondirected", "non-directed", "is_undirected", "isundirected"}))
      (no ? directed : undirected) = true;
    if (is_any(words[i], {"directed", "is_directed", "isdirected"})) (no ? undirected : directed) = true;
    if (is_any(words[i], {"bipartite", "two-mode", "2-mode", "twomode"}) && !no) stated.bipartite = true;
  }
  if (undirected == directed) return;  // "an undirected graph made directed" could be either
  if (stated.firmly && !first) return;
  if (first && !stated.firmly) stated.undirected = stated.directed = false;
  stated.firmly |= first;
  stated.undirected |= undirected;
  stated.directed |= directed;
}

void settle(Input& input, const Stated& stated, EdgeList& list, std::optional<Sides> shape) {
  const ReadOptions& options = input.options();
  const bool rectangular = shape && shape->left != shape->right;
  const bool two_sided = options.bipartite.value_or(stated.two_sided || rectangular);
  const bool asked = options.directed || options.undirected;
  if (!asked && stated.directed && stated.undirected)
    input.fail_file("HW-READ-DIRECTION", "comments that say both directed and undirected", "one of them",
                    "say which with --directed or --undirected");
  const bool undirected = options.undirected || (!options.directed && (stated.undirected || (two_sided && !stated.directed)));
  if (two_sided) {
    split(input, list, shape);
    list.report.notes.push_back(std::string(options.bipartite  ? ""
                                            : stated.two_sided ? "the file says bipartite: "
                                                               : "a matrix that is not square: ") +
                                "two kinds of vertices, left:ID " +
                                (shape ? "(rows) and right:ID (columns)" : "(first column) and right:ID (second)") +
                                (undirected && !asked ? "; edges have no direction (--directed: from left to right)" : ""));
  } else if (stated.bipartite && !options.bipartite && sides_meet(list)) {
    input.fail_file("HW-READ-BIPARTITE", "a comment that says bipartite, and ids that occur in both columns",
                    "ids of one kind of vertices in each column",
                    "--bipartite takes equal ids in the two columns as two vertices, --no-bipartite as one");
  }
  list.directed = !undirected;
  list.both_directions = undirected && stated.both_ways && !two_sided;
  list.report.direction_assumed = !asked && !stated.directed && !undirected;
  if (!asked && stated.undirected)
    list.report.notes.emplace_back("the file says undirected: every row is an edge without direction");
}

}  // namespace hopwave::io
