// Diameter, radius and eccentricities, exact and from few searches.
#include <hopwave/eccentricity.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "core.h"

namespace hopwave::python {

namespace {

EccentricityGoal goal_of(const std::string& name) {
  if (name == "diameter") return EccentricityGoal::diameter;
  if (name == "radius") return EccentricityGoal::radius;
  if (name == "figures") return EccentricityGoal::figures;
  if (name == "every") return EccentricityGoal::every;
  throw nb::value_error("goal is one of diameter, radius, figures, every");
}

EccentricityScope scope_of(const std::string& name) {
  if (name == "each") return EccentricityScope::each;
  if (name == "largest") return EccentricityScope::largest;
  throw nb::value_error("scope is one of each, largest");
}

nb::object vertex_or_none(VertexId v) { return v == no_vertex ? nb::none() : nb::object(nb::int_(v)); }

nb::dict eccentricities_of(const HeldGraph& held, const std::string& goal, const std::string& scope,
                           const std::string& direction, std::uint64_t max_searches, Caller& caller) {
  const Graph& graph = *held.graph;
  EccentricityOptions options{.goal = goal_of(goal), .scope = scope_of(scope), .max_searches = max_searches};
  options.search.direction = direction_of(direction);
  // The number of searches is not known in advance, so Ctrl-C is checked for all but the smallest graphs.
  const std::uint64_t work = (graph.num_arcs() + graph.num_vertices()) * 64ull;
  caller.allow_part();
  Eccentricities found = interruptible(work, caller, [&](std::stop_token stop) {
    options.search.run = caller.options(std::move(stop));
    Eccentricities all = eccentricities(graph, options);
    caller.reached({.what = "searches", .done = all.searches, .longest = all.diameter.lower});
    return all;
  });
  found.run.end = caller.end(found.run.end);
  nb::dict d;
  d["lower"] = to_numpy(std::move(found.lower));
  d["upper"] = to_numpy(std::move(found.upper));
  d["diameter"] = nb::make_tuple(found.diameter.lower, found.diameter.upper);
  d["radius"] = nb::make_tuple(found.radius.lower, found.radius.upper);
  d["start"] = vertex_or_none(found.from);
  d["end"] = vertex_or_none(found.to);
  d["central"] = vertex_or_none(found.central);
  d["center"] = to_numpy(std::move(found.center));
  d["periphery"] = to_numpy(std::move(found.periphery));
  d["components"] = found.components;
  d["searches"] = found.searches;
  d["run"] = std::move(found.run);
  return d;
}

}  // namespace

void bind_eccentricity(nb::module_& module) {
  module.def("eccentricities", &eccentricities_of, nb::arg("graph"), nb::arg("goal"), nb::arg("scope"), nb::arg("direction"),
             nb::arg("max_searches"), nb::arg("asked"),
             nb::sig("def eccentricities(graph: Graph, goal: str, scope: str, direction: str, max_searches: int, "
                     "asked: Asked) -> dict[str, typing.Any]"));
}

}  // namespace hopwave::python
