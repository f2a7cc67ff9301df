// hopwave._core: the library's objects for Python. The package's Python files check inputs and name things.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "device.h"
#include "dijkstra.h"
#include "rows.h"

namespace hopwave::python {

namespace {

nb::dict device() {
  DeviceInfo info;
  {
    const WithoutGil released;
    info = device_info();
  }
  nb::dict d;
  d["gpu"] = info.gpu;
  d["name"] = info.name;
  d["why_not"] = info.why_not;
  d["memory_total"] = info.memory_total;
  d["memory_free"] = info.memory_free;
  d["built_with_cuda"] = info.built_with_cuda;
  return d;
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.emplace_back(info.name);
  return names;
}

std::string source_of(const std::string& strategy, bool cuda) {
  return strategy_source(strategy, cuda ? KernelWords::cuda : KernelWords::hopwave);
}

std::vector<std::pair<std::string, std::string>> steps_of(const std::string& listing) {
  std::vector<std::pair<std::string, std::string>> steps;
  for (ListingStep& step : listing_steps(listing)) steps.emplace_back(std::move(step.place), std::move(step.what));
  return steps;
}

}  // namespace

}  // namespace hopwave::python

NB_MODULE(_core, module) {
  using namespace hopwave::python;
  (void)take_thread_memory();
  nb::set_leak_warnings(false);  // daemon threads keep their objects until the process ends
  bind_errors(module);
  bind_run(module);
  bind_graph(module);
  bind_algorithms(module);
  bind_components(module);
  bind_betweenness(module);
  bind_device(module);
  bind_search(module);
  bind_shortest_paths(module);
  bind_rows(module);
  bind_walk(module);
  bind_dijkstra(module);
  bind_strong_order(module);
  bind_girth(module);
  bind_both_ends(module);
  module.def("device_info", &device, nb::sig("def device_info() -> dict[str, typing.Any]"),
             "The GPU of this machine, or the reason why there is none.");
  module.def("strategies", &strategy_names, "Names of all strategies of this build.");
  module.def(
      "strategy_source", &source_of, nb::arg("strategy"), nb::kw_only(), nb::arg("cuda") = false,
      "The kernels of a strategy or of a printed listing (`literal:NAME`), as text; with `cuda`, in the words of CUDA.\n\n"
      "Of a CPU strategy and of `auto` it is the whole file, and there are no words of CUDA.");
  module.def(
      "listing_steps", &steps_of, nb::arg("listing"),
      "The steps of a printed listing (`literal:NAME`): pairs of the figure's line, or a number, and what a thread does.");
}
