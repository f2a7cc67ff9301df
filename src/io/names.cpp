// Edge lists whose ids are text. Rows are cut and looked up in parallel, block by block with a dictionary each; the
// dictionaries are then joined in the input's order, so that vertices are numbered by first appearance.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "io/edge_list.h"
#include "io/format.h"
#include "io/scan.h"
#include "io/weights.h"

namespace hopwave::io {
namespace {

struct NamedRows {
  std::uint64_t index = 0;
  std::vector<std::string> names;  // in order of first appearance in the block
  std::vector<Edge> edges;         // places in names
  WeightBuffer weights;
};

class NameRows {
 public:
  NameRows(const Columns& columns, const ReadOptions& options, Mended& mended)
      : columns_(columns), options_(options), mended_(mended) {}

  NamedRows scan(const Block& block) {
    NamedRows rows;
    rows.index = block.index;
    lookup_.clear();
    for (const char* p = block.begin; p < block.end;) {
      const char* stop = skip_line(p, block.end);
      const char* q = skip_blanks(p);
      if (*q != '\n' && !edge_list_comment({q, 2}))
        row(block, p, std::string_view(q, static_cast<std::size_t>(stop - q)), rows);
      p = stop + 1;
    }
    return rows;
  }

 private:
  void row(const Block& block, const char* at, std::string_view text, NamedRows& rows) {
    while (is_blank(text.back())) text.remove_suffix(1);
    auto cells = split_row(text, columns_.separator);
    cut_comment(cells);
    const std::size_t wanted = columns_.weighted ? 3 : 2;
    if (text.find('\0') != std::string_view::npos) return bad(block, text.data() + text.find('\0'), "HW-EDGE-ID", "text");
    std::string source, target;
    if (!name_of(block, cells[0], source) || (cells.size() > 1 && !name_of(block, cells[1], target))) return;
    if (cells.size() < wanted || (cells.size() > wanted && !columns_.ignored))
      return bad(block, at, "HW-EDGE-COLUMNS", std::to_string(columns_.count) + " columns, as in the first row",
                 "a row of " + std::to_string(cells.size()));
    Number weight;
    if (columns_.weighted) {
      const char* w = cells[2].data();
      const char* end = nullptr;
      try {
        end = scan_weight(block, w, "HW-EDGE-WEIGHT", options_.lenient, mended_, weight);
      } catch (const TextFault&) {
        if (!options_.lenient) throw;
      }
      if (end != w + cells[2].size()) return bad(block, w, "HW-EDGE-WEIGHT", "a number (the weight)");
    }
    const VertexId u = place(std::move(source), rows), v = place(std::move(target), rows);
    rows.edges.push_back({u, v});
    if (columns_.weighted && options_.weights) rows.weights.add(weight);
  }

  void bad(const Block& block, const char* at, const char* id, const std::string& expected, const std::string& found = "") {
    if (!options_.lenient) block.fail(at, id, expected, "to leave such rows out: --lenient", found);
    mended_.rows_skipped.fetch_add(1, std::memory_order_relaxed);
  }

  /// The name in a cell; false if it is none and the row is left out.
  bool name_of(const Block& block, std::string_view cell, std::string& name) {
    auto text = columns_.separator ? unquoted(cell) : std::string(cell);
    if (!text) {
      bad(block, cell.data(), "HW-EDGE-ID", "a name whose quotes are closed and, within it, doubled");
    } else if (cell.empty()) {
      bad(block, cell.data(), "HW-EDGE-ID", "a name (quoted if it is empty)", "an empty name");
    } else if (text->size() > longest_name) {
      bad(block, cell.data(), "HW-EDGE-ID", "a name of at most " + std::to_string(longest_name) + " bytes",
          "a name of " + std::to_string(text->size()) + " bytes");
    } else {
      name = std::move(*text);
      return true;
    }
    return false;
  }

  VertexId place(std::string name, NamedRows& rows) {
    const auto [it, fresh] = lookup_.try_emplace(std::move(name), static_cast<VertexId>(rows.names.size()));
    if (fresh) rows.names.push_back(it->first);
    return it->second;
  }

  const Columns& columns_;
  const ReadOptions& options_;
  Mended& mended_;
  std::unordered_map<std::string, VertexId> lookup_;
};

/// Numbers the names over all blocks and writes the edges.
void join(std::vector<NamedRows>& blocks, bool weighted, Input& input, EdgeList& list) {
  std::unordered_map<std::string, VertexId> number;
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
  list.weights = std::move(weights).done();
  list.report.rows = rows;
  list.num_vertices = static_cast<VertexId>(names.size());
  list.ids = Ids::strings(std::move(names));
}

}  // namespace

EdgeList read_names(Input& input, const Columns& columns) {
  EdgeList list;
  Mended mended;
  std::vector<std::vector<NamedRows>> parts(input.team().size());
  std::vector<NameRows> scanners(input.team().size(), NameRows(columns, input.options(), mended));
  input.for_each_block([&](Block& block, int rank) {
    check_direction(block, columns, input.options());
    parts[rank].push_back(scanners[rank].scan(block));
  });
  std::vector<NamedRows> blocks;
  for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(blocks));
  std::sort(blocks.begin(), blocks.end(), [](const NamedRows& a, const NamedRows& b) { return a.index < b.index; });
  NamedRows lone{.index = blocks.size(), .names = columns.lone_names, .edges = {}, .weights = {}};
  blocks.push_back(std::move(lone));
  join(blocks, columns.weighted && input.options().weights, input, list);
  mended.tell(list.report);
  return list;
}

}  // namespace hopwave::io
