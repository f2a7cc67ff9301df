// LevelSearch: the loop over levels.
#include "bfs/strategy/cpu/level_search.h"

#include <algorithm>
#include <bit>

#include "bfs/plan/thresholds.h"
#include "core/stopwatch.h"

namespace hopwave::strategy::cpu {
LevelSearch::LevelSearch(const PlanRequest& request, const Tuning& tuning)
    : view_(request.view),
      n_(view_.num_vertices),
      words_((n_ + word_bits - 1) / word_bits),
      offsets_(view_.forward->offsets.data()),
      in_offsets_(tuning.pull ? view_.backward->offsets.data() : nullptr),
      neighbors_(view_.forward->neighbors.data()),
      in_neighbors_(tuning.pull ? view_.backward->neighbors.data() : nullptr),
      tuning_(tuning),
      average_degree_(n_ ? static_cast<double>(view_.num_arcs()) / n_ : 0),
      thin_(view_.num_arcs() <= thresholds::Cpu::thin_degree * n_),
      by_sixteen_((tuning.sixteen < 0 ? !thin_ : tuning.sixteen != 0) && collects_by_sixteen()),
      team_(*request.team),
      distance_(n_),
      queue_(n_ + std::size_t{1}),  // an entry beyond the last is written
      visited_(words_) {
  look_at_vertices();
  claims_ = thin_ && hub_count_ == 0 && team_.size() >= thresholds::Cpu::members_that_claim;
  if (!tuning.pull) return;
  front_ = Array<Word>(words_);
  next_ = Array<Word>(words_);
  pull_counts_.resize(static_cast<std::size_t>(team_.size()));
  if (request.prepare) find_heads();
}

/// One pass over all vertices: those without incoming arcs, and how many have long rows.
void LevelSearch::look_at_vertices() {
  unreachable_ = Array<Word>(words_);
  struct alignas(128) Counts {
    std::size_t unreachable = 0, hubs = 0;
  };
  std::vector<Counts> counts(static_cast<std::size_t>(team_.size()));
  parallel_for(team_, words_, thresholds::Cpu::word_grain, [&](std::size_t begin, std::size_t end, int rank) {
    Counts& mine = counts[static_cast<std::size_t>(rank)];
    for (std::size_t w = begin; w < end; ++w) {
      Word word = 0;
      const std::size_t first = w * word_bits, stop = std::min<std::size_t>(first + word_bits, n_);
      for (std::size_t v = first; v < stop; ++v) {
        if (in_offsets_) word |= Word{in_offsets_[v] == in_offsets_[v + 1]} << (v - first);
        mine.hubs += offsets_[v + 1] - offsets_[v] > thresholds::Cpu::hub_degree;
      }
      mine.unreachable += static_cast<std::size_t>(std::popcount(word));
      unreachable_[w] = word;
    }
  });
  reachable_ = n_;
  for (const Counts& c : counts) {
    reachable_ -= static_cast<VertexId>(c.unreachable);
    hub_count_ += c.hubs;
  }
  if (n_ % word_bits) unreachable_[words_ - 1] |= ~Word{0} << (n_ % word_bits);
  hubs_ = Array<VertexId>(hub_count_);
}

void LevelSearch::run(const Query& query, RunControl& control) {
  const core::Stopwatch watch;
  begin(query);
  for (Distance level = 1; frontier_ != 0; ++level) {
    if (query.max_depth >= 0 && level > query.max_depth) break;
    if (query.target != no_vertex && distance_[query.target] != unreached) break;
    if (unvisited_ == 0) break;  // all reachable vertices are found
    LevelTrace trace{.level = level, .direction = "push", .frontier = frontier_};
    if (control.trace) {
      const core::Stopwatch part;
      one_level(level, trace);
      trace.time = part.elapsed();
    } else {
      one_level(level, trace);
    }
    trace.discovered = frontier_;
    control.stats->edges_examined += trace.edges;
    control.stats->steps = static_cast<std::uint32_t>(level);
    if (frontier_) control.stats->levels = static_cast<std::uint32_t>(level);
    if (control.trace) control.stats->trace.push_back(trace);
    control.level_done(static_cast<std::uint32_t>(level), frontier_);
  }
  control.stats->work = watch.elapsed();
}

void LevelSearch::fetch(std::span<Distance> distances, std::span<VertexId> parents) {
  parallel_for(team_, n_, thresholds::Cpu::fill_grain, [&](std::size_t begin, std::size_t end, int) {
    std::copy(distance_.begin() + begin, distance_.begin() + end, distances.begin() + begin);
    if (!parents.empty()) std::copy(parent_.begin() + begin, parent_.begin() + end, parents.begin() + begin);
  });
}

void LevelSearch::begin(const Query& query) {
  parents_ = query.parents;
  if (parents_ && parent_.empty()) parent_ = Array<VertexId>(n_ + std::size_t{1});  // one slot for expand_in_one_pass to spoil
  parallel_for(team_, n_, thresholds::Cpu::fill_grain, [&](std::size_t begin, std::size_t end, int) {
    std::fill(distance_.begin() + begin, distance_.begin() + end, unreached);
    if (parents_) std::fill(parent_.begin() + begin, parent_.begin() + end, no_vertex);
  });
  std::copy(unreachable_.begin(), unreachable_.end(), visited_.begin());
  std::size_t tail = 0;
  unvisited_ = reachable_;
  for (const VertexId s : query.sources) {
    if (distance_[s] == 0) continue;
    distance_[s] = 0;
    queue_[tail++] = s;
    unvisited_ -= static_cast<VertexId>(visit(s));
  }
  first_ = 0;
  end_ = known_ = tail;
  tail_.store(tail, std::memory_order_relaxed);
  frontier_ = tail;
  unexplored_ = view_.num_arcs();
  in_bitmap_ = false;
  regular_ = tuning_.regular == 1;
}

void LevelSearch::one_level(Distance level, LevelTrace& trace) {
  if (in_bitmap_ && !keep_pulling()) bitmap_to_queue();
  if (!in_bitmap_) {
    if (tuning_.regular < 0 && worth_a_look(level)) regular_ = looks_regular();
    const std::size_t known = tail_.load(std::memory_order_relaxed);
    if (!tuning_.pull && !may_share())
      expand_rest_alone(level, trace);
    else
      choose_and_expand(level, trace);
    unvisited_ -= static_cast<VertexId>(tail_.load(std::memory_order_relaxed) - known);
  }
  if (in_bitmap_) {
    pull(level, trace);
  } else {
    first_ = end_;
    end_ = tail_.load(std::memory_order_relaxed);
    frontier_ = end_ - first_;
  }
}

/// A frontier of more arcs than one thread gets is shared or pulled. The arcs are counted before the first is looked at if they
/// may be so many, except in thin graphs.
void LevelSearch::choose_and_expand(Distance level, LevelTrace& trace) {
  const EdgeIndex alone = most_alone();
  EdgeIndex arcs = 0;
  if (team_.size() > 1) {
    const double about = static_cast<double>(end_ - first_) * average_degree_;
    if (claims_)
      arcs = static_cast<EdgeIndex>(about);
    else if (about > static_cast<double>(alone / 4))
      arcs = frontier_arcs();
  }
  if (arcs <= alone) {
    if (parents_ ? expand_alone<true>(level, alone, trace) : expand_alone<false>(level, alone, trace)) return;
    arcs = frontier_arcs();
  }
  if (tuning_.pull && should_pull(arcs))
    queue_to_bitmap(level);
  else if (may_share())
    push(level, arcs, trace);
  else
    expand_rest_alone(level, trace);
}

/// May more than one member push this level?
bool LevelSearch::may_share() const {
  return team_.size() > 1 && (!regular_ || claims_ || team_.size() >= thresholds::Cpu::members_for_regular);
}

/// The arcs up to which a level is left to one thread.
EdgeIndex LevelSearch::most_alone() const {
  using thresholds::Cpu;
  if (tuning_.alone >= 0) return static_cast<EdgeIndex>(tuning_.alone);
  if (!thin_) return Cpu::alone_arcs;
  if (!claims_ || regular_) return Cpu::regular_alone_arcs;
  return n_ <= Cpu::cached_vertices ? Cpu::cached_alone_arcs : Cpu::claimed_alone_arcs;
}

/// Sum of the frontier's degrees, from a regular sample if it is large: it only steers.
EdgeIndex LevelSearch::frontier_arcs() const {
  const std::size_t size = end_ - first_;
  const std::size_t step = std::max<std::size_t>(1, size / thresholds::Cpu::frontier_sample);
  EdgeIndex sum = 0;
  for (std::size_t i = first_; i < end_; i += step) sum += offsets_[queue_[i] + 1ull] - offsets_[queue_[i]];
  return sum * step;
}

}  // namespace hopwave::strategy::cpu
