// Maximum flow.
#include <hopwave/flow.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>

#include "core.h"

namespace hopwave::python {

namespace {

/// Value, what goes along each arc, and 1 for each vertex on the source's side.
nb::tuple flow_of(const HeldGraph& held, VertexId source, VertexId target, const std::string& strategy, int threads,
                  const std::string& device, double seconds, nb::object report) {
  Caller caller(std::move(report), seconds);
  const Graph& graph = *held.graph;
  FlowOptions options{.strategy = strategy, .run = {.device = device_kind(device), .threads = threads}};
  Flow found = interruptible((graph.num_arcs() + graph.num_vertices()) * 16, caller, [&](std::stop_token stop) {
    options.limits = caller.limits(std::move(stop));
    options.progress = caller.listener();
    Flow flow = max_flow(graph, source, target, options);
    const auto value = static_cast<std::uint64_t>(flow.value);
    caller.reached(value, value);
    return flow;
  });
  return nb::make_tuple(found.value, to_numpy(std::move(found.arc)), to_numpy(std::move(found.source_side)));
}

}  // namespace

void bind_flow(nb::module_& module) {
  module.def("max_flow", &flow_of, nb::arg("graph"), nb::arg("source"), nb::arg("target"), nb::arg("strategy"),
             nb::arg("threads"), nb::arg("device"), nb::arg("seconds"), nb::arg("report").none(),
             nb::sig("def max_flow(graph: Graph, source: int, target: int, strategy: str, threads: int, device: str, "
                     "seconds: float, report: object | None) -> tuple[int, numpy.typing.NDArray[numpy.int64], "
                     "numpy.typing.NDArray[numpy.uint8]]"));
}

}  // namespace hopwave::python
