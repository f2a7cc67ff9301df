#include "ranks/search.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "ranks/agree.h"

namespace hopwave::ranks {
namespace {

/// A large frontier looks back when its arcs are more than a 15th of those left, and goes forward again when it shrinks below
/// an 18th of all vertices: Beamer's rule with GAP's numbers.
constexpr std::uint64_t alpha = 15, beta = 18;

constexpr std::size_t word_of(VertexId v) { return v / 64; }
constexpr std::uint64_t bit_of(VertexId v) { return std::uint64_t{1} << (v % 64); }
constexpr std::size_t words_for(VertexId begin, VertexId end) {
  return end > begin ? word_of(end - 1) - word_of(begin) + 1 : 0;
}

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

}  // namespace

PartitionedSearch::PartitionedSearch(Transport& transport, Share& share, const SearchSetup& setup)
    : transport_(transport),
      share_(share),
      setup_(setup),
      steps_(transport, share, setup.direction, setup.bottom_up),
      known_(words_for(0, share.cut.num_vertices())),
      to_(static_cast<std::size_t>(transport.size())) {
  if (!steps_.backward()) return;
  in_frontier_.resize(known_.size());
  std::uint64_t all = 0;
  for (int r = 0; r < transport.size(); ++r) {
    words_.push_back(words_for(share.cut.begin(r), share.cut.end(r)));
    all += words_.back();
  }
  gathered_.resize(all);
}

Answer PartitionedSearch::run(const Query& query) {
  check(query, share_.cut.num_vertices());
  const core::Stopwatch watch;
  if (!setup_.limits_together || !watch_) watch_.emplace(setup_.limits);
  const std::uint64_t sent = transport_.traffic().bytes_sent;
  Answer answer;
  query_ = &query;
  answer_ = &answer;
  begin(query);
  for (Distance level = 1; totals_.vertices > 0; ++level) {
    if (query.max_depth >= 0 && level > query.max_depth) break;
    if (answer.limit >= 0) break;  // the target is reached
    const core::Stopwatch time;
    const Traffic before = transport_.traffic();
    choose_step();
    if (looks_back_)
      bottom_up(level);
    else
      top_down(level);
    sum_up(level);
    trace(level, time, before);
  }
  finish();
  answer.milliseconds = watch.milliseconds();
  answer.bytes_sent = transport_.traffic().bytes_sent - sent;
  return answer;
}

/// Sources are at distance 0 and their own frontier.
void PartitionedSearch::begin(const Query& query) {
  std::fill(known_.begin(), known_.end(), 0);
  answer_->distance = Array<Distance>::filled(share_.count(), unreached);
  if (query.parents) answer_->parent = Array<VertexId>::filled(share_.count(), no_vertex);
  frontier_.clear();
  next_.clear();
  unexplored_ = transport_.all_reduce(steps_.forward().neighbors.size(), Reduce::sum);
  frontier_before_ = 0;
  looks_back_ = false;
  mine_ = {};
  for (const VertexId s : query.sources)
    if (share_.has(s)) claim(s, no_vertex, 0);
  std::sort(next_.begin(), next_.end());
  sum_up(0);
  waited_ms_ = 0;
}

/// Beamer's switch, decided by all ranks alike, since all know the same totals.
void PartitionedSearch::choose_step() {
  const bool grows = totals_.vertices >= frontier_before_;
  if (steps_.backward())
    looks_back_ =
        looks_back_ ? grows || totals_.vertices > share_.cut.num_vertices() / beta : totals_.arcs > unexplored_ / alpha;
  unexplored_ -= std::min(unexplored_, totals_.arcs);
  frontier_before_ = totals_.vertices;
}

/// Each frontier vertex tells the owners of its neighbours. A vertex is told of once by a rank, by the least of its frontier's
/// vertices; ranks are heard in ascending order, so the first to be heard is the least parent of all.
void PartitionedSearch::top_down(Distance level) {
  const bool parents = query_->parents;
  for (auto& messages : to_) messages.clear();
  for (const VertexId u : frontier_) {
    int owner = 0;  // neighbours ascend, and so do their owners
    for (const VertexId v : steps_.forward().row(u - share_.begin())) {
      ++mine_.examined;
      if (known_[word_of(v)] & bit_of(v)) continue;
      known_[word_of(v)] |= bit_of(v);
      while (v >= share_.cut.end(owner)) ++owner;
      to_[static_cast<std::size_t>(owner)].push_back(v);
      if (parents) to_[static_cast<std::size_t>(owner)].push_back(u);
    }
  }
  wait();
  transport_.exchange(to_, from_);
  for (const auto& messages : from_)
    for (std::size_t i = 0; i < messages.size(); i += parents ? 2 : 1)
      claim(messages[i], parents ? messages[i + 1] : no_vertex, level);
  std::sort(next_.begin(), next_.end());
}

/// Each vertex that is not visited looks for a neighbour in the frontier. Rows ascend, so the first is the least.
void PartitionedSearch::bottom_up(Distance level) {
  gather_frontier();
  for (VertexId row = 0; row < share_.count(); ++row) {
    if (answer_->distance[row] != unreached) continue;
    for (const VertexId u : steps_.backward()->row(row)) {
      ++mine_.examined;
      if (!(in_frontier_[word_of(u)] & bit_of(u))) continue;
      claim(share_.begin() + row, u, level);
      break;
    }
  }
}

/// Every rank gets the whole frontier as a bitmap. Two ranks' vertices may share a word, which both send.
void PartitionedSearch::gather_frontier() {
  const int rank = transport_.rank();
  std::vector<std::uint64_t> mine(words_[static_cast<std::size_t>(rank)]);
  for (const VertexId u : frontier_) mine[word_of(u) - word_of(share_.begin())] |= bit_of(u);
  wait();
  transport_.all_gather<std::uint64_t>(mine, gathered_, words_);
  std::fill(in_frontier_.begin(), in_frontier_.end(), 0);
  std::size_t at = 0;
  for (int r = 0; r < transport_.size(); ++r) {
    const std::size_t first = word_of(share_.cut.begin(r));
    for (std::size_t w = 0; w < words_[static_cast<std::size_t>(r)]; ++w) in_frontier_[first + w] |= gathered_[at++];
  }
  for (std::size_t w = 0; w < known_.size(); ++w) known_[w] |= in_frontier_[w];
}

/// The vertex is this rank's; who comes first has it.
void PartitionedSearch::claim(VertexId v, VertexId parent, Distance level) {
  const VertexId row = v - share_.begin();
  if (answer_->distance[row] != unreached) return;
  answer_->distance[row] = level;
  if (query_->parents) answer_->parent[row] = parent;
  known_[word_of(v)] |= bit_of(v);
  next_.push_back(v);
  ++mine_.vertices;
  mine_.arcs += steps_.forward().degree(row);
  mine_.at_target += v == query_->target;
}

/// One all-reduce a level: what was found, and whether a rank wants to stop.
void PartitionedSearch::sum_up(Distance level) {
  std::optional<Error> why;
  if (setup_.progress && !setup_.progress(static_cast<std::uint32_t>(level), totals_.vertices))
    why = Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "interrupted"});
  try {
    watch_->check("level " + std::to_string(level) + " is done");
  } catch (const Error& error) {
    why = error;
  }
  mine_.stops = why ? 1 : 0;
  std::uint64_t sums[] = {mine_.vertices, mine_.arcs, mine_.examined, mine_.at_target, mine_.stops};
  wait();
  transport_.all_reduce(sums, Reduce::sum);
  totals_ = {sums[0], sums[1], sums[2], sums[3], sums[4]};
  mine_ = {};
  if (totals_.stops > 0) agree_on(transport_, why);
  std::swap(frontier_, next_);
  next_.clear();
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
                 .milliseconds = all};
  times.mine = {.compute_ms = all - outside,
                .wait_ms = waited_ms_,
                .exchange_ms = outside - waited_ms_,
                .bytes_sent = now.bytes_sent - before.bytes_sent};
  waited_ms_ = 0;
  answer_->levels.push_back(times);
}

/// The limit that holds for distances, and the arcs of the part reached.
void PartitionedSearch::finish() {
  Answer& answer = *answer_;
  if (query_->max_depth >= 0) answer.limit = answer.limit < 0 ? query_->max_depth : std::min(answer.limit, query_->max_depth);
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
