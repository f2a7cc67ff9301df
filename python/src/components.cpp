// Weakly and strongly connected components, condensation, and topological generations.
#include <hopwave/components.h>
#include <hopwave/strong.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core.h"

namespace hopwave::python {

namespace {

/// Returns label, count, and label and size of the largest component.
template <class Found>
nb::tuple as_tuple(Found found) {
  return nb::make_tuple(to_numpy(std::move(found.label)), found.count, found.largest_label, found.largest_size);
}

/// Runs `call(options)` with limits and the caller's report, without the GIL.
template <class Options, class Call>
auto followed(const Graph& graph, double seconds, nb::object report, Options options, const Call& call) {
  Caller caller(std::move(report), seconds);
  return interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    options.limits = caller.limits(std::move(stop));
    options.progress = caller.listener();
    auto found = call(options);
    caller.finished();
    return found;
  });
}

nb::tuple weak(const HeldGraph& held, int threads, const std::string& device, double seconds, nb::object report) {
  return as_tuple(followed(*held.graph, seconds, std::move(report),
                           RunOptions{.device = device_kind(device), .threads = threads},
                           [&](const RunOptions& options) { return connected_components(*held.graph, options); })
                      .components);
}

nb::tuple strong(const HeldGraph& held, int threads, const std::string& device, double seconds, nb::object report) {
  return as_tuple(followed(*held.graph, seconds, std::move(report),
                           StrongOptions{.run = {.device = device_kind(device), .threads = threads}},
                           [&](const StrongOptions& options) { return strong_components(*held.graph, options); })
                      .components);
}

HeldGraph condensed(const HeldGraph& held, const std::optional<In<VertexId>>& labels, double seconds, nb::object report) {
  const Graph& graph = *held.graph;
  const auto hold = [](Graph made) { return HeldGraph{std::make_shared<const Graph>(std::move(made))}; };
  if (!labels)
    return followed(graph, seconds, std::move(report), StrongOptions{},
                    [&](const StrongOptions& options) { return hold(condensation(graph, options)); });
  StrongComponents components;
  components.label = Array<VertexId>::copy_of({labels->data(), labels->size()});
  return followed(graph, seconds, std::move(report), RunOptions{},
                  [&](const RunOptions& options) { return hold(condensation(graph, components, options)); });
}

Out<VertexId> generations(const HeldGraph& held, double seconds, nb::object report) {
  return to_numpy(followed(*held.graph, seconds, std::move(report), RunOptions{},
                           [&](const RunOptions& options) { return topological_generations(*held.graph, options); }));
}

bool acyclic(const HeldGraph& held, double seconds, nb::object report) {
  return followed(*held.graph, seconds, std::move(report), RunOptions{},
                  [&](const RunOptions& options) { return is_acyclic(*held.graph, options); });
}

}  // namespace

void bind_components(nb::module_& module) {
  module.def("components", &weak, nb::arg("graph"), nb::arg("threads"), nb::arg("device"), nb::arg("seconds"),
             nb::arg("report").none(),
             nb::sig("def components(graph: Graph, threads: int, device: str, seconds: float, report: object | None) -> "
                     "tuple[numpy.typing.NDArray[numpy.uint32], int, int, int]"));
  module.def("strong_components", &strong, nb::arg("graph"), nb::arg("threads"), nb::arg("device"), nb::arg("seconds"),
             nb::arg("report").none(),
             nb::sig("def strong_components(graph: Graph, threads: int, device: str, seconds: float, report: object | None) -> "
                     "tuple[numpy.typing.NDArray[numpy.uint32], int, int, int]"));
  module.def("condensation", &condensed, nb::arg("graph"), nb::arg("labels").none(), nb::arg("seconds"),
             nb::arg("report").none());
  module.def("topological_generations", &generations, nb::arg("graph"), nb::arg("seconds"), nb::arg("report").none());
  module.def("is_acyclic", &acyclic, nb::arg("graph"), nb::arg("seconds"), nb::arg("report").none());
}

}  // namespace hopwave::python
