// Rodinia's BFS text, which ROCm's example reads too: node count, one line (first edge, edge count) per node, the source,
// edge count, one line (target, cost) per edge. Read as numbers between blanks, as their readers do, but checked.
#include <algorithm>
#include <limits>

#include "io/format.h"
#include "io/scan.h"
#include "io/stated.h"

namespace hopwave::io {
namespace {

constexpr std::int64_t not_a_number = std::numeric_limits<std::int64_t>::min();

/// All numbers of the file; negative ones are kept so that they can be refused at their place.
struct Numbers {
  std::vector<std::vector<std::int64_t>> blocks;
  std::vector<std::size_t> first;  // of each block, and the total

  [[nodiscard]] std::size_t size() const { return first.back(); }
  [[nodiscard]] std::int64_t operator[](std::size_t i) const {
    const std::size_t block = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), i) - first.begin()) - 1;
    return blocks[block][i - first[block]];
  }
  /// use(position, value) for positions [begin, end).
  template <class Use>
  void for_each(std::size_t begin, std::size_t end, Use use) const {
    if (begin >= end) return;
    std::size_t block = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), begin) - first.begin()) - 1;
    for (std::size_t i = begin; i < end; ++block)
      for (; i < std::min(end, first[block + 1]); ++i) use(i, blocks[block][i - first[block]]);
  }
};

const char* scan_signed(const char* p, std::int64_t& value) {
  const bool negative = *p == '-';
  std::uint64_t digits = 0;
  const char* end = scan_integer(p + negative, digits);
  if (end == p + negative) return p;
  value = digits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ? not_a_number
          : negative                                                                    ? -static_cast<std::int64_t>(digits)
                                                                                        : static_cast<std::int64_t>(digits);
  return end;
}

void scan_block(const Block& block, std::vector<std::int64_t>& out) {
  for (const char* p = block.begin; p < block.end;) {
    if (is_blank(*p) || *p == '\n') {
      ++p;
      continue;
    }
    std::int64_t value = 0;
    const char* q = scan_signed(p, value);
    if (q == p || !(is_blank(*q) || *q == '\n')) block.fail(p, "HW-RODINIA-NUMBER", "a whole number");
    if (value == not_a_number) block.fail(p, "HW-RODINIA-NUMBER", "a number of at most 19 digits");
    out.push_back(value);
    p = q;
  }
}

Numbers read_numbers(Input& input) {
  input.set_rules({.short_rows = false});
  std::vector<std::vector<std::pair<std::uint64_t, std::vector<std::int64_t>>>> parts(input.team().size());
  input.for_each_block([&](Block& block, int rank) {
    std::vector<std::int64_t> values;
    values.reserve(static_cast<std::size_t>(block.end - block.begin) / 4);
    scan_block(block, values);
    if (!values.empty()) parts[rank].emplace_back(block.index, std::move(values));
  });
  std::vector<std::pair<std::uint64_t, std::vector<std::int64_t>>> all;
  for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(all));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Numbers numbers;
  numbers.first.push_back(0);
  for (auto& [index, values] : all) {
    numbers.first.push_back(numbers.first.back() + values.size());
    numbers.blocks.push_back(std::move(values));
  }
  return numbers;
}

class Reader {
 public:
  Reader(Input& input, const Numbers& numbers) : input_(input), numbers_(numbers) {}

  EdgeList read() {
    nodes_ = count_at(0, "HW-RODINIA-COUNT", "the number of nodes");
    input_.check_plausible(nodes_, "HW-RODINIA-HUGE");
    const std::uint64_t source_at = 1 + 2 * nodes_;
    const std::uint64_t source = count_at(source_at, "HW-RODINIA-COUNT", "the source, after the nodes");
    edges_ = count_at(source_at + 1, "HW-RODINIA-COUNT", "the number of edges, after the source");
    first_edge_ = source_at + 2;
    const std::uint64_t have = numbers_.size() - first_edge_;
    if (have / 2 != edges_ || have % 2)
      input_.fail_file("HW-RODINIA-COUNT", std::to_string(have) + " numbers after the edge count",
                       "two for each of " + std::to_string(edges_) + " edges", "the file may be cut off");
    if (nodes_ && source >= nodes_)
      fail(source_at, "HW-RODINIA-SOURCE", "the source " + std::to_string(source),
           "a node from 0 to " + std::to_string(nodes_ - 1));
    EdgeList list;
    list.num_vertices = static_cast<VertexId>(nodes_);
    list.ids = Ids::consecutive(list.num_vertices);
    if (nodes_) list.default_source = static_cast<VertexId>(source);
    fill_sources(list);
    fill_targets(list);
    return list;
  }

 private:
  [[noreturn]] void fail(std::size_t position, const char* id, const std::string& found, const std::string& expected) {
    throw Error({.id = id,
                 .where = input_.place_of_word(position),
                 .found = found + " (number " + std::to_string(position + 1) + " of the file)",
                 .expected = expected,
                 .hint = ""});
  }

  std::uint64_t count_at(std::size_t position, const char* id, const std::string& what) {
    if (position >= numbers_.size()) input_.fail_file(id, "the end of the file", what, "the file may be cut off");
    const std::int64_t value = numbers_[position];
    if (value < 0 || value > (std::int64_t{1} << 60)) fail(position, id, std::to_string(value), what);
    return static_cast<std::uint64_t>(value);
  }

  /// The nodes' ranges must follow each other without gap, so that every edge has one node.
  void fill_sources(EdgeList& list) {
    list.edges = Array<Edge>(edges_);
    std::uint64_t at = 0, first = 0;
    numbers_.for_each(1, 1 + 2 * nodes_, [&](std::size_t i, std::int64_t value) {
      const std::uint64_t node = (i - 1) / 2;
      if (i % 2) {
        first = static_cast<std::uint64_t>(value);
        return;
      }
      if (value < 0 || static_cast<std::uint64_t>(value) > edges_ - at || (first != at && value > 0))
        fail(i, "HW-RODINIA-RANGE",
             "node " + std::to_string(node) + " with edges from " + std::to_string(static_cast<std::int64_t>(first)) + " on, " +
                 std::to_string(value) + " of them",
             "a range that starts at " + std::to_string(at) + " and ends by " + std::to_string(edges_));
      for (std::int64_t k = 0; k < value; ++k) list.edges[at++].source = static_cast<VertexId>(node);
    });
    if (at != edges_)
      input_.fail_file("HW-RODINIA-RANGE", "nodes with " + std::to_string(at) + " edges together",
                       "the " + std::to_string(edges_) + " of the edge list");
  }

  void fill_targets(EdgeList& list) {
    const bool keep = input_.options().weights;
    Array<std::int64_t> weights(keep ? edges_ : 0);
    const auto part = [&](std::size_t begin, std::size_t end, int) {
      numbers_.for_each(first_edge_ + 2 * begin, first_edge_ + 2 * end, [&](std::size_t i, std::int64_t value) {
        const std::size_t edge = (i - first_edge_) / 2;
        if ((i - first_edge_) % 2 == 0) {
          if (value < 0 || static_cast<std::uint64_t>(value) >= nodes_)
            fail(i, "HW-RODINIA-INDEX", "an edge to node " + std::to_string(value),
                 "a node from 0 to " + std::to_string(nodes_ - 1));
          list.edges[edge].target = static_cast<VertexId>(value);
        } else {
          if (value < 0) fail(i, "HW-RODINIA-WEIGHT", "the cost " + std::to_string(value), "a cost that is not negative");
          if (keep) weights[edge] = value;
        }
      });
    };
    parallel_for(input_.team(), edges_, 1 << 16, part);
    list.weights = Weights::smallest(std::move(weights), input_.options().run.threads);
  }

  Input& input_;
  const Numbers& numbers_;
  std::uint64_t nodes_ = 0, edges_ = 0;
  std::size_t first_edge_ = 0;
};

EdgeList read_rodinia(Input& input) {
  const Numbers numbers = read_numbers(input);
  EdgeList list = Reader(input, numbers).read();
  settle(input, {}, list);
  list.report.rows = list.edges.size();
  list.report.format = "rodinia";
  if (list.default_source) list.report.details = "names source " + std::to_string(*list.default_source);
  return list;
}

/// The numbers of a line; false if it holds anything else.
bool line_numbers(std::string_view line, std::vector<std::uint64_t>& values) {
  values.clear();
  for (std::size_t i = 0; i < line.size();) {
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    std::uint64_t value = 0;
    const std::size_t begin = i;
    while (i < line.size() && is_digit(line[i]) && i - begin < 18)
      value = value * 10 + static_cast<std::uint64_t>(line[i++] - '0');
    if (i == begin || (i < line.size() && !is_blank(line[i]))) return false;
    values.push_back(value);
  }
  return true;
}

/// One number alone, then pairs of which the first is the sum of the seconds so far. The reader reports later damage.
Match sniff_rodinia(std::string_view head, bool whole, const Input&) {
  std::vector<std::uint64_t> values;
  std::uint64_t nodes = 0, sum = 0, seen = 0;
  for (std::size_t at = 0; at < head.size() && seen <= std::min<std::uint64_t>(nodes, 64);) {
    const std::size_t newline = head.find('\n', at);
    if (newline == std::string_view::npos && !whole) break;
    const std::string_view line = head.substr(at, std::min(newline, head.size()) - at);
    at += line.size() + 1;
    if (!line_numbers(line, values)) break;
    if (values.empty()) continue;
    if (seen == 0 ? values.size() != 1 || values[0] == 0 : values.size() != 2 || values[0] != sum) return Match::no;
    (seen == 0 ? nodes : sum) += values.back();
    ++seen;
  }
  return seen >= 2 ? Match::certain : Match::no;
}

void write_rodinia(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  const Adjacency& adjacency = graph.out();
  Lines head;
  head.integer(graph.num_vertices()).put('\n');
  out.write(head.text());
  write_in_order(out, graph.num_vertices(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t v = begin; v < end; ++v)
      lines.integer(adjacency.offsets[v]).put(' ').integer(adjacency.offsets[v + 1] - adjacency.offsets[v]).put('\n');
  });
  Lines middle;
  middle.put('\n').integer(graph.default_source().value_or(0)).put("\n\n").integer(graph.num_arcs()).put('\n');
  out.write(middle.text());
  write_in_order(out, graph.num_arcs(), [&](std::size_t begin, std::size_t end, Lines& lines) {
    for (std::size_t i = begin; i < end; ++i) {
      lines.integer(adjacency.neighbors[i]).put(' ');
      weights ? lines.weight(adjacency.weights, i) : lines.put('1');
      lines.put('\n');
    }
  });
}

}  // namespace

const Format& rodinia_format() {
  static const Format format{
      {"rodinia", "BFS text of Rodinia and ROCm: nodes, their edge ranges, the source, edges with costs", ""},
      sniff_rodinia,
      read_rodinia,
      write_rodinia,
      {.ids = Holds::Naming::from_0,
       .undirected = false,
       .weights = Holds::Weighing::whole,
       .most = std::numeric_limits<std::int32_t>::max()}};
  return format;
}

}  // namespace hopwave::io
