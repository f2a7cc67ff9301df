// Weights read from NetworkX's dicts, and the results of its functions of shortest paths by weights.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "dijkstra.h"
#include "objects.h"

namespace hopwave::python {

namespace {

/// Returns a weight, or nothing for an object that is not Python's own int or float, or is too large, negative or NaN.
struct Number {
  double value;
  bool whole;
};
std::optional<Number> number(PyObject* object) {
  Number read{};
  if (PyLong_CheckExact(object)) {
    read = {PyLong_AsDouble(object), true};
    if (read.value == -1.0 && PyErr_Occurred()) PyErr_Clear();  // too large, and rejected below as negative
    if (read.value >= most_whole) return std::nullopt;          // 2^53 + 1 becomes 2^53
  } else if (PyFloat_CheckExact(object)) {
    read = {PyFloat_AsDouble(object), false};
  } else {
    return std::nullopt;
  }
  if (!(read.value >= 0)) return std::nullopt;
  return read;
}

using Objects = std::optional<nb::list>;
void append(const Objects& list, PyObject* object) {
  if (list) raise_if(PyList_Append(list->ptr(), object) < 0);
}

/// Returns attributes.get(name, 1). `objects` gets the object, or None where it is missing.
std::optional<Number> weight_of(PyObject* attributes, PyObject* name, const Objects& objects) {
  if (!PyDict_CheckExact(attributes)) {
    nb::object value = nb::borrow(attributes).attr("get")(nb::handle(name), 1);
    return number(value.ptr());
  }
  PyObject* value = PyDict_GetItemWithError(attributes, name);
  raise_if(!value && PyErr_Occurred());
  append(objects, value ? value : Py_None);
  return value ? number(value) : std::optional<Number>({1.0, true});
}

/// Returns the least weight of parallel edges, the first of several. `objects` gets the weights of all, and an Ellipsis
/// at the end.
std::optional<Number> least_weight(PyObject* edges, PyObject* name, const Objects& objects) {
  std::optional<Number> least;
  nb::object values = nb::borrow(edges).attr("values")();
  for (nb::handle attributes : nb::iter(values)) {
    const std::optional<Number> one = weight_of(attributes.ptr(), name, objects);
    if (!one) return std::nullopt;
    if (!least || one->value < least->value) least = one;
  }
  append(objects, Py_Ellipsis);
  return least;
}

/// Checks whether the weights are exactly the objects that were read: numbers do not change. False also for an object
/// that is not Python's own dict. The rows have not changed since.
class SameWeights {
 public:
  SameWeights(nb::handle name, bool multi, nb::list objects) : name_(name), objects_(std::move(objects)), multi_(multi) {}
  bool all(nb::handle adjacency) {
    if (!PyDict_CheckExact(adjacency.ptr())) return false;
    Py_ssize_t place = 0;
    PyObject *node, *dict;
    while (PyDict_Next(adjacency.ptr(), &place, &node, &dict)) {
      if (!row(dict, at_)) return false;
    }
    return at_ == objects_.size();
  }
  /// `begin`: start of the row in the list.
  bool row(PyObject* dict, std::size_t begin) {
    if (!PyDict_CheckExact(dict)) return false;
    at_ = begin;
    Py_ssize_t at = 0;
    PyObject *key, *data;
    while (PyDict_Next(dict, &at, &key, &data)) {
      if (!(multi_ ? parallel(data) : one(data))) return false;
    }
    return true;
  }

 private:
  bool next(PyObject* object) { return at_ < objects_.size() && get(objects_, at_++) == object; }
  bool one(PyObject* attributes) {
    if (!PyDict_CheckExact(attributes)) return false;
    PyObject* value = PyDict_GetItemWithError(attributes, name_.ptr());
    raise_if(!value && PyErr_Occurred());
    return value != Py_None && next(value ? value : Py_None);  // read_weights() accepts no None
  }
  bool parallel(PyObject* edges) {
    if (!PyDict_CheckExact(edges)) return false;
    Py_ssize_t at = 0;
    PyObject *key, *attributes;
    while (PyDict_Next(edges, &at, &key, &attributes)) {
      if (!one(attributes)) return false;
    }
    return next(Py_Ellipsis);
  }

  nb::handle name_;
  nb::list objects_;
  std::size_t at_ = 0;
  bool multi_;
};
bool same_weights(nb::object adjacency, nb::str name, bool multi, nb::list objects) {
  return SameWeights(name, multi, objects).all(adjacency);
}
/// The same for some rows, which have the keys that were read.
bool same_weights_of(nb::list rows, const std::vector<VertexId>& vertices, const HeldWeights& weights, nb::str name, bool multi,
                     nb::list objects) {
  SameWeights same(name, multi, objects);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!same.row(get(rows, i), weights.weights->begins.at(vertices[i]))) return false;
  }
  return true;
}

/// Returns None if there is a weight that only NetworkX accepts. `objects` gets what same_weights() compares.
std::optional<HeldWeights> read_weights(const HeldRows& rows, nb::list nodes, nb::object adjacency, nb::object name, bool multi,
                                        Objects objects) {
  const std::size_t arcs = rows.graph->out().ends.size();
  auto weights = std::make_shared<Weights>();
  weights->value.reserve(arcs);
  weights->whole.reserve(arcs);
  const auto take = [&](PyObject* data) {
    const std::optional<Number> one = multi ? least_weight(data, name.ptr(), objects) : weight_of(data, name.ptr(), objects);
    if (!one) return false;
    weights->value.push_back(one->value);
    weights->whole.push_back(one->whole);
    return true;
  };
  for (nb::handle node : nodes) {
    if (objects) weights->begins.push_back(objects->size());
    const nb::object row = adjacency[node];
    if (PyDict_CheckExact(row.ptr())) {
      Py_ssize_t at = 0;
      PyObject *key, *value;
      while (PyDict_Next(row.ptr(), &at, &key, &value)) {
        const nb::object kept = nb::borrow(value);
        if (!take(kept.ptr())) return std::nullopt;
      }
    } else {
      nb::object items = row.attr("items")();
      for (nb::handle item : nb::iter(items)) {
        nb::object data = item[1];
        if (!take(data.ptr())) return std::nullopt;
      }
    }
    raise_if(PyErr_CheckSignals() != 0);
  }
  if (weights->value.size() != arcs) throw nb::value_error("the graph changed while it was read");
  return HeldWeights{std::move(weights)};
}

HeldWeights ones(const HeldRows& rows) {
  const std::size_t arcs = rows.graph->out().ends.size();
  return {std::make_shared<const Weights>(Weights{std::vector<double>(arcs, 1.0), std::vector<bool>(arcs, true)})};
}

class NamedDijkstra;

/// An iterator over lists of nodes, by NetworkX's walk back along predecessors: a path has no vertex twice, although there
/// may be cycles of length 0; a source on such a cycle shows its path at each return of the walk.
class NamedWeightedPaths {
 public:
  NamedWeightedPaths(const NamedDijkstra& names, VertexId target);
  nb::object next();

 private:
  const NamedDijkstra& names_;                          // kept alive by Python
  std::vector<std::pair<VertexId, std::size_t>> path_;  // from the target; each with the index of its next predecessor
  std::unordered_set<VertexId> passed_;
  bool shown_ = false;  // the path is known to the caller
};

/// An answer with the names of its vertices. Sources have the names that the caller used in this call.
class NamedDijkstra {
 public:
  NamedDijkstra(const HeldRows& rows, const HeldWeights& weights, nb::list nodes, const std::vector<VertexId>& sources,
                nb::list given, double cutoff, std::optional<VertexId> target, bool predecessors, bool by_queue)
      : nodes_(std::move(nodes)), given_(std::move(given)) {
    const VertexId n = rows.graph->num_vertices();
    if (nodes_.size() != n || given_.size() != sources.size() ||
        weights.weights->value.size() != rows.graph->out().ends.size()) {
      throw nb::value_error("names, weights and vertices do not fit");
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i] >= n) throw nb::index_error("a source is not a vertex");
      names_.emplace(sources[i], i);
    }
    if (by_queue && sources.size() != 1) throw nb::value_error("one source is needed");
    const DijkstraQuery query{sources, cutoff, target.value_or(no_vertex), predecessors};
    answer_ = interruptible(n + rows.graph->out().ends.size(), [&](const std::stop_token& stop) {
      const Rows& out = rows.graph->out();
      return by_queue ? bellman_ford(out, *weights.weights, sources[0], stop) : dijkstra(out, *weights.weights, query, stop);
    });
    for (const VertexId v : answer_.order) {  // at 2^53 a distance may have been rounded
      answer_.given_up |= answer_.whole[v] && answer_.distance[v] >= most_whole;
    }
    if (answer_.given_up) {
      PyErr_SetString(PyExc_NotImplementedError, "a distance of 2**53 or more");
      throw nb::python_error();
    }
  }

  [[nodiscard]] std::size_t found() const { return answer_.order.size(); }

  nb::object lengths() const {
    nb::dict found;
    for (const VertexId v : answer_.order) put(found, name(v), length(v));
    return found;
  }

  /// `as_met`: in the order in which nodes were first found, not in that of the distances.
  nb::object paths(bool as_met) const {
    const CollectorOff off;
    nb::dict found;
    std::vector<nb::object> lists(nodes_.size());
    for (std::size_t i = 0; i < given_.size(); ++i) {
      nb::list path;
      path.append(given_[i]);
      put(found, get(given_, i), path);
    }
    for (const auto& [v, i] : names_) lists[v] = nb::borrow(PyDict_GetItemWithError(found.ptr(), name(v)));
    std::vector<VertexId> missing;
    for (const VertexId v : answer_.order) {
      for (VertexId at = v; !lists[at].is_valid(); at = answer_.parent[at]) missing.push_back(at);
      for (; !missing.empty(); missing.pop_back()) {
        const VertexId next = missing.back();
        lists[next] = longer(lists[answer_.parent[next]], name(next));
      }
      if (!as_met) put(found, name(v), lists[v]);
    }
    if (as_met) {
      for (const VertexId v : answer_.found) put(found, name(v), lists[v]);
    }
    return found;
  }

  /// Returns for each node the list of all its predecessors on a shortest path.
  nb::object predecessors() const {
    const CollectorOff off;
    nb::dict found;
    for (const auto& [v, i] : names_) put(found, name(v), before(v));
    for (const VertexId v : answer_.found) put(found, name(v), before(v));
    return found;
  }

  /// Returns distance and path of the target; None if there is no path.
  nb::object target(VertexId v) const {
    if (answer_.parent.at(v) == no_vertex && !names_.contains(v)) return nb::none();
    std::vector<VertexId> path;
    for (VertexId at = v; at != no_vertex; at = answer_.parent[at]) path.push_back(at);
    nb::list nodes;
    for (std::size_t i = path.size(); i-- > 0;) nodes.append(nb::borrow(name(path[i])));
    return nb::make_tuple(length(v), nodes);
  }

  /// Returns an iterator over all shortest paths to a node; null if there is none. Needs the predecessors.
  std::unique_ptr<NamedWeightedPaths> paths_to(VertexId v) const {
    if (answer_.parent.at(v) == no_vertex && !names_.contains(v)) return nullptr;
    return std::make_unique<NamedWeightedPaths>(*this, v);
  }
  [[nodiscard]] const std::vector<VertexId>& all_before(VertexId v) const { return answer_.predecessors.at(v); }
  [[nodiscard]] bool is_source(VertexId v) const { return names_.contains(v); }
  [[nodiscard]] PyObject* name(VertexId v) const {
    const auto source = names_.find(v);
    return source == names_.end() ? get(nodes_, v) : get(given_, source->second);
  }

  /// Returns for each source the set of nodes that are nearest to it; `as_met` as in paths().
  nb::object cells(bool as_met) const {
    const CollectorOff off;
    nb::dict found;
    std::vector<VertexId> root(nodes_.size());
    std::vector<PyObject*> sets(nodes_.size());  // by source; the dict owns them
    const auto add = [&](VertexId v) {
      const VertexId source = root[v];
      if (!sets[source]) {
        nb::object one = nb::steal(PySet_New(nullptr));
        put(found, name(source), one);
        sets[source] = one.ptr();
      }
      raise_if(PySet_Add(sets[source], name(v)) < 0);
    };
    for (const VertexId v : answer_.order) {
      const VertexId parent = answer_.parent[v];
      root[v] = parent == no_vertex ? v : root[parent];
      if (!as_met || parent == no_vertex) add(v);
    }
    if (as_met) std::ranges::for_each(answer_.found, add);
    return found;
  }

 private:
  static nb::object longer(const nb::object& path, PyObject* node) {
    const auto before = static_cast<std::size_t>(PyList_Size(path.ptr()));
    nb::object list = new_list(before + 1);
    for (std::size_t i = 0; i < before; ++i) set(list, i, get(path, i));
    set(list, before, node);
    return list;
  }
  [[nodiscard]] nb::object length(VertexId v) const {
    const double d = answer_.distance[v];
    return nb::steal(answer_.whole[v] ? PyLong_FromLongLong(static_cast<long long>(d)) : PyFloat_FromDouble(d));
  }
  [[nodiscard]] nb::object before(VertexId v) const {
    const std::vector<VertexId>& all = all_before(v);
    nb::object list = new_list(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) set(list, i, name(all[i]));
    return list;
  }

  nb::list nodes_, given_;
  std::unordered_map<VertexId, std::size_t> names_;  // of sources: their position in `given_`
  DijkstraAnswer answer_;
};

NamedWeightedPaths::NamedWeightedPaths(const NamedDijkstra& names, VertexId target)
    : names_(names), path_{{target, 0}}, passed_{target} {}

nb::object NamedWeightedPaths::next() {
  while (!path_.empty()) {
    auto& [vertex, child] = path_.back();
    shown_ = !shown_ && names_.is_source(vertex);
    if (shown_) {
      nb::object nodes = new_list(path_.size());
      for (std::size_t i = 0; i < path_.size(); ++i) set(nodes, path_.size() - 1 - i, names_.name(path_[i].first));
      return nodes;
    }
    const std::vector<VertexId>& all = names_.all_before(vertex);
    if (child == all.size()) {
      passed_.erase(vertex);
      path_.pop_back();
    } else if (const VertexId before = all[child++]; passed_.insert(before).second) {
      path_.emplace_back(before, 0);
    }
  }
  throw nb::stop_iteration();
}

}  // namespace

void bind_dijkstra(nb::module_& module) {
  nb::class_<HeldWeights>(module, "Weights");
  module.def("read_weights", &read_weights, nb::arg("rows"), nb::arg("nodes"), nb::arg("adjacency"), nb::arg("name"),
             nb::arg("multi"), nb::arg("objects") = nb::none(),
             nb::sig("def read_weights(rows: Rows, nodes: list[typing.Any], adjacency: object, name: object, "
                     "multi: bool, objects: list[typing.Any] | None = None) -> Weights | None"));
  module.def("same_weights", &same_weights, nb::arg("adjacency"), nb::arg("name"), nb::arg("multi"), nb::arg("objects"),
             nb::sig("def same_weights(adjacency: object, name: str, multi: bool, objects: list[typing.Any]) -> bool"));
  module.def("same_weights_of", &same_weights_of, nb::arg("rows"), nb::arg("vertices"), nb::arg("weights"), nb::arg("name"),
             nb::arg("multi"), nb::arg("objects"),
             nb::sig("def same_weights_of(rows: list[typing.Any], vertices: collections.abc.Sequence[int], weights: Weights, "
                     "name: str, multi: bool, objects: list[typing.Any]) -> bool"));
  module.def("ones", &ones, nb::arg("rows"));
  nb::class_<NamedWeightedPaths>(module, "WeightedPaths")
      .def(
          "__iter__", [](nb::handle self) { return self; }, nb::sig("def __iter__(self) -> WeightedPaths"))
      .def("__next__", &NamedWeightedPaths::next, nb::sig("def __next__(self) -> list[typing.Any]"));
  nb::class_<NamedDijkstra>(module, "Dijkstra")
      .def(nb::init<const HeldRows&, const HeldWeights&, nb::list, const std::vector<VertexId>&, nb::list, double,
                    std::optional<VertexId>, bool, bool>(),
           nb::arg("rows"), nb::arg("weights"), nb::arg("nodes"), nb::arg("sources"), nb::arg("given"), nb::arg("cutoff"),
           nb::arg("target").none(), nb::arg("predecessors"), nb::arg("by_queue"),
           nb::sig("def __init__(self, rows: Rows, weights: Weights, nodes: list[typing.Any], "
                   "sources: collections.abc.Sequence[int], given: list[typing.Any], cutoff: float, target: int | None, "
                   "predecessors: bool, by_queue: bool) -> None"))
      .def_prop_ro("found", &NamedDijkstra::found)
      .def("lengths", &NamedDijkstra::lengths, nb::sig("def lengths(self) -> dict[typing.Any, typing.Any]"))
      .def("paths", &NamedDijkstra::paths, nb::arg("as_met"),
           nb::sig("def paths(self, as_met: bool) -> dict[typing.Any, list[typing.Any]]"))
      .def("predecessors", &NamedDijkstra::predecessors,
           nb::sig("def predecessors(self) -> dict[typing.Any, list[typing.Any]]"))
      .def("target", &NamedDijkstra::target, nb::arg("vertex"),
           nb::sig("def target(self, vertex: int) -> tuple[typing.Any, list[typing.Any]] | None"))
      .def("paths_to", &NamedDijkstra::paths_to, nb::arg("target"), nb::keep_alive<0, 1>(),
           nb::sig("def paths_to(self, target: int) -> WeightedPaths | None"))
      .def("cells", &NamedDijkstra::cells, nb::arg("as_met"),
           nb::sig("def cells(self, as_met: bool) -> dict[typing.Any, set[typing.Any]]"));
}

}  // namespace hopwave::python
