#include "bfs/distributed/rank_search.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "bfs/distributed/agree.h"
#include "bfs/plan/thresholds.h"

namespace hopwave::ranks {
namespace {

[[noreturn]] void bad_query(const char* id, std::string found, std::string expected) {
  throw Error({.failure = Failure::input, .id = id, .found = std::move(found), .expected = std::move(expected)});
}

void check(const Query& query, VertexId n) {
  if (query.sources.empty()) bad_query("HW-QUERY-EMPTY", "no source", "at least one");
  for (const VertexId s : query.sources)
    if (s >= n) bad_query("HW-QUERY-SOURCE", "source " + std::to_string(s), "a vertex below " + std::to_string(n));
  if (query.target != no_vertex && query.target >= n)
    bad_query("HW-QUERY-TARGET", "target " + std::to_string(query.target), "a vertex below " + std::to_string(n));
  if (query.max_depth < -1) bad_query("HW-QUERY-DEPTH", "a limit of " + std::to_string(query.max_depth), "-1 or more");
}

std::unique_ptr<Levels> make_levels(const LevelsRequest& request, const SearchSetup& setup) {
  std::unique_ptr<DeviceMessages> messages;
  if (setup.device)
    messages = setup.nccl ? make_nccl_messages(request.transport, setup.device, *setup.nccl, setup.by_hosts)
                          : make_host_messages(request.transport, setup.device);
  std::unique_ptr<Levels> levels;
  agree(request.transport, [&] {
    levels = setup.device ? device_levels(setup.device->api())(request, setup.device, std::move(messages))
                          : make_cpu_levels(request);
  });
  return levels;
}

}  // namespace

PartitionedSearch::PartitionedSearch(Transport& transport, Share& share, const SearchSetup& setup)
    : transport_(transport),
      share_(share),
      setup_(setup),
      steps_(transport, share, setup.direction, setup.bottom_up),
      levels_(make_levels({transport, share, steps_, [this] { wait(); }, setup.wide_offsets}, setup)) {}

Answer PartitionedSearch::run(const Query& query) {
  check(query, share_.cut.num_vertices());
  const core::Stopwatch watch;
  if (!setup_.limits_together || !watch_) watch_.emplace(setup_.limits);
  const std::uint64_t sent = transport_.traffic().bytes_sent;
  Answer answer;
  answer_ = &answer;
  begin(query);
  for (Distance level = 1; totals_.vertices > 0; ++level) {
    if (query.max_depth >= 0 && level > query.max_depth) break;
    if (answer.limit >= 0) break;  // the target is reached
    const core::Stopwatch time;
    const Traffic before = transport_.traffic();
    choose_step();
    sum_up(level, looks_back_ ? levels_->bottom_up(level) : levels_->top_down(level));
    trace(level, time, before);
  }
  answer.time = watch.elapsed();
  answer.bytes_sent = transport_.traffic().bytes_sent - sent;
  finish(query);
  return answer;
}

/// Sources are at distance 0 and the first frontier.
void PartitionedSearch::begin(const Query& query) {
  unexplored_ = transport_.all_reduce(steps_.forward().neighbors.size(), Reduce::sum);
  frontier_before_ = 0;
  looks_back_ = false;
  totals_ = {};
  sum_up(0, levels_->begin(query));
  waited_ms_ = 0;
}

/// Beamer's switch, decided by all ranks alike, since all know the same totals.
void PartitionedSearch::choose_step() {
  const bool grows = totals_.vertices >= frontier_before_;
  if (steps_.backward())
    looks_back_ = looks_back_ ? grows || totals_.vertices > share_.cut.num_vertices() / thresholds::Distributed::back_part
                              : totals_.arcs > unexplored_ / thresholds::Distributed::pull_part;
  unexplored_ -= std::min(unexplored_, totals_.arcs);
  frontier_before_ = totals_.vertices;
}

/// One all-reduce per level: what was found, and whether a rank wants to stop.
void PartitionedSearch::sum_up(Distance level, const Counts& mine) {
  std::optional<Error> why;
  if (setup_.progress &&
      !setup_.progress({.what = "levels", .done = static_cast<std::uint64_t>(level), .amount = totals_.vertices}))
    why = Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "interrupted"});
  try {
    watch_->check("level " + std::to_string(level) + " is done");
  } catch (const Error& error) {
    why = error;
  }
  std::uint64_t sums[] = {mine.vertices, mine.arcs, mine.examined, mine.at_target, why ? 1u : 0u};
  wait();
  transport_.all_reduce(sums, Reduce::sum);
  totals_ = {sums[0], sums[1], sums[2], sums[3]};
  if (sums[4] > 0) agree_on(transport_, why);
  answer_->examined += totals_.examined;
  if (totals_.vertices > 0) {
    answer_->depth = level;
    answer_->level_sizes.push_back(totals_.vertices);
    answer_->reached += static_cast<VertexId>(totals_.vertices);
  }
  if (totals_.at_target > 0) answer_->limit = level;
}

/// Only where it is asked for: what is waited for here is not waited for in the exchange that follows.
void PartitionedSearch::wait() {
  if (!setup_.measure_wait) return;
  const core::Stopwatch watch;
  transport_.barrier();
  waited_ms_ += watch.milliseconds();
}

void PartitionedSearch::trace(Distance level, const core::Stopwatch& watch, const Traffic& before) {
  const Traffic& now = transport_.traffic();
  const double all = watch.milliseconds(), outside = (now.seconds - before.seconds) * 1e3;
  LevelTimes times;
  times.trace = {.level = level,
                 .direction = looks_back_ ? "pull" : "push",
                 .frontier = frontier_before_,
                 .edges = totals_.examined,
                 .discovered = totals_.vertices,
                 .time = Milliseconds(all)};
  times.mine = {.compute_ms = all - outside,
                .wait_ms = waited_ms_,
                .exchange_ms = outside - waited_ms_,
                .bytes_sent = now.bytes_sent - before.bytes_sent};
  waited_ms_ = 0;
  answer_->levels.push_back(times);
}

/// The limit that holds for distances, and the arcs of the part reached.
void PartitionedSearch::finish(const Query& query) {
  Answer& answer = *answer_;
  levels_->fetch(answer.distance, answer.parent);
  if (query.max_depth >= 0) answer.limit = answer.limit < 0 ? query.max_depth : std::min(answer.limit, query.max_depth);
  std::uint64_t arcs = 0;
  for (VertexId row = 0; row < share_.count(); ++row) {
    if (answer.distance[row] == unreached) continue;
    if (!share_.directed || setup_.direction != Direction::in) arcs += share_.out.degree(row);
    if (share_.directed && setup_.direction != Direction::out) arcs += share_.in->degree(row);
  }
  arcs = transport_.all_reduce(arcs, Reduce::sum);
  answer.edges = !share_.directed || setup_.direction == Direction::both ? arcs / 2 : arcs;
}

}  // namespace hopwave::ranks
