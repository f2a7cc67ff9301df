#include "cli/frame/rank_graph.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/draw_slices.h"
#include "bfs/distributed/leave_out.h"
#include "bfs/distributed/rank_device.h"
#include "cli/frame/id_lines.h"
#include "core/host_memory.h"
#include "core/parallel.h"
#include "core/refuse.h"
#include "generate/part.h"
#include "hopwave/generate.h"

namespace hopwave::cli {

using ranks::agree;

void refuse_on_ranks(const std::string& option, const std::string& expected) {
  core::refuse("HW-RANKS-OPTION", option + " with several processes", expected,
               "one process alone can do it (without mpirun, or with HOPWAVE_RANKS=off)");
}

bool on_devices(const SearchArguments& search) {
  return search.device == "gpu" || search.device == "sim" || !search.gpus.empty();
}

void check_rank_search(const SearchArguments& search) {
  if (search.strategy != "auto" && search.strategy != "cpu-direction" && search.strategy != "cpu-parallel")
    refuse_on_ranks("--strategy " + search.strategy,
                    "auto, cpu-direction (both kinds of levels) or cpu-parallel (top-down alone)");
  if (on_devices(search) && search.strategy != "auto") refuse_on_ranks("--strategy " + search.strategy + " on GPUs", "auto");
  if (search.exchange != "auto" && !on_devices(search)) refuse_on_ranks("--exchange without --device gpu", "a GPU for each");
  if (search.exchange == "nccl" && search.device == "sim") refuse_on_ranks("--exchange nccl --device sim", "host or auto");
  if (search.partition) refuse_on_ranks("--partition", "none: ranks share the graph");
  if (!search.params.empty()) refuse_on_ranks("--param", "none");
  if (search.prepare) refuse_on_ranks("--prepare", "none");
  if (search.schedule != "uniform") refuse_on_ranks("--schedule", "none");
}

const char* rank_strategy(const SearchArguments& search) {
  return on_devices(search) ? "auto" : search.strategy == "cpu-parallel" ? "cpu-parallel" : "cpu-direction";
}

std::shared_ptr<device::Device> rank_device(ranks::Transport& transport, const SearchArguments& search,
                                            const SearchOptions& options) {
  if (!on_devices(search)) return nullptr;
  std::vector<int> ordinals;
  if (!search.gpus.empty()) {
    ordinals = options.run.replicas;
    ordinals.insert(ordinals.begin(), options.run.on.ordinal);
  }
  return ranks::device_of_rank(transport, options.run.device, ordinals);
}

const ranks::NcclTable* rank_exchange(ranks::Transport& transport, const SearchArguments& search) {
  if (!on_devices(search) || search.device == "sim" || search.exchange == "host") return nullptr;
  // NVLink's multicast is for reductions, which are not used here: without it NCCL takes less memory.
  ::setenv("NCCL_NVLS_ENABLE", "0", 0);
  std::string why_not;
  const ranks::NcclTable* const nccl = ranks::find_nccl(why_not);
  if (search.exchange == "nccl")
    agree(transport, [&] {
      if (!nccl)
        core::refuse("HW-RANKS-NCCL", why_not, "NCCL, by which GPUs of several processes exchange",
                     "LD_LIBRARY_PATH must name the folder of libnccl.so.2; --exchange host does without");
    });
  return transport.all_reduce(nccl ? 1 : 0, ranks::Reduce::min) ? nccl : nullptr;
}

int rank_threads(ranks::Transport& transport, int asked) {
  const auto here = static_cast<int>(ranks::ranks_of_this_machine(transport));
  return asked > 0 ? asked : std::max(1, hardware_threads() / here);
}

ShareFrom share_from(const GraphArguments& arguments) {
  const std::string& graph = arguments.graph;
  const ReadOptions read = read_options(arguments);
  if (ranks::has_slices(graph, read, build_options(arguments))) return ShareFrom::slices;
  const bool made = is_generator_spec(graph) && ::access(graph.c_str(), F_OK) != 0;
  return made && !read.drop_zeros && !read.directed && !read.bipartite && generate_detail::draws_parts(graph)
             ? ShareFrom::draws
             : ShareFrom::rank_0;
}

std::uint64_t rank_peak(const GraphArguments& arguments, const GraphSize& size, const ranks::RankMemory& each,
                        std::uint64_t ranks, bool rank_0) {
  const ShareFrom from = share_from(arguments);
  if (from == ShareFrom::slices || (from == ShareFrom::rank_0 && !rank_0)) return each.total();
  GraphSize built = size;
  built.mapped = false;  // a .hwg that is no more than an edge list here
  const MemoryEstimate whole = estimate_memory(built, {.undirected = arguments.undirected});
  if (from == ShareFrom::draws)
    return std::max(each.total(), ranks::drawing_memory(size.vertices, size.rows, whole.arcs, ranks));
  return std::max(whole.load_peak_bytes, whole.graph_bytes + each.rows) + each.total();
}

void require_rank_memory(ranks::Transport& transport, const GraphArguments& arguments, const ranks::RankUse& use) {
  const auto ranks = static_cast<std::uint64_t>(transport.size());
  std::vector<std::uint64_t>
      peaks;  // of rank 0, of the others; 1 if these are exact; 1 if each takes its share. Empty: not known
  agree(transport, [&] {
    if (transport.rank() != 0) return;
    check_graph_name(arguments.graph);
    const GraphSize size = graph_size(arguments.graph, read_options(arguments));
    if (!size.known) return;
    const bool undirected = size.undirected || arguments.undirected;
    const auto each = ranks::rank_memory(size.vertices, size.rows * (undirected ? 2 : 1), !undirected, use, ranks);
    peaks = {rank_peak(arguments, size, each, ranks, true), rank_peak(arguments, size, each, ranks, false), size.exact,
             share_from(arguments) != ShareFrom::rank_0};
  });
  transport.broadcast(0, peaks);
  if (peaks.empty()) return;
  ranks::require_memory(transport, {peaks[transport.rank() == 0 ? 0 : 1], peaks[2] != 0, peaks[3] != 0},
                        search_detail::shared_memory_free(), search_detail::process_memory_limit());
}

RankGraph load_on_ranks(Context& context, const GraphArguments& arguments, const ranks::RankUse& use,
                        const std::string& without) {
  ranks::Transport& transport = *context.ranks;
  const bool rank_0 = transport.rank() == 0;
  ReadOptions read;
  BuildOptions build;
  agree(transport, [&] {
    read = read_options(arguments);
    build = build_options(arguments);
  });
  if (!arguments.allow_huge) require_rank_memory(transport, arguments, use);

  std::optional<ranks::Sliced> sliced = ranks::read_slices(transport, arguments.graph, read, build);
  std::vector<std::uint64_t> draws;
  agree(transport, [&] {
    if (!rank_0) return;
    draws.push_back(!sliced && share_from(arguments) == ShareFrom::draws);
    if (draws[0] != 0) note_input_format(context, arguments);  // else load() does
  });
  transport.broadcast(0, draws);
  if (draws[0] != 0) {
    Progress progress(context.console, "generating " + arguments.graph);
    sliced = ranks::draw_slices(transport, arguments.graph, build, [&](const Step& step) {
      progress.part(step.done, step.total);
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
