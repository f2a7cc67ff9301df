// Core numbers.
#include <hopwave/kcore.h>

#include "core.h"

namespace hopwave::python {

namespace {

/// Returns the core numbers, the greatest, how many vertices have it, and the report.
nb::tuple cores_of(const HeldGraph& held, Caller& caller) {
  const Graph& graph = *held.graph;
  KCore found = interruptible(graph.num_arcs() + graph.num_vertices(), caller, [&](std::stop_token stop) {
    KCore all = core_numbers(graph, caller.options(std::move(stop)));
    caller.finished();
    return all;
  });
  return nb::make_tuple(to_numpy(std::move(found.core)), found.largest, found.largest_size, std::move(found.run));
}

}  // namespace

void bind_kcore(nb::module_& module) {
  module.def("core_numbers", &cores_of, nb::arg("graph"), nb::arg("asked"),
             nb::sig("def core_numbers(graph: Graph, asked: Asked) -> tuple[numpy.typing.NDArray[numpy.uint32], int, int, "
                     "RunReport]"));
}

}  // namespace hopwave::python
