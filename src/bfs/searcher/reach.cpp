// Searcher::reach() and reach_each().
#include "bfs/searcher/reach.h"

#include <atomic>
#include <new>
#include <string>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/searcher.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"

namespace hopwave::search_detail {

/// Radix sort by digits of `bits` bits, from the lowest on.
template <int bits>
void LevelSort::by_digits(std::span<ReachEntry> level, std::uint64_t end) {
  constexpr std::size_t values = std::size_t{1} << bits;
  if (spare_.size() < level.size()) spare_.resize(2 * level.size());
  ReachEntry *from = level.data(), *to = spare_.data();
  const int passes = (static_cast<int>(std::bit_width(end - 1)) + bits - 1) / bits;
  const auto digit = [](ReachEntry entry, int pass) { return std::size_t{entry >> (32 + bits * pass) & (values - 1)}; };
  std::fill_n(places_.begin(), static_cast<std::size_t>(passes) * values, 0u);
  for (const ReachEntry entry : level)
    for (int pass = 0; pass < passes; ++pass) ++places_[pass * values + digit(entry, pass)];
  for (int pass = 0; pass < passes; ++pass) {
    std::uint32_t* const place = &places_[pass * values];
    for (std::uint32_t d = 0, sum = 0; d < values; ++d) sum += std::exchange(place[d], sum);
    for (std::size_t i = 0; i < level.size(); ++i) to[place[digit(from[i], pass)]++] = from[i];
    std::swap(from, to);
  }
  if (from != level.data()) std::copy(from, from + level.size(), level.data());
}

void LevelSort::operator()(std::span<ReachEntry> level, std::uint64_t end) {
  if (level.size() < 80)
    std::sort(level.begin(), level.end());
  else
    level.size() < 4096 ? by_digits<8>(level, end) : by_digits<11>(level, end);
}

void Reach::begin(std::span<const VertexId> sources) {
  if (queue_.size() < sources.size()) queue_.resize(sources.size());
  for (const VertexId s : sources)
    if (see(s)) queue_[size_++] = Entry{s} << 32 | no_vertex;
  sort_from(0);
}

std::uint64_t Reach::arcs_of(const Adjacency& rows, std::size_t begin, std::size_t end) const {
  std::uint64_t arcs = 0;
  for (std::size_t i = begin; i < end; ++i)
    arcs += rows.offsets[vertex_of(queue_[i]) + 1ull] - rows.offsets[vertex_of(queue_[i])];
  return arcs;
}

/// Along the arcs of queue_[begin, end). Returns how many there are.
std::uint64_t Reach::expand(const Adjacency& rows, std::size_t begin, std::size_t end) {
  constexpr std::size_t ahead = 8;
  const EdgeIndex* const offsets = rows.offsets.data();
  const VertexId* const neighbors = rows.neighbors.data();
  const auto come = [&](std::size_t i, bool row) {
    if (i >= end) return;
    const EdgeIndex* const offset = &offsets[vertex_of(queue_[i])];
    row ? __builtin_prefetch(&neighbors[*offset]) : __builtin_prefetch(offset);
  };
  for (std::size_t i = begin; i < begin + 2 * ahead; ++i) come(i, false);
  for (std::size_t i = begin; i < begin + ahead; ++i) come(i, true);
  std::uint64_t looked = 0;
  for (std::size_t i = begin; i < end; ++i) {
    come(i + 2 * ahead, false);
    come(i + ahead, true);
    const VertexId u = vertex_of(queue_[i]);
    const EdgeIndex last = offsets[u + 1ull];
    const std::size_t degree = last - offsets[u];
    looked += degree;
    if (queue_.size() - size_ < degree) queue_.resize(std::max(size_ + degree, 2 * queue_.size()));
    Entry* const to = queue_.data();
    std::size_t size = size_;
    for (EdgeIndex e = offsets[u]; e < last; ++e) {
      const VertexId v = neighbors[e];
      to[size] = Entry{v} << 32 | u;
      size += see(v);
    }
    size_ = size;
  }
  return looked;
}

void Reach::forget_from(std::size_t begin) {
  for (std::size_t i = begin; i < size_; ++i)
    seen_[vertex_of(queue_[i]) / 64] &= ~(std::uint64_t{1} << vertex_of(queue_[i]) % 64);
  size_ = begin;
}

void Reach::give(std::span<const std::size_t> level_ends, bool parents, Reached& found) const {
  const std::size_t before = found.vertex.size();
  found.vertex.resize(before + size_);
  found.distance.resize(before + size_);
  if (parents) found.parent.resize(before + size_);
  for (std::size_t i = 0; i < size_; ++i) found.vertex[before + i] = vertex_of(queue_[i]);
  if (parents)
    for (std::size_t i = 0; i < size_; ++i) found.parent[before + i] = parent_of(queue_[i]);
  Distance* const distance = found.distance.data() + before;
  std::size_t begin = 0;
  for (std::size_t level = 0; level < level_ends.size(); begin = level_ends[level++])
    std::fill(distance + begin, distance + level_ends[level], static_cast<Distance>(level));
}

bool Reach::run(const Adjacency& rows, std::span<const VertexId> sources, const ReachBounds& bounds,
                const LevelDone& level_done, Reached& found) {
  struct Clean {
    Reach& reach;
    ~Clean() { reach.forget_from(0); }
  } const clean{*this};
  begin(sources);
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - size_;
  const std::uint64_t most = size_ + (bounds.nearest ? std::min(bounds.nearest, room) : room);
  level_ends_.assign(1, size_);
  std::uint64_t looked = 0;
  const auto give_all = [&] {
    give(level_ends_, bounds.parents, found);
    found.run.edges_examined += looked;
  };
  for (std::size_t begin = 0; begin < size_ && size_ < most;) {
    const auto level = static_cast<Distance>(level_ends_.size());
    if (bounds.max_depth >= 0 && level > bounds.max_depth) break;
    if (bounds.target != no_vertex && seen(bounds.target)) break;
    if (bounds.most_arcs != all_arcs && looked + arcs_of(rows, begin, size_) > bounds.most_arcs) return false;
    const std::size_t end = size_;
    looked += expand(rows, begin, end);
    sort_from(end);
    if (size_ > most) forget_from(most);
    begin = end;
    if (size_ > end) level_ends_.push_back(size_);
    if (!level_done) continue;
    try {
      level_done(static_cast<std::uint32_t>(level), size_ - end);
    } catch (...) {
      give_all();
      throw;
    }
  }
  give_all();
  return true;
}

Reached gathered(Result&& result, std::uint64_t nearest) {
  Reached found{.run = std::move(result.run)};
  std::vector<std::size_t> place(static_cast<std::size_t>(result.depth) + 2);
  for (const Distance d : result.distance)
    if (d != unreached) ++place[static_cast<std::size_t>(d) + 1];
  for (std::size_t d = 1; d < place.size(); ++d) place[d] += place[d - 1];
  const std::size_t others = place.back() - place[1];
  const std::size_t size = place[1] + (nearest ? std::min<std::uint64_t>(others, nearest) : others);
  found.vertex.resize(size);
  found.distance.resize(size);
  if (!result.parent.empty()) found.parent.resize(size);
  for (std::size_t v = 0; v < result.distance.size(); ++v) {
    const Distance d = result.distance[v];
    if (d == unreached) continue;
    const std::size_t i = place[static_cast<std::size_t>(d)]++;
    if (i >= size) continue;
    found.vertex[i] = static_cast<VertexId>(v);
    found.distance[i] = d;
    if (!result.parent.empty()) found.parent[i] = result.parent[v];
  }
  return found;
}

}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

using namespace search_detail;

Reach& Searcher::State::reach_of(int rank) {
  auto& reach = reaches[static_cast<std::size_t>(rank)];
  if (!reach) reach = std::make_unique<Reach>(num_vertices);
  return *reach;
}

Reached Searcher::State::reach(const Query& query, std::uint64_t nearest, const core::Watch& watch) {
  if (resident) return reach_there(query, nearest, watch);
  const Adjacency& rows = *seen.forward;
  if (reaches.empty()) reaches.resize(1);
  ReachBounds bounds{.max_depth = query.max_depth, .target = query.target, .nearest = nearest, .parents = query.parents};
  // A part of what the strategy would look at: it finds the rest by all threads, or a device.
  bounds.most_arcs = std::max<std::uint64_t>(thresholds::Cpu::reach_least_arcs,
                                             (rows.neighbors.size() + num_vertices) / thresholds::Cpu::reach_part);
  Reached found{.run = report()};
  const core::Stopwatch clock;
  strategy::RunControl control = this->control(found.run, watch);
  const auto level_done = [&](std::uint32_t level, std::uint64_t size) { control.level_done(level, size); };
  bool done = true;
  try {
    if (control.over()) control.ended_early(0);
    done = reach_of(0).run(rows, query.sources, bounds, control.may_end() ? Reach::LevelDone(level_done) : nullptr, found);
  } catch (const Error& e) {
    if (!options.run.limits.partial || control.complete < 0) throw;
    found.run.end = core::end_of(e);
    if (found.vertex.empty()) (void)reach_of(0).run(rows, query.sources, {.max_depth = 0, .parents = query.parents}, {}, found);
  }
  if (done) {
    found.run.chosen = "a queue on one thread: it costs what it reaches";
    found.run.work = found.run.host = clock.elapsed();
    found.run.levels = found.run.steps = found.distance.empty() ? 0 : static_cast<std::uint32_t>(found.distance.back());
    return found;
  }
  Query whole = query;
  if (query.parents) whole.ties = Ties::min;
  return gathered(run(whole, watch, options.run.limits.partial), nearest);
}

namespace {

/// What searches reach may be large: where its memory is refused, that is an Error, as it is for arrays.
template <class Work>
auto within_memory(Work&& work) try {
  return work();
} catch (const std::bad_alloc&) {
  throw Error({.failure = Failure::does_not_fit,
               .id = "HW-MEMORY",
               .found = "no memory is left for the vertices that are reached",
               .hint = "take a lesser depth, fewer nearest vertices, fewer sources at once, or fewer threads"});
}

}  // namespace

Reached Searcher::reach(const Query& query, std::uint64_t nearest) {
  const Use use(state_);
  check_query(use->num_vertices, query);
  return within_memory([&] { return use->reach(query, nearest, core::Watch(use->options.run.limits)); });
}

namespace {

/// Answers of searches that follow each other, row after row.
struct Some {
  Reached rows;
  std::vector<std::size_t> ends;
  std::vector<std::uint64_t> examined;

  void clear() {
    rows.vertex.clear();
    rows.distance.clear();
    rows.parent.clear();
    ends.clear();
    examined.clear();
  }
  [[nodiscard]] ReachedRows of(std::size_t i) const {
    const std::size_t begin = i ? ends[i - 1] : 0, count = ends[i] - begin;
    const bool parents = !rows.parent.empty();
    return {.vertex = std::span(rows.vertex).subspan(begin, count),
            .distance = std::span(rows.distance).subspan(begin, count),
            .parent = parents ? std::span(rows.parent).subspan(begin, count) : std::span<const VertexId>(),
            .edges_examined = examined[i]};
  }
};

}  // namespace

void Searcher::State::reach_each(std::span<const VertexId> sources, const Nearby& nearby, const core::Watch& watch,
                                 const std::function<void(std::size_t, const ReachedRows&)>& take) {
  if (resident) return reach_each_there(sources, nearby, watch, take);
  const Adjacency& rows = *seen.forward;
  const auto members = static_cast<std::size_t>(team.size());
  if (reaches.size() < members) reaches.resize(members);
  const ReachBounds bounds{.max_depth = nearby.max_depth, .nearest = nearby.nearest, .parents = nearby.parents};
  std::vector<Some> parts(4 * members);
  std::size_t a_part = 4;
  for (std::size_t at = 0; at < sources.size();) {
    const std::size_t count = std::min(a_part * parts.size(), sources.size() - at);
    std::atomic<bool> stopped{false};
    const auto search_some = [&](std::size_t first, std::size_t last, int rank) {
      for (std::size_t p = first; p < last; ++p) {
        Some& part = parts[p];
        part.clear();
        for (std::size_t i = at + p * a_part; i < std::min(at + (p + 1) * a_part, at + count); ++i) {
          if (rank == 0 && options.run.progress && !options.run.progress({.what = "levels"})) stopped = true;
          if (watch.limited() && watch.over()) stopped = true;
          if (stopped.load(std::memory_order_relaxed)) return;
          const std::uint64_t before = part.rows.run.edges_examined;
          (void)reach_of(rank).run(rows, sources.subspan(i, 1), bounds, {}, part.rows);
          part.ends.push_back(part.rows.vertex.size());
          part.examined.push_back(part.rows.run.edges_examined - before);
        }
      }
    };
    within_memory([&] { parallel_for(team, (count + a_part - 1) / a_part, 1, search_some); });
    const std::string done = std::to_string(at) + " of " + std::to_string(sources.size()) + " searches done";
    if (watch.limited()) watch.check(done);
    if (stopped)
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller: " + done});
    std::size_t reached = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const ReachedRows found = parts[i / a_part].of(i % a_part);
      reached += found.vertex.size();
      take(at + i, found);
    }
    at += count;
    a_part =
        std::clamp<std::size_t>(thresholds::Cpu::reach_aim / (reached / count + 1), 1, thresholds::Cpu::reach_most_searches);
  }
}

void Searcher::reach_each(std::span<const VertexId> sources, const Nearby& nearby,
                          const std::function<void(std::size_t, const ReachedRows&)>& take) {
  const Use use(state_);
  check_sources(use->num_vertices, sources, nearby.max_depth);
  if (!take) refuse_without_take();
  use->reach_each(sources, nearby, core::Watch(use->options.run.limits), take);
}

}  // namespace hopwave::inline v0_1
