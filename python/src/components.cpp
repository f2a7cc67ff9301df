// The graph of the strongly connected components.
#include <hopwave/strong.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>
#include <utility>

#include "core.h"

namespace hopwave::python {

namespace {

HeldGraph condensed(const HeldGraph& held, const std::optional<In<VertexId>>& labels, Caller& caller) {
  const Graph& graph = *held.graph;
  StrongComponents components;
  if (labels) components.label = Array<VertexId>::copy_of({labels->data(), labels->size()});
  return interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    StrongOptions options{.run = caller.options(std::move(stop))};
    if (!labels) options.run.device = DeviceKind::cpu;  // as for known components
    Graph made = labels ? condensation(graph, components, options.run) : condensation(graph, options);
    caller.finished();
    return HeldGraph{std::make_shared<const Graph>(std::move(made))};
  });
}

}  // namespace

void bind_components(nb::module_& module) {
  module.def("condensation", &condensed, nb::arg("graph"), nb::arg("labels").none(), nb::arg("asked"));
}

}  // namespace hopwave::python
