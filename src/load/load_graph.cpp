// load_graph: a file or a generator's spec becomes a Graph; a .hwg is mapped and, if it is what was asked for, used as it is.
#include <sys/stat.h>

#include "hopwave/generate.h"
#include "hopwave/io.h"
#include "io/format.h"
#include "io/hwg.h"

namespace hopwave::inline v0_1 {
namespace {

/// Must the stored graph, of which `was` tells, be built again to be what `build` asks for?
bool must_rebuild(const BuildReport& was, const BuildOptions& build) {
  return (!build.keep_duplicates && was.duplicates_kept && was.duplicates > 0) ||
         (!build.keep_self_loops && was.self_loops_kept && was.self_loops > 0);
}

Graph load_hwg(const std::string& path, const ReadOptions& read, const BuildOptions& build) {
  io::HwgContent content = io::open_hwg(path, read);
  const bool whole = content.extra && (build.keep_duplicates || build.keep_self_loops);
  const bool turned = (read.undirected || build.make_undirected) && content.graph.directed();
  if (turned || must_rebuild(whole ? content.history : content.graph.build_report(), build)) {
    EdgeList list = io::list_of(content, whole, read);
    content = {};
    return build_graph(std::move(list), build);
  }
  Graph graph = whole ? io::whole_graph(content, read.threads) : std::move(content.graph);
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
  if (build.build_in) graph.ensure_in(build.progress);
  return graph;
}

}  // namespace

Graph load_graph(const std::string& path_or_spec, const ReadOptions& read, const BuildOptions& build) {
  struct stat info {};
  const bool file = path_or_spec == "-" || ::stat(path_or_spec.c_str(), &info) == 0;
  if (!file && is_generator_spec(path_or_spec)) {
    io::check_drop_zeros(read, "generator");
    return build_graph(generate(path_or_spec, read.progress), build);
  }
  if ((read.format.empty() || read.format == "hwg") && io::is_hwg_file(path_or_spec)) {
    io::check_drop_zeros(read, "hwg");
    return load_hwg(path_or_spec, read, build);
  }
  return build_graph(read_edges(path_or_spec, read), build);
}

}  // namespace hopwave::inline v0_1
