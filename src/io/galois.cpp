// Galois binary graphs (.gr, versions 1 and 2): four 64-bit words (version, bytes of an edge's data, vertices, edges),
// the end of each row, targets of 32 (version 1) or 64 bits (2), edge data. Data of 4 and 8 bytes is read as an unsigned
// number.
#include <algorithm>
#include <limits>

#include "io/binary.h"
#include "io/format.h"
#include "io/stated.h"

namespace hopwave::io {
namespace {

constexpr std::uint64_t galois_header_bytes = 32;

struct GaloisHeader {
  std::uint64_t version = 0, data_bytes = 0, vertices = 0, edges = 0;

  /// Of version 1 or 2.
  [[nodiscard]] bool sane() const {
    return (data_bytes == 0 || data_bytes == 4 || data_bytes == 8) && vertices <= max_vertices && !(edges >> 48);
  }
  [[nodiscard]] std::uint64_t targets_at() const { return galois_header_bytes + 8 * vertices; }
  [[nodiscard]] std::uint64_t data_at() const {  // aligned to 8
    return targets_at() + (version == 1 ? (4 * edges + 7) / 8 * 8 : 8 * edges);
  }
  /// Version 1 without data may lack the four bytes of padding.
  [[nodiscard]] bool fits(std::uint64_t bytes) const {
    return bytes == data_at() + data_bytes * edges || (version == 1 && data_bytes == 0 && bytes == targets_at() + 4 * edges);
  }
};

GaloisHeader parse_galois(std::string_view head) {
  return {word_at<std::uint64_t>(head, 0), word_at<std::uint64_t>(head, 8), word_at<std::uint64_t>(head, 16),
          word_at<std::uint64_t>(head, 24)};
}

Match sniff_galois(std::string_view head, bool, const Input& input) {
  if (head.size() < galois_header_bytes) return Match::no;
  const GaloisHeader header = parse_galois(head);
  if (header.version != 1 && header.version != 2) return Match::no;
  if (input.size() && header.sane() && header.fits(*input.size())) return Match::certain;
  // Eight bytes that only this format begins with, and its ending: better its own message than another's.
  return extension_of(input.name()) == "gr" ? Match::certain : Match::no;
}

GaloisHeader read_galois_header(Input& input) {
  const std::string_view head = input.raw_head(galois_header_bytes);
  if (head.size() < galois_header_bytes)
    input.fail_file("HW-GALOIS-SIZE", "a file of " + std::to_string(head.size()) + " bytes", "a header of 32 bytes");
  const GaloisHeader header = parse_galois(head);
  if (header.version != 1 && header.version != 2)
    input.fail_file("HW-GALOIS-HEADER", "version " + std::to_string(header.version), "1 or 2");
  if (header.data_bytes != 0 && header.data_bytes != 4 && header.data_bytes != 8)
    input.fail_file("HW-GALOIS-HEADER", "edge data of " + std::to_string(header.data_bytes) + " bytes", "none, 4 or 8 bytes");
  const std::string says = std::to_string(header.vertices) + " vertices and " + std::to_string(header.edges) + " edges";
  if (!header.sane()) input.fail_file("HW-GALOIS-HEADER", "a header of " + says, "at most 2^32 - 2 vertices");
  const std::uint64_t bytes = header.data_at() + header.data_bytes * header.edges;
  input.load(bytes, "HW-GALOIS-SIZE");
  if (!header.fits(*input.size()))
    input.fail_file("HW-GALOIS-SIZE", "a file of " + std::to_string(*input.size()) + " bytes",
                    std::to_string(bytes) + " for " + says, "the file may be cut off");
  return header;
}

template <class Target>
void read_targets(Input& input, const GaloisHeader& header, EdgeList& list) {
  stream_array<Target>(input, header.targets_at(), header.edges, "HW-GALOIS-SIZE",
                       [&](std::size_t first, const Target* chunk, std::size_t count) {
                         for (std::size_t i = 0; i < count; ++i) {
                           check_vertex(input, chunk[i], header.vertices, "HW-GALOIS-INDEX",
                                        header.targets_at() + (first + i) * sizeof(Target));
                           list.edges[first + i].target = static_cast<VertexId>(chunk[i]);
                         }
                       });
}

template <class Data>
void read_weights(Input& input, const GaloisHeader& header, EdgeList& list) {
  Array<std::int64_t> weights(header.edges);
  stream_array<Data>(
      input, header.data_at(), header.edges, "HW-GALOIS-SIZE", [&](std::size_t first, const Data* chunk, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
          if (chunk[i] > std::uint64_t{0x7FFFFFFFFFFFFFFF})
            input.fail_file("HW-GALOIS-WEIGHT", "edge data of " + std::to_string(chunk[i]),
                            "a weight of at most 9223372036854775807", "", header.data_at() + (first + i) * sizeof(Data));
          weights[first + i] = static_cast<std::int64_t>(chunk[i]);
        }
      });
  list.weights = Weights::smallest(std::move(weights), input.options().run.threads);
}

EdgeList read_galois(Input& input) {
  const GaloisHeader header = read_galois_header(input);
  EdgeList list;
  list.num_vertices = static_cast<VertexId>(header.vertices);
  list.ids = Ids::consecutive(list.num_vertices);
  Array<std::uint64_t> offsets(header.vertices + 1);
  offsets[0] = 0;
  read_array(input, galois_header_bytes, offsets.data() + 1, header.vertices, "HW-GALOIS-SIZE");
  check_offsets(input, offsets.span(), header.edges, "HW-GALOIS-OFFSETS");
  list.edges = Array<Edge>(header.edges);
  fill_sources(input.team(), offsets.span(), list.edges);
  header.version == 1 ? read_targets<std::uint32_t>(input, header, list) : read_targets<std::uint64_t>(input, header, list);
  if (header.data_bytes && input.options().weights)
    header.data_bytes == 4 ? read_weights<std::uint32_t>(input, header, list)
                           : read_weights<std::uint64_t>(input, header, list);
  settle(input, {}, list);
  list.report.rows = header.edges;
  list.report.format = "galois";
  list.report.details = "version " + std::to_string(header.version) + (header.data_bytes ? ", weights" : "");
  return list;
}

void write_galois(const Graph& graph, Sink& out, const WriteOptions& options) {
  const bool weights = options.weights && graph.has_weights();
  const Adjacency& rows = graph.out();
  put_word<std::uint64_t>(out, 1);
  put_word<std::uint64_t>(out, weights ? 4 : 0);
  put_word<std::uint64_t>(out, graph.num_vertices());
  put_word<std::uint64_t>(out, graph.num_arcs());
  put_words(out, rows.offsets.span().subspan(1));
  put_words(out, rows.neighbors.span());
  if (graph.num_arcs() % 2) put_word<std::uint32_t>(out, 0);
  if (!weights) return;
  std::vector<std::uint32_t> chunk;
  for (std::size_t i = 0; i < rows.weights.size(); ++i) {
    chunk.push_back(static_cast<std::uint32_t>(rows.weights[i]));  // exact: need_integer_weights()
    if (chunk.size() == 1 << 14 || i + 1 == rows.weights.size()) {
      put_words(out, std::span<const std::uint32_t>(chunk));
      chunk.clear();
    }
  }
}

}  // namespace

const Format& galois_format() {
  static const Format format{{"galois", "Galois binary graph, versions 1 and 2", "gr"},
                             sniff_galois,
                             read_galois,
                             write_galois,
                             {.ids = Holds::Naming::from_0,
                              .undirected = false,
                              .weights = Holds::Weighing::whole,
                              .most = std::numeric_limits<std::uint32_t>::max()}};
  return format;
}

}  // namespace hopwave::io
