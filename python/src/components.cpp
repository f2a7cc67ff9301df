// The graph of the strongly connected components, and topological generations.
#include <hopwave/strong.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>
#include <utility>

#include "core.h"

namespace hopwave::python {

namespace {

/// Runs `call(options)` as the caller wants, without the GIL.
template <class Call>
auto followed(const Graph& graph, Caller& caller, const Call& call) {
  return interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    auto found = call(caller.options(std::move(stop)));
    caller.finished();
    return found;
  });
}

HeldGraph condensed(const HeldGraph& held, const std::optional<In<VertexId>>& labels, Caller& caller) {
  const Graph& graph = *held.graph;
  const auto hold = [](Graph made) { return HeldGraph{std::make_shared<const Graph>(std::move(made))}; };
  if (!labels)
    return followed(graph, caller, [&](const RunOptions& run) {
      StrongOptions options{.run = run};
      options.run.device = DeviceKind::cpu;  // as for known components
      return hold(condensation(graph, options));
    });
  StrongComponents components;
  components.label = Array<VertexId>::copy_of({labels->data(), labels->size()});
  return followed(graph, caller, [&](const RunOptions& run) { return hold(condensation(graph, components, run)); });
}

Out<VertexId> generations(const HeldGraph& held, Caller& caller) {
  return to_numpy(
      followed(*held.graph, caller, [&](const RunOptions& run) { return topological_generations(*held.graph, run); }));
}

bool acyclic(const HeldGraph& held, Caller& caller) {
  return followed(*held.graph, caller, [&](const RunOptions& run) { return is_acyclic(*held.graph, run); });
}

}  // namespace

void bind_components(nb::module_& module) {
  module.def("condensation", &condensed, nb::arg("graph"), nb::arg("labels").none(), nb::arg("asked"));
  module.def("topological_generations", &generations, nb::arg("graph"), nb::arg("asked"));
  module.def("is_acyclic", &acyclic, nb::arg("graph"), nb::arg("asked"));
}

}  // namespace hopwave::python
