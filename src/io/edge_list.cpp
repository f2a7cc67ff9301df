// Edge lists: SNAP text, TSV, CSV and the like: a row an edge, "source target [weight]", comments anywhere.
// Rows are scanned in parallel; ids may have gaps or (format "names") be any text.
#include "io/edge_list.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "io/format.h"
#include "io/id_map.h"
#include "io/pairs.h"
#include "io/weights.h"

namespace hopwave::io {
namespace {

bool is_comment(const char* p) { return *p == '#' || *p == '%' || (*p == '/' && p[1] == '/'); }

/// Skips blanks and at most one separator (columns.separator, or none where blanks separate).
inline const char* next_column(const char* p, char separator) {
  p = skip_blanks(p);
  if (separator && *p == separator) p = skip_blanks(p + 1);
  return p;
}

class IntegerRows {
 public:
  IntegerRows(const Columns& columns, const ReadOptions& options, Mended& mended)
      : columns_(columns), lenient_(options.lenient), keep_weights_(options.weights), mended_(mended) {}

  void scan(const Block& block, RowBuffer& rows) {
    const char* p = block.begin;
    PairScanner pairs(columns_.separator);
    while (p < block.end) {
      if (columns_.count == 2) {
        p = pairs.scan(p, block.end, [&](std::uint64_t u, std::uint64_t v) { return rows.add(u, v), true; });
        if (p == block.end) break;
      }
      std::uint64_t u = 0, v = 0;
      const char* q = scan_integer(p, u);
      if (q == p) {
        q = skip_blanks(p);
        if (*q == '\n') {
          p = q + 1;
        } else if (is_comment(q)) {
          p = skip_line(q, block.end) + 1;
        } else if (q != p) {
          p = q;  // an indented row
        } else {
          p = bad_row(block, p, p, "HW-EDGE-ID", "a vertex id (an integer from 0 on)");
        }
        continue;
      }
      const char* r = next_column(q, columns_.separator);
      const char* s = scan_integer(r, v);
      if (r == q || s == r) {
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
  }

 private:
  const char* rest_of_row(const Block& block, const char* row, const char* p, std::uint64_t u, std::uint64_t v,
                          RowBuffer& rows) {
    const char* q = next_column(p, columns_.separator);
    Number weight;
    if (q == p && *q != '\n') return bad_row(block, row, p, "HW-EDGE-ID", "a blank or a separator behind the id");
    if (columns_.weighted) {
      if (*q == '\n' || is_comment(q)) return bad_row(block, row, q, "HW-EDGE-COLUMNS", "a weight, as in the first row");
      p = q;
      try {
        q = scan_weight(block, p, "HW-EDGE-WEIGHT", lenient_, mended_, weight);
      } catch (const TextFault&) {
        if (!lenient_) throw;
        return bad_row(block, row, p, "HW-EDGE-WEIGHT", "");
      }
      p = q;
      q = next_column(p, columns_.separator);
      if (q == p && *q != '\n') return bad_row(block, row, p, "HW-EDGE-WEIGHT", "a blank or a separator behind the weight");
    }
    if (is_comment(q)) q = skip_line(q, block.end);
    if (columns_.ignored) {
      const char* const end = skip_line(q, block.end);
      if (const void* zero = std::memchr(q, '\0', static_cast<std::size_t>(end - q)))
        return bad_row(block, row, static_cast<const char*>(zero), "HW-EDGE-COLUMNS", "text");
      q = end;
    }
    if (*q != '\n')
      return bad_row(block, row, q, "HW-EDGE-COLUMNS", std::to_string(columns_.count) + " columns, as in the first row");
    rows.add(u, v);
    if (columns_.weighted && keep_weights_) rows.add_weight(weight);
    return q + 1;
  }

  const char* bad_row(const Block& block, const char* row, const char* at, const char* id, const std::string& expected) {
    if (!lenient_)
      block.fail(
          at, id, expected,
          at < block.end && *at != '\n' ? "ids that are text: --input-format names; to leave such rows out: --lenient" : "");
    mended_.rows_skipped.fetch_add(1, std::memory_order_relaxed);
    return skip_line(row, block.end) + 1;
  }

  const Columns& columns_;
  const bool lenient_, keep_weights_;
  Mended& mended_;
};

EdgeList read_integers(Input& input, const Columns& columns) {
  EdgeList list;
  Mended mended;
  RowStore raw(input, columns.weighted && input.options().weights);
  if (!input.vertex_list().empty()) raw.extra_ids = read_vertex_list(input.vertex_list(), input.options());
  std::vector<RowBuffer> buffers(input.team().size());
  const std::uint64_t listed = raw.extra_ids.size();
  input.for_each_block([&](Block& block, int rank) {
    check_direction(block, columns, input.options());
    IntegerRows(columns, input.options(), mended).scan(block, buffers[rank]);
    raw.put(buffers[rank], block.index);
  });
  raw.extra_ids.insert(raw.extra_ids.end(), columns.lone_ids.begin(), columns.lone_ids.end());
  listed ? raw.map_ids(std::nullopt, list) : map_told_ids(input, columns, raw, list);
  if (listed && listed != list.num_vertices)
    input.fail_file("HW-EDGE-VERTEX",
                    std::to_string(list.num_vertices - listed) + " vertices that " + input.vertex_list() + " does not list",
                    "only vertices of that list");
  mended.tell(list.report);
  return list;
}

EdgeList read_edge_list(Input& input) {
  const Columns columns = find_columns(input, false);
  EdgeList list = columns.names ? read_names(input, columns) : read_integers(input, columns);
  settle(input, columns.stated, list);
  list.report.format = columns.names ? "names" : "edge-list";
  list.report.details = describe(columns, input);
  return list;
}

EdgeList read_as_names(Input& input) {
  const Columns columns = find_columns(input, true);
  EdgeList list = read_names(input, columns);
  settle(input, columns.stated, list);
  list.report.format = "names";
  list.report.details = describe(columns, input);
  return list;
}

Match sniff_edge_list(std::string_view head, bool, const Input&) {
  return head.find_first_of(std::string_view("\0", 1)) == std::string_view::npos ? Match::possible : Match::no;
}
}  // namespace

void map_told_ids(Input& input, const Columns& columns, RowStore& raw, EdgeList& list) {
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
  quiet.progress = nullptr;
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
  static const Format format{{"edge-list", "SNAP, TSV, CSV: a row an edge, source target [weight]; # and % comments",
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
