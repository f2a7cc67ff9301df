// Graph500's packed edges: 12 bytes per edge: two low halves of 32 bits, then both high halves of 16 bits in one word.
// The file has neither magic nor counts, so it is read by name or ending; vertices are 0 to the largest that occurs.
#include <algorithm>
#include <atomic>

#include "core/refuse.h"
#include "io/binary.h"
#include "io/format.h"
#include "io/stated.h"

namespace hopwave::io {
namespace {

struct Packed {
  std::uint32_t low[2];
  std::uint32_t high;  ///< of the first in bits 0–15, of the second in 16–31

  [[nodiscard]] std::uint64_t end(int i) const {
    return low[i] | (static_cast<std::uint64_t>(high >> (16 * i) & 0xFFFFu) << 32);
  }
};
static_assert(sizeof(Packed) == 12);

EdgeList read_graph500(Input& input) {
  input.load(std::uint64_t{1} << 46, "HW-G500-SIZE");
  const std::uint64_t bytes = *input.size();
  if (bytes == 0 || bytes % sizeof(Packed))
    input.fail_file("HW-G500-SIZE", "a file of " + std::to_string(bytes) + " bytes", "a multiple of 12, the size of an edge",
                    "the file may be cut off");
  EdgeList list;
  list.edges = Array<Edge>(bytes / sizeof(Packed));
  std::atomic<std::uint64_t> largest{0};
  stream_array<Packed>(
      input, 0, list.edges.size(), "HW-G500-SIZE", [&](std::size_t first, const Packed* chunk, std::size_t count) {
        std::uint64_t most = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint64_t u = chunk[i].end(0), v = chunk[i].end(1);
          if (std::max(u, v) >= max_vertices)
            input.fail_file("HW-G500-INDEX", "vertex " + std::to_string(std::max(u, v)), "vertices below 2^32 - 2",
                            "vertex ids have 32 bits here", (first + i) * sizeof(Packed));
          most = std::max({most, u, v});
          list.edges[first + i] = {static_cast<VertexId>(u), static_cast<VertexId>(v)};
        }
        std::uint64_t seen = largest.load(std::memory_order_relaxed);
        while (seen < most)
          if (largest.compare_exchange_weak(seen, most, std::memory_order_relaxed)) break;
      });
  input.check_plausible(largest + 1, "HW-G500-HUGE");
  list.num_vertices = static_cast<VertexId>(largest + 1);
  list.ids = Ids::consecutive(list.num_vertices);
  settle(input, {}, list);
  list.report.rows = list.edges.size();
  list.report.format = "graph500";
  list.report.details = "packed edges of 12 bytes";
  return list;
}

/// There is no count of vertices: the last one that is in a row is the last of all.
void check_graph500(const Graph& graph, const WriteOptions&) {
  const auto refuse = [](const char* found, const char* expected) {
    core::refuse("HW-WRITE-EMPTY", found, expected, "choose another format");
  };
  if (graph.num_arcs() == 0) refuse("a graph without edges", "one edge at least: Graph500's files hold nothing else");
  const auto& neighbors = graph.out().neighbors;
  const VertexId last = graph.num_vertices() - 1;
  if (graph.out_degree(last) == 0 && std::find(neighbors.begin(), neighbors.end(), last) == neighbors.end())
    refuse("a last vertex without edges", "an edge there: Graph500's files hold nothing that says how many vertices there are");
}

void write_graph500(const Graph& graph, Sink& out, const WriteOptions&) {
  std::vector<Packed> chunk;
  for (VertexId u = 0; u < graph.num_vertices(); ++u)
    for (const VertexId v : graph.out_neighbors(u)) {
      chunk.push_back({{u, v}, 0});
      if (chunk.size() == 1 << 14) {
        put_words(out, std::span<const Packed>(chunk));
        chunk.clear();
      }
    }
  put_words(out, std::span<const Packed>(chunk));
}

}  // namespace

const Format& graph500_format() {
  static const Format format{{"graph500", "Graph500's packed edges, 12 bytes each (named, or by ending)", "g500,packed"},
                             sniffs_nothing,
                             read_graph500,
                             write_graph500,
                             {.ids = Holds::Naming::from_0, .undirected = false, .weights = Holds::Weighing::none},
                             check_graph500};
  return format;
}

}  // namespace hopwave::io
