// Maximum matchings.
#include <hopwave/matching.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <span>

#include "core.h"

namespace hopwave::python {

namespace {

/// Size, mates, sides, cover, and the report.
nb::tuple matching_of(const HeldGraph& held, const std::optional<In<std::uint8_t>>& side, Caller& caller) {
  const Graph& graph = *held.graph;
  MatchingOptions options;
  if (side) options.side = Array<std::uint8_t>::copy_of(std::span(side->data(), side->size()));
  Matching found = interruptible((graph.num_arcs() + graph.num_vertices()) * 4, caller, [&](std::stop_token stop) {
    options.run = caller.options(std::move(stop));
    Matching matching = maximum_matching(graph, options);
    caller.reached({.what = "pairs", .done = matching.size, .total = matching.size});
    return matching;
  });
  return nb::make_tuple(found.size, to_numpy(std::move(found.mate)), to_numpy(std::move(found.side)),
                        to_numpy(std::move(found.cover)), std::move(found.run));
}

}  // namespace

void bind_matching(nb::module_& module) {
  module.def("maximum_matching", &matching_of, nb::arg("graph"), nb::arg("side").none(), nb::arg("asked"),
             nb::sig("def maximum_matching(graph: Graph, side: numpy.typing.NDArray[numpy.uint8] | None, asked: Asked) -> "
                     "tuple[int, numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint8], "
                     "numpy.typing.NDArray[numpy.uint8], RunReport]"));
}

}  // namespace hopwave::python
