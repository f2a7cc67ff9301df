// Graphs: read, built from arrays, and queried for ids and rows.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "core.h"

namespace hopwave::python {

namespace {

HeldGraph held(Graph&& graph) { return {std::make_shared<const Graph>(std::move(graph))}; }

/// The keywords of hopwave.read().
struct Reading {
  std::string format;
  std::optional<bool> directed, bipartite;
  bool lenient, allow_huge, drop_zeros;
  std::string columns;
  std::optional<bool> header;
  std::string missing_weight;
  bool decimal_comma;
  bool weights;
  std::optional<bool> keep_duplicates;
  bool keep_self_loops, cache;
};

/// Runs `work(run)` for calls of the library that have a progress function and no Limits.
template <class Work>
auto reported(std::uint64_t arcs, Caller& caller, Work&& work) {
  return interruptible(arcs, caller, [&](const std::stop_token&) {
    caller.check();
    return work(caller.options_without_limits());
  });
}

HeldGraph read(const std::string& path, const Reading& asked, Caller& caller) {
  // The time is not known in advance (a file's size, a generator's work), so Ctrl-C is always checked for.
  return reported(arcs_worth_a_thread, caller, [&](RunOptions run) {
    const ReadOptions options{.format = asked.format,
                              .lenient = asked.lenient,
                              .allow_huge = asked.allow_huge,
                              .undirected = !asked.directed.value_or(true),
                              .weights = asked.weights,
                              .drop_zeros = asked.drop_zeros,
                              .columns = asked.columns,
                              .header = asked.header,
                              .missing_weight = asked.missing_weight,
                              .decimal_comma = asked.decimal_comma,
                              .cache = asked.cache,
                              .directed = asked.directed.value_or(false),
                              .bipartite = asked.bipartite,
                              .run = std::move(run)};
    BuildOptions build{.make_undirected = options.undirected,
                       .keep_duplicates = asked.keep_duplicates.value_or(false),
                       .keep_self_loops = asked.keep_self_loops};
    Graph graph = load_graph(path, options, build);
    if (!asked.keep_duplicates && lost_capacities(graph)) {
      build.keep_duplicates = true;
      graph = load_graph(path, options, build);
    }
    HeldGraph made = held(std::move(graph));
    caller.finished();
    return made;
  });
}

void write(const HeldGraph& graph, const std::string& path, WriteOptions options, Caller& caller) {
  caller.allow_part();  // a file that is written stays
  reported(graph.graph->num_arcs() * 16, caller, [&](RunOptions run) {
    options.run = std::move(run);
    write_graph(*graph.graph, path, options);
    caller.finished();
    return true;
  });
}

using SomeWeights = std::variant<In<std::int32_t>, In<std::int64_t>, In<float>, In<double>>;

WeightSpan span_of(const std::optional<SomeWeights>& weights) {
  if (!weights) return {};
  return std::visit([](const auto& values) { return WeightSpan(std::span(values.data(), values.size())); }, *weights);
}

/// Options for building a graph from edges in memory.
struct Building {
  bool directed;
  std::optional<VertexId> num_vertices;
  bool keep_duplicates, keep_self_loops;
};

template <class Ends>
HeldGraph built(const Ends& sources, const Ends& targets, const Building& asked, const std::optional<SomeWeights>& weights,
                Caller& caller) {
  return reported(sources.size() * 8, caller, [&](RunOptions run) {
    HeldGraph made =
        held(Graph::from_edges(sources, targets,
                               {.directed = asked.directed,
                                .num_vertices = asked.num_vertices,
                                .weights = span_of(weights),
                                .build = {.keep_duplicates = asked.keep_duplicates, .keep_self_loops = asked.keep_self_loops},
                                .run = std::move(run)}));
    caller.finished();
    return made;
  });
}

template <class T>
HeldGraph from_edges(In<T> sources, In<T> targets, const Building& asked, std::optional<SomeWeights> weights, Caller& caller) {
  return built(std::span<const T>(sources.data(), sources.size()), std::span<const T>(targets.data(), targets.size()), asked,
               weights, caller);
}

HeldGraph from_names(const std::vector<std::string>& sources, const std::vector<std::string>& targets, const Building& asked,
                     std::optional<SomeWeights> weights, Caller& caller) {
  return built(sources, targets, asked, weights, caller);
}

/// Returns the graph with each arc in both directions; of two weights the lesser.
HeldGraph undirected(const HeldGraph& graph, Caller& caller) {
  return reported(graph.graph->num_arcs() * 8, caller, [&](RunOptions run) {
    const Graph& from = *graph.graph;
    const Adjacency& out = from.out();
    EdgeList list{
        .num_vertices = from.num_vertices(), .edges = Array<Edge>(from.num_arcs()), .weights = out.weights, .ids = from.ids()};
    for (VertexId v = 0; v < from.num_vertices(); ++v)
      for (EdgeIndex i = out.offsets[v]; i < out.offsets[v + 1ull]; ++i) list.edges[i] = {v, out.neighbors[i]};
    list.report = from.read_report();
    list.default_source = from.default_source();
    HeldGraph made = held(build_graph(std::move(list), {.make_undirected = true, .keep_self_loops = true}, run));
    caller.finished();
    return made;
  });
}

/// Returns the graph with the same arrays and another direction: an undirected graph has both arcs of every edge.
HeldGraph renamed(const HeldGraph& graph, bool directed, Ids ids) {
  const Graph& from = *graph.graph;
  std::optional<Adjacency> in;
  if (directed && from.has_in()) in = from.in();
  Graph made = Graph::trusted(from.num_vertices(), directed, from.out(), std::move(in), std::move(ids));
  made.set_read_report(from.read_report());
  made.set_build_report(from.build_report());
  made.set_default_source(from.default_source());
  return held(std::move(made));
}

HeldGraph as_directed(const HeldGraph& graph, Caller& caller) {
  const std::uint64_t arcs = graph.graph->num_arcs();
  return reported(arcs, caller, [&](const RunOptions&) {
    caller.go_on({.what = "arcs", .total = arcs});
    HeldGraph made = renamed(graph, true, graph.graph->ids());
    caller.go_on({.what = "arcs", .done = arcs, .total = arcs});
    return made;
  });
}

HeldGraph with_names(const HeldGraph& graph, std::vector<std::string> names) {
  return renamed(graph, graph.graph->directed(), Ids::strings(std::move(names)));
}

/// Returns the graph with other ids. `numbers`: ascending, one per vertex.
HeldGraph with_numbers(const HeldGraph& graph, In<std::int64_t> numbers) {
  const std::size_t n = numbers.size();
  const std::int64_t* const first = numbers.data();
  if (n && static_cast<std::uint64_t>(first[n - 1]) - static_cast<std::uint64_t>(first[0]) == n - 1)
    return renamed(graph, graph.graph->directed(), Ids::consecutive(static_cast<VertexId>(n), first[0]));
  Array<std::int64_t> table(n);
  std::copy_n(first, n, table.data());
  return renamed(graph, graph.graph->directed(), Ids::integers(std::move(table)));
}

nb::dict report_of(const HeldGraph& graph) {
  const ReadReport& read = graph.graph->read_report();
  const BuildReport& build = graph.graph->build_report();
  nb::dict d;
  d["source"] = read.source;
  d["format"] = read.format;
  d["details"] = read.details;
  d["rows"] = read.rows;
  d["duplicates"] = build.duplicates;
  d["self_loops"] = build.self_loops;
  d["duplicates_kept"] = build.duplicates_kept;
  d["self_loops_kept"] = build.self_loops_kept;
  d["direction_assumed"] = read.direction_assumed;
  d["weights_rounded"] = read.weights_rounded;
  d["repairs"] = read.repairs;
  d["notes"] = read.notes;
  return d;
}

/// The library builds it at memory speed, in one part: limits end it before or after.
template <class T>
HeldGraph from_csr(In<T> offsets, In<T> neighbors, bool directed, std::optional<SomeWeights> weights, Caller& caller) {
  return reported(0, caller, [&](const RunOptions&) {
    caller.go_on({.what = "arcs", .total = neighbors.size()});
    HeldGraph made = held(Graph::from_csr(std::span<const T>(offsets.data(), offsets.size()),
                                          std::span<const T>(neighbors.data(), neighbors.size()),
                                          {.directed = directed, .sort_rows = true, .weights = span_of(weights)}));
    caller.finished();
    return made;
  });
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
  module.def("from_edges", &from_edges<T>, nb::arg("sources"), nb::arg("targets"), nb::arg("building"),
             nb::arg("weights").none(), nb::arg("asked"));
  module.def("from_csr", &from_csr<T>, nb::arg("offsets"), nb::arg("neighbors"), nb::arg("directed"), nb::arg("weights").none(),
             nb::arg("asked"));
}

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<HeldGraph>(module, "Graph")
      .def_prop_ro("num_vertices", [](const HeldGraph& g) { return g.graph->num_vertices(); })
      .def_prop_ro("num_arcs", [](const HeldGraph& g) { return g.graph->num_arcs(); })
      .def_prop_ro("directed", [](const HeldGraph& g) { return g.graph->directed(); })
      .def_prop_ro("has_names", [](const HeldGraph& g) { return g.graph->ids().kind() == Ids::Kind::strings; })
      .def_prop_ro("has_weights", [](const HeldGraph& g) { return g.graph->has_weights(); })
      .def_prop_ro("default_source", [](const HeldGraph& g) { return g.graph->default_source(); })
      .def_prop_ro("default_target", [](const HeldGraph& g) { return default_target(*g.graph); })
      .def_prop_ro("nbytes", &bytes_of)
      .def("report", &report_of, nb::sig("def report(self) -> dict[str, typing.Any]"))
      .def("directed_copy", &as_directed, nb::arg("asked"))
      .def("undirected_copy", &undirected, nb::arg("asked"))
      .def("with_names", &with_names, nb::arg("names"))
      .def("with_numbers", &with_numbers, nb::arg("numbers"))
      .def("write", &write, nb::arg("path"), nb::arg("options"), nb::arg("asked"))
      .def("ids", &ids, nb::sig("def ids(self) -> typing.Any"))
      .def("name", &name, nb::sig("def name(self, vertex: int, /) -> typing.Any"))
      .def("vertex", [](const HeldGraph& g, std::int64_t id) { return g.graph->vertex(id); })
      .def("vertex", [](const HeldGraph& g, const std::string& id) { return g.graph->vertex(std::string_view(id)); })
      .def("vertices", &vertices)
      .def(
          "spy",
          [](const HeldGraph& g, std::uint32_t side, const std::string& name) {
            const WithoutGil released;
            return spy_svg(spy_grid(*g.graph, side), spy_labels(*g.graph, name));
          },
          nb::arg("side"), nb::arg("name"))
      .def("csr", &csr,
           nb::sig("def csr(self) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint32]]"))
      .def("weights", &weights, nb::sig("def weights(self) -> numpy.typing.NDArray[typing.Any] | None"));
  nb::class_<Reading>(module, "Reading")
      .def(nb::init<std::string, std::optional<bool>, std::optional<bool>, bool, bool, bool, std::string, std::optional<bool>,
                    std::string, bool, bool, std::optional<bool>, bool, bool>(),
           nb::arg("format"), nb::arg("directed").none(), nb::arg("bipartite").none(), nb::arg("lenient"),
           nb::arg("allow_huge"), nb::arg("drop_zeros"), nb::arg("columns"), nb::arg("header").none(),
           nb::arg("missing_weight"), nb::arg("decimal_comma"), nb::arg("weights"), nb::arg("keep_duplicates").none(),
           nb::arg("keep_self_loops"), nb::arg("cache"));
  nb::class_<Building>(module, "Building")
      .def(nb::init<bool, std::optional<VertexId>, bool, bool>(), nb::arg("directed"), nb::arg("num_vertices").none(),
           nb::arg("keep_duplicates"), nb::arg("keep_self_loops"));
  nb::class_<WriteOptions>(module, "WriteOptions")
      .def(nb::new_([](std::string format, bool weights, bool with_in, int level, std::string layout,
                       const std::string& separator, bool renumber, std::optional<VertexId> source,
                       std::optional<VertexId> target) {
             return WriteOptions{.format = std::move(format),
                                 .weights = weights,
                                 .with_in = with_in,
                                 .level = level,
                                 .layout = std::move(layout),
                                 .separator = separator.empty() ? char{0} : separator[0],
                                 .target = target.value_or(no_vertex),
                                 .source = source.value_or(no_vertex),
                                 .renumber = renumber};
           }),
           nb::arg("format"), nb::arg("weights"), nb::arg("with_in"), nb::arg("level"), nb::arg("layout"), nb::arg("separator"),
           nb::arg("renumber"), nb::arg("source").none(), nb::arg("target").none());
  module.def("read", &read, nb::arg("path"), nb::arg("reading"), nb::arg("asked"));
  module.def("from_names", &from_names, nb::arg("sources"), nb::arg("targets"), nb::arg("building"), nb::arg("weights").none(),
             nb::arg("asked"));
  bind_arrays<std::int64_t>(module);
  bind_arrays<std::int32_t>(module);
  bind_arrays<std::uint64_t>(module);
  bind_arrays<std::uint32_t>(module);
}

}  // namespace hopwave::python
