// Reads the dicts of a NetworkX graph. Python objects are accessed once per arc, and no object is made.
#include "rows.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <unordered_map>

#include "dijkstra.h"
#include "objects.h"

namespace hopwave::python {

namespace {

/// The vertices of nodes. Nodes that are int are found by value: in a table if the values are dense, otherwise by
/// hashing. All other nodes, and numbers that equal one of another type, are found in the dict `index`.
class Vertices {
 public:
  Vertices(PyObject* nodes, PyObject* index) : index_(index) {
    const Py_ssize_t n = PyList_Size(nodes);
    std::vector<std::pair<std::int64_t, VertexId>> numbers;
    numbers.reserve(static_cast<std::size_t>(n));
    for (Py_ssize_t v = 0; v < n; ++v) {
      std::int64_t value;
      if (number(PyList_GetItem(nodes, v), value)) numbers.emplace_back(value, static_cast<VertexId>(v));
    }
    if (numbers.empty()) return;
    const auto [least, most] = std::ranges::minmax(numbers);
    const std::uint64_t range = static_cast<std::uint64_t>(most.first) - static_cast<std::uint64_t>(least.first);
    if (range / 8 <= numbers.size()) {
      least_ = least.first;
      dense_.assign(range + 1, no_vertex);
      for (const auto& [value, v] : numbers) dense_[static_cast<std::uint64_t>(value - least_)] = v;
    } else {
      sparse_.reserve(numbers.size());
      for (const auto& [value, v] : numbers) sparse_.emplace(value, v);
    }
  }

  /// By value only, without running Python code; no_vertex: only look_up() can find it.
  VertexId by_value(PyObject* node) const {
    std::int64_t value;
    if (!number(node, value)) return no_vertex;
    if (dense_.empty()) {
      const auto found = sparse_.find(value);
      return found == sparse_.end() ? no_vertex : found->second;
    }
    const std::uint64_t at = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(least_);
    return at < dense_.size() ? dense_[at] : no_vertex;
  }
  /// Comparing may run code of the node's class: the caller keeps the node alive.
  VertexId look_up(PyObject* node) const {
    PyObject* found = PyDict_GetItemWithError(index_, node);
    raise_if(!found && PyErr_Occurred());
    if (!found) throw nb::key_error("the graph names a neighbour that is not among its nodes");
    return static_cast<VertexId>(PyLong_AsUnsignedLong(found));
  }

 private:
  static bool number(PyObject* node, std::int64_t& value) {
    if (!PyLong_CheckExact(node)) return false;
    int overflow = 0;
    value = PyLong_AsLongLongAndOverflow(node, &overflow);
    return overflow == 0;
  }

  PyObject* index_;
  std::int64_t least_ = 0;
  std::vector<VertexId> dense_;
  std::unordered_map<std::int64_t, VertexId> sparse_;
};

/// Finds the vertices of several dozen nodes at a time. Nodes are scattered over the memory: fetched together, their
/// waiting times overlap.
class Resolver {
 public:
  Resolver(const Vertices& vertices, std::vector<VertexId>& ends) : vertices_(vertices), ends_(ends) {}
  void add(PyObject* node) {
    __builtin_prefetch(node);
    waiting_[count_++] = node;
    if (count_ == waiting_.size()) flush();
  }
  [[nodiscard]] std::size_t added() const { return ends_.size() + count_; }
  void flush() {
    // From the first node on that needs Python code, all are kept alive: that code may change the graph.
    std::vector<nb::object> kept;
    for (std::size_t i = 0; i < count_; ++i) {
      VertexId v = vertices_.by_value(waiting_[i]);
      if (v == no_vertex) {
        if (kept.empty()) {
          for (std::size_t k = i; k < count_; ++k) kept.push_back(nb::borrow(waiting_[k]));
        }
        v = vertices_.look_up(waiting_[i]);
      }
      ends_.push_back(v);
    }
    count_ = 0;
  }

 private:
  const Vertices& vertices_;
  std::vector<VertexId>& ends_;
  std::array<PyObject*, 64> waiting_{};
  std::size_t count_ = 0;
};

/// Returns the dict or other mapping that is the row of `node`.
nb::object row_of(nb::handle adjacency, PyObject* node) {
  if (!PyDict_CheckExact(adjacency.ptr())) return adjacency[nb::handle(node)];
  PyObject* found = PyDict_GetItemWithError(adjacency.ptr(), node);
  if (!found && !PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, node);
  raise_if(!found);
  return nb::borrow(found);
}

/// Returns the rows. `keys`, a list or None, gets the keys of all rows: same_rows() compares a later state with them.
Rows read(PyObject* nodes, const Vertices& vertices, nb::handle adjacency, PyObject* keys) {
  constexpr std::size_t between_signals = 1u << 20;
  const Py_ssize_t n = PyList_Size(nodes);
  Rows rows;
  rows.offsets.reserve(static_cast<std::size_t>(n) + 1);
  Resolver resolver(vertices, rows.ends);
  std::size_t next_look = between_signals;
  for (Py_ssize_t v = 0; v < n; ++v) {
    const nb::object row = row_of(adjacency, PyList_GetItem(nodes, v));
    if (PyDict_CheckExact(row.ptr())) {
      Py_ssize_t at = 0;
      PyObject* key;
      while (PyDict_Next(row.ptr(), &at, &key, nullptr)) {
        if (keys) raise_if(PyList_Append(keys, key) < 0);
        resolver.add(key);
      }
    } else {  // a view of NetworkX: its keys may be new objects
      for (nb::handle key : nb::iter(row)) {
        const nb::object kept = nb::borrow(key);
        resolver.add(kept.ptr());
        resolver.flush();
      }
    }
    rows.offsets.push_back(resolver.added());
    if (resolver.added() < next_look) continue;
    raise_if(PyErr_CheckSignals() != 0);
    next_look = resolver.added() + between_signals;
  }
  resolver.flush();
  return rows;
}

HeldRows read_rows(nb::list nodes, nb::dict index, nb::object adjacency, nb::object reversed, std::optional<nb::list> keys,
                   std::optional<nb::list> reversed_keys) {
  if (nodes.size() > max_vertices) throw nb::value_error("more nodes than a graph can have");
  const Vertices vertices(nodes.ptr(), index.ptr());
  Rows out = read(nodes.ptr(), vertices, adjacency, keys ? keys->ptr() : nullptr), in;
  const bool directed = !reversed.is_none();  // or its incoming arcs are not needed
  if (directed) in = read(nodes.ptr(), vertices, reversed, reversed_keys ? reversed_keys->ptr() : nullptr);
  return {std::make_shared<const OrderedGraph>(static_cast<VertexId>(nodes.size()), directed, std::move(out), std::move(in))};
}

/// A hash of an arc, spread over 64 bits (the finalizer of MurmurHash3).
std::uint64_t mixed(VertexId from, VertexId to) {
  std::uint64_t x = std::uint64_t{from} << 32 | to;
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 33;
}
/// Returns whether the incoming rows have the arcs of the outgoing ones, and each edge of an undirected graph is in
/// both of its rows: it compares sums over all arcs. They may differ in dicts that programs changed, and with filters
/// that depend on the order of two ends.
bool agree(const HeldRows& held) {
  const WithoutGil released;
  const OrderedGraph& g = *held.graph;
  std::uint64_t forth = 0, back = 0;
  for (VertexId v = 0; v < g.num_vertices(); ++v) {
    for (const VertexId w : g.out().of(v)) forth += mixed(v, w);
    for (const VertexId w : g.in().of(v)) back += mixed(w, v);
  }
  return forth == back;
}

/// Returns whether a dict has exactly these objects as its keys, in this order.
bool same_keys(nb::handle dict, nb::list keys) {
  const auto n = static_cast<Py_ssize_t>(keys.size());
  if (!PyDict_CheckExact(dict.ptr()) || PyDict_Size(dict.ptr()) != n) return false;
  Py_ssize_t at = 0;
  PyObject* key;
  for (Py_ssize_t i = 0; PyDict_Next(dict.ptr(), &at, &key, nullptr); ++i) {
    if (PyList_GetItem(keys.ptr(), i) != key) return false;
  }
  return true;
}

/// Returns whether dicts have exactly the keys that were read, in the same order. Objects are compared by identity, so
/// no code of theirs runs, and their memory is not accessed: this takes about a tenth of the time of reading. The list
/// keeps the objects alive, so an address is not used again. Returns false also for an object other than a dict, and
/// for another order than the nodes.
bool same_rows(const HeldRows& held, nb::list nodes, nb::object adjacency, bool incoming, nb::list keys) {
  const Rows& rows = incoming ? held.graph->in() : held.graph->out();
  const auto n = static_cast<Py_ssize_t>(nodes.size());
  if (!PyDict_CheckExact(adjacency.ptr()) || PyDict_Size(adjacency.ptr()) != n || keys.size() != rows.ends.size()) return false;
  Py_ssize_t place = 0, arc = 0;
  PyObject *node, *row;
  for (Py_ssize_t v = 0; PyDict_Next(adjacency.ptr(), &place, &node, &row); ++v) {
    if (PyList_GetItem(nodes.ptr(), v) != node || !PyDict_CheckExact(row)) return false;
    const auto end = static_cast<Py_ssize_t>(rows.offsets[static_cast<std::size_t>(v) + 1]);
    if (PyDict_Size(row) != end - arc) return false;
    Py_ssize_t at = 0;
    PyObject* key;
    for (; PyDict_Next(row, &at, &key, nullptr); ++arc) {
      if (PyList_GetItem(keys.ptr(), arc) != key) return false;
    }
  }
  return true;
}

/// Returns the graph that the library searches: the same rows, sorted.
HeldGraph sorted(const HeldRows& held, bool directed, const HeldWeights* weights) {
  const WithoutGil released;
  const Rows& rows = held.graph->out();
  CsrOptions options{.directed = directed, .sort_rows = true};
  std::vector<std::int64_t> whole;
  if (weights) {
    const std::vector<double>& values = weights->weights->value;
    const std::vector<bool>& is_whole = weights->weights->whole;
    options.weights = values;
    if (std::ranges::all_of(is_whole, [](bool each) { return each; })) {
      whole.assign(values.begin(), values.end());
      options.weights = whole;
    }
  }
  return {std::make_shared<const Graph>(Graph::from_csr(rows.offsets, rows.ends, options))};
}

}  // namespace

void bind_rows(nb::module_& module) {
  nb::class_<HeldRows>(module, "Rows")
      .def_prop_ro("num_vertices", [](const HeldRows& r) { return r.graph->num_vertices(); })
      .def_prop_ro("num_arcs", [](const HeldRows& r) { return r.graph->out().ends.size(); })
      .def("agree", &agree)
      .def("sorted", &sorted, nb::arg("directed"), nb::arg("weights").none(),
           nb::sig("def sorted(self, directed: bool, weights: Weights | None) -> Graph"));
  module.def(
      "read_rows", &read_rows, nb::arg("nodes"), nb::arg("index"), nb::arg("adjacency"), nb::arg("reversed").none(),
      nb::arg("keys") = nb::none(), nb::arg("reversed_keys") = nb::none(),
      nb::sig(
          "def read_rows(nodes: list[typing.Any], index: dict[typing.Any, int], adjacency: object, "
          "reversed: object, keys: list[typing.Any] | None = None, reversed_keys: list[typing.Any] | None = None) -> Rows"));
  module.def("same_keys", &same_keys, nb::arg("dict"), nb::arg("keys"),
             nb::sig("def same_keys(dict: object, keys: list[typing.Any]) -> bool"));
  module.def("same_rows", &same_rows, nb::arg("rows"), nb::arg("nodes"), nb::arg("adjacency"), nb::arg("incoming"),
             nb::arg("keys"),
             nb::sig("def same_rows(rows: Rows, nodes: list[typing.Any], adjacency: object, incoming: bool, "
                     "keys: list[typing.Any]) -> bool"));
}

}  // namespace hopwave::python
