// Closeness from sampled pivots.
#include <hopwave/sampled_closeness.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "core.h"

namespace hopwave::python {

namespace {

nb::dict sampled_of(const HeldGraph& held, std::uint64_t samples, double risk, const std::string& direction, Caller& caller) {
  const Graph& graph = *held.graph;
  const Direction along = direction_of(direction);
  const std::uint64_t searches = std::min<std::uint64_t>(samples, graph.num_vertices());
  caller.allow_part();
  SampledCloseness found =
      interruptible((graph.num_arcs() + graph.num_vertices()) * searches, caller, [&](std::stop_token stop) {
        SampledClosenessOptions options{.samples = samples, .risk = risk};
        options.search.direction = along;
        options.search.run = caller.options(std::move(stop));
        SampledCloseness estimates = sampled_closeness(graph, std::move(options));
        caller.reached({.what = "searches", .done = estimates.pivots, .total = searches});
        return estimates;
      });
  found.run.end = caller.end(found.run.end);
  nb::dict d;
  d["closeness"] = to_numpy(std::move(found.closeness));
  d["closeness_error"] = to_numpy(std::move(found.closeness_error));
  d["harmonic"] = to_numpy(std::move(found.harmonic));
  d["harmonic_error"] = to_numpy(std::move(found.harmonic_error));
  d["average"] = to_numpy(std::move(found.average));
  d["average_error"] = to_numpy(std::move(found.average_error));
  d["reached"] = to_numpy(std::move(found.reached));
  d["average_distance"] = found.average_distance;
  d["average_distance_error"] = found.average_distance_error;
  d["efficiency"] = found.efficiency;
  d["efficiency_error"] = found.efficiency_error;
  d["diameter"] = nb::make_tuple(found.seen, found.longest);
  d["pivots"] = found.pivots;
  d["risk"] = found.risk;
  d["run"] = std::move(found.run);
  return d;
}

}  // namespace

void bind_sampled(nb::module_& module) {
  module.def("sampled_closeness", &sampled_of, nb::arg("graph"), nb::arg("samples"), nb::arg("risk"), nb::arg("direction"),
             nb::arg("asked"),
             nb::sig("def sampled_closeness(graph: Graph, samples: int, risk: float, direction: str, asked: Asked) -> "
                     "dict[str, typing.Any]"));
}

}  // namespace hopwave::python
