// Graphs: read, built from arrays, asked for ids and rows.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "core.h"

namespace hopwave::python {

namespace {

HeldGraph held(Graph&& graph) { return {std::make_shared<const Graph>(std::move(graph))}; }

/// Calls `report(bytes done, bytes in all)` some times a second, from the caller's thread. The thread that reads never enters
/// Python: should the interpreter end meanwhile, Python ends only threads of its own without harm.
class Reporter {
 public:
  explicit Reporter(nb::object report) : report_(std::move(report)) {}

  /// From the thread that reads.
  void reached(std::uint64_t done, std::uint64_t total) {
    total_.store(total, std::memory_order_relaxed);
    done_.store(done, std::memory_order_release);
  }
  /// From the caller's thread, with the GIL. False: the caller's function raised, and its error is set.
  bool show() {
    const std::uint64_t done = done_.load(std::memory_order_acquire);
    if (report_.is_none() || done == shown_) return true;
    shown_ = done;
    PyObject* given = PyObject_CallFunction(report_.ptr(), "KK", static_cast<unsigned long long>(done),
                                            static_cast<unsigned long long>(total_.load(std::memory_order_relaxed)));
    Py_XDECREF(given);
    return given != nullptr;
  }
  bool show_sometimes() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return true;
    last_ = now;
    return show();
  }

 private:
  nb::object report_;
  std::atomic<std::uint64_t> done_{0}, total_{0};
  std::uint64_t shown_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

HeldGraph read(const std::string& path, const std::string& format, std::optional<bool> undirected,
               std::optional<bool> bipartite, bool lenient, const std::string& columns, std::optional<bool> header,
               const std::string& missing_weight, bool weights, nb::object report) {
  Reporter reporter(std::move(report));
  // A file's size is not known before it is read, so reading always watches for Ctrl-C.
  HeldGraph graph = interruptible(
      arcs_worth_a_thread,
      [&](std::stop_token stop) {
        ReadOptions options{.format = format,
                            .lenient = lenient,
                            .undirected = undirected.value_or(false),
                            .weights = weights,
                            .columns = columns,
                            .header = header,
                            .missing_weight = missing_weight};
        options.directed = !undirected.value_or(true);
        options.bipartite = bipartite;
        options.progress = [&, stop](std::uint64_t done, std::uint64_t total) {
          reporter.reached(done, total);
          return !stop.stop_requested();
        };
        return held(load_graph(path, options, {.make_undirected = options.undirected}));
      },
      nullptr, [&] { return reporter.show_sometimes(); });
  if (!or_sleep([&] { return reporter.show(); })) throw nb::python_error();
  return graph;
}

using SomeWeights = std::variant<In<std::int32_t>, In<std::int64_t>, In<float>, In<double>>;

WeightSpan span_of(const std::optional<SomeWeights>& weights) {
  if (!weights) return {};
  return std::visit([](const auto& values) { return WeightSpan(std::span(values.data(), values.size())); }, *weights);
}

template <class T>
HeldGraph from_edges(In<T> sources, In<T> targets, bool directed, std::optional<VertexId> num_vertices,
                     std::optional<SomeWeights> weights) {
  const WithoutGil released;
  return held(Graph::from_edges(std::span<const T>(sources.data(), sources.size()),
                                std::span<const T>(targets.data(), targets.size()),
                                {.directed = directed, .num_vertices = num_vertices, .weights = span_of(weights)}));
}

HeldGraph from_names(const std::vector<std::string>& sources, const std::vector<std::string>& targets, bool directed) {
  const WithoutGil released;
  return held(Graph::from_edges(sources, targets, {.directed = directed}));
}

template <class T>
HeldGraph from_csr(In<T> offsets, In<T> neighbors, bool directed, std::optional<SomeWeights> weights) {
  const WithoutGil released;
  return held(Graph::from_csr(std::span<const T>(offsets.data(), offsets.size()),
                              std::span<const T>(neighbors.data(), neighbors.size()),
                              {.directed = directed, .sort_rows = true, .weights = span_of(weights)}));
}

nb::object ids(const HeldGraph& held) {
  const Graph& graph = *held.graph;
  const Ids& all = graph.ids();
  if (all.kind() == Ids::Kind::strings) return nb::cast(all.names());
  Array<std::int64_t> numbers(graph.num_vertices());
  for (VertexId v = 0; v < graph.num_vertices(); ++v) numbers[v] = all.number(v);
  return nb::cast(to_numpy(std::move(numbers)));
}

nb::object name(const HeldGraph& held, VertexId v) {
  const Ids& all = held.graph->ids();
  return all.kind() == Ids::Kind::strings ? nb::cast(all.name(v)) : nb::cast(all.number(v));
}

Out<VertexId> vertices(const HeldGraph& held, In<std::int64_t> wanted) {
  Array<VertexId> found(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) found[i] = held.graph->vertex(wanted.data()[i]);
  return to_numpy(std::move(found));
}

std::uint64_t bytes_of(const HeldGraph& held) {
  const Graph& graph = *held.graph;
  const auto bytes = [](const Adjacency& a) {
    return a.offsets.size() * sizeof(EdgeIndex) + a.neighbors.size() * sizeof(VertexId) + a.weights.bytes().size();
  };
  return bytes(graph.out()) + (graph.directed() && graph.has_in() ? bytes(graph.in()) : 0);
}

nb::tuple csr(const HeldGraph& held) {
  const Adjacency& rows = held.graph->out();
  Out<const EdgeIndex> offsets(rows.offsets.data(), {rows.offsets.size()}, nb::cast(held));
  Out<const VertexId> neighbors(rows.neighbors.data(), {rows.neighbors.size()}, nb::cast(held));
  return nb::make_tuple(std::move(offsets), std::move(neighbors));
}

nb::object weights(const HeldGraph& held) {
  const Adjacency& rows = held.graph->out();
  if (rows.weights.empty()) return nb::none();
  return rows.weights.with([&]<class T>(std::span<const T> values) {
    return nb::cast(Out<const T>(values.data(), {values.size()}, nb::cast(held)));
  });
}

template <class T>
void bind_arrays(nb::module_& module) {
  module.def("from_edges", &from_edges<T>, nb::arg("sources"), nb::arg("targets"), nb::arg("directed"),
             nb::arg("num_vertices").none(), nb::arg("weights").none());
  module.def("from_csr", &from_csr<T>, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("directed"),
             nb::arg("weights").none());
}

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<HeldGraph>(module, "Graph")
      .def_prop_ro("num_vertices", [](const HeldGraph& g) { return g.graph->num_vertices(); })
      .def_prop_ro("num_arcs", [](const HeldGraph& g) { return g.graph->num_arcs(); })
      .def_prop_ro("directed", [](const HeldGraph& g) { return g.graph->directed(); })
      .def_prop_ro("has_names", [](const HeldGraph& g) { return g.graph->ids().kind() == Ids::Kind::strings; })
      .def_prop_ro("has_weights", [](const HeldGraph& g) { return g.graph->has_weights(); })
      .def_prop_ro("nbytes", &bytes_of)
      .def_prop_ro("notes", [](const HeldGraph& g) { return g.graph->read_report().notes; })
      .def("ids", &ids, nb::sig("def ids(self) -> typing.Any"))
      .def("name", &name, nb::sig("def name(self, vertex: int, /) -> typing.Any"))
      .def("vertex", [](const HeldGraph& g, std::int64_t id) { return g.graph->vertex(id); })
      .def("vertex", [](const HeldGraph& g, const std::string& id) { return g.graph->vertex(std::string_view(id)); })
      .def("vertices", &vertices)
      .def("csr", &csr,
           nb::sig("def csr(self) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint32]]"))
      .def("weights", &weights, nb::sig("def weights(self) -> numpy.typing.NDArray[typing.Any] | None"));
  module.def("read", &read, nb::arg("path"), nb::arg("format"), nb::arg("undirected").none(), nb::arg("bipartite").none(),
             nb::arg("lenient"), nb::arg("columns"), nb::arg("header").none(), nb::arg("missing_weight"), nb::arg("weights"),
             nb::arg("report").none());
  module.def("from_names", &from_names, nb::arg("sources"), nb::arg("targets"), nb::arg("directed"));
  bind_arrays<std::int64_t>(module);
  bind_arrays<std::int32_t>(module);
  bind_arrays<std::uint64_t>(module);
  bind_arrays<std::uint32_t>(module);
}

}  // namespace hopwave::python
