#include "cli/rank_graph.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/id_lines.h"
#include "generate/part.h"
#include "hopwave/generate.h"
#include "io/hwg.h"
#include "ranks/agree.h"
#include "ranks/draw_slices.h"
#include "ranks/leave_out.h"

namespace hopwave::cli {

using ranks::agree;

ShareFrom share_from(const std::string& graph) {
  if (io::is_hwg_file(graph)) return ShareFrom::slices;
  const bool made = is_generator_spec(graph) && ::access(graph.c_str(), F_OK) != 0;
  return made && generate_detail::draws_parts(graph) ? ShareFrom::draws : ShareFrom::rank_0;
}

std::uint64_t rank_peak(ShareFrom from, const MemoryEstimate& whole, const ranks::RankMemory& each, std::uint64_t ranks,
                        bool rank_0) {
  if (from == ShareFrom::draws)
    return std::max(each.total(), ranks::drawing_memory(whole.size.vertices, whole.size.rows, whole.arcs, ranks));
  if (from == ShareFrom::slices || !rank_0) return each.total();
  return std::max(whole.load_peak_bytes, whole.graph_bytes + each.rows) + each.total();
}

void require_rank_memory(ranks::Transport& transport, const GraphArguments& arguments, bool parents) {
  const auto ranks = static_cast<std::uint64_t>(transport.size());
  std::vector<std::uint64_t> needs;  // of rank 0 and of the others; empty where nothing is known
  agree(transport, [&] {
    if (transport.rank() != 0) return;
    check_graph_name(arguments.graph);
    const ReadOptions read = read_options(arguments);
    const ShareFrom from = share_from(arguments.graph);
    MemoryEstimate whole = estimate_memory(arguments.graph, read, {.undirected = arguments.undirected, .parents = parents});
    if (from == ShareFrom::rank_0) require_host_memory(whole);
    // A sample may mislead: then only what no machine could do is refused, by the line above.
    if (!whole.size.known || !whole.size.exact) return;
    const auto each =
        ranks::rank_memory(whole.size.vertices, whole.arcs, !(whole.size.undirected || arguments.undirected), parents, ranks);
    for (const bool first : {true, false}) needs.push_back(rank_peak(from, whole, each, ranks, first));
  });
  transport.broadcast(0, needs);
  if (!needs.empty()) ranks::require_memory(transport, needs[transport.rank() == 0 ? 0 : 1], host_memory_free());
}

RankGraph load_on_ranks(Context& context, const GraphArguments& arguments, bool parents, const std::string& without) {
  ranks::Transport& transport = *context.ranks;
  const bool rank_0 = transport.rank() == 0;
  ReadOptions read;
  BuildOptions build;
  agree(transport, [&] {
    read = read_options(arguments);
    build = build_options(arguments);
  });
  if (!arguments.allow_huge) require_rank_memory(transport, arguments, parents);

  std::optional<ranks::Sliced> sliced = ranks::read_slices(transport, arguments.graph, read, build);
  std::vector<std::uint64_t> draws;
  agree(transport, [&] {
    if (rank_0) draws.push_back(!sliced && !read.drop_zeros && share_from(arguments.graph) == ShareFrom::draws);
  });
  transport.broadcast(0, draws);
  if (draws[0] != 0) {
    Progress progress(context.console, "generating " + arguments.graph);
    sliced = ranks::draw_slices(transport, arguments.graph, build, [&](std::uint64_t done, std::uint64_t total) {
      progress.part(done, total);
      return !context.interrupted();
    });
  }
  RankGraph graph;
  if (sliced) {
    graph = {std::move(sliced->share), std::move(sliced->about)};
  } else {
    std::optional<Loaded> loaded;
    agree(transport, [&] {
      if (rank_0) loaded = load(context, arguments);
    });
    graph.share = ranks::deal(transport, loaded ? &loaded->graph : nullptr);
    if (loaded)
      graph.about = {loaded->graph.ids(), loaded->graph.read_report(), loaded->graph.build_report(),
                     loaded->graph.default_source()};
  }
  if (!without.empty()) {
    std::vector<VertexId> left_out;
    agree(transport, [&] {
      if (rank_0) left_out = read_vertices(graph.about.ids, without);
    });
    ranks::leave_out(transport, graph.share, std::move(left_out));
  }
  return graph;
}

}  // namespace hopwave::cli
