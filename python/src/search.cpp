// Searches of a graph that stays ready.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <span>
#include <string>

#include "core.h"

namespace hopwave::python {

namespace {

DeviceKind device_kind(const std::string& name) {
  if (name == "auto") return DeviceKind::automatic;
  if (name == "cpu") return DeviceKind::cpu;
  if (name == "gpu") return DeviceKind::gpu;
  if (name == "sim") return DeviceKind::sim;
  throw nb::value_error("device is one of auto, cpu, gpu, sim");
}

std::string device_name(DeviceKind kind) { return kind == DeviceKind::gpu ? "gpu" : kind == DeviceKind::sim ? "sim" : "cpu"; }

Direction direction_of(const std::string& name) {
  if (name == "out") return Direction::out;
  if (name == "in") return Direction::in;
  if (name == "both") return Direction::both;
  throw nb::value_error("direction is one of out, in, both");
}

struct Settings {
  std::string strategy, device, direction;
  bool prepare;
  int threads;
};

class HeldSearcher {
  // In front: what it returns is known from here on.
  template <class Work>
  auto limited(std::size_t searches, Work&& work) {
    const std::uint64_t arcs = (graph_->num_arcs() + graph_->num_vertices()) * searches;
    return interruptible(arcs, [&](std::stop_token stop) {
      // Always set: the token of a call before this one may have been used.
      searcher_->set_limits({.stop = std::move(stop)});
      return work();
    });
  }

 public:
  HeldSearcher(const HeldGraph& held, const Settings& settings) : graph_(held.graph) {
    SearchOptions options;
    options.strategy = settings.strategy;
    options.device = device_kind(settings.device);
    options.direction = direction_of(settings.direction);
    options.prepare = settings.prepare;
    options.threads = settings.threads;
    nb::gil_scoped_release release;
    searcher_ = std::make_unique<Searcher>(*graph_, options);
  }

  nb::tuple run(In<VertexId> sources, Distance max_depth, VertexId target, bool parents, bool least) {
    Query query{.sources = {sources.data(), sources.data() + sources.size()},
                .max_depth = max_depth,
                .target = target,
                .parents = parents,
                .ties = least ? Ties::min : Ties::any};
    Result r = limited(1, [&] { return searcher_->run(query); });
    nb::object parent = nb::none();
    if (parents) parent = nb::cast(to_numpy(std::move(r.parent)));
    return nb::make_tuple(to_numpy(std::move(r.distance)), parent, r.reached, r.depth, r.stats.search_ms, r.stats.chosen);
  }

  Out<Distance> each(In<VertexId> sources, Distance max_depth) {
    const std::size_t n = graph_->num_vertices();
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    Array<Distance> all = limited(wanted.size(), [&] {
      Array<Distance> rows(wanted.size() * n);
      searcher_->run_each(wanted, max_depth, [&](std::size_t i, Result&& r) {
        std::copy(r.distance.begin(), r.distance.end(), rows.data() + i * n);
      });
      return rows;
    });
    return to_numpy(std::move(all), {sources.size(), n});
  }

  /// Four arrays, a value a source: vertices reached, sum of distances, sum of inverse distances, eccentricity.
  nb::tuple summaries(In<VertexId> sources, Distance max_depth) {
    const std::span<const VertexId> wanted(sources.data(), sources.size());
    Array<std::uint64_t> reached(wanted.size()), sum(wanted.size());
    Array<double> inverse(wanted.size());
    Array<Distance> eccentricity(wanted.size());
    limited(wanted.size(), [&] {
      return searcher_->count_levels(wanted, max_depth, [&](std::size_t i, LevelCounts&& counts) {
        const SourceDistances d = source_distances(counts);
        reached[i] = d.reached;
        sum[i] = d.sum;
        inverse[i] = d.inverse_sum;
        eccentricity[i] = d.eccentricity;
      });
    });
    return nb::make_tuple(to_numpy(std::move(reached)), to_numpy(std::move(sum)), to_numpy(std::move(inverse)),
                          to_numpy(std::move(eccentricity)));
  }

  [[nodiscard]] std::string strategy() const { return searcher_->strategy(); }
  [[nodiscard]] std::string device() const { return device_name(searcher_->device()); }
  [[nodiscard]] std::vector<std::string> notes() const { return searcher_->notes(); }

 private:
  std::shared_ptr<const Graph> graph_;  // outlives the searcher, which refers to it
  std::unique_ptr<Searcher> searcher_;
};

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<HeldSearcher>(module, "Searcher")
      .def(
          "__init__",
          [](HeldSearcher* self, const HeldGraph& graph, std::string strategy, std::string device, std::string direction,
             bool prepare, int threads) {
            new (self) HeldSearcher(graph, {std::move(strategy), std::move(device), std::move(direction), prepare, threads});
          },
          nb::arg("graph"), nb::arg("strategy"), nb::arg("device"), nb::arg("direction"), nb::arg("prepare"),
          nb::arg("threads"))
      .def("run", &HeldSearcher::run, nb::arg("sources"), nb::arg("max_depth"), nb::arg("target"), nb::arg("parents"),
           nb::arg("least"),
           nb::sig("def run(self, sources: numpy.typing.NDArray[numpy.uint32], max_depth: int, target: int, parents: bool, "
                   "least: bool) -> "
                   "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint32] | None, int, int, float, str]"))
      .def("each", &HeldSearcher::each, nb::arg("sources"), nb::arg("max_depth"))
      .def("summaries", &HeldSearcher::summaries, nb::arg("sources"), nb::arg("max_depth"),
           nb::sig("def summaries(self, sources: numpy.typing.NDArray[numpy.uint32], max_depth: int) -> "
                   "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64], "
                   "numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.int32]]"))
      .def_prop_ro("strategy", &HeldSearcher::strategy)
      .def_prop_ro("device", &HeldSearcher::device)
      .def_prop_ro("notes", &HeldSearcher::notes);
}

}  // namespace hopwave::python
