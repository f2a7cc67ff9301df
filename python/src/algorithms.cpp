// The library's table of algorithms, and the call of each by its name.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core.h"

namespace hopwave::python {

namespace {

nb::list table() {
  static const char* const parameter_kinds[] = {"count", "real", "word", "vertex", "vertices", "truth"};
  static const char* const output_kinds[] = {"count",    "real",     "range",   "vertex", "ends",  "vertices",
                                             "naturals", "integers", "amounts", "truths", "reals", "truth"};
  nb::list rows;
  for (const Algorithm* of : algorithms()) {
    nb::list parameters, outputs;
    for (const AlgorithmParameter& each : of->parameters) {
      nb::dict d;
      d["name"] = each.name;
      d["kind"] = parameter_kinds[static_cast<int>(each.kind)];
      d["initial"] = nb::cast(each.initial);
      d["lowest"] = each.lowest;
      d["choices"] = each.choices;
      d["required"] = each.required;
      d["keyword"] = each.keyword;
      d["excludes"] = each.excludes;
      parameters.append(d);
    }
    for (const AlgorithmOutput& each : of->outputs) {
      nb::dict d;
      d["name"] = each.name;
      d["kind"] = output_kinds[static_cast<int>(each.kind)];
      d["help"] = each.help;
      d["ranked"] = each.ranked;
      d["of_arcs"] = each.of_arcs;
      d["of_sources"] = each.of_sources;
      d["weighed"] = each.weighed;
      outputs.append(d);
    }
    nb::dict d;
    d["name"] = of->name;
    d["function"] = of->function;
    d["help"] = of->help;
    d["result"] = of->result;
    d["result_help"] = of->result_help;
    d["parameters"] = parameters;
    d["outputs"] = outputs;
    d["unit"] = of->unit;
    d["automatic"] = of->automatic;
    d["partial"] = of->partial;
    d["networkx"] = of->networkx;
    rows.append(d);
  }
  return rows;
}

struct ToPython {
  nb::object operator()(std::uint64_t count) const { return nb::cast(count); }
  nb::object operator()(bool truth) const { return nb::bool_(truth); }
  nb::object operator()(double real) const { return nb::cast(real); }
  nb::object operator()(DistanceRange range) const { return nb::make_tuple(range.lower, range.upper); }
  nb::object operator()(WeightRange range) const { return nb::make_tuple(range.lower, range.upper); }
  nb::object operator()(VertexId v) const { return v == no_vertex ? nb::none() : nb::cast(v); }
  nb::object operator()(std::pair<VertexId, VertexId> ends) const {
    return ends.first == no_vertex ? nb::none() : nb::object(nb::make_tuple(ends.first, ends.second));
  }
  template <class Values>
  nb::object operator()(Values&& values) const {
    return nb::cast(to_numpy(std::move(values)));
  }
};

AlgorithmValue value_of(nb::handle value) {
  In<VertexId> vertices;
  if (nb::try_cast(value, vertices)) return std::vector<VertexId>(vertices.data(), vertices.data() + vertices.size());
  return nb::cast<AlgorithmValue>(value);
}

/// Returns the outputs, in the order of the table, and the report.
nb::tuple run(const HeldGraph& held, const std::string& name, const nb::dict& given, Caller& caller) {
  const Graph& graph = *held.graph;
  const Algorithm& algorithm = algorithm_named(name);
  if (algorithm.partial) caller.allow_part();
  std::map<std::string, AlgorithmValue, std::less<>> values;
  for (const auto [key, value] : given) values[nb::cast<std::string>(key)] = value_of(value);
  AlgorithmAnswer found =
      interruptible((graph.num_arcs() + graph.num_vertices()) * (algorithm.passes ? algorithm.passes : graph.num_vertices()),
                    caller, [&](std::stop_token stop) {
                      AlgorithmAnswer answer = run_algorithm(graph, name, values, caller.options(std::move(stop)));
                      if (answer.last.what.empty())
                        caller.finished();
                      else
                        caller.reached(answer.last);
                      return answer;
                    });
  found.run.end = caller.end(found.run.end);
  nb::list outputs;
  for (AlgorithmResult& output : found.outputs) outputs.append(std::visit(ToPython(), std::move(output)));
  return nb::make_tuple(outputs, std::move(found.run));
}

}  // namespace

void bind_algorithms(nb::module_& module) {
  module.def("algorithms", &table, nb::sig("def algorithms() -> list[dict[str, typing.Any]]"));
  module.def("run_algorithm", &run, nb::arg("graph"), nb::arg("name"), nb::arg("values"), nb::arg("asked"),
             nb::sig("def run_algorithm(graph: Graph, name: str, values: dict[str, typing.Any], asked: Asked) -> "
                     "tuple[list[typing.Any], RunReport]"));
}

}  // namespace hopwave::python
