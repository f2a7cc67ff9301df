// Graph: an immutable graph in compressed sparse rows, with the transpose (CSC) and edge sources (COO) where wanted.
// Representations and their names: Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th ed., 15.3.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hopwave/array.h"
#include "hopwave/columns.h"
#include "hopwave/edge_list.h"
#include "hopwave/ids.h"
#include "hopwave/types.h"
#include "hopwave/weights.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct BuildOptions {
  bool make_undirected = false;  ///< treat every edge of a directed list as both directions
  bool keep_duplicates = false;  ///< parallel arcs stay
  bool keep_self_loops = false;
  bool build_in = false;     ///< directed graphs: also the transpose (CSC), for pull
  bool keep_weights = true;  ///< of duplicate arcs the lightest stays
  int threads = 0;           ///< 0: all; the graph is the same on any number
  /// gpu or sim: sorted on that device, to the same graph. Lists with weights to keep are an error there: HW-BUILD-WEIGHTS.
  DeviceKind device = DeviceKind::cpu;
  /// Called now and then, by the calling thread, with units of work done and in all, the transpose included; false ends with
  /// HW-INTERRUPTED. Devices report nothing.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// What building did, so that callers can be told.
struct BuildReport {
  EdgeIndex arcs_in = 0;     ///< arcs given, after both directions were added
  EdgeIndex duplicates = 0;  ///< arcs met more than once: dropped, or kept if asked
  EdgeIndex self_loops = 0;
  bool duplicates_kept = false;
  bool self_loops_kept = false;
  double seconds = 0;
};

/// Arrays of one direction: offsets has num_vertices + 1 values, neighbors offsets[num_vertices].
/// Rows are sorted by neighbour. Read-only: fill an Array<EdgeIndex> and an Array<VertexId>, and move them in.
/// Copies share their memory, and so may a graph and a mapped file.
struct Adjacency {
  Array<const EdgeIndex> offsets = {};
  Array<const VertexId> neighbors = {};
  Weights weights = {};  ///< empty, or one an arc
};

/// How Graph::from_edges reads the caller's edges.
struct EdgeOptions {
  bool directed = true;  ///< false: each edge stands for both directions
  /// Given: ids are numbers from 0 to so many less one, which are the vertices, with or without edges; others are an error.
  /// Not given: the vertices are the ids that occur.
  std::optional<VertexId> num_vertices = {};
  WeightSpan weights = {};  ///< empty, or one an edge; kept in the smallest type that is exact
  BuildOptions build = {};
};

/// How Graph::from_csr reads the caller's rows.
struct CsrOptions {
  bool directed = true;     ///< false: every edge stands in both rows
  bool sort_rows = false;   ///< rows come in any order, and are sorted (with their weights); else such rows are an error
  bool trusted = false;     ///< the arrays are right, and nobody looks: as in Graph::trusted(), wrong ones are not survived
  WeightSpan weights = {};  ///< empty, or one an arc; kept in the smallest type that is exact
  Ids ids = {};             ///< the caller's id of each row; without: the row's number
};

struct Preparation;

namespace detail {
[[noreturn]] void refuse_vertex(VertexId v, VertexId num_vertices);
[[noreturn]] void refuse_in();

/// A number that is found out once, by whichever thread needs it first; 0: not yet.
struct FoundOnce {
  mutable std::atomic<std::uint64_t> value{0};
  FoundOnce() = default;
  FoundOnce(const FoundOnce& other) noexcept : value(other.value.load(std::memory_order_relaxed)) {}
  FoundOnce& operator=(const FoundOnce& other) noexcept {
    value.store(other.value.load(std::memory_order_relaxed), std::memory_order_relaxed);
    return *this;
  }
};
}  // namespace detail

/// Any number of threads may use one Graph together through its const functions, each with Searchers of its own; the others
/// (ensure_in, set_…, assignment) want it for themselves. Copies share their arrays and cost O(1).
/// What functions return by reference or as a span lives as long as the graph (of a temporary: a copy, or refused).
class Graph {
 public:
  /// No vertices. Its one offset is there.
  Graph() noexcept;
  /// Arrays that come from outside. All of them is checked, in O(n + m) and by all threads where there is much:
  /// offsets (n + 1, ascending from 0 to the number of neighbours), neighbours below n, rows in ascending order, weights none
  /// or one an arc, ids none or one a vertex: HW-GRAPH-ARRAYS. That an undirected graph has every arc in both directions (as
  /// often, with the same weights) is checked by a sum of 64-bit hashes under a random key, which misses an asymmetric graph
  /// with a chance of about 2^-64: HW-GRAPH-SYMMETRY. So is `in`, which must be `out` reversed; it may be left out (ensure_in()
  /// builds it when a strategy needs it) and must be for undirected graphs. A graph without vertices may come without arrays.
  Graph(VertexId num_vertices, bool directed, Adjacency out, std::optional<Adjacency> in, Ids ids);
  /// The same without looking at the arrays, for callers that know them to be right (a checksummed file, a builder): anything
  /// else makes searches read and write where they must not. Ids of another size are replaced by consecutive ones.
  /// `fingerprint`: that of the graph, if it is known; else 0.
  static Graph trusted(VertexId num_vertices, bool directed, Adjacency out, std::optional<Adjacency> in, Ids ids,
                       std::uint64_t fingerprint = 0);

  /// From edges in memory: a contiguous range of pairs (std::pair, Edge, std::array of two). Ids are the caller's: integers of
  /// any width or texts, which the graph keeps: vertex(id) is the internal vertex, name(v) the id. Integers become internal
  /// vertices in ascending order, texts in order of first appearance (an edge's source before its target). The edges are only
  /// read, and not needed afterwards. Threads: options.build.threads; O(n + m) plus the row sorts.
  /// Errors: HW-EDGES-ID (an unsigned id of 2^63 or more, or text where num_vertices asks for numbers), HW-EDGES-RANGE,
  /// HW-EDGES-COLUMNS, HW-VERTICES-MAX, HW-MEMORY, HW-BUILD-WEIGHTS.
  template <detail::IsPairs Edges>
  static Graph from_edges(const Edges& edges, const EdgeOptions& options = {}) {
    return from_columns(detail::sources(edges), detail::targets(edges), options);
  }
  /// The same from {{0, 1}, {1, 2}}.
  static Graph from_edges(std::initializer_list<std::pair<std::int64_t, std::int64_t>> edges, const EdgeOptions& options = {}) {
    return from_columns(detail::sources(edges), detail::targets(edges), options);
  }
  /// The same from two ranges of equal length, the caller's ids of sources and of targets.
  template <detail::IsColumn Sources, detail::IsColumn Targets>
  static Graph from_edges(const Sources& sources, const Targets& targets, const EdgeOptions& options = {}) {
    return from_columns(detail::column(sources), detail::column(targets), options);
  }
  /// From compressed sparse rows in memory, copied: n + 1 ascending offsets from 0, and the neighbours as row numbers from 0 to
  /// n − 1. Integers of any width. Row r becomes internal vertex r. No offsets at all: the graph without vertices. Checked as
  /// in the constructor, O(n + m): HW-GRAPH-ARRAYS, HW-GRAPH-SYMMETRY; HW-VERTICES-MAX, HW-MEMORY.
  template <detail::IsNumberColumn Offsets, detail::IsNumberColumn Neighbors>
  static Graph from_csr(const Offsets& offsets, const Neighbors& neighbors, const CsrOptions& options = {}) {
    return from_rows(detail::column(offsets), detail::column(neighbors), options);
  }

  Graph(const Graph&) = default;
  /// What was moved from is the empty graph.
  Graph(Graph&& other) noexcept : Graph() { swap(other); }
  Graph& operator=(Graph other) noexcept {
    swap(other);
    return *this;
  }
  ~Graph() = default;

  [[nodiscard]] VertexId num_vertices() const noexcept { return num_vertices_; }
  /// Stored arcs: an undirected edge counts twice (a self-loop once).
  [[nodiscard]] EdgeIndex num_arcs() const noexcept { return out_.neighbors.size(); }
  [[nodiscard]] bool directed() const noexcept { return directed_; }
  [[nodiscard]] bool has_weights() const noexcept { return !out_.weights.empty(); }
  [[nodiscard]] bool has_in() const noexcept { return !directed_ || in_.has_value(); }

  [[nodiscard]] const Adjacency& out() const& noexcept { return out_; }
  [[nodiscard]] Adjacency out() const&& { return out_; }
  /// Incoming arcs (CSC). The same object as out() for an undirected graph. Throws HW-GRAPH-NO-IN unless has_in().
  [[nodiscard]] const Adjacency& in() const& {
    if (!has_in()) detail::refuse_in();
    return directed_ ? *in_ : out_;
  }
  [[nodiscard]] Adjacency in() const&& { return in(); }

  /// Of internal vertex `v`; neighbours are internal vertices too. These three throw HW-GRAPH-VERTEX unless v < num_vertices();
  /// in_neighbors() also HW-GRAPH-NO-IN.
  [[nodiscard]] EdgeIndex out_degree(VertexId v) const {
    if (v >= num_vertices_) detail::refuse_vertex(v, num_vertices_);
    return out_.offsets[v + 1ull] - out_.offsets[v];
  }
  [[nodiscard]] std::span<const VertexId> out_neighbors(VertexId v) const& {
    const EdgeIndex degree = out_degree(v);
    return {out_.neighbors.data() + out_.offsets[v], degree};
  }
  [[nodiscard]] std::span<const VertexId> in_neighbors(VertexId v) const& {
    if (v >= num_vertices_) detail::refuse_vertex(v, num_vertices_);
    const auto& a = in();
    return {a.neighbors.data() + a.offsets[v], a.offsets[v + 1ull] - a.offsets[v]};
  }
  std::span<const VertexId> out_neighbors(VertexId) const&& = delete;  ///< they would lie in a graph that is gone
  std::span<const VertexId> in_neighbors(VertexId) const&& = delete;

  /// The internal vertex that the caller calls `id`. Throws HW-IDS-UNKNOWN if there is none; ids().find() returns nothing then.
  [[nodiscard]] VertexId vertex(std::int64_t id) const;
  [[nodiscard]] VertexId vertex(std::unsigned_integral auto id) const { return vertex(detail::signed_id(id)); }
  [[nodiscard]] VertexId vertex(std::string_view id) const;
  /// The caller's id of internal vertex `v`, as text. Throws HW-IDS-RANGE unless v < num_vertices().
  [[nodiscard]] std::string name(VertexId v) const { return ids_.name(v); }

  [[nodiscard]] const Ids& ids() const& noexcept { return ids_; }
  [[nodiscard]] Ids ids() const&& { return ids_; }
  [[nodiscard]] const ReadReport& read_report() const& noexcept { return read_; }
  [[nodiscard]] ReadReport read_report() const&& { return read_; }
  [[nodiscard]] const BuildReport& build_report() const& noexcept { return build_; }
  [[nodiscard]] BuildReport build_report() const&& { return build_; }
  /// An internal vertex: the source that the graph's file names.
  [[nodiscard]] std::optional<VertexId> default_source() const noexcept { return default_source_; }

  /// Builds the transpose if a directed graph lacks it (parallel counting sort, one pass over the arcs). `progress` as in
  /// BuildOptions; a transpose that was stopped leaves the graph as it was.
  void ensure_in(const std::function<bool(std::uint64_t done, std::uint64_t total)>& progress = {});
  /// COO's source array: the tail of every arc in out() order; built anew at each call.
  [[nodiscard]] Array<VertexId> arc_sources() const;

  void set_read_report(ReadReport report) { read_ = std::move(report); }
  void set_build_report(BuildReport report) { build_ = report; }
  /// An internal vertex. Throws HW-GRAPH-VERTEX unless it is one.
  void set_default_source(std::optional<VertexId> source) {
    if (source && *source >= num_vertices_) detail::refuse_vertex(*source, num_vertices_);
    default_source_ = source;
  }

  /// What an earlier prepare() made of this graph; null if there is none.
  [[nodiscard]] std::shared_ptr<const Preparation> preparation() const noexcept { return preparation_; }
  /// Of another graph: searches leave it alone and say so.
  void set_preparation(std::shared_ptr<const Preparation> preparation) { preparation_ = std::move(preparation); }

 private:
  friend std::uint64_t fingerprint(const Graph& graph);
  static Graph from_columns(const detail::Column& sources, const detail::Column& targets, const EdgeOptions& options);
  static Graph from_rows(const detail::Column& offsets, const detail::Column& neighbors, const CsrOptions& options);
  void swap(Graph& other) noexcept;

  VertexId num_vertices_ = 0;
  bool directed_ = true;
  Adjacency out_;
  std::optional<Adjacency> in_;
  Ids ids_;
  ReadReport read_;
  BuildReport build_;
  std::optional<VertexId> default_source_;
  std::shared_ptr<const Preparation> preparation_;
  detail::FoundOnce fingerprint_;
};

/// Edge list → graph, in parallel: bucket by source, sort rows, drop what is not wanted.
/// O(n + m) plus the row sorts. The list is taken by value so that its memory can go early: move it in. Throws HW-GRAPH-LIST
/// for ends, weights, ids or a default source that do not fit, HW-GRAPH-SYMMETRY for both_directions that are not, HW-MEMORY.
Graph build_graph(EdgeList list, const BuildOptions& options = {});

/// Figures of a graph: what `hopwave info` prints and what `auto` chooses by. Degrees are out-degrees.
struct Profile {
  VertexId num_vertices = 0;
  EdgeIndex num_arcs = 0;
  double average_degree = 0;
  double degree_deviation = 0;  ///< population standard deviation
  double median_degree = 0;
  EdgeIndex max_degree = 0;
  VertexId isolated = 0;  ///< no arc in or out
};
Profile profile(const Graph& graph);

/// Weakly connected components: label[v] is the smallest vertex of v's component (internal vertices).
struct Components {
  Array<VertexId> label = {};
  VertexId count = 0;
  VertexId largest_label = 0;
  VertexId largest_size = 0;
};
Components connected_components(const Graph& graph);

/// A lower bound of the diameter of the component of `start` by repeated sweeps from the farthest vertex
/// (exact on trees, usually exact on real graphs). `start` is an internal vertex. Directed graphs are followed along their
/// arcs. 0 without sweeps, and for the graph without vertices. Throws HW-GRAPH-VERTEX unless `start` is a vertex.
Distance estimate_diameter(const Graph& graph, VertexId start, int sweeps = 4);

/// The exact diameter (longest shortest path between any two connected vertices), ignoring arc directions,
/// by the bounding eccentricities method (Takes & Kosters 2011, 2013). Stops with nothing after `max_searches`, or when
/// `go_on`, asked before every search with the searches done and the longest path seen, says false.
std::optional<Distance> exact_diameter(const Graph& graph, std::uint64_t max_searches,
                                       const std::function<bool(std::uint64_t done, Distance so_far)>& go_on = {});

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
