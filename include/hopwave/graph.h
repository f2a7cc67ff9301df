// Graph: an immutable graph in compressed sparse rows (CSR), with the transpose (CSC) and the arcs' sources (COO) where
// needed.
// Representations and their names: Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th ed., 15.3.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hopwave/array.h"
#include "hopwave/columns.h"
#include "hopwave/components.h"
#include "hopwave/edge_list.h"
#include "hopwave/ids.h"
#include "hopwave/run.h"
#include "hopwave/types.h"
#include "hopwave/weights.h"

#pragma GCC visibility push(default)  // docs/versions.md
namespace hopwave::inline v0_1 {

struct BuildOptions {
  bool make_undirected = false;  ///< every edge of a directed list counts in both directions
  bool keep_duplicates = false;  ///< keep parallel arcs
  bool keep_self_loops = false;
  bool build_in = false;     ///< directed graphs: also build the transpose (CSC), for bottom-up (pull) levels
  bool keep_weights = true;  ///< of duplicate arcs the lightest is kept
};

/// What building a graph did, for a report to the user.
struct BuildReport {
  EdgeIndex arcs_in = 0;     ///< input arcs, after both directions were added
  EdgeIndex duplicates = 0;  ///< arcs that occur more than once: dropped, or kept if asked
  EdgeIndex self_loops = 0;
  bool duplicates_kept = false;
  bool self_loops_kept = false;
  Milliseconds time = {};
};

/// The arrays of one direction: num_vertices + 1 offsets, and offsets[num_vertices] neighbours. Each row is sorted by
/// neighbour. The arrays are read-only: fill an Array<EdgeIndex> and an Array<VertexId>, and move them in. Copies share
/// their memory; a graph may also share it with a mapped file.
struct Adjacency {
  Array<const EdgeIndex> offsets = {};
  Array<const VertexId> neighbors = {};
  Weights weights = {};  ///< empty, or one per arc
};

/// How Graph::from_edges interprets the caller's edges.
struct EdgeOptions {
  bool directed = true;  ///< false: each edge counts in both directions
  /// Set: the ids are numbers from 0 to num_vertices − 1, all of these are vertices, and other ids are an error. Empty:
  /// the vertices are the ids that occur.
  std::optional<VertexId> num_vertices = {};
  WeightSpan weights = {};  ///< empty, or one per edge; stored in the smallest type that holds all exactly
  BuildOptions build = {};
  RunOptions run = {};  ///< as in build_graph()
};

/// How Graph::from_csr interprets the caller's rows.
struct CsrOptions {
  bool directed = true;     ///< false: every edge is in both rows
  bool sort_rows = false;   ///< sort the rows, with their weights; otherwise unsorted rows are an error
  bool trusted = false;     ///< the arrays are correct and are not checked; as in Graph::trusted(), wrong arrays cause invalid
                            ///< reads and writes
  WeightSpan weights = {};  ///< empty, or one per arc; stored in the smallest type that holds all exactly
  Ids ids = {};             ///< the caller's id of each row; empty: the row's number
};

struct Preparation;

namespace detail {
[[noreturn]] void refuse_vertex(VertexId v, VertexId num_vertices);
[[noreturn]] void refuse_in();

/// A number that is computed once, by the first thread that needs it. 0: not computed yet.
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

/// Any number of threads may use one Graph at the same time through its const functions, each with its own Searchers.
/// The other functions (ensure_in, set_…, assignment) must not run at the same time as any other use. Copies share
/// their arrays and cost O(1).
/// References and spans that a function returns are valid as long as the graph. On a temporary graph, such functions
/// return a copy or do not compile.
class Graph {
 public:
  /// A graph without vertices. Its offsets array has one element.
  Graph() noexcept;
  /// A graph of arrays from outside. All arrays are checked, in O(n + m) time, with all threads if they are large.
  /// HW-GRAPH-ARRAYS: offsets must have n + 1 values, ascending from 0 to the number of neighbours; neighbours must be
  /// below n; rows must be in ascending order; weights must be empty or one per arc; ids must be empty or one per
  /// vertex. HW-GRAPH-SYMMETRY: an undirected graph must have every arc in both directions, equally often and with the
  /// same weights; `in` must be `out` reversed. Symmetry is checked with a sum of 64-bit hashes under a random key,
  /// which misses an asymmetric graph with a probability of about 2^-64. `in` may be left out (ensure_in() builds it
  /// when a strategy needs it), and must be left out for undirected graphs. A graph without vertices may have empty
  /// arrays.
  Graph(VertexId num_vertices, bool directed, Adjacency out, std::optional<Adjacency> in, Ids ids);
  /// Returns the same graph without checking the arrays. It is for callers that know them to be correct (a checksummed
  /// file, a builder): with wrong arrays, searches read and write outside them. Ids of another size are replaced by
  /// consecutive ids. `fingerprint`: the graph's fingerprint if known, otherwise 0.
  static Graph trusted(VertexId num_vertices, bool directed, Adjacency out, std::optional<Adjacency> in, Ids ids,
                       std::uint64_t fingerprint = 0);

  /// Returns the graph of edges in memory: a contiguous range of pairs (std::pair, Edge, std::array of two). The ends
  /// are the caller's ids, integers of any width or texts. The graph keeps them: vertex(id) is the internal vertex,
  /// name(v) the id. Integer ids become internal vertices in ascending order, text ids in order of first appearance (an
  /// edge's source before its target). The edges are only read, and are not needed after the call. Uses
  /// options.run.threads threads. O(n + m) plus sorting the rows.
  /// Errors: HW-EDGES-ID (an unsigned id of 2^63 or more, or a text where num_vertices requires numbers),
  /// HW-EDGES-RANGE, HW-EDGES-COLUMNS, HW-VERTICES-MAX, HW-MEMORY, HW-BUILD-WEIGHTS.
  template <detail::IsPairs Edges>
  static Graph from_edges(const Edges& edges, const EdgeOptions& options = {}) {
    return from_columns(detail::sources(edges), detail::targets(edges), options);
  }
  /// The same for a braced list such as {{0, 1}, {1, 2}}.
  static Graph from_edges(std::initializer_list<std::pair<std::int64_t, std::int64_t>> edges, const EdgeOptions& options = {}) {
    return from_columns(detail::sources(edges), detail::targets(edges), options);
  }
  /// The same for two ranges of equal length: the caller's ids of the sources and of the targets.
  template <detail::IsColumn Sources, detail::IsColumn Targets>
  static Graph from_edges(const Sources& sources, const Targets& targets, const EdgeOptions& options = {}) {
    return from_columns(detail::column(sources), detail::column(targets), options);
  }
  /// Returns the graph of compressed sparse rows in memory, which are copied: n + 1 ascending offsets from 0, and the
  /// neighbours as row numbers from 0 to n − 1, all integers of any width. Row r becomes internal vertex r. Empty
  /// offsets make the graph without vertices. The arrays are checked as in the constructor, in O(n + m).
  /// Errors: HW-GRAPH-ARRAYS, HW-GRAPH-SYMMETRY, HW-VERTICES-MAX, HW-MEMORY.
  template <detail::IsNumberColumn Offsets, detail::IsNumberColumn Neighbors>
  static Graph from_csr(const Offsets& offsets, const Neighbors& neighbors, const CsrOptions& options = {}) {
    return from_rows(detail::column(offsets), detail::column(neighbors), options);
  }

  Graph(const Graph&) = default;
  /// A moved-from graph is the empty graph.
  Graph(Graph&& other) noexcept : Graph() { swap(other); }
  Graph& operator=(Graph other) noexcept {
    swap(other);
    return *this;
  }
  ~Graph() = default;

  [[nodiscard]] VertexId num_vertices() const noexcept { return num_vertices_; }
  /// Returns the number of stored arcs: an undirected edge counts twice, a self-loop once.
  [[nodiscard]] EdgeIndex num_arcs() const noexcept { return out_.neighbors.size(); }
  [[nodiscard]] bool directed() const noexcept { return directed_; }
  [[nodiscard]] bool has_weights() const noexcept { return !out_.weights.empty(); }
  [[nodiscard]] bool has_in() const noexcept { return !directed_ || in_.has_value(); }

  [[nodiscard]] const Adjacency& out() const& noexcept { return out_; }
  [[nodiscard]] Adjacency out() const&& { return out_; }
  /// Returns the incoming arcs (CSC): for an undirected graph the same object as out(). Throws HW-GRAPH-NO-IN unless
  /// has_in().
  [[nodiscard]] const Adjacency& in() const& {
    if (!has_in()) detail::refuse_in();
    return directed_ ? *in_ : out_;
  }
  [[nodiscard]] Adjacency in() const&& { return in(); }

  /// Return the out-degree and the neighbours of internal vertex `v`; neighbours are internal vertices, too. All three
  /// functions throw HW-GRAPH-VERTEX unless v < num_vertices(); in_neighbors() also throws HW-GRAPH-NO-IN.
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
  std::span<const VertexId> out_neighbors(VertexId) const&& = delete;  ///< the span would outlive its graph
  std::span<const VertexId> in_neighbors(VertexId) const&& = delete;

  /// Returns the internal vertex of the caller's `id`. Throws HW-IDS-UNKNOWN if there is none; ids().find() returns
  /// nothing then.
  [[nodiscard]] VertexId vertex(std::int64_t id) const;
  [[nodiscard]] VertexId vertex(std::unsigned_integral auto id) const { return vertex(detail::signed_id(id)); }
  [[nodiscard]] VertexId vertex(std::string_view id) const;
  /// Returns the caller's id of internal vertex `v`, as text. Throws HW-IDS-RANGE unless v < num_vertices().
  [[nodiscard]] std::string name(VertexId v) const { return ids_.name(v); }

  [[nodiscard]] const Ids& ids() const& noexcept { return ids_; }
  [[nodiscard]] Ids ids() const&& { return ids_; }
  [[nodiscard]] const ReadReport& read_report() const& noexcept { return read_; }
  [[nodiscard]] ReadReport read_report() const&& { return read_; }
  [[nodiscard]] const BuildReport& build_report() const& noexcept { return build_; }
  [[nodiscard]] BuildReport build_report() const&& { return build_; }
  /// Returns the source that the graph's file names, as an internal vertex.
  [[nodiscard]] std::optional<VertexId> default_source() const noexcept { return default_source_; }

  /// Builds the transpose if a directed graph has none (parallel counting sort, one pass over the arcs), with all
  /// threads of the CPU. Progress: "arcs"; each arc counts four times, as it is counted, partitioned and sorted (two).
  /// If it stops the call, the graph does not change.
  void ensure_in(const Progress& progress = {});
  /// Returns the source of every arc, in the order of out() (COO's source array). It is built anew by each call.
  [[nodiscard]] Array<VertexId> arc_sources() const;

  void set_read_report(ReadReport report) { read_ = std::move(report); }
  void set_build_report(BuildReport report) { build_ = report; }
  /// `source` is an internal vertex; otherwise throws HW-GRAPH-VERTEX.
  void set_default_source(std::optional<VertexId> source) {
    if (source && *source >= num_vertices_) detail::refuse_vertex(*source, num_vertices_);
    default_source_ = source;
  }

  /// Returns what an earlier prepare() derived from this graph; null if there is none.
  [[nodiscard]] std::shared_ptr<const Preparation> preparation() const noexcept { return preparation_; }
  /// Searches ignore a preparation of another graph, with a note.
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

/// Returns the graph of an edge list, built in parallel: group by source, sort the rows, drop what the options exclude.
/// O(n + m) plus sorting the rows. The list is passed by value so that its memory can be freed early: move it in.
/// The graph is the same for any device and number of threads. `automatic` is the CPU; gpu or sim: the edges are sorted on
/// that device, and lists with weights to keep are the error HW-BUILD-WEIGHTS. Progress: "arcs", each counted four
/// times as in ensure_in(), and four more for the transpose; none on a device.
/// Throws HW-GRAPH-LIST if ends, weights, ids or the default source do not fit the list, HW-GRAPH-SYMMETRY if
/// both_directions is set but untrue, HW-MEMORY.
Graph build_graph(EdgeList list, const BuildOptions& options = {}, const RunOptions& run = {});

/// Statistics of a graph: `hopwave info` prints them, and `auto` chooses a strategy by them. Degrees are out-degrees.
struct Profile {
  VertexId num_vertices = 0;
  EdgeIndex num_arcs = 0;
  double average_degree = 0;
  double degree_deviation = 0;  ///< population standard deviation
  double median_degree = 0;
  EdgeIndex max_degree = 0;
  VertexId isolated = 0;  ///< vertices with no incoming and no outgoing arc
};
Profile profile(const Graph& graph);

}  // namespace hopwave::inline v0_1
#pragma GCC visibility pop
