// The results of NetworkX's functions, made from walks: lists, dicts and sets of the caller's node objects.
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>

#include "objects.h"
#include "walk.h"

namespace hopwave::python {

namespace {

Way way_of(const std::string& name) {
  if (name == "out") return Way::out;
  if (name == "in") return Way::in;
  if (name == "both") return Way::both;
  throw nb::value_error("a walk goes out, in or both");
}

class NamedWalk;

/// An iterator over lists of nodes.
class NamedPaths {
 public:
  NamedPaths(const NamedWalk& names, const Walk& walk, std::uint32_t target) : names_(names), paths_(walk, target) {}
  nb::object next();

 private:
  const NamedWalk& names_;  // kept alive by Python
  AllPaths paths_;
  std::vector<std::uint32_t> path_;
};

/// A walk with the names of its vertices. The nodes that it starts from have the names that the caller used in this
/// call: 1, 1.0 and True are one node, and NetworkX returns the one it was given.
class NamedWalk {
 public:
  NamedWalk(const HeldRows& rows, nb::list nodes, const std::vector<VertexId>& sources, nb::list given, const std::string& way,
            std::int64_t limit)
      : walk_(rows.graph, way_of(way), limit < 0 ? Walk::no_limit : static_cast<std::uint64_t>(limit)),
        nodes_(std::move(nodes)),
        given_(std::move(given)) {
    const VertexId n = rows.graph->num_vertices();
    if (nodes_.size() != n) throw nb::value_error("one node per vertex is needed");
    if (given_.size() != sources.size()) throw nb::value_error("one name per source is needed");
    for (const VertexId v : sources) {
      if (v >= n) throw nb::index_error("a source is not a vertex");
      walk_.start(v);
    }
    if (walk_.size() != sources.size()) throw nb::value_error("a source is given twice");
  }

  [[nodiscard]] std::size_t found() const { return walk_.size(); }

  nb::tuple edges(std::size_t enough) {
    const std::size_t first = std::max(walk_.size(), given_.size());
    {
      const WithoutGil released;
      walk_.advance(enough);
    }
    const std::size_t count = walk_.size() - first;
    nb::object parents = new_list(count), children = new_list(count);
    for (std::size_t i = 0; i < count; ++i) {
      set(parents, i, name(walk_.parent(first + i)));
      set(children, i, name(first + i));
    }
    return nb::make_tuple(parents, children);
  }

  /// Returns pairs of a node and the list of nodes that it found.
  nb::list successors(std::size_t enough) {
    const std::size_t first = std::max(walk_.size(), given_.size());
    {
      const WithoutGil released;
      walk_.advance(enough);
    }
    const CollectorOff off;
    nb::list pairs;
    for (std::size_t i = first, end = first; i < walk_.size(); i = end) {
      const std::uint32_t parent = walk_.parent(i);
      while (end < walk_.size() && walk_.parent(end) == parent) ++end;
      pairs.append(nb::make_tuple(nb::borrow(name(parent)), names(i, end)));
    }
    return pairs;
  }

  /// Returns the nodes of the next level; None at the end.
  nb::object layer() {
    bool more;
    {
      const WithoutGil released;
      more = walk_.next_level();
    }
    return more ? names(walk_.start_of(walk_.levels() - 1), walk_.size()) : nb::none();
  }

  /// Returns tails, heads and labels of the next arcs; empty at the end. `words`: the labels tree, forward, level and
  /// reverse, which callers compare by identity.
  nb::tuple labeled(std::size_t enough, nb::tuple words) {
    if (words.size() != 4) throw nb::value_error("four labels are needed");
    std::vector<Walk::Labeled> arcs;
    {
      const WithoutGil released;
      walk_.label(arcs, enough);
    }
    nb::object from = new_list(arcs.size()), to = new_list(arcs.size()), kind = new_list(arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      set(from, i, name(arcs[i].from));
      set(to, i, node(arcs[i].to));
      set(kind, i, nb::object(words[static_cast<std::size_t>(arcs[i].kind)]).ptr());
    }
    return nb::make_tuple(from, to, kind);
  }

  nb::list order() {
    run();
    return nb::cast<nb::list>(names(0, walk_.size()));
  }

  nb::object lengths() {
    run();
    nb::dict found;
    for (std::size_t level = 0; level < walk_.levels(); ++level) {
      const nb::int_ length(level);
      for (std::size_t i = walk_.start_of(level); i < walk_.start_of(level + 1); ++i) {
        fetch_ahead(i);
        put(found, name(i), length);
      }
    }
    return found;
  }

  /// Returns for each node the list of nodes on its path from the source; with `backwards`, to the source.
  nb::object paths(bool backwards) {
    run();
    const CollectorOff off;
    nb::dict found;
    std::vector<PyObject*> lists(walk_.size());  // the dict owns them
    for (std::size_t level = 0; level < walk_.levels(); ++level) {
      raise_if(PyErr_CheckSignals() != 0);
      for (std::size_t i = walk_.start_of(level); i < walk_.start_of(level + 1); ++i) {
        nb::object path = new_list(level + 1);
        const std::size_t shift = backwards ? 1 : 0;
        for (std::size_t k = 0; k < level; ++k) {
          set(path, k + shift, PyList_GetItem(lists[walk_.parent(i)], static_cast<Py_ssize_t>(k)));
        }
        set(path, backwards ? 0 : level, name(i));
        put(found, name(i), path);
        lists[i] = path.ptr();
      }
    }
    return found;
  }

  /// Returns for each node the list of all its predecessors on a shortest path, and its distance.
  nb::tuple predecessors() {
    run();
    const CollectorOff off;
    nb::dict found;
    std::vector<PyObject*> lists(walk_.size());  // the dict owns them
    for (std::size_t i = 0; i < walk_.size(); ++i) {
      nb::list none;
      put(found, name(i), none);
      lists[i] = none.ptr();
    }
    for (std::size_t level = 0; level + 1 < walk_.levels(); ++level) {
      raise_if(PyErr_CheckSignals() != 0);
      for (std::size_t i = walk_.start_of(level); i < walk_.start_of(level + 1); ++i) each_child(i, level, lists);
    }
    return nb::make_tuple(found, lengths());
  }

  /// Fills the dicts of an empty nx.DiGraph with the tree.
  void tree(nb::dict node, nb::dict succ, nb::dict pred) {
    run();
    const CollectorOff off;
    std::vector<PyObject*> children(walk_.size());  // `succ` owns them
    for (std::size_t i = 0; i < walk_.size(); ++i) {
      nb::dict attributes, after, before;
      put(node, name(i), attributes);
      put(succ, name(i), after);
      put(pred, name(i), before);
      children[i] = after.ptr();
      if (i < given_.size()) continue;
      const nb::dict data;
      const std::uint32_t parent = walk_.parent(i);
      raise_if(PyDict_SetItem(children[parent], name(i), data.ptr()) < 0);
      put(before, name(parent), data);
    }
  }

  /// Returns the set of nodes of the next component, starting at the first vertex in none of the previous ones; None at
  /// the end.
  nb::object component() {
    const VertexId n = walk_.graph().num_vertices();
    const std::size_t first = walk_.size();
    for (; next_ < n && walk_.size() == first; ++next_) walk_.start(next_);
    if (walk_.size() == first) return nb::none();
    run();
    nb::object one = nb::steal(PySet_New(nullptr));
    for (std::size_t i = first; i < walk_.size(); ++i) raise_if(PySet_Add(one.ptr(), node(walk_.vertex(i))) < 0);
    return one;
  }

  /// Returns the number of components, counted up to `most`.
  std::size_t count_components(std::size_t most) {
    const VertexId n = walk_.graph().num_vertices();
    std::size_t count = 0;
    for (VertexId v = 0; v < n && count < most; ++v) {
      const std::size_t first = walk_.size();
      walk_.start(v);
      if (walk_.size() == first) continue;
      run();
      ++count;
    }
    return count;
  }

  /// Returns an iterator over the shortest paths to `target`; null if there is no path.
  std::unique_ptr<NamedPaths> paths_to(VertexId target) {
    if (target >= walk_.graph().num_vertices()) throw nb::index_error("not a vertex");
    {
      const WithoutGil released;
      while (!walk_.done() && !walk_.scratch().has(target)) walk_.next_level();
    }
    if (!walk_.scratch().has(target)) return nullptr;
    return std::make_unique<NamedPaths>(*this, walk_, walk_.scratch().rank[target]);
  }

  /// Returns the name of the i-th found vertex.
  [[nodiscard]] PyObject* name(std::size_t i) const { return i < given_.size() ? get(given_, i) : node(walk_.vertex(i)); }

 private:
  void run() {
    while (!walk_.done()) {
      {
        const WithoutGil released;
        walk_.advance(Walk::no_limit, arcs_between_signals);
      }
      raise_if(PyErr_CheckSignals() != 0);
    }
  }
  void each_child(std::size_t i, std::size_t level, const std::vector<PyObject*>& lists) {
    const Scratch& scratch = walk_.scratch();
    for (const VertexId w : walk_.graph().out().of(walk_.vertex(i))) {
      if (!scratch.has(w)) continue;
      const std::uint32_t rank = scratch.rank[w];
      if (rank < walk_.start_of(level + 1) || rank >= walk_.start_of(level + 2)) continue;
      raise_if(PyList_Append(lists[rank], name(i)) < 0);
    }
  }

  [[nodiscard]] PyObject* node(VertexId v) const { return get(nodes_, v); }
  /// Nodes are scattered over the memory. Prefetches those that are named next after the i-th.
  void fetch_ahead(std::size_t i) const {
    constexpr std::size_t ahead = 16;
    if (i + ahead < walk_.size()) __builtin_prefetch(node(walk_.vertex(i + ahead)), 1);
  }
  nb::object names(std::size_t begin, std::size_t end) const {
    nb::object list = new_list(end - begin);
    for (std::size_t i = begin; i < end; ++i) set(list, i - begin, name(i));
    return list;
  }
  static constexpr std::uint64_t arcs_between_signals = 1u << 24;
  Walk walk_;
  nb::list nodes_, given_;
  VertexId next_ = 0;  // for component()
};

nb::object NamedPaths::next() {
  if (!paths_.next(path_)) throw nb::stop_iteration();
  nb::list nodes;
  for (std::size_t i = path_.size(); i-- > 0;) nodes.append(nb::borrow(names_.name(path_[i])));
  return nodes;
}

std::vector<VertexId> path_of(const HeldRows& rows, VertexId source, VertexId target) {
  const VertexId n = rows.graph->num_vertices();
  if (source >= n || target >= n) throw nb::index_error("not a vertex");
  const WithoutGil released;
  return path_between(*rows.graph, source, target);
}

/// Returns a dict of nodes and their colours; None if there is an odd cycle.
nb::object colors_of(const HeldRows& rows, nb::list nodes) {
  if (nodes.size() != rows.graph->num_vertices()) throw nb::value_error("one node per vertex is needed");
  std::vector<VertexId> order;
  std::vector<std::int8_t> color;
  {
    const WithoutGil released;
    if (!two_colors(*rows.graph, order, color)) order.clear();
  }
  if (order.size() != nodes.size()) return nb::none();
  const nb::int_ values[] = {nb::int_(0), nb::int_(1)};
  nb::dict found;
  for (const VertexId v : order) put(found, get(nodes, v), values[color[v]]);
  return found;
}

/// Returns the nodes without incoming and outgoing arcs; a loop is an arc.
nb::list isolated(const HeldRows& rows, nb::list nodes) {
  const OrderedGraph& g = *rows.graph;
  if (nodes.size() != g.num_vertices()) throw nb::value_error("one node per vertex is needed");
  nb::list alone;
  for (VertexId v = 0; v < g.num_vertices(); ++v) {
    if (g.out().of(v).empty() && g.in().of(v).empty()) alone.append(nb::borrow(get(nodes, v)));
  }
  return alone;
}

}  // namespace

void bind_walk(nb::module_& module) {
  nb::class_<NamedPaths>(module, "Paths")
      .def(
          "__iter__", [](nb::handle self) { return self; }, nb::sig("def __iter__(self) -> Paths"))
      .def("__next__", &NamedPaths::next, nb::sig("def __next__(self) -> list[typing.Any]"));
  nb::class_<NamedWalk>(module, "Walk")
      .def(nb::init<const HeldRows&, nb::list, const std::vector<VertexId>&, nb::list, const std::string&, std::int64_t>(),
           nb::arg("rows"), nb::arg("nodes"), nb::arg("sources"), nb::arg("given"), nb::arg("way"), nb::arg("limit"),
           nb::sig("def __init__(self, rows: Rows, nodes: list[typing.Any], sources: collections.abc.Sequence[int], "
                   "given: list[typing.Any], way: str, limit: int) -> None"))
      .def_prop_ro("found", &NamedWalk::found)
      .def("edges", &NamedWalk::edges, nb::sig("def edges(self, enough: int) -> tuple[list[typing.Any], list[typing.Any]]"))
      .def("successors", &NamedWalk::successors,
           nb::sig("def successors(self, enough: int) -> list[tuple[typing.Any, list[typing.Any]]]"))
      .def("layer", &NamedWalk::layer, nb::sig("def layer(self) -> list[typing.Any] | None"))
      .def("labeled", &NamedWalk::labeled,
           nb::sig("def labeled(self, enough: int, words: tuple[str, str, str, str]) -> tuple[list[typing.Any], "
                   "list[typing.Any], list[str]]"))
      .def("order", &NamedWalk::order, nb::sig("def order(self) -> list[typing.Any]"))
      .def("lengths", &NamedWalk::lengths, nb::sig("def lengths(self) -> dict[typing.Any, int]"))
      .def("paths", &NamedWalk::paths, nb::arg("backwards"),
           nb::sig("def paths(self, backwards: bool) -> dict[typing.Any, list[typing.Any]]"))
      .def("predecessors", &NamedWalk::predecessors,
           nb::sig("def predecessors(self) -> tuple[dict[typing.Any, list[typing.Any]], dict[typing.Any, int]]"))
      .def("tree", &NamedWalk::tree,
           nb::sig("def tree(self, node: dict[typing.Any, typing.Any], succ: dict[typing.Any, typing.Any], "
                   "pred: dict[typing.Any, typing.Any]) -> None"))
      .def("paths_to", &NamedWalk::paths_to, nb::arg("target"), nb::keep_alive<0, 1>(),
           nb::sig("def paths_to(self, target: int) -> Paths | None"))
      .def("component", &NamedWalk::component, nb::sig("def component(self) -> set[typing.Any] | None"))
      .def("count_components", &NamedWalk::count_components, nb::arg("most"));
  module.def("colors", &colors_of, nb::arg("rows"), nb::arg("nodes"),
             nb::sig("def colors(rows: Rows, nodes: list[typing.Any]) -> dict[typing.Any, int] | None"));
  module.def("isolated", &isolated, nb::arg("rows"), nb::arg("nodes"),
             nb::sig("def isolated(rows: Rows, nodes: list[typing.Any]) -> list[typing.Any]"));
  module.def("path_between", &path_of, nb::arg("rows"), nb::arg("source"), nb::arg("target"));
}

}  // namespace hopwave::python
