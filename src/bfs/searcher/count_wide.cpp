// Vertices by distance from very many sources on a CPU: each thread takes passes of its own, of up to 512 sources near each
// other.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/searcher.h"
#include "core/stopwatch.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {

namespace {

using engine::MsBfsCounter;

/// Sources go in rounds, so that an early end leaves those of the rounds before. A round takes about as long as looking at
/// this many arcs, a few seconds, and its counts have no more than these bytes.
using thresholds::Cpu;

bool thin(const strategy::View& view) { return view.num_arcs() <= Cpu::thin_degree * view.num_vertices; }

std::size_t passes_a_round(const strategy::View& view, Distance depth) {
  const std::uint64_t bytes_a_pass = (static_cast<std::uint64_t>(depth) + 1) * MsBfsCounter::width * sizeof(std::uint64_t);
  const std::uint64_t arcs_a_pass = Cpu::count_looks * (view.num_arcs() + view.num_vertices);
  return std::max<std::uint64_t>(std::min(Cpu::count_round_bytes / bytes_a_pass, Cpu::count_round_arcs / arcs_a_pass), 1);
}

/// What may end a round. The calling thread, which is the first, asks the caller between its levels, and while it waits for
/// others.
class Round {
 public:
  Round(const SearchOptions& options, const core::Watch& watch, std::size_t threads)
      : options_(options), watch_(watch), at_work_(threads) {}
  bool go_on(std::size_t counter, std::uint32_t level, std::uint64_t frontier) {
    if (counter == 0) ask(level, frontier);
    return !ended_ && !refused_ && !watch_.over();
  }
  /// Calls count() on the thread of that counter.
  void take_part(std::size_t counter, const std::function<void()>& count) {
    try {
      count();
      --at_work_;
      // The other threads, which work, check the time limit.
      for (; counter == 0 && options_.run.progress && at_work_ > 0 && !ended_ && !refused_; ask(0, 0))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } catch (...) {
      ended_ = true;  // so that the others end as well
      throw;
    }
  }
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  void ask(std::uint32_t level, std::uint64_t frontier) {
    if (options_.run.progress && !options_.run.progress({.what = "levels", .done = level, .amount = frontier})) refused_ = true;
  }

  const SearchOptions& options_;
  const core::Watch& watch_;
  std::atomic<std::size_t> at_work_;
  std::atomic<bool> refused_{false}, ended_{false};
};

}  // namespace

/// The number of threads to count with; 0: do not count in this way. A pass pays if it is a quarter full. On thin graphs, and
/// if searches seldom meet, it pays only if many vertices are sources.
std::size_t Searcher::State::counters_for(std::span<const VertexId> sources) const {
  constexpr std::size_t least = MsBfsCounter::width / Cpu::count_least_part;
  const std::size_t size = sources.size();
  if (placement.kind != DeviceKind::cpu || options.strategy != "auto" || one_by_one || size < least) return 0;
  const bool pays =
      size >= num_vertices / Cpu::count_source_part ||
      !(thin(view->view()) || seldom_meet(sources.first(std::min(size, MsBfsCounter::width)), Cpu::meet_counted_wide));
  if (ms_bfs_asked() ? cpu_least() == 0 : !pays) return 0;
  return std::min({Cpu::count_most_bytes / (MsBfsCounter::bytes_per_vertex * num_vertices),
                   static_cast<std::size_t>(team.size()), size / least});
}

std::size_t Searcher::State::count_wide(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                        SearchReport& sum, const std::function<void(std::size_t, LevelCounts&&)>& take) {
  const std::size_t threads = counters_for(sources);
  if (threads == 0) return 0;
  turn_if_it_pays(sources.size(), watch);
  const strategy::View& rows = view->view();
  try {
    while (counters.size() < threads) counters.push_back(std::make_unique<MsBfsCounter>(rows));
  } catch (const Error& e) {
    if (e.failure() != Failure::does_not_fit) throw;
    counters.clear();
    noted->push_back("fewer searches at a time: " + e.parts().found);
    return 0;
  }
  std::size_t done = 0;
  Distance deepest = 0;
  for (std::size_t passes = threads; done < sources.size(); passes = threads * passes_a_round(rows, deepest)) {
    const core::Stopwatch clock;
    const auto round = sources.subspan(done, std::min(passes * MsBfsCounter::width, sources.size() - done));
    const auto order = engine::order_of_sources(rows, round, thin(rows) ? MsBfsCounter::width : 0);
    // Every thread wants a pass.
    const std::size_t width =
        std::clamp((round.size() + threads - 1) / threads, MsBfsCounter::width / Cpu::count_least_part, MsBfsCounter::width);
    std::vector<LevelCounts> counts(round.size());
    std::atomic<std::size_t> next{0};
    std::atomic<bool> too_deep{false};
    std::vector<Distance> depths(threads, 0);
    Round ending(options, watch, threads);
    const auto work = [&](std::size_t counter) {
      const auto go_on = [&](std::uint32_t level, std::uint64_t frontier) { return ending.go_on(counter, level, frontier); };
      std::vector<VertexId> pass;
      std::vector<LevelCounts> counted;
      for (std::size_t at;
           (at = next.fetch_add(width, std::memory_order_relaxed)) < round.size() && !watch.over() && !too_deep;) {
        const std::size_t size = std::min(width, round.size() - at);
        pass.clear();
        for (std::size_t i = at; i < at + size; ++i) pass.push_back(round[order[i]]);
        counted.assign(size, {});
        const auto end = counters[counter]->run(pass, max_depth, go_on, counted);
        if (end == MsBfsCounter::End::stopped) return;
        if (end == MsBfsCounter::End::too_deep) too_deep = true;
        depths[counter] = std::max(depths[counter], counters[counter]->depth());
        for (std::size_t i = 0; i < size; ++i) counts[order[at + i]] = std::move(counted[i]);
      }
    };
    if (threads == 1) {
      work(0);
    } else {
      team.run([&](int rank) {
        const auto counter = static_cast<std::size_t>(rank);
        if (counter < threads) ending.take_part(counter, [&] { work(counter); });
      });
    }
    searches += round.size();
    const std::string until = " after " + std::to_string(done) + " of " + std::to_string(sources.size()) + " sources";
    if (ending.refused())
      throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller" + until});
    watch.check("the search ended" + until);
    if (too_deep) return done;
    SearchReport stats = report();
    const Distance depth = *std::ranges::max_element(depths);
    deepest = std::max(deepest, depth);
    stats.levels = stats.steps = static_cast<std::uint32_t>(depth);
    stats.work = stats.host = clock.elapsed();
    stats.chosen = "512 searches at a time, one cache line per vertex";
    search_detail::add(sum, std::move(stats));
    for (std::size_t i = 0; i < round.size(); ++i) take(done + i, std::move(counts[i]));
    done += round.size();
  }
  return done;
}

}  // namespace hopwave::inline v0_1
