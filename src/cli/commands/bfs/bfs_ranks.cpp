// hopwave bfs on several processes: every step is taken by all ranks, and only rank 0 speaks.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bfs/distributed/agree.h"
#include "bfs/distributed/rank_search.h"
#include "bfs/distributed/verify.h"
#include "cli/commands/bfs/bfs.h"
#include "cli/commands/bfs/rank_sources.h"
#include "cli/frame/console.h"
#include "cli/frame/rank_graph.h"
#include "cli/frame/search_summary.h"
#include "core/stopwatch.h"

namespace hopwave::cli {
namespace {

using ranks::agree;
using ranks::Answer;
using ranks::Reduce;

/// One job: load, search, write, report. Members are the same on all ranks unless stated.
class Job {
 public:
  Job(const BfsArguments& arguments, Context& context)
      : arguments_(arguments), context_(context), transport_(*context.ranks), speaks_(transport_.rank() == 0) {}

  int run() {
    agree(transport_, [&] {
      job_ = check_bfs(arguments_, context_);
      options_ = job_.options;
    });
    load_shares();
    const Sources sources = find_sources(transport_, share_, about_, job_.sources, options_.run.seed);
    const VertexId target = find_vertex(transport_, about_, job_.target, "target");
    const auto queries = queries_of(job_, sources.vertices, target);
    begin_report(sources);
    search_all(queries);
    report_.ranks = shares_text();
    agree(transport_, [&] {
      if (!speaks_) return;
      if (writer_) {
        writer_->commit();
        report_.write_seconds = writer_->seconds();
        report_.wrote = true;
      }
      report_bfs(job_, context_, report_, target_found_);
    });
    return target_found_ ? 0 : static_cast<int>(Failure::no);
  }

 private:
  void load_shares() {
    device_ = rank_device(transport_, arguments_.search, options_);
    nccl_ = rank_exchange(transport_, arguments_.search);
    if (job_.verify) verify_threads_ = rank_threads(transport_, options_.run.threads);
    const core::Stopwatch watch;
    const ranks::RankUse use{.parents = job_.shape.parents,
                             .both = options_.direction == Direction::both,
                             .verify = job_.verify,
                             .components = wants_components()};
    RankGraph graph = load_on_ranks(context_, job_.graph, use, job_.without);
    share_ = std::move(graph.share);
    about_ = std::move(graph.about);
    report_.load_seconds = watch.seconds();
    agree(transport_, [&] { context_.check_interrupt(); });
  }

  /// Unless a vertex has that name, which is not known yet.
  [[nodiscard]] bool wants_components() const {
    const auto words = source_words(job_.sources);
    return std::find(words.begin(), words.end(), "lcc") != words.end();
  }

  void begin_report(const Sources& sources) {
    report_.graph.emplace(share_.cut.num_vertices(), share_.num_arcs, share_.directed, about_.ids, about_.read, about_.build);
    report_.options = options_.run;
    report_.asked = job_.strategy;
    report_.run.strategy = rank_strategy(arguments_.search);
    report_.run.device = device_ ? options_.run.device : DeviceKind::cpu;
    report_.direction = options_.direction;
    report_.source_how = sources.how;
    report_.explained = job_.explain;
    report_.limited = job_.limited();
    report_.output = job_.output;
    report_.num_ranks = transport_.size();
    report_.exchange = nccl_ ? "NCCL " + ranks::nccl_version(*nccl_) : "MPI";
  }

  void search_all(const std::vector<Query>& queries) {
    std::optional<Progress> progress(std::in_place, context_.console, "searching");
    ranks::SearchSetup setup{
        .direction = options_.direction,
        .bottom_up = report_.run.strategy != "cpu-parallel",
        .progress =
            [&](const Step& step) {
              progress->steps(fmt::format("search {} of {}, level {}, {}", report_.searches.size() + 1, queries.size(),
                                          step.done, plural(step.amount, "vertex", "vertices")));
              return !context_.interrupted();
            },
        .limits = options_.run.limits,
        .limits_together = true,
        .device = device_,
        .nccl = nccl_,
        .measure_wait = job_.explain};
    const core::Stopwatch watch;
    ranks::PartitionedSearch search(transport_, share_, setup);
    report_.run.prepare = watch.elapsed();
    agree(transport_, [&] {
      job_.shape.searches = queries.size();
      if (speaks_ && !job_.output.empty())
        writer_.emplace(job_.output, job_.shape, *report_.graph, options_.run.threads, [&] { context_.check_interrupt(); });
    });
    for (const Query& query : queries) {
      const auto launches = device_ ? device_->launches() : 0, trips = device_ ? device_->round_trips() : 0;
      const Answer answer = search.run(query);
      launches_ = device_ ? device_->launches() - launches : 0;
      round_trips_ = device_ ? device_->round_trips() - trips : 0;
      if (job_.verify) check(query, answer);
      if (query.target != no_vertex) target_found_ &= reaches_target(query, answer);
      if (!job_.output.empty()) write(query, answer);
      take_figures(query, answer);
    }
  }

  void check(const Query& query, const Answer& answer) {
    const core::Stopwatch watch;
    ranks::verify(transport_, share_, query, answer, options_.direction, verify_threads_);
    report_.verify_seconds += watch.seconds();
    report_.verified = true;
    report_.parents = query.parents;
  }

  bool reaches_target(const Query& query, const Answer& answer) {
    const bool mine = share_.has(query.target) && answer.distance[query.target - share_.begin()] != unreached;
    return transport_.all_reduce(mine ? 1 : 0, Reduce::max) != 0;
  }

  /// Blocks of vertices, in order of ranks, are the vertices in order.
  template <class T>
  Array<T> gathered(const Array<T>& mine) {
    std::vector<std::vector<T>> to(static_cast<std::size_t>(transport_.size())), from;
    to[0].assign(mine.begin(), mine.end());
    transport_.exchange(to, from);
    if (!speaks_) return {};
    Array<T> all(share_.cut.num_vertices());
    T* at = all.data();
    for (auto& part : from) {
      at = std::copy(part.begin(), part.end(), at);
      part = {};
    }
    return all;
  }

  void write(const Query& query, const Answer& answer) {
    Result result;
    result.distance = gathered(answer.distance);
    if (query.parents) result.parent = gathered(answer.parent);
    agree(transport_, [&] {
      if (speaks_) writer_->add(result, query.sources);
    });
  }

  std::vector<std::vector<RankLevel>> times_of_all(const Answer& answer) {
    std::vector<std::vector<RankLevel>> to(static_cast<std::size_t>(transport_.size())), from;
    for (const auto& level : answer.levels)
      to[0].push_back({level.mine.compute_ms, level.mine.wait_ms, level.mine.exchange_ms, level.mine.bytes_sent});
    transport_.exchange(to, from);
    return from;
  }

  void take_figures(const Query& query, const Answer& answer) {
    OneSearch one{query.sources, answer.reached, answer.depth, {answer.level_sizes, answer.edges}, {}};
    one.run.work = one.run.host = answer.time;
    one.run.levels = static_cast<std::uint32_t>(answer.depth);
    one.run.steps = static_cast<std::uint32_t>(answer.levels.size());
    one.run.edges_examined = answer.examined;
    if (job_.explain) {
      for (const auto& level : answer.levels) one.run.trace.push_back(level.trace);
      one.ranks = times_of_all(answer);
      one.run.launches = transport_.all_reduce(launches_, Reduce::sum);
      one.run.round_trips = transport_.all_reduce(round_trips_, Reduce::sum);
    }
    report_.searches.push_back(std::move(one));
    bytes_sent_ += answer.bytes_sent;
  }

  std::string shares_text() {
    const auto range = [&](std::uint64_t mine, const char* one, const char* many) {
      const std::uint64_t least = transport_.all_reduce(mine, Reduce::min), most = transport_.all_reduce(mine, Reduce::max);
      return (least < most ? grouped(least) + " to " : "") + plural(most, one, many);
    };
    const std::string vertices = range(share_.count(), "vertex", "vertices");
    const std::string arcs = range(share_.out.neighbors.size(), "arc", "arcs");
    return fmt::format("{}, {} and {} each; {} sent in all by {}", transport_.size(), vertices, arcs,
                       bytes_text(transport_.all_reduce(bytes_sent_, Reduce::sum)), report_.exchange);
  }

  const BfsArguments& arguments_;
  Context& context_;
  ranks::Transport& transport_;
  const bool speaks_;  // rank 0
  BfsJob job_;
  SearchOptions options_;
  ranks::Share share_;                      // each rank's own
  ranks::About about_;                      // rank 0's
  std::shared_ptr<device::Device> device_;  // each rank's own; null: CPUs search
  int verify_threads_ = 1;
  const ranks::NcclTable* nccl_ = nullptr;  // null: by way of the hosts
  SearchSummary report_;
  std::optional<ResultWriter> writer_;  // rank 0's
  bool target_found_ = true;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t launches_ = 0, round_trips_ = 0;  // of the last search on this rank's device
};

}  // namespace

int bfs_on_ranks(const BfsArguments& arguments, Context& context) { return Job(arguments, context).run(); }

}  // namespace hopwave::cli
