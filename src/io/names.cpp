// Edge lists whose ids are text. Rows are cut and looked up in parallel, block by block with a dictionary each; the
// dictionaries are then joined in the input's order, so that vertices are numbered by first appearance.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "io/edge_cells.h"
#include "io/edge_list.h"
#include "io/format.h"
#include "io/scan.h"
#include "io/weight_columns.h"

namespace hopwave::io {
namespace {

struct NamedRows {
  std::uint64_t index = 0;
  std::vector<std::string> names;  // in order of first appearance in the block
  std::vector<Edge> edges;         // places in names
  WeightBuffer weights;
};

/// "#ann bob" between blanks; in tables with a separator it is an error.
bool looks_like_row(std::string_view comment, const Columns& columns) {
  const std::size_t sign = comment.starts_with("//") ? 2 : 1;
  return !columns.separator && comment.size() > sign && !is_blank(comment[sign]) &&
         split_row(comment, '\0').size() == static_cast<std::size_t>(columns.count);
}

class NameRows {
 public:
  NameRows(const Columns& columns, const ReadOptions& options, Mended& mended, MissingWeights& missing)
      : columns_(columns),
        weighted_(columns.weighted() && options.weights),
        mended_(mended),
        cells_(columns, options, mended, missing) {}

  NamedRows scan(const Block& block) {
    NamedRows rows;
    rows.index = block.index;
    lookup_.clear();
    for (const char* p = block.begin; p < block.end;) {
      const char* stop = skip_line(p, block.end);
      const char* q = skip_blanks(p);
      const std::string_view text(q, static_cast<std::size_t>(stop - q));
      if (*q == '\n') {
      } else if (cells_.comments(p, q)) {
        cells_.pass_comment(block, text);
        if ((block.index > 0 || !rows.edges.empty()) && looks_like_row(text, columns_))
          mended_.rows_as_comments.fetch_add(1, std::memory_order_relaxed);
      } else {
        const bool empty_first = columns_.separator == '\t' && columns_.count > 2;
        row(block, empty_first ? std::string_view(p, static_cast<std::size_t>(stop - p)) : text, rows);
      }
      p = stop + 1;
    }
    return rows;
  }

 private:
  void row(const Block& block, std::string_view text, NamedRows& rows) {
    CellReader::Row cells;
    if (!cells_.read(block, text, cells)) return;
    std::string source, target;
    if (!name_of(block, cells.source, source) || !name_of(block, cells.target, target)) return;
    const VertexId u = place(std::move(source), rows), v = place(std::move(target), rows);
    const auto add = [&](Edge edge, const Number& weight) {
      rows.edges.push_back(edge);
      if (weighted_) rows.weights.add(weight);
    };
    if (cells.there) add({u, v}, cells.weight);
    if (cells.back) add({v, u}, cells.back_weight);
  }

  /// The name in a cell; false if it is none and the row is left out.
  bool name_of(const Block& block, std::string_view cell, std::string& name) {
    auto text = columns_.quotes ? unquoted(cell) : std::string(cell);
    if (!text) return cells_.bad(block, cell.data(), "HW-EDGE-ID", "a name whose quotes are closed and, within it, doubled");
    if (cell.empty())
      return cells_.bad(block, cell.data(), "HW-EDGE-ID", "a name (quoted if it is empty)", "", "an empty name");
    if (text->size() > longest_name)
      return cells_.bad(block, cell.data(), "HW-EDGE-ID", "a name of at most " + std::to_string(longest_name) + " bytes", "",
                        "a name of " + std::to_string(text->size()) + " bytes");
    name = std::move(*text);
    return true;
  }

  VertexId place(std::string name, NamedRows& rows) {
    const auto [it, fresh] = lookup_.try_emplace(std::move(name), static_cast<VertexId>(rows.names.size()));
    if (fresh) rows.names.push_back(it->first);
    return it->second;
  }

  const Columns& columns_;
  const bool weighted_;
  Mended& mended_;
  CellReader cells_;
  std::unordered_map<std::string, VertexId> lookup_;
};

using NameNumbers = std::unordered_map<std::string, VertexId>;

/// A first row was taken as a header because its words are no ids.
void check_header(const Columns& columns, const NameNumbers& numbers, Input& input) {
  if (!columns.guessed_header) return;
  for (const int i : {columns.source, columns.target}) {
    if (!numbers.contains(columns.labels[static_cast<std::size_t>(i)])) continue;
    Decided decided = columns.decided;
    decided.header = false;
    throw Contradiction{decided, "an id that is also a word of the first row", "--header yes or --header no"};
  }
  const auto label = [&](int i) -> const std::string& { return columns.labels[static_cast<std::size_t>(i)]; };
  if (label(columns.source) == label(columns.target))
    input.fail_file("HW-EDGE-HEADER", "a first row with '" + label(columns.source) + "' twice, which no other row has",
                    "a row of edges, or one that names columns", "say --header yes or --header no");
}

bool counts_fit(const Columns& columns, std::uint64_t rows, std::uint64_t names) {
  const auto& numbers = columns.counts.numbers;
  if (!columns.counts.taken) return false;
  if (numbers.size() == 1) return names <= numbers[0] || rows == numbers[0];
  return rows == numbers.back() && names <= numbers[0];
}

/// Vertices without a row have no name.
void note_promise(const Columns& columns, bool fit, std::uint64_t names, ReadReport& report) {
  std::optional<std::uint64_t> promised = columns.promised;
  if (columns.counts.taken && fit) promised = columns.counts.numbers[0];
  if (promised && *promised > names)
    report.notes.push_back(std::to_string(*promised) + " vertices are promised, and " + std::to_string(names) +
                           " are named: the others are left out");
}

/// NameNumbers the names over all blocks and writes the edges.
void join(std::vector<NamedRows>& blocks, const Columns& columns, bool weighted, Input& input, EdgeList& list) {
  NameNumbers number;
  std::vector<std::string> names;
  std::size_t rows = 0;
  for (const NamedRows& b : blocks) rows += b.edges.size();
  list.edges = Array<Edge>(rows);
  WeightNeeds needs;
  for (const NamedRows& b : blocks) needs.add(b.weights.needs());
  WeightArray weights(needs.type(), weighted ? rows : 0);
  std::size_t at = 0;
  std::vector<VertexId> map;
  for (NamedRows& b : blocks) {
    map.clear();
    for (std::string& name : b.names) {
      const auto [it, fresh] = number.try_emplace(std::move(name), static_cast<VertexId>(names.size()));
      if (fresh) names.push_back(it->first);
      map.push_back(it->second);
    }
    if (names.size() > max_vertices)
      input.fail_file("HW-VERTICES-MAX", "more vertices", "at most " + std::to_string(max_vertices),
                      "vertex ids have 32 bits here");
    if (weighted) list.report.weights_rounded += weights.put(at, b.weights);
    for (const Edge& e : b.edges) list.edges[at++] = {map[e.source], map[e.target]};
    b = {};
  }
  check_header(columns, number, input);
  const bool fit = counts_fit(columns, rows, names.size());
  // Over words two numbers are no edge; over numbers with zeros in front they may be.
  const bool words = std::none_of(names.begin(), names.end(), [](const std::string& name) { return is_integer(name); });
  check_counts(input, columns, rows, fit, fit && !words && rows < 16);
  note_counts(columns, rows, fit, true, list.report);
  note_promise(columns, fit, names.size(), list.report);
  list.weights = std::move(weights).done();
  list.report.rows = rows;
  list.num_vertices = static_cast<VertexId>(names.size());
  list.ids = Ids::strings(std::move(names));
}

}  // namespace

EdgeList read_names(Input& input, const Columns& columns) {
  if (!input.vertex_list().empty())
    input.fail_file("HW-EDGE-VERTEX", "ids that are text, and the list of vertices " + input.vertex_list(), "numbers as ids",
                    "rename one of the two files to read the edges alone");
  EdgeList list;
  Mended mended;
  MissingWeights missing;
  std::vector<std::vector<NamedRows>> parts(input.team().size());
  std::vector<NameRows> scanners(input.team().size(), NameRows(columns, input.options(), mended, missing));
  input.for_each_block([&](Block& block, int rank) { parts[rank].push_back(scanners[rank].scan(block)); });
  std::vector<NamedRows> blocks;
  for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(blocks));
  std::sort(blocks.begin(), blocks.end(), [](const NamedRows& a, const NamedRows& b) { return a.index < b.index; });
  NamedRows lone{.index = blocks.size(), .names = columns.lone_names, .edges = {}, .weights = {}};
  for (const std::uint64_t id : columns.lone_ids) lone.names.push_back(std::to_string(id));
  blocks.push_back(std::move(lone));
  join(blocks, columns, columns.weighted() && input.options().weights, input, list);
  mended.note_in(list.report);
  missing.note_in(input.options(), list.report);
  note_late_direction(input.options(), columns, mended, list.report);
  std::uint64_t comments = mended.rows_as_comments;
  for (const std::string& comment : columns.comments)  // above the rows only where its first word is a vertex
    if (looks_like_row(comment, columns)) comments += list.ids.find(split_row(comment, '\0')[0]).has_value();
  if (comments)
    list.report.notes.push_back(counted(comments, "line") +
                                " taken as comments have as many words as a row, such as '#ann bob'; if these are edges, write "
                                "them with commas and quotes: \"#ann\",bob");
  return list;
}

}  // namespace hopwave::io
