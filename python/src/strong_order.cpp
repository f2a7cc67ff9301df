// Strongly connected components in NetworkX's order.
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "objects.h"
#include "rows.h"

namespace hopwave::python {

namespace {

/// The vertices of component i are in `order` from `starts[i]` to `starts[i + 1]`.
struct StrongOrder {
  std::vector<VertexId> order = {};
  std::vector<std::size_t> starts = {0};
};

/// Tarjan's algorithm with Nuutila's change (1994): only vertices that are not the root of their component wait on the
/// stack. Components come in the order in which their roots are left. In each the root is first, then the others, the
/// last one left first.
StrongOrder strong_order_of(const OrderedGraph& graph) {
  struct Step {
    VertexId vertex;
    std::size_t next;  // position in its row
  };
  constexpr std::uint32_t unseen = 0, done = ~std::uint32_t{0};
  const VertexId n = graph.num_vertices();
  StrongOrder found;
  // When a vertex was entered, from 1; `done` once its component is known. A graph has fewer vertices than that.
  std::vector<std::uint32_t> entered(n, unseen), low(n);
  std::vector<Step> path;
  std::vector<VertexId> waiting;
  std::uint32_t clock = 0;
  const auto enter = [&](VertexId v) {
    entered[v] = low[v] = ++clock;
    path.push_back({v, 0});
  };
  for (VertexId start = 0; start < n; ++start) {
    if (entered[start] != unseen) continue;
    enter(start);
    while (!path.empty()) {
      const VertexId v = path.back().vertex;
      const std::span<const VertexId> row = graph.out().of(v);
      if (path.back().next < row.size()) {
        const VertexId w = row[path.back().next++];
        if (entered[w] == unseen) {
          enter(w);
        } else if (entered[w] != done) {
          low[v] = std::min(low[v], entered[w]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().vertex] = std::min(low[path.back().vertex], low[v]);
      if (low[v] != entered[v]) {
        waiting.push_back(v);
        continue;
      }
      found.order.push_back(v);
      while (!waiting.empty() && entered[waiting.back()] > entered[v]) {
        entered[waiting.back()] = done;
        found.order.push_back(waiting.back());
        waiting.pop_back();
      }
      entered[v] = done;
      found.starts.push_back(found.order.size());
    }
  }
  return found;
}

/// The components as sets of nodes, one after the other.
class NamedComponents {
 public:
  NamedComponents(const HeldRows& rows, nb::list nodes) : graph_(rows.graph), nodes_(std::move(nodes)) {
    if (nodes_.size() != graph_->num_vertices()) throw nb::value_error("one node per vertex is needed");
    found_ = interruptible(graph_->num_vertices() + graph_->out().ends.size(),
                           [&](const std::stop_token&) { return strong_order_of(*graph_); });
  }

  [[nodiscard]] std::size_t size() const { return found_.starts.size() - 1; }

  nb::object next() {
    if (next_ == size()) throw nb::stop_iteration();
    nb::object component = nb::steal(PySet_New(nullptr));
    raise_if(!component.is_valid());
    for (std::size_t i = found_.starts[next_]; i < found_.starts[next_ + 1]; ++i) {
      raise_if(PySet_Add(component.ptr(), get(nodes_, found_.order[i])) < 0);
    }
    ++next_;
    return component;
  }

  /// Returns the pairs of components that an arc joins, each once, in the order of the arcs.
  nb::list arcs() const {
    const CollectorOff off;
    std::vector<std::uint32_t> component(graph_->num_vertices());
    for (std::size_t c = 0; c < size(); ++c) {
      for (std::size_t i = found_.starts[c]; i < found_.starts[c + 1]; ++i) {
        component[found_.order[i]] = static_cast<std::uint32_t>(c);
      }
    }
    nb::list pairs;
    std::unordered_set<std::uint64_t> seen;
    for (VertexId v = 0; v < graph_->num_vertices(); ++v) {
      for (const VertexId w : graph_->out().of(v)) {
        const std::uint32_t from = component[v], to = component[w];
        if (from == to || !seen.insert((std::uint64_t{from} << 32) | to).second) continue;
        pairs.append(nb::make_tuple(from, to));
      }
    }
    return pairs;
  }

 private:
  std::shared_ptr<const OrderedGraph> graph_;
  nb::list nodes_;
  StrongOrder found_;
  std::size_t next_ = 0;
};

}  // namespace

void bind_strong_order(nb::module_& module) {
  nb::class_<NamedComponents>(module, "StrongComponents")
      .def(nb::init<const HeldRows&, nb::list>(), nb::arg("rows"), nb::arg("nodes"),
           nb::sig("def __init__(self, rows: Rows, nodes: list[typing.Any]) -> None"))
      .def("__len__", &NamedComponents::size)
      .def(
          "__iter__", [](nb::handle self) { return self; }, nb::sig("def __iter__(self) -> StrongComponents"))
      .def("__next__", &NamedComponents::next, nb::sig("def __next__(self) -> set[typing.Any]"))
      .def("arcs", &NamedComponents::arcs, nb::sig("def arcs(self) -> list[tuple[int, int]]"));
}

}  // namespace hopwave::python
