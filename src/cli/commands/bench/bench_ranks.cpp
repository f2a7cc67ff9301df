// hopwave bench graph500 on several processes: edges, rows, searches and checks shared out, and only rank 0 speaks.
#include <fmt/format.h>

#include <optional>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/draw_slices.h"
#include "bfs/distributed/rank_search.h"
#include "bfs/distributed/verify.h"
#include "cli/commands/bench/bench_run.h"
#include "cli/frame/rank_graph.h"
#include "core/stopwatch.h"
#include "measure/graph500_searches.h"

namespace hopwave::cli {
namespace {

using ranks::agree;
using ranks::Reduce;
using report::Graph500Run;

/// What the procedure on ranks cannot do is never left out silently.
void check_options(const BenchArguments& a) {
  if (a.graphs.size() != 1 || a.graphs[0] != "graph500") refuse_on_ranks("bench of anything but graph500", "bench graph500");
  check_rank_search(a.search);
  if (!a.scans.empty()) refuse_on_ranks("--parameter-scan", "none");
  if (a.trace || a.pictures) refuse_on_ranks("--trace or --pictures", "none");
  if (a.no_verify) refuse_on_ranks("--no-verify", "none: Graph500 validates every tree");
  if (a.reading.directed || a.reading.bipartite || a.reading.no_bipartite)
    refuse_on_ranks("--directed, --bipartite or --no-bipartite", "none: the graph is made, and undirected");
  if (a.reading.undirected || a.reading.keep_duplicates || a.reading.keep_self_loops)
    refuse_on_ranks("--undirected, --keep-duplicates or --keep-self-loops", "none: the graph is made, and undirected");
  checked_int("--scale", a.scale, 1, 31);
  checked_int("--edgefactor", a.edge_factor, 1, 1024);
}

/// Degrees of a graph whose rows others have: each question is one that all ranks ask.
struct SharedDegrees {
  ranks::Transport& transport;
  const ranks::Share& share;
  [[nodiscard]] VertexId num_vertices() const { return share.cut.num_vertices(); }
  [[nodiscard]] std::uint64_t out_degree(VertexId v) const {
    return transport.all_reduce(share.has(v) ? share.out.degree(v - share.begin()) : 0, Reduce::max);
  }
};

Graph500Run run_graph500(const BenchArguments& arguments, Context& context) {
  ranks::Transport& transport = *context.ranks;
  const std::string spec = fmt::format("rmat:{},{},{}", arguments.scale, arguments.edge_factor, arguments.search.seed);
  GraphArguments graph;
  graph.graph = spec;
  if (!arguments.reading.allow_huge) require_rank_memory(transport, graph, {.parents = true, .verify = true});
  SearchOptions options;
  ranks::agree(transport, [&] {
    options = search_options(arguments.search, checked_int("--threads", arguments.reading.threads, 0, 4096));
  });
  const int threads = rank_threads(transport, options.run.threads);
  const auto device = rank_device(transport, arguments.search, options);
  Progress progress(context.console, "graph500");
  const core::Stopwatch watch;
  Array<std::uint32_t> ends;
  auto drawn = ranks::draw_slices(
      transport, spec, {},
      [&](const Step& step) {
        progress.part(step.done, step.total);
        return !context.interrupted();
      },
      &ends);
  ranks::Share& share = drawn->share;
  Graph500Run run{.scale = static_cast<int>(arguments.scale),
                  .edge_factor = static_cast<int>(arguments.edge_factor),
                  .processes = transport.size()};
  run.construction_seconds = Seconds(drawn->about.build.time).count();  // rank 0's, which reports it
  run.generation_seconds = watch.seconds() - run.construction_seconds;
  run.input_edges = drawn->about.read.rows;
  ranks::PartitionedSearch search(transport, share,
                                  {.bottom_up = arguments.search.strategy != "cpu-parallel",
                                   .progress = [&](const Step&) { return !context.interrupted(); },
                                   .limits = options.run.limits,
                                   .device = device,
                                   .nccl = rank_exchange(transport, arguments.search)});
  auto& measurement = run.measurement;
  measurement.ran = rank_strategy(arguments.search);
  measurement.configuration = {
      .strategy = arguments.search.strategy, .device = device ? options.run.device : DeviceKind::cpu, .parameters = {}};
  measurement.graph.name = spec;
  measurement.graph.described = false;
  measurement.graph.profile.num_vertices = share.cut.num_vertices();
  measurement.graph.profile.num_arcs = share.num_arcs;
  measurement.graph.profile.average_degree = static_cast<double>(share.num_arcs) / share.cut.num_vertices();
  report::MeasureOptions measuring;
  measuring.run.progress = [&](const Step& step) {
    progress.steps(fmt::format("search {} of {}", step.done, step.total), step.done, step.total);
    return true;  // a search ends where its caller wants no more, on all ranks alike
  };
  const auto roots = report::sample_sources(SharedDegrees{transport, share}, 64, arguments.search.seed);
  report::Graph500Searches(run, measuring)
      .each(roots, [&](const Query& query, SearchReport& stats, report::SourceRuns& runs, double& edges) {
        const ranks::Answer answer = search.run(query);
        stats.work = stats.host = answer.time;
        stats.levels = static_cast<std::uint32_t>(answer.depth);
        const core::Stopwatch checking;
        ranks::verify(transport, share, query, answer, Direction::out, threads);
        run.validate_seconds.push_back(checking.seconds());
        runs.reached = answer.reached;
        runs.depth = answer.depth;
        std::uint64_t sums[] = {0, 0};  // ends of input edges, and arcs, of vertices that were reached
        for (VertexId row = 0; row < share.count(); ++row)
          if (answer.distance[row] != unreached) sums[0] += ends[row], sums[1] += share.out.degree(row);
        transport.all_reduce(sums, Reduce::sum);
        edges = static_cast<double>(sums[0] / 2);
        runs.component_arcs = sums[1];
        return Verdict{.ok = true};
      });
  return run;
}

}  // namespace

int bench_on_ranks(const BenchArguments& arguments, Context& context) {
  ranks::Transport& transport = *context.ranks;
  std::optional<Baseline> baseline;
  agree(transport, [&] {
    check_options(arguments);
    baseline = check_bench(arguments, context);
  });
  Graph500Run run = run_graph500(arguments, context);
  std::uint64_t code = 0;
  agree(transport, [&] {
    if (transport.rank() == 0)
      code = static_cast<std::uint64_t>(Bench(arguments, context, std::move(baseline)).publish_graph500(std::move(run)));
  });
  return static_cast<int>(transport.all_reduce(code, Reduce::max));
}

}  // namespace hopwave::cli
