// What readers of formats with named vertices and edges with attributes share (GraphML, GML, JSON, Pajek): which attribute is
// the weight, edges of both kinds, and how vertices are called.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hopwave/edge_list.h"
#include "io/text_cursor.h"
#include "io/weight_columns.h"

namespace hopwave::io {

/// Vertices by the names that a file gives them, in the order in which it first names them.
class VertexNames {
 public:
  explicit VertexNames(Input& input) : input_(input) {}

  /// The vertex that an edge names, which may be declared later.
  VertexId end_of_edge(std::string_view id, const Spot& spot);
  /// A vertex of the file. Errors: HW-NODES-TWICE, HW-NODES-ID.
  VertexId declare(std::string_view id, const Spot& spot);
  /// The vertex of this id, if the file has named it.
  [[nodiscard]] std::optional<VertexId> find(std::string_view id) const;
  [[nodiscard]] bool is_declared(VertexId v) const { return declared_[v]; }
  /// Vertex v is no node of its own, but another name of one, used by edges.
  void accept(VertexId v);
  [[nodiscard]] std::size_t size() const { return declared_.size(); }
  /// The names by vertex; nothing may be added afterwards. Errors: HW-NODES-UNKNOWN for what only edges name (lenient: kept);
  /// `hint` is added to the error's.
  std::vector<std::string> take(EdgeList& list, const std::string& hint = "");

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  VertexId place(std::string_view id, const Spot& spot);

  Input& input_;
  std::unordered_map<std::string, VertexId, Hash, std::equal_to<>> lookup_;
  std::vector<bool> declared_;
  std::map<VertexId, Spot> pending_;  // not declared yet: where an edge first names them
};

/// For the hints of readers whose attributes have names.
inline constexpr const char* other_weight_hint = "--columns weight=NAME for another attribute, --no-weights for none";

/// The edges of a file, with the attributes that could be their weights. Of the others only the names are kept.
class EdgeRows {
 public:
  /// `hint`: what to do about a weight that cannot be read.
  explicit EdgeRows(Input& input, const char* hint = other_weight_hint);

  /// An edge; `directed`: if the file states it for this edge. Its attributes follow, then end().
  void begin(VertexId source, VertexId target, std::optional<bool> directed, const Spot& spot);
  /// An attribute of the edge. Numbers may come as text.
  void value(std::string_view name, std::string_view text, const Spot& spot);
  void end();
  [[nodiscard]] std::size_t size() const { return edges_.size(); }
  /// None of the attributes is a weight.
  void forget_values() { columns_.clear(); }

  /// Chooses the weights and fills edges, weights and direction of `list`: `directed` is that of edges that do not say it.
  /// Edges of both kinds become arcs. Errors: HW-NODES-WEIGHT, HW-NODES-COLUMN, HW-NODES-TWICE.
  void finish(bool directed, EdgeList& list);

 private:
  /// Why a column cannot be the weight.
  struct Fault {
    Spot spot;
    const char* id;
    std::string found, expected;
  };
  struct Column {
    std::string name;
    bool candidate = false;
    std::uint64_t seen = 0, numbers = 0, unknown = 0;  // numbers: and what is meant as one; unknown: "NA", "" and the like
    std::uint64_t rounded = 0, replaced = 0;
    WeightBuffer weights;  // candidates: one per edge, 1 where it is missing
    Spot missing;          // the first edge without it
    std::optional<Fault> fault;

    /// Is it a column of numbers? Then the few texts in it are faults.
    [[nodiscard]] bool is_numeric() const { return numbers > 0 && (candidate || 2 * numbers >= seen - unknown); }
  };
  Column& column(std::string_view name);
  void add(Column& column, std::string_view text, const Spot& spot);
  Column* choose(EdgeList& list);
  void check(const Column& column) const;
  void read_weights(EdgeList& list);

  Input& input_;
  const char* hint_;
  std::string wanted_;  // the attribute that the caller names; empty: by its name
  std::vector<Edge> edges_;
  std::vector<bool> undirected_;  // only if some edge says what it is: of every edge whether it is undirected, and
  std::vector<bool> says_;        // whether it said so
  std::vector<Column> columns_;
  std::set<std::string> direction_names_;  // attributes that say a direction, which is not read
  Spot first_, current_;
};

/// The text of a number that is an id: 1.0 and 1e0 are 1, and other numbers with a point are written in one way.
std::string plain_number(const std::string& text);

/// Calls the vertices of `list` by `names`. Where all are integers, as they are usually written, and `text` is false, they
/// become numbers, in ascending order.
void set_names(std::vector<std::string> names, bool text, EdgeList& list);
/// The same with labels instead, if there is one for each vertex and no two are equal; says so in the notes if not.
/// `labels`: by vertex, nothing where there is none.
void set_labels(std::vector<std::string> names, std::vector<std::optional<std::string>> labels, const char* what,
                EdgeList& list);

}  // namespace hopwave::io
