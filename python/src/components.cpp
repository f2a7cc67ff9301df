// Weakly and strongly connected components, and what a graph without cycles has instead.
#include <hopwave/components.h>
#include <hopwave/strong.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <string>

#include "core.h"

namespace hopwave::python {

namespace {

/// label, count, label and size of the largest
template <class Found>
nb::tuple as_tuple(Found found) {
  return nb::make_tuple(to_numpy(std::move(found.label)), found.count, found.largest_label, found.largest_size);
}

nb::tuple weak(const HeldGraph& held, const std::string& device) {
  const ComponentsOptions options{.device = device_kind(device)};
  ComponentsFound found;
  {
    const WithoutGil released;
    found = connected_components(*held.graph, options);
  }
  return as_tuple(std::move(found.components));
}

nb::tuple strong(const HeldGraph& held, int threads, const std::string& device, double seconds, nb::object report) {
  Caller caller(std::move(report), seconds);
  const Graph& graph = *held.graph;
  StrongOptions options{.device = device_kind(device), .threads = threads};
  StrongFound found = interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    options.limits = caller.limits(std::move(stop));
    options.progress = caller.listener();
    StrongFound all = strong_components(graph, options);
    caller.reached(graph.num_vertices(), graph.num_vertices());
    return all;
  });
  return as_tuple(std::move(found.components));
}

HeldGraph condensed(const HeldGraph& held, In<VertexId> labels) {
  StrongComponents components;
  components.label = Array<VertexId>(labels.size());
  std::copy_n(labels.data(), labels.size(), components.label.data());
  const WithoutGil released;
  return {std::make_shared<const Graph>(condensation(*held.graph, components))};
}

Out<VertexId> generations(const HeldGraph& held) {
  Array<VertexId> found;
  {
    const WithoutGil released;
    found = topological_generations(*held.graph);
  }
  return to_numpy(std::move(found));
}

bool acyclic(const HeldGraph& held) {
  const WithoutGil released;
  return is_acyclic(*held.graph);
}

}  // namespace

void bind_components(nb::module_& module) {
  module.def("components", &weak, nb::arg("graph"), nb::arg("device"),
             nb::sig("def components(graph: Graph, device: str) -> tuple[numpy.typing.NDArray[numpy.uint32], int, int, int]"));
  module.def("strong_components", &strong, nb::arg("graph"), nb::arg("threads"), nb::arg("device"), nb::arg("seconds"),
             nb::arg("report").none(),
             nb::sig("def strong_components(graph: Graph, threads: int, device: str, seconds: float, report: object | None) -> "
                     "tuple[numpy.typing.NDArray[numpy.uint32], int, int, int]"));
  module.def("condensation", &condensed, nb::arg("graph"), nb::arg("labels"));
  module.def("topological_generations", &generations, nb::arg("graph"));
  module.def("is_acyclic", &acyclic, nb::arg("graph"));
}

}  // namespace hopwave::python
