// Many searches from one call: how many share a pass, on a device or on the CPU, and each one's result.
#include <algorithm>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/searcher.h"
#include "bfs/searcher/trim.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"

namespace hopwave::search_detail {

void add(SearchReport& sum, SearchReport&& stats) {
  stats.work += sum.work;
  stats.host += sum.host;
  stats.levels = std::max(stats.levels, sum.levels);
  stats.steps += sum.steps;
  stats.launches += sum.launches;
  stats.round_trips += sum.round_trips;
  sum = std::move(stats);
}

LevelCounts counted(std::span<const Distance> distances) {
  LevelCounts counts;
  for (const Distance d : distances) {
    if (d == unreached) continue;
    if (counts.at.size() <= static_cast<std::size_t>(d)) counts.at.resize(static_cast<std::size_t>(d) + 1);
    ++counts.at[static_cast<std::size_t>(d)];
  }
  return counts;
}

void refuse_without_take() {
  throw Error({.failure = Failure::usage,
               .id = "HW-QUERY-TAKE",
               .found = "many searches and no function that takes their results",
               .expected = "a function to call with each"});
}

}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

namespace {

using namespace search_detail;

/// One search's share of a pass of `count`. What cannot be shared counts for the first.
SearchReport share(const SearchReport& pass, std::size_t count, bool first) {
  SearchReport stats = pass;
  stats.work /= static_cast<double>(count);
  stats.host /= static_cast<double>(count);
  if (!first) stats.launches = stats.round_trips = 0;
  return stats;
}

/// The i-th search's column of a pass of so many, without what is deeper than asked for and without the zeros at its end.
LevelCounts column(const std::vector<std::uint32_t>& pass, std::size_t width, std::size_t i, Distance max_depth) {
  LevelCounts counts;
  for (std::size_t at = i; at < pass.size() && pass[at]; at += width) {
    if (max_depth >= 0 && counts.at.size() > static_cast<std::size_t>(max_depth)) break;
    counts.at.push_back(pass[at]);
  }
  return counts;
}

void copy(Team& team, const Array<Distance>& from, Distance* to) {
  parallel_for(team, from.size(), thresholds::Cpu::copy_grain, [&](std::size_t begin, std::size_t end, int) {
    std::copy(from.begin() + begin, from.begin() + end, to + begin);
  });
}

Array<Distance> copied(Team& team, const Array<Distance>& from) {
  Array<Distance> to(from.size());
  copy(team, from, to.data());
  return to;
}

/// What a caller's function threw: no failure of the pass.
struct Thrown {
  std::exception_ptr what;
};

}  // namespace

/// Fewest searches that go into one pass on the CPU; 0: never. Only `auto` is free to do what was not asked for. On thin graphs
/// frontiers seldom meet, so that there is nothing to share.
std::size_t Searcher::State::cpu_least() const {
  if (options.strategy != "auto") return 0;
  if (ms_bfs_asked()) return static_cast<std::size_t>(options.parameters.at("ms_bfs"));
  return graph->num_arcs() > thresholds::Cpu::thin_degree * num_vertices ? thresholds::Cpu::pass_least : 0;
}

/// Was it said from how many searches on they share passes?
bool Searcher::State::ms_bfs_asked() const {
  const auto each = options.parameters.find("ms_bfs");
  return each != options.parameters.end() && each->second >= 0;
}

/// How many searches a pass has.
std::size_t Searcher::State::pass_width() const {
  return placement.kind == DeviceKind::cpu ? engine::MsBfsCpu::width : plan->each_width();
}

/// How many of the searches that are left go into the next pass, or, `counted`, passes; 0: the next runs alone. What would be
/// left for a pass of its own goes with the passes before: those in flight have the memory for it.
std::size_t Searcher::State::next_pass(std::size_t left, bool counted) const {
  if (one_by_one) return 0;
  const bool cpu = placement.kind == DeviceKind::cpu;
  const std::size_t width = !cpu && counted ? plan->count_width() : pass_width();
  const std::size_t least = cpu ? cpu_least() : width ? plan->each_least() : 0;
  if (least == 0 || left < least) return 0;
  const bool several = width > pass_width();
  return left <= (several ? width + pass_width() : width) ? left : width;
}

void Searcher::State::traverse_pass(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                    SearchReport& stats, const strategy::TakeCounts& take) {
  turn_if_it_pays(sources.size(), watch);
  stats = report();
  strategy::RunControl control = this->control(stats, watch);
  const core::Stopwatch clock;
  ++searches;
  if (device) {
    device->forget_largest();
    take ? plan->count_each(sources, max_depth, control, take) : plan->run_each(sources, max_depth, control);
    std::tie(stats.grid, stats.block) = device->largest_launch();
  } else {
    if (!ms_bfs_cpu) ms_bfs_cpu = std::make_unique<engine::MsBfsCpu>(team, view->view());
    ms_bfs_cpu->run(sources, max_depth, control);
    if (take) take(0, ms_bfs_cpu->counts());
  }
  stats.host = clock.elapsed();
}

template <class Work>
bool Searcher::State::fits(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error& e) {
    if (e.failure() != Failure::does_not_fit) throw;
    std::string note = "searching one by one: " + e.parts().found;
    if (std::find(noted->begin(), noted->end(), note) == noted->end()) noted->push_back(std::move(note));
    one_by_one = true;
    ms_bfs_cpu.reset();
    return false;
  }
}

bool Searcher::State::try_pass(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                               SearchReport& stats, const strategy::TakeCounts& take) {
  return fits([&] { traverse_pass(sources, max_depth, watch, stats, take); });
}

void Searcher::run_each(std::span<const VertexId> sources, Distance max_depth,
                        const std::function<void(std::size_t, Result&&)>& take) {
  const Use use(state_);
  check_sources(use->num_vertices, sources, max_depth);
  if (!take) refuse_without_take();
  const core::Watch watch(use->options.run.limits);
  use->replicas.empty() ? use->run_each(sources, max_depth, watch, take) : use->deal_each(sources, max_depth, watch, take);
}

void Searcher::State::run_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                               const std::function<void(std::size_t, Result&&)>& take, const HostRows& to) {
  State& s = *this;
  begin_many(max_depth);
  const Query limit{.sources = {}, .max_depth = max_depth};
  for (std::size_t at = 0; at < sources.size();) {
    // In a trace each search has levels of its own.
    const auto [width, shows] = s.options.trace ? Next{} : s.next(sources.subspan(at));
    const auto pass = sources.subspan(at, std::max<std::size_t>(width, 1));
    SearchReport stats;
    if (width == 0) {
      Result result = s.run_whole({.sources = {sources[at]}, .max_depth = max_depth}, watch);
      if (shows) learn(counted(result.distance.span()));
      take(at++, std::move(result));
    } else if (s.try_pass(pass, max_depth, watch, stats)) {
      const auto give = [&](std::size_t i, Result&& result) {
        const Milliseconds copy_out = result.run.copy_out;
        result.run = share(stats, pass.size(), i == 0);
        result.run.copy_out = copy_out;
        if (max_depth >= 0) trim_and_count(s.team, limit, result);
        agree_with_answer(result);
        take(at + i, std::move(result));
      };
      HostRows here = to;
      here.begin += at * std::size_t{s.num_vertices};
      s.bring_each(pass.size(), max_depth < 0, give, here);
      at += pass.size();
    }
  }
}

std::vector<Result> Searcher::run_each(std::span<const VertexId> sources, Distance max_depth) {
  std::vector<Result> results(sources.size());
  run_each(sources, max_depth, [&](std::size_t i, Result&& result) {
    results[i] = std::move(result);
    // All of them stay, and pinning takes longer than a copy: what the pass has pinned is for its next results.
    if (state_->device && state_->replicas.empty()) results[i].distance = copied(state_->team, results[i].distance);
  });
  return results;
}

Array<Distance> Searcher::distances_from_each(std::span<const VertexId> sources, Distance max_depth) {
  const Use use(state_);
  check_sources(use->num_vertices, sources, max_depth);
  if (sources.empty() || use->num_vertices == 0) return {};
  const core::Watch watch(use->options.run.limits);
  const std::size_t n = use->num_vertices;
  const HostRows rows = use->host_rows(sources.size());
  Array<Distance> all(rows.memory, static_cast<Distance*>(rows.memory.get()), sources.size() * n);
  const auto take = [&](std::size_t i, Result&& result) {
    Distance* const row = all.data() + i * n;
    if (result.distance.data() != row) copy(use->team, result.distance, row);
  };
  use->replicas.empty() ? use->run_each(sources, max_depth, watch, take, rows)
                        : use->deal_each(sources, max_depth, watch, take);
  return all;
}

SearchReport Searcher::traverse_each(std::span<const VertexId> sources, Distance max_depth) {
  const Use use(state_);
  check_sources(use->num_vertices, sources, max_depth);
  const core::Watch watch(use->options.run.limits);
  return use->replicas.empty() ? use->traverse_each(sources, max_depth, watch)
                               : use->deal_traversals(sources, max_depth, watch);
}

SearchReport Searcher::State::traverse_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch) {
  State& s = *this;
  begin_many(max_depth);
  SearchReport sum;
  for (std::size_t at = 0; at < sources.size();) {
    const auto [width, shows] = s.next(sources.subspan(at));
    const auto pass = sources.subspan(at, std::max<std::size_t>(width, 1));
    SearchReport stats;
    if (shows)
      learn(s.count({.sources = {sources[at]}, .max_depth = max_depth}, watch, stats));
    else if (width == 0)
      stats = s.traverse({.sources = {sources[at]}, .max_depth = max_depth}, watch);
    else if (!s.try_pass(pass, max_depth, watch, stats))
      continue;  // one by one, from here on
    at += pass.size();
    add(sum, std::move(stats));
  }
  return sum;
}

void Searcher::State::visit_each(std::span<const VertexId> sources, const core::Watch& watch, const Look& look,
                                 const std::function<void(const SearchReport&)>& done) {
  one_by_one = false;
  for (std::size_t at = 0; at < sources.size();) {
    const std::size_t width = options.trace ? 0 : next_pass(sources.size() - at);
    const auto pass = sources.subspan(at, std::max<std::size_t>(width, 1));
    std::vector<LevelCounts> counts;
    SearchReport stats;
    if (width == 0) {
      Result result;
      const device::DeviceAnswer answer = run_on_device({.sources = {sources[at]}}, watch, result);
      counts.push_back({resident::count_answer(device->api())(*device, answer.distance, num_vertices, result.depth)});
      look(*this, {answer.distance, num_vertices, 1}, counts);
      stats = std::move(result.run);
    } else {
      std::vector<std::uint32_t> of_pass;
      if (!try_pass(pass, -1, watch, stats) || !fits([&] { of_pass = plan->each_counts(); })) continue;
      for (std::size_t i = 0; i < pass.size(); ++i) counts.push_back(column(of_pass, pass_width(), i, -1));
      for (std::size_t i = 0; i < pass.size();) {
        device::DeviceRows rows = plan->each_rows(i);  // fewer than all where memory is short
        rows.count = std::min(rows.count, pass.size() - i);
        look(*this, rows, std::span<const LevelCounts>(counts).subspan(i, rows.count));
        i += rows.count;
      }
    }
    at += pass.size();
    done(stats);
  }
}

SearchReport Searcher::count_levels(std::span<const VertexId> sources, Distance max_depth,
                                    const std::function<void(std::size_t, LevelCounts&&)>& take) {
  const Use use(state_);
  check_sources(use->num_vertices, sources, max_depth);
  if (!take) refuse_without_take();
  const core::Watch watch(use->options.run.limits);
  return use->replicas.empty() ? use->count_levels(sources, max_depth, watch, take)
                               : use->deal_counts(sources, max_depth, watch, take);
}

SearchReport Searcher::State::count_levels(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                           const std::function<void(std::size_t, LevelCounts&&)>& take) {
  State& s = *this;
  begin_many(max_depth);
  SearchReport sum;
  const auto count_alone = [&](VertexId source) {
    SearchReport alone;
    LevelCounts counts = s.count({.sources = {source}, .max_depth = max_depth}, watch, alone);
    add(sum, std::move(alone));
    return counts;
  };
  std::optional<LevelCounts> shown;
  if (first_alone(sources)) {
    shown = count_alone(sources[0]);
    learn(*shown);
  }
  // Wide passes count that search again: of one source fewer they might be fewer, or none.
  std::size_t at = s.count_wide(sources, max_depth, watch, sum, take);
  if (shown && at == 0) take(at++, std::move(*shown));
  while (at < sources.size()) {
    const auto [width, shows] = s.next(sources.subspan(at), true);
    const auto pass = sources.subspan(at, std::max<std::size_t>(width, 1));
    if (width == 0) {
      LevelCounts counts = count_alone(sources[at]);
      if (shows) learn(counts);
      take(at++, std::move(counts));
      continue;
    }
    SearchReport stats;
    std::size_t taken = 0;
    const auto take_pass = [&](std::size_t first, const std::vector<std::uint32_t>& counts) {
      const std::size_t together = s.pass_width();
      for (taken = first; taken < std::min(first + together, pass.size()); ++taken) try {
          LevelCounts found = column(counts, together, taken - first, max_depth);
          // A pass leaves out leaves, which may lie one level beyond what it has seen.
          stats.levels = std::max(stats.levels, static_cast<std::uint32_t>(found.depth()));
          take(at + taken, std::move(found));
        } catch (...) {
          throw Thrown{std::current_exception()};
        }
    };
    try {
      s.try_pass(pass, max_depth, watch, stats, take_pass);  // where there was no memory: one by one, from here on
      if (taken > 0) add(sum, std::move(stats));             // also of the passes before that
    } catch (const Thrown& thrown) {
      std::rethrow_exception(thrown.what);
    }
    at += taken;
  }
  return sum;
}

}  // namespace hopwave::inline v0_1
