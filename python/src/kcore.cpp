// Core numbers.
#include <hopwave/kcore.h>
#include <nanobind/stl/string.h>

#include <string>

#include "core.h"

namespace hopwave::python {

namespace {

/// Returns the core numbers, the greatest, and how many vertices have it.
nb::tuple cores_of(const HeldGraph& held, int threads, const std::string& device, double seconds, nb::object report) {
  Caller caller(std::move(report), seconds);
  const Graph& graph = *held.graph;
  RunOptions options{.device = device_kind(device), .threads = threads};
  KCore found = interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    options.limits = caller.limits(std::move(stop));
    options.progress = caller.listener();
    KCore all = core_numbers(graph, options);
    caller.reached(graph.num_vertices(), graph.num_vertices());
    return all;
  });
  return nb::make_tuple(to_numpy(std::move(found.core)), found.largest, found.largest_size);
}

}  // namespace

void bind_kcore(nb::module_& module) {
  module.def("core_numbers", &cores_of, nb::arg("graph"), nb::arg("threads"), nb::arg("device"), nb::arg("seconds"),
             nb::arg("report").none(),
             nb::sig("def core_numbers(graph: Graph, threads: int, device: str, seconds: float, report: object | None) -> "
                     "tuple[numpy.typing.NDArray[numpy.uint32], int, int]"));
}

}  // namespace hopwave::python
