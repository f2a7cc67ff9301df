// Closeness from sampled pivots.
#include <hopwave/sampled_closeness.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include "core.h"

namespace hopwave::python {

namespace {

nb::dict sampled_of(const HeldGraph& held, std::uint64_t samples, std::uint64_t seed, double risk, const std::string& direction,
                    const std::string& device, double seconds, nb::object report) {
  Caller caller(std::move(report), seconds);
  const Graph& graph = *held.graph;
  SampledClosenessOptions options{.samples = samples, .seed = seed, .risk = risk};
  options.search.device = device_kind(device);
  options.search.direction = direction_of(direction);
  const std::uint64_t searches = std::min<std::uint64_t>(samples, graph.num_vertices());
  SampledCloseness found =
      interruptible((graph.num_arcs() + graph.num_vertices()) * searches, caller, [&](std::stop_token stop) {
        options.search.limits = caller.limits(std::move(stop));
        options.progress = caller.listener();
        return sampled_closeness(graph, options);
      });
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
  d["complete"] = found.complete;
  d["ended"] = found.ended;
  return d;
}

}  // namespace

void bind_sampled(nb::module_& module) {
  module.def("sampled_closeness", &sampled_of, nb::arg("graph"), nb::arg("samples"), nb::arg("seed"), nb::arg("risk"),
             nb::arg("direction"), nb::arg("device"), nb::arg("seconds"), nb::arg("report").none(),
             nb::sig("def sampled_closeness(graph: Graph, samples: int, seed: int, risk: float, direction: str, device: str, "
                     "seconds: float, report: object | None) -> dict[str, typing.Any]"));
}

}  // namespace hopwave::python
