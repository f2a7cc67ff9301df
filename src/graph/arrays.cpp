// Two passes. The first checks offsets, because nothing may be looked up by them before. The second visits each arc
// once, for its range, its order and its hash. If all arcs occur equally often in both directions, their hashes cancel
// out: each hash is taken of the unordered pair, and is subtracted for one direction. Otherwise they cancel out only by
// chance, which the random key makes 1 in 2^64.
#include "graph/arrays.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <string>

#include "core/parallel.h"
#include "graph/two_weights.h"
#include "hopwave/error.h"
#include "hopwave/generate.h"

namespace hopwave::graph {
namespace {

constexpr std::size_t grain = std::size_t{1} << 16;

[[noreturn]] void refuse(std::string found, std::string expected) {
  throw Error({.failure = Failure::input,
               .id = "HW-GRAPH-ARRAYS",
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = "build_graph() makes such arrays from any list of edges"});
}

/// The smallest of the positions that threads report.
class First {
 public:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  void report(std::uint64_t at) {
    std::uint64_t seen = at_.load(std::memory_order_relaxed);
    while (at < seen && !at_.compare_exchange_weak(seen, at, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] std::uint64_t at() const { return at_.load(); }

 private:
  std::atomic<std::uint64_t> at_{none};
};

void check_offsets(Team& team, VertexId n, const Adjacency& a) {
  if (a.offsets.size() != n + std::size_t{1})
    refuse(std::to_string(a.offsets.size()) + " offsets", std::to_string(n + std::size_t{1}));
  if (a.offsets[0] != 0) refuse("a first offset of " + std::to_string(a.offsets[0]), "0");
  if (a.offsets[n] != a.neighbors.size())
    refuse("a last offset of " + std::to_string(a.offsets[n]),
           std::to_string(a.neighbors.size()) + ", the number of neighbours");
  if (!a.weights.empty() && a.weights.size() != a.neighbors.size())
    refuse(std::to_string(a.weights.size()) + " weights", std::to_string(a.neighbors.size()) + ", one per arc");
  First bad;
  parallel_for(team, n, grain, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t v = begin; v < end; ++v)
      if (a.offsets[v] > a.offsets[v + 1]) return bad.report(v);
  });
  if (const auto v = bad.at(); v != First::none)
    refuse("offset " + std::to_string(a.offsets[v + 1]) + " after " + std::to_string(a.offsets[v]) + " at vertex " +
               std::to_string(v),
           "ascending offsets");
}

/// A hash of the unordered pair, negated for one of the directions.
std::uint64_t hash_both_ways(std::uint64_t key, VertexId u, VertexId v) {
  const VertexId low = std::min(u, v), high = std::max(u, v);
  const std::uint64_t h = splitmix64(key ^ (std::uint64_t{low} << 32 | high));
  return u == v ? 0 : u < v ? h : -h;
}
std::uint64_t hash_forwards(std::uint64_t key, VertexId u, VertexId v) {
  return splitmix64(key ^ (std::uint64_t{u} << 32 | v));
}
std::uint64_t hash_backwards(std::uint64_t key, VertexId u, VertexId v) { return hash_forwards(key, v, u); }
std::uint64_t hash_nothing(std::uint64_t, VertexId, VertexId) { return 0; }

/// Checks range and order of all rows; returns the sum of hash(key, row, neighbour). Pieces are cut by arcs, so a hub's
/// row is divided, too.
template <std::uint64_t hash(std::uint64_t, VertexId, VertexId)>
std::uint64_t check_rows(Team& team, VertexId n, const Adjacency& a, std::uint64_t key) {
  First bad;
  std::atomic<std::uint64_t> sum{0};
  parallel_for(team, a.neighbors.size(), grain, [&](std::size_t begin, std::size_t end, int) {
    std::size_t v =
        static_cast<std::size_t>(std::upper_bound(a.offsets.begin(), a.offsets.end(), begin) - a.offsets.begin()) - 1;
    std::uint64_t hashes = 0;
    bool ok = true;
    for (std::size_t i = begin; i < end; ++v) {
      const std::size_t stop = std::min<std::size_t>(end, a.offsets[v + 1]);
      VertexId last = i > a.offsets[v] ? a.neighbors[i - 1] : 0;
      for (; i < stop; ++i) {
        const VertexId w = a.neighbors[i];
        ok &= w < n && w >= last;
        last = w;
        hashes += hash(key, static_cast<VertexId>(v), w);
      }
    }
    sum.fetch_add(hashes, std::memory_order_relaxed);
    if (!ok) bad.report(begin);
  });
  std::size_t i = bad.at();
  if (i == First::none) return sum.load();
  const auto row_starts = [&] { return std::binary_search(a.offsets.begin(), a.offsets.end(), i); };
  while (a.neighbors[i] < n && (i == 0 || a.neighbors[i] >= a.neighbors[i - 1] || row_starts())) ++i;
  if (a.neighbors[i] >= n)
    refuse("neighbour " + std::to_string(a.neighbors[i]) + " at arc " + std::to_string(i),
           "a vertex below " + std::to_string(n));
  refuse("neighbour " + std::to_string(a.neighbors[i]) + " after " + std::to_string(a.neighbors[i - 1]) + " at arc " +
             std::to_string(i),
         "rows in ascending order");
}

EdgeIndex times(const Adjacency& a, VertexId u, VertexId v) {
  const auto* row = a.neighbors.data();
  const auto [begin, end] = std::equal_range(row + a.offsets[u], row + a.offsets[u + std::size_t{1}], v);
  return static_cast<EdgeIndex>(end - begin);
}

[[noreturn]] void refuse_asymmetry(VertexId n, const Adjacency& a) {
  std::string found = "arcs without their reverse";
  for (VertexId u = 0; u < n; ++u)
    for (EdgeIndex i = a.offsets[u]; i < a.offsets[u + std::size_t{1}]; ++i)
      if (const VertexId v = a.neighbors[i]; times(a, u, v) != times(a, v, u)) {
        found = "arc " + std::to_string(u) + " to " + std::to_string(v) + " " + std::to_string(times(a, u, v)) +
                " times and its reverse " + std::to_string(times(a, v, u)) + " times";
        u = n - 1;
        break;
      }
  throw Error({.failure = Failure::input,
               .id = "HW-GRAPH-SYMMETRY",
               .found = found + ", in a graph that is declared undirected",
               .expected = "every edge in both directions",
               .hint = "pass it as directed, or let build_graph() add the other direction"});
}

std::uint64_t random_key() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace

void check_arrays(VertexId n, bool directed, const Adjacency& out, const Adjacency* in, const Ids& ids) {
  if (n > max_vertices) refuse(std::to_string(n) + " vertices", "at most " + std::to_string(max_vertices));
  const bool no_ids = ids.count() == 0 && ids.kind() == Ids::Kind::consecutive;
  if (ids.count() != n && !no_ids)
    refuse("ids of " + std::to_string(ids.count()) + " vertices", "none, or one for each of " + std::to_string(n));
  if (!directed && in) refuse("incoming arcs of an undirected graph", "none: they are the same as its outgoing ones");
  const auto nothing = [](const Adjacency& a) { return a.offsets.empty() && a.neighbors.empty() && a.weights.empty(); };
  if (n == 0 && nothing(out) && (!in || nothing(*in))) return;
  Team team(n + out.neighbors.size() < 4 * grain ? 1 : 0);
  check_offsets(team, n, out);
  if (in) check_offsets(team, n, *in);
  if (directed && !in) {
    check_rows<hash_nothing>(team, n, out, 0);
    return;
  }
  const std::uint64_t key = random_key();
  if (!directed) {
    if (check_rows<hash_both_ways>(team, n, out, key) != 0) refuse_asymmetry(n, out);
    if (!out.weights.empty()) check_weights(team, out, ids, "");
    return;
  }
  if (check_rows<hash_forwards>(team, n, out, key) != check_rows<hash_backwards>(team, n, *in, key) ||
      in->neighbors.size() != out.neighbors.size())
    refuse("incoming arcs that are not the outgoing ones reversed", "the transpose, or none");
}

void check_list(const EdgeList& list) {
  const auto wrong = [](std::string found, std::string expected) {
    throw Error({.failure = Failure::input, .id = "HW-GRAPH-LIST", .found = std::move(found), .expected = std::move(expected)});
  };
  if (list.num_vertices > max_vertices || (!list.weights.empty() && list.weights.size() != list.edges.size()))
    wrong(std::to_string(list.num_vertices) + " vertices, " + std::to_string(list.edges.size()) + " edges and " +
              std::to_string(list.weights.size()) + " weights",
          "at most 2^32 - 2 vertices, and no weights or one per edge");
  const bool no_ids = list.ids.count() == 0 && list.ids.kind() == Ids::Kind::consecutive;
  if (list.ids.count() != list.num_vertices && !no_ids)
    wrong("ids of " + std::to_string(list.ids.count()) + " vertices",
          "none, or one for each of " + std::to_string(list.num_vertices));
  if (list.default_source && *list.default_source >= list.num_vertices)
    wrong("default source " + std::to_string(*list.default_source), "a vertex below " + std::to_string(list.num_vertices));
}

}  // namespace hopwave::graph
