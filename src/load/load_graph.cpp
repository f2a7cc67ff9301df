// load_graph: makes a Graph of a file or a generator's spec. A .hwg is mapped and, if it is what was asked for, used
// directly.
#include <sys/stat.h>

#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "io/format.h"
#include "io/hwg.h"
#include "load/cache.h"

namespace hopwave::inline v0_1 {
namespace {

/// Returns whether the stored graph, described by `was`, must be built again to satisfy `build`.
bool must_rebuild(const BuildReport& was, const BuildOptions& build) {
  return (!build.keep_duplicates && was.duplicates_kept && was.duplicates > 0) ||
         (!build.keep_self_loops && was.self_loops_kept && was.self_loops > 0);
}

Graph graph_of(io::HwgContent content, const ReadOptions& read, const BuildOptions& build) {
  const bool whole = content.extra && (build.keep_duplicates || build.keep_self_loops);
  const bool turned = (read.undirected || build.make_undirected) && content.graph.directed();
  if (turned || must_rebuild(whole ? content.history : content.graph.build_report(), build)) {
    EdgeList list = io::list_of(content, whole, read);
    content = {};
    return build_graph(std::move(list), build, read.run);
  }
  Graph graph = whole ? io::whole_graph(content, read.run.threads) : std::move(content.graph);
  content = {};
  if (graph.has_weights() && !(read.weights && build.keep_weights)) {
    const auto without = [](const Adjacency& a) { return Adjacency{a.offsets, a.neighbors, {}}; };
    std::optional<Adjacency> in;
    if (graph.directed() && graph.has_in()) in = without(graph.in());
    Graph bare = Graph::trusted(graph.num_vertices(), graph.directed(), without(graph.out()), std::move(in), graph.ids());
    bare.set_read_report(graph.read_report());
    bare.set_build_report(graph.build_report());
    bare.set_default_source(graph.default_source());
    bare.set_preparation(graph.preparation());
    graph = std::move(bare);
  }
  if (build.build_in) graph.ensure_in(read.run.progress);
  return graph;
}

Graph with_note(Graph graph, std::string note) {
  ReadReport report = graph.read_report();
  report.notes.push_back(std::move(note));
  graph.set_read_report(std::move(report));
  return graph;
}

/// Returns the graph in the cache, with reports about the file from which it was made.
Graph from_cache(const std::string& path, const load::Cache& cache, io::HwgContent content, const ReadOptions& read,
                 const BuildOptions& build) {
  Graph graph = graph_of(std::move(content), read, build);
  ReadReport report = graph.read_report();
  report.source = path;
  report.details = "the cache " + cache.name() + (report.details.empty() ? "" : ", " + report.details);
  graph.set_read_report(std::move(report));
  return graph;
}

Graph load_by_cache(const std::string& path, const load::Cache& cache, const ReadOptions& read, const BuildOptions& build) {
  if (auto content = cache.open(read)) return from_cache(path, cache, std::move(*content), read, build);
  const auto without = [&](const std::string& why) {
    return with_note(build_graph(read_edges(path, read), build, read.run), "no cache " + cache.name() + ": " + why);
  };
  if (const std::string why_not = cache.why_not_store(); !why_not.empty()) return without(why_not);
  BuildOptions all = build;
  all.keep_duplicates = all.keep_self_loops = all.keep_weights = true;
  all.build_in = false;
  all.make_undirected = build.make_undirected || read.undirected;
  RunOptions on_cpu = read.run;
  on_cpu.device = DeviceKind::cpu;
  Graph graph = build_graph(read_edges(path, read), all, on_cpu);
  const ReadReport report = graph.read_report();
  const Milliseconds build_time = graph.build_report().time;
  try {
    if (!cache.store(graph, read, read.run.progress)) return without("the file changes while it is read");
  } catch (const Error& error) {
    if (!error.id().starts_with("HW-IO-")) throw;
    return without(error.parts().found);
  }
  graph = {};
  auto content = cache.open(read);
  if (!content) return without("the file changes while it is read");
  graph = graph_of(std::move(*content), read, build);
  graph.set_read_report(report);  // this time the file was read and parsed
  BuildReport built = graph.build_report();
  built.time = build_time;
  graph.set_build_report(built);
  return graph;
}

Graph load_any(const std::string& path_or_spec, const ReadOptions& read, const BuildOptions& build) {
  struct stat info {};
  const bool file = path_or_spec == "-" || ::stat(path_or_spec.c_str(), &info) == 0;
  if (!file && is_generator_spec(path_or_spec)) {
    io::check_options(read, "generator");
    io::check_table_options(read, "generator");
    BuildOptions wanted = build;
    wanted.keep_weights = build.keep_weights && read.weights;
    return build_graph(generate(path_or_spec, read.run.progress), wanted, read.run);
  }
  if ((read.format.empty() || read.format == "hwg") && io::is_hwg_file(path_or_spec)) {
    io::check_options(read, "hwg");
    io::check_table_options(read, "hwg");
    return graph_of(io::open_hwg(path_or_spec, read), read, build);
  }
  if (read.cache)
    if (const auto cache = load::Cache::of(path_or_spec, read, read.undirected || build.make_undirected))
      return load_by_cache(path_or_spec, *cache, read, build);
  return build_graph(read_edges(path_or_spec, read), build, read.run);
}

/// An undirected graph has both arcs of every edge, so it only needs to be declared directed.
Graph as_directed(Graph graph) {
  const Adjacency both = graph.out();
  Graph directed = Graph::trusted(graph.num_vertices(), true, both, both, graph.ids());
  directed.set_read_report(graph.read_report());
  directed.set_build_report(graph.build_report());
  directed.set_default_source(graph.default_source());
  return directed;
}

}  // namespace

Graph load_graph(const std::string& path_or_spec, const ReadOptions& read, const BuildOptions& build) {
  Graph graph = load_any(path_or_spec, read, build);
  return read.directed && !graph.directed() ? as_directed(std::move(graph)) : graph;
}

}  // namespace hopwave::inline v0_1
