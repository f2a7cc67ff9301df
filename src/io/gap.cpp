// GAP's serialized graphs: .sg, and .wsg with weights: a directed flag, arc and vertex counts, 64-bit offsets, 32-bit
// neighbours; directed graphs have the transpose after it. The counts must account for every byte of the file.
#include <algorithm>
#include <limits>

#include "io/binary.h"
#include "io/format.h"

namespace hopwave::io {
namespace {

constexpr std::uint64_t gap_header_bytes = 17;
constexpr VertexId gap_vertices = 0x7FFFFFFFu;  // neighbours are signed numbers of 32 bits

struct GapHeader {
  bool directed = false;
  std::uint64_t arcs = 0, vertices = 0;

  /// The size of a file with this header; 0 if it would be absurd.
  [[nodiscard]] std::uint64_t file_bytes(bool weighted) const {
    if (vertices > max_vertices || arcs >> 48) return 0;
    return gap_header_bytes + (directed ? 2 : 1) * ((vertices + 1) * 8 + arcs * (weighted ? 8 : 4));
  }
};

struct WeightedNeighbor {
  std::int32_t vertex, weight;
};

GapHeader parse_gap(std::string_view head) {
  return {.directed = word_at<char>(head, 0) != 0,
          .arcs = word_at<std::uint64_t>(head, 1),
          .vertices = word_at<std::uint64_t>(head, 9)};
}

Match sniff(std::string_view head, const Input& input, bool weighted) {
  if (head.size() < gap_header_bytes || static_cast<unsigned char>(head[0]) > 1 || !input.size()) return Match::no;
  return parse_gap(head).file_bytes(weighted) == *input.size() ? Match::certain : Match::no;
}

GapHeader read_gap_header(Input& input, bool weighted) {
  const std::string_view head = input.raw_head(gap_header_bytes);
  if (head.size() < gap_header_bytes)
    input.fail_file("HW-SG-SIZE", "a file of " + std::to_string(head.size()) + " bytes", "a header of 17 bytes");
  if (static_cast<unsigned char>(head[0]) > 1) input.fail_head(0, "HW-SG-HEADER", "a flag of 0 or 1 (directed)");
  const GapHeader header = parse_gap(head);
  const std::uint64_t bytes = header.file_bytes(weighted);
  const std::string says = std::to_string(header.vertices) + " vertices and " + std::to_string(header.arcs) + " arcs";
  if (bytes == 0) input.fail_file("HW-SG-HEADER", "a header of " + says, "at most 2^32 - 2 vertices");
  input.load(bytes, "HW-SG-SIZE");
  if (*input.size() != bytes)
    input.fail_file("HW-SG-SIZE", "a file of " + std::to_string(*input.size()) + " bytes",
                    std::to_string(bytes) + " for " + says,
                    "the file may be cut off, or be a " + std::string(weighted ? ".sg without" : ".wsg with") + " weights");
  return header;
}

EdgeList read(Input& input, bool weighted) {
  const GapHeader header = read_gap_header(input, weighted);
  EdgeList list;
  list.num_vertices = static_cast<VertexId>(header.vertices);
  list.ids = Ids::consecutive(list.num_vertices);
  Array<std::uint64_t> offsets(header.vertices + 1);
  read_array(input, gap_header_bytes, offsets.data(), offsets.size(), "HW-SG-SIZE");
  check_offsets(input, offsets.span(), header.arcs, "HW-SG-OFFSETS");
  list.edges = Array<Edge>(header.arcs);
  fill_sources(input.team(), offsets.span(), list.edges);
  const std::uint64_t at = gap_header_bytes + offsets.size() * 8;
  const auto target = [&](std::size_t i, std::int32_t v, std::size_t width) {
    check_vertex(input, static_cast<std::uint32_t>(v), header.vertices, "HW-SG-INDEX", at + i * width);
    list.edges[i].target = static_cast<VertexId>(v);
  };
  if (weighted) {
    Array<std::int32_t> weights(input.options().weights ? header.arcs : 0);
    stream_array<WeightedNeighbor>(input, at, header.arcs, "HW-SG-SIZE",
                                   [&](std::size_t first, const WeightedNeighbor* chunk, std::size_t count) {
                                     for (std::size_t i = 0; i < count; ++i) {
                                       target(first + i, chunk[i].vertex, 8);
                                       if (!weights.empty()) weights[first + i] = chunk[i].weight;
                                     }
                                   });
    list.weights = std::move(weights);
  } else {
    stream_array<std::int32_t>(input, at, header.arcs, "HW-SG-SIZE",
                               [&](std::size_t first, const std::int32_t* chunk, std::size_t count) {
                                 for (std::size_t i = 0; i < count; ++i) target(first + i, chunk[i], 4);
                               });
  }
  list.directed = header.directed && !input.options().undirected;
  list.both_directions = !header.directed;
  list.report.rows = header.arcs;
  list.report.format = weighted ? "gap-weighted" : "gap";
  list.report.details = header.directed ? "directed" : "undirected";
  return list;
}

void put_neighbors(Sink& out, const Adjacency& rows, bool weighted, bool with_weights) {
  put_words(out, rows.offsets.span());
  if (!weighted) return put_words(out, rows.neighbors.span());
  std::vector<WeightedNeighbor> chunk;
  for (std::size_t i = 0; i < rows.neighbors.size(); ++i) {
    chunk.push_back(
        {static_cast<std::int32_t>(rows.neighbors[i]), with_weights ? static_cast<std::int32_t>(rows.weights[i]) : 1});
    if (chunk.size() == 1 << 14 || i + 1 == rows.neighbors.size()) {
      put_words(out, std::span<const WeightedNeighbor>(chunk));
      chunk.clear();
    }
  }
}

void write(const Graph& graph, Sink& out, bool weighted, const WriteOptions& options) {
  const bool with_weights = weighted && options.weights && graph.has_weights();
  put_word(out, graph.directed());
  put_word(out, graph.num_arcs());
  put_word(out, static_cast<std::uint64_t>(graph.num_vertices()));
  put_neighbors(out, graph.out(), weighted, with_weights);
  if (!graph.directed()) return;
  Graph copy = graph;  // shares the arrays; only the transpose is new
  copy.ensure_in();
  put_neighbors(out, copy.in(), weighted, with_weights);
}

}  // namespace

const Format& gap_format() {
  static const Format format{
      {"gap", "GAP benchmark's serialized graph", "sg"},
      [](std::string_view head, bool, const Input& input) { return sniff(head, input, false); },
      [](Input& input) { return read(input, false); },
      [](const Graph& graph, Sink& out, const WriteOptions& options) { write(graph, out, false, options); },
      {.ids = Holds::Naming::from_0, .weights = Holds::Weighing::none, .vertices = gap_vertices}};
  return format;
}
const Format& gap_weighted_format() {
  static const Format format{
      {"gap-weighted", "the same with weights", "wsg"},
      [](std::string_view head, bool, const Input& input) { return sniff(head, input, true); },
      [](Input& input) { return read(input, true); },
      [](const Graph& graph, Sink& out, const WriteOptions& options) { write(graph, out, true, options); },
      {.ids = Holds::Naming::from_0,
       .weights = Holds::Weighing::whole,
       .least = std::numeric_limits<std::int32_t>::min(),
       .most = std::numeric_limits<std::int32_t>::max(),
       .vertices = gap_vertices}};
  return format;
}

}  // namespace hopwave::io
